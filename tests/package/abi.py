# SPDX-License-Identifier: MIT
"""The interface that built programs rely on, as abidw (libabigail) describes it: functions, structs,
enumerators.

A small shared object is made of the installed headers. It has a pointer of each function's type and of each
struct, so that its debugging information holds all that the headers promise and nothing else. abidiff
compares it with the one that was recorded for version 1.0.

Usage: python3 -m tests.package.abi PREFIX [--write]
PREFIX is a folder that mcpwire was installed into. Without --write, prints what breaks programs that were
built against the records in tests/package/abi/, and exits with 1 if anything does. With --write, replaces
them.
"""

from __future__ import annotations

import argparse
import lzma
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List, Sequence

HERE = Path(__file__).resolve().parent
RECORDS = HERE / "abi"
RUNTIME = "runtime"
_NEED_MORE = ("json_c.h", "pcre2.h")  # than the library's own headers
_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_FUNCTION = re.compile(r"MCPW_(?:SESSION_|STATIC_)?API[^;{(]*?\b(mcpw?_\w+)\s*\(")
_VARIABLE = re.compile(r"extern MCPW_(?:SESSION_|STATIC_)?API[^;(]*?\b(mcpw?_\w+)(?:\[\w*\])?;")
_TYPE = re.compile(r"\}\s*(mcpw?_\w+);")


class Unusable(Exception):
    """The records cannot be compared here; the message says why."""


def check_usable() -> None:
    """Raises where the tools lack, or where another machine lays structs out in another way."""
    for tool in ("gcc", "abidw", "abidiff"):
        if shutil.which(tool) is None:
            raise Unusable(f"{tool} is not installed (Debian: abigail-tools)")
    if platform.machine() != "x86_64":
        raise Unusable("the records are of x86-64")


def headers(prefix: Path, what: str) -> List[Path]:
    """The public headers of the runtime, or of one revision."""
    include = prefix / "include"
    if what == RUNTIME:
        return [path for path in sorted((include / "mcpw").glob("*.h")) if path.name not in _NEED_MORE]
    return [include / f"mcp/{what}.h", *sorted((include / "mcp" / what).rglob("*.h"))]


def functions(paths: Sequence[Path]) -> List[str]:
    """The names of the functions that these headers export."""
    return sorted({name for path in paths for name in _FUNCTION.findall(_plain(path))})


def _plain(path: Path) -> str:
    return _COMMENT.sub("", path.read_text("utf-8"))


def program(prefix: Path, paths: Sequence[Path]) -> str:
    """A program that holds what the headers declare."""
    text = "".join(_plain(path) for path in paths)
    lines = [f"#include <{path.relative_to(prefix / 'include')}>" for path in paths]
    named = [*functions(paths), *sorted(set(_VARIABLE.findall(text)))]
    lines += [f"__typeof__({name}) *abi_{name};" for name in named]
    lines += [f"{name} *abi_type_{name};" for name in sorted(set(_TYPE.findall(text)))]
    return "\n".join(lines) + "\n"


def _must(command: Sequence[object]) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: {done.stderr}")


def describe(prefix: Path, what: str, out: Path) -> None:
    """Writes what abidw says of the headers of a prefix."""
    with tempfile.TemporaryDirectory() as folder:
        source, built = Path(folder) / "abi.c", Path(folder) / "abi.so"
        source.write_text(program(prefix, headers(prefix, what)), "utf-8")
        _must(["gcc", "-g", "-w", "-shared", "-fPIC", "-I", prefix / "include", "-o", built, source])
        _must(["abidw", "--no-corpus-path", "--no-show-locs", "--no-comp-dir-path", "--out-file", out, built])


def broken(prefix: Path, what: str) -> str:
    """The changes for programs that were built before; empty if there are none."""
    with tempfile.TemporaryDirectory() as folder:
        now, before = Path(folder) / "now.abi", Path(folder) / "recorded.abi"
        describe(prefix, what, now)
        before.write_bytes(lzma.decompress((RECORDS / f"{what}.abi.xz").read_bytes()))
        command = ["abidiff", "--no-added-syms", "--suppressions", RECORDS / "later.suppr", before, now]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode != 0 else ""


def record(prefix: Path, what: str) -> None:
    """Replaces a record."""
    with tempfile.TemporaryDirectory() as folder:
        now = Path(folder) / "now.abi"
        describe(prefix, what, now)
        (RECORDS / f"{what}.abi.xz").write_bytes(lzma.compress(now.read_bytes(), preset=9))


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="abi", description="Compare what programs rely on with the records."
    )
    parser.add_argument("prefix", type=Path, help="where mcpwire was installed")
    parser.add_argument("--write", action="store_true", help="replace the records")
    given = parser.parse_args()
    revisions = sorted(path.stem for path in (given.prefix / "include/mcp").glob("2*.h"))
    try:
        check_usable()
    except Unusable as error:
        print(f"skipped: {error}")
        return 77
    wrong = ""
    for what in (RUNTIME, *revisions):
        if given.write:
            record(given.prefix, what)
        else:
            wrong += broken(given.prefix, what)
    print(wrong, end="")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
