# SPDX-License-Identifier: MIT
"""Random schemas and values that are likely to have to do with each other."""

from __future__ import annotations

import random
from typing import Any, Callable

NAMES = ("a", "b", "c", "aa", "ab", "\u00e9", "long_name_of_a_member", "")
PATTERNS = ("^a", "b$", "^.$", "a|c", "^[a-c]+$", "x", "^$", "\u00e9", "^long")
STRINGS = ("", "a", "b", "ab", "abc", "\u00e9\U0001f432", "long_name_of_a_member", "aa", 'q"\\/\n')
NUMBERS = (0, 1, -1, 2, 3, 1.0, 1.5, -2.5, 0.5, 100, 1e2, 7, 12345678901234567890123, -0.0, 4.5)
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
D2020, D2019, D07 = "2020-12", "2019-09", "draft-07"


def value(r: random.Random, depth: int = 3) -> Any:
    """Any JSON value, of few names and strings."""
    kind = r.randrange(9 if depth > 0 else 5)
    if kind == 0:
        return r.choice((None, True, False))
    if kind in (1, 2):
        return r.choice(NUMBERS)
    if kind in (3, 4):
        return r.choice(STRINGS)
    if kind in (5, 6):
        return [value(r, depth - 1) for _ in range(r.randrange(5))]
    return {r.choice(NAMES): value(r, depth - 1) for _ in range(r.randrange(5))}


class Schemas:
    """Makes schemas of one dialect."""

    def __init__(self, r: random.Random, dialect: str) -> None:
        self.r = r
        self.dialect = dialect
        self.defs = 0

    def some(self, make: Callable[[], Any], most: int = 3) -> list[Any]:
        return [make() for _ in range(self.r.randint(1, most))]

    def names(self) -> list[str]:
        return self.r.sample(NAMES, self.r.randint(0, 3))

    def reference(self, first: int) -> dict[str, Any]:
        """To a definition that is not before `first`, so that no reference leads back to itself."""
        word = "definitions" if self.dialect == D07 else "$defs"
        return {"$ref": f"#/{word}/d{self.r.randrange(first, self.defs)}"}

    def schema(self, depth: int, first: int, inside: bool = False) -> Any:
        """inside: it is for a part of a value, where references may lead anywhere."""
        r = self.r
        if r.random() < 0.08:
            return r.random() < 0.7
        first = 0 if inside else first
        if depth <= 0:
            return self.leaf() if r.random() < 0.6 or first >= self.defs else self.reference(first)
        out: dict[str, Any] = {}
        for _ in range(r.choice((1, 1, 2, 2, 3, 4))):
            group = r.randrange(8)
            if group == 0:
                out.update(self.leaf())
            elif group == 1 and first < self.defs:
                out.update(self.reference(first))
            elif group in (2, 3):
                self.add_object(out, depth, first)
            elif group == 4:
                self.add_array(out, depth, first)
            elif group in (5, 6):
                self.add_alternatives(out, depth, first)
            elif self.dialect == D2020 and r.random() < 0.5:
                # in 2019-09 jsonschema has bugs here: it counts what `contains` finds, and looks into
                # additionalProperties twice
                word = r.choice(("unevaluatedProperties", "unevaluatedItems"))
                out[word] = r.choice((False, False, self.schema(depth - 1, first, True)))
        return out

    def leaf(self) -> dict[str, Any]:
        r = self.r
        words = (
            "type",
            "type",
            "types",
            "const",
            "enum",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "pattern",
        )
        word = r.choice(words)
        if word == "type":
            return {"type": r.choice(TYPES)}
        if word == "types":
            return {"type": r.sample(TYPES, r.randint(1, 3))}
        if word == "const":
            return {"const": value(r, 2)}
        if word == "enum":
            if r.random() < 0.2:
                return {"enum": [*STRINGS, *NAMES]}
            return {"enum": self.some(lambda: value(r, 1), 4)}
        if word == "multipleOf":
            return {word: r.choice((1, 2, 3, 0.5, 1.5, 1.0))}
        if word == "pattern":
            return {word: r.choice(PATTERNS)}
        if word.endswith("Length"):
            return {word: r.choice((0, 1, 2, 3, 2.0))}
        return {word: r.choice(NUMBERS)}

    def add_object(self, out: dict[str, Any], depth: int, first: int) -> None:
        r = self.r
        part = lambda: self.schema(depth - 1, first, True)  # noqa: E731
        words = (
            "properties",
            "properties",
            "properties",
            "patternProperties",
            "additionalProperties",
            "required",
            "minProperties",
            "maxProperties",
            "propertyNames",
            "dependentRequired",
            "dependentSchemas",
        )
        word = r.choice(words)
        if word == "properties":
            out[word] = {name: part() for name in self.names()}
        elif word == "patternProperties":
            out[word] = {r.choice(PATTERNS): part() for _ in range(r.randint(1, 2))}
        elif word in ("additionalProperties", "propertyNames"):
            out[word] = r.choice((False, part())) if word == "additionalProperties" else part()
        elif word == "required":
            out[word] = self.names()
        elif word.startswith("dependent"):
            old = "dependencies" if self.dialect == D07 else word
            names = word == "dependentRequired"
            out[old] = {
                name: self.names() if names else self.schema(depth - 1, first) for name in self.names()
            }
        else:
            out[word] = r.randrange(4)

    def add_array(self, out: dict[str, Any], depth: int, first: int) -> None:
        r = self.r
        part = lambda: self.schema(depth - 1, first, True)  # noqa: E731
        word = r.choice(("items", "prefix", "contains", "minItems", "maxItems", "uniqueItems", "counts"))
        if word == "items":
            out["items"] = part()
        elif word == "prefix" and self.dialect == D2020:
            out["prefixItems"] = self.some(part)
        elif word == "prefix":
            out["items"] = self.some(part)
            if r.random() < 0.5:
                out["additionalItems"] = part()
        elif word == "contains":
            out["contains"] = part()
        elif word == "counts" and self.dialect != D07:
            out["contains"] = part()
            out[r.choice(("minContains", "maxContains"))] = r.randrange(3)
        elif word in ("minItems", "maxItems"):
            out[word] = r.randrange(4)
        elif word == "uniqueItems":
            out[word] = r.random() < 0.8

    def add_alternatives(self, out: dict[str, Any], depth: int, first: int) -> None:
        same = lambda: self.schema(depth - 1, first)  # noqa: E731
        word = self.r.choice(("allOf", "anyOf", "oneOf", "not", "if"))
        if word == "not":
            out[word] = same()
        elif word == "if":
            out.update(
                {key: same() for key in ("if", "then", "else") if key == "if" or self.r.random() < 0.7}
            )
        else:
            out[word] = self.some(same)

    def whole(self) -> Any:
        """A schema with definitions, each of which refers to later ones at the same value only."""
        count = self.r.randrange(4)
        self.defs = count
        parts = {f"d{i}": self.schema(2, i + 1) for i in range(count)}
        out = self.schema(3, 0)
        if isinstance(out, bool):
            return out
        if self.dialect == D07 and "$ref" in out:
            out = {"allOf": [out]}
        out["definitions" if self.dialect == D07 else "$defs"] = parts
        return out
