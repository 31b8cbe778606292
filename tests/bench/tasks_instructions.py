# SPDX-License-Identifier: MIT
"""Counts the instructions that tasks/get costs a server, beside those of a call of a tool that echoes: in a
session, and over HTTP without sockets, where the ratio of the two is that of their costs. Fails above the
limits.

    python3 tests/bench/tasks_instructions.py --program BUILD/tests/bench/bench_tasks_one

Counted as in instructions.py: two runs under callgrind that differ in the number of requests alone.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, Mapping, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.instructions import SKIPPED, Skip, check_tools, total_of

FEW, MANY = 100, 1100
LIMITS: Mapping[Tuple[str, str], int] = {
    ("session", "echo"): 4520,
    ("session", "working"): 4790,
    ("session", "completed"): 4690,
    ("http", "echo"): 17660,
    ("http", "working"): 17290,
    ("http", "completed"): 17130,
}
MOST_OF_AN_ECHO = 1.0  # over HTTP


def run_once(program: Path, way: str, case: str, times: int, profile: Path) -> int:
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", "--quiet"]
    done = subprocess.run(
        [*command, str(program), way, case, str(times)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"{program.name} {way} {case} failed under valgrind:\n{done.stderr}")
    return total_of(profile)


def cost(program: Path, way: str, case: str) -> float:
    """The instructions of one request."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "callgrind.out"
        few = run_once(program, way, case, FEW, profile)
        many = run_once(program, way, case, MANY, profile)
    return (many - few) / (MANY - FEW)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True)
    options = parser.parse_args()
    try:
        check_tools()
    except Skip as skip:
        print(f"skipped: {skip}")
        return SKIPPED
    failed = False
    found: Dict[Tuple[str, str], float] = {}
    for (way, case), limit in LIMITS.items():
        found[way, case] = cost(options.program, way, case)
        failed = failed or found[way, case] > limit
        print(f"{way}, {case}: {found[way, case]:.0f} instructions, at most {limit}")
    for case in "working", "completed":
        ratio = found["http", case] / found["http", "echo"]
        failed = failed or ratio > MOST_OF_AN_ECHO
        print(f"http, {case}: {ratio:.2f} times an echo, at most {MOST_OF_AN_ECHO}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
