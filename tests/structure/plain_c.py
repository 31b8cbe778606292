# SPDX-License-Identifier: MIT
"""Compiles the library as a compiler does that has no GNU extensions: C11, pedantic, without __GNUC__.

python3 tests/structure/plain_c.py --sources FILE --include FOLDER:FOLDER --define NAME=VALUE:NAME

FILE lists sources, one a line. The files that know POSIX are left out.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Sequence

SKIPPED = 77
LANGUAGE = ("-std=c11", "-pedantic-errors", "-fgnuc-version=0", "-U__clang__", "-DMCPW_NO_SIMD=1")
# C99 promises 4095 bytes of a string; every compiler takes the texts of the tables.
FLAGS = (*LANGUAGE, "-Wall", "-Wextra", "-Werror", "-Wno-overlength-strings", "-fsyntax-only")


def is_plain(source: Path) -> bool:
    return not source.stem.endswith("_posix") and not source.stem.startswith("alone_")


def split(text: str) -> list[str]:
    return [part for part in text.strip().split(":") if part]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="plain_c", description="C11 without extensions")
    parser.add_argument("--sources", type=Path, required=True)
    parser.add_argument("--include", type=split, required=True)
    parser.add_argument("--define", type=split, default=[])
    parser.add_argument("--compiler", default="clang")
    options = parser.parse_args(argv)
    compiler = shutil.which(options.compiler)
    if compiler is None:
        print(f"skipped: no {options.compiler}, whose -fgnuc-version=0 this test needs")
        return SKIPPED
    sources = [Path(name) for name in options.sources.read_text(encoding="utf-8").splitlines()]
    command = [compiler, *FLAGS, *(f"-I{path}" for path in options.include)]
    command += [f"-D{name}" for name in options.define]

    def errors_of(source: Path) -> str:
        done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
        return done.stderr if done.returncode != 0 else ""

    plain = [source for source in sources if is_plain(source)]
    with ThreadPoolExecutor(max_workers=2) as pool:
        found = [errors for errors in pool.map(errors_of, plain) if errors]
    print("".join(found), end="")
    print(f"{len(plain)} files, {len(found)} with errors")
    return 1 if found or not plain else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
