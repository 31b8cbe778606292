# SPDX-License-Identifier: MIT
"""The places that hold figures are found, written and compared as they should be."""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
import unittest
from pathlib import Path
from typing import Dict, Tuple
from unittest import mock

from tests.figures import __main__ as figures
from tests.figures import counts, regions
from tests.figures.programs import ROOT, Build, Failure, Skip, numbers
from tests.load import http

PAGE = """Before.
<!-- figures: sizes -->
| a | 1 |
<!-- end of figures -->
Between.
<!-- figures: reliability -->
| what | figure |
|---|---|
| soak | long |
| texts | 5 |
<!-- end of figures -->
"""


class Regions(unittest.TestCase):
    """The text between the comments, and nothing else, is replaced."""

    def test_what_a_region_holds_is_read(self) -> None:
        self.assertEqual(regions.read(PAGE)["sizes"], "| a | 1 |\n")

    def test_a_region_is_replaced_and_the_rest_stays(self) -> None:
        self.assertEqual(
            regions.write(PAGE, {"sizes": "| a | 2 |\n"}), PAGE.replace("| a | 1 |", "| a | 2 |")
        )

    def test_a_row_gets_its_new_figure(self) -> None:
        table = regions.read(PAGE)["reliability"]
        self.assertIn("| texts | 6 |\n", regions.with_rows(table, {"texts": "6"}))

    def test_a_row_that_the_table_lacks_is_an_error(self) -> None:
        with self.assertRaisesRegex(KeyError, "verdicts"):
            regions.with_rows(regions.read(PAGE)["reliability"], {"verdicts": "6"})

    def test_the_page_has_every_region(self) -> None:
        held = regions.read((ROOT / "docs/figures.md").read_text("utf-8"))
        regions_there = [
            "firmware",
            "http",
            "instructions",
            "reliability",
            "schemas",
            "sessions",
            "sizes",
            "speed",
        ]
        self.assertEqual(sorted(held), regions_there)
        for name, content in held.items():
            self.assertIn("|", content, name)


class Readme(unittest.TestCase):
    """The README repeats figures of the page, and stays short."""

    def test_each_figure_of_the_readme_stands_on_the_page(self) -> None:
        readme = (ROOT / "README.md").read_text("utf-8")
        lines = re.findall(r"^- \[.*$", readme[readme.index("## Figures") :], re.MULTILINE)
        page = (ROOT / "docs/figures.md").read_text("utf-8")
        there = set(re.findall(r"\d[\d,.]*\d|\d", page))
        self.assertGreater(len(lines), 4)
        for line in lines:
            said = re.findall(r"\d[\d,.]*\d|\d", re.sub(r"\]\([^)]*\)", "]", line))
            self.assertEqual([figure for figure in said if figure not in there], [], line)

    def test_the_readme_has_at_most_220_lines(self) -> None:
        self.assertLessEqual(len((ROOT / "README.md").read_text("utf-8").splitlines()), 220)


class Settings(unittest.TestCase):
    """Whoever reads a figure of speed can tell with which options it was measured."""

    def test_the_page_names_each_option_of_the_codec_that_the_bench_sets(self) -> None:
        bench = (ROOT / "tests/bench/corpus.c").read_text("utf-8")
        page = (ROOT / "docs/figures.md").read_text("utf-8")
        above = page[page.index("## Speed") : page.index("<!-- figures: speed -->")]
        flags = set(re.findall(r"MCPW_(?:STRICT|ALLOW|NULL|PEER|KEEP)\w*", bench))
        members = {f"mcpw_options.{name}" for name in re.findall(r"options\.(\w+) =", bench)}
        self.assertEqual(
            (len(flags), members), (0, {"mcpw_options.max_depth"}), "an option of the bench is new"
        )
        for name in flags:
            self.assertIn(f"`{name}`", above)


