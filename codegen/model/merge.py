# SPDX-License-Identifier: MIT
"""The node that accepts exactly what two nodes both accept: what allOf means.

Unions distribute, references are followed only where their content matters, and what no value can satisfy
is told apart from what the model cannot express.
"""

from __future__ import annotations

from dataclasses import fields, replace
from decimal import Decimal
from typing import Any, Callable, Collection, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from codegen.errors import NoForm, Refusal
from codegen.model.bounds import Unsatisfiable, check_counts, check_range, tighter
from codegen.model.nodes import (
    AnyType,
    ArrayType,
    BooleanType,
    ConstType,
    DemandedType,
    EnumType,
    IntegerType,
    Node,
    NullType,
    NumberType,
    ObjectType,
    Property,
    RefType,
    Residual,
    Ruled,
    StringType,
    UnionType,
    bare,
    demanded,
    moved,
)
from codegen.model.rules import Rules, accept, all_of
from codegen.source.jsonfile import json_text, show_json

MAX_PROPERTIES = 64
MAX_MEMBERS = 1024
"""For objects that stay text."""
MAX_ALTERNATIVES = 254

Numeric = Union[IntegerType, NumberType]


def same(left: Node, right: Node) -> bool:
    """Whether two nodes state the same, wherever they stand and however they are described."""
    return _bare(left) == _bare(right)


def union_of(pointer: str, description: Optional[str], alternatives: Iterable[Node]) -> Node:
    """The union of these: flattened, without repetitions, and no union at all when one is left or one
    accepts everything."""
    flat: Dict[Node, Node] = {}
    for alternative in alternatives:
        for node in alternative.alternatives if isinstance(alternative, UnionType) else (alternative,):
            if isinstance(node, AnyType):
                return AnyType(pointer, description)
            flat.setdefault(_bare(node), node)
    if len(flat) == 1:
        return next(iter(flat.values()))
    texts = _texts(flat.values())
    if texts is not None:
        return EnumType(pointer, description, texts)
    return UnionType(pointer, description, tuple(flat.values()))


def _texts(nodes: Iterable[Node]) -> Optional[Tuple[str, ...]]:
    """The values, where all of them are strings that are stated one by one."""
    found: List[str] = []
    for node in nodes:
        if isinstance(node, ConstType) and isinstance(node.value, str):
            found.append(node.value)
        elif isinstance(node, EnumType):
            found.extend(node.values)
        else:
            return None
    return tuple(dict.fromkeys(found))


def enum_of(pointer: str, description: Optional[str], values: Sequence[str]) -> Node:
    """One of these strings: a constant when there is only one."""
    if len(values) == 1:
        return ConstType(pointer, description, values[0])
    return EnumType(pointer, description, tuple(values))


def checked(node: Node) -> Node:
    """The node itself. Unsatisfiable when its own bounds exclude each other."""
    if isinstance(node, StringType):
        check_counts("minLength", node.min_length, "maxLength", node.max_length)
    elif isinstance(node, ArrayType):
        check_counts("minItems", node.min_items, "maxItems", node.max_items)
    elif isinstance(node, ObjectType):
        check_counts("minProperties", node.min_properties, "maxProperties", node.max_properties)
        required = sum(item.required for item in node.properties)
        check_counts("the number of required members", required, "maxProperties", node.max_properties)
        if node.additional is None:
            check_counts("minProperties", node.min_properties, "the number of members", len(node.properties))
    elif isinstance(node, (IntegerType, NumberType)):
        check_range(node)
    return node


def absence(names: Sequence[str]) -> Tuple[Residual, ...]:
    """The demand that an object has no members of these names, if there are any."""
    return (Residual(json_text({"properties": dict.fromkeys(names, False)})),) if names else ()


def check_size(file: str, pointer: str, properties: Collection[object]) -> None:
    """Leaves no form to an object of more members than the runtime keeps account of."""
    if len(properties) > MAX_PROPERTIES:
        if len(properties) > MAX_MEMBERS:
            cause = f"an object of {len(properties)} members: at most {MAX_MEMBERS} are possible"
            raise Refusal(file, pointer, cause)
        raise NoForm(file, pointer, f"an object of {len(properties)} members stays text")


