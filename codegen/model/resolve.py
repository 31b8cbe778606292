# SPDX-License-Identifier: MIT
"""Questions about the model that need more than one node: what a reference means, which JSON types a node
allows, whether two nodes say the same."""

from __future__ import annotations

from dataclasses import fields
from typing import Dict, FrozenSet, List, Tuple, cast

from codegen.errors import Refusal
from codegen.model.nodes import (
    AnyType,
    ArrayType,
    BooleanType,
    ConstType,
    Definition,
    DemandedType,
    Document,
    EnumType,
    IntegerType,
    Node,
    NullType,
    NumberType,
    ObjectType,
    Property,
    RefType,
    StringType,
    UnionType,
)
from codegen.source.keys import key_of

IS_OBJECT = 1
IS_ARRAY = 2
IS_STRING = 4
IS_NUMBER = 8
IS_BOOLEAN = 16
IS_NULL = 32
IS_ANY = IS_OBJECT | IS_ARRAY | IS_STRING | IS_NUMBER | IS_BOOLEAN | IS_NULL


def key(node: Node) -> str:
    """The path by which facts and comments name a node: `Tool.inputSchema`, `X.items[]`, `X.map{}`."""
    try:
        return key_of(node.pointer)
    except ValueError:
        return node.pointer


def const_bits(value: object) -> int:
    """The JSON type of a constant."""
    if value is None:
        return IS_NULL
    if isinstance(value, bool):
        return IS_BOOLEAN
    return IS_NUMBER if isinstance(value, int) else IS_STRING


def is_id(node: Node) -> bool:
    """Whether a node is a string or an integer without further demands: what mcpw_id holds."""
    if not isinstance(node, UnionType) or len(node.alternatives) != 2:
        return False
    first, second = node.alternatives
    return (
        isinstance(first, StringType)
        and isinstance(second, IntegerType)
        and (first.min_length, first.max_length, first.format) == (None, None, None)
        and (second.minimum, second.maximum) == (None, None)
        and first.rules == second.rules == ()
    )


class Index:
    """A document with its definitions by name."""

    def __init__(self, document: Document, whole: FrozenSet[str] = frozenset()) -> None:
        """`whole` are definitions whose alternatives do not become those of a union that names them."""
        self.document = document
        self.file = document.file
        self._whole = whole
        self._definitions: Dict[str, Definition] = {d.name: d for d in document.definitions}
        self._signatures: Dict[Tuple[object, ...], List[str]] = {}

    def has(self, name: str) -> bool:
        return name in self._definitions

    def definition(self, name: str) -> Definition:
        return self._definitions[name]

    def resolve(self, node: Node) -> Node:
        """The node itself once references are followed and residual constraints are left aside."""
        start, seen = node, set()
        while isinstance(node, (RefType, DemandedType)):
            if isinstance(node, DemandedType):
                node = node.base
                continue
            if node.name in seen:
                raise Refusal(self.file, start.pointer, f'"{node.name}" refers to nothing but itself')
            seen.add(node.name)
            node = self.definition(node.name).node
        return node

    def residuals(self, node: Node) -> FrozenSet[str]:
        """The residual constraints of a node that resolve() leaves aside."""
        found: FrozenSet[str] = frozenset()
        while isinstance(node, (RefType, DemandedType)):
            if isinstance(node, DemandedType):
                found |= {residual.text for residual in node.residuals}
                node = node.base
            else:
                node = self.definition(node.name).node
        return found

    def leaves(self, union: UnionType) -> Tuple[Node, ...]:
        """The alternatives of a union, with those that are references to unions replaced by theirs.

        mcpw_id stays whole, and an alternative of two unions counts once.
        """
        found: List[Node] = []
        self._collect(union, found, ())
        known: Dict[Tuple[object, ...], Node] = {}
        for node in found:
            known.setdefault(self.signature(node), node)
        return tuple(known.values())

    def _collect(self, node: Node, found: List[Node], inside: Tuple[str, ...]) -> None:
        target = node
        while isinstance(target, RefType):
            if target.name in inside:
                raise Refusal(
                    self.file, node.pointer, f'the union "{target.name}" is an alternative of itself'
                )
            inside = (*inside, target.name)
            target = self.definition(target.name).node
        if not isinstance(target, UnionType) or is_id(target) or self._whole & set(inside):
            found.append(self._as_definition(node))
            return
        for alternative in target.alternatives:
            self._collect(alternative, found, inside)

    def _as_definition(self, node: Node) -> Node:
        """An inline array or object as a reference, where exactly one definition says the same."""
        if not isinstance(node, (ArrayType, ObjectType)):
            return node
        if not self._signatures:
            for definition in self.document.definitions:
                self._signatures.setdefault(self.signature(definition.node), []).append(definition.name)
        names = self._signatures.get(self.signature(node), [])
        own = {definition.name for definition in self.document.definitions if definition.node is node}
        if len(names) != 1 or own:
            return node
        return RefType(node.pointer, node.description, names[0])

    def bits(self, node: Node) -> int:
        """The JSON types that a node allows, as a sum of IS_ bits."""
        node = self.resolve(node)
        if isinstance(node, ConstType):
            return const_bits(node.value)
        if isinstance(node, UnionType):
            total = 0
            for alternative in self.leaves(node) if not is_id(node) else node.alternatives:
                total |= self.bits(alternative)
            return total
        for classes, bit in _BITS:
            if isinstance(node, classes):
                return bit
        raise Refusal(self.file, node.pointer, f"{type(node).__name__} has no JSON type")

    def signature(self, node: object) -> Tuple[object, ...]:
        """The content of a node, without its place and its description."""
        if isinstance(node, Node):
            parts = [f.name for f in fields(node) if f.name not in ("pointer", "description")]
            return (type(node).__name__, *(self.signature(getattr(node, part)) for part in parts))
        if isinstance(node, Property):
            return (node.name, node.required, self.signature(node.node))
        if isinstance(node, tuple):
            return tuple(self.signature(item) for item in cast(Tuple[object, ...], node))
        return (type(node).__name__, node)


_BITS: Tuple[Tuple[Tuple[type, ...], int], ...] = (
    ((AnyType,), IS_ANY),
    ((ObjectType,), IS_OBJECT),
    ((ArrayType,), IS_ARRAY),
    ((StringType, EnumType), IS_STRING),
    ((IntegerType, NumberType), IS_NUMBER),
    ((BooleanType,), IS_BOOLEAN),
    ((NullType,), IS_NULL),
)
