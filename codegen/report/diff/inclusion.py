# SPDX-License-Identifier: MIT
"""Whether everything that one schema accepts is accepted by another.

A value is taken to have the members that its schema names, and no others where the schema leaves others
free: a new optional member would break every open object otherwise. Maps are no open objects, their entries
are values of a stated type. The answer "included" is proven; "not included" may be too careful where only the
alternatives of a union together accept what none of them accepts alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Dict, FrozenSet, Iterator, List, Optional, Set, Tuple, Union

from codegen.model.nodes import (
    AnyType,
    ArrayType,
    BooleanType,
    ConstType,
    EnumType,
    IntegerType,
    Node,
    NullType,
    NumberType,
    ObjectType,
    Ruled,
    StringType,
    UnionType,
)
from codegen.model.resolve import Index
from codegen.model.rules import accept, imply
from codegen.source.pointers import join

ENVELOPE = ("jsonrpc", "id")

_Residuals = FrozenSet[str]
_Pair = Tuple[int, int, _Residuals]
_ANY = AnyType("", None)
# The type "any value", kind by kind.
_EVERYTHING: Tuple[Node, ...] = (
    ObjectType("", None, (), _ANY),
    ArrayType("", None, _ANY),
    StringType("", None),
    NumberType("", None),
    BooleanType("", None),
    NullType("", None),
)
_TRUTHS: Tuple[Node, ...] = (ConstType("", None, False), ConstType("", None, True))


class Inclusion:
    """Compares the nodes of one document with those of another. `gap` finds the first place where a value of
    the source is refused by the target; None where there is none."""

    def __init__(self, source: Index, target: Index) -> None:
        self._source = source
        self._target = target
        self._assumed: List[_Pair] = []
        self._known: Set[_Pair] = set()
        self._gaps: Dict[_Pair, str] = {}
        self._kept: List[Node] = []

    def gap(
        self, source: Node, target: Node, place: str = "", met: _Residuals = frozenset()
    ) -> Optional[str]:
        """The place and cause of a refusal of a value of `source` by `target`: `/member: cause`, or None.
        `met` are demands that its values are known to meet."""
        met |= self._source.residuals(source)
        if self._target.residuals(target) - met:
            return f"{place}: more is demanded than the types say"
        source, target = self._source.resolve(source), self._target.resolve(target)
        pair = (id(source), id(target), met)
        if pair in self._known:
            return None
        if pair in self._gaps:
            return place + self._gaps[pair]
        self._kept += [source, target]  # so that no other node gets the id of one that is gone
        mark = len(self._assumed)
        # A pair under way counts as included: recursion alone refuses nothing.
        self._assumed.append(pair)
        self._known.add(pair)
        found = next(self._gaps_of(source, target, met), None)
        if found is not None:
            # Whatever was concluded since then may have leaned on this pair.
            self._known.difference_update(self._assumed[mark:])
            del self._assumed[mark:]
            self._gaps[pair] = found
            return place + found
        return None

    def _gaps_of(self, source: Node, target: Node, met: _Residuals) -> Iterator[str]:
        if isinstance(target, AnyType):
            return
        if isinstance(source, AnyType):
            for part in _EVERYTHING:
                yield from self._one(part, target, "", met)
            return
        if isinstance(source, UnionType):
            for part in self._source.leaves(source):
                yield from self._one(part, target, "", met)
            return
        if isinstance(target, UnionType):
            yield from self._into_union(source, target, met)
        elif isinstance(source, ObjectType) and isinstance(target, ObjectType):
            yield from self._objects(source, target)
        elif isinstance(source, ArrayType) and isinstance(target, ArrayType):
            yield from self._arrays(source, target)
        elif not _scalar_within(source, target):
            yield f": {kind_of(source)} is refused where {kind_of(target)} is expected"

    def _one(self, source: Node, target: Node, place: str, met: _Residuals = frozenset()) -> Iterator[str]:
        found = self.gap(source, target, place, met)
        if found is not None:
            yield found

    def _into_union(self, source: Node, target: UnionType, met: _Residuals) -> Iterator[str]:
        leaves = self._target.leaves(target)
        gaps = [self.gap(source, leaf, "", met) for leaf in leaves]
        if any(found is None for found in gaps):
            return
        parts = _parts(source)
        if parts and all(any(self.gap(part, leaf, "", met) is None for leaf in leaves) for part in parts):
            return
        alike = [
            found
            for leaf, found in zip(leaves, gaps)
            if found and kind_of(self._target.resolve(leaf)) == kind_of(source)
        ]
        if len(alike) == 1:
            yield alike[0]
        else:
            yield f": {kind_of(source)} is not one of the alternatives"

    def _objects(self, source: ObjectType, target: ObjectType) -> Iterator[str]:
        members = {member.name: member for member in source.properties}
        named = {member.name: member for member in target.properties}
        for member in target.properties:
            if member.name in ENVELOPE and is_message(target):
                continue
            if member.required and (member.name not in members or not members[member.name].required):
                yield join("", member.name) + ": is required"
        for name, own in members.items():
            if name in named:
                yield from self._one(own.node, named[name].node, join("", name))
            elif target.additional is None:
                yield join("", name) + ": is not allowed"
            else:
                yield from self._one(own.node, target.additional, join("", name))
        if source.additional is not None:
            yield from self._others(source, target)
        low, high = source.min_properties or 0, source.max_properties
        yield from _counts(low, high, target.min_properties or 0, target.max_properties, "members")
        yield from _rules(source, target)

    def _others(self, source: ObjectType, target: ObjectType) -> Iterator[str]:
        """The members that the source does not name."""
        assert source.additional is not None
        if target.additional is None:
            yield ": other members are not allowed"
            return
        yield from self._one(source.additional, target.additional, "/*")
        if isinstance(source.additional, AnyType):
            return  # free for all, so nobody relies on them
        names = {member.name for member in source.properties}
        for member in target.properties:
            if member.name not in names:
                yield from self._one(source.additional, member.node, join("", member.name))

    def _arrays(self, source: ArrayType, target: ArrayType) -> Iterator[str]:
        yield from _counts(
            source.min_items or 0, source.max_items, target.min_items or 0, target.max_items, "items"
        )
        yield from _rules(source, target)
        if source.max_items != 0:
            yield from self._one(source.item, target.item, "/*")


def is_message(node: Node) -> bool:
    """Whether an object is a JSON-RPC request or notification of one method."""
    if not isinstance(node, ObjectType):
        return False
    return any(m.name == "method" and m.required and isinstance(m.node, ConstType) for m in node.properties)


def kind_of(node: Node) -> str:
    """A node's JSON type in words."""
    for cls, name in _KINDS:
        if isinstance(node, cls):
            return name
    return "a value"


