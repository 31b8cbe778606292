# SPDX-License-Identifier: MIT
"""Lays the tables out: the C initialisers of every entry, and what they need of the pool.

runtime/include/mcpw/table.h says what each field means; the constants here repeat its numbers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from codegen.emit.hashes import MAX_UINT8, Hash, find_hash
from codegen.emit.pool import MAX_UINT16, TextPool, c_string, mask_of
from codegen.emit.shapes import Shapes
from codegen.errors import Refusal, Refusals
from codegen.plan.comments import plain
from codegen.plan.cplan import Handle, MethodPlan, Plan, Ref, Row, StructEntry, UnionEntry

NO_OFFSET = "MCPW_NO_OFFSET"

_IS = ((1, "OBJECT"), (2, "ARRAY"), (4, "STRING"), (8, "NUMBER"), (16, "BOOLEAN"), (32, "NULL"))
_IS_STRING = 4


@dataclass(frozen=True)
class Table:
    """A C array: its name in tables.c, the type of its entries, its initialisers. Empty ones are left out."""

    name: str
    c_type: str
    rows: Tuple[str, ...]


@dataclass(frozen=True)
class Packed:
    """The text of all tables of a revision."""

    pool: Tuple[Tuple[int, str], ...]
    names: Tuple[Tuple[int, str], ...]
    names_at: int
    places: Tuple[Tuple[int, str], ...]
    places_at: int
    largest_struct: int
    tables: Tuple[Table, ...]
    handles: Tuple[str, ...]
    method_hash: Hash
    words: Tuple[bytes, ...]
    shapes: Shapes
    """The tables of what values meet beyond these."""


def ref_parts(ref: Ref) -> str:
    return f"MCPW_KIND_{ref.kind}, {ref.check}, {ref.index}"


def ref_text(ref: Ref) -> str:
    return f"{{{ref_parts(ref)}}}"


def is_text(bits: int) -> str:
    return " | ".join(f"MCPW_IS_{name}" for bit, name in _IS if bits & bit)


def flags_text(prefix: str, flags: Sequence[str]) -> str:
    return " | ".join(f"{prefix}_{flag}" for flag in flags) or "0"


class Packer:
    """Turns a plan into initialisers."""

    def __init__(self, plan: Plan, file: str) -> None:
        self._plan = plan
        self._file = file
        self._refusals = Refusals()
        self._pool = TextPool()
        self._rows: List[str] = []
        self._slots: List[int] = []
        self._alternatives: List[str] = []
        self._tests: List[str] = []
        self._enum_values: List[str] = []
        self._words: Dict[bytes, None] = {}
        self._keys: Dict[int, int] = {0: 0}
        self._refs: Dict[Ref, int] = {}

    def pack(self) -> Packed:
        """All tables of the plan. What is refused is refused all at once."""
        tables = self._plan.tables
        self._know_names()
        structs = [self._struct(entry) for entry in tables.structs]
        arrays = [
            f"{{{ref_text(e.item)}, {f'sizeof({e.c_item})' if e.c_item else 0}, 0}}" for e in tables.arrays
        ]
        maps = [self._map(entry.value, entry.c_entry) for entry in tables.maps]
        unions = [self._union(entry) for entry in tables.unions]
        enums = [self._enum(entry.name, entry.values) for entry in tables.enums]
        consts = [self._const(entry.value, entry.bits) for entry in tables.consts]
        checks = [
            f"MCPW_CHECK({c.minimum}, {c.maximum}, {c.min_number}, {c.max_number}, "
            f"{self._bound(c.min_text)}, {self._bound(c.max_text)}, {flags_text('MCPW_CHECK', c.flags)}, "
            f"MCPW_FORMAT_{c.format}, {self._bound(c.argument)})"
            for c in tables.checks
        ]
        methods = [self._method(method) for method in self._plan.methods]
        method_hash = find_hash([method.name.encode() for method in self._plan.methods])
        defaults = [self._default(d.member, d.value, d.below_minimum) for d in self._plan.defaults]
        definitions = [f"&{h.c_table}" for h in self._plan.handles if h.definition]
        arrays_of = (
            ("keys", "uint16_t", _lines([*self._keys])),
            ("refs", "mcpw_ref", [ref_text(ref) for ref in self._refs]),
            ("rows", "mcpw_row", self._rows),
            ("structs", "mcpw_struct", structs),
            ("arrays", "mcpw_array", arrays),
            ("maps", "mcpw_map", maps),
            ("unions", "mcpw_union", unions),
            ("alternatives", "mcpw_alternative", self._alternatives),
            ("tests", "mcpw_test", self._tests),
            ("enums", "mcpw_enum", enums),
            ("enum_values", "mcpw_enum_value", self._enum_values),
            ("consts", "mcpw_const", consts),
            ("checks", "mcpw_check", checks),
            ("shapes", "mcpw_ref", [ref_text(ref) for ref in tables.shapes]),
            ("slots", "uint8_t", _lines(self._slots)),
            ("defaults", "mcpw_default", defaults),
            ("methods", "mcpw_method", methods),
            ("method_slots", "uint8_t", _lines(method_hash.slots)),
            ("definitions", "mcpw_type *const", definitions),
        )
        shapes = Shapes()
        for demand in tables.demands:
            shapes.add(demand.texts)
        self._check_widths(arrays_of, len(tables.checks))
        self._refusals.raise_all()
        handles = tuple(self._handle(handle) for handle in (*self._plan.handles, self._plan.error))
        return Packed(
            pool=tuple((offset, c_string(text + b"\0")) for offset, text in self._pool.texts()),
            names=tuple((offset, c_string(text + b"\0")) for offset, text in self._pool.names()),
            names_at=self._pool.names_at(),
            places=tuple((offset, c_string(text + b"\0")) for offset, text in self._pool.places()),
            places_at=self._pool.places_at(),
            largest_struct=max((len(entry.rows) for entry in tables.structs), default=0),
            tables=tuple(Table(name, c_type, tuple(rows)) for name, c_type, rows in arrays_of),
            handles=(*handles[:-1], "static " + handles[-1]),
            method_hash=method_hash,
            words=tuple(sorted(self._words)),
            shapes=shapes,
        )

    def _know_names(self) -> None:
        """Puts the names of all that has one of its own into the pool; what is left are places."""
        tables = self._plan.tables
        for handle in (*self._plan.handles, self._plan.error):
            if handle is self._plan.error or handle.definition:
                self._pool.name(handle.name)
        for union in tables.unions:
            for alternative in union.alternatives:
                self._pool.name(alternative.name)

    def _bound(self, text: Optional[str]) -> int:
        """Where a bound or an argument stands as text: decoding compares numbers with it."""
        return self._pool.offset(text.encode()) if text is not None else 0

    def _check_widths(self, arrays: Sequence[Tuple[str, str, Sequence[str]]], checks: int) -> None:
        for name, _, rows in arrays:
            if len(rows) > MAX_UINT16:
                self._refuse(f"the schema needs more than {MAX_UINT16} {name}")
        if checks > MAX_UINT8 + 1:
            self._refuse(f"the schema needs more than {MAX_UINT8} different constraints")
        if self._pool.size() > MAX_UINT16:
            self._refuse("the texts of the schema need more than 64 KiB")

    def _refuse(self, cause: str) -> None:
        self._refusals.add(Refusal(self._file, "", cause))

    def _word(self, text: str) -> None:
        self._words[text.encode()] = None

    def _struct(self, entry: StructEntry) -> str:
        first = len(self._rows)
        for number, row in enumerate(entry.rows):
            self._rows.append(self._row(entry, number, row))
        required = sum(1 << number for number, row in enumerate(entry.rows) if row.required)
        found = find_hash([row.key.encode() for row in entry.rows])
        size = f"sizeof({entry.c_type})" if entry.c_type else "0"
        extra = f"offsetof({entry.c_type}, extra)" if entry.keeps_extra else NO_OFFSET
        self._rows.append(f"MCPW_END_ROW({extra}, {self._ref(entry.extra_value)})")
        return (
            f"MCPW_STRUCT(UINT64_C({required:#x}), {first}, {size}, {self._pool.place(entry.name)}, {extra}, "
            f"{ref_parts(entry.extra_value)}, {self._slots_of(found)}, {len(entry.rows)}, {found.mask}, "
            f"{found.multiplier}, {found.shift}) /* {plain(entry.name)} */"
        )

    def _slots_of(self, found: Hash) -> int:
        first = len(self._slots)
        self._slots += found.slots
        return first if found.slots else 0

    def _row(self, entry: StructEntry, number: int, row: Row) -> str:
        key, mask, length = self._pool.key(row.key)
        self._word(f'"{row.key}":')
        offset = f"offsetof({entry.c_type}, {row.c_member})" if row.c_member else "0"
        where = f"{plain(entry.name)}.{plain(row.key)}"
        return (
            f"MCPW_ROW({self._keys.setdefault(key, len(self._keys))}, {key}, {mask:#x}, {offset}, {length}, "
            f"{number}, {int(row.required)}, {self._ref(row.ref)}, {ref_parts(row.ref)}) /* {where} */"
        )

    def _ref(self, ref: Ref) -> int:
        """The number of a type in refs, which the tables of small builds refer to."""
        return self._refs.setdefault(ref, len(self._refs))

    def _map(self, value: Ref, c_entry: Optional[str]) -> str:
        layout = f"sizeof({c_entry}), offsetof({c_entry}, value)" if c_entry else "0, 0"
        return f"{{{ref_text(value)}, {layout}}}"

    def _union(self, entry: UnionEntry) -> str:
        alternatives, tests = len(self._alternatives), len(self._tests)
        for a in entry.alternatives:
            self._alternatives.append(
                f"MCPW_ALTERNATIVE({self._ref(a.ref)}, {ref_parts(a.ref)}, {self._pool.name(a.name)}, "
                f"{is_text(a.bits)}) "
                f"/* {plain(entry.name)}: {plain(a.name)} */"
            )
        for test in entry.tests:
            key = self._pool.key(test.member)
            value = self._pool.quoted(test.value) if test.value is not None else None
            row = "MCPW_NO_INDEX" if test.row is None else test.row
            value_offset = value[0] if value else NO_OFFSET
            value_mask, value_length = (f"{value[1]:#x}", value[2]) if value else ("0", 0)
            self._tests.append(
                f"MCPW_TEST({key[0]}, {key[1]:#x}, {value_offset}, {value_mask}, {key[2]}, {value_length}, "
                f"{test.alternative}, {row}) /* {plain(entry.name)}: {plain(test.member)} */"
            )
        tests = entry.demand if entry.demand is not None else tests
        size, offset = self._union_layout(entry)
        otherwise = "MCPW_NO_INDEX" if entry.otherwise is None else entry.otherwise
        return (
            f"MCPW_UNION({size}, {offset}, {alternatives}, {tests}, {len(entry.alternatives)}, "
            f"{len(entry.tests)}, {otherwise}, {flags_text('MCPW_UNION', entry.flags)}, "
            f"{self._pool.place(entry.name)}) "
            f"/* {plain(entry.name)} */"
        )

    def _union_layout(self, entry: UnionEntry) -> Tuple[str, str]:
        if entry.c_type is None:
            return "0", "0"
        if "BARE" in entry.flags:
            return f"sizeof({entry.c_type})", "0"
        return f"sizeof({entry.c_type})", f"offsetof({entry.c_type}, as)"

    def _enum(self, name: str, values: Tuple[str, ...]) -> str:
        first = len(self._enum_values)
        for value in values:
            offset, mask, length = self._pool.quoted(value)
            self._word(f'"{value}"')
            self._enum_values.append(
                f"MCPW_ENUM_VALUE({offset}, {mask:#x}, {length}) /* {plain(name)}: {plain(value)} */"
            )
        return f"MCPW_ENUM({first}, {len(values)}, {self._pool.place(name)}) /* {plain(name)} */"

    def _const(self, value: object, bits: int) -> str:
        text = json.dumps(value, ensure_ascii=False).encode()
        mask = f"{mask_of(len(text)):#x}" if bits & _IS_STRING else "0"
        integer = "0"
        if isinstance(value, int) and not isinstance(value, bool):
            integer = "INT64_MIN" if value == -(2**63) else f"INT64_C({value})"
        self._words[text] = None
        return (
            f"MCPW_CONST({integer}, {self._pool.offset(text)}, {mask}, {len(text)}, {is_text(bits)}) "
            f"/* {plain(text.decode())} */"
        )

    def _default(self, member: str, value: str, below: bool) -> str:
        key, _, length = self._pool.key(member)
        text = value.encode()
        return f"{{{key}, {self._pool.offset(text)}, {length}, {len(text)}, {int(below)}, 0}}"

    def _method(self, method: MethodPlan) -> str:
        offset, mask, length = self._pool.quoted(method.name)
        self._word(f'"{method.name}"')
        handles = (method.params, method.result, method.response, method.task_result)
        links = ", ".join(f"&{handle.c_table}" if handle else "NULL" for handle in handles)
        return (
            f"{{{links}, {offset}, {mask:#x}, {length}, "
            f"{flags_text('MCPW_METHOD', method.flags)}, 0}} /* {plain(method.name)} */"
        )

    def _handle(self, handle: Handle) -> str:
        name = f"MCPW_NAME({self._pool.name(handle.name)})"
        if handle is not self._plan.error and not handle.definition:
            name = f"MCPW_PLACE({self._pool.place(handle.name)})"
        return (
            f"const mcpw_type {handle.c_table} = "
            f"{{&{self._plan.prefix}_revision, {name}, {ref_text(handle.ref)}, sizeof({handle.c_type})}};"
        )


def _lines(values: Sequence[int]) -> List[str]:
    """Small numbers, as entries of an array."""
    return [str(value) for value in values]
