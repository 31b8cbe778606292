# SPDX-License-Identifier: MIT
# Slow: tools/test.sh runs it with --all.
"""Overlays: what they put on a revision, what they assert, and whose types the result uses."""

from __future__ import annotations

import json
import os
import re
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List, Tuple

from codegen.facts.edition import Request
from codegen.facts.overlaid import read_overlaid
from codegen.model.nodes import EnumType, ObjectType
from codegen.plan.revision_plan import plan_revision
from codegen.source.overlay import read_overlay
from codegen.source.revisions import load
from tests.codegen.support import DRAFT_2020_12, SCHEMA_DIR, node_of, run

BASE = "2026-07-28"
STRING = {"type": "string"}
NOTE = {"type": "object", "properties": {"a": STRING}}


class OverlayCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = self.folder / "out"

    def write(self, name: str = "notes", revision: str = BASE, **members: Any) -> Path:
        """An overlay of ours."""
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps({"overlay": name, "revision": revision, **members}))
        return path

    def publish(self, name: str = "notes", **definitions: Any) -> Path:
        """The schema of an extension."""
        path = self.folder / name / "schema.json"
        path.parent.mkdir()
        path.write_text(json.dumps({"$schema": DRAFT_2020_12, "$defs": definitions}))
        return path

    def generate(self, *overlays: Path, revision: bool = True) -> Tuple[int, str]:
        """Exit status, and what the command said on standard error."""
        words: List[object] = [word for path in overlays for word in ("--overlay", path)]
        if revision:
            words += ["--revision", BASE]
        status, _, err = run("generate", "--out", self.out, *words)
        return status, err

    def header(self, part: str, name: str = f"{BASE}-notes") -> str:
        return (self.out / name / "mcp" / name / f"{part}.h").read_text()

    def assert_refused(self, overlay: Path, *parts: str) -> None:
        """One line that begins with the file, and nothing written."""
        status, err = self.generate(overlay)
        self.assertEqual(2, status)
        self.assertEqual(1, len(err.splitlines()), err)
        self.assertTrue(err.startswith(f"{overlay}: "), err)
        for part in parts:
            self.assertIn(part, err)
        self.assertFalse(self.out.exists())

    def assert_generated(self, *overlays: Path) -> None:
        status, err = self.generate(*overlays)
        self.assertEqual(0, status, err)


class NamesTest(OverlayCase):
    def test_what_is_new_is_named_by_the_overlay(self) -> None:
        self.assert_generated(self.write(definitions={"Note": NOTE}))
        self.assertIn("} mcp_20260728_notes_note;", self.header("types"))
        self.assertIn("mcp_20260728_notes_note_decode(", self.header("codec"))

    def test_its_tables_are_no_export_of_mcpwire_s_dlls(self) -> None:
        self.assert_generated(self.write(definitions={"Note": NOTE}))
        codec = self.header("codec")
        self.assertIn("extern MCPW_STATIC_API const mcpw_type mcp_20260728_notes_note", codec)
        self.assertNotIn("MCPW_API", codec)
        self.assertNotIn("MCPW_SESSION_API", self.header("handlers"))

    def test_what_it_repeats_with_the_same_meaning_is_the_base_s_own(self) -> None:
        tool = json.loads((SCHEMA_DIR / BASE / "schema.json").read_text())["$defs"]["Tool"]
        used = {"type": "object", "properties": {"tool": {"$ref": "#/$defs/Tool"}}, "required": ["tool"]}
        described = {**tool, "description": "Told in other words.", "$schema": DRAFT_2020_12}
        self.assert_generated(self.publish(Tool=described, Used=used))
        self.assertIn("    mcp_20260728_tool tool;", self.header("types"))
        self.assertNotIn("mcp_20260728_notes_tool;", self.header("types"))
        self.assertNotIn("mcp_20260728_notes_tool_decode", self.header("codec"))
        self.assertIn("#include <mcp/2026-07-28/types.h>", self.header("types"))

    def test_short_names_reach_types_of_both(self) -> None:
        self.assert_generated(self.write(definitions={"Note": NOTE}))
        names = self.header("names")
        self.assertRegex(names, r"#define mcp_tool /\* .* \*/ mcp_20260728_tool\n")
        self.assertRegex(names, r"#define mcp_note /\* .* \*/ mcp_20260728_notes_note\n")
        self.assertRegex(names, r"#define mcp_tool_decode /\* .* \*/ mcp_20260728_tool_decode\n")
        self.assertRegex(names, r"#define MCP_ROLE_USER /\* .* \*/ MCP_20260728_ROLE_USER\n")

    def test_two_overlays_name_what_both_make(self) -> None:
        self.assert_generated(
            self.write("notes", definitions={"Note": NOTE}),
            self.write("more", definitions={"Page": {"type": "array", "items": {"$ref": "#/$defs/Note"}}}),
        )
        types = self.header("types", f"{BASE}-notes-more")
        self.assertIn("} mcp_20260728_notes_more_note;", types)

    def test_a_name_that_the_base_has_is_refused(self) -> None:
        overlay = self.write("list", definitions={"ToolsRequest": {"type": "object"}})
        status, err = self.generate(overlay)
        self.assertEqual(2, status)
        self.assertIn("is a name of 2026-07-28 already: call the overlay otherwise", err)


