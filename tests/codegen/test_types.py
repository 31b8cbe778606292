# SPDX-License-Identifier: MIT
"""`types`: what it writes of a program's own schemas, and what it refuses."""

from __future__ import annotations

import json
import re
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, Tuple

from tests.codegen.support import DRAFT_07, run

CITY = {"type": "object", "properties": {"city": {"type": "string"}}}

EITHER = {
    "type": "object",
    "properties": {"one": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}},
    "$defs": {
        "A": {"type": "object", "properties": {"a": {"type": "string"}}},
        "B": {"type": "object", "properties": {"b": {"type": "string"}}},
    },
}


class TypesCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = self.folder / "out"

    def schema(self, value: Any, name: str = "weather.json") -> Path:
        path = self.folder / name
        path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
        return path

    def header(self, *arguments: object, prefix: str = "app") -> str:
        status, _, err = run("types", "--out", self.out, *arguments)
        self.assertEqual((status, err), (0, ""))
        return (self.out / f"{prefix}.h").read_text("utf-8")

    def refused(self, message: str, *arguments: object) -> None:
        self.assertEqual(run("types", "--out", self.out, *arguments), (2, "", message + "\n"))
        self.assertFalse(self.out.exists())


class Written(TypesCase):
    """With --prefix app, unless it says otherwise."""

    def test_one_header_and_one_source(self) -> None:
        self.header("--prefix", "app", self.schema({"type": "object"}))
        self.assertEqual(sorted(path.name for path in self.out.iterdir()), ["app.c", "app.h"])

    def test_type_is_named_after_its_file(self) -> None:
        text = self.header("--prefix", "app", self.schema({**CITY, "title": "Other"}))
        self.assertIn("typedef struct app_weather {", text)

    def test_type_is_named_after_its_title_where_the_file_says_nothing(self) -> None:
        text = self.header("--prefix", "app", self.schema({**CITY, "title": "Fore cast"}, "schema.json"))
        self.assertIn("typedef struct app_fore_cast {", text)

    def test_string_enum_is_a_c_enum(self) -> None:
        text = self.header("--prefix", "app", self.schema({"enum": ["hot", "cold"]}))
        self.assertRegex(text, r"APP_WEATHER_HOT = 1, /\* \"hot\" \*/\s+APP_WEATHER_COLD = 2,")

    def test_one_of_with_a_tag_is_a_tagged_union(self) -> None:
        branches = [
            {"type": "object", "properties": {"kind": {"const": name}}, "required": ["kind"]} for name in "ab"
        ]
        text = self.header("--prefix", "app", self.schema({"oneOf": branches}))
        self.assertIn("app_weather_kind kind;", text)
        self.assertIn("app_weather_a a;", text)

    def test_what_c_cannot_say_stays_text_that_is_checked(self) -> None:
        schema = {"type": "object", "properties": {"odd": {"not": {"type": "string"}}}}
        self.assertIn("mcpw_json odd;", self.header("--prefix", "app", self.schema(schema)))
        self.assertIn("mcpw_schema_meets", (self.out / "app.c").read_text("utf-8"))

    def test_struct_may_hold_itself(self) -> None:
        text = self.header(
            "--prefix", "app", self.schema({"type": "object", "properties": {"next": {"$ref": "#"}}})
        )
        self.assertLess(
            text.index("typedef struct app_weather app_weather;"), text.index("const app_weather *next;")
        )

    def test_definitions_of_two_files_may_have_one_name(self) -> None:
        one = self.schema({"$ref": "#/$defs/Size", "$defs": {"Size": {"type": "integer"}}}, "one.json")
        two = self.schema({"$ref": "#/$defs/Size", "$defs": {"Size": {"type": "string"}}}, "two.json")
        text = self.header("--prefix", "app", one, two)
        self.assertIn("typedef int64_t app_one_size;", text)
        self.assertIn("typedef mcpw_str app_two_size;", text)

    def test_text_of_the_schema_is_a_constant_on_one_line(self) -> None:
        schema = '{\n  "type": "object",\n  "maxProperties": 1e1, "title": "\\u00e9 \\n ??="}'
        self.header("--prefix", "app", self.schema(schema))
        source = (self.out / "app.c").read_text("utf-8")
        text = source[source.index("app_weather_schema_text[] =") :].split(";")[0]
        found = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text))
        self.assertIn(r"\"maxProperties\":1E+1", found)
        self.assertIn(r"\"title\":\"\303\251 \\n \?\?=\"", found)

    def test_older_dialect(self) -> None:
        schema = {"$schema": DRAFT_07, "$ref": "#/definitions/A", "definitions": {"A": {"type": "boolean"}}}
        self.assertIn("typedef bool app_weather_a;", self.header("--prefix", "app", self.schema(schema)))

    def test_tool_has_a_handler_with_its_types(self) -> None:
        file = self.schema({"type": "object", "description": "Says it."})
        text = self.header("--tool", "get-Weather", file, file, prefix="get_weather")
        self.assertIn(
            "mcpw_status get_weather(mcpw_request *request, const get_weather_input *input, void *user);",
            text,
        )
        self.assertIn("get_weather_reply(mcpw_request *request, const get_weather_output *output)", text)
        source = (self.out / "get_weather.c").read_text("utf-8")
        self.assertIn('.name = "get-Weather"', source)
        self.assertIn('.description = "Says it."', source)

    def test_tool_without_structured_content_has_no_reply(self) -> None:
        text = self.header("--tool", "a", "--prefix", "app", self.schema({"type": "object"}), prefix="app_a")
        self.assertNotIn("app_a_reply", text)

    def test_tool_that_a_server_lists_has_a_call_with_its_types(self) -> None:
        tool = {"name": "create-issue", "inputSchema": CITY, "outputSchema": CITY}
        for value in ({"tools": [tool]}, {"result": {"tools": [tool]}}, [tool]):
            text = self.header("--client", "github", self.schema(value), prefix="github")
            self.assertIn(
                "github_create_issue_call(mcpw_client *client, const github_create_issue_args *args,", text
            )
            self.assertIn("github_create_issue_result *result,", text)


