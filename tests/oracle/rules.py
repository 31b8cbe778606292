# SPDX-License-Identifier: MIT
"""The rules of schema/unions.json, for unions that the schema alone does not decide."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from tests.oracle.documents import Document, Node, lineage


@dataclass(frozen=True)
class Rule:
    """An entry of schema/unions.json."""

    at: frozenset[str]
    tests: tuple[dict[str, str], ...]
    first_member: bool  # the first member that passes any test decides, not the first test
    otherwise: Optional[str]

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


def read_rules(schema_dir: Path, revision: str) -> list[Rule]:
    """The rules that hold in a revision, those of itself before those of the ones that it is like."""
    names = lineage(revision, schema_dir)
    entries = json.loads((schema_dir / "unions.json").read_text(encoding="utf-8"))["unions"]
    entries = [entry for entry in entries if not set(names).isdisjoint(entry.get("revisions", names))]
    entries.sort(key=lambda entry: min(names.index(n) for n in names if n in entry.get("revisions", names)))
    return [
        Rule(
            frozenset(entry["at"]),
            tuple(entry["tests"]),
            bool(entry.get("first_member")),
            entry.get("otherwise"),
        )
        for entry in entries
    ]


class Rules:
    """Finds the rule of a union in one revision."""

    def __init__(self, doc: Document, rules: list[Rule]) -> None:
        self.doc = doc
        self.rules = rules
        self._names: dict[int, str] = {}
        for definition, node in doc.definitions.items():
            self._name(node, definition)

    def _name(self, node: Node, name: str) -> None:
        """Unions are called by the definition or the members and items that lead to them."""
        self._names[id(node)] = name
        for member, inner in node.get("properties", {}).items():
            self._name(inner, f"{name}.{member}")
        if isinstance(node.get("items"), dict):
            self._name(node["items"], f"{name}[]")

    def leaves(self, node: Node) -> list[str]:
        """The definitions behind a reference to one, or to a union of them; those without a name left out."""
        concrete = self.doc.concrete(node)
        if "anyOf" in concrete:
            return [name for inner in concrete["anyOf"] for name in self.leaves(inner)]
        return [str(node["$ref"]).rpartition("/")[2]] if "$ref" in node else []

    def choose(self, union: Node, value: Any) -> Optional[str]:
        """The alternative that the union's rule selects for a value; None without a rule or a decision."""
        name = self._names.get(id(union))
        for rule in self.rules:
            if isinstance(value, dict) and name in rule.at:
                return rule.choose(value)
        return None
