# SPDX-License-Identifier: MIT
"""`types`: C types from a program's own JSON Schemas."""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Dict, Mapping, Optional, Sequence, Tuple

from codegen import strangers
from codegen.emit import output
from codegen.errors import BadInput, Note, Refusal, visible
from codegen.facts.facts import Facts, UnionFact
from codegen.facts.load import read_unions
from codegen.facts.places import FactFile
from codegen.model.load import TOO_DEEP, Raw, build_document
from codegen.model.nodes import Document
from codegen.model.walk import reachable, reference_map
from codegen.plan import names
from codegen.plan.revision_plan import PATTERNS, plan_document
from codegen.source.jsonfile import read_bytes
from codegen.source.plain import Plain, compact, gather, read_plain
from codegen.source.tools import Tool, read_list, read_tool

if TYPE_CHECKING:
    from codegen.emit.plain_file import ToolText
    from codegen.plan.cplan import Plan

_PREFIX = re.compile(r"[a-z][a-z0-9_]*")
_MOST_FILES = 2
_TOOL = re.compile(r"[A-Za-z0-9_.-]{1,128}")

_TYPES = """\
Generate C types from JSON Schemas of your own: those of a tool's arguments and results, of a configuration
file, of any JSON that a program reads or writes.

Each FILE holds one schema, as it is: without $schema it is one of 2020-12. PREFIX.h gets a struct for it and
for each of its definitions, functions that read, write, check, copy and compare them, and the text of the
schema as a constant; PREFIX.c their tables. A type is named after the prefix and its file: app_weather of
weather.json, or after the schema's title, where the file is called schema.json, input.json or output.json.
Both are built with a program that links mcpwire::mcpwire.

With --tool the files are the schema of a tool's arguments and, if there is a second, that of its structured
content; or there is one file that describes the tool as tools/list does: name, description, inputSchema,
outputSchema, annotations and so on. The types are then PREFIX_TOOL_input and PREFIX_TOOL_output, or without
a prefix TOOL_input and TOOL_output; PREFIX_TOOL is the function that you write, and PREFIX_TOOL_tool what a
server adds.

With --client the one file is a list of tools as a server prints it (mcpwire call --json -- SERVER). For each
of them there is PREFIX_TOOL_call, which calls it with a struct, PREFIX_TOOL_args, and reads the structured
content that the tool answers with into another, PREFIX_TOOL_result. Somebody else wrote that list: keywords
that JSON Schema does not know are ignored, a tool that no struct can be made for is left out, and a warning
says which and why.

When anything in a schema of your own is not understood, nothing is written, and one line for each place says
where: FILE: /json/pointer: cause.

example:
  %(prog)s --prefix app --out build weather.json settings.json
  %(prog)s --tool get_weather weather.json forecast.json
  %(prog)s --client github list.json
"""


def add_command(add: Callable[[str, str, str], argparse.ArgumentParser]) -> None:
    """Adds the command to a parser; `add` takes its name, its line in the list and its text."""
    command = add("types", "generate C types from JSON Schemas of your own", _TYPES)
    command.add_argument("files", type=Path, nargs="+", metavar="FILE", help="a JSON Schema")
    which = command.add_mutually_exclusive_group()
    which.add_argument(
        "--client", metavar="NAME", help="the file lists the tools of a server; their names begin so"
    )
    which.add_argument("--prefix", metavar="NAME", help="what all C names begin with, such as app")
    command.add_argument("--tool", metavar="TOOL", help="the files are the schemas of this tool")
    command.add_argument(
        "--strict", action="store_true", help="with --client: refuse a list that has anything to warn of"
    )
    command.add_argument(
        "--patterns-linked", action="store_true", help="the program links PCRE2's part: no warning about it"
    )
    command.add_argument(
        "--unions",
        type=Path,
        metavar="FILE",
        help="which alternative of a union is tried first, if nothing in the schema tells them apart: "
        '{"unions": [{"at": [PLACE], "tests": [{"member": NAME, "alternative": NAME}], "reason": TEXT}]}; '
        "warnings say the names",
    )
    command.add_argument(
        "--out", type=Path, default=Path(), metavar="DIR", help="folder to write to (default: this one)"
    )
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    out: Path = options.out
    if out.exists() and not out.is_dir():
        raise BadInput(f"{out}: cannot write: not a folder")
    if options.client is not None and options.tool is not None:
        raise BadInput("--client is about all tools of a list: it does not go with --tool")
    if options.client is not None:
        files, notes = generate_client(options.files, options.client, options.strict, options.unions)
    else:
        files, notes = generate_types(options.files, options.prefix, options.tool, options.unions)
    for note in notes:
        if options.patterns_linked and note.text == PATTERNS:
            continue
        print(visible(str(note)), file=sys.stderr)
    changed = output.write(out, files, [])
    print(f"{out}: {len(files)} files, {len(changed)} changed")
    return 0


def generate_types(
    files: Sequence[Path], prefix: Optional[str], tool: Optional[str], unions: Optional[Path] = None
) -> Tuple[Dict[str, str], Tuple[Note, ...]]:
    """The generated files by their names, and what a user has to know about them."""
    prefix = _prefix(prefix, tool)
    read: Optional[Tool] = None
    if tool is None:
        schemas = [read_plain(path) for path in files]
    elif len(files) > _MOST_FILES:
        raise BadInput("--tool takes one file for the arguments and one for the structured content")
    else:
        read = read_tool(tool, files)
        schemas = [*read.schemas]
    plan, notes = _plan(schemas, prefix, _unions(unions, prefix), whole=tool is None)
    made = [] if read is None else [(read, prefix)]
    words = f"--prefix {prefix}" if tool is None else f"--tool {tool}"
    return _rendered(plan, schemas, words, tool=made), notes


