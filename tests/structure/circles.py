# SPDX-License-Identifier: MIT
"""Which files of a folder call each other in a circle."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from tests.structure.source import WORD, Source, read


def used(source: Source) -> set[str]:
    """The names that a file uses. What a header merely declares it does not use."""
    if source.path.endswith(".c"):
        return set(source.words)
    inside = (source.code[function.first - 1 : function.last] for function in source.functions)
    return {word for lines in inside for word in WORD.findall("\n".join(lines))}


def calls(sources: list[Source]) -> dict[str, set[str]]:
    """The parts that each part calls. A part is a file of C and the header of the same name."""
    owner = {
        function.name: Path(source.path).stem
        for source in sources
        for function in source.functions
        if source.path.endswith(".h") or not function.is_static
    }
    found: dict[str, set[str]] = defaultdict(set)
    for source in sources:
        part = Path(source.path).stem
        found[part] |= {owner[word] for word in used(source) if word in owner} - {part}
    return found


def circles(root: Path, folder: str) -> list[list[str]]:
    """Strongly connected components of more than one part, largest first (Tarjan's algorithm)."""
    graph = calls(read(root, folder))
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(part: str) -> None:
        index[part] = low[part] = len(index)
        stack.append(part)
        for other in sorted(graph[part]):
            if other not in index:
                visit(other)
                low[part] = min(low[part], low[other])
            elif other in stack:
                low[part] = min(low[part], index[other])
        if low[part] == index[part]:
            members = stack[stack.index(part) :]
            del stack[stack.index(part) :]
            if len(members) > 1:
                found.append(sorted(members))

    for part in sorted(graph):
        if part not in index:
            visit(part)
    return sorted(found, key=len, reverse=True)
