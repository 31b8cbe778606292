# SPDX-License-Identifier: MIT
"""How the alternatives of a union are told apart.

The verdict on a value is always that of anyOf. This module decides which alternative the decoder tries first,
and whether it may stop there because no value can match two. If nothing proves that, an entry in unions.json
says
how a value that matches two is read; without an entry the first in the schema's order is taken.
A revision whose facts are complete must have such an entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import FrozenSet, List, Optional, Sequence, Tuple, Union

from codegen.errors import Refusal, shortened
from codegen.facts.facts import Facts, UnionFact
from codegen.model.nodes import (
    ArrayType,
    BooleanType,
    ConstType,
    EnumType,
    IntegerType,
    Node,
    NullType,
    NumberType,
    ObjectType,
    Property,
    RefType,
    StringType,
    UnionType,
    bare,
)
from codegen.model.resolve import IS_OBJECT, IS_STRING, Index, const_bits, key

# A constant with the bit of its JSON type, so that true is not 1.
Tagged = Tuple[int, Union[str, int, bool, None]]


@dataclass(frozen=True)
class Test:
    """A look at one member of an object: that it is there (value None), or that it is this string."""

    member: str
    value: Optional[str]
    alternative: int


MAX_ALTERNATIVES = 254
MAX_VALUE = 255
"""Bytes of a value that tells alternatives apart."""


@dataclass(frozen=True)
class UnionPlan:
    """The alternatives of a union and how the decoder chooses among them."""

    alternatives: Tuple[Node, ...]
    tests: Tuple[Test, ...]
    otherwise: Optional[int]
    disjoint: bool
    one_key: bool
    first_member: bool = False
    undecided: str = ""
    """Why the alternatives are tried in the order of the schema; empty where a rule or an entry decides."""


def plan_union(index: Index, facts: Facts, union: UnionType, path: str) -> UnionPlan:
    """Plans a union. `path` is the key of the place in the schema, by which facts name it."""
    leaves = index.leaves(union)
    fact = facts.unions.get(path) or facts.unions.get(key(union))
    undecided = ""
    if fact is not None:
        stranger = _stranger(leaves, fact)
        if stranger is None:
            return _by_fact(leaves, fact)
        undecided = f'"{stranger}" is not an alternative of the union at "{path}"'
        if fact.own:
            raise Refusal(fact.file, fact.pointer, undecided)
    for left, right in combinations(leaves, 2):
        if not _disjoint(index, left, right):
            cause = f'no rule tells "{shortened(label(left))}" from "{shortened(label(right))}"'
            if facts.complete:
                decide = f'decide in unions.json, with an entry at "{path}"'
                raise Refusal(index.file, union.pointer, f"{cause}: {decide}")
            return UnionPlan(leaves, (), None, False, False, undecided=undecided or cause)
    return _by_rule(index, leaves)


def check_size(file: str, union: UnionType, plan: UnionPlan) -> None:
    """Refuses what the tables of unions cannot number."""
    count = max(len(plan.alternatives), len(plan.tests))
    if count > MAX_ALTERNATIVES:
        raise Refusal(file, union.pointer, f"{count} alternatives: at most {MAX_ALTERNATIVES} are possible")
    for test in plan.tests:
        if len((test.value or "").encode()) > MAX_VALUE:
            cause = f'the value "{test.value}" is too long to tell alternatives apart'
            raise Refusal(file, union.pointer, cause)


def _stranger(leaves: Tuple[Node, ...], fact: UnionFact) -> Optional[str]:
    """Names in an entry that are not alternatives."""
    known = {label(leaf) for leaf in leaves}
    named = [test.alternative for test in fact.tests] + ([fact.otherwise] if fact.otherwise else [])
    return next((name for name in named if name not in known), None)


def label(node: Node) -> str:
    """The name of an alternative: the definition that it names, or its JSON type."""
    node = bare(node)
    if isinstance(node, RefType):
        return node.name
    if isinstance(node, ConstType):
        return "null" if node.value is None else str(node.value)
    for cls, name in _LABELS:
        if isinstance(node, cls):
            return name
    return "value"


_LABELS = (
    (StringType, "string"),
    (EnumType, "enum"),
    (IntegerType, "integer"),
    (NumberType, "number"),
    (BooleanType, "boolean"),
    (NullType, "null"),
    (ArrayType, "array"),
    (ObjectType, "object"),
    (UnionType, "id"),
)


def _by_fact(leaves: Tuple[Node, ...], fact: UnionFact) -> UnionPlan:
    numbers = {label(leaf): number for number, leaf in enumerate(leaves)}
    tests = tuple(Test(t.member, t.value, numbers[t.alternative]) for t in fact.tests)
    otherwise = None if fact.otherwise is None else numbers[fact.otherwise]
    return UnionPlan(leaves, tests, otherwise, False, _one_key(tests), fact.first_member)


def _one_key(tests: Tuple[Test, ...]) -> bool:
    return len({test.member for test in tests}) == 1 and all(test.value is not None for test in tests)


def _by_rule(index: Index, leaves: Tuple[Node, ...]) -> UnionPlan:
    """The plan of a union whose alternatives are proven disjoint.

    The decoder relies on that only where it is sure to find the one alternative that can match: at most
    one for each JSON type, and objects that tests tell apart.
    """
    objects = [number for number, leaf in enumerate(leaves) if index.bits(leaf) & IS_OBJECT]
    others = [index.bits(leaf) & ~IS_OBJECT for leaf in leaves]
    single = not any(left & right for left, right in combinations(others, 2))
    if len(objects) < 2:
        return UnionPlan(leaves, (), None, single, False)
    tagged = _tags(index, leaves, objects)
    if tagged is not None:
        tests, otherwise = tagged
        return UnionPlan(leaves, tests, otherwise, single, True)
    present = _presence(index, leaves, objects)
    return UnionPlan(leaves, present, None, single and bool(present), False)


def _tags(
    index: Index, leaves: Tuple[Node, ...], objects: List[int]
) -> Optional[Tuple[Tuple[Test, ...], Optional[int]]]:
    """Tests on a string member whose values differ in all objects, and that all of them require but at
    most one, which then stands for objects without it."""
    first = index.resolve(leaves[objects[0]])
    for candidate in first.properties if isinstance(first, ObjectType) else ():
        tests: List[Test] = []
        seen: FrozenSet[Tagged] = frozenset()
        optional: List[int] = []
        for number in objects:
            member = _property(index, leaves[number], candidate.name)
            values = _values(index, member.node) if member else frozenset()
            if member is None or not values or seen & values or any(bit != IS_STRING for bit, _ in values):
                break
            seen |= values
            tests += [Test(candidate.name, value, number) for value in sorted(str(v) for _, v in values)]
            optional += [] if member.required else [number]
        else:
            if len(optional) <= 1:
                return tuple(tests), optional[0] if optional else None
    return None


def _presence(index: Index, leaves: Tuple[Node, ...], objects: List[int]) -> Tuple[Test, ...]:
    """For each object a member that it requires and that no other allows; none where one has no such."""
    tests: List[Test] = []
    for number in objects:
        node = index.resolve(leaves[number])
        own = node.properties if isinstance(node, ObjectType) else ()
        rest = [leaves[other] for other in objects if other != number]
        marks = [p.name for p in own if p.required and all(_forbids(index, r, p.name) for r in rest)]
        if not marks:
            return ()
        tests.append(Test(marks[0], None, number))
    return tuple(tests)


def _disjoint(index: Index, left: Node, right: Node) -> bool:
    """Whether it is proven that no value matches both."""
    common = index.bits(left) & index.bits(right)
    if not common:
        return True
    one, other = index.resolve(left), index.resolve(right)
    if isinstance(one, ObjectType) and isinstance(other, ObjectType):
        return any(_told_apart(index, p, other) for p in one.properties) or any(
            _told_apart(index, p, one) for p in other.properties
        )
    one_values, other_values = _values(index, one), _values(index, other)
    return bool(one_values and other_values and not one_values & other_values)


def are_apart(index: Index, nodes: Sequence[Node]) -> bool:
    """Whether it is proven that no value matches two of them."""
    return all(_disjoint(index, left, right) for left, right in combinations(nodes, 2))


def _told_apart(index: Index, member: Property, other: ObjectType) -> bool:
    """Whether this member keeps values of its object from matching the other one."""
    if member.required and _forbids(index, other, member.name):
        return True
    twin = _property(index, other, member.name)
    if twin is None or not (member.required or twin.required):
        return False
    mine, theirs = _values(index, member.node), _values(index, twin.node)
    return bool(mine and theirs and not mine & theirs)


def _forbids(index: Index, node: Node, name: str) -> bool:
    target = index.resolve(node)
    closed = isinstance(target, ObjectType) and target.additional is None
    return closed and _property(index, node, name) is None


def _property(index: Index, node: Node, name: str) -> Optional[Property]:
    target = index.resolve(node)
    if isinstance(target, ObjectType):
        for candidate in target.properties:
            if candidate.name == name:
                return candidate
    return None


def _values(index: Index, node: Node) -> FrozenSet[Tagged]:
    """The only values that a node allows, each with its JSON type; empty where it allows others."""
    target = index.resolve(node)
    if isinstance(target, EnumType):
        return frozenset((IS_STRING, value) for value in target.values)
    if isinstance(target, ConstType):
        return frozenset(((const_bits(target.value), target.value),))
    return frozenset()
