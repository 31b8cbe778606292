# SPDX-License-Identifier: MIT
"""A report as one HTML page that needs nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from codegen.errors import BadInput
from codegen.report.diff.report import Change, MemberRow, MethodDiff, MethodSide, Report, TypeDiff, Wire
from codegen.report.diff.summary import Group, States, shared, summary
from codegen.report.diff.text import names_of
from codegen.report.shown import shown

_TEMPLATES = Path(__file__).resolve().parent / "templates"
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CELLS = ("Goes", "Params", "Result", "Needs")
_FILTERS = (
    ("", "All"),
    ("breaking", "Breaking"),
    ("source", "C source"),
    ("wire", "Wire"),
    ("added", "Added"),
    ("removed", "Removed"),
)
_STATE_ORDER = ("changed", "renamed", "added", "removed", "same")


@dataclass(frozen=True)
class _Part:
    """A piece of a type in words: a link to a type of the page where `link` is set."""

    text: str
    link: str


@dataclass(frozen=True)
class _Badge:
    """A mark of a change: its kind, which decides the colour, what it says, and the whole of it."""

    kind: str
    text: str
    title: str


@dataclass(frozen=True)
class _Change:
    place: str
    title: str
    old: Tuple[_Part, ...]
    new: Tuple[_Part, ...]
    badges: Tuple[_Badge, ...]
    reasons: Tuple[str, ...]
    names: Tuple[str, ...]
    action: str


@dataclass(frozen=True)
class _Row:
    """A member of a type, before and after. The name is in pieces between which a line may break."""

    name: Tuple[str, ...]
    state: str
    old: Tuple[_Part, ...]
    new: Tuple[_Part, ...]
    old_mark: str
    new_mark: str
    changes: Tuple[_Change, ...]


@dataclass(frozen=True)
class _Type:
    id: str
    name: str
    was: str
    state: str
    c: str
    doc: str
    shape: str
    kinds: str
    search: str
    badges: Tuple[_Badge, ...]
    rows: Tuple[_Row, ...]
    others: Tuple[_Change, ...]
    methods: Tuple[_Part, ...]
    unchanged: Tuple[str, ...]


@dataclass(frozen=True)
class _Cell:
    """The former text of a method, if it was different, and the present one."""

    label: str
    was: Tuple[_Part, ...]
    now: Tuple[_Part, ...]


@dataclass(frozen=True)
class _Method:
    id: str
    name: str
    kind: str
    state: str
    kinds: str
    search: str
    cells: Tuple[_Cell, ...]
    badges: Tuple[_Badge, ...]
    changes: Tuple[_Change, ...]


@dataclass(frozen=True)
class _Bar:
    """Shares of a kind of thing by state, for a stacked bar."""

    title: str
    total: int
    parts: Tuple[Tuple[str, int], ...]


@dataclass(frozen=True)
class _Group:
    member: str
    kinds: str
    search: str
    subjects: Tuple[_Part, ...]
    change: _Change


def to_html(report: Report) -> str:
    """The page."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ModuleNotFoundError as error:
        raise BadInput("Python's jinja2 is missing: install the package python3-jinja2") from error
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    report = shown(report)
    found = summary(report)
    view = _View(report)
    return environment.get_template("diff.html.j2").render(
        old=report.old,
        new=report.new,
        breaking=report.breaking,
        figures=found,
        bars=(_bar("Types", found.types), _bar("Methods", found.methods)),
        cells=_CELLS,
        filters=_FILTERS,
        methods=view.methods(),
        same_methods=view.same_methods(),
        groups=view.groups(),
        types=view.types(),
        same_types=[item.name for item in report.types if item.state == "same"],
        errors=view.changes([c for error in report.errors for c in error.changes] + list(report.general)),
        loose=report.loose,
        vanished=report.vanished,
    )


def _bar(title: str, states: States) -> _Bar:
    parts = tuple((state, getattr(states, state)) for state in _STATE_ORDER)
    return _Bar(title, sum(number for _, number in parts), tuple(part for part in parts if part[1]))


