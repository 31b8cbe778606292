# SPDX-License-Identifier: MIT
"""Prints gcovr's figures for runtime/ file by file, and lists what no test reached, with the reasons that
uncovered.json gives. Exit status 1 when the figures are below the minimum."""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Sequence

ROOT = Path(__file__).resolve().parents[2]
REASONS = Path(__file__).with_name("uncovered.json")


@dataclass(frozen=True)
class Reason:
    """Why lines of a file that match a pattern stay uncovered."""

    file: str
    pattern: str
    why: str


@dataclass(frozen=True)
class File:
    name: str
    lines: int
    lines_hit: int
    branches: int
    branches_hit: int
    missed: tuple[int, ...]  # lines
    half: tuple[int, ...]  # lines that ran, with a branch that was never taken


def measure(data: dict[str, Any]) -> File:
    lines = [line for line in data["lines"] if not line.get("gcovr/noncode", False)]
    branches = [branch for line in lines for branch in line["branches"]]
    ran = [line for line in lines if line["count"] > 0]
    return File(
        name=data["file"],
        lines=len(lines),
        lines_hit=len(ran),
        branches=len(branches),
        branches_hit=sum(branch["count"] > 0 for branch in branches),
        missed=tuple(line["line_number"] for line in lines if line["count"] == 0),
        half=tuple(
            line["line_number"] for line in ran if any(branch["count"] == 0 for branch in line["branches"])
        ),
    )


def percent(hit: int, of: int) -> float:
    return 100.0 * hit / of if of else 100.0


def row(name: str, lines: tuple[int, int], branches: tuple[int, int]) -> str:
    figures = (f"{hit:6}/{of:<6} {percent(hit, of):6.1f}" for hit, of in (lines, branches))
    return f"{name:44} {' '.join(figures)}"


def reason_for(reasons: Sequence[Reason], name: str, text: str) -> str:
    for reason in reasons:
        if reason.file in ("*", name) and re.search(reason.pattern, text):
            return reason.why
    return "no reason given"


def list_uncovered(files: Sequence[File], reasons: Sequence[Reason], everything: bool) -> None:
    """Lines that no test reached; on demand those, too, that ran with a branch never taken."""
    for file in files:
        source = (ROOT / file.name).read_text(encoding="utf-8").splitlines()
        for kind, numbers in (("line", file.missed), ("branch", file.half if everything else ())):
            for number in numbers:
                text = source[number - 1].strip()
                print(
                    f"  {file.name}:{number}: {kind}: {text[:70]}  ({reason_for(reasons, file.name, text)})"
                )


def main() -> int:
    parser = argparse.ArgumentParser(prog="report", description=__doc__)
    parser.add_argument("coverage", type=Path, help="written by gcovr --json")
    parser.add_argument("--minimum-lines", type=float, default=0.0)
    parser.add_argument("--minimum-branches", type=float, default=0.0)
    parser.add_argument("--branches", action="store_true", help="also list lines with a branch never taken")
    options = parser.parse_args()
    data = json.loads(options.coverage.read_text(encoding="utf-8"))
    reasons = [Reason(**entry) for entry in json.loads(REASONS.read_text(encoding="utf-8"))]
    files = sorted((measure(entry) for entry in data["files"]), key=lambda file: file.name)
    lines = (sum(file.lines_hit for file in files), sum(file.lines for file in files))
    branches = (sum(file.branches_hit for file in files), sum(file.branches for file in files))
    print(f"{'file':44} {'lines':>13} {'%':>6} {'branches':>13} {'%':>6}")
    for file in files:
        print(row(file.name, (file.lines_hit, file.lines), (file.branches_hit, file.branches)))
    print(row("all of runtime/", lines, branches))
    print("not reached:")
    list_uncovered(files, reasons, options.branches)
    good = True
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
