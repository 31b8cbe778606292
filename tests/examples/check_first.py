# SPDX-License-Identifier: MIT
"""The README's example is examples/first.c, and it prints what it should.

Usage: check_first.py PROGRAM
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXPECTED = 'hello, priority 0.5\n{"type":"text","text":"goodbye","annotations":{"priority":0.5}}\n'


def main() -> int:
    """Compare the text, then the output."""
    shown = re.search(r"```c\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    if shown is None or shown.group(1) != (ROOT / "examples/first.c").read_text("utf-8"):
        print("README.md does not show examples/first.c as it is")
        return 1
    printed = subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True).stdout
    if printed != EXPECTED:
        print(f"it printed:\n{printed}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