class CommentTest(OverlayCase):
    def test_an_overlay_describes_what_it_brings(self) -> None:
        ttl = {"type": "integer", "description": "Until it is forgotten."}
        task = {"type": "object", "description": "A note to do.", "properties": {"ttlMs": ttl}}
        self.assert_generated(self.write(definitions={"Task": task}))
        types = self.header("types")
        self.assertIn("/* Task: A note to do.", types)
        self.assertIn('/* Until it is forgotten. ("ttlMs") */', types)

    def test_the_description_of_an_alternative_is_not_that_of_the_whole(self) -> None:
        kinds = [
            {"description": f"Of kind {k}.", "properties": {"k": {"const": k}}, "required": ["k"]}
            for k in "ab"
        ]
        either = {"description": "Of some kind.", "anyOf": [{"type": "object", **kind} for kind in kinds]}
        both = {"description": "A note of some kind.", "allOf": [NOTE, {"$ref": "#/definitions/Either"}]}
        self.assert_generated(self.write(definitions={"Either": either, "Both": both}))
        types = self.header("types")
        self.assertIn("/* Both: A note of some kind.", types)
        self.assertIn("/* Either: Of some kind.", types)


class ChangeTest(OverlayCase):
    def change(self, **members: Any) -> Path:
        return self.write(changes=[{"reason": "A test.", **members}])

    def test_a_member_is_put_into_a_type_that_then_is_the_overlay_s(self) -> None:
        at = "/$defs/SubscriptionFilter/properties/noteIds"
        self.assert_generated(self.change(pointer=at, old_absent=True, new=STRING))
        types = self.header("types")
        self.assertRegex(types, r"struct mcp_20260728_notes_subscription_filter \{[^}]*mcpw_str note_ids;")
        self.assertIn("} mcp_20260728_notes_subscriptions_listen_request_params;", types)
        self.assertNotIn("} mcp_20260728_notes_tool;", types)

    def test_a_bound_makes_functions_of_its_own(self) -> None:
        at = "/$defs/Tool/properties/name/minLength"
        self.assert_generated(self.change(pointer=at, old_absent=True, new=1))
        self.assertIn("mcp_20260728_notes_tool_validate(", self.header("codec"))
        self.assertNotIn("mcp_20260728_notes_prompt_validate(", self.header("codec"))

    def test_what_was_asserted_must_stand(self) -> None:
        overlay = self.change(pointer="/$defs/Role/enum", old=["user"], new=["user", "tool"])
        stands = 'is expected to be ["user"], but ["assistant", "user"] stands there'
        self.assert_refused(overlay, ": /changes/0: /$defs/Role/enum ", stands)

    def test_what_was_to_be_absent_must_be(self) -> None:
        overlay = self.change(pointer="/$defs/Tool/properties/name", old_absent=True, new=STRING)
        self.assert_refused(
            overlay, "/changes/0", "is expected to be absent, but", '{"type": "string"} stands there'
        )

    def test_what_is_gone_has_no_type(self) -> None:
        old = json.loads((SCHEMA_DIR / BASE / "schema.json").read_text())["$defs"]["Icons"]
        self.assert_generated(self.change(pointer="/$defs/Icons", old=old, gone=True))
        self.assertNotIn("mcp_icons ", self.header("names"))

    def test_what_refers_to_something_gone_is_refused(self) -> None:
        old = json.loads((SCHEMA_DIR / BASE / "schema.json").read_text())["$defs"]["Icon"]
        status, err = self.generate(self.change(pointer="/$defs/Icon", old=old, gone=True))
        self.assertEqual(2, status)
        self.assertIn('"#/$defs/Icon" has no target', err)

    def test_gone_and_new_exclude_each_other(self) -> None:
        overlay = self.change(pointer="/$defs/Icon", old={}, gone=True, new={})
        self.assert_refused(overlay, ": /changes/0: ", '"gone" excludes "new"')


