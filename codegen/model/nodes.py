# SPDX-License-Identifier: MIT
"""The typed model of a schema: what the front end makes of JSON, and all that the back end sees.

Every node carries the JSON pointer of the schema that it came from, so that any later refusal can name it.
Nothing here knows about C, and no later stage knows about JSON Schema keywords.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Optional, Tuple, Union

from codegen.model.rules import Rules


@dataclass(frozen=True)
class Bound:
    """A bound of a number as the schema writes it."""

    text: str
    exclusive: bool = False


@dataclass(frozen=True)
class Node:
    """Common to all nodes: where it stands, and the description that a published schema gives it."""

    pointer: str
    description: Optional[str]


@dataclass(frozen=True)
class AnyType(Node):
    """Any JSON value: `{}` or `true`."""


@dataclass(frozen=True)
class NullType(Node):
    """The value null."""


@dataclass(frozen=True)
class BooleanType(Node):
    """true or false."""


@dataclass(frozen=True)
class StringType(Node):
    """A string; lengths count code points, format is an annotation."""

    min_length: Optional[int] = None
    max_length: Optional[int] = None
    format: Optional[str] = None
    rules: Rules = ()


@dataclass(frozen=True)
class IntegerType(Node):
    """A number whose value is integral."""

    minimum: Optional[Bound] = None
    maximum: Optional[Bound] = None
    rules: Rules = ()


@dataclass(frozen=True)
class NumberType(Node):
    """Any number."""

    minimum: Optional[Bound] = None
    maximum: Optional[Bound] = None
    rules: Rules = ()


@dataclass(frozen=True)
class ConstType(Node):
    """One value only: a string, an integer, a boolean, or None for null."""

    value: Union[str, int, bool, None]


@dataclass(frozen=True)
class EnumType(Node):
    """One of several strings, in the order of the schema."""

    values: Tuple[str, ...]


@dataclass(frozen=True)
class ArrayType(Node):
    """An array whose items are all of one type."""

    item: Node
    min_items: Optional[int] = None
    max_items: Optional[int] = None
    rules: Rules = ()


@dataclass(frozen=True)
class Property:
    """A named member of an object."""

    name: str
    node: Node
    required: bool


@dataclass(frozen=True)
class ObjectType(Node):
    """An object. Properties stand in wire order. `additional` is what other members must be: a node
    (AnyType for an open object), or None when there may be none. A map is an object without properties
    whose `additional` is a type of its own. A required name without a property stands among the
    properties with AnyType, or with the `additional` type."""

    properties: Tuple[Property, ...]
    additional: Optional[Node]
    min_properties: Optional[int] = None
    max_properties: Optional[int] = None
    rules: Rules = ()


@dataclass(frozen=True)
class UnionType(Node):
    """anyOf, and arrays of types: a value that any alternative accepts. Nested unions are flattened, and
    alternatives that are references stay references."""

    alternatives: Tuple[Node, ...]


@dataclass(frozen=True)
class Residual:
    """The constraint of a schema that nodes cannot express: the text of a schema of its own. If it is proven
    that `apart` have no value in common, it has no effect."""

    text: str
    apart: Tuple[Node, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class DemandedType(Node):
    """A value of `base` that also meets demands."""

    base: Node
    residuals: Tuple[Residual, ...]


def bare(node: Node) -> Node:
    """A node without its demands: all that it accepts, and more."""
    return node.base if isinstance(node, DemandedType) else node


def demanded(node: Node, residuals: Tuple[Residual, ...]) -> Node:
    """The node with these demands too."""
    if not residuals:
        return node
    if isinstance(node, DemandedType):
        return replace(node, residuals=tuple(dict.fromkeys((*node.residuals, *residuals))))
    return DemandedType(node.pointer, node.description, node, tuple(dict.fromkeys(residuals)))


def moved(node: Node, pointer: str, description: Optional[str]) -> Node:
    """The same node, standing elsewhere."""
    if isinstance(node, DemandedType):
        return replace(
            node, pointer=pointer, description=description, base=moved(node.base, pointer, description)
        )
    return replace(node, pointer=pointer, description=description)


Ruled = Union[StringType, IntegerType, NumberType, ArrayType, ObjectType]
"""The nodes that rules constrain."""


@dataclass(frozen=True)
class RefType(Node):
    """A reference to a definition by name. The name is known to exist."""

    name: str


@dataclass(frozen=True)
class Definition:
    """A named schema. allOf has been merged into one object by now."""

    name: str
    node: Node


@dataclass(frozen=True)
class Document:
    """A revision's schema. `definitions` stand in the order of the document."""

    revision: str
    file: str
    sha256: str
    definitions: Tuple[Definition, ...]
    base: str = ""
    """The revision, where `revision` names it with overlays on top; these come from `overlays`."""
    overlays: Tuple[str, ...] = ()

    def definition(self, name: str) -> Definition:
        """The definition of that name, which the front end has checked to exist."""
        for candidate in self.definitions:
            if candidate.name == name:
                return candidate
        raise KeyError(name)
