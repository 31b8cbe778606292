# SPDX-License-Identifier: MIT
"""examples/echo.c: the shortest server."""

from __future__ import annotations

import unittest
from pathlib import Path

from tests.examples.peer import Client, ExampleTest, RpcError, built_revisions, example, started, text_of

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
                client = Client(wire, revision).open()
                if revision < "2025-11-25":
                    with self.assertRaisesRegex(RpcError, "-32602.*/arguments/message: expected string"):
                        client.tool("echo", {"message": 5})
                else:
                    result = client.tool("echo", {"message": 5})
                    self.assertIs(result["isError"], True)
                    self.assertIn("/arguments/message: expected string", text_of(result))

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
