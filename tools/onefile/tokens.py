# SPDX-License-Identifier: MIT
"""Cuts C into tokens and directives. Joined again they are the text, byte for byte."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Iterable, Iterator, List, Optional, Sequence, Tuple, Union

IDENTIFIER = "identifier"
NUMBER = "number"
STRING = "string"
CHARACTER = "character"
PUNCTUATOR = "punctuator"
SPACE = "space"
NEWLINE = "newline"
COMMENT = "comment"

BLANK = frozenset((SPACE, NEWLINE, COMMENT))

_TOKEN = re.compile(
    r"""
      (?P<comment>/\*.*?\*/|//(?:\\\n|[^\n])*)
    | (?P<space>(?:[ \t\f\v\r]|\\\n)+)
    | (?P<newline>\n)
    | (?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
    | (?P<character>[uUL]?'(?:\\.|[^'\\\n])+')
    | (?P<number>\.?[0-9](?:[eEpP][+-]|[A-Za-z0-9_.])*)
    | (?P<identifier>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<punctuator>\.\.\.|<<=|>>=|->|\#\#|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
    """,
    re.VERBOSE | re.DOTALL,
)


class AmalgamateError(Exception):
    """The text is not of the kind that can be put into one file."""


@dataclass(frozen=True)
class Token:
    """A token of C, or the blank between two."""

    kind: str
    text: str

    def is_blank(self) -> bool:
        """Whether the compiler sees a space at most."""
        return self.kind in BLANK


@dataclass(frozen=True)
class Directive:
    """A line for the preprocessor, with the lines that continue it, without the newline at its end."""

    tokens: Tuple[Token, ...]

    @property
    def text(self) -> str:
        """The line as it stands."""
        return "".join(token.text for token in self.tokens)

    @property
    def words(self) -> Tuple[Token, ...]:
        """The tokens after the hash that are no blanks."""
        return tuple(token for token in self.tokens if not token.is_blank())[1:]

    @property
    def name(self) -> str:
        """The name of the directive, such as `define`; empty for a lone hash."""
        words = self.words
        return words[0].text if words else ""

    @property
    def target(self) -> str:
        """The first word after the name: of a definition, its macro."""
        words = self.words
        return words[1].text if len(words) > 1 else ""

    @property
    def included(self) -> Optional[str]:
        """The header between its quotes or brackets, with them."""
        if self.name != "include":
            return None
        return "".join(word.text for word in self.words[1:])


Piece = Union[Token, Directive]


def _lex(text: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(text):
        yield Token(str(match.lastgroup), match.group())


def _refuse_cut_words(tokens: Sequence[Token]) -> None:
    """A backslash and a newline may cut a word in two. Nobody does, and renaming would miss it."""
    words = (IDENTIFIER, NUMBER)
    for first, between, last in zip(tokens, tokens[1:], tokens[2:]):
        if between.text == "\\\n" and first.kind in words and last.kind in words:
            raise AmalgamateError(f"a line ends inside the word {first.text}{last.text}")


def cut(text: str) -> List[Piece]:
    """The tokens and directives of a text."""
    tokens = list(_lex(text))
    _refuse_cut_words(tokens)
    pieces: List[Piece] = []
    at_start = True
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if at_start and token.text == "#":
            end = i
            while end < len(tokens) and tokens[end].kind != NEWLINE:
                end += 1
            pieces.append(Directive(tuple(tokens[i:end])))
            i = end
            continue
        if token.kind == NEWLINE:
            at_start = True
        elif not token.is_blank():
            at_start = False
        pieces.append(token)
        i += 1
    return pieces


def join(pieces: Iterable[Piece]) -> str:
    """The text of pieces."""
    return "".join(piece.text for piece in pieces)


def retold(directive: Directive, name: str) -> Directive:
    """The directive under another name: `#elif` as `#if`."""
    tokens = list(directive.tokens)
    for i, token in enumerate(tokens):
        if token.kind == IDENTIFIER:
            tokens[i] = Token(IDENTIFIER, name)
            return Directive(tuple(tokens))
    raise AmalgamateError(f"a directive without a name: {directive.text}")
