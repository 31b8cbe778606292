# SPDX-License-Identifier: MIT
"""The commands that read schemas and write nothing but what they found: diff, notes, watch and graph."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Callable, Dict, Optional

from codegen.errors import BadInput, visible
from codegen.report.diff.compare import compare
from codegen.report.diff.html import to_html
from codegen.report.diff.jsonout import to_json
from codegen.report.diff.markdown import remarks_of, to_markdown
from codegen.report.diff.notes import check_notes, write_notes
from codegen.report.diff.report import Report
from codegen.report.diff.side import Overlays, load_side, load_sides
from codegen.report.diff.text import to_text
from codegen.report.graph.dot import to_dot
from codegen.report.graph.model import build_graph
from codegen.report.graph.svg import to_svg
from codegen.report.watch import watch
from codegen.source.revisions import load as load_revisions

_ROOT = Path(__file__).resolve().parents[2]
_SCHEMA_DIR = _ROOT / "schema"
_NOTES = _ROOT / "docs" / "migration"

_EXIT_OK, _EXIT_DIFFERENT = 0, 1

_DIFF = """\
Show what changed between two schemas: types, members, constraints, unions, methods and error codes, with what
breaks C source, what breaks the wire in either direction, and what a C user has to do.

OLD and NEW are revisions, or schema files as they are published. C source means programs that use the short
names of <mcp/pinned.h>. On the wire, a value is taken to have the members that its schema names. The markdown
is a migration note; where --output names one already, its remarks are kept.

A file of no known revision is a draft: facts that no schema states, such as capabilities, are taken to be
those of the other side. Published mistakes are corrected in revisions alone, so --no-errata goes well with a
draft that still has them.

With --overlay the definitions of other files are put on NEW, with --old-overlay on OLD, as generate does it:
the revision twice shows what an overlay changes.

The exit status is 0, or 2 for input that is not understood; with --exit-code it is 1 where a change is
breaking.

example:
  %(prog)s 2025-11-25 2026-07-28
  %(prog)s 2026-07-28 draft/schema.json --format html --output changes.html
  %(prog)s 2026-07-28 2026-07-28 --overlay published/tasks/schema.json
"""
_NOTES_HELP = """\
Bring the migration notes of docs/migration up to date: one for each revision and the one before it. The text
between the marks of the remarks in a note is kept.

example:
  %(prog)s --check
"""

_GRAPH = """\
Draw the methods of a schema, what they carry, and the types that those are made of. Methods stand on the left
in families, types that several families use on the right; the image needs no other program.

REVISION is a revision, or a schema file as it is published. With --overlay the definitions of other files are
put on top of the revision.

example:
  %(prog)s 2026-07-28 --output types.svg
  %(prog)s 2025-11-25 --root tools/call --format dot
"""

_WATCH = """\
Compare a checkout of the specification repository with schema/: which published documents are new or were
edited since, what that means for C users, and what to run.

CHECKOUT is a work tree, a bare git directory, or a folder that holds <revision>/schema.json. The exit status
is 0 where every document is the one that schema/revisions.json names by its sha256, else 1.

example:
  git clone https://github.com/modelcontextprotocol/modelcontextprotocol /tmp/spec && %(prog)s /tmp/spec
