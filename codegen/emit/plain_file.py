# SPDX-License-Identifier: MIT
"""The header and the source of a program's own schemas: types, tables, texts of the schemas, and tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Optional, Sequence, Tuple

from codegen.emit.headers import codec_values, type_values
from codegen.emit.pack import Packer
from codegen.emit.pool import c_string
from codegen.emit.tables_file import tables_file
from codegen.emit.text import COLUMNS, Header, render
from codegen.plan.comments import plain
from codegen.plan.cplan import Plan

_LINE = COLUMNS - len('    ""')


@dataclass(frozen=True)
class SchemaText:
    """The text of a schema as a constant: its C name, what it is the schema of, and its bytes."""

    name: str
    label: str
    text: str

    @property
    def size(self) -> int:
        return len(self.text.encode())

    @property
    def lines(self) -> Tuple[str, ...]:
        """C strings that make the text, none much longer than a line."""
        data = self.text.encode()
        return tuple(c_string(data[at : at + _LINE]) for at in range(0, len(data), _LINE))


@dataclass(frozen=True)
class ToolText:
    """A tool: its name, what it says of itself, and the C names that it has."""

    name: str
    function: str
    title: str
    description: str
    more: str
    input: str
    output: Optional[str]

    @property
    def quoted(self) -> str:
        """Its name as a C string."""
        return c_string(self.name.encode())

    @property
    def about(self) -> str:
        """What it is, for a comment."""
        return plain(self.description or self.title or "The server says nothing of it.")

    @property
    def fields(self) -> Tuple[str, ...]:
        """The initialisers of its texts."""
        texts = (("name", self.name), ("title", self.title), ("description", self.description))
        found = [f".{member} = {c_string(text.encode())}," for member, text in texts if text]
        if self.more:
            found.append(f".more = {{{c_string(self.more.encode())}, {len(self.more.encode())}}},")
        return tuple(found)


@dataclass(frozen=True)
class PlainFiles:
    """What is written beside the plan."""

    source: str
    command: str
    schemas: Sequence[SchemaText]
    tools: Sequence[ToolText] = ()
    """Tools that a server is to offer."""
    calls: Sequence[ToolText] = ()
    """Tools of a server that a client is to call."""


def plain_files(plan: Plan, file: str, given: PlainFiles) -> Dict[str, str]:
    """PREFIX.h and PREFIX.c."""
    packer = Packer(plan, file)
    header = Header(
        plan.prefix, plan.prefix, plan.prefix.upper(), given.source, plan.sha256, given.command, plain=True
    )
    values: Dict[str, object] = {
        "plan": header,
        "guard": f"MCPW_GENERATED_{header.upper}_H",
        "schemas": given.schemas,
        "tools": given.tools,
        "calls": given.calls,
        "any_output": any(tool.output for tool in given.calls),
        **type_values(plan),
        **codec_values(plan),
    }
    tables = tables_file(plan, packer, packer.pack(), header)
    return {
        f"{plan.prefix}.h": render("plain.h", **values),
        f"{plan.prefix}.c": tables + render("plain.c", **values),
    }
