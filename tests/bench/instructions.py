# SPDX-License-Identifier: MIT
"""Counts the instructions that decoding costs for each byte, and fails above the limits.

    python3 tests/bench/instructions.py --program BUILD/tests/bench/bench_one --corpus CORPUS_DIR

MCPW_TEST_ISA names the path that the program takes: plain or avx2. Unlike
time, the count is the same on a busy machine. The program decodes a class N times after a warm-up;
callgrind counts two runs that differ in N alone, so that the warm-up cancels out, and counts only inside the
library's calls (decoding and resetting the arena), not in the loop around them.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping, Optional, Sequence

SKIPPED = 77
FEW, MANY = 1, 4
# At most 3 % above what was measured when they were set. Skipped strings take more instructions by windows
# than by blocks (list 4.41 to 4.94, call 5.00 to 5.46), and a quarter of the time less on lists.
MESSAGES = {"small": 6.50, "list": 5.05, "text": 3.15, "call": 5.60, "legacy": 6.60}
LIMITS: Mapping[str, Mapping[str, float]] = {
    "SSE2": {**MESSAGES, "blob": 0.65},
    "AVX2": {**MESSAGES, "blob": 0.29},
}
COUNTED = ("mcpw_decode", "mcpw_message_decode", "mcpw_arena_reset")
CLASSES = ("small", "list", "text", "call", "blob", "legacy")


class Skip(Exception):
    """The count cannot be taken here; the text says why."""


@dataclass(frozen=True)
class Run:
    """One run of the program under callgrind."""

    events: Mapping[str, int]  # by callgrind's names
    path: str
    bytes: int
    messages: int


@dataclass(frozen=True)
class Figure:
    """The cost of one class."""

    name: str
    path: str
    per_byte: float
    per_message: float

    @property
    def limit(self) -> Optional[float]:
        return LIMITS.get(self.path, {}).get(self.name)

    @property
    def too_high(self) -> bool:
        return self.limit is not None and self.per_byte > self.limit


def events_of(profile: Path) -> dict[str, int]:
    """The totals of a callgrind profile, by the name of the event."""
    names: list[str] = []
    for line in profile.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("events:"):
            names = line.split()[1:]
        if line.startswith(("totals:", "summary:")):
            return dict(zip(names, map(int, line.split()[1:])))
    raise Skip(f"{profile.name} has no totals line")


def total_of(profile: Path) -> int:
    """The instructions that a callgrind profile counted in all."""
    return events_of(profile)["Ir"]


def run_once(
    program: Path, corpus: Path, name: str, times: int, profile: Path, options: Sequence[str] = ()
) -> Run:
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", "--quiet", *options]
    command += [f"--toggle-collect={function}" for function in COUNTED]
    command += [str(program), str(corpus), name, str(times)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == SKIPPED:
        raise Skip((done.stdout + done.stderr).strip().replace("skipped: ", ""))
    if done.returncode != 0:
        raise SystemExit(f"{program.name} {name} failed under valgrind ({done.returncode}):\n{done.stderr}")
    *path, size, messages = done.stdout.split()
    return Run(events_of(profile), " ".join(path), int(size), int(messages))


def one_pass(program: Path, corpus: Path, name: str, options: Sequence[str] = ()) -> Run:
    """The cost of one pass over a class, without the warm-up."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "callgrind.out"
        few = run_once(program, corpus, name, FEW, profile, options)
        many = run_once(program, corpus, name, MANY, profile, options)
    events = {event: (many.events[event] - few.events[event]) // (MANY - FEW) for event in many.events}
    return Run(events, many.path, many.bytes, many.messages)


def measure(program: Path, corpus: Path, name: str) -> Figure:
    run = one_pass(program, corpus, name)
    count = run.events["Ir"]
    return Figure(name, run.path, count / run.bytes, count / run.messages)


def print_profile(program: Path, corpus: Path, name: str) -> None:
    """The instructions of a class, by function."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "callgrind.out"
        run_once(program, corpus, name, MANY, profile)
        subprocess.run(["callgrind_annotate", "--auto=no", str(profile)], check=False)


def check_tools() -> None:
    if shutil.which("valgrind") is None:
        raise Skip("valgrind is not installed (Debian: apt-get install valgrind)")


def report(figures: Sequence[Figure]) -> int:
    print("| class | path | instructions a byte | a message | limit | |\n|-|-|-:|-:|-:|-|")
    for figure in figures:
        limit = "" if figure.limit is None else f"{figure.limit:g}"
        verdict = "TOO HIGH" if figure.too_high else ""
        print(
            f"| {figure.name} | {figure.path} | {figure.per_byte:.2f} | {figure.per_message:.0f} "
            f"| {limit} | {verdict} |"
        )
    if not any(figure.limit is not None for figure in figures):
        raise Skip(
            f"there are no limits for the path {figures[0].path}" if figures else "nothing was counted"
        )
    return 1 if any(figure.too_high for figure in figures) else 0


def parse_arguments(argv: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Count the instructions that decoding costs for each byte.")
    parser.add_argument("--program", type=Path, required=True, help="the built bench_one")
    parser.add_argument("--corpus", type=Path, required=True, help="folder made by corpus.py")
    parser.add_argument("--class", dest="classes", action="append", choices=CLASSES, help="only this class")
    parser.add_argument("--profile", choices=CLASSES, help="print the functions that one class spends it in")
    return parser.parse_args(argv)


def main(argv: Optional[Sequence[str]] = None) -> int:
    arguments = parse_arguments(argv)
    try:
        check_tools()
        if arguments.profile:
            print_profile(arguments.program, arguments.corpus, arguments.profile)
            return 0
        figures: list[Figure] = []
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
