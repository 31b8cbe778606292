# SPDX-License-Identifier: MIT
"""The tables of demands: schemas that stand alone, compiled to the shapes that runtime/schema walks along.
For schemas in generated code this module does the work of runtime/schema/compile*.c;
<mcpw/detail/table_shapes.h> explains the fields, and the constants here repeat its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from codegen.emit.fragments import CCode, CIdentifier, CNumber, CString
from codegen.emit.shape_text import IS_WHOLE, hash_text, row_text, scalar_text
from codegen.model.resolve import IS_ARRAY, IS_BOOLEAN, IS_NULL, IS_NUMBER, IS_OBJECT, IS_STRING
from codegen.source.jsonfile import Json, json_text, parse_json

Schema = Dict[str, Json]

_TRUE, _FALSE = 0, 1
_NONE = 0xFFFFFFFF
_ANYTHING = 127
_TYPES = {
    "object": IS_OBJECT,
    "array": IS_ARRAY,
    "string": IS_STRING,
    "number": IS_NUMBER | IS_WHOLE,
    "integer": IS_WHOLE,
    "boolean": IS_BOOLEAN,
    "null": IS_NULL,
}
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_SHORT_DIGITS = 18
_HASH_BITS = 32

_C_TYPES = {
    "shapes": "mcpw_shape",
    "steps": "mcpw_step",
    "bounds": "mcpw_bound",
    "number_rows": "mcpw_number_row",
    "string_rows": "mcpw_string_row",
    "array_rows": "mcpw_array_row",
    "object_rows": "mcpw_object_row",
    "names": "mcpw_name",
    "numbers": "uint32_t",
    "pattern_texts": "mcpw_span",
    "nodes": "mcpw_tape_node",
}


@dataclass(frozen=True)
class ShapeTable:
    """A C array: its name, the type of its entries, its initialisers."""

    name: str
    c_type: str
    rows: Tuple[CCode, ...]


@dataclass(frozen=True)
class _Waiting:
    """A schema whose shape has a number, and its definitions."""

    schema: Schema
    definitions: Mapping[str, Json]
    key: str


class Shapes:
    """Compiles schemas into tables that they share."""

    def __init__(self) -> None:
        self._tables: Dict[str, List[CCode]] = {name: [] for name in _C_TYPES}
        self._pool: List[bytes] = []
        self._offsets: Dict[bytes, int] = {}
        self._pool_size = 0
        self._known: Dict[Tuple[str, str], int] = {}
        self._patterns: Dict[str, int] = {}
        self._shapes: List[Optional[CCode]] = []
        self._waiting: List[Tuple[int, _Waiting]] = []
        self._roots: List[int] = []
        self._shapes += [self._shape(_ANYTHING), self._shape(0)]
        self._add("number_rows", CCode("{{0, 0}}"))
        self._add("string_rows", CCode("{0, 0, 0, 0}"))
        self._add("array_rows", CCode("{0, 0, 0, {0, 0}, 0, 0, 0, 0, 0, 0}"))
        self._add("object_rows", CCode("{{0, 0}, 0, 0, 0, 0, 0, 0, 0, {0, 0}, 0, 0, 0}"))

    def add(self, texts: Sequence[str]) -> int:
        """The number of a schema that demands what all of these do."""
        parts: List[int] = []
        for text in texts:
            value = parse_json(text.encode(), "residual")
            assert isinstance(value, dict)
            definitions = value.pop("$defs", {})
            assert isinstance(definitions, dict)
            parts.append(self._number_of(value, _Waiting(value, definitions, json_text(definitions))))
            self._compile_all()
        if len(parts) > 1:
            steps = self._steps([("REF", part, 0) for part in parts])
            self._shapes.append(self._shape(_ANYTHING, steps=steps))
            parts = [len(self._shapes) - 1]
        self._roots.append(parts[0])
        return len(self._roots) - 1

    @property
    def has_patterns(self) -> bool:
        return bool(self._patterns)

    @property
    def pattern_count(self) -> int:
        return len(self._patterns)

    @property
    def roots(self) -> Tuple[int, ...]:
        """The shape of each schema."""
        return tuple(self._roots)

    @property
    def node_count(self) -> int:
        return len(self._tables["nodes"])

    def tables(self) -> Tuple[ShapeTable, ...]:
        """All that have rows."""
        rows = {**self._tables, "shapes": [shape for shape in self._shapes if shape is not None]}
        return tuple(
            ShapeTable(f"schema_{name}", c_type, tuple(rows[name]))
            for name, c_type in _C_TYPES.items()
            if rows[name]
        )

    def pool(self) -> Tuple[CString, ...]:
        """The texts, as C strings."""
        return tuple(map(CString, self._pool))

    # Tables

    def _add(self, table: str, row: CCode) -> int:
        self._tables[table].append(row)
        return len(self._tables[table]) - 1

    def _numbers(self, values: Sequence[int]) -> int:
        first = len(self._tables["numbers"])
        self._tables["numbers"] += [CCode("$", value) for value in values]
        return first

    def _text(self, text: bytes) -> int:
        if text not in self._offsets:
            self._offsets[text] = self._pool_size
            self._pool.append(text)
            self._pool_size += len(text)
        return self._offsets[text]

    def _span_of(self, text: bytes) -> CCode:
        return _span(self._text(text), len(text))

    def _steps(self, steps: Sequence[Tuple[str, int, int]]) -> Tuple[int, int]:
        first = len(self._tables["steps"])
        for kind, a, b in steps:
            self._add("steps", CCode("{MCPW_STEP_$, $, $}", CIdentifier(kind), a, b))
        return first, len(steps)

    @staticmethod
    def _shape(
        types: int, rows: Sequence[int] = (0, 0, 0, 0), tracks: int = 0, steps: Tuple[int, int] = (0, 0)
    ) -> CCode:
        return row_text(types, *rows, tracks, 0, _span(*steps))

    # Schemas

    def _number_of(self, schema: Json, within: _Waiting) -> int:
        """The number of a schema's shape, which is compiled later."""
        if schema is True or schema == {}:
            return _TRUE
        if schema is False:
            return _FALSE
        assert isinstance(schema, dict)
        key = (within.key, json_text(schema))
        if key not in self._known:
            self._known[key] = len(self._shapes)
            self._shapes.append(None)
            waiting = _Waiting(schema, within.definitions, within.key)
            self._waiting.append((self._known[key], waiting))
        return self._known[key]

    def _compile_all(self) -> None:
        while self._waiting:
            number, waiting = self._waiting.pop()
            self._shapes[number] = self._compile(waiting)

    def _compile(self, at: _Waiting) -> CCode:
        schema = at.schema
        types = _ANYTHING
        if "type" in schema:
            named = schema["type"]
            types = 0
            for name in named if isinstance(named, list) else [named]:
                types |= _TYPES[str(name)]
        rows = (self._number_row(schema), self._string_row(schema), self._array_row(at), self._object_row(at))
        tracks = IS_OBJECT * ("unevaluatedProperties" in schema) | IS_ARRAY * ("unevaluatedItems" in schema)
        return self._shape(types, rows, tracks, self._steps(self._steps_of(at)))

    def _steps_of(self, at: _Waiting) -> List[Tuple[str, int, int]]:
        schema = at.schema
        steps: List[Tuple[str, int, int]] = []
        if "const" in schema:
            steps.append(("CONST", self._constant(schema["const"]), 0))
        if "enum" in schema:
            values = [self._constant(value) for value in _list(schema["enum"])]
            steps.append(("ENUM", self._numbers(values), len(values)))
        if "$ref" in schema:
            name = str(schema["$ref"])[len("#/$defs/") :].replace("~1", "/").replace("~0", "~")
            steps.append(("REF", self._number_of(at.definitions[name], at), 0))
        steps += [("REF", self._number_of(part, at), 0) for part in _list(schema.get("allOf", []))]
        for keyword, kind in (("anyOf", "ANY_OF"), ("oneOf", "ONE_OF")):
            if keyword in schema:
                parts = [self._number_of(part, at) for part in _list(schema[keyword])]
                steps.append((kind, self._numbers(parts), len(parts)))
        if "not" in schema:
            steps.append(("NOT", self._number_of(schema["not"], at), 0))
        if "if" in schema:
            three = [self._number_of(schema.get(keyword, True), at) for keyword in ("if", "then", "else")]
            steps.append(("IF", self._numbers(three), 0))
        for keyword, kind in (("unevaluatedProperties", "PROPERTIES"), ("unevaluatedItems", "ITEMS")):
            if keyword in schema:
                steps.append((kind, self._number_of(schema[keyword], at), 0))
        return steps

    # Constants

    def _constant(self, value: Json) -> int:
        """Puts a value on the tape of constants."""
        nodes = self._tables["nodes"]
        first = len(nodes)
        if isinstance(value, (dict, list)):
            nodes.append(CCode(""))
            for item in value:
                if isinstance(value, dict):
                    name = str(item).encode()
                    place = self._text(name)
                    nodes.append(CCode("{$, $, $U, $}", place, len(name), hash_text(name), IS_STRING))
                    self._constant(value[str(item)])
                else:
                    self._constant(item)
            kind = IS_OBJECT if isinstance(value, dict) else IS_ARRAY
            nodes[first] = CCode("{0, $, $, $}", len(value), len(nodes), kind)
            return first
        text, kind = scalar_text(value)
        nodes.append(CCode("{$, $, 0, $}", self._text(text), len(text), kind))
        return first

    # Rows

    def _number_row(self, schema: Schema) -> int:
        first = len(self._tables["bounds"])
        for kind, keyword in zip(("MINIMUM", "MAXIMUM", "ABOVE", "BELOW", "MULTIPLE"), _BOUNDS):
            if keyword in schema:
                text, of_type = scalar_text(schema[keyword])
                short = of_type == IS_WHOLE and len(text) <= _SHORT_DIGITS
                value = CNumber(text.decode() if short else "0")
                row = (CIdentifier(kind), self._span_of(text), int(short), value)
                self._add("bounds", CCode("{MCPW_BOUND_$, $, $, INT64_C($)}", *row))
        count = len(self._tables["bounds"]) - first
        return self._add("number_rows", CCode("{$}", _span(first, count))) if count else 0

    def _pattern(self, text: str) -> int:
        if text not in self._patterns:
            self._patterns[text] = self._add("pattern_texts", self._span_of(text.encode()))
        return self._patterns[text]

    def _string_row(self, schema: Schema) -> int:
        least, most = _count(schema, "minLength", 0), _count(schema, "maxLength", _NONE)
        pattern = self._pattern(str(schema["pattern"])) if "pattern" in schema else _NONE
        if (least, most, pattern) == (0, _NONE, _NONE):
            return 0
        return self._add("string_rows", row_text(least, most, pattern, 0))

    def _array_row(self, at: _Waiting) -> int:
        schema = at.schema
        keywords = ("minItems", "maxItems", "uniqueItems", "prefixItems", "items", "contains")
        if not any(keyword in schema for keyword in keywords):
            return 0
        prefix = [self._number_of(part, at) for part in _list(schema.get("prefixItems", []))]
        contains = self._number_of(schema["contains"], at) if "contains" in schema else _NONE
        return self._add(
            "array_rows",
            row_text(
                _count(schema, "minItems", 0),
                _count(schema, "maxItems", _NONE),
                int(schema.get("uniqueItems") is True),
                _span(self._numbers(prefix), len(prefix)),
                self._number_of(schema.get("items", True), at),
                int("items" in schema),
                contains,
                _count(schema, "minContains", 1),
                _count(schema, "maxContains", _NONE),
                1,
            ),
        )

    def _object_row(self, at: _Waiting) -> int:
        schema = at.schema
        patterns = [
            number
            for text, part in _dict(schema.get("patternProperties", {})).items()
            for number in (self._pattern(text), self._number_of(part, at))
        ]
        names = self._names(at)
        least, most = _count(schema, "minProperties", 0), _count(schema, "maxProperties", _NONE)
        others = ("additionalProperties", "propertyNames")
        if not (names or patterns or least or most != _NONE or any(each in schema for each in others)):
            return 0
        first, required, bits = self._name_rows(names, at)
        buckets, bucket_bits = self._buckets([hash_text(name.encode()) for name in names])
        depends = any(keyword in schema for keyword in ("dependentRequired", "dependentSchemas"))
        return self._add(
            "object_rows",
            row_text(
                _span(first, len(names)),
                buckets,
                bucket_bits,
                required,
                bits,
                int(depends),
                least,
                most,
                _span(self._numbers(patterns), len(patterns) // 2),
                self._number_of(schema.get("additionalProperties", True), at),
                int("additionalProperties" in schema),
                self._number_of(schema.get("propertyNames", True), at),
            ),
        )

    @staticmethod
    def _names(at: _Waiting) -> List[str]:
        """All names that the schema of an object speaks of, in the order in which they are searched."""
        schema = at.schema
        found: Dict[str, None] = dict.fromkeys(map(str, _list(schema.get("required", []))))
        for keyword in ("properties", "dependentSchemas", "dependentRequired"):
            found.update(dict.fromkeys(_dict(schema.get(keyword, {}))))
        for names in _dict(schema.get("dependentRequired", {})).values():
            found.update(dict.fromkeys(map(str, _list(names))))
        return sorted(found, key=lambda name: (hash_text(name.encode()), len(name.encode()), name.encode()))

    def _name_rows(self, names: List[str], at: _Waiting) -> Tuple[int, int, int]:
        """The first of them, how many are required, and how many bits are asked for."""
        schema = at.schema
        members = _dict(schema.get("properties", {}))
        entails = _dict(schema.get("dependentSchemas", {}))
        residuals = {name: _list(each) for name, each in _dict(schema.get("dependentRequired", {})).items()}
        required = {str(name) for name in _list(schema.get("required", []))}
        asked = {
            *entails,
            *residuals,
            *(str(name) for each in residuals.values() for name in each),
        } - required
        wanted = [name for name in names if name in required] + [name for name in names if name in asked]
        bit_of = {name: bit for bit, name in enumerate(wanted)}
        rows = []
        for name in names:
            text = name.encode()
            places = [names.index(str(other)) for other in residuals.get(name, [])]
            shape = self._number_of(members[name], at) if name in members else _NONE
            entailed = self._number_of(entails[name], at) if name in entails else _NONE
            span = _span(self._numbers(places), len(places))
            rows.append(
                row_text(hash_text(text), self._span_of(text), shape, bit_of.get(name, _NONE), entailed, span)
            )
        first = len(self._tables["names"])
        self._tables["names"] += rows
        return first, len(required), len(wanted)

    def _buckets(self, hashes: List[int]) -> Tuple[int, int]:
        """About as many buckets as names, or two: the first name of each, and one more at the end."""
        if not hashes:
            return 0, 0
        bits = max(1, (len(hashes) - 1).bit_length())
        places = [
            sum(each >> (_HASH_BITS - bits) < bucket for each in hashes) for bucket in range(2**bits + 1)
        ]
        return self._numbers(places), bits


def _span(first: int, count: int) -> CCode:
    return CCode("{$, $}", first, count)


def _count(schema: Schema, keyword: str, otherwise: int) -> int:
    value = schema.get(keyword, otherwise)
    assert isinstance(value, int)
    return value


def _list(value: Json) -> List[Json]:
    assert isinstance(value, list)
    return value


def _dict(value: Json) -> Schema:
    assert isinstance(value, dict)
    return value
