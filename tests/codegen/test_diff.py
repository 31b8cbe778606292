# SPDX-License-Identifier: MIT
# Slow: tools/test.sh runs it with --all.
"""Comparing two schemas: one small pair for each kind of change, with the entry that it has to make."""

from __future__ import annotations

import unittest
from dataclasses import replace
from typing import Any, Dict, List, Optional, Tuple

from codegen.facts.facts import CodeFacts, ErrorCode, Facts
from codegen.model.resolve import Index
from codegen.report.diff.compare import compare
from codegen.report.diff.inclusion import Inclusion
from codegen.report.diff.report import Change, Report, Wire
from codegen.report.diff.rules import RULES
from codegen.report.diff.side import load_sides, side_of
from codegen.source.revisions import load as load_revisions
from tests.codegen.support import SCHEMA_DIR, build, document_2020_12

TEXT: Dict[str, Any] = {"type": "string"}
INTEGER: Dict[str, Any] = {"type": "integer"}
NO_STRING = "a string is refused where an integer is expected"
NO_INTEGER = "an integer is refused where a string is expected"
Entry = Tuple[str, str, Optional[str], Optional[str], Optional[str], Optional[str], List[str]]


def thing(required: str = "", **properties: Any) -> Dict[str, Any]:
    """An object schema."""
    return {"type": "object", "properties": properties, "required": required.split()}


def ref(name: str) -> Dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def request(method: str, params: Any) -> Dict[str, Any]:
    return thing("method params", method={"const": method}, params=params)


def report(old: Dict[str, Any], new: Dict[str, Any], facts: Optional[Facts] = None) -> Report:
    """The comparison of two documents with these definitions."""
    sides = [
        side_of(build(document_2020_12(**definitions)), facts or Facts("2000-01-01"))
        for definitions in (old, new)
    ]
    return compare(replace(sides[0], name="old"), replace(sides[1], name="new"))


def entry(change: Change) -> Entry:
    names = [item.name for item in change.source]
    wire = change.wire
    return (change.rule, change.path, change.old, change.new, wire.old_to_new, wire.new_to_old, names)


