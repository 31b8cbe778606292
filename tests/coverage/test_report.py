# SPDX-License-Identifier: MIT
"""The report of coverage, on figures that are made up."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

REPORT = Path(__file__).with_name("report.py")

SOURCE = """\
static int half(int n) {
    if (n < 0) {
        return -1;
    }
    return n / 2;
}

static int whole(int n) {
    n++;
    return n;
}
"""
ALL_SAY_WHY = SOURCE.replace("< 0) {", "< 0) { /* uncovered: never negative */").replace(
    "static int whole", "/* uncovered: nobody calls it */\nstatic int whole"
)


def line(number: int, count: int, *branches: int) -> dict[str, Any]:
    return {
        "line_number": number,
        "count": count,
        "branches": [{"count": taken, "fallthrough": False, "throw": False} for taken in branches],
    }


COVERED = [line(1, 1), line(2, 1, 1, 1), line(3, 1), line(5, 1), line(8, 1), line(9, 1), line(10, 1)]
UNCOVERED = [line(1, 1), line(2, 1, 0, 1), line(3, 0), line(5, 1), line(8, 0), line(9, 0), line(10, 0)]
BELOW_MARK = [{**one, "line_number": one["line_number"] + (one["line_number"] >= 8)} for one in UNCOVERED]


class Report(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def report(self, lines: list[dict[str, Any]], source: str = SOURCE, *more: str) -> tuple[int, str]:
        (self.folder / "part.c").write_text(source, encoding="utf-8")
        data = self.folder / "coverage.json"
        data.write_text(json.dumps({"files": [{"file": "part.c", "lines": lines}]}), encoding="utf-8")
        command = [sys.executable, str(REPORT), str(data), "--root", str(self.folder)]
        done = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def test_everything_covered_passes(self) -> None:
        code, out = self.report(COVERED, SOURCE, "--minimum-lines", "100", "--minimum-branches", "100")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"part\.c +7/7 +100\.0 +2/2 +100\.0")

    def test_less_than_the_minimum_fails_and_is_named(self) -> None:
        code, out = self.report(BELOW_MARK, ALL_SAY_WHY, "--minimum-lines", "95", "--minimum-branches", "90")
        self.assertEqual(code, 1)
        self.assertIn("coverage: 42.9 % of lines is less than 95 %", out)
        self.assertIn("coverage: 50.0 % of branches is less than 90 %", out)

    def test_enough_for_the_minimum_passes(self) -> None:
        code, out = self.report(BELOW_MARK, ALL_SAY_WHY, "--minimum-lines", "40", "--minimum-branches", "50")
        self.assertEqual(code, 0, out)

    def test_a_line_without_a_reason_is_named_and_fails(self) -> None:
        code, out = self.report(UNCOVERED)
        self.assertEqual(code, 1)
        self.assertIn("part.c:3: line in half: return -1;  (no reason given)", out)
        self.assertIn("4 lines that no test reached have no reason beside them", out)

    def test_a_branch_needs_no_reason_and_is_named_where_wanted(self) -> None:
        lines = [line(2, 1, 0, 1)]
        self.assertEqual(self.report(lines)[0], 0)
        self.assertNotIn("part.c:2", self.report(lines)[1])
        self.assertIn("part.c:2: branch in half: if (n < 0) {", self.report(lines, SOURCE, "--branches")[1])

    def test_reasons_speak_of_the_run_of_lines_that_they_stand_at(self) -> None:
        code, out = self.report(BELOW_MARK, ALL_SAY_WHY)
        self.assertEqual(code, 0, out)
        self.assertRegex(
            out,
            r"(?s)never negative:\n    part\.c:3.*nobody calls it:\n    part\.c:9.*part\.c:10.*part\.c:11",
        )

    def test_a_reason_ends_where_a_line_was_reached(self) -> None:
        source = SOURCE.replace("< 0) {", "< 0) { /* uncovered: never negative */")
        code, out = self.report(UNCOVERED, source)
        self.assertEqual(code, 1)
        self.assertIn("3 lines that no test reached", out)

    def test_a_reason_ends_where_another_begins(self) -> None:
        lines = [line(2, 1), line(3, 0), line(5, 0)]
        source = SOURCE.replace("< 0) {", "< 0) { /* uncovered: one */").replace(
            "n / 2;", "n / 2; /* uncovered: other */"
        )
        code, out = self.report(lines, source)
        self.assertEqual(code, 0)
        self.assertRegex(out, r"(?s)one:\n    part\.c:3: [^\n]*\n  other:\n    part\.c:5")

    def test_a_reason_at_a_line_that_was_reached_fails(self) -> None:
        source = SOURCE.replace("return -1;", "return -1; /* uncovered: never negative */")
        code, out = self.report(COVERED, source)
        self.assertEqual(code, 1)
        self.assertIn("part.c:3: says why it is not covered (never negative), and it is", out)


if __name__ == "__main__":
    unittest.main()
