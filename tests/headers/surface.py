# SPDX-License-Identifier: MIT
"""Every public function is used where users look: tools, examples, the guide, generated code, C++ headers.

Usage: surface.py ROOT
What is not used there stands in surface.txt, with the reason why it is public all the same.
<mcpw/detail/*.h> is not for users.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

MOST_REASONS = 20
_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_FUNCTION = re.compile(r"MCPW_(?:SESSION_|STATIC_)?API[^;{(]*?\b(mcpw_\w+)\s*\(")
_WORD = re.compile(r"\bmcpw_\w+")
_SHOWN = (
    ("tools", "*.[ch]"),
    ("examples", "*.[ch]"),
    ("docs", "*.[cm]*"),
    ("generated", "*.[ch]"),
    ("codegen", "*.j2"),
    ("runtime/include/mcpw", "*.hpp"),
)


def public(root: Path) -> dict[str, str]:
    """The functions of public headers, and where each is declared."""
    found: dict[str, str] = {}
    for path in sorted((root / "runtime/include/mcpw").glob("*.h")):
        for name in _FUNCTION.findall(_COMMENT.sub("", path.read_text("utf-8"))):
            found[name] = path.name
    return found


def shown(root: Path) -> set[str]:
    """The names that users come across."""
    paths = [path for folder, pattern in _SHOWN for path in (root / folder).rglob(pattern)]
    return {name for path in [*paths, root / "README.md"] for name in _WORD.findall(path.read_text("utf-8"))}


def excused(root: Path) -> dict[str, str]:
    """The functions with a reason."""
    reasons = {}
    for line in (root / "tests/headers/surface.txt").read_text("utf-8").splitlines():
        name, _, reason = line.partition(" ")
        if name and not name.startswith("#"):
            reasons[name] = reason.strip()
    return reasons


def main() -> int:
    """Looks for functions that nobody shows, and for reasons that are no longer needed."""
    root = Path(sys.argv[1])
    functions, seen, reasons = public(root), shown(root), excused(root)
    wrong = [
        f"<mcpw/{header}>: {name} is shown nowhere"
        for name, header in functions.items()
        if name not in seen and not reasons.get(name)
    ]
    wrong += [
        f"surface.txt: {name} needs no reason" for name in reasons if name in seen or name not in functions
    ]
    if len(reasons) > MOST_REASONS:
        wrong.append(f"surface.txt: {len(reasons)} reasons, at most {MOST_REASONS}")
    print("\n".join(wrong))
    print(f"{len(functions)} public functions, {len(reasons)} for reasons of their own")
    return 1 if wrong or not functions else 0


if __name__ == "__main__":
    sys.exit(main())