class DefinitionTest(OverlayCase):
    def test_another_definition_of_the_same_name_is_refused(self) -> None:
        overlay = self.publish(Role={"type": "string", "enum": ["user", "tool"]})
        stands = '{"type": "string", "enum": ["assistant", "user"]} stands there'
        self.assert_refused(overlay, ": /$defs/Role: 2026-07-28 has another Role", stands)

    def test_a_refused_construct_is_named_in_the_overlay(self) -> None:
        overlay = self.write(definitions={"Note": {"not": {"type": "text"}}})
        status, err = self.generate(overlay)
        self.assertEqual(2, status)
        self.assertTrue(err.startswith(f"{overlay}: /definitions/Note/not/type: "), err)

    def test_a_union_gets_an_alternative(self) -> None:
        note = {
            "type": "object",
            "properties": {"type": {"type": "string", "const": "note"}, "note": STRING},
            "required": ["note", "type"],
        }
        more = [{"at": "/$defs/ContentBlock/anyOf", "add": ["Note"]}]
        self.assert_generated(self.write(definitions={"Note": note}, alternatives=more))
        self.assertIn("MCP_20260728_NOTES_CONTENT_BLOCK_NOTE = 6", self.header("types"))

    def test_an_alternative_that_stands_there_is_refused(self) -> None:
        overlay = self.write(alternatives=[{"at": "/$defs/ContentBlock/anyOf", "add": ["TextContent"]}])
        self.assert_refused(overlay, ": /alternatives/0: ", "is expected to be without TextContent")

    def test_an_alternative_of_what_is_no_union_is_refused(self) -> None:
        overlay = self.write(alternatives=[{"at": "/$defs/Tool/anyOf", "add": ["Icon"]}])
        self.assert_refused(
            overlay, ": /alternatives/0: /$defs/Tool/anyOf is expected to be an array, but null"
        )

    def test_messages_of_an_extension_join_those_of_the_revision(self) -> None:
        request = {
            "allOf": [
                {"$ref": "#/$defs/JSONRPCRequest"},
                {"type": "object", "properties": {"method": {"type": "string", "const": "notes/get"}}},
                {"type": "object", "required": ["method"]},
            ]
        }
        base = json.loads((SCHEMA_DIR / BASE / "schema.json").read_text())["$defs"]
        status, err = self.generate(
            self.publish(JSONRPCRequest=base["JSONRPCRequest"], GetNoteRequest=request)
        )
        self.assertEqual(0, status, err)
        self.assertIn("GetNoteRequest: taken to be alternatives of ClientRequest", err)
        self.assertIn("MCP_20260728_NOTES_METHOD_NOTES_GET", self.header("methods"))


