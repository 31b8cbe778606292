# SPDX-License-Identifier: MIT
"""A graph in the language of Graphviz."""

from __future__ import annotations

from typing import List

from codegen.report.graph.model import SHARED, Graph, GraphNode
from codegen.report.shown import shown

_SHAPES = {
    "request": "cds",
    "notification": "note",
    "object": "box",
    "union": "octagon",
    "enum": "component",
    "value": "plaintext",
}


def to_dot(graph: Graph) -> str:
    """The text for `dot`."""
    graph = shown(graph)
    lines = [
        f"digraph {_quoted('MCP ' + graph.name)} {{",
        "  rankdir=LR; newrank=true; ranksep=1.2; nodesep=0.15;",
        '  node [fontname="sans-serif", fontsize=11, height=0.3];',
        '  edge [color="#00000060", arrowsize=0.6];',
    ]
    families = sorted({node.family for node in graph.nodes})
    for number, family in enumerate(families):
        members = [node for node in graph.nodes if node.family == family]
        if family == SHARED:
            lines += [f"  {_node(node)}" for node in members]
            continue
        lines += [f"  subgraph cluster_{number} {{", f"    label={_quoted(family)};"]
        lines += [f"    {_node(node)}" for node in members]
        lines.append("  }")
    lines += _edges(graph)
    lines.append("}")
    return "\n".join(lines) + "\n"


def _node(node: GraphNode) -> str:
    shape = _SHAPES[node.kind]
    return f"{_quoted(node.id)} [label={_quoted(node.label)}, shape={shape}, tooltip={_quoted(node.title)}];"


def _edges(graph: Graph) -> List[str]:
    return [
        f"  {_quoted(node.id)} -> {_quoted(target)};"
        for node in graph.nodes
        for target in graph.edges[node.id]
    ]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
