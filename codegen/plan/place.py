# SPDX-License-Identifier: MIT
"""Where planning stands in the model."""

from __future__ import annotations

from dataclasses import dataclass, replace

from codegen.model.nodes import Definition
from codegen.plan import names


@dataclass(frozen=True)
class Place:
    """Where a node stands: its path as messages write it, the C name that follows from the path, and the
    definition around it."""

    label: str
    c_name: str
    owner: str
    shape: bool

    def member(self, name: str, c_name: str) -> Place:
        return replace(self, label=f"{self.label}.{name}", c_name=f"{self.c_name}_{c_name.strip('_')}")

    def item(self) -> Place:
        return replace(self, label=f"{self.label}[]", c_name=f"{self.c_name}_item")

    def entry(self) -> Place:
        return replace(self, label=f"{self.label}{{}}", c_name=f"{self.c_name}_value")

    def alternative(self, c_name: str) -> Place:
        return replace(self, c_name=f"{self.c_name}_{c_name}")


def definition_c_name(file: str, definition: Definition) -> str:
    """The part of a definition's C name that follows the prefix of the revision."""
    return names.definition_name(file, definition.node.pointer, definition.name)
