# SPDX-License-Identifier: MIT
"""examples/tide.c: a tool whose schemas are made of structs."""

from __future__ import annotations

import unittest
from typing import Any, Dict, Iterator, Tuple

from tests.examples.peer import Client, ExampleTest, RpcError, built_revisions, example, started

DAYS = {"type": "integer", "minimum": 1, "maximum": 3, "description": "How many days; 1 if not said"}
INPUT: Dict[str, Any] = {
    "type": "object",
    "properties": {"harbour": {"type": "string", "description": "The harbour"}, "days": DAYS},
    "required": ["harbour"],
}


class TideTest(ExampleTest):
    needs = ("tide",)

    def each(self) -> Iterator[Tuple[str, Client]]:
        """A client of every revision."""
        for revision in built_revisions():
            with self.subTest(revision=revision), started(example("tide")) as wire:
                yield revision, Client(wire, revision).open()

    def test_its_schemas_say_what_the_structs_are(self) -> None:
        for revision, client in self.each():
            (listed,) = client.call("tools/list")["tools"]
            self.assertEqual(listed["inputSchema"], INPUT)
            if revision >= "2025-06-18":
                self.assertEqual(listed["outputSchema"]["required"], ["harbour", "heights"])

    def test_structs_come_and_go(self) -> None:
        for revision, client in self.each():
            result = client.tool("tide", {"harbour": "Wyk", "days": 2})
            if revision >= "2025-06-18":
                self.assertEqual(result["structuredContent"], {"harbour": "Wyk", "heights": [2.9, 3.1]})

    def test_wrong_arguments_never_come(self) -> None:
        for revision, client in self.each():
            if revision < "2025-11-25":
                with self.assertRaises(RpcError):
                    client.tool("tide", {"harbour": "Wyk", "days": 4})
            else:
                result = client.tool("tide", {"harbour": "Wyk", "days": 4})
                self.assertTrue(result["isError"])
                self.assertIn("/days", result["content"][0]["text"])


if __name__ == "__main__":
    unittest.main()
