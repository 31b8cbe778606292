# SPDX-License-Identifier: MIT
"""References that lead nowhere at the root of a document, though a definition around them has a definition of
its own of that name. Such ones come from tools that write each type as a document of its own and then put the
documents together. They are read as they were meant, with a warning."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple
from urllib.parse import unquote

from codegen.errors import Note
from codegen.source.dialects import DEFINITION_KEYWORDS, SUBSCHEMAS, Holds
from codegen.source.jsonfile import Json, show_json
from codegen.source.pointers import join, lookup, split

Tokens = Tuple[str, ...]

_DEFINITION = 2
"""Tokens of the pointer to a definition."""


class MendedNote(Note):
    """A warning about such references, of which --strict makes a refusal."""


def mended(document: Json, file: str) -> Tuple[Json, Tuple[Note, ...]]:
    """The document with references that lead somewhere, and a warning for each definition that they mean."""
    if not isinstance(document, dict):
        return document, ()
    mender = _Mender(document)
    whole = mender.schema(document, (), ())
    return whole, tuple(mender.notes(file))


class _Mender:
    def __init__(self, document: Dict[str, Json]) -> None:
        self._document = document
        self._found: Dict[Tuple[str, str], List[Tokens]] = {}

    def notes(self, file: str) -> List[Note]:
        """A warning for each pair of a reference and what it means."""
        made: List[Note] = []
        for (ref, target), places in self._found.items():
            more = f", here and in {len(places) - 1} more places" if len(places) > 1 else ""
            text = f"{show_json(ref)} leads nowhere at the root: {show_json(target)} is meant{more}"
            made.append(MendedNote(file, join("", *places[0]), text))
        return made

    def schema(self, schema: Json, place: Tokens, around: Tuple[Tokens, ...]) -> Json:
        """A schema at a place. `around` has the places of the schemas around it that have definitions, the
        outermost first."""
        if not isinstance(schema, dict) or (place and isinstance(schema.get("$id"), str)):
            return schema  # references below an $id begin there
        if place and any(isinstance(schema.get(keyword), dict) for keyword in DEFINITION_KEYWORDS):
            around = (*around, place)
        made: Dict[str, Json] = {}
        for keyword, value in schema.items():
            at = (*place, keyword)
            holds = SUBSCHEMAS.get(keyword)
            if keyword == "$ref" and isinstance(value, str):
                made[keyword] = self._reference(value, at, around)
            elif holds is Holds.NAMED_SCHEMAS and isinstance(value, dict):
                made[keyword] = {name: self.schema(each, (*at, name), around) for name, each in value.items()}
            elif holds is not None and isinstance(value, list):
                made[keyword] = [self.schema(each, (*at, str(n)), around) for n, each in enumerate(value)]
            else:
                made[keyword] = value if holds is None else self.schema(value, at, around)
        return made

    def _reference(self, ref: str, at: Tokens, around: Tuple[Tokens, ...]) -> str:
        tokens = _tokens(ref)
        if tokens is None or self._leads(tokens):
            return ref
        for place in reversed(around):
            if self._leads((*place, *tokens)):
                target = "#" + join("", *place).replace("%", "%25") + ref[1:]
                self._found.setdefault((ref, target), []).append(at)
                return target
        return ref

    def _leads(self, tokens: Tokens) -> bool:
        try:
            lookup(self._document, join("", *tokens))
        except KeyError:
            return False
        return True


def _tokens(ref: str) -> Optional[Tokens]:
    """The tokens of a reference to a definition of its own document, or of what is inside of one."""
    if not ref.startswith("#/"):
        return None
    try:
        tokens = split(unquote(ref[1:], errors="strict"))
    except ValueError:
        return None
    return tokens if len(tokens) >= _DEFINITION and tokens[0] in DEFINITION_KEYWORDS else None