class KindTest(unittest.TestCase):
    """Each test changes one thing and states all entries that follow."""

    def assert_entries(self, old: Dict[str, Any], new: Dict[str, Any], *expected: Entry) -> None:
        found = report(old, new)
        self.assertEqual([entry(change) for change in found.changes], list(expected))
        self.assertEqual(found.loose, ())

    def test_the_same(self) -> None:
        self.assert_entries({"X": thing(a=TEXT)}, {"X": thing(a=TEXT)})

    def test_order_of_members_is_no_change(self) -> None:
        self.assert_entries({"X": thing("a b", a=TEXT, b=TEXT)}, {"X": thing("b a", b=TEXT, a=TEXT)})

    def test_description_is_no_change(self) -> None:
        self.assert_entries({"X": TEXT}, {"X": {**TEXT, "description": "words"}})

    def test_type_added(self) -> None:
        self.assert_entries(
            {"X": TEXT}, {"X": TEXT, "Y": thing()}, ("type-added", "Y", None, "type", None, None, [])
        )

    def test_type_removed(self) -> None:
        self.assert_entries(
            {"X": TEXT, "Y": thing(a=TEXT)},
            {"X": TEXT},
            ("type-removed", "Y", "type", None, None, None, ["mcp_y"]),
        )

    def test_type_renamed(self) -> None:
        self.assert_entries(
            {"Old": thing(a=TEXT)},
            {"New": thing(a=TEXT)},
            ("type-renamed", "New", "Old", "New", None, None, ["mcp_old"]),
        )

    def test_reference_to_a_renamed_type(self) -> None:
        self.assert_entries(
            {"A": thing(m=ref("Old")), "Old": thing(a=TEXT)},
            {"A": thing(m=ref("New")), "New": thing(a=TEXT)},
            ("reference-renamed", "A.m", "Old", "New", None, None, ["mcp_a.m"]),
            ("type-renamed", "New", "Old", "New", None, None, ["mcp_old"]),
        )

    def test_a_type_with_a_twin_is_not_renamed(self) -> None:
        same = thing(a=TEXT)
        found = report({"Old": same}, {"New": same, "Other": same})
        self.assertEqual([c.rule for c in found.changes], ["type-added", "type-removed", "type-added"])

    def test_plain_strings_are_never_renamed(self) -> None:
        found = report({"Old": TEXT}, {"New": TEXT})
        self.assertEqual([c.rule for c in found.changes], ["type-added", "type-removed"])

    def test_optional_member_added(self) -> None:
        self.assert_entries(
            {"X": thing()},
            {"X": thing(a=TEXT)},
            ("type-changed", "X", "object", "object {a}", None, None, ["mcp_x"]),
        )
        self.assert_entries(
            {"X": thing(b=TEXT)},
            {"X": thing(b=TEXT, a=TEXT)},
            ("member-added", "X.a", None, "string", None, None, []),
        )

    def test_required_member_added(self) -> None:
        self.assert_entries(
            {"X": thing(b=TEXT)},
            {"X": thing("a", b=TEXT, a=TEXT)},
            ("member-added-required", "X.a", None, "string", "is required", None, []),
        )

    def test_optional_member_removed(self) -> None:
        self.assert_entries(
            {"X": thing(b=TEXT, a=TEXT)},
            {"X": thing(b=TEXT)},
            ("member-removed", "X.a", "string", None, None, None, ["mcp_x.a"]),
        )

    def test_required_member_removed(self) -> None:
        self.assert_entries(
            {"X": thing("a", b=TEXT, a=TEXT)},
            {"X": thing(b=TEXT)},
            ("member-removed-required", "X.a", "string", None, None, "is required", ["mcp_x.a"]),
        )

    def test_member_of_a_closed_object(self) -> None:
        closed = {"additionalProperties": False}
        self.assert_entries(
            {"X": {**thing(b=TEXT), **closed}},
            {"X": {**thing(b=TEXT, a=TEXT), **closed}},
            ("member-added", "X.a", None, "string", None, "is not allowed", []),
        )

    def test_member_now_required(self) -> None:
        self.assert_entries(
            {"X": thing(a=INTEGER)},
            {"X": thing("a", a=INTEGER)},
            ("member-required", "X.a", "optional", "required", "is required", None, ["mcp_x.a"]),
        )

    def test_member_now_optional(self) -> None:
        self.assert_entries(
            {"X": thing("a", a=TEXT)},
            {"X": thing(a=TEXT)},
            ("member-optional", "X.a", "required", "optional", None, "is required", []),
        )

    def test_kind_of_member(self) -> None:
        why = (
            "a string is refused where an integer is expected",
            "an integer is refused where a string is expected",
        )
        self.assert_entries(
            {"X": thing(a=TEXT)},
            {"X": thing(a=INTEGER)},
            ("type-changed", "X.a", "string", "integer", *why, ["mcp_x.a"]),
        )

    def test_integer_to_number(self) -> None:
        self.assert_entries(
            {"X": thing("a", a=INTEGER)},
            {"X": thing("a", a={"type": "number"})},
            (
                "type-changed",
                "X.a",
                "integer",
                "number",
                None,
                "a number is refused where an integer is expected",
                ["mcp_x.a"],
            ),
        )

    def test_enum_value_added(self) -> None:
        why = "a string is refused where a string is expected"
        self.assert_entries(
            {"X": {"enum": ["a", "b"]}},
            {"X": {"enum": ["b", "a", "c"]}},
            ("values-changed", "X", '"a" | "b"', '"b" | "a" | "c"', None, why, []),
        )

    def test_enum_value_removed(self) -> None:
        why = "a string is refused where a string is expected"
        self.assert_entries(
            {"X": {"enum": ["a", "b", "c"]}},
            {"X": {"enum": ["a", "b"]}},
            ("values-changed", "X", '"a" | "b" | "c"', '"a" | "b"', why, None, ["MCP_X_C"]),
        )

    def test_constant(self) -> None:
        why = "a constant is refused where a constant is expected"
        self.assert_entries(
            {"X": thing("t", t={"const": "a"})},
            {"X": thing("t", t={"const": "b"})},
            ("values-changed", "X.t", '"a"', '"b"', why, why, []),
        )

    def test_bounds(self) -> None:
        why = "an integer is refused where an integer is expected"
        self.assert_entries(
            {"X": thing(a={**INTEGER, "minimum": 0})},
            {"X": thing(a={**INTEGER, "minimum": 1})},
            ("constraint-changed", "X.a", "from 0", "from 1", why, None, []),
        )

    def test_factor(self) -> None:
        why = "an integer is refused where an integer is expected"
        self.assert_entries(
            {"X": thing(a={**INTEGER, "multipleOf": 4})},
            {"X": thing(a={**INTEGER, "multipleOf": 8, "minimum": 0})},
            ("constraint-changed", "X.a", "multiple of 4", "from 0 multiple of 8", why, None, []),
        )

    def test_an_exclusive_bound_of_an_integer_is_the_next_one(self) -> None:
        self.assert_entries(
            {"X": thing(a={**INTEGER, "minimum": 1})},
            {"X": thing(a={**INTEGER, "exclusiveMinimum": 0})},
            ("constraint-changed", "X.a", "from 1", "above 0", None, None, []),
        )

    def test_number_of_items(self) -> None:
        items = {"type": "array", "items": TEXT}
        self.assert_entries(
            {"X": thing(a=items)},
            {"X": thing(a={**items, "maxItems": 3})},
            (
                "constraint-changed",
                "X.a",
                "no bounds",
                "of at most 3 items",
                "more than 3 items are refused",
                None,
                [],
            ),
        )

    def test_items(self) -> None:
        found = report(
            {"X": thing(a={"type": "array", "items": TEXT})},
            {"X": thing(a={"type": "array", "items": INTEGER})},
        )
        (change,) = found.changes
        expected = ("type-changed", "X.a[]", "string", "integer", NO_STRING, NO_INTEGER, ["mcp_x.a"])
        self.assertEqual(entry(change), expected)
        self.assertEqual([item.name for item in found.loose], ["mcp_str_list"])

    def test_format_says_nothing_of_what_is_valid(self) -> None:
        self.assert_entries(
            {"X": thing(a=TEXT)},
            {"X": thing(a={**TEXT, "format": "uri"})},
            ("format-changed", "X.a", "any text", "uri", None, None, []),
        )

    def test_object_closed(self) -> None:
        self.assert_entries(
            {"X": thing(a=TEXT)},
            {"X": {**thing(a=TEXT), "additionalProperties": False}},
            (
                "others-changed",
                "X",
                "free",
                "not allowed",
                "other members are not allowed",
                None,
                ["mcp_x.extra"],
            ),
        )

    def test_number_of_members(self) -> None:
        entries = {"type": "object", "additionalProperties": TEXT}
        self.assert_entries(
            {"X": entries},
            {"X": {**entries, "minProperties": 1}},
            (
                "constraint-changed",
                "X",
                "no bounds",
                "of at least 1 member",
                "fewer than 1 member is refused",
                None,
                [],
            ),
        )

    def test_values_of_a_map(self) -> None:
        found = report(
            {"X": {"type": "object", "additionalProperties": TEXT}},
            {"X": {"type": "object", "additionalProperties": INTEGER}},
        )
        self.assertEqual([c.path for c in found.changes], ["X{}"])
        self.assertTrue(found.changes[0].wire.old_to_new)

    def test_alternative_added(self) -> None:
        self.assert_entries(
            {"X": {"anyOf": [TEXT, {"type": "boolean"}]}},
            {"X": {"anyOf": [TEXT, {"type": "boolean"}, INTEGER]}},
            (
                "alternative-added",
                "X",
                None,
                "integer",
                None,
                "an integer is not one of the alternatives",
                [],
            ),
        )

    def test_alternative_removed(self) -> None:
        self.assert_entries(
            {"X": {"anyOf": [TEXT, {"type": "boolean"}, INTEGER]}},
            {"X": {"anyOf": [TEXT, {"type": "boolean"}]}},
            (
                "alternative-removed",
                "X",
                "integer",
                None,
                "an integer is not one of the alternatives",
                None,
                ["mcp_x.as.integer", "MCP_X_INTEGER"],
            ),
        )

    def test_described_in_place_then_named(self) -> None:
        self.assert_entries(
            {"X": thing(m=thing(a=TEXT))},
            {"X": thing(m=ref("Y")), "Y": thing(a=TEXT)},
            ("named", "X.m", "object {a}", "Y", None, None, ["mcp_x.m", "mcp_x_m"]),
            ("type-added", "Y", None, "type", None, None, []),
        )

    def test_a_name_that_c_had_already(self) -> None:
        self.assert_entries(
            {"X": thing(m=thing(a=TEXT))},
            {"X": thing(m=ref("XM")), "XM": thing(a=TEXT)},
            ("named", "X.m", "object {a}", "XM", None, None, ["mcp_x.m", "mcp_x_m"]),
            ("type-added", "XM", None, "type", None, None, []),
        )
        self.assert_entries(
            {"Foo": thing(m=thing(a=TEXT))},
            {"Foo": thing(m=ref("FooM")), "FooM": thing(a=TEXT)},
            ("named", "Foo.m", "object {a}", "FooM", None, None, []),
            ("type-named", "FooM", None, "type", None, None, []),
        )

    def test_what_changes_beyond_a_new_name_is_told_where_it_was_in_place(self) -> None:
        found = report(
            {"Foo": thing(m=thing(a=TEXT))}, {"Foo": thing(m=ref("FooM")), "FooM": thing("b", a=TEXT, b=TEXT)}
        )
        self.assertEqual(entry(found.changes[1])[:2], ("member-added-required", "Foo.m.b"))
        self.assertEqual(found.changes[1].c, "mcp_foo_m.b")

    def test_another_reference(self) -> None:
        both = {"A": thing("a", a=TEXT), "B": thing("b", b=TEXT)}
        self.assert_entries(
            {"X": thing(m=ref("A")), **both},
            {"X": thing(m=ref("B")), **both},
            ("type-changed", "X.m", "A", "B", "/b: is required", "/a: is required", ["mcp_x.m"]),
        )


