# SPDX-License-Identifier: MIT
# Slow: tools/test.sh runs it with --all.
"""Facts that are stated by hand for a revision hold for a schema like it, wherever that has the same
shape."""

from __future__ import annotations

import copy
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

from codegen.facts.edition import NOBODY, Edition, Request, read_edition
from codegen.facts.load import load as load_facts
from codegen.plan.cplan import Plan
from codegen.plan.revision_plan import plan_revision
from codegen.source.revisions import load
from tests.codegen.support import SCHEMA_DIR, document_2020_12, run

NEW = "2099-01-15"
NEWEST = "2026-07-28"
Change = Callable[[Dict[str, Any]], object]


class LikeCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.schema = self.folder / NEW / "schema.json"
        self.schema.parent.mkdir()

    def write(self, document: Dict[str, Any]) -> None:
        self.schema.write_text(json.dumps(document), "utf-8")

    def edition(self, like: Optional[str] = None) -> Edition:
        return read_edition(load(SCHEMA_DIR), Request(NEW, self.schema, like))

    def changed(self, revision: str, change: Change) -> Edition:
        """A copy of a revision in which something is different."""
        document = json.loads((SCHEMA_DIR / revision / "schema.json").read_text("utf-8"))
        change(document.get("$defs") or document["definitions"])
        self.write(document)
        return self.edition()

    def notes(self, edition: Edition) -> List[str]:
        found = [*edition.notes, *plan_revision(edition.document, edition.facts).notes]
        return [str(note) for note in found]


class CopyTest(LikeCase):
    def test_a_copy_of_any_revision_is_that_revision_in_everything(self) -> None:
        for name in load(SCHEMA_DIR).names:
            with self.subTest(name):
                self.write(json.loads((SCHEMA_DIR / name / "schema.json").read_text("utf-8")))
                edition = self.edition()
                self.assertEqual(self.notes(edition), [])
                self.assertIn(": equal", run("diff", name, self.schema)[1].splitlines()[0])
                self.assertEqual(
                    self.protocol(plan_revision(edition.document, edition.facts)), self.protocol_of(name)
                )

    @staticmethod
    def protocol(plan: Plan) -> List[object]:
        """The facts of sessions about a revision."""
        methods = [(m.name, m.flags, m.capability, m.by_sender, m.asked) for m in plan.methods]
        gates = [(gate.member, gate.value, gate.capability) for gate in plan.gates]
        codes = [(error.code, error.comment) for error in plan.errors]
        return [
            methods,
            gates,
            codes,
            plan.codes,
            plan.role_codes,
            plan.defaults,
            plan.argument_results,
            plan.polled_streams,
        ]

    def protocol_of(self, name: str) -> List[object]:
        revisions = load(SCHEMA_DIR)
        edition = read_edition(revisions, Request(name, revisions.schema_file(name)))
        return self.protocol(plan_revision(edition.document, edition.facts))


class KinTest(LikeCase):
    def test_the_nearest_is_found_and_named(self) -> None:
        edition = self.changed("2025-06-18", lambda d: d.pop("PaginatedResult") and d["Tool"].pop("required"))
        expected = "like 2025-06-18, the nearest: 89 of 90 definitions are equal"
        self.assertEqual(str(edition.base), expected)

    def test_what_is_stated_comes_before_what_is_near(self) -> None:
        self.write(json.loads((SCHEMA_DIR / NEWEST / "schema.json").read_text("utf-8")))
        self.assertEqual(str(self.edition("2025-11-25").base), "like 2025-11-25")
        self.assertEqual(self.edition(NOBODY).facts.unions, load_facts(SCHEMA_DIR, NEW).unions)

    def test_another_dialect_does_not_hide_what_is_near(self) -> None:
        old = json.loads((SCHEMA_DIR / "2025-06-18" / "schema.json").read_text("utf-8"))
        definitions = json.loads(json.dumps(old["definitions"]).replace("#/definitions/", "#/$defs/"))
        self.write(document_2020_12(**definitions))
        edition = self.edition()
        self.assertEqual(str(edition.base), "like 2025-06-18, the nearest: 91 of 91 definitions are equal")
        self.assertEqual(self.notes(edition), [])

    def test_a_schema_of_something_else_is_like_none(self) -> None:
        tool = {"type": "object", "properties": {"name": {"type": "string"}}}
        self.write(document_2020_12(Tool=tool, Hammer={}, Nail={}))
        self.assertEqual(str(self.edition().base), "like no revision")

    def test_generate_names_it(self) -> None:
        self.write(json.loads((SCHEMA_DIR / NEWEST / "schema.json").read_text("utf-8")))
        status, out, err = run("generate", "--schema", self.schema, "--out", self.folder / "out")
        self.assertEqual((status, err), (0, ""))
        self.assertIn(f"{NEW}: like {NEWEST}, the nearest: 155 of 155 definitions are equal\n", out)


