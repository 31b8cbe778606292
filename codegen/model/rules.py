# SPDX-License-Identifier: MIT
"""Keywords that demand something of a single value and stand alone, as bounds, which come in pairs, do not.

All that the generator knows of such a keyword is its class here: how a schema states it, what two of them
demand together, which values meet it, whether it follows from another, its words, and what the table of
checks holds of it. A new one is a class and a line in RULES; runtime/codec/check.c holds it against a value.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import gcd
from typing import ClassVar, Iterable, Mapping, Optional, Tuple, Type

from codegen.source.jsonfile import Json, show_json


@dataclass(frozen=True)
class Rule(ABC):
    """The rule of a keyword."""

    keyword: ClassVar[str]
    types: ClassVar[Tuple[str, ...]]
    """The JSON types that it constrains."""
    unchecked: ClassVar[Tuple[str, ...]] = ()
    """Those of them that the codec cannot check."""
    flag: ClassVar[str]
    """MCPW_CHECK_... in a table."""

    @classmethod
    @abstractmethod
    def read(cls, value: Json) -> Rule:
        """The statement of a schema. ValueError says what is wrong with it."""

    @classmethod
    def fits(cls, value: Json) -> bool:
        """Whether the codec can check what read() accepts."""
        del value
        return True

    @property
    @abstractmethod
    def argument(self) -> Optional[str]:
        """The text that the table holds beside the flag. A type may have one of its rules."""

    @abstractmethod
    def both(self, other: Rule) -> Rule:
        """This rule and another one of the same keyword, combined."""

    @abstractmethod
    def accepts(self, value: object) -> bool:
        """Whether a constant of the right type meets the rule."""

    @abstractmethod
    def words(self) -> str:
        """The rule behind the name of a type, as reports show it."""

    def implies(self, other: Rule) -> bool:
        """Whether all that meets this rule meets another of the same keyword."""
        return self.both(other) == self


@dataclass(frozen=True)
class MultipleOf(Rule):
    """multipleOf, for integers. An integer is a multiple of a fraction in lowest terms exactly if it is one
    of its numerator."""

    factor: int

    keyword = "multipleOf"
    types = ("integer", "number")
    unchecked = ("number",)
    flag = "MULTIPLE"

    @classmethod
    def read(cls, value: Json) -> MultipleOf:
        if isinstance(value, bool) or not isinstance(value, (int, Decimal)) or value <= 0:
            raise ValueError(f"must be a number above 0, not {show_json(value)}")
        return cls._of(Fraction(value).numerator)

    @classmethod
    def fits(cls, value: Json) -> bool:
        if not isinstance(value, (int, Decimal)):
            return True  # read refuses it
        return abs(Decimal(value).adjusted()) <= _MOST_DIGITS and Fraction(value).numerator < 2**63

    @classmethod
    def _of(cls, factor: int) -> MultipleOf:
        if factor >= 2**63:
            raise ValueError("does not fit 64 bits")
        return cls(factor)

    @property
    def argument(self) -> str:
        return str(self.factor)

    def both(self, other: Rule) -> MultipleOf:
        assert isinstance(other, MultipleOf)
        return self._of(self.factor // gcd(self.factor, other.factor) * other.factor)

    def accepts(self, value: object) -> bool:
        return not isinstance(value, int) or value % self.factor == 0

    def implies(self, other: Rule) -> bool:
        assert isinstance(other, MultipleOf)
        return self.factor % other.factor == 0

    def words(self) -> str:
        return f"multiple of {self.factor}"


_MOST_DIGITS = 40
"""The limit for a number that is compared exactly: a reader has no use for more."""

RULES: Tuple[Type[Rule], ...] = (MultipleOf,)

Rules = Tuple[Rule, ...]
"""Those of one value, each keyword at most once, in the order of RULES."""


class Misstated(Exception):
    """A keyword that cannot be held, and the cause."""

    def __init__(self, keyword: str, cause: str) -> None:
        super().__init__(cause)
        self.keyword = keyword


def rules_of(type_name: str, stated: Mapping[str, Json]) -> Rules:
    """The rules for values of a type among the keywords of a schema. Raises Misstated."""
    found = []
    for rule in RULES:
        if rule.keyword in stated and type_name in rule.types:
            if type_name in rule.unchecked or not rule.fits(stated[rule.keyword]):
                continue
            try:
                found.append(rule.read(stated[rule.keyword]))
            except ValueError as cause:
                raise Misstated(rule.keyword, str(cause)) from cause
    return tuple(found)


def unheld(types: Iterable[str], stated: Mapping[str, Json]) -> Tuple[str, ...]:
    """The keywords of rules in a schema for values of these types, not all of which the codec can check."""
    return tuple(
        rule.keyword
        for rule in RULES
        if rule.keyword in stated
        and any(
            name in rule.types and (name in rule.unchecked or not rule.fits(stated[rule.keyword]))
            for name in types
        )
    )


def all_of(left: Rules, right: Rules) -> Rules:
    """Both rules combined."""
    found = []
    for kind in RULES:
        of_kind = [rule for rule in (*left, *right) if isinstance(rule, kind)]
        if of_kind:
            found.append(of_kind[0].both(of_kind[-1]))
    return tuple(found)


def accept(rules: Rules, value: object) -> bool:
    """Whether a constant meets all of them."""
    return all(rule.accepts(value) for rule in rules)


def imply(source: Rules, target: Rules) -> bool:
    """Whether all that meets the source's rules meets the target's, as far as the rules alone can say."""
    return all(any(isinstance(own, type(rule)) and own.implies(rule) for own in source) for rule in target)
