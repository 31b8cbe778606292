# SPDX-License-Identifier: MIT
"""The facts of an overlay about its extension: its name, and its parts of the revision's own methods.

Methods that only the overlay defines are the extension's without a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, List, Tuple

from codegen.errors import Refusal
from codegen.source.jsonfile import Json, show_json
from codegen.source.pointers import join

PARTS = ("params", "result")
_NAME = re.compile(r"[A-Za-z0-9.-]+/[A-Za-z0-9_.-]+")
_PATH = re.compile(r"[^.]+(\.[^.]+)*")


@dataclass(frozen=True)
class Feature:
    """A member of a method's params or result that belongs to an extension; with `value`, where it is that
    string. `path` has dots between names."""

    method: str
    part: str
    path: str
    value: str
    place: str


@dataclass(frozen=True)
class Topic:
    """Notifications that go to the subscriptions whose filter names what they are about: `filter` is the
    member of the filter that lists names, `member` that of the notification's params which is one."""

    filter: str
    notification: str
    member: str
    place: str


@dataclass(frozen=True)
class Extension:
    """An extension by its name among capabilities. `methods` are those that it brings."""

    name: str
    file: str
    features: Tuple[Feature, ...]
    topics: Tuple[Topic, ...]
    methods: Tuple[str, ...] = ()


def read_extension(value: Json, file: str, place: str) -> Extension:
    """The extension that an overlay states at a place of its file."""
    if not isinstance(value, dict):
        raise Refusal(file, place, '"extension" must be an object')
    for member in value:
        if member not in ("name", "members", "topics"):
            raise Refusal(file, join(place, member), f'unknown member "{member}" of an extension')
    name = value.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        cause = f"the name that is declared, such as com.example/notes, not {show_json(name)}"
        raise Refusal(file, join(place, "name"), cause)
    members, topics = join(place, "members"), join(place, "topics")
    return Extension(
        name,
        file,
        tuple(_feature(*row) for row in _rows(value, "members", file, members)),
        tuple(_topic(*row) for row in _rows(value, "topics", file, topics)),
    )


def _rows(value: Dict[str, Json], name: str, file: str, place: str) -> List[Tuple[Json, str, str]]:
    rows = value.get(name, [])
    if not isinstance(rows, list):
        raise Refusal(file, place, f'"{name}" must be an array')
    return [(row, file, join(place, index)) for index, row in enumerate(rows)]


def _texts(row: Json, file: str, place: str, needed: str, optional: str) -> Dict[str, str]:
    """The members of a row, all of which are strings."""
    if not isinstance(row, dict) or not all(isinstance(each, str) for each in row.values()):
        raise Refusal(file, place, f"an object of strings with {needed.replace(' ', ', ')}")
    missing = set(needed.split()) - set(row)
    unknown = set(row) - set(needed.split()) - set(optional.split())
    if missing or unknown:
        what = f'"{min(missing)}" is missing' if missing else f'unknown member "{min(unknown)}"'
        raise Refusal(file, place, what)
    return {member: str(text) for member, text in row.items()}


def _feature(row: Json, file: str, place: str) -> Feature:
    texts = _texts(row, file, place, "method part path", "value")
    if texts["part"] not in PARTS:
        raise Refusal(file, join(place, "part"), f"must be one of {', '.join(PARTS)}")
    if not _PATH.fullmatch(texts["path"]):
        raise Refusal(file, join(place, "path"), "names of members, with dots between them")
    return Feature(texts["method"], texts["part"], texts["path"], texts.get("value", ""), place)


def _topic(row: Json, file: str, place: str) -> Topic:
    texts = _texts(row, file, place, "filter notification member", "")
    return Topic(texts["filter"], texts["notification"], texts["member"], place)
