# SPDX-License-Identifier: MIT
"""The reasons why lines of runtime/ are not reached, as reasons.txt has them.

A reason stands alone on its line; the lines below it that are indented are its keys, each
`function: fragment`. The fragment is code of that function as it stands in the source, comments left out and
white space as one space, so a key stays valid when functions move to other files and when lines are wrapped
again. A key speaks of the unbroken run of lines that were not reached which begins within its fragment or with
the next line of code.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, Sequence

ROOT = Path(__file__).resolve().parents[2]
REASONS = Path(__file__).with_name("reasons.txt")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
DEFINITION = re.compile(r"^(?!__attribute__)[A-Za-z_][^;={]*?\b(\w+)\(")
SUFFIXES = (".c", ".h", ".inc")


@dataclass(frozen=True)
class Key:
    function: str
    fragment: str
    why: str

    def __str__(self) -> str:
        return f"{self.function}: {self.fragment}"


@dataclass(frozen=True)
class Mark:
    """The lines of a file that the fragment of a key covers."""

    first: int
    last: int
    key: Key


@dataclass(frozen=True)
class Function:
    name: str
    text: str  # without comments, each run of white space one space
    lines: tuple[int, ...]  # the line of each character of text

    def places(self, fragment: str) -> Iterator[tuple[int, int]]:
        """The first and last line of each place where the fragment stands."""
        at = self.text.find(fragment)
        while at >= 0:
            yield self.lines[at], self.lines[at + len(fragment) - 1]
            at = self.text.find(fragment, at + 1)


def functions_of(source: Sequence[str]) -> list[str]:
    """The function that each line belongs to; "" before the first one."""
    names: list[str] = []
    name = ""
    for line in source:
        found = DEFINITION.match(line)
        if found and not line.endswith(";"):
            name = found.group(1)
        names.append(name)
    return names


def without_comments(text: str) -> list[str]:
    return COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text).splitlines()


def split(text: str) -> list[Function]:
    """A source file, function by function."""
    source = without_comments(text)
    pieces: dict[tuple[int, str], tuple[list[str], list[int]]] = {}
    previous, part = "", 0
    for number, (name, line) in enumerate(zip(functions_of(source), source), 1):
        part += name != previous
        previous = name
        letters, lines = pieces.setdefault((part, name), ([], []))
        code = " ".join(line.split())
        if code:
            letters.append(code + " ")
            lines += [number] * (len(code) + 1)
    return [Function(name, "".join(letters), tuple(lines)) for (_, name), (letters, lines) in pieces.items()]


def read(path: Path) -> list[Key]:
    keys = []
    why = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace():
            why = line
            continue
        function, colon, fragment = line.strip().partition(": ")
        if not colon or not why:
            raise ValueError(f"{path}: neither a reason nor `function: fragment`: {line.strip()}")
        keys.append(Key(function, fragment, why))
    return keys


def write(path: Path, keys: Sequence[Key]) -> None:
    by_reason: dict[str, set[str]] = defaultdict(set)
    for key in keys:
        by_reason[key.why].add(str(key))
    head = ["# Why lines of runtime/ are not reached by the tests; reasons.py says what a key is.", ""]
    lines = [
        line for why in sorted(by_reason) for line in (why, *(f"    {key}" for key in sorted(by_reason[why])))
    ]
    path.write_text("\n".join(head + lines) + "\n", encoding="utf-8")


def sources(root: Path) -> Iterator[Path]:
    return (path for path in sorted((root / "runtime").rglob("*")) if path.suffix in SUFFIXES)


def find(keys: Sequence[Key], root: Path) -> tuple[dict[str, list[Mark]], list[Key]]:
    """The marks of each file below runtime/, and the keys that match no code."""
    by_function: dict[str, list[Key]] = defaultdict(list)
    for key in keys:
        by_function[key.function].append(key)
    marks: dict[str, list[Mark]] = defaultdict(list)
    found = set()
    for path in sources(root):
        for function in split(path.read_text(encoding="utf-8")):
            for key in by_function.get(function.name, ()):
                for first, last in function.places(key.fragment):
                    marks[path.relative_to(root).as_posix()].append(Mark(first, last, key))
                    found.add(key)
    return marks, [key for key in keys if key not in found]
