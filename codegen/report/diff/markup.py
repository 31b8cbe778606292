# SPDX-License-Identifier: MIT
"""Markdown in which the texts of schemas are nothing but text. They are visible (`shown`): on one line."""

from __future__ import annotations

import re
from typing import Iterable, Sequence, Tuple

_PLACEHOLDER = "$"
# Text that would begin a code span, a tag or a link.
_HARMFUL = re.compile(r"[\\`<]|\](?=\()")
_TICKS = re.compile("`+")


class Markdown(str):
    """Text that may stand in Markdown: as it reads, or by one of the functions below."""

    __slots__ = ()

    def __new__(cls, text: str) -> Markdown:
        return _made(_HARMFUL.sub(r"\\\g<0>", text))


def _made(text: str) -> Markdown:
    return str.__new__(Markdown, text)


def code(text: str) -> Markdown:
    """A code span, between more backticks than there are in it."""
    runs = [len(run) for run in _TICKS.findall(text)]
    if not runs:
        return _made(f"`{text}`")
    ticks = "`" * (max(runs) + 1)
    return _made(f"{ticks} {text} {ticks}")


def marked(pattern: str, *parts: Markdown) -> Markdown:
    """A literal of the generator's source with Markdown for each `$` in it."""
    texts = pattern.split(_PLACEHOLDER)
    if len(texts) != len(parts) + 1:
        raise TypeError(f"{len(parts)} parts for {pattern!r}")
    return _made(texts[0] + "".join(_checked(part) + text for part, text in zip(parts, texts[1:])))


def joined(separator: str, parts: Iterable[Markdown]) -> Markdown:
    """Markdown with a literal of the generator's source between."""
    return _made(separator.join(map(_checked, parts)))


def table(head: Sequence[str], rows: Sequence[Sequence[Markdown]]) -> Tuple[Markdown, ...]:
    """The lines of a table, and an empty one."""
    lines = ["|" + "|".join(f" {name} " if name else " " for name in head) + "|", "|" + "-|" * len(head)]
    lines += ["| " + " | ".join(_checked(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return tuple(map(_made, [*lines, ""]))


def _checked(part: Markdown) -> str:
    if not isinstance(part, Markdown):
        raise TypeError(f"{part!r} is no Markdown: it is not escaped")
    return part
