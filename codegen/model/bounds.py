# SPDX-License-Identifier: MIT
"""Bounds of counts and numbers: which of two says more, and which leave nothing between them."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Optional, Union

from codegen.model.nodes import Bound, IntegerType, NumberType

_COUNTABLE_DIGITS = 40  # beyond it two different bounds have integers between them, or do not matter


class Unsatisfiable(Exception):
    """No value is accepted. The text is a cause for a refusal."""


def tighter(left: Optional[Bound], right: Optional[Bound], direction: int) -> Optional[Bound]:
    """The bound that excludes more: the larger of two minima (direction 1), the smaller of two maxima."""
    if left is None or right is None:
        return left or right
    order = Decimal(left.text).compare(Decimal(right.text)) * direction
    if order == 0:
        return left if left.exclusive else right
    return left if order > 0 else right


def check_counts(low_name: str, low: Optional[int], high_name: str, high: Optional[int]) -> None:
    """Refuses counts of which the least exceeds the most."""
    if low is not None and high is not None and low > high:
        raise Unsatisfiable(f"no value is valid: {low_name} ({low}) exceeds {high_name} ({high})")


def check_range(node: Union[IntegerType, NumberType]) -> None:
    """Refuses bounds between which there is nothing."""
    if node.minimum is None or node.maximum is None:
        return
    low, high = Decimal(node.minimum.text), Decimal(node.maximum.text)
    empty = low > high or (low == high and (node.minimum.exclusive or node.maximum.exclusive))
    if isinstance(node, IntegerType) and not empty:
        empty = _no_integer(node.minimum, node.maximum)
    if empty:
        noun = "integer" if isinstance(node, IntegerType) else "number"
        raise Unsatisfiable(f"no {noun} lies between {low} and {high}")


def _no_integer(minimum: Bound, maximum: Bound) -> bool:
    low, high = Decimal(minimum.text), Decimal(maximum.text)
    if max(low.adjusted(), high.adjusted()) > _COUNTABLE_DIGITS:
        return False
    first, last = low.to_integral_value(ROUND_CEILING), high.to_integral_value(ROUND_FLOOR)
    return int(first) + (minimum.exclusive and first == low) > int(last) - (
        maximum.exclusive and last == high
    )
