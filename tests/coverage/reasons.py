# SPDX-License-Identifier: MIT
"""The reasons why lines of runtime/ are not reached, as reasons.txt has them.

A reason stands alone on its line; the lines below it that are indented are its keys, each a fragment of code
as it stands in the source, comments left out and white space as one space. So a key stays valid when a
function is moved or gets another name, and when lines are wrapped again. A fragment that stands in several
places has as much of the code before it as tells its place from the others, and an ellipsis between them:
`before … fragment`. A key speaks of the unbroken run of lines that were not reached which begins within its
fragment or with the next line of code.
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
BETWEEN = " … "
SUFFIXES = (".c", ".h", ".inc")


@dataclass(frozen=True)
class Key:
    before: str  # may be empty
    fragment: str
    why: str

    def __str__(self) -> str:
        return f"{self.before}{BETWEEN}{self.fragment}" if self.before else self.fragment


@dataclass(frozen=True)
class Mark:
    """The lines of a file that the fragment of a key covers."""

    first: int
    last: int
    key: Key


@dataclass(frozen=True)
class Source:
    text: str  # without comments, each run of white space one space
    lines: tuple[int, ...]  # the line of each character of text

    def places(self, key: Key) -> Iterator[tuple[int, int]]:
        """The first and last line of each place where the fragment of a key stands."""
        before = f"{key.before} " if key.before else ""
        at = self.text.find(before + key.fragment)
        while at >= 0:
            first = at + len(before)
            yield self.lines[first], self.lines[first + len(key.fragment) - 1]
            at = self.text.find(before + key.fragment, at + 1)


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


def source_of(text: str) -> Source:
    letters: list[str] = []
    lines: list[int] = []
    for number, line in enumerate(without_comments(text), 1):
        code = " ".join(line.split())
        if code:
            letters.append(code + " ")
            lines += [number] * (len(code) + 1)
    return Source("".join(letters), tuple(lines))


def read(path: Path) -> list[Key]:
    keys = []
    why = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace():
            why = line
            continue
        if not why:
            raise ValueError(f"{path}: a key without a reason: {line.strip()}")
        before, _, fragment = line.strip().rpartition(BETWEEN)
        keys.append(Key(before, fragment, why))
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
    """The sources that are measured: those of Windows, whose names end in _win, are not compiled here."""
    below = sorted((root / "runtime").rglob("*"))
    return (path for path in below if path.suffix in SUFFIXES and not path.stem.endswith("_win"))


def find(keys: Sequence[Key], root: Path) -> tuple[dict[str, list[Mark]], list[Key]]:
    """The marks of each file below runtime/, and the keys that stand in no place or in several."""
    marks: dict[str, list[Mark]] = defaultdict(list)
    found: dict[Key, int] = defaultdict(int)
    for path in sources(root):
        source = source_of(path.read_text(encoding="utf-8"))
        for key in keys:
            for first, last in source.places(key):
                marks[path.relative_to(root).as_posix()].append(Mark(first, last, key))
                found[key] += 1
    return marks, [key for key in keys if found[key] != 1]
