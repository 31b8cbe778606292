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

from tests.coverage import reasons

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
ALL_SAY_WHY = """\
# a comment
never negative
    if (n < 0)
nobody calls it
    static int whole
"""


def line(number: int, count: int, *branches: int) -> dict[str, Any]:
    return {
        "line_number": number,
        "count": count,
        "branches": [{"count": taken, "fallthrough": False, "throw": False} for taken in branches],
    }


COVERED = [line(1, 1), line(2, 1, 1, 1), line(3, 1), line(5, 1), line(8, 1), line(9, 1), line(10, 1)]
UNCOVERED = [line(1, 1), line(2, 1, 0, 1), line(3, 0), line(5, 1), line(8, 0), line(9, 0), line(10, 0)]


class Report(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def report(
        self, lines: list[dict[str, Any]], whys: str = "", *more: str, source: str = SOURCE
    ) -> tuple[int, str]:
        (self.folder / "runtime").mkdir(exist_ok=True)
        (self.folder / "runtime/part.c").write_text(source, encoding="utf-8")
        (self.folder / "reasons.txt").write_text(whys, encoding="utf-8")
        data = self.folder / "coverage.json"
        data.write_text(json.dumps({"files": [{"file": "runtime/part.c", "lines": lines}]}), encoding="utf-8")
        command = [sys.executable, str(REPORT), str(data), "--root", str(self.folder)]
        command += ["--reasons", str(self.folder / "reasons.txt")]
        done = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def test_everything_covered_passes(self) -> None:
        code, out = self.report(COVERED, "", "--minimum-lines", "100", "--minimum-branches", "100")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"runtime/part\.c +7/7 +100\.0 +2/2 +100\.0")

    def test_less_than_the_minimum_fails_and_is_named(self) -> None:
        code, out = self.report(UNCOVERED, ALL_SAY_WHY, "--minimum-lines", "95", "--minimum-branches", "90")
        self.assertEqual(code, 1)
        self.assertIn("coverage: 42.9 % of lines is less than 95 %", out)
        self.assertIn("coverage: 50.0 % of branches is less than 90 %", out)

    def test_enough_for_the_minimum_passes(self) -> None:
        code, out = self.report(UNCOVERED, ALL_SAY_WHY, "--minimum-lines", "40", "--minimum-branches", "50")
        self.assertEqual(code, 0, out)

    def test_a_line_without_a_reason_is_named_and_fails(self) -> None:
        code, out = self.report(UNCOVERED)
        self.assertEqual(code, 1)
        self.assertIn("runtime/part.c:3: line in half: return -1;  (no reason given)", out)
        self.assertIn("4 lines that no test reached have no reason in reasons.txt", out)

    def test_a_branch_needs_no_reason_and_is_named_where_wanted(self) -> None:
        lines = [line(2, 1, 0, 1)]
        self.assertEqual(self.report(lines)[0], 0)
        self.assertNotIn("part.c:2", self.report(lines)[1])
        self.assertIn(
            "runtime/part.c:2: branch in half: if (n < 0) {", self.report(lines, "", "--branches")[1]
        )

    def test_reasons_speak_of_the_run_of_lines_that_they_stand_at(self) -> None:
        code, out = self.report(UNCOVERED, ALL_SAY_WHY)
        self.assertEqual(code, 0, out)
        self.assertRegex(
            out,
            r"(?s)never negative:\n    runtime/part\.c:3.*"
            r"nobody calls it:\n    runtime/part\.c:8.*part\.c:9.*part\.c:10",
        )

    def test_a_reason_ends_where_a_line_was_reached(self) -> None:
        code, out = self.report(UNCOVERED, "never negative\n    if (n < 0)\n")
        self.assertEqual(code, 1)
        self.assertIn("3 lines that no test reached", out)

    def test_a_reason_ends_where_another_begins(self) -> None:
        lines = [line(2, 1), line(3, 0), line(5, 0)]
        code, out = self.report(lines, "one\n    if (n < 0)\nother\n    return n / 2;\n")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"(?s)one:\n    runtime/part\.c:3: [^\n]*\n  other:\n    runtime/part\.c:5")

    def test_the_code_before_a_fragment_tells_its_place(self) -> None:
        key = "++; … return n"
        code, out = self.report([line(8, 1), line(10, 0)], f"never returns\n    {key}\n")
        self.assertEqual(code, 0, out)
        self.assertRegex(out, r"never returns:\n    runtime/part\.c:10")

    def test_a_reason_at_a_line_that_was_reached_fails(self) -> None:
        code, out = self.report(COVERED, "never negative\n    return -1;\n")
        self.assertEqual(code, 1)
        self.assertIn("reasons.txt: says why it is not covered (never negative), and it is: return -1;", out)

    def test_a_key_that_stands_in_no_place_or_in_several_fails(self) -> None:
        for key in ("return -2;", "whole(int n) { … return -1;", "return"):
            code, out = self.report(COVERED, f"never negative\n    {key}\n")
            self.assertEqual(code, 1)
            self.assertIn(f"reasons.txt: does not stand in one place: {key}", out)

    def test_a_key_matches_code_that_is_wrapped_and_has_comments(self) -> None:
        wrapped = SOURCE.replace("if (n < 0) {", "if (n /* any */\n        <\n        0) {")
        lines = [line(1, 1), line(2, 1), line(4, 1), line(5, 0), line(7, 1)]
        code, out = self.report(lines, "never negative\n    (n < 0)\n", source=wrapped)
        self.assertEqual(code, 0, out)
        self.assertRegex(out, r"never negative:\n    runtime/part\.c:5")

    def test_a_key_of_a_twin_that_was_not_compiled_is_ignored(self) -> None:
        (self.folder / "runtime").mkdir()
        (self.folder / "runtime/twin.c").write_text("int twin(void) {\n    return 1;\n}\n", encoding="utf-8")
        code, out = self.report(COVERED, "another processor\n    return 1;\n")
        self.assertEqual(code, 0, out)


class Reasons(unittest.TestCase):
    def test_each_key_of_the_tree_stands_in_one_place(self) -> None:
        _, lost = reasons.find(reasons.read(reasons.REASONS), reasons.ROOT)
        self.assertEqual([str(key) for key in lost], [])

    def test_no_source_has_a_reason_of_its_own(self) -> None:
        marked = [
            path.name for path in reasons.sources(reasons.ROOT) if "uncovered:" in path.read_text("utf-8")
        ]
        self.assertEqual(marked, [])

    def test_what_is_written_reads_as_it_was(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "reasons.txt"
            keys = [
                reasons.Key("", "a: b;", "one"),
                reasons.Key("g", "c", "one"),
                reasons.Key("f;", "d", "two"),
            ]
            reasons.write(path, keys)
            self.assertEqual(reasons.read(path), keys)

    def test_a_fragment_without_a_reason_above_it_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "reasons.txt"
            path.write_text("    a;\n", encoding="utf-8")
            self.assertRaises(ValueError, reasons.read, path)


if __name__ == "__main__":
    unittest.main()
