# SPDX-License-Identifier: MIT
"""A revision with overlays on top uses the C types of the revision wherever they say the same.

A type is shared when its declaration is equal and so are those of all types in it. The functions of a
definition are shared with its type; what differs in anything has a type and functions of its own.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any, Dict, FrozenSet, List, Set, Tuple, Union

from codegen.errors import Refusal
from codegen.model.nodes import Document, Node, RefType
from codegen.model.resolve import Index
from codegen.model.walk import walk
from codegen.plan.cplan import AliasDecl, EnumDecl, Plan, StructDecl, UnionDecl
from codegen.plan.names import TYPED

Decl = Union[EnumDecl, AliasDecl, StructDecl, UnionDecl]

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OF_ENUMS = ("text", "from_text")


def share(plan: Plan, document: Document, base: Plan, base_document: Document) -> Plan:
    """The plan of a revision with overlays, in which the types of the base stand for equal ones."""
    _check_names(plan, base, document)
    same = _same_definitions(document, base_document)
    fixed = {h.c_name for h in plan.handles if h.c_name and h.name.split(".")[0] not in same}
    shared = _shared_declarations(plan, base, frozenset(fixed))
    renamed = _renamed(plan, base, shared)
    own = replace(
        plan,
        enums=tuple(decl for decl in plan.enums if decl.name not in shared),
        aliases=tuple(decl for decl in plan.aliases if decl.name not in shared),
        types=tuple(decl for decl in plan.types if decl.name not in shared),
        handles=tuple(
            replace(h, c_name="", c_type=renamed[h.c_name], shared=True) if h.c_name in shared else h
            for h in plan.handles
        ),
        base=base.revision,
        short_names=(),
    )
    put: Plan = _put(own, renamed)
    short_names = tuple((short, renamed.get(full, full)) for short, full in plan.short_names)
    return replace(put, short_names=short_names)


def _check_names(plan: Plan, base: Plan, document: Document) -> None:
    """Both are linked into one program."""
    taken = {full for _, full in base.short_names}
    for _, full in plan.short_names:
        if full in taken:
            cause = f"{full} is a name of {base.revision} already: call the overlay otherwise"
            raise Refusal(document.file, "", cause)


def _same_definitions(document: Document, base: Document) -> FrozenSet[str]:
    """The definitions that say the same in both, with all that they refer to."""
    index, other = Index(document), Index(base)
    uses: Dict[str, Set[str]] = {}
    same: Set[str] = set()
    for definition in document.definitions:
        uses[definition.name] = {n.name for n in walk(definition.node) if isinstance(n, RefType)}
        if other.has(definition.name) and _says(index, definition.node) == _says(
            other, other.definition(definition.name).node
        ):
            same.add(definition.name)
    while True:
        kept = {name for name in same if uses[name] <= same}
        if kept == same:
            return frozenset(same)
        same = kept


def _says(index: Index, node: Node) -> Tuple[object, ...]:
    return index.signature(node)


def _declarations(plan: Plan) -> Dict[str, Decl]:
    return {decl.name: decl for decl in (*plan.enums, *plan.aliases, *plan.types)}


def _shared_declarations(plan: Plan, base: Plan, fixed: FrozenSet[str]) -> FrozenSet[str]:
    """The names of the types that the base declares just so. `fixed` are not."""
    theirs = _declarations(base)
    ours = _declarations(plan)
    kinds = {decl.kind: decl.name for decl in plan.types if isinstance(decl, UnionDecl)}
    found: Set[str] = set()
    needs: Dict[str, Set[str]] = {}
    for name, decl in ours.items():
        counterpart = theirs.get(_of_base(name, plan, base))
        if name in fixed or counterpart is None:
            continue
        texts = _texts(_bare(decl))
        if [_in_base(text, plan, base) for text in texts] != list(_texts(_bare(counterpart))):
            continue
        found.add(name)
        words = {word for text in texts for word in _WORD.findall(text)}
        needs[name] = {word for word in words if word in ours} - {name}
    for kind, owner in kinds.items():  # the enum of a union's alternatives goes with the union
        if kind in found:
            needs[kind] = needs[kind] | {owner}
    while True:
        kept = {name for name in found if needs[name] <= found}
        if kept == found:
            return frozenset(found)
        found = kept


def _bare(decl: Decl) -> Decl:
    """A declaration without its comments, and without what only its own tables know."""
    if isinstance(decl, EnumDecl):
        return replace(decl, comment="", notes=(), index=None)
    if isinstance(decl, AliasDecl):
        return replace(decl, comment="")
    return replace(decl, comment="", members=tuple(replace(each, comment=None) for each in decl.members))


def _texts(part: Any) -> List[str]:
    """All texts of a declaration, in order."""
    if isinstance(part, str):
        return [part]
    if isinstance(part, tuple):
        return ["(", *(text for item in part for text in _texts(item)), ")"]
    if is_dataclass(part):
        return [text for field in fields(part) for text in _texts(getattr(part, field.name))]
    return []


def _of_base(name: str, plan: Plan, base: Plan) -> str:
    for prefix, other in ((plan.prefix, base.prefix), (plan.prefix.upper(), base.prefix.upper())):
        if name.startswith(prefix + "_"):
            return other + name[len(prefix) :]
    return name


def _in_base(text: str, plan: Plan, base: Plan) -> str:
    return _WORD.sub(lambda match: _of_base(match.group(), plan, base), text)


def _renamed(plan: Plan, base: Plan, shared: FrozenSet[str]) -> Dict[str, str]:
    """The names that are the base's, each with what it is there: types, enumerators and functions."""
    names: List[str] = list(shared)
    for enum in plan.enums:
        if enum.name in shared:
            stem = enum.upper if enum.index is not None else enum.upper[: -len("_KIND")]
            names += [*enum.enumerators, f"{stem}_UNKNOWN", f"{stem}_MAX_ENUM"]
            names += [f"{enum.name}_{part}" for part in _OF_ENUMS if enum.index is not None]
    for handle in plan.handles:
        if handle.c_name in shared:
            names += [f"{handle.c_name}_{part}" for part in TYPED]
    return {name: _of_base(name, plan, base) for name in names}


def _put(part: Any, renamed: Dict[str, str]) -> Any:
    """A part of a plan with names in the place of others."""
    if isinstance(part, str):
        return _WORD.sub(lambda match: renamed.get(match.group(), match.group()), part)
    if isinstance(part, tuple):
        return tuple(_put(item, renamed) for item in part)
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{f.name: _put(getattr(part, f.name), renamed) for f in fields(part)})
    return part