class InputTest(OverlayCase):
    def test_an_unknown_member(self) -> None:
        self.assert_refused(self.write(defs={}), ': /defs: unknown member "defs" of an overlay')

    def test_a_name_that_no_c_name_can_have(self) -> None:
        self.assert_refused(self.write(overlay="Über"), ": /overlay: a name of a-z, 0-9 and -")

    def test_another_revision_than_the_command_s(self) -> None:
        self.assert_refused(self.write(revision="2025-06-18"), ": /revision: this overlay is for 2025-06-18")

    def test_a_revision_that_is_none(self) -> None:
        status, err = self.generate(self.write(revision="2026-01-01"), revision=False)
        self.assertEqual(2, status)
        self.assertRegex(err, r'notes\.json: /revision: unknown revision "2026-01-01"; known are ')

    def test_a_published_schema_needs_a_revision(self) -> None:
        status, err = self.generate(self.publish(Note=STRING), revision=False)
        self.assertEqual(2, status)
        self.assertIn("state it with --revision", err)

    def test_it_does_not_go_with_a_schema(self) -> None:
        status, _, err = run("generate", "--overlay", self.write(), "--schema", "x.json", "--out", self.out)
        self.assertEqual(
            (2, "--overlay is put on a revision of schema/: it goes with --revision alone\n"), (status, err)
        )


class ShippedTest(OverlayCase):
    def shipped(self, name: str) -> None:
        """Generates one, about which nothing is left to say."""
        status, err = self.generate(SCHEMA_DIR / "overlays" / f"{name}.json", revision=False)
        self.assertEqual((0, ""), (status, err))

    def test_tasks(self) -> None:
        name = f"{BASE}-tasks"
        self.shipped(name)
        methods, types = self.header("methods", name), self.header("types", name)
        for method in ("TASKS_GET", "TASKS_UPDATE", "TASKS_CANCEL", "NOTIFICATIONS_TASKS"):
            self.assertIn(f"MCP_20260728_TASKS_METHOD_{method} =", methods)
        self.assertIn("MCP_20260728_TASKS_ERROR_MISSING_REQUIRED_CLIENT_CAPABILITY = -32021", methods)
        self.assertRegex(types, r"struct mcp_20260728_tasks_subscription_filter \{[^}]* task_ids;")
        self.assertRegex(types, r"CALL_TOOL_RESULT_RESPONSE_RESULT_CREATE_TASK_RESULT = 3")
        self.assertIn("} mcp_20260728_tasks_create_task_result;", types)
        self.assertIn("} mcp_20260728_tasks_get_task_result_input_required;", types)

    def test_a_task_is_the_third_result_of_a_call(self) -> None:
        path = SCHEMA_DIR / "overlays" / f"{BASE}-tasks.json"
        revisions = load(SCHEMA_DIR)
        request = Request(BASE, revisions.schema_file(BASE))
        edition = read_overlaid(revisions, request, [read_overlay(path, SCHEMA_DIR, None)]).edition
        plan = plan_revision(edition.document, edition.facts)
        (response,) = [method.response for method in plan.methods if method.name == "tools/call"]
        assert response is not None
        tests = plan.tables.unions[response.ref.index].tests
        self.assertEqual({"complete", "input_required", "task"}, {test.value for test in tests})

    def test_a_task_is_answered_and_read_by_its_type(self) -> None:
        name = f"{BASE}-tasks"
        self.shipped(name)
        handlers, client = self.header("handlers", name), self.header("client", name)
        self.assertRegex(handlers, r"mcp_20260728_tasks_respond_task\([^)]*create_task_result \*result,")
        self.assertIn("create_task_result *mcp_20260728_tasks_reply_task(const mcpw_reply *reply)", handlers)
        self.assertEqual(["tools_call"], re.findall(r"_call_(\w+)_or_task\(", client))
        (call,) = re.findall(r"_or_task\([^)]*\)", client)
        self.assertRegex(call, r"call_tool_result \*\*result,\s+const \w+_create_task_result \*\*task,")
        self.assertNotIn("input_required", client)

    def test_embedding_has_seven_types_of_its_own(self) -> None:
        name = "2025-06-18-embedding"
        self.shipped(name)
        typed = re.findall(r"\bmcp_20250618_embedding_(\w+)_decode\(", self.header("codec", name))
        wanted = "binary_content capabilities completion_result completion_result_list data_source embedding"
        self.assertEqual([*wanted.split(), "embedding_usage"], sorted(typed))

    def test_the_draft_has_the_codes_of_its_time(self) -> None:
        name = f"{BASE}-draft-2026-06"
        self.shipped(name)
        methods = self.header("methods", name)
        self.assertIn("ERROR_MISSING_REQUIRED_CLIENT_CAPABILITY = -32003", methods)
        self.assertIn("ERROR_UNSUPPORTED_PROTOCOL_VERSION = -32004", methods)
        self.assertNotIn("HEADER_MISMATCH", methods)
        self.assertIn("NOTIFICATIONS_ELICITATION_COMPLETE", methods)

    def test_bindings_of_the_revisions_do_not_change(self) -> None:
        self.shipped(f"{BASE}-tasks")
        self.assertEqual([f"{BASE}-tasks"], [path.name for path in self.out.iterdir()])


