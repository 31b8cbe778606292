# SPDX-License-Identifier: MIT
"""Text that may stand in a generated file.

Each class makes fragments for one kind of place and escapes, or refuses, all that could mean something else
there. The constructors are the only way to make a fragment, and templates render nothing but fragments and
integers: so no text of a schema, of a file name or of the command line gets into a file unescaped.

A fragment is whole: a comment has its delimiters, a string its quotes. So it is harmless wherever a token of
C may stand, whichever fragment that is.
"""

from __future__ import annotations

import re
import sys
import textwrap
from typing import Iterable, List, Optional, Sequence, Tuple, Type, TypeVar, Union

from codegen.errors import BadInput, visible
from codegen.plan.comments import plain

COLUMNS = 110

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_TYPE = re.compile(r"(const )?[A-Za-z_][A-Za-z0-9_]*( \*(const)?)?", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?|INT64_MIN|INT64_C\(-?[0-9]+\)", re.ASCII)
_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*", re.ASCII)
_PLACEHOLDER = "$"
_SHOWN = 60
"""Characters of a refused text that a message shows."""

F = TypeVar("F", bound="Fragment")


class Fragment(str):
    """Text that may stand in a generated file. It is made by the classes below, never by this one."""

    __slots__ = ()

    def __new__(cls, *_: object) -> Fragment:
        raise TypeError(f"{cls.__name__} says nothing of where its text may stand")


def _made(cls: Type[F], text: str) -> F:
    """A fragment of text that one of the constructors below has escaped."""
    return str.__new__(cls, text)


def _matched(cls: Type[F], pattern: re.Pattern[str], text: str, what: str) -> F:
    """The text as it is, if it has the form of what it is to be."""
    if not pattern.fullmatch(text):
        shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
        raise BadInput(f'"{shown}" cannot be {what} in generated code')
    return _made(cls, text)


class CIdentifier(Fragment):
    """A name in C, also as the name of a macro."""

    __slots__ = ()

    def __new__(cls, text: str) -> CIdentifier:
        return _matched(cls, _IDENTIFIER, text, "a name")


class CType(Fragment):
    """A type in C as members and parameters have it: a name, or a pointer to one."""

    __slots__ = ()

    def __new__(cls, text: str) -> CType:
        return _matched(cls, _TYPE, text, "a type")


class CNumber(Fragment):
    """A number in C: digits, or a constant of <stdint.h>."""

    __slots__ = ()

    def __new__(cls, text: str) -> CNumber:
        return _matched(cls, _NUMBER, text, "a number")


class HeaderPath(Fragment):
    """The path of a header in an #include."""

    __slots__ = ()

    def __new__(cls, text: str) -> HeaderPath:
        return _matched(cls, _PATH, text, "the path of a header")


class CString(Fragment):
    """A string literal of these bytes, or of this text in UTF-8."""

    __slots__ = ()

    def __new__(cls, text: Union[str, bytes]) -> CString:
        data = text.encode() if isinstance(text, str) else text
        return _made(cls, '"' + "".join(map(_string_byte, data, b"\0" + data)) + '"')


def _string_byte(byte: int, before: int) -> str:
    """A byte inside a literal. Octal escapes end after three digits, hexadecimal ones nowhere. Bytes
    that would end or open a comment are escaped too, so a literal may stand in a comment."""
    char = chr(byte)
    if char in '"\\?':
        return "\\" + char
    in_comment = (chr(before), char) in (("*", "/"), ("/", "*"))
    return char if 0x20 <= byte < 0x7F and not in_comment else f"\\{byte:03o}"


class CComment(Fragment):
    """A comment of a text, wrapped where it is longer than a line. A line break in the text stays."""

    __slots__ = ()

    def __new__(cls, text: str, indent: int = 0) -> CComment:
        return _made(cls, _comment(text, indent, COLUMNS))


class CLongComment(Fragment):
    """The same, broken where the text is and nowhere else."""

    __slots__ = ()

    def __new__(cls, text: str) -> CLongComment:
        return _made(cls, _comment(text, 0, sys.maxsize))


class CLineComment(Fragment):
    """A comment of a text on one line, however long that is."""

    __slots__ = ()

    def __new__(cls, text: str) -> CLineComment:
        return _made(cls, f"/* {plain(text)} */")


def _comment(text: str, indent: int, columns: int) -> str:
    parts = [plain(part) for part in text.split("\n")]
    margin = " " * indent
    if len(parts) == 1 and indent + len(parts[0]) + len("/*  */") <= columns:
        return f"{margin}/* {parts[0]} */"
    width = columns - indent - len(" *  */")
    lines = [
        line.rstrip("\\")
        for part in parts
        for line in textwrap.wrap(part, width, break_long_words=False, break_on_hyphens=False)
    ]
    return f"{margin}/* " + f"\n{margin} * ".join(lines) + " */"


class HashComment(Fragment):
    """A comment of a text on one line of a file whose comments begin with #."""

    __slots__ = ()

    def __new__(cls, text: str) -> HashComment:
        return _made(cls, f"# {plain(text)}")


class DictionaryWord(Fragment):
    """A word of a fuzzing dictionary: quoted, with hexadecimal escapes."""

    __slots__ = ()

    def __new__(cls, word: bytes) -> DictionaryWord:
        shown = (
            "\\" + chr(b) if b in b'"\\' else chr(b) if 0x20 <= b < 0x7F else f"\\x{b:02x}" for b in word
        )
        return _made(cls, '"' + "".join(shown) + '"')


Part = Union[Fragment, int]


class CCode(Fragment):
    """Code: a pattern, which is a literal of the generator's source, with a fragment or an integer for each
    `$` in it."""

    __slots__ = ()

    def __new__(cls, pattern: str, *parts: Part) -> CCode:
        texts = pattern.split(_PLACEHOLDER)
        if len(texts) != len(parts) + 1:
            raise TypeError(f"{len(parts)} fragments for {pattern!r}")
        filled = [texts[0]]
        for part, text in zip(parts, texts[1:]):
            filled += (rendered(part), text)
        return _made(cls, "".join(filled))


def joined(pattern: str, parts: Iterable[Part]) -> CCode:
    """Fragments with a literal of the generator's source between them."""
    return _made(CCode, pattern.join(map(rendered, parts)))


def blanks(count: int) -> CCode:
    """An indentation."""
    return _made(CCode, " " * count)


def hexadecimal(value: int) -> CCode:
    """A number in hexadecimal digits."""
    return _made(CCode, f"{value:#x}")


def entry(code: CCode, note: Optional[str] = None) -> CCode:
    """An entry of an initialiser, with its comma and a comment."""
    return CCode("$,", code) if note is None else CCode("$, $", code, CLineComment(note))


def wrapped(parts: Sequence[Part], width: int) -> Tuple[CCode, ...]:
    """Fragments without blanks in lines, each followed by a comma."""
    return tuple(_made(CCode, line) for line in textwrap.wrap(", ".join(map(rendered, parts)) + ",", width))


def rendered(value: object) -> str:
    """The text of what is rendered: a fragment, or an integer."""
    if isinstance(value, Fragment) or type(value) is int:
        return str.__str__(value) if isinstance(value, Fragment) else str(value)
    raise TypeError(f"{visible(repr(value))} is no fragment: it is not escaped for the place that it fills")


def strings(text: bytes, width: int) -> List[CString]:
    """String literals that make a text, none much longer than a line."""
    return [CString(text[at : at + width]) for at in range(0, len(text), width)]
