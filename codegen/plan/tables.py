# SPDX-License-Identifier: MIT
"""The table entries of a revision while they are being planned: equal ones are kept once, and an index can
be taken before its entry is known, which is what recursive types need."""

from __future__ import annotations

from typing import Dict, Generic, List, Optional, Tuple, TypeVar

from codegen.plan.cplan import (
    ArrayEntry,
    CheckEntry,
    ConstEntry,
    DemandEntry,
    EnumEntry,
    MapEntry,
    Ref,
    StructEntry,
    Tables,
    UnionEntry,
)

T = TypeVar("T")


class Pool(Generic[T]):
    """Entries of one kind in the order of their indices."""

    def __init__(self) -> None:
        self._entries: List[Optional[T]] = []
        self._known: Dict[T, int] = {}

    def take(self) -> int:
        """An index whose entry follows."""
        self._entries.append(None)
        return len(self._entries) - 1

    def put(self, index: int, entry: T) -> None:
        """The entry for an index that was taken."""
        self._entries[index] = entry

    def add(self, entry: T) -> int:
        """The index of an entry; equal entries have one."""
        if entry not in self._known:
            self._known[entry] = self.take()
            self.put(self._known[entry], entry)
        return self._known[entry]

    def entry(self, index: int) -> Optional[T]:
        """The entry at an index; None while it is still to be filled."""
        return self._entries[index]

    def entries(self) -> Tuple[T, ...]:
        """All of them; every index that was taken has its entry by now."""
        done = tuple(entry for entry in self._entries if entry is not None)
        assert len(done) == len(self._entries), "an index was taken and never filled"
        return done


class TableBuilder:
    """One pool for each kind of entry."""

    def __init__(self) -> None:
        self.structs: Pool[StructEntry] = Pool()
        self.arrays: Pool[ArrayEntry] = Pool()
        self.maps: Pool[MapEntry] = Pool()
        self.unions: Pool[UnionEntry] = Pool()
        self.enums: Pool[EnumEntry] = Pool()
        self.consts: Pool[ConstEntry] = Pool()
        self.checks: Pool[CheckEntry] = Pool()
        self.shapes: Pool[Ref] = Pool()
        self.residuals: Pool[DemandEntry] = Pool()
        self.checks.add(CheckEntry())

    def tables(self) -> Tables:
        """The finished tables."""
        return Tables(
            self.structs.entries(),
            self.arrays.entries(),
            self.maps.entries(),
            self.unions.entries(),
            self.enums.entries(),
            self.consts.entries(),
            self.checks.entries(),
            self.shapes.entries(),
            self.residuals.entries(),
        )
