# SPDX-License-Identifier: MIT
"""examples/questions.c and examples/host.c: a server that asks, and a client that can be asked."""

from __future__ import annotations

import subprocess
import unittest

from tests.examples.peer import MODERN, Client, ExampleTest, Json, built_revisions, example, started

CAPABILITIES: Json = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
ROOT = {"uri": "file:///home/ada"}
SAMPLE = {"role": "assistant", "model": "m", "content": {"type": "text", "text": "A rhyme."}}


class QuestionsTest(ExampleTest):
    needs = ("questions", "host")

    def test_it_asks_in_every_revision(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("questions")) as wire:
                client = Client(wire, revision, CAPABILITIES)
                client.answers["sampling/createMessage"] = SAMPLE
                client.answers["roots/list"] = {"roots": [ROOT]}
                client.open()
                self.assertEqual(client.text("rhyme"), "A rhyme.")
                self.assertIn(ROOT["uri"], client.text("folders"))

    def test_a_form_has_bounds_choices_and_defaults(self) -> None:
        asked: list[Json] = []
        with started(example("questions")) as wire:
            client = Client(wire, built_revisions()[-1], CAPABILITIES)

            def accept(params: Json) -> Json:
                asked.append(params["requestedSchema"]["properties"])
                return {"action": "accept", "content": {"seats": 3}}

            client.answers["elicitation/create"] = accept
            self.assertEqual(client.open().text("book"), '{"seats":3}')
        self.assertEqual(asked[0]["class"]["enum"], ["first", "second"])
        self.assertEqual((asked[0]["seats"]["default"], asked[0]["seats"]["maximum"]), (2, 8))

    def test_a_value_that_breaks_the_form_is_an_error_of_the_tool(self) -> None:
        with started(example("questions")) as wire:
            client = Client(wire, built_revisions()[-1], CAPABILITIES)
            client.answers["elicitation/create"] = {"action": "accept", "content": {"seats": 9}}
            result = client.open().tool("book")
            self.assertTrue(result["isError"])
            self.assertIn("greater than 8", result["content"][0]["text"])

    def test_it_says_that_a_page_is_done_where_the_revision_can(self) -> None:
        for revision in built_revisions():
            if revision >= "2025-11-25":
                with self.subTest(revision), started(example("questions")) as wire:
                    client = Client(wire, revision, CAPABILITIES)
                    client.answers["elicitation/create"] = {"action": "accept"}
                    self.assertEqual(client.open().text("pay"), "The page is open.")
                    told = [each for each in client.seen if each["method"].endswith("elicitation/complete")]
                    self.assertEqual(len(told), 0 if revision >= MODERN else 1)

    def test_lists_that_change_are_reported(self) -> None:
        for revision in built_revisions():
            if revision < MODERN:
                with self.subTest(revision), started(example("questions")) as wire:
                    client = Client(wire, revision).open()
                    client.text("learn")
                    client.call("ping")
                    told = {each["method"] for each in client.seen}
                    self.assertIn("notifications/tools/list_changed", told)
                    self.assertIn("notifications/prompts/list_changed", told)

    def test_the_host_answers_everything_and_hears_everything(self) -> None:
        tools = ["book", "pay", "rhyme", "folders", "count", "learn"]
        run = subprocess.run(
            [example("host"), *tools, "--", example("questions")], capture_output=True, text=True, timeout=60
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        for line in (
            'answer: {"seats":2,"class":"second"}',
            "visit: https://pay.example.com/1",
            "answer: I saw a bee upon a tree.",
            "progress: 3",
            'log: "one more"',
            "the list of tools has changed",
        ):
            self.assertIn(line, run.stdout.splitlines())


if __name__ == "__main__":
    unittest.main()
