# SPDX-License-Identifier: MIT
"""Residual constraints, as schemas of their own: evened out to one dialect, without annotations and formats,
with the definitions that they refer to. They stand alone, so that no later stage
needs the document."""

from __future__ import annotations

from decimal import Decimal
from typing import Callable, Dict, FrozenSet, List, Tuple, Union

from codegen.errors import Refusal
from codegen.model.keywords import JSON_TYPES, refusal_of, types_of
from codegen.model.nodes import Node, Residual
from codegen.model.rules import unheld
from codegen.source.dialects import ANNOTATIONS
from codegen.source.jsonfile import Json, json_text, show_json
from codegen.source.normalise import Source
from codegen.source.pointers import join
from codegen.source.structure import without_annotations

Schema = Dict[str, Json]

_ALONE = ("pattern", "not", "dependencies", "dependentRequired", "dependentSchemas")
_BY_PATTERN = ("patternProperties", "additionalProperties")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_CONTAINED = ("minContains", "maxContains")
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_ONE = ("not", "additionalProperties", "propertyNames", "contains")
_CONDITIONS = ("if", "then", "else")
_UNEVALUATED = ("unevaluatedItems", "unevaluatedProperties")
_LISTS = ("allOf", "anyOf", "oneOf")
_MAPS = ("properties", "patternProperties")
_SILENT = ANNOTATIONS | {"format", "$schema", "$defs", "definitions"}
_SINCE_2019 = (*_CONTAINED, "dependentRequired", "dependentSchemas")


def residual_of(source: Source, raw: Schema, pointer: str, apart: Tuple[Node, ...] = ()) -> Residual:
    """The demand that these keywords of the schema at a pointer make."""
    writer = _Writer(source)
    schema = dict(writer.keywords(raw, pointer))
    definitions: Dict[str, Json] = {}
    while writer.wanted:
        name = writer.wanted.pop()
        if name not in definitions:
            definitions[name] = writer.schema(source.definitions[name], source.pointer_to(name))
    if definitions:
        schema["$defs"] = definitions
    return Residual(json_text(schema), apart)


def residuals_of(
    source: Source, raw: Schema, pointer: str, kinds: FrozenSet[str], is_tuple: bool
) -> Tuple[Residual, ...]:
    """The residual constraint of the keywords that stand at a pointer. `kinds` are those of its values, and
    `is_tuple` says whether items differ by position."""
    if any(keyword in raw for keyword in ("unevaluatedItems", "unevaluatedProperties")):
        return (residual_of(source, raw, pointer),)  # these look at all that stands beside them
    names = [name for name in _ALONE if name in raw]
    if "if" in raw:
        names += [name for name in ("if", "then", "else") if name in raw]
    if "contains" in raw:
        names += [name for name in ("contains", "minContains", "maxContains") if name in raw]
    if _names_are_limited(raw):
        names.append("propertyNames")
    if raw.get("uniqueItems", False) is not False:
        names.append("uniqueItems")
    if is_tuple:
        names += [name for name in source.dialect.tuple_keywords if name in raw]
    names += unheld(types_of(kinds), raw)
    said: Schema = {name: raw[name] for name in names}
    if "patternProperties" in raw:
        members = raw.get("properties", {})
        said.update({name: raw[name] for name in _BY_PATTERN if name in raw})
        if isinstance(members, dict):
            said["properties"] = dict.fromkeys(members, True)
    return (residual_of(source, said, pointer),) if said else ()


def has_pattern(text: str) -> bool:
    """Whether a demand has a regular expression; a member of that name counts, too."""
    return '"pattern":"' in text or '"patternProperties":{' in text


def _without_marks(schema: Schema) -> Schema:
    """A schema in which items that `contains` finds count as not evaluated: within `not` nothing does."""
    found = {keyword: schema[keyword] for keyword in ("contains", *_CONTAINED) if keyword in schema}
    if "contains" not in found:
        return schema
    rest = {keyword: value for keyword, value in schema.items() if keyword not in found}
    all_of = rest.get("allOf", [])
    assert isinstance(all_of, list)
    return {**rest, "allOf": [*all_of, {"not": {"not": found}}]}


def _names_are_limited(raw: Schema) -> bool:
    """Names are strings: what demands no more of them demands nothing."""
    names = raw.get("propertyNames", True)
    return names is not True and without_annotations(names) not in ({}, {"type": "string"})