class Numbers(unittest.TestCase):
    """The output of programs is read, and nothing is made up."""

    def test_each_match_is_a_row(self) -> None:
        self.assertEqual(numbers(r"(\d[\d,]*) of (\d+)", "1,000 of 2, 3 of 4"), [(1000.0, 2.0), (3.0, 4.0)])

    def test_nothing_that_matches_is_a_failure(self) -> None:
        with self.assertRaises(Failure):
            numbers(r"(\d+) texts", "no texts")


class Load(unittest.TestCase):
    """The worst case is held against what is wanted of calls over HTTP."""

    @staticmethod
    def case(**servers: Tuple[float, float]) -> http.Rows:
        return {
            name: [{"errors": 0, "a_second": fast, "cpu_us": cpu}] for name, (fast, cpu) in servers.items()
        }

    def measured(self, *cases: http.Rows) -> Dict[float, bool]:
        return {round(target.measured, 2): target.met for target in http.targets_of_calls(list(cases))}

    def test_the_worst_case_counts(self) -> None:
        good = self.case(ours=(90, 9), bare=(150, 6), sdk=(30, 36))
        worse = self.case(ours=(90, 15), bare=(150, 6), sdk=(100, 12))
        self.assertEqual(self.measured(good), {0: True, 9: True, 1.5: True, 3: True, 4: True})
        self.assertEqual(self.measured(good, worse), {0: True, 15: False, 2.5: False, 0.9: False, 0.8: False})

    def test_the_fastest_sdk_counts(self) -> None:
        self.assertFalse(
            self.measured(self.case(ours=(90, 9), bare=(150, 6), slow=(1, 99), fast=(100, 18)))[0.9]
        )

    def test_without_sdks_nothing_is_said_of_them(self) -> None:
        self.assertEqual(self.measured(self.case(ours=(90, 9), bare=(150, 6))), {0: True, 9: True, 1.5: True})

    def test_one_failed_call_misses_the_target(self) -> None:
        case = self.case(ours=(90, 9), bare=(150, 6))
        case["ours"].append({"errors": 1, "a_second": 90, "cpu_us": 9})
        self.assertFalse(self.measured(case)[1])


class Check(unittest.TestCase):
    """The command compares what it measures with the page."""

    def run_it(self, rows: object, *arguments: str) -> tuple[int, str, str]:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
            page = Path(folder) / "figures.md"
            page.write_text(PAGE, "utf-8")
            with (
                mock.patch.object(counts, "short", side_effect=[rows]),
                mock.patch.object(Build, "__init__", return_value=None),
            ):
                code = figures.main(["--build", folder, "--page", str(page), *arguments, "short"])
            return code, out.getvalue(), page.read_text("utf-8")

    def test_the_same_figure_passes(self) -> None:
        self.assertEqual(self.run_it({"texts": "5"}, "--check"), (0, "", PAGE))

    def test_another_figure_fails_and_is_shown(self) -> None:
        code, out, page = self.run_it({"texts": "6"}, "--check")
        self.assertEqual((code, page), (1, PAGE))
        self.assertIn("-| texts | 5 |\n+| texts | 6 |", out)

    def test_what_is_measured_is_written(self) -> None:
        code, _, page = self.run_it({"texts": "6"}, "--write")
        self.assertEqual((code, page), (0, PAGE.replace("| texts | 5 |", "| texts | 6 |")))

    def test_what_cannot_be_measured_is_skipped_with_the_reason(self) -> None:
        self.assertEqual(
            self.run_it(Skip("no valgrind"), "--check")[:2], (77, "skipped: short: no valgrind\n")
        )

    def test_what_fails_to_measure_fails(self) -> None:
        self.assertEqual(self.run_it(Failure("crashed"))[0], 1)

    def test_a_figure_of_the_clock_cannot_be_checked(self) -> None:
        with contextlib.redirect_stderr(io.StringIO()) as err, self.assertRaises(SystemExit):
            figures.main(["--build", ".", "--check", "speed"])
        self.assertIn("depend on the clock", err.getvalue())


if __name__ == "__main__":
    unittest.main()
