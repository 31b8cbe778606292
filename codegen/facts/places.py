# SPDX-License-Identifier: MIT
"""A file of facts, read strictly: what is of another form than expected is refused with its place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterator, List

from codegen.errors import Refusal
from codegen.source.jsonfile import Json, read_json
from codegen.source.pointers import join


@dataclass(frozen=True)
class Place:
    """A value in a file of facts, with where it stands."""

    file: str
    pointer: str
    value: Json

    def refuse(self, cause: str) -> Refusal:
        return Refusal(self.file, self.pointer, cause)

    def object(self) -> Dict[str, Place]:
        if not isinstance(self.value, dict):
            raise self.refuse("expected an object")
        return {k: Place(self.file, join(self.pointer, k), v) for k, v in self.value.items()}

    def array(self) -> List[Place]:
        if not isinstance(self.value, list):
            raise self.refuse("expected an array")
        return [Place(self.file, join(self.pointer, i), v) for i, v in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.refuse("expected a string")
        return self.value

    def integer(self) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.refuse("expected an integer")
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.refuse("expected true or false")
        return self.value

    def members(self, required: str, optional: str = "") -> Dict[str, Place]:
        """The members of an object of facts; a name that means nothing here is refused, not skipped."""
        found = self.object()
        for name in required.split():
            if name not in found:
                raise self.refuse(f'"{name}" is missing')
        for name in found:
            if name not in required.split() and name not in optional.split():
                raise found[name].refuse("this member means nothing here")
        return found


class FactFile:
    """A file of facts, which may be missing."""

    def __init__(self, path: Path) -> None:
        value: Json = read_json(path) if path.exists() else {}
        self._file = str(path)
        self._top = Place(str(path), "", value).object()

    def rows(self, name: str) -> Iterator[Place]:
        """The items of the array `name`; none where it is missing."""
        return iter(self._top[name].array() if name in self._top else ())

    def table(self, name: str) -> Dict[str, Place]:
        """The members of the object `name`; none where it is missing."""
        return self._top[name].object() if name in self._top else {}

    def members(self, name: str, required: str) -> Dict[str, Place]:
        """The object `name` of just these members, in this order; none where the file is missing."""
        if not self._top:
            return {}
        if name not in self._top:
            raise Refusal(self._file, "", f'"{name}" is missing')
        found = self._top[name].members(required)
        return {member: found[member] for member in required.split()}
