# SPDX-License-Identifier: MIT
"""The list of revisions that the generator knows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Dict, Optional, Tuple

from codegen.errors import BadInput, Refusal
from codegen.source.jsonfile import Json, read_json, show_json
from codegen.source.pointers import join

FILE_NAME = "revisions.json"
_NAME = re.compile(r"\d{4}-\d{2}-\d{2}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def is_revision_name(text: str) -> bool:
    """Whether a text has the form of a revision's name: a date, YYYY-MM-DD."""
    try:
        return _NAME.fullmatch(text) is not None and date.fromisoformat(text) is not None
    except ValueError:
        return False


@dataclass(frozen=True)
class Revision:
    """One revision of the protocol."""

    name: str
    dialect: str
    """The `$schema` of its document."""
    upstream_sha256: str
    """Of the published document."""
    status: str
    order: int
    """Place in the order of release; 1 is the oldest."""


@dataclass(frozen=True)
class Revisions:
    """All revisions, the oldest first, and which of them the short names stand for by default."""

    default_pin: str
    all: Tuple[Revision, ...]
    schema_dir: Path

    @property
    def names(self) -> Tuple[str, ...]:
        """The names of all revisions, the oldest first."""
        return tuple(revision.name for revision in self.all)

    def find(self, name: str) -> Revision:
        """The revision of that name."""
        for revision in self.all:
            if revision.name == name:
                return revision
        raise BadInput(f'unknown revision "{name}"; known are {", ".join(self.names)}')

    def schema_file(self, name: str) -> Path:
        """Where a revision's document stands."""
        return self.schema_dir / name / "schema.json"

    def errata_file(self, name: str) -> Optional[Path]:
        """Where the corrections of a revision's document stand, if there are any."""
        path = self.schema_dir / "errata" / f"{name}.json"
        return path if path.exists() else None


def load(schema_dir: Path) -> Revisions:
    """Reads `revisions.json` of the folder `schema/`."""
    path = schema_dir / FILE_NAME
    file = str(path)
    document = read_json(path)
    rows = document.get("revisions") if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(rows, list) or not rows:
        raise Refusal(file, "/revisions", '"revisions" must be an array of at least one revision')
    found = [_revision(row, file, join("/revisions", index)) for index, row in enumerate(rows)]
    names = [revision.name for revision in found]
    for index, revision in enumerate(found):
        if revision.name in names[:index]:
            raise Refusal(file, join("/revisions", index, "revision"), f'"{revision.name}" is listed twice')
        if revision.order in [other.order for other in found[:index]]:
            raise Refusal(
                file, join("/revisions", index, "order"), f"order {revision.order} is taken already"
            )
    pin = _text(document, "default_pin", file, "")
    if pin not in names:
        raise Refusal(file, "/default_pin", f'"{pin}" is none of the revisions')
    return Revisions(pin, tuple(sorted(found, key=lambda revision: revision.order)), schema_dir)


def _revision(row: Json, file: str, place: str) -> Revision:
    if not isinstance(row, dict):
        raise Refusal(file, place, "a revision must be an object")
    name = _text(row, "revision", file, place)
    if not is_revision_name(name):
        raise Refusal(file, join(place, "revision"), f'"{name}" is not of the form YYYY-MM-DD')
    sha256 = _text(row, "upstream_sha256", file, place)
    if not _SHA256.fullmatch(sha256):
        raise Refusal(file, join(place, "upstream_sha256"), "a sha256 has 64 lower-case hexadecimal digits")
    status = _text(row, "status", file, place)
    if status not in ("released", "draft"):
        raise Refusal(file, join(place, "status"), f'"{status}" is neither "released" nor "draft"')
    order = row.get("order")
    if isinstance(order, bool) or not isinstance(order, int):
        raise Refusal(file, join(place, "order"), f'"order" must be an integer, not {show_json(order)}')
    return Revision(name, _text(row, "dialect", file, place), sha256, status, order)


def _text(row: Dict[str, Json], name: str, file: str, place: str) -> str:
    text = row.get(name)
    if not isinstance(text, str) or not text:
        raise Refusal(file, join(place, name), f'"{name}" must be a string with something in it')
    return text
