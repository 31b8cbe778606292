# SPDX-License-Identifier: MIT
"""The codec on a Cortex-M4 without an operating system: compiles without warnings, wants nothing from
elsewhere but a few functions on memory and what the compiler itself calls, and reads messages as it does
everywhere else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, List

from tests.small.building import (
    CORTEX_M4,
    ROOT,
    Build,
    choose,
    first,
    revisions,
    run_in_folder,
)
from tests.small.sizes import CODEC, DECODE, DEVICE, LATEST, ONLY, UNPROJECTED

BARE = {"MCPW_FREESTANDING": "ON"}
# With everything, with texts, without: all of them freestanding.
VARIANTS: Dict[str, Dict[str, str]] = {
    "everything": {"MCPW_SMALL": "ON", **BARE},
    "fast": BARE,
    "no projection": {**UNPROJECTED, **BARE},
    "codec": CODEC,
    "decode": DECODE,
    "one request": DEVICE,
}

MEMORY_FUNCTIONS = {"memchr", "memcmp", "memcpy", "memmove", "memset", "strchr", "strcmp", "strlen"}
COMPILER_FUNCTIONS = {"__ctzdi2", "__clzdi2", "__popcountdi2"}


def unwanted(symbols: List[str]) -> List[str]:
    """Those that a bare machine need not have. libgcc's arithmetic is named after ARM's run-time ABI."""
    allowed = MEMORY_FUNCTIONS | COMPILER_FUNCTIONS
    return [symbol for symbol in symbols if symbol not in allowed and not symbol.startswith("__aeabi_")]


def link(build: Build, folder: Path) -> Path:
    """A program that qemu can run: of the C library it has the functions on memory alone."""
    program = build.compile(ROOT / "tests/small/bare.c", (LATEST,), "bare")
    return start(build, folder, [program, *build.objects((LATEST,))])


def link_part(build: Build, folder: Path) -> Path:
    """The same of a program that has the tables of one type alone."""
    headers = first(build.generate(LATEST, ONLY), LATEST)
    program = build.compile(ROOT / "tests/small/part.c", (LATEST,), "part", headers)
    return start(build, folder, [program, *build.part(LATEST, ONLY)])


def start(build: Build, folder: Path, objects: List[Path]) -> Path:
    objects = [*objects, build.compile(ROOT / "tests/small/bare_start.c", (), "bare_start")]
    return build.program(folder / "bare.elf", objects, ("-nostartfiles", "-Wl,--gc-sections"))


def check(folder: Path) -> bool:
    held = True
    for name, options in VARIANTS.items():
        build = Build(folder / name.replace(" ", "-"), CORTEX_M4, choose(options))
        for revision in revisions():
            found = unwanted(build.undefined(revision))
            if found:
                print(f"{name}, {revision}: wants {', '.join(found)}")
                held = False
        program = link_part(build, folder) if options is DEVICE else link(build, folder)
        emulator = shutil.which("qemu-arm")
        if emulator is None:
            print(f"{name}: not run: no qemu-arm (Debian: qemu-user)")
            continue
        done = subprocess.run(
            [emulator, str(program)], capture_output=True, text=True, check=False, timeout=60
        )
        size = build.measure([program])
        said = f"{done.stdout.strip()}{done.stderr.strip()}"
        print(f"{name}: {said}; the program has {size.fixed} bytes of code and constants")
        held = held and done.returncode == 0 and done.stdout.strip() == "ok"
    return held


def main() -> int:
    return run_in_folder(check)


if __name__ == "__main__":
    sys.exit(main())
