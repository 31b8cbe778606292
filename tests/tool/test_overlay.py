# SPDX-License-Identifier: MIT
"""Overlays on top of revisions: those that come with the command, and those of --overlay."""

import json
import shutil
import unittest
from typing import Any, Dict, List, Optional

from tests.tool.peer import Step
from tests.tool.support import Result, ToolTest, notification, request, result
from tests.tool.tapping import STATELESS, TapTest, client, complete, meta, server, stateless

NAME = "io.modelcontextprotocol/tasks"
TASKS = {"extensions": {NAME: {}}}
CAPABILITY = f'the capability "extensions.{NAME}"'
MOMENT = "2026-07-28T00:00:00Z"
TASK = {"taskId": "1", "status": "working", "createdAt": MOMENT, "lastUpdatedAt": MOMENT, "ttlMs": None}
CREATED = {"resultType": "task", **TASK}
SKILLS = {"extensions": {"io.modelcontextprotocol/skills": {"directoryRead": True}}}
SKILL = {
    "uri": "skill://pdf/SKILL.md",
    "frontmatter": {"name": "pdf", "description": "Fills in forms.", "license": "MIT"},
    "resources": [{"uri": "skill://pdf/SKILL.md", "digest": "sha256:" + "0" * 64, "size": 12}],
}
MARK = {"type": "mark", "text": "x"}

# An extension whose text blocks have marks, and which has a method of each side.
MARKS: Dict[str, Any] = {
    "overlay": "marks",
    "revision": STATELESS,
    "extension": {"name": "example.org/marks"},
    "definitions": {
        "Mark": {
            "type": "object",
            "properties": {"type": {"const": "mark"}, "text": {"type": "string"}},
            "required": ["type", "text"],
        },
        "SetMarkRequest": {
            "allOf": [{"$ref": "#/definitions/JSONRPCRequest"}],
            "properties": {
                "method": {"const": "marks/set"},
                "params": {"type": "object", "properties": {"mark": {"$ref": "#/definitions/Mark"}}},
            },
            "required": ["params"],
        },
        "SetMarkResult": {"type": "object", "properties": {"count": {"type": "integer"}}},
    },
    "alternatives": [
        {"at": "/definitions/ContentBlock/anyOf", "add": ["Mark"]},
        {"at": "/$defs/ClientRequest/anyOf", "add": ["SetMarkRequest"]},
    ],
}


def changed(**members: Any) -> Dict[str, Any]:
    return {**MARKS, **members}


def discover(offers: Dict[str, Any], can: Optional[Dict[str, Any]] = None) -> List[Step]:
    offered = {"supportedVersions": [STATELESS], "ttlMs": 0, "cacheScope": "private", "capabilities": offers}
    return client(stateless(100, "server/discover", can=can)) + server(complete(100, **offered))


def session(can: Optional[Dict[str, Any]] = None, offers: Optional[Dict[str, Any]] = None) -> List[Step]:
    """A call that becomes a task, which is asked for until it is cancelled."""
    steps = discover({"tools": {}, **(offers or {})}, can)
    steps += client(stateless(1, "tools/call", {"name": "tide"}, can=can)) + server(result(1, CREATED))
    steps += client(stateless(2, "tasks/get", {"taskId": "1"}, can=can)) + server(complete(2, **TASK))
    return steps + client(stateless(3, "tasks/cancel", {"taskId": "1"}, can=can)) + server(complete(3))


