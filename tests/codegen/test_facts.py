# SPDX-License-Identifier: MIT
"""The facts of methods.json that sessions need: sides of capabilities, gates, codes, lists of methods."""

from __future__ import annotations

import json
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

from codegen.errors import Refusal
from codegen.facts.facts import Facts
from codegen.facts.load import load
from codegen.model.load import load_document
from codegen.plan.cplan import Plan
from codegen.plan.revision_plan import plan_revision
from codegen.source.revisions import load as load_revisions
from tests.codegen.support import SCHEMA_DIR

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18")
Change = Callable[[Dict[str, Any]], object]


def changed_facts(case: unittest.TestCase, revision: str, change: Change) -> Facts:
    """The facts of a revision from a methods.json that was changed."""
    folder = tempfile.TemporaryDirectory()
    case.addCleanup(folder.cleanup)
    for path in SCHEMA_DIR.glob("*.json"):
        shutil.copy(path, folder.name)
    methods = Path(folder.name) / "methods.json"
    document = json.loads(methods.read_text(encoding="utf-8"))
    change(document)
    methods.write_text(json.dumps(document), encoding="utf-8")
    return load(Path(folder.name), revision)


def plan_of(facts: Facts) -> Plan:
    """The plan of a revision with these facts."""
    revisions = load_revisions(SCHEMA_DIR)
    name = facts.revision
    return plan_revision(load_document(revisions.schema_file(name), name, revisions.errata_file(name)), facts)


class RefusalCase(unittest.TestCase):
    def refused(self, change: Change, pointer: str, cause: str, revision: str = "2026-07-28") -> None:
        with self.assertRaises(Refusal) as caught:
            changed_facts(self, revision, change)
        self.assertRegex(str(caught.exception), f"methods.json: {pointer}: {cause}")


class CodeTest(RefusalCase):
    def test_each_revision_has_a_code_for_each_role(self) -> None:
        older = (-32002, -32600, -32602)
        expected = dict.fromkeys((*LEGACY, "2025-11-25"), older)
        expected["2026-07-28"] = (-32602, -32021, -32022)
        found = {revision: load(SCHEMA_DIR, revision).codes.roles for revision in expected}
        self.assertEqual(found, expected)

    def test_codes_that_a_revision_does_not_send_have_a_successor(self) -> None:
        newer = ((-32020, -32600), (-32021, -32600), (-32022, -32602))
        expected: Dict[str, Tuple[Tuple[int, int], ...]] = dict.fromkeys(LEGACY, ((-32042, -32603), *newer))
        expected["2025-11-25"] = newer
        expected["2026-07-28"] = ((-32002, -32602), (-32042, -32603))
        found = {revision: load(SCHEMA_DIR, revision).codes.replaced for revision in expected}
        self.assertEqual(found, expected)

    def test_a_revision_that_is_not_listed_replaces_nothing_and_has_the_roles_of_json_rpc(self) -> None:
        codes = load(SCHEMA_DIR, "2000-01-01").codes
        self.assertEqual((codes.own, codes.replaced, codes.roles), ((), (), (-32602, -32600, -32602)))

    def test_a_code_that_is_forbidden_somewhere_needs_a_successor(self) -> None:
        self.refused(
            lambda d: d["error_codes"][5].pop("successor"),
            "/error_codes/5/not_emitted/0",
            '"successor" has to say what "2026-07-28" sends instead',
        )

    def test_a_code_cannot_be_both_used_and_forbidden(self) -> None:
        self.refused(
            lambda d: d["error_codes"][5]["revisions"].append("2026-07-28"),
            "/error_codes/5/not_emitted/0",
            '"2026-07-28" is among its revisions too',
        )

    def test_a_successor_must_be_a_code_that_needs_none(self) -> None:
        for name, cause in (
            ("NOTHING", '"NOTHING" is none of the error codes'),
            ("URL_ELICITATION_REQUIRED", "has a successor itself"),
        ):
            with self.subTest(name=name):
                self.refused(
                    lambda d, name=name: d["error_codes"][5].update(successor=name),  # type: ignore[misc]
                    "/error_codes/5/successor",
                    cause,
                )

    def test_a_role_must_be_known_and_filled(self) -> None:
        self.refused(
            lambda d: d["error_roles"].update(OTHER="PARSE_ERROR"), "/error_roles/OTHER", "this member"
        )
        self.refused(
            lambda d: d["error_roles"].pop("MISSING_CAPABILITY"),
            "/error_roles",
            '"MISSING_CAPABILITY" is missing',
        )
        self.refused(lambda d: d.pop("error_roles"), "/", '"error_roles" is missing')

    def test_where_bad_arguments_are_told_in_a_result(self) -> None:
        found = {
            revision: load(SCHEMA_DIR, revision).argument_results for revision in (*LEGACY, "2025-11-25")
        }
        self.assertEqual(found, {**dict.fromkeys(LEGACY, False), "2025-11-25": True})
        self.refused(lambda d: d["argument_results"].append(1), "/argument_results/2", "expected a string")

    def test_where_clients_come_back_to_streams_that_end_early(self) -> None:
        found = {revision: load(SCHEMA_DIR, revision).polled_streams for revision in (*LEGACY, "2025-11-25")}
        self.assertEqual(found, {**dict.fromkeys(LEGACY, False), "2025-11-25": True})
        self.refused(lambda d: d["polled_streams"].append(1), "/polled_streams/1", "expected a string")


