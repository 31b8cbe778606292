# SPDX-License-Identifier: MIT
"""Tools as servers list them: a name, what it says of itself, and the schemas of arguments and results."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Optional, Sequence, Tuple

from codegen.errors import Refusal
from codegen.source.jsonfile import Json, read_json, show_json
from codegen.source.plain import Plain, read_plain
from codegen.source.pointers import join

_OWN = frozenset({"name", "title", "description", "inputSchema", "outputSchema"})


@dataclass(frozen=True)
class Tool:
    """A tool. `more` has the members that nothing here reads, such as annotations."""

    name: str
    title: str
    description: str
    more: Dict[str, Json]
    input: Plain
    output: Optional[Plain]

    @property
    def schemas(self) -> Tuple[Plain, ...]:
        """The schema of its arguments and, where it has one, that of its structured content."""
        return (self.input,) if self.output is None else (self.input, self.output)


def read_tool(name: str, files: Sequence[Path]) -> Tool:
    """The tool `name` of one file that describes it as tools/list does, or of a file for each schema."""
    value = read_json(files[0])
    if len(files) == 1 and isinstance(value, dict) and "inputSchema" in value:
        tool = _tool(str(files[0]), "", value, ("input", "output"))
        if tool.name != name:
            cause = f'the tool is called "{tool.name}" here, and "{name}" is to be generated'
            raise Refusal(str(files[0]), "/name", cause)
        _check_object(tool.input)
        return tool
    schemas = [read_plain(path, part) for path, part in zip(files, ("input", "output"))]
    first = schemas[0]
    _check_object(first)
    return Tool(name, first.title, first.description, {}, first, schemas[1] if len(schemas) > 1 else None)


def read_list(path: Path) -> Tuple[Tool, ...]:
    """The tools of a result of tools/list, or of an array of tools. Types are named after their tools."""
    value = read_json(path)
    file, place = str(path), ""
    for member in ("result", "tools"):
        if isinstance(value, dict) and member in value:
            value, place = value[member], join(place, member)
    if not isinstance(value, list):
        raise Refusal(file, place, "must be a list of tools, as tools/list has it")
    found: Dict[str, Tool] = {}
    for index, each in enumerate(value):
        at = join(place, index)
        tool = _tool(file, at, each, None)
        if tool.name in found:
            raise Refusal(file, join(at, "name"), f'there is a tool "{tool.name}" already')
        found[tool.name] = tool
    return tuple(found.values())


def _tool(file: str, place: str, value: Json, types: Optional[Tuple[str, str]]) -> Tool:
    if not isinstance(value, dict):
        raise Refusal(file, place, f"a tool must be an object, not {show_json(value)}")
    name = _text(file, place, value, "name")
    if not name:
        raise Refusal(file, place, 'a tool needs a "name"')
    args, result = types or (f"{name}.args", f"{name}.result")
    if "inputSchema" not in value:
        raise Refusal(file, place, 'a tool needs an "inputSchema"')
    output = None
    if "outputSchema" in value:
        output = Plain(file, result, value["outputSchema"], join(place, "outputSchema"))
    return Tool(
        name,
        _text(file, place, value, "title"),
        _text(file, place, value, "description"),
        {member: item for member, item in value.items() if member not in _OWN},
        Plain(file, args, value["inputSchema"], join(place, "inputSchema")),
        output,
    )


def _text(file: str, place: str, value: Dict[str, Json], member: str) -> str:
    text = value.get(member, "")
    if not isinstance(text, str):
        raise Refusal(file, join(place, member), f'"{member}" must be a string')
    return text


def _check_object(schema: Plain) -> None:
    """Refuses the schema of a tool's arguments that is not one of an object: servers take no such tool."""
    value = schema.value
    stated = value.get("type") if isinstance(value, dict) else None
    if stated != "object":
        place = join(schema.place, "type") if stated is not None else schema.place
        what = f"not {show_json(stated)}" if stated is not None else "which is missing"
        raise Refusal(schema.file, place, f'the arguments of a tool must be of "type": "object", {what}')
