# SPDX-License-Identifier: MIT
"""How names of the schema become names in C, and which are refused."""

from __future__ import annotations

import unittest
from typing import List

from codegen.facts.facts import Facts
from codegen.plan import names
from codegen.plan.revision_plan import plan_revision
from tests.codegen.support import build, document_2020_12

FILE = "schema.json"


class SnakeTest(unittest.TestCase):
    def test_acronyms_stay_together(self) -> None:
        cases = {
            "JSONRPCMessage": "jsonrpc_message",
            "URLElicitationRequiredError": "url_elicitation_required_error",
            "ElicitRequestURLParams": "elicit_request_url_params",
            "mimeType": "mime_type",
            "ttlMs": "ttl_ms",
            "Tool": "tool",
        }
        self.assertEqual({name: names.snake(name) for name in cases}, cases)

    def test_other_characters_part_words(self) -> None:
        self.assertEqual(names.snake("Record<string,string>"), "record_string_string")
        self.assertEqual(names.snake("date-time"), "date_time")

    def test_nothing_is_left_of_other_scripts(self) -> None:
        self.assertEqual(names.snake("名前"), "")


class MemberTest(unittest.TestCase):
    def member(self, *members: str) -> list[str]:
        return list(names.member_names(members).values())

    def test_special_members(self) -> None:
        self.assertEqual(self.member("_meta", "$schema"), ["meta", "schema_uri"])

    def test_words_of_c_cpp_and_our_own_get_an_underscore(self) -> None:
        self.assertEqual(
            self.member("default", "enum", "delete", "namespace", "extra", "items", "linux"),
            ["default_", "enum_", "delete_", "namespace_", "extra_", "items_", "linux_"],
        )

    def test_a_reverse_dns_key_takes_its_last_segment(self) -> None:
        self.assertEqual(self.member("io.modelcontextprotocol/clientInfo"), ["client_info"])

    def test_a_reverse_dns_key_is_spelled_out_beside_a_member_of_its_short_name(self) -> None:
        for order in (("org.example/name", "name"), ("name", "org.example/name")):
            found = names.member_names(order)
            self.assertEqual(found, {"org.example/name": "org_example_name", "name": "name"})

    def test_a_leading_digit_gets_an_underscore(self) -> None:
        self.assertEqual(self.member("2fa"), ["_2fa"])

    def test_two_members_of_one_c_name_are_numbered_whatever_their_order(self) -> None:
        for order in (("mimeType", "mime_type"), ("mime_type", "mimeType")):
            found = names.member_names(order)
            self.assertEqual(found, {"mimeType": "mime_type", "mime_type": "mime_type_2"})

    def test_a_number_that_another_member_has_is_passed_over(self) -> None:
        found = names.member_names(("aB", "a_b", "a_b_2"))
        self.assertEqual(found, {"aB": "a_b", "a_b": "a_b_3", "a_b_2": "a_b_2"})

    def test_members_without_a_usable_character_are_numbered(self) -> None:
        self.assertEqual(names.member_names(["$", "é"]), {"$": "unnamed", "é": "unnamed_2"})


class EnumeratorTest(unittest.TestCase):
    def test_values_become_upper_case(self) -> None:
        parts = names.enumerator_parts(["date-time", "allServers"])
        self.assertEqual(parts, ("DATE_TIME", "ALL_SERVERS"))

    def test_a_value_unknown_does_not_take_the_name_of_unknown_values(self) -> None:
        self.assertEqual(names.enumerator_parts(["unknown"]), ("UNKNOWN_",))

    def test_two_values_of_one_c_name_are_numbered(self) -> None:
        self.assertEqual(names.enumerator_parts(["a_b", "a-b"]), ("A_B_2", "A_B"))


