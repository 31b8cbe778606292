# SPDX-License-Identifier: MIT
"""Random schemas and values that have a chance of meeting."""

from __future__ import annotations

import random
from typing import Any, Dict, Iterator, List, Optional, Tuple

from codegen.errors import Refusal
from tests.codegen.support import DRAFT_07, DRAFT_2020_12, build

_NAMES = ("a", "b", "c")
_TYPES: Dict[str, List[Any]] = {
    "object": ["object", "object", ["object", "null"], ["array", "object"], ["object", "integer", "string"]],
    "string": ["string", "string", ["string", "null"]],
    "integer": ["integer", "number", ["integer", "string"], ["integer", "number", "string"]],
    "mixed": ["array", "boolean", "null", ["string", "integer", "object", "array"]],
}
_CONSTANTS: Dict[str, List[Any]] = {
    "object": [None],
    "string": ["x", ""],
    "integer": [1, 2],
    "mixed": [True, None, "x"],
}
_SCALARS: Tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    2,
    -1,
    3,
    1.0,
    0.5,
    1.5,
    "",
    "x",
    "yy",
    "zzz",
    "zzzz",
    {},
    [],
)


class Source:
    """Draws from one random stream."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._ref = ""

    def documents(self, count: int) -> Iterator[Dict[str, Any]]:
        """Documents that the generator does not refuse."""
        while count:
            document = self._document()
            try:
                build(document)
            except Refusal:
                continue
            count -= 1
            yield document

    def values(self, count: int) -> Iterator[Any]:
        """JSON values."""
        for _ in range(count):
            yield self._value(3)

    def _document(self) -> Dict[str, Any]:
        old = self._rng.random() < 0.4
        keyword = "definitions" if old else "$defs"
        self._ref = f"#/{keyword}/D0"
        names = ["D0", "D1", "D2"][: self._rng.choice([1, 2, 2, 3])]
        return {
            "$schema": DRAFT_07 if old else DRAFT_2020_12,
            keyword: {name: self._schema(2, None) for name in names},
        }

    def _may(self, chance: float) -> bool:
        return self._rng.random() < chance

    def _schema(self, depth: int, wanted: Optional[str]) -> Dict[str, Any]:
        wanted = wanted or self._rng.choice(["object", "object", "string", "integer", "mixed"])
        schema: Dict[str, Any] = {}
        if self._may(0.1):
            schema["$ref"] = self._ref
        elif self._may(0.75):
            schema["type"] = self._rng.choice(_TYPES[wanted])
        types = schema.get("type", wanted if self._may(0.5) else [])
        self._numbers(schema, types)
        self._strings(schema, types)
        if "array" in types:
            self._array(schema, depth)
        if "object" in types:
            self._object(schema, depth)
        if self._may(0.1):
            schema["const"] = self._rng.choice(_CONSTANTS[wanted])
        if depth > 0:
            for keyword in ("anyOf", "allOf"):
                if self._may(0.2):
                    schema[keyword] = [
                        self._schema(depth - 1, wanted) for _ in range(self._rng.choice([1, 2, 2, 3]))
                    ]
        return schema

    def _numbers(self, schema: Dict[str, Any], types: Any) -> None:
        if "integer" in types or "number" in types:
            for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
                if self._may(0.2):
                    schema[keyword] = self._rng.choice([-1, 0, 1, 2, 3])
        if "integer" in types and self._may(0.2):
            schema["multipleOf"] = self._rng.choice([1, 2, 3])

    def _strings(self, schema: Dict[str, Any], types: Any) -> None:
        if "string" in types and self._may(0.3):
            schema["minLength"] = self._rng.choice([0, 1, 2])
        if "string" in types and self._may(0.3):
            schema["maxLength"] = self._rng.choice([2, 3])
        if types == "string" and self._may(0.1):
            schema["enum"] = self._rng.choice([["x", "yy"], ["x"], ["", "x", "zzz"]])

    def _array(self, schema: Dict[str, Any], depth: int) -> None:
        if self._may(0.6):
            schema["items"] = self._below(depth)
        if self._may(0.3):
            schema["minItems"] = self._rng.choice([0, 1, 2])
        if self._may(0.3):
            schema["maxItems"] = 2

    def _object(self, schema: Dict[str, Any], depth: int) -> None:
        if self._may(0.7):
            schema["properties"] = {name: self._below(depth) for name in _NAMES if self._may(0.5)}
        if self._may(0.5):
            schema["required"] = [name for name in _NAMES if self._may(0.4)]
        if self._may(0.4):
            schema["additionalProperties"] = self._rng.choice([False, True, {}, self._below(depth)])
        if self._may(0.1):
            schema["minProperties"] = self._rng.choice([0, 1, 2])
        if self._may(0.1):
            schema["maxProperties"] = 2

    def _below(self, depth: int) -> Any:
        if depth > 0:
            return self._schema(depth - 1, None)
        return self._rng.choice([{}, True, {"type": "string"}, {"type": "integer"}])

    def _value(self, depth: int) -> Any:
        kind = self._rng.randrange(10)
        if kind < 4 and depth > 0:
            return {name: self._value(depth - 1) for name in (*_NAMES, "z") if self._may(0.45)}
        if kind < 5 and depth > 0:
            return [self._value(depth - 1) for _ in range(self._rng.randrange(4))]
        return self._rng.choice(_SCALARS)
