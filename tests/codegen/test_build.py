# SPDX-License-Identifier: MIT
"""Each construct of JSON Schema that is generated, and the node that it becomes."""

from __future__ import annotations

import json
import random
import unittest
from dataclasses import replace
from decimal import Decimal
from typing import Any, Optional, Type

from codegen.errors import Refusal
from codegen.model.nodes import (
    AnyType,
    ArrayType,
    BooleanType,
    Bound,
    ConstType,
    DemandedType,
    EnumType,
    IntegerType,
    Node,
    NullType,
    NumberType,
    ObjectType,
    Property,
    RefType,
    StringType,
    UnionType,
)
from codegen.model.rules import MultipleOf
from codegen.source.jsonfile import parse_json
from tests.codegen import random_schemas
from tests.codegen.support import DRAFT_2020_12, build, document_07, document_2020_12, node_of
from tests.codegen.verdict import accepts

X = "/$defs/X"


def at(place: str, kind: Any, *values: Any, description: Optional[str] = None, **named: Any) -> Any:
    """A node that stands at a place within definition X."""
    return kind(X + place, description, *values, **named)


class ScalarTest(unittest.TestCase):
    def test_types(self) -> None:
        for name, kind in (
            ("null", NullType),
            ("boolean", BooleanType),
            ("integer", IntegerType),
            ("number", NumberType),
            ("string", StringType),
        ):
            with self.subTest(name):
                self.assertEqual(node_of({"type": name}), at("", kind))

    def test_any_value(self) -> None:
        self.assertEqual(node_of({}), at("", AnyType))
        self.assertEqual(node_of(True), at("", AnyType))

    def test_annotations_say_nothing(self) -> None:
        schema = {
            "type": "string",
            "title": "t",
            "default": 1,
            "examples": [2],
            "deprecated": True,
            "readOnly": True,
            "writeOnly": True,
            "$comment": "c",
        }
        self.assertEqual(node_of(schema), at("", StringType))

    def test_description_is_kept(self) -> None:
        self.assertEqual(node_of({"type": "null", "description": "d"}), at("", NullType, description="d"))

    def test_string_lengths_and_format(self) -> None:
        schema = {"type": "string", "minLength": 1, "maxLength": 2, "format": " uri"}
        self.assertEqual(node_of(schema), at("", StringType, 1, 2, " uri"))

    def test_format_beside_another_type_is_an_annotation(self) -> None:
        self.assertEqual(node_of({"type": "integer", "format": "int64"}), at("", IntegerType))

    def test_minimum_and_maximum_together(self) -> None:
        schema = {"type": "integer", "minimum": 0, "maximum": 5}
        self.assertEqual(node_of(schema), at("", IntegerType, Bound("0"), Bound("5")))

    def test_exclusive_bounds(self) -> None:
        schema = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
        self.assertEqual(node_of(schema), at("", NumberType, Bound("0", True), Bound("1", True)))

    def test_the_tighter_of_two_bounds_counts(self) -> None:
        schema = {"type": "number", "minimum": 1, "exclusiveMinimum": 1, "maximum": 5, "exclusiveMaximum": 6}
        self.assertEqual(node_of(schema), at("", NumberType, Bound("1", True), Bound("5")))

    def test_integers_are_multiples_of_the_numerator_of_a_factor(self) -> None:
        for factor, numerator in (("5", 5), ("2.5", 5), ("0.1", 1), ("1e3", 1000)):
            schema = {"type": "integer", "multipleOf": Decimal(factor)}
            with self.subTest(factor):
                self.assertEqual(node_of(schema), at("", IntegerType, rules=(MultipleOf(numerator),)))

    def test_bounds_keep_their_digits(self) -> None:
        text = b'{"type": "number", "minimum": 0.10000000000000000000000000000000001}'
        schema = parse_json(text, "schema.json")
        self.assertEqual(node_of(schema), at("", NumberType, Bound("0.10000000000000000000000000000000001")))

    def test_constants(self) -> None:
        for value in ("a", -32042, True, False):
            with self.subTest(value):
                self.assertEqual(node_of({"const": value}), at("", ConstType, value))
        self.assertIs(type(node_of({"const": True}).value), bool)  # type: ignore[attr-defined]

    def test_constant_null_is_null(self) -> None:
        self.assertEqual(node_of({"const": None}), at("", NullType))

    def test_constant_beside_its_type(self) -> None:
        self.assertEqual(node_of({"type": "string", "const": "a"}), at("", ConstType, "a"))

    def test_constant_with_integral_value_is_an_integer(self) -> None:
        schema = parse_json(b'{"type": "integer", "const": 1.0}', "schema.json")
        self.assertEqual(node_of(schema), at("", ConstType, 1))

    def test_enum_with_and_without_type(self) -> None:
        expected = at("", EnumType, ("b", "a"))
        self.assertEqual(node_of({"type": "string", "enum": ["b", "a"]}), expected)
        self.assertEqual(node_of({"enum": ["b", "a"]}), expected)

    def test_enum_of_one_value_is_a_constant(self) -> None:
        self.assertEqual(node_of({"enum": ["a"]}), at("", ConstType, "a"))
        self.assertEqual(node_of({"enum": [7]}), at("", ConstType, 7))

    def test_enum_beside_lengths_keeps_what_fits(self) -> None:
        schema = {"type": "string", "minLength": 2, "enum": ["a", "bb", "ccc"]}
        self.assertEqual(node_of(schema), at("", EnumType, ("bb", "ccc")))