class Strangers(TypesCase):
    """Lists that other people's servers print: what can be typed is, and warnings say what is not."""

    def client(self, *tools: object, strict: bool = False) -> Tuple[int, str, str]:
        """The exit status, the header and the warnings."""
        path = self.schema({"tools": list(tools)})
        words = ["--strict"] if strict else []
        status, _, err = run("types", "--out", self.out, "--client", "app", *words, path)
        header = self.out / "app.h"
        return status, header.read_text("utf-8") if header.exists() else "", err.replace(f"{path}: ", "")

    @staticmethod
    def tool(name: str, schema: Dict[str, object], **more: object) -> Dict[str, object]:
        return {"name": name, "inputSchema": {"type": "object", **schema}, **more}

    def test_a_tool_that_cannot_be_typed_is_left_out(self) -> None:
        bad = self.tool("bad", {"properties": {"a": {"type": "text"}}})
        status, header, err = self.client(self.tool("good", {}), bad)
        self.assertEqual(status, 0)
        self.assertIn("app_good_call(", header)
        self.assertNotIn("app_bad_call(", header)
        where = "/tools/1/inputSchema/properties/a/type: "
        warning = f'{where}warning: the tool "bad" is left out: unknown type "text"'
        self.assertTrue(err.startswith(warning), err)

    def test_strict_refuses_what_there_is_a_warning_of(self) -> None:
        bad = self.tool("bad", {"properties": {"a": {"type": "text"}}})
        status, header, err = self.client(self.tool("good", {}), bad, strict=True)
        self.assertEqual((status, header), (2, ""))
        self.assertIn('the tool "bad" is left out', err)
        self.assertEqual(self.client(self.tool("good", {}), strict=True)[0], 0)

    def test_keywords_that_no_dialect_has_are_ignored(self) -> None:
        named = {"unit": {"type": "string", "x-order": 1, "enumNames": ["C"]}}
        status, header, err = self.client(self.tool("a", {"properties": named, "example": {}}))
        self.assertEqual(status, 0)
        self.assertIn("mcpw_str unit;", header)
        self.assertEqual(err.count("is ignored"), 3)
        self.assertIn('/tools/0/inputSchema/example: warning: unknown keyword "example" is ignored', err)

    def test_members_may_be_called_like_anything(self) -> None:
        _, header, err = self.client(self.tool("a", {"properties": {"example": {"type": "string"}}}))
        self.assertEqual(err, "")
        self.assertIn("mcpw_str example;", header)

    def test_each_tool_has_a_dialect_of_its_own(self) -> None:
        member = {"properties": {"n": {"type": "integer"}}}
        old = self.tool("old", {"$schema": DRAFT_07, **member})
        new = self.tool("new", {"$schema": "https://json-schema.org/draft/2020-12/schema", **member})
        status, header, err = self.client(old, new, self.tool("plain", member))
        self.assertEqual((status, err), (0, ""))
        for name in ("old", "new", "plain"):
            self.assertIn(f"app_{name}_call(", header)

    def test_older_dialects_are_put_into_the_words_of_the_newest(self) -> None:
        pair = {"properties": {"p": {"type": "array", "items": [{"type": "string"}]}}}
        old = self.tool("old", {"$schema": DRAFT_07, **pair})
        status, header, err = self.client(old, self.tool("new", {}))
        self.assertEqual((status, err), (0, ""))
        self.assertIn("app_old_call(", header)
        self.assertIn("prefixItems", (self.out / "app.c").read_text("utf-8"))

    def test_annotations_beside_a_reference_are_no_reason(self) -> None:
        thought = {
            "$schema": DRAFT_07,
            "properties": {
                "nextThoughtNeeded": {"type": "boolean", "description": "Whether there is more."},
                "isRevision": {
                    "$ref": "#/properties/nextThoughtNeeded",
                    "description": "Whether it revises.",
                },
            },
            "required": ["nextThoughtNeeded"],
            "additionalProperties": False,
        }
        status, header, err = self.client(self.tool("sequentialthinking", thought))
        self.assertEqual((status, err), (0, ""))
        self.assertIn("mcpw_opt_bool is_revision;", header)

    def test_what_the_newest_dialect_cannot_say_is_left_out(self) -> None:
        rec = {"$schema": "https://json-schema.org/draft/2019-09/schema", "$recursiveAnchor": True}
        status, header, err = self.client(self.tool("old", rec), self.tool("new", {}))
        self.assertEqual(status, 0)
        self.assertNotIn("app_old_call(", header)
        self.assertIn('"$recursiveAnchor" does not mean in 2019-09 what it means in 2020-12', err)

    def test_definitions_that_nothing_reaches_are_left_out(self) -> None:
        shared = {
            "Used": {"$ref": "#/$defs/Inner"},
            "Inner": {"enum": ["a", "b"]},
            "Unused": {"type": "object"},
        }
        none = self.tool("none", {"$defs": shared})
        some = self.tool("some", {"$defs": shared, "properties": {"a": {"$ref": "#/$defs/Used"}}})
        status, header, err = self.client(none, some)
        self.assertEqual((status, err), (0, ""))
        self.assertNotIn("unused", header)
        self.assertNotIn("app_none_args_", header.replace("app_none_args_schema", "").split("extern")[0])
        self.assertIn("app_some_args_inner;", header)
        path = self.schema({**self.tool("none", {"$defs": shared})}, "tool.json")
        self.assertNotIn("unused", self.header("--tool", "none", path, prefix="none"))

    def test_definitions_of_a_schema_of_ones_own_are_types(self) -> None:
        text = self.header("--prefix", "app", self.schema({"$defs": {"Alone": {"enum": ["a", "b"]}}}))
        self.assertIn("app_weather_alone;", text)

    def test_two_tools_of_one_name_in_c_get_numbers(self) -> None:
        status, header, err = self.client(*(self.tool(name, {}) for name in ("a-b", "a_b", "a.b")))
        self.assertEqual(status, 0)
        for name in ("app_a_b_call(", "app_a_b_2_call(", "app_a_b_3_call("):
            self.assertIn(name, header)
        self.assertIn('"a_b" is app_a_b_2 in C, because "a-b" is app_a_b', err)

    def test_a_list_as_servers_print_them(self) -> None:
        issue = {
            "$schema": DRAFT_07,
            "additionalProperties": False,
            "properties": {
                "owner": {"type": "string", "description": "Ends a comment: */ and ??/ asks"},
                "labels": {"type": "array", "items": {"type": "string"}},
                "assignee": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
                "since": {"type": "string", "format": "date-time"},
                "int": {"type": "integer", "default": 1},
                "files": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"path": {"type": "string"}},
                        "required": ["path"],
                    },
                },
            },
            "required": ["owner"],
        }
        tools = [self.tool("browser.click/now", {}), self.tool("create_issue", issue)]
        tools += [self.tool(f"tool_{number}", issue) for number in range(300)]
        status, header, err = self.client(*tools)
        self.assertEqual((status, err), (0, ""))
        self.assertIn("app_tool_299_call(", header)
        self.assertIn("app_browser_click_now_call(", header)


