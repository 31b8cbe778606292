# SPDX-License-Identifier: MIT
"""Plain JSON Schemas, each the schema of one value, put together into a document of definitions."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Dict, List, Sequence, Tuple
from urllib.parse import quote, unquote

from codegen.errors import Note, Refusal
from codegen.source.dialects import DEFINITION_KEYWORDS, DIALECTS, SUBSCHEMAS, Holds
from codegen.source.jsonfile import Json, parse_json, read_bytes
from codegen.source.pointers import join, split

_NEWEST = DIALECTS[-1]
_OF_THE_ROOT = frozenset({"$schema", "$id", *DEFINITION_KEYWORDS})
_NAMED = 2
"""Tokens of the pointer to a definition."""
_NO_NAME = frozenset({"schema", "input", "output"})
"""File names that say nothing of what is in the file: there its title names the type."""
_EXTENSIONS = re.compile(r"(\.schema)?\.json$")


@dataclass(frozen=True)
class Plain:
    """A schema as it was read. `name` is that of its type."""

    file: str
    name: str
    value: Json
    place: str = ""
    """The pointer to it in its file."""

    @property
    def title(self) -> str:
        """The name that it gives itself; empty if it has none."""
        return _text(self.value, "title")

    @property
    def description(self) -> str:
        """Its own description; empty if it has none."""
        return _text(self.value, "description")


@dataclass
class Gathered:
    """A document whose definitions are the schemas and their own definitions. `places` has for each the file
    and the pointer where it stands."""

    document: Dict[str, Json]
    sha256: str
    places: Dict[str, Tuple[str, str]] = field(default_factory=dict)
    references: Dict[str, str] = field(default_factory=dict)
    """The references in the files, by those in the document."""

    def blame(self, refusal: Refusal) -> Refusal:
        """A refusal of the document as one of the file that it is about."""
        found = []
        for each in refusal.all:
            file, pointer = self._where(each.pointer)
            found.append(Refusal(file, pointer, self._as_written(each.cause)))
        return Refusal.of_all(found)

    def note(self, note: Note) -> Note:
        """A note about the document as one about a file."""
        return Note(*self._where(note.pointer), note.text)

    def _as_written(self, cause: str) -> str:
        for full, written in self.references.items():
            cause = cause.replace(_quoted(full), _quoted(written))
        return cause

    def _where(self, pointer: str) -> Tuple[str, str]:
        tokens = split(pointer)
        if len(tokens) >= _NAMED and tokens[1] in self.places:
            file, place = self.places[tokens[1]]
            return file, join(place, *tokens[_NAMED:])
        return next(iter(self.places.values()))[0], ""


def read_plain(path: Path, name: str = "") -> Plain:
    """The schema that a file holds. Its type is called `name`, or else as the file is, or as the schema says
    where the file's name says nothing."""
    value = parse_json(read_bytes(path), str(path))
    stem = _EXTENSIONS.sub("", path.name).encode("utf-8", "replace").decode("utf-8")
    title = _text(value, "title")
    return Plain(str(path), name or (title if title and stem in _NO_NAME else stem), value)


def gather(schemas: Sequence[Plain]) -> Gathered:
    """One document of them all. Definitions of a schema are named after it: two may have some of one name."""
    text = "\n".join(compact(schema.value) for schema in schemas)
    found = Gathered({}, hashlib.sha256(text.encode()).hexdigest())
    definitions: Dict[str, Json] = {}
    stated: Dict[str, Plain] = {}
    for schema in schemas:
        if schema.name in definitions:
            other = found.places[schema.name][0]
            raise Refusal(schema.file, schema.place, f'"{schema.name}" names the type of {other} already')
        stated.setdefault(_dialect(schema), schema)
        if len(stated) > 1:
            first = next(iter(stated.values()))
            cause = f"another dialect than that of {first.file}: those that are generated together have one"
            raise Refusal(schema.file, join(schema.place, "$schema"), cause)
        found.places[schema.name] = (schema.file, schema.place)
        renamer = _Renamer(schema, found.references)
        definitions[schema.name] = renamer.root()
        for keyword, name, value in _definitions(schema):
            full = f"{schema.name}.{name}"
            if full in definitions:
                cause = f'"{name}" is defined under the other of "$defs" and "definitions", too'
                raise Refusal(schema.file, join(schema.place, keyword, name), cause)
            found.places[full] = (schema.file, join(schema.place, keyword, name))
            definitions[full] = renamer.renamed(value)
    found.document.update({"$schema": next(iter(stated)), "$defs": definitions})
    return found


