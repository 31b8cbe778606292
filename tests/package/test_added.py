# SPDX-License-Identifier: MIT
"""A new revision: its schema is put in a copy of the tree, one command is run, and programs speak it."""

from __future__ import annotations

import json
import shutil
import sys
import unittest
from pathlib import Path

from tests.examples.peer import ELICITATION, META, Client, started
from tests.package.support import REVISIONS, ROOT, PackageTest, python, run

NEEDED = ("CMakeLists.txt", "LICENSE", "cmake", "codegen", "docs", "generated", "runtime", "schema", "tools")
GATEWAY = ROOT / "examples/gateway.c"
SERVER = ROOT / "tests/examples/small_server.py"
ROUNDS = ("2026-07-28", "2027-01-15")  # those in which a result asks for input
COPIES = {"2025-12-01": "2025-11-25", "2027-01-15": "2026-07-28"}  # one of each era


class Added(PackageTest):
    def setUp(self) -> None:
        super().setUp()
        self.tree = self.folder / "tree"
        ignore = shutil.ignore_patterns("__pycache__")
        for name in NEEDED:
            source, target = ROOT / name, self.tree / name
            if source.is_dir():
                shutil.copytree(source, target, ignore=ignore)
            else:
                target.parent.mkdir(exist_ok=True)
                shutil.copy(source, target)

    def codegen(self, *arguments: str) -> str:
        return self.succeed(run([python(), "-m", "codegen", *arguments], cwd=self.tree))

    def put(self, name: str, original: str) -> None:
        folder = self.tree / "schema" / name
        folder.mkdir()
        shutil.copy(ROOT / "schema" / original / "schema.json", folder)

    def test_a_schema_without_a_row_is_an_error_that_says_what_to_run(self) -> None:
        self.put("2027-01-15", "2026-07-28")
        for command in ("generate", "list", "notes"):
            done = run([python(), "-m", "codegen", command], cwd=self.tree)
            self.refused(done, "2027-01-15: has no row in revisions.json: python3 -m codegen add 2027-01-15")

    def test_a_copy_of_a_revision_is_that_revision_and_is_spoken(self) -> None:
        for name, original in COPIES.items():
            self.put(name, original)
            self.assertIn(f"{name}: like {original}, the nearest", self.codegen("add", name))
        self.assertEqual(self.names(), sorted([*REVISIONS, *COPIES]))
        for name, original in COPIES.items():
            self.assertEqual(self.codegen("diff", original, name), f"{original} -> {name}: equal\n")
        self.codegen("generate", "--check")
        self.codegen("notes", "--check")
        self.speak()

    def names(self) -> list[str]:
        rows = json.loads((self.tree / "schema/revisions.json").read_text("utf-8"))["revisions"]
        return [row["revision"] for row in sorted(rows, key=lambda row: int(row["order"]))]

    def speak(self) -> None:
        """A server and a client of the copied tree negotiate each new revision, and the newest unasked."""
        given = (f"-DMCPWIRE_SOURCE={self.tree}", "-DMCPW_BUILD_TOOLS=ON", "-DMCPW_BUILD_SHARED=OFF")
        build = self.consumer(*given, parts=f"session.c;{GATEWAY}", source="subdirectory")
        command = next(path for path in build.rglob("mcpwire") if path.is_file())
        for name in COPIES:
            with self.subTest(name):
                self.assertIn("hello", self.call(command, build, "--revision", name, "--tool", "greet"))
        self.assertIn(max(REVISIONS + list(COPIES)), self.call(command, build, "--info"))

        for theirs in ROUNDS:
            for ours in ROUNDS:
                with self.subTest(server=theirs, client=ours):
                    self.pass_on_a_round(build / "gateway_c", theirs, ours)

    def pass_on_a_round(self, gateway: Path, theirs: str, ours: str) -> None:
        """A gateway to a server of one revision lets it ask a client of the other, and keeps its state."""
        answer = {"action": "accept", "content": {"colour": "blue"}}
        with started(str(gateway), theirs, sys.executable, str(SERVER), theirs) as wire:
            client = Client(wire, ours, ELICITATION).open()
            client.answers["elicitation/create"] = answer
            self.assertEqual(json.loads(client.text("ask")), [answer, 'a "state"'])
            received = json.loads(client.text("record"))
            calls = [message["params"] for message in received if message.get("method") == "tools/call"]
            self.assertEqual(["inputResponses" in call for call in calls], [False, True, False])
            self.assertEqual({call["_meta"][META + "protocolVersion"] for call in calls}, {theirs})

    def call(self, command: Path, build: Path, *arguments: str) -> str:
        return self.succeed(run([command, "call", *arguments, "--", build / "session_c"]))


if __name__ == "__main__":
    unittest.main()
