# SPDX-License-Identifier: MIT
# Slow: tools/test.sh runs it with --all.
"""The verdict of a comparison about the wire, checked with values: made by the oracle's generator from one
revision, judged by python-jsonschema on the other. Neither shares code with the generator of bindings."""

from __future__ import annotations

import unittest
from random import Random
from typing import Any, Iterator, Tuple

from codegen.report.diff.compare import compare
from codegen.report.diff.report import Report
from codegen.report.diff.side import load_sides
from codegen.source.revisions import load as load_revisions
from tests.codegen.support import SCHEMA_DIR

try:
    from tests.oracle.documents import Document, load
    from tests.oracle.labels import Labeller
    from tests.oracle.values import Maker, Shape
except ModuleNotFoundError as error:
    raise unittest.SkipTest(f"skipped: {error.name} is missing") from error

SAFE_VALUES = 12
WITNESS_VALUES = 400
SHAPES = (
    Shape(),
    Shape(optional=1.0),
    Shape(optional=0.5),
    Shape(optional=0.3, unknown=0.3),
    Shape(optional=1.0, plain=True),
)


class NeutralMaker(Maker):
    """Makes values whose unknown members mean nothing in the other revision either."""

    def __init__(self, doc: Document, rng: Random, shape: Shape, taken: frozenset[str]) -> None:
        super().__init__(doc, rng, shape)
        self._taken = taken

    def unknown_name(self, known: Any) -> str:
        name = super().unknown_name(known)
        return name + "~" if name in self._taken else name


def complete(doc: Document, name: str, value: Any) -> Any:
    """A message with what JSON-RPC demands of it, which some revisions don't repeat in every message."""
    node = doc.concrete(doc.definitions[name])
    leaves = [doc.concrete(leaf) for leaf in node.get("anyOf", [node])]
    if all("const" in leaf.get("properties", {}).get("method", {}) for leaf in leaves):
        return {"jsonrpc": "2.0", "id": 1, **value}
    return value


class Judge:
    """Makes values of one revision and asks whether the other one refuses them."""

    def __init__(self, source: str, target: str) -> None:
        self._source = load(source)
        target_doc = load(target)
        self._target = target_doc
        self._labels = Labeller(target_doc)
        self._taken = frozenset(target_doc.member_names())

    def refused(self, old_name: str, new_name: str, count: int) -> Iterator[Any]:
        """The values that are refused."""
        rng = Random(f"{self._source.revision}/{self._target.revision}/{old_name}")
        for number in range(count):
            maker = NeutralMaker(self._source, rng, SHAPES[number % len(SHAPES)], self._taken)
            made = maker.make(self._source.definitions[old_name])
            value = complete(self._source, old_name, made)
            if not self._labels.is_valid(new_name, value):
                yield value


def adjacent() -> Iterator[Tuple[str, str]]:
    """Each revision and the next one, in both directions."""
    names = load_revisions(SCHEMA_DIR).names
    for old, new in zip(names, names[1:]):
        yield old, new
        yield new, old


def report_of(old: str, new: str) -> Report:
    return compare(*load_sides(old, new, load_revisions(SCHEMA_DIR), errata=True))


class WireTest(unittest.TestCase):
    def test_values_of_a_type_that_is_safe_are_accepted(self) -> None:
        checked = 0
        for old, new in adjacent():
            judge = Judge(old, new)
            for item in report_of(old, new).types:
                if item.old_name and item.new_name and item.values.old_to_new is None:
                    refused = list(judge.refused(item.old_name, item.new_name, SAFE_VALUES))
                    self.assertEqual(refused, [], f"{old} -> {new}: {item.name}")
                    checked += 1
        self.assertGreater(checked, 400)

    def test_values_of_a_type_that_breaks_are_refused_at_times(self) -> None:
        checked = 0
        for old, new in adjacent():
            judge = Judge(old, new)
            unproven = []
            for item in report_of(old, new).types:
                if item.old_name and item.new_name and item.values.old_to_new is not None:
                    if next(judge.refused(item.old_name, item.new_name, WITNESS_VALUES), None) is None:
                        unproven.append(f"{item.name}{item.values.old_to_new}")
                    checked += 1
            self.assertEqual(unproven, [], f"{old} -> {new}")
        self.assertGreater(checked, 70)


if __name__ == "__main__":
    unittest.main()
