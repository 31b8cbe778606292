# SPDX-License-Identifier: MIT
"""The command `from-typescript`, which makes a schema of the types in a TypeScript file."""

from __future__ import annotations

import argparse
import json
import sys
from decimal import Decimal
from pathlib import Path
from typing import Callable, Optional

from codegen.errors import BadInput, visible
from codegen.report.commands import emit
from codegen.source.dialects import DIALECTS
from codegen.source.typescript import FOLDER_VARIABLE, PACKAGE, VERSION, find_tool, read_typescript

_NEWEST = DIALECTS[-1]
_CHOICES = {each.name: each for each in DIALECTS if each.name in ("draft-07", _NEWEST.name)}
"""The dialects that the specification's build writes."""

_TEXT = f"""\
Make a JSON Schema of the types in a TypeScript file: of an extension, a proposal or a draft that is published
as schema.ts alone. generate, diff, --overlay and types take it as any schema.

Node runs {PACKAGE} with the options of the specification's own build. It is installed once, and nothing is
fetched later:

  npm install --ignore-scripts --prefix DIR {PACKAGE}@{VERSION}

It is looked for in the folder of --node-modules, else in that of the environment variable
{FOLDER_VARIABLE}, else by the program {PACKAGE} on PATH. Nothing of the file is run, though
files that it imports are read.

Members are in the order in which the file declares them. If all types are in one namespace, its name is left
out of theirs. The options of the specification's build leave null out of a type such as
"string | null": a warning names each place. A comment with @nullable keeps it, and so does
--strict-null-checks.

A file that does not compile is refused; each line says where: FILE:LINE:COLUMN: cause.

example:
  %(prog)s acme/schema.ts --output acme/schema.json
"""


def add_command(add: Callable[[str, str, str], argparse.ArgumentParser]) -> None:
    """Adds the command to a parser; `add` takes its name, its line in the list and its text."""
    command = add("from-typescript", "make a schema of a TypeScript file", _TEXT)
    command.add_argument("file", type=Path, metavar="FILE", help="the TypeScript file, such as schema.ts")
    command.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write to this file (default: standard output)"
    )
    command.add_argument(
        "--node-modules", type=Path, metavar="DIR", help=f"the folder in which {PACKAGE} is installed"
    )
    command.add_argument(
        "--dialect",
        choices=sorted(_CHOICES),
        default=_NEWEST.name,
        help=f"that of the schema (default: {_NEWEST.name}, as from 2025-11-25 on)",
    )
    command.add_argument(
        "--strict-null-checks", action="store_true", help="keep null in types that may be null"
    )
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    file: Path = options.file
    output: Optional[Path] = options.output
    tool = find_tool(options.node_modules)
    made = read_typescript(file, tool, _CHOICES[options.dialect], options.strict_null_checks)
    if output is not None and output.exists() and output.samefile(file):
        raise BadInput(f"{output}: this is the file that is read: name another one for the schema")
    for line in made.warnings:
        print(visible(line), file=sys.stderr)
    emit(json.dumps(made.document, indent=2, ensure_ascii=False, default=_number) + "\n", output)
    return 0


def _number(value: object) -> float:
    """A number of the tool, which has no others."""
    if not isinstance(value, Decimal):
        raise TypeError(value)
    return float(value)
