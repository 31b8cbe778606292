# SPDX-License-Identifier: MIT
"""Leaves out the branches of `#if` that the configuration decides, and keeps the others as they stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional, Sequence, Tuple, Union

from onefile.tokens import IDENTIFIER, NUMBER, AmalgamateError, Directive, Piece, Token, cut, retold

# The value of a macro that the configuration decides; None: it is not defined.
Known = Mapping[str, Optional[str]]

_COMPARE = ("==", "!=", "<", ">", "<=", ">=")


@dataclass(frozen=True)
class Branch:
    """The text after one `#if`, `#elif` or `#else`."""

    directive: Directive
    nodes: Tuple[Node, ...]


@dataclass(frozen=True)
class Conditional:
    """The branches up to an `#endif`."""

    branches: Tuple[Branch, ...]
    end: Directive


Node = Union[Token, Directive, Conditional]


class _Reader:
    """Reads an expression of `#if`. None stands for a value that the compiler alone knows."""

    def __init__(self, words: Sequence[Token], known: Known) -> None:
        self.words = list(words)
        self.known = known
        self.at = 0

    def peek(self) -> str:
        return self.words[self.at].text if self.at < len(self.words) else ""

    def take(self) -> Token:
        if self.at == len(self.words):
            raise AmalgamateError("an expression of #if ends too early")
        self.at += 1
        return self.words[self.at - 1]

    def either(self) -> Optional[int]:
        value = self.both()
        while self.peek() == "||":
            self.take()
            other = self.both()
            if value or other:
                value = 1
            elif value is None or other is None:
                value = None
            else:
                value = 0
        return value

    def both(self) -> Optional[int]:
        value = self.compared()
        while self.peek() == "&&":
            self.take()
            other = self.compared()
            if value == 0 or other == 0:
                value = 0
            elif value is None or other is None:
                value = None
            else:
                value = 1
        return value

    def compared(self) -> Optional[int]:
        value = self.single()
        while self.peek() in _COMPARE:
            sign = self.take().text
            other = self.single()
            if value is None or other is None:
                value = None
            else:
                results = (
                    value == other,
                    value != other,
                    value < other,
                    value > other,
                    value <= other,
                    value >= other,
                )
                value = int(results[_COMPARE.index(sign)])
        return value

    def single(self) -> Optional[int]:
        token = self.take()
        if token.text == "!":
            value = self.single()
            return None if value is None else int(not value)
        if token.text == "(":
            value = self.either()
            if self.take().text != ")":
                return self.give_up()
            return value
        if token.text == "defined":
            return self.defined()
        if token.kind == NUMBER:
            return self.number(token.text)
        if token.kind == IDENTIFIER and token.text in self.known and self.peek() != "(":
            return self.number(self.known[token.text] or "0")
        return self.give_up() if self.peek() == "(" else None

    def defined(self) -> Optional[int]:
        token = self.take()
        if token.text == "(":
            token = self.take()
            self.take()
        if token.text not in self.known:
            return None
        return int(self.known[token.text] is not None)

    @staticmethod
    def number(text: str) -> Optional[int]:
        try:
            return int(text.rstrip("uUlL"), 0)
        except ValueError:
            return None

    def give_up(self) -> Optional[int]:
        """Skips the rest: `__has_include(<a>)` and other forms that this does not read."""
        self.at = len(self.words)
        return None


def value_of(directive: Directive, known: Known) -> Optional[bool]:
    """Whether the branch of `#if`, `#ifdef`, `#ifndef` or `#elif` is taken; None: that is not known."""
    words = directive.words[1:]
    if directive.name in ("ifdef", "ifndef"):
        name = directive.target
        if name not in known:
            return None
        return (known[name] is not None) == (directive.name == "ifdef")
    reader = _Reader(words, known)
    value = reader.either()
    if reader.at != len(reader.words):
        return None
    return None if value is None else bool(value)


def grow(pieces: Sequence[Piece]) -> Tuple[Node, ...]:
    """The pieces as a tree of conditionals."""
    nodes, at = _grow(pieces, 0)
    if at != len(pieces):
        raise AmalgamateError("an #endif, #else or #elif has no #if")
    return nodes


def _grow(pieces: Sequence[Piece], at: int) -> Tuple[Tuple[Node, ...], int]:
    nodes: List[Node] = []
    while at < len(pieces):
        piece = pieces[at]
        if not isinstance(piece, Directive) or piece.name not in (
            "if",
            "ifdef",
            "ifndef",
            "elif",
            "else",
            "endif",
        ):
            nodes.append(piece)
            at += 1
            continue
        if piece.name in ("elif", "else", "endif"):
            break
        branches: List[Branch] = []
        directive = piece
        while directive.name != "endif":
            inner, at = _grow(pieces, at + 1)
            branches.append(Branch(directive, inner))
            if at == len(pieces):
                raise AmalgamateError(f"{piece.text} has no #endif")
            found = pieces[at]
            assert isinstance(found, Directive)
            directive = found
        nodes.append(Conditional(tuple(branches), directive))
        at += 1
    return tuple(nodes), at


def prune(nodes: Sequence[Node], known: Known) -> List[Piece]:
    """The pieces of a tree without the branches that are decided against, and without decided directives."""
    out: List[Piece] = []
    for node in nodes:
        if isinstance(node, Conditional):
            out.extend(_prune_one(node, known))
        else:
            out.append(node)
    return out


def _prune_one(node: Conditional, known: Known) -> List[Piece]:
    out: List[Piece] = []
    is_open = False
    for branch in node.branches:
        value = True if branch.directive.name == "else" else value_of(branch.directive, known)
        inner = prune(branch.nodes, known)
        if value is False:
            continue
        if value is None:
            name = branch.directive.name
            if is_open or name != "elif":
                out.append(branch.directive)
            else:
                out.append(retold(branch.directive, "if"))
            out.extend(inner)
            is_open = True
            continue
        if not is_open:
            return inner
        out.append(branch.directive if branch.directive.name == "else" else _else())
        out.extend(inner)
        break
    if is_open:
        out.append(node.end)
    return out


def _else() -> Directive:
    found = cut("#else")[0]
    assert isinstance(found, Directive)
    return found


def known_of(defined: Dict[str, str], undefined: Sequence[str]) -> Dict[str, Optional[str]]:
    """The macros that the configuration decides."""
    known: Dict[str, Optional[str]] = dict.fromkeys(undefined)
    known.update(defined)
    return known
