# SPDX-License-Identifier: MIT
"""The kinds of value that a schema leaves, found before building so that keywords without a type have one."""

from __future__ import annotations

import contextlib
from decimal import Decimal
from typing import Dict, FrozenSet, Iterator, List, Set, Tuple

from codegen.errors import Refusal
from codegen.model.bounds import Unsatisfiable
from codegen.model.keywords import ALL_KINDS, JSON_TYPES, KINDS_OF_TYPE
from codegen.source.jsonfile import Json
from codegen.source.normalise import Source
from codegen.source.pointers import join

Schema = Dict[str, Json]
Kinds = FrozenSet[str]


class KindFinder:
    """Answers for the schemas of one document."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._kinds_of: Dict[str, Kinds] = {}

    def narrow(self, raw: Schema, pointer: str, context: Kinds) -> Kinds:
        """The kinds that a schema leaves of `context`, which the schemas around it leave; never none."""
        asked = self._asked_kinds(raw, pointer)
        kinds = context
        for _, some in asked:
            kinds &= some
        if kinds:
            return kinds
        if context != ALL_KINDS:
            asked = [("the schema around it", context), *asked]
        parts = [f"{_show_kinds(some)} ({place})" for place, some in asked if some != ALL_KINDS]
        raise Unsatisfiable("no value is " + " and also ".join(parts))

    def _kinds(self, raw: Json, pointer: str) -> Kinds:
        kinds = ALL_KINDS
        if isinstance(raw, dict):
            for _, some in self._asked_kinds(raw, pointer):
                kinds &= some
        return kinds

    def _asked_kinds(self, raw: Schema, pointer: str) -> List[Tuple[str, Kinds]]:
        """The kinds that each keyword leaves. Malformed keywords leave everything here: building refuses
        them."""
        asked: List[Tuple[str, Kinds]] = []
        if "$ref" in raw:
            name = self._source.referenced(raw["$ref"], join(pointer, "$ref"))
            if name not in self._kinds_of:
                self._kinds_of[name] = self._kinds(
                    self._source.definitions[name], self._source.pointer_to(name)
                )
            asked.append((join(pointer, "$ref"), self._kinds_of[name]))
            if self._source.dialect.ref_stands_alone:
                return asked
        names = _list(raw["type"]) or [raw["type"]] if "type" in raw else []
        if names:
            kinds = frozenset().union(*(KINDS_OF_TYPE.get(str(name), ALL_KINDS) for name in names))
            asked.append((join(pointer, "type"), kinds))
        if "const" in raw:
            asked.append((join(pointer, "const"), frozenset({_kind(raw["const"])})))
        if _list(raw.get("enum")):
            asked.append((join(pointer, "enum"), frozenset(map(_kind, _list(raw["enum"])))))
        for index, branch in enumerate(_list(raw.get("allOf"))):
            place = join(pointer, "allOf", index)
            asked.append((place, self._kinds(branch, place)))
        for keyword in ("anyOf", "oneOf"):
            if _list(raw.get(keyword)):
                place = join(pointer, keyword)
                branches = enumerate(_list(raw[keyword]))
                some = [self._kinds(branch, join(place, index)) for index, branch in branches]
                asked.append((place, frozenset().union(*some)))
        return asked


def check_cycles(source: Source) -> None:
    """Refuses definitions that are themselves without anything in between, which no validator can decide."""
    finished: Set[str] = set()
    cycles: List[Refusal] = []
    for definition in source.definitions:
        _follow(source, definition, finished, cycles)
    if cycles:
        raise Refusal.of_all(cycles)


def _follow(source: Source, start: str, finished: Set[str], cycles: List[Refusal]) -> None:
    """Goes depth first through what a definition is made of, each definition once."""
    underway: Dict[str, Iterator[str]] = {}
    if start not in finished:
        underway[start] = iter(_direct(source, start))
    while underway:
        name, rest = next(reversed(underway.items()))
        following = next(rest, None)
        if following is None:
            finished.add(name)
            del underway[name]
        elif following in underway:
            cause = f'"{following}" refers back to itself without any member or item in between'
            cycles.append(Refusal(source.file, source.pointer_to(following), cause))
        elif following not in finished:
            underway[following] = iter(_direct(source, following))


_SAME_VALUE = ("not", "if", "then", "else")
"""Keywords with one schema for the very same value."""


def _direct(source: Source, definition: str) -> List[str]:
    """The definitions that constrain the very same value as this one."""
    found: List[str] = []
    pending = [(source.definitions[definition], source.pointer_to(definition))]
    while pending:
        raw, pointer = pending.pop()
        if not isinstance(raw, dict):
            continue
        if "$ref" in raw:
            with contextlib.suppress(Refusal):  # building refuses it
                found.append(source.referenced(raw["$ref"], join(pointer, "$ref")))
            if source.dialect.ref_stands_alone:
                continue
        for keyword in ("allOf", "anyOf", "oneOf"):
            branches = enumerate(_list(raw.get(keyword)))
            pending.extend((branch, join(pointer, keyword, index)) for index, branch in branches)
        for keyword in ("dependencies", "dependentSchemas"):
            named = raw.get(keyword)
            parts = named.items() if isinstance(named, dict) else ()
            pending.extend((part, join(pointer, keyword, name)) for name, part in parts)
        pending.extend((raw[key], join(pointer, key)) for key in _SAME_VALUE if key in raw)
    return found


def _list(value: Json) -> List[Json]:
    return value if isinstance(value, list) else []


def _kind(value: Json) -> str:
    """The kind of a JSON value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, Decimal)):
        return "integer" if value == Decimal(value).to_integral_value() else "fraction"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def _show_kinds(kinds: Kinds) -> str:
    names = [name for name in JSON_TYPES if KINDS_OF_TYPE[name] <= kinds]
    if "number" in names:
        names.remove("integer")
    return " or ".join(names or ["a fraction"])
