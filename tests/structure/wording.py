# SPDX-License-Identifier: MIT
"""Comments and pages are plain English: a sentence begins with its subject, not with "what" or "of"."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path
from typing import Callable, Iterator

FOLDERS = ("runtime", "tools", "codegen", "examples", "generated", "docs", "cmake", "tests")
SLASHED = (".c", ".h", ".inc", ".cpp", ".hpp", ".js", ".mjs", ".cjs", ".ts", ".go", ".rs")
HASHED = (".cmake", ".sh")
OTHERS_TEXT = ("docs/migration", "tests/fuzz/seeds", "tests/fuzz/found")  # programs write them
C_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*(.*?)\*/|//([^\n]*)', re.DOTALL)
SENTENCE = re.compile(r"(?<=[.?!])\s+")
OPENING = re.compile(r"(What|Who|Whose|Whom|Of|Where|Which)\b")
FENCED = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
PARAGRAPH = re.compile(r"(\n\s*\n|\n(?=\s*(?:[-*|] ?|\d+\. )))")
HEADING = re.compile(r"\s*#")
LIST_MARK = re.compile(r"\s*(?:[-*>|]+|\d+\.)?\s*")
PHRASE = re.compile(r"\b(is let be|are let be|of whom|thereof|whereof|anew)\b")

Comment = tuple[int, str]  # its line and its text


def c_comments(text: str) -> Iterator[Comment]:
    for found in C_COMMENT.finditer(text):
        body = found[1] or found[2]
        if body:
            yield text.count("\n", 0, found.start()) + 1, re.sub(r"\n\s*\*", " ", body.lstrip("*<! "))


def python_comments(text: str) -> Iterator[Comment]:
    """Strings in three quotes, and comments; those on lines that follow each other are one."""
    last = -1
    lines: list[str] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if (
            token.type == tokenize.COMMENT
            and token.start[0] == last + 1
            and not token.line[: token.start[1]].strip()
        ):
            lines.append(token.string.lstrip("# "))
            last = token.start[0]
            continue
        if lines and token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
            yield last - len(lines) + 1, " ".join(lines)
            lines = []
        if token.type == tokenize.COMMENT:
            lines, last = [token.string.lstrip("# ")], token.start[0]
        elif token.type == tokenize.STRING and token.string.startswith('"""'):
            yield token.start[0], token.string.strip('"')
    if lines:
        yield last - len(lines) + 1, " ".join(lines)


def hashed_comments(text: str) -> Iterator[Comment]:
    """Comments of CMake and of the shell. Comments on lines that follow each other are one."""
    lines: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.lstrip().startswith("#"):
            lines.append(line.lstrip(" #!"))
        elif lines:
            yield number - len(lines), " ".join(lines)
            lines = []


def paragraphs(text: str) -> Iterator[Comment]:
    """Paragraphs and list items of a page, without its headings and its code."""
    number = 1
    for part in PARAGRAPH.split(FENCED.sub(lambda code: "\n" * code[0].count("\n"), text)):
        if part.strip() and not HEADING.match(part):
            yield number, LIST_MARK.sub("", part, count=1).replace("**", "")
        number += part.count("\n")


def reader(path: Path) -> Callable[[str], Iterator[Comment]] | None:
    """The function that finds the sentences of a file; None: it has none for people."""
    if path.suffix == ".py":
        return python_comments
    if path.suffix == ".md":
        return paragraphs
    if path.suffix in HASHED or path.name == "CMakeLists.txt":
        return hashed_comments
    return c_comments if path.suffix in SLASHED else None


def faults(text: str) -> Iterator[str]:
    """The sentences of a comment that are not plain."""
    for sentence in SENTENCE.split(" ".join(text.split())):
        if OPENING.match(sentence) or PHRASE.search(sentence):
            yield sentence


def wording(root: Path) -> list[str]:
    """Sentences of comments and of pages begin with their subject."""
    wrong = []
    below = (path for folder in FOLDERS for path in (root / folder).rglob("*"))
    for path in sorted([*root.glob("*.md"), *root.glob("CMakeLists.txt"), *below]):
        name = str(path.relative_to(root))
        sentences = reader(path)
        if sentences is None or name.startswith(OTHERS_TEXT):
            continue
        for line, text in sentences(path.read_text("utf-8")):
            wrong += [f'{name}:{line}: "{sentence[:60]}"' for sentence in faults(text)]
    return wrong