class ReportTest(OverlayCase):
    """The commands that compare and draw, on a revision with overlays on top."""

    def extended(self) -> Path:
        at = "/$defs/Tool/properties/badge"
        changes = [{"pointer": at, "old_absent": True, "new": STRING, "reason": "Tools wear badges."}]
        return self.write(definitions={"Note": NOTE}, changes=changes)

    def test_diff_shows_what_an_overlay_changes(self) -> None:
        status, out, err = run("diff", BASE, BASE, "--overlay", self.extended(), "--exit-code")
        self.assertEqual((0, ""), (status, err))
        self.assertIn(f"{BASE} -> {BASE}-notes: compatible", out)
        self.assertIn("+ Note  (mcp_note)", out)
        self.assertRegex(out, r"~ Tool  \(mcp_tool\)\s+badge: new optional member")

    def test_diff_puts_overlays_on_either_side(self) -> None:
        more = self.write("more", definitions={"More": NOTE})
        first = ("--old-overlay", self.extended())
        second = ("--overlay", self.extended(), "--overlay", more)
        status, out, err = run("diff", BASE, BASE, *first, *second)
        self.assertEqual((0, ""), (status, err))
        self.assertIn(f"{BASE}-notes -> {BASE}-notes-more: compatible", out)
        self.assertNotIn("Note ", out)

    def test_graph_draws_what_it_brings(self) -> None:
        path = SCHEMA_DIR / "overlays" / f"{BASE}-tasks.json"
        status, out, err = run("graph", BASE, "--overlay", path, "--root", "tasks/get", "--format", "dot")
        self.assertEqual((0, ""), (status, err))
        self.assertIn("GetTaskResult", out)

    def test_an_overlay_is_put_on_no_file(self) -> None:
        file = SCHEMA_DIR / BASE / "schema.json"
        for command in (("diff", BASE, file), ("graph", file)):
            status, _, err = run(*command, "--overlay", self.extended())
            self.assertEqual(2, status)
            self.assertTrue(err.startswith(f"{file}: an overlay is put on a revision; known are "), err)

    def test_what_is_wrong_with_an_overlay_is_told_by_its_place(self) -> None:
        path = self.write(definitions={"Note": {"type": "text"}})
        for command in (("diff", BASE, BASE), ("graph", BASE)):
            status, _, err = run(*command, "--overlay", path)
            self.assertEqual(2, status)
            self.assertTrue(err.startswith(f"{path}: /definitions/Note/type: "), err)