def generate_client(
    files: Sequence[Path], prefix: str, strict: bool = False, unions: Optional[Path] = None
) -> Tuple[Dict[str, str], Tuple[Note, ...]]:
    """The generated files for the tools of a server. A tool that cannot be typed is left out, or with
    `strict` refused."""
    if len(files) > 1:
        raise BadInput("--client takes one list of tools")
    prefix = _prefix(prefix, None)
    decided = _unions(unions, prefix)
    tools, notes = strangers.even_out(read_list(files[0]))
    while tools:
        schemas = [schema for tool in tools for schema in tool.schemas]
        try:
            plan, told = _plan(schemas, prefix, decided, whole=False)
            break
        except Refusal as refusal:
            tools, left = strangers.leave_out(tools, refusal)
            notes += left
    else:
        raise BadInput(*map(str, notes), f"{files[0]}: there are no tools")
    words = {tool.name: names.snake(tool.name) for tool in tools}
    functions, renamed = strangers.functions(tools, prefix, words)
    notes += renamed
    if strict and notes:
        raise Refusal.of_all(Refusal(note.file, note.pointer, note.text) for note in notes)
    calls = [(tool, function) for function, tool in functions.items()]
    return _rendered(plan, schemas, f"--client {prefix}", calls=calls), (*notes, *told)


def _unions(file: Optional[Path], prefix: str) -> Mapping[str, UnionFact]:
    """The facts of a file about unions that nothing else decides."""
    if file is None:
        return {}
    read_bytes(file)
    return read_unions(FactFile(file), (prefix,))


def _prefix(prefix: Optional[str], tool: Optional[str]) -> str:
    """The prefix of the C names."""
    if tool is not None and not _TOOL.fullmatch(tool):
        raise BadInput(f'"{tool}" is no name of a tool: 1 to 128 of A-Z a-z 0-9 _ - .')
    if prefix is None and tool is None:
        raise BadInput("--prefix has to say what the names of the types begin with")
    parts = ([] if prefix is None else [prefix]) + ([] if tool is None else [names.snake(tool)])
    whole = "_".join(parts)
    if not _PREFIX.fullmatch(whole) or whole in names.C_WORDS | names.CPP_WORDS:
        cause = "it must be lower case letters, digits and _, begin with a letter, and be no word of C or C++"
        raise BadInput(f'"{whole}" cannot begin names in C: {cause}; state another with --prefix')
    return whole


def _plan(
    schemas: Sequence[Plain], prefix: str, unions: Mapping[str, UnionFact], whole: bool
) -> Tuple[Plan, Tuple[Note, ...]]:
    """The types of the schemas; what is refused is told of their files. Definitions that no schema reaches
    are left out, unless the schemas are wanted as a `whole`."""
    gathered = gather(schemas)
    raw = Raw(prefix, gathered.sha256, gathered.document)
    try:
        document = build_document(raw, gathered.document, prefix)
        if not whole:
            document = _reached(document, [schema.name for schema in schemas])
        plan = plan_document(document, Facts(prefix, plain=True, unions=unions), prefix)
    except RecursionError as error:
        raise Refusal(schemas[0].file, "", TOO_DEEP) from error
    except Refusal as refusal:
        raise gathered.blame(refusal) from refusal
    return plan, tuple(map(gathered.note, plan.notes))


def _reached(document: Document, starts: Sequence[str]) -> Document:
    """The document without definitions that these do not reach."""
    names = reachable(reference_map(document), starts)
    return replace(document, definitions=tuple(d for d in document.definitions if d.name in names))


_Named = Sequence[Tuple[Tool, str]]
"""Tools, each with what its function is called in C."""


def _rendered(
    plan: Plan, schemas: Sequence[Plain], words: str, tool: _Named = (), calls: _Named = ()
) -> Dict[str, str]:
    try:
        from codegen.emit.plain_file import PlainFiles, SchemaText, plain_files
    except ModuleNotFoundError as error:
        if error.name != "jinja2":
            raise
        raise BadInput("Python's jinja2 is missing: install the package python3-jinja2") from error
    types = {handle.name: handle.c_name for handle in plan.handles}
    texts = [SchemaText(f"{types[s.name]}_schema", types[s.name], compact(s.value)) for s in schemas]
    taken = {full: short for short, full in plan.short_names}
    for schema, text in zip(schemas, texts):
        if text.name in taken:
            raise Refusal(schema.file, schema.place, f"{text.name} is to be its text, and names a definition")
    sources = list(dict.fromkeys(Path(schema.file).name for schema in schemas))
    command = " ".join(["mcpwire-codegen types", words, *sources])
    given = PlainFiles(
        " and ".join(sources),
        command,
        texts,
        [_tool(each, function, types) for each, function in tool],
        [_tool(each, function, types) for each, function in calls],
    )
    return plain_files(plan, plan.prefix, given)


def _tool(tool: Tool, function: str, types: Dict[str, str]) -> ToolText:
    from codegen.emit.plain_file import ToolText

    return ToolText(
        name=tool.name,
        function=function,
        title=tool.title,
        description=tool.description,
        more=compact(tool.more) if tool.more else "",
        input=types[tool.input.name],
        output=types[tool.output.name] if tool.output else None,
    )
