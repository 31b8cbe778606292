# SPDX-License-Identifier: MIT
"""From the bytes of a schema document to its model."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Optional

from codegen.errors import Refusal
from codegen.model.build import build_definitions
from codegen.model.nodes import Document
from codegen.source.errata import apply_errata, read_errata
from codegen.source.jsonfile import parse_json, read_bytes
from codegen.source.normalise import find_source


def load_document(path: Path, revision: str, errata: Optional[Path]) -> Document:
    """The model of the document at `path`, corrected by the entries of the `errata` file if one is given.
    `sha256` is that of the file as it is, before correction."""
    data = read_bytes(path)
    document = parse_json(data, str(path))
    if errata is not None:
        document = apply_errata(document, read_errata(errata))
    source = find_source(document, str(path))
    try:
        definitions = build_definitions(source)
    except RecursionError as error:
        raise Refusal(str(path), "", "definitions refer to each other through too many others") from error
    return Document(revision, str(path), hashlib.sha256(data).hexdigest(), definitions)
