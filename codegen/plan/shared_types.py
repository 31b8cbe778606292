# SPDX-License-Identifier: MIT
"""The list, map and entry types, which all places with the same C type of value share."""

from __future__ import annotations

from typing import FrozenSet, Set, Tuple

from codegen.model.nodes import Node
from codegen.plan.cplan import Member, StructDecl
from codegen.plan.declarations import Declarations
from codegen.plan.names import INLINE

# Comments of the members that all lists and maps have.
_ITEMS = "NULL: absent."
_COUNT = "Number of items."

# C types that have a short name of their own in lists and maps.
_SHORT_TYPES = {
    "mcpw_str": "str",
    "mcpw_json": "json",
    "mcpw_id": "id",
    "int64_t": "int",
    "double": "double",
    "bool": "bool",
}


class SharedTypes:
    """Declares each of them when it is first asked for."""

    def __init__(self, declared: Declarations, definitions: FrozenSet[str]) -> None:
        """`definitions` are the C names of all definitions, which none of them takes."""
        self._declared = declared
        self._definitions = definitions
        self._known: Set[str] = set()

    def list_of(self, c_item: str, node: Node) -> str:
        """The C type of a list."""
        members = (Member(f"const {c_item} *", "items", _ITEMS), Member("size_t", "count", _COUNT))
        return self._shared(c_item, "list", f"A list of {c_item}.", members, node)

    def map_of(self, c_value: str, node: Node) -> Tuple[str, str]:
        """The C types of a map and of its entries."""
        entry = (Member("mcpw_str", "key", "The name."), Member(c_value, "value", "The value."))
        c_entry = self._shared(c_value, "entry", f"An entry of a map of {c_value}.", entry, node)
        members = (Member(f"const {c_entry} *", "items", _ITEMS), Member("size_t", "count", _COUNT))
        return self._shared(c_value, "map", f"A map of {c_value}.", members, node), c_entry

    def _shared(self, c_type: str, suffix: str, comment: str, members: Tuple[Member, ...], node: Node) -> str:
        base = _SHORT_TYPES.get(c_type) or c_type[len(self._declared.prefix) + 1 :]
        part = f"{base}_{suffix}"
        part += INLINE if part in self._definitions else ""
        name = f"{self._declared.prefix}_{part}"
        if name not in self._known:
            self._known.add(self._declared.registry.claim(name, node.pointer))
            self._declared.types.append(StructDecl(name, comment, members))
        return name
