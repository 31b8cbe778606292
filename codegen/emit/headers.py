# SPDX-License-Identifier: MIT
"""The text of the headers of a revision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterable, Mapping, Optional, Sequence, Tuple, Union

from codegen.emit import hover
from codegen.emit.fragments import CCode, CComment, CIdentifier, CLineComment, CType, blanks
from codegen.emit.text import Header, Text, render
from codegen.plan.comments import Comments
from codegen.plan.cplan import EnumDecl, Handle, Member, MethodPlan, Plan, StructDecl, UnionDecl


def types_file(plan: Plan, header: Header, guard: CIdentifier) -> str:
    return render("types.h", plan=header, guard=guard, **type_values(plan))


def type_values(plan: Plan) -> Dict[str, object]:
    """The context of the template for declarations of types."""
    return {
        "enums": [Text(e.name, CComment(e.comment), tuple(_enum_lines(e))) for e in plan.enums],
        "forwards": tuple(_forwards(plan)),
        "aliases": [Text(a.name, CComment(a.comment), target=a.target) for a in plan.aliases],
        "types": [Text(decl.name, CComment(decl.comment), tuple(_type_lines(decl))) for decl in plan.types],
    }


def short_name_lines(plan: Plan, below: Mapping[str, str]) -> Iterable[CCode]:
    """One macro a line. `below` has what is said of the names of the revision below overlays."""
    lines = {**below, **hover.short_lines(plan)}
    for short, full in plan.short_names:
        if plan.only and full not in lines:
            continue
        yield CCode("#define $ $ $", CIdentifier(short), CLineComment(lines[full]), CIdentifier(full))


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


def _enum_lines(decl: EnumDecl) -> Iterable[CCode]:
    for number, (enumerator, note) in enumerate(zip(decl.enumerators, decl.notes), 1):
        yield CCode("    $ = $, $", CIdentifier(enumerator), number, CLineComment(note))
    prefix = CIdentifier(decl.upper if decl.index is not None else decl.upper[: -len("_KIND")])
    yield CCode("    $_UNKNOWN = MCPW_UNKNOWN $", prefix, CLineComment(decl.notes[-1]))
    yield CCode("    MCPW_ENUM_WIDTH($)", prefix)


def _member_lines(members: Sequence[Member], indent: int) -> Iterable[CCode]:
    margin = blanks(indent)
    for member in members:
        if member.comment:
            yield CCode("$", CComment(member.comment, indent))
        space = CCode("" if member.c_type.endswith("*") else " ")
        yield CCode("$$$$;", margin, CType(member.c_type), space, CIdentifier(member.name))


def _type_lines(decl: Union[StructDecl, UnionDecl]) -> Iterable[CCode]:
    if isinstance(decl, StructDecl):
        yield from _member_lines(decl.members, 4)
        return
    about = CLineComment("The member of as that holds the value; 0: absent.")
    yield CCode("    $ kind; $", CIdentifier(decl.kind), about)
    yield CCode("    union {")
    yield from _member_lines(decl.members, 8)
    yield CCode("    } as; $", CLineComment("The value."))


@dataclass(frozen=True)
class _Typed:
    name: str
    table: str
    doc: Mapping[str, str]


@dataclass(frozen=True)
class _Table:
    name: str
    comment: str


@dataclass(frozen=True)
class _Converted:
    name: str
    index: int


def codec_file(plan: Plan, header: Header, guard: CIdentifier) -> str:
    return render("codec.h", plan=header, guard=guard, **codec_values(plan))


def codec_values(plan: Plan) -> Dict[str, object]:
    """The context of the template for functions of types."""
    typed = [handle for handle in plan.handles if handle.c_name]
    return {
        "typed": [
            _Typed(handle.c_name, handle.c_table, hover.function_comments(handle.name)) for handle in typed
        ],
        "responses": [
            _Table(handle.c_table, hover.table_comment(handle))
            for handle in plan.handles
            if not handle.c_name
        ],
        "enum_doc": hover.enum_function_comments(),
        "converted": [_Converted(e.name, e.index) for e in plan.enums if e.index is not None],
    }


@dataclass(frozen=True)
class _Accessor:
    name: str
    comment: str
    c_type: str
    kind: str
    method: str
    table: str


def methods_file(plan: Plan, header: Header, guard: CIdentifier, comments: Comments) -> str:
    return render(
        "methods.h",
        plan=header,
        guard=guard,
        methods=[
            _Constant(
                CComment(hover.method_comment(method, comments), 4),
                CCode("    $ = $$", CIdentifier(method.enumerator), number, _comma(number, plan.methods)),
            )
            for number, method in enumerate(plan.methods, 1)
        ],
        errors=[
            _Constant(
                CComment(error.comment, 4),
                CCode("    $ = $$", CIdentifier(error.name), error.code, _comma(number, plan.errors)),
            )
            for number, error in enumerate(plan.errors, 1)
        ],
        accessors=[accessor for method in plan.methods for accessor in _accessors(plan, method)],
    )


@dataclass(frozen=True)
class _Constant:
    """An enumerator with its comment, both on lines of their own."""

    comment: CComment
    line: CCode


def _comma(number: int, items: Sequence[object]) -> CCode:
    return CCode("," if number < len(items) else "")


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