"""

Adder = Callable[[str, str, str], argparse.ArgumentParser]


def add_commands(add: Adder) -> None:
    """Adds the commands to the parser."""
    command = add("diff", "show what changed between two schemas", _DIFF)
    command.add_argument("old", metavar="OLD", help="a revision, such as 2025-11-25, or a schema file")
    command.add_argument("new", metavar="NEW", help="the same, for what it became")
    add_overlay(command, "NEW")
    add_overlay(command, "OLD", "--old-overlay")
    command.add_argument("--format", choices=sorted(_FORMATS), default="text", help="(default: text)")
    command.add_argument("--output", type=Path, metavar="FILE", help="write to this file")
    command.add_argument(
        "--exit-code", action="store_true", help="exit with status 1 where a change is breaking"
    )
    command.add_argument("--no-errata", action="store_true", help="leave the published mistakes as they are")
    command.set_defaults(run=_run_diff)

    command = add("notes", "bring the migration notes up to date", _NOTES_HELP)
    command.add_argument(
        "--out",
        type=Path,
        default=_NOTES,
        metavar="DIR",
        help="folder to write to (default: docs/migration/)",
    )
    command.add_argument(
        "--check", action="store_true", help="write nothing; exit with status 1 where a note is not current"
    )
    command.set_defaults(run=_run_notes)

    command = add("watch", "compare a checkout of the specification with schema/", _WATCH)
    command.add_argument("checkout", type=Path, metavar="CHECKOUT", help="where the specification stands")
    command.add_argument(
        "--ref", default="HEAD", metavar="REF", help="a commit of a git directory (default: HEAD)"
    )
    command.set_defaults(run=_run_watch)

    command = add("graph", "draw methods and types", _GRAPH)
    command.add_argument(
        "revision", metavar="REVISION", help="a revision, such as 2025-11-25, or a schema file"
    )
    add_overlay(command, "REVISION")
    command.add_argument("--format", choices=("svg", "dot"), default="svg", help="(default: svg)")
    command.add_argument("--root", metavar="NAME", help="only what this method or type is made of")
    command.add_argument("--depth", type=_depth, metavar="N", help="only what is N steps from the root")
    command.add_argument("--output", type=Path, metavar="FILE", help="write to this file")
    command.add_argument("--no-errata", action="store_true", help="leave the published mistakes as they are")
    command.set_defaults(run=_run_graph)


def add_overlay(command: argparse.ArgumentParser, on: str, name: str = "--overlay") -> None:
    """The option of files that are put on a revision."""
    command.add_argument(
        name,
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help=f"put what this file defines on top of {on}; as often as wanted, in this order",
    )


def _depth(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("must be a number that is not negative")
    return int(text)


def _text(report: Report, options: argparse.Namespace) -> str:
    terminal = options.output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return to_text(report, colour=terminal)


def _markdown(report: Report, options: argparse.Namespace) -> str:
    output: Optional[Path] = options.output
    return to_markdown(report, remarks_of(output) if output is not None and output.is_file() else "")


_FORMATS: Dict[str, Callable[[Report, argparse.Namespace], str]] = {
    "html": lambda report, options: to_html(report),
    "json": lambda report, options: to_json(report),
    "markdown": _markdown,
    "text": _text,
}


def _run_diff(options: argparse.Namespace) -> int:
    revisions = load_revisions(_SCHEMA_DIR)
    overlays = Overlays(tuple(options.old_overlay), tuple(options.overlay))
    old, new = load_sides(options.old, options.new, revisions, not options.no_errata, overlays)
    report = compare(old, new)
    emit(_FORMATS[options.format](report, options), options.output)
    return _EXIT_DIFFERENT if options.exit_code and report.breaking else _EXIT_OK


def _run_notes(options: argparse.Namespace) -> int:
    revisions = load_revisions(_SCHEMA_DIR)
    if not options.out.is_dir():
        raise BadInput(f"{options.out}: not a folder: state one with --out")
    if options.check:
        lines = check_notes(revisions, options.out)
        if lines:
            print(f"{options.out} is not up to date:", *(f"  {line}" for line in lines), sep="\n")
            print(
                f"run: {options.program} notes" + ("" if options.out == _NOTES else f" --out {options.out}")
            )
        return _EXIT_DIFFERENT if lines else _EXIT_OK
    changed, total = write_notes(revisions, options.out)
    print(f"{options.out}: {total} files, {changed} changed")
    return _EXIT_OK


def _run_watch(options: argparse.Namespace) -> int:
    sightings = watch(load_revisions(_SCHEMA_DIR), options.checkout, options.ref)
    for sighting in sightings:
        print(*map(visible, sighting.text()), sep="\n")
    return _EXIT_DIFFERENT if any(each.state != "current" for each in sightings) else _EXIT_OK


def _run_graph(options: argparse.Namespace) -> int:
    revisions = load_revisions(_SCHEMA_DIR)
    newest = revisions.names[-1]
    side = load_side(options.revision, revisions, not options.no_errata, newest, options.overlay)
    graph = build_graph(side, options.root, options.depth)
    emit(to_svg(graph) if options.format == "svg" else to_dot(graph), options.output)
    return _EXIT_OK


def emit(text: str, output: Optional[Path]) -> None:
    """Writes to a file, or to standard output."""
    if output is None:
        sys.stdout.write(text)
        return
    try:
        output.write_text(text, "utf-8")
    except OSError as error:
        raise BadInput(f"{output}: cannot write: {error.strerror or error}") from error
