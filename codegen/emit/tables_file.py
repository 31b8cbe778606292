# SPDX-License-Identifier: MIT
"""The text of tables.c, and of the dictionary of its words for fuzzers."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import List, Sequence, Tuple

from codegen import __version__
from codegen.emit.pack import Packed, Packer, Table
from codegen.emit.pool import POOL_PADDING
from codegen.emit.shapes import Shapes
from codegen.emit.text import COLUMNS, TABLE_ABI, Header, render
from codegen.plan.cplan import Plan

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

    condition: str
    macro: str


_OPTIONAL = {
    "keys": _Optional("defined(MCPW_SMALL)", "MCPW_IF_SMALL"),
    "refs": _Optional("defined(MCPW_SMALL)", "MCPW_IF_SMALL"),
    "slots": _Optional("!defined(MCPW_SMALL)", "MCPW_UNLESS_SMALL"),
    "definitions": _Optional("!defined(MCPW_NO_NAMES)", "MCPW_UNLESS_NO_NAMES"),
}


def tables_file(plan: Plan, packer: Packer, packed: Packed, header: Header) -> str:
    filled = [table for table in packed.tables if table.rows]
    return render(
        "tables.c",
        plan=header,
        abi=TABLE_ABI,
        statics=[f"static const mcpw_type {plan.error.c_table};"],
        tables=[
            _TableText(table.name, table.c_type, _table_lines(table), _condition(table.name))
            for table in filled
        ],
        pool=[f"/* {offset:5} */ {text}" for offset, text in packed.pool],
        names=[f"/* {offset:5} */ {text}" for offset, text in packed.names],
        names_at=packed.names_at,
        places=[f"/* {offset:5} */ {text}" for offset, text in packed.places],
        places_at=packed.places_at,
        largest_struct=packed.largest_struct,
        demands=_demand_texts(packed.shapes),
        schema_pool=packed.shapes.pool(),
        patterns=packed.shapes.has_patterns,
        padding='"' + "\\0" * (POOL_PADDING - 1) + '"',
        revision=_revision_fields(plan, packed),
        handles=packed.handles,
    )


@dataclass(frozen=True)
class _TableText:
    name: str
    c_type: str
    lines: Tuple[str, ...]
    condition: str


def _condition(name: str) -> str:
    return _OPTIONAL[name].condition if name in _OPTIONAL else ""


def _table_lines(table: Table) -> Tuple[str, ...]:
    """One entry a line; small numbers share lines."""
    if table.c_type not in ("uint8_t", "uint16_t", "uint32_t"):
        return tuple(_with_comma(row) for row in table.rows)
    return tuple(textwrap.wrap(", ".join(table.rows) + ",", COLUMNS - 4))


def _with_comma(row: str) -> str:
    """An entry with the comma that separates it from the next, before its comment."""
    entry, mark, rest = row.partition(" /*")
    return f"{entry},{mark}{rest}"


def _present(name: str, value: str, filled: bool) -> str:
    """A field about a table; NULL where the build, or the schema, leaves it out."""
    if not filled:
        return "NULL"
    return f"{_OPTIONAL[name].macro}({value})" if name in _OPTIONAL else value


def _revision_fields(plan: Plan, packed: Packed) -> Sequence[str]:
    found = packed.method_hash
    filled = {table.name for table in packed.tables if table.rows}
    counts = {
        _COUNTS[t.name]: _present(t.name, str(len(t.rows)), True) for t in packed.tables if t.name in _COUNTS
    }
    fields: List[Tuple[str, object]] = [
        ("name", f'"{plan.revision}"'),
        ("schema_sha256", f"{plan.prefix.upper()}_SCHEMA_SHA256"),
        ("generator", f'"{__version__}"'),
        ("abi", TABLE_ABI),
        ("number", plan.number),
        ("pool", "pool"),
        *((table.name, _present(table.name, table.name, table.name in filled)) for table in packed.tables),
        ("error", f"&{plan.error.c_table}"),
        ("pool_size", "sizeof pool"),
        *counts.items(),
        ("method_hash_mask", found.mask),
        ("method_hash_mul", found.multiplier),
        ("method_hash_shift", found.shift),
        ("batches", int(plan.batches)),
        ("layout", "MCPW_LAYOUT"),
        ("demands", "demands" if packed.shapes.roots else "NULL"),
    ]
    return [f".{name} = {value}," for name, value in fields]


def _demand_texts(shapes: Shapes) -> Sequence[_TableText]:
    """The tables of schemas that stand alone, the schemas, and the demands that name them."""
    if not shapes.roots:
        return ()
    tables = shapes.tables()
    shown = [_TableText(t.name, t.c_type, _table_lines(Table(t.name, t.c_type, t.rows)), "") for t in tables]
    fields = [f".{t.name[len('schema_') :]} = {t.name}" for t in tables if t.name != "schema_nodes"]
    fields += [f".pattern_count = {shapes.pattern_count}", ".pool = schema_pool"]
    nodes = "schema_nodes" if shapes.node_count else "NULL"
    fields.append(f".constants = {{.text = schema_pool, .nodes = {nodes}, .count = {shapes.node_count}}}")
    rest = textwrap.wrap(", ".join(fields) + "},", COLUMNS - 8)
    schemas = [
        line
        for root in shapes.roots
        for line in (f"{{.dialect = MCPW_SCHEMA_2020_12, .root = {root},", *(f" {part}" for part in rest))
    ]
    engine = "mcpw_pcre2" if shapes.has_patterns else "NULL"
    demands = [f"{{mcpw_schema_meets, schemas + {number}, {engine}}}," for number in range(len(shapes.roots))]
    return (
        *shown,
        _TableText("schemas", "mcpw_schema", tuple(schemas), ""),
        _TableText("demands", "mcpw_demand", tuple(demands), ""),
    )


def dictionary_word(word: bytes) -> str:
    """A word of a fuzzing dictionary: quoted, with hexadecimal escapes."""
    shown = "".join(
        "\\" + chr(b) if b in b'"\\' else chr(b) if 0x20 <= b < 0x7F else f"\\x{b:02x}" for b in word
    )
    return f'"{shown}"'
