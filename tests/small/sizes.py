# SPDX-License-Identifier: MIT
"""How large the codec is, by option and by revision, on x86-64 and on a Cortex-M4, both with gcc -Os.

    python3 -m tests.small.sizes             the tables, in Markdown
    python3 -m tests.small.sizes --check     fails where a limit is exceeded

A figure is the bytes of code (.text) and constants (.rodata) in all objects of the library with one
revision, or, where it says "linked", in those sections that a program carries that decodes one type and uses
nothing else. Tables of pointers are constants on the Cortex-M4; on x86-64, where code is
position-independent, they are relocated when a program starts (.data.rel.ro) and stand apart. There is no
other data. The part of the C library is not counted.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from tests.small.building import (
    CORTEX_M4,
    HOST,
    KB,
    Build,
    Choice,
    Machine,
    Size,
    Skip,
    choose,
    number,
    revisions,
    run_in_folder,
)

LATEST = "2026-07-28"

SMALL = {"MCPW_SMALL": "ON"}
UNPROJECTED = {**SMALL, "MCPW_WITH_PROJECT": "OFF", "MCPW_WITH_REFLECTION": "OFF"}
TERSE = {**UNPROJECTED, "MCPW_WITH_ERROR_TEXT": "OFF"}
NAMELESS = {**TERSE, "MCPW_WITH_NAMES": "OFF"}
CODEC = {**NAMELESS, "MCPW_FREESTANDING": "ON"}
READING = {**CODEC, "MCPW_WITH_ENCODE": "OFF"}
NO_JSON = {**READING, "MCPW_WITH_JSON_TOOLS": "OFF", "MCPW_WITH_COPY_EQUAL": "OFF"}
LENIENT = {**NO_JSON, "MCPW_WITH_STRICT": "OFF"}
DECODE = {**LENIENT, "MCPW_WITH_MESSAGES": "OFF"}
DEVICE = {**DECODE, "MCPW_WITH_ERROR_PATH": "OFF", "MCPW_WITH_LENIENCY": "OFF"}
ONLY = "CallToolRequest"  # what the smallest device reads

# The parts that each build leaves out in addition to the ones above it.
STEPS: Tuple[Tuple[str, Dict[str, str]], ...] = (
    ("everything but sessions, `-Os` alone", {}),
    ("`MCPW_SMALL=ON`", SMALL),
    ("`MCPW_WITH_PROJECT=OFF`, `MCPW_WITH_REFLECTION=OFF`: everything that one revision has", UNPROJECTED),
    ("`MCPW_WITH_ERROR_TEXT=OFF`", TERSE),
    ("`MCPW_WITH_NAMES=OFF`", NAMELESS),
    ("`MCPW_FREESTANDING=ON`: without stdio and malloc", CODEC),
    ("`MCPW_WITH_ENCODE=OFF`", READING),
    ("`MCPW_WITH_JSON_TOOLS=OFF`, `MCPW_WITH_COPY_EQUAL=OFF`", NO_JSON),
    ("`MCPW_WITH_STRICT=OFF`", LENIENT),
    ("`MCPW_WITH_MESSAGES=OFF`: decode and validate alone", DECODE),
    ("`MCPW_WITH_ERROR_PATH=OFF`, `MCPW_WITH_LENIENCY=OFF`", DEVICE),
)


@dataclass(frozen=True)
class Limit:
    """The most that a build may have, in bytes of text and rodata, whatever the revision. With `only` it is
    what is linked of it into a program that decodes that type, with the tables of what it reaches."""

    name: str
    machine: Machine
    options: Dict[str, str]
    most: int
    only: str = ""


# Compilers differ: the limits are for the one that Debian 12 has, for either machine.
COMPILER = "12"
HALF_KB = KB // 2

LIMITS = (
    Limit("everything that one revision has", CORTEX_M4, UNPROJECTED, 63 * KB),
    Limit("decode only", CORTEX_M4, DECODE, 35 * KB),
    Limit("with projection", CORTEX_M4, SMALL, 77 * KB + HALF_KB),
    Limit(f"{ONLY} alone, linked", CORTEX_M4, DEVICE, 16 * KB, ONLY),
    Limit("everything that one revision has", HOST, UNPROJECTED, 75 * KB + HALF_KB),
    Limit("decode only", HOST, DECODE, 36 * KB),
    Limit("with projection", HOST, SMALL, 94 * KB + HALF_KB),
    Limit(f"{ONLY} alone, linked", HOST, DEVICE, 22 * KB, ONLY),
)


def roots(revision: str, only: str = "") -> Tuple[str, ...]:
    """The functions of a program that only decodes a type."""
    part = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", only or "CallToolResult").lower()
    table = f"mcp_{number(revision)}_{part}_table"
    return "mcpw_decode", "mcpw_arena_use", "mcpw_arena_reset", table


class Builds:
    """Builds by machine and options, each made when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._builds: Dict[Tuple[str, Choice], Build] = {}

    def get(self, machine: Machine, options: Dict[str, str]) -> Build:
        choice = choose(options)
        key = (machine.name, choice)
        if key not in self._builds:
            self._builds[key] = Build(self._folder / str(len(self._builds)), machine, choice)
        return self._builds[key]

    def size(self, machine: Machine, options: Dict[str, str], revision: str, linked: bool) -> Size:
        build = self.get(machine, options)
        return build.linked(revision, roots(revision)) if linked else build.archived(revision)

    def limited(self, limit: Limit, revision: str) -> Size:
        """The size that a limit is about."""
        if not limit.only:
            return self.size(limit.machine, limit.options, revision, False)
        build = self.get(limit.machine, limit.options)
        return build.linked(revision, roots(revision, limit.only), limit.only)