class Unions(TypesCase):
    """Unions whose alternatives nothing in the schema tells apart."""

    def test_a_warning_says_where_and_what_to_do(self) -> None:
        path = self.schema(EITHER)
        status, _, err = run("types", "--out", self.out, "--prefix", "app", path)
        self.assertEqual(status, 0)
        why = 'no rule tells "weather.A" from "weather.B": the first that validates is taken'
        how = 'unless --unions FILE decides at "weather.one"'
        self.assertEqual(err, f"{path}: /properties/one: warning: {why}, {how}\n")

    def test_a_file_decides(self) -> None:
        tests = [{"member": "b", "alternative": "weather.B"}, {"member": "a", "alternative": "weather.A"}]
        entry = {"at": ["weather.one"], "tests": tests, "reason": "The member tells."}
        path = self.schema({"unions": [entry]}, "unions.json")
        self.header("--prefix", "app", "--unions", path, self.schema(EITHER))
        self.assertRegex((self.out / "app.c").read_text("utf-8"), r"MCPW_TEST\(.* weather.one: b \*/")

    def test_a_file_that_names_no_alternative_is_refused(self) -> None:
        entry = {"at": ["weather.one"], "tests": [{"member": "b", "alternative": "B"}], "reason": "Wrong."}
        path = self.schema({"unions": [entry]}, "unions.json")
        words = ("--prefix", "app", "--unions", path, self.schema(EITHER))
        status, _, err = run("types", "--out", self.out, *words)
        self.assertEqual(status, 2)
        self.assertIn('"B" is not an alternative of the union at "weather.one"', err)

    def test_a_file_that_is_not_there(self) -> None:
        path = self.folder / "none.json"
        words = ("--prefix", "app", "--unions", path, self.schema({"type": "object"}))
        self.refused(f"{path}: No such file or directory", *words)


