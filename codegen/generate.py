# SPDX-License-Identifier: MIT
"""The command `generate`, which writes the bindings."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Dict, List, Optional, Sequence, Tuple, Type

from codegen.emit import output
from codegen.errors import BadInput, Note, Refusal, visible
from codegen.facts.edition import NOBODY, Edition, Request, read_edition
from codegen.facts.overlaid import Overlaid, find_overlaid
from codegen.plan.revision_plan import PATTERNS
from codegen.source.mended import MendedNote
from codegen.source.revisions import Revisions, is_revision_name
from codegen.source.revisions import load as load_revisions

if TYPE_CHECKING:
    from codegen.emit.render import Below, Generated

_ROOT = Path(__file__).resolve().parent.parent
_SCHEMA_DIR = _ROOT / "schema"
_OUT = _ROOT / "generated"
_INSTALLED = not (_ROOT / "runtime").is_dir()
"""Nobody edits the files of an installed package."""

_EXIT_OK, _EXIT_DIFFERENT = 0, 1

_GENERATE = """\
Generate the C bindings: types, tables and functions of one revision or of all.

Without options all revisions of schema/ go into generated/. Files that are up to date are not touched;
those left over from an earlier generation are removed. When anything in a schema is not understood, nothing
is written and one line for each place says where: FILE: /json/pointer: cause.

Facts that are stated by hand for the nearest revision hold for a schema of --schema too, wherever it has the
same shape. The output names that revision, and warnings list what does not fit.

With --only a part is generated, for programs that have no room for the rest: what these methods and types
reach. A method stands for its message and its results, a type for itself.

With --overlay the revision of --revision is generated with the definitions of other files on top: those that
schema/overlays/ holds, yours, or the schema of an extension as it is published. The result is a revision of
its own, such as 2026-07-28-tasks, which uses the types of the one below wherever they say the same.

example:
  %(prog)s --check
  %(prog)s --revision 2026-07-28 --overlay published/tasks/schema.json --out /tmp/bindings
  %(prog)s --schema published/2025-11-25/schema.json --out /tmp/bindings
  %(prog)s --revision 2026-07-28 --only tools/call,Tool --out /tmp/bindings
"""


def add_command(add: Callable[[str, str, str], argparse.ArgumentParser], out: Path) -> None:
    """Adds the command to those of the program, whose default folder is `out`."""
    command = add("generate", "generate the C bindings", _GENERATE)
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
        "--only",
        type=_names,
        default=(),
        metavar="METHOD,TYPE",
        help="leave out of the one revision all that these methods and types do not reach",
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
    command.add_argument(
        "--patterns-linked", action="store_true", help="the program links PCRE2's part: no warning about it"
    )
    command.add_argument("--no-errata", action="store_true", help="leave the published mistakes as they are")
    command.add_argument(
        "--strict",
        action="store_true",
        help="refuse references that lead nowhere at the root, though a definition around them has that name",
    )
    command.set_defaults(run=_run_generate)


def _names(text: str) -> Tuple[str, ...]:
    """The names in a list, each once."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _run_generate(options: argparse.Namespace) -> int:
    revisions = load_revisions(_SCHEMA_DIR)
    _check_only(options)
    if options.overlay:
        overlaid = _overlaid(options, revisions)
        editions = [overlaid.edition]
        files, notes = render_overlaid(overlaid, options.only)
    else:
        editions = [read_edition(revisions, request) for request in _requests(options, revisions)]
        with_common = options.schema is None
        files, notes = render_all(editions, revisions, with_common, options.only)
    return _deliver(options, editions, files, notes)


def _check_only(options: argparse.Namespace) -> None:
    if not options.only:
        return
    if options.revision is None and options.schema is None and not options.overlay:
        raise BadInput("--only is about one revision: it goes with --revision, --schema or --overlay")
    if options.out.resolve() == _OUT:
        raise BadInput(f"--only would leave out what others need of {_OUT}: name another folder with --out")


def _deliver(
    options: argparse.Namespace, editions: Sequence[Edition], files: Dict[str, str], notes: Sequence[Note]
) -> int:
    """Writes the files, or says which of them are not as they would be written."""
    if options.strict:
        _refuse_mended(notes)
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
    show(editions, [note for note in notes if not (options.patterns_linked and note.text == PATTERNS)])
    changed = output.write(out, files, names)
    print(f"{out}: {len(files)} files, {len(changed)} changed")
    return _EXIT_OK


def _refuse_mended(notes: Sequence[Note]) -> None:
    found = [Refusal(note.file, note.pointer, note.text) for note in notes if isinstance(note, MendedNote)]
    if found:
        raise Refusal.of_all(found)


def show(editions: Sequence[Edition], notes: Sequence[Note]) -> None:
    """Says whose facts hold, and what a user has to know."""
    for edition in editions:
        if edition.base.names:
            print(visible(f"{edition.document.revision}: {edition.base}"))
    for note in notes:
        print(visible(str(note)), file=sys.stderr)
    if _INSTALLED and any(Path(note.file).is_relative_to(_SCHEMA_DIR) for note in notes):
        how = f"state such facts in a copy of {_SCHEMA_DIR}, which --facts names (FACTS of mcpwire_generate)"
        print(visible(how), file=sys.stderr)


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
    """The writer of the files; commands that only read work without Jinja2."""
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
    return find_overlaid(revisions, options.overlay, options.revision, not options.no_errata, options.facts)


def render_overlaid(overlaid: Overlaid, only: Sequence[str] = ()) -> Tuple[Dict[str, str], Tuple[Note, ...]]:
    """The files of a revision with overlays on top."""
    edition, below = overlaid.edition, overlaid.below
    generate, _, below_of = _renderer()
    try:
        made = generate(edition.document, edition.facts, below_of(below.document, below.facts), only)
    except Refusal as refusal:
        raise overlaid.laid.blame(refusal) from refusal
    return made.files, edition.notes + made.notes


def render_all(
    editions: Sequence[Edition], revisions: Revisions, with_common: bool, only: Sequence[str] = ()
) -> Tuple[Dict[str, str], Tuple[Note, ...]]:
    """All files, in memory: a refusal of any document comes before the first file is written."""
    generate, generate_common_files, _ = _renderer()
    files: Dict[str, str] = {}
    notes: Tuple[Note, ...] = ()
    for edition in editions:
        made = generate(edition.document, edition.facts, only=only)
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
    if options.only:
        words.append(f"--only {','.join(options.only)}")
    if options.facts != _SCHEMA_DIR:
        words.append(f"--facts {options.facts}")
    if options.out != options.default_out:
        words.append(f"--out {options.out}")
    if options.no_errata:
        words.append("--no-errata")
    if options.strict:
        words.append("--strict")
    return " ".join(words)
