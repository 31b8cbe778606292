#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lays out mcpwire as a library of Arduino and PlatformIO: the one file of tools/amalgamate.py, and a sketch.

cmake/packages/arduino/lay_out.py FOLDER                        revision 2025-11-25
cmake/packages/arduino/lay_out.py FOLDER --revision 2026-07-28  another one; may be given again
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import List, Optional, Sequence

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
DEVICE = ROOT / "examples/device"
SHARED = ("pool.c", "pool.h", "sensor.c", "sensor.h", "wire.c", "wire.h")
SKETCH = Path("examples/Sensor")
REVISION = "2025-11-25"
PUBLIC = re.compile(r"(?:^#include <mcpw?/[^>]*>\n)+", re.MULTILINE)


def version() -> str:
    found = re.search(
        r"^project\(mcpwire VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text("utf-8"), re.M
    )
    if found is None:
        raise SystemExit("CMakeLists.txt has no version")
    return found[1]


def lay_out(folder: Path, revisions: List[str]) -> None:
    """Writes the library to a folder, over what is there."""
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / SKETCH).mkdir(parents=True, exist_ok=True)
    chosen = [word for revision in revisions for word in ("--revision", revision)]
    command = [
        sys.executable,
        str(ROOT / "tools/amalgamate.py"),
        *chosen,
        "-o",
        str(folder / "src"),
    ]
    subprocess.run(command, check=True)
    for name in ("library.properties", "library.json"):
        text = (HERE / name).read_text("utf-8").replace("@VERSION@", version())
        (folder / name).write_text(text, "utf-8")
    shutil.copy(ROOT / "LICENSE", folder)
    shutil.copy(HERE / SKETCH / "Sensor.ino", folder / SKETCH)
    for name in SHARED:
        text = PUBLIC.sub("#include <mcpwire.h>\n", (DEVICE / name).read_text("utf-8"))
        (folder / SKETCH / name).write_text(text, "utf-8")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="lay_out.py", description="Lays out a library for Arduino and PlatformIO."
    )
    parser.add_argument(
        "folder", type=Path, help="the folder of the library; Arduino wants it called mcpwire"
    )
    parser.add_argument("--revision", action="append", help=f"a revision to hold; default {REVISION}")
    given = parser.parse_args(arguments)
    lay_out(given.folder, given.revision or [REVISION])
    return 0


if __name__ == "__main__":
    sys.exit(main())
