# SPDX-License-Identifier: MIT
"""The header and the source of a program's own schemas: types, tables, texts of the schemas, and tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Optional, Sequence, Tuple

from codegen.emit.fragments import COLUMNS, CCode, CIdentifier, CString, strings
from codegen.emit.headers import codec_values, type_values
from codegen.emit.pack import Packer
from codegen.emit.tables_file import tables_file
from codegen.emit.text import Header, render
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
    def lines(self) -> Sequence[CString]:
        """C strings that make the text."""
        return strings(self.text.encode(), _LINE)


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
    def about(self) -> str:
        """Its description, for a comment."""
        return self.description or self.title or "The server says nothing of it."

    @property
    def result_type(self) -> CCode:
        """The type of the parameter that receives what it answers."""
        if self.output is None:
            return CCode("const mcp_call_tool_result **")
        return CCode("$ *", CIdentifier(self.output))

    @property
    def call_comment(self) -> str:
        """The comment of the function that calls it."""
        what = "structured content" if self.output else "answer"
        return (
            f"Calls the tool {plain(self.name)} and waits: {plain(self.about)}\n"
            f"result receives its {what}, which lives in arena. call may be NULL, and so may args where no "
            "argument is required. Arguments that break the schema are not sent. MCPW_E_REMOTE: the tool "
            "failed, as the text in error says, or the server refused. Other errors are those of "
            "mcpw_client_request."
        )

    @property
    def fields(self) -> Tuple[CCode, ...]:
        """The initialisers of its texts."""
        texts = (("name", self.name), ("title", self.title), ("description", self.description))
        found = [CCode(".$ = $,", CIdentifier(member), CString(text)) for member, text in texts if text]
        if self.more:
            found.append(CCode(".more = {$, $, 0},", CString(self.more), len(self.more.encode())))
        return tuple(found)


@dataclass(frozen=True)
class PlainFiles:
    """The output besides the plan."""

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
        plan.prefix, CIdentifier(plan.prefix), given.source, plan.sha256, given.command, plain=True
    )
    values: Dict[str, object] = {
        "plan": header,
        "guard": CIdentifier(f"MCPW_GENERATED_{header.upper}_H"),
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
