# SPDX-License-Identifier: MIT
"""Durations in public headers name their unit: members and parameters in ms end in _ms.

Usage: durations.py ROOT
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

# A name by which other libraries call a duration, where it is declared with a type of numbers.
_DURATION = re.compile(
    r"\b(?:int|unsigned|u?int\d+_t)\s+"
    r"(\w*(?:timeout|retry|patience|grace|alive|lifetime|interval|period|delay|ttl|age|linger))\s*[;,)={]"
)
# A member whose comment beside it begins with its unit.
_UNIT = re.compile(r"\b(\w+); */\* (?:The )?ms\b")


def main() -> int:
    """Looks through every header of C and C++."""
    root = Path(sys.argv[1])
    paths = [path for path in sorted((root / "runtime/include/mcpw").rglob("*.h*")) if path.is_file()]
    wrong = []
    for path in paths:
        text = path.read_text("utf-8")
        names = [*_DURATION.findall(text), *_UNIT.findall(text)]
        wrong += [f"{path.name}: {name} does not end in _ms" for name in names if not name.endswith("_ms")]
    print("\n".join(wrong))
    print(f"{len(paths)} headers")
    return 1 if wrong or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
