# SPDX-License-Identifier: MIT
"""What the README shows is the end of an example as it is, and examples/first.c prints what it should.

Usage: check_first.py PROGRAM
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHOWN = {"echo.c", "first.c"}
EXPECTED = 'hello, priority 0.5\n{"type":"text","text":"goodbye","annotations":{"priority":0.5}}\n'


def main() -> int:
    """Compare the texts, then the output."""
    sources = {path.name: path.read_text("utf-8") for path in (ROOT / "examples").glob("*.c")}
    blocks = re.findall(
        r"^```c\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    found = set()
    for block in blocks:
        names = [name for name, text in sources.items() if text.endswith(block)]
        if not names:
            print(f"README.md shows what no example ends with:\n{block}")
            return 1
        found.update(names)
    if not found >= SHOWN:
        print(f"README.md does not show {', '.join(sorted(SHOWN - found))}")
        return 1
    printed = subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True).stdout
    if printed != EXPECTED:
        print(f"it printed:\n{printed}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
