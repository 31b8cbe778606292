# SPDX-License-Identifier: MIT
"""Whether each feature of docs/features.md is explained by its page and used by its program.

python3 tests/docs/check_features.py ROOT
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

FEATURES = 48  # of the list that the protocol's maintainers have for SDKs
EXTENSIONS = "## Extensions"  # which are not of that list
NONE = "not supported"
LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)(?:#([^)]+))?\)")


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def faults(folder: Path, feature: str, page: str, program: str, name: str) -> list[str]:
    """Faults of one row."""
    wrong = []
    for cell in (page, program):
        link = LINK.fullmatch(cell)
        path = folder / link[1] if link else folder
        if link is None or not path.is_file():
            wrong.append(f"{feature}: no file: {cell}")
            continue
        text = path.read_text("utf-8")
        if name.strip("`") not in text:
            wrong.append(f"{feature}: {path.name} does not have {name}")
        if link[2] and link[2] not in anchors(text):
            wrong.append(f"{feature}: {path.name} has no heading #{link[2]}")
    return wrong


def check(root: Path) -> list[str]:
    folder = root / "docs"
    core, _, more = (folder / "features.md").read_text("utf-8").partition(EXTENSIONS)
    rows, others = (re.findall(r"^\| (.*) \|$", part, re.MULTILINE)[1:] for part in (core, more))
    wrong = [] if len(rows) == FEATURES else [f"{len(rows)} features, not {FEATURES}"]
    wrong += [] if others else [f"no table under {EXTENSIONS}"]
    for row in rows + others:
        area, feature, page, program, name = (cell.strip() for cell in f"{row} ".split("|"))
        if page != NONE:
            wrong += faults(folder, f"{area}, {feature}", page, program, name)
    return wrong


def main() -> int:
    wrong = check(Path(sys.argv[1]))
    for line in wrong:
        print(f"features.md: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
