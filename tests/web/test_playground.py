# SPDX-License-Identifier: MIT
"""The playground: one file with the module of WebAssembly in it, opened from a disk."""

from __future__ import annotations

import contextlib
import json
import unittest
from pathlib import Path
from typing import Optional

from tests.examples import chromium
from tests.tool.support import ToolTest, request, result
from tests.web.browser import HANDSHAKE, Page, call, log, opened, playground_file, record, text_result

COMPARED = ("entry", "kind", "method", "id", "from", "answers", "revision", "text", "findings")


PLAYGROUND: Optional[Path] = None


def setUpModule() -> None:
    global PLAYGROUND
    PLAYGROUND = playground_file()


class PlaygroundTest(ToolTest):
    def setUp(self) -> None:
        super().setUp()
        if chromium.find() is None:
            self.skipTest("there is no Chromium (Debian: chromium)")
        if PLAYGROUND is None:
            self.skipTest("there is no WASI (Debian: wasi-libc libclang-rt-14-dev-wasm32 lld)")
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.page = stack.enter_context(opened(PLAYGROUND.as_uri()))
        self.page.wait("model.rows.length > 0", True)

    def look(self, text: str) -> Page:
        self.page.value(f"document.getElementById('given').value = {json.dumps(text)}")
        self.page.value("document.getElementById('look').click()")
        return self.page

    def test_a_sample_is_shown_at_first(self) -> None:
        self.assertEqual(self.page.text("#counts"), "5 messages, 1 finding, 1 error")
        self.assertEqual(self.page.text(".found"), "error MCPW_E_TYPE: expected string, got number")
        self.assertEqual(self.page.seen(), [])

    def test_a_message_is_looked_at(self) -> None:
        page = self.look(json.dumps(request(1, "ping"), indent=2))
        self.assertEqual(page.text("#counts"), "1 message, 1 finding, 0 errors")
        self.assertEqual(
            page.value("model.entries[1].findings[0].severity"), "note"
        )  # its session is unknown

    def test_a_recording_is_held_to_the_rules_of_the_tap(self) -> None:
        lines = [*HANDSHAKE[:2], record(30, "client", call(1, "echo", {})), record(40, "server", "Listening")]
        page = self.look(log(lines))
        page.wait("model.entries.length - 1", 4)
        shown = page.value("model.entries.slice(1).map((each) => each.findings.map((one) => one.code))")
        self.assertEqual(shown, [[], [], ["initialized-missing"], ["framing-text"]])

    def test_the_page_has_what_the_command_says(self) -> None:
        lines = [
            *HANDSHAKE,
            record(30, "client", call(1, "echo", {"text": "\u202e<script>"})),
            record(40, "server", text_result(1, 5)),
        ]
        page = self.look(log(lines))
        page.wait("model.entries.length - 1", 5)
        shown = page.value(
            "model.entries.slice(1).map((each) => ({...each, findings: each.findings"
            ".map(({element, ...rest}) => rest)}))"
            f".map((each) => {json.dumps(COMPARED)}.map((name) => each[name] ?? null))"
        )
        html = self.run_tool(
            "tap", "--replay", self.file("log", log(lines)), "--format", "html", "--all-errors"
        ).out
        told = json.loads(html.split('id="report">')[1].split("</script>")[0])
        want = [
            [({"findings": [], **each}).get(name) for name in COMPARED] for each in told if "entry" in each
        ]
        self.assertEqual(shown, want)

    def test_messages_are_shown_in_another_revision(self) -> None:
        page = self.page
        page.value("choose(0)")
        page.value("page.revision.value = '2026-07-28'; page.revision.dispatchEvent(new Event('change'))")
        self.assertIn("In 2026-07-28", page.text("#detail"))
        self.assertIn("This revision has no such message.", page.text("#detail"))
        page.value("page.revision.value = '2025-06-18'; page.revision.dispatchEvent(new Event('change'))")
        self.assertIn("In 2025-06-18", page.text("#detail"))
        self.assertIn("substituted /params/protocolVersion", page.text("#detail"))

    def test_another_text_takes_the_place_of_the_first(self) -> None:
        self.look(json.dumps(request(1, "ping")))
        page = self.look("\n".join(json.dumps(each) for each in (request(2, "ping"), result(2, {}))))
        self.assertEqual(page.text("#counts"), "2 messages, 1 finding, 0 errors")
        self.assertEqual(page.rows(), ["ping 21 note|\u2192|result"])

    def test_nonsense_is_told(self) -> None:
        page = self.look("<img src=x onerror=alert(1)>")
        self.assertEqual(page.text("#counts"), "1 message, 1 finding, 1 error")
        self.assertEqual(page.value("document.images.length"), 0)
        page = self.look("")
        self.assertIn("no messages", page.text("#trouble"))
        self.assertEqual(page.seen(), [])


if __name__ == "__main__":
    unittest.main()
