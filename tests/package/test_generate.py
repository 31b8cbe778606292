# SPDX-License-Identifier: MIT
"""mcpwire_generate: bindings from a project's own schema, made when the project is built."""

import json
import os
import unittest
from pathlib import Path

from tests.package.support import HERE, ROOT, PackageTest, Result, python, run, stage

SOURCE = HERE / "generate"


class Generate(PackageTest):
    """From an installed mcpwire, unless it says otherwise."""

    def attempt(self, *arguments: str, interpreter: str = "", build: str = "build") -> Result:
        given = ("-DGENERATE_FROM=package", f"-DCMAKE_PREFIX_PATH={stage()}", f"-DMCPWIRE_SOURCE={ROOT}")
        return self.configure(
            SOURCE, *given, f"-DMCPW_PYTHON={interpreter or python()}", *arguments, build=build
        )

    def own_schema(self) -> Path:
        """A copy of the small schema, to be changed."""
        path = self.folder / "schema.json"
        path.write_text((SOURCE / "schema.json").read_text("utf-8"), "utf-8")
        return path

    def change(self, schema: Path, **members: object) -> None:
        document = json.loads(schema.read_text("utf-8"))
        document["$defs"]["Device"].update(members)
        schema.write_text(json.dumps(document), "utf-8")

    def program(self, name: str) -> Result:
        return run([self.folder / "build" / name])

    def test_small_schema_pinned(self) -> None:
        self.succeed(self.attempt(f"-DSMALL={SOURCE / 'schema.json'}"))
        self.succeed(self.build())
        self.assertEqual(self.succeed(self.program("small")), "pin 20270115, 2027-01-15: lamp\n")

    def test_whole_schema_beside_the_revisions_of_the_library(self) -> None:
        self.succeed(self.attempt(f"-DWIDE={ROOT / 'schema/2025-11-25/schema.json'}", "-DLIKE=2025-11-25"))
        self.succeed(self.build())
        self.assertIn("2027-02-01, n, 31 methods", self.succeed(self.program("wide")))

    def test_sessions_speak_a_revision_that_only_the_program_has(self) -> None:
        self.succeed(self.attempt(f"-DSPOKEN={ROOT / 'schema/2026-07-28/schema.json'}"))
        self.succeed(self.build())
        self.assertEqual(
            self.succeed(self.program("spoken")).splitlines(),
            [
                "both bring it: 2027-01-15, CallToolResult, -32021",
                "the client does: 2026-07-28, CallToolResult, -32021",
                "the server does: 2026-07-28, CallToolResult, -32021",
                "projected: n",
                "without it: not found",
            ],
        )

    def test_sessions_speak_a_part_that_has_what_they_say_by_themselves(self) -> None:
        own = "server/discover;notifications/cancelled;notifications/progress"
        for only, spoken in ((own, "2027-01-15"), ("server/discover", "2026-07-28"), ("Tool", "2026-07-28")):
            with self.subTest(only):
                part = f"-DONLY=tools/call;tools/list;Tool;{only}"
                self.succeed(self.attempt(f"-DSPOKEN={ROOT / 'schema/2026-07-28/schema.json'}", part))
                self.succeed(self.build())
                told = self.succeed(self.program("spoken")).splitlines()
                self.assertEqual(told[0], f"both bring it: {spoken}, CallToolResult, -32021")
                self.assertIn("projected: n", told)

    def test_part_of_a_revision_has_what_is_named_and_no_more(self) -> None:
        part = f"-DPART={ROOT / 'schema/2026-07-28/schema.json'}"
        self.succeed(self.attempt(part, "-DONLY=tools/call;Tool"))
        self.succeed(self.build())
        self.assertEqual(
            self.succeed(self.program("part")).splitlines(),
            ["1 method", "call: blink", "bad call: /params/name", "tool: lamp", "prompts/get: unknown"],
        )
        self.refused(self.build("--target", "missing"), "mcp_20270301_prompt")
        self.succeed(self.attempt(part, "-DONLY=tools/cal"))
        self.refused(self.build(), 'no method or type "tools/cal" (near: tools/call, tools/list)')

    def assert_tasks_are_spoken(self, overlay: object, *more: str) -> None:
        self.succeed(self.attempt(f"-DOVERLAID={overlay}", *more))
        self.succeed(self.build())
        self.assertEqual(
            self.succeed(self.program("overlaid")).splitlines(),
            [
                "2026-07-28-tasks: 1",
                "2026-07-28-tasks: a task",
                "2026-07-28-tasks: no task",
                "pin 20260728",
            ],
        )

    def test_overlay_that_comes_with_mcpwire(self) -> None:
        self.assert_tasks_are_spoken("2026-07-28-tasks.json")

    def test_overlay_in_the_tree(self) -> None:
        self.assert_tasks_are_spoken("2026-07-28-tasks.json", "-DGENERATE_FROM=subdirectory")

    def test_published_schema_of_an_extension(self) -> None:
        folder = os.environ.get("MCP_SPEC_DIR", "")
        if not folder:
            self.skipTest("MCP_SPEC_DIR names no folder of published schemas")
        self.assert_tasks_are_spoken(Path(folder) / "extensions/tasks/schema.json")

    def test_overlays_of_ones_own_are_put_one_on_the_other(self) -> None:
        note = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
        own = self.folder / "notes.json"
        stated = {"overlay": "notes", "revision": "2026-07-28", "definitions": {"Note": note}}
        own.write_text(json.dumps(stated), "utf-8")
        self.succeed(self.attempt(f"-DOVERLAID=2026-07-28-tasks.json;{own}"))
        self.succeed(self.build())
        self.assertIn("2026-07-28-tasks-notes: a task", self.succeed(self.program("overlaid")))
        self.assertNotIn("Generating the bindings", self.succeed(self.build()))
        own.write_text(json.dumps({**stated, "overlay": "remarks"}), "utf-8")
        self.succeed(self.build())
        self.assertIn("2026-07-28-tasks-remarks: a task", self.succeed(self.program("overlaid")))

    def test_published_schema_unmodified(self) -> None:
        folder = os.environ.get("MCP_SPEC_DIR", "")
        if not folder:
            self.skipTest("MCP_SPEC_DIR names no folder of published schemas")
        self.succeed(self.attempt(f"-DWIDE={Path(folder) / '2025-11-25/schema.json'}", "-DLIKE=2025-11-25"))
        self.succeed(self.build())
        self.assertIn("2027-02-01, n, 31 methods", self.succeed(self.program("wide")))

    def test_union_that_is_read_in_order_unless_facts_decide(self) -> None:
        schema = self.folder / "schema.json"
        members = {"a": {"type": "string"}, "b": {"type": "string"}}
        tool = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
        one, two = ({"type": "object", "properties": {name: members[name]}} for name in "ab")
        either = {"anyOf": [{"$ref": "#/$defs/One"}, {"$ref": "#/$defs/Two"}]}
        shape = {"$defs": {"One": one, "Two": two, "Tool": tool, "Either": either}}
        schema.write_text(
            json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **shape}), "utf-8"
        )
        self.succeed(self.attempt(f"-DWIDE={schema}"))
        told = self.succeed(self.build())
        self.assertIn('/$defs/Either: warning: no rule tells "One" from "Two"', told)
        self.assertIn('unless unions.json of --facts DIR decides at "Either"', told)

        facts = self.folder / "facts"
        facts.mkdir()
        tests = [{"member": "a", "alternative": "One"}, {"member": "b", "alternative": "Two"}]
        rule = {"at": ["Either"], "tests": tests, "reason": "Members tell."}
        (facts / "unions.json").write_text(json.dumps({"unions": [rule]}), "utf-8")
        self.succeed(self.attempt(f"-DWIDE={schema}", f"-DFACTS={facts}"))
        self.succeed(self.build())
        self.assertIn("2027-02-01, n, 0 methods", self.succeed(self.program("wide")))

    def test_in_the_tree(self) -> None:
        self.succeed(self.attempt(f"-DSMALL={SOURCE / 'schema.json'}", "-DGENERATE_FROM=subdirectory"))
        self.succeed(self.build())
        self.assertIn("2027-01-15: lamp", self.succeed(self.program("small")))

    def test_built_again_when_the_schema_changes_and_only_then(self) -> None:
        schema = self.own_schema()
        self.succeed(self.attempt(f"-DSMALL={schema}"))
        self.assertIn("Generating the bindings", self.succeed(self.build()))
        self.assertNotIn("Generating the bindings", self.succeed(self.build()))
        self.change(schema, required=["name", "volts"])
        self.assertIn("Generating the bindings", self.succeed(self.build()))
        refused = self.program("small")
        self.assertEqual(refused.code, 1)
        self.assertIn("volts", refused.out)

    def test_schema_that_is_not_understood_fails_the_build_with_the_place(self) -> None:
        schema = self.own_schema()
        self.change(schema, properties={"name": {"type": "text"}})
        self.succeed(self.attempt(f"-DSMALL={schema}"))
        self.refused(self.build(), "schema.json: /$defs/Device/properties/name/type: unknown type")

    def test_no_jinja2(self) -> None:
        bare = self.folder / "python"
        bare.write_text(f'#!/bin/sh\nexec {python()} -S "$@"\n', "utf-8")  # -S: no packages
        bare.chmod(0o755)
        result = self.attempt(f"-DSMALL={SOURCE / 'schema.json'}", interpreter=str(bare))
        self.refused(result, f"{bare} is not Python 3.9 or later with Jinja2", "Debian: python3-jinja2")

    def test_no_python(self) -> None:
        result = self.attempt(f"-DSMALL={SOURCE / 'schema.json'}", interpreter="/nowhere/python3")
        self.refused(result, "/nowhere/python3 is not Python 3.9 or later with Jinja2")

    def test_revision_that_the_library_has(self) -> None:
        result = self.attempt(f"-DSMALL={SOURCE / 'schema.json'}", "-DTAKEN=2025-11-25")
        self.refused(result, "mcpwire itself has 2025-11-25", "take another date")

    def test_overlay_on_a_revision_that_the_library_lacks(self) -> None:
        result = self.attempt("-DLACKED=2027-01-15")
        self.refused(result, "this mcpwire has no 2027-01-15: it has 2024-11-05")

    def test_wrong_arguments(self) -> None:
        for given, words in (
            ("-DOVERLAID=nowhere.json", "nowhere.json, and no nowhere.json in"),
            ("-DTAKEN=tomorrow", "REVISION is a date such as 2027-01-15, not tomorrow"),
            ("-DWIDE=/nowhere/schema.json", "there is no /nowhere/schema.json"),
        ):
            with self.subTest(given=given):
                result = self.attempt(f"-DSMALL={SOURCE / 'schema.json'}", given, build=given[2:6])
                self.refused(result, words)


if __name__ == "__main__":
    unittest.main()