class ArrayTest(unittest.TestCase):
    def test_items(self) -> None:
        schema = {"type": "array", "items": {"type": "string"}}
        self.assertEqual(node_of(schema), at("", ArrayType, at("/items", StringType)))

    def test_without_items_any_value_is_one(self) -> None:
        self.assertEqual(node_of({"type": "array"}), at("", ArrayType, at("", AnyType)))

    def test_counts_beside_items_by_reference(self) -> None:
        schema = {"type": "array", "items": {"$ref": "#/$defs/Y"}, "minItems": 1, "maxItems": 9}
        expected = at("", ArrayType, at("/items", RefType, "Y"), 1, 9)
        self.assertEqual(node_of(schema, Y={}), expected)

    def test_positions_that_agree_are_items(self) -> None:
        text = {"type": "string"}
        for array in (
            {"items": [text], "additionalItems": text},
            {"items": [text, {**text, "description": "d"}], "maxItems": 2},
        ):
            document = build(document_07(X={"type": "array", **array}))
            node = document.definition("X").node
            assert isinstance(node, ArrayType)
            self.assertIsInstance(node.item, StringType)

    def test_items_without_a_name_of_their_own(self) -> None:
        schema = {"type": "array", "items": {"type": "object"}}
        item = at("/items", ObjectType, (), at("/items", AnyType))
        self.assertEqual(node_of(schema), at("", ArrayType, item))


class ObjectTest(unittest.TestCase):
    def test_bare_object_is_open(self) -> None:
        self.assertEqual(node_of({"type": "object"}), at("", ObjectType, (), at("", AnyType)))

    def test_additional_properties(self) -> None:
        place = "/additionalProperties"
        inner = at(place, ObjectType, (Property("a", at(place + "/properties/a", NullType), False),), None)
        for value, expected in (
            (True, at(place, AnyType)),
            ({}, at(place, AnyType)),
            (False, None),
            ({"type": "string"}, at(place, StringType)),
            (
                {"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": False},
                inner,
            ),
        ):
            with self.subTest(value):
                schema = {"type": "object", "properties": {}, "additionalProperties": value}
                self.assertEqual(node_of(schema), at("", ObjectType, (), expected))

    def test_properties_keep_their_order(self) -> None:
        schema = {"type": "object", "properties": {"b": True, "a": {}}, "required": ["a"]}
        properties = (
            Property("b", at("/properties/b", AnyType), False),
            Property("a", at("/properties/a", AnyType), True),
        )
        self.assertEqual(node_of(schema), at("", ObjectType, properties, at("", AnyType)))

    def test_keywords_as_names_of_members(self) -> None:
        names = [
            "oneOf",
            "$ref",
            "const",
            "default",
            "x-mcp-file",
            "delete",
            "_meta",
            "io.example/info",
            "namespace",
        ]
        node = node_of({"type": "object", "properties": {name: {"type": "null"} for name in names}})
        assert isinstance(node, ObjectType)
        self.assertEqual([item.name for item in node.properties], names)

    def test_slash_and_tilde_are_escaped_in_pointers(self) -> None:
        node = node_of({"type": "object", "properties": {"a/b~c": {}}})
        assert isinstance(node, ObjectType)
        self.assertEqual(node.properties[0].node.pointer, X + "/properties/a~1b~0c")

    def test_required_name_without_property(self) -> None:
        expected = at("", ObjectType, (Property("a", at("", AnyType), True),), at("", AnyType))
        self.assertEqual(node_of({"type": "object", "required": ["a"]}), expected)

    def test_required_name_without_property_in_a_map(self) -> None:
        text = at("/additionalProperties", StringType)
        schema = {"type": "object", "required": ["a"], "additionalProperties": {"type": "string"}}
        self.assertEqual(node_of(schema), at("", ObjectType, (Property("a", text, True),), text))

    def test_names_that_may_be_any_string_are_not_constrained(self) -> None:
        node = node_of({"type": "object", "propertyNames": {"type": "string", "description": "d"}})
        self.assertEqual(replace(node, pointer=""), replace(node_of({"type": "object"}), pointer=""))

    def test_counts_of_members(self) -> None:
        schema = {"type": "object", "minProperties": 1, "maxProperties": 2}
        self.assertEqual(node_of(schema), at("", ObjectType, (), at("", AnyType), 1, 2))

    def test_64_members_are_possible(self) -> None:
        node = node_of({"type": "object", "properties": {f"p{index}": {} for index in range(64)}})
        assert isinstance(node, ObjectType)
        self.assertEqual(len(node.properties), 64)


