# SPDX-License-Identifier: MIT
"""Every public header compiles alone, as C11 and C++17, with gcc and clang, warnings being errors.
Those of C++ compile as C++20, too, with exceptions and without.

Usage: compile_alone.py ROOT COMPILER...   (gcc, g++, clang, clang++; a missing one is reported as skipped)
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
SKIPPED = 77
# <mcpw/detail/table.h> includes one of them.
PARTS = ("mcpw/detail/table_fast.h", "mcpw/detail/table_small.h")


def header_roots(root: Path) -> list[Path]:
    """The folders that a consumer puts on the include path."""
    generated = [path for path in sorted((root / "generated").iterdir()) if (path / "mcp").is_dir()]
    return [root / "runtime" / "include", *generated]


def public_headers(roots: list[Path]) -> list[str]:
    """Every header as an include names it."""
    names = (path.relative_to(root).as_posix() for root in roots for path in root.rglob("*.h*"))
    return sorted(name for name in names if name not in PARTS)


def modes(compiler: str, header: str) -> list[list[str]]:
    """The languages in which a compiler is given a header."""
    if not compiler.endswith("++"):
        return [] if header.endswith(".hpp") else [["-x", "c", "-std=c11"]]
    plain = ["-x", "c++", "-std=c++17", "-Wold-style-cast"]
    if not header.endswith(".hpp"):
        return [plain]
    newer = ["-x", "c++", "-std=c++20", "-Wold-style-cast", "-Wshadow"]
    return [plain, newer, [*newer, "-fno-exceptions", "-fno-rtti"], [*newer, "-DMCPW_CPP_EXCEPTIONS"]]


def compile_header(compiler: str, header: str, roots: list[Path]) -> str:
    """The compiler's complaints about a file that includes nothing else; empty when there are none."""
    complaints = ""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "alone.src"
        source.write_text(f"#include <{header}>\nextern int something;\n", "utf-8")
        for mode in modes(compiler, header):
            command = [compiler, *mode, *WARNINGS, "-fsyntax-only"]
            command += [f"-I{root}" for root in roots] + [str(source)]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            complaints += run.stderr if run.returncode else ""
    return complaints


def main() -> int:
    """Compile everything with each compiler."""
    root = Path(sys.argv[1])
    roots = header_roots(root)
    headers = public_headers(roots)
    if (
        shutil.which("pkg-config") is None
        or subprocess.run(["pkg-config", "--exists", "json-c"], check=False).returncode
    ):
        print("skipped: mcpw/json_c.h: json-c is not installed")
        headers = [header for header in headers if header != "mcpw/json_c.h"]
    failures = 0
    used = 0
    for compiler in sys.argv[2:]:
        if shutil.which(compiler) is None:
            print(f"skipped: {compiler} is not installed")
            continue
        used += 1
        with ThreadPoolExecutor(max_workers=2) as pool:
            outcomes = list(pool.map(partial(compile_header, compiler, roots=roots), headers))
        for header, complaint in zip(headers, outcomes):
            if complaint:
                failures += 1
                print(f"{compiler}: {header}:\n{complaint[:2000]}")
        print(f"{compiler}: {len(headers)} headers")
    if not used or not headers:
        return SKIPPED
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
