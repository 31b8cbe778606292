# SPDX-License-Identifier: MIT
"""The mcpw_type handles of a revision, and the C names of what works on them."""

from __future__ import annotations

from functools import partial
from typing import Dict, List, Tuple

from codegen.model.nodes import Node
from codegen.plan import names
from codegen.plan.cplan import Handle, Ref, Value
from codegen.plan.planner import Planner
from codegen.plan.scalars import JSON_TYPE


class Handles:
    """Makes handles once each: for all definitions, for params that are none, for responses."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner
        self._definitions: Dict[str, Handle] = {}
        self._inline: Dict[str, Handle] = {}
        self._responses: List[Handle] = []
        for definition in planner.index.document.definitions:
            c_name = f"{planner.prefix}_{planner.definition_place(definition).c_name}"
            value = planner.definition(definition.name)
            self._definitions[definition.name] = self._typed(
                definition.name, c_name, value, definition.node, True
            )

    def definition(self, name: str) -> Handle:
        return self._definitions[name]

    def inline_params(self, owner: str, node: Node) -> Handle:
        """The handle of params that a message describes in place."""
        if owner not in self._inline:
            planner = self._planner
            value = planner.member_value(owner, "params")
            if value is None:
                assert owner in planner.broken
                value = Value(Ref("JSON"), JSON_TYPE)  # in place of what is refused
            place = planner.definition_place(planner.index.definition(owner))
            c_name = f"{planner.prefix}_{place.params_name()}"
            planner.alias(c_name, value, node, f"{owner}.params")
            self._inline[owner] = self._typed(f"{owner}.params", c_name, value, node, False)
        return self._inline[owner]

    def response(self, method: str, name: str, value: Value, node: Node) -> Handle:
        """The handle by which the answer to a method is read. It has no functions of its own."""
        assert value.c_type is not None
        table = self._planner.registry.lower(f"{names.snake(method)}_response_table", node.pointer)
        handle = Handle(name, "", table, value.ref, value.c_type, False)
        self._responses.append(handle)
        return handle

    def all(self) -> Tuple[Handle, ...]:
        """All handles: definitions by their names in bytes, as the engine searches them, then the others."""
        definitions = sorted(self._definitions.values(), key=lambda handle: handle.name.encode())
        return (*definitions, *self._inline.values(), *self._responses)

    def _typed(self, name: str, c_name: str, value: Value, node: Node, definition: bool) -> Handle:
        for function in (*names.TYPED, "table"):
            claim = partial(self._planner.registry.claim, f"{c_name}_{function}", node.pointer)
            self._planner.refusals.attempt(claim, "")
        return Handle(name, c_name, f"{c_name}_table", value.ref, c_name, definition)
