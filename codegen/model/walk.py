# SPDX-License-Identifier: MIT
"""The nodes within a node, and which definitions refer to which."""

from __future__ import annotations

from typing import Dict, Iterable, Iterator, List, Mapping, Set, Tuple

from codegen.model.nodes import ArrayType, DemandedType, Document, Node, ObjectType, RefType, UnionType


def walk(node: Node) -> Iterator[Node]:
    """The node and all nodes within it. References are not followed."""
    yield node
    if isinstance(node, DemandedType):
        yield from walk(node.base)
    elif isinstance(node, ArrayType):
        yield from walk(node.item)
    elif isinstance(node, UnionType):
        for alternative in node.alternatives:
            yield from walk(alternative)
    elif isinstance(node, ObjectType):
        for item in node.properties:
            yield from walk(item.node)
        if node.additional is not None:
            yield from walk(node.additional)


def references(node: Node) -> Tuple[str, ...]:
    """The definitions that a node names, each once, in the order in which they stand."""
    return tuple(dict.fromkeys(inner.name for inner in walk(node) if isinstance(inner, RefType)))


def reference_map(document: Document) -> Dict[str, Tuple[str, ...]]:
    """The definitions that each definition names."""
    return {definition.name: references(definition.node) for definition in document.definitions}


def reachable(edges: Mapping[str, Iterable[str]], starts: Iterable[str]) -> Set[str]:
    """The starts and all that can be come to from them."""
    found: Set[str] = set()
    waiting: List[str] = list(starts)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(edges.get(name, ()))
    return found
