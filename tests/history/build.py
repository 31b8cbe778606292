# SPDX-License-Identifier: MIT
"""Generated code compiled with strict warnings, and linked into the oracle's driver."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wundef", "-Werror")
GENERATED = ROOT / "generated"
_DRIVER = ROOT / "tests/oracle"


def _includes(*folders: Path) -> list[str]:
    return [f"-I{folder}" for folder in (ROOT / "runtime/include", *folders)]


def compile_revision(compiler: str, out: Path, revision: str, below: str = "") -> str:
    """Compiles what was generated for a revision; the tables become an object file beside them. The
    compiler's messages are returned, empty when all is well. `below` is the revision under an overlay."""
    folder = out / revision
    others = [GENERATED / below, GENERATED / "common"] if below else [out / "common"]
    flags = [compiler, *STRICT, *_includes(folder, *others)]
    tables = [*flags, "-O1", "-c", "-o", str(folder / "tables.o"), str(folder / "tables.c")]
    rest = [*flags, "-fsyntax-only", "-include", f"mcp/{revision}.h", "-include", f"mcp/{revision}/client.h"]
    for command in (tables, [*rest, str(folder / "handlers.c")]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return done.stderr
    return ""


def link_driver(
    compiler: str, out: Path, revisions: Sequence[str], libraries: Sequence[Path], beside: Sequence[str] = ()
) -> Path:
    """The oracle's driver with the tables of these revisions, and of those of the library that stand
    `beside` them. The last library is the base's; with another before it patterns are checked."""
    program = out / "driver"
    sources = [out / "common/registry.c", _DRIVER / "driver.c", _DRIVER / "alternative.c"]
    objects = [out / revision / "tables.o" for revision in revisions]
    folders = (*(out / revision for revision in revisions), *(GENERATED / name for name in beside))
    includes = _includes(out / "common", *folders, _DRIVER)
    arguments = out / "driver.arguments"
    words = [
        *includes,
        *map(str, sources),
        *map(str, objects),
        *map(str, libraries),
        "-lm",
        "-o",
        str(program),
    ]
    if len(libraries) > 1:
        words.append("-lpcre2-8")
    arguments.write_text("\n".join(words), "utf-8")
    subprocess.run([compiler, "-std=c11", "-O1", f"@{arguments}"], check=True)
    return program
