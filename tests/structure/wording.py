# SPDX-License-Identifier: MIT
"""Comments are plain English: a sentence begins with its subject, not with a relative clause or an "of"."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path
from typing import Iterator

FOLDERS = ("runtime", "tools", "codegen", "examples", "generated", "docs", "cmake", "tests")
C_SUFFIXES = (".c", ".h", ".inc", ".cpp", ".hpp")
C_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*(.*?)\*/|//([^\n]*)', re.DOTALL)
SENTENCE = re.compile(r"(?<=[.?!])\s+")
OPENING = re.compile(r"(What|Who|Whose|Whom|Of|Where|Which)\b")
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


def faults(text: str) -> Iterator[str]:
    """The sentences of a comment that are not plain."""
    for sentence in SENTENCE.split(" ".join(text.split())):
        if OPENING.match(sentence) or PHRASE.search(sentence):
            yield sentence


def wording(root: Path) -> list[str]:
    """Sentences of comments begin with their subject."""
    wrong = []
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*")):
        if path.suffix not in (*C_SUFFIXES, ".py"):
            continue
        comments = python_comments if path.suffix == ".py" else c_comments
        for line, text in comments(path.read_text("utf-8")):
            wrong += [f'{path.relative_to(root)}:{line}: "{sentence[:60]}"' for sentence in faults(text)]
    return wrong
