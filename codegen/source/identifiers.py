# SPDX-License-Identifier: MIT
"""The names of schemas inside a document, `$id` and the anchors, and the references by these names. A
document is rewritten so that all references are JSON pointers into it, and nothing is left that its dialect
ignores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple
from urllib.parse import unquote, urldefrag, urljoin

from codegen.errors import Refusal
from codegen.source.dialects import SUBSCHEMAS, Dialect, Holds, subschemas
from codegen.source.jsonfile import Json, show_json
from codegen.source.pointers import join, split

Tokens = Tuple[str, ...]

_NAMES = frozenset({"$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"})
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


@dataclass(frozen=True)
class Evened:
    """A document with pointers in the place of all other references that lead somewhere, and without keywords
    that its dialect ignores."""

    document: Dict[str, Json]
    refused: Tuple[Refusal, ...]
    """The faults of its names."""
    has_unevaluated_items: bool


def evened(document: Dict[str, Json], dialect: Dialect, file: str) -> Evened:
    """Evens a document out."""
    evener = _Evener(dialect, file)
    evener.learn(document, (), "")
    written = evener.written(document, (), "")
    assert isinstance(written, dict)
    return Evened(written, tuple(evener.refused), evener.has_unevaluated_items)


class _Evener:
    def __init__(self, dialect: Dialect, file: str) -> None:
        self._dialect = dialect
        self._file = file
        self._resources: Dict[str, Tokens] = {"": ()}
        self._anchors: Dict[Tuple[str, str], Tokens] = {}
        self._dynamic: Dict[str, List[Tokens]] = {}  # by the name of the anchor; "" for $recursiveAnchor
        self.refused: List[Refusal] = []
        self.has_unevaluated_items = False

    # The names

    def learn(self, schema: Json, place: Tokens, base: str) -> None:
        """Keeps in mind what is named in a schema, whose base is that of the schema around it."""
        if not isinstance(schema, dict):
            return
        base = self._learn_id(schema, place, base)
        self.has_unevaluated_items |= "unevaluatedItems" in schema
        for keyword in ("$anchor", "$dynamicAnchor"):
            if keyword in schema and self._dialect.knows(keyword):
                self._learn_anchor(schema[keyword], (*place, keyword), base, place)
        if schema.get("$recursiveAnchor") is True and self._dialect.knows("$recursiveAnchor"):
            self._dynamic.setdefault("", []).append(place)
        for tokens, inner in subschemas(schema, self._dialect):
            self.learn(inner, (*place, *tokens), base)

    def _learn_id(self, schema: Dict[str, Json], place: Tokens, base: str) -> str:
        """The base of a schema, which its `$id` may change."""
        uri = self._uri(schema)
        if uri is None:
            if "$id" in schema and not isinstance(schema["$id"], str):
                self._refuse((*place, "$id"), f'"$id" must be a string, not {show_json(schema["$id"])}')
            return base
        named, fragment = urldefrag(uri)
        if named:
            base = urljoin(base, named)
            if self._resources.setdefault(base, place) != place:
                self._refuse((*place, "$id"), f'"$id" {show_json(uri)} stands twice')
        if fragment and self._dialect.ref_stands_alone:  # the older dialects have no other anchors
            self._learn_anchor(fragment, (*place, "$id"), base, place)
        elif fragment:
            self._refuse((*place, "$id"), f'"$id" must have no fragment, but {show_json(uri)} has one')
        return base

    def _uri(self, schema: Dict[str, Json]) -> Optional[str]:
        """The `$id` of a schema; None where there is none, or where it is ignored."""
        uri = schema.get("$id")
        ignored = self._dialect.ref_stands_alone and "$ref" in schema
        return uri if isinstance(uri, str) and not ignored else None

    def _learn_anchor(self, name: Json, at: Tokens, base: str, place: Tokens) -> None:
        if not isinstance(name, str):
            self._refuse(at, f'"{at[-1]}" must be a string, not {show_json(name)}')
            return
        if self._anchors.setdefault((base, name), place) != place:
            self._refuse(at, f'"{at[-1]}" {show_json(name)} stands twice')
        if at[-1] == "$dynamicAnchor":
            self._dynamic.setdefault(name, []).append(place)

    # The document without them

    def written(self, schema: Json, place: Tokens, base: str) -> Json:
        """A schema without names, and with pointers as references."""
        if not isinstance(schema, dict):
            return schema
        uri = self._uri(schema)
        base = urljoin(base, urldefrag(uri)[0]) if uri else base
        made: Dict[str, Json] = {}
        found: List[str] = []
        for keyword, value in schema.items():
            if keyword in _NAMES or not self._dialect.knows(keyword):
                continue
            target = self._target(keyword, value, base) if keyword in _REFERENCES else None
            if target is None:
                made[keyword] = self._inside(keyword, value, (*place, keyword), base)
            elif keyword == "$ref":
                made[keyword] = target
            else:
                found.append(target)
        return _with_references(made, found)

    def _inside(self, keyword: str, value: Json, place: Tokens, base: str) -> Json:
        """The new value of a keyword."""
        holds = SUBSCHEMAS.get(keyword)
        if holds is None:
            return value
        if isinstance(value, list):
            return [self.written(item, (*place, str(index)), base) for index, item in enumerate(value)]
        if holds is Holds.NAMED_SCHEMAS and isinstance(value, dict):
            return {name: self.written(item, (*place, name), base) for name, item in value.items()}
        return self.written(value, place, base)

    def _target(self, keyword: str, ref: Json, base: str) -> Optional[str]:
        """The target of a reference, as a pointer; None if others report it."""
        if not isinstance(ref, str):
            return None
        tokens = self._resolved(ref, base)
        if tokens is None or (keyword == "$ref" and base == "" and ref.startswith("#/")):
            return ref if keyword == "$ref" else None
        if keyword != "$ref":
            name = "" if keyword == "$recursiveRef" else unquote(urldefrag(ref)[1])
            others = self._dynamic.get(name, [])
            if tokens in others and len(others) > 1:
                return None  # which of them is meant depends on the way there
        return "#" + join("", *tokens).replace("%", "%25")

    def _resolved(self, ref: str, base: str) -> Optional[Tokens]:
        named, fragment = urldefrag(ref)
        fragment = unquote(fragment)
        uri = urljoin(base, named) if named else base
        root = self._resources.get(uri)
        if root is None:
            return None
        if not fragment.startswith("/"):
            return root if fragment == "" else self._anchors.get((uri, fragment))
        try:
            return (*root, *split(fragment))
        except ValueError:
            return None

    def _refuse(self, place: Tokens, cause: str) -> None:
        self.refused.append(Refusal(self._file, join("", *place), cause))


def _with_references(schema: Dict[str, Json], targets: List[str]) -> Dict[str, Json]:
    """A schema with references that were no `$ref`; beside one they hold, too."""
    if not targets:
        return schema
    if len(targets) == 1 and "$ref" not in schema:
        return {**schema, "$ref": targets[0]}
    all_of = schema.get("allOf", [])
    both: List[Json] = [*all_of] if isinstance(all_of, list) else []
    for target in targets:
        both.append({"$ref": target})
    return {**schema, "allOf": both}
