# SPDX-License-Identifier: MIT
"""The places of docs/figures.md that hold figures.

A region stands between two comments that a reader of the page does not see:

    <!-- figures: NAME -->
    ...
    <!-- end of figures -->
"""

from __future__ import annotations

import re
from typing import Dict, Mapping

_REGION = re.compile(r"<!-- figures: ([a-z]+) -->\n(.*?)<!-- end of figures -->\n", re.DOTALL)


def read(text: str) -> Dict[str, str]:
    """The contents of each region, by name."""
    return {match[1]: match[2] for match in _REGION.finditer(text)}


def write(text: str, contents: Mapping[str, str]) -> str:
    """The text with new contents in some of its regions."""

    def put(match: re.Match[str]) -> str:
        content = contents.get(match[1], match[2])
        return f"<!-- figures: {match[1]} -->\n{content}<!-- end of figures -->\n"

    return _REGION.sub(put, text)


def with_rows(table: str, rows: Mapping[str, str]) -> str:
    """A table of two columns with new figures in the rows that are named; KeyError when one is not there."""
    lines = table.splitlines(keepends=True)
    left = dict(rows)
    for number, line in enumerate(lines):
        what = line.split(" | ")[0][2:]
        if what in left:
            lines[number] = f"| {what} | {left.pop(what)} |\n"
    for what in left:
        raise KeyError(f"the table has no row {what!r}")
    return "".join(lines)
