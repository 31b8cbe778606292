# SPDX-License-Identifier: MIT
"""The place of planning in the model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import FrozenSet

from codegen.model.nodes import Definition
from codegen.plan import names


@dataclass(frozen=True)
class Place:
    """The place of a node: its path as messages write it, the C name that follows from the path, and the
    definition around it. A path that would have the C name of a definition gets another one."""

    label: str
    c_name: str
    owner: str
    shape: bool
    definitions: FrozenSet[str] = frozenset()
    """The C names of all definitions."""

    def member(self, name: str, c_name: str) -> Place:
        return self._below(f".{name}", c_name.strip("_"))

    def item(self) -> Place:
        return self._below("[]", "item")

    def entry(self) -> Place:
        return self._below("{}", "value")

    def alternative(self, c_name: str) -> Place:
        return self._below("", c_name)

    def params_name(self) -> str:
        """The C name of the params that a message describes in place."""
        return self._below("", "params").c_name

    def _below(self, step: str, part: str) -> Place:
        c_name = f"{self.c_name}_{part}"
        if c_name in self.definitions:
            c_name += names.INLINE
        return replace(self, label=self.label + step, c_name=c_name)


def definition_c_name(file: str, definition: Definition) -> str:
    """The part of a definition's C name that follows the prefix of the revision."""
    return names.definition_name(file, definition.node.pointer, definition.name)
