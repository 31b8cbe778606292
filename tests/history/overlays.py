# SPDX-License-Identifier: MIT
"""Generates, compiles, links and judges every overlay of schema/overlays/, or extensions as published.

Each is compiled with strict warnings and linked beside all revisions of the library. Values of each
definition are judged by it and by python-jsonschema on the merged schema. An extension is compared with our
statement of it besides: the code of the published one judges values by the schema of ours.

Example:
  python3 -m tests.history.overlays --library build/test/runtime/libmcpwire.a extensions/tasks/schema.json
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from codegen.emit import output
from codegen.emit.render import generate_common_files
from codegen.facts.edition import Request
from codegen.facts.overlaid import Overlaid, read_overlaid
from codegen.generate import render_overlaid
from codegen.source.jsonfile import Json
from codegen.source.overlay import read_overlay
from codegen.source.revisions import Revision, Revisions
from codegen.source.revisions import load as load_revisions
from tests.history import build, judge

SCHEMA_DIR = build.ROOT / "schema"
SKIPPED = 77


def read(path: Path, revision: str | None) -> Overlaid:
    """An overlay on its revision."""
    revisions = load_revisions(SCHEMA_DIR)
    overlay = read_overlay(path, SCHEMA_DIR, revision)
    request = Request(overlay.revision, revisions.schema_file(overlay.revision))
    return read_overlaid(revisions, request, [overlay])


def make(overlaid: Overlaid, out: Path, compiler: str) -> str:
    """Generates and compiles one. The compiler's messages are returned."""
    files, _ = render_overlaid(overlaid)
    document = overlaid.edition.document
    output.write(out, files, [document.revision])
    return build.compile_revision(compiler, out, document.revision, document.base)


def text_of(document: Json) -> bytes:
    return json.dumps(document, default=float).encode()


def check(overlaid: Overlaid, statements: list[Overlaid], options: argparse.Namespace) -> int:
    """The number of things that are wrong with an overlay. Its values are judged by each of the statements,
    the first of which is its own."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        name = overlaid.edition.document.revision
        warned = make(overlaid, out, options.compiler)
        if warned:
            print(f"{name}: not compiled\n{warned}")
            return 1
        beside = load_revisions(SCHEMA_DIR).names
        rows = tuple(Revision(each, "", "", "draft", order) for order, each in enumerate((*beside, name), 1))
        output.write(out, generate_common_files(Revisions(name, rows, out)), [])
        driver = build.link_driver(options.compiler, out, [name], [options.library.resolve()], beside)
        wrong = 0
        for statement in statements:
            document = text_of(statement.laid.document)
            verdicts = judge.judge(str(driver), name, document, options.count, options.seed)
            file = statement.edition.document.overlays[-1]
            print(f"{name} by {Path(file).parent.name}/{Path(file).name}: {verdicts.values} values,", end=" ")
            print(f"{verdicts.valid} valid, {len(verdicts.differences)} differences {verdicts.unjudged}")
            print(*verdicts.differences[:20], sep="\n", end="\n" if verdicts.differences else "")
            wrong += len(verdicts.differences) + bool(verdicts.unjudged)
        return wrong


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="overlays", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("published", nargs="*", type=Path, help="the schema of an extension of 2026-07-28")
    parser.add_argument("--library", type=Path, required=True, help="libmcpwire.a")
    parser.add_argument("--revision", default="2026-07-28", help="what the published extend (%(default)s)")
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--count", type=int, default=6, help="values of each definition (%(default)s)")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    missing = [path for path in options.published if not path.is_file()]
    if missing:
        print(f"skipped: there is no {missing[0]}: MCP_SPEC_DIR names the folder of published documents")
        return SKIPPED
    ours = {} if options.published else {p: read(p, None) for p in (SCHEMA_DIR / "overlays").glob("*.json")}
    wrong = sum(check(overlaid, [overlaid], options) for overlaid in ours.values())
    for path in options.published:
        overlaid = read(path, options.revision)
        stated = SCHEMA_DIR / "overlays" / f"{overlaid.edition.document.revision}.json"
        both = [overlaid, read(stated, None)] if stated.is_file() else [overlaid]
        wrong += check(overlaid, both, options)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
