# SPDX-License-Identifier: MIT
"""Changes the pieces of one file: other names, internal linkage, no comments."""

from __future__ import annotations

from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Set

from onefile.declare import Declaration, after_attributes, member_places, significant
from onefile.macros import Roles
from onefile.plan import Plan
from onefile.tokens import COMMENT, IDENTIFIER, NEWLINE, SPACE, AmalgamateError, Directive, Piece, Token

LOCAL = "MCPWIRE_LOCAL"  # stands for static
_EXPORTED = ("MCPW_API", "MCPW_SESSION_API", "MCPW_STATIC_API")
_INDENT = 4

# A piece takes the place of another; an empty list leaves it out.
Change = Dict[int, List[Piece]]


def renamed_tokens(tokens: Sequence[Token], names: Mapping[str, str], roles: Roles) -> List[Token]:
    """Tokens under their new names. Names of members stay."""
    members = member_places(significant(tokens), roles)
    return [
        Token(IDENTIFIER, names[t.text])
        if t.kind == IDENTIFIER and t.text in names and i not in members
        else t
        for i, t in enumerate(tokens)
    ]


def rename(pieces: Sequence[Piece], names: Mapping[str, str], roles: Roles) -> List[Piece]:
    """The pieces of a file under their new names."""
    if not names:
        return list(pieces)
    members = member_places(significant(pieces), roles)
    out: List[Piece] = []
    for i, piece in enumerate(pieces):
        if isinstance(piece, Directive):
            if piece.name == "include":
                out.append(piece)
            else:
                out.append(Directive(tuple(renamed_tokens(piece.tokens, names, roles))))
        elif piece.kind == IDENTIFIER and piece.text in names and i not in members:
            out.append(Token(IDENTIFIER, names[piece.text]))
        else:
            out.append(piece)
    return out


def localise(pieces: Sequence[Piece], declared: Iterable[Declaration], plan: Plan) -> Change:
    """Makes functions and objects local to the one source, but those that the public header declares; leaves
    out prototypes of functions that are not there."""
    changes: Change = {}
    for d in declared:
        if d.storage not in ("", "extern") or not d.names:
            continue
        inside = [name for name in d.names if name not in plan.public_names]
        if not inside:
            continue
        if len(inside) != len(d.names):
            raise AmalgamateError(f"one declaration has public and private names: {', '.join(d.names)}")
        if not any(name in plan.defined for name in inside):
            if d.is_function and d.storage == "":
                changes.update({i: [] for i in range(d.begin, d.end + 1)})
            continue  # an object of the system, such as environ
        if d.is_open and not d.defines:
            raise AmalgamateError(
                f"the declaration of the array {inside[0]} states no length, so it cannot be static"
            )
        _make_local(pieces, d, changes)
    return changes


def _make_local(pieces: Sequence[Piece], d: Declaration, changes: Change) -> None:
    local = Token(IDENTIFIER, LOCAL)
    has_local = False
    for i in range(d.begin, d.end + 1):
        piece = pieces[i]
        if isinstance(piece, Token) and piece.text in _EXPORTED:
            changes[i] = []
        if isinstance(piece, Token) and piece.text == "extern":
            changes[i] = [local]
            has_local = True
        if isinstance(piece, Token) and piece.text in ("(", "=", "{"):
            break
    if not has_local:
        first = after_attributes(pieces, d)
        changes[first] = [local, Token(SPACE, " "), *changes.get(first, [pieces[first]])]


def changed(pieces: Sequence[Piece], changes: Change) -> List[Piece]:
    """The pieces after changes."""
    out: List[Piece] = []
    for i, piece in enumerate(pieces):
        out.extend(changes.get(i, [piece]))
    return out


def _without_comment(token: Token, before: Optional[Token]) -> Optional[Token]:
    """The token in a comment's place: a blank, or nothing where one is there already."""
    if before is None or before.kind in (SPACE, NEWLINE):
        return None
    return Token(SPACE, " ")


def without_comments(pieces: Sequence[Piece]) -> List[Piece]:
    """The pieces without comments."""
    out: List[Piece] = []
    before: Optional[Token] = None
    for piece in pieces:
        if isinstance(piece, Directive):
            kept: List[Token] = []
            for token in piece.tokens:
                blank = (
                    _without_comment(token, kept[-1] if kept else None) if token.kind == COMMENT else token
                )
                kept.extend([] if blank is None else [blank])
            out.append(Directive(tuple(kept)))
            before = None
        else:
            blank = _without_comment(piece, before) if piece.kind == COMMENT else piece
            if blank is not None:
                out.append(blank)
                before = blank
    return out


def tidy(text: str, has_tabs: bool = False) -> str:
    """Without blanks at the ends of lines, and with one empty line at most between others; with a tab for
    each four blanks at the beginning of a line, which makes a source a tenth shorter."""
    out: List[str] = []
    for line in text.split("\n"):
        line = line.rstrip()
        if has_tabs:
            code = line.lstrip(" ")
            line = (
                "\t" * ((len(line) - len(code)) // _INDENT) + " " * ((len(line) - len(code)) % _INDENT) + code
            )
        if line or (out and out[-1]):
            out.append(line)
    while out and not out[-1]:
        out.pop()
    return "\n".join(out) + "\n" if out else ""


def feature_macros(pieces: Sequence[Piece]) -> Set[int]:
    """The places of definitions that headers of the system look for before they are included."""
    return {
        i
        for i, piece in enumerate(pieces)
        if isinstance(piece, Directive)
        and piece.name == "define"
        and piece.target.endswith("_SOURCE")
        and piece.target[0] == "_"
    }
