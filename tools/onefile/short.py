# SPDX-License-Identifier: MIT
"""Gives the names of the inside short ones. A third of the source would be these names."""

from __future__ import annotations

import re
import string
from collections import Counter
from typing import AbstractSet, Dict, Iterable, Iterator, List, Sequence, Set, Tuple

from onefile.tokens import IDENTIFIER, Directive, Piece, Token, cut, join

_DIGITS = string.digits + string.ascii_letters
_PREFIX = "mw"
_OURS = re.compile(r"(?:mcpw|MCPW)_\w+")
_CONDITIONS = frozenset(("if", "ifdef", "ifndef", "elif"))  # they ask for macros of the command line, too


def _tokens(pieces: Iterable[Piece]) -> Iterator[Token]:
    for piece in pieces:
        if isinstance(piece, Directive):
            if piece.name != "include":
                yield from piece.tokens
        else:
            yield piece


def _words(pieces: Iterable[Piece]) -> Iterator[str]:
    return (token.text for token in _tokens(pieces) if token.kind == IDENTIFIER)


def _asked(pieces: Sequence[Piece]) -> Set[str]:
    """The words of conditions."""
    directives = [p for p in pieces if isinstance(p, Directive) and p.name in _CONDITIONS]
    return {word for directive in directives for word in _words([directive])}


def _fragments(pieces: Sequence[Piece]) -> Tuple[Tuple[str, ...], Tuple[str, ...]]:
    """The beginnings and the ends of words that macros put together."""
    beginnings: Set[str] = set()
    ends: Set[str] = set()
    for piece in pieces:
        if not isinstance(piece, Directive) or piece.name != "define":
            continue
        words = [token for token in piece.tokens if not token.is_blank()]
        for left, middle, right in zip(words, words[1:], words[2:]):
            if middle.text == "##":
                beginnings.update([left.text] if left.kind == IDENTIFIER and "_" in left.text else [])
                ends.update([right.text] if right.kind == IDENTIFIER and "_" in right.text else [])
    return tuple(beginnings), tuple(ends)


def _short_names(taken: AbstractSet[str]) -> Iterator[str]:
    length = 1
    while True:
        for number in range(len(_DIGITS) ** length):
            digits = ""
            for _ in range(length):
                number, digit = divmod(number, len(_DIGITS))
                digits = _DIGITS[digit] + digits
            if _PREFIX + digits not in taken:
                yield _PREFIX + digits
        length += 1


def shortened(source: str, header: str, own: AbstractSet[str]) -> str:
    """The source with short names in place of those that the header does not have. own: the names that a file
    of the library keeps to itself."""
    pieces = cut(source)
    public = set(_words(cut(header)))
    kept = public | _asked(pieces)
    beginnings, ends = _fragments([*pieces, *cut(header)])
    counts = Counter(_words(pieces))
    renamed = [
        word
        for word in counts
        if (word in own or _OURS.fullmatch(word))
        and word not in kept
        and not word.startswith(beginnings)
        and not word.endswith(ends)
    ]
    renamed.sort(key=lambda word: (-counts[word], word))
    names: Dict[str, str] = dict(zip(renamed, _short_names(set(counts) | public)))

    def change(token: Token) -> Token:
        return (
            Token(IDENTIFIER, names[token.text])
            if token.kind == IDENTIFIER and token.text in names
            else token
        )

    out: List[Piece] = [
        Directive(tuple(change(token) for token in piece.tokens))
        if isinstance(piece, Directive)
        else change(piece)
        for piece in pieces
    ]
    return join(out)
