# SPDX-License-Identifier: MIT
"""A graph as an SVG image that needs nothing else."""

from __future__ import annotations

from typing import Dict, List
from xml.sax.saxutils import escape, quoteattr

from codegen.report.graph.layout import NODE_HEIGHT, Band, Box, Layout, lay_out
from codegen.report.graph.model import UNUSED, Graph
from codegen.report.shown import shown

_STYLE = """
    svg { background: #fbfbfa; font: 12px "DejaVu Sans Mono", Menlo, Consolas, monospace; }
    text { fill: #1c2127; }
    .head { font: 700 22px "DejaVu Sans", Verdana, sans-serif; }
    .sub, .key { font: 12px "DejaVu Sans", Verdana, sans-serif; fill: #545d68; }
    .band { fill: #ffffff; stroke: #d9dde2; }
    .family { font: 700 13px "DejaVu Sans", Verdana, sans-serif; fill: #545d68; }
    .edge { fill: none; stroke: #8b96a3; stroke-width: 1; opacity: .45; pointer-events: none; }
    .unused .edge { opacity: 0; }
    .node rect { stroke-width: 1.2; }
    .request rect { fill: #1f5fa8; stroke: #1f5fa8; }
    .notification rect { fill: #ffffff; stroke: #1f5fa8; stroke-dasharray: 4 2; }
    .request text { fill: #ffffff; }
    .object rect { fill: #eaf1fb; stroke: #7ea4d6; }
    .union rect { fill: #fdf0dc; stroke: #d0a050; }
    .enum rect { fill: #e6f4ea; stroke: #6fb384; }
    .value rect { fill: #f0f2f4; stroke: #aab2bc; }
    .node:hover .edge { stroke: #b3261e; stroke-width: 2; opacity: 1; }
    .node:hover rect { stroke: #b3261e; stroke-width: 2; }
    @media (prefers-color-scheme: dark) {
      svg { background: #14171a; }
      text { fill: #e4e8ec; }
      .sub, .key, .family { fill: #a4adb8; }
      .band { fill: #1b1f24; stroke: #343b43; }
      .notification rect { fill: #1b1f24; stroke: #7ab8ff; }
      .object rect { fill: #1d2a3c; stroke: #54779f; }
      .union rect { fill: #38290f; stroke: #a97f3a; }
      .enum rect { fill: #17321f; stroke: #4f8d62; }
      .value rect { fill: #262c33; stroke: #5b6570; }
      .node:hover .edge, .node:hover rect { stroke: #ff9c93; }
    }
"""
_KEYS = ("request", "notification", "object", "union", "enum", "value")
_KEY_WIDTH = 118
_BEND = 0.5


def to_svg(graph: Graph) -> str:
    """The image."""
    graph = shown(graph)
    layout = lay_out(graph)
    width, height = max(round(layout.width), len(_KEYS) * _KEY_WIDTH + 48), round(layout.height)
    title = f"MCP {graph.name}: {'methods and types' if graph.root is None else _root(graph)}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label={quoteattr(title)}>',
        f"  <title>{escape(title)}</title>",
        f"  <style>{_STYLE}  </style>",
        f'  <text class="head" x="24" y="36">{escape(title)}</text>',
        *_key(),
        *(_band(band) for band in layout.bands),
        *_nodes(graph, layout),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _root(graph: Graph) -> str:
    assert graph.root is not None
    return f"what {graph.node(graph.root).label} is made of"


def _key() -> List[str]:
    """The meaning of the colours."""
    lines: List[str] = []
    for number, kind in enumerate(_KEYS):
        x = 24 + number * _KEY_WIDTH
        lines.append(
            f'  <g class="node {kind}"><rect x="{x}" y="50" width="14" height="14" rx="3"/>'
            f'<text class="key" x="{x + 20}" y="61" style="fill:#7b8794">{kind}</text></g>'
        )
    return lines


def _band(band: Band) -> str:
    return (
        f'  <rect class="band" x="{_n(band.x)}" y="{_n(band.y)}" width="{_n(band.width)}" '
        f'height="{_n(band.height)}" rx="8"/>\n'
        f'  <text class="family" x="{_n(band.x + 12)}" y="{_n(band.y + 18)}">{escape(band.title)}</text>'
    )


def _nodes(graph: Graph, layout: Layout) -> List[str]:
    """Each node with the edges that leave it, so that pointing at it can show them. Those of the left come
    first: edges run to the right, below the boxes that are drawn later."""
    boxes: Dict[str, Box] = {box.node.id: box for box in layout.boxes}
    lines: List[str] = []
    for box in layout.boxes:
        node = box.node
        unused = " unused" if node.family == UNUSED else ""
        lines.append(
            f'  <g class="node {node.kind}{unused}"><title>{escape(f"{node.label}: {node.title}")}</title>'
        )
        lines += [_edge(box, boxes[target]) for target in graph.edges[node.id]]
        lines.append(
            f'    <rect x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.width)}" height="{NODE_HEIGHT}" '
            f'rx="{12 if node.is_method else 4}"/>'
        )
        lines.append(f'    <text x="{_n(box.x + 11)}" y="{_n(box.y + 16)}">{escape(node.label)}</text></g>')
    return lines


def _edge(source: Box, target: Box) -> str:
    """A curve from the right of a box to the left of another; to its right where that stands further left."""
    middle = NODE_HEIGHT / 2
    x1, y1 = source.x + source.width, source.y + middle
    back = target.x <= source.x
    x2, y2 = (target.x + target.width if back else target.x), target.y + middle
    bend = 30.0 if back else max((x2 - x1) * _BEND, 20.0)
    end = x2 + bend if back else x2 - bend
    path = f"M{_n(x1)} {_n(y1)}C{_n(x1 + bend)} {_n(y1)} {_n(end)} {_n(y2)} {_n(x2)} {_n(y2)}"
    return f'    <path class="edge" d="{path}"/>'


def _n(value: float) -> str:
    """A number with one digit after the point at most."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text
