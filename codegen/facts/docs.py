# SPDX-License-Identifier: MIT
"""The one-line comments of generated headers, from `schema/docs.json`.

A key is the path of a definition or member: `Tool`, `Tool.inputSchema`, `Tool.inputSchema.type`. After a
path, `[]` stands for the items of an array and `{}` for the values of a map; branches of anyOf, oneOf and
allOf leave no trace. `*.name` speaks for every member of that name that has no entry of its own. An entry is
one line, or an object from revision to line, where a line holds from its revision on until a newer one
replaces it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from codegen.errors import Refusal
from codegen.source.keys import SEPARATOR

ANY_TYPE = "*"

_ALWAYS = ""  # sorts before every revision

Entry = tuple[tuple[str, str], ...]  # (revision from which it holds, line), oldest first


@dataclass(frozen=True)
class Docs:
    """The lines of one docs.json, by key."""

    entries: Mapping[str, Entry]
    own: frozenset[str] = frozenset()
    """Definitions of an overlay: what is said of all members of a name is not about theirs."""

    @staticmethod
    def load(path: str | Path) -> Docs:
        """Reads docs.json; raises Refusal where it is anything but lines by key."""
        file = str(path)
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Refusal(file, "", f"cannot be read: {error}") from error
        try:
            top = json.loads(text, object_pairs_hook=lambda pairs: _unique(file, pairs))
        except ValueError as error:
            raise Refusal(file, "", f"not JSON: {error}") from error
        if not isinstance(top, dict):
            raise Refusal(file, "", "expected an object of documentation lines")
        return Docs({key: _entry(file, key, value) for key, value in top.items()})

    def source(self, key: str) -> str | None:
        """The key of the entry that answers for `key`: its own, else the one for its name in any type."""
        if key in self.entries:
            return key
        owner, _, name = key.rpartition(SEPARATOR)
        if _root(key) in self.own and not name.startswith("_"):  # such names are the protocol's own
            return None
        default = ANY_TYPE + SEPARATOR + name
        return default if owner and default in self.entries else None

    def line(self, revision: str, key: str) -> str | None:
        """The comment for a definition or member in a revision, or None where there is none.

        Revisions compare as strings, so that a draft with a later name sees the newest line.
        """
        source = self.source(key)
        if source is None:
            return None
        held = [line for since, line in self.entries[source] if since <= revision]
        return held[-1] if held else None

    def of(self, lineage: Sequence[str]) -> Docs:
        """The lines of a revision that is like others, the nearest first: its own, else theirs."""
        found: dict[str, Entry] = {}
        for key, entry in self.entries.items():
            exact = [line for name in lineage[:-1] for since, line in entry if since == name]
            line = exact[0] if exact else self.line(lineage[-1], key)
            if line is not None:
                found[key] = ((_ALWAYS, line),)
        return Docs(found)

    def told_by(self, definitions: Collection[str], lines: Mapping[str, str]) -> Docs:
        """The same, in which these definitions and their members have these lines, and no others of their
        own."""
        kept = {key: entry for key, entry in self.entries.items() if _root(key) not in definitions}
        told = {key: ((_ALWAYS, line),) for key, line in lines.items()}
        return Docs({**kept, **told}, frozenset(definitions))

    def without(self, keys: Collection[str]) -> Docs:
        """The same but for the entries of these keys."""
        return Docs({key: entry for key, entry in self.entries.items() if key not in keys}, self.own)


def _root(key: str) -> str:
    """The definition that a path begins with."""
    return key.split(SEPARATOR, 1)[0].rstrip("[]{}")


def _unique(file: str, pairs: list[tuple[str, object]]) -> dict[str, object]:
    members: dict[str, object] = {}
    for key, value in pairs:
        if key in members:
            _refuse(file, (key,), "appears twice")
        members[key] = value
    return members


def _entry(file: str, key: str, value: object) -> Entry:
    if isinstance(value, str):
        return ((_ALWAYS, value),)
    if not isinstance(value, dict) or not value:
        _refuse(file, (key,), "expected a line, or an object from revision to line")
    for revision, line in value.items():
        if not isinstance(line, str):
            _refuse(file, (key, revision), "expected a line")
    return tuple(sorted(value.items()))


def _refuse(file: str, place: tuple[str, ...], cause: str) -> NoReturn:
    pointer = "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in place)
    raise Refusal(file, pointer, cause)
