# SPDX-License-Identifier: MIT
"""How the alternatives of a union are told apart, rule by rule, and when a decision is asked for."""

from __future__ import annotations

import unittest
from typing import Any, ClassVar, Dict, Optional, Tuple

from codegen.errors import Refusal
from codegen.facts.facts import Facts, UnionFact, UnionTest
from codegen.facts.load import load
from codegen.model.load import load_document
from codegen.model.nodes import Node, UnionType
from codegen.model.resolve import Index, key
from codegen.plan.revision_plan import plan_revision
from codegen.plan.unions import Test, UnionPlan, label, plan_union
from codegen.source.revisions import load as load_revisions
from tests.codegen.support import SCHEMA_DIR, build, document_2020_12

TEXT = {"type": "string"}


def tagged(value: str, required: bool = True, **more: Any) -> dict[str, Any]:
    """An object with a constant member `type`."""
    schema: dict[str, Any] = {"type": "object", "properties": {"type": {"const": value}, **more}}
    return {**schema, "required": ["type"]} if required else schema


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def plan(
    *alternatives: Any, fact: Optional[UnionFact] = None, complete: bool = False, **definitions: Any
) -> UnionPlan:
    """The plan of a definition U with these alternatives."""
    facts = Facts("2000-01-01", complete=complete, unions={"U": fact} if fact else {})
    document = build(document_2020_12(U={"anyOf": list(alternatives)}, **definitions))
    node = document.definition("U").node
    assert isinstance(node, UnionType)
    return plan_union(Index(document), facts, node, "U")


class RuleTest(unittest.TestCase):
    def test_json_types_alone_prove_it(self) -> None:
        found = plan(TEXT, {"type": "boolean"}, {"type": "array", "items": TEXT})
        self.assertTrue(found.disjoint)
        self.assertEqual(found.tests, ())

    def test_a_constant_in_all_alternatives_proves_it(self) -> None:
        found = plan(ref("A"), ref("B"), A=tagged("a"), B=tagged("b"))
        self.assertEqual(found.tests, (Test("type", "a", 0), Test("type", "b", 1)))
        self.assertTrue(found.disjoint and found.one_key)

    def test_each_value_of_an_enum_tag_has_a_test(self) -> None:
        number = {
            "type": "object",
            "properties": {"type": {"enum": ["number", "integer"]}},
            "required": ["type"],
        }
        found = plan(ref("A"), ref("N"), A=tagged("a"), N=number)
        self.assertEqual(
            [(t.value, t.alternative) for t in found.tests], [("a", 0), ("integer", 1), ("number", 1)]
        )

    def test_a_tag_that_one_alternative_may_leave_out_stands_for_its_absence(self) -> None:
        found = plan(ref("A"), ref("B"), A=tagged("a"), B=tagged("b", required=False))
        self.assertEqual(found.otherwise, 1)
        self.assertTrue(found.disjoint)

    def test_a_tag_that_two_alternatives_may_leave_out_is_not_looked_at(self) -> None:
        definitions: dict[str, Any] = {
            name: {
                "type": "object",
                "properties": {"type": {"const": name}, "kind": {"const": name}},
                "required": ["kind"],
            }
            for name in ("A", "B")
        }
        found = plan(ref("A"), ref("B"), **definitions)
        self.assertEqual({test.member for test in found.tests}, {"kind"})
        self.assertIsNone(found.otherwise)

    def test_a_member_that_the_others_forbid_proves_it(self) -> None:
        closed = {
            "type": "object",
            "properties": {"b": TEXT},
            "required": ["b"],
            "additionalProperties": False,
        }
        other = {**closed, "properties": {"a": TEXT}, "required": ["a"]}
        found = plan(ref("A"), ref("B"), A=other, B=closed)
        self.assertEqual(found.tests, (Test("a", None, 0), Test("b", None, 1)))
        self.assertTrue(found.disjoint)
        self.assertFalse(found.one_key)

    def test_constants_of_one_json_type_are_no_reason_to_stop_at_the_first(self) -> None:
        found = plan({"const": 1}, {"const": 2})
        self.assertFalse(found.disjoint)

    def test_true_is_not_one(self) -> None:
        self.assertTrue(plan({"const": True}, {"const": 1}).disjoint)

    def test_a_union_inside_a_union_brings_its_alternatives(self) -> None:
        inner = {"anyOf": [ref("A"), ref("B")]}
        found = plan(ref("I"), ref("C"), I=inner, A=tagged("a"), B=tagged("b"), C=tagged("c"))
        self.assertEqual([test.value for test in found.tests], ["a", "b", "c"])

    def test_an_inline_array_that_a_definition_describes_is_that_definition(self) -> None:
        array = {"type": "array", "items": ref("A")}
        found = plan(ref("A"), array, A=tagged("a"), Batch=array)
        self.assertEqual([getattr(leaf, "name", None) for leaf in found.alternatives], ["A", "Batch"])


