# SPDX-License-Identifier: MIT
"""The last step of the model: every node in a form that C can have."""

from __future__ import annotations

from dataclasses import replace
from typing import Dict

from codegen.model.nodes import (
    AnyType,
    ArrayType,
    BooleanType,
    ConstType,
    DemandedType,
    IntegerType,
    Node,
    NullType,
    ObjectType,
    Residual,
    StringType,
    UnionType,
    demanded,
)
from codegen.source.jsonfile import Json, json_text


def settle(node: Node) -> Node:
    """The node in the form in which C can say it: what a struct cannot count is demanded, and what is
    demanded of a constant, which C does not store, is demanded of its type."""
    if isinstance(node, DemandedType):
        return demanded(_stored(settle(node.base)), node.residuals)
    if isinstance(node, ArrayType):
        return replace(node, item=settle(node.item))
    if isinstance(node, UnionType):
        return replace(node, alternatives=tuple(map(settle, node.alternatives)))
    if not isinstance(node, ObjectType):
        return node
    properties = tuple(replace(each, node=settle(each.node)) for each in node.properties)
    node = replace(node, properties=properties, additional=node.additional and settle(node.additional))
    counts = {"minProperties": node.min_properties, "maxProperties": node.max_properties}
    stated: Dict[str, Json] = {keyword: count for keyword, count in counts.items() if count is not None}
    if not stated or not (node.properties or node.additional is None):
        return node
    uncounted = replace(node, min_properties=None, max_properties=None)
    return demanded(uncounted, (Residual(json_text(stated)),))


def _stored(node: Node) -> Node:
    """A constant as a type whose values are stored, with the demand that it is this one."""
    if not isinstance(node, (ConstType, NullType)):
        return node
    value = node.value if isinstance(node, ConstType) else None
    form: Node = AnyType(node.pointer, node.description)
    if isinstance(value, bool):
        form = BooleanType(node.pointer, node.description)
    elif isinstance(value, int):
        form = IntegerType(node.pointer, node.description)
    elif isinstance(value, str):
        form = StringType(node.pointer, node.description)
    return demanded(form, (Residual(json_text({"const": value})),))