class ReferenceTest(unittest.TestCase):
    def test_reference(self) -> None:
        self.assertEqual(node_of({"$ref": "#/$defs/Y"}, Y={}), at("", RefType, "Y"))

    def test_name_that_is_escaped(self) -> None:
        name = "Record<string,string>/~"
        ref = "#/$defs/Record%3Cstring,string%3E~1~0"
        self.assertEqual(node_of({"$ref": ref}, **{name: {}}), at("", RefType, name))

    def test_annotations_beside_a_reference(self) -> None:
        schema = {"$ref": "#/$defs/Y", "description": "d", "default": 1}
        self.assertEqual(node_of(schema, Y={}), at("", RefType, "Y", description="d"))

    def test_2020_12_applies_what_stands_beside_a_reference(self) -> None:
        schema = {"$ref": "#/$defs/Y", "maxLength": 3}
        node = node_of(schema, Y={"type": "string", "minLength": 1})
        self.assertEqual(node, at("", StringType, 1, 3))

    def test_draft_07_ignores_what_stands_beside_a_reference(self) -> None:
        schema = {"$ref": "#/definitions/Y", "description": "d", "type": "null", "unknown": 1}
        node = build(document_07(X=schema, Y={"type": "string"})).definition("X").node
        self.assertEqual(node, RefType("/definitions/X", "d", "Y"))

    def test_draft_07_ignores_them_inside_all_of_too(self) -> None:
        branches = [{"$ref": "#/definitions/Y", "type": "null"}, {"maxLength": 2}]
        node = build(document_07(X={"allOf": branches}, Y={"type": "string"})).definition("X").node
        self.assertEqual(node, StringType("/definitions/X", None, None, 2))

    def test_what_adds_nothing_leaves_a_reference(self) -> None:
        schema = {"$ref": "#/$defs/Y", "type": "object"}
        node = node_of(schema, Y={"type": "object", "properties": {"a": {}}})
        self.assertEqual(node, at("", RefType, "Y"))

    def test_2020_12_may_say_definitions(self) -> None:
        document = document_2020_12()
        document["definitions"] = {"X": {"$ref": "#/definitions/Y"}, "Y": {}}
        del document["$defs"]
        self.assertEqual(build(document).definition("X").node, RefType("/definitions/X", None, "Y"))

    def test_recursion(self) -> None:
        schema = {"type": "object", "additionalProperties": {"$ref": "#/$defs/X"}}
        expected = at("", ObjectType, (), at("/additionalProperties", RefType, "X"))
        self.assertEqual(node_of(schema), expected)

    def test_definitions_keep_their_order(self) -> None:
        document = build(document_2020_12(B={"allOf": [{"$ref": "#/$defs/A"}, {}]}, A={"type": "null"}))
        self.assertEqual([definition.name for definition in document.definitions], ["B", "A"])


