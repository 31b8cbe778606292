# SPDX-License-Identifier: MIT
"""Proves that an overlay of ours holds valid what the published schema of an extension does.

The two state it by other definitions here and there, so what counts is which values each of them takes: of
every definition that both have, and of the params and results of every method.
"""

from __future__ import annotations

from pathlib import Path
from typing import Iterator, List, Optional

from codegen.errors import BadInput
from codegen.facts.overlaid import find_overlaid
from codegen.report.diff.compare import compare
from codegen.report.diff.report import Report, Wire
from codegen.report.diff.side import overlaid_side
from codegen.report.verify import Finding
from codegen.source.overlay import Overlay, read_overlay
from codegen.source.revisions import OVERLAYS, Revisions


def verify_overlay(revisions: Revisions, published: Path) -> List[Finding]:
    """Compares a published schema with our overlays of its name: one for each revision that has such."""
    return [_verify(revisions, published, ours) for ours in _ours(revisions, published)]


def _ours(revisions: Revisions, published: Path) -> List[Overlay]:
    folder = revisions.schema_dir / OVERLAYS
    given = read_overlay(published, revisions.schema_dir, revisions.default_pin)
    if given.stated == given.file:
        raise BadInput(f"{published}: is an overlay of our own form: name the schema that is published")
    known = [read_overlay(path, revisions.schema_dir, None) for path in sorted(folder.glob("*.json"))]
    found = [overlay for overlay in known if overlay.name == given.name]
    if not found:
        names = ", ".join(overlay.name for overlay in known)
        raise BadInput(f"{published}: no overlay of {folder} is called {given.name}; there are {names}")
    return found


def _verify(revisions: Revisions, published: Path, ours: Overlay) -> Finding:
    here = overlaid_side(find_overlaid(revisions, [Path(ours.file)], ours.revision))
    there = overlaid_side(find_overlaid(revisions, [published], ours.revision))
    errors = tuple(_differences(compare(here, there)))
    return Finding(here.document.revision, len(ours.definitions), errors, ())


def _differences(report: Report) -> Iterator[str]:
    for each in report.types:
        if each.state in ("added", "removed", "renamed"):
            yield f"{each.name}: {_absence(each.old_name, each.new_name)}"
        yield from _of_values(each.name, each.values)
    for method in report.methods:
        if method.state in ("added", "removed"):
            yield f"{method.name}: {_absence(method.old, method.new)}"
        yield from _of_values(f"{method.name}, params", method.params)
        yield from _of_values(f"{method.name}, result", method.result)


def _absence(ours: Optional[object], theirs: Optional[object]) -> str:
    if ours is not None and theirs is not None:
        return f"{theirs} as published"
    return "not published" if theirs is None else "published, but not in the overlay"


def _of_values(what: str, wire: Wire) -> Iterator[str]:
    if wire.old_to_new is not None:
        yield f"{what}: the published schema refuses what the overlay takes: {wire.old_to_new}"
    if wire.new_to_old is not None:
        yield f"{what}: the overlay refuses what the published schema takes: {wire.new_to_old}"
