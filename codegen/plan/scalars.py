# SPDX-License-Identifier: MIT
"""The C forms of values that hold no others: strings, numbers, booleans, constants, enumerations."""

from __future__ import annotations

from typing import Union

from codegen.errors import Refusal
from codegen.model.nodes import (
    AnyType,
    BooleanType,
    ConstType,
    EnumType,
    IntegerType,
    Node,
    NullType,
    NumberType,
    StringType,
    UnionType,
)
from codegen.model.resolve import const_bits
from codegen.plan import names
from codegen.plan.checks import INT64_MAX, INT64_MIN, check_of
from codegen.plan.comments import plain
from codegen.plan.cplan import ConstEntry, EnumDecl, EnumEntry, Ref, Value
from codegen.plan.declarations import Declarations
from codegen.plan.place import Place
from codegen.plan.tables import TableBuilder

JSON_TYPE = "mcpw_json"

_SCALARS = (
    (AnyType, "JSON", JSON_TYPE),
    (StringType, "STRING", "mcpw_str"),
    (IntegerType, "INTEGER", "int64_t"),
    (NumberType, "NUMBER", "double"),
    (BooleanType, "BOOLEAN", "bool"),
)


def refuse_escapes(file: str, node: Node, text: str) -> None:
    """Refuses a text that would stand in JSON with escapes, as the engine compares it byte by byte."""
    if any(c in '"\\' or ord(c) < 0x20 for c in text):
        raise Refusal(file, node.pointer, f"{text!r} needs escapes in JSON, which no table can hold")


class Scalars:
    """Plans scalars: declares their enumerations and adds their entries to the tables."""

    def __init__(self, declared: Declarations, builder: TableBuilder) -> None:
        self._declared = declared
        self._builder = builder

    def check(self, node: Node) -> int:
        """The number of what a node demands beyond its type."""
        return self._builder.checks.add(check_of(self._declared.file, node, None))

    def plan(self, node: Node, place: Place) -> Value:
        """The C form of a scalar node."""
        if isinstance(node, UnionType):
            return Value(Ref("ID"), "mcpw_id")
        if isinstance(node, EnumType):
            return self._enum(node, place)
        if isinstance(node, ConstType):
            return self._const(node, node.value)
        if isinstance(node, NullType):
            return self._const(node, None)
        for cls, kind, c_type in _SCALARS:
            if isinstance(node, cls):
                return Value(Ref(kind, 0, self.check(node)), c_type)
        raise Refusal(self._declared.file, node.pointer, f"{type(node).__name__} has no C form")

    def _const(self, node: Node, value: Union[str, int, bool, None]) -> Value:
        if isinstance(value, int) and not INT64_MIN <= value <= INT64_MAX:
            raise Refusal(self._declared.file, node.pointer, f"the constant {value} does not fit 64 bits")
        if isinstance(value, str):
            refuse_escapes(self._declared.file, node, value)
        entry = ConstEntry(value, const_bits(value))
        return Value(Ref("CONST", self._builder.consts.add(entry)), None)

    def _enum(self, node: EnumType, place: Place) -> Value:
        for value in node.values:
            refuse_escapes(self._declared.file, node, value)
        index = self._builder.enums.take()
        self._builder.enums.put(index, EnumEntry(place.label, node.values))
        if place.shape:
            return Value(Ref("ENUM", index), None)
        c_type = self._declared.registry.lower(place.c_name, node.pointer)
        upper = c_type.upper()
        parts = names.enumerator_parts(node.values)
        enumerators = tuple(self._declared.registry.claim(f"{upper}_{part}", node.pointer) for part in parts)
        self._declared.registry.claim(f"{upper}_UNKNOWN", node.pointer)
        comment = self._declared.comments.of(node, place.label)
        notes = tuple(f'"{plain(value)}"' for value in node.values)
        namer = "schema" if self._declared.comments.plain else "revision"
        unknown = f"A value that the {namer} does not name; see MCPW_ALLOW_UNKNOWN."
        self._declared.enums.append(EnumDecl(c_type, comment, enumerators, upper, index, (*notes, unknown)))
        return Value(Ref("ENUM", index), c_type)

    def stored(self, value: Value) -> Value:
        """The same type where something has to be stored: a constant stays text."""
        if value.c_type is not None or value.ref.kind != "CONST":
            return value
        return Value(Ref("SHAPED", self._builder.shapes.add(value.ref)), JSON_TYPE)
