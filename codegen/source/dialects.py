# SPDX-License-Identifier: MIT
"""The JSON Schema dialects, and what a document's dialect decides: where definitions stand, what may stand
beside `$ref`, and which keywords hold schemas."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Dict, FrozenSet, Iterator, Tuple

from codegen.errors import Refusal
from codegen.source.jsonfile import Json, show_json

ANNOTATIONS: FrozenSet[str] = frozenset(
    {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"}
    | {"contentEncoding", "contentMediaType", "contentSchema"}
)
"""Keywords without any say in what is valid. Only `description` is read."""


class Holds(Enum):
    """The value of a keyword, for those that hold schemas."""

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
    "dependencies": Holds.NAMED_SCHEMAS,
    "prefixItems": Holds.SCHEMAS,
    "oneOf": Holds.SCHEMAS,
    "allOf": Holds.SCHEMAS,
    "anyOf": Holds.SCHEMAS,
}
"""The keywords under which a generated schema has further schemas; other places hold names and values."""


DEFINITION_KEYWORDS: Tuple[str, ...] = ("$defs", "definitions")
"""The place of definitions."""


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

    @property
    def contains_evaluates(self) -> bool:
        """Whether items that `contains` finds are none that unevaluatedItems looks at."""
        return self.name == "2020-12"

    def knows(self, keyword: str) -> bool:
        """Whether a keyword that some dialect has means something in this one."""
        first, last = _DIALECTS_OF.get(keyword, (_OLDEST, _NEWEST))
        return _ORDER.index(first) <= _ORDER.index(self.name) <= _ORDER.index(last)

    @property
    def tuple_keywords(self) -> Tuple[str, str]:
        """The keyword for the schemas of the first items, one each, and the keyword for that of the
        others."""
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
    "unevaluatedItems": ("2019-09", _NEWEST),
    "unevaluatedProperties": ("2019-09", _NEWEST),
    "$anchor": ("2019-09", _NEWEST),
    "$recursiveAnchor": ("2019-09", "2019-09"),
    "$recursiveRef": ("2019-09", "2019-09"),
    "$dynamicAnchor": ("2020-12", _NEWEST),
    "$dynamicRef": ("2020-12", _NEWEST),
    "prefixItems": ("2020-12", _NEWEST),
    "additionalItems": (_OLDEST, "2019-09"),
}
"""The first and the last dialect that has a keyword, for those that not all have; the others ignore it."""

DIALECTS: Tuple[Dialect, ...] = (
    Dialect("draft-06", "http://json-schema.org/draft-06/schema", DEFINITION_KEYWORDS, True),
    Dialect("draft-07", "http://json-schema.org/draft-07/schema", DEFINITION_KEYWORDS, True),
    Dialect("2019-09", "https://json-schema.org/draft/2019-09/schema", DEFINITION_KEYWORDS, False),
    Dialect("2020-12", "https://json-schema.org/draft/2020-12/schema", DEFINITION_KEYWORDS, False),
)


def subschemas(schema: Dict[str, Json], dialect: Dialect) -> Iterator[Tuple[Tuple[str, ...], Json]]:
    """The schemas in a schema's keywords, each with the tokens that lead to it."""
    for keyword, value in schema.items():
        holds = SUBSCHEMAS.get(keyword)
        if holds is None or not dialect.knows(keyword):
            continue
        if isinstance(value, list):
            yield from (((keyword, str(index)), item) for index, item in enumerate(value))
        elif holds is Holds.NAMED_SCHEMAS and isinstance(value, dict):
            yield from (((keyword, name), item) for name, item in value.items())
        else:
            yield (keyword,), value


def find_dialect(document: Dict[str, Json], file: str) -> Dialect:
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
