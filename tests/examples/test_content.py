# SPDX-License-Identifier: MIT
"""examples/content.c: every kind of content, in results of tools and in prompts."""

from __future__ import annotations

import unittest

from tests.examples.peer import Client, ExampleTest, built_revisions, example, started

KINDS = {"text": "text", "image": "image", "audio": "audio", "embedded": "resource", "link": "resource_link"}
SINCE = {"audio": "2025-03-26", "link": "2025-06-18"}


class ContentTest(ExampleTest):
    needs = ("content",)

    def test_each_tool_answers_with_its_kind_of_content(self) -> None:
        for revision in built_revisions():
            for tool, kind in KINDS.items():
                if revision >= SINCE.get(tool, ""):
                    with self.subTest(revision, tool=tool), started(example("content")) as wire:
                        [block] = Client(wire, revision).open().tool(tool)["content"]
                        self.assertEqual(block["type"], kind)

    def test_a_tool_that_failed_tells_the_model_how_it_can_succeed(self) -> None:
        with started(example("content")) as wire:
            result = Client(wire, built_revisions()[-1]).open().tool("scan")
            self.assertTrue(result["isError"])
            self.assertIn("Switch it on", result["content"][0]["text"])

    def test_the_list_of_tools_has_two_pages(self) -> None:
        with started(example("content")) as wire:
            client = Client(wire, built_revisions()[-1]).open()
            first = client.call("tools/list")
            second = client.call("tools/list", {"cursor": first["nextCursor"]})
            names = [tool["name"] for page in (first, second) for tool in page["tools"]]
            self.assertEqual(names, [*KINDS, "scan"])
            self.assertNotIn("nextCursor", second)

    def test_prompts_hold_images_and_resources(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("content")) as wire:
                client = Client(wire, revision).open()
                for name, kind in (("image", "image"), ("notes", "resource")):
                    messages = client.call("prompts/get", {"name": name})["messages"]
                    self.assertEqual([each["content"]["type"] for each in messages], [kind, "text"])

    def test_the_argument_of_a_prompt_is_completed(self) -> None:
        with started(example("content")) as wire:
            client = Client(wire, built_revisions()[-1]).open()
            reference = {"type": "ref/prompt", "name": "translate"}
            params = {"ref": reference, "argument": {"name": "language", "value": "D"}}
            self.assertEqual(
                client.call("completion/complete", params)["completion"]["values"], ["Danish", "Dutch"]
            )


if __name__ == "__main__":
    unittest.main()