class Tap(TapTest):
    def test_a_session_with_tasks_has_no_findings(self) -> None:
        steps = session(TASKS, TASKS)
        for options in ((), ("--all-errors",), ("--overlay", "2026-07-28-tasks")):
            self.assertEqual(self.play(steps, "--record", "log", *options).findings, [])
            done = self.run_tool("tap", "--replay", "log", "--check", *options)
            self.assertEqual((done.out, done.err, done.code), ("", "", 0))

    def test_an_extension_that_was_not_declared_is_reported(self) -> None:
        for side, steps in (("client", session(None, TASKS)), ("server", session(TASKS, None))):
            found = self.play(steps).findings
            self.assertEqual({f["code"] for f in found}, {"extension"})
            self.assertEqual({f["message"] for f in found}, {f"the {side} has not declared {CAPABILITY}"})
            places = [(f["method"], f["pointer"]) for f in found]
            wanted = [("tools/call", "/result"), ("tasks/get", "/method"), ("tasks/cancel", "/method")]
            self.assertEqual(places, wanted)

    def test_params_and_results_are_checked(self) -> None:
        steps = discover(TASKS, TASKS)
        steps += client(stateless(1, "tasks/get", {"taskId": 5}, can=TASKS)) + server(complete(1, taskId=1))
        steps += server(notification("notifications/tasks", {"status": "asleep"}))
        found = self.play(steps).findings
        self.assertEqual({f["code"] for f in found}, {"schema"})
        self.assertEqual([f["method"] for f in found], ["tasks/get", "tasks/get", "notifications/tasks"])
        self.assertEqual(found[0]["pointer"], "/params/taskId")

    def test_a_session_with_skills(self) -> None:
        page = {"skills": [SKILL], "ttlMs": 0, "cacheScope": "private"}
        steps = discover({**SKILLS, "resources": {}}, SKILLS)
        steps += client(stateless(1, "skills/list", can=SKILLS)) + server(complete(1, **page))
        asked = stateless(2, "resources/directory/read", {"uri": "skill://pdf"}, can=SKILLS)
        steps += client(asked) + server(complete(2, resources=[]))
        self.assertEqual(self.play(steps).findings, [])
        wrong = complete(3, **{**page, "skills": [{**SKILL, "resources": []}]})
        steps += client(stateless(3, "skills/list", can=SKILLS)) + server(wrong)
        self.assertEqual(self.play(steps).codes(), ["schema"])

    def test_a_method_of_the_other_side(self) -> None:
        steps = discover(TASKS, TASKS) + server(stateless(1, "tasks/get", {"taskId": "1"}, can=TASKS))
        steps += client(notification("notifications/tasks", {**TASK}))
        found = self.play(steps).findings
        self.assertEqual(
            next(f["message"] for f in found if f["code"] == "direction"), "a server does not send tasks/get"
        )
        self.assertEqual([f["code"] for f in found].count("direction"), 2)

    def test_a_method_that_nobody_brings_is_unknown(self) -> None:
        found = self.play(discover(TASKS, TASKS) + client(stateless(1, "tasks/paint", can=TASKS))).findings
        self.assertEqual([f["code"] for f in found], ["method-unknown"])

    def test_an_overlay_of_a_file(self) -> None:
        self.file("marks.json", json.dumps(MARKS))
        can = {"extensions": {"example.org/marks": {}}}
        steps = discover({"tools": {}, **can}, can)
        steps += client(stateless(1, "marks/set", {"mark": MARK}, can=can)) + server(complete(1, count=1))
        steps += client(stateless(2, "tools/call", {"name": "t"}, can=can)) + server(
            complete(2, content=[MARK])
        )
        self.assertEqual(self.play(steps, "--overlay", "marks.json").findings, [])
        self.assertEqual(self.play(steps).codes(), ["method-unknown", "schema"])

    def test_a_content_block_of_an_extension_that_was_not_declared(self) -> None:
        self.file("marks.json", json.dumps(MARKS))
        steps = discover({"tools": {}}) + client(stateless(2, "tools/call", {"name": "t"}))
        found = self.play(steps + server(complete(2, content=[MARK])), "--overlay", "marks.json").findings
        self.assertEqual([(f["code"], f["pointer"]) for f in found], [("extension", "/result")])