_KINDS = (
    (ObjectType, "an object"),
    (ArrayType, "an array"),
    (EnumType, "a string"),
    (IntegerType, "an integer"),
    (NumberType, "a number"),
    (StringType, "a string"),
    (BooleanType, "a boolean"),
    (NullType, "null"),
    (ConstType, "a constant"),
    (UnionType, "one of several"),
    (AnyType, "any value"),
)


def _parts(node: Node) -> Tuple[Node, ...]:
    """Single values that a node consists of, where there are few."""
    if isinstance(node, EnumType):
        return tuple(ConstType("", None, value) for value in node.values)
    return _TRUTHS if isinstance(node, BooleanType) else ()


def _counts(
    low: int, high: Optional[int], wanted_low: int, wanted_high: Optional[int], what: str
) -> Iterator[str]:
    if low < wanted_low:
        yield f": fewer than {_are_refused(wanted_low, what)}"
    if wanted_high is not None and (high is None or high > wanted_high):
        yield f": more than {_are_refused(wanted_high, what)}"


def _are_refused(number: int, what: str) -> str:
    return f"{number} {what[:-1]} is refused" if number == 1 else f"{number} {what} are refused"


def _rules(source: Ruled, target: Ruled) -> Iterator[str]:
    if not imply(source.rules, target.rules):
        yield ": must be " + " and ".join(rule.words() for rule in target.rules)


def _scalar_within(source: Node, target: Node) -> bool:
    if isinstance(source, NullType):
        return isinstance(target, NullType)
    if isinstance(source, BooleanType):
        return isinstance(target, BooleanType)
    if isinstance(source, ConstType):
        return _value_within(source.value, target)
    if isinstance(source, EnumType):
        return all(_value_within(value, target) for value in source.values)
    if isinstance(source, StringType):
        return (
            isinstance(target, StringType)
            and imply(source.rules, target.rules)
            and not any(
                _counts(
                    source.min_length or 0, source.max_length, target.min_length or 0, target.max_length, ""
                )
            )
        )
    if isinstance(source, IntegerType) and isinstance(target, (IntegerType, NumberType)):
        return imply(source.rules, target.rules) and _within(_whole(source), _range(target))
    if isinstance(source, NumberType) and isinstance(target, NumberType):
        return imply(source.rules, target.rules) and _within(_range(source), _range(target))
    return False


def _value_within(value: object, target: Node) -> bool:
    """Whether a target accepts one value."""
    if isinstance(target, (StringType, IntegerType, NumberType)) and not accept(target.rules, value):
        return False
    if isinstance(target, ConstType):
        return type(value) is type(target.value) and value == target.value
    if isinstance(target, EnumType):
        return value in target.values
    if isinstance(value, bool):
        return isinstance(target, BooleanType)
    if isinstance(value, str):
        low, high = getattr(target, "min_length", None), getattr(target, "max_length", None)
        return isinstance(target, StringType) and not any(_counts(len(value), len(value), low or 0, high, ""))
    if isinstance(value, int) and isinstance(target, (IntegerType, NumberType)):
        return _within(_Range(Decimal(value), Decimal(value)), _range(target))
    return False


@dataclass(frozen=True)
class _Range:
    """Numbers from `low` to `high`; None is no bound."""

    low: Optional[Decimal] = None
    high: Optional[Decimal] = None
    above: bool = False
    """`low` itself is left out."""
    below: bool = False


def _range(node: Union[IntegerType, NumberType]) -> _Range:
    low, high = node.minimum, node.maximum
    return _Range(
        Decimal(low.text) if low else None,
        Decimal(high.text) if high else None,
        low is not None and low.exclusive,
        high is not None and high.exclusive,
    )


def _whole(node: IntegerType) -> _Range:
    """From the least to the greatest integer that a node accepts."""
    found = _range(node)
    low, high = found.low, found.high
    if low is not None:
        exact = low
        low = exact.to_integral_value(rounding=ROUND_CEILING)
        low += 1 if found.above and low == exact else 0
    if high is not None:
        exact = high
        high = exact.to_integral_value(rounding=ROUND_FLOOR)
        high -= 1 if found.below and high == exact else 0
    return _Range(low, high)


def _within(source: _Range, target: _Range) -> bool:
    if target.low is not None:
        if source.low is None or source.low < target.low:
            return False
        if source.low == target.low and target.above and not source.above:
            return False
    if target.high is not None:
        if source.high is None or source.high > target.high:
            return False
        if source.high == target.high and target.below and not source.below:
            return False
    return True