class DialectTest(unittest.TestCase):
    def test_without_a_dialect_the_name_of_the_definitions_tells(self) -> None:
        beside = {"X": {"$ref": "#/$defs/Y", "type": "string"}, "Y": {"type": ["string", "null"]}}
        self.assertIsInstance(build({"$defs": beside}).definition("X").node, StringType)
        text = json.loads(json.dumps(beside).replace("$defs", "definitions"))
        self.assertIsInstance(build({"definitions": text}).definition("X").node, RefType)

    def test_a_dialect_that_is_stated_again_means_nothing(self) -> None:
        node = node_of({"$schema": DRAFT_2020_12, "type": "string"})
        self.assertIsInstance(node, StringType)
        with self.assertRaisesRegex(Refusal, "a document has one dialect"):
            node_of({"$schema": "http://json-schema.org/draft-07/schema#", "type": "string"})


class UnionTest(unittest.TestCase):
    def test_a_keyword_without_a_type_takes_all_values_of_other_types(self) -> None:
        document = build(document_2020_12(X={"minLength": 2}))
        node = document.definition("X").node
        found = [accepts(document, node, value) for value in (1, None, True, [], {}, "ab", "a")]
        self.assertEqual(found, [True] * 6 + [False])

    def test_type_array(self) -> None:
        expected = at("", UnionType, (at("", IntegerType), at("", NullType)))
        self.assertEqual(node_of({"type": ["integer", "null"]}), expected)

    def test_type_array_of_one(self) -> None:
        self.assertEqual(node_of({"type": ["integer"]}), at("", IntegerType))

    def test_number_includes_integer(self) -> None:
        self.assertEqual(node_of({"type": ["integer", "number"]}), at("", NumberType))

    def test_keywords_of_a_type_array_go_to_the_types_they_constrain(self) -> None:
        schema = {"type": ["integer", "string"], "minimum": 1}
        expected = at("", UnionType, (at("", IntegerType, Bound("1")), at("", StringType)))
        self.assertEqual(node_of(schema), expected)

    def test_nullable_object(self) -> None:
        schema = {"type": ["object", "null"], "properties": {"a": {}}, "required": ["a"]}
        member = Property("a", at("/properties/a", AnyType), True)
        expected = at("", UnionType, (at("", ObjectType, (member,), at("", AnyType)), at("", NullType)))
        self.assertEqual(node_of(schema), expected)

    def test_any_of_references_and_inline_types(self) -> None:
        schema = {"anyOf": [{"$ref": "#/$defs/Y"}, {"type": "array", "items": {"$ref": "#/$defs/Y"}}]}
        array = at("/anyOf/1", ArrayType, at("/anyOf/1/items", RefType, "Y"))
        expected = at("", UnionType, (at("/anyOf/0", RefType, "Y"), array))
        self.assertEqual(node_of(schema, Y={}), expected)

    def test_nested_unions_are_flattened(self) -> None:
        schema = {"anyOf": [{"type": ["string", "integer"]}, {"anyOf": [{"type": "null"}, {"const": True}]}]}
        expected = (
            at("/anyOf/0", StringType),
            at("/anyOf/0", IntegerType),
            at("/anyOf/1/anyOf/0", NullType),
            at("/anyOf/1/anyOf/1", ConstType, True),
        )
        self.assertEqual(node_of(schema), at("", UnionType, expected))

    def test_a_repeated_alternative_counts_once(self) -> None:
        schema = {"anyOf": [{"type": "string"}, {"type": "string", "title": "t"}]}
        self.assertEqual(node_of(schema), at("", StringType))

    def test_true_and_1_are_two_alternatives(self) -> None:
        node = node_of({"anyOf": [{"const": True}, {"const": 1}]})
        assert isinstance(node, UnionType)
        self.assertEqual(len(node.alternatives), 2)

    def test_an_alternative_that_accepts_all_decides(self) -> None:
        self.assertEqual(node_of({"anyOf": [{"type": "string"}, {}]}), at("", AnyType))

    def test_any_of_one(self) -> None:
        self.assertEqual(node_of({"anyOf": [{"$ref": "#/$defs/Y"}]}, Y={}), at("", RefType, "Y"))

    def test_any_of_all_of(self) -> None:
        schema = {"anyOf": [{"allOf": [{"$ref": "#/$defs/Y"}, {"maxLength": 2}]}, {"type": "null"}]}
        expected = at("", UnionType, (at("/anyOf/0", StringType, None, 2), at("/anyOf/1", NullType)))
        self.assertEqual(node_of(schema, Y={"type": "string"}), expected)

    def test_any_of_beside_properties(self) -> None:
        schema = {
            "type": "object",
            "properties": {"a": {"type": "null"}, "b": {"type": "null"}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        }
        node = node_of(schema)
        assert isinstance(node, UnionType)
        required = [
            [item.name for item in alternative.properties if item.required]
            for alternative in node.alternatives
            if isinstance(alternative, ObjectType)
        ]
        self.assertEqual(required, [["a"], ["b"]])


class AllOfTest(unittest.TestCase):
    def members(self, node: Node) -> Any:
        assert isinstance(node, ObjectType)
        return {item.name: (item.node, item.required) for item in node.properties}

    def test_single_branch(self) -> None:
        self.assertEqual(node_of({"allOf": [{"$ref": "#/$defs/Y"}]}, Y={}), at("", RefType, "Y"))

    def test_objects_are_merged_into_one(self) -> None:
        one = {"type": "object", "properties": {"a": {"type": "null"}}}
        two = {"type": "object", "properties": {"b": {"type": "null"}}, "required": ["b"]}
        node = node_of({"allOf": [{"$ref": "#/$defs/One"}, {"$ref": "#/$defs/Two"}]}, One=one, Two=two)
        members = (
            Property("a", NullType("/$defs/One/properties/a", None), False),
            Property("b", NullType("/$defs/Two/properties/b", None), True),
        )
        self.assertEqual(node, at("", ObjectType, members, AnyType("/$defs/One", None)))

    def test_all_of_beside_properties(self) -> None:
        schema = {"type": "object", "properties": {"a": {}}, "allOf": [{"required": ["a"]}]}
        self.assertEqual(self.members(node_of(schema)), {"a": (at("/properties/a", AnyType), True)})

    def test_branch_without_type_takes_it_from_the_others(self) -> None:
        error = {"type": "object", "properties": {"code": {"type": "integer"}}, "required": ["code"]}
        schema = {"allOf": [{"$ref": "#/$defs/Error"}, {"properties": {"code": {"const": -32042}}}]}
        node = node_of(schema, Error=error)
        code = at("/allOf/1/properties/code", ConstType, -32042)
        self.assertEqual(self.members(node), {"code": (code, True)})

    def test_any_value_leaves_the_other(self) -> None:
        schema = {
            "allOf": [
                {"type": "object", "properties": {"a": {}}},
                {"type": "object", "properties": {"a": {"type": "null"}}},
            ]
        }
        member = at("/allOf/1/properties/a", NullType)
        self.assertEqual(self.members(node_of(schema)), {"a": (member, False)})

    def test_same_reference_stays_a_reference(self) -> None:
        branch = {"type": "object", "properties": {"a": {"$ref": "#/$defs/X"}}}
        member = at("/allOf/0/properties/a", RefType, "X")
        self.assertEqual(self.members(node_of({"allOf": [branch, branch]})), {"a": (member, False)})

    def test_bounds_are_tightened(self) -> None:
        schema = {
            "allOf": [{"type": "integer", "minimum": 0, "maximum": 9}, {"type": "number", "maximum": 5}]
        }
        self.assertEqual(node_of(schema), at("", IntegerType, Bound("0"), Bound("5")))

    def test_multiples_of_two_numbers_are_those_of_their_least_common_multiple(self) -> None:
        branches = [{"type": "integer", "multipleOf": 4}, {"type": "integer", "multipleOf": 6}]
        self.assertEqual(node_of({"allOf": branches}), at("", IntegerType, rules=(MultipleOf(12),)))

    def test_a_factor_in_one_branch_holds_for_all(self) -> None:
        expected = at("", IntegerType, rules=(MultipleOf(4),))
        for other in ({"type": "integer"}, {"type": "number"}):
            for order in (1, -1):
                branches = [{"type": "integer", "multipleOf": 4}, other][::order]
                self.assertEqual(node_of({"allOf": branches}), expected)

    def test_a_common_multiple_that_no_integer_reaches_stays_text(self) -> None:
        branches = [{"type": "integer", "multipleOf": factor} for factor in (2**62, 3)]
        node = node_of({"allOf": branches})
        assert isinstance(node, DemandedType)
        self.assertIsInstance(node.base, AnyType)

    def test_constants_that_are_no_multiple_are_lost(self) -> None:
        schema = {"anyOf": [{"const": 4}, {"const": 5}], "allOf": [{"type": "integer", "multipleOf": 2}]}
        node = node_of(schema)
        assert isinstance(node, ConstType)
        self.assertEqual(node.value, 4)

    def test_of_equal_bounds_the_exclusive_one_counts(self) -> None:
        branches = [{"type": "number", "exclusiveMinimum": 1}, {"type": "number", "minimum": 1}]
        for order in (branches, branches[::-1]):
            self.assertEqual(node_of({"allOf": order}), at("", NumberType, Bound("1", True)))

    def test_lengths_are_tightened(self) -> None:
        schema = {
            "allOf": [{"type": "string", "minLength": 1}, {"type": "string", "minLength": 2, "maxLength": 3}]
        }
        self.assertEqual(node_of(schema), at("", StringType, 2, 3))

    def test_arrays(self) -> None:
        one = {"type": "array", "items": {"type": "null"}, "minItems": 1, "maxItems": 4}
        schema = {"allOf": [one, {"type": "array", "minItems": 2, "maxItems": 3}]}
        expected = at("", ArrayType, at("/allOf/0/items", NullType), 2, 3)
        self.assertEqual(node_of(schema), expected)

    def test_enums_leave_the_common_values(self) -> None:
        schema = {"allOf": [{"enum": ["a", "b", "c"]}, {"enum": ["c", "b"]}]}
        self.assertEqual(node_of(schema), at("", EnumType, ("b", "c")))

    def test_unions_lose_alternatives_that_nothing_satisfies(self) -> None:
        schema = {"allOf": [{"type": ["string", "null", "integer"]}, {"type": ["integer", "null"]}]}
        expected = at("", UnionType, (at("/allOf/0", NullType), at("/allOf/0", IntegerType)))
        self.assertEqual(node_of(schema), expected)

    def test_members_excluded_by_a_closed_object(self) -> None:
        closed = {"type": "object", "properties": {"a": {}}, "additionalProperties": False}
        schema = {"allOf": [closed, {"type": "object", "properties": {"b": {}}}]}
        node = node_of(schema)
        assert isinstance(node, ObjectType)
        self.assertEqual((list(self.members(node)), node.additional), (["a"], None))

    def test_maps_apply_to_members_that_the_other_names(self) -> None:
        schema = {
            "allOf": [
                {"type": "object", "properties": {"a": {}}},
                {"type": "object", "additionalProperties": {"type": "string"}},
            ]
        }
        text = at("/allOf/1/additionalProperties", StringType)
        node = node_of(schema)
        assert isinstance(node, ObjectType)
        self.assertEqual((self.members(node), node.additional), ({"a": (text, False)}, text))

    def test_description_is_that_of_the_schema_itself(self) -> None:
        branches = [{"$ref": "#/$defs/Y"}, {"maxLength": 2}]
        node = node_of({"allOf": branches, "description": "d"}, Y={"type": "string", "description": "y"})
        self.assertEqual(node.description, "d")
        self.assertIsNone(node_of({"allOf": branches}, Y={"type": "string", "description": "y"}).description)


class DemandTest(unittest.TestCase):
    """The C type of a value, and its residual constraint."""

    def assert_residuals(self, schema: Any, base: Type[Node], *texts: str) -> None:
        node = node_of(schema)
        assert isinstance(node, DemandedType), node
        self.assertIsInstance(node.base, base)
        self.assertEqual(tuple(residual.text for residual in node.residuals), texts)

    def test_a_string_with_a_pattern_stays_a_string(self) -> None:
        self.assert_residuals({"type": "string", "pattern": "^a"}, StringType, '{"pattern":"^a"}')

    def test_a_struct_keeps_its_members(self) -> None:
        schema = {"type": "object", "properties": {"a": {}}, "minProperties": 1}
        self.assert_residuals(schema, ObjectType, '{"minProperties":1}')

    def test_one_of_is_a_union(self) -> None:
        branches: Any = [{"type": "string"}, {"type": "integer"}]
        text = '{"oneOf":[{"type":"string"},{"type":"integer"}]}'
        self.assert_residuals({"oneOf": branches}, UnionType, text)

    def test_alternatives_that_name_no_type_are_no_union(self) -> None:
        schema = {
            "type": "object",
            "properties": {"a": {}},
            "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
        }
        self.assert_residuals(schema, ObjectType, '{"oneOf":[{"required":["a"]},{"required":["b"]}]}')

    def test_an_enum_with_null_is_an_enum_or_null(self) -> None:
        node = node_of({"enum": ["a", "b", None]})
        assert isinstance(node, UnionType)
        self.assertEqual([type(each) for each in node.alternatives], [EnumType, NullType])

    def test_constants_of_any_value(self) -> None:
        fraction = parse_json(b'{"const": 1.50}', "")
        self.assert_residuals(fraction, NumberType, '{"const":1.50}')
        self.assert_residuals({"const": {"b": 1, "a": []}}, ObjectType, '{"const":{"a":[],"b":1}}')
        self.assert_residuals({"enum": [1, 2]}, IntegerType, '{"enum":[1,2]}')
        self.assert_residuals({"const": 'a"b'}, StringType, '{"const":"a\\"b"}')

    def test_a_member_that_may_not_be_there_is_none_in_c(self) -> None:
        schema = {"type": "object", "properties": {"a": False, "b": {}}}
        self.assert_residuals(schema, ObjectType, '{"properties":{"a":false}}')
        node = node_of(schema)
        assert isinstance(node, DemandedType) and isinstance(node.base, ObjectType)
        self.assertEqual([each.name for each in node.base.properties], ["b"])

    def test_what_cannot_be_merged_stays_text(self) -> None:
        document = document_2020_12(
            P={"type": "object", "properties": {"next": {"$ref": "#/$defs/P"}, "p": {}}},
            Q={"type": "object", "properties": {"next": {"$ref": "#/$defs/Q"}, "q": {}}},
            X={"allOf": [{"$ref": "#/$defs/P"}, {"$ref": "#/$defs/Q"}]},
        )
        node = build(document).definition("X").node
        assert isinstance(node, DemandedType)
        self.assertEqual([each.name for each in getattr(node.base, "properties", ())], [])
        self.assertIn('"$defs"', node.residuals[0].text)

    def test_a_keyword_of_another_type_says_nothing(self) -> None:
        self.assertEqual(node_of({"type": "string", "minimum": 1}), node_of({"type": "string"}))

    def test_a_nested_definition_has_a_name_of_its_own(self) -> None:
        inner = {"$defs": {"B": {"type": "integer"}}, "type": "array", "items": {"$ref": "#/$defs/A/$defs/B"}}
        model = build(document_2020_12(A=inner))
        self.assertEqual([each.name for each in model.definitions], ["A", "A.B"])
        self.assertIsInstance(model.definition("A.B").node, IntegerType)


class VerdictTest(unittest.TestCase):
    def test_random_schemas_and_values_have_the_verdict_of_a_validator(self) -> None:
        """The model accepts what an independent validator accepts, however keywords are mixed."""
        try:
            import jsonschema
        except ModuleNotFoundError as error:
            raise unittest.SkipTest("skipped: python3-jsonschema is not installed") from error
        source = random_schemas.Source(random.Random(20260728))
        counts = {True: 0, False: 0}
        for document in source.documents(200):
            model = build(document)
            validator_class: Any = jsonschema.validators.validator_for(document)
            for definition in model.definitions:
                keyword = "$defs" if "$defs" in document else "definitions"
                validator = validator_class(
                    {keyword: document[keyword], "$ref": f"#/{keyword}/{definition.name}"}
                )
                for value in source.values(30):
                    expected = validator.is_valid(value)
                    counts[expected] += 1
                    found = accepts(model, definition.node, value)
                    self.assertEqual(found, expected, f"{definition.name}: {json.dumps(value)}: {document}")
        self.assertGreater(min(counts.values()), 1000)


if __name__ == "__main__":
    unittest.main()
