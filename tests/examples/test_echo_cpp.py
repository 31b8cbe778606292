# SPDX-License-Identifier: MIT
"""examples/echo.cpp: the shortest server, in C++."""

from __future__ import annotations

import unittest
from pathlib import Path

from tests.examples.peer import Client, ExampleTest, RpcError, built_revisions, example, started

SOURCE = Path(__file__).resolve().parents[2] / "examples" / "echo.cpp"


class EchoCppTest(ExampleTest):
    needs = ("echo_cpp",)

    def test_it_is_a_server_in_under_40_lines(self) -> None:
        self.assertLess(len(SOURCE.read_text("utf-8").splitlines()), 40)

    def test_it_says_what_it_is_told(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("echo_cpp")) as wire:
                client = Client(wire, revision).open()
                self.assertEqual([tool["name"] for tool in client.call("tools/list")["tools"]], ["echo"])
                self.assertEqual(client.text("echo", {"message": 'Grüße "\n"'}), 'Grüße "\n"')

    def test_without_a_message_the_tool_fails(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("echo_cpp")) as wire:
                client = Client(wire, revision).open()
                if revision < "2025-11-25":
                    with self.assertRaisesRegex(RpcError, "-32602.*/arguments/message: expected string"):
                        client.tool("echo", {"message": 5})
                else:
                    self.assertIs(client.tool("echo", {"message": 5})["isError"], True)


if __name__ == "__main__":
    unittest.main()
