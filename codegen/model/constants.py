# SPDX-License-Identifier: MIT
"""const and enum, of any JSON values. Values that the codec can compare become constants and enums; for the
others the node is the closest type, and a residual constraint checks the value."""

from __future__ import annotations

from decimal import Decimal
from typing import List, Union

from codegen.errors import Refusal
from codegen.model.merge import enum_of, union_of
from codegen.model.nodes import (
    AnyType,
    BooleanType,
    ConstType,
    IntegerType,
    Node,
    NullType,
    NumberType,
    ObjectType,
    StringType,
    demanded,
)
from codegen.model.residuals import residual_of
from codegen.source.jsonfile import Json, same_json, show_json
from codegen.source.normalise import Source
from codegen.source.pointers import join

MAX_BRANCHES = 1024
_MAX_INTEGER_DIGITS = 19
_MOST_DIGITS = 300
"""For constants that a double holds, more or less exactly."""


class Constants:
    """Builds those of one document."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def const(self, value: Json, pointer: str) -> Node:
        """The node of a `const`."""
        if value is None:
            return NullType(pointer, None)
        if isinstance(value, (bool, str)) and not needs_escapes(value):
            return ConstType(pointer, None, value)
        if isinstance(value, (int, Decimal)) and _is_short_integer(value):
            return ConstType(pointer, None, int(value))
        return demanded(
            self._values([value], pointer), (residual_of(self._source, {"const": value}, pointer),)
        )

    def enum(self, values: Json, place: str, pointer: str) -> Node:
        """The node of an `enum`, which stands at `place`."""
        if not isinstance(values, list) or not values:
            raise Refusal(self._source.file, place, '"enum" must be an array of at least one value')
        if len(values) > MAX_BRANCHES:
            raise Refusal(
                self._source.file, place, f"{len(values)} values: at most {MAX_BRANCHES} are possible"
            )
        for index, value in enumerate(values):
            if any(same_json(value, other) for other in values[:index]):
                raise Refusal(self._source.file, join(place, index), f"{show_json(value)} is listed twice")
        if len(values) == 1:
            return self.const(values[0], pointer)
        node = self._values(values, pointer)
        if all(
            value is None or (isinstance(value, (bool, str)) and not needs_escapes(value)) for value in values
        ):
            return node
        return demanded(node, (residual_of(self._source, {"enum": values}, pointer),))

    def _values(self, values: List[Json], pointer: str) -> Node:
        """The node that comes closest to a list of values."""
        if all(isinstance(value, dict) for value in values):
            return open_object(pointer)
        if any(isinstance(value, (dict, list)) for value in values):
            return AnyType(pointer, None)
        texts = [value for value in values if isinstance(value, str)]
        truths = [value for value in values if isinstance(value, bool)]
        numbers = [v for v in values if isinstance(v, (int, Decimal)) and not isinstance(v, bool)]
        nodes: List[Node] = [ConstType(pointer, None, truth) for truth in truths]
        if len(truths) > 1:
            nodes = [BooleanType(pointer, None)]
        if texts:
            plain = not any(map(needs_escapes, texts))
            nodes.insert(0, enum_of(pointer, None, texts) if plain else StringType(pointer, None))
        if numbers:
            if any(abs(Decimal(number).adjusted()) > _MOST_DIGITS for number in numbers):
                return AnyType(pointer, None)
            whole = all(map(_is_short_integer, numbers))
            nodes.append(IntegerType(pointer, None) if whole else NumberType(pointer, None))
        if None in values:
            nodes.append(NullType(pointer, None))
        return union_of(pointer, None, nodes)


def open_object(pointer: str) -> ObjectType:
    """Any object."""
    return ObjectType(pointer, None, (), AnyType(pointer, None))


def needs_escapes(value: Union[str, bool]) -> bool:
    """Whether a text would stand in JSON with escapes, which no table of the codec can hold."""
    return isinstance(value, str) and any(c in '"\\' or ord(c) < 0x20 for c in value)


def _is_short_integer(value: Union[int, Decimal]) -> bool:
    """Whether a number is integral and fits 64 bits."""
    if Decimal(value).adjusted() > _MAX_INTEGER_DIGITS or value != Decimal(value).to_integral_value():
        return False
    return -(2**63) <= int(value) < 2**63
