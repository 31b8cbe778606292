# SPDX-License-Identifier: MIT
"""The pictures show the tables: each bar has a figure of the page, and a length that is in proportion."""

from __future__ import annotations

import re
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Dict, List, Tuple

from tests.figures import plots, regions
from tests.figures.programs import ROOT

SVG = "{http://www.w3.org/2000/svg}"
PAGE = (ROOT / "docs/figures.md").read_text("utf-8")
Bars = List[Tuple[str, float, float]]  # label, figure, length


def panels_of(svg: str) -> Dict[str, Bars]:
    """The bars of a picture by the head of their panel, read from the elements alone."""
    found: Dict[str, Bars] = {}
    bars: Bars = []
    label, length = "", 0.0
    for each in ElementTree.fromstring(svg):
        if each.tag == f"{SVG}rect":
            length = float(each.attrib["width"])
        elif each.tag == f"{SVG}text" and each.attrib.get("class") == "head":
            bars = found.setdefault(each.text or "", [])
        elif each.tag == f"{SVG}text" and each.attrib.get("text-anchor") == "end":
            label = each.text or ""
        elif each.tag == f"{SVG}text" and "class" not in each.attrib:
            bars.append((label, float(each.text or ""), length))
    return found


def cells_of(region: str, row: str) -> List[str]:
    """The cells of the first row of the page that begins with these words."""
    line = next(line for line in regions.read(PAGE)[region].splitlines() if line.startswith(f"| {row} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


class Plots(unittest.TestCase):
    def picture(self, name: str) -> Dict[str, Bars]:
        return panels_of((plots.FOLDER / f"{name}.svg").read_text("utf-8"))

    def test_the_pictures_are_those_of_the_page(self) -> None:
        self.assertEqual(plots.stale(PAGE), [])

    def test_bars_are_in_proportion(self) -> None:
        for name in plots.PLOTS:
            for head, bars in self.picture(name).items():
                self.assertGreater(len(bars), 1, head)
                longest = max(bars, key=lambda bar: bar[1])
                for label, figure, length in bars:
                    want = longest[2] * figure / longest[1]
                    self.assertAlmostEqual(length, want, delta=0.01, msg=f"{name}: {head}: {label}")

    def test_a_panel_of_speed_has_the_figures_of_its_row(self) -> None:
        names = cells_of("speed", "MB/s")
        for head, bars in self.picture("speed").items():
            row = dict(zip(names, cells_of("speed", head)))
            want = [
                ("mcpwire", row["decode"]),
                *((name, row[name]) for name in ("json-c", "simdjson", "yyjson")),
            ]
            self.assertEqual([(label, f"{figure:.0f}") for label, figure, _ in bars], want)

    def test_a_panel_of_http_has_the_figures_of_its_table(self) -> None:
        for head, bars in self.picture("http").items():
            text = regions.read(PAGE)["http"].split(f"| {head} |")[1].split("\n\n")[0]
            want = re.findall(r"^\| ([^|]+) \| (\d+) \|", text, re.MULTILINE)
            self.assertEqual([(label, f"{figure:.0f}") for label, figure, _ in bars], want)

    def test_every_figure_of_a_picture_stands_in_its_region(self) -> None:
        for name in plots.PLOTS:
            there = set(re.findall(r"\d+(?:\.\d+)?", regions.read(PAGE)[name]))
            text = (plots.FOLDER / f"{name}.svg").read_text("utf-8")
            shown = re.findall(r'<text x="[^"]*" y="[^"]*">([\d.]+)</text>', text)
            self.assertGreater(len(shown), 4)
            self.assertEqual([figure for figure in shown if figure not in there], [], name)

    def test_the_page_and_the_readme_show_them(self) -> None:
        for name in plots.PLOTS:
            self.assertIn(f"(figures/{name}.svg)", PAGE)
        self.assertIn("(docs/figures/speed.svg)", (ROOT / "README.md").read_text("utf-8"))

    def test_another_figure_makes_another_picture(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            plots.write(PAGE, Path(folder))
            self.assertEqual(plots.stale(PAGE, Path(folder)), [])
            cell = cells_of("speed", "MB/s") and cells_of(
                "speed", plots.tables(regions.read(PAGE)["speed"])[0][1][0]
            )
            changed = PAGE.replace(f"| {cell[1]} |", f"| {int(cell[1]) + 1} |")
            self.assertEqual(plots.stale(changed, Path(folder)), ["speed"])

    def test_a_picture_loads_nothing(self) -> None:
        for name in plots.PLOTS:
            text = (plots.FOLDER / f"{name}.svg").read_text("utf-8")
            self.assertEqual(re.findall(r"(?:href|src|url|import)\b", text), [])
            self.assertIn("prefers-color-scheme:dark", text)


if __name__ == "__main__":
    unittest.main()
