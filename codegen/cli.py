# SPDX-License-Identifier: MIT
"""The command line: `python3 -m codegen generate | verify | list | diff | notes | watch | graph`."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Dict, List, Optional, Sequence, Tuple, Type

from codegen import __version__
from codegen.add import add
from codegen.emit import output
from codegen.errors import BadInput, Note, Refusal
from codegen.facts.edition import NOBODY, Edition, Request, find_listed, read_edition
from codegen.facts.overlaid import Overlaid, read_overlaid
from codegen.report import commands as reading
from codegen.report import counts
from codegen.report.diff.notes import write_notes
from codegen.report.verify import verify
from codegen.source.overlay import read_overlay
from codegen.source.revisions import FILE_NAME as REVISIONS_FILE
from codegen.source.revisions import Revisions, is_revision_name
from codegen.source.revisions import load as load_revisions

if TYPE_CHECKING:
    from codegen.emit.render import Below, Generated

_ROOT = Path(__file__).resolve().parent.parent
_SCHEMA_DIR = _ROOT / "schema"
_OUT = _ROOT / "generated"
_NOTES = _ROOT / "docs" / "migration"
_COMMAND = "python3 -m codegen"
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

_EXIT_OK, _EXIT_DIFFERENT, _EXIT_BAD_INPUT = 0, 1, 2

_GENERATE = """\
Generate the C bindings: types, tables and functions of one revision or of all.

Without options all revisions of schema/ go into generated/. Files that are up to date are not touched;
those left over from an earlier generation are removed. When anything in a schema is not understood, nothing
is written and one line for each place says where: FILE: /json/pointer: cause.

What is known by hand about the nearest revision holds for a schema of --schema too, wherever it has the same
shape. The output names that revision, and warnings list what does not fit.

With --overlay the revision of --revision is generated with the definitions of other files on top: those that
schema/overlays/ holds, yours, or the schema of an extension as it is published. The result is a revision of
its own, such as 2026-07-28-tasks, which uses the types of the one below wherever they say the same.

example:
  %(prog)s --check
  %(prog)s --revision 2026-07-28 --overlay published/tasks/schema.json --out /tmp/bindings
  %(prog)s --schema published/2025-11-25/schema.json --out /tmp/bindings
"""
_VERIFY = """\
Prove that every document of schema/ states the same as the published one.

Each published file must be the one that schema/revisions.json names by its sha256. Keywords without a say
in what is valid are left out: title, description, default, examples, deprecated, readOnly, writeOnly and
$comment. So is the order of members, of definitions, and of values in required, enum and type. The
corrections of schema/errata/ are listed apart, each with the published value that it replaces.

example:
  %(prog)s --published ../specification/schema
"""
_ADD = """\
Add a revision: schema/REVISION/schema.json, which stands there already, gets a row in schema/revisions.json,
and the bindings of all revisions and the migration notes are generated anew.

What is known by hand about the nearest older revision, or the one that --like names, holds for it wherever it
has the same shape; warnings list what does not fit, and where to state what holds instead.

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
    options = _parser(program, out).parse_args(arguments)
    try:
        status: int = options.run(options)
    except (Refusal, BadInput) as error:
        for each in error.all if isinstance(error, Refusal) else (error,):
            print(_one_line(str(each)), file=sys.stderr)
        return _EXIT_BAD_INPUT
    return status


