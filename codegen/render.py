# SPDX-License-Identifier: MIT
"""The text of all generated files. Everything is decided before; the templates arrange it."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from codegen import __version__, hover, names
from codegen.comments import Comments
from codegen.cplan import EnumDecl, Handle, Member, MethodPlan, Plan, StructDecl, UnionDecl
from codegen.facts import ERROR_ROLES, Facts
from codegen.model import Document
from codegen.pack import POOL_PADDING, Packed, Packer, Table
from codegen.revision_plan import plan_revision
from codegen.revisions import Revisions

TABLE_ABI = 2
COLUMNS = 110
COMMAND = "python3 -m codegen generate"

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
    "gates": "gate_count",
    "codes": "code_count",
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


@dataclass(frozen=True)
class _Header:
    """What the first comment of every file says."""

    revision: str
    prefix: str
    upper: str
    source: str
    sha256: str
    command: str
    generator: str = __version__


@dataclass(frozen=True)
class _Text:
    """A declaration with its comment, in lines."""

    name: str
    comment: str
    lines: Tuple[str, ...] = ()
    target: str = ""
    index: Optional[int] = None


@cache
def _environment() -> Environment:
    # autoescape is for HTML: these are C files.
    return Environment(
        loader=FileSystemLoader(Path(__file__).resolve().parent / "templates"),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _render(template: str, **values: object) -> str:
    return _environment().get_template(template + ".j2").render(**values)


def comment(text: str, indent: str = "") -> str:
    """A C comment of a text, wrapped. A line break in the text stays."""
    if "\n" not in text and len(indent) + len(text) + len("/*  */") <= COLUMNS:
        return f"{indent}/* {text} */"
    lines = [
        line
        for part in text.split("\n")
        for line in textwrap.wrap(
            part, COLUMNS - len(indent) - len(" *  */"), break_long_words=False, break_on_hyphens=False
        )
    ]
    return f"{indent}/* " + f"\n{indent} * ".join(lines) + " */"


def generate_files(document: Document, facts: Facts) -> Dict[str, str]:
    """All files of one revision, by their paths under the folder of generated code."""
    plan = plan_revision(document, facts)
    packer = Packer(plan, document.file)
    packed = packer.pack()
    own = plan.source.startswith("schema/")
    header = _Header(
        plan.revision,
        plan.prefix,
        plan.prefix.upper(),
        plan.source,
        plan.sha256,
        COMMAND if own else f"{COMMAND} --schema {plan.source}",
    )
    folder = f"{plan.revision}/mcp/{plan.revision}"

    def guard(part: str) -> str:
        return f"MCPW_GENERATED_{header.upper[len('MCP_') :]}_{part}_H"

    return {
        f"{folder}/types.h": _types(plan, header, guard("TYPES")),
        f"{folder}/codec.h": _codec(plan, header, guard("CODEC")),
        f"{folder}/methods.h": _methods(plan, header, guard("METHODS"), Comments(facts)),
        f"{folder}/handlers.h": _render(
            "handlers.h", plan=header, guard=guard("HANDLERS"), handlers=plan.handlers
        ),
        f"{folder}/client.h": _render(
            "client.h", plan=header, guard=guard("CLIENT"), calls=plan.handlers.calls
        ),
        f"{folder}/names.h": _render(
            "names.h",
            plan=header,
            guard=guard("NAMES"),
            lines=list(_short_name_lines(plan)),
        ),
        f"{folder}.h": _render("umbrella.h", plan=header, guard=guard("ALL")),
        f"{plan.revision}/handlers.c": _render("handlers.c", plan=header, sides=plan.handlers.sides),
        f"{plan.revision}/tables.c": _tables(plan, packer, packed, header),
        f"{plan.revision}/dictionary.txt": _render(
            "dictionary.txt", plan=header, words=[_word(word) for word in packed.words]
        ),
    }


@dataclass(frozen=True)
class _Revision:
    name: str
    number: int
    prefix: str


def generate_common_files(revisions: Revisions) -> Dict[str, str]:
    """The files that speak of all revisions."""
    rows = [
        _Revision(name, names.revision_number(name), names.revision_prefix(name)) for name in revisions.names
    ]
    values: Dict[str, object] = {
        "revisions": rows,
        "pin": names.revision_number(revisions.default_pin),
        "none_chosen": " && ".join(f"!defined(MCPW_WITH_{row.number})" for row in rows),
        "generator": __version__,
        "command": COMMAND,
    }
    return {
        "common/mcp/client.h": _render("pinned_client.h", **values),
        "common/mcp/pinned.h": _render("pinned.h", **values),
        "common/mcp/revisions.h": _render("revisions.h", **values),
        "common/registry.c": _render("registry.c", **values),
    }


# Headers


def _types(plan: Plan, header: _Header, guard: str) -> str:
    return _render(
        "types.h",
        plan=header,
        guard=guard,
        enums=[_Text(e.name, comment(e.comment), tuple(_enum_lines(e))) for e in plan.enums],
        forwards=[f"typedef struct {name} {name};" for name in _forwards(plan)],
        aliases=[_Text(a.name, comment(a.comment), target=a.target) for a in plan.aliases],
        types=[_Text(decl.name, comment(decl.comment), tuple(_type_lines(decl))) for decl in plan.types],
    )


def _short_name_lines(plan: Plan) -> Iterable[str]:
    lines = hover.short_lines(plan)
    for short, full in plan.short_names:
        yield f"#define {short} /* {lines[full]} */ {full}"


def _forwards(plan: Plan) -> Iterable[str]:
    """The types that an alias or a pointer names before they are declared."""
    known = {decl.name for decl in plan.types}
    declared = {alias.target for alias in plan.aliases if alias.target in known}
    yield from sorted(declared)
    for decl in plan.types:
        declared.add(decl.name)
        for member in decl.members:
            name = member.c_type[len("const ") : -len(" *")] if member.c_type.endswith(" *") else ""
            if name in known and name not in declared:
                declared.add(name)
                yield name


def _enum_lines(decl: EnumDecl) -> Iterable[str]:
    for number, (enumerator, note) in enumerate(zip(decl.enumerators, decl.notes), 1):
        yield f"{enumerator} = {number}, /* {note} */"
    prefix = decl.upper if decl.index is not None else decl.upper[: -len("_KIND")]
    yield f"{prefix}_UNKNOWN = MCPW_UNKNOWN /* {decl.notes[-1]} */"
    yield f"MCPW_ENUM_WIDTH({prefix})"


def _member_lines(members: Sequence[Member], indent: str) -> Iterable[str]:
    for member in members:
        if member.comment:
            yield comment(member.comment, indent)
        space = "" if member.c_type.endswith("*") else " "
        yield f"{indent}{member.c_type}{space}{member.name};"


def _type_lines(decl: Union[StructDecl, UnionDecl]) -> Iterable[str]:
    if isinstance(decl, StructDecl):
        yield from _member_lines(decl.members, " " * 4)
        return
    yield f"    {decl.kind} kind; /* Which member of as holds the value; 0: absent. */"
    yield "    union {"
    yield from _member_lines(decl.members, " " * 8)
    yield "    } as; /* The value. */"


@dataclass(frozen=True)
class _Typed:
    name: str
    table: str
    doc: Mapping[str, str]


def _codec(plan: Plan, header: _Header, guard: str) -> str:
    typed = [handle for handle in plan.handles if handle.c_name]
    return _render(
        "codec.h",
        plan=header,
        guard=guard,
        abi=TABLE_ABI,
        typed=[
            _Typed(handle.c_name, handle.c_table, hover.function_comments(handle.name)) for handle in typed
        ],
        responses=[
            _Text(handle.c_table, comment(hover.response_comment(handle.name)))
            for handle in plan.handles
            if not handle.c_name
        ],
        enum_doc=hover.enum_function_comments(),
        enums=[_Text(e.name, "", index=e.index) for e in plan.enums if e.index is not None],
    )


@dataclass(frozen=True)
class _Accessor:
    name: str
    comment: str
    c_type: str
    kind: str
    method: str
    table: str


def _methods(plan: Plan, header: _Header, guard: str, comments: Comments) -> str:
    return _render(
        "methods.h",
        plan=header,
        guard=guard,
        methods=_method_rows(plan.methods, comments),
        errors=[
            _Line(
                comment(error.comment, " " * 4), f"{error.name} = {error.code}{_comma(number, plan.errors)}"
            )
            for number, error in enumerate(plan.errors, 1)
        ],
        accessors=[accessor for method in plan.methods for accessor in _accessors(plan, method)],
    )


@dataclass(frozen=True)
class _Line:
    comment: str
    line: str


def _comma(number: int, items: Sequence[object]) -> str:
    return "," if number < len(items) else ""


def _method_rows(methods: Sequence[MethodPlan], comments: Comments) -> List[_Line]:
    return [
        _Line(
            comment(hover.method_comment(method, comments), " " * 4),
            f"{method.enumerator} = {number}{_comma(number, methods)}",
        )
        for number, method in enumerate(methods, 1)
    ]


def _accessors(plan: Plan, method: MethodPlan) -> Iterable[_Accessor]:
    request = "REQUEST" in method.flags
    rows: Tuple[Tuple[str, Optional[Handle], str], ...] = (
        ("params", method.params, "MCPW_MESSAGE_REQUEST" if request else "MCPW_MESSAGE_NOTIFICATION"),
        ("result", method.response, "MCPW_MESSAGE_RESULT"),
    )
    for part, handle, kind in rows:
        if handle is not None:
            yield _Accessor(
                f"{plan.prefix}_{part}_{method.function}",
                hover.accessor_comment(part, method.name),
                handle.c_type,
                kind,
                method.enumerator,
                handle.c_table,
            )


# Tables


def _tables(plan: Plan, packer: Packer, packed: Packed, header: _Header) -> str:
    filled = [table for table in packed.tables if table.rows]
    return _render(
        "tables.c",
        plan=header,
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
    if table.c_type not in ("uint8_t", "uint16_t"):
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
        ("argument_results", int(plan.argument_results)),
        *((f"role_codes[MCPW_CODE_{role}]", code) for role, code in zip(ERROR_ROLES, plan.role_codes)),
    ]
    return [f".{name} = {value}," for name, value in fields]


def _word(word: bytes) -> str:
    """A word of a fuzzing dictionary: quoted, with hexadecimal escapes."""
    shown = "".join(
        "\\" + chr(b) if b in b'"\\' else chr(b) if 0x20 <= b < 0x7F else f"\\x{b:02x}" for b in word
    )
    return f'"{shown}"'
