# SPDX-License-Identifier: MIT
"""What all files have in common: the template environment, the first comment, and comments in C."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Optional, Tuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from codegen import __version__

TABLE_ABI = 6
COLUMNS = 110


@dataclass(frozen=True)
class Header:
    """What the first comment of every file says."""

    revision: str
    prefix: str
    upper: str
    source: str
    sha256: str
    command: str
    generator: str = __version__
    base: str = ""
    """The revision below overlays."""
    plain: bool = False
    """The schemas are a program's own: what is called the revision is the prefix of its names."""

    @property
    def subject(self) -> str:
        """What the file is about."""
        return self.revision if self.plain else f"MCP revision {self.revision}"

    @property
    def short(self) -> str:
        """The same in a message."""
        return self.revision if self.plain else f"MCP {self.revision}"

    @property
    def whole(self) -> str:
        """What the types are of."""
        return "all these types" if self.plain else "this revision"

    @property
    def includes(self) -> Tuple[str, ...]:
        """The headers that tables need for the types in them."""
        own = (f"{self.revision}.h", "mcpw/message.h")
        return own if self.plain else (f"mcp/{self.revision}/methods.h",)


@dataclass(frozen=True)
class Text:
    """A declaration with its comment, in lines."""

    name: str
    comment: str
    lines: Tuple[str, ...] = ()
    target: str = ""
    index: Optional[int] = None


@cache
def _environment() -> Environment:
    # autoescape is for HTML: these are C files.
    return Environment(
        loader=FileSystemLoader(Path(__file__).resolve().parent / "templates"),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render(template: str, **values: object) -> str:
    return _environment().get_template(template + ".j2").render(**values)


def comment(text: str, indent: str = "") -> str:
    """A C comment of a text, wrapped. A line break in the text stays."""
    if "\n" not in text and len(indent) + len(text) + len("/*  */") <= COLUMNS:
        return f"{indent}/* {text} */"
    lines = [
        line
        for part in text.split("\n")
        for line in textwrap.wrap(
            part, COLUMNS - len(indent) - len(" *  */"), break_long_words=False, break_on_hyphens=False
        )
    ]
    return f"{indent}/* " + f"\n{indent} * ".join(lines) + " */"