class MisfitTest(LikeCase):
    """Facts that do not fit are left out, and a note says what to state."""

    def assert_note(self, pattern: str, revision: str, change: Change, count: int = 1) -> Edition:
        edition = self.changed(revision, change)
        notes = self.notes(edition)
        self.assertEqual(len(notes), count, notes)
        for note in notes:
            self.assertRegex(note, pattern)
        return edition

    def test_an_erratum_whose_old_value_does_not_stand(self) -> None:
        def change(definitions: Dict[str, Any]) -> None:
            content = definitions["ElicitResult"]["properties"]["content"]
            content["additionalProperties"]["type"] = ["string", "null"]

        self.assert_note(r"errata/2025-06-18\.json: /errata/0: warning: does not fit", "2025-06-18", change)

    def test_an_erratum_that_was_heeded_needs_no_word(self) -> None:
        def change(definitions: Dict[str, Any]) -> None:
            content = definitions["ElicitResult"]["properties"]["content"]
            content["additionalProperties"]["type"] = ["string", "number", "boolean"]

        self.assertEqual(self.notes(self.changed("2025-06-18", change)), [])

    def test_a_union_with_other_alternatives_than_its_entry_names(self) -> None:
        def change(definitions: Dict[str, Any]) -> None:
            definitions["MyText"] = copy.deepcopy(definitions["TextResourceContents"])
            for union in (
                definitions["EmbeddedResource"]["properties"]["resource"],
                definitions["ReadResourceResult"]["properties"]["contents"]["items"],
            ):
                union["anyOf"][0] = {"$ref": "#/$defs/MyText"}

        cause = (
            r'"TextResourceContents" is not an alternative of the union at .*: '
            r"the first that validates is taken"
        )
        self.assert_note(cause, NEWEST, change, count=2)

    def test_an_error_for_which_the_schema_has_another_code(self) -> None:
        def change(definitions: Dict[str, Any]) -> None:
            error = definitions["MissingRequiredClientCapabilityError"]["properties"]["error"]
            error["allOf"][1]["properties"]["code"]["const"] = -32003

        pattern = (
            r"methods\.json: /error_codes: warning: MISSING_REQUIRED_CLIENT_CAPABILITY is -32021.*-32003"
        )
        edition = self.assert_note(pattern, NEWEST, change)
        self.assertEqual(edition.facts.codes.roles, (-32602, -32003, -32022))

    def test_a_method_that_is_new(self) -> None:
        def change(definitions: Dict[str, Any]) -> None:
            text = json.dumps(definitions["ListToolsRequest"]).replace("tools/list", "hammers/list")
            definitions["ListHammersRequest"] = json.loads(text)
            definitions["ListHammersResult"] = copy.deepcopy(definitions["ListToolsResult"])
            definitions["ClientRequest"]["anyOf"].append({"$ref": "#/$defs/ListHammersRequest"})

        notes = self.notes(self.changed(NEWEST, change))
        self.assertEqual(len(notes), 2, notes)
        self.assertRegex(notes[0], r"/result_alternatives: warning: hammers/list is new, and resultType")
        self.assertRegex(notes[1], r'/capabilities/common: warning: "hammers/list" is missing')

    def test_a_result_that_is_gone(self) -> None:
        def change(definitions: Dict[str, Any]) -> None:
            text = json.dumps(definitions).replace("InputRequiredResult", "IncompleteResult")
            definitions.clear()
            definitions.update(json.loads(text))

        notes = self.notes(self.changed(NEWEST, change))
        for method in ("tools/call", "prompts/get", "resources/read"):
            cause = f'{method}: "InputRequiredResult" is no definition'
            self.assertTrue(any(cause in note for note in notes), (method, notes))

    def test_a_line_about_a_member_that_became_something_else(self) -> None:
        def change(definitions: Dict[str, Any]) -> None:
            definitions["Tool"]["properties"]["description"] = {"type": "array", "items": {"type": "string"}}

        docs = self.changed(NEWEST, change).facts.docs
        self.assertIsNone(docs.line(NEW, "Tool.description"))
        self.assertIsNotNone(docs.line(NEW, "Tool.name"))


class OwnTest(LikeCase):
    """Facts about the revision itself come before those about the one that it is like."""

    def facts_dir(self, name: str, change: Change) -> Path:
        folder = self.folder / "facts"
        folder.mkdir()
        for path in SCHEMA_DIR.glob("*.json"):
            document = json.loads(path.read_text("utf-8"))
            if path.name == name:
                change(document)
            (folder / path.name).write_text(json.dumps(document), "utf-8")
        return folder

    def test_unions(self) -> None:
        entry = {"at": ["JSONRPCResponse"], "revisions": [NEW], "tests": [], "reason": "r"}
        folder = self.facts_dir("unions.json", lambda d: d["unions"].insert(0, entry))
        found = load_facts(folder, NEW, (NEWEST,)).unions
        self.assertEqual((found["JSONRPCResponse"].tests, found["JSONRPCResponse"].own), ((), True))
        self.assertNotEqual(found["JSONRPCMessage"].tests, ())

    def test_a_code_that_is_no_longer_sent(self) -> None:
        def change(document: Dict[str, Any]) -> None:
            row = next(row for row in document["error_codes"] if row["name"] == "HEADER_MISMATCH")
            row["not_emitted"] = [NEW]

        codes = load_facts(self.facts_dir("methods.json", change), NEW, (NEWEST,)).codes
        self.assertNotIn("HEADER_MISMATCH", [error.name for error in codes.own])
        self.assertIn((-32020, -32600), codes.replaced)

    def test_result_alternatives_by_method(self) -> None:
        def change(document: Dict[str, Any]) -> None:
            tag = {"member": "resultType", "values": {"done": "CallToolResult"}}
            document["result_alternatives"][NEW] = {"tools/call": tag}

        tags = load_facts(self.facts_dir("methods.json", change), NEW, (NEWEST,)).result_tags
        self.assertEqual(tags["tools/call"].values, (("done", "CallToolResult"),))
        self.assertIn("tools/list", tags)


if __name__ == "__main__":
    unittest.main()
