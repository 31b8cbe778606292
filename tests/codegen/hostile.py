# SPDX-License-Identifier: MIT
"""Texts that would be code if anything rendered them unescaped, and a judge that shares no code with the
generator: what stands outside of comments and literals, as a C compiler reads it."""

from __future__ import annotations

import re
import shutil
import subprocess
import unicodedata
import unittest
from pathlib import Path
from typing import List, Sequence

MARK = "Injected"
"""No name that the generator makes of a text has this: they are in lower or upper case."""
CODE = f"int {MARK}__(void) __attribute__((constructor));"

HOSTILE = {
    "comment end": f"*/ {CODE} /*",
    "comment begin": f"/* {CODE}",
    "comment end by lines": f"*\n/ {CODE} /\n*",
    "comment end by a splice": f"*\\\n/ {CODE} /*",
    "comment end by a trigraph": f"*??/\n/ {CODE} /*",
    "comment end at the end": f"{MARK} *",
    "line comment": f"// {CODE}",
    "splice": f"{MARK} \\",
    "trigraph": f'{MARK} ??/" ??/ ??=define {MARK}',
    "digraph": f"%:define {MARK} <% %>",
    "line feed": f"\n#error {MARK}\n",
    "carriage return": f"\r#error {MARK}\r",
    "line separator": f"\u2028#error {MARK}\u2029#error {MARK}\x85#error {MARK}\x0b#error {MARK}\x0c",
    "right to left": f"\u202e{MARK}\u202c \u2066{MARK}\u2069 \u200f",
    "quote": f'" {CODE} "',
    "quote by a backslash": f'\\" {CODE} "',
    "apostrophe": f"' {CODE} '",
    "directive": f"#include <{MARK}>",
    "format": f"%s%n %d {MARK} {{0}} {{{{ 7 * 7 }}}} {{% raw %}} $ ${{{MARK}}}",
    "markup": f"<script>{MARK}</script> `{MARK}` [{MARK}](javascript:{MARK}) | <!-- & -->",
    "long": f"{MARK} " * 1000,
    "long word": MARK * 1250,
    "empty": "",
    "blank": " ",
    "NUL": f"\0{MARK}\0",
    "terminal": f"\x1b]0;{MARK}\x07\x9b31m\x7f",
    "lone surrogate": f"\ud800{MARK}",
    "other letters": f"схема é 模式 {MARK}",
    "path": f"../../{MARK}/..",
}

_WORST = "comment end, splice, line feed, right to left, quote, long, empty, NUL, terminal, lone surrogate"
WORST = {name: HOSTILE[name] for name in _WORST.split(", ")}
"""One of each kind, where each takes long."""

_TRIGRAPHS = {"=": "#", "/": "\\", "'": "^", "(": "[", ")": "]", "!": "|", "<": "{", ">": "}", "-": "~"}
_TOKENS = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
COMPILERS = (("gcc", "-std=c11"), ("gcc", "-std=c11", "-trigraphs"), ("clang", "-std=c11", "-trigraphs"))
_WARNINGS = ("-Wall", "-Wextra", "-Werror", "-fsyntax-only")


def bare(text: str) -> str:
    """A C source without its comments and literals, after trigraphs and spliced lines."""
    plain = re.sub(r"\?\?([=/'()!<>-])", lambda found: _TRIGRAPHS[found.group(1)], text)
    return _TOKENS.sub(" ", re.sub(r"\\\n", "", plain))


def unseen(text: str) -> List[str]:
    """The characters of a text that show nothing, or turn its direction, but for line feeds."""
    hidden = ("Cc", "Cf", "Cs", "Zl", "Zp")
    return [c for c in text if unicodedata.category(c) in hidden and c != "\n"]


def _present(wanted: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    found = [command for command in wanted if shutil.which(command[0])]
    if not found:
        raise unittest.SkipTest("skipped: there is no gcc and no clang")
    return found


def complaints(
    sources: Sequence[Path], includes: Sequence[Path], wanted: Sequence[Sequence[str]] = COMPILERS
) -> List[str]:
    """The compilers' messages about sources."""
    folders = [f"-I{path}" for path in includes]
    told: List[str] = []
    for command in _present(wanted):
        arguments = [*command, *_WARNINGS, *folders, *map(str, sources)]
        done = subprocess.run(arguments, stderr=subprocess.PIPE, check=False)
        if done.returncode:
            told.append(f"{' '.join(command)}: {done.stderr.decode(errors='replace')[:2000]}")
    return told
