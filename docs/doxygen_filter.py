# SPDX-License-Identifier: MIT
"""Turns the plain comments of our headers into those that Doxygen reads. Usage: doxygen_filter.py FILE

The headers are for people first: their comments are plain text. Here a comment before a declaration becomes
`/**`, one after it `/**<`, the one at the top of a file speaks for the file, the one inside a short name's
definition moves before it. Text that Doxygen would take for markup is escaped; lines that are set off stay
so.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
SHORT_NAME = re.compile(r"^(#define \w+) /\* (.*?) \*/ (\w+)$", re.MULTILINE)
NO_TEXT = re.compile(r"\s*(SPDX-|clang-format|-----*)")
MARKUP = re.compile(r"[\\@<>#&*`]|_(?=\w)(?<!\w_)")
LINK = re.compile(r"\[([^]]*)\]\((?!https?:)([^)#]*)(#[^)]*)?\)")
SET_OFF = 2  # columns by which a line is set off from the text around it


def escaped(line: str) -> str:
    """A line of text in which nothing is markup. Addresses stay, so that they become links."""
    words = line.split(" ")
    return " ".join(word if word.startswith("https://") else MARKUP.sub(r"\\\g<0>", word) for word in words)


def body(text: str) -> str:
    """The text of a comment for Doxygen, in as many lines as it had."""
    lines = [re.sub(r"^\s*\*(?: |$)", "", line) for line in text.strip().split("\n")]
    out: list[str] = []
    verbatim = False
    for line in lines:
        set_off = len(line) - len(line.lstrip()) >= SET_OFF
        if set_off != verbatim and (line.strip() or not verbatim):
            out.append("@verbatim" if set_off else "@endverbatim")
            verbatim = set_off
        out.append(line if verbatim else escaped(line))
    if verbatim:
        out.append("@endverbatim")
    return "\n * ".join(out)


def converted(text: str) -> str:
    """A header for Doxygen."""
    text = SHORT_NAME.sub(r"/* Short for \3: \2 */\n\1 \3", text)
    seen_file = False

    def replace(match: re.Match[str]) -> str:
        nonlocal seen_file
        inner = match[1]
        if NO_TEXT.match(inner):
            return match[0]
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if not seen_file:
            seen_file = True
            return f"/** @file\n * {body(inner)} */"
        mark = "/**<" if line.strip() else "/**"
        return f"{mark} {body(inner)} */"

    return COMMENT.sub(replace, text)


def page(text: str, pages: set[str]) -> str:
    """A page for Doxygen: links that lead elsewhere than to other pages of it become plain text."""

    def replace(match: re.Match[str]) -> str:
        name = match[2].rsplit("/", 1)[-1]
        return match[0] if name in pages else match[1]

    return LINK.sub(replace, text)


def main() -> int:
    """Write the converted file to standard output."""
    path = Path(sys.argv[1])
    text = path.read_text("utf-8")
    guide = path.parent if path.parent.name == "guide" else path.parent / "guide"
    pages = {other.name for other in guide.glob("*.md")}
    sys.stdout.write(page(text, pages) if path.suffix == ".md" else converted(text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
