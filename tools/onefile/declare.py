# SPDX-License-Identifier: MIT
"""Reads the declarations of a file by its tokens: the names at file scope, their linkage, and which tokens
are names of members."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, FrozenSet, Iterable, List, Optional, Sequence, Set, Tuple

from onefile.macros import MEMBER, TEXT, Roles, arguments
from onefile.tokens import BLANK, IDENTIFIER, PUNCTUATOR, AmalgamateError, Directive, Piece, Token

_TAGGED = frozenset(("struct", "union", "enum"))
_KEYWORDS = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if inline int
    long register restrict return short signed sizeof static struct switch typedef union unsigned void
    volatile while
    _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local
    __attribute__ __declspec __inline __restrict __extension__ bool""".split()
)
_ASSERTS = frozenset(("_Static_assert", "static_assert"))
_ATTRIBUTES = frozenset(("__attribute__", "__declspec", "_Alignas", "_Noreturn", "_Atomic"))
# They stand between declarations, and end none.
_BETWEEN = frozenset(("MCPW_BEGIN_DECLS", "MCPW_END_DECLS"))
_OPEN = {"(": ")", "[": "]", "{": "}"}

Place = Tuple[int, Token]  # the index of a piece, and the token that it is


@dataclass(frozen=True)
class Declaration:
    """A declaration at file scope, or the definition of a function."""

    begin: int  # the index of the piece at which it begins
    end: int  # and of the one at which it ends
    names: Tuple[str, ...]  # ordinary identifiers
    storage: str  # typedef, static, extern, or empty
    is_function: bool
    defines: bool  # it has a body or an initialiser, or makes an object without one
    is_open: bool  # an array whose length another declaration states


@dataclass(frozen=True)
class Names:
    """The names that a file declares at file scope."""

    declarations: Tuple[Declaration, ...]
    tags: FrozenSet[str]
    enumerators: FrozenSet[str]
    macros: FrozenSet[str]
    optional_macros: FrozenSet[str] = field(
        default_factory=frozenset
    )  # defined unless they are: not the file's own

    def of(self, *storages: str) -> Set[str]:
        """The identifiers of declarations with one of these storage classes."""
        return {name for d in self.declarations if d.storage in storages for name in d.names}


