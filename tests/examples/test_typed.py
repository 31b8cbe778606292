# SPDX-License-Identifier: MIT
"""examples/typed.c: a server against the types of one revision."""

from __future__ import annotations

import unittest

from tests.examples.peer import ELICITATION, Client, ExampleTest, RpcError, built_revisions, example, started

ASKS = "elicitation/create"


class TypedTest(ExampleTest):
    needs = ("typed",)

    def test_it_greets_whom_it_is_told_to(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("typed")) as wire:
                client = Client(wire, revision).open()
                self.assertEqual([tool["name"] for tool in client.call("tools/list")["tools"]], ["greet"])
                self.assertEqual(client.text("greet", {"name": "Zoë"}), "Hello, Zoë!")

    def test_it_asks_the_user_where_the_revision_can(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("typed")) as wire:
                client = Client(wire, revision, ELICITATION)
                client.answers[ASKS] = {"action": "accept", "content": {"name": "Ada"}}
                expected = "Hello, Ada!" if revision >= "2025-06-18" else "Hello, world!"
                self.assertEqual(client.open().text("greet"), expected)

    def test_it_greets_the_world_when_the_user_declines_or_cannot_be_asked(self) -> None:
        for revision in built_revisions():
            for capabilities in ({}, ELICITATION):
                with self.subTest(revision, can=capabilities), started(example("typed")) as wire:
                    client = Client(wire, revision, capabilities)
                    client.answers[ASKS] = {"action": "decline"}
                    self.assertEqual(client.open().text("greet"), "Hello, world!")

    def test_a_name_of_any_length(self) -> None:
        with started(example("typed")) as wire:
            name = "é" * 5000
            client = Client(wire, built_revisions()[-1]).open()
            self.assertEqual(client.text("greet", {"name": name}), f"Hello, {name}!")

    def test_another_tool_is_refused(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("typed")) as wire:
                with self.assertRaises(RpcError) as caught:
                    Client(wire, revision).open().tool("shout")
                self.assertEqual(caught.exception.code, -32602)


if __name__ == "__main__":
    unittest.main()
