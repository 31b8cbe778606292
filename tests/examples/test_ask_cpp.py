# SPDX-License-Identifier: MIT
"""examples/ask.cpp: tools that ask the user and the client's model."""

from __future__ import annotations

import unittest

from tests.examples.peer import Client, ExampleTest, RpcError, built_revisions, example, started

CAN = {"elicitation": {"form": {}}, "sampling": {}}


class AskCppTest(ExampleTest):
    needs = ("ask_cpp",)

    def test_it_asks_the_user_by_a_form(self) -> None:
        for revision in built_revisions():
            if revision < "2025-06-18":
                continue
            with self.subTest(revision), started(example("ask_cpp")) as wire:
                client = Client(wire, revision, CAN).open()
                client.answers["elicitation/create"] = {
                    "action": "accept",
                    "content": {"size": 6, "gift": True},
                }
                self.assertEqual(client.text("order"), "6 eggs in gift wrap")
                client.answers["elicitation/create"] = {"action": "decline"}
                self.assertEqual(client.text("order"), "nothing was ordered")

    def test_it_asks_the_model(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("ask_cpp")) as wire:
                client = Client(wire, revision, CAN).open()
                block = {"type": "text", "text": "Eggbert"}
                client.answers["sampling/createMessage"] = {
                    "role": "assistant",
                    "model": "m",
                    "content": block,
                }
                self.assertEqual(client.text("name", {"thing": "an egg"}), "Eggbert")

    def test_a_client_that_cannot_be_asked_is_told_why(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("ask_cpp")) as wire, self.assertRaises(RpcError):
                Client(wire, revision).open().tool("order")


if __name__ == "__main__":
    unittest.main()
