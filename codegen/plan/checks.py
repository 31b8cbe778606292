# SPDX-License-Identifier: MIT
"""Bounds and formats of model nodes as entries of the checks table."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, InvalidOperation
from typing import List, Optional

from codegen.errors import Refusal
from codegen.model.keywords import FORMATS
from codegen.model.nodes import ArrayType, Bound, IntegerType, Node, NumberType, ObjectType, StringType
from codegen.model.rules import Rules
from codegen.plan.cplan import CheckEntry

INT64_MIN = -(2**63)
INT64_MAX = 2**63 - 1


def int64_text(value: int) -> str:
    """A C constant of type int64_t. The least one has no literal of its own in C."""
    return "INT64_MIN" if value == INT64_MIN else f"INT64_C({value})"


def check_of(file: str, node: Node, rule: Optional[str]) -> CheckEntry:
    """The checks of a node beyond its type. `rule`, from strict.json, goes before the schema's own format."""
    entry = CheckEntry()
    if isinstance(node, IntegerType):
        entry = _integer(file, node)
    elif isinstance(node, NumberType):
        entry = _number(file, node)
    elif isinstance(node, StringType):
        entry = _count(file, node, node.min_length, node.max_length)
        rule = rule or (node.format if node.format in FORMATS else None)
    elif isinstance(node, ArrayType):
        entry = _count(file, node, node.min_items, node.max_items)
    elif isinstance(node, ObjectType):
        entry = _count(file, node, node.min_properties, node.max_properties)
    if isinstance(node, (StringType, IntegerType, NumberType, ArrayType, ObjectType)):
        entry = _with_rules(entry, node.rules)
    return with_rule(entry, rule)


def _with_rules(entry: CheckEntry, rules: Rules) -> CheckEntry:
    arguments = [rule.argument for rule in rules if rule.argument is not None]
    return replace(
        entry,
        flags=(*entry.flags, *(rule.flag for rule in rules)),
        argument=next(iter(arguments), None),
    )


def with_rule(entry: CheckEntry, rule: Optional[str]) -> CheckEntry:
    """The same check with the format that a rule names."""
    if rule is None:
        return entry
    return replace(entry, format=FORMATS[rule])


def _count(file: str, node: Node, least: Optional[int], most: Optional[int]) -> CheckEntry:
    flags: List[str] = []
    for name, bound in (("MIN", least), ("MAX", most)):
        if bound is not None:
            flags.append(name)
            if not 0 <= bound <= INT64_MAX:
                raise Refusal(file, node.pointer, f"the bound {bound} is not a count that fits 64 bits")
    return CheckEntry(
        flags=tuple(flags),
        minimum=int64_text(least or 0) if least else "0",
        maximum=int64_text(most or 0) if most else "0",
        min_text=None if least is None else str(least),
        max_text=None if most is None else str(most),
    )


def _decimal(file: str, node: Node, bound: Bound) -> Decimal:
    try:
        return Decimal(bound.text)
    except InvalidOperation as error:
        raise Refusal(file, node.pointer, f"the bound {bound.text} is not a number") from error


def _integer(file: str, node: IntegerType) -> CheckEntry:
    flags: List[str] = []
    values = []
    for name, bound, rounding in (
        ("MIN", node.minimum, ROUND_CEILING),
        ("MAX", node.maximum, ROUND_FLOOR),
    ):
        if bound is None:
            values.append("0")
            continue
        exact = _decimal(file, node, bound)
        if not -(10**20) < exact < 10**20:
            raise Refusal(file, node.pointer, f"the bound {bound.text} does not fit 64 bits")
        whole = int(exact.to_integral_value(rounding=rounding))
        if not INT64_MIN <= whole <= INT64_MAX:
            raise Refusal(file, node.pointer, f"the bound {bound.text} does not fit 64 bits")
        flags.append(name)
        if bound.exclusive and whole == exact:
            flags.append("ABOVE_MIN" if name == "MIN" else "BELOW_MAX")
        values.append(int64_text(whole) if whole else "0")
    return CheckEntry(
        flags=tuple(flags),
        minimum=values[0],
        maximum=values[1],
        min_text=node.minimum.text if node.minimum else None,
        max_text=node.maximum.text if node.maximum else None,
    )


def _number(file: str, node: NumberType) -> CheckEntry:
    flags: List[str] = []
    values = []
    for name, bound in (("MIN", node.minimum), ("MAX", node.maximum)):
        if bound is None:
            values.append("0")
            continue
        number = float(_decimal(file, node, bound))
        if number in (float("inf"), float("-inf")):
            raise Refusal(file, node.pointer, f"the bound {bound.text} does not fit a double")
        flags.append(name)
        if bound.exclusive:
            flags.append("ABOVE_MIN" if name == "MIN" else "BELOW_MAX")
        values.append(repr(number) if number else "0")
    return CheckEntry(
        flags=tuple(flags),
        min_number=values[0],
        max_number=values[1],
        min_text=node.minimum.text if node.minimum else None,
        max_text=node.maximum.text if node.maximum else None,
    )