class MethodTest(unittest.TestCase):
    def changes(self, old: Dict[str, Any], new: Dict[str, Any], facts: Optional[Facts] = None) -> List[Entry]:
        found = report(old, new, facts)
        return [entry(change) for method in found.methods for change in method.changes]

    def schema(self, *methods: str, server: str = "", **more: Any) -> Dict[str, Any]:
        """Requests whose params are P, answered by EmptyResult."""
        definitions = {
            name.upper() + "Request": request(name, ref("P")) for name in (*methods, server) if name
        }
        unions: Dict[str, Any] = {
            "ClientRequest": {"anyOf": [ref(name.upper() + "Request") for name in methods]}
        }
        if server:
            unions["ServerRequest"] = {"anyOf": [ref(server.upper() + "Request")]}
        return {**definitions, **unions, "P": thing(p=TEXT), "EmptyResult": thing(e=TEXT), **more}

    def test_method_added_is_not_breaking_on_the_wire(self) -> None:
        found = report(self.schema("a", "b"), self.schema("a", "b", "c"))
        self.assertEqual(
            [(m.name, m.state) for m in found.methods], [("a", "same"), ("b", "same"), ("c", "added")]
        )
        self.assertEqual(entry(found.methods[2].changes[0])[4:], (None, "is no method", []))
        self.assertFalse(found.breaking)

    def test_method_removed(self) -> None:
        found = self.changes(self.schema("a", "b", "c"), self.schema("a", "b"))
        self.assertEqual(found[0][:5], ("method-removed", "c", "client to server", None, "is no method"))
        self.assertIn("MCP_METHOD_C", found[0][6])
        self.assertIn("mcp_server_handlers.c", found[0][6])

    def test_direction(self) -> None:
        found = self.changes(self.schema("a", "b"), self.schema("a", server="b"))
        wire = ("is not sent by a client", "is not sent by a server")
        self.assertEqual(
            found[0][:6], ("method-direction", "b", "client to server", "server to client", *wire)
        )

    def test_params_of_another_type(self) -> None:
        new = {**self.schema("a", "b"), "BRequest": request("b", ref("Q")), "Q": thing("q", q=TEXT)}
        found = self.changes(self.schema("a", "b"), new)
        self.assertEqual(found[0][:6], ("method-params", "b", "P", "Q", "/q: is required", None))
        self.assertIn("mcp_request_b", found[0][6])

    def test_params_now_required(self) -> None:
        old = {**self.schema("a", "b"), "BRequest": thing("method", method={"const": "b"}, params=ref("P"))}
        found = self.changes(old, self.schema("a", "b"))
        self.assertEqual(
            found, [("method-params-required", "b", "optional", "required", "params are required", None, [])]
        )

    def test_result_of_another_type(self) -> None:
        new = self.schema("a", "b", BResult=thing("r", r=TEXT))
        found = self.changes(self.schema("a", "b"), new)
        self.assertEqual(
            found[0][:6], ("method-result", "b", "EmptyResult", "BResult", "/r: is required", None)
        )
        self.assertIn("mcp_respond_b", found[0][6])

    def test_a_change_of_a_type_far_below_reaches_the_method(self) -> None:
        deep = {"P": thing(p=ref("Q")), "Q": thing(q=ref("R"))}
        old = self.schema("a", "b", **deep, R=thing(r=TEXT))
        new = self.schema("a", "b", **deep, R=thing("r", r=TEXT))
        found = report(old, new)
        self.assertEqual(found.methods[0].params.old_to_new, "/p/q/r: is required")
        self.assertEqual(found.methods[0].changes, ())

    def test_error_codes(self) -> None:
        def facts(*codes: Tuple[str, int]) -> Facts:
            own = tuple(ErrorCode(name, code, "") for name, code in codes)
            return Facts("2000-01-01", codes=CodeFacts(own=own, replaced=((-2, -1),)))

        sides = [
            side_of(build(document_2020_12(X=TEXT)), facts(*codes), name)
            for codes, name in (((("GONE", -2), ("KEPT", -1)), "old"), ((("KEPT", -1), ("NEW", -3)), "new"))
        ]
        found = compare(*sides)
        entries = [entry(change) for error in found.errors for change in error.changes]
        self.assertEqual(
            entries,
            [
                ("error-removed", "GONE", "GONE (-2)", "KEPT (-1)", None, None, ["MCP_ERROR_GONE"]),
                ("error-added", "NEW", None, "NEW (-3)", None, None, []),
            ],
        )

    def test_batches(self) -> None:
        one, many = {"JSONRPCMessage": thing(a=TEXT)}, {"type": "array", "items": thing(a=TEXT)}
        found = report(one, {"JSONRPCMessage": {"anyOf": [thing(a=TEXT), many]}})
        self.assertEqual([c.rule for c in found.general], ["batches-added"])

    def test_what_json_rpc_residuals_anyway_is_not_breaking(self) -> None:
        stated = thing(
            "jsonrpc method params", jsonrpc={"const": "2.0"}, method={"const": "b"}, params=ref("P")
        )
        found = report(self.schema("a", "b"), {**self.schema("a", "b"), "BRequest": stated})
        self.assertEqual([c.rule for c in found.changes], ["envelope"])
        self.assertFalse(found.breaking)


