# SPDX-License-Identifier: MIT
"""Types that only changed their name."""

from __future__ import annotations

from typing import Dict, List, Mapping, Tuple

from codegen.model.nodes import EnumType, Node, ObjectType, UnionType
from codegen.model.resolve import Index, is_id
from codegen.report.diff.side import Side


def renames(old: Side, new: Side) -> Dict[str, str]:
    """New names by old ones: of each type that is gone and says exactly what one new type says, where neither
    has a twin and the type is more than a plain string, number or empty object."""
    gone = [name for name in old.names if not new.index.has(name)]
    come = [name for name in new.names if not old.index.has(name)]
    left, right = _by_signature(old, gone), _by_signature(new, come)
    found: Dict[str, str] = {}
    for signature, names in left.items():
        others = right.get(signature, [])
        if len(names) == 1 and len(others) == 1:
            found[names[0]] = others[0]
    return found


def _by_signature(side: Side, names: List[str]) -> Mapping[Tuple[object, ...], List[str]]:
    found: Dict[Tuple[object, ...], List[str]] = {}
    for name in names:
        node = side.node(name)
        if _tells(node):
            found.setdefault(_signature(side.index, node), []).append(name)
    return found


def _tells(node: Node) -> bool:
    """Whether a type says enough that another one is hardly the same by chance."""
    if isinstance(node, UnionType):
        return not is_id(node)
    return isinstance(node, EnumType) or (isinstance(node, ObjectType) and bool(node.properties))


def _signature(index: Index, node: Node) -> Tuple[object, ...]:
    """The content of a type, whatever the order of its members, alternatives and values."""
    if isinstance(node, ObjectType):
        members = tuple(sorted(repr(index.signature(member)) for member in node.properties))
        rest = (node.additional, node.min_properties, node.max_properties)
        return ("object", members, *(index.signature(part) for part in rest))
    if isinstance(node, UnionType):
        return ("union", *sorted(map(repr, map(index.signature, node.alternatives))))
    return index.signature(node)