class Validate(ToolTest):
    def messages(self) -> List[Dict[str, Any]]:
        asked = stateless(2, "tasks/get", {"taskId": "1"}, can=TASKS)
        call = stateless(1, "tools/call", {"name": "t"}, can=TASKS)
        return [
            call,
            result(1, CREATED),
            asked,
            complete(2, **TASK),
            notification("notifications/tasks", TASK),
        ]

    def check(self, *options: str, messages: Optional[List[Any]] = None) -> Result:
        name = self.lines("in.ndjson", *(self.messages() if messages is None else messages))
        return self.validate("--ndjson", *options, name)

    def overlay(self, value: object = None, name: str = "marks.json") -> str:
        return self.file(name, json.dumps(MARKS if value is None else value))

    def test_extensions_of_mcpwire_are_known(self) -> None:
        done = self.check()
        self.assertEqual((done.out, done.err, done.code), ("5 values valid\n", "", 0))

    def test_what_they_bring_is_checked(self) -> None:
        wrong = [
            {**m, "params": {**m["params"], "taskId": 5}} if "taskId" in m.get("params", {}) else m
            for m in self.messages()
        ]
        self.assertIn(":3: /params/taskId: expected string, got number\n", self.check(messages=wrong).out)
        wrong = [*self.messages()[:1], result(1, {**CREATED, "ttlMs": "x"})]
        self.assertIn(":2: /result", self.check(messages=wrong).out)

    def test_a_revision_that_is_named_stands_alone(self) -> None:
        done = self.check("--revision", STATELESS)
        self.assertIn(':3: note: /method: revision 2026-07-28 has no method "tasks/get"', done.out)
        self.assertEqual(done.code, 1)
        done = self.check("--revision", STATELESS, "--overlay", "2026-07-28-tasks")
        self.assertEqual((done.out, done.code), ("5 values valid\n", 0))

    def test_what_a_revision_refuses_for_another_reason_stays_invalid(self) -> None:
        """By a schema alone this result is an InputRequiredResult, whose members are all optional."""
        done = self.check(messages=[self.messages()[0], complete(1)])
        self.assertIn(':2: /result: missing required member "content"', done.out)

    def test_an_alternative_of_an_overlay(self) -> None:
        messages = [self.messages()[0], complete(1, content=[MARK])]
        self.assertEqual(self.check(messages=messages).code, 1)
        self.assertEqual(self.check("--overlay", self.overlay(), messages=messages).code, 0)
        wrong = [self.messages()[0], complete(1, content=[{"type": "mark"}])]
        self.assertEqual(self.check("--overlay", "marks.json", messages=wrong).code, 1)

    def test_methods_of_an_overlay(self) -> None:
        good = [stateless(1, "marks/set", {"mark": MARK}), complete(1, count=5)]
        bad = [stateless(1, "marks/set", {"mark": {"type": "mark"}}), complete(1, count="x")]
        self.assertEqual(self.check("--overlay", self.overlay(), messages=good).out, "2 values valid\n")
        done = self.check("--overlay", "marks.json", messages=bad)
        self.assertIn(":1: /params/mark: required member 'text' is missing", done.out)
        self.assertIn(":2: /result/count: expected integer", done.out)

    def test_two_overlays_at_once(self) -> None:
        messages = [*self.messages(), stateless(7, "marks/set", {"mark": MARK})]
        self.assertEqual(self.check("--overlay", self.overlay(), messages=messages).out, "6 values valid\n")

    def test_another_state_of_a_revision_judges_all_messages(self) -> None:
        done = self.check("--overlay", "2026-07-28-draft-2026-06")
        self.assertIn(
            "/params/_meta: required member 'io.modelcontextprotocol/clientInfo' is missing", done.out
        )

    def test_a_published_schema_of_an_extension(self) -> None:
        published = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": MARKS["definitions"]}
        text = json.dumps(published).replace("#/definitions/", "#/$defs/")
        name = self.file("schema.json", text)
        good = [stateless(1, "marks/set", {"mark": MARK}), complete(1, count=5)]
        self.assertEqual(self.check("--overlay", name, messages=good).out, "2 values valid\n")
        bad = [stateless(1, "marks/set", {"mark": 5})]
        self.assertEqual(self.check("--overlay", name, messages=bad).code, 1)

    def test_a_type_of_an_overlay(self) -> None:
        name = self.overlay()
        self.assertEqual(
            self.validate("--overlay", name, "--type", "Mark", self.file("a", json.dumps(MARK))).code, 0
        )
        self.assertEqual(self.validate("--overlay", name, "--type", "Mark", self.file("a", "{}")).code, 1)
        done = self.validate("--overlay", name, "--type", "Marc", "a")
        self.assertIn('marks.json has no definition "Marc"; did you mean Mark?', done.err)
        value = {"embedding": [1.5]}
        done = self.validate(
            "--overlay", "2025-06-18-embedding", "--type", "Embedding", self.file("a", json.dumps(value))
        )
        self.assertLess(done.code, 2, done.err)

    def refused(self, why: str, *options: str) -> None:
        done = self.check(*options)
        self.assertIn(why, done.err)
        self.assertEqual((done.out, done.code), ("", 2))

    def test_overlays_that_do_not_fit_are_refused(self) -> None:
        change = {"pointer": "/$defs/Tool/type", "old": "string", "new": "object"}
        absent = {"pointer": "/$defs/Tool/type", "old_absent": True, "new": "object"}
        cases = (
            (changed(revision="2020-01-01"), 'there is no revision "2020-01-01"'),
            (
                changed(changes=[change]),
                "marks.json: /$defs/Tool/type: the value is not the one that the change expects",
            ),
            (
                changed(changes=[absent]),
                "marks.json: /$defs/Tool/type: the change expects that nothing is there yet",
            ),
            (
                changed(alternatives=[{"at": "/$defs/None/anyOf", "add": []}]),
                "alternatives are added to an array",
            ),
            (changed(definitions=5), "marks.json: /definitions: definitions are an object"),
            (
                changed(definitions={"X": {"$ref": "#/definitions/None"}}),
                "2026-07-28 is not a schema: /$defs/X",
            ),
            ({}, "marks.json is not an overlay: it has neither definitions nor $defs"),
            ([], "marks.json is not an overlay: it is not an object"),
        )
        for value, why in cases:
            with self.subTest(why=why):
                self.refused(why, "--overlay", self.overlay(value))
        self.refused("marks.json is not an overlay", "--overlay", self.file("marks.json", "{"))
        self.refused("none.json: cannot open", "--overlay", "none.json")

    def test_changes_of_every_kind(self) -> None:
        changes = [
            {"pointer": "/$defs/Mark/required", "old": ["type", "text"], "gone": True},
            {"pointer": "/$defs/Mark/properties/text", "old": {"type": "string"}, "new": {"type": "integer"}},
            {"pointer": "/definitions/Mark/minProperties", "old_absent": True, "new": 2},
        ]
        name = self.overlay(changed(changes=changes))
        for value, code in (
            ({"type": "mark", "text": 5}, 0),
            ({"a": 1, "b": 2}, 0),
            ({"text": 5}, 1),
            (MARK, 1),
        ):
            done = self.validate("--overlay", name, "--type", "Mark", self.file("a", json.dumps(value)))
            self.assertEqual(done.code, code, value)

    def test_what_it_does_not_go_with(self) -> None:
        self.refused("--overlay is put on a revision", "--overlay", "x", "--schema", "y")
        self.refused("--overlay is given more than 16 times", *["--overlay", "2026-07-28-tasks"] * 17)

    def test_the_version_lists_them(self) -> None:
        listed = [row for row in self.run_tool("--version").out.splitlines() if row.startswith("overlays: ")]
        self.assertEqual(
            listed,
            [
                "overlays: 2025-06-18-embedding, 2026-07-28-draft-2026-06, 2026-07-28-skills, "
                "2026-07-28-tasks, 2026-07-28-ui"
            ],
        )


