# SPDX-License-Identifier: MIT
"""The list of revisions that the generator knows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from codegen.errors import BadInput, Refusal
from codegen.source.jsonfile import Json, read_json, show_json
from codegen.source.pointers import join

FILE_NAME = "revisions.json"
_ERRATA = "errata"
_OTHERS = ("oauth", "jose")  # documents of another protocol, of which `types` makes types
OVERLAYS = "overlays"
"""The folder of what can be put on top of revisions."""
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
    """The digest of the published document."""
    status: str
    order: int
    """Place in the order of release; 1 is the oldest."""
    like: Optional[str] = None
    """The revision whose facts hold for this one too, wherever it has the same shape."""
    like_open: bool = False
    """`like` is not stated: the nearest older revision is meant."""


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

    def older(self, name: str) -> Tuple[str, ...]:
        """The names of the revisions before this one, the oldest first; all where it is not listed."""
        return self.names[: self.names.index(name)] if name in self.names else self.names

    def schema_file(self, name: str) -> Path:
        """The place of a revision's document."""
        return self.schema_dir / name / "schema.json"

    def document(self, name: str) -> Json:
        """A revision's document as it stands, without corrections."""
        return read_json(self.schema_file(name))

    def errata_file(self, name: str) -> Optional[Path]:
        """The place of the corrections of a revision's document, if there are any."""
        path = self.schema_dir / _ERRATA / f"{name}.json"
        return path if path.exists() else None


def load(schema_dir: Path, also: str = "") -> Revisions:
    """Reads `revisions.json` of the folder `schema/`. Each folder of it must have a row, but for `also`."""
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
    for index, revision in enumerate(found):
        _check_like(revision, found, Refusal(file, join("/revisions", index, "like"), ""))
    _check_folders(schema_dir, [*names, also])
    return Revisions(pin, tuple(sorted(found, key=lambda revision: revision.order)), schema_dir)


def _check_like(revision: Revision, all_rows: List[Revision], place: Refusal) -> None:
    """An older revision, so that no two are like each other."""
    if revision.like is None:
        return
    orders = {other.name: other.order for other in all_rows}
    if revision.like not in orders:
        raise Refusal(place.file, place.pointer, f'"{revision.like}" is none of the revisions')
    if orders[revision.like] >= revision.order:
        raise Refusal(place.file, place.pointer, f'"{revision.like}" is no older revision')


def _check_folders(schema_dir: Path, names: List[str]) -> None:
    """A folder that is not listed would be left out silently."""
    for path in sorted(schema_dir.iterdir()):
        if path.is_dir() and path.name not in (_ERRATA, OVERLAYS, *_OTHERS) and path.name not in names:
            add = f"python3 -m codegen add {path.name}" if is_revision_name(path.name) else "add one"
            raise BadInput(f"{path}: has no row in {FILE_NAME}: {add}, or remove the folder")
    for path in sorted((schema_dir / _ERRATA).glob("*")):
        if path.name not in [f"{name}.json" for name in names]:
            raise BadInput(f"{path}: corrects no revision of {FILE_NAME}")


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
    like = row.get("like")
    if like is not None and not isinstance(like, str):
        raise Refusal(file, join(place, "like"), f'"like" must be a revision or null, not {show_json(like)}')
    dialect = _text(row, "dialect", file, place)
    return Revision(name, dialect, sha256, status, order, like, "like" not in row)


def _text(row: Dict[str, Json], name: str, file: str, place: str) -> str:
    text = row.get(name)
    if not isinstance(text, str) or not text:
        raise Refusal(file, join(place, name), f'"{name}" must be a string with something in it')
    return text
