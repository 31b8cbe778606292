# SPDX-License-Identifier: MIT
"""Finds definitions that contain each other by value: a struct that would contain itself becomes a
pointer."""

from __future__ import annotations

from typing import Dict, FrozenSet, Iterator, Set

from codegen.model.nodes import (
    AnyType,
    ArrayType,
    DemandedType,
    Document,
    Node,
    ObjectType,
    RefType,
    UnionType,
    bare,
)
from codegen.model.resolve import IS_ANY, Index, is_id
from codegen.model.walk import reachable


def is_struct(node: Node) -> bool:
    """Whether an object has a C struct of its own: it names members, or it may have none."""
    return isinstance(node, ObjectType) and (bool(node.properties) or node.additional is None)


def is_open(node: Node) -> bool:
    """Whether an object may hold anything, without named members: it stays text."""
    return (
        isinstance(node, ObjectType)
        and not node.properties
        and isinstance(node.additional, AnyType)
        and node.min_properties is None
        and node.max_properties is None
    )


def takes_all(index: Index, node: Node) -> bool:
    """Whether a union has an alternative for every JSON type: as text such a value says all that a C union
    would."""
    node = bare(node)
    return isinstance(node, UnionType) and not is_id(node) and index.bits(node) == IS_ANY


def without_form(document: Document) -> FrozenSet[str]:
    """The definitions that no C type can stand for: unions that take every JSON type, and what contains
    itself through arrays, maps and references alone."""
    index = Index(document)
    edges = {d.name: frozenset(_through(d.node)) for d in document.definitions}
    found = {d.name for d in document.definitions if takes_all(index, d.node)}
    found |= {name for name, inner in edges.items() if name in reachable(edges, inner)}
    return frozenset(found)


def _through(node: Node) -> Iterator[str]:
    """The definitions that arrays, maps and references lead to, without a struct or a union in between."""
    while isinstance(node, (ArrayType, DemandedType, ObjectType, RefType)):
        if isinstance(node, DemandedType):
            node = node.base
            continue
        if isinstance(node, RefType):
            yield node.name
            return
        if isinstance(node, ArrayType):
            node = node.item
        elif is_struct(node) or node.additional is None:
            return
        else:
            node = node.additional


class Embedding:
    """The relation "a C value of this definition lies inside one of that" over a document."""

    def __init__(self, index: Index, raw: FrozenSet[str]) -> None:
        self._index = index
        self._raw = raw
        edges = {d.name: frozenset(self._inside(d.node, True)) for d in index.document.definitions}
        self._reach: Dict[str, Set[str]] = {name: self._closure(edges, name) for name in edges}

    def cyclic(self, owner: str, target: str) -> bool:
        """Whether holding `target` in `owner` by value would make a value contain itself."""
        return owner in self._reach[target] or (owner == target)

    @staticmethod
    def _closure(edges: Dict[str, FrozenSet[str]], start: str) -> Set[str]:
        found: Set[str] = set()
        waiting = [start]
        while waiting:
            for name in edges[waiting.pop()]:
                if name not in found:
                    found.add(name)
                    waiting.append(name)
        return found

    def _inside(self, node: Node, required: bool) -> Iterator[str]:
        """The definitions whose values a value of the node holds."""
        node = bare(node)
        if isinstance(node, RefType):
            if node.name not in self._raw and (required or not is_struct(self._index.resolve(node))):
                yield node.name
        elif isinstance(node, ObjectType) and is_struct(node):
            for member in node.properties if required else ():
                yield from self._inside(member.node, member.required)
        elif isinstance(node, UnionType) and not is_id(node):
            for alternative in self._index.leaves(node):
                yield from self._inside(alternative, True)