def _closing(words: Sequence[Place], at: int) -> int:
    """The place of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(words)):
        if words[i][1].kind != PUNCTUATOR:
            continue
        text = words[i][1].text
        if text in _OPEN:
            depth += 1
        elif text in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                return i
    raise AmalgamateError(f"{words[at][1].text} is not closed")


def significant(pieces: Sequence[Piece]) -> List[Place]:
    """The tokens that are no blanks and stand in no directive."""
    return [(i, p) for i, p in enumerate(pieces) if isinstance(p, Token) and p.kind not in BLANK]


def _is_attribute(words: Sequence[Place], at: int) -> bool:
    """Whether an attribute with arguments begins here: `__attribute__((...))`, or a macro in capitals that
    stands before or after a declarator."""
    text = words[at][1].text
    if at + 1 >= len(words) or words[at + 1][1].text != "(":
        return False
    return text in _ATTRIBUTES or (words[at][1].kind == IDENTIFIER and text.isupper())


def _plain(words: Sequence[Place]) -> List[Token]:
    """A declaration without attributes, bodies of types, and initialisers."""
    out: List[Token] = []
    i = 0
    while i < len(words):
        token = words[i][1]
        if _is_attribute(words, i):
            i = _closing(words, i + 1) + 1
        elif token.text == "{":
            i = _closing(words, i) + 1
        elif token.text == "=":
            i += 1
            while i < len(words) and words[i][1].text != ",":
                i = _closing(words, i) + 1 if words[i][1].text in _OPEN else i + 1
        elif token.text in _TAGGED:
            i += 1
            while i < len(words) and _is_attribute(words, i):
                i = _closing(words, i + 1) + 1
            if i < len(words) and words[i][1].kind == IDENTIFIER:
                i += 1
        else:
            out.append(token)
            i += 1
    return out


def _after_attributes(words: Sequence[Place]) -> int:
    at = 0
    while _is_attribute(words, at):
        at = _closing(words, at + 1) + 1
    return at


def after_attributes(pieces: Sequence[Piece], d: Declaration) -> int:
    """The piece at which a declaration begins, after macros in capitals with arguments: attributes, and
    lists that stand for declarations of their own."""
    words = significant(pieces[d.begin : d.end + 1])
    return d.begin + words[_after_attributes(words)][0]


def _split(tokens: Sequence[Token]) -> List[List[Token]]:
    parts: List[List[Token]] = [[]]
    depth = 0
    for token in tokens:
        if token.text in _OPEN:
            depth += 1
        elif token.text in (")", "]", "}"):
            depth -= 1
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _declarator(tokens: Sequence[Token]) -> Optional[Tuple[int, bool]]:
    """The place of the name in a declarator, and whether it declares a function."""
    for i, token in enumerate(tokens):
        if token.text != "(":
            continue
        if i + 1 < len(tokens) and tokens[i + 1].text == "*":
            for k in range(i + 2, len(tokens)):
                if tokens[k].kind == IDENTIFIER and tokens[k].text not in _KEYWORDS:
                    return k, False
            return None
        if i > 0 and tokens[i - 1].kind == IDENTIFIER and tokens[i - 1].text not in _KEYWORDS:
            return i - 1, True
        return None
    last: Optional[int] = None
    for i, token in enumerate(tokens):
        if token.text in ("[", ":"):
            break
        if token.kind == IDENTIFIER and token.text not in _KEYWORDS:
            last = i
    return None if last is None else (last, False)


def declared_names(words: Sequence[Place]) -> List[Tuple[Token, bool]]:
    """The names that a declaration declares, each with whether it is a function."""
    out: List[Tuple[Token, bool]] = []
    for part in _split(_plain(words)):
        found = _declarator(part)
        if found is not None:
            out.append((part[found[0]], found[1]))
    return out


def _end(words: Sequence[Place], begin: int) -> Tuple[int, bool]:
    """The place after a declaration, and whether it has the body of a function."""
    i = begin
    has_value = False
    while i < len(words):
        text = words[i][1].text if words[i][1].kind == PUNCTUATOR else ""
        if text == ";":
            return i + 1, False
        if text == "=":
            has_value = True
        if text == "{" and not has_value and not _opens_type(words, begin, i):
            return _closing(words, i) + 1, True
        i = _closing(words, i) + 1 if text in _OPEN else i + 1
    raise AmalgamateError(
        "a declaration does not end: " + " ".join(w.text for _, w in words[begin : begin + 12])
    )


def _opens_type(words: Sequence[Place], begin: int, at: int) -> bool:
    """Whether the brace at `at` opens the body of a struct, a union or an enum."""
    i = at - 1
    if i >= begin and words[i][1].kind == IDENTIFIER and words[i][1].text not in _TAGGED:
        i -= 1
    while i >= begin and words[i][1].text == ")":  # attributes before the tag
        depth = 0
        while i >= begin:
            depth += {")": 1, "(": -1}.get(words[i][1].text, 0)
            i -= 1
            if depth == 0:
                break
        i -= 1
    return i >= begin and words[i][1].text in _TAGGED


def _storage(words: Sequence[Place], statics: FrozenSet[str]) -> str:
    for _, token in words:
        if token.text in ("(", "=", "{"):
            break
        if token.text in ("typedef", "static", "extern"):
            return token.text
        if token.text in statics:
            return "static"
    return ""


def _is_open_array(words: Sequence[Place]) -> bool:
    texts = [token.text for token in _plain(words)]
    return any(a == "[" and b == "]" for a, b in zip(texts, texts[1:])) and not any(
        w.text == "=" for _, w in words
    )


def declarations(pieces: Sequence[Piece], statics: FrozenSet[str] = frozenset()) -> List[Declaration]:
    """The declarations of a file. `statics` are the macros that stand for a text with `static` in it."""
    words = significant(pieces)
    out: List[Declaration] = []
    at = 0
    while at < len(words):
        if words[at][1].text in _BETWEEN or words[at][1].text == ";":
            at += 1
            continue
        if words[at][1].text == "extern" and at + 1 < len(words) and words[at + 1][1].text.startswith('"'):
            raise AmalgamateError('extern "C" stands in a file of C')
        if words[at][1].text == "{":
            raise AmalgamateError("parameters are declared after a function's head")
        end, has_body = _end(words, at)
        mine = words[at:end]
        out.append(_declaration(mine, has_body, statics))
        at = end
    return out


def _declaration(mine: Sequence[Place], has_body: bool, statics: FrozenSet[str]) -> Declaration:
    begin, end = mine[0][0], mine[-1][0]
    if mine[0][1].text in _ASSERTS:
        return Declaration(begin, end, (), "", False, False, False)
    head = mine
    if has_body:  # the body of a function is no part of its declarator
        close = next(i for i in range(len(mine)) if mine[i][1].text == "{" and not _opens_type(mine, 0, i))
        head = mine[:close]
    names = declared_names([w for w in head if w[1].text != ";"])
    storage = _storage(mine[_after_attributes(mine) :], statics)
    is_function = any(function for _, function in names)
    has_value = any(w.text == "=" for _, w in head)
    defines = has_body or has_value or (not is_function and storage not in ("extern", "typedef"))
    return Declaration(
        begin, end, tuple(n.text for n, _ in names), storage, is_function, defines, _is_open_array(head)
    )


def _bodies(words: Sequence[Place]) -> Iterable[Tuple[str, Optional[str], int]]:
    """Each type that has a body: its keyword, its tag, and the place of its brace."""
    for i, (_, token) in enumerate(words):
        if token.text not in _TAGGED:
            continue
        k = i + 1
        while k < len(words) and _is_attribute(words, k):
            k = _closing(words, k + 1) + 1
        tag = None
        if k < len(words) and words[k][1].kind == IDENTIFIER:
            tag = words[k][1].text
            k += 1
        if k < len(words) and words[k][1].text == "{":
            yield token.text, tag, k


def _fields(words: Sequence[Place], at: int) -> Iterable[int]:
    """The pieces that name the members of the struct or union whose brace stands at `at`."""
    end = _closing(words, at)
    i = at + 1
    while i < end:
        begin = i
        while i < end and words[i][1].text != ";":
            i = _closing(words, i) + 1 if words[i][1].text in _OPEN else i + 1
        places = {id(token): place for place, token in words[begin:i]}
        if words[begin][1].text not in _ASSERTS:
            for token, _ in declared_names(words[begin:i]):
                yield places[id(token)]
        i += 1


def member_places(words: Sequence[Place], roles: Roles) -> Set[int]:
    """The pieces whose identifiers name members: after a dot or an arrow, in the body of a struct, and as an
    argument that a macro uses in such a place."""
    found: Set[int] = set()
    for (_, before), (place, token) in zip(words, words[1:]):
        if token.kind == IDENTIFIER and before.text in (".", "->"):
            found.add(place)
    for keyword, _, at in _bodies(words):
        if keyword != "enum":
            found.update(_fields(words, at))
    found.update(place for place, _ in _in_role(words, roles, MEMBER, is_first=True))
    return found


def text_names(words: Sequence[Place], roles: Roles) -> Set[str]:
    """The identifiers that a macro pastes or turns into text."""
    return {token.text for _, token in _in_role(words, roles, TEXT, is_first=False)}


def _in_role(words: Sequence[Place], roles: Roles, role: str, is_first: bool) -> Iterable[Place]:
    tokens = [token for _, token in words]
    for i, token in enumerate(tokens[:-1]):
        if token.text not in roles or tokens[i + 1].text != "(":
            continue
        places, _ = arguments(tokens, i + 1)
        for (begin, end), given in zip(places, roles[token.text]):
            if role not in given:
                continue
            named = [w for w in words[begin:end] if w[1].kind == IDENTIFIER]
            yield from named[:1] if is_first else named


def _enumerators(words: Sequence[Place], at: int) -> Iterable[str]:
    tokens = [token for _, token in words]
    places, _ = arguments(tokens, at)
    for begin, end in places:
        if (
            begin < end
            and tokens[begin].kind == IDENTIFIER
            and (begin + 1 == end or tokens[begin + 1].text != "(")
        ):
            yield tokens[begin].text


def _types(words: Sequence[Place], spans: Sequence[Tuple[int, int]]) -> Tuple[Set[str], Set[str]]:
    tags: Set[str] = set()
    enumerators: Set[str] = set()
    for begin, end in spans:
        mine = [w for w in words if begin <= w[0] <= end]
        for keyword, tag, at in _bodies(mine):
            if tag is not None:
                tags.add(tag)
            if keyword == "enum":
                enumerators.update(_enumerators(mine, at))
        if len(mine) == 3 and mine[0][1].text in _TAGGED:  # struct tag;
            tags.add(mine[1][1].text)
    return tags, enumerators


def _macros(pieces: Sequence[Piece]) -> Tuple[Set[str], Set[str]]:
    defined: Set[str] = set()
    asked: Set[str] = set()
    for piece in pieces:
        if isinstance(piece, Directive):
            if piece.name == "define":
                defined.add(piece.target)
            elif piece.name == "ifndef":
                asked.add(piece.target)
    return defined, defined & asked


def names_of(pieces: Sequence[Piece], statics: FrozenSet[str] = frozenset()) -> Names:
    """Everything that a file declares at file scope."""
    found = declarations(pieces, statics)
    words = significant(pieces)
    places: Dict[int, int] = {place: i for i, (place, _) in enumerate(words)}
    spans = [(d.begin, d.end) for d in found if not (d.is_function and d.defines)]
    tags: Set[str] = set()
    enumerators: Set[str] = set()
    for begin, end in spans:
        mine = words[places[begin] : places[end] + 1]
        more_tags, more_enumerators = _types(mine, [(begin, end)])
        tags |= more_tags
        enumerators |= more_enumerators
    macros, optional = _macros(pieces)
    return Names(
        tuple(found), frozenset(tags), frozenset(enumerators), frozenset(macros), frozenset(optional)
    )


def static_macros(files: Iterable[Sequence[Piece]]) -> FrozenSet[str]:
    """The macros that stand for a text with `static` in it, such as one that asks for an inline function."""
    bodies = [
        (piece.target, frozenset(word.text for word in piece.words[2:]))
        for pieces in files
        for piece in pieces
        if isinstance(piece, Directive) and piece.name == "define"
    ]
    found = {"static"}
    size = 0
    while size != len(found):
        size = len(found)
        found |= {name for name, body in bodies if body & found}
    return frozenset(found - {"static"})
