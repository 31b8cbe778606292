# SPDX-License-Identifier: MIT
"""The figures of a report, and changes that many types share."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Dict, Iterable, List, Sequence, Tuple

from codegen.report.diff.report import Change, Report

_SHARED_BY = 3
"""So many types at least make a change a shared one."""


@dataclass(frozen=True)
class States:
    """How many types or methods are in each state."""

    same: int
    changed: int
    added: int
    removed: int
    renamed: int


@dataclass(frozen=True)
class Summary:
    """The figures of a report. `old_to_new` and `new_to_old` count changes that refuse values that way;
    `additions` those of the latter that break nothing, because only whoever knows them sends them."""

    types: States
    methods: States
    changes: int
    breaking: int
    source: int
    names_gone: int
    old_to_new: int
    new_to_old: int
    additions: int


def summary(report: Report) -> Summary:
    """Counts what a report holds."""
    changes = report.changes
    refused = [change for change in changes if change.wire.new_to_old is not None]
    return Summary(
        types=_states(item.state for item in report.types),
        methods=_states(item.state for item in report.methods),
        changes=len(changes),
        breaking=sum(change.breaking for change in changes),
        source=sum(bool(change.source) for change in changes),
        names_gone=len(report.vanished),
        old_to_new=sum(change.wire.old_to_new is not None for change in changes),
        new_to_old=len(refused),
        additions=sum(not change.breaking for change in refused),
    )


def _states(states: Iterable[str]) -> States:
    found = Counter(states)
    return States(found["same"], found["changed"], found["added"], found["removed"], found["renamed"])


@dataclass(frozen=True)
class Group:
    """Changes that say the same of several types, or a single one."""

    changes: Tuple[Change, ...]

    @property
    def first(self) -> Change:
        """The change that stands for all."""
        return self.changes[0]

    @property
    def member(self) -> str:
        """The path without the type, such as `resultType`."""
        return self.first.path[len(self.first.subject) :].lstrip(".")

    @property
    def action(self) -> str:
        """The remedy, with `*` for the C type of each; for the first type if they differ."""
        found = {_general(change) for change in self.changes}
        return found.pop() if len(found) == 1 else f"For {self.first.subject}: {self.first.action}"

    @property
    def subjects(self) -> Tuple[str, ...]:
        """The types that the change concerns."""
        return tuple(dict.fromkeys(change.subject for change in self.changes))


def _general(change: Change) -> str:
    """The remedy for a member, whatever its type."""
    owner, _, member = change.c.partition(".")
    return change.action.replace(change.c, f"*.{member}") if owner and member else change.action


def shared(changes: Sequence[Change]) -> Tuple[List[Group], List[Change]]:
    """The changes that several types share, by what they say, and the others."""
    found: Dict[Tuple[object, ...], List[Change]] = {}
    for change in changes:
        member = change.path[len(change.subject) :]
        wire = (change.wire.old_to_new, change.wire.new_to_old)
        key = (change.rule, member, change.old, change.new, wire, change.breaking)
        found.setdefault(key, []).append(change)
    groups = [Group(tuple(group)) for key, group in found.items() if key[1] and len(group) >= _SHARED_BY]
    taken = {id(change) for group in groups for change in group.changes}
    return groups, [change for change in changes if id(change) not in taken]
