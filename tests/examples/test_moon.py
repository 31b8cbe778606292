# SPDX-License-Identifier: MIT
"""examples/moon.c: a server whose tool has a page, as hosts with pages and others see it."""

from __future__ import annotations

import unittest
from pathlib import Path
from typing import Any, Dict

from tests.examples.peer import MODERN, ROOT, Client, ExampleTest, built_revisions, example, started, text_of

URI = "ui://moon/page"
TYPE = "text/html;profile=mcp-app"
SHOWS_PAGES = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": [TYPE]}}}
WITH_META = "2025-06-18"  # the first revision in which tools have _meta
# Eclipses of the almanac: the sun's are at new moon, the moon's at full moon.
NEW_MOONS = ("1999-08-11", "2017-08-21", "2024-04-08", "2026-08-12")
FULL_MOONS = ("2018-07-27", "2022-11-08", "2025-03-14", "2026-03-03")


class MoonTest(ExampleTest):
    needs = ("moon",)

    def test_a_tool_names_its_page(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("moon")) as wire:
                tools = {
                    tool["name"]: tool for tool in Client(wire, revision).open().call("tools/list")["tools"]
                }
                self.assertEqual(set(tools), {"show_moon", "moon_on"})
                if revision >= WITH_META:
                    self.assertEqual(tools["show_moon"]["_meta"]["ui"], {"resourceUri": URI})
                    want = {"resourceUri": URI, "visibility": ["app"]}
                    self.assertEqual(tools["moon_on"]["_meta"]["ui"], want)

    def test_the_page_is_the_file(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("moon")) as wire:
                (content,) = Client(wire, revision).open().call("resources/read", {"uri": URI})["contents"]
                self.assertEqual((content["uri"], content["mimeType"]), (URI, TYPE))
                self.assertEqual(content["text"], (ROOT / "examples/moon/page.html").read_text("utf-8"))
                if revision >= WITH_META:
                    self.assertEqual(content["_meta"], {"ui": {"prefersBorder": True}})

    def result(self, date: str, capabilities: Dict[str, Any]) -> Dict[str, Any]:
        with started(example("moon")) as wire:
            client = Client(wire, built_revisions()[-1], capabilities).open()
            return client.tool("show_moon", {"date": date})

    def test_a_host_without_pages_gets_the_whole_text(self) -> None:
        self.assertRegex(
            text_of(self.result("2026-07-28", {})), r"2026-07-28: Full moon, \d+ % lit, [\d.]+ days old"
        )

    def test_a_host_with_pages_gets_data_for_the_page(self) -> None:
        if MODERN not in built_revisions():
            self.skipTest(f"it is built without {MODERN}")
        result = self.result("2026-07-28", SHOWS_PAGES)
        self.assertEqual(text_of(result), "The page shows the moon: Full moon.")
        self.assertEqual(set(result["structuredContent"]), {"date", "phase", "age", "lit"})

    def test_workers_answer_as_well(self) -> None:
        if MODERN not in built_revisions():
            self.skipTest(f"it is built without {MODERN}")
        with started(example("moon"), "--workers", "2") as wire:
            client = Client(wire, MODERN, SHOWS_PAGES).open()
            self.assertEqual(
                client.text("show_moon", {"date": "2026-08-12"}), "The page shows the moon: New moon."
            )
            (content,) = client.call("resources/read", {"uri": URI})["contents"]
            self.assertEqual((content["mimeType"], content["_meta"]), (TYPE, {"ui": {"prefersBorder": True}}))

    def test_eclipses_are_at_new_and_full_moon(self) -> None:
        for date in NEW_MOONS:
            self.assertEqual(self.result(date, {})["structuredContent"]["phase"], "New moon", date)
        for date in FULL_MOONS:
            self.assertEqual(self.result(date, {})["structuredContent"]["phase"], "Full moon", date)

    def test_what_is_no_day_is_a_fault_of_the_call(self) -> None:
        for date in ("2026-13-01", "yesterday", "2026-07-280", ""):
            self.assertTrue(self.result(date, {})["isError"], date)

    def test_the_example_is_short(self) -> None:
        source = Path(ROOT, "examples/moon.c").read_text("utf-8")
        self.assertLess(len(source.splitlines()), 200)


if __name__ == "__main__":
    unittest.main()
