# SPDX-License-Identifier: MIT
"""The alternative of a union for a valid value.

The only one that accepts it; and where several do, the one that the rules of schema/unions.json choose, if it
is among them. Other values are left undecided.
"""

from __future__ import annotations

from typing import Any, Optional

from tests.oracle.documents import Document, Node
from tests.oracle.labels import Labeller
from tests.oracle.rules import Rules


class Choice:
    """Decides for the unions at the top of definitions of one revision."""

    def __init__(self, doc: Document, labeller: Labeller, rules: Rules) -> None:
        self.doc = doc
        self.labeller = labeller
        self.rules = rules

    def expected(self, definition: str, value: Any) -> dict[str, list[Optional[str]]]:
        """For each place at the top of a value where a union stands (alternative.h says how it is written),
        the alternative's name, or None where nothing decides; several for an array's items."""
        found: dict[str, list[Optional[str]]] = {}
        node = self.doc.concrete(self.doc.definitions[definition])
        self._at("", node, value, found)
        if isinstance(value, dict):
            for name, inner in node.get("properties", {}).items():
                if name in value:
                    self._at(name, self.doc.concrete(inner), value[name], found)
        return found

    def _at(self, place: str, node: Node, value: Any, found: dict[str, list[Optional[str]]]) -> None:
        if "anyOf" in node:
            found[place] = [self._choose(node, value)]
        elif isinstance(value, list) and "items" in node:
            items = self.doc.concrete(node["items"])
            if "anyOf" in items:
                found[place + "[]"] = [self._choose(items, item) for item in value]

    def _choose(self, node: Node, value: Any) -> Optional[str]:
        leaves = [self.rules.leaves(inner) for inner in node["anyOf"]]
        if not all(leaves):
            return None
        fitting = {name for names in leaves for name in names if self.labeller.is_valid(name, value)}
        if len(fitting) == 1:
            return fitting.pop()
        chosen = self.rules.choose(node, value)
        return chosen if chosen in fitting else None