def thousands(value: int) -> str:
    return f"{value / KB:.1f}"


def cells(builds: Builds, options: Dict[str, str], revision: str, linked: bool) -> List[str]:
    host = builds.size(HOST, options, revision, linked)
    arm = builds.size(CORTEX_M4, options, revision, linked)
    return [f"{thousands(host.fixed)} + {thousands(host.pointers)}", thousands(arm.fixed)]


def part_cells(builds: Builds, revision: str) -> List[str]:
    """The same of a program with the tables of a part of a revision."""
    host, arm = (
        builds.get(machine, DEVICE).linked(revision, roots(revision, ONLY), ONLY)
        for machine in (HOST, CORTEX_M4)
    )
    return [f"{thousands(host.fixed)} + {thousands(host.pointers)}", thousands(arm.fixed)]


def print_tables(builds: Builds) -> None:
    print(f"| KiB, {LATEST}; each row leaves out more | x86-64 + pointers | Cortex-M4 |")
    print("|-|-:|-:|")
    for name, options in STEPS:
        print("| " + " | ".join([name, *cells(builds, options, LATEST, False)]) + " |", flush=True)
    decoder = cells(builds, DECODE, LATEST, True)
    print("| " + " | ".join(["decode and validate, linked with a program that decodes", *decoder]) + " |")
    part = part_cells(builds, LATEST)
    print("| " + " | ".join([f"the row above it, linked, with the tables of `--only {ONLY}`", *part]) + " |")
    print()
    titles = [
        f"{what}, {where}"
        for what in ("everything that one revision has", "without texts and names", "decode only, linked")
        for where in ("x86-64", "M4")
    ]
    print("| KiB | " + " | ".join(titles) + " |")
    print("|-|" + "-:|" * len(titles))
    for revision in revisions():
        row = [revision]
        for options, linked in ((UNPROJECTED, False), (CODEC, False), (DECODE, True)):
            row += cells(builds, options, revision, linked)
        print("| " + " | ".join(row) + " |", flush=True)


def check(builds: Builds, limits: Sequence[Limit]) -> bool:
    held = True
    for limit in limits:
        version = limit.machine.version()
        if version != COMPILER:
            raise Skip(f"the limits are for gcc {COMPILER}; {limit.machine.compiler} is {version}")
        sizes = {r: builds.limited(limit, r) for r in revisions()}
        revision, largest = max(sizes.items(), key=lambda item: item[1].fixed)
        verdict = "ok" if largest.fixed <= limit.most else "TOO LARGE"
        held = held and verdict == "ok" and all(size.data == 0 for size in sizes.values())
        what = f"{limit.machine.name}: {limit.name}"
        print(f"{what}: {largest.fixed} of {limit.most} bytes ({revision}): {verdict}")
        for name, size in sizes.items():
            if size.data != 0:
                print(f"{what}: {size.data} bytes of data that can change ({name})")
    return held


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="hold the sizes against the limits")
    parser.add_argument("--machine", choices=(HOST.name, CORTEX_M4.name), help="the only one to check")
    given = parser.parse_args(arguments)
    limits = [limit for limit in LIMITS if given.machine in (None, limit.machine.name)]

    def run(folder: Path) -> bool:
        if given.check:
            return check(Builds(folder), limits)
        print_tables(Builds(folder))
        return True

    return run_in_folder(run)


if __name__ == "__main__":
    sys.exit(main())
