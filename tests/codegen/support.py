# SPDX-License-Identifier: MIT
"""Documents for tests, written inline."""

from __future__ import annotations

import contextlib
import io
import os
import unittest
from pathlib import Path
from typing import Any, Dict, Tuple

from codegen import cli
from codegen.model.build import build_definitions
from codegen.model.nodes import Document, Node
from codegen.source.jsonfile import Json
from codegen.source.normalise import find_source

ROOT = Path(__file__).resolve().parents[2]
SCHEMA_DIR = ROOT / "schema"
# The symbols that tables of the layout for speed need.
LAYOUT = ROOT / "runtime" / "codec" / "table_fast.c"
DRAFT_07 = "http://json-schema.org/draft-07/schema#"
DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"


def document_2020_12(**definitions: Any) -> Dict[str, Json]:
    """A document of dialect 2020-12 with these definitions."""
    return {"$schema": DRAFT_2020_12, "$defs": dict(definitions)}


def document_07(**definitions: Any) -> Dict[str, Json]:
    """A document of dialect draft-07 with these definitions."""
    return {"$schema": DRAFT_07, "definitions": dict(definitions)}


def build(document: Dict[str, Json]) -> Document:
    """The model of a document."""
    source = find_source(document, "schema.json")
    return Document("2000-01-01", "schema.json", "", build_definitions(source))


def node_of(schema: Any, **others: Any) -> Node:
    """The node of a definition X with this schema, beside other definitions."""
    return build(document_2020_12(X=schema, **others)).definition("X").node


def published_dir() -> Path:
    """The folder of published documents. Skips the test where there is none."""
    folder = os.environ.get("MCP_SPEC_DIR")
    if not folder:
        raise unittest.SkipTest("skipped: MCP_SPEC_DIR names no folder of published documents")
    return Path(folder)


def run(*arguments: object) -> Tuple[int, str, str]:
    """Exit status, standard output and standard error of a command."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = cli.main([str(argument) for argument in arguments])
        except SystemExit as exit_:
            status = exit_.code if isinstance(exit_.code, int) else 1
    return status, out.getvalue(), err.getvalue()
