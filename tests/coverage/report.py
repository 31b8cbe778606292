# SPDX-License-Identifier: MIT
"""Prints gcovr's figures for runtime/ file by file, and then the lines that no test reached, under the
reasons that reasons.txt gives for them. Exit status 1 when a figure is below its minimum, a line has no
reason, a reason has no line, or a key of reasons.txt stands in no place or in several.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Sequence

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.coverage import reasons

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
    used: frozenset[reasons.Key]  # those that speak of a line here
    idle: frozenset[reasons.Key]  # those that speak of none


def reasons_of(
    marks: Sequence[reasons.Mark], ran: dict[int, bool]
) -> tuple[dict[int, str], set[reasons.Key]]:
    """The reason of each line that was not reached, and the keys that speak of one."""
    whys: dict[int, str] = {}
    used = set()
    begins = {mark.first for mark in marks}
    for mark in marks:
        counted = [at for at in sorted(ran) if at >= mark.first]
        while counted and counted[0] <= mark.last and ran[counted[0]]:
            counted = counted[1:]  # a condition, which was reached
        found = False
        for at in counted:
            if ran[at] or (found and at in begins and at > mark.last):
                break
            whys[at] = mark.key.why
            found = True
        if found:
            used.add(mark.key)
    return whys, used


def measure(data: dict[str, Any], root: Path, marks: Sequence[reasons.Mark]) -> File:
    name: str = data["file"]
    source = (root / name).read_text(encoding="utf-8").splitlines()
    functions = reasons.functions_of(source)
    lines = [line for line in data["lines"] if not line.get("gcovr/noncode", False)]
    branches = [branch for line in lines for branch in line["branches"]]
    whys, used = reasons_of(marks, {line["line_number"]: line["count"] > 0 for line in lines})
    missed = []
    for line in lines:
        ran = line["count"] > 0
        if not ran or any(branch["count"] == 0 for branch in line["branches"]):
            at = line["line_number"]
            missed.append(Place(name, at, ran, functions[at - 1], source[at - 1].strip(), whys.get(at, "")))
    return File(
        name=name,
        lines=len(lines),
        lines_hit=sum(line["count"] > 0 for line in lines),
        branches=len(branches),
        branches_hit=sum(branch["count"] > 0 for branch in branches),
        missed=tuple(missed),
        used=frozenset(used),
        idle=frozenset(mark.key for mark in marks) - used,
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
    parser.add_argument(
        "--root", type=Path, default=reasons.ROOT, help="what the names of files are relative to"
    )
    parser.add_argument("--reasons", type=Path, default=reasons.REASONS, help="why lines are not reached")
    options = parser.parse_args()
    data = json.loads(options.coverage.read_text(encoding="utf-8"))
    marks, lost = reasons.find(reasons.read(options.reasons), options.root)
    files = sorted(
        (measure(entry, options.root, marks.get(entry["file"], [])) for entry in data["files"]),
        key=lambda file: file.name,
    )
    lines = (sum(file.lines_hit for file in files), sum(file.lines for file in files))
    branches = (sum(file.branches_hit for file in files), sum(file.branches for file in files))
    print(f"{'file':44} {'lines':>13} {'%':>6} {'branches':>13} {'%':>6}")
    for file in files:
        print(row(file.name, (file.lines_hit, file.lines), (file.branches_hit, file.branches)))
    print(row("all of runtime/", lines, branches))
    unexplained = list_uncovered(files, options.branches)
    used = frozenset().union(*(file.used for file in files))
    idle = frozenset().union(*(file.idle for file in files)) - used
    good = unexplained == 0 and not idle and not lost
    for key in lost:
        print(f"coverage: {options.reasons.name}: does not stand in one place: {key}")
    for key in sorted(idle, key=str):
        print(f"coverage: {options.reasons.name}: says why it is not covered ({key.why}), and it is: {key}")
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
