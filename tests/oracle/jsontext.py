# SPDX-License-Identifier: MIT
"""JSON text in many spellings, read back exactly.

Values are what Python has for JSON, with int and Decimal for numbers. The writer spells the same value in
different ways (white space, escapes, number formats), because a reader must not mind.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

SPACES = (" ", "  ", "\n", "\t", "\r\n", "\n    ")
SHORT_ESCAPES = {
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    '"': '\\"',
    "\\": "\\\\",
    "/": "\\/",
}
FIRST_PRINTABLE = 0x20
FIRST_ASTRAL = 0x10000
NO_NAMES: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Spelling:
    """How often the writer leaves the shortest spelling."""

    space: float = 0.0
    escape: float = 0.0
    number: float = 0.0
    ascii_only: bool = False


PLAIN = Spelling()


def random_spelling(rng: Random) -> Spelling:
    """Half of all texts are plain; the others vary in one or more ways."""
    if rng.random() < 0.5:
        return PLAIN
    return Spelling(
        space=rng.choice((0.0, 0.1, 0.6)),
        escape=rng.choice((0.0, 0.02, 0.3, 1.0)),
        number=rng.choice((0.0, 0.5)),
        ascii_only=rng.random() < 0.3,
    )


def _code_units(char: str) -> list[int]:
    code = ord(char)
    if code < FIRST_ASTRAL:
        return [code]
    code -= FIRST_ASTRAL
    return [0xD800 + (code >> 10), 0xDC00 + (code & 0x3FF)]


def _escaped(char: str, rng: Random) -> str:
    if char in SHORT_ESCAPES and rng.random() < 0.5:
        return SHORT_ESCAPES[char]
    form = rng.choice(("\\u%04x", "\\u%04X"))
    return "".join(form % unit for unit in _code_units(char))


def write_string(text: str, rng: Random, spelling: Spelling = PLAIN) -> str:
    if spelling.escape == 0.0:
        return json.dumps(text, ensure_ascii=spelling.ascii_only)
    out = ['"']
    for char in text:
        must = char in '"\\' or ord(char) < FIRST_PRINTABLE or (spelling.ascii_only and not char.isascii())
        out.append(_escaped(char, rng) if must or rng.random() < spelling.escape else char)
    out.append('"')
    return "".join(out)


def _integer_spellings(value: int) -> list[str]:
    forms = [f"{value}.0", f"{value}.000", f"{value}e0", f"{value}E+00", f"{value}0e-1", f"{value}00E-2"]
    if value == 0:
        return ["-0", "0.0", "-0.0", "0e5", "0E-7", "-0e+1"]
    shifted = value
    power = 0
    while shifted % 10 == 0:
        shifted //= 10
        power += 1
        forms.append(f"{shifted}e{power}")
    digits = str(abs(value))
    if len(digits) > 1:
        sign = "-" if value < 0 else ""
        forms.append(f"{sign}{digits[0]}.{digits[1:]}e{len(digits) - 1}")
        forms.append(f"{sign}0.{digits}E{len(digits)}")
    return forms


def write_number(value: Any, rng: Random, spelling: Spelling = PLAIN) -> str:
    if isinstance(value, int):
        if rng.random() >= spelling.number:
            return str(value)
        return rng.choice(_integer_spellings(value))
    if rng.random() >= spelling.number:
        return str(value)
    return rng.choice((f"{value:e}", f"{value:E}", f"{value:f}", f"{value:f}e0"))


class _Writer:
    def __init__(self, rng: Random, spelling: Spelling) -> None:
        self.rng = rng
        self.spelling = spelling
        self.out: list[str] = []

    def gap(self) -> None:
        if self.spelling.space and self.rng.random() < self.spelling.space:
            self.out.append(self.rng.choice(SPACES))

    def value(self, value: Any) -> None:
        self.gap()
        if isinstance(value, dict):
            self._list("{", "}", [(name, item) for name, item in value.items()], True)
        elif isinstance(value, list):
            self._list("[", "]", [("", item) for item in value], False)
        elif isinstance(value, str):
            self.out.append(write_string(value, self.rng, self.spelling))
        elif value is None or isinstance(value, bool):
            self.out.append(json.dumps(value))
        else:
            self.out.append(write_number(value, self.rng, self.spelling))
        self.gap()

    def _list(self, opening: str, closing: str, items: list[tuple[str, Any]], named: bool) -> None:
        self.out.append(opening)
        for number, (name, item) in enumerate(items):
            if number:
                self.out.append(",")
            if named:
                self.gap()
                self.out.append(write_string(name, self.rng, self.spelling))
                self.gap()
                self.out.append(":")
            self.value(item)
        if not items:
            self.gap()
        self.out.append(closing)


def write(value: Any, rng: Random, spelling: Spelling = PLAIN) -> bytes:
    """The value as JSON text in UTF-8."""
    writer = _Writer(rng, spelling)
    writer.value(value)
    return "".join(writer.out).encode("utf-8")


def read(text: bytes) -> Any:
    """The value of a JSON text; integers as int, other numbers as Decimal, so that nothing is rounded."""
    return json.loads(text, parse_float=Decimal)


def _same_number(a: Any, b: Any, rounded: bool) -> bool:
    return bool(a == b) or (rounded and float(a) == float(b))


def same(a: Any, b: Any, number_members: frozenset[str] = NO_NAMES, path: tuple[str, ...] = ("", "")) -> bool:
    """Whether two values are equal: numbers by exact value, members in any order. Below one of
    number_members a number may have been stored as a double, so there the nearest double decides."""
    if isinstance(a, dict):
        return (
            isinstance(b, dict)
            and a.keys() == b.keys()
            and all(same(a[name], b[name], number_members, (path[-1], name)) for name in a)
        )
    if isinstance(a, list):
        return (
            isinstance(b, list)
            and len(a) == len(b)
            and all(same(x, y, number_members, path) for x, y in zip(a, b))
        )
    if a is None or isinstance(a, (bool, str)) or b is None or isinstance(b, (bool, str, dict, list)):
        return type(a) is type(b) and bool(a == b)
    return _same_number(a, b, not number_members.isdisjoint(path))