class VerifyTest(OverlayCase):
    """Our statement of an extension beside what is published."""

    def stated(self) -> Dict[str, Any]:
        document: Dict[str, Any] = json.loads((SCHEMA_DIR / "overlays" / f"{BASE}-tasks.json").read_text())
        definitions: Dict[str, Any] = document["definitions"]
        return definitions

    def published(self, definitions: Dict[str, Any]) -> Path:
        text = json.dumps(definitions).replace("#/definitions/", "#/$defs/")
        return self.publish("tasks", **json.loads(text))

    def assert_differs(self, definitions: Dict[str, Any], *lines: str) -> None:
        status, out, err = run("verify", "--overlay", self.published(definitions))
        self.assertEqual((1, ""), (status, err))
        for line in lines:
            self.assertIn(line, out)

    def test_what_is_stated_otherwise_but_means_the_same_is_equal(self) -> None:
        definitions = self.stated()
        definitions["Task"]["properties"]["status"] = definitions["TaskStatus"]
        status, out, err = run("verify", "--overlay", self.published(definitions))
        self.assertEqual((0, ""), (status, err))
        self.assertEqual(f"{BASE}-tasks: {len(definitions)} definitions equal\n", out)

    def test_a_value_that_one_alone_takes(self) -> None:
        definitions = self.stated()
        definitions["TaskStatus"]["enum"].append("paused")
        del definitions["Task"]["required"][0]
        taken = "Task: the overlay refuses what the published schema takes: "
        self.assert_differs(definitions, "TaskStatus: the overlay refuses", taken, "tasks/get, result: ")

    def test_a_value_that_is_refused_there(self) -> None:
        definitions = self.stated()
        definitions["Task"]["properties"]["ttlMs"]["type"] = "integer"
        self.assert_differs(definitions, "Task: the published schema refuses what the overlay takes: ")

    def test_a_definition_that_one_alone_has(self) -> None:
        definitions = {**self.stated(), "Note": NOTE}
        self.assert_differs(definitions, "Note: published, but not in the overlay")

    def test_the_published_tasks(self) -> None:
        folder = os.environ.get("MCP_SPEC_DIR", "")
        if not folder:
            self.skipTest("MCP_SPEC_DIR names no folder of published schemas")
        status, out, err = run("verify", "--overlay", Path(folder) / "extensions/tasks/schema.json")
        self.assertEqual((0, ""), (status, err))
        self.assertIn("definitions equal", out)

    def test_an_overlay_of_our_own_form_is_not_published(self) -> None:
        path = SCHEMA_DIR / "overlays" / f"{BASE}-tasks.json"
        status, _, err = run("verify", "--overlay", path)
        self.assertEqual((2, True), (status, "is an overlay of our own form" in err), err)

    def test_an_extension_that_nobody_has_stated(self) -> None:
        status, _, err = run("verify", "--overlay", self.publish("notes", Note=NOTE))
        self.assertEqual(2, status)
        self.assertIn("is called notes; there are embedding, ", err)

    def test_nothing_to_compare_with(self) -> None:
        status, _, err = run("verify")
        self.assertEqual((2, True), (status, "state it with --published or --overlay" in err), err)


class ModelTest(unittest.TestCase):
    def test_members_that_not_anything_excludes_are_excluded(self) -> None:
        node = node_of({"type": "object", "additionalProperties": {"not": {}}})
        self.assertIsInstance(node, ObjectType)
        self.assertIsNone(getattr(node, "additional", node))

    def test_constants_one_by_one_are_an_enum(self) -> None:
        stated: Dict[str, Any] = {"anyOf": [{"const": "a", "type": "string"}, {"enum": ["b", "a"]}]}
        node = node_of(stated)
        self.assertIsInstance(node, EnumType)
        self.assertEqual(("a", "b"), getattr(node, "values", None))


if __name__ == "__main__":
    unittest.main()
