# SPDX-License-Identifier: MIT
"""Generates, compiles and judges every schema of folders and git histories.

Each distinct content is generated as a user would, by the facts of the nearest revision. It is compiled with
strict warnings, and values of each definition are judged by it and by python-jsonschema. Schemas that state
the same are judged once. The exit status is 1 where anything does not compile or differs, and 77 where there
is nothing to read.

Example:
  python3 -m tests.history --library build/test/runtime/libmcpwire.a /path/to/modelcontextprotocol.git
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from pathlib import Path

from codegen.emit import output
from codegen.emit.render import generate, generate_common_files
from codegen.errors import BadInput, Refusal
from codegen.facts.edition import Request, read_edition
from codegen.source.revisions import Revision, Revisions
from codegen.source.revisions import load as load_revisions
from codegen.source.structure import without_annotations
from tests.history import build, judge
from tests.history.sources import Schema, read

SKIPPED = 77
FIRST_DAY = date(1000, 1, 1)  # names of revisions that none will ever have
SHOWN = 20


@dataclass(frozen=True)
class Outcome:
    """The fate of one schema: refusals, or the compiler's messages, or nothing."""

    schema: Schema
    revision: str
    refused: tuple[str, ...] = ()
    warned: str = ""


def make(schema: Schema, revision: str, out: Path, compiler: str) -> Outcome:
    """Generates and compiles one schema."""
    path = out / "in" / revision / "schema.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(schema.data)
    revisions = load_revisions(build.ROOT / "schema")
    try:
        edition = read_edition(revisions, Request(revision, path, errata=False))
        files = generate(edition.document, edition.facts).files
    except Refusal as refusal:
        lines = [f"{each.pointer or '/'}: {each.cause}" for each in refusal.all]
        return Outcome(schema, revision, tuple(lines))
    except BadInput as error:
        return Outcome(schema, revision, (str(error).replace(str(path), "").lstrip(": "),))
    output.write(out, files, [revision])
    return Outcome(schema, revision, warned=build.compile_revision(compiler, out, revision))


def statement(data: bytes) -> str:
    """The statement of a schema, whatever its prose: the same text for those that state the same."""
    text = json.dumps(without_annotations(json.loads(data)), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _judge(driver: str, count: int, outcome: Outcome) -> tuple[Outcome, judge.Verdicts]:
    return outcome, judge.judge(driver, outcome.revision, outcome.schema.data, count, "1")


def print_grouped(title: str, rows: list[tuple[str, str]]) -> None:
    """Rows of (what, which schema), the most frequent first, each with one schema as its example."""
    found: dict[str, list[str]] = defaultdict(list)
    for what, name in rows:
        found[what].append(name)
    print(f"{title}: {len({name for _, name in rows})}")
    for what, names in sorted(found.items(), key=lambda item: -len(item[1])):
        print(f"  {len(names):4}  {what}\n        such as {names[0]}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="history", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", nargs="*", help="a folder of schemas, or a git repository")
    parser.add_argument("--library", type=Path, help="libmcpwire.a; without it no values are judged")
    parser.add_argument("--pcre2", type=Path, help="libmcpwire-pcre2.a, for schemas that have patterns")
    parser.add_argument("--none-refused", action="store_true", help="a refusal fails, too")
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--count", type=int, default=6, help="values of each definition (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (%(default)s)")
    return parser.parse_args()


def main() -> int:
    options = _arguments()
    missing = [source for source in options.source or [""] if not source or not Path(source).is_dir()]
    if missing:
        print(f'skipped: there is no "{missing[0]}": MCP_SPEC_HISTORY names a clone of the specification')
        return SKIPPED
    started = time.monotonic()
    schemas = {schema.data: schema for source in options.source for schema in read(source)}
    places = sum(schema.places for schema in schemas.values())
    print(f"{places} schemas, {len(schemas)} distinct", flush=True)
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(options.jobs) as pool:
        out = Path(folder)
        names = [str(FIRST_DAY + timedelta(days=number)) for number in range(len(schemas))]
        _write_common(out, names)
        work = partial(make, out=out, compiler=options.compiler)
        outcomes = list(pool.map(work, schemas.values(), names))
        good = report(outcomes)
        failed = any(each.warned or (each.refused and options.none_refused) for each in outcomes)
        if options.library is not None and good:
            driver = link(options, out, good)
            found = list(pool.map(partial(_judge, str(driver), options.count), good))
            failed = report_verdicts(found) or failed
    print(f"{time.monotonic() - started:.0f} s")
    return 1 if failed else 0


def report(outcomes: list[Outcome]) -> list[Outcome]:
    """Prints what was refused and what does not compile; returns the others, one for each statement."""
    refused = [(_first(each.refused), each.schema.name) for each in outcomes if each.refused]
    warned = [(each.warned.splitlines()[0], each.schema.name) for each in outcomes if each.warned]
    fine = [each for each in outcomes if not each.refused and not each.warned]
    print(f"generated: {sum(not each.refused for each in outcomes)}")
    print_grouped("refused", refused)
    print(f"compiled without a warning: {len(fine)}")
    print_grouped("not compiled", warned)
    distinct = {statement(each.schema.data): each for each in fine}
    print(f"distinct statements: {len(distinct)}", flush=True)
    return list(distinct.values())


def _first(lines: tuple[str, ...]) -> str:
    return lines[0] if len(lines) == 1 else f"{lines[0]} (and {len(lines) - 1} more)"


def link(options: argparse.Namespace, out: Path, good: list[Outcome]) -> Path:
    """The driver for all that compiles."""
    names = [outcome.revision for outcome in good]
    _write_common(out, names)
    libraries = [each.resolve() for each in (options.pcre2, options.library) if each is not None]
    return build.link_driver(options.compiler, out, names, libraries)


def _write_common(out: Path, names: list[str]) -> None:
    rows = tuple(Revision(name, "", "", "draft", order) for order, name in enumerate(names, 1))
    output.write(out, generate_common_files(Revisions(names[-1], rows, out)), [])


def report_verdicts(found: list[tuple[Outcome, judge.Verdicts]]) -> bool:
    """Prints the differences; whether there are any."""
    values = sum(verdicts.values for _, verdicts in found)
    valid = sum(verdicts.valid for _, verdicts in found)
    unjudged = [(verdicts.unjudged, each.schema.name) for each, verdicts in found if verdicts.unjudged]
    differences = [(each.schema.name, line) for each, verdicts in found for line in verdicts.differences]
    print_grouped("not judged", unjudged)
    print(f"values: {values}, {100 * valid / max(1, values):.0f} % valid, {len(differences)} differences")
    for name, line in differences[:SHOWN]:
        print(f"  {name}\n    {line}")
    return bool(differences)


if __name__ == "__main__":
    sys.exit(main())
