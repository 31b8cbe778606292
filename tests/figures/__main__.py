# SPDX-License-Identifier: MIT
"""Measures the figures of docs/figures.md and prints them, or writes them into it, or holds it against them.

    python3 -m tests.figures --build BUILD [--write | --check] SECTION...

A section is one of those below, or all of them but fuzzing: all. --check fails where the page says
something else; figures that depend on the clock cannot be checked.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path
from typing import Callable, Dict, List, Mapping, Optional, Sequence

from tests.figures import counts, http, plots, regions, speed
from tests.figures.programs import ROOT, SKIPPED, Build, Failure, Skip

Measure = Callable[[Build, str], Mapping[str, str]]
RELIABILITY = "reliability"
PAGE = ROOT / "docs/figures.md"
TIMED = ("speed", "sessions", "schemas", "http")

# The figures of each section: its regions, or rows of the table of reliability.
SECTIONS: Dict[str, str] = {
    "speed": "the codec beside other libraries; 3 minutes on an idle machine",
    "sessions": "an echo server beside others; 2 minutes on an idle machine",
    "schemas": "JSON Schema beside other validators, those that are there; 2 minutes on an idle machine",
    "http": "calls and streams over HTTP beside other SDKs, where they build; 4 minutes on an idle machine",
    "instructions": "instructions a byte and a request; 1 minute",
    "sizes": "small builds; 5 minutes",
    "firmware": "the example firmware: flash, memory and stack; 2 minutes",
    "short": "rows of the table of reliability that take 1 minute",
    "limits": "work for each byte; 2 minutes",
    "long": "the long oracle, table mutation and soak; 15 minutes",
    "coverage": "lines and branches; 10 minutes",
    "machines": "all kinds of tools/portability.sh; 20 minutes",
    "fuzzing": "all fuzz targets for --hours",
}


def measure(section: str, build: Build, hours: str, table: str) -> Dict[str, str]:
    """New contents of regions by name; table is what the one of reliability holds."""
    whole: Dict[str, Callable[[], str]] = {
        "speed": lambda: speed.codec(build),
        "sessions": lambda: speed.sessions(build),
        "schemas": lambda: speed.schemas(build),
        "http": lambda: http.load(build),
        "instructions": lambda: counts.instructions(build),
        "sizes": lambda: counts.sizes(build),
        "firmware": lambda: counts.firmware(build),
    }
    rows: Dict[str, Callable[[], Dict[str, str]]] = {
        "short": lambda: counts.short(build),
        "limits": lambda: counts.limits(build),
        "long": lambda: counts.long(build),
        "coverage": lambda: counts.coverage(build.folder),
        "machines": lambda: counts.machines(build.folder),
        "fuzzing": lambda: counts.fuzzing(build.folder, hours),
    }
    if section in whole:
        return {section: whole[section]()}
    return {RELIABILITY: regions.with_rows(table, rows[section]())}


def differences(before: str, after: str) -> List[str]:
    """The figures of the page and the measured ones, line by line."""
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), "figures.md", "measured", lineterm="", n=0
    )
    return list(lines)


def parse(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    listed = "\n".join(f"    {name:14}{what}" for name, what in SECTIONS.items())
    parser = argparse.ArgumentParser(
        prog="figures",
        description=f"{__doc__}\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--build", type=Path, required=True, help="a built folder; others are made inside of it"
    )
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--hours", default="1", help="processor time for fuzzing")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--write", action="store_true", help="write what was measured into the page")
    how.add_argument("--check", action="store_true", help="fail where the page says something else")
    parser.add_argument("sections", nargs="+", metavar="SECTION", choices=[*SECTIONS, "all"])
    given = parser.parse_args(arguments)
    if "all" in given.sections:
        given.sections = [name for name in SECTIONS if name != "fuzzing"]
    if given.check and set(given.sections) & set(TIMED):
        parser.error(f"these depend on the clock: {', '.join(TIMED)}")
    return given


def main(arguments: Optional[Sequence[str]] = None) -> int:
    given = parse(arguments)
    build = Build(given.build.resolve())
    before = given.page.read_text("utf-8")
    text = before
    skipped = 0
    for section in given.sections:
        try:
            measured = measure(section, build, given.hours, regions.read(text)[RELIABILITY])
        except Skip as why:
            print(f"skipped: {section}: {why}")
            skipped += 1
            continue
        except Failure as why:
            print(f"figures: {section}: {why}")
            return 1
        text = regions.write(text, measured)
        if given.write:
            given.page.write_text(text, "utf-8")
            if given.page == PAGE:
                plots.write(text)
        elif not given.check:
            print("\n".join(measured.values()))
    found = differences(before, text) if given.check else []
    print("\n".join(found), end="\n" if found else "")
    if found:
        return 1
    return SKIPPED if skipped == len(given.sections) else 0


if __name__ == "__main__":
    sys.exit(main())