class Convert(ToolTest):
    def convert(self, target: str, *options: str) -> Result:
        call = {"name": "t", "_meta": meta(can=TASKS)}
        messages = [request(1, "tools/call", call), result(1, CREATED)]
        messages += [stateless(2, "tasks/get", {"taskId": "1"}, can=TASKS), complete(2, **TASK)]
        name = self.lines("in.ndjson", *messages)
        self.written = messages
        return self.run_tool("convert", "--to", target, *options, name)

    def test_what_an_extension_brings_stays_in_its_revision(self) -> None:
        done = self.convert(STATELESS)
        self.assertEqual((done.err, done.code), ("", 0))
        self.assertEqual([json.loads(row) for row in done.out.splitlines()], self.written)

    def test_another_revision_lacks_it(self) -> None:
        done = self.convert("2025-06-18")
        self.assertEqual(len(done.out.splitlines()), 1)
        self.assertIn(
            ":2: unsayable /: revision 2025-06-18 lacks what an overlay adds to 2026-07-28", done.err
        )
        self.assertIn(":3: unsayable /:", done.err)
        self.assertIn(":4: unsayable /: it answers a request that was left out", done.err)

    def test_an_overlay_of_a_file(self) -> None:
        self.file("marks.json", json.dumps(MARKS))
        asked = stateless(1, "marks/set", {"mark": MARK})
        name = self.lines("in.ndjson", asked, complete(1, count=1))
        done = self.run_tool("convert", "--overlay", "marks.json", "--to", STATELESS, name)
        self.assertEqual((done.err, done.code), ("", 0))


@unittest.skipIf(shutil.which("true") is None, "skipped: there is no command true")
class Arguments(ToolTest):
    def test_tap_refuses_what_is_no_overlay(self) -> None:
        done = self.run_tool("tap", "--overlay", "none.json", "--", "true")
        self.assertIn("none.json: cannot open", done.err)
        self.assertEqual(done.code, 2)


if __name__ == "__main__":
    unittest.main()
