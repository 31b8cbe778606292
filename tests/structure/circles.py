# SPDX-License-Identifier: MIT
"""Finds the files of the libraries and of the command that call each other in a circle, by the calls of their
objects.

python3 tests/structure/circles.py build/test    # exit status 1 where the list below does not name a circle
"""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Iterable, Mapping, Sequence

ROOT = Path(__file__).resolve().parents[2]
NM = ("nm", "-g", "-P", "-A")  # "FILE: NAME KIND ..." on each line
FOLDERS = ("runtime", "tools")
SKIPPED = 77

Circle = frozenset[str]


@dataclass(frozen=True)
class Object:
    """The symbols that a source defines, and those that it takes from others."""

    source: str  # from the root, without its suffix
    defined: frozenset[str]
    called: frozenset[str]


def circle(folder: str, names: str) -> Circle:
    return frozenset(f"{folder}/{name}" for name in names.split())


# Circles that stay, each with its reason.
ALLOWED: Mapping[Circle, str] = {
    circle("runtime/json", "reader reader_fast"): "the fast file leaves rare cases to the slow one",
    circle("runtime/schema", "compile compile_object compile_values"): "the compiler descends into schemas",
    circle("runtime/schema", "fit fit_object fit_steps fit_values"): "the checker descends into values",
    circle("runtime/codec", "validate walk_validate"): "the walk descends into values",
    circle(
        "runtime/codec", "project project_scalar project_text project_union"
    ): "projection descends into values",
}


def parse(source: str, output: str) -> Object:
    """An object by what nm prints of it: name, kind and more on each line."""
    defined: set[str] = set()
    called: set[str] = set()
    for line in output.splitlines():
        name, kind = [*line.split(), "", ""][:2]
        (called if kind in ("U", "w", "v") else defined).add(name)
    return Object(source, frozenset(defined), frozenset(called))


def source_of(path: Path, build: Path) -> str:
    """runtime/json/reader of BUILD/runtime/CMakeFiles/TARGET.dir/json/reader.c.o; "": it has no source."""
    parts = path.relative_to(build).parts
    inside = parts[[part.endswith(".dir") for part in parts].index(True) + 1 :]
    name = "/".join((parts[0], *inside) if inside[0] != "__" else inside[1:])
    source = name.removesuffix(".o").removesuffix(".obj")
    return source.removesuffix(".c") if (ROOT / source).is_file() else ""


def read(build: Path) -> list[Object]:
    """All objects of the libraries and of the command."""
    sources = {
        str(path): source
        for folder in FOLDERS
        for path in sorted((build / folder / "CMakeFiles").rglob("*.c.o"))
        if (source := source_of(path, build)).startswith(FOLDERS)
    }
    if not sources:
        return []
    output = subprocess.run([*NM, *sources], check=True, capture_output=True, text=True).stdout
    lines: dict[str, list[str]] = defaultdict(list)
    for path, _, symbol in (line.partition(": ") for line in output.splitlines()):
        lines[path].append(symbol)
    return [parse(source, "\n".join(lines[path])) for path, source in sources.items()]


def calls(objects: Iterable[Object]) -> dict[str, set[str]]:
    """The sources whose names each source takes."""
    objects = list(objects)
    owners: dict[str, set[str]] = defaultdict(set)
    for one in objects:
        for name in one.defined:
            owners[name].add(one.source)
    found: dict[str, set[str]] = defaultdict(set)
    for one in objects:
        found[one.source] |= {owner for name in one.called for owner in owners[name]} - {one.source}
    return found


def circles(objects: Iterable[Object]) -> list[Circle]:
    """Strongly connected components of more than one source, largest first (Tarjan's algorithm)."""
    graph = calls(objects)
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[Circle] = []

    def visit(part: str) -> None:
        index[part] = low[part] = len(index)
        stack.append(part)
        for other in sorted(graph[part]):
            if other not in index:
                visit(other)
                low[part] = min(low[part], low[other])
            elif other in stack:
                low[part] = min(low[part], index[other])
        if low[part] == index[part]:
            members = frozenset(stack[stack.index(part) :])
            del stack[stack.index(part) :]
            if len(members) > 1:
                found.append(members)

    for part in sorted(graph):
        if part not in index:
            visit(part)
    return sorted(found, key=lambda one: (-len(one), sorted(one)))


def shown(one: Circle) -> str:
    return ", ".join(sorted(one))


def check(objects: Iterable[Object], allowed: Iterable[Circle]) -> list[str]:
    """The circles that the list does not name, and those that it names in vain.

    A circle may be smaller than the one that is listed. A build that lacks some files says nothing of their
    circles.
    """
    objects = list(objects)
    sources = {one.source for one in objects}
    found = circles(objects)
    allowed = list(allowed)
    others = [one for one in found if not any(one <= listed for listed in allowed)]
    gone = [listed for listed in allowed if not any(len(one & listed) > 1 for one in found)]
    return [
        *(f"a circle of {len(one)}: {shown(one)}" for one in others),
        *(
            f"no circle any more, so that the list may not name it: {shown(one)}"
            for one in gone
            if one <= sources
        ),
    ]


def absent(root: Path, listed: Iterable[Circle]) -> list[str]:
    """The sources that the list names and that do not exist."""
    names = sorted({name for one in listed for name in one})
    return [f"{name}.c is listed and does not exist" for name in names if not (root / f"{name}.c").is_file()]


def main(argv: Sequence[str]) -> int:
    if len(argv) != 1:
        print("usage: circles.py BUILD", file=sys.stderr)
        return 2
    try:
        objects = read(Path(argv[0]).resolve())
    except (FileNotFoundError, subprocess.CalledProcessError) as error:  # no nm, or objects of another kind
        print(f"skipped: {error}")
        return SKIPPED
    if not objects:
        print(f"skipped: {argv[0]} holds no objects")
        return SKIPPED
    wrong = absent(ROOT, ALLOWED) + check(objects, ALLOWED)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
