# SPDX-License-Identifier: MIT
"""Pictures of the tables of docs/figures.md: bars as SVG, readable on light and dark ground.

They are drawn from the text of the tables, so the same page gives the same bytes.

    python3 -m tests.figures.plots            # writes the pictures of the page
    python3 -m tests.figures.plots --check    # fails where one is another
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple
from xml.sax.saxutils import escape

from tests.figures import regions
from tests.figures.programs import ROOT

FOLDER = ROOT / "docs" / "figures"
OURS = "mcpwire"

WIDTH = 860  # of a picture
MARGIN = 16
TITLE = 34  # height of the line above all panels
HEAD = 26  # height of the line above a panel
BAR = 14
STEP = 20  # from one bar to the next
GAP = 14  # between panels
VALUE = 70  # room for the figure after the longest bar
LETTER = 7.1  # width of a letter, on average

STYLE = """text{font:12px system-ui,sans-serif;fill:#1b2430}
.title{font-size:15px;font-weight:600}.head{font-weight:600}.other{fill:#8a96a5}.ours{fill:#1257a8}
@media(prefers-color-scheme:dark){text{fill:#e3e8ee}.other{fill:#6f7c8c}.ours{fill:#86b7ff}}"""


@dataclass(frozen=True)
class Bar:
    label: str
    shown: str  # as the table has it
    is_ours: bool

    @property
    def value(self) -> float:
        return float(self.shown)


@dataclass(frozen=True)
class Panel:
    """Bars of one scale, which begins at zero."""

    head: str
    bars: Tuple[Bar, ...]


@dataclass(frozen=True)
class Plot:
    title: str
    panels: Tuple[Panel, ...]
    columns: int = 2


Table = List[List[str]]


def tables(region: str) -> List[Table]:
    """The tables of a region: rows of cells, the first of them with the names, without the ruler."""
    found = re.findall(r"(?:^\|.*\n)+", region, re.MULTILINE)
    cells = [
        [[cell.strip() for cell in row.strip("|").split("|")] for row in each.split("\n") if row]
        for each in found
    ]
    return [[row for row in table if not set("".join(row)) <= set("-: ")] for table in cells]


def _number(cell: str) -> Optional[str]:
    found = re.match(r"\d+(?:\.\d+)?", cell.replace(",", ""))
    return found[0] if found else None


def _panel(head: str, labels: Sequence[str], cells: Sequence[str], ours: Sequence[str]) -> Panel:
    """Bars of the cells that have a figure."""
    bars = [(label, _number(cell)) for label, cell in zip(labels, cells)]
    return Panel(head, tuple(Bar(label, shown, label in ours) for label, shown in bars if shown is not None))


def _rows(
    table: Table, columns: Sequence[str], rows: Sequence[str], ours: Sequence[str]
) -> Tuple[Panel, ...]:
    """A panel a row; of the columns, those that the table has."""
    places = [table[0].index(column) for column in columns if column in table[0]]
    labels = [table[0][place] for place in places]
    wanted = [row for row in table[1:] if not rows or row[0] in rows]
    return tuple(_panel(row[0], labels, [row[place] for place in places], ours) for row in wanted)


def _column(table: Table, column: str, head: str, ours: Sequence[str]) -> Panel:
    """A bar a row."""
    place = table[0].index(column)
    return _panel(head, [row[0] for row in table[1:]], [row[place] for row in table[1:]], ours)


def _speed(region: str) -> Plot:
    columns = (OURS, "json-c", "simdjson", "yyjson")
    table = tables(region)[0]
    named = [[OURS if cell == "decode" else cell for cell in table[0]], *table[1:]]
    panels = _rows(named, columns, (), (OURS,))
    return Plot("Decoding and checking, beside parsers that only parse: MB/s", panels)


def _sessions(region: str) -> Plot:
    columns = (OURS, "bare C echo", "TypeScript 2.x")
    rows = (
        "64 in flight, requests a second",
        "CPU of the server a request, us",
        "start to first answer, ms",
        "memory after the load, MB",
    )
    table = tables(region)[0]
    first = [row for i, row in enumerate(table) if row[0] not in [each[0] for each in table[:i]]]
    return Plot("An echo server over stdio, 2026-07-28", _rows(first, columns, rows, (OURS,)))


def _http(region: str) -> Plot:
    column = "requests a second"
    found = [table for table in tables(region) if column in table[0]]
    panels = tuple(_column(table, column, table[0][0], (OURS,)) for table in found)
    return Plot("Calls over HTTP: requests a second", panels)


def _schemas(region: str) -> Plot:
    columns = (OURS, "Blaze", "jsonschema-rs, from Python", "ajv, from node")
    return Plot("Checks by a JSON Schema: ns a check", _rows(tables(region)[0], columns, (), (OURS,)))


def _sizes(region: str) -> Plot:
    table = [[re.sub(r"`", "", row[0]), *row[1:]] for row in tables(region)[0]]
    panel = _column(
        table, "Cortex-M4", "KiB on a Cortex-M4; each row leaves out more", [row[0] for row in table]
    )
    return Plot("Size of an embedded build", (panel,), 1)


PLOTS: Mapping[str, Callable[[str], Plot]] = {
    "speed": _speed,
    "sessions": _sessions,
    "http": _http,
    "schemas": _schemas,
    "sizes": _sizes,
}


def _draw_panel(panel: Panel, left: float, top: float, width: float) -> List[str]:
    room = max(len(bar.label) for bar in panel.bars) * LETTER + 8
    longest = max(bar.value for bar in panel.bars)
    scale = (width - room - VALUE) / longest
    lines = [f'<text class="head" x="{left:.1f}" y="{top + 15:.1f}">{escape(panel.head)}</text>']
    for number, bar in enumerate(panel.bars):
        y = top + HEAD + number * STEP
        x = left + room
        length = bar.value * scale
        kind = "ours" if bar.is_ours else "other"
        lines += [
            f'<text x="{x - 6:.1f}" y="{y + 11:.1f}" text-anchor="end">{escape(bar.label)}</text>',
            f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{length:.3f}" height="{BAR}"/>',
            f'<text x="{x + length + 5:.1f}" y="{y + 11:.1f}">{bar.shown}</text>',
        ]
    return lines


def draw(plot: Plot) -> str:
    """The SVG of a plot."""
    width = (WIDTH - 2 * MARGIN - (plot.columns - 1) * GAP) / plot.columns
    top = float(MARGIN + TITLE)
    lines: List[str] = []
    for start in range(0, len(plot.panels), plot.columns):
        row = plot.panels[start : start + plot.columns]
        for column, panel in enumerate(row):
            lines += _draw_panel(panel, MARGIN + column * (width + GAP), top, width)
        top += HEAD + max(len(panel.bars) for panel in row) * STEP + GAP
    title = escape(plot.title)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{top:.0f}" '
            f'viewBox="0 0 {WIDTH} {top:.0f}" role="img">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style>",
            f'<text class="title" x="{MARGIN}" y="{MARGIN + 15}">{title}</text>',
            *lines,
            "</svg>\n",
        ]
    )


def pictures(page: str) -> Dict[str, str]:
    """The pictures of a page, by the name of their region."""
    held = regions.read(page)
    return {name: draw(plot(held[name])) for name, plot in PLOTS.items()}


def write(page: str, folder: Path = FOLDER) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in pictures(page).items():
        (folder / f"{name}.svg").write_text(text, "utf-8")


def stale(page: str, folder: Path = FOLDER) -> List[str]:
    """The pictures that do not show the tables of the page."""
    drawn = pictures(page)
    there = {name: folder / f"{name}.svg" for name in drawn}
    return [
        name for name in drawn if not there[name].exists() or there[name].read_text("utf-8") != drawn[name]
    ]


def main() -> int:
    page = (ROOT / "docs/figures.md").read_text("utf-8")
    if sys.argv[1:] != ["--check"]:
        write(page)
        return 0
    wrong = stale(page)
    for name in wrong:
        print(f"docs/figures/{name}.svg is not that of the table: python3 -m tests.figures.plots")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
