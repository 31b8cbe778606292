# SPDX-License-Identifier: MIT
"""examples/echo.c: the shortest server."""

from __future__ import annotations

import unittest
from pathlib import Path

from tests.examples.peer import Client, ExampleTest, built_revisions, example, started

SOURCE = Path(__file__).resolve().parents[2] / "examples" / "echo.c"


class EchoTest(ExampleTest):
    needs = ("echo",)

    def test_it_is_a_server_in_under_60_lines(self) -> None:
        self.assertLess(len(SOURCE.read_text("utf-8").splitlines()), 60)

    def test_it_says_what_it_is_told(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("echo")) as wire:
                client = Client(wire, revision).open()
                self.assertEqual([tool["name"] for tool in client.call("tools/list")["tools"]], ["echo"])
                self.assertEqual(client.text("echo", {"message": 'Grüße "\n"'}), 'Grüße "\n"')

    def test_without_a_message_the_tool_fails(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("echo")) as wire:
                result = Client(wire, revision).open().tool("echo", {"message": 5})
                self.assertIs(result["isError"], True)

    def test_a_broken_line_is_answered_and_the_next_one_served(self) -> None:
        with started(example("echo")) as wire:
            client = Client(wire, built_revisions()[-1]).open()
            wire.send_bytes(b"{\n")
            answer = wire.receive()
            assert answer is not None
            self.assertEqual(answer["error"]["code"], -32700)
            self.assertEqual(client.text("echo", {"message": "still here"}), "still here")


if __name__ == "__main__":
    unittest.main()
