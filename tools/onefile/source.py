# SPDX-License-Identifier: MIT
"""Files of the library: their pieces without what the configuration leaves out, and what they include."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, FrozenSet, Iterator, List, Optional, Sequence, Set, Tuple

from onefile.conditions import Conditional, Node, grow, prune
from onefile.declare import Names, names_of, significant, static_macros
from onefile.listing import Listing
from onefile.macros import arguments, macro_of
from onefile.tokens import IDENTIFIER, AmalgamateError, Directive, Piece, Token, cut

CONFIG = "mcpw/config.h"
_TAGGED = ("struct", "union", "enum")


@dataclass(frozen=True)
class Include:
    """An `#include` in a file."""

    at: int  # the index of its piece
    header: str  # relative to the root; for a header of the system as it stands, with its brackets
    is_system: bool
    depth: int  # the conditionals around it


@dataclass(frozen=True)
class File:
    """A file without its include guard."""

    path: str  # relative to the root
    pieces: Tuple[Piece, ...]
    guard: str  # empty: it may be included more than once
    includes: Tuple[Include, ...]


def _unguarded(nodes: Sequence[Node]) -> Tuple[Sequence[Node], str]:
    """The nodes inside an include guard, with what stands around it, and the macro of the guard."""
    marked = [n for n in nodes if not (isinstance(n, Token) and n.is_blank())]
    if len(marked) != 1 or not isinstance(marked[0], Conditional) or len(marked[0].branches) != 1:
        return nodes, ""
    branch = marked[0].branches[0]
    inner = [n for n in branch.nodes if not (isinstance(n, Token) and n.is_blank())]
    if branch.directive.name != "ifndef" or not inner or not isinstance(inner[0], Directive):
        return nodes, ""
    if inner[0].name != "define" or inner[0].target != branch.directive.target or len(inner[0].words) != 2:
        return nodes, ""
    out: List[Node] = []
    for node in nodes:
        if node is marked[0]:
            out.extend(branch.nodes)
        else:
            out.append(node)
    return out, branch.directive.target


def _free_words(body: Sequence[Token]) -> FrozenSet[str]:
    """The identifiers of a macro's body that are no members, and stand in no attribute."""
    found: Set[str] = set()
    at = 0
    while at < len(body):
        if body[at].text == "__attribute__" and at + 1 < len(body):
            _, at = arguments(body, at + 1)
            continue
        if body[at].kind == IDENTIFIER and (at == 0 or body[at - 1].text not in (".", "->")):
            found.add(body[at].text)
        at += 1
    return frozenset(found)


class Tree:
    """The files of the library, each read once: as C has them, or as C and C++ have them."""

    def __init__(self, root: Path, listing: Listing, is_only_c: bool = True) -> None:
        self.root = root
        self.listing = listing
        self.known = dict(listing.known)
        if is_only_c:
            self.known["__cplusplus"] = None
        self._files: Dict[str, File] = {}
        self._names: Dict[str, Names] = {}
        self._tags: Dict[str, FrozenSet[str]] = {}
        self._words: Dict[str, FrozenSet[str]] = {}
        self._free: Dict[str, List[Tuple[Directive, FrozenSet[str]]]] = {}
        self.statics: FrozenSet[str] = frozenset()

    def file(self, path: str) -> File:
        """A file by its path relative to the root."""
        if path not in self._files:
            self._files[path] = self._read(path)
        return self._files[path]

    def names(self, path: str) -> Names:
        """The names that a file declares."""
        if path not in self._names:
            try:
                self._names[path] = names_of(self.file(path).pieces, self.statics)
            except AmalgamateError as error:
                raise AmalgamateError(f"{path}: {error}") from error
        return self._names[path]

    def mentioned_tags(self, path: str) -> FrozenSet[str]:
        """The tags that stand after struct, union or enum in a file."""
        if path not in self._tags:
            tokens = [token for _, token in significant(self.file(path).pieces)]
            pairs = zip(tokens, tokens[1:])
            self._tags[path] = frozenset(
                b.text for a, b in pairs if a.text in _TAGGED and b.kind == IDENTIFIER
            )
        return self._tags[path]

    def words(self, path: str) -> FrozenSet[str]:
        """All identifiers of a file."""
        if path not in self._words:
            found: Set[str] = set()
            for piece in self.file(path).pieces:
                tokens = piece.tokens if isinstance(piece, Directive) else (piece,)
                found.update(token.text for token in tokens if token.kind == IDENTIFIER)
            self._words[path] = frozenset(found)
        return self._words[path]

    def know_statics(self, paths: Sequence[str]) -> None:
        """Finds the macros that stand for `static`, before names are asked for."""
        self.statics = static_macros(self.file(path).pieces for path in paths)

    def _read(self, path: str) -> File:
        is_config = path.endswith("/" + CONFIG)
        text = self.listing.config if is_config else (self.root / path).read_text(encoding="utf-8")
        try:
            nodes, guard = _unguarded(grow(cut(text)))
            pieces = prune(nodes, {} if is_config else self.known)
            return File(path, tuple(pieces), guard, tuple(self._includes(path, pieces)))
        except AmalgamateError as error:
            raise AmalgamateError(f"{path}: {error}") from error

    def _includes(self, path: str, pieces: Sequence[Piece]) -> Iterator[Include]:
        depth = 0
        for at, piece in enumerate(pieces):
            if not isinstance(piece, Directive):
                continue
            if piece.name in ("if", "ifdef", "ifndef"):
                depth += 1
            elif piece.name == "endif":
                depth -= 1
            elif piece.name == "include":
                header = self.resolve(path, piece.included or "")
                if header is None:
                    yield Include(at, piece.included or "", True, depth)
                elif header:
                    yield Include(at, header, False, depth)

    def resolve(self, path: str, included: str) -> Optional[str]:
        """The path of a header of the project, None for one of the system, and empty for one of a
        revision that is left out."""
        name = included[1:-1]
        places = [self.root / Path(path).parent] if included.startswith('"') else []
        for folder in [*places, *self.listing.folders]:
            found = folder / name
            if found.is_file():
                return found.resolve().relative_to(self.root).as_posix()
        if name.startswith("mcp/"):
            return ""
        if included.startswith('"') or name.startswith("mcpw/"):
            raise AmalgamateError(f"{included} is not found")
        return None

    def free_words(self, path: str) -> List[Tuple[Directive, FrozenSet[str]]]:
        """The macros of a file, each with the words of its body that are neither parameters nor members."""
        if path not in self._free:
            self._free[path] = []
            for piece in self.file(path).pieces:
                if isinstance(piece, Directive) and piece.name == "define":
                    macro = macro_of(piece)
                    body = macro.body if macro is not None else piece.words[2:]
                    own = frozenset(macro.parameters) if macro is not None else frozenset()
                    self._free[path].append((piece, _free_words(body) - own))
        return self._free[path]

    def closure(self, path: str) -> List[str]:
        """The project's headers that a file includes, at any depth, in the order in which they end."""
        found: Dict[str, None] = {}
        self._close(path, found, set())
        return list(found)

    def _close(self, path: str, found: Dict[str, None], seen: Set[str]) -> None:
        for include in self.file(path).includes:
            if not include.is_system and include.header not in seen:
                seen.add(include.header)
                self._close(include.header, found, seen)
                found[include.header] = None
