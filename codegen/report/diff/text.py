# SPDX-License-Identifier: MIT
"""A report as text for a terminal, 100 columns wide."""

from __future__ import annotations

import textwrap
from typing import Iterable, Iterator, List, Optional, Sequence

from codegen.report.diff.report import Change, MethodDiff, Report, SourceBreak, TypeDiff, Wire
from codegen.report.diff.summary import Group, States, shared, summary
from codegen.report.shown import shown

COLUMNS = 100
_MARKS = {"added": "+", "removed": "-", "changed": "~", "renamed": "~", "same": " "}
_COLOURS = {"+": "32", "-": "31", "~": "33", "breaks": "31", "head": "1", "do": "36"}
_NAMES_SHOWN = 6


def to_text(report: Report, colour: bool = False) -> str:
    """The report in lines."""
    writer = _Writer(colour)
    writer.report(shown(report))
    return "\n".join(writer.lines).rstrip("\n") + "\n"


def names_of(source: Sequence[SourceBreak]) -> List[str]:
    """The C names of breaks, each once, with the new type where the name stays."""
    return list(dict.fromkeys(item.name for item in source))


def counted(number: int, what: str) -> str:
    """A number of things in words."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def few(names: Sequence[str], most: int = _NAMES_SHOWN) -> str:
    """Some names in words, and how many more there are."""
    if len(names) <= most:
        return ", ".join(names)
    return ", ".join(names[: most - 1]) + f" and {len(names) - most + 1} more"


def wire_words(wire: Wire) -> Iterator[str]:
    """Refusals on the wire, in words."""
    if wire.old_to_new is not None:
        yield f"old values refused by the new schema ({wire.old_to_new})"
    if wire.new_to_old is not None:
        yield f"new values refused by the old schema ({wire.new_to_old})"


def states_words(states: States) -> str:
    """The figures of a kind in words, without those that are 0."""
    rows = (
        (states.same, "same"),
        (states.changed, "changed"),
        (states.added, "added"),
        (states.removed, "removed"),
        (states.renamed, "renamed"),
    )
    return ", ".join(f"{number} {word}" for number, word in rows if number) or "none"


class _Writer:
    def __init__(self, colour: bool) -> None:
        self._colour = colour
        self.lines: List[str] = []

    def report(self, report: Report) -> None:
        found = summary(report)
        verdict = "breaking" if report.breaking else "compatible" if found.changes else "equal"
        self._line(self._paint("head", f"{report.old.name} -> {report.new.name}: {verdict}"))
        if not found.changes:
            return
        refused = found.new_to_old - found.additions
        self._line()
        self._line(f"types    {states_words(found.types)}")
        self._line(f"methods  {states_words(found.methods)}")
        self._wrapped(
            f"changes  {found.changes}, {found.breaking} of them breaking: "
            f"{found.source} {'breaks' if found.source == 1 else 'break'} C source, "
            f"{found.old_to_new} {'refuses' if found.old_to_new == 1 else 'refuse'} old values, "
            f"{refused} {'is' if refused == 1 else 'are'} refused by old readers"
            + (f"; {counted(found.additions, 'addition')} unknown to old readers" if found.additions else ""),
            " " * 9,
        )
        self._section("Methods", (line for item in report.methods for line in [item] if item.changes))
        groups, rest = shared([change for item in report.types for change in item.changes])
        self._groups(groups)
        self._types(report.types, rest)
        others = [change for error in report.errors for change in error.changes] + list(report.general)
        self._others("Error codes and messages", others)
        self._loose(report.loose)

    def _section(self, title: str, items: Iterable[MethodDiff]) -> None:
        found = list(items)
        if not found:
            return
        self._head(title)
        for item in found:
            self._item(item.state, f"{item.name}  ({item.kind})")
            for change in item.changes:
                self._change(change, change.title)

    def _groups(self, groups: Sequence[Group]) -> None:
        if not groups:
            return
        self._head("Changes that several types share")
        for group in groups:
            mark = self._paint("~", "~")
            self._line(f"  {mark} {group.member}: {group.first.title}")
            names = [name for change in group.changes for name in names_of(change.source)]
            self._detail(group.first, list(dict.fromkeys(names)), group.action)
            self._wrapped(f"      in {', '.join(group.subjects)}", " " * 9)

    def _types(self, types: Sequence[TypeDiff], rest: Sequence[Change]) -> None:
        left = {id(change) for change in rest}
        told = [(item, [c for c in item.changes if id(c) in left]) for item in types]
        told = [(item, changes) for item, changes in told if changes]
        if not told:
            return
        self._head("Types")
        for item, changes in told:
            title = f"{item.name}  ({item.c})"
            if item.old_name != item.new_name and item.old_name and item.new_name:
                title = f"{item.old_name} -> {item.new_name}  ({item.c})"
            self._item(item.state, title)
            if item.state == "added":
                continue
            for change in changes:
                place = change.path[len(change.subject) :].lstrip(".")
                self._change(change, f"{place}: {change.title}" if place else change.title)

    def _others(self, title: str, changes: Sequence[Change]) -> None:
        if not changes:
            return
        self._head(title)
        for change in changes:
            mark = "+" if change.old is None else "-" if change.new is None else "~"
            self._line(f"  {self._paint(mark, mark)} {change.path}")
            self._change(change, change.title)

    def _loose(self, loose: Sequence[SourceBreak]) -> None:
        if not loose:
            return
        self._head("Other C names that break")
        for item in loose:
            self._line(f"    {item.name}: {_c_change(item.old, item.new)}")

    # Lines

    def _item(self, state: str, title: str) -> None:
        mark = _MARKS[state]
        first, *rest = textwrap.wrap(title, COLUMNS - 4, break_long_words=False, break_on_hyphens=False)
        self._line(f"  {self._paint(mark, mark)} {self._paint('head', first)}")
        for line in rest:
            self._line(f"    {line}")

    def _change(self, change: Change, title: str) -> None:
        self._line(f"      {title}")
        self._detail(change, names_of(change.source), change.action)

    def _detail(self, change: Change, names: Sequence[str], action: str) -> None:
        if change.old is not None and change.new is not None:
            self._wrapped(f"        {change.old} -> {change.new}", " " * 10)
        elif change.old is not None or change.new is not None:
            only = change.old if change.new is None else change.new
            if only != "type":
                self._wrapped(f"        {only}", " " * 10)
        if names:
            self._wrapped(f"        breaks C source: {few(names)}", " " * 10, "breaks")
        for words in wire_words(change.wire):
            self._wrapped(f"        {words}", " " * 10, "breaks" if change.breaking else None)
        if action != "Nothing.":
            self._wrapped(f"        {action}", " " * 10, "do")

    def _head(self, title: str) -> None:
        self._line()
        self._line(self._paint("head", title))

    def _wrapped(self, text: str, indent: str, colour: Optional[str] = None) -> None:
        lead = text[: len(text) - len(text.lstrip())]
        lines = textwrap.wrap(
            text.strip(),
            COLUMNS,
            initial_indent=lead,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in lines:
            self._line(self._paint(colour, line) if colour else line)

    def _line(self, text: str = "") -> None:
        self.lines.append(text)

    def _paint(self, what: str, text: str) -> str:
        code = _COLOURS.get(what)
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour and code else text


def _c_change(old: str, new: Optional[str]) -> str:
    """A C type before and after."""
    if new is None:
        return "gone"
    return f"{old} -> {new}"
