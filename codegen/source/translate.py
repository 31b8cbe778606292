# SPDX-License-Identifier: MIT
"""A schema of an older dialect in the words of the newest: what is valid stays the same."""

from __future__ import annotations

from typing import Dict, Tuple

from codegen.errors import Refusal
from codegen.source.dialects import ANNOTATIONS, DEFINITION_KEYWORDS, DIALECTS, SUBSCHEMAS, Dialect, Holds
from codegen.source.jsonfile import Json
from codegen.source.plain import Plain
from codegen.source.pointers import join

_NEWEST = DIALECTS[-1]
_BESIDE_REF = ANNOTATIONS | {"$ref", *DEFINITION_KEYWORDS}
"""The keywords that are kept where $ref stands alone: annotations."""
_UNTRANSLATED = ("$recursiveRef", "$recursiveAnchor")
_REWRITTEN = ("items", "additionalItems", "dependencies")


def translated(value: Json, dialect: Dialect, schema: Plain) -> Json:
    """The schema, which states an older dialect, without `$schema`. Refused is what the newest cannot say."""
    found = _Translator(dialect, schema).schema(value, schema.place)
    assert isinstance(found, dict)
    return {name: item for name, item in found.items() if name != "$schema"}


class _Translator:
    def __init__(self, dialect: Dialect, whole: Plain) -> None:
        self._dialect = dialect
        self._whole = whole

    def schema(self, value: Json, place: str) -> Json:
        """A schema at a place."""
        if not isinstance(value, dict):
            return value
        alone = self._dialect.ref_stands_alone and "$ref" in value
        made: Dict[str, Json] = {}
        for keyword, item in value.items():
            if not self._dialect.knows(keyword) or (
                alone and keyword not in _BESIDE_REF and keyword != "$schema"
            ):
                continue  # which the dialect ignores
            self._check(keyword, value, place)
            if keyword not in _REWRITTEN:
                made[keyword] = self._inside(keyword, item, join(place, keyword))
        if not alone:
            self._items(value, place, made)
            self._dependencies(value, place, made)
        return made

    def _check(self, keyword: str, value: Dict[str, Json], place: str) -> None:
        evaluates = keyword == "unevaluatedItems" and "contains" in value
        if keyword in _UNTRANSLATED or (evaluates and not self._dialect.contains_evaluates):
            cause = f'"{keyword}" does not mean in {self._dialect.name} what it means in {_NEWEST.name}'
            raise Refusal(self._whole.file, join(place, keyword), cause)

    def _inside(self, keyword: str, value: Json, place: str) -> Json:
        """The new value of a keyword."""
        holds = SUBSCHEMAS.get(keyword)
        if holds is None:
            return value
        if isinstance(value, list):
            return [self.schema(item, join(place, index)) for index, item in enumerate(value)]
        if holds is Holds.NAMED_SCHEMAS and isinstance(value, dict):
            return {name: self.schema(item, join(place, name)) for name, item in value.items()}
        return self.schema(value, place)

    def _items(self, value: Dict[str, Json], place: str, made: Dict[str, Json]) -> None:
        """The schemas of the first items, and that of the others."""
        if "items" not in value:
            return
        items = self._inside("items", value["items"], join(place, "items"))
        if not isinstance(items, list):
            made["items"] = items
            return
        if items:
            made["prefixItems"] = items
        if "additionalItems" in value:
            made["items"] = self._inside(
                "additionalItems", value["additionalItems"], join(place, "additionalItems")
            )

    def _dependencies(self, value: Dict[str, Json], place: str, made: Dict[str, Json]) -> None:
        """The requirement that members entail: other members, or a schema."""
        if not self._dialect.knows("dependencies") or "dependencies" not in value:
            return
        names, schemas = self._parted(value["dependencies"], join(place, "dependencies"))
        if names:
            made["dependentRequired"] = names
        if schemas:
            made["dependentSchemas"] = schemas

    def _parted(self, value: Json, place: str) -> Tuple[Dict[str, Json], Dict[str, Json]]:
        if not isinstance(value, dict):
            raise Refusal(self._whole.file, place, '"dependencies" must be an object')
        names: Dict[str, Json] = {name: item for name, item in value.items() if isinstance(item, list)}
        schemas = {
            name: self.schema(item, join(place, name)) for name, item in value.items() if name not in names
        }
        return names, schemas
