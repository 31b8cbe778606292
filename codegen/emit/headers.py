# SPDX-License-Identifier: MIT
"""The text of the headers of a revision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from codegen.emit import hover
from codegen.emit.text import Header, Text, comment, render
from codegen.plan.comments import Comments
from codegen.plan.cplan import EnumDecl, Handle, Member, MethodPlan, Plan, StructDecl, UnionDecl


def types_file(plan: Plan, header: Header, guard: str) -> str:
    return render("types.h", plan=header, guard=guard, **type_values(plan))


def type_values(plan: Plan) -> Dict[str, object]:
    """What the declarations of types are filled with."""
    return {
        "enums": [Text(e.name, comment(e.comment), tuple(_enum_lines(e))) for e in plan.enums],
        "forwards": [f"typedef struct {name} {name};" for name in _forwards(plan)],
        "aliases": [Text(a.name, comment(a.comment), target=a.target) for a in plan.aliases],
        "types": [Text(decl.name, comment(decl.comment), tuple(_type_lines(decl))) for decl in plan.types],
    }


def short_name_lines(plan: Plan, below: Mapping[str, str]) -> Iterable[str]:
    """One macro a line. `below` has what is said of the names of the revision below overlays."""
    lines = {**below, **hover.short_lines(plan)}
    for short, full in plan.short_names:
        if plan.only and full not in lines:
            continue
        yield f"#define {short} /* {lines[full]} */ {full}"


def _forwards(plan: Plan) -> Iterable[str]:
    """The types that an alias or a pointer names before they are declared."""
    known = {decl.name for decl in plan.types}
    declared = {alias.target for alias in plan.aliases if alias.target in known}
    yield from sorted(declared)
    for decl in plan.types:
        for member in decl.members:
            name = member.c_type[len("const ") : -len(" *")] if member.c_type.endswith(" *") else ""
            if name in known and name not in declared:
                declared.add(name)
                yield name
        declared.add(decl.name)


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


def codec_file(plan: Plan, header: Header, guard: str) -> str:
    return render("codec.h", plan=header, guard=guard, **codec_values(plan))


def codec_values(plan: Plan) -> Dict[str, object]:
    """What the functions of types are filled with."""
    typed = [handle for handle in plan.handles if handle.c_name]
    return {
        "typed": [
            _Typed(handle.c_name, handle.c_table, hover.function_comments(handle.name)) for handle in typed
        ],
        "responses": [
            Text(handle.c_table, comment(hover.table_comment(handle)))
            for handle in plan.handles
            if not handle.c_name
        ],
        "enum_doc": hover.enum_function_comments(),
        "converted": [Text(e.name, "", index=e.index) for e in plan.enums if e.index is not None],
    }


@dataclass(frozen=True)
class _Accessor:
    name: str
    comment: str
    c_type: str
    kind: str
    method: str
    table: str


def methods_file(plan: Plan, header: Header, guard: str, comments: Comments) -> str:
    return render(
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
