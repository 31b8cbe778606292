# SPDX-License-Identifier: MIT
"""Lists of tools that somebody else's server prints: made such that one document can hold all their schemas,
and with what cannot be typed left out. Each change comes with a note."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Dict, List, Sequence, Tuple

from codegen.errors import Note, Refusal
from codegen.model.keywords import KNOWN, REFUSED
from codegen.source.dialects import DIALECTS, SUBSCHEMAS, Dialect, Holds
from codegen.source.jsonfile import Json
from codegen.source.plain import Plain
from codegen.source.pointers import join
from codegen.source.tools import Tool
from codegen.source.translate import translated

_NEWEST = DIALECTS[-1]
_OF_THE_ROOT = frozenset({"$schema", "$id", "$vocabulary"})
_MARKS = frozenset({"$anchor", "$dynamicAnchor", "$recursiveAnchor"})
_UNDERSTOOD = KNOWN | frozenset(REFUSED) | frozenset(SUBSCHEMAS) | _OF_THE_ROOT | _MARKS


def even_out(tools: Sequence[Tool]) -> Tuple[List[Tool], List[Note]]:
    """The tools whose schemas can stand in one document, in the newest dialect, without keywords that no
    dialect has: JSON Schema lets a reader ignore those."""
    kept: List[Tool] = []
    notes: List[Note] = []
    for tool in tools:
        told: Dict[str, Note] = {}
        try:
            schemas = [_evened_out(schema, told) for schema in tool.schemas]
        except Refusal as refusal:
            notes += without(tool, refusal)
            continue
        kept.append(replace(tool, input=schemas[0], output=schemas[1] if len(schemas) > 1 else None))
        notes += told.values()
    return kept, notes


def leave_out(tools: Sequence[Tool], refusal: Refusal) -> Tuple[List[Tool], List[Note]]:
    """The tools that a refusal is not about. The refusal again where it is about none of them."""
    kept: List[Tool] = []
    notes: List[Note] = []
    for tool in tools:
        about = [one for one in refusal.all if any(_is_within(one.pointer, s.place) for s in tool.schemas)]
        if about:
            notes += without(tool, Refusal.of_all(about))
        else:
            kept.append(tool)
    if len(kept) == len(tools):
        raise refusal
    return kept, notes


def without(tool: Tool, refusal: Refusal) -> List[Note]:
    """A warning about a tool that is left out."""
    return [
        Note(one.file, one.pointer, f'the tool "{tool.name}" is left out: {one.cause}') for one in refusal.all
    ]


def _is_within(pointer: str, place: str) -> bool:
    return pointer == place or pointer.startswith(place + "/")


def _evened_out(schema: Plain, told: Dict[str, Note]) -> Plain:
    if not isinstance(schema.value, dict):
        return schema
    dialect = _dialect(schema)
    value: Json = _without_unknown(schema.value, schema, schema.place, told)
    if dialect is not _NEWEST:
        value = translated(value, dialect, schema)
    return replace(schema, value=value)


def _dialect(schema: Plain) -> Dialect:
    stated = schema.value.get("$schema", _NEWEST.uri) if isinstance(schema.value, dict) else _NEWEST.uri
    for dialect in DIALECTS:
        if dialect.stated_by(stated):
            return dialect
    raise Refusal(schema.file, join(schema.place, "$schema"), "unknown dialect")


def _without_unknown(
    value: Dict[str, Json], schema: Plain, place: str, told: Dict[str, Note]
) -> Dict[str, Json]:
    kept: Dict[str, Json] = {}
    for keyword, item in value.items():
        at = join(place, keyword)
        if keyword not in _UNDERSTOOD:
            text = f'unknown keyword "{keyword}" is ignored, here and further on'
            told.setdefault(keyword, Note(schema.file, at, text))
        elif keyword not in SUBSCHEMAS:
            kept[keyword] = item
        elif isinstance(item, list):
            kept[keyword] = [_part(one, schema, join(at, str(index)), told) for index, one in enumerate(item)]
        elif SUBSCHEMAS[keyword] is Holds.NAMED_SCHEMAS and isinstance(item, dict):
            kept[keyword] = {name: _part(one, schema, join(at, name), told) for name, one in item.items()}
        else:
            kept[keyword] = _part(item, schema, at, told)
    return kept


def _part(value: Json, schema: Plain, place: str, told: Dict[str, Note]) -> Json:
    return _without_unknown(value, schema, place, told) if isinstance(value, dict) else value


def functions(
    tools: Sequence[Tool], prefix: str, snake: Dict[str, str]
) -> Tuple[Dict[str, Tool], List[Note]]:
    """The tools by what their functions are called in C. If two would have the same name, the later one gets
    a number."""
    found: Dict[str, Tool] = {}
    notes: List[Note] = []
    for tool in tools:
        wanted = re.sub(r"_+$", "", f"{prefix}_{snake[tool.name]}")
        function, number = wanted, 1
        while function in found:
            number += 1
            function = f"{wanted}_{number}"
        if number > 1:
            text = f'"{tool.name}" is {function} in C, because "{found[wanted].name}" is {wanted}'
            notes.append(Note(tool.input.file, tool.input.place, text))
        found[function] = tool
    return found, notes
