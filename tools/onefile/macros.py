# SPDX-License-Identifier: MIT
"""How the macros of the project use their arguments: a member's name is no name of the file, and a name
that is pasted or turned into text must not change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterable, List, Optional, Sequence, Set, Tuple

from onefile.tokens import IDENTIFIER, PUNCTUATOR, Directive, Piece, Token

MEMBER = "member"  # after a dot or an arrow, or the second argument of offsetof
TEXT = "text"  # beside # or ##

Roles = Dict[str, List[Set[str]]]  # a macro -> the roles of each parameter
_REST = "__VA_ARGS__"


@dataclass(frozen=True)
class Macro:
    """A macro that takes arguments."""

    name: str
    parameters: Tuple[str, ...]
    body: Tuple[Token, ...]  # without blanks


def macro_of(directive: Directive) -> Optional[Macro]:
    """The macro with arguments that a directive defines, if it does."""
    if directive.name != "define":
        return None
    tokens = directive.tokens
    names = [i for i, token in enumerate(tokens) if token.kind == IDENTIFIER]
    at = names[1] + 1 if len(names) > 1 else len(tokens)
    if at >= len(tokens) or tokens[at].text != "(":
        return None
    words = [token for token in tokens[at + 1 :] if not token.is_blank()]
    end = next((n for n, word in enumerate(words) if word.text == ")"), len(words))
    parameters = tuple(_REST if word.text == "..." else word.text for word in words[:end] if word.text != ",")
    return Macro(directive.target, parameters, tuple(words[end + 1 :]))


def arguments(words: Sequence[Token], at: int) -> Tuple[List[Tuple[int, int]], int]:
    """The arguments of a call whose opening parenthesis stands at `at`: where each begins and ends, and the
    place after the closing one."""
    found: List[Tuple[int, int]] = []
    depth = 0
    begin = at + 1
    for i in range(at, len(words)):
        text = words[i].text if words[i].kind == PUNCTUATOR else ""
        if text in ("(", "[", "{"):
            depth += 1
        elif text in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                found.append((begin, i))
                return found, i + 1
        elif text == "," and depth == 1:
            found.append((begin, i))
            begin = i + 1
    return found, len(words)


def _own_roles(macro: Macro) -> List[Set[str]]:
    """Roles that the body itself gives, without those of macros that it calls."""
    roles: List[Set[str]] = [set() for _ in macro.parameters]
    for i, word in enumerate(macro.body):
        if word.text not in macro.parameters:
            continue
        before = macro.body[i - 1].text if i > 0 else ""
        after = macro.body[i + 1].text if i + 1 < len(macro.body) else ""
        role = roles[macro.parameters.index(word.text)]
        if before in (".", "->"):
            role.add(MEMBER)
        if before in ("#", "##") or after == "##":
            role.add(TEXT)
    return roles


def _pass_on(macro: Macro, roles: Roles) -> bool:
    """Gives parameters the roles of the macros that they are passed to; whether that changed any."""
    changed = False
    for i, word in enumerate(macro.body[:-1]):
        if word.text not in roles or macro.body[i + 1].text != "(":
            continue
        places, _ = arguments(macro.body, i + 1)
        for (begin, end), given in zip(places, roles[word.text]):
            for inner in macro.body[begin:end]:
                if inner.text in macro.parameters:
                    mine = roles[macro.name][macro.parameters.index(inner.text)]
                    changed = changed or not given <= mine
                    mine |= given
    return changed


def roles_of(files: Iterable[Sequence[Piece]]) -> Roles:
    """The roles of the parameters of all macros that files define, and of offsetof."""
    macros = [
        macro
        for pieces in files
        for piece in pieces
        if isinstance(piece, Directive)
        for macro in (macro_of(piece),)
        if macro is not None
    ]
    roles: Roles = {"offsetof": [set(), {MEMBER}]}
    for macro in macros:
        own = _own_roles(macro)
        if macro.name in roles:
            roles[macro.name] = [a | b for a, b in zip(roles[macro.name], own)]
        else:
            roles[macro.name] = own
    changed = True
    while changed:
        changed = False
        for macro in macros:
            changed = _pass_on(macro, roles) or changed
    return {name: given for name, given in roles.items() if any(given)}
