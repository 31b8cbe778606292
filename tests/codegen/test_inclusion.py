# SPDX-License-Identifier: MIT
"""Whether one schema accepts all that another one does: random schemas, and values that may meet them."""

from __future__ import annotations

import random
import unittest
from typing import Any, Iterator, Tuple

from codegen.errors import Refusal
from codegen.model.nodes import (
    AnyType,
    ArrayType,
    DemandedType,
    Document,
    Node,
    ObjectType,
    RefType,
    UnionType,
)
from codegen.model.resolve import Index
from codegen.report.diff.inclusion import Inclusion
from tests.codegen.random_schemas import Source
from tests.codegen.support import build
from tests.codegen.verdict import accepts

DOCUMENTS = 250
VALUES = 60


def names_all(document: Document, node: Node, value: Any) -> bool:
    """Whether a node accepts a value whose members are all named, as far as objects are open: what a peer of
    the schema is taken to send."""
    if isinstance(node, RefType):
        return names_all(document, document.definition(node.name).node, value)
    if isinstance(node, DemandedType):
        return accepts(document, node, value) and names_all(document, node.base, value)
    if isinstance(node, UnionType):
        return any(names_all(document, alternative, value) for alternative in node.alternatives)
    if isinstance(node, AnyType):
        return _scalars(value)
    if isinstance(node, ArrayType) and isinstance(value, list):
        return accepts(document, node, value) and all(names_all(document, node.item, item) for item in value)
    if isinstance(node, ObjectType) and isinstance(value, dict):
        known = {member.name: member.node for member in node.properties}
        return accepts(document, node, value) and all(
            names_all(document, known[name], item)
            if name in known
            else _is_map(node) and names_all(document, node.additional or AnyType("", None), item)
            for name, item in value.items()
        )
    return accepts(document, node, value)


def _is_map(node: ObjectType) -> bool:
    return not isinstance(node.additional, AnyType)


def _scalars(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_scalars, value))
    return not isinstance(value, dict) or not value


def pairs(source: Source) -> Iterator[Tuple[Document, Node, Document, Node]]:
    """Definitions of a document and of itself and of the next one."""
    before = None
    for raw in source.documents(DOCUMENTS):
        document = build(raw)
        for other in (document, before or document):
            for left in document.definitions:
                for right in other.definitions:
                    yield document, left.node, other, right.node
        before = document


class RandomTest(unittest.TestCase):
    def test_what_is_included_is_accepted(self) -> None:
        source = Source(random.Random(20))
        included = compared = refused = 0
        for left, old, right, new in pairs(source):
            try:
                gap = Inclusion(Index(left), Index(right)).gap(old, new)
            except Refusal:
                continue  # a union that is an alternative of itself is no schema that is generated
            values = [value for value in source.values(VALUES) if names_all(left, old, value)]
            accepted = [accepts(right, new, value) for value in values]
            if gap is None:
                included += old is not new
                compared += len(values)
                self.assertEqual([v for v, good in zip(values, accepted) if not good], [], (old, new))
            else:
                refused += not all(accepted)
        self.assertGreater(included, 50)
        self.assertGreater(compared, 500)
        self.assertGreater(refused, 100)

    def test_a_schema_includes_itself(self) -> None:
        for raw in Source(random.Random(21)).documents(DOCUMENTS):
            index, other = Index(build(raw)), Index(build(raw))
            for left, right in zip(index.document.definitions, other.document.definitions):
                try:
                    self.assertIsNone(Inclusion(index, other).gap(left.node, right.node), raw)
                except Refusal:
                    continue


if __name__ == "__main__":
    unittest.main()