class RefusalTest(unittest.TestCase):
    """A revision whose facts are complete."""

    def assert_refused(self, left: str, right: str, *alternatives: Any, **definitions: Any) -> None:
        with self.assertRaises(Refusal) as caught:
            plan(*alternatives, complete=True, **definitions)
        self.assertEqual(
            str(caught.exception),
            f'schema.json: /$defs/U: no rule tells "{left}" from "{right}": decide in unions.json, '
            'with an entry at "U"',
        )

    def test_open_objects_with_different_required_members(self) -> None:
        a = {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}
        b = {"type": "object", "properties": {"b": TEXT}, "required": ["b"]}
        self.assert_refused("A", "B", ref("A"), ref("B"), A=a, B=b)

    def test_the_same_constant_twice(self) -> None:
        other = tagged("a", x=TEXT)
        self.assert_refused("A", "B", ref("A"), ref("B"), A=tagged("a"), B=other)

    def test_two_optional_tags(self) -> None:
        definitions = {"A": tagged("a", required=False), "B": tagged("b", required=False)}
        self.assert_refused("A", "B", ref("A"), ref("B"), **definitions)

    def test_an_integer_is_a_number(self) -> None:
        self.assert_refused("integer", "number", {"type": "integer"}, {"type": "number"})

    def test_an_enum_is_a_string(self) -> None:
        self.assert_refused("enum", "string", {"enum": ["a", "b"]}, TEXT)

    def test_an_empty_array_is_any_array(self) -> None:
        arrays = [{"type": "array", "items": TEXT}, {"type": "array", "items": {"type": "boolean"}}]
        self.assert_refused("array", "array", *arrays)


class FactTest(unittest.TestCase):
    OPEN = ({"type": "object", "properties": {"a": TEXT}}, {"type": "object", "properties": {"b": TEXT}})

    def fact(self, *tests: Tuple[str, Optional[str], str], otherwise: Optional[str] = None) -> UnionFact:
        return UnionFact(
            "unions.json", "/unions/0", tuple(UnionTest(*test) for test in tests), otherwise, "why"
        )

    def test_an_entry_decides_and_proves_nothing(self) -> None:
        a, b = self.OPEN
        fact = self.fact(("b", None, "B"), ("a", None, "A"), otherwise="A")
        found = plan(ref("A"), ref("B"), A=a, B=b, fact=fact)
        self.assertEqual(found.tests, (Test("b", None, 1), Test("a", None, 0)))
        self.assertEqual((found.otherwise, found.disjoint, found.one_key), (0, False, False))

    def test_tests_on_values_of_one_member_are_marked(self) -> None:
        a, b = self.OPEN
        fact = self.fact(("t", "a", "A"), ("t", "b", "B"))
        self.assertTrue(plan(ref("A"), ref("B"), A=a, B=b, fact=fact).one_key)

    def test_an_entry_that_names_no_alternative_is_refused(self) -> None:
        a, b = self.OPEN
        with self.assertRaises(Refusal) as caught:
            plan(ref("A"), ref("B"), A=a, B=b, fact=self.fact(("a", None, "C")))
        self.assertEqual(
            str(caught.exception), 'unions.json: /unions/0: "C" is not an alternative of the union at "U"'
        )


