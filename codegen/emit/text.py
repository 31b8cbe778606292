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