class _View:
    def __init__(self, report: Report) -> None:
        self._report = report
        self._links: Dict[str, str] = {}
        for item in report.types:
            if item.state != "same":
                self._links[item.name] = _id("type", item.name)
                self._links.setdefault(item.old_name or item.name, _id("type", item.name))
        changes = [change for item in report.types for change in item.changes]
        self._groups, rest = shared(changes)
        self._alone = {id(change) for change in rest}

    def types(self) -> List[_Type]:
        """The types that are not the same."""
        return [self._type(item) for item in self._report.types if item.state != "same"]

    def methods(self) -> List[_Method]:
        """The methods that are not the same, or whose values are not."""
        return [self._method(item) for item in self._report.methods if not _is_same(item)]

    def same_methods(self) -> List[str]:
        """The names of the others."""
        return [item.name for item in self._report.methods if _is_same(item)]

    def groups(self) -> List[_Group]:
        """The changes that several types share."""
        return [self._group(group) for group in self._groups]

    def changes(self, changes: Sequence[Change]) -> List[_Change]:
        """Changes of no type."""
        return [self._change(change, change.path) for change in changes]

    def _type(self, item: TypeDiff) -> _Type:
        rows = [self._row(item, number) for number in range(len(item.members))]
        shown = {id(change) for member in item.members for change in member.changes}
        others = [change for change in item.changes if id(change) not in shown]
        if item.state in ("added", "removed"):
            plain = ("type-added", "type-removed")
            others = [change for change in others if change.source or change.rule not in plain]
        renamed = item.old_name if item.old_name != item.new_name and item.new_name else None
        kept = [row for row in rows if row.state != "same"]
        return _Type(
            id=_id("type", item.name),
            name=item.name,
            was=renamed or "",
            state=item.state,
            c=item.c,
            doc=item.doc,
            shape=item.shape,
            kinds=_kinds(item.state, item.changes),
            search=" ".join([item.name, item.c, *(member.path for member in item.members)]).lower(),
            badges=tuple(_badges_of(item.values, "whole values")),
            rows=tuple(kept),
            others=tuple(self._change(change, _member(change)) for change in others),
            methods=tuple(_Part(name, _id("method", name)) for name in self._linked(item.methods)),
            unchanged=tuple(_below(item, member) for member in item.members if member.state == "same"),
        )

    def _linked(self, names: Sequence[str]) -> List[str]:
        shown = {item.name for item in self._report.methods if not _is_same(item)}
        return [name for name in names if name in shown]

    def _row(self, item: TypeDiff, number: int) -> _Row:
        member = item.members[number]
        return _Row(
            name=tuple(re.split(r"(?<=[./])", _below(item, member))),
            state=member.state,
            old=self._parts(member.old),
            new=self._parts(member.new),
            old_mark=_presence(member.old, member.old_required),
            new_mark=_presence(member.new, member.new_required),
            changes=tuple(self._change(change, "") for change in member.changes),
        )

    def _method(self, item: MethodDiff) -> _Method:
        return _Method(
            id=_id("method", item.name),
            name=item.name,
            kind=item.kind,
            state="types changed" if item.state == "same" else item.state,
            kinds=_kinds(item.state, item.changes, item.params.breaks or item.result.breaks),
            search=item.name.lower(),
            cells=self._cells(item),
            badges=(*_badges_of(item.params, "params"), *_badges_of(item.result, "results")),
            changes=tuple(self._change(change, "") for change in item.changes),
        )

    def _cells(self, item: MethodDiff) -> Tuple[_Cell, ...]:
        """The cells of a method's row: what it is now, or was where it is gone."""
        now = item.new or item.old
        was = item.old or item.new
        assert now is not None
        assert was is not None
        return tuple(
            _Cell(label, self._parts(before) if before != after else (), self._parts(after))
            for label, before, after in zip(_CELLS, _words(was), _words(now))
        )

    def _group(self, group: Group) -> _Group:
        names = [name for change in group.changes for name in names_of(change.source)]
        change = self._change(group.first, "")
        return _Group(
            member=group.member,
            kinds=_kinds("changed", group.changes),
            search=" ".join([group.member, *group.subjects]).lower(),
            subjects=tuple(_Part(name, self._links.get(name, "")) for name in group.subjects),
            change=_Change(
                change.place,
                change.title,
                change.old,
                change.new,
                change.badges,
                change.reasons,
                tuple(dict.fromkeys(names)),
                _action(group.action),
            ),
        )

    def _change(self, change: Change, place: str) -> _Change:
        return _Change(
            place=place,
            title=change.title,
            old=self._parts(None if change.old == "type" else change.old),
            new=self._parts(None if change.new == "type" else change.new),
            badges=tuple(_badges(change)),
            reasons=tuple(badge.title for badge in _badges_of(change.wire, "values")),
            names=tuple(names_of(change.source)),
            action=_action(change.action),
        )

    def _parts(self, text: Optional[str]) -> Tuple[_Part, ...]:
        """A type in words, with the names of types as links."""
        parts: List[_Part] = []
        done = 0
        for match in _WORD.finditer(text or ""):
            link = self._links.get(match.group())
            if link:
                parts += [_Part((text or "")[done : match.start()], ""), _Part(match.group(), link)]
                done = match.end()
        parts.append(_Part((text or "")[done:], ""))
        return tuple(part for part in parts if part.text)


def _words(side: MethodSide) -> Tuple[str, str, str, str]:
    """The texts in the cells of a method."""
    optional = " (optional)" if side.params and not side.params_required else ""
    return (
        side.direction,
        (side.params or "none") + optional,
        " or ".join(side.results) or "none",
        side.capability or "nothing",
    )


def _is_same(item: MethodDiff) -> bool:
    return item.state == "same" and not item.params.breaks and not item.result.breaks


def _below(item: TypeDiff, member: MemberRow) -> str:
    """A member's path without the type."""
    return member.path[len(item.name) :].lstrip(".")


def _id(kind: str, name: str) -> str:
    return f"{kind}-" + re.sub(r"[^A-Za-z0-9_-]+", "-", name)


def _action(sentence: str) -> str:
    """A sentence of the rules, unless it says that there is nothing to do and no more."""
    return "" if sentence == "Nothing." else sentence


def _member(change: Change) -> str:
    return change.path[len(change.subject) :].lstrip(".")


def _presence(shown: Optional[str], required: bool) -> str:
    return "" if shown is None else "required" if required else "optional"


def _badges(change: Change) -> List[_Badge]:
    found: List[_Badge] = []
    if change.source:
        found.append(_Badge("source", "C source", "breaks C source"))
    return found + _badges_of(change.wire, "values")


def _badges_of(wire: Wire, what: str) -> List[_Badge]:
    found: List[_Badge] = []
    if wire.old_to_new is not None:
        title = f"old {what} are refused by the new schema: {wire.old_to_new}"
        found.append(_Badge("wire", f"old {what} refused", title))
    if wire.new_to_old is not None:
        title = f"new {what} are refused by the old schema: {wire.new_to_old}"
        found.append(_Badge("wire", f"new {what} refused", title))
    return found


def _kinds(state: str, changes: Sequence[Change], wire: bool = False) -> str:
    """The data that the filters of the page read."""
    kinds = [state]
    if any(change.breaking for change in changes):
        kinds.append("breaking")
    if any(change.source for change in changes):
        kinds.append("source")
    if wire or any(change.wire.breaks for change in changes):
        kinds.append("wire")
    return " ".join(kinds)
