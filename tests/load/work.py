# SPDX-License-Identifier: MIT
"""Holds the work for each byte of hostile texts against that of texts ten times as large: it must stay flat.

    python3 tests/load/work.py --program BUILD/tests/load/work

Work is instructions, counted by callgrind inside the calls of the library, so that neither a busy machine nor
another one changes the verdict. --show prints the figures of all.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

SKIPPED = 77
SIZE = 9000  # bytes: more than what the reader copies at once
TIMES = 10
FLAT = 1.3
CHEAP = 2.0  # instructions a byte that nobody looks at: memcpy, whose way depends on the size
BLOCKS = 2.0  # times that memory may grow for each byte: blocks double, so that one may have just been opened
LITTLE = 100_000  # bytes of memory that nobody looks at
SMALL = 4000  # instructions in all that nobody looks at: a text refused at its first byte
Key = Tuple[str, str]
# A limit bounds this, not the size of the text: a session compares a URI with at most max_requests others.
BOUNDED = ("subscriptions",)
# Names that are sorted: ten times as many take a third more comparisons each.
SORTED = (
    "required, one again and again",
    "an enum of strings",
    "an enum of one string",
    "properties of one name",
)
LOGARITHMIC = 1.5


class Skip(Exception):
    """The count cannot be taken here; the text says why."""


@dataclass(frozen=True)
class Work:
    """One operation on one text."""

    bytes: int
    status: str
    instructions: int
    memory: int  # bytes at most; 0: not counted

    @property
    def per_byte(self) -> float:
        return self.instructions / self.bytes


def totals(folder: Path) -> List[int]:
    """The instructions of each profile, in the order in which they were dumped."""
    found: Dict[int, int] = {}
    for path in folder.iterdir():
        number = re.fullmatch(r"profile\.(\d+)", path.name)
        match = re.search(r"^(?:totals|summary): (\d+)", path.read_text(errors="replace"), re.M)
        if number is not None and match is not None:
            found[int(number.group(1))] = int(match.group(1))
    return [found[number] for number in sorted(found)]


def measure(program: Path, size: int, part: int, parts: int) -> Dict[Key, Work]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = ["valgrind", "--tool=callgrind", "--quiet", "--dump-line=no"]
        command += [f"--callgrind-out-file={folder}/profile"]
        command += ["--toggle-collect=measured", "--dump-after=measured", str(program)]
        command += [str(size), str(part), str(parts)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{program.name} {size} ended with {done.returncode}:\n{done.stderr[-2000:]}")
        counts = totals(folder)
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    if len(counts) < len(lines):
        raise Skip(f"callgrind dumped {len(counts)} profiles for {len(lines)} pieces of work")
    return {
        (text, what): Work(int(length), status, count, int(memory))
        for (text, what, length, status, memory), count in zip(lines, counts)
    }


def measure_all(program: Path, sizes: Sequence[int]) -> List[Dict[Key, Work]]:
    """The work of each size, done in parts by as many processes as there are processors."""
    parts = os.cpu_count() or 1
    with ThreadPoolExecutor(max_workers=parts) as pool:
        runs = [[pool.submit(measure, program, size, i, parts) for i in range(parts)] for size in sizes]
        return [{key: work for run in of_size for key, work in run.result().items()} for of_size in runs]


def limit_of(key: Key) -> float:
    if key[0] in BOUNDED:
        return TIMES
    if key[0] in SORTED:
        return LOGARITHMIC
    return FLAT


def is_memory_flat(small: Work, large: Work) -> bool:
    growth = large.memory * small.bytes / large.bytes
    return growth <= small.memory * BLOCKS or large.memory <= LITTLE


def memory_words(small: Work, large: Work) -> str:
    if large.memory == 0:
        return ""
    return f", {small.memory / small.bytes:.1f} and {large.memory / large.bytes:.1f} bytes of memory a byte"


def compare(few: Dict[Key, Work], many: Dict[Key, Work], show: bool) -> int:
    steep = 0
    worst = 0.0
    for key, small in few.items():
        large = many.get(key)
        if large is None:
            print(f"{key[0]}, {key[1]}: only done for the small text")
            steep += 1
            continue
        growth = large.per_byte / small.per_byte
        limit = limit_of(key)
        cheap = large.instructions <= SMALL or large.per_byte <= CHEAP
        flat = (growth <= limit or cheap) and is_memory_flat(small, large)
        worst = max(worst, growth if not cheap and limit == FLAT else 0.0)
        steep += not flat
        if show or not flat:
            print(
                f"{'' if flat else 'NOT FLAT '}{key[0]}, {key[1]}: {small.per_byte:.2f} and "
                f"{large.per_byte:.2f} instructions a byte, {growth:.2f} times, "
                f"{small.status} and {large.status}{memory_words(small, large)}"
            )
    print(f"{len(few)} pieces of work, {steep} not flat; the steepest grows {worst:.2f} times a byte")
    return 1 if steep else 0


def main(argv: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description="Hold the work for each byte flat.")
    parser.add_argument("--program", type=Path, required=True, help="the built `work`")
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--show", action="store_true", help="print all figures")
    arguments = parser.parse_args(argv)
    try:
        if shutil.which("valgrind") is None:
            raise Skip("valgrind is not installed (Debian: apt-get install valgrind)")
        few, many = measure_all(arguments.program, (arguments.size, arguments.size * TIMES))
    except Skip as why:
        print(f"skipped: {why}")
        return SKIPPED
    return compare(few, many, arguments.show)


if __name__ == "__main__":
    sys.exit(main())
