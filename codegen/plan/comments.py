# SPDX-License-Identifier: MIT
"""The comments of generated headers: our lines from docs.json, else the schema's own descriptions."""

from __future__ import annotations

import re
import unicodedata

from codegen.facts.facts import Facts
from codegen.model.nodes import ConstType, Node, Property, bare
from codegen.model.resolve import key
from codegen.source.jsonfile import show_json

# Texts that would end a comment, open one inside it, or spell a trigraph.
_HARMFUL = (("*/", "* /"), ("/*", "/ *"), ("??", "? ?"))


def plain(text: str) -> str:
    """A text on one line that can stand inside a C comment."""
    kept = "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") else c for c in text)
    line = " ".join(kept.split()).rstrip("\\")
    for harmful, harmless in _HARMFUL:
        while harmful in line:
            line = line.replace(harmful, harmless)
    return line


def _constant(node: Node) -> str:
    """The one value of a node, as JSON."""
    node = bare(node)
    return show_json(node.value) if isinstance(node, ConstType) else "there"


class Comments:
    """Finds the comment of a node."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    @property
    def plain(self) -> bool:
        """Whether the schemas are a program's own, and no revision."""
        return self._facts.plain

    def of_member(self, member: Property, label: str, c_name: str, constant: bool = False) -> str:
        """The comment of a member: what it is, its name in JSON where C has another, whether it is required.
        A member that allOf brought in from another definition is described where that definition declares it.
        For a `constant` that may be absent, C says whether it is there."""
        docs = self._facts.docs
        revision = self._facts.revision
        line = docs.line(revision, key(member.node)) or docs.line(revision, label)
        text = plain(line or member.node.description or "")
        notes = [] if text and member.name == c_name else [f'"{plain(member.name)}"']
        notes += ["required"] if member.required else []
        if constant:
            only = plain(_constant(member.node))
            return f"{text} (true: {only})" if text else f'Whether "{plain(member.name)}" is there: {only}.'
        noted = ", ".join(notes)
        if not text:
            return f"The member {noted}."
        return f"{text} ({noted})" if noted else text

    def of(self, node: Node, label: str) -> str:
        """The comment of a type: what the schema calls it, what it is, and on its own line the source."""
        docs = self._facts.docs
        line = docs.line(self._facts.revision, label) or docs.line(self._facts.revision, key(node))
        text = plain(line or node.description or "")
        named = plain(label)
        what = f"{named}: {text}" if text else f"{named} of the schema."
        return what if self._facts.plain else f"{what}\n{self.source(label)}"

    def source(self, label: str) -> str:
        """The place of the specification for the definition that a path begins with: its page, or else its
        name."""
        definition = re.split(r"[.[{]", label, maxsplit=1)[0]
        reference = self._facts.reference
        if reference.page and definition not in reference.unlisted:
            return plain(f"{reference.page}#{definition.lower()}")
        return plain(f"(Definition {definition} of MCP {self._facts.revision}.)")
