"""The files that are shipped beside the command: sample messages and man pages."""

import json
import shutil
import subprocess
import unittest
from typing import Any, Dict, List

from tests.tool.support import ROOT, TIMEOUT, ToolTest

_ROWS = json.loads((ROOT / "schema/revisions.json").read_text())["revisions"]
REVISIONS = [row["revision"] for row in _ROWS if row["status"] == "released"]
MESSAGES = ROOT / "examples" / "messages"
MAN_PAGES = ("mcpwire.1", "mcpwire-validate.1")


def messages_of(revision: str) -> List[Dict[str, Any]]:
    values = [json.loads(line) for line in (MESSAGES / f"{revision}.ndjson").read_text().splitlines()]
    return [m for v in values for m in (v if isinstance(v, list) else [v])]


class SampleMessages(ToolTest):
    def test_they_are_valid_without_a_note(self) -> None:
        for revision in REVISIONS:
            with self.subTest(revision=revision):
                path = str(MESSAGES / f"{revision}.ndjson")
                done = self.validate("--revision", revision, "--ndjson", "--strict", path)
                self.assertRegex(done.out, r"\A(1[5-9]|2\d|30) values valid\n\Z")
                self.assertEqual(done.code, 0)

    def test_every_kind_of_message_is_there(self) -> None:
        for revision in REVISIONS:
            with self.subTest(revision=revision):
                messages = messages_of(revision)
                self.assertTrue(any("method" in m and "id" in m for m in messages))
                self.assertTrue(any("method" in m and "id" not in m for m in messages))
                self.assertTrue(any("result" in m for m in messages))
                self.assertTrue(any("error" in m for m in messages))

    def test_batches_are_in_the_one_revision_that_has_them(self) -> None:
        for revision in REVISIONS:
            text = (MESSAGES / f"{revision}.ndjson").read_text()
            self.assertEqual("\n[" in text, revision == "2025-03-26")

    def test_broken_messages_show_errors_with_pointers(self) -> None:
        done = self.validate("--ndjson", str(MESSAGES / "broken.ndjson"))
        self.assertIn(":1: /params/arguments: expected object, got array\n", done.out)
        self.assertIn(":2: /result/content/0/text: expected string, got number\n", done.out)
        self.assertTrue(done.out.endswith("8 of 9 values invalid\n"))
        self.assertEqual(done.code, 1)


class ManPages(ToolTest):
    def test_they_have_no_warnings(self) -> None:
        if shutil.which("man") is None:
            self.skipTest("man is not installed")
        for name in MAN_PAGES:
            with self.subTest(name=name):
                done = subprocess.run(
                    ["man", "--warnings", "-E", "UTF-8", "-l", str(ROOT / "tools" / "man" / name)],
                    capture_output=True,
                    timeout=TIMEOUT,
                    check=False,
                )
                self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_every_option_is_explained(self) -> None:
        page = (ROOT / "tools" / "man" / "mcpwire-validate.1").read_text()
        shown = self.validate("--help").out
        options = [line.split()[0] for line in shown.splitlines() if line.startswith("  --")]
        self.assertGreater(len(options), 9)
        for option in options:
            self.assertIn(f".It Fl \\-{option[2:]}", page)


if __name__ == "__main__":
    unittest.main()
