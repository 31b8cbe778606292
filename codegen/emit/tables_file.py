# SPDX-License-Identifier: MIT
"""The text of tables.c."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Mapping, Sequence, Tuple

from codegen import __version__
from codegen.emit.fragments import (
    COLUMNS,
    CCode,
    CIdentifier,
    CString,
    Part,
    blanks,
    entry,
    wrapped,
)
from codegen.emit.pack import Packed, Packer, Table
from codegen.emit.pool import POOL_PADDING
from codegen.emit.shapes import Shapes, ShapeTable
from codegen.emit.text import TABLE_ABI, Header, render
from codegen.plan.cplan import Plan

_ALWAYS = CCode("")
_NUMBERS = ("uint8_t", "uint16_t", "uint32_t")
_OFFSET_COLUMNS = 5

# Fields of mcpw_revision that are tables, with the field that counts their entries.
_COUNTS = {
    "rows": "row_count",
    "structs": "struct_count",
    "arrays": "array_count",
    "maps": "map_count",
    "unions": "union_count",
    "alternatives": "alternative_count",
    "tests": "test_count",
    "enums": "enum_count",
    "enum_values": "enum_value_count",
    "consts": "const_count",
    "checks": "check_count",
    "shapes": "shape_count",
    "slots": "slot_count",
    "defaults": "default_count",
    "methods": "method_count",
    "definitions": "definition_count",
}


@dataclass(frozen=True)
class _Optional:
    """The condition under which a build holds a table, and the macro of table.h around what refers to it."""

    condition: CCode
    macro: CIdentifier


_OPTIONAL = {
    "keys": _Optional(CCode("defined(MCPW_SMALL)"), CIdentifier("MCPW_IF_SMALL")),
    "refs": _Optional(CCode("defined(MCPW_SMALL)"), CIdentifier("MCPW_IF_SMALL")),
    "slots": _Optional(CCode("!defined(MCPW_SMALL)"), CIdentifier("MCPW_UNLESS_SMALL")),
    "definitions": _Optional(CCode("!defined(MCPW_NO_NAMES)"), CIdentifier("MCPW_UNLESS_NO_NAMES")),
}


def tables_file(plan: Plan, packer: Packer, packed: Packed, header: Header) -> str:
    filled = [table for table in packed.tables if table.rows]
    return render(
        "tables.c",
        plan=header,
        abi=TABLE_ABI,
        error=plan.error.c_table,
        tables=[
            _TableText(table.name, table.c_type, _table_lines(table), _condition(table.name))
            for table in filled
        ],
        pool=[_pooled(*row) for row in packed.pool],
        names=[_pooled(*row) for row in packed.names],
        names_at=packed.names_at,
        places=[_pooled(*row) for row in packed.places],
        places_at=packed.places_at,
        largest_struct=packed.largest_struct,
        residuals=_residual_texts(packed.shapes),
        schema_pool=packed.shapes.pool(),
        patterns=packed.shapes.has_patterns,
        padding=POOL_PADDING - 1,
        revision=_revision_fields(plan, packed),
        handles=packed.handles,
    )


@dataclass(frozen=True)
class _TableText:
    name: str
    c_type: str
    lines: Tuple[CCode, ...]
    condition: CCode


def _pooled(offset: int, text: CString) -> CCode:
    """A text of the pool, after a comment with its offset."""
    return CCode("/* $$ */ $", blanks(_OFFSET_COLUMNS - len(str(offset))), offset, text)


def _condition(name: str) -> CCode:
    return _OPTIONAL[name].condition if name in _OPTIONAL else _ALWAYS


def _table_lines(table: Table) -> Tuple[CCode, ...]:
    """One entry a line; small numbers share lines."""
    if table.c_type not in _NUMBERS:
        return table.rows
    return wrapped(table.rows, COLUMNS - 4)


def _present(name: str, value: CCode, filled: bool) -> CCode:
    """A field about a table; NULL where the build, or the schema, leaves it out."""
    if not filled:
        return CCode("NULL")
    return CCode("$($)", _OPTIONAL[name].macro, value) if name in _OPTIONAL else value


def _revision_fields(plan: Plan, packed: Packed) -> Sequence[CCode]:
    found = packed.method_hash
    filled = {table.name for table in packed.tables if table.rows}
    counts = {
        _COUNTS[t.name]: _present(t.name, CCode("$", len(t.rows)), True)
        for t in packed.tables
        if t.name in _COUNTS
    }
    tables = {
        table.name: _present(table.name, CCode("$", CIdentifier(table.name)), table.name in filled)
        for table in packed.tables
    }
    fields: Mapping[str, Part] = {
        "name": CString(plan.revision),
        "schema_sha256": CIdentifier(f"{plan.prefix.upper()}_SCHEMA_SHA256"),
        "generator": CString(__version__),
        "abi": TABLE_ABI,
        "number": plan.number,
        "pool": CIdentifier("pool"),
        **tables,
        "error": CCode("&$", CIdentifier(plan.error.c_table)),
        "pool_size": CCode("sizeof pool"),
        **counts,
        "method_hash_mask": found.mask,
        "method_hash_mul": found.multiplier,
        "method_hash_shift": found.shift,
        "batches": int(plan.batches),
        "layout": CIdentifier("MCPW_LAYOUT"),
        "residuals": CIdentifier("residuals" if packed.shapes.roots else "NULL"),
    }
    return [CCode(".$ = $,", CIdentifier(name), value) for name, value in fields.items()]


def _residual_texts(shapes: Shapes) -> Sequence[_TableText]:
    """The tables of schemas that stand alone, the schemas, and the demands that name them."""
    if not shapes.roots:
        return ()
    tables = shapes.tables()
    shown = [_residual_table(t) for t in tables]
    engine = CIdentifier("mcpw_pcre2" if shapes.has_patterns else "NULL")
    residuals = [
        entry(CCode("{mcpw_schema_meets, schemas + $, $}", number, engine))
        for number in range(len(shapes.roots))
    ]
    return (
        *shown,
        _TableText("schemas", "mcpw_schema", tuple(_schema_lines(shapes)), _ALWAYS),
        _TableText("residuals", "mcpw_residual", tuple(residuals), _ALWAYS),
    )


def _residual_table(table: ShapeTable) -> _TableText:
    numbers = table.c_type in _NUMBERS
    rows = table.rows if numbers else tuple(entry(row) for row in table.rows)
    return _TableText(table.name, table.c_type, _table_lines(Table(table.name, table.c_type, rows)), _ALWAYS)


def _schema_lines(shapes: Shapes) -> Iterator[CCode]:
    """Each schema: the tables that all of them share, and its root."""
    tables = [CIdentifier(table.name) for table in shapes.tables() if table.name != "schema_nodes"]
    fields = [CCode(".$ = $", CIdentifier(table[len("schema_") :]), table) for table in tables]
    nodes = CIdentifier("schema_nodes" if shapes.node_count else "NULL")
    fields += [
        CCode(".pattern_count = $", shapes.pattern_count),
        CCode(".pool = schema_pool"),
        CCode(".constants = {.text = schema_pool, .nodes = $, .count = $}}", nodes, shapes.node_count),
    ]
    rest = wrapped(fields, COLUMNS - 8)
    for root in shapes.roots:
        yield CCode("{.dialect = MCPW_SCHEMA_2020_12, .root = $,", root)
        for line in rest:
            yield CCode(" $", line)
