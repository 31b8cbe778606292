# SPDX-License-Identifier: MIT
"""Additions on top of a revision: definitions, alternatives of unions, and changes of values.

An overlay is a file of ours, which says all that by name, or the schema of an extension as it is published.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Dict, FrozenSet, List, Mapping, Optional, Sequence, Tuple

from codegen.errors import BadInput, Note, Refusal
from codegen.source.described import about, with_named_choices
from codegen.source.dialects import DEFINITION_KEYWORDS
from codegen.source.errata import Erratum, mismatch, read_entry, removed, replaced
from codegen.source.extension import Extension, read_extension
from codegen.source.jsonfile import Json, parse_json, read_bytes, same_json, show_json
from codegen.source.mended import mended
from codegen.source.nearest import definitions_of, same_definitions
from codegen.source.normalise import find_source
from codegen.source.pointers import join, lookup, split
from codegen.source.revisions import OVERLAYS
from codegen.source.structure import differences, without_annotations

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MEMBERS = ("overlay", "revision", "extension", "definitions", "alternatives", "changes")
_MESSAGES = (("Request", "ClientRequest"), ("Notification", "ServerNotification"))
"""The sender of a message, if an extension's schema does not name it: the definition's name ends so, and it
becomes an alternative of that union."""


@dataclass(frozen=True)
class Addition:
    """References to definitions that become alternatives of the union whose array is at `pointer`."""

    pointer: str
    names: Tuple[str, ...]
    place: str


@dataclass(frozen=True)
class Change:
    """The value in the place of the one that an erratum asserts; absent if it is removed."""

    entry: Erratum
    gone: bool


@dataclass(frozen=True)
class Overlay:
    """One overlay as it was read. `stated` is where additions and changes stand; None where nobody states
    how an extension is joined to its revision."""

    name: str
    revision: str
    file: str
    sha256: str
    keyword: str
    definitions: Dict[str, Json]
    stated: Optional[str]
    additions: Tuple[Addition, ...] = ()
    changes: Tuple[Change, ...] = ()
    extension: Optional[Extension] = None
    published: bool = False
    """It is the schema of an extension, and no overlay that somebody wrote."""
    ours: Mapping[str, Json] = field(default_factory=dict)
    """The definitions of our statement of a published extension."""
    notes: Tuple[Note, ...] = ()
    """Warnings about its references."""

    def descriptions(self, name: str) -> Dict[str, str]:
        """The texts of our statement of a published extension about a definition and its members, by the keys
        of comments."""
        found: Dict[str, str] = {}
        if name in self.ours:
            about(self.ours, name, name, found)
        return found

    def pointer_to(self, definition: str) -> str:
        """The place of one of its definitions."""
        return join("", self.keyword, definition)


@dataclass(frozen=True)
class Laid:
    """A document with overlays on top. `own` has the definitions that the revision does not have, with the
    overlay that each comes from."""

    document: Json
    own: Dict[str, Overlay]
    notes: Tuple[Note, ...]

    def blame(self, refusal: Refusal) -> Refusal:
        """A refusal of the whole, as one of the file that its place comes from."""
        return Refusal.of_all([self._moved(each) for each in refusal.all])

    def _moved(self, refusal: Refusal) -> Refusal:
        tokens = split(refusal.pointer)
        overlay = self.own.get(tokens[1]) if len(tokens) > 1 else None
        if overlay is None:
            return Refusal(refusal.file, refusal.pointer, refusal.cause)
        pointer = join(overlay.pointer_to(tokens[1]), *tokens[2:])
        return Refusal(overlay.file, pointer, refusal.cause)


def read_overlay(path: Path, schema_dir: Path, revision: Optional[str]) -> Overlay:
    """The overlay in a file. A published schema is named by its folder; what schema/overlays/ states of an
    extension of that name holds for it, in place of its definitions there. `revision` is the one that it is
    to be put on, where that is said."""
    data = read_bytes(path)
    document = parse_json(data, str(path))
    sha256 = hashlib.sha256(data).hexdigest()
    if isinstance(document, dict) and "overlay" in document:
        overlay = _stated(document, str(path), sha256)
        if revision is not None and overlay.revision != revision:
            cause = f"this overlay is for {overlay.revision}, not for {revision}"
            raise Refusal(str(path), "/revision", cause)
        return overlay
    name = path.resolve().parent.name.lower()
    if not _NAME.fullmatch(name):
        raise BadInput(f'{path}: the folder "{name}" leaves nothing to name an overlay by: a-z, 0-9 and -')
    if revision is None:
        raise BadInput(f"{path}: a published schema does not say what it extends: state it with --revision")
    document, notes = mended(document, str(path))
    source = find_source(document, str(path))
    source.refuse_strays()
    known = schema_dir / OVERLAYS / f"{revision}-{name}.json"
    keyword, inner = source.definitions_keyword, frozenset(source.inner.values())
    definitions = {key: schema for key, schema in source.definitions.items() if key not in inner}
    bare = Overlay(name, revision, str(path), sha256, keyword, definitions, None, published=True, notes=notes)
    if not known.exists():
        return bare
    ours = read_overlay(known, schema_dir, revision)
    return replace(
        bare,
        stated=ours.stated,
        additions=ours.additions,
        changes=ours.changes,
        extension=ours.extension,
        ours=ours.definitions,
    )


def lay(base: Json, corrected: Json, overlays: Sequence[Overlay]) -> Laid:
    """The corrected document of a revision with overlays on top, in their order. `base` is the document
    before its corrections, which an extension may repeat as it was published."""
    keyword = _keyword_of(corrected)
    own: Dict[str, Overlay] = {}
    notes: List[Note] = []
    for overlay in overlays:
        notes += overlay.notes
        refused: List[Refusal] = []
        for name, schema in overlay.definitions.items():
            put = _without_dialect(same_definitions(schema, keyword))
            try:
                if _is_new(overlay, name, put, base, corrected):
                    own[name] = overlay
                    put = with_named_choices(put, overlay.definitions, keyword) if overlay.published else put
                    corrected = replaced(corrected, (keyword, name), put)
            except Refusal as refusal:
                refused.append(refusal)
        if refused:
            raise Refusal.of_all(refused)
        for addition in overlay.additions:
            corrected = _added(overlay, addition, corrected, keyword)
        for change in overlay.changes:
            corrected = _changed(change, corrected, keyword)
        if overlay.stated is None:
            corrected, more = _joined(overlay, corrected, frozenset(own), keyword)
            notes += more
    return Laid(corrected, own, tuple(notes))


def _stated(document: Dict[str, Json], file: str, sha256: str) -> Overlay:
    for member in document:
        if member not in _MEMBERS:
            raise Refusal(file, join("", member), f'unknown member "{member}" of an overlay')
    name, revision = document.get("overlay"), document.get("revision")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise Refusal(file, "/overlay", f"a name of a-z, 0-9 and -, not {show_json(name)}")
    if not isinstance(revision, str):
        raise Refusal(file, "/revision", "the revision that this is put on must be a string")
    definitions = document.get("definitions", {})
    if not isinstance(definitions, dict):
        raise Refusal(file, "/definitions", '"definitions" must be an object')
    changes = [
        _change(entry, file, join("/changes", index))
        for index, entry in enumerate(_array(document, "changes", file))
    ]
    additions = [
        _addition(entry, file, join("/alternatives", index))
        for index, entry in enumerate(_array(document, "alternatives", file))
    ]
    extension = document.get("extension")
    return Overlay(
        name,
        revision,
        file,
        sha256,
        "definitions",
        definitions,
        file,
        tuple(additions),
        tuple(changes),
        None if extension is None else read_extension(extension, file, "/extension"),
    )


def _array(document: Dict[str, Json], name: str, file: str) -> List[Json]:
    value = document.get(name, [])
    if not isinstance(value, list):
        raise Refusal(file, join("", name), f'"{name}" must be an array')
    return value


def _change(entry: Json, file: str, place: str) -> Change:
    gone = isinstance(entry, dict) and entry.get("gone") is True
    if isinstance(entry, dict) and gone:
        if "new" in entry or "old_absent" in entry:
            raise Refusal(file, place, '"gone" excludes "new" and "old_absent"')
        entry = {**{name: value for name, value in entry.items() if name != "gone"}, "new": None}
    return Change(read_entry(entry, file, place), gone)


def _addition(entry: Json, file: str, place: str) -> Addition:
    names = entry.get("add") if isinstance(entry, dict) else None
    pointer = entry.get("at") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or set(entry) != {"at", "add"} or not isinstance(pointer, str):
        raise Refusal(file, place, 'an entry says "at", the pointer of an array, and "add", definitions')
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise Refusal(file, join(place, "add"), '"add" must be an array of names of definitions')
    return Addition(pointer, tuple(str(name) for name in names), place)


def _keyword_of(document: Json) -> str:
    return next((name for name in DEFINITION_KEYWORDS if isinstance(document, dict) and name in document), "")


def _here(pointer: str, keyword: str) -> str:
    """A pointer that may name the other keyword of definitions."""
    tokens = split(pointer)
    return join("", keyword, *tokens[1:]) if tokens and tokens[0] in DEFINITION_KEYWORDS else pointer


def _without_dialect(schema: Json) -> Json:
    """A definition that repeats `$schema`, as some published ones do, without it."""
    if not isinstance(schema, dict):
        return schema
    return {name: value for name, value in schema.items() if name != "$schema"}


def _is_new(overlay: Overlay, name: str, schema: Json, base: Json, corrected: Json) -> bool:
    """Whether a definition is one that the revision does not have. Refused when it has another one."""
    there = definitions_of(corrected)
    if name not in there:
        return True
    first = ""
    for known in (there[name], definitions_of(base).get(name)):
        found = differences(without_annotations(known), without_annotations(schema))
        if not found:
            return False
        first = first or found[0]
    stands = show_json(without_annotations(there[name]))
    cause = f"{overlay.revision} has another {name} ({first}): {stands} stands there"
    raise Refusal(overlay.file, overlay.pointer_to(name), cause)


def _added(overlay: Overlay, addition: Addition, document: Json, keyword: str) -> Json:
    file = overlay.stated or overlay.file
    pointer = _here(addition.pointer, keyword)
    try:
        array = lookup(document, pointer)
    except KeyError:
        array = None
    if not isinstance(array, list):
        cause = f"{pointer} is expected to be an array, but {show_json(array)} stands there"
        raise Refusal(file, addition.place, cause)
    more: List[Json] = []
    for name in addition.names:
        if name not in definitions_of(document):
            raise Refusal(file, addition.place, f'"{name}" is no definition')
        ref: Json = {"$ref": f"#/{keyword}/{name}"}
        if any(same_json(ref, each) for each in array):
            raise Refusal(
                file, addition.place, f"{pointer} is expected to be without {name}, but it stands there"
            )
        more.append(ref)
    return replaced(document, split(pointer), [*array, *more])


def _changed(change: Change, document: Json, keyword: str) -> Json:
    entry = replace(
        change.entry,
        pointer=_here(change.entry.pointer, keyword),
        old=same_definitions(change.entry.old, keyword),
        new=same_definitions(change.entry.new, keyword),
    )
    cause = mismatch(document, entry)
    if cause is not None:
        raise Refusal(entry.file, entry.place, cause)
    tokens = split(entry.pointer)
    return removed(document, tokens) if change.gone else replaced(document, tokens, entry.new)


def _joined(
    overlay: Overlay, document: Json, own: FrozenSet[str], keyword: str
) -> Tuple[Json, Tuple[Note, ...]]:
    """The messages that an extension's schema brings, among those of the revision; who sends them is taken
    from what they are, with a note."""
    notes: List[Note] = []
    for ending, union in _MESSAGES:
        names = [name for name in overlay.definitions if name in own and name.endswith(ending)]
        pointer = join("", keyword, union, "anyOf")
        try:
            array = lookup(document, pointer)
        except KeyError:
            continue
        if not names or not isinstance(array, list):
            continue
        refs: List[Json] = [{"$ref": f"#/{keyword}/{name}"} for name in names]
        document = replaced(document, split(pointer), [*array, *refs])
        text = f"{', '.join(names)}: taken to be alternatives of {union}; an overlay can say otherwise"
        notes.append(Note(overlay.file, join("", overlay.keyword), text))
    return document, tuple(notes)
