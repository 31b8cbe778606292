# SPDX-License-Identifier: MIT
"""Lays the tables out: the C initialisers of every entry, and what they need of the pool.

runtime/include/mcpw/detail/table.h says what each field means; the constants here repeat its numbers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple, Union

from codegen.emit.fragments import (
    CCode,
    CIdentifier,
    CNumber,
    CString,
    CType,
    entry,
    hexadecimal,
    joined,
)
from codegen.emit.hashes import MAX_UINT8, Hash, find_hash
from codegen.emit.pool import MAX_UINT16, TextPool, mask_of
from codegen.emit.shapes import Shapes
from codegen.errors import Refusal, Refusals
from codegen.plan.checks import int64_text
from codegen.plan.cplan import (
    CheckEntry,
    Handle,
    MethodPlan,
    Plan,
    Ref,
    Row,
    StructEntry,
    TestEntry,
    UnionEntry,
)

NO_OFFSET = CIdentifier("MCPW_NO_OFFSET")
NO_INDEX = CIdentifier("MCPW_NO_INDEX")

_IS = ((1, "OBJECT"), (2, "ARRAY"), (4, "STRING"), (8, "NUMBER"), (16, "BOOLEAN"), (32, "NULL"))
_IS_STRING = 4
_ZERO = CCode("0")


@dataclass(frozen=True)
class Table:
    """A C array: its name in tables.c, the type of its entries, its initialisers. Empty ones are left out.
    Entries that are small numbers have no comma, as they share lines."""

    name: str
    c_type: str
    rows: Tuple[CCode, ...]


@dataclass(frozen=True)
class Packed:
    """The text of all tables of a revision."""

    pool: Tuple[Tuple[int, CString], ...]
    names: Tuple[Tuple[int, CString], ...]
    names_at: int
    places: Tuple[Tuple[int, CString], ...]
    places_at: int
    largest_struct: int
    tables: Tuple[Table, ...]
    handles: Tuple[CCode, ...]
    method_hash: Hash
    words: Tuple[bytes, ...]
    shapes: Shapes
    """The tables of what values meet beyond these."""


def ref_parts(ref: Ref) -> CCode:
    return CCode("MCPW_KIND_$, $, $", CIdentifier(ref.kind), ref.check, ref.index)


def ref_text(ref: Ref) -> CCode:
    return CCode("{$}", ref_parts(ref))


def is_text(bits: int) -> CCode:
    return joined(" | ", (CIdentifier(f"MCPW_IS_{name}") for bit, name in _IS if bits & bit))


def flags_text(prefix: str, flags: Sequence[str]) -> CCode:
    if not flags:
        return _ZERO
    return joined(" | ", (CIdentifier(f"{prefix}_{flag}") for flag in flags))


def size_of(c_type: Optional[str]) -> CCode:
    return CCode("sizeof($)", CType(c_type)) if c_type else _ZERO


def offset_of(c_type: str, member: str) -> CCode:
    return CCode("offsetof($, $)", CType(c_type), CIdentifier(member))


class Packer:
    """Turns a plan into initialisers."""

    def __init__(self, plan: Plan, file: str) -> None:
        self._plan = plan
        self._file = file
        self._refusals = Refusals()
        self._pool = TextPool()
        self._rows: List[CCode] = []
        self._slots: List[int] = []
        self._alternatives: List[CCode] = []
        self._tests: List[CCode] = []
        self._enum_values: List[CCode] = []
        self._words: Dict[bytes, None] = {}
        self._keys: Dict[int, int] = {0: 0}
        self._refs: Dict[Ref, int] = {}

    def pack(self) -> Packed:
        """All tables of the plan. All refusals come at once."""
        tables = self._plan.tables
        self._know_names()
        structs = [self._struct(e) for e in tables.structs]
        arrays = [entry(CCode("{$, $, 0}", ref_text(e.item), size_of(e.c_item))) for e in tables.arrays]
        maps = [self._map(e.value, e.c_entry) for e in tables.maps]
        unions = [self._union(e) for e in tables.unions]
        enums = [self._enum(e.name, e.values) for e in tables.enums]
        consts = [self._const(e.value, e.bits) for e in tables.consts]
        checks = [self._check(e) for e in tables.checks]
        methods = [self._method(method) for method in self._plan.methods]
        method_hash = find_hash([method.name.encode() for method in self._plan.methods])
        defaults = [self._default(d.member, d.value, d.below_minimum) for d in self._plan.defaults]
        definitions = [entry(_address(h)) for h in self._plan.handles if h.definition]
        arrays_of = (
            ("keys", "uint16_t", _lines([*self._keys])),
            ("refs", "mcpw_ref", [entry(ref_text(ref)) for ref in self._refs]),
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
            ("shapes", "mcpw_ref", [entry(ref_text(ref)) for ref in tables.shapes]),
            ("slots", "uint8_t", _lines(self._slots)),
            ("defaults", "mcpw_default", defaults),
            ("methods", "mcpw_method", methods),
            ("method_slots", "uint8_t", _lines(method_hash.slots)),
            ("definitions", "mcpw_type *const", definitions),
        )
        shapes = Shapes()
        for residual in tables.residuals:
            shapes.add(residual.texts)
        self._check_widths(arrays_of, len(tables.checks))
        self._refusals.raise_all()
        handles = tuple(self._handle(handle) for handle in (*self._plan.handles, self._plan.error))
        return Packed(
            pool=tuple((offset, CString(text + b"\0")) for offset, text in self._pool.texts()),
            names=tuple((offset, CString(text + b"\0")) for offset, text in self._pool.names()),
            names_at=self._pool.names_at(),
            places=tuple((offset, CString(text + b"\0")) for offset, text in self._pool.places()),
            places_at=self._pool.places_at(),
            largest_struct=max((len(e.rows) for e in tables.structs), default=0),
            tables=tuple(Table(name, c_type, tuple(rows)) for name, c_type, rows in arrays_of),
            handles=(*handles[:-1], CCode("static $", handles[-1])),
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
        """Bounds and arguments as text: decoding compares numbers with them."""
        return self._pool.offset(text.encode()) if text is not None else 0

    def _check_widths(self, arrays: Sequence[Tuple[str, str, Sequence[CCode]]], checks: int) -> None:
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

    def _check(self, check: CheckEntry) -> CCode:
        return entry(
            CCode(
                "MCPW_CHECK($, $, $, $, $, $, $, MCPW_FORMAT_$, $)",
                CNumber(check.minimum),
                CNumber(check.maximum),
                CNumber(check.min_number),
                CNumber(check.max_number),
                self._bound(check.min_text),
                self._bound(check.max_text),
                flags_text("MCPW_CHECK", check.flags),
                CIdentifier(check.format),
                self._bound(check.argument),
            )
        )

    def _struct(self, struct: StructEntry) -> CCode:
        first = len(self._rows)
        for number, row in enumerate(struct.rows):
            self._rows.append(self._row(struct, number, row))
        required = sum(1 << number for number, row in enumerate(struct.rows) if row.required)
        found = find_hash([row.key.encode() for row in struct.rows])
        extra: Union[CCode, CIdentifier] = NO_OFFSET
        if struct.keeps_extra and struct.c_type:
            extra = offset_of(struct.c_type, "extra")
        self._rows.append(entry(CCode("MCPW_END_ROW($, $)", extra, self._ref(struct.extra_value))))
        code = CCode(
            "MCPW_STRUCT(UINT64_C($), $, $, $, $, $, $, $, $, $, $)",
            hexadecimal(required),
            first,
            size_of(struct.c_type),
            self._pool.place(struct.name),
            extra,
            ref_parts(struct.extra_value),
            self._slots_of(found),
            len(struct.rows),
            found.mask,
            found.multiplier,
            found.shift,
        )
        return entry(code, struct.name)

    def _slots_of(self, found: Hash) -> int:
        first = len(self._slots)
        self._slots += found.slots
        return first if found.slots else 0

    def _row(self, struct: StructEntry, number: int, row: Row) -> CCode:
        key, mask, length = self._pool.key(row.key)
        self._word(f'"{row.key}":')
        code = CCode(
            "MCPW_ROW($, $, $, $, $, $, $, $, $)",
            self._keys.setdefault(key, len(self._keys)),
            key,
            hexadecimal(mask),
            offset_of(struct.c_type, row.c_member) if struct.c_type and row.c_member else _ZERO,
            length,
            number,
            int(row.required),
            self._ref(row.ref),
            ref_parts(row.ref),
        )
        return entry(code, f"{struct.name}.{row.key}")

    def _ref(self, ref: Ref) -> int:
        """The number of a type in refs, which the tables of small builds refer to."""
        return self._refs.setdefault(ref, len(self._refs))

    def _map(self, value: Ref, c_entry: Optional[str]) -> CCode:
        offset = offset_of(c_entry, "value") if c_entry else _ZERO
        return entry(CCode("{$, $, $}", ref_text(value), size_of(c_entry), offset))

    def _union(self, union: UnionEntry) -> CCode:
        alternatives, tests = len(self._alternatives), len(self._tests)
        for a in union.alternatives:
            name = self._pool.name(a.name)
            parts = (self._ref(a.ref), ref_parts(a.ref), name, is_text(a.bits))
            self._alternatives.append(
                entry(CCode("MCPW_ALTERNATIVE($, $, $, $)", *parts), f"{union.name}: {a.name}")
            )
        for test in union.tests:
            self._tests.append(self._test(union.name, test))
        tests = union.residual if union.residual is not None else tests
        size, offset = self._union_layout(union)
        code = CCode(
            "MCPW_UNION($, $, $, $, $, $, $, $, $)",
            size,
            offset,
            alternatives,
            tests,
            len(union.alternatives),
            len(union.tests),
            NO_INDEX if union.otherwise is None else union.otherwise,
            flags_text("MCPW_UNION", union.flags),
            self._pool.place(union.name),
        )
        return entry(code, union.name)

    def _test(self, union: str, test: TestEntry) -> CCode:
        key, key_mask, key_length = self._pool.key(test.member)
        value, mask, length = (0, 0, 0) if test.value is None else self._pool.quoted(test.value)
        code = CCode(
            "MCPW_TEST($, $, $, $, $, $, $, $)",
            key,
            hexadecimal(key_mask),
            NO_OFFSET if test.value is None else value,
            _ZERO if test.value is None else hexadecimal(mask),
            key_length,
            length,
            test.alternative,
            NO_INDEX if test.row is None else test.row,
        )
        return entry(code, f"{union}: {test.member}")

    def _union_layout(self, union: UnionEntry) -> Tuple[CCode, CCode]:
        if union.c_type is None:
            return _ZERO, _ZERO
        offset = _ZERO if "BARE" in union.flags else offset_of(union.c_type, "as")
        return size_of(union.c_type), offset

    def _enum(self, name: str, values: Tuple[str, ...]) -> CCode:
        first = len(self._enum_values)
        for value in values:
            offset, mask, length = self._pool.quoted(value)
            self._word(f'"{value}"')
            code = CCode("MCPW_ENUM_VALUE($, $, $)", offset, hexadecimal(mask), length)
            self._enum_values.append(entry(code, f"{name}: {value}"))
        return entry(CCode("MCPW_ENUM($, $, $)", first, len(values), self._pool.place(name)), name)

    def _const(self, value: object, bits: int) -> CCode:
        text = json.dumps(value, ensure_ascii=False).encode()
        mask = hexadecimal(mask_of(len(text))) if bits & _IS_STRING else _ZERO
        integer = CNumber("0")
        if isinstance(value, int) and not isinstance(value, bool):
            integer = CNumber(int64_text(value))
        self._words[text] = None
        parts = (integer, self._pool.offset(text), mask, len(text), is_text(bits))
        return entry(CCode("MCPW_CONST($, $, $, $, $)", *parts), text.decode())

    def _default(self, member: str, value: str, below: bool) -> CCode:
        key, _, length = self._pool.key(member)
        text = value.encode()
        parts = (key, self._pool.offset(text), length, len(text), int(below))
        return entry(CCode("{$, $, $, $, $, 0}", *parts))

    def _method(self, method: MethodPlan) -> CCode:
        offset, mask, length = self._pool.quoted(method.name)
        self._word(f'"{method.name}"')
        handles = (method.params, method.result, method.response, method.task_result)
        links = joined(", ", (_address(handle) if handle else CCode("NULL") for handle in handles))
        parts = (links, offset, hexadecimal(mask), length, flags_text("MCPW_METHOD", method.flags))
        return entry(CCode("{$, $, $, $, $, 0}", *parts), method.name)

    def _handle(self, handle: Handle) -> CCode:
        name = CCode("MCPW_NAME($)", self._pool.name(handle.name))
        if handle is not self._plan.error and not handle.definition:
            name = CCode("MCPW_PLACE($)", self._pool.place(handle.name))
        return CCode(
            "const mcpw_type $ = {&$_revision, $, $, sizeof($)};",
            CIdentifier(handle.c_table),
            CIdentifier(self._plan.prefix),
            name,
            ref_text(handle.ref),
            CType(handle.c_type),
        )


def _address(handle: Handle) -> CCode:
    return CCode("&$", CIdentifier(handle.c_table))


def _lines(values: Sequence[int]) -> List[CCode]:
    """Small numbers, as entries of an array."""
    return [CCode("$", value) for value in values]
