# SPDX-License-Identifier: MIT
"""Comparing schema documents by what they state, whatever their prose and order."""

from __future__ import annotations

from typing import Dict, Iterator, List, Optional

from codegen.source.dialects import ANNOTATIONS, SUBSCHEMAS, Holds
from codegen.source.jsonfile import Json, same_json, show_json
from codegen.source.pointers import join

_SETS = frozenset({"required", "enum", "type"})
"""Keywords whose arrays have no order."""


def without_annotations(schema: Json) -> Json:
    """A schema, or a whole document, without the keywords that have no say in what is valid."""
    if not isinstance(schema, dict):
        return schema
    kept = {keyword: value for keyword, value in schema.items() if keyword not in ANNOTATIONS}
    return {keyword: _below(SUBSCHEMAS.get(keyword), value) for keyword, value in kept.items()}


def _below(holds: Optional[Holds], value: Json) -> Json:
    if holds is Holds.SCHEMA:
        return without_annotations(value)
    if holds is Holds.SCHEMAS and isinstance(value, list):
        return [without_annotations(item) for item in value]
    if holds is Holds.NAMED_SCHEMAS and isinstance(value, dict):
        return {name: without_annotations(item) for name, item in value.items()}
    return value


def differences(old: Json, new: Json) -> List[str]:
    """How the schema `new` departs from `old`: one line for each place. Annotations count as they stand."""
    return list(_schemas(old, new, ""))


def _schemas(old: Json, new: Json, pointer: str) -> Iterator[str]:
    if not isinstance(old, dict) or not isinstance(new, dict):
        yield from _values(old, new, pointer)
        return
    for keyword in {**old, **new}:
        place = join(pointer, keyword)
        if keyword not in new:
            yield f"{place}: removed {show_json(old[keyword])}"
        elif keyword not in old:
            yield f"{place}: added {show_json(new[keyword])}"
        else:
            yield from _keywords(keyword, old[keyword], new[keyword], place)


def _keywords(keyword: str, old: Json, new: Json, place: str) -> Iterator[str]:
    holds = SUBSCHEMAS.get(keyword)
    if holds is Holds.SCHEMA:
        yield from _schemas(old, new, place)
    elif holds is Holds.NAMED_SCHEMAS and isinstance(old, dict) and isinstance(new, dict):
        yield from _named(old, new, place)
    elif holds is Holds.SCHEMAS and isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (left, right) in enumerate(zip(old, new)):
            yield from _schemas(left, right, join(place, index))
    elif keyword in _SETS and isinstance(old, list) and isinstance(new, list):
        yield from _sets(old, new, place)
    else:
        yield from _values(old, new, place)


def _named(old: Dict[str, Json], new: Dict[str, Json], place: str) -> Iterator[str]:
    for name in {**old, **new}:
        if name not in new:
            yield f"{join(place, name)}: removed"
        elif name not in old:
            yield f"{join(place, name)}: added"
        else:
            yield from _schemas(old[name], new[name], join(place, name))


def _sets(old: List[Json], new: List[Json], place: str) -> Iterator[str]:
    for value in old:
        if not any(same_json(value, other) for other in new):
            yield f"{place}: removed {show_json(value)}"
    for value in new:
        if not any(same_json(value, other) for other in old):
            yield f"{place}: added {show_json(value)}"


def _values(old: Json, new: Json, place: str) -> Iterator[str]:
    if not same_json(old, new):
        yield f"{place or '/'}: changed {show_json(old)} -> {show_json(new)}"
