# SPDX-License-Identifier: MIT
"""Facts for meson.build about the tree that it is laid over, a line each. Usage: facts.py ROOT WHAT..."""

import json
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
what = sys.argv[2]
revisions = json.loads((root / "schema/revisions.json").read_text("utf-8"))
if what == "version":
    text = (root / "CMakeLists.txt").read_text("utf-8")
    lines = re.findall(r"project\(mcpwire VERSION (\S+)", text)
elif what == "revisions":
    lines = [row["revision"] for row in revisions["revisions"]]
elif what == "pin":
    lines = [revisions["default_pin"]]
else:  # the C files below some folders, without variants, which meson.build chooses
    lines = [
        path.relative_to(root).as_posix()
        for name in sys.argv[2:]
        for path in sorted((root / name).rglob("*.c"))
        if not path.stem.endswith(("_small", "_none", "_posix", "_win", "_glibc"))
        and not path.stem.startswith("os_")
    ]
print("\n".join(lines))
