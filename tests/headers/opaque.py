# SPDX-License-Identifier: MIT
"""No public header shows the layout of tables: <mcpw/detail/table*.h> is between tables.c and the codec.

Usage: opaque.py ROOT COMPILER
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

SKIPPED = 77
DETAIL = "mcpw/detail/"
LAYOUT = "mcpw/detail/table"


def headers(root: Path) -> list[tuple[Path, str]]:
    """Every header of C, with the folder that it is included from."""
    generated = [path for path in sorted((root / "generated").iterdir()) if (path / "mcp").is_dir()]
    roots = [root / "runtime/include", *generated]
    found = [
        (folder, path.relative_to(folder).as_posix()) for folder in roots for path in folder.rglob("*.h")
    ]
    # json_c.h needs another library, and includes nothing of ours but base.h and arena.h.
    return sorted(row for row in found if not row[1].startswith((DETAIL, "mcpw/json_c.h")))


def includes(compiler: str, root: Path, header: str) -> list[str]:
    """The files that a header draws in."""
    folders = [root / "runtime/include", *(root / "generated").iterdir()]
    command = [compiler, "-std=c11", "-x", "c", "-M", "-", *(f"-I{folder}" for folder in folders)]
    text = f"#include <{header}>\n"
    run = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"{header}: {run.stderr}")
    return run.stdout.replace("\\\n", " ").split()


def main() -> int:
    """Look through every header."""
    root, compiler = Path(sys.argv[1]), sys.argv[2]
    if shutil.which(compiler) is None:
        print(f"skipped: {compiler} is not installed")
        return SKIPPED
    names = [name for _, name in headers(root)]
    showing = [name for name in names if any(LAYOUT in path for path in includes(compiler, root, name))]
    for name in showing:
        print(f"{name} includes <{LAYOUT}...>")
    print(f"{len(names)} headers")
    return 1 if showing or not names else 0


if __name__ == "__main__":
    sys.exit(main())
