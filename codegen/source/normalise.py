# SPDX-License-Identifier: MIT
"""The JSON Schema dialects, and what a document's dialect decides: where definitions stand, what may stand
beside `$ref`, and which keywords hold schemas."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Dict, FrozenSet, Optional, Tuple
from urllib.parse import unquote

from codegen.errors import Refusal
from codegen.source.jsonfile import Json, show_json
from codegen.source.pointers import join, split

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
    "prefixItems": Holds.SCHEMAS,
    "allOf": Holds.SCHEMAS,
    "anyOf": Holds.SCHEMAS,
}
"""The keywords under which a generated schema has further schemas; other places hold names and values."""

_ROOT_KEYWORDS = ANNOTATIONS | {"$schema", "$id"}


DEFINITION_KEYWORDS: Tuple[str, ...] = ("$defs", "definitions")
"""Where definitions stand."""


@dataclass(frozen=True)
class Dialect:
    """A version of JSON Schema."""

    name: str
    uri: str
    definition_keywords: Tuple[str, ...]
    ref_stands_alone: bool
    """Keywords beside `$ref` are ignored."""

    @property
    def tuple_keywords(self) -> Tuple[str, str]:
        """What holds the schemas of the first items, one each, and what holds that of the others."""
        return ("prefixItems", "items") if self.name == "2020-12" else ("items", "additionalItems")

    def stated_by(self, uri: Json) -> bool:
        """Whether a `$schema` names this dialect."""
        return isinstance(uri, str) and uri in (self.uri, self.uri + "#")


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

    def pointer_to(self, definition: str) -> str:
        """Where a definition stands."""
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
    return Source(file, dialect, keyword, definitions)


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
