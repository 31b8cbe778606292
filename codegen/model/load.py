# SPDX-License-Identifier: MIT
"""From the bytes of a schema document to its model."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Tuple

from codegen.errors import Note, Refusal
from codegen.model.build import build_definitions
from codegen.model.nodes import Document
from codegen.source.errata import apply_errata, read_errata
from codegen.source.jsonfile import Json, parse_json, read_bytes
from codegen.source.mended import mended
from codegen.source.normalise import find_source

TOO_DEEP = "definitions refer to each other through too many others"


def load_document(path: Path, revision: str, errata: Optional[Path]) -> Document:
    """The model of the document at `path`, corrected by the entries of the `errata` file if one is given.
    `sha256` is that of the file as it is, before correction."""
    raw = read_raw(path)
    corrected = raw.value if errata is None else apply_errata(raw.value, read_errata(errata))
    return build_document(raw, corrected, revision)


@dataclass(frozen=True)
class Raw:
    """A schema document as it was read."""

    file: str
    sha256: str
    value: Json
    notes: Tuple[Note, ...] = ()
    """Warnings about references that were not read as they stand."""


def read_raw(path: Path) -> Raw:
    """The JSON of the document at `path`."""
    data = read_bytes(path)
    value, notes = mended(parse_json(data, str(path)), str(path))
    return Raw(str(path), hashlib.sha256(data).hexdigest(), value, notes)


def build_document(raw: Raw, corrected: Json, revision: str) -> Document:
    """The model of a document that has been read and corrected."""
    try:
        source = find_source(corrected, raw.file)
        definitions = build_definitions(source)
    except RecursionError as error:
        raise Refusal(raw.file, "", TOO_DEEP) from error
    return Document(revision, raw.file, raw.sha256, definitions)
