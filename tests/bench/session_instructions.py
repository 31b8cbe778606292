# SPDX-License-Identifier: MIT
"""Counts the instructions that a server session costs for each request, and to make; fails above the limits.

    python3 tests/bench/session_instructions.py --program BUILD/tests/bench/session_one

Counted as in instructions.py: two runs under callgrind that differ in the number of batches alone, and only
what happens inside the session's calls (handlers included), not what a transport or the system costs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping, Optional, Sequence, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.instructions import SKIPPED, Skip, check_tools, total_of

FEW, MANY = 1, 9
COUNTED = ("mcpw_session_feed", "mcpw_session_output", "mcpw_session_sent", "mcpw_session_from")
MAKE = "make"
LIMITS: Mapping[Tuple[str, str], int] = {
    (MAKE, "2026-07-28"): 500,  # a session of an endpoint; raw values in it have seals
    ("registry", "2026-07-28"): 3810,  # arguments are checked by the tool's schema; 4 ask for tasks
    ("typed", "2026-07-28"): 4040,  # what is typed carries raw values with their seals
    ("registry", "2025-11-25"): 3235,
    ("typed", "2025-11-25"): 4585,
}


@dataclass(frozen=True)
class Figure:
    """The cost of a request of one case."""

    name: str
    revision: str
    instructions: float

    @property
    def limit(self) -> int:
        return LIMITS[self.name, self.revision]

    @property
    def too_high(self) -> bool:
        return self.instructions > self.limit


def run_once(program: Path, name: str, revision: str, times: int, profile: Path) -> Tuple[int, int]:
    """Instructions, and calls in a batch."""
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", "--quiet"]
    command += [f"--toggle-collect={function}" for function in COUNTED]
    command += [str(program), name, revision, str(times)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{program.name} {name} failed under valgrind ({done.returncode}):\n{done.stderr}")
    return total_of(profile), int(done.stdout)


def measure(program: Path, name: str, revision: str) -> Figure:
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "callgrind.out"
        few, _ = run_once(program, name, revision, FEW, profile)
        many, calls = run_once(program, name, revision, MANY, profile)
    return Figure(name, revision, (many - few) / ((MANY - FEW) * calls))


def print_profile(program: Path, name: str, revision: str) -> None:
    """The instructions of a case, by function."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "callgrind.out"
        run_once(program, name, revision, MANY, profile)
        subprocess.run(["callgrind_annotate", "--auto=no", str(profile)], check=False)


def cases_of(program: Path) -> Sequence[Tuple[str, str]]:
    done = subprocess.run([str(program)], capture_output=True, text=True, check=True)
    return [(line.split()[0], line.split()[1]) for line in done.stdout.splitlines()]


def report(figures: Sequence[Figure]) -> int:
    print("| echo by | revision | instructions a request | limit | |\n|-|-|-:|-:|-|")
    for figure in figures:
        verdict = "TOO HIGH" if figure.too_high else ""
        name = "a session, made" if figure.name == MAKE else figure.name
        print(f"| {name} | {figure.revision} | {figure.instructions:.0f} | {figure.limit} | {verdict} |")
    return 1 if any(figure.too_high for figure in figures) else 0


def main(argv: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description="Count the instructions that a request costs a session.")
    parser.add_argument("--program", type=Path, required=True, help="the built session_one")
    parser.add_argument(
        "--profile", nargs=2, metavar=("CASE", "REVISION"), help="print where one spends them"
    )
    arguments = parser.parse_args(argv)
    try:
        check_tools()
        if arguments.profile:
            print_profile(arguments.program, *arguments.profile)
            return 0
        cases = cases_of(arguments.program)
        return report([measure(arguments.program, name, revision) for name, revision in cases])
    except Skip as why:
        print(f"skipped: {why}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
