# SPDX-License-Identifier: MIT
"""Puts the header and the source together."""

from __future__ import annotations

from typing import Dict, FrozenSet, List, Sequence, Set

from onefile.listing import ALL_SYSTEMS, SYSTEMS
from onefile.plan import Plan, Unit
from onefile.source import Include, Tree
from onefile.text import LOCAL, Change, changed, feature_macros, localise, rename, tidy, without_comments
from onefile.tokens import COMMENT, NEWLINE, AmalgamateError, Directive, Piece, Token, join

NAME = "mcpwire"


def _wrapped(text: str, systems: FrozenSet[str]) -> str:
    """The text for some systems alone."""
    if systems == ALL_SYSTEMS or not text:
        return text
    names = [name for name in SYSTEMS if name in systems]
    condition = " || ".join(f"defined(MCPWIRE_ON_{name})" for name in names)
    return f"#if {condition}\n{text}#endif\n"


class _Writer:
    """The part that both files have in common: headers of the system stand once."""

    def __init__(self, tree: Tree, plan: Plan) -> None:
        self.tree = tree
        self.plan = plan
        self.system: Dict[str, FrozenSet[str]] = {}
        self.written: Set[str] = set()

    def includes(self, path: str, systems: FrozenSet[str]) -> Change:
        """The pieces that take the places of the `#include` lines of a file."""
        changes: Change = {}
        for include in self.tree.file(path).includes:
            if include.is_system:
                if self.has_system(include, systems):
                    changes[include.at] = []
            else:
                changes[include.at] = self.project(include, systems)
        file = self.tree.file(path)
        for at, piece in enumerate(file.pieces):
            if not isinstance(piece, Directive) or at in changes:
                continue
            if piece.name == "include" and at not in {include.at for include in file.includes}:
                changes[at] = []  # of a revision that is left out
            if (
                piece.name == "define"
                and piece.target == file.guard
                and file.guard not in self.plan.asked_guards
            ):
                changes[at] = []
        return changes

    def has_system(self, include: Include, systems: FrozenSet[str]) -> bool:
        """Whether a header of the system stands there already for these systems."""
        if systems <= self.system.get(include.header, frozenset()):
            return True
        if include.depth == 0:
            self.system[include.header] = self.system.get(include.header, frozenset()) | systems
        return False

    def project(self, include: Include, systems: FrozenSet[str]) -> List[Piece]:
        """The text of a header of the project in the place of its `#include`."""
        raise NotImplementedError


class HeaderWriter(_Writer):
    """Writes the header: the public headers, each once."""

    def __init__(self, tree: Tree, plan: Plan) -> None:
        super().__init__(tree, plan)
        self.parts: List[str] = []

    def text(self) -> str:
        """The text of the header, without what stands around it."""
        for path in self.plan.public:
            self.put(path)
        return "\n".join(self.parts)

    def put(self, path: str) -> None:
        """Writes a header after those that it includes."""
        if path in self.written or path in self.plan.conditional:
            return
        self.written.add(path)
        for include in self.tree.file(path).includes:
            if not include.is_system:
                self.put(include.header)
        self.parts.append(tidy(join(self.pieces(path))))

    def pieces(self, path: str) -> List[Piece]:
        """A header's pieces; those of headers for some compilers alone stand inside it."""
        return _without_notes(changed(self.tree.file(path).pieces, self.includes(path, ALL_SYSTEMS)))

    def project(self, include: Include, systems: FrozenSet[str]) -> List[Piece]:
        if include.header in self.written:
            return []
        return [*self.pieces(include.header), Token(NEWLINE, "\n")]


def _without_notes(pieces: Sequence[Piece]) -> List[Piece]:
    """Without the lines that the top of the one file says once."""
    notes = ("/* SPDX-License-Identifier", "/* clang-format off")
    return [
        p for p in pieces if not (isinstance(p, Token) and p.kind == COMMENT and p.text.startswith(notes))
    ]