class Merger:
    """Intersects nodes for one schema, standing at `place`, that asks for several things at once."""

    def __init__(self, file: str, place: str, resolve: Callable[[RefType, str], Node]) -> None:
        self._file = file
        self._place = place
        self._resolve = resolve
        self._open: List[Tuple[str, Node]] = []

    def merge(self, left: Node, right: Node) -> Node:
        """The values that both accept. Unsatisfiable when that is nothing."""
        if isinstance(right, AnyType) or same(left, right):
            return left
        if isinstance(left, AnyType):
            return right
        if isinstance(left, DemandedType) or isinstance(right, DemandedType):
            residuals = tuple(each for node in (left, right) for each in getattr(node, "residuals", ()))
            return demanded(self.merge(bare(left), bare(right)), residuals)
        if isinstance(left, RefType):
            return self._follow(left, right, lambda target: self.merge(target, right))
        if isinstance(right, RefType):
            return self._follow(right, left, lambda target: self.merge(left, target))
        if isinstance(left, UnionType):
            return self._distribute(left, lambda alternative: self.merge(alternative, right))
        if isinstance(right, UnionType):
            return self._distribute(right, lambda alternative: self.merge(left, alternative))
        node = self._plain(left, right)
        if node is None:
            raise _conflict(left, right)
        return checked(moved(node, node.pointer, right.description or left.description))

    def _follow(self, ref: RefType, other: Node, merge: Callable[[Node], Node]) -> Node:
        key = (ref.name, _bare(other))
        if key in self._open:
            cause = f'cannot merge the recursive definition "{ref.name}" with {_show(other)}'
            raise NoForm(self._file, self._place, cause)
        target = self._resolve(ref, self._place)
        self._open.append(key)
        try:
            node = merge(target)
        finally:
            self._open.pop()
        return ref if same(node, target) else node

    def _distribute(self, union: UnionType, merge: Callable[[Node], Node]) -> Node:
        alternatives: List[Node] = []
        causes: List[str] = []
        for alternative in union.alternatives:
            try:
                alternatives.append(merge(alternative))
            except Unsatisfiable as error:
                causes.append(str(error))
        if not alternatives:
            raise Unsatisfiable(causes[0])
        if len(alternatives) > MAX_ALTERNATIVES:
            cause = f"together they have more than {MAX_ALTERNATIVES} alternatives"
            raise NoForm(self._file, self._place, cause)
        return union_of(union.pointer, union.description, alternatives)

    def _plain(self, left: Node, right: Node) -> Optional[Node]:
        """The intersection of nodes that are neither references nor unions, or None when it is empty."""
        if isinstance(left, (ConstType, EnumType)):
            return _restrict(left, right)
        if isinstance(right, (ConstType, EnumType)):
            return _restrict(right, left)
        if isinstance(left, (IntegerType, NumberType)) and isinstance(right, (IntegerType, NumberType)):
            if isinstance(left, IntegerType):
                return self._tighten(left, right)
            return self._tighten(right, left)
        if isinstance(left, StringType) and isinstance(right, StringType):
            return self._strings(left, right)
        if isinstance(left, ArrayType) and isinstance(right, ArrayType):
            return self._arrays(left, right)
        if isinstance(left, ObjectType) and isinstance(right, ObjectType):
            return self._objects(left, right)
        return None

    def _tighten(self, node: Numeric, other: Numeric) -> Node:
        return replace(
            node,
            minimum=tighter(node.minimum, other.minimum, 1),
            maximum=tighter(node.maximum, other.maximum, -1),
            rules=self._rules(node, other),
        )

    def _rules(self, left: Ruled, right: Ruled) -> Rules:
        try:
            return all_of(left.rules, right.rules)
        except ValueError as error:
            raise NoForm(self._file, self._place, f"what both demand {error}") from error

    def _strings(self, left: StringType, right: StringType) -> Node:
        if left.format and right.format and left.format != right.format:
            cause = f'a string cannot have both format "{left.format}" and format "{right.format}"'
            raise NoForm(self._file, self._place, cause)
        return replace(
            right,
            min_length=_larger(left.min_length, right.min_length),
            max_length=_smaller(left.max_length, right.max_length),
            format=right.format or left.format,
            rules=self._rules(left, right),
        )

    def _arrays(self, left: ArrayType, right: ArrayType) -> Node:
        try:
            item = self.merge(left.item, right.item)
        except Unsatisfiable:
            return replace(right, min_items=_larger(left.min_items, right.min_items), max_items=0, rules=())
        return replace(
            right,
            item=item,
            min_items=_larger(left.min_items, right.min_items),
            max_items=_smaller(left.max_items, right.max_items),
            rules=self._rules(left, right),
        )

    def _objects(self, left: ObjectType, right: ObjectType) -> Node:
        additional = self._additional(left, right)
        of_left = {item.name: item for item in left.properties}
        of_right = {item.name: item for item in right.properties}
        properties: List[Property] = []
        absent: List[str] = []
        for name in {**of_left, **of_right}:
            first, second = of_left.get(name), of_right.get(name)
            required = any(item is not None and item.required for item in (first, second))
            try:
                if first is not None:
                    node = self._member(name, first.node, second.node if second else right.additional)
                else:
                    node = self._member(name, of_right[name].node, left.additional)
                properties.append(Property(name, node, required))
            except Unsatisfiable:
                if required:
                    raise
                if additional is not None:
                    absent.append(name)
        check_size(self._file, self._place, properties)
        node = replace(
            right,
            properties=tuple(properties),
            additional=additional,
            min_properties=_larger(left.min_properties, right.min_properties),
            max_properties=_smaller(left.max_properties, right.max_properties),
            rules=self._rules(left, right),
        )
        return demanded(checked(node), absence(absent))

    def _additional(self, left: ObjectType, right: ObjectType) -> Optional[Node]:
        if left.additional is None or right.additional is None:
            return None
        try:
            return self.merge(left.additional, right.additional)
        except Unsatisfiable:
            return None

    def _member(self, name: str, node: Node, other: Optional[Node]) -> Node:
        """A member that one object names, given what the other says of members of that name."""
        if other is None:
            raise Unsatisfiable(f'member "{name}" is excluded by additionalProperties')
        return self.merge(node, other)


