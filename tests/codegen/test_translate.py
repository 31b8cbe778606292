# SPDX-License-Identifier: MIT
"""Schemas of older dialects in the words of the newest: python-jsonschema judges both alike."""

from __future__ import annotations

import itertools
import unittest
from typing import Any, Dict, List

try:
    import jsonschema
except ModuleNotFoundError as error:
    raise unittest.SkipTest("jsonschema is missing (Debian: python3-jsonschema)") from error

from codegen.source.dialects import DIALECTS
from codegen.source.plain import Plain
from codegen.source.translate import translated
from tests.oracle.old_jsonschema import mend, verdict

_JUDGES: Dict[str, Any] = {
    "draft-06": jsonschema.Draft6Validator,
    "draft-07": jsonschema.Draft7Validator,
    "2019-09": jsonschema.Draft201909Validator,
}
_TEXT = {"type": "string"}
_SCHEMAS: List[Dict[str, Any]] = [
    {"properties": {"a": _TEXT, "b": {"$ref": "#/properties/a", "description": "b", "maxLength": 1}}},
    {"properties": {"a": {"$ref": "#/definitions/T", "type": "integer"}}, "definitions": {"T": _TEXT}},
    {"items": [_TEXT, {"type": "integer"}]},
    {"items": [_TEXT], "additionalItems": {"type": "integer"}},
    {"items": [_TEXT], "additionalItems": False},
    {"items": [], "additionalItems": False},
    {"additionalItems": False},
    {"items": _TEXT, "additionalItems": False},
    {"dependencies": {"a": ["b"], "b": {"required": ["c"]}, "c": True}},
    {"prefixItems": [{"type": "integer"}]},
    {"dependentRequired": {"a": ["b"]}},
    {"contains": {"type": "integer"}, "minContains": 2, "maxContains": 2},
    {"properties": {"a": {"if": {"type": "integer"}, "then": {"minimum": 1}, "else": _TEXT}}},
    {"properties": {"a": _TEXT}, "unevaluatedProperties": False},
    {"not": {"items": [_TEXT]}},
    {"allOf": [{"items": [_TEXT]}, {"properties": {"a": {"items": [{"type": "integer"}]}}}]},
    {"properties": {"items": {"type": "array", "items": [_TEXT]}, "dependencies": _TEXT}},
]
_PARTS: List[Any] = ["x", "xyz", 1, 0, None, ["x"], [1]]
_VALUES: List[Any] = [
    *_PARTS,
    *(list(pair) for pair in itertools.product(_PARTS, repeat=2)),
    *({"a": one, "b": two} for one, two in itertools.product(_PARTS, repeat=2)),
    *({"a": one} for one in _PARTS),
    {"b": "x"},
    {"b": "x", "c": 1},
    {"items": ["x"], "dependencies": 1},
    {"items": [1]},
    ["x", 1, 1],
    [1, "x", "x"],
    [],
    {},
]


def alike(one: Any, other: Any, value: Any) -> bool:
    """Whether two validators agree; so they do where a version of jsonschema breaks and says nothing."""
    verdicts = (verdict(one, value), verdict(other, value))
    return None in verdicts or verdicts[0] == verdicts[1]


class Alike(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        mend()

    def test_verdicts(self) -> None:
        newest = jsonschema.Draft202012Validator
        for dialect in DIALECTS[:-1]:
            for schema in _SCHEMAS:
                whole = {"$schema": dialect.uri, **schema}
                made = translated(whole, dialect, Plain("x.json", "x", whole))
                with self.subTest(dialect.name, schema=schema, made=made):
                    newest.check_schema(made)
                    judge = _JUDGES[dialect.name](whole)
                    wrong = [value for value in _VALUES if not alike(judge, newest(made), value)]
                    self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
