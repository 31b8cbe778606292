# SPDX-License-Identifier: MIT
"""Values for any schema: such as it seems to ask for, and the same with something changed.

Nothing here knows what is valid; jsonschema judges.
"""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any

from tests.oracle.documents import Document

TEXTS = (
    "",
    "a",
    "text",
    "file:///a",
    "https://example.com/x",
    "aGk=",
    "2025-01-02T03:04:05Z",
    "日本",
    'q"b\\',
)
NUMBERS = (0, 1, -1, 7, 100, 2**53, Decimal("0.5"), Decimal("1.0"), Decimal("-2.25"), Decimal("1e3"))
OTHERS = (None, True, False, 0, Decimal("1.5"), "", "x", [], {}, [1, "a"], {"x": 1})
UNKNOWN = ("x", "unknown", "com.example/key", "")
MAX_DEPTH = 6
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")


class Maker:
    """Makes values for one document."""

    def __init__(self, doc: Document, rng: Random) -> None:
        self.doc = doc
        self.rng = rng

    def definition(self, name: str) -> Any:
        """A value of a definition, which is changed as often as not."""
        value = self.make(self.doc.definitions[name], 0)
        for _ in range(self.rng.choice((0, 0, 1, 2))):
            value = self.changed(value)
        return value

    def make(self, node: Any, depth: int) -> Any:
        if not isinstance(node, dict):
            return self.rng.choice(OTHERS)
        if "$ref" in node:
            return self.make(self.doc.resolve(node["$ref"]), depth + 1)
        if "examples" in node and self.rng.random() < 0.6:
            return self.rng.choice(node["examples"])
        if "const" in node:
            return node["const"]
        if "enum" in node:
            return self.rng.choice(node["enum"])
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                return self._both(self.make(self.rng.choice(node[keyword]), depth), node, keyword, depth)
        if "allOf" in node:
            value: Any = self._typed(node, depth) if "type" in node or "properties" in node else None
            for part in node["allOf"]:
                made = self.make(part, depth)
                value = {**value, **made} if isinstance(value, dict) and isinstance(made, dict) else made
            return value
        return self._typed(node, depth)

    def _both(self, value: Any, node: Any, keyword: str, depth: int) -> Any:
        """The value with what stands beside the alternatives."""
        rest = {name: part for name, part in node.items() if name != keyword}
        if isinstance(value, dict) and "properties" in rest:
            return {**self._typed(rest, depth), **value}
        return value

    def _typed(self, node: Any, depth: int) -> Any:
        kinds = node.get("type", "object" if "properties" in node else list(TYPES))
        kind = self.rng.choice(kinds) if isinstance(kinds, list) else kinds
        if kind == "object":
            return self._object(node, depth)
        if kind == "array":
            return self._array(node, depth)
        if kind == "string":
            text = self.rng.choice(TEXTS)
            return text + "m" * max(0, int(node.get("minLength", 0)) - len(text))
        if kind == "integer":
            return self.rng.choice((int(node.get("minimum", 0)), *NUMBERS[:5]))
        if kind == "number":
            return self.rng.choice(NUMBERS)
        return None if kind == "null" else self.rng.random() < 0.5

    def _object(self, node: Any, depth: int) -> Any:
        members = node.get("properties", {})
        required = node.get("required", [])
        share = self.rng.choice((0.0, 0.3, 1.0)) if depth < MAX_DEPTH else 0.0
        value = {
            name: self.make(members.get(name, True), depth + 1)
            for name in dict.fromkeys([*required, *members])
            if name in required or self.rng.random() < share
        }
        if self.rng.random() < 0.3 and depth < MAX_DEPTH:
            value.setdefault(
                self.rng.choice(UNKNOWN), self.make(node.get("additionalProperties", True), depth + 1)
            )
        return value

    def _array(self, node: Any, depth: int) -> Any:
        least = int(node.get("minItems", 0))
        count = least if depth >= MAX_DEPTH else least + self.rng.choice((0, 1, 2))
        items = node.get("items", True)
        if isinstance(items, list):
            items = items[0] if items else True
        return [self.make(items, depth + 1) for _ in range(count)]

    def changed(self, value: Any) -> Any:
        """A copy in which one place is different."""
        if isinstance(value, dict) and value and self.rng.random() < 0.8:
            name = self.rng.choice(list(value))
            action = self.rng.random()
            if action < 0.25:
                return {key: item for key, item in value.items() if key != name}
            if action < 0.35:
                return {**value, self.rng.choice(UNKNOWN): self.rng.choice(OTHERS)}
            return {**value, name: self.changed(value[name])}
        if isinstance(value, list) and value and self.rng.random() < 0.8:
            place = self.rng.randrange(len(value))
            return [*value[:place], self.changed(value[place]), *value[place + 1 :]]
        return self.rng.choice(OTHERS)