def compact(value: Json) -> str:
    """A value as JSON on one line, its members in their order, its numbers with their digits."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{_quoted(name)}:{compact(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(compact, value)) + "]"
    if isinstance(value, str):
        return _quoted(value)
    return str(value) if isinstance(value, Decimal) else json.dumps(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _text(value: Json, member: str) -> str:
    text = value.get(member) if isinstance(value, dict) else None
    return text if isinstance(text, str) else ""


def _dialect(schema: Plain) -> str:
    """The dialect that a schema states; MCP's default where it states none."""
    stated = schema.value.get("$schema") if isinstance(schema.value, dict) else None
    if stated is None:
        return _NEWEST.uri
    for dialect in DIALECTS:
        if dialect.stated_by(stated):
            return dialect.uri
    known = " or ".join(f'"{dialect.uri}"' for dialect in DIALECTS)
    cause = f"unknown dialect {compact(stated)}: it must be {known}"
    raise Refusal(schema.file, join(schema.place, "$schema"), cause)


def _definitions(schema: Plain) -> List[Tuple[str, str, Json]]:
    """The definitions of a schema: where each stands, its name, and what it is."""
    found: List[Tuple[str, str, Json]] = []
    for keyword in DEFINITION_KEYWORDS:
        held = schema.value.get(keyword, {}) if isinstance(schema.value, dict) else {}
        if not isinstance(held, dict):
            raise Refusal(schema.file, join(schema.place, keyword), f'"{keyword}" must be an object')
        found += [(keyword, name, value) for name, value in held.items()]
    return found


class _Renamer:
    """Rewrites the references of a schema as the document of all has them; keeps in mind what they were."""

    def __init__(self, schema: Plain, references: Dict[str, str]) -> None:
        self._schema = schema
        self._references = references

    def root(self) -> Json:
        """The schema without what is said of the whole document."""
        value = self._schema.value
        if not isinstance(value, dict):
            return value
        return self.renamed({name: item for name, item in value.items() if name not in _OF_THE_ROOT})

    def renamed(self, value: Json) -> Json:
        """A part of the schema."""
        if not isinstance(value, dict):
            return value
        return {keyword: self._part(keyword, item) for keyword, item in value.items()}

    def _part(self, keyword: str, value: Json) -> Json:
        if keyword == "$ref" and isinstance(value, str):
            full = self._reference(value)
            self._references.setdefault(full, value)
            return full
        named = SUBSCHEMAS.get(keyword) is Holds.NAMED_SCHEMAS
        if named and isinstance(value, dict):
            return {name: self.renamed(part) for name, part in value.items()}
        if keyword in SUBSCHEMAS and isinstance(value, list):
            return [self.renamed(part) for part in value]
        return self.renamed(value) if keyword in SUBSCHEMAS else value

    def _reference(self, text: str) -> str:
        """A reference into the schema as one into the document; another one as it is, which is refused."""
        own = _text(self._schema.value, "$id").rstrip("#")
        inside = text[len(own) :] if own and text.startswith(own) else text
        if inside not in ("", "#") and not inside.startswith("#/"):
            return text
        try:
            tokens = split(unquote(inside[1:], errors="strict"))
        except ValueError:
            return text
        if len(tokens) >= _NAMED and tokens[0] in DEFINITION_KEYWORDS:
            tokens = (f"{self._schema.name}.{tokens[1]}", *tokens[_NAMED:])
        else:
            tokens = (self._schema.name, *tokens)
        return "#" + quote(join("", "$defs", *tokens), safe="/~$")
