# SPDX-License-Identifier: MIT
"""The JSON Schema dialects, and what a document's dialect decides: where definitions stand, what may stand
beside `$ref`, and which keywords hold schemas."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Dict, FrozenSet, Iterator, Optional, Tuple
from urllib.parse import unquote

from codegen.errors import Refusal
from codegen.source.jsonfile import Json, show_json
from codegen.source.pointers import join, lookup, split

ANNOTATIONS: FrozenSet[str] = frozenset(
    {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"}
)
"""Keywords without any say in what is valid. Only `description` is read."""


class Holds(Enum):
    """What a keyword holds, for those that hold schemas."""

    SCHEMA = "schema"
    SCHEMAS = "array of schemas"
    NAMED_SCHEMAS = "object of schemas"


SUBSCHEMAS: Dict[str, Holds] = {
    "$defs": Holds.NAMED_SCHEMAS,
    "definitions": Holds.NAMED_SCHEMAS,
    "properties": Holds.NAMED_SCHEMAS,
    "additionalProperties": Holds.SCHEMA,
    "items": Holds.SCHEMA,
    "additionalItems": Holds.SCHEMA,
    "propertyNames": Holds.SCHEMA,
    "contains": Holds.SCHEMA,
    "not": Holds.SCHEMA,
    "if": Holds.SCHEMA,
    "then": Holds.SCHEMA,
    "else": Holds.SCHEMA,
    "unevaluatedItems": Holds.SCHEMA,
    "unevaluatedProperties": Holds.SCHEMA,
    "patternProperties": Holds.NAMED_SCHEMAS,
    "dependentSchemas": Holds.NAMED_SCHEMAS,
    "prefixItems": Holds.SCHEMAS,
    "oneOf": Holds.SCHEMAS,
    "allOf": Holds.SCHEMAS,
    "anyOf": Holds.SCHEMAS,
}
"""The keywords under which a generated schema has further schemas; other places hold names and values."""

_DIRECT = 2
"""Tokens of the pointer to a definition."""
_PLACES = frozenset({"$defs", "definitions", "properties"})
_ROOT_KEYWORDS = ANNOTATIONS | {"$schema", "$id"}


DEFINITION_KEYWORDS: Tuple[str, ...] = ("$defs", "definitions")
"""Where definitions stand."""


_ORDER = ("draft-06", "draft-07", "2019-09", "2020-12")
_OLDEST, _NEWEST = _ORDER[0], _ORDER[-1]


@dataclass(frozen=True)
class Dialect:
    """A version of JSON Schema."""

    name: str
    uri: str
    definition_keywords: Tuple[str, ...]
    ref_stands_alone: bool
    """Keywords beside `$ref` are ignored."""

    @property
    def tuples_by_prefix(self) -> bool:
        """Whether prefixItems has the schemas of the first items, and items that of the others."""
        return self.name == "2020-12"

    def knows(self, keyword: str) -> bool:
        """Whether a keyword that some dialect has means something in this one."""
        first, last = _DIALECTS_OF.get(keyword, (_OLDEST, _NEWEST))
        return _ORDER.index(first) <= _ORDER.index(self.name) <= _ORDER.index(last)

    @property
    def tuple_keywords(self) -> Tuple[str, str]:
        """What holds the schemas of the first items, one each, and what holds that of the others."""
        return ("prefixItems", "items") if self.tuples_by_prefix else ("items", "additionalItems")

    def stated_by(self, uri: Json) -> bool:
        """Whether a `$schema` names this dialect."""
        return isinstance(uri, str) and uri in (self.uri, self.uri + "#")


_DIALECTS_OF: Dict[str, Tuple[str, str]] = {
    "if": ("draft-07", _NEWEST),
    "then": ("draft-07", _NEWEST),
    "else": ("draft-07", _NEWEST),
    "dependencies": (_OLDEST, "draft-07"),
    "dependentRequired": ("2019-09", _NEWEST),
    "dependentSchemas": ("2019-09", _NEWEST),
    "minContains": ("2019-09", _NEWEST),
    "maxContains": ("2019-09", _NEWEST),
    "unevaluatedItems": ("2020-12", _NEWEST),
    "unevaluatedProperties": ("2020-12", _NEWEST),
    "prefixItems": ("2020-12", _NEWEST),
    "additionalItems": (_OLDEST, "2019-09"),
}
"""The first and the last dialect that has a keyword, for those that not all have. What 2019-09 calls
evaluated differs in details that nothing here follows."""

DIALECTS: Tuple[Dialect, ...] = (
    Dialect("draft-06", "http://json-schema.org/draft-06/schema", DEFINITION_KEYWORDS, True),
    Dialect("draft-07", "http://json-schema.org/draft-07/schema", DEFINITION_KEYWORDS, True),
    Dialect("2019-09", "https://json-schema.org/draft/2019-09/schema", DEFINITION_KEYWORDS, False),
    Dialect("2020-12", "https://json-schema.org/draft/2020-12/schema", DEFINITION_KEYWORDS, False),
)


@dataclass(frozen=True)
class Source:
    """A schema document of a known dialect, still as JSON."""

    file: str
    dialect: Dialect
    definitions_keyword: str
    definitions: Dict[str, Json]
    inner: Dict[Tuple[str, ...], str] = field(default_factory=dict)
    """Schemas inside of others to which references lead, by the tokens of their pointers: the names of the
    definitions that stand for them, which are among the others."""

    def pointer_to(self, definition: str) -> str:
        """Where a definition stands."""
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
            raise Refusal(self.file, pointer, f"{show_json(ref)} leads nowhere: there is no such definition")
        return tokens[1]


def find_source(document: Json, file: str) -> Source:
    """Recognises the dialect and finds the definitions, refusing what would be lost otherwise."""
    if not isinstance(document, dict):
        raise Refusal(file, "", "a schema document must be an object")
    dialect = _dialect(document, file)
    keyword = _definitions_keyword(document, dialect, file)
    definitions = document[keyword]
    if not isinstance(definitions, dict):
        raise Refusal(file, join("", keyword), f'"{keyword}" must be an object')
    if not definitions:
        raise Refusal(file, join("", keyword), "there are no definitions, so there is nothing to generate")
    for name in document:
        if name not in _ROOT_KEYWORDS and name != keyword:
            cause = f'{show_json(name)} at the root is not generated: only definitions under "{keyword}" are'
            raise Refusal(file, join("", name), cause)
    inner = _inner(document, definitions)
    schemas = {name: lookup(document, join("", *tokens)) for tokens, name in inner.items()}
    return Source(file, dialect, keyword, {**definitions, **schemas}, inner)


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


def _dialect(document: Dict[str, Json], file: str) -> Dialect:
    """The dialect that a document states, or else the one by whose keyword it calls its definitions."""
    if "$schema" not in document:
        wanted = "draft-07" if "definitions" in document else "2020-12"
        return next(dialect for dialect in DIALECTS if dialect.name == wanted)
    uri = document["$schema"]
    for dialect in DIALECTS:
        if dialect.stated_by(uri):
            return dialect
    raise Refusal(file, "/$schema", f"unknown dialect {show_json(uri)}: it must be {_known()}")


def _known() -> str:
    return " or ".join(show_json(dialect.uri) for dialect in DIALECTS)


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
