# SPDX-License-Identifier: MIT
"""Counts the instructions that a request costs a server over HTTP, without sockets, beside one open stream
and beside 10,000 on which nothing is said; fails above the limits, and where the streams cost a request
anything.

    python3 tests/bench/http_instructions.py --program BUILD/tests/bench/bench_http_one

Counted as in instructions.py: two runs under callgrind that differ in the number of requests alone.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping, Optional, Sequence

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.instructions import SKIPPED, Skip, check_tools, total_of

FEW, MANY = 100, 1100
STREAMS = (1, 10000)
MOST_GROWTH = 1.01  # of a request's cost, from few streams to many
LIMITS: Mapping[str, int] = {"2026-07-28": 17150, "2025-11-25": 14540}


@dataclass(frozen=True)
class Figure:
    """The cost of a request beside so many streams."""

    revision: str
    costs: Sequence[float]  # by STREAMS

    @property
    def too_high(self) -> bool:
        return max(self.costs) > LIMITS[self.revision] or self.costs[-1] > MOST_GROWTH * self.costs[0]


def run_once(program: Path, revision: str, streams: int, times: int, profile: Path) -> int:
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", "--quiet"]
    command += [str(program), revision, str(streams), str(times)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{program.name} {revision} failed under valgrind:\n{done.stderr}")
    return total_of(profile)


def cost(program: Path, revision: str, streams: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "callgrind.out"
        few = run_once(program, revision, streams, FEW, profile)
        many = run_once(program, revision, streams, MANY, profile)
    return (many - few) / (MANY - FEW)


def print_profile(program: Path, revision: str) -> None:
    """The instructions of a request, by function."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "callgrind.out"
        run_once(program, revision, STREAMS[0], MANY, profile)
        subprocess.run(["callgrind_annotate", "--auto=no", str(profile)], check=False)


def report(figures: Sequence[Figure]) -> int:
    print("| instructions of a request over HTTP | 1 stream | 10,000 streams | limit | |\n|-|-:|-:|-:|-|")
    for figure in figures:
        verdict = "TOO HIGH" if figure.too_high else ""
        costs = " | ".join(f"{value:.0f}" for value in figure.costs)
        print(f"| {figure.revision} | {costs} | {LIMITS[figure.revision]} | {verdict} |")
    return 1 if any(figure.too_high for figure in figures) else 0


def main(argv: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description="Count the instructions that a request over HTTP costs.")
    parser.add_argument("--program", type=Path, required=True, help="the built bench_http_one")
    parser.add_argument("--profile", metavar="REVISION", help="print where a request spends them")
    arguments = parser.parse_args(argv)
    try:
        check_tools()
        if arguments.profile:
            print_profile(arguments.program, arguments.profile)
            return 0
        return report(
            [
                Figure(revision, [cost(arguments.program, revision, streams) for streams in STREAMS])
                for revision in LIMITS
            ]
        )
    except Skip as why:
        print(f"skipped: {why}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
