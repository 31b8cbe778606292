# SPDX-License-Identifier: MIT
"""The parts of a session use each other in one direction, as runtime/session/layers.txt says.

Usage: check_layers.py ROOT [LIBRARY]

Includes are read from the sources, calls from the object files of the static library, where nm can tell.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
MEMBER = re.compile(r"^(\w+)\.c\.o(?:bj)?:$")
DEFINED = frozenset("TDRBV")


def folders(text: str) -> dict[str, str]:
    """The folder of each part, in the order in which the parts stand."""
    lines = [line.partition(":") for line in text.splitlines() if line and not line.startswith("#")]
    return {name: folder for folder, _, names in lines for name in names.split()}


def sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.[ch]"))


def misplaced(folder: Path, folder_of: dict[str, str]) -> list[str]:
    """The differences of layers.txt and the folders."""
    wrong = []
    for path in sources(folder):
        inside = path.parent.relative_to(folder).as_posix()
        if path.stem not in folder_of:
            wrong.append(f"{path.stem} stands in no line of layers.txt")
        elif inside != folder_of[path.stem]:
            wrong.append(f"{path.stem} lies in {inside}, and stands in the line of {folder_of[path.stem]}")
    parts = {path.stem for path in sources(folder)}
    return wrong + [f"{name} stands in layers.txt and is no file" for name in sorted(set(folder_of) - parts)]


def includes(folder: Path) -> dict[str, set[str]]:
    """The parts that each part includes."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sources(folder):
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            other = (path.parent / name).resolve()
            if folder in other.parents and other.stem != path.stem:
                found[path.stem].add(other.stem)
    return found


def calls(library: Path) -> dict[str, set[tuple[str, str]]]:
    """The symbols, with their parts, that each member of a static library uses."""
    text = subprocess.run(["nm", str(library)], check=True, capture_output=True, text=True).stdout
    owners: dict[str, str] = {}
    used: dict[str, set[str]] = defaultdict(set)
    member = ""
    for line in text.splitlines():
        begins = MEMBER.match(line)
        words = line.split()
        if begins:
            member = begins[1]
        elif len(words) >= 2 and words[-2] == "U":
            used[member].add(words[-1])
        elif len(words) >= 2 and words[-2] in DEFINED:
            owners[words[-1]] = member
    return {
        part: {(owners[name], name) for name in names if owners.get(name, part) != part}
        for part, names in used.items()
    }


def main(root: Path, library: Path | None) -> int:
    folder = (root / "runtime" / "session").resolve()
    folder_of = folders((folder / "layers.txt").read_text(encoding="utf-8"))
    place = {name: at for at, name in enumerate(folder_of)}
    wrong = misplaced(folder, folder_of)
    for part, others in includes(folder).items():
        wrong += [
            f"{part} includes {other}.h, which stands after it"
            for other in sorted(others)
            if place.get(other, -1) > place.get(part, -1)
        ]
    if library is not None and shutil.which("nm"):
        seen = calls(library)
        if not seen:
            wrong.append(f"{library}: nm finds no member")
        for part, symbols in seen.items():
            wrong += [
                f"{part} uses {name} of {other}, which stands after it"
                for other, name in sorted(symbols)
                if part in place and place.get(other, -1) > place[part]
            ]
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None))