class SourceWriter(_Writer):
    """Writes the source: shared private headers once, then each source."""

    def __init__(self, tree: Tree, plan: Plan, keeps_comments: bool) -> None:
        super().__init__(tree, plan)
        self.keeps_comments = keeps_comments
        self.parts: List[str] = []
        self.features: Dict[str, str] = {}
        self.unit = plan.units[0]
        self.inside: Set[str] = set()
        for path in plan.public:
            for include in tree.file(path).includes:
                if include.is_system and include.depth == 0:
                    self.system[include.header] = ALL_SYSTEMS

    def text(self) -> str:
        """The text of the source, without what stands around it."""
        for unit in self.plan.units:
            self.unit = unit
            for path in unit.own:
                for include in self.tree.file(path).includes:
                    self.put_first(include)
            self.inside = set()
            own = self.copied_text(unit) + self.own_text(unit.path, unit.systems)
            self.parts.append(_wrapped(f"/* {unit.path} */\n{own}", unit.systems))
        return "\n".join(self.parts)

    def put_first(self, include: Include) -> None:
        """Writes a shared header before its source: what stands there is seen by all that follows."""
        if include.header in self.plan.systems:
            self.put_shared(include.header)

    def put_shared(self, path: str) -> None:
        """Writes a shared header where it is not written yet, after those inside that more systems have."""
        if path in self.written:
            return
        if path in self.plan.conditional:
            for include in self.tree.file(path).includes:
                self.put_first(include)
            return
        self.written.add(path)
        systems = self.plan.systems[path]
        self.prepare(path, systems)
        text = tidy(join(self.finished(path, {}, systems)), not self.keeps_comments)
        self.parts.append(_wrapped(f"/* {path} */\n{text}", systems))

    def prepare(self, path: str, systems: FrozenSet[str]) -> None:
        """Writes what must not stand inside a header: what more systems have, or more compilers."""
        for include in self.tree.file(path).includes:
            header = include.header
            if header not in self.plan.systems or header in self.written:
                continue
            if header in self.plan.conditional or self.plan.systems[header] != systems or include.depth > 0:
                self.put_shared(header)
            else:
                self.prepare(header, systems)

    def copied_text(self, unit: Unit) -> str:
        """The macros of which a source has a copy."""
        renamed = rename(unit.copied, unit.renamed, self.plan.roles)
        return "".join(f"{piece.text}\n" for piece in without_comments(renamed))

    def own_text(self, path: str, systems: FrozenSet[str]) -> str:
        """The text of a source with its own headers inside."""
        return tidy(join(self.finished(path, dict(self.unit.renamed), systems)), not self.keeps_comments)

    def finished(self, path: str, names: Dict[str, str], systems: FrozenSet[str]) -> List[Piece]:
        """The pieces of a file as they stand in the one source."""
        file = self.tree.file(path)
        changes = localise(file.pieces, self.tree.names(path).declarations, self.plan)
        changes.update(self.hoisted(file.pieces, systems))
        pieces = rename(file.pieces, names, self.plan.roles)
        for at, put in changes.items():
            if put and put[-1] is file.pieces[at]:
                put[-1] = pieces[at]
        changes.update(self.includes(path, systems))
        out = changed(pieces, changes)
        return out if self.keeps_comments else without_comments(out)

    def hoisted(self, pieces: Sequence[Piece], systems: FrozenSet[str]) -> Change:
        """Takes out the definitions that must come before every header of the system."""
        changes: Change = {}
        for at in feature_macros(pieces):
            piece = pieces[at]
            assert isinstance(piece, Directive)
            value = " ".join(word.text for word in piece.words[2:])
            if self.features.setdefault(piece.target, value) != value:
                raise AmalgamateError(f"{piece.target} has two values")
            changes[at] = []
        return changes

    def project(self, include: Include, systems: FrozenSet[str]) -> List[Piece]:
        header = include.header
        if header in self.plan.public or header in self.written:
            return []
        if header in self.plan.systems:
            if header not in self.plan.conditional:
                self.written.add(header)
            return [*self.finished(header, {}, systems), Token(NEWLINE, "\n")]
        if self.tree.file(header).guard:
            if header in self.inside:
                return []
            self.inside.add(header)
        return [*self.finished(header, dict(self.unit.renamed), systems), Token(NEWLINE, "\n")]


def top(tree: Tree, plan: Plan, what: Sequence[str], licence: str) -> str:
    """The comment at the beginning of both files."""
    lines = [
        f"mcpwire {tree.listing.version}, {what[0]}.",
        *what[1:],
        "Written by tools/amalgamate.py. Do not edit.",
        "",
        *licence.strip().split("\n"),
    ]
    body = "\n".join(f" * {line}".rstrip() for line in lines)
    return f"/* SPDX-License-Identifier: MIT */\n/*\n{body}\n */\n"


def systems_text() -> str:
    """The lines that say for which system the compiler builds."""
    lines: List[str] = []
    for name, condition in SYSTEMS.items():
        if not condition:
            lines.append("#else")
        else:
            lines.append(f"#{'elif' if lines else 'if'} {condition}")
        lines.append(f"#define MCPWIRE_ON_{name} 1")
    return "\n".join([*lines, "#endif"]) + "\n"


_LOCAL_TEXT = f"""/* Functions and constants of the inside. With -D{LOCAL}= a test sees them. */
#ifndef {LOCAL}
#define {LOCAL} static
#endif

/* A function of the inside may have no caller in this configuration. */
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#endif
"""


def header_text(tree: Tree, plan: Plan, what: Sequence[str], licence: str) -> str:
    """The text of mcpwire.h."""
    body = HeaderWriter(tree, plan).text()
    guard = f"{NAME.upper()}_H"
    return f"{top(tree, plan, what, licence)}#ifndef {guard}\n#define {guard}\n\n{body}\n#endif\n"


def own_names(plan: Plan) -> Set[str]:
    """The names that a file keeps to itself, as they stand in the one source."""
    return {name for unit in plan.units for name in dict(unit.renamed).values()}


def source_text(tree: Tree, plan: Plan, what: Sequence[str], licence: str, keeps_comments: bool) -> str:
    """The text of mcpwire.c."""
    writer = SourceWriter(tree, plan, keeps_comments)
    body = writer.text()
    features = "".join(
        f"#ifndef {name}\n#define {name}{' ' + value if value else ''}\n#endif\n"
        for name, value in sorted(writer.features.items())
    )
    parts = (features, f'#include "{NAME}.h"\n', systems_text(), _LOCAL_TEXT, body)
    return top(tree, plan, what, licence) + "\n" + "\n".join(part for part in parts if part)
