# SPDX-License-Identifier: MIT
"""The verdict of the model on a value: the definition that the generated code has to meet."""

from __future__ import annotations

import contextlib
import json
from decimal import Decimal
from typing import Any

with contextlib.suppress(ModuleNotFoundError):  # who needs it says so
    import jsonschema

from codegen.model.nodes import (
    AnyType,
    ArrayType,
    BooleanType,
    ConstType,
    DemandedType,
    Document,
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


def accepts(document: Document, node: Node, value: Any) -> bool:
    """Whether a node of the document accepts a value."""
    if isinstance(node, AnyType):
        return True
    if isinstance(node, DemandedType):
        schemas = [json.loads(residual.text) for residual in node.residuals]
        met = all(jsonschema.Draft202012Validator(schema).is_valid(value) for schema in schemas)
        return met and accepts(document, node.base, value)
    if isinstance(node, RefType):
        return accepts(document, document.definition(node.name).node, value)
    if isinstance(node, UnionType):
        return any(accepts(document, alternative, value) for alternative in node.alternatives)
    if isinstance(node, NullType):
        return value is None
    if isinstance(node, BooleanType):
        return isinstance(value, bool)
    if isinstance(node, ConstType):
        return isinstance(value, bool) == isinstance(node.value, bool) and bool(value == node.value)
    if isinstance(node, EnumType):
        return value in node.values
    if isinstance(node, (IntegerType, NumberType)):
        return _is_number(value) and _number(node, Decimal(str(value)))
    if isinstance(node, StringType):
        return isinstance(value, str) and _count(len(value), node.min_length, node.max_length)
    if isinstance(node, ArrayType):
        return (
            isinstance(value, list)
            and _count(len(value), node.min_items, node.max_items)
            and all(accepts(document, node.item, item) for item in value)
        )
    assert isinstance(node, ObjectType)
    return isinstance(value, dict) and _object(document, node, value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def _number(node: Any, value: Decimal) -> bool:
    if isinstance(node, IntegerType) and value != value.to_integral_value():
        return False
    if any(value % rule.factor != 0 for rule in node.rules):
        return False
    for bound, sign in ((node.minimum, 1), (node.maximum, -1)):
        if bound is not None:
            distance = (value - Decimal(bound.text)) * sign
            if distance < 0 or (bound.exclusive and distance == 0):
                return False
    return True


def _count(count: int, low: Any, high: Any) -> bool:
    return (low is None or low <= count) and (high is None or count <= high)


def _object(document: Document, node: ObjectType, value: Any) -> bool:
    known = {item.name: item for item in node.properties}
    if any(item.required and item.name not in value for item in node.properties):
        return False
    if not _count(len(value), node.min_properties, node.max_properties):
        return False
    for name, member in value.items():
        expected = known[name].node if name in known else node.additional
        if expected is None or not accepts(document, expected, member):
            return False
    return True
