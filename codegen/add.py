# SPDX-License-Identifier: MIT
"""A schema becomes a revision of the list, with all that is generated from it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from codegen.errors import BadInput, Note
from codegen.facts.edition import Edition, Request, base_of, find_listed, read_edition
from codegen.model.load import Raw, read_raw
from codegen.source.revisions import FILE_NAME, Revision, Revisions, is_revision_name
from codegen.source.revisions import load as load_revisions


@dataclass(frozen=True)
class Added:
    """The output: the list of revisions, and the editions that code is generated from."""

    revisions: Revisions
    list_text: str
    edition: Edition
    all: Tuple[Edition, ...]

    @property
    def notes(self) -> Tuple[Note, ...]:
        return self.edition.notes


def add(schema_dir: Path, name: str, like: Optional[str], status: str) -> Added:
    """Puts the document that stands in the folder of a revision on the list. Nothing is written; it is like
    the revision that is stated, or else the nearest older one, and the list will say so."""
    if not is_revision_name(name):
        raise BadInput(f'"{name}" is no revision: it must be a date of the form YYYY-MM-DD')
    known = load_revisions(schema_dir, also=name)
    if name in known.names:
        raise BadInput(f"{name} has a row in {schema_dir / FILE_NAME} already")
    raw = read_raw(known.schema_file(name))
    row = Revision(name, _dialect(raw), raw.sha256, status, 0, like_open=True)
    base = base_of(_with(known, row), Request(name, known.schema_file(name), like), raw.value)
    revisions = _with(known, replace(row, like=base.names[0] if base.names else None, like_open=False))
    edition = replace(read_edition(revisions, Request(name, revisions.schema_file(name))), base=base)
    others = tuple(find_listed(revisions, other) for other in known.names)
    return Added(revisions, _text(revisions), edition, (*others, edition))


def _dialect(raw: Raw) -> str:
    stated = raw.value.get("$schema") if isinstance(raw.value, dict) else None
    return stated if isinstance(stated, str) else ""


def _with(known: Revisions, row: Revision) -> Revisions:
    """The list with a new row: in the order of dates, which is that of release."""
    rows = sorted((*known.all, row), key=lambda each: each.name)
    return replace(known, all=tuple(replace(each, order=order) for order, each in enumerate(rows, 1)))


def _text(revisions: Revisions) -> str:
    rows: List[Dict[str, object]] = []
    for each in revisions.all:
        row: Dict[str, object] = {
            "revision": each.name,
            "dialect": each.dialect,
            "upstream_sha256": each.upstream_sha256,
            "status": each.status,
            "order": each.order,
        }
        rows.append(row if each.like_open else {**row, "like": each.like})
    return json.dumps({"default_pin": revisions.default_pin, "revisions": rows}, indent=2) + "\n"
