# SPDX-License-Identifier: MIT
"""The place of each node. Families are bands one below the other, with their methods on the left; types that
several families use stand in columns to the right of all bands. The same graph always comes out the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Mapping, Sequence, Set, Tuple

from codegen.report.graph.model import SHARED, UNUSED, Graph, GraphNode

NODE_HEIGHT = 24
ROW = 32
COLUMN_GAP = 70
BAND_GAP = 20
BAND_HEAD = 26
BAND_PAD = 12
MARGIN = 24
HEAD = 84
_CHARACTER = 7.3
_NODE_PAD = 22
_SPREAD = 2.6
"""How many rows a shared type has for itself at most."""
_SWEEPS = 6
_UNUSED_COLUMNS = 5


@dataclass(frozen=True)
class Box:
    """A node with its place."""

    node: GraphNode
    x: float
    y: float
    width: float


@dataclass(frozen=True)
class Band:
    """A family with its place."""

    title: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Layout:
    """All places, and how large the whole is. Boxes stand column by column from the left."""

    boxes: Tuple[Box, ...]
    bands: Tuple[Band, ...]
    width: float
    height: float


Columns = List[List[GraphNode]]


def layers(names: Set[str], starts: Sequence[str], edges: Mapping[str, Tuple[str, ...]]) -> Dict[str, int]:
    """The column of each node: one more than the last one that refers to it, recursion left out."""
    order: List[str] = []
    done: Set[str] = set()

    def visit(name: str, path: Tuple[str, ...]) -> None:
        if name in done:
            return
        done.add(name)
        for target in edges[name]:
            if target in names and target not in path:
                visit(target, (*path, name))
        order.append(name)

    for name in (*starts, *sorted(names)):
        visit(name, ())
    position = {name: number for number, name in enumerate(reversed(order))}
    column = dict.fromkeys(names, 0)
    for name in reversed(order):
        for target in edges[name]:
            # Later in the order means no way back, so a recursive reference does not push its own source.
            if target in names and position[target] > position[name]:
                column[target] = max(column[target], column[name] + 1)
    return column


def lay_out(graph: Graph) -> Layout:
    """The layout of a graph."""
    return _Layouter(graph).layout()


class _Layouter:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._nodes = {node.id: node for node in graph.nodes}
        self._centre: Dict[str, float] = {}
        self._boxes: List[Box] = []
        self._bands: List[Band] = []

    def layout(self) -> Layout:
        families = sorted({node.family for node in self._graph.nodes} - {SHARED, UNUSED})
        columns = {family: self._columns(family) for family in families}
        offsets = self._offsets(list(columns.values()))
        y = float(HEAD)
        for family in families:
            y = self._band(family, columns[family], offsets, y)
        right = offsets[-1] if families else float(MARGIN)
        shared = self._columns(SHARED) if self._has(SHARED) else []
        height = self._shared(shared, right, y)
        if self._has(UNUSED):
            height = self._unused(max(y, height) + BAND_GAP)
        width = max((box.x + box.width for box in self._boxes), default=0.0) + MARGIN + BAND_PAD
        self._boxes.sort(key=lambda box: (box.x, box.y))
        return Layout(tuple(self._boxes), tuple(self._bands), width, max(y, height) + MARGIN)

    def _has(self, family: str) -> bool:
        return any(node.family == family for node in self._graph.nodes)

    def _columns(self, family: str) -> Columns:
        """The nodes of a family by column, each column in the order of ids."""
        own = {node.id for node in self._graph.nodes if node.family == family}
        methods = [name for name in sorted(own) if self._nodes[name].is_method]
        root = [self._graph.root] if self._graph.root in own and self._graph.root is not None else []
        column = layers(own, [*root, *methods], self._graph.edges)
        found: Columns = [[] for _ in range(max(column.values(), default=0) + 1)]
        for name in sorted(own):
            found[column[name]].append(self._nodes[name])
        return found

    def _offsets(self, families: Sequence[Columns]) -> List[float]:
        """The place where each column of the bands begins; the last is that of the part after the bands."""
        count = max((len(columns) for columns in families), default=0)
        offsets = [float(MARGIN + BAND_PAD)]
        for number in range(count):
            nodes = [node for columns in families if number < len(columns) for node in columns[number]]
            offsets.append(offsets[-1] + _width(nodes) + COLUMN_GAP)
        return offsets

    def _band(self, family: str, columns: Columns, offsets: Sequence[float], y: float) -> float:
        rows = max(len(column) for column in columns)
        height = BAND_HEAD + rows * ROW + BAND_PAD - (ROW - NODE_HEIGHT)
        top = y + BAND_HEAD
        for number, column in enumerate(columns):
            ordered = column if number == 0 else self._by_sources(column)
            spread = top + (rows - len(column)) * ROW / 2 if number else top
            self._place(ordered, offsets[number], spread)
        width = offsets[len(offsets) - 1] - COLUMN_GAP + BAND_PAD - MARGIN
        self._bands.append(Band(family, MARGIN, y, width, height))
        return y + height + BAND_GAP

    def _place(self, nodes: Sequence[GraphNode], x: float, y: float) -> None:
        width = _width(nodes)
        for number, node in enumerate(nodes):
            self._boxes.append(Box(node, x, y + number * ROW, width))
            self._centre[node.id] = y + number * ROW + NODE_HEIGHT / 2

    def _by_sources(self, nodes: Sequence[GraphNode]) -> List[GraphNode]:
        """Nodes in the order of the middle of what refers to them, as far as that has a place."""
        return sorted(nodes, key=lambda node: (self._middle(node.id), node.id))

    def _middle(self, name: str) -> float:
        places = [
            self._centre[source]
            for source, targets in sorted(self._graph.edges.items())
            if name in targets and source in self._centre
        ]
        return sum(places) / len(places) if places else 0.0

    def _shared(self, columns: Columns, x: float, bottom: float) -> float:
        """The columns of shared types, each spread over the height that there is; returns their end."""
        if not columns:
            return bottom
        tallest = max(len(column) for column in columns) * ROW
        space = max(bottom - HEAD, float(tallest))
        offsets = [x]
        for column in columns:
            offsets.append(offsets[-1] + _width(column) + COLUMN_GAP)
        ordered = [list(column) for column in columns]
        for _ in range(_SWEEPS):
            for number, column in enumerate(ordered):
                ordered[number] = self._by_sources(column)
                step = min(space / max(len(column), 1), ROW * _SPREAD)
                start = HEAD + (space - step * len(column)) / 2
                for row, node in enumerate(ordered[number]):
                    self._centre[node.id] = start + row * step + step / 2
        for number, column in enumerate(ordered):
            width = _width(column)
            for node in column:
                y = self._centre[node.id] - NODE_HEIGHT / 2
                self._boxes.append(Box(node, offsets[number], y, width))
        return HEAD + space

    def _unused(self, y: float) -> float:
        """Nodes that no method carries: a band of its own at the bottom, in rows."""
        nodes = sorted((n for n in self._graph.nodes if n.family == UNUSED), key=lambda node: node.id)
        count = -(-len(nodes) // _UNUSED_COLUMNS)
        x = float(MARGIN + BAND_PAD)
        for number in range(0, len(nodes), count):
            column = nodes[number : number + count]
            self._place(column, x, y + BAND_HEAD)
            x += _width(column) + COLUMN_GAP
        height = BAND_HEAD + count * ROW + BAND_PAD - (ROW - NODE_HEIGHT)
        self._bands.append(Band(UNUSED, MARGIN, y, x - COLUMN_GAP + BAND_PAD - MARGIN, height))
        return y + height


def _width(nodes: Sequence[GraphNode]) -> float:
    """The width of a column: that of its longest label."""
    return round(max((len(node.label) for node in nodes), default=0) * _CHARACTER + _NODE_PAD, 1)
