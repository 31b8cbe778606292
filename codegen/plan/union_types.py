# SPDX-License-Identifier: MIT
"""How a union is declared in C: its enumeration of kinds, and the names of its alternatives."""

from __future__ import annotations

from typing import Dict, FrozenSet, List, Optional, Sequence, Tuple

from codegen.errors import Refusal
from codegen.model.nodes import (
    ArrayType,
    ConstType,
    DemandedType,
    EnumType,
    Node,
    ObjectType,
    RefType,
    UnionType,
    bare,
)
from codegen.model.resolve import Index, is_id
from codegen.plan import names
from codegen.plan.cplan import EnumDecl, Member, UnionDecl, Value
from codegen.plan.declarations import Declarations
from codegen.plan.embedding import is_open, is_struct
from codegen.plan.place import Place, definition_c_name
from codegen.plan.scalars import JSON_TYPE
from codegen.plan.unions import label


def alternative_name(file: str, index: Index, leaf: Node) -> str:
    """The name of an alternative in C."""
    leaf = bare(leaf)
    if isinstance(leaf, RefType):
        return definition_c_name(file, index.definition(leaf.name))
    if isinstance(leaf, ArrayType):
        return alternative_name(file, index, leaf.item) + "_list"
    if isinstance(leaf, ObjectType) and not is_struct(leaf) and not is_open(leaf):
        assert leaf.additional is not None
        return alternative_name(file, index, leaf.additional) + "_map"
    if isinstance(leaf, ConstType) and isinstance(leaf.value, str):
        return names.snake(leaf.value) or "string"
    if isinstance(leaf, UnionType) and not is_id(leaf):
        return "_or_".join(alternative_name(file, index, inner) for inner in leaf.alternatives)
    return "string" if isinstance(leaf, EnumType) else label(leaf)


def _told_apart(index: Index, leaves: Sequence[Node]) -> List[str]:
    """The feature that tells objects without a name from each other: the value of a member that is another
    constant in each, or else a member that each alone requires. Empty where nothing does."""
    objects = [leaf for leaf in leaves if isinstance(leaf, ObjectType)]
    if len(objects) != len(leaves):
        return []
    constants = [_constants(index, each) for each in objects]
    for member in constants[0]:
        values = [names.snake(each.get(member, "")) for each in constants]
        if all(value[:1].isalpha() for value in values) and len(set(values)) == len(values):
            return values
    required = [[p.name for p in each.properties if p.required] for each in objects]
    found = []
    for place, own in enumerate(required):
        others = {name for at, theirs in enumerate(required) if at != place for name in theirs}
        found.append(next((names.snake(name) for name in own if name not in others), ""))
    return found if all(name[:1].isalpha() for name in found) else []


def _constants(index: Index, node: ObjectType) -> Dict[str, str]:
    """The members of an object that are one string."""
    resolved = ((member.name, index.resolve(member.node)) for member in node.properties)
    return {
        name: value.value
        for name, value in resolved
        if isinstance(value, ConstType) and isinstance(value.value, str)
    }


def alternative_names(file: str, index: Index, leaves: Sequence[Node]) -> Tuple[str, ...]:
    """The names of the alternatives of a union in C. Objects without a name have that of what tells them
    apart; those that would have one name all the same are numbered by their places in the union."""
    plain = [alternative_name(file, index, leaf) for leaf in leaves]
    nameless = [place for place, name in enumerate(plain) if name == label(leaves[place]) == "object"]
    if len(nameless) > 1:
        told = _told_apart(index, [leaves[place] for place in nameless])
        for place, name in zip(nameless, told):
            plain[place] = name
    numbered = [f"{name}_{place}" if plain.count(name) > 1 else name for place, name in enumerate(plain, 1)]
    for place, name in enumerate(numbered):
        if numbered.count(name) > 1:
            raise Refusal(file, leaves[place].pointer, f"two alternatives would both be {name} in C")
    return tuple(numbered)


def declare_union(
    declared: Declarations, node: UnionType, place: Place, c_type: str, forms: List[Tuple[Value, str]]
) -> None:
    """Declares a union whose alternatives have these forms and names."""
    upper = c_type.upper()
    c_names = [name for _, name in forms]
    parts = names.enumerator_parts(c_names)
    enumerators = tuple(declared.registry.claim(f"{upper}_{part}", node.pointer) for part in parts)
    declared.registry.claim(f"{upper}_UNKNOWN", node.pointer)
    kind = declared.registry.claim(f"{c_type}_kind", node.pointer)
    parts_of_as = [name + "_" if name in names.RESERVED_MEMBERS else name for name in c_names]
    members = [
        Member(value.c_type, part, enumerator)
        for (value, _), part, enumerator in zip(forms, parts_of_as, enumerators)
        if value.c_type is not None
    ]
    members.append(Member(JSON_TYPE, "unknown", f"{upper}_UNKNOWN: the text"))
    notes = tuple(
        "null, nothing is stored" if value.c_type is None else f"as.{part}"
        for (value, _), part in zip(forms, parts_of_as)
    )
    what = f"The alternative of a {c_type}; 0: absent."
    declared.enums.append(EnumDecl(kind, what, enumerators, upper + "_KIND", None, (*notes, "as.unknown")))
    comment = declared.comments.of(node, place.label)
    declared.types.append(UnionDecl(c_type, comment, kind, tuple(members)))


def row_of(index: Index, raw: FrozenSet[str], leaf: Node, member: str) -> Optional[int]:
    """The number of a member's row in the struct of an alternative; `raw` are definitions that have none."""
    node = index.resolve(leaf)
    target = index.definition(leaf.name).node if isinstance(leaf, RefType) else leaf
    if isinstance(target, DemandedType):
        return None
    if (isinstance(leaf, RefType) and leaf.name in raw) or not isinstance(node, ObjectType):
        return None
    found = [number for number, p in enumerate(node.properties) if p.name == member]
    return found[0] if found else None
