# SPDX-License-Identifier: MIT
"""Editors see no errors: clangd checks every public header, the generated ones, the examples and the guide.

Usage: check_clangd.py ROOT [REVISION...]   (the runtime, examples and guide; and those revisions)
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

SKIPPED = 77
PART = '#error "include <'  # of a header that is a part of another one, and no file of its own
COMPLAINT = re.compile(r"^[EW]\[[^]]*\] (\[.*)$", re.MULTILINE)


def files(root: Path, revisions: list[str]) -> list[Path]:
    """The checked files."""
    headers = sorted((root / "runtime" / "include" / "mcpw").glob("*.h"))
    found = [path for path in headers if PART not in path.read_text("utf-8")]
    for revision in revisions:
        found += sorted((root / "generated" / revision).rglob("*.h"))
    found += sorted((root / "generated" / "common").rglob("*.h"))
    programs = sorted((root / "examples").glob("*.c")) + sorted((root / "docs" / "guide").glob("*.c"))
    # A program with a schema or a folder beside it has generated types, or a generated page.
    return found + [
        path
        for path in programs
        if not path.with_suffix(".json").exists() and not path.with_suffix("").is_dir()
    ]


def complaints(path: Path, commands: Path) -> str:
    """The messages of clangd about a file; empty if there are none."""
    command = ["clangd", "--check=" + str(path), f"--compile-commands-dir={commands}"]
    command += ["--check-lines=1-1", "--enable-config=false"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    found = COMPLAINT.findall(run.stderr)
    if run.returncode or found:
        return "\n".join(found) or run.stderr[-2000:]
    return ""


def main() -> int:
    """Check everything, two files at once."""
    if shutil.which("clangd") is None:
        print("skipped: clangd is not installed")
        return SKIPPED
    root = Path(sys.argv[1]).resolve()
    roots = [root / "runtime" / "include", *sorted((root / "generated").iterdir())]
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        flags = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", *(f"-I{folder}" for folder in roots)]
        (Path(name) / "compile_flags.txt").write_text("\n".join(flags) + "\n", "utf-8")
        paths = files(root, sys.argv[2:])
        with ThreadPoolExecutor(max_workers=2) as pool:
            for path, said in zip(paths, pool.map(partial(complaints, commands=Path(name)), paths)):
                if said:
                    failures += 1
                    print(f"{path.relative_to(root)}:\n{said}")
    print(f"{len(paths)} files, {failures} with complaints")
    return 1 if failures or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
