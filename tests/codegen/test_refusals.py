# SPDX-License-Identifier: MIT
"""Schemas that cannot be generated are refused, with the place and the cause."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, Tuple

from codegen.errors import BadInput, Refusal
from codegen.model.load import load_document
from codegen.source.dialects import DIALECTS
from codegen.source.jsonfile import Json, parse_json
from codegen.source.normalise import find_source
from tests.codegen.support import DRAFT_07, DRAFT_2020_12, build, document_07, document_2020_12

Case = Tuple[Any, str, str]

_OBJECT_A = {"type": "object", "properties": {"a": {"type": "integer"}}}
_LONG = "n" * 251
_ON_THE_WAY = "it leads nowhere, or where depends on the way to it"

KEYWORDS: Dict[str, str] = {
    "$dynamicRef": _ON_THE_WAY,
    "$schema": "a document has one dialect, stated at its root",
    "$vocabulary": "the dialect decides what keywords mean",
}


class RefusalCase(unittest.TestCase):
    def assert_refused(self, document: Dict[str, Json], pointer: str, cause: str) -> None:
        with self.assertRaises(Refusal) as caught:
            build(document)
        self.assertEqual(str(caught.exception), f"schema.json: {pointer}: {cause}")

    def assert_all_refused(self, cases: Tuple[Case, ...]) -> None:
        """Each case is the schema of definition X, the place below X, and the cause."""
        for schema, place, cause in cases:
            with self.subTest(schema=schema):
                document = document_2020_12(X=schema, Y={"type": "string"}, A=_OBJECT_A)
                self.assert_refused(document, "/$defs/X" + place, cause)


class KeywordTest(RefusalCase):
    def test_keywords_that_are_not_followed(self) -> None:
        for keyword, why in KEYWORDS.items():
            with self.subTest(keyword):
                document = document_2020_12(X={keyword: {}})
                self.assert_refused(document, f"/$defs/X/{keyword}", f'"{keyword}" is not generated: {why}')

    def test_unknown_keyword(self) -> None:
        self.assert_all_refused(
            (
                ({"type": "string", "nullable": True}, "/nullable", 'unknown keyword "nullable"'),
                ({"type": "array", "items": {"x-y": 1}}, "/items/x-y", 'unknown keyword "x-y"'),
            )
        )

    def test_all_places_are_told_in_one_run(self) -> None:
        gone = {"$ref": "#/$defs/Gone"}
        document = document_2020_12(
            A={"type": "object", "properties": {"a": gone, "b": {"type": "text"}}},
            B={"type": "array", "items": {"not": {"$ref": 1}}},
            C={"anyOf": [{"$ref": "#/$defs/A"}, gone]},
        )
        with self.assertRaises(Refusal) as caught:
            build(document)
        found = [refusal.pointer for refusal in caught.exception.all]
        places = ["/A/properties/a/$ref", "/A/properties/b/type", "/B/items/not/$ref", "/C/anyOf/1/$ref"]
        self.assertEqual(sorted(found), [f"/$defs{place}" for place in places])

    def test_false(self) -> None:
        cause = "the schema false accepts nothing"
        self.assert_all_refused(
            (
                (False, "", cause),
                ({"allOf": [False, {"type": "string"}]}, "/allOf/0", cause),
                ({"anyOf": [False]}, "/anyOf/0", cause),
            )
        )


class MalformedTest(RefusalCase):
    def test_malformed_keywords(self) -> None:
        not_factor = "must be a number above 0, not"
        not_count = "must be an integer that is not negative, not"
        no_type = "it must be one of null, boolean, integer, number, string, array, object"
        self.assert_all_refused(
            (
                (7, "", "a schema must be an object or a boolean, not 7"),
                ({"description": 1}, "/description", '"description" must be a string'),
                ({"type": "float"}, "/type", f'unknown type "float": {no_type}'),
                ({"type": 1}, "/type", f"unknown type 1: {no_type}"),
                ({"type": []}, "/type", '"type" must name at least one type'),
                ({"type": ["null", "null"]}, "/type", 'type "null" is named twice'),
                ({"type": "string", "format": 1}, "/format", '"format" must be a string, not 1'),
                ({"type": "string", "minLength": -1}, "/minLength", f'"minLength" {not_count} -1'),
                ({"type": "string", "maxLength": True}, "/maxLength", f'"maxLength" {not_count} true'),
                ({"type": "integer", "multipleOf": 0}, "/multipleOf", f'"multipleOf" {not_factor} 0'),
                ({"type": "integer", "multipleOf": True}, "/multipleOf", f'"multipleOf" {not_factor} true'),
                ({"type": "number", "multipleOf": -2}, "/multipleOf", "must be a number above 0, not -2"),
                ({"pattern": 1}, "/pattern", "must be a string, not 1"),
                ({"uniqueItems": 1}, "/uniqueItems", "must be true or false, not 1"),
                ({"oneOf": []}, "/oneOf", '"oneOf" must be an array of at least one schema'),
                ({"not": {"x-y": 1}}, "/not/x-y", 'unknown keyword "x-y"'),
                (
                    {"dependentRequired": {"a": 1}},
                    "/dependentRequired/a",
                    "must be an array of strings, not 1",
                ),
                (
                    {"not": {"$ref": "#/$defs/Z"}},
                    "/not/$ref",
                    '"#/$defs/Z" has no target: there is no such definition',
                ),
                ({"type": "integer", "minimum": "1"}, "/minimum", '"minimum" must be a number, not "1"'),
                (
                    {"type": "integer", "exclusiveMinimum": True},
                    "/exclusiveMinimum",
                    '"exclusiveMinimum" must be a number, not true',
                ),
                ({"anyOf": []}, "/anyOf", '"anyOf" must be an array of at least one schema'),
                ({"allOf": {}}, "/allOf", '"allOf" must be an array of at least one schema'),
                ({"enum": []}, "/enum", '"enum" must be an array of at least one value'),
                ({"enum": ["a", "b", "a"]}, "/enum/2", '"a" is listed twice'),
                (
                    {"type": "object", "properties": []},
                    "/properties",
                    '"properties" must be an object, not []',
                ),
                (
                    {"type": "object", "required": "a"},
                    "/required",
                    '"required" must be an array of strings, not "a"',
                ),
                (
                    {"type": "object", "required": [1]},
                    "/required/0",
                    "a member's name must be a string, not 1",
                ),
                ({"type": "object", "required": ["a", "a"]}, "/required/1", '"a" is required twice'),
            )
        )

    def test_long_names(self) -> None:
        document = document_2020_12(**{_LONG: {}})
        cause = "the definition name has 251 bytes: at most 250 are possible"
        self.assert_refused(document, "/$defs/" + _LONG, cause)


class ReferenceTest(RefusalCase):
    def test_references(self) -> None:
        form = "is not of the form #/$defs/NAME"
        self.assert_all_refused(
            (
                ({"$ref": 1}, "/$ref", '"$ref" must be a string, not 1'),
                ({"$ref": "other.json"}, "/$ref", '"other.json" refers to another document'),
                (
                    {"$ref": "https://e.org/#/$defs/Y"},
                    "/$ref",
                    '"https://e.org/#/$defs/Y" refers to another document',
                ),
                ({"$ref": "#"}, "/$ref", f'"#" {form}'),
                ({"$ref": "#anchor"}, "/$ref", f'"#anchor" {form}'),
                ({"$ref": "#/$defs/A/properties/b"}, "/$ref", f'"#/$defs/A/properties/b" {form}'),
                ({"$ref": "#/$defs/Z"}, "/$ref", '"#/$defs/Z" has no target: there is no such definition'),
                (
                    {"$ref": "#/definitions/Y"},
                    "/$ref",
                    '"#/definitions/Y" leads nowhere: the definitions stand under "$defs"',
                ),
            )
        )

    def test_dangling_reference_inside(self) -> None:
        schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/Z"}}}}
        cause = '"#/$defs/Z" has no target: there is no such definition'
        self.assert_all_refused(((schema, "/properties/a/items/$ref", cause),))

    def test_cycles_without_anything_in_between(self) -> None:
        cause = '"X" refers back to itself without any member or item in between'
        for schema in (
            {"$ref": "#/$defs/X"},
            {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/X"}]},
            {"allOf": [{"type": "null"}, {"$ref": "#/$defs/X"}]},
        ):
            self.assert_all_refused(((schema, "", cause),))
        document = document_07(X={"$ref": "#/definitions/Y"}, Y={"anyOf": [{"$ref": "#/definitions/X"}]})
        self.assert_refused(document, "/definitions/X", cause)


class UnsatisfiableTest(RefusalCase):
    def test_types(self) -> None:
        self.assert_all_refused(
            (
                (
                    {"allOf": [{"type": "integer"}, {"type": "object"}]},
                    "",
                    "no value is integer (/$defs/X/allOf/0) and also object (/$defs/X/allOf/1)",
                ),
                (
                    {"type": "integer", "const": "a"},
                    "",
                    "no value is integer (/$defs/X/type) and also string (/$defs/X/const)",
                ),
                (
                    {"$ref": "#/$defs/Y", "type": ["null", "integer"]},
                    "",
                    "no value is string (/$defs/X/$ref) and also null or integer (/$defs/X/type)",
                ),
                (
                    {"type": "object", "anyOf": [{"required": ["a"]}, {"type": "null"}]},
                    "/anyOf/1",
                    "no value is object (the schema around it) and also null (/$defs/X/anyOf/1/type)",
                ),
            )
        )

    def test_bounds(self) -> None:
        self.assert_all_refused(
            (
                ({"type": "integer", "minimum": 2, "maximum": 1}, "", "no integer lies between 2 and 1"),
                (
                    {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2},
                    "",
                    "no integer lies between 1 and 2",
                ),
                (
                    {"type": "number", "exclusiveMinimum": 1, "maximum": 1},
                    "",
                    "no number lies between 1 and 1",
                ),
                (
                    {"type": "string", "minLength": 2, "maxLength": 1},
                    "",
                    "no value is valid: minLength (2) exceeds maxLength (1)",
                ),
                (
                    {"allOf": [{"type": "array", "minItems": 2}, {"type": "array", "maxItems": 1}]},
                    "",
                    "no value is valid: minItems (2) exceeds maxItems (1)",
                ),
                (
                    {"type": "object", "required": ["a", "b"], "maxProperties": 1},
                    "",
                    "no value is valid: the number of required members (2) exceeds maxProperties (1)",
                ),
            )
        )

    def test_constants(self) -> None:
        self.assert_all_refused(
            (
                (
                    {"allOf": [{"const": "a"}, {"const": "b"}]},
                    "",
                    'no value is both the constant "a" (/$defs/X/allOf/0) '
                    'and the constant "b" (/$defs/X/allOf/1)',
                ),
                (
                    {"type": "integer", "maximum": 3, "const": 4},
                    "",
                    "no value is both an integer (/$defs/X) and the constant 4 (/$defs/X)",
                ),
            )
        )

    def test_members(self) -> None:
        text = {"type": "object", "properties": {"a": {"type": "string"}}}
        conflict = (
            "no value is both an integer (/$defs/A/properties/a) and a string (/$defs/X/allOf/1/properties/a)"
        )
        self.assert_all_refused(
            (
                ({"allOf": [{"$ref": "#/$defs/A"}, {**text, "required": ["a"]}]}, "", conflict),
                (
                    {"type": "object", "required": ["a"], "additionalProperties": False},
                    "/required/0",
                    'member "a" is required, but additionalProperties excludes it',
                ),
                (
                    {"allOf": [{"type": "object", "required": ["a"]}, {"additionalProperties": False}]},
                    "",
                    'member "a" is excluded by additionalProperties',
                ),
            )
        )


class DocumentTest(RefusalCase):
    def test_documents(self) -> None:
        known = " or ".join(f'"{dialect.uri}"' for dialect in DIALECTS)
        cases: Tuple[Case, ...] = (
            ([], "/", "a schema document must be an object"),
            (
                {"$schema": "http://json-schema.org/draft-04/schema#", "definitions": {"X": {}}},
                "/$schema",
                f'unknown dialect "http://json-schema.org/draft-04/schema#": it must be {known}',
            ),
            (
                {"$schema": DRAFT_2020_12},
                "/",
                '"$defs" or "definitions" is missing, so there is nothing to generate (2020-12)',
            ),
            (
                {"$schema": DRAFT_07, "definitions": {}},
                "/definitions",
                "there are no definitions, so there is nothing to generate",
            ),
            ({"$schema": DRAFT_07, "definitions": []}, "/definitions", '"definitions" must be an object'),
            (
                {"$schema": DRAFT_2020_12, "$defs": {"X": {}}, "definitions": {"X": {}}},
                "/definitions",
                'definitions stand under both "$defs" and "definitions": use one of them',
            ),
            (
                {"$schema": DRAFT_07, "definitions": {"X": {}}, "type": "object"},
                "/type",
                '"type" at the root is not generated: only definitions under "definitions" are',
            ),
        )
        for document, pointer, cause in cases:
            with self.subTest(document), self.assertRaises(Refusal) as caught:
                find_source(document, "schema.json").refuse_strays()
            self.assertEqual(str(caught.exception), f"schema.json: {pointer}: {cause}")


class TextTest(unittest.TestCase):
    def test_text_that_is_no_json(self) -> None:
        for data, message in (
            (b'{\n "a": }', "s.json:2:7: not JSON: Expecting value"),
            (b"{}\n[]", "s.json:2:1: not JSON: Extra data"),
            (b"", "s.json:1:1: not JSON: Expecting value"),
            (b'{\n "\xff": 1}', "s.json:2:3: not UTF-8"),
            (b"[NaN]", "s.json: not usable: NaN is not a JSON value"),
            (
                b"[1e99999999999999999999]",
                "s.json: not usable: the exponent of 1e99999999999999999999 is out of range",
            ),
            (b"[" * 100000, "s.json: not usable: nested more than 128 deep"),
        ):
            with self.subTest(data[:20]), self.assertRaises(BadInput) as caught:
                parse_json(data, "s.json")
            self.assertEqual(str(caught.exception), message)

    def test_json_that_is_ambiguous(self) -> None:
        for data, message in (
            (b'{"a": [{"b": 1, "b": 2}]}', 's.json: /a/0: member "b" stands here more than once'),
            (b'{"a": "\\ud800"}', "s.json: /a: a lone surrogate is not Unicode text"),
            (b"[" * 130 + b"]" * 130, "s.json: " + "/0" * 129 + ": nested more than 128 deep"),
        ):
            with self.subTest(data[:20]), self.assertRaises(Refusal) as caught:
                parse_json(data, "s.json")
            self.assertEqual(str(caught.exception), message)

    def test_missing_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "schema.json"
            with self.assertRaises(BadInput) as caught:
                load_document(path, "2000-01-01", None)
            self.assertEqual(str(caught.exception), f"{path}: No such file or directory")


if __name__ == "__main__":
    unittest.main()
