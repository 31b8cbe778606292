# SPDX-License-Identifier: MIT
"""Which alternative of a union a valid value should be decoded as.

The only one that accepts it; and where several do, the one that the tests in schema/unions.json choose, if it
is among them. Other values are left undecided.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from tests.oracle.documents import Document, Node
from tests.oracle.labels import Labeller


@dataclass(frozen=True)
class Rule:
    """An entry of schema/unions.json."""

    at: frozenset[str]
    revisions: Optional[frozenset[str]]  # None: all
    tests: tuple[dict[str, str], ...]

    def applies(self, revision: str, definition: str) -> bool:
        return definition in self.at and (self.revisions is None or revision in self.revisions)

    def choose(self, value: dict[str, Any]) -> Optional[str]:
        """The alternative of the first test that the value passes."""
        for test in self.tests:
            member = test["member"]
            if member in value and test.get("value", value[member]) == value[member]:
                return test["alternative"]
        return None


def read_rules(schema_dir: Path) -> list[Rule]:
    entries = json.loads((schema_dir / "unions.json").read_text(encoding="utf-8"))["unions"]
    return [
        Rule(
            frozenset(entry["at"]),
            frozenset(entry["revisions"]) if "revisions" in entry else None,
            tuple(entry["tests"]),
        )
        for entry in entries
    ]


class Choice:
    """Decides for the definitions of one revision that are unions."""

    def __init__(self, doc: Document, labeller: Labeller, rules: list[Rule]) -> None:
        self.doc = doc
        self.labeller = labeller
        self.rules = rules

    def names(self, node: Node) -> list[str]:
        """The definitions that are a union's alternatives, nested ones too; empty if one has no name."""
        found: list[str] = []
        for inner in node["anyOf"]:
            concrete = self.doc.concrete(inner)
            if "anyOf" in concrete:
                found += self.names(concrete)
            elif "$ref" in inner:
                found.append(str(inner["$ref"]).rpartition("/")[2])
            else:
                return []
        return found

    def expected(self, definition: str, value: Any) -> Optional[str]:
        """The alternative's name; None when the definition is no union or nothing decides."""
        node = self.doc.definitions[definition]
        if "anyOf" not in node:
            return None
        fitting = {name for name in self.names(node) if self.labeller.is_valid(name, value)}
        if len(fitting) == 1:
            return fitting.pop()
        for rule in self.rules:
            if isinstance(value, dict) and rule.applies(self.doc.revision, definition):
                chosen = rule.choose(value)
                return chosen if chosen in fitting else None
        return None