class OrderTest(unittest.TestCase):
    """A schema that nobody has annotated."""

    A: ClassVar[Dict[str, Any]] = {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}
    B: ClassVar[Dict[str, Any]] = {"type": "object", "properties": {"b": TEXT}, "required": ["b"]}

    def test_alternatives_that_nothing_tells_apart_are_tried_in_the_order_of_the_schema(self) -> None:
        found = plan(ref("B"), ref("A"), A=self.A, B=self.B)
        self.assertEqual([label(leaf) for leaf in found.alternatives], ["B", "A"])
        self.assertEqual((found.tests, found.otherwise, found.disjoint), ((), None, False))
        self.assertEqual(found.undecided, 'no rule tells "B" from "A"')

    def test_a_warning_names_the_place_of_such_a_union(self) -> None:
        either = {"anyOf": [ref("A"), ref("B")]}
        document = build(document_2020_12(A=self.A, B=self.B, U=either, V={"type": "array", "items": either}))
        notes = plan_revision(document, Facts("2000-01-01")).notes
        why = 'no rule tells "A" from "B": the first that validates is taken'
        how = "unless unions.json of --facts DIR decides at"
        self.assertEqual(
            list(map(str, notes)),
            [
                f'schema.json: /$defs/U: warning: {why}, {how} "U"',
                f'schema.json: /$defs/V/items: warning: {why}, {how} "V[]"',
            ],
        )

    def test_warnings_of_unions_are_few_and_short(self) -> None:
        either = {"anyOf": [ref("A" * 200), ref("B" * 200)]}
        unions = {f"U{number}": either for number in range(30)}
        document = build(document_2020_12(**{"A" * 200: self.A, "B" * 200: self.B, **unions}))
        notes = plan_revision(document, Facts("2000-01-01")).notes
        self.assertEqual(len(notes), 9)
        self.assertEqual(notes[-1].text, "22 more unions are read in the order of the schema")
        self.assertLess(max(len(str(note)) for note in notes), 500)

    def test_what_a_rule_decides_needs_no_warning(self) -> None:
        document = build(document_2020_12(U={"anyOf": [TEXT, {"type": "boolean"}]}))
        self.assertEqual(plan_revision(document, Facts("2000-01-01")).notes, ())


class PublishedTest(unittest.TestCase):
    def test_every_entry_is_needed_in_each_of_its_revisions(self) -> None:
        revisions = load_revisions(SCHEMA_DIR)
        wanted = set()
        for name in revisions.names:
            document = load_document(revisions.schema_file(name), name, revisions.errata_file(name))
            facts = load(SCHEMA_DIR, name)
            for union in _unions(document):
                at = key(union)
                if at in facts.unions:
                    wanted.add(at)
                    with self.subTest(revision=name, at=at), self.assertRaises(Refusal):
                        plan_union(Index(document), Facts(name, complete=True), union, at)
        entries = {at for name in revisions.names for at in load(SCHEMA_DIR, name).unions}
        self.assertEqual(entries, wanted)

    def test_every_raw_value_exists_in_some_revision(self) -> None:
        revisions = load_revisions(SCHEMA_DIR)
        found: set[str] = set()
        for name in revisions.names:
            document = load_document(revisions.schema_file(name), name, revisions.errata_file(name))
            found |= _keys(document)
        listed = {at for name in revisions.names for at in load(SCHEMA_DIR, name).raw}
        self.assertEqual(listed - found, set())


def _keys(node: Any) -> set[str]:
    """The keys of all nodes below a document or node."""
    found = {key(node)} if isinstance(node, Node) else set()
    for part in getattr(node, "__dict__", {}).values():
        for item in part if isinstance(part, tuple) else (part,):
            if hasattr(item, "__dict__"):
                found |= _keys(item)
    return found


def _unions(node: Any) -> list[UnionType]:
    """All unions below a document or node."""
    found = [node] if isinstance(node, UnionType) else []
    for part in getattr(node, "__dict__", {}).values():
        for item in part if isinstance(part, tuple) else (part,):
            if hasattr(item, "__dict__"):
                found += _unions(item)
    return found


if __name__ == "__main__":
    unittest.main()