class CauseTest(unittest.TestCase):
    """A break of C source stands by the change that it comes from."""

    def test_each_alternative_that_is_gone_has_its_own_names(self) -> None:
        alternatives = [TEXT, {"type": "boolean"}, INTEGER, {"type": "null"}]
        found = report({"X": {"anyOf": alternatives}}, {"X": {"anyOf": alternatives[:1] + alternatives[3:]}})
        names = {change.old: [item.name for item in change.source] for change in found.changes}
        self.assertEqual(
            names,
            {
                "boolean": ["mcp_x.as.boolean", "MCP_X_BOOLEAN"],
                "integer": ["mcp_x.as.integer", "MCP_X_INTEGER"],
            },
        )

    def test_functions_of_params_and_of_results_are_told_apart(self) -> None:
        base = MethodTest().schema("a", "b")
        new = {**base, "BRequest": request("b", ref("Q")), "Q": thing("q", q=TEXT), "BResult": thing(r=TEXT)}
        found = {change.rule: change for change in report(base, new).methods[1].changes}
        params = [item.name for item in found["method-params"].source]
        results = [item.name for item in found["method-result"].source]
        self.assertIn("mcp_request_b", params)
        self.assertEqual(results, ["mcp_reply_b", "mcp_respond_b", "mcp_result_b"])

    def test_a_type_inside_a_member_goes_with_the_member(self) -> None:
        found = report({"X": thing(b=TEXT, m=thing(a=thing(c=TEXT)))}, {"X": thing(b=TEXT)})
        (change,) = found.changes
        self.assertEqual([item.name for item in change.source], ["mcp_x.m", "mcp_x_m", "mcp_x_m_a"])


