# SPDX-License-Identifier: MIT
"""The whole comparison of two sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from codegen.model.nodes import EnumType, Node, ObjectType, UnionType
from codegen.model.walk import reachable, reference_map
from codegen.report.diff.attribute import CPlaces, attribute
from codegen.report.diff.capi import CBreak, breaks, c_api, vanished
from codegen.report.diff.methods import MethodPair, MethodWalker, errors
from codegen.report.diff.renames import renames
from codegen.report.diff.report import (
    NOTHING,
    Change,
    ErrorRow,
    MemberRow,
    MethodDiff,
    Report,
    SideInfo,
    SourceBreak,
    TypeDiff,
    Wire,
)
from codegen.report.diff.rules import RULES
from codegen.report.diff.side import Side
from codegen.report.diff.walk import Found, Place, Row, Walker
from codegen.report.diff.words import describe

# Kinds of change of a value as it stands, whose C form is that of the place itself.
_OF_WHOLE_VALUES = ("alternative-added", "others-changed")


def compare(old: Side, new: Side) -> Report:
    """Everything that differs between two schemas."""
    return _Comparison(old, new).report()


@dataclass(frozen=True)
class _Draft:
    """A type before its changes are finished."""

    name: str
    state: str
    old_name: Optional[str]
    new_name: Optional[str]
    rows: Tuple[Row, ...]
    found: Tuple[Found, ...]
    values: Wire


class _Comparison:
    def __init__(self, old: Side, new: Side) -> None:
        self._old = old
        self._new = new
        self._apis = (c_api(old.plan), c_api(new.plan))
        self._places = (CPlaces(old.plan), CPlaces(new.plan))
        self._renamed = renames(old, new)
        self._walker = Walker(old, new, self._renamed)
        self._users = (_users(old), _users(new))

    def report(self) -> Report:
        methods = list(MethodWalker(self._old, self._new, self._walker, self._renamed).pairs())
        drafts = self._types()
        codes = list(errors(self._old, self._new))
        general = tuple(_general(self._old, self._new))
        spans: List[Tuple[Found, ...]] = [
            *(pair.found for pair in methods),
            *(draft.found for draft in drafts),
            *(found for _, _, _, found in codes),
            general,
        ]
        finished, loose = self._finish(spans)
        of_methods = finished[: len(methods)]
        of_types = finished[len(methods) : len(methods) + len(drafts)]
        of_codes = finished[len(methods) + len(drafts) : -1]
        return Report(
            old=_info(self._old),
            new=_info(self._new),
            types=tuple(self._type(draft, changes) for draft, changes in zip(drafts, of_types)),
            methods=tuple(_method(pair, changes) for pair, changes in zip(methods, of_methods)),
            errors=tuple(
                ErrorRow(name, _state(before, after, changes), before, after, changes)
                for (name, before, after, _), changes in zip(codes, of_codes)
            ),
            general=finished[-1],
            loose=tuple(_source(item) for item in loose),
            vanished=vanished(*self._apis),
        )

    # Types

    def _types(self) -> List[_Draft]:
        """All types by name; renamed ones by their new name."""
        origin = {new: old for old, new in self._renamed.items()}
        names = set(self._old.names) | set(self._new.names)
        return [self._draft(name, origin.get(name)) for name in sorted(names - set(self._renamed))]

    def _draft(self, name: str, origin: Optional[str]) -> _Draft:
        in_old, in_new = self._old.index.has(name), self._new.index.has(name)
        if origin is not None or (in_old and in_new):
            return self._pair(origin or name, name)
        rows = tuple(_rows((self._new if in_new else self._old).node(name), name, in_new))
        c_name = self._places[1 if in_new else 0].types[name]
        known = c_name in self._apis[0 if in_new else 1].types
        rule = (
            ("type-named" if known else "type-added")
            if in_new
            else ("type-unnamed" if known else "type-removed")
        )
        old, new = (None, "type") if in_new else ("type", None)
        found = Found(rule, name, name, Place(name, name), old, new, NOTHING)
        state = "added" if in_new else "removed"
        before, after = (None, name) if in_new else (name, None)
        return _Draft(name, state, before, after, rows, (found,), NOTHING)

    def _pair(self, old_name: str, name: str) -> _Draft:
        self._walker.compare(old_name, name)
        found = list(self._walker.found)
        if old_name != name:
            at = Place(old_name, name)
            found.insert(0, Found("type-renamed", name, name, at, old_name, name, NOTHING))
        values = self._walker.wire(self._old.node(old_name), self._new.node(name))
        state = "renamed" if old_name != name else "changed" if found else "same"
        return _Draft(name, state, old_name, name, tuple(self._walker.rows), tuple(found), values)

    def _type(self, draft: _Draft, changes: Tuple[Change, ...]) -> TypeDiff:
        side = 0 if draft.new_name is None else 1
        name = draft.old_name if draft.new_name is None else draft.new_name
        assert name is not None
        held = (self._old, self._new)[side]
        return TypeDiff(
            name=draft.name,
            state=draft.state,
            old_name=draft.old_name,
            new_name=draft.new_name,
            c=self._places[side].types[name],
            doc=held.facts.docs.line(held.facts.revision, name) or held.node(name).description or "",
            shape=_shape(held.node(name)),
            members=tuple(_member(row, changes) for row in draft.rows),
            changes=changes,
            values=draft.values,
            methods=self._users[side].get(name, ()),
        )

    # Changes

    def _finish(self, spans: Sequence[Tuple[Found, ...]]) -> Tuple[List[Tuple[Change, ...]], List[CBreak]]:
        """The changes of each span with what they break, and the breaks without a change."""
        found = [change for span in spans for change in span]
        broken = breaks(*self._apis)
        causes, loose = attribute(found, broken, self._places[0])
        changes = [self._change(item, causes.get(number, [])) for number, item in enumerate(found)]
        finished: List[Tuple[Change, ...]] = []
        start = 0
        for span in spans:
            finished.append(tuple(changes[start : start + len(span)]))
            start += len(span)
        return finished, loose

    def _change(self, found: Found, broken: Sequence[CBreak]) -> Change:
        rule = RULES[found.rule]
        c_name = self._c_name(found)
        values = {
            "c": c_name or found.path,
            "old": found.old or "nothing",
            "new": found.new or "nothing",
        }
        values["c_old"] = self._places[0].types.get(found.old or found.at.old) or values["old"]
        values["c_new"] = self._places[1].types.get(found.new or "") or values["new"]
        sentence = self._sentence(found, broken, c_name)
        wire = found.wire
        refused = wire.old_to_new is not None or (wire.new_to_old is not None and not rule.addition)
        return Change(
            rule=found.rule,
            title=rule.title,
            subject=found.subject,
            path=found.path,
            old=found.old,
            new=found.new,
            c=c_name,
            wire=wire,
            source=tuple(map(_source, broken)),
            breaking=bool(broken) or refused,
            action=sentence.format(**values),
        )

    def _sentence(self, found: Found, broken: Sequence[CBreak], c_name: str) -> str:
        """The sentence of the rule that fits how C has the place."""
        rule = RULES[found.rule]
        if broken:
            return rule.broken or rule.action
        if rule.constant is not None and found.at.new in self._places[1].constants:
            return rule.constant
        text = self._is_json(c_name) if found.rule in _OF_WHOLE_VALUES else not c_name
        return rule.text if rule.text is not None and text else rule.action

    def _is_json(self, c_name: str) -> bool:
        """Whether C keeps the value at a place as JSON text."""
        if not c_name:
            return True
        owner, _, member = c_name.partition(".")
        known = self._apis[1].types.get(owner) or self._apis[0].types.get(owner)
        form = known.members.get(member, "") if known and member else known.form if known else ""
        return "mcpw_json" in form.split()

    def _c_name(self, found: Found) -> str:
        """The name of the place in a program: the present one, or the former one if it is gone."""
        old, new = self._places
        outer_old, outer_new = found.at.outer or (found.at.old, found.at.new)
        candidates = (
            new.name(outer_new),
            new.name(found.at.new),
            old.name(outer_old),
            old.name(found.at.old),
        )
        return next((name for name in candidates if name), "")


def _source(item: CBreak) -> SourceBreak:
    return SourceBreak(item.what, item.text, item.old, item.new)


def _method(pair: MethodPair, changes: Tuple[Change, ...]) -> MethodDiff:
    state = _state(pair.old, pair.new, changes)
    return MethodDiff(pair.name, pair.kind, state, pair.old, pair.new, pair.params, pair.result, changes)


def _state(old: object, new: object, changes: Sequence[Change]) -> str:
    if old is None:
        return "added"
    if new is None:
        return "removed"
    return "changed" if changes else "same"


def _rows(node: Node, name: str, added: bool) -> List[Row]:
    """The members of a type that only one side has."""
    rows: List[Row] = []
    for member in node.properties if isinstance(node, ObjectType) else ():
        shown = describe(member.node)
        path = f"{name}.{member.name}"
        old, new = (None, shown) if added else (shown, None)
        rows.append(Row(path, old, new, member.required and not added, member.required and added))
    return rows


def _member(row: Row, changes: Sequence[Change]) -> MemberRow:
    own = tuple(change for change in changes if _stem(change.path) == row.path)
    return MemberRow(
        row.path,
        _state(row.old, row.new, own),
        row.old,
        row.new,
        row.old_required,
        row.new_required,
        own,
    )


def _stem(path: str) -> str:
    """The member that a path leads through at last: without steps to items and entries."""
    while path.endswith(("[]", "{}")):
        path = path[:-2]
    return path


def _shape(node: Node) -> str:
    if isinstance(node, ObjectType):
        return "object"
    if isinstance(node, UnionType):
        return "union"
    return "enum" if isinstance(node, EnumType) else describe(node)


def _users(side: Side) -> Dict[str, Tuple[str, ...]]:
    """The methods that carry each type, in their params or results."""
    edges = reference_map(side.document)
    found: Dict[str, List[str]] = {}
    for method in side.plan.methods:
        handles = (method.params, method.result, method.response, method.task_result)
        tag = side.facts.result_tags.get(method.name)
        starts = [handle.name.partition(".")[0] for handle in handles if handle is not None]
        starts += [name for _, name in tag.values] if tag else []
        for name in sorted(reachable(edges, [start for start in starts if side.index.has(start)])):
            found.setdefault(name, []).append(method.name)
    return {name: tuple(methods) for name, methods in found.items()}


def _general(old: Side, new: Side) -> List[Found]:
    """Changes of no type and no method."""
    before, after = old.plan.batches, new.plan.batches
    if before == after:
        return []
    rule = "batches-added" if after else "batches-removed"
    refused = "arrays of messages are refused"
    wire = Wire(None, refused) if after else Wire(refused, None)
    words = ("single messages", "arrays") if after else ("arrays", "single messages")
    return [Found(rule, "messages", "messages", Place("messages", "messages"), words[0], words[1], wire)]


def _info(side: Side) -> SideInfo:
    return SideInfo(
        side.name,
        side.document.revision,
        side.document.sha256,
        len(side.document.definitions),
        len(side.plan.methods),
        side.plan.number,
    )
