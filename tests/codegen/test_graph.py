# SPDX-License-Identifier: MIT
"""Graphs of methods and types: what is in them, where it stands, and the two formats."""

from __future__ import annotations

import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree
from functools import cache
from typing import Any, Dict, List
from unittest import mock

from codegen import cli
from codegen.errors import BadInput
from codegen.facts.facts import Facts
from codegen.report.diff.side import Side, load_side, side_of
from codegen.report.graph.dot import to_dot
from codegen.report.graph.layout import HEAD, NODE_HEIGHT, Box, lay_out
from codegen.report.graph.model import SHARED, UNUSED, build_graph, family_of
from codegen.report.graph.svg import to_svg
from codegen.source.revisions import load as load_revisions
from tests.codegen.support import SCHEMA_DIR, build, document_2020_12

SVG = "{http://www.w3.org/2000/svg}"
TEXT: Dict[str, Any] = {"type": "string"}


@cache
def side(revision: str) -> Side:
    return load_side(revision, load_revisions(SCHEMA_DIR), errata=True, like=None)


def revisions() -> List[str]:
    return list(load_revisions(SCHEMA_DIR).names)


def small(**definitions: Any) -> Side:
    return side_of(build(document_2020_12(**definitions)), Facts("2000-01-01"))


def members(**names: str) -> Dict[str, Any]:
    """An object whose members refer to definitions."""
    return {"type": "object", "properties": {k: {"$ref": f"#/$defs/{v}"} for k, v in names.items()}}


class ModelTest(unittest.TestCase):
    def test_every_method_and_type_is_there_once(self) -> None:
        for revision in revisions():
            found = side(revision)
            labels = [node.label for node in build_graph(found).nodes]
            expected = [method.name for method in found.plan.methods] + list(found.names)
            self.assertEqual(sorted(labels), sorted(expected))

    def test_a_type_belongs_to_the_family_that_alone_uses_it(self) -> None:
        families = {node.label: node.family for node in build_graph(side("2026-07-28")).nodes}
        self.assertEqual(families["ListToolsResult"], "tools")
        self.assertEqual(families["notifications/tools/list_changed"], "tools")
        self.assertEqual(families["Annotations"], SHARED)
        self.assertEqual(families["ClientRequest"], UNUSED)

    def test_family_of_a_method(self) -> None:
        names = ("tools/call", "notifications/tools/list_changed", "ping", "notifications/progress")
        self.assertEqual([family_of(name) for name in names], ["tools", "tools", "session", "session"])

    def test_a_method_carries_message_params_results_and_response(self) -> None:
        graph = build_graph(side("2026-07-28"))
        names = ["CallToolRequest", "CallToolRequestParams", "CallToolResult", "InputRequiredResult"]
        expected = [f"type {name}" for name in (*names, "CallToolResultResponse")]
        self.assertEqual(list(graph.edges["method tools/call"]), expected)

    def test_root_leaves_what_it_is_made_of(self) -> None:
        found = small(A=members(b="B"), B=members(c="C"), C=TEXT, D=members(c="C"))
        graph = build_graph(found, "A")
        self.assertEqual([node.label for node in graph.nodes], ["A", "B", "C"])

    def test_depth_counts_steps_from_the_root(self) -> None:
        found = small(A=members(b="B"), B=members(c="C"), C=TEXT)
        self.assertEqual([node.label for node in build_graph(found, "A", 1).nodes], ["A", "B"])
        self.assertEqual([node.label for node in build_graph(found, "A", 0).nodes], ["A"])
        self.assertEqual(len(build_graph(found, "A", 10**30).nodes), 3)

    def test_a_root_that_is_not_there(self) -> None:
        with self.assertRaisesRegex(BadInput, 'neither a method nor a type "Nope"'):
            build_graph(small(A=TEXT), "Nope")

    def test_depth_without_a_root(self) -> None:
        with self.assertRaisesRegex(BadInput, "state it with --root"):
            build_graph(small(A=TEXT), None, 2)