def _bare(node: Node) -> Node:
    """The node without its places and descriptions, for comparison."""
    changes: Dict[str, Any] = {item.name: _bare_part(getattr(node, item.name)) for item in fields(node)}
    changes.update(pointer="", description=None)
    return replace(node, **changes)


def _bare_part(part: object) -> object:
    if isinstance(part, Node):
        return _bare(part)
    if isinstance(part, Property):
        return replace(part, node=_bare(part.node))
    if isinstance(part, tuple):
        return tuple(map(_bare_part, part))
    return (type(part), part)  # so that true and 1 differ


def _conflict(left: Node, right: Node) -> Unsatisfiable:
    return Unsatisfiable(f"no value is both {_show(left)} and {_show(right)}")


_NOUNS = {
    AnyType: "any value",
    NullType: "null",
    BooleanType: "a boolean",
    StringType: "a string",
    IntegerType: "an integer",
    NumberType: "a number",
    EnumType: "an enumerated string",
    ArrayType: "an array",
    ObjectType: "an object",
    UnionType: "a union",
    DemandedType: "a value",
}


def _show(node: Node) -> str:
    if isinstance(node, ConstType):
        noun = f"the constant {show_json(node.value)}"
    elif isinstance(node, RefType):
        noun = f'"{node.name}"'
    else:
        noun = _NOUNS[type(node)]
    return f"{noun} ({node.pointer})"


def _restrict(values: Union[ConstType, EnumType], other: Node) -> Optional[Node]:
    if isinstance(values, ConstType):
        return values if _accepts(other, values.value) else None
    kept = [value for value in values.values if _accepts(other, value)]
    return enum_of(values.pointer, values.description, kept) if kept else None


def _accepts(node: Node, value: Union[str, int, bool, None]) -> bool:
    """Whether a node that is no reference, union, array or object accepts a value."""
    if isinstance(node, ConstType):
        return type(node.value) is type(value) and node.value == value
    if isinstance(value, bool):
        return isinstance(node, BooleanType)
    if isinstance(value, int):
        return isinstance(node, (IntegerType, NumberType)) and _in_range(node, value)
    if not isinstance(value, str):
        return isinstance(node, NullType)
    if isinstance(node, EnumType):
        return value in node.values
    if not isinstance(node, StringType):
        return False
    enough = node.min_length is None or node.min_length <= len(value)
    return enough and (node.max_length is None or len(value) <= node.max_length) and accept(node.rules, value)


def _in_range(node: Numeric, value: int) -> bool:
    low, high = node.minimum, node.maximum
    if not accept(node.rules, value):
        return False
    if low is not None and (value < Decimal(low.text) or (low.exclusive and value == Decimal(low.text))):
        return False
    return high is None or value < Decimal(high.text) or (not high.exclusive and value == Decimal(high.text))


def _larger(left: Optional[int], right: Optional[int]) -> Optional[int]:
    return max((value for value in (left, right) if value is not None), default=None)


def _smaller(left: Optional[int], right: Optional[int]) -> Optional[int]:
    return min((value for value in (left, right) if value is not None), default=None)
