# SPDX-License-Identifier: MIT
"""The comments of generated headers: our lines from docs.json, else the schema's own descriptions."""

from __future__ import annotations

import unicodedata
from typing import Optional

from codegen.facts import Facts
from codegen.model import Node
from codegen.resolve import key

# What would end a comment, open one inside it, or spell a trigraph.
_HARMFUL = (("*/", "* /"), ("/*", "/ *"), ("??", "? ?"))


def plain(text: str) -> str:
    """A text on one line that can stand inside a C comment."""
    kept = "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") else c for c in text)
    line = " ".join(kept.split()).rstrip("\\")
    for harmful, harmless in _HARMFUL:
        while harmful in line:
            line = line.replace(harmful, harmless)
    return line


class Comments:
    """Finds the comment of a node."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def of_member(self, node: Node, label: str) -> Optional[str]:
        """The comment of a member, if there is anything to say. A member that allOf brought in from another
        definition is described where that definition declares it."""
        docs = self._facts.docs
        revision = self._facts.revision
        line = docs.line(revision, key(node)) or docs.line(revision, label)
        return plain(line or node.description or "") or None

    def of(self, node: Node, label: str) -> str:
        """The comment of a type; at least what the schema calls it."""
        docs = self._facts.docs
        line = docs.line(self._facts.revision, label) or docs.line(self._facts.revision, key(node))
        text = plain(line or node.description or "")
        named = plain(label)
        return f"{named}: {text}" if text else f"{named} of the schema."