def _forget_output() -> None:
    """Nothing more is written to standard output, not even what Python still holds for it."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"


def _parser(program: str, out: Path) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program, description="Generate C bindings for the Model Context Protocol."
    )
    parser.set_defaults(program=program, default_out=out)
    parser.add_argument("--version", action="version", version=f"mcpwire codegen {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_generate(commands, out)

    command = _add_command(commands, "verify", "compare schema/ with the published documents", _VERIFY)
    command.add_argument(
        "--published",
        type=Path,
        required=True,
        metavar="DIR",
        help="folder that holds <revision>/schema.json for every revision",
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
    reading.add_commands(partial(_add_command, commands))
    return parser


def _add_generate(commands: argparse._SubParsersAction[argparse.ArgumentParser], out: Path) -> None:
    command = _add_command(commands, "generate", "generate the C bindings", _GENERATE)
    which = command.add_mutually_exclusive_group()
    which.add_argument("--revision", metavar="R", help="this revision only, such as 2025-11-25")
    which.add_argument("--all", action="store_true", help="all revisions (the default)")
    command.add_argument(
        "--schema",
        type=Path,
        metavar="FILE",
        help="read this schema.json, as published, instead of one of schema/; its revision is --revision, or "
        "else the name of its folder",
    )
    command.add_argument(
        "--like",
        metavar="R",
        help="with --schema: what is known by hand about revision R (unions, methods, errata, strict values) "
        f"holds for this one wherever it has the same shape; {NOBODY}: that of no revision (default: that of "
        "the nearest, which is named)",
    )
    command.add_argument(
        "--overlay",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="put what this file defines on top of the revision; as often as wanted, in this order",
    )
    command.add_argument(
        "--facts",
        type=Path,
        default=_SCHEMA_DIR,
        metavar="DIR",
        help="folder with the files that state what no schema does, such as unions.json (default: schema/)",
    )
    command.add_argument(
        "--out", type=Path, default=out, metavar="DIR", help="folder to write to (default: generated/)"
    )
    command.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit with status 1 and list the files that are not as they would be generated",
    )
    command.add_argument("--no-errata", action="store_true", help="leave the published mistakes as they are")
    command.set_defaults(run=_run_generate)


def _add_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, summary_line: str, text: str
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name, help=summary_line, description=text, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def _run_generate(options: argparse.Namespace) -> int:
    revisions = load_revisions(_SCHEMA_DIR)
    if options.overlay:
        overlaid = _overlaid(options, revisions)
        editions = [overlaid.edition]
        files, notes = render_overlaid(overlaid)
    else:
        editions = [read_edition(revisions, request) for request in _requests(options, revisions)]
        files, notes = render_all(editions, revisions, with_common=options.schema is None)
    return _deliver(options, editions, files, notes)


def _deliver(
    options: argparse.Namespace, editions: Sequence[Edition], files: Dict[str, str], notes: Sequence[Note]
) -> int:
    """Writes the files, or says which of them are not as they would be written."""
    names = [edition.document.revision for edition in editions]
    out: Path = options.out
    if out.exists() and not out.is_dir():
        raise BadInput(f"{out}: cannot write: not a folder")
    if options.check:
        lines = output.differing(out, files, names)
        if lines:
            print(f"{out} is not up to date:", *(f"  {line}" for line in lines), sep="\n")
            print(f"run: {_command_for(options)}")
        return _EXIT_DIFFERENT if lines else _EXIT_OK
    _show(editions, notes)
    changed = output.write(out, files, names)
    print(f"{out}: {len(files)} files, {len(changed)} changed")
    return _EXIT_OK


def _show(editions: Sequence[Edition], notes: Sequence[Note]) -> None:
    """Says whose facts hold, and what a user has to know."""
    for edition in editions:
        if edition.kin.names:
            print(f"{edition.document.revision}: {edition.kin}")
    for note in notes:
        print(_one_line(str(note)), file=sys.stderr)


def _one_line(text: str) -> str:
    """The text without what would end a line or command a terminal."""
    return _CONTROL.sub(_escaped, text)


def _requests(options: argparse.Namespace, revisions: Revisions) -> List[Request]:
    schema: Optional[Path] = options.schema
    if schema is not None and options.all:
        raise BadInput("--schema reads one document: it does not go with --all")
    if options.like and schema is None:
        raise BadInput("--like is about the document that --schema names")
    if not options.facts.is_dir():
        raise BadInput(f"{options.facts}: there is no such folder")
    if schema is not None:
        name = schema.resolve().parent.name if options.revision is None else options.revision
        if not is_revision_name(name):
            cause = "the revision must be a date of the form YYYY-MM-DD"
            raise BadInput(f'"{name}" is no revision: {cause}; state it with --revision')
        return [Request(name, schema, options.like, not options.no_errata, options.facts)]
    names = revisions.names if options.revision is None else [revisions.find(options.revision).name]
    return [
        Request(name, revisions.schema_file(name), None, not options.no_errata, options.facts)
        for name in names
    ]


def _renderer() -> Tuple[Callable[..., Generated], Callable[[Revisions], Dict[str, str]], Type[Below]]:
    """What writes the files; commands that only read do without Jinja2."""
    try:
        from codegen.emit.render import Below, generate, generate_common_files
    except ModuleNotFoundError as error:
        if error.name != "jinja2":
            raise
        raise BadInput("Python's jinja2 is missing: install the package python3-jinja2") from error
    return generate, generate_common_files, Below


def _overlaid(options: argparse.Namespace, revisions: Revisions) -> Overlaid:
    if options.schema is not None or options.all:
        raise BadInput("--overlay is put on a revision of schema/: it goes with --revision alone")
    if options.like:
        raise BadInput("--like is about the document that --schema names")
    if not options.facts.is_dir():
        raise BadInput(f"{options.facts}: there is no such folder")
    first = read_overlay(options.overlay[0], options.facts, options.revision)
    name = first.revision
    if name not in revisions.names:
        cause = f'unknown revision "{name}"; known are {", ".join(revisions.names)}'
        raise BadInput(cause) if name == options.revision else Refusal(first.file, "/revision", cause)
    rest = [read_overlay(path, options.facts, name) for path in options.overlay[1:]]
    request = Request(name, revisions.schema_file(name), None, not options.no_errata, options.facts)
    return read_overlaid(revisions, request, [first, *rest])


def render_overlaid(overlaid: Overlaid) -> Tuple[Dict[str, str], Tuple[Note, ...]]:
    """The files of a revision with overlays on top."""
    edition, below = overlaid.edition, overlaid.below
    generate, _, below_of = _renderer()
    try:
        made = generate(edition.document, edition.facts, below_of(below.document, below.facts))
    except Refusal as refusal:
        raise overlaid.laid.blame(refusal) from refusal
    return made.files, edition.notes + made.notes


def render_all(
    editions: Sequence[Edition], revisions: Revisions, with_common: bool
) -> Tuple[Dict[str, str], Tuple[Note, ...]]:
    """All files, in memory: a refusal of any document comes before the first file is written."""
    generate, generate_common_files, _ = _renderer()
    files: Dict[str, str] = {}
    notes: Tuple[Note, ...] = ()
    for edition in editions:
        made = generate(edition.document, edition.facts)
        files.update(made.files)
        notes += edition.notes + made.notes
    if with_common:
        files.update(generate_common_files(revisions))
    return files, notes


def _command_for(options: argparse.Namespace) -> str:
    """The command that does what this one checked."""
    words = [f"{options.program} generate"]
    words += [f"--overlay {path}" for path in options.overlay]
    if options.schema is not None:
        words.append(f"--schema {options.schema}")
    if options.revision:
        words.append(f"--revision {options.revision}")
    if options.like:
        words.append(f"--like {options.like}")
    if options.facts != _SCHEMA_DIR:
        words.append(f"--facts {options.facts}")
    if options.out != options.default_out:
        words.append(f"--out {options.out}")
    if options.no_errata:
        words.append("--no-errata")
    return " ".join(words)


def _run_add(options: argparse.Namespace) -> int:
    if not _OUT.is_dir():
        raise BadInput(f"{_OUT}: there is no such folder: revisions are added in mcpwire's source tree")
    status = "released" if options.released else "draft"
    added = add(_SCHEMA_DIR, options.revision, options.like, status)
    files, notes = render_all(added.all, added.revisions, with_common=True)
    output.write(_SCHEMA_DIR, {REVISIONS_FILE: added.list_text}, [])
    _show([added.edition], notes)
    changed = output.write(_OUT, files, added.revisions.names)
    print(f"{_OUT}: {len(files)} files, {len(changed)} changed")
    if _NOTES.is_dir():
        written, total = write_notes(added.revisions, _NOTES)
        print(f"{_NOTES}: {total} files, {written} changed")
    return _EXIT_OK


def _run_verify(options: argparse.Namespace) -> int:
    findings = verify(load_revisions(_SCHEMA_DIR), options.published)
    for finding in findings:
        print(*finding.lines(), sep="\n")
    return _EXIT_DIFFERENT if any(finding.errors for finding in findings) else _EXIT_OK


def _run_list(options: argparse.Namespace) -> int:
    del options
    revisions = load_revisions(_SCHEMA_DIR)
    for revision in revisions.all:
        name = revision.name
        edition = find_listed(revisions, name)
        found = counts.count(edition.document)
        pin = "  pin" if name == revisions.default_pin else ""
        like = f"  {edition.kin}" if edition.kin.names else ""
        print(
            f"{name}  {revision.status:8}  {found.definitions:3} definitions  {found.members:4} members  "
            f"{found.methods:2} methods{pin}{like}"
        )
    return _EXIT_OK
