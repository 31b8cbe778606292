# SPDX-License-Identifier: MIT
"""The facts of the generator about each JSON Schema keyword. A keyword that stands in no table here is
refused by name, so that none is ever dropped."""

from __future__ import annotations

from typing import Dict, FrozenSet, List, Tuple

from codegen.model.rules import RULES
from codegen.source.dialects import ANNOTATIONS

JSON_TYPES: Tuple[str, ...] = ("null", "boolean", "integer", "number", "string", "array", "object")
"""The names that `type` may hold."""

KINDS_OF_TYPE: Dict[str, FrozenSet[str]] = {
    "null": frozenset({"null"}),
    "boolean": frozenset({"boolean"}),
    "integer": frozenset({"integer"}),
    "number": frozenset({"integer", "fraction"}),
    "string": frozenset({"string"}),
    "array": frozenset({"array"}),
    "object": frozenset({"object"}),
}
"""The kinds of value that a type admits, where integral numbers are a kind apart from the others."""

ALL_KINDS: FrozenSet[str] = frozenset().union(*KINDS_OF_TYPE.values())


def types_of(kinds: FrozenSet[str]) -> List[str]:
    """The types that values of these kinds have: number where fractions are among them, else integer."""
    return [
        name
        for name in JSON_TYPES
        if KINDS_OF_TYPE[name] <= kinds or (name == "number" and "fraction" in kinds)
    ]


KEYWORD_TYPES: Dict[str, Tuple[str, ...]] = {
    "minimum": ("integer", "number"),
    "maximum": ("integer", "number"),
    "exclusiveMinimum": ("integer", "number"),
    "exclusiveMaximum": ("integer", "number"),
    "minLength": ("string",),
    "maxLength": ("string",),
    "items": ("array",),
    "prefixItems": ("array",),
    "additionalItems": ("array",),
    "minItems": ("array",),
    "maxItems": ("array",),
    "properties": ("object",),
    "required": ("object",),
    "additionalProperties": ("object",),
    "propertyNames": ("object",),
    "minProperties": ("object",),
    "maxProperties": ("object",),
    **{rule.keyword: rule.types for rule in RULES},
}
"""The types that a keyword constrains; values of other types pass it."""

DEMANDED: FrozenSet[str] = frozenset(
    {
        "contains",
        "dependencies",
        "dependentRequired",
        "dependentSchemas",
        "else",
        "if",
        "maxContains",
        "minContains",
        "not",
        "oneOf",
        "pattern",
        "patternProperties",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
        "uniqueItems",
    }
)
"""The rest beyond nodes: the values are checked by a schema of its own (codegen/model/residuals.py)."""

KNOWN: FrozenSet[str] = (
    ANNOTATIONS
    | frozenset(KEYWORD_TYPES)
    | DEMANDED
    | frozenset({"type", "const", "enum", "format", "$ref", "anyOf", "allOf", "$defs", "definitions"})
)

FORMATS: Dict[str, str] = {
    "uri": "URI",
    "uri-template": "URI_TEMPLATE",
    "byte": "BASE64",
    "base64": "BASE64",
    "date-time": "DATE_TIME",
    "date": "DATE",
    "email": "EMAIL",
    "file-uri": "FILE_URI",
    "meta-keys": "META_KEYS",
    "max-items:100": "AT_MOST_100",
}
"""The formats that the engine can check, by their name in JSON Schema or in strict.json. JSON Schema lets a
reader ignore a format that it does not know, so another one in a schema means no check."""

_ON_THE_WAY = "it leads nowhere, or where depends on the way to it"

REFUSED: Dict[str, str] = {
    "$dynamicRef": _ON_THE_WAY,
    "$recursiveRef": _ON_THE_WAY,
    "$schema": "a document has one dialect, stated at its root",
    "$vocabulary": "the dialect decides what keywords mean",
}
"""Keywords of JSON Schema that are refused, and why."""


def refusal_of(keyword: str) -> str:
    """Why a keyword is refused that is not in KNOWN."""
    if keyword in REFUSED:
        return f'"{keyword}" is not generated: {REFUSED[keyword]}'
    return f'unknown keyword "{keyword}"'