class Warnings(TypesCase):
    def test_patterns_of_a_program_that_links_their_engine(self) -> None:
        path = self.schema({"type": "string", "pattern": "^a"})
        words = ("types", "--out", self.out, "--prefix", "app", path)
        self.assertIn("mcpwire::pcre2", run(*words)[2])
        self.assertEqual(run(*words, "--patterns-linked")[2], "")

    def test_a_list_of_which_nothing_is_left_has_a_line_for_each_cause(self) -> None:
        bad = {"name": "a", "inputSchema": {"type": "object", "properties": {"a": {"minLength": "x"}}}}
        path = self.schema([bad, {**bad, "name": "b"}])
        _, _, err = run("types", "--out", self.out, "--client", "app", path)
        self.assertEqual(len(err.splitlines()), 3, err)
        self.assertNotIn("\\u000a", err)


class Comments(TypesCase):
    def test_an_unknown_enumerator_speaks_of_the_schema(self) -> None:
        text = self.header("--prefix", "app", self.schema({"enum": ["hot", "cold"]}))
        self.assertIn("A value that the schema does not name", text)
        self.assertNotIn("revision does not name", text)

    def test_an_optional_constant_says_what_it_is(self) -> None:
        only = {"type": "object", "properties": {"type": {"type": "string", "enum": ["text"]}}}
        text = self.header("--prefix", "app", self.schema(only))
        self.assertRegex(text, r'/\* Whether "type" is there: "text"\. \*/\n    bool type;')


