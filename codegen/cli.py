# SPDX-License-Identifier: MIT
"""The command line: `python3 -m codegen generate | types | verify | list | diff | notes | watch | graph`."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from functools import partial
from pathlib import Path
from typing import Optional, Sequence

from codegen import __version__
from codegen.add import add
from codegen.emit import output
from codegen.errors import BadInput, Refusal, visible
from codegen.facts.edition import find_listed
from codegen.from_typescript import add_command as add_from_typescript
from codegen.generate import add_command as add_generate
from codegen.generate import render_all, show
from codegen.report import commands as reading
from codegen.report import counts
from codegen.report.diff.notes import write_notes
from codegen.report.verify import verify
from codegen.report.verify_overlay import verify_overlay
from codegen.source.revisions import FILE_NAME as REVISIONS_FILE
from codegen.source.revisions import load as load_revisions
from codegen.types import add_command as add_types

_ROOT = Path(__file__).resolve().parent.parent
_SCHEMA_DIR = _ROOT / "schema"
_OUT = _ROOT / "generated"
_NOTES = _ROOT / "docs" / "migration"
_COMMAND = "python3 -m codegen"

_EXIT_OK, _EXIT_DIFFERENT, _EXIT_BAD_INPUT = 0, 1, 2

_VERIFY = """\
Prove that every document of schema/ states the same as the published one.

Each published file must be the one that schema/revisions.json names by its sha256. Keywords without a say
in what is valid are left out: title, description, default, examples, deprecated, readOnly, writeOnly,
contentEncoding, contentMediaType, contentSchema and $comment. So is the order of members, of definitions,
and of values in required, enum and type. The corrections of schema/errata/ are listed apart, each with the
published value that it replaces.

With --overlay the published schema of an extension is compared with what schema/overlays/ states of it: both
must take the same values, for every definition and every method.

example:
  %(prog)s --published ../specification/schema
  %(prog)s --overlay ../ext-tasks/schema/tasks/schema.json
"""
_ADD = """\
Add a revision: schema/REVISION/schema.json, which stands there already, gets a row in schema/revisions.json,
and the bindings of all revisions and the migration notes are generated again.

Facts that are stated by hand for the nearest older revision, or the one that --like names, hold for it
wherever it has the same shape; warnings list the others, and where to state new ones.

example:
  %(prog)s 2027-01-15
"""
_LIST = """\
List the revisions: status, the number of definitions, members and methods, and which one is the pin.

example:
  %(prog)s
"""


def main(arguments: Optional[Sequence[str]] = None, program: str = _COMMAND, out: Path = _OUT) -> int:
    """Runs one command and returns the exit status. The installed program has a name and a default folder of
    its own."""
    if sys.stdout is None:  # closed by whoever started this
        sys.stdout = io.StringIO()
    try:
        try:
            status = _run(arguments, program, out)
        finally:  # --help and --version leave by an exception
            sys.stdout.flush()
    except OSError as error:  # those of files that the user named are BadInput
        _forget_output()
        if not isinstance(error, BrokenPipeError):
            what = "cannot write to standard output" if error.filename is None else error.filename
            print(f"{what}: {error.strerror or error}", file=sys.stderr)
        return _EXIT_BAD_INPUT
    return status


def _run(arguments: Optional[Sequence[str]], program: str, out: Path) -> int:
    options = parser_of(program, out).parse_args(arguments)
    try:
        status: int = options.run(options)
    except (Refusal, BadInput) as error:
        for each in error.all:
            print(visible(str(each)), file=sys.stderr)
        return _EXIT_BAD_INPUT
    return status


def _forget_output() -> None:
    """Nothing more is written to standard output, not even what Python still holds for it."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser_of(program: str, out: Path) -> argparse.ArgumentParser:
    """All commands with their arguments."""
    parser = argparse.ArgumentParser(
        prog=program, description="Generate C bindings for the Model Context Protocol."
    )
    parser.set_defaults(program=program, default_out=out)
    parser.add_argument("--version", action="version", version=f"mcpwire codegen {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_generate(partial(_add_command, commands), out)

    command = _add_command(commands, "verify", "compare schema/ with the published documents", _VERIFY)
    command.add_argument(
        "--published",
        type=Path,
        metavar="DIR",
        help="folder that holds <revision>/schema.json for every revision",
    )
    command.add_argument(
        "--overlay",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="the schema of an extension as it is published, in a folder of its name; as often as wanted",
    )
    command.set_defaults(run=_run_verify)

    command = _add_command(commands, "add", "add a revision whose schema stands in schema/", _ADD)
    command.add_argument("revision", metavar="REVISION", help="its date, such as 2027-01-15")
    command.add_argument(
        "--like", metavar="R", help="the revision that it is like (default: the nearest older)"
    )
    command.add_argument(
        "--released", action="store_true", help="it is released; without this it is listed as a draft"
    )
    command.set_defaults(run=_run_add)

    command = _add_command(commands, "list", "list the revisions", _LIST)
    command.set_defaults(run=_run_list)
    add_types(partial(_add_command, commands))
    add_from_typescript(partial(_add_command, commands))
    reading.add_commands(partial(_add_command, commands))
    return parser


def _add_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, summary_line: str, text: str
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name, help=summary_line, description=text, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def _run_add(options: argparse.Namespace) -> int:
    if not _OUT.is_dir():
        raise BadInput(f"{_OUT}: there is no such folder: revisions are added in mcpwire's source tree")
    status = "released" if options.released else "draft"
    added = add(_SCHEMA_DIR, options.revision, options.like, status)
    files, notes = render_all(added.all, added.revisions, with_common=True)
    output.write(_SCHEMA_DIR, {REVISIONS_FILE: added.list_text}, [])
    show([added.edition], notes)
    changed = output.write(_OUT, files, added.revisions.names)
    print(f"{_OUT}: {len(files)} files, {len(changed)} changed")
    if _NOTES.is_dir():
        written, total = write_notes(added.revisions, _NOTES)
        print(f"{_NOTES}: {total} files, {written} changed")
    return _EXIT_OK


def _run_verify(options: argparse.Namespace) -> int:
    revisions = load_revisions(_SCHEMA_DIR)
    if options.published is None and not options.overlay:
        raise BadInput("what is published? state it with --published or --overlay")
    findings = [] if options.published is None else verify(revisions, options.published)
    for path in options.overlay:
        findings += verify_overlay(revisions, path)
    for finding in findings:
        print(*map(visible, finding.lines()), sep="\n")
    return _EXIT_DIFFERENT if any(finding.errors for finding in findings) else _EXIT_OK


def _run_list(options: argparse.Namespace) -> int:
    del options
    revisions = load_revisions(_SCHEMA_DIR)
    for revision in revisions.all:
        name = revision.name
        edition = find_listed(revisions, name)
        found = counts.count(edition.document)
        pin = "  pin" if name == revisions.default_pin else ""
        like = f"  {edition.base}" if edition.base.names else ""
        print(
            f"{name}  {revision.status:8}  {found.definitions:3} definitions  {found.members:4} members  "
            f"{found.methods:2} methods{pin}{like}"
        )
    return _EXIT_OK
