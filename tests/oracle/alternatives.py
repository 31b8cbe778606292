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
    first_member: bool  # the first member that passes any test decides, not the first test
    otherwise: Optional[str]

    def applies(self, revision: str, definition: str) -> bool:
        return definition in self.at and (self.revisions is None or revision in self.revisions)

    def choose(self, value: dict[str, Any]) -> Optional[str]:
        """The alternative of the first test that the value passes."""
        passed = [test for test in self.tests if self._passes(test, value)]
        if self.first_member:
            members = list(value)
            passed.sort(key=lambda test: members.index(test["member"]))
        return passed[0]["alternative"] if passed else self.otherwise

    @staticmethod
    def _passes(test: dict[str, str], value: dict[str, Any]) -> bool:
        member = test["member"]
        return member in value and test.get("value", value[member]) == value[member]


def read_rules(schema_dir: Path) -> list[Rule]:
    entries = json.loads((schema_dir / "unions.json").read_text(encoding="utf-8"))["unions"]
    return [
        Rule(
            frozenset(entry["at"]),
            frozenset(entry["revisions"]) if "revisions" in entry else None,
            tuple(entry["tests"]),
            bool(entry.get("first_member")),
            entry.get("otherwise"),
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

    def expected(self, definition: str, value: Any) -> dict[str, list[Optional[str]]]:
        """For each place at the top of a value where a union stands (alternative.h says how it is written),
        the alternative's name, or None where nothing decides; several for an array's items."""
        found: dict[str, list[Optional[str]]] = {}
        node = self.doc.concrete(self.doc.definitions[definition])
        self._at(definition, "", node, value, found)
        if isinstance(value, dict):
            for name, inner in node.get("properties", {}).items():
                if name in value:
                    at = f"{definition}.{name}"
                    self._at(at, name, self.doc.concrete(inner), value[name], found)
        return found

    def _at(self, at: str, place: str, node: Node, value: Any, found: dict[str, list[Optional[str]]]) -> None:
        if "anyOf" in node:
            found[place] = [self._choose(at, node, value)]
        elif isinstance(value, list) and "items" in node:
            items = self.doc.concrete(node["items"])
            if "anyOf" in items:
                found[place + "[]"] = [self._choose(at + "[]", items, item) for item in value]

    def _owner(self, at: str, node: Node) -> str:
        """What schema/unions.json calls the union: by its definition, if it is one."""
        return next((name for name, other in self.doc.definitions.items() if other is node), at)

    def _choose(self, at: str, node: Node, value: Any) -> Optional[str]:
        fitting = {name for name in self.names(node) if self.labeller.is_valid(name, value)}
        if len(fitting) == 1:
            return fitting.pop()
        owner = self._owner(at, node)
        for rule in self.rules:
            if isinstance(value, dict) and rule.applies(self.doc.revision, owner):
                chosen = rule.choose(value)
                return chosen if chosen in fitting else None
        return None