class GlobalTest(unittest.TestCase):
    def test_a_definition_of_our_own_name_gets_an_underscore(self) -> None:
        plan = plan_revision(build(document_2020_12(Message={"type": "string"})), Facts("2000-01-01"))
        self.assertEqual([alias.name for alias in plan.aliases], ["mcp_20000101_message_"])

    def names_of(self, **definitions: object) -> List[str]:
        plan = plan_revision(build(document_2020_12(**definitions)), Facts("2000-01-01"))
        declared = (*plan.types, *plan.aliases, *plan.enums)
        return sorted(decl.name[len("mcp_20000101_") :] for decl in declared)

    def test_colliding_definitions_are_numbered(self) -> None:
        text = {"type": "string"}
        self.assertEqual(self.names_of(tool_list=text, ToolList=text), ["tool_list", "tool_list_2"])

    def test_a_list_type_leaves_its_name_to_a_definition(self) -> None:
        tools = {"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/Tool"}}}}
        tool = {"type": "object", "properties": {"name": {"type": "string"}}}
        found = self.names_of(Tool=tool, ToolList={"type": "string"}, Tools=tools)
        self.assertEqual(found, ["tool", "tool_list", "tool_list_inline", "tools"])

    def test_an_inline_object_leaves_its_name_to_a_definition(self) -> None:
        inner = {"type": "object", "properties": {"x": {"enum": ["a", "b"]}}}
        outer = {"type": "object", "properties": {"inner": inner}}
        found = self.names_of(Outer=outer, OuterInner={"type": "string"}, OuterInnerX={"type": "string"})
        expected = ["outer", "outer_inner", "outer_inner_inline", "outer_inner_inline_x", "outer_inner_x"]
        self.assertEqual(found, expected)

    def test_a_definition_leaves_its_name_to_a_function_of_another_one(self) -> None:
        text = {"type": "string"}
        found = self.names_of(Tool=text, ToolDecode=text, ToolText=text)
        self.assertEqual(found, ["tool", "tool_decode_", "tool_text_"])

    def test_a_function_of_a_method_leaves_its_name_to_a_definition(self) -> None:
        ping = {
            "type": "object",
            "properties": {"method": {"type": "string", "const": "ping"}},
            "required": ["method"],
        }
        union = {"anyOf": [{"$ref": "#/$defs/PingRequest"}]}
        empty = {"type": "object"}
        document = document_2020_12(
            PingRequest=ping, ClientRequest=union, EmptyResult=empty, RequestPing={"type": "string"}
        )
        plan = plan_revision(build(document), Facts("2000-01-01"))
        self.assertEqual([wrapper.name for wrapper in plan.handlers.requests], ["mcp_20000101_request_ping_"])

    def alternatives(self, *objects: object) -> List[str]:
        prefix = "u_"
        return [
            name[len(prefix) :] for name in self.names_of(U={"anyOf": list(objects)}) if name != "u_kind"
        ][1:]

    def test_alternatives_without_a_name_are_named_by_a_constant(self) -> None:
        def tagged(value: str) -> object:
            kind = {"type": "string", "const": value}
            same = {"type": "string", "const": "same"}
            return {"type": "object", "properties": {"same": same, "kind": kind}, "required": ["same"]}

        self.assertEqual(self.alternatives(tagged("one"), tagged("twoWords")), ["one", "two_words"])

    def test_or_by_a_member_that_each_alone_requires(self) -> None:
        def requiring(*members: str) -> object:
            properties = {name: {"type": "string"} for name in members}
            return {"type": "object", "properties": properties, "required": list(members)}

        self.assertEqual(self.alternatives(requiring("a", "x"), requiring("a", "y")), ["x", "y"])
        self.assertEqual(self.alternatives(requiring("a"), requiring("a", "y")), ["object_1", "object_2"])

    def test_alternatives_of_one_name_are_numbered_by_their_places(self) -> None:
        objects = [{"type": "object", "properties": {name: {"type": "string"}}} for name in "ab"]
        found = self.names_of(U={"anyOf": [{"type": "null"}, *objects]})
        self.assertEqual(found, ["u", "u_kind", "u_object_2", "u_object_3"])

    def test_an_inline_object_is_named_by_its_path(self) -> None:
        inner = {"type": "object", "properties": {"x": {"type": "string"}}}
        outer = {"type": "object", "properties": {"inner": inner, "list": {"type": "array", "items": inner}}}
        plan = plan_revision(build(document_2020_12(Outer=outer)), Facts("2000-01-01"))
        found = {decl.name for decl in plan.types}
        self.assertLessEqual({"mcp_20000101_outer_inner", "mcp_20000101_outer_list_item"}, found)

    def test_short_names_drop_the_revision(self) -> None:
        plan = plan_revision(
            build(document_2020_12(Role={"enum": ["user", "assistant"]})), Facts("2000-01-01")
        )
        short = dict(plan.short_names)
        self.assertEqual(short["mcp_role"], "mcp_20000101_role")
        self.assertEqual(short["MCP_ROLE_USER"], "MCP_20000101_ROLE_USER")


if __name__ == "__main__":
    unittest.main()
