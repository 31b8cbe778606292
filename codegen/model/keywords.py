# SPDX-License-Identifier: MIT
"""What the generator knows of each JSON Schema keyword. A keyword that stands in no table here is refused by
name, so that none is ever dropped."""

from __future__ import annotations

from typing import Dict, FrozenSet, Tuple

from codegen.model.rules import RULES
from codegen.source.normalise import ANNOTATIONS

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

KNOWN: FrozenSet[str] = (
    ANNOTATIONS
    | frozenset(KEYWORD_TYPES)
    | frozenset({"type", "const", "enum", "format", "$ref", "anyOf", "allOf"})
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

_NO_FORM = "it has no C form"
_COMBINES = "state the alternatives with anyOf"
_NO_REGEX = "the runtime has no regular expressions"
_ONE_ITEM_TYPE = "all items of an array have one type"
_BY_NAME = "references go by definition name only"
_AT_ROOT = "move the definitions to the root"

REFUSED: Dict[str, str] = {
    "oneOf": "use anyOf, which asks for no proof that only one alternative accepts",
    "not": _NO_FORM,
    "if": _COMBINES,
    "then": _COMBINES,
    "else": _COMBINES,
    "dependencies": _COMBINES,
    "dependentRequired": _COMBINES,
    "dependentSchemas": _COMBINES,
    "pattern": _NO_REGEX,
    "patternProperties": _NO_REGEX,
    "uniqueItems": "the runtime does not compare items",
    "contains": _ONE_ITEM_TYPE,
    "minContains": _ONE_ITEM_TYPE,
    "maxContains": _ONE_ITEM_TYPE,
    "unevaluatedItems": "state it with items",
    "unevaluatedProperties": "state it with additionalProperties",
    "$anchor": _BY_NAME,
    "$dynamicAnchor": _BY_NAME,
    "$dynamicRef": _BY_NAME,
    "$recursiveAnchor": _BY_NAME,
    "$recursiveRef": _BY_NAME,
    "$id": "below the root it would change what references mean",
    "$schema": "a document has one dialect, stated at its root",
    "$vocabulary": "the dialect decides what keywords mean",
    "$defs": _AT_ROOT,
    "definitions": _AT_ROOT,
}
"""Keywords of JSON Schema that are refused, and why."""


def refusal_of(keyword: str) -> str:
    """Why a keyword that is not in KNOWN is refused."""
    if keyword in REFUSED:
        return f'"{keyword}" is not generated: {REFUSED[keyword]}'
    return f'unknown keyword "{keyword}"'
