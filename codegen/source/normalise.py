# SPDX-License-Identifier: MIT
"""A schema document of any dialect, with the definitions that it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterator, Optional, Tuple
from urllib.parse import unquote

from codegen.errors import Refusal
from codegen.source.dialects import ANNOTATIONS, DEFINITION_KEYWORDS, SUBSCHEMAS, Dialect, Holds, find_dialect
from codegen.source.identifiers import Evened, evened
from codegen.source.jsonfile import Json, show_json
from codegen.source.pointers import join, lookup, split

_DIRECT = 2
"""Tokens of the pointer to a definition."""
_PLACES = frozenset({"$defs", "definitions", "properties"})
_ROOT_KEYWORDS = ANNOTATIONS | {"$schema", "$id"}


@dataclass(frozen=True)
class Source:
    """A schema document of a known dialect, still as JSON."""

    file: str
    dialect: Dialect
    definitions_keyword: str
    definitions: Dict[str, Json]
    inner: Dict[Tuple[str, ...], str]
    """Schemas inside of others to which references lead, by the tokens of their pointers: the names of the
    definitions that stand for them, which are among the others."""
    even: Evened
    """The document as it was evened out."""
    stray: Tuple[Refusal, ...] = ()
    """The members of the root that are not generated."""

    @property
    def refused(self) -> Tuple[Refusal, ...]:
        """The faults of the root, and of the names that the document gives to schemas."""
        return (*self.stray, *self.even.refused)

    def refuse_strays(self) -> None:
        """Refuses what stands at the root, where nothing is built of the definitions that would refuse it."""
        if self.stray:
            raise Refusal.of_all(self.stray)

    def pointer_to(self, definition: str) -> str:
        """The place of a definition."""
        for tokens, name in self.inner.items():
            if name == definition:
                return join("", *tokens)
        return join("", self.definitions_keyword, definition)

    def referenced(self, ref: Json, pointer: str) -> str:
        """The name of the definition that a `$ref` means. `pointer` is where the `$ref` stands."""
        if not isinstance(ref, str):
            raise Refusal(self.file, pointer, f'"$ref" must be a string, not {show_json(ref)}')
        if not ref.startswith("#"):
            raise Refusal(self.file, pointer, f"{show_json(ref)} refers to another document")
        place = f"#/{self.definitions_keyword}/NAME"
        try:
            tokens = split(unquote(ref[1:], errors="strict"))
        except ValueError as error:
            raise Refusal(self.file, pointer, f"{show_json(ref)} is not of the form {place}") from error
        if tokens in self.inner:
            return self.inner[tokens]
        if len(tokens) != 2 or tokens[0] not in ("$defs", "definitions"):
            raise Refusal(self.file, pointer, f"{show_json(ref)} is not of the form {place}")
        if tokens[0] != self.definitions_keyword:
            cause = (
                f'{show_json(ref)} leads nowhere: the definitions stand under "{self.definitions_keyword}"'
            )
            raise Refusal(self.file, pointer, cause)
        if tokens[1] not in self.definitions:
            raise Refusal(self.file, pointer, f"{show_json(ref)} has no target: there is no such definition")
        return tokens[1]


def find_source(document: Json, file: str) -> Source:
    """Recognises the dialect and finds the definitions, refusing what would be lost otherwise."""
    if not isinstance(document, dict):
        raise Refusal(file, "", "a schema document must be an object")
    dialect = find_dialect(document, file)
    even = evened(document, dialect, file)
    document = even.document
    keyword = _definitions_keyword(document, dialect, file)
    definitions = document[keyword]
    if not isinstance(definitions, dict):
        raise Refusal(file, join("", keyword), f'"{keyword}" must be an object')
    if not definitions:
        raise Refusal(file, join("", keyword), "there are no definitions, so there is nothing to generate")
    stray = tuple(
        Refusal(
            file,
            join("", name),
            f'{show_json(name)} at the root is not generated: only definitions under "{keyword}" are',
        )
        for name in document
        if name not in _ROOT_KEYWORDS and name != keyword
    )
    inner = _inner(document, definitions)
    schemas = {name: lookup(document, join("", *tokens)) for tokens, name in inner.items()}
    return Source(file, dialect, keyword, {**definitions, **schemas}, inner, even, stray)


def _inner(document: Dict[str, Json], definitions: Dict[str, Json]) -> Dict[Tuple[str, ...], str]:
    """The schemas inside of definitions to which references lead: nested definitions, and members. They are
    named by what their pointers name."""
    found: Dict[Tuple[str, ...], str] = {}
    for ref in dict.fromkeys(_references({**document, "$defs": definitions})):
        tokens = _tokens(ref)
        if len(tokens) > _DIRECT and tokens[0] in DEFINITION_KEYWORDS:
            try:
                schema = lookup(document, join("", *tokens))
            except KeyError:
                continue  # building refuses it
            name = ".".join(token for token in tokens if token not in _PLACES) or tokens[-1]
            if isinstance(schema, (bool, dict)) and name not in definitions:
                found[tokens] = name
    return found


def _tokens(ref: str) -> Tuple[str, ...]:
    """The tokens of a reference into its own document; none of another."""
    try:
        return split(unquote(ref[1:], errors="strict")) if ref.startswith("#/") else ()
    except ValueError:
        return ()


def _references(schema: Json) -> Iterator[str]:
    """All references in a schema and those inside of it."""
    if not isinstance(schema, dict):
        return
    ref = schema.get("$ref")
    if isinstance(ref, str):
        yield ref
    for keyword, holds in SUBSCHEMAS.items():
        value = schema.get(keyword)
        if holds is Holds.NAMED_SCHEMAS and isinstance(value, dict):
            value = [*value.values()]
        for part in value if isinstance(value, list) else [value]:
            yield from _references(part)


def _definitions_keyword(document: Dict[str, Json], dialect: Dialect, file: str) -> str:
    found: Optional[str] = None
    for keyword in dialect.definition_keywords:
        if keyword in document and found is not None:
            cause = f'definitions stand under both "{found}" and "{keyword}": use one of them'
            raise Refusal(file, join("", keyword), cause)
        if keyword in document:
            found = keyword
    if found is None:
        expected = " or ".join(f'"{keyword}"' for keyword in dialect.definition_keywords)
        raise Refusal(file, "", f"{expected} is missing, so there is nothing to generate ({dialect.name})")
    return found
