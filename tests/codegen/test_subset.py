# SPDX-License-Identifier: MIT
# Slow: tools/test.sh runs it with --all.
"""--only: what some methods and types reach, called as in the whole."""

from __future__ import annotations

import tempfile
import unittest
from functools import cache
from pathlib import Path
from typing import Set

from codegen.emit.pack import Packer
from codegen.errors import BadInput
from codegen.facts.edition import find_listed
from codegen.model.nodes import Document
from codegen.plan.cplan import Plan
from codegen.plan.revision_plan import plan_revision
from codegen.plan.subset import keep
from codegen.source.revisions import load
from tests.codegen.support import ROOT, SCHEMA_DIR, run

NEWEST = "2026-07-28"


@cache
def document(revision: str) -> Document:
    return find_listed(load(SCHEMA_DIR), revision).document


@cache
def whole(revision: str) -> Plan:
    edition = find_listed(load(SCHEMA_DIR), revision)
    return plan_revision(edition.document, edition.facts)


def part(*only: str, revision: str = NEWEST) -> Plan:
    return keep(whole(revision), document(revision), only)


def definitions(plan: Plan) -> Set[str]:
    return {handle.name for handle in plan.handles if handle.definition}


class ReachTest(unittest.TestCase):
    def test_a_method_keeps_its_message_its_params_and_all_that_may_answer_it(self) -> None:
        found = part("tools/call")
        self.assertEqual([method.name for method in found.methods], ["tools/call"])
        wanted = {"CallToolRequest", "CallToolRequestParams", "CallToolResult", "InputRequiredResult"}
        self.assertLess(wanted, definitions(found))
        self.assertNotIn("GetPromptResult", definitions(found))
        self.assertIn("tools/call response", {handle.name for handle in found.handles})

    def test_a_method_of_a_task_keeps_the_result_that_stands_for_it(self) -> None:
        self.assertIn("CreateTaskResult", definitions(part("tools/call", revision="2025-11-25")))

    def test_a_type_keeps_what_it_reaches_and_no_method(self) -> None:
        found = part("Tool")
        self.assertEqual(definitions(found), {"Tool", "ToolAnnotations", "Icon", "MetaObject"})
        self.assertEqual((found.methods, found.handlers.sides), ((), ()))

    def test_all_that_is_named_is_kept(self) -> None:
        found = part("Role", "notifications/progress", "ping", revision="2025-11-25")
        self.assertEqual([method.name for method in found.methods], ["ping", "notifications/progress"])
        self.assertIn("Role", definitions(found))

    def test_what_stays_is_declared_as_in_the_whole(self) -> None:
        for name in load(SCHEMA_DIR).names:
            found, all_of_it = part("tools/list", "Tool", revision=name), whole(name)
            self.assertLessEqual(set(found.types), set(all_of_it.types))
            self.assertLessEqual(set(found.aliases), set(all_of_it.aliases))
            self.assertLessEqual({enum.name for enum in found.enums}, {enum.name for enum in all_of_it.enums})

    def test_every_method_and_every_type_can_be_alone(self) -> None:
        for revision in load(SCHEMA_DIR).names:
            for name in [*(m.name for m in whole(revision).methods), *definitions(whole(revision))]:
                with self.subTest(f"{revision} {name}"):
                    found = part(name, revision=revision)
                    packed = Packer(found, "").pack()
                    self.assertLess(len(packed.handles), len(whole(revision).handles))

    def test_everything_that_is_named_is_the_whole(self) -> None:
        names = [*(m.name for m in whole(NEWEST).methods), *definitions(whole(NEWEST))]
        found = part(*names)
        self.assertEqual(Packer(found, "").pack().tables, Packer(whole(NEWEST), "").pack().tables)


class UnknownTest(unittest.TestCase):
    def test_all_unknown_names_are_told_in_one_line_with_near_ones(self) -> None:
        with self.assertRaises(BadInput) as caught:
            part("tools/cal", "Tool", "Zebra")
        self.assertEqual(
            str(caught.exception),
            f'--only: {NEWEST} has no method or type "tools/cal" (near: tools/call, tools/list), "Zebra"',
        )


class CommandTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name) / "out"

    def test_files_say_how_they_were_made(self) -> None:
        status, _, err = run(
            "generate", "--revision", NEWEST, "--only", "ping , Tool,Tool", "--out", self.out
        )
        self.assertEqual((status, err), (2, f'--only: {NEWEST} has no method or type "ping"\n'))
        self.assertFalse(self.out.exists())
        status, _, err = run("generate", "--revision", NEWEST, "--only", "Icon, Tool,Tool", "--out", self.out)
        self.assertEqual((status, err), (0, ""))
        tables = (self.out / NEWEST / "tables.c").read_text("utf-8")
        self.assertIn(f"generate --revision {NEWEST} --only Icon,Tool", tables)
        names = (self.out / NEWEST / "mcp" / NEWEST / "names.h").read_text("utf-8")
        self.assertIn("mcp_20260728_tool_decode", names)
        self.assertNotIn("mcp_20260728_prompt", names)

    def test_check_names_the_command_that_would_mend(self) -> None:
        status, out, _ = run("generate", "--revision", NEWEST, "--only", "Tool", "--out", self.out, "--check")
        self.assertEqual(status, 1)
        self.assertIn(
            f"run: python3 -m codegen generate --revision {NEWEST} --only Tool --out {self.out}", out
        )

    def test_it_is_about_one_revision(self) -> None:
        status, _, err = run("generate", "--only", "Tool", "--out", self.out)
        self.assertEqual(
            (status, err),
            (2, "--only is about one revision: it goes with --revision, --schema or --overlay\n"),
        )

    def test_the_bindings_of_the_tree_stay_whole(self) -> None:
        status, _, err = run("generate", "--revision", NEWEST, "--only", "Tool")
        self.assertEqual(status, 2)
        self.assertIn(f"--only would leave out what others need of {ROOT / 'generated'}", err)


if __name__ == "__main__":
    unittest.main()
