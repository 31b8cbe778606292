# SPDX-License-Identifier: MIT
"""Corrections of published mistakes. Each says what it expects to find, so that none outlives its reason."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from codegen.errors import Note, Refusal
from codegen.source.dialects import DEFINITION_KEYWORDS
from codegen.source.jsonfile import Json, read_json, same_json, show_json
from codegen.source.nearest import definitions_of, same_definitions
from codegen.source.pointers import child, join, lookup, split
from codegen.source.structure import without_annotations


@dataclass(frozen=True)
class Erratum:
    """One correction: at `pointer` of the schema, `old` is to become `new`."""

    pointer: str
    old: Json
    old_absent: bool
    """Nothing stands at the pointer yet; `old` means nothing then."""
    new: Json
    reason: str
    file: str
    place: str
    """The place of the entry itself in `file`."""


def read_errata(path: Path) -> Tuple[Erratum, ...]:
    """The entries of an errata file."""
    file = str(path)
    document = read_json(path)
    entries = document.get("errata") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise Refusal(file, "/errata", 'an errata file is an object with an array "errata"')
    errata = tuple(read_entry(entry, file, join("/errata", index)) for index, entry in enumerate(entries))
    for index, erratum in enumerate(errata):
        for other in errata[:index]:
            if _overlap(erratum.pointer, other.pointer):
                cause = f"{erratum.pointer} overlaps with {other.pointer} of {other.place}"
                raise Refusal(file, erratum.place, cause)
    return errata


def apply_errata(document: Json, errata: Tuple[Erratum, ...]) -> Json:
    """The corrected document; the one given is left as it is. Refused when an entry finds anything else than
    what it asserts, annotations aside."""
    for erratum in errata:
        _assert_old(document, erratum)
    for erratum in errata:
        document = replaced(document, split(erratum.pointer), erratum.new)
    return document


def inherited(
    document: Json, errata: Tuple[Erratum, ...], own: Tuple[Erratum, ...]
) -> Tuple[Tuple[Erratum, ...], Tuple[Note, ...]]:
    """The errata of another revision that fit this document, written in its form, and notes about the others.
    `own` come before them. A mistake that is corrected here already, or gone with its definition, needs no
    note."""
    fitting: List[Erratum] = []
    notes: List[Note] = []
    keyword = next((name for name in DEFINITION_KEYWORDS if name in _members(document)), "")
    for erratum in errata:
        tokens = split(erratum.pointer)
        moved = replace(
            erratum,
            pointer=join("", keyword, *tokens[1:]),
            old=same_definitions(erratum.old, keyword),
            new=same_definitions(erratum.new, keyword),
        )
        gone = tokens[0] in DEFINITION_KEYWORDS and tokens[1] not in definitions_of(document)
        if gone or any(_overlap(moved.pointer, other.pointer) for other in own):
            continue
        cause = mismatch(document, moved)
        if cause is None:
            fitting.append(moved)
        elif mismatch(document, replace(moved, old=moved.new, old_absent=False)) is not None:
            notes.append(Note(erratum.file, erratum.place, f"does not fit and is left out: {cause}"))
    return tuple(fitting), tuple(notes)


def _members(value: Json) -> Dict[str, Json]:
    return value if isinstance(value, dict) else {}


def read_entry(entry: Json, file: str, place: str) -> Erratum:
    """One entry, which stands at `place`."""
    if not isinstance(entry, dict):
        raise Refusal(file, place, "an erratum must be an object")
    for name in entry:
        if name not in ("pointer", "old", "old_absent", "new", "reason"):
            raise Refusal(file, join(place, name), f'unknown member "{name}" of an erratum')
    absent = entry.get("old_absent", False)
    if absent is not True and ("old" not in entry or absent is not False):
        raise Refusal(file, place, 'an erratum must say what it replaces: "old", or "old_absent": true')
    if absent and "old" in entry:
        raise Refusal(file, place, '"old" and "old_absent" exclude each other')
    if "new" not in entry:
        raise Refusal(file, place, '"new" is missing')
    pointer = _text(entry, "pointer", file, place)
    if not pointer.startswith("/"):
        raise Refusal(file, join(place, "pointer"), "a pointer must begin with '/'")
    reason = _text(entry, "reason", file, place)
    return Erratum(pointer, entry.get("old"), absent is True, entry["new"], reason, file, place)


def _text(entry: Dict[str, Json], name: str, file: str, place: str) -> str:
    text = entry.get(name)
    if not isinstance(text, str) or not text:
        raise Refusal(file, join(place, name), f'"{name}" must be a string with something in it')
    return text


def _overlap(left: str, right: str) -> bool:
    return (left + "/").startswith(right + "/") or (right + "/").startswith(left + "/")


def _assert_old(document: Json, erratum: Erratum) -> None:
    cause = mismatch(document, erratum)
    if cause is not None:
        raise Refusal(erratum.file, erratum.place, cause)


def mismatch(document: Json, erratum: Erratum) -> Optional[str]:
    """How the document contradicts what an entry asserts about it, or None when it does not."""
    try:
        parent = lookup(document, erratum.pointer.rpartition("/")[0])
        if not isinstance(parent, (dict, list)):
            raise KeyError(erratum.pointer)
    except KeyError:
        return f"{erratum.pointer} leads nowhere in the schema"
    try:
        found = child(parent, split(erratum.pointer)[-1])
    except KeyError:
        if erratum.old_absent and isinstance(parent, dict):
            return None
        return f"{erratum.pointer} leads nowhere in the schema"
    if erratum.old_absent:
        return f"{erratum.pointer} is expected to be absent, but {show_json(found)} stands there"
    stripped = lookup(without_annotations(document), erratum.pointer)
    if same_json(found, erratum.old) or same_json(stripped, erratum.old):
        return None
    expected = show_json(erratum.old)
    return f"{erratum.pointer} is expected to be {expected}, but {show_json(stripped)} stands there"


def replaced(value: Json, tokens: Tuple[str, ...], new: Json) -> Json:
    """A copy of `value` with another value where the tokens lead."""
    if not tokens:
        return new
    if isinstance(value, dict):
        below = replaced(value.get(tokens[0]), tokens[1:], new)
        return {**value, tokens[0]: below}
    if isinstance(value, list):
        index = int(tokens[0])
        return [*value[:index], replaced(value[index], tokens[1:], new), *value[index + 1 :]]
    raise AssertionError("the pointer has been checked to lead somewhere")


def removed(value: Json, tokens: Tuple[str, ...]) -> Json:
    """A copy of `value` without what the tokens lead to."""
    parent = lookup(value, join("", *tokens[:-1]))
    if isinstance(parent, dict):
        kept: Json = {name: item for name, item in parent.items() if name != tokens[-1]}
    elif isinstance(parent, list):
        kept = [item for index, item in enumerate(parent) if str(index) != tokens[-1]]
    else:
        raise AssertionError("the pointer has been checked to lead somewhere")
    return replaced(value, tokens[:-1], kept)