class LayoutTest(unittest.TestCase):
    def layouts(self) -> List[List[Box]]:
        found = [list(lay_out(build_graph(side(revision))).boxes) for revision in revisions()]
        return [*found, list(lay_out(build_graph(side("2026-07-28"), "tools/call")).boxes)]

    def test_no_box_covers_another(self) -> None:
        for boxes in self.layouts():
            for number, box in enumerate(boxes):
                for other in boxes[number + 1 :]:
                    apart = (
                        box.x + box.width <= other.x
                        or other.x + other.width <= box.x
                        or abs(box.y - other.y) >= NODE_HEIGHT
                    )
                    self.assertTrue(apart, f"{box.node.label} {other.node.label}")

    def test_everything_lies_inside_the_image(self) -> None:
        for revision in revisions():
            layout = lay_out(build_graph(side(revision)))
            for box in layout.boxes:
                self.assertTrue(box.x >= 0 and box.x + box.width <= layout.width, box.node.label)
                self.assertTrue(box.y >= HEAD and box.y + NODE_HEIGHT <= layout.height, box.node.label)

    def test_families_stand_inside_their_bands(self) -> None:
        layout = lay_out(build_graph(side("2026-07-28")))
        bands = {band.title: band for band in layout.bands}
        for box in layout.boxes:
            band = bands.get(box.node.family)
            if band is not None:
                self.assertTrue(band.x < box.x and box.x + box.width < band.x + band.width, box.node.label)
                self.assertTrue(band.y < box.y and box.y + NODE_HEIGHT < band.y + band.height)

    def test_references_run_to_the_right_unless_they_are_recursive(self) -> None:
        graph = build_graph(side("2025-11-25"))
        boxes = {box.node.id: box for box in lay_out(graph).boxes}
        for source, targets in graph.edges.items():
            for target in targets:
                if UNUSED not in (boxes[source].node.family, boxes[target].node.family):
                    self.assertLess(boxes[source].x, boxes[target].x, f"{source} {target}")

    def test_recursive_types_have_a_place(self) -> None:
        graph = build_graph(small(A=members(b="B", a="A"), B=members(a="A")), "A")
        self.assertEqual([box.node.label for box in lay_out(graph).boxes], ["A", "B"])


class SvgTest(unittest.TestCase):
    def test_nodes_and_edges_are_those_of_the_graph(self) -> None:
        graph = build_graph(side("2026-07-28"))
        root = ElementTree.fromstring(to_svg(graph))
        titles = [node.findtext(f"{SVG}title") for node in root.iter(f"{SVG}g")]
        shown = [title for title in titles if title is not None]
        self.assertEqual(len(shown), len(graph.nodes))
        self.assertEqual(len(list(root.iter(f"{SVG}path"))), sum(map(len, graph.edges.values())))

    def test_tooltips_say_what_a_type_is(self) -> None:
        found = side("2026-07-28")
        line = found.facts.docs.line("2026-07-28", "Annotations")
        self.assertIn(f"<title>Annotations: {line}</title>", to_svg(build_graph(found)))

    def test_the_image_needs_nothing_else(self) -> None:
        text = to_svg(build_graph(side("2026-07-28"))).replace("http://www.w3.org/2000/svg", "")
        self.assertNotRegex(text, r"https?:|href|url\(|@import|<script")

    def test_names_of_a_schema_stay_text(self) -> None:
        text = to_svg(build_graph(small(**{"X<i>&": {**TEXT, "description": "a <b> & c"}})))
        self.assertIn("X&lt;i&gt;&amp;", text)
        ElementTree.fromstring(text)


class DotTest(unittest.TestCase):
    def test_nodes_and_edges_are_those_of_the_graph(self) -> None:
        graph = build_graph(side("2025-06-18"))
        text = to_dot(graph)
        self.assertEqual(len(re.findall(r"^ +\".*\" \[label=", text, re.MULTILINE)), len(graph.nodes))
        self.assertEqual(text.count(" -> "), sum(map(len, graph.edges.values())))

    def test_quotes_are_escaped(self) -> None:
        text = to_dot(build_graph(small(X={**TEXT, "description": 'say "hi"'})))
        self.assertIn('tooltip="say \\"hi\\""', text)

    def test_graphviz_reads_it(self) -> None:
        program = shutil.which("dot")
        if program is None:
            self.skipTest("skipped: Graphviz is missing")
        for revision in revisions():
            text = to_dot(build_graph(side(revision)))
            subprocess.run([program, "-Tcanon"], input=text, text=True, capture_output=True, check=True)


class CommandTest(unittest.TestCase):
    def test_formats(self) -> None:
        for arguments, start in (([], "<svg "), (["--format", "dot"], "digraph ")):
            with mock.patch("sys.stdout") as out:
                status = cli.main(["graph", "2024-11-05", "--root", "Tool", *arguments])
            self.assertEqual(status, 0)
            self.assertTrue(out.write.call_args.args[0].startswith(start))


if __name__ == "__main__":
    unittest.main()
