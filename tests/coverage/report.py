# SPDX-License-Identifier: MIT
"""Prints gcovr's figures for runtime/ file by file, and then what no test reached, under the reasons that
uncovered.json gives. What has no reason comes last, line by line. Exit status 1 when a figure is below its
minimum or a line has no reason.

A reason says of which file it speaks ("*": any) and, where it does not speak of the whole file, of which
functions or of which lines by a pattern: names and texts survive edits, line numbers don't. "branches": true
keeps it from lines, so that it speaks just of conditions whose other outcome was never seen.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Sequence

ROOT = Path(__file__).resolve().parents[2]
REASONS = Path(__file__).with_name("uncovered.json")
DEFINITION = re.compile(r"^(?!__attribute__)[A-Za-z_][^;={]*?\b(\w+)\(")
TEXT_SHOWN = 72


@dataclass(frozen=True)
class Reason:
    """Why what matches stays uncovered."""

    why: str
    file: str
    functions: tuple[str, ...]  # none: all of them
    pattern: str
    branches: bool  # conditions alone, no lines

    def covers(self, place: Place) -> bool:
        return (
            self.file in ("*", place.file)
            and (not self.functions or place.function in self.functions)
            and (not self.branches or place.is_branch)
            and re.search(self.pattern, place.text) is not None
        )


@dataclass(frozen=True)
class Place:
    """A line that never ran, or one that ran and has a branch that was never taken."""

    file: str
    number: int
    is_branch: bool
    function: str
    text: str

    def __str__(self) -> str:
        kind = "branch" if self.is_branch else "line"
        return f"{self.file}:{self.number}: {kind} in {self.function}: {self.text[:TEXT_SHOWN]}"


@dataclass(frozen=True)
class File:
    name: str
    lines: int
    lines_hit: int
    branches: int
    branches_hit: int
    missed: tuple[Place, ...]


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


def measure(data: dict[str, Any], root: Path) -> File:
    name: str = data["file"]
    source = (root / name).read_text(encoding="utf-8").splitlines()
    functions = functions_of(source)
    lines = [line for line in data["lines"] if not line.get("gcovr/noncode", False)]
    branches = [branch for line in lines for branch in line["branches"]]
    missed = []
    for line in lines:
        ran = line["count"] > 0
        if not ran or any(branch["count"] == 0 for branch in line["branches"]):
            at = line["line_number"] - 1
            missed.append(Place(name, at + 1, ran, functions[at], source[at].strip()))
    return File(
        name=name,
        lines=len(lines),
        lines_hit=sum(line["count"] > 0 for line in lines),
        branches=len(branches),
        branches_hit=sum(branch["count"] > 0 for branch in branches),
        missed=tuple(missed),
    )


def percent(hit: int, of: int) -> float:
    return 100.0 * hit / of if of else 100.0


def row(name: str, lines: tuple[int, int], branches: tuple[int, int]) -> str:
    figures = (f"{hit:6}/{of:<6} {percent(hit, of):6.1f}" for hit, of in (lines, branches))
    return f"{name:44} {' '.join(figures)}"


def read_reasons(path: Path) -> list[Reason]:
    return [
        Reason(
            why=entry["why"],
            file=entry["file"],
            functions=tuple(entry.get("functions", ())),
            pattern=entry.get("pattern", ""),
            branches=entry.get("branches", False),
        )
        for entry in json.loads(path.read_text(encoding="utf-8"))
    ]


def outdated(reasons: Sequence[Reason], root: Path) -> list[str]:
    """Functions that reasons name and their files no longer have."""
    return [
        f"{reason.file} has no {name}"
        for reason in reasons
        for name in reason.functions
        if reason.file != "*" and not re.search(rf"\b{name}\b", (root / reason.file).read_text("utf-8"))
    ]


def show_explained(places: Sequence[Place], everything: bool) -> None:
    """Lines one by one, branches as numbers a function unless everything is wanted."""
    numbers: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place in places:
        if everything or not place.is_branch:
            print(f"    {place}")
        else:
            numbers[place.file, place.function].append(place.number)
    for (file, function), at in numbers.items():
        print(f"    {file}: branches in {function}: {', '.join(map(str, at))}")


def list_uncovered(files: Sequence[File], reasons: Sequence[Reason], everything: bool) -> int:
    """Everything that no test reached, by reason; how many lines have none."""
    explained: dict[Optional[Reason], list[Place]] = defaultdict(list)
    for file in files:
        for place in file.missed:
            explained[next((r for r in reasons if r.covers(place)), None)].append(place)
    print("not reached:")
    for reason in reasons:
        if explained[reason]:
            print(f"  {reason.why}:")
            show_explained(explained[reason], everything)
    for place in explained[None]:
        print(f"  {place}  (no reason given)")
    return sum(not place.is_branch for place in explained[None])


def main() -> int:
    parser = argparse.ArgumentParser(prog="report", description=__doc__)
    parser.add_argument("coverage", type=Path, help="written by gcovr --json")
    parser.add_argument("--minimum-lines", type=float, default=0.0)
    parser.add_argument("--minimum-branches", type=float, default=0.0)
    parser.add_argument("--branches", action="store_true", help="show each branch with its line's text")
    parser.add_argument("--reasons", type=Path, default=REASONS)
    parser.add_argument("--root", type=Path, default=ROOT, help="what the names of files are relative to")
    options = parser.parse_args()
    data = json.loads(options.coverage.read_text(encoding="utf-8"))
    files = sorted((measure(entry, options.root) for entry in data["files"]), key=lambda file: file.name)
    lines = (sum(file.lines_hit for file in files), sum(file.lines for file in files))
    branches = (sum(file.branches_hit for file in files), sum(file.branches for file in files))
    print(f"{'file':44} {'lines':>13} {'%':>6} {'branches':>13} {'%':>6}")
    for file in files:
        print(row(file.name, (file.lines_hit, file.lines), (file.branches_hit, file.branches)))
    print(row("all of runtime/", lines, branches))
    reasons = read_reasons(options.reasons)
    unexplained = list_uncovered(files, reasons, options.branches)
    gone = outdated(reasons, options.root)
    good = unexplained == 0 and not gone
    for name in gone:
        print(f"coverage: {name}, for which {options.reasons.name} gives a reason")
    if unexplained != 0:
        print(f"coverage: {unexplained} lines that no test reached have no reason in {options.reasons.name}")
    for name, got, least in (
        ("lines", percent(*lines), options.minimum_lines),
        ("branches", percent(*branches), options.minimum_branches),
    ):
        if got < least:
            print(f"coverage: {got:.1f} % of {name} is less than {least:.0f} %")
            good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
