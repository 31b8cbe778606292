# SPDX-License-Identifier: MIT
"""The one exception that the generator raises for input that it cannot turn into code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Dict, Iterable, List, Tuple, TypeVar

# Controls, line ends, marks of the writing direction, and surrogates (of file names that are no UTF-8).
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)

_LONGEST = 120
"""Characters of a text of a schema in a message."""

T = TypeVar("T")


class Refusal(Exception):
    """Input that is not understood. Printed as `FILE: /json/pointer: cause`; exit status 2. `more` are other
    refusals of the same file."""

    def __init__(self, file: str, pointer: str, cause: str, more: Tuple[Refusal, ...] = ()) -> None:
        super().__init__(f"{file}: {pointer or '/'}: {cause}")
        self.file = file
        self.pointer = pointer
        self.cause = cause
        self.more = more

    @property
    def all(self) -> Tuple[Refusal, ...]:
        """This one and the others."""
        return (self, *self.more)

    @staticmethod
    def of_all(found: Iterable[Refusal]) -> Refusal:
        """One refusal that stands for several, each of them once."""
        places: Dict[Tuple[str, str, str], Refusal] = {}
        for refusal in found:
            places.setdefault((refusal.file, refusal.pointer, refusal.cause), refusal)
        first, *rest = places.values()
        return Refusal(first.file, first.pointer, first.cause, tuple(rest))


class Refusals:
    """Refusals that are kept in mind while work goes on, so that all of them are told."""

    def __init__(self) -> None:
        self._found: List[Refusal] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, refusal: Refusal) -> None:
        self._found += refusal.all

    def attempt(self, work: Callable[[], T], instead: T) -> T:
        """The result of the work; `instead` if it is refused."""
        try:
            return work()
        except Refusal as refusal:
            self.add(refusal)
            return instead

    def raise_all(self) -> None:
        """Raises them, if there are any."""
        if self._found:
            raise Refusal.of_all(self._found)


class NoForm(Refusal):
    """A schema that is understood, but of which no C type can say enough: its values stay text."""


class BadInput(Exception):
    """Input that cannot be read at all, or a command that cannot be carried out. The text is one line for
    the user, or several; exit status 2."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.all = lines


@dataclass(frozen=True)
class Note:
    """A warning, though nothing is refused: `FILE: /json/pointer: warning: text`."""

    file: str
    pointer: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}: {self.pointer or '/'}: warning: {self.text}"


def shortened(text: str) -> str:
    """A text of a schema as part of a message, cut where it is long."""
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def visible(text: str) -> str:
    """The text on one line, without what could command a terminal, or show as something else than it is."""
    return _UNSEEN.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"
