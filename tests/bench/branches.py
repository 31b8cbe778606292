# SPDX-License-Identifier: MIT
"""Counts the mispredicted branches that decoding costs in 1,000 bytes, and fails above the limits.

    python3 tests/bench/branches.py --program BUILD/tests/bench/bench_one --corpus CORPUS_DIR

Valgrind simulates a simple predictor (--branch-sim=yes). A processor's own is better, but what this one
mispredicts the other one finds hard, and the count is the same on every machine. callgrind runs the simulator
of cachegrind; it can also leave out the loop around the library's calls, and so counts what instructions.py
counts.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping, Optional, Sequence

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from tests.bench.instructions import CLASSES, SKIPPED, Skip, check_tools, one_pass  # noqa: E402

BYTES = 1000
# At most 3 % above what was measured when they were set. The place of code may change it by more:
# then look whether that is all, and set the limit again.
SHORT = {"small": 110.0, "list": 73.5, "text": 11.6, "call": 96.5, "blob": 0.1, "legacy": 95.5}
LIMITS: Mapping[str, Mapping[str, float]] = {
    "SSE2": SHORT,
    "AVX2": SHORT,
}


@dataclass(frozen=True)
class Figure:
    """The cost of one class, in 1,000 bytes."""

    name: str
    path: str
    branches: float
    missed: float

    @property
    def limit(self) -> Optional[float]:
        return LIMITS.get(self.path, {}).get(self.name)

    @property
    def too_high(self) -> bool:
        return self.limit is not None and self.missed > self.limit


def measure(program: Path, corpus: Path, name: str) -> Figure:
    run = one_pass(program, corpus, name, ["--branch-sim=yes"])
    missed = run.events["Bcm"] + run.events["Bim"]  # conditional, and by what was computed
    branches = run.events["Bc"] + run.events["Bi"]
    return Figure(name, run.path, BYTES * branches / run.bytes, BYTES * missed / run.bytes)


def report(figures: Sequence[Figure]) -> int:
    print("| class | path | branches in 1,000 bytes | mispredicted | limit | |\n|-|-|-:|-:|-:|-|")
    for figure in figures:
        limit = "" if figure.limit is None else f"{figure.limit:g}"
        verdict = "TOO HIGH" if figure.too_high else ""
        print(
            f"| {figure.name} | {figure.path} | {figure.branches:.0f} | {figure.missed:.1f} "
            f"| {limit} | {verdict} |"
        )
    if not any(figure.limit is not None for figure in figures):
        raise Skip(f"no limits for the path {figures[0].path}" if figures else "nothing was counted")
    return 1 if any(figure.too_high for figure in figures) else 0


def main(argv: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description="Count the branches that decoding mispredicts.")
    parser.add_argument("--program", type=Path, required=True, help="the built bench_one")
    parser.add_argument("--corpus", type=Path, required=True, help="folder made by corpus.py")
    parser.add_argument("--class", dest="classes", action="append", choices=CLASSES, help="only this class")
    arguments = parser.parse_args(argv)
    try:
        check_tools()
        figures = []
        for name in arguments.classes or CLASSES:
            try:
                figures.append(measure(arguments.program, arguments.corpus, name))
            except Skip as why:
                print(f"skipped: {name}: {why}")
        return report(figures)
    except Skip as why:
        print(f"skipped: {why}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