class SideTest(RefusalCase):
    def test_the_sender_of_these_notifications_declares_the_capability(self) -> None:
        found = {
            revision: {m.name for m in plan_of(load(SCHEMA_DIR, revision)).methods if m.by_sender}
            for revision in ("2025-11-25", "2026-07-28")
        }
        common = {
            "notifications/message",
            "notifications/prompts/list_changed",
            "notifications/resources/list_changed",
            "notifications/resources/updated",
            "notifications/tools/list_changed",
        }
        legacy = common | {"notifications/roots/list_changed", "notifications/tasks/status"}
        self.assertEqual(found, {"2025-11-25": legacy, "2026-07-28": common})

    def test_a_side_is_one_of_four(self) -> None:
        self.refused(
            lambda d: d["capabilities"]["common"]["tools/call"].update(side="host"),
            "/capabilities/common/tools~1call/side",
            "must be one of client, server, sender, receiver",
        )

    def test_a_method_that_goes_both_ways_has_a_sender_and_a_receiver(self) -> None:
        facts = changed_facts(
            self, "2025-11-25", lambda d: d["capabilities"]["common"]["tasks/get"].update(side="server")
        )
        self.not_planned(facts, "/capabilities/common/tasks~1get: tasks/get goes both ways")

    def not_planned(self, facts: Facts, text: str) -> None:
        with self.assertRaises(Refusal) as caught:
            plan_of(facts)
        self.assertIn(text, str(caught.exception))

    def test_a_gate_is_for_a_method_of_the_revision(self) -> None:
        facts = changed_facts(
            self,
            "2025-11-25",
            lambda d: d["capabilities"]["by_params"][0].update(method="server/discover"),
        )
        self.not_planned(facts, "/capabilities/by_params/0: 2025-11-25 has no method server/discover")

    def test_a_gate_is_a_capability_of_the_receiver(self) -> None:
        facts = changed_facts(
            self, "2025-11-25", lambda d: d["capabilities"]["by_params"][0].update(side="server")
        )
        self.not_planned(facts, "/capabilities/by_params/0: the capability must be one of the receiver's")


class GateTest(unittest.TestCase):
    def test_gates_of_each_revision(self) -> None:
        found: Dict[str, List[Tuple[str, str, object, str]]] = {}
        for revision in (*LEGACY, "2025-11-25", "2026-07-28"):
            gates = load(SCHEMA_DIR, revision).gates
            found[revision] = [(g.method, g.member, g.value, g.capability.name) for g in gates]
        new = [
            ("elicitation/create", "mode", "url", "elicitation.url"),
            ("sampling/createMessage", "tools", None, "sampling.tools"),
            ("sampling/createMessage", "toolChoice", None, "sampling.tools"),
        ]
        expected: Dict[str, List[Tuple[str, str, object, str]]] = {revision: [] for revision in LEGACY}
        self.assertEqual(found, {**expected, "2025-11-25": new, "2026-07-28": new})


class SessionListTest(RefusalCase):
    def test_the_methods_of_sessions_must_be_known(self) -> None:
        for name in ("session_owned", "session_made"):
            with self.subTest(name=name):
                self.refused(
                    lambda d, name=name: d[name].insert(1, "tools/cal"),  # type: ignore[misc]
                    f"/{name}/1",
                    'no revision has a method "tools/cal"',
                )


if __name__ == "__main__":
    unittest.main()
