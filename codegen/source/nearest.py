# SPDX-License-Identifier: MIT
"""Finds the known revision that is most similar to a schema: the one that shares most definitions and
members with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, FrozenSet, Optional

from codegen.source.dialects import DEFINITION_KEYWORDS
from codegen.source.jsonfile import Json, show_json
from codegen.source.structure import without_annotations

Features = FrozenSet[str]

_LEAST_KNOWN = 0.5
"""The revision must know the names of this share of the definitions. So an unrelated schema that happens to
have a type Tool is similar to none."""


@dataclass(frozen=True)
class Match:
    """The most similar revision, and how similar it is."""

    revision: str
    definitions: int
    equal: int
    """The number of definitions that are the same there."""


def nearest(document: Json, documents: Dict[str, Json]) -> Optional[Match]:
    """The most similar of several documents, which have names; of equally similar ones, the first. None if no
    document knows the names of most definitions."""
    own = definitions_of(document)
    mine = _features(own)
    best: Optional[Match] = None
    most = 0.0
    for name, other in documents.items():
        theirs = definitions_of(other)
        if not own or len(own.keys() & theirs.keys()) < _LEAST_KNOWN * len(own):
            continue
        features = _features(theirs)
        share = len(mine & features) / len(mine | features)
        if share > most:
            equal = sum(key in theirs and _shape(own[key]) == _shape(theirs[key]) for key in own)
            best, most = Match(name, len(own), equal), share
    return best


def definitions_of(document: Json) -> Dict[str, Json]:
    """The definitions of a document in any dialect; empty if it has none."""
    for keyword in DEFINITION_KEYWORDS:
        found = document.get(keyword) if isinstance(document, dict) else None
        if isinstance(found, dict):
            return found
    return {}


def same_definitions(schema: Json, keyword: str) -> Json:
    """A schema, or a value of one, whose references lead to the definitions under `keyword`."""
    if isinstance(schema, list):
        return [same_definitions(item, keyword) for item in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {name: same_definitions(value, keyword) for name, value in schema.items()}
    ref = schema.get("$ref")
    if isinstance(ref, str):
        for other in DEFINITION_KEYWORDS:
            if ref.startswith(f"#/{other}/"):
                changed["$ref"] = f"#/{keyword}/{ref[len(other) + 3 :]}"
    return changed


def _features(definitions: Dict[str, Json]) -> Features:
    """The set by which documents are compared: names of definitions and members, and the shape of each."""
    found = set()
    for name, schema in definitions.items():
        found.add(show_json([name]))
        found.add(show_json([name, _shape(schema)]))
        members = schema.get("properties") if isinstance(schema, dict) else None
        for member, value in members.items() if isinstance(members, dict) else ():
            found.add(show_json([name, member]))
            found.add(show_json([name, member, _shape(value)]))
    return frozenset(found)


def _shape(schema: Json) -> str:
    """The schema without annotations, with sorted members and one keyword for definitions, as text."""
    return show_json(_sorted(same_definitions(without_annotations(schema), DEFINITION_KEYWORDS[0])))


def _sorted(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    if isinstance(value, list):
        items = [_sorted(item) for item in value]
        return sorted(items, key=show_json) if all(isinstance(item, str) for item in items) else items
    return value
