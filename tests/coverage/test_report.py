# SPDX-License-Identifier: MIT
"""The report of coverage, on figures that are made up."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Optional

REPORT = Path(__file__).with_name("report.py")

SOURCE = """\
static int half(int n) {
    if (n < 0) {
        return -1;
    }
    return n / 2;
}

static int whole(int n) {
    return n;
}
"""


def line(number: int, count: int, *branches: int) -> dict[str, Any]:
    return {
        "line_number": number,
        "count": count,
        "branches": [{"count": taken, "fallthrough": False, "throw": False} for taken in branches],
    }


COVERED = [line(1, 1), line(2, 1, 1, 1), line(3, 1), line(5, 1), line(8, 1), line(9, 1)]
UNCOVERED = [line(1, 1), line(2, 1, 0, 1), line(3, 0), line(5, 1), line(8, 0), line(9, 0)]


class Report(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "part.c").write_text(SOURCE, encoding="utf-8")

    def report(
        self, lines: list[dict[str, Any]], reasons: Optional[list[dict[str, Any]]] = None, *more: str
    ) -> tuple[int, str]:
        data = self.folder / "coverage.json"
        why = self.folder / "why.json"
        data.write_text(json.dumps({"files": [{"file": "part.c", "lines": lines}]}), encoding="utf-8")
        why.write_text(json.dumps(reasons or []), encoding="utf-8")
        command = [sys.executable, str(REPORT), str(data), "--reasons", str(why), "--root", str(self.folder)]
        done = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def test_everything_covered_passes(self) -> None:
        code, out = self.report(COVERED, None, "--minimum-lines", "100", "--minimum-branches", "100")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"part\.c +6/6 +100\.0 +2/2 +100\.0")

    def test_less_than_the_minimum_fails_and_is_named(self) -> None:
        anything = [{"file": "*", "why": "made up"}]
        code, out = self.report(UNCOVERED, anything, "--minimum-lines", "95", "--minimum-branches", "90")
        self.assertEqual(code, 1)
        self.assertIn("coverage: 50.0 % of lines is less than 95 %", out)
        self.assertIn("coverage: 50.0 % of branches is less than 90 %", out)

    def test_enough_for_the_minimum_passes(self) -> None:
        anything = [{"file": "*", "why": "made up"}]
        code, out = self.report(UNCOVERED, anything, "--minimum-lines", "50", "--minimum-branches", "50")
        self.assertEqual(code, 0, out)

    def test_a_line_without_a_reason_is_named_and_fails(self) -> None:
        code, out = self.report(UNCOVERED)
        self.assertEqual(code, 1)
        self.assertIn("part.c:3: line in half: return -1;  (no reason given)", out)
        self.assertIn("part.c:2: branch in half: if (n < 0) {  (no reason given)", out)
        self.assertIn("3 lines that no test reached have no reason in why.json", out)

    def test_a_branch_without_a_reason_is_named_only(self) -> None:
        code, out = self.report([line(2, 1, 0, 1)])
        self.assertEqual(code, 0)
        self.assertIn("part.c:2: branch in half: if (n < 0) {  (no reason given)", out)

    def test_reasons_speak_of_functions_and_of_patterns(self) -> None:
        reasons: list[dict[str, Any]] = [
            {"file": "part.c", "functions": ["whole"], "why": "nobody calls it"},
            {"file": "*", "pattern": r"return -1|n < 0", "why": "never negative"},
        ]
        code, out = self.report(UNCOVERED, reasons)
        self.assertEqual(code, 0, out)
        self.assertNotIn("no reason given", out)
        self.assertRegex(out, r"(?s)nobody calls it:.*part\.c:8.*part\.c:9.*never negative:.*part\.c:3")

    def test_a_reason_for_branches_leaves_lines_without_one(self) -> None:
        code, out = self.report(UNCOVERED, [{"file": "*", "branches": True, "why": "made up"}])
        self.assertEqual(code, 1)
        self.assertIn("part.c:3: line in half", out)
        self.assertNotIn("part.c:2: branch in half: if (n < 0) {  (no reason given)", out)

    def test_a_reason_of_another_file_does_not_count(self) -> None:
        code, out = self.report(UNCOVERED, [{"file": "other.c", "why": "made up"}])
        self.assertEqual(code, 1)
        self.assertNotIn("made up", out)


if __name__ == "__main__":
    unittest.main()