class ActionTest(unittest.TestCase):
    """The remedy for a C user: a sentence of the rules, filled in."""

    def action(self, old: Dict[str, Any], new: Dict[str, Any]) -> str:
        (change,) = report(old, new).changes
        return change.action

    def test_member_of_a_struct(self) -> None:
        found = self.action({"X": thing(b=TEXT)}, {"X": thing("a", b=TEXT, a=TEXT)})
        self.assertEqual(found, "Set mcp_x.a before encoding, which fails without it.")

    def test_constant_that_encode_writes(self) -> None:
        found = self.action({"X": thing(b=TEXT)}, {"X": thing("a", b=TEXT, a={"const": "x"})})
        self.assertEqual(found, "Nothing; encode writes it.")

    def test_every_rule_has_a_mirror_that_mirrors_it(self) -> None:
        for name, rule in RULES.items():
            with self.subTest(name):
                self.assertEqual(RULES[rule.mirror].mirror, name)


class SymmetryTest(unittest.TestCase):
    """Properties of the comparison of every pair of revisions."""

    reports: Dict[Tuple[str, str], Report]

    @classmethod
    def setUpClass(cls) -> None:
        revisions = load_revisions(SCHEMA_DIR)
        names = revisions.names
        pairs = [(a, b) for a in names for b in names]
        cls.reports = {pair: compare(*load_sides(*pair, revisions, errata=True)) for pair in pairs}

    def test_a_revision_is_equal_to_itself(self) -> None:
        for (old, new), found in self.reports.items():
            if old == new:
                self.assertEqual((found.changes, found.loose, found.vanished), ((), (), ()))
                self.assertEqual({item.state for item in (*found.types, *found.methods)}, {"same"})

    def test_what_is_added_one_way_is_removed_the_other_way(self) -> None:
        for (old, new), found in self.reports.items():
            # Changes of a renamed type stand under its new name, so paths agree only where none is.
            with_paths = all(item.state != "renamed" for item in found.types)
            forth = sorted(_row(change, with_paths) for change in found.changes)
            back = sorted(_mirrored(change, with_paths) for change in self.reports[new, old].changes)
            with self.subTest(f"{old} {new}"):
                self.assertEqual(forth, back)

    def test_a_type_without_changes_below_it_is_safe_both_ways(self) -> None:
        for found in self.reports.values():
            if not any(change.wire.breaks for change in found.changes):
                self.assertFalse(any(item.values.breaks for item in found.types))

    def test_every_type_and_method_of_either_side_is_there_once(self) -> None:
        for (old, new), found in self.reports.items():
            with self.subTest(f"{old} {new}"):
                olds = [item.old_name for item in found.types if item.old_name]
                news = [item.new_name for item in found.types if item.new_name]
                self.assertEqual((len(set(olds)), len(set(news))), (found.old.types, found.new.types))
                self.assertEqual((len(olds), len(news)), (found.old.types, found.new.types))

    def test_a_change_that_breaks_nothing_is_not_breaking(self) -> None:
        for found in self.reports.values():
            for change in found.changes:
                if change.breaking:
                    self.assertTrue(change.source or change.wire.breaks, change)


