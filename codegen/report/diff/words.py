# SPDX-License-Identifier: MIT
"""Nodes of the model in words, as the reports show them."""

from __future__ import annotations

from typing import List, Optional, Union

from codegen.model.nodes import (
    AnyType,
    ArrayType,
    BooleanType,
    Bound,
    ConstType,
    EnumType,
    IntegerType,
    Node,
    NullType,
    NumberType,
    ObjectType,
    RefType,
    StringType,
    UnionType,
)
from codegen.source.jsonfile import show_json

_PLAIN = (
    (AnyType, "any value"),
    (NullType, "null"),
    (BooleanType, "boolean"),
)


def describe(node: Node) -> str:
    """A type as short as can be: `string`, `Tool[]`, `"text"`, `integer from 0`."""
    for cls, name in _PLAIN:
        if isinstance(node, cls):
            return name
    if isinstance(node, RefType):
        return node.name
    if isinstance(node, ConstType):
        return show_json(node.value)
    if isinstance(node, EnumType):
        return " | ".join(show_json(value) for value in node.values)
    if isinstance(node, UnionType):
        return " | ".join(describe(alternative) for alternative in node.alternatives)
    if isinstance(node, ArrayType):
        item = describe(node.item)
        named = f"({item})[]" if " " in item else f"{item}[]"
        return named + constraints(node)
    if isinstance(node, ObjectType):
        return _object(node)
    return f"{_scalar(node)}{constraints(node)}"


def _scalar(node: Node) -> str:
    if isinstance(node, StringType):
        return "string"
    return "integer" if isinstance(node, IntegerType) else "number"


def _object(node: ObjectType) -> str:
    if node.properties:
        return "object {" + ", ".join(member.name for member in node.properties) + "}"
    if node.additional is None:
        return "empty object"
    if isinstance(node.additional, AnyType):
        return "object" + constraints(node)
    value = describe(node.additional)
    return ("map of " + (f"({value})" if " | " in value else value)) + constraints(node)


def constraints(node: Node) -> str:
    """The residual constraint of a node, with a space in front; empty if there is none."""
    parts: List[str] = []
    if isinstance(node, StringType):
        parts += _counts(node.min_length, node.max_length, "characters")
        parts += [f"({node.format})"] if node.format else []
    elif isinstance(node, (IntegerType, NumberType)):
        parts += _bounds(node)
    elif isinstance(node, ArrayType):
        parts += _counts(node.min_items, node.max_items, "items")
    elif isinstance(node, ObjectType):
        parts += _counts(node.min_properties, node.max_properties, "members")
    if isinstance(node, (StringType, IntegerType, NumberType, ArrayType, ObjectType)):
        parts += [rule.words() for rule in node.rules]
    return "".join(" " + part for part in parts)


def _counts(low: Optional[int], high: Optional[int], what: str) -> List[str]:
    if low is None and high is None:
        return []
    named = what[:-1] if (low if high is None else high) == 1 else what
    if high is None:
        return [f"of at least {low} {named}"]
    return [f"of at most {high} {named}" if low is None else f"of {low} to {high} {named}"]


def _bounds(node: Union[IntegerType, NumberType]) -> List[str]:
    parts: List[str] = []
    if node.minimum is not None:
        parts.append(("above " if node.minimum.exclusive else "from ") + node.minimum.text)
    if node.maximum is not None:
        parts.append(_upper(node.maximum))
    return parts


def _upper(bound: Bound) -> str:
    return ("below " if bound.exclusive else "to ") + bound.text
