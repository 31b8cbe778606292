# SPDX-License-Identifier: MIT
"""Which definitions refer to which."""

from __future__ import annotations

from typing import Dict, Iterable, List, Mapping, Set, Tuple

from codegen.model import Document, Node, RefType
from codegen.summary import walk


def references(node: Node) -> Tuple[str, ...]:
    """The definitions that a node names, each once, in the order in which they stand."""
    return tuple(dict.fromkeys(inner.name for inner in walk(node) if isinstance(inner, RefType)))


def reference_map(document: Document) -> Dict[str, Tuple[str, ...]]:
    """The definitions that each definition names."""
    return {definition.name: references(definition.node) for definition in document.definitions}


def reachable(edges: Mapping[str, Iterable[str]], starts: Iterable[str]) -> Set[str]:
    """The starts and all that can be come to from them."""
    found: Set[str] = set()
    waiting: List[str] = list(starts)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(edges.get(name, ()))
    return found
