# SPDX-License-Identifier: MIT
"""A part of a revision: what some of its methods and types reach. The rest of the plan is left out, and what
stays is called and laid out as in the whole."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from difflib import get_close_matches
from typing import Any, Dict, FrozenSet, Iterator, List, Sequence, Set, Tuple, Union

from codegen.errors import BadInput
from codegen.model.nodes import Document
from codegen.model.walk import reachable, reference_map
from codegen.plan.cplan import (
    AliasDecl,
    EnumDecl,
    Handle,
    HandlersPlan,
    MethodPlan,
    Plan,
    Ref,
    Side,
    StructDecl,
    Tables,
    UnionDecl,
    UnionEntry,
    Wrapper,
)

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NEAR = 3
# The tables that references of a kind lead to.
_TABLE_OF = {
    "STRUCT": "structs",
    "STRUCT_PTR": "structs",
    "UNION": "unions",
    "UNION_PTR": "unions",
    "ARRAY": "arrays",
    "MAP": "maps",
    "ENUM": "enums",
    "CONST": "consts",
    "OPT_CONST": "consts",
    "SHAPED": "shapes",
}
_Place = Tuple[str, int]
"""A table and the number of an entry."""


def keep(plan: Plan, document: Document, only: Sequence[str]) -> Plan:
    """The plan of the methods and types that are named, with all that they reach."""
    _check_known(plan, only)
    methods = tuple(method for method in plan.methods if method.name in only)
    starts = {name for method in methods for name in _definitions_of(plan, method)}
    starts |= {handle.name for handle in plan.handles if handle.definition and handle.name in only}
    reached = reachable(reference_map(document), starts)
    own = {handle.c_table for method in methods for handle in _handles_of(method)}
    handles = tuple(
        handle
        for handle in plan.handles
        if handle.c_table in own or (_is_typed(handle) and handle.name.split(".")[0] in reached)
    )
    places = _entries(plan, [handle.ref for handle in (*handles, plan.error)])
    declared = _declared(plan, handles, places)
    places |= {
        ("enums", enum.index) for enum in plan.enums if enum.name in declared and enum.index is not None
    }
    kept = replace(
        plan,
        enums=tuple(decl for decl in plan.enums if decl.name in declared),
        aliases=tuple(decl for decl in plan.aliases if decl.name in declared),
        types=tuple(decl for decl in plan.types if decl.name in declared),
        tables=_tables(plan.tables, places),
        handles=handles,
        methods=methods,
        handlers=_handlers(plan.handlers, methods, handles),
        gates=_about(plan.gates, methods),
        features=_about(plan.features, methods),
        topics=tuple(t for t in plan.topics if t.notification in {m.enumerator for m in methods}),
        only=tuple(only),
    )
    return _renumbered(kept, places)


def _check_known(plan: Plan, only: Sequence[str]) -> None:
    """All names that are wrong are told in one line, each with those that it may stand for."""
    known = [method.name for method in plan.methods]
    known += [handle.name for handle in plan.handles if handle.definition]
    told: List[str] = []
    for name in only:
        if name not in known:
            near = get_close_matches(name, known, _NEAR)
            told.append(f'"{name}"' + (f" (near: {', '.join(near)})" if near else ""))
    if told:
        raise BadInput(f"--only: {plan.revision} has no method or type {', '.join(told)}")


def _is_typed(handle: Handle) -> bool:
    """Whether it is of a definition or of params, and not of a response."""
    return bool(handle.c_name) or handle.shared


def _handles_of(method: MethodPlan) -> Tuple[Handle, ...]:
    handles = (method.message, method.params, method.result, method.response, method.task_result)
    return tuple(handle for handle in handles if handle is not None)


def _definitions_of(plan: Plan, method: MethodPlan) -> Iterator[str]:
    """The definitions of a method: its message, its params, and all that may answer it."""
    for handle in _handles_of(method):
        yield handle.name.split(".")[0]
    answer = method.response.ref if method.response else None
    if answer is not None and answer.kind == "UNION":
        yield from (alternative.name for alternative in plan.tables.unions[answer.index].alternatives)


# Tables


def _refs(part: Any) -> Iterator[Ref]:
    """The references in an entry."""
    if isinstance(part, Ref):
        yield part
    elif isinstance(part, tuple):
        for item in part:
            yield from _refs(item)
    elif is_dataclass(part):
        for field in fields(part):
            yield from _refs(getattr(part, field.name))


def _entries(plan: Plan, starts: Sequence[Ref]) -> Set[_Place]:
    """The entries that references lead to, and those lead to."""
    found: Set[_Place] = {("checks", 0)}
    waiting: List[Ref] = list(starts)
    while waiting:
        ref = waiting.pop()
        found.add(("checks", ref.check))
        place = (_TABLE_OF.get(ref.kind, ""), ref.index)
        if not place[0] or place in found:
            continue
        found.add(place)
        entry = getattr(plan.tables, place[0])[ref.index]
        waiting += _refs(entry)
        if isinstance(entry, UnionEntry) and entry.residual is not None:
            found.add(("residuals", entry.residual))
    return found


def _tables(tables: Tables, places: Set[_Place]) -> Tables:
    return Tables(
        **{
            field.name: tuple(
                entry
                for number, entry in enumerate(getattr(tables, field.name))
                if (field.name, number) in places
            )
            for field in fields(tables)
        }
    )


def _renumbered(plan: Plan, places: Set[_Place]) -> Plan:
    """The plan with the numbers that entries have now that others are gone."""
    numbers: Dict[_Place, int] = {}
    for table in {table for table, _ in places}:
        of_table = sorted(place for place in places if place[0] == table)
        numbers.update({place: number for number, place in enumerate(of_table)})
    enums = tuple(
        enum if enum.index is None else replace(enum, index=numbers["enums", enum.index])
        for enum in plan.enums
    )
    moved: Plan = _moved(plan, numbers)
    return replace(moved, enums=enums)


def _moved(part: Any, numbers: Dict[_Place, int]) -> Any:
    """A part of a plan whose references lead to where entries stand now."""
    if isinstance(part, Ref):
        index = numbers.get((_TABLE_OF.get(part.kind, ""), part.index), part.index)
        return replace(part, index=index, check=numbers["checks", part.check])
    if isinstance(part, tuple):
        return tuple(_moved(item, numbers) for item in part)
    if not is_dataclass(part) or isinstance(part, type):
        return part
    changed = {field.name: _moved(getattr(part, field.name), numbers) for field in fields(part)}
    if isinstance(part, UnionEntry) and part.residual is not None:
        changed["residual"] = numbers["residuals", part.residual]
    return replace(part, **changed)


# Declarations


def _declared(plan: Plan, handles: Sequence[Handle], places: Set[_Place]) -> FrozenSet[str]:
    """The names of the C types that handles and entries are about, with those that these need."""
    decls = {decl.name: decl for decl in (*plan.enums, *plan.aliases, *plan.types)}
    uses = {name: _words(_types_in(decl)) & decls.keys() for name, decl in decls.items()}
    texts = [text for handle in handles for text in (handle.c_name, handle.c_type)]
    for table, number in places:
        entry = getattr(plan.tables, table)[number]
        texts += [getattr(entry, member, None) or "" for member in ("c_type", "c_item", "c_entry")]
    return frozenset(reachable(uses, _words(texts) & decls.keys()))


def _types_in(decl: Union[EnumDecl, AliasDecl, StructDecl, UnionDecl]) -> List[str]:
    """The C types of which a declaration speaks."""
    if isinstance(decl, EnumDecl):
        return []
    if isinstance(decl, AliasDecl):
        return [decl.target]
    kind = [decl.kind] if isinstance(decl, UnionDecl) else []
    return [*kind, *(member.c_type for member in decl.members)]


def _words(texts: Sequence[str]) -> Set[str]:
    return {word for text in texts for word in _WORD.findall(text)}


# Methods


def _about(rows: Tuple[Any, ...], methods: Sequence[MethodPlan]) -> Tuple[Any, ...]:
    """The rows that are about one of these methods."""
    known = {method.enumerator for method in methods}
    return tuple(row for row in rows if row.method in known)


def _handlers(
    handlers: HandlersPlan, methods: Sequence[MethodPlan], handles: Sequence[Handle]
) -> HandlersPlan:
    tables = {handle.c_table for handle in handles}

    def wrappers(found: Tuple[Wrapper, ...]) -> Tuple[Wrapper, ...]:
        """Those of the methods, and of no method but of a type."""
        known = {"", *(method.enumerator for method in methods)}
        return tuple(each for each in found if each.method in known and each.table in {"", *tables})

    sides = (replace(side, slots=_about(side.slots, methods)) for side in handlers.sides)
    held: Tuple[Side, ...] = tuple(side for side in sides if side.slots)
    return HandlersPlan(
        sides=held,
        responds=wrappers(handlers.responds),
        replies=wrappers(handlers.replies),
        requests=wrappers(handlers.requests),
        notifies=wrappers(handlers.notifies),
        asks=wrappers(handlers.asks),
        calls=wrappers(handlers.calls),
    )