def _row(change: Change, with_path: bool) -> str:
    wire = change.wire
    # The successor of an error code that is gone has no counterpart the other way.
    new = None if change.rule.startswith("error") else change.new
    old = None if change.rule.startswith("error") else change.old
    path = change.path if with_path else ""
    return repr((change.rule, path, _sorted(old), _sorted(new), wire.old_to_new, wire.new_to_old))


def _mirrored(change: Change, with_path: bool) -> str:
    """The row of the change that the same is the other way round."""
    wire = Wire(change.wire.new_to_old, change.wire.old_to_new)
    turned = replace(change, rule=RULES[change.rule].mirror, old=change.new, new=change.old, wire=wire)
    return _row(turned, with_path)


def _sorted(text: object) -> str:
    """A type in words whatever the order of its parts, which follows the one or the other schema."""
    return "".join(sorted(str(text)))


class InclusionTest(unittest.TestCase):
    def gap(self, source: Any, target: Any, **others: Any) -> Optional[str]:
        document = build(document_2020_12(S=source, T=target, **others))
        index = Index(document)
        return Inclusion(index, index).gap(document.definition("S").node, document.definition("T").node)

    def test_recursive_types_that_say_the_same(self) -> None:
        left = thing(next=ref("S"))
        right = thing(next=ref("T"))
        self.assertIsNone(self.gap(left, right))

    def test_recursive_types_that_differ_below(self) -> None:
        self.assertEqual(
            self.gap(thing(next=ref("S"), a=TEXT), thing(next=ref("T"), a=INTEGER)),
            "/a: a string is refused where an integer is expected",
        )

    def test_what_an_assumption_proved_does_not_outlive_it(self) -> None:
        # While S is compared with A, their items count as fitting; A fails, and B must be tried afresh.
        source = thing("n", n={"type": "array", "items": ref("S")}, v=TEXT)
        first = thing("n", n={"type": "array", "items": ref("A")}, v=INTEGER)
        target = {"anyOf": [ref("A"), ref("B")]}
        second = thing("n w", n={"type": "array", "items": ref("A")}, w=TEXT)
        self.assertIsNotNone(self.gap(source, target, A=first, B=second))

    def test_any_value_goes_into_a_union_of_everything(self) -> None:
        everything = {
            "anyOf": [
                {"type": ["string", "number", "boolean", "null"]},
                {"type": "array", "items": ref("T")},
                {"type": "object", "additionalProperties": ref("T")},
            ]
        }
        self.assertIsNone(self.gap({}, everything))
        self.assertIsNotNone(self.gap({}, {"anyOf": everything["anyOf"][:2]}))

    def test_enum_values_may_go_into_different_alternatives(self) -> None:
        self.assertIsNone(self.gap({"enum": ["a", "b"]}, {"anyOf": [{"const": "a"}, {"const": "b"}]}))

    def test_entries_of_a_map_count_under_a_name_that_the_target_gives_a_type(self) -> None:
        entries = {"type": "object", "additionalProperties": TEXT}
        self.assertIsNotNone(self.gap(entries, thing(a=INTEGER)))
        self.assertIsNone(self.gap(thing(b=TEXT), thing(b=TEXT, a=INTEGER)))

    def test_true_is_not_one(self) -> None:
        self.assertIsNotNone(self.gap({"const": True}, {"const": 1}))
        self.assertIsNotNone(self.gap({"const": True}, INTEGER))

    def test_bounds(self) -> None:
        cases = (
            ({"minimum": 1}, {"minimum": 0}, True),
            ({"minimum": 0}, {"exclusiveMinimum": 0}, False),
            ({"exclusiveMinimum": 0}, {"minimum": 0}, True),
            ({"maximum": 5}, {"exclusiveMaximum": 5}, False),
            ({"maximum": 5}, {"maximum": 6}, True),
            ({}, {"maximum": 6}, False),
        )
        for source, target, fits in cases:
            with self.subTest(f"{source} {target}"):
                found = self.gap({"type": "number", **source}, {"type": "number", **target})
                self.assertEqual(found is None, fits)

    def test_factors(self) -> None:
        cases = (
            ({"multipleOf": 6}, {"multipleOf": 3}, True),
            ({"multipleOf": 3}, {"multipleOf": 6}, False),
            ({"multipleOf": 3}, {}, True),
            ({}, {"multipleOf": 3}, False),
            ({"const": 9}, {"multipleOf": 3}, True),
            ({"const": 8}, {"multipleOf": 3}, False),
        )
        for source, target, fits in cases:
            with self.subTest(f"{source} {target}"):
                found = self.gap({**INTEGER, **source}, {**INTEGER, **target})
                self.assertEqual(found is None, fits)


if __name__ == "__main__":
    unittest.main()
