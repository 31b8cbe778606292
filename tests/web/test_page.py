# SPDX-License-Identifier: MIT
"""Pages of --format html in a browser: a real recording, a hostile one, a long one; keyboard and colours.

Usage: test_page.py --screenshots FOLDER   makes the pictures of the guide
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import List

from tests.examples import chromium
from tests.tool.support import ToolTest, tool
from tests.web.browser import HANDSHAKE, call, log, opened, playground_file, record, shown, text_result

EXAMPLES = Path(os.environ.get("MCPW_EXAMPLES", ""))
MANY = 100_000
HUGE = 10_000_000  # characters of a string
DEEP = 50
TURN = "\u202e"
TAG = "<script>alert(1)</script>"


def real_log(folder: Path) -> Path:
    """mcpwire call with a server, and a tap between the two. The tool of the first call asks for input."""
    path = folder / "session.ndjson"
    server = EXAMPLES / "example_questions"
    if not server.exists():
        raise unittest.SkipTest("the example questions is not built")
    for name in ("book", "count"):
        tap = [tool(), "tap", "--record", str(path), "--append", "--output", "/dev/null", "--", str(server)]
        subprocess.run(
            [tool(), "call", "--log", "--tool", name, "--", *tap],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=True,
        )
    return path


class PageTest(ToolTest):
    def setUp(self) -> None:
        super().setUp()
        if chromium.find() is None:
            self.skipTest("there is no Chromium (Debian: chromium)")

    def page_of(self, lines: List[str], *options: str) -> str:
        """The page of a recording."""
        name = self.file("log.ndjson", log(lines))
        return self.run_tool("tap", "--replay", name, "--format", "html", *options).out


class RealTest(PageTest):
    def page(self, *options: str) -> str:
        return self.run_tool("tap", "--replay", str(real_log(self.folder)), "--format", "html", *options).out

    def test_requests_stand_beside_their_answers(self) -> None:
        with shown(self.page()) as page:
            self.assertEqual(
                page.rows()[:2], ["server/discover 1|\u2192|result", "tools/list 2|\u2192|result"]
            )
            self.assertEqual(page.text("#counts"), "20 messages, 0 findings, 0 errors")
            self.assertEqual(page.seen(), [])

    def test_a_round_of_input_leads_to_the_next(self) -> None:
        with shown(self.page()) as page:
            self.assertEqual(page.rows()[2], "tools/call book 3|\u2192|resultasks, round 1")
            self.assertEqual(page.rows()[3], "tools/call book 4round 2|\u2192|result")
            page.press("Home", "ArrowDown", "ArrowDown")
            page.value(
                "[...document.querySelectorAll('.links button')]"
                ".find((each) => each.textContent.includes('#7')).click()"
            )
            self.assertEqual(page.chosen(), 3)

    def test_a_stream_belongs_to_its_request(self) -> None:
        with shown(self.page()) as page:
            self.assertIn("|\u2190|notifications/progressin #13", page.rows())

    def test_the_other_revision_stands_below_the_message(self) -> None:
        path = real_log(self.folder)
        html = self.run_tool("convert", "--to", "2025-06-18", "--format", "html", str(path)).out
        with shown(html) as page:
            page.press("Home", "ArrowDown")
            detail = page.text("#detail")
            self.assertIn("In 2025-06-18", detail)
            self.assertIn("dropped /params/_meta", detail)


class HostileTest(PageTest):
    def hostile(self) -> List[str]:
        deep: object = TAG
        for _ in range(DEEP):
            deep = {"</script>": [deep]}
        return [
            *HANDSHAKE,
            record(30, "client", call(f"{TAG}{TURN}", TAG, {"deep": deep, "__proto__": {"toString": 1}})),
            record(40, "server", text_result(f"{TAG}{TURN}", f"</script>{TAG}<!--{TURN}abc\u2028")),
            record(50, "client", call(7, "big", {"text": "x" * HUGE})),
            record(60, "server", text_result(7, 5)),
            record(70, "server", f"</script><img src=x onerror=alert(1)>{TURN}"),
        ]

    def test_nothing_of_a_peer_runs(self) -> None:
        with shown(self.page_of(self.hostile())) as page:
            for _ in range(6):
                page.press("ArrowDown")
            page.press("Home")
            for _ in range(6):
                page.press("ArrowDown")
                self.assertEqual(
                    page.value("document.querySelectorAll('#detail img, #detail script').length"), 0
                )
            self.assertEqual(page.value("document.scripts.length"), 2)
            self.assertEqual(page.seen(), [])

    def test_the_direction_of_writing_does_not_turn(self) -> None:
        with shown(self.page_of(self.hostile())) as page:
            page.press("Home", "ArrowDown", "ArrowDown")
            self.assertIn("U+202E", page.text("#detail"))
            self.assertIn("U+2028", page.text("#detail"))
            self.assertEqual(page.value(f"document.body.innerText.includes({TURN!r})"), False)

    def test_a_long_string_is_shown_in_part(self) -> None:
        with shown(self.page_of(self.hostile())) as page:
            page.press("Home", "ArrowDown", "ArrowDown", "ArrowDown")
            more = (
                "[...document.querySelectorAll('#detail button')]"
                ".find((each) => /more characters/.test(each.textContent))"
            )
            self.assertEqual(page.value(more + ".textContent"), "9,998,000 more characters")
            page.value(more + ".click()")
            self.assertEqual(page.value(more + ".textContent"), "9,948,000 more characters")

    def test_deep_values_open_level_by_level(self) -> None:
        with shown(self.page_of(self.hostile())) as page:
            page.press("Home", "ArrowDown", "ArrowDown")
            closed = "#detail article .open[aria-expanded=false]"
            for _ in range(2 * DEEP + 2):
                page.value(
                    f"document.querySelector('{closed}') && document.querySelector('{closed}').click()"
                )
            self.assertEqual(page.value(f"document.querySelector('{closed}')"), None)
            self.assertIn(f'"{TAG}"', page.text("#detail article"))

    def test_a_finding_stands_at_its_place(self) -> None:
        with shown(self.page_of(self.hostile())) as page:
            self.assertEqual(page.text(".found"), "error schema: expected string, got number")
            before = page.value("document.querySelector('.found').previousElementSibling.textContent")
            self.assertEqual(before, "text: 5")


class LongTest(PageTest):
    def long(self) -> str:
        lines = list(HANDSHAKE)
        for i in range((MANY - len(lines)) // 2):
            lines.append(record(30 + i, "client", call(i, "echo", {"number": i})))
            lines.append(record(30 + i, "server", text_result(i, f"answer {i}" if i != 40000 else 5)))
        return self.page_of(lines)

    def test_a_hundred_thousand_messages_do_not_slow_it(self) -> None:
        with shown(self.long()) as page:
            self.assertLess(page.value("document.querySelectorAll('.row').length"), 100)
            page.press("End")
            chosen = "document.querySelector('.row[aria-selected=true]')"
            page.wait(f"{chosen}.textContent.includes('tools/call echo 49997')", True)
            page.press("Home", "f")
            page.wait("document.querySelector('.row[aria-selected=true] .mark').textContent", "1 error")
            self.assertLess(page.value("document.querySelectorAll('body *').length"), 1000)
            page.press("/")
            page.write("answer 31234")
            page.press("Enter")
            page.wait("document.querySelectorAll('.row').length", 1)
            self.assertEqual(len(page.rows()), 1)


class KeyboardTest(PageTest):
    def lines(self) -> List[str]:
        return [
            *HANDSHAKE,
            record(30, "client", call(1, "echo", {"text": "needle"})),
            record(40, "server", text_result(1, 5)),
            record(50, "client", call(2, "echo", {"text": "hay"})),
            record(60, "server", text_result(2, "hay")),
        ]

    def test_the_keyboard_alone_is_enough(self) -> None:
        with shown(self.page_of(self.lines())) as page:
            page.press("Home")
            self.assertEqual(page.chosen(), 0)
            page.press("ArrowDown", "ArrowDown")
            self.assertEqual(page.chosen(), 2)
            page.press("Enter")
            self.assertEqual(page.value("document.activeElement.id"), "detail")
            for _ in range(20):
                page.press("Tab")
                if page.value("document.activeElement.textContent.startsWith('error schema')"):
                    break
            page.press("Enter")  # the button of the finding
            self.assertEqual(page.value("document.activeElement.className"), "found error")
            page.press("Escape")
            self.assertEqual(page.value("document.activeElement.id"), "list")
            page.press("End")
            self.assertEqual(page.chosen(), 3)
            page.press("f")
            self.assertEqual(page.chosen(), 2)

    def test_a_search_filters_and_is_left_by_escape(self) -> None:
        with shown(self.page_of(self.lines())) as page:
            page.press("/")
            page.write("NEEDLE")
            page.press("Enter")
            page.wait("document.querySelectorAll('.row').length", 1)
            self.assertIn("3 rows hidden", page.text("#counts"))
            page.press("/", "Escape")
            page.wait("document.querySelectorAll('.row').length", 4)

    def test_the_chosen_row_is_told_to_readers_of_the_screen(self) -> None:
        with shown(self.page_of(self.lines())) as page:
            page.press("Home", "ArrowDown")
            page.wait("document.getElementById('list').getAttribute('aria-activedescendant')", "row-1")
            self.assertEqual(page.value("document.getElementById('row-1').getAttribute('aria-setsize')"), "4")


CONTRAST = """
(() => {
  const light = (colour) => {
    const parts = colour.match(/[0-9.]+/g).slice(0, 3).map((each) => each / 255)
      .map((each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/, 0\\)$/.test(colour)) { return colour; }
    }
    return 'rgb(255, 255, 255)';
  };
  let least = 21;
  for (const node of document.querySelectorAll('body *')) {
    const says = [...node.childNodes].some((each) => each.nodeType === 3 && each.textContent.trim());
    if (says && node.offsetParent) {
      const pair = [light(getComputedStyle(node).color), light(ground(node))].sort((a, b) => b - a);
      least = Math.min(least, (pair[0] + 0.05) / (pair[1] + 0.05));
    }
  }
  return least;
})()
"""


class ColourTest(PageTest):
    def test_text_is_readable_in_light_and_dark(self) -> None:
        lines = [*HANDSHAKE, record(30, "client", call(1, f"echo{TURN}", {"n": 1, "t": True, "s": "x"}))]
        with shown(self.page_of([*lines, record(40, "server", text_result(1, 5))])) as page:
            grounds = []
            for scheme in ("light", "dark"):
                page.media(prefers_color_scheme=scheme)
                self.assertGreaterEqual(page.value(CONTRAST), 4.5, scheme)
                grounds.append(page.value("getComputedStyle(document.body).backgroundColor"))
            self.assertNotEqual(grounds[0], grounds[1])


def take_pictures(folder: Path) -> None:
    """The pictures of docs/guide/: a session with an error in it, light and dark."""
    with tempfile.TemporaryDirectory() as made:
        path = real_log(Path(made))
        lines = [
            record(100, "client", call(1, "weather", {"city": "Oslo"})),
            record(180, "server", text_result(1, 5)),
        ]
        path.write_text(path.read_text() + log([*HANDSHAKE, *lines]))
        html = subprocess.run(
            [tool(), "tap", "--replay", str(path), "--format", "html"], capture_output=True, check=True
        ).stdout
        (Path(made) / "page.html").write_bytes(html)
        with opened((Path(made) / "page.html").as_uri()) as page:
            for scheme in ("light", "dark"):
                page.media(prefers_color_scheme=scheme)
                page.picture(folder / f"look-{scheme}.png")
    playground = playground_file()
    if playground is not None:
        with opened(playground.as_uri()) as page:
            page.wait("model.rows.length > 0", True)
            page.value("page.revision.value = '2026-07-28'; page.revision.dispatchEvent(new Event('change'))")
            page.picture(folder / "playground.png")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--screenshots"]:
        take_pictures(Path(sys.argv[2]))
    else:
        unittest.main()
