# SPDX-License-Identifier: MIT
"""examples/client.c: lists and calls the tools of a server, of whatever revision."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List

from tests.examples.peer import MODERN, TIMEOUT, ExampleTest, built_revisions, example

SMALL_SERVER = str(Path(__file__).with_name("small_server.py"))


class ClientTest(ExampleTest):
    needs = ("client", "echo", "files")

    def run_client(self, *arguments: str, status: int = 0) -> List[str]:
        """The lines that it prints."""
        command = (example("client"), *arguments)
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        self.complaints = done.stderr
        return done.stdout.splitlines()

    def test_it_calls_the_echo_server(self) -> None:
        newest = built_revisions()[-1]
        printed = self.run_client("echo", '{"message":"hi"}', "echo", "{}", "--", example("echo"))
        self.assertEqual(printed[:4], [f"revision: {newest}", "tool: echo", "echo answered:", "text: hi"])
        self.assertEqual(printed[4], "echo failed:")

    def test_it_prints_structured_content(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.txt").write_text("first\nneedle\n")
            printed = self.run_client("search", '{"text":"needle"}', "--", example("files"), folder)
        self.assertEqual(printed[1:4], ["tool: search", "tool: refresh", "search answered:"])
        expected = {"matches": [{"path": "a.txt", "line": 2}], "complete": True}
        self.assertEqual(json.loads(printed[5].replace("structured: ", "")), expected)

    def test_it_falls_back_to_the_revision_of_the_server_and_lists_all_pages(self) -> None:
        names = ["ask", "change", "echo", "fail", "log", "record", "slow"]
        for revision in built_revisions():
            with self.subTest(revision):
                call = ("echo", '{"message":"hi"}')
                printed = self.run_client(*call, "--", sys.executable, SMALL_SERVER, revision)
                self.assertEqual(printed[0], f"revision: {revision}")
                self.assertEqual(printed[1:8], [f"tool: {name}" for name in names])
                self.assertEqual(printed[8:], ["echo answered:", "text: hi"])

    def test_it_answers_forms_with_their_defaults(self) -> None:
        answer = {"action": "accept", "content": {"colour": "red", "count": 3, "sure": True}}
        for revision in built_revisions():
            if revision < "2025-06-18":
                continue
            with self.subTest(revision):
                server = (sys.executable, SMALL_SERVER, revision)
                printed = self.run_client("ask", "{}", "--", *server)[8:]
                self.assertEqual(printed[:2], ["asked: Which colour?", "ask answered:"])
                told = json.loads(printed[2].replace("text: ", ""))
                self.assertEqual(told, [answer, 'a "state"'] if revision >= MODERN else answer)

    def test_it_says_what_went_wrong(self) -> None:
        self.run_client("nope", "{}", "--", example("echo"), status=1)
        self.assertIn("the server answered -32602: Unknown tool: nope", self.complaints)
        self.run_client("echo", "{", "--", example("echo"), status=1)
        self.assertIn("/params/arguments: ", self.complaints)
        self.run_client("--", "/nowhere/server", status=1)
        self.assertIn("/nowhere/server", self.complaints)
        self.run_client("--", sys.executable, "-c", "raise SystemExit(7)", status=1)
        self.assertIn("7", self.complaints)
        self.run_client("echo", "--", status=2)
        self.assertIn("usage: ", self.complaints)
