# SPDX-License-Identifier: MIT
"""C files as the structure test sees them: functions, conditionals and includes.

Not a parser: it leans on clang-format, by which a function begins in the first column and ends with the next
brace there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Iterator

C_SUFFIXES = (".c", ".h", ".inc")
NOT_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL | re.MULTILINE
)
CONDITIONAL = re.compile(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b(.*)")
GUARD = re.compile(r"\A\s*#\s*ifndef (\w+)\n\s*#\s*define \1\b")
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
PASTING = re.compile(r"^\s*#\s*define\s+(\w+)\([^)]*\)\s+(?:\w+##\w+|\w+##)$")
OPENING = re.compile(r"^(?!typedef\b|struct\b[^(]*\{|union\b[^(]*\{|enum\b|extern \")[A-Za-z_][^;={]*\(")
NAME = re.compile(r"\b([A-Za-z_]\w*)\s*\((?!\()")
ATTRIBUTE = re.compile(r"\b__attribute__\s*\(\([^)]*\)\)")


@dataclass(frozen=True)
class Function:
    name: str
    is_static: bool
    first: int  # lines, from 1
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


def blanked(text: str) -> str:
    """The text without comments and literals, line for line."""
    return NOT_CODE.sub(
        lambda found: "\n" * found[0].count("\n") + ('""' if found[0][0] in "\"'" else " "), text
    )


@dataclass(frozen=True)
class Source:
    """A C file by its path from the root."""

    path: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def code(self) -> list[str]:
        return blanked(self.text).splitlines()

    @cached_property
    def literals(self) -> list[tuple[int, str]]:
        """Line and text, as it is written, of each string."""
        found = NOT_CODE.finditer(self.text)
        return [
            (self.text.count("\n", 0, match.start()) + 1, match[0][1:-1])
            for match in found
            if match[0][0] == '"'
        ]

    @cached_property
    def functions(self) -> list[Function]:
        return list(self._functions())

    def _functions(self) -> Iterator[Function]:
        first, head, opened = 0, "", ""
        in_macro = False
        for number, line in enumerate(self.code, 1):
            was_macro, in_macro = in_macro, line.endswith("\\") and (in_macro or line.startswith("#"))
            if was_macro or line.startswith("#"):
                head = ""
                continue
            if opened:
                if line.startswith("}"):
                    yield self._function(opened, first, number)
                    opened = ""
                continue
            if not head:
                if not OPENING.match(line):
                    continue
                first = number
            head += f" {line}"
            if "{" in line:
                if line.rstrip().endswith("}"):
                    yield self._function(head, first, number)
                else:
                    opened = head
                head = ""
            elif ";" in line or not line.strip():  # a declaration, or a macro that stands alone
                head = ""

    @staticmethod
    def _function(head: str, first: int, last: int) -> Function:
        found = NAME.search(ATTRIBUTE.sub("", head.split("{", 1)[0]))
        return Function(
            found[1] if found else "?", bool(re.search(r"\bstatic\b|_INLINE\b", head)), first, last
        )

    def function_at(self, line: int) -> str:
        """The function that a line stands in; "" between functions."""
        for function in self.functions:
            if function.first <= line <= function.last:
                return function.name
        return ""

    @cached_property
    def conditionals(self) -> list[int]:
        """Lines of #if and its kin; guards of headers and of C++ are none."""
        without = "\n".join(self.code)
        guard = GUARD.match(without.lstrip())
        guarded = guard[1] if guard else ""
        found = []
        for number, line in enumerate(self.code, 1):
            match = CONDITIONAL.match(line)
            if match and "__cplusplus" not in match[1] and not (guarded and match[1].strip() == guarded):
                found.append(number)
        return found

    @cached_property
    def includes(self) -> list[tuple[int, bool, str]]:
        """Line, whether in angle brackets, name."""
        found = ((number, INCLUDE.match(line)) for number, line in enumerate(self.lines, 1))
        return [(number, match[1] == "<", match[2]) for number, match in found if match]

    @cached_property
    def pasting(self) -> list[tuple[int, str]]:
        """Macros that make a name out of their argument and nothing else: what MCPW_FN(name) was."""
        found = ((number, PASTING.match(line)) for number, line in enumerate(self.code, 1))
        return [(number, match[1]) for number, match in found if match]

    def comment_beside(self, function: Function, mark: str) -> bool:
        """Whether a comment right above a function, or in its first line, holds the mark."""
        above = function.first - 2
        while above >= 0 and self.lines[above].lstrip().startswith(("/*", "*", "//")):
            above -= 1
        return any(mark in line for line in self.lines[above + 1 : function.first])


def read(root: Path, folder: str) -> list[Source]:
    """All C files below a folder."""
    return [
        Source(path.relative_to(root).as_posix(), path.read_text("utf-8"))
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in C_SUFFIXES
    ]
