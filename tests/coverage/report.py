# SPDX-License-Identifier: MIT
"""Prints gcovr's figures for runtime/ file by file, and then the lines that no test reached, under the
reasons that stand beside them. Exit status 1 when a figure is below its minimum, a line has no reason, or a
reason no line.

A reason is a comment: /* uncovered: why */. It speaks of the unbroken run of lines that were not reached
which begins with its own line or, where that was reached or holds nothing else, with the next one that has
code. So it stands behind the condition that is never true, or above the statement that never runs.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Sequence

ROOT = Path(__file__).resolve().parents[2]
MARK = re.compile(r"/\* uncovered: (.*?) \*/")
DEFINITION = re.compile(r"^(?!__attribute__)[A-Za-z_][^;={]*?\b(\w+)\(")
TEXT_SHOWN = 72


@dataclass(frozen=True)
class Place:
    """A line that never ran, or one that ran and has a branch that was never taken."""

    file: str
    number: int
    is_branch: bool
    function: str
    text: str
    why: str  # empty: nobody says

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
    idle: tuple[str, ...]  # reasons that speak of no line


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


def reasons_of(name: str, source: Sequence[str], ran: dict[int, bool]) -> tuple[dict[int, str], list[str]]:
    """The reason of each line that was not reached, and the places of reasons that speak of none."""
    whys: dict[int, str] = {}
    idle = []
    marks = {number: mark[1] for number, line in enumerate(source, 1) if (mark := MARK.search(line))}
    for number, why in marks.items():
        counted = [at for at in sorted(ran) if at >= number]
        if counted and counted[0] == number and ran[number]:
            counted = counted[1:]  # a condition, which was reached
        found = False
        for at in counted:
            if ran[at] or (found and at in marks):
                break
            whys[at] = why
            found = True
        if not found:
            idle.append(f"{name}:{number}: says why it is not covered ({why}), and it is")
    return whys, idle


def measure(data: dict[str, Any], root: Path) -> File:
    name: str = data["file"]
    source = (root / name).read_text(encoding="utf-8").splitlines()
    functions = functions_of(source)
    lines = [line for line in data["lines"] if not line.get("gcovr/noncode", False)]
    branches = [branch for line in lines for branch in line["branches"]]
    whys, idle = reasons_of(name, source, {line["line_number"]: line["count"] > 0 for line in lines})
    missed = []
    for line in lines:
        ran = line["count"] > 0
        if not ran or any(branch["count"] == 0 for branch in line["branches"]):
            at = line["line_number"]
            text = MARK.sub("", source[at - 1]).strip()
            missed.append(Place(name, at, ran, functions[at - 1], text, whys.get(at, "")))
    return File(
        name=name,
        lines=len(lines),
        lines_hit=sum(line["count"] > 0 for line in lines),
        branches=len(branches),
        branches_hit=sum(branch["count"] > 0 for branch in branches),
        missed=tuple(missed),
        idle=tuple(idle),
    )


def percent(hit: int, of: int) -> float:
    return 100.0 * hit / of if of else 100.0


def row(name: str, lines: tuple[int, int], branches: tuple[int, int]) -> str:
    figures = (f"{hit:6}/{of:<6} {percent(hit, of):6.1f}" for hit, of in (lines, branches))
    return f"{name:44} {' '.join(figures)}"


def list_uncovered(files: Sequence[File], with_branches: bool) -> int:
    """Prints every line that no test reached, by reason; how many have none."""
    explained: dict[str, list[Place]] = defaultdict(list)
    for file in files:
        for place in file.missed:
            if not place.is_branch:
                explained[place.why].append(place)
            elif with_branches:
                print(place)
    print("not reached:")
    for why in sorted(filter(None, explained)):
        print(f"  {why}:")
        for place in explained[why]:
            print(f"    {place}")
    for place in explained[""]:
        print(f"  {place}  (no reason given)")
    return len(explained[""])


def main() -> int:
    parser = argparse.ArgumentParser(prog="report", description=__doc__)
    parser.add_argument("coverage", type=Path, help="written by gcovr --json")
    parser.add_argument("--minimum-lines", type=float, default=0.0)
    parser.add_argument("--minimum-branches", type=float, default=0.0)
    parser.add_argument("--branches", action="store_true", help="show also each branch that was never taken")
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
    unexplained = list_uncovered(files, options.branches)
    idle = [place for file in files for place in file.idle]
    good = unexplained == 0 and not idle
    for place in idle:
        print(f"coverage: {place}")
    if unexplained != 0:
        print(f"coverage: {unexplained} lines that no test reached have no reason beside them")
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