class Refused(TypesCase):
    """Nothing is written, and one line says what is wrong."""

    def test_file_and_pointer_of_a_bad_schema(self) -> None:
        good, bad = self.schema({}), self.schema({"properties": {"a": {"type": "text"}}}, "bad.json")
        cause = 'unknown type "text"'
        status, out, err = run("types", "--out", self.out, "--prefix", "app", good, bad)
        self.assertEqual((status, out), (2, ""))
        self.assertTrue(err.startswith(f"{bad}: /properties/a/type: {cause}"), err)
        self.assertFalse(self.out.exists())

    def test_pointer_into_a_definition(self) -> None:
        path = self.schema({"definitions": {"A": {"minLength": -1}}})
        _, _, err = run("types", "--out", self.out, "--prefix", "app", path)
        self.assertIn(f"{path}: /definitions/A/minLength: ", err)

    def test_all_refusals_come_at_once(self) -> None:
        members = {"a": {"type": "text", "odd": 1}, "b": {"$ref": "#/$defs/nope"}}
        path = self.schema({"type": "object", "bogus": 1, "properties": members})
        _, _, err = run("types", "--out", self.out, "--prefix", "app", path)
        places = [line[len(f"{path}: ") :].split(": ")[0] for line in err.splitlines()]
        self.assertEqual(
            sorted(places), ["/bogus", "/properties/a/odd", "/properties/a/type", "/properties/b/$ref"]
        )

    def test_a_reference_is_quoted_as_it_was_written(self) -> None:
        path = self.schema({"$ref": "#/$defs/nope"})
        cause = '"#/$defs/nope" has no target: there is no such definition'
        self.refused(f"{path}: /$ref: {cause}", "--prefix", "app", path)

    def test_arguments_of_a_tool_that_are_no_object(self) -> None:
        for schema, place, what in (
            ({"type": "array"}, "/type", 'not "array"'),
            ({"type": ["object", "null"]}, "/type", 'not ["object", "null"]'),
            ({}, "/", "which is missing"),
            (True, "/", "which is missing"),
        ):
            with self.subTest(schema):
                cause = f'the arguments of a tool must be of "type": "object", {what}'
                path = self.schema(schema)
                self.refused(f"{path}: {place}: {cause}", "--tool", "a", path)
        path = self.schema({"name": "a", "inputSchema": {"type": "string"}})
        cause = 'the arguments of a tool must be of "type": "object", not "string"'
        self.refused(f"{path}: /inputSchema/type: {cause}", "--tool", "a", path)

    def test_reference_to_another_document(self) -> None:
        path = self.schema({"$ref": "other.json"})
        self.refused(f'{path}: /$ref: "other.json" refers to another document', "--prefix", "app", path)

    def test_two_dialects(self) -> None:
        one, two = self.schema({}, "one.json"), self.schema({"$schema": DRAFT_07}, "two.json")
        cause = f"another dialect than that of {one}: those that are generated together have one"
        self.refused(f"{two}: /$schema: {cause}", "--prefix", "app", one, two)

    def test_prefix_that_is_no_name(self) -> None:
        for prefix in ("9a", "A", "double", "a-b", ""):
            with self.subTest(prefix):
                status, _, err = run("types", "--out", self.out, "--prefix", prefix, self.schema({}))
                self.assertEqual(status, 2)
                self.assertIn(f'"{prefix}" cannot begin names in C', err)

    def test_list_of_which_no_tool_can_be_typed(self) -> None:
        path = self.schema({"tools": [{"name": "a", "inputSchema": {"minLength": "x"}}]})
        status, _, err = run("types", "--out", self.out, "--client", "app", path)
        self.assertEqual(status, 2)
        self.assertIn(f'{path}: /tools/0/inputSchema/minLength: warning: the tool "a" is left out: ', err)
        self.assertIn("there are no tools", err)
        self.assertFalse(self.out.exists())

    def test_list_that_is_none(self) -> None:
        path = self.schema({"tools": 1})
        self.refused(
            f"{path}: /tools: must be a list of tools, as tools/list has it", "--client", "app", path
        )

    def test_neither_prefix_nor_tool(self) -> None:
        self.refused("--prefix has to say what the names of the types begin with", self.schema({}))


if __name__ == "__main__":
    unittest.main()