class _Writer:
    """Writes the schemas of a document in the words of 2020-12."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._dialect = source.dialect
        self.wanted: List[str] = []

    def schema(self, raw: Json, pointer: str) -> Json:
        if isinstance(raw, bool):
            return raw
        if not isinstance(raw, dict):
            self._refuse(pointer, f"a schema must be an object or a boolean, not {show_json(raw)}")
            return True
        if "$ref" in raw and self._dialect.ref_stands_alone:
            return {"$ref": self._reference(raw["$ref"], join(pointer, "$ref"))}
        return self.keywords(raw, pointer)

    def keywords(self, raw: Schema, pointer: str) -> Schema:
        made: Schema = {}
        for keyword, value in raw.items():
            place = join(pointer, keyword)
            if keyword == "$schema" and not self._dialect.stated_by(value):
                self._refuse(place, refusal_of(keyword))
            if keyword in _SILENT:
                continue
            made.update(self._keyword(keyword, value, place))
        if not self._dialect.tuples_by_prefix:
            made = self._with_new_items(made, raw, pointer)
        marks = self._dialect.contains_evaluates or not self._source.even.has_unevaluated_items
        return made if marks else _without_marks(made)

    def _keyword(self, keyword: str, value: Json, place: str) -> Schema:
        if keyword == "$ref":
            return {keyword: self._reference(value, place)}
        if keyword in ("items", "additionalItems") and not self._dialect.tuples_by_prefix:
            return {}
        if keyword == "dependencies":
            return self._dependencies(value, place)
        for keywords, read in self._readers:
            if keyword in keywords:
                return {keyword: read(self, value, place)}
        self._refuse(place, refusal_of(keyword))
        return {}

    def _with_new_items(self, made: Schema, raw: Schema, pointer: str) -> Schema:
        """The items of older dialects: a list of schemas with additionalItems after it, or one schema."""
        items = raw.get("items")
        if isinstance(items, list):
            made["prefixItems"] = self._list(items, join(pointer, "items"))
            if "additionalItems" in raw:
                made["items"] = self.schema(raw["additionalItems"], join(pointer, "additionalItems"))
        elif "items" in raw:
            made["items"] = self.schema(items, join(pointer, "items"))
        return made

    def _dependencies(self, value: Json, place: str) -> Schema:
        names: Schema = {}
        schemas: Schema = {}
        for name, part in self._object(value, place).items():
            if isinstance(part, list):
                names[name] = self._names(part, join(place, name))
            else:
                schemas[name] = self.schema(part, join(place, name))
        return {"dependentRequired": names, "dependentSchemas": schemas}

    # Values of keywords

    def _list(self, value: Json, place: str) -> Json:
        if not isinstance(value, list) or not value:
            self._refuse(place, f"must be an array of at least one schema, not {show_json(value)}")
            return []
        return [self.schema(item, join(place, index)) for index, item in enumerate(value)]

    def _map(self, value: Json, place: str) -> Json:
        members = self._object(value, place)
        return {name: self.schema(item, join(place, name)) for name, item in members.items()}

    def _lists_of_names(self, value: Json, place: str) -> Json:
        members = self._object(value, place)
        return {name: self._names(item, join(place, name)) for name, item in members.items()}

    def _names(self, value: Json, place: str) -> Json:
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            self._refuse(place, f"must be an array of strings, not {show_json(value)}")
        return value

    def _object(self, value: Json, place: str) -> Schema:
        if not isinstance(value, dict):
            self._refuse(place, f"must be an object, not {show_json(value)}")
            return {}
        return value

    def _count(self, value: Json, place: str) -> Json:
        number = self._number(value, place)
        if value != Decimal(str(number)).to_integral_value() or not 0 <= number < 2**32 - 1:
            self._refuse(place, f"must be an integer from 0 to {2**32 - 2}, not {show_json(value)}")
        return int(number)

    def _number(self, value: Json, place: str) -> Union[int, Decimal]:
        if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
            self._refuse(place, f"must be a number, not {show_json(value)}")
            return 0
        return value

    def _divisor(self, value: Json, place: str) -> Json:
        if self._number(value, place) <= 0:
            self._refuse(place, f"must be a number above 0, not {show_json(value)}")
        return value

    def _text(self, value: Json, place: str) -> Json:
        if not isinstance(value, str):
            self._refuse(place, f"must be a string, not {show_json(value)}")
        return value

    def _truth(self, value: Json, place: str) -> Json:
        if not isinstance(value, bool):
            self._refuse(place, f"must be true or false, not {show_json(value)}")
        return value

    def _values(self, value: Json, place: str) -> Json:
        if not isinstance(value, list):
            self._refuse(place, f"must be an array, not {show_json(value)}")
        return value

    def _anything(self, value: Json, place: str) -> Json:
        del place
        return value

    def _types(self, value: Json, place: str) -> Json:
        names = value if isinstance(value, list) else [value]
        for name in names:
            if name not in JSON_TYPES:
                self._refuse(
                    place, f"unknown type {show_json(name)}: it must be one of {', '.join(JSON_TYPES)}"
                )
        return value

    _readers: Tuple[Tuple[Tuple[str, ...], Callable[[_Writer, Json, str], Json]], ...] = (
        ((*_ONE, *_CONDITIONS, *_UNEVALUATED, "items"), schema),
        ((*_LISTS, "prefixItems"), _list),
        ((*_MAPS, "dependentSchemas"), _map),
        (("dependentRequired",), _lists_of_names),
        (("required",), _names),
        ((*_COUNTS, *_CONTAINED), _count),
        (_BOUNDS, _number),
        (("multipleOf",), _divisor),
        (("pattern",), _text),
        (("uniqueItems",), _truth),
        (("enum",), _values),
        (("const",), _anything),
        (("type",), _types),
    )

    # References

    def _reference(self, ref: Json, place: str) -> str:
        name = self._source.referenced(ref, place)
        self.wanted.append(name)
        return "#/$defs/" + name.replace("~", "~0").replace("/", "~1")

    def _refuse(self, place: str, cause: str) -> None:
        raise Refusal(self._source.file, place, cause)
