# SPDX-License-Identifier: MIT
"""The findings of a comparison, ready to be shown: the same for every format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple


@dataclass(frozen=True)
class Wire:
    """Why values are refused on the other side; None where none are."""

    old_to_new: Optional[str] = None
    """A value that was valid in the old schema is refused by the new one."""
    new_to_old: Optional[str] = None
    """A value that is valid in the new schema is refused by the old one."""

    @property
    def breaks(self) -> bool:
        """Whether anything is refused in either direction."""
        return self.old_to_new is not None or self.new_to_old is not None


NOTHING = Wire()


@dataclass(frozen=True)
class SourceBreak:
    """A C name that no longer compiles, with the C type that it had; `new` is None for what is gone."""

    what: str
    name: str
    old: str
    new: Optional[str]


@dataclass(frozen=True)
class Change:
    """One change. `path` names the place: a type and members, a method, or an error code."""

    rule: str
    title: str
    subject: str
    path: str
    old: Optional[str]
    new: Optional[str]
    c: str
    wire: Wire
    source: Tuple[SourceBreak, ...]
    breaking: bool
    action: str


@dataclass(frozen=True)
class MemberRow:
    """A member before and after, for reading side by side. `state` is same, changed, added or removed."""

    path: str
    state: str
    old: Optional[str]
    new: Optional[str]
    old_required: bool
    new_required: bool
    changes: Tuple[Change, ...]


@dataclass(frozen=True)
class TypeDiff:
    """A definition. `state` is same, changed, added, removed or renamed; `old_name` and `new_name` are None
    where it is not there. `values` says what happens to whole values, with all that they hold."""

    name: str
    state: str
    old_name: Optional[str]
    new_name: Optional[str]
    c: str
    doc: str
    shape: str
    members: Tuple[MemberRow, ...]
    changes: Tuple[Change, ...]
    values: Wire
    methods: Tuple[str, ...]


@dataclass(frozen=True)
class MethodSide:
    """A method in one of the schemas. Types are None where there are none."""

    direction: str
    params: Optional[str]
    params_required: bool
    results: Tuple[str, ...]
    capability: Optional[str]


@dataclass(frozen=True)
class MethodDiff:
    """A method. `params` and `result` say what happens to whole values."""

    name: str
    kind: str
    state: str
    old: Optional[MethodSide]
    new: Optional[MethodSide]
    params: Wire
    result: Wire
    changes: Tuple[Change, ...]


@dataclass(frozen=True)
class ErrorRow:
    """An error code in both schemas."""

    name: str
    state: str
    old: Optional[int]
    new: Optional[int]
    changes: Tuple[Change, ...]


@dataclass(frozen=True)
class SideInfo:
    """The schema of a side."""

    name: str
    revision: str
    sha256: str
    types: int
    methods: int
    pin: int


@dataclass(frozen=True)
class Report:
    """All that a comparison found. `general` are changes of no type or method; `loose` are C names that break
    although nothing in the schema says why; `vanished` is every short name that is gone."""

    old: SideInfo
    new: SideInfo
    types: Tuple[TypeDiff, ...]
    methods: Tuple[MethodDiff, ...]
    errors: Tuple[ErrorRow, ...]
    general: Tuple[Change, ...]
    loose: Tuple[SourceBreak, ...]
    vanished: Tuple[str, ...]

    @property
    def changes(self) -> Tuple[Change, ...]:
        """All changes: of methods, types, errors, then the general ones."""
        found = [change for method in self.methods for change in method.changes]
        found += [change for item in self.types for change in item.changes]
        found += [change for error in self.errors for change in error.changes]
        return (*found, *self.general)

    @property
    def breaking(self) -> bool:
        """Whether any change breaks C source or the wire."""
        return bool(self.loose) or any(change.breaking for change in self.changes)
