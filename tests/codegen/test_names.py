# SPDX-License-Identifier: MIT
"""How names of the schema become names in C, and which are refused."""

from __future__ import annotations

import unittest

from codegen.errors import Refusal
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
        return list(names.member_names(FILE, "/p", members).values())

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
            found = names.member_names(FILE, "/p", order)
            self.assertEqual(found, {"org.example/name": "org_example_name", "name": "name"})

    def test_a_leading_digit_gets_an_underscore(self) -> None:
        self.assertEqual(self.member("2fa"), ["_2fa"])

    def test_two_members_of_one_c_name_are_refused(self) -> None:
        for order in (("mimeType", "mime_type"), ("mime_type", "mimeType")):
            with self.assertRaises(Refusal) as caught:
                names.member_names(FILE, "/p", order)
            text = f'schema.json: /p: members "{order[0]}" and "{order[1]}" would both be mime_type in C'
            self.assertEqual(str(caught.exception), text)

    def test_a_member_without_a_usable_character_is_refused(self) -> None:
        with self.assertRaisesRegex(
            Refusal, r'^schema.json: /p: member "\$" leaves nothing to name it by in C$'
        ):
            names.member_names(FILE, "/p", ["$"])


class EnumeratorTest(unittest.TestCase):
    def test_values_become_upper_case(self) -> None:
        parts = names.enumerator_parts(FILE, "/p", ["date-time", "allServers"])
        self.assertEqual(parts, ("DATE_TIME", "ALL_SERVERS"))

    def test_a_value_unknown_does_not_take_the_name_of_unknown_values(self) -> None:
        self.assertEqual(names.enumerator_parts(FILE, "/p", ["unknown"]), ("UNKNOWN_",))

    def test_two_values_of_one_c_name_are_refused(self) -> None:
        with self.assertRaises(Refusal) as caught:
            names.enumerator_parts(FILE, "/p", ["a-b", "a_b"])
        self.assertEqual(
            str(caught.exception), 'schema.json: /p: values "a-b" and "a_b" would both be A_B in C'
        )


class GlobalTest(unittest.TestCase):
    def test_a_definition_of_our_own_name_gets_an_underscore(self) -> None:
        plan = plan_revision(build(document_2020_12(Message={"type": "string"})), Facts("2000-01-01"))
        self.assertEqual([alias.name for alias in plan.aliases], ["mcp_20000101_message_"])

    def test_colliding_definitions_are_refused(self) -> None:
        document = build(document_2020_12(ToolList={"type": "string"}, tool_list={"type": "string"}))
        with self.assertRaises(Refusal) as caught:
            plan_revision(document, Facts("2000-01-01"))
        self.assertEqual(
            str(caught.exception),
            "schema.json: /$defs/tool_list: would be mcp_20000101_tool_list in C, which names "
            "/$defs/ToolList already",
        )

    def test_a_definition_that_a_list_type_would_hide_is_refused(self) -> None:
        tools = {"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/Tool"}}}}
        tool = {"type": "object", "properties": {"name": {"type": "string"}}}
        document = build(document_2020_12(Tool=tool, ToolList={"type": "string"}, Tools=tools))
        with self.assertRaisesRegex(Refusal, "mcp_20000101_tool_list in C, which names /\\$defs/ToolList"):
            plan_revision(document, Facts("2000-01-01"))

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
