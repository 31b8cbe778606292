# SPDX-License-Identifier: MIT
"""Published schemas that a program has written out, without references and descriptions. Known
references and descriptions are put back."""

from __future__ import annotations

from typing import Dict, List, Mapping

from codegen.source.dialects import SUBSCHEMAS, Holds
from codegen.source.jsonfile import Json, same_json
from codegen.source.pointers import join, split
from codegen.source.structure import without_annotations

_SEVERAL = 2
_DEFINITION = 2
"""Tokens of the pointer to a definition."""


def about(definitions: Mapping[str, Json], name: str, key: str, found: Dict[str, str]) -> None:
    """Adds the descriptions of a definition and of its members, those that allOf brings in among them, by the
    keys of comments. `key` is that of the definition that has them."""
    whole = definitions.get(name)
    if not isinstance(whole, dict):
        return
    _describe(whole, key, found)
    for part in (whole, *_objects(whole.get("allOf"))):
        members = part.get("properties")
        for member, schema in members.items() if isinstance(members, dict) else ():
            _describe(schema, f"{key}.{member}", found)
    for part in _objects(whole.get("allOf")):
        referred = _referred(part)
        if referred and referred != name:
            about(definitions, referred, key, found)


def with_named_choices(schema: Json, definitions: Mapping[str, Json], keyword: str) -> Json:
    """A definition in which a choice of constants that another definition names is a reference to that."""
    choices = {name: without_annotations(each) for name, each in definitions.items() if _is_choice(each)}
    if _is_choice(schema):
        return schema
    return _named(schema, {name: _bare(each) for name, each in choices.items()}, keyword)


def _named(schema: Json, choices: Mapping[str, Json], keyword: str) -> Json:
    if not isinstance(schema, dict):
        return schema
    if _is_choice(schema):
        plain = _bare(without_annotations(schema))
        for name, choice in choices.items():
            if same_json(plain, choice):
                kept: Dict[str, Json] = {k: v for k, v in schema.items() if k == "description"}
                return {**kept, "$ref": "#" + join("", keyword, name)}
    return {word: _inside(word, value, choices, keyword) for word, value in schema.items()}


def _inside(word: str, value: Json, choices: Mapping[str, Json], keyword: str) -> Json:
    holds = SUBSCHEMAS.get(word)
    if holds is Holds.NAMED_SCHEMAS and isinstance(value, dict):
        return {name: _named(part, choices, keyword) for name, part in value.items()}
    if holds is not None and isinstance(value, list):
        return [_named(part, choices, keyword) for part in value]
    return _named(value, choices, keyword) if holds is not None else value


def _is_choice(schema: Json) -> bool:
    """Whether a schema is a choice of several constants."""
    if not isinstance(schema, dict):
        return False
    values = schema.get("enum", schema.get("anyOf", schema.get("oneOf")))
    if not isinstance(values, list) or len(values) < 2:
        return False
    return "enum" in schema or all(isinstance(each, dict) and "const" in each for each in values)


def _bare(schema: Json) -> Json:
    return {k: v for k, v in schema.items() if k != "$schema"} if isinstance(schema, dict) else schema


def _describe(schema: Json, key: str, found: Dict[str, str]) -> None:
    text = schema.get("description") if isinstance(schema, dict) else None
    if isinstance(text, str):
        found.setdefault(key, text)


def _objects(value: Json) -> List[Dict[str, Json]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _referred(schema: Mapping[str, Json]) -> str:
    """The definition that a reference names; empty where there is none."""
    ref = schema.get("$ref")
    tokens = split(ref[1:]) if isinstance(ref, str) and ref.startswith("#/") else ()
    return tokens[1] if len(tokens) == _DEFINITION else ""
