# SPDX-License-Identifier: MIT
"""How much a document holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Set

from codegen.model.nodes import ConstType, Document, ObjectType
from codegen.model.walk import walk


@dataclass(frozen=True)
class Counts:
    """Numbers for one document."""

    definitions: int
    members: int
    """Named members of all objects, those without a name of their own included."""
    methods: int
    """Different constants of members called "method"."""


def count(document: Document) -> Counts:
    """Counts the parts of a document."""
    members = 0
    methods: Set[str] = set()
    for definition in document.definitions:
        for node in walk(definition.node):
            if isinstance(node, ObjectType):
                members += len(node.properties)
                methods.update(_methods(node))
    return Counts(len(document.definitions), members, len(methods))


def _methods(node: ObjectType) -> Iterator[str]:
    for item in node.properties:
        if item.name == "method" and isinstance(item.node, ConstType) and isinstance(item.node.value, str):
            yield item.node.value
