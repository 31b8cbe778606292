# SPDX-License-Identifier: MIT
"""Decides which headers are public, shared or a source's own, and which names need another one."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Counter as CounterOf
from typing import Dict, FrozenSet, List, Mapping, Sequence, Set, Tuple

from onefile.declare import Names, significant, text_names
from onefile.macros import Roles, roles_of
from onefile.source import Tree
from onefile.tokens import AmalgamateError, Directive

PUBLIC_FOLDER = "runtime/include/mcpw"
GENERATED_ROOTS = ("mcp/revisions.h", "mcp/pinned.h", "mcp/client.h")
_PREFIXES = ("mcpw_", "mcp_", "MCPW_", "MCP_")


@dataclass(frozen=True)
class Unit:
    """A source and the headers that are its own: what the compiler sees apart from the shared ones."""

    path: str
    systems: FrozenSet[str]
    own: Tuple[str, ...]  # the source and its own headers
    shared: Tuple[str, ...]  # the shared private headers, in the order in which they end
    renamed: Mapping[str, str] = field(default_factory=dict)
    copied: Tuple[Directive, ...] = ()  # macros of other headers that speak of them, under their old names


@dataclass(frozen=True)
class Plan:
    """The place of everything."""

    public: Tuple[str, ...]  # in the order in which they go into the header
    units: Tuple[Unit, ...]
    public_names: FrozenSet[str]  # functions and objects that the header declares
    defined: FrozenSet[str]  # functions and objects that the source defines
    conditional: FrozenSet[str]  # headers that are included inside conditionals alone: for some compilers
    systems: Mapping[str, FrozenSet[str]]  # of a shared header: those whose sources include it
    asked_guards: FrozenSet[str]  # guards of headers that other headers ask for
    roles: Roles


def _ordinary(names: Names) -> Set[str]:
    """Functions and objects with external linkage."""
    return names.of("extern", "")


def _own(names: Names) -> Set[str]:
    """The names that another file may have, too."""
    local = names.of("static", "typedef") | names.tags | names.enumerators
    return local | (names.macros - names.optional_macros)


def _every(names: Names) -> Set[str]:
    return _own(names) | _ordinary(names)


class Planner:
    """Makes the plan of a tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.sources = tree.listing.sources
        self.closures = {path: tree.closure(path) for path, _ in self.sources}
        headers = dict.fromkeys(h for path, _ in self.sources for h in self.closures[path])
        public = self._candidates()
        self.generated = [tree.resolve("", f"<{name}>") or "" for name in GENERATED_ROOTS]
        for path in [*public, *self.generated]:
            headers.update(dict.fromkeys([*tree.closure(path), path]))
        self.headers = list(headers)
        tree.know_statics(self.headers)
        self.defined = frozenset(
            name
            for path in [*self.closures, *(h for h in self.headers if h not in public)]
            for d in tree.names(path).declarations
            if d.defines and d.storage in ("", "extern")
            for name in d.names
        )
        self.public = self._public(public)
        self.conditional = self._conditional()
        self.roles = roles_of(tree.file(p).pieces for p in [*self.headers, *self.closures])

    def _candidates(self) -> List[str]:
        folder = self.tree.root / PUBLIC_FOLDER
        return [p.relative_to(self.tree.root).as_posix() for p in sorted(folder.glob("*.h"))]

    def _public(self, candidates: Sequence[str]) -> List[str]:
        """The public headers whose functions are there, and all that they include."""
        out: Dict[str, None] = {}
        left_out = {path for path in candidates if not self._is_there(path)}
        for path in [*self.generated, *candidates]:
            closure = self.tree.closure(path)
            is_asked = path not in self.generated[: GENERATED_ROOTS.index("mcp/client.h")]
            if is_asked and left_out & {path, *closure}:
                continue
            out.update(dict.fromkeys([*closure, path]))
        return list(out)

    def _is_there(self, path: str) -> bool:
        """Whether the sources define a function that a header declares, or it declares none."""
        functions = {
            n
            for d in self.tree.names(path).declarations
            if d.is_function and d.storage in ("", "extern")
            for n in d.names
        }
        return not functions or bool(functions & self.defined)

    def _templates(self) -> Set[str]:
        """The private headers that each source has a copy of: they may be included twice, one source alone
        includes them, or they depend on what their source has defined before."""
        users: CounterOf[str] = Counter(h for closure in self.closures.values() for h in closure)
        private = [h for h in self.headers if h not in self.public]
        found = {h for h in private if not self.tree.file(h).guard or users[h] == 1}
        found |= self._alternatives([h for h in private if h not in found])
        words = {h: self._foreign(h) for h in private}
        changed = True
        while changed:
            changed = False
            for path, _ in self.sources:
                for header in self._dependent(path, found, words):
                    found.add(header)
                    changed = True
        return found

    def _foreign(self, header: str) -> FrozenSet[str]:
        """The identifiers that a header uses and does not declare. A tag alone may be a stranger's."""
        return self.tree.words(header) - _every(self.tree.names(header)) - self.tree.mentioned_tags(header)

    def _alternatives(self, headers: Sequence[str]) -> Set[str]:
        """Headers that declare the same name, each for its own sources, as those that describe a mode do."""
        by_name: Dict[str, Set[str]] = {}
        for header in headers:
            if header not in self.conditional:
                names = self.tree.names(header)
                for name in names.of("static"):
                    by_name.setdefault(name, set()).add(header)
        return {header for same in by_name.values() if len(same) > 1 for header in same}

    def _conditional(self) -> FrozenSet[str]:
        """The headers that are included inside conditionals alone: they are for some compilers."""
        included = {i.header for p in [*self.headers, *self.closures] for i in self.tree.file(p).includes}
        always = [*self.closures, *(h for h in self.headers if h not in included)]
        found = set(always)
        while always:
            for include in self.tree.file(always.pop()).includes:
                if include.depth == 0 and not include.is_system and include.header not in found:
                    found.add(include.header)
                    always.append(include.header)
        return frozenset(h for h in self.headers if h not in found)

    def _asked_guards(self) -> FrozenSet[str]:
        guards = {self.tree.file(h).guard for h in self.headers} - {""}
        asked: Set[str] = set()
        for path in [*self.headers, *self.closures]:
            asked |= (self.tree.words(path) & guards) - {self.tree.file(path).guard}
        return frozenset(asked)

    def _dependent(self, path: str, templates: Set[str], words: Mapping[str, FrozenSet[str]]) -> List[str]:
        """The shared headers of a source that speak of names that its own files have declared before them."""
        out: List[str] = []
        own: Set[str] = set()
        for header in self.closures[path]:
            if header in templates:
                own |= _own(self.tree.names(header)) - {self.tree.file(header).guard}
            elif header not in self.public and own & words[header]:
                out.append(header)
        return out

    def plan(self) -> Plan:
        """The plan."""
        templates = self._templates()
        systems: Dict[str, FrozenSet[str]] = {}
        units: List[Unit] = []
        for path, of in self.sources:
            closure = [h for h in self.closures[path] if h not in self.public]
            shared = [h for h in closure if h not in templates]
            own = [*(h for h in closure if h in templates), path]
            for header in shared:
                systems[header] = systems.get(header, frozenset()) | of
            units.append(Unit(path, of, tuple(own), tuple(shared)))
        public_names = {n for h in self.public for n in _ordinary(self.tree.names(h))}
        return Plan(
            public=tuple(self.public),
            units=tuple(self._renamed(units, systems)),
            public_names=frozenset(public_names),
            defined=self.defined,
            conditional=self.conditional,
            systems=systems,
            asked_guards=self._asked_guards(),
            roles=self.roles,
        )

    def _renamed(self, units: Sequence[Unit], systems: Mapping[str, FrozenSet[str]]) -> List[Unit]:
        prefixes = prefixes_of([unit.path for unit in units])
        everywhere: Set[str] = set()
        for header in [*self.public, *systems]:
            everywhere |= _every(self.tree.names(header)) - {self.tree.file(header).guard}
        externals = {n for unit in units for p in unit.own for n in _ordinary(self.tree.names(p))}
        own = {unit.path: self._own_of(unit) for unit in units}
        counts: CounterOf[str] = Counter(name for names in own.values() for name in names)
        taken = everywhere | externals | set(counts)
        out: List[Unit] = []
        for unit in units:
            pinned = self._pinned(unit)
            renamed: Dict[str, str] = {}
            for name in sorted(own[unit.path]):
                clashes = counts[name] > 1 or name in everywhere or name in externals
                if name in pinned:
                    if clashes:
                        raise AmalgamateError(
                            f"{unit.path}: {name} is pasted or made a text, and other files have it, too"
                        )
                    continue
                if clashes or not name.startswith(_PREFIXES):
                    renamed[name] = f"{prefixes[unit.path]}__{name}"
            if taken & set(renamed.values()):
                raise AmalgamateError(
                    f"{unit.path}: the new name of one is that of another: {taken & set(renamed.values())}"
                )
            copied = self._copied(unit, renamed)
            renamed.update({d.target: f"{prefixes[unit.path]}__{d.target}" for d in copied})
            out.append(Unit(unit.path, unit.systems, unit.own, unit.shared, renamed, tuple(copied)))
        return out

    def _own_of(self, unit: Unit) -> Set[str]:
        """The names of a unit that no header declares which it includes."""
        names: Set[str] = set()
        statics: Set[str] = set()
        for path in unit.own:
            names |= _own(self.tree.names(path)) - {self.tree.file(path).guard}
            statics |= self.tree.names(path).of("static")
        for header in self.closures[unit.path]:
            if header not in unit.own:  # a struct that it declares, and the source defines
                names -= self.tree.mentioned_tags(header) - statics
        return {name for name in names if not re.match(r"_[A-Z_]|WIN32_|NOMINMAX", name)}

    def _copied(self, unit: Unit, renamed: Mapping[str, str]) -> List[Directive]:
        """Macros of other headers that speak of names of the source, such as that of the pool of a table: the
        source gets its own, with the new name."""
        outside = [m for h in self.closures[unit.path] if h not in unit.own for m in self.tree.free_words(h)]
        used = {word for path in unit.own for word in self.tree.words(path)}
        found: Dict[str, Directive] = {}
        size = (-1, -1)
        while size != (len(used), len(found)):
            size = (len(used), len(found))
            for define, free in outside:
                if define.target not in used:
                    continue
                used |= free
                speaks = bool(free & (renamed.keys() | found.keys()))
                if speaks and found.setdefault(define.target, define) is not define:
                    raise AmalgamateError(f"{unit.path}: {define.target}, defined twice, speaks of its names")
        return list(found.values())

    def _pinned(self, unit: Unit) -> Set[str]:
        found: Set[str] = set()
        for path in unit.own:
            found |= text_names(significant(self.tree.file(path).pieces), self.roles)
        return found


def prefixes_of(paths: Sequence[str]) -> Dict[str, str]:
    """A short word for each path: its stem, with as many of its folders as tell it apart."""
    parts = {path: list(PurePosixPath(path).with_suffix("").parts) for path in paths}
    out: Dict[str, str] = {}
    length = 1
    left = list(paths)
    while left:
        counts: CounterOf[Tuple[str, ...]] = Counter(tuple(parts[p][-length:]) for p in left)
        again: List[str] = []
        for path in left:
            tail = tuple(parts[path][-length:])
            if counts[tail] == 1 or length > len(parts[path]):
                out[path] = _word("_".join(tail))
            else:
                again.append(path)
        left = again
        length += 1
    return out


def _word(text: str) -> str:
    word = re.sub(r"[^A-Za-z0-9]+", "_", text)
    return f"r{word}" if word[:1].isdigit() else word
