# SPDX-License-Identifier: MIT
"""What is not generated is refused, with the place and the cause."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, Tuple

from codegen.errors import BadInput, Refusal
from codegen.model.load import load_document
from codegen.source.jsonfile import Json, parse_json
from codegen.source.normalise import DIALECTS, find_source
from tests.codegen.support import DRAFT_07, DRAFT_2020_12, build, document_07, document_2020_12

Case = Tuple[Any, str, str]

_OBJECT_A = {"type": "object", "properties": {"a": {"type": "integer"}}}
_LONG = "n" * 251
_AT_ROOT = "move the definitions to the root"
_BY_NAME = "references go by definition name only"
_COMBINES = "state the alternatives with anyOf"
_NO_REGEX = "the runtime has no regular expressions"
_ONE_TYPE = "all items of an array have one type"

KEYWORDS: Dict[str, str] = {
    "oneOf": "use anyOf, which asks for no proof that only one alternative accepts",
    "not": "it has no C form",
    "if": _COMBINES,
    "then": _COMBINES,
    "else": _COMBINES,
    "dependencies": _COMBINES,
    "dependentRequired": _COMBINES,
    "dependentSchemas": _COMBINES,
    "pattern": _NO_REGEX,
    "patternProperties": _NO_REGEX,
    "uniqueItems": "the runtime does not compare items",
    "contains": _ONE_TYPE,
    "minContains": _ONE_TYPE,
    "maxContains": _ONE_TYPE,
    "unevaluatedItems": "state it with items",
    "unevaluatedProperties": "state it with additionalProperties",
    "$anchor": _BY_NAME,
    "$dynamicAnchor": _BY_NAME,
    "$dynamicRef": _BY_NAME,
    "$recursiveAnchor": _BY_NAME,
    "$recursiveRef": _BY_NAME,
    "$id": "below the root it would change what references mean",
    "$schema": "a document has one dialect, stated at its root",
    "$vocabulary": "the dialect decides what keywords mean",
    "$defs": _AT_ROOT,
    "definitions": _AT_ROOT,
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
    def test_keywords_without_a_c_form(self) -> None:
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

    def test_tuples(self) -> None:
        cause = "tuples, which are arrays whose items differ by position, have no C form"
        text = {"type": "string"}
        self.assert_all_refused(
            (
                ({"type": "array", "prefixItems": [text]}, "/prefixItems", cause),
                ({"type": "array", "prefixItems": [text, {}], "items": text}, "/prefixItems", cause),
            )
        )
        document = document_07(X={"type": "array", "items": [text], "additionalItems": {"type": "null"}})
        self.assert_refused(document, "/definitions/X/items", cause)

    def test_all_places_are_told_in_one_run(self) -> None:
        gone = {"$ref": "#/$defs/Gone"}
        document = document_2020_12(
            A={"type": "object", "properties": {"a": gone, "b": {"type": "text"}}},
            B={"type": "array", "items": {"not": {}}},
            C={"anyOf": [{"$ref": "#/$defs/A"}, gone]},
        )
        with self.assertRaises(Refusal) as caught:
            build(document)
        found = [refusal.pointer for refusal in caught.exception.all]
        places = ["/A/properties/a/$ref", "/A/properties/b/type", "/B/items/not", "/C/anyOf/1/$ref"]
        self.assertEqual(sorted(found), [f"/$defs{place}" for place in places])

    def test_false(self) -> None:
        cause = "the schema false accepts nothing"
        self.assert_all_refused(
            (
                (False, "", cause),
                ({"type": "object", "properties": {"a": False}}, "/properties/a", cause),
                ({"type": "array", "items": False}, "/items", cause),
                ({"anyOf": [False]}, "/anyOf/0", cause),
            )
        )

    def test_what_names_must_be(self) -> None:
        schema = {"type": "object", "propertyNames": {"maxLength": 3}}
        cause = "what it demands of names is not checked"
        self.assert_all_refused(((schema, "/propertyNames", cause),))

    def test_keyword_of_another_type(self) -> None:
        self.assert_all_refused(
            (
                (
                    {"type": "string", "minimum": 1},
                    "/minimum",
                    '"minimum" has no effect on a value of type string',
                ),
                (
                    {"type": ["null", "array"], "required": []},
                    "/required",
                    '"required" has no effect on a value of type null or array',
                ),
                (
                    {"allOf": [{"type": "string"}, {"required": ["a"]}]},
                    "/allOf/1/required",
                    '"required" has no effect on a value of type string',
                ),
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
                (
                    {"type": "integer", "multipleOf": 2**63},
                    "/multipleOf",
                    '"multipleOf" does not fit 64 bits',
                ),
                (
                    {"type": "integer", "multipleOf": 10**99},
                    "/multipleOf",
                    '"multipleOf" does not fit 64 bits',
                ),
                (
                    {"type": "number", "multipleOf": 2},
                    "/multipleOf",
                    '"multipleOf" is not generated for a number: the runtime does not divide fractions',
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

    def test_names_that_cannot_be_matched_byte_by_byte(self) -> None:
        for name, place, shown in (
            ('a"b', 'a"b', r'"a\"b"'),
            ("a\\b", "a\\b", r'"a\\b"'),
            ("a\nb", "a\nb", r'"a\nb"'),
        ):
            cause = f"the member name {shown} has a quote, a backslash or a control character"
            self.assert_all_refused(
                (
                    ({"type": "object", "properties": {name: {}}}, "/properties/" + place, cause),
                    ({"type": "object", "required": [name]}, "/required/0", cause),
                )
            )

    def test_long_names(self) -> None:
        schema = {"type": "object", "properties": {_LONG: {}}}
        cause = "the member name has 251 bytes: at most 250 are possible"
        self.assert_all_refused(((schema, "/properties/" + _LONG, cause),))
        document = document_2020_12(**{_LONG: {}})
        cause = "the definition name has 251 bytes: at most 250 are possible"
        self.assert_refused(document, "/$defs/" + _LONG, cause)

    def test_65_members(self) -> None:
        cause = "an object of 65 members: at most 64 are possible"
        many: Dict[str, Json] = {f"p{index}": {} for index in range(40)}
        more: Dict[str, Json] = {f"q{index}": {} for index in range(25)}
        merged = {"allOf": [{"type": "object", "properties": many}, {"type": "object", "properties": more}]}
        self.assert_all_refused(
            (({"type": "object", "properties": {**many, **more}}, "", cause), (merged, "", cause))
        )


class ConstantTest(RefusalCase):
    def test_constants_without_a_c_form(self) -> None:
        only = "a constant must be a string, an integer, a boolean or null"
        fraction = parse_json(b'{"const": 1.5}', "")
        large = parse_json(b'{"const": 1e999999}', "")
        self.assert_all_refused(
            (
                ({"const": {}}, "/const", only),
                ({"const": []}, "/const", only),
                (
                    fraction,
                    "/const",
                    "the constant 1.5 is no integer: fractions are not compared for equality",
                ),
                (
                    {"const": 2**63},
                    "/const",
                    "the constant 9223372036854775808 is outside the range of 64-bit integers",
                ),
                (large, "/const", "the constant 1E+999999 is outside the range of 64-bit integers"),
            )
        )

    def test_enum_of_other_values_than_strings(self) -> None:
        self.assert_all_refused(
            (
                (
                    {"enum": [1, 2]},
                    "/enum/0",
                    "enumerations have strings only, not 1: use anyOf of constants",
                ),
                (
                    {"enum": ["a", None]},
                    "/enum/1",
                    "enumerations have strings only, not null: use anyOf of constants",
                ),
            )
        )


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
                ({"$ref": "#/$defs/A/properties/a"}, "/$ref", f'"#/$defs/A/properties/a" {form}'),
                ({"$ref": "#/$defs/Z"}, "/$ref", '"#/$defs/Z" leads nowhere: there is no such definition'),
                (
                    {"$ref": "#/definitions/Y"},
                    "/$ref",
                    '"#/definitions/Y" leads nowhere: the definitions stand under "$defs"',
                ),
            )
        )

    def test_dangling_reference_inside(self) -> None:
        schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/Z"}}}}
        cause = '"#/$defs/Z" leads nowhere: there is no such definition'
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

    def test_merging_a_definition_into_itself(self) -> None:
        inner = {"allOf": [{"$ref": "#/$defs/X"}, {"required": ["a"]}]}
        schema = {"type": "object", "properties": {"p": inner}}
        cause = 'cannot merge definition "X" into a part of itself'
        self.assert_all_refused(((schema, "/properties/p", cause),))

    def test_merging_recursive_definitions(self) -> None:
        def node(name: str, extra: str) -> Dict[str, Json]:
            return {"type": "object", "properties": {"next": {"$ref": f"#/$defs/{name}"}, extra: {}}}

        both = {"allOf": [{"$ref": "#/$defs/P"}, {"$ref": "#/$defs/Q"}]}
        document = document_2020_12(P=node("P", "p"), Q=node("Q", "q"), X=both)
        cause = 'cannot merge the recursive definition "P" with "Q" (/$defs/Q/properties/next)'
        self.assert_refused(document, "/$defs/X", cause)


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
                (
                    {"allOf": [{"$ref": "#/$defs/A"}, text]},
                    "",
                    f'member "a" would have to be absent, which has no C form: {conflict}',
                ),
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

    def test_arrays_that_must_be_empty(self) -> None:
        branches = [{"type": "array", "items": {"type": name}} for name in ("string", "null")]
        cause = (
            "only the empty array is valid: no value is both a string (/$defs/X/allOf/0/items) "
            "and null (/$defs/X/allOf/1/items)"
        )
        self.assert_all_refused((({"allOf": branches}, "", cause),))

    def test_two_formats(self) -> None:
        branches = [{"type": "string", "format": name} for name in ("uri", "byte")]
        cause = 'a string cannot have both format "uri" and format "byte"'
        self.assert_all_refused((({"allOf": branches}, "", cause),))


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
                find_source(document, "schema.json")
            self.assertEqual(str(caught.exception), f"schema.json: {pointer}: {cause}")


class TextTest(unittest.TestCase):
    def test_text_that_is_no_json(self) -> None:
        for data, message in (
            (b'{\n "a": }', "s.json:2:7: not JSON: Expecting value"),
            (b"{}\n[]", "s.json:2:1: not JSON: Extra data"),
            (b"", "s.json:1:1: not JSON: Expecting value"),
            (b'{\n "\xff": 1}', "s.json:2:3: not UTF-8"),
            (b"[NaN]", "s.json: not usable: NaN is no JSON value"),
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
            (b'{"a": "\\ud800"}', "s.json: /a: a lone surrogate is no Unicode text"),
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
