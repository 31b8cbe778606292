# SPDX-License-Identifier: MIT
"""The files of the library. CMake says them, for every system, from the lists that it builds by."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, FrozenSet, List, Mapping, Sequence, Tuple

from onefile.conditions import Known, known_of
from onefile.tokens import AmalgamateError

# The systems that the lists differ by, and how the compiler tells that it builds for one, in this order.
SYSTEMS: Mapping[str, str] = {
    "WINDOWS": "defined(_WIN32)",
    "APPLE": "defined(__APPLE__)",
    "GLIBC": "defined(__linux__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 32))",
    "POSIX": "defined(__unix__) || defined(__linux__) || defined(__HAIKU__)",
    "NOTHING": "",
}
ALL_SYSTEMS: FrozenSet[str] = frozenset(SYSTEMS)


HTTP_CORE = "http-core"
TASKS = "tasks"
APPS = "apps"
MIDDLEWARE = "middleware"
SCHEMAS = "schemas"
PARTS = (HTTP_CORE, TASKS, APPS, MIDDLEWARE, SCHEMAS)
SOURCES: Mapping[str, Tuple[str, ...]] = {  # beginnings of their paths in runtime/
    TASKS: ("tasks/",),
    APPS: ("apps/",),
    MIDDLEWARE: ("session/middleware/",),
}


@dataclass(frozen=True)
class Choice:
    """The parts that one file is to hold."""

    revisions: Tuple[str, ...] = ()  # none: every one
    pin: str = ""  # the revision of the short names; empty: CMake's default
    is_fast: bool = False  # the engine that is built where size does not count
    is_codec: bool = False  # without sessions
    parts: FrozenSet[str] = frozenset()  # of PARTS

    def arguments(self) -> List[str]:
        """The options of CMake that say the same."""
        options: Dict[str, str] = {}
        if self.revisions:
            options["MCPW_REVISIONS"] = ";".join(self.revisions)
        if self.pin:
            options["MCPW_PIN"] = self.pin
        switches = {
            "MCPW_SMALL": not self.is_fast,
            "MCPW_BUILD_SESSION": not self.is_codec,
            "MCPW_WITH_TASKS": TASKS in self.parts,
            "MCPW_WITH_SCHEMA": SCHEMAS in self.parts,
            "MCPW_WITH_HTTP_CORE": HTTP_CORE in self.parts,
        }
        options.update({name: "ON" if is_on else "OFF" for name, is_on in switches.items()})
        options["MCPW_LEFT_OUT"] = ";".join(
            path for part, paths in SOURCES.items() if part not in self.parts for path in paths
        )
        return [f"-D{name}={value}" for name, value in options.items()]


@dataclass(frozen=True)
class Listing:
    """The files, and the macros that the configuration decides."""

    version: str
    revisions: Tuple[str, ...]
    sources: Tuple[
        Tuple[str, FrozenSet[str]], ...
    ]  # relative to the root, each with the systems that it is for
    folders: Tuple[Path, ...]  # where <...> is looked for
    known: Known
    config: str  # the text of <mcpw/config.h>


def _lines(text: str) -> Dict[str, List[str]]:
    found: Dict[str, List[str]] = {}
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        found.setdefault(word, []).append(rest)
    return found


def _known(lines: Mapping[str, Sequence[str]], config: str) -> Known:
    defined: Dict[str, str] = {}
    for line in lines.get("define", []):
        name, _, value = line.partition("=")
        defined[name] = value or "1"
    undefined = [name for name in lines["possible"] if name not in defined]
    for line in config.splitlines():
        words = line.split()
        if words[:1] == ["#define"] and words[1].startswith(("MCPW_WITH_", "MCPW_WITHOUT_")):
            defined[words[1]] = words[2]
    for name in list(defined):
        for one, other in (("MCPW_WITH_", "MCPW_WITHOUT_"), ("MCPW_WITHOUT_", "MCPW_WITH_")):
            if name.startswith(one):
                undefined.append(other + name[len(one) :])
    return known_of(defined, undefined)


def _sources(lines: Mapping[str, Sequence[str]], root: Path) -> Tuple[Tuple[str, FrozenSet[str]], ...]:
    systems: Dict[str, List[str]] = {}
    for line in lines["source"]:
        system, _, path = line.partition(" ")
        systems.setdefault(Path(path).resolve().relative_to(root).as_posix(), []).append(system)
    listed = [(path, frozenset(of)) for path, of in systems.items()]
    # Those of one system come last: their headers define macros with the names of others' variables.
    return tuple(sorted(listed, key=lambda item: item[1] != ALL_SYSTEMS))


def ask(root: Path, choice: Choice) -> Listing:
    """The lists of CMake for a choice."""
    cmake = shutil.which("cmake")
    if cmake is None:
        raise AmalgamateError("cmake is not found: it says which files belong to the library")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder).resolve()
        command = [cmake, f"-DOUT={out}", *choice.arguments(), "-P", str(root / "cmake/McpwireOneFile.cmake")]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            raise AmalgamateError(run.stderr.strip())
        lines = _lines((out / "sources.txt").read_text(encoding="utf-8"))
        config = (out / "config/mcpw/config.h").read_text(encoding="utf-8")
    folders = tuple(dict.fromkeys(Path(line) for line in lines["folder"] if not line.startswith(str(out))))
    return Listing(
        version=lines["version"][0],
        revisions=tuple(lines["revision"]),
        sources=_sources(lines, root),
        folders=folders,
        known=_known(lines, config),
        config=config,
    )
