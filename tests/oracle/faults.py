# SPDX-License-Identifier: MIT
"""Single faults: for every definition and every keyword that it can reach, a value that breaks only that.

A walk over the schema finds each keyword with a route to it: which member, item, map entry or alternative to
take. Along the route a valid value is built; at its end stands the fault. So the place of the fault is
known, and so are the unions around it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from random import Random
from typing import Any, Optional

from tests.oracle.documents import Document, Node, pointer_of
from tests.oracle.rules import Rules
from tests.oracle.selection import kind_of, selected, tag_values
from tests.oracle.values import TINY, Maker, Shape, kinds_of, near_miss, random_json

# A part that is so few steps below a definition is tried with everything that the revision has elsewhere.
NEAR = 2
FEW_NAMES = 5
FEW_FOREIGN = 2

Break = Callable[["Builder", Node], Any]

SAMPLES: dict[str, Any] = {
    "object": {"a": 1},
    "array": ["a"],
    "string": "text",
    "integer": 7,
    "number": Decimal("1.5"),
    "boolean": True,
    "null": None,
}
# The values that a careless reader might take for the type.
LIKE: dict[str, tuple[Any, ...]] = {
    "object": ([], "{}"),
    "array": ({}, "[]"),
    "string": (0, True),
    "integer": (Decimal("1.5"), "1"),
    "number": ("1.5", True),
    "boolean": (0, "true"),
    "null": (0, ""),
}


@dataclass(frozen=True)
class Step:
    """One step of a route: "member" and "entry" have a name, "item" nothing, "alternative" a number."""

    kind: str
    name: str = ""
    number: int = 0


Route = tuple[Step, ...]


@dataclass(frozen=True)
class Union:
    """A union on a route: where it stands in the value, its alternatives, and the one that was built."""

    depth: int  # steps of the pointer in front of it
    node: Node = field(repr=False)
    built: int


@dataclass(frozen=True)
class Case:
    """A value with the story of its making."""

    definition: str
    keyword: str  # what is broken; "" when nothing is
    value: Any
    pointer: str = ""  # where it is broken
    union: Optional[str] = None  # the union around it in which the value no longer selects what was built
    ambiguous: bool = False  # there it selects something else, so any place inside the union will do
    unions: int = 0  # unions around the fault

    def allows(self, path: str) -> bool:
        """Whether an error may name this place."""
        if path == self.pointer:
            return True
        if self.union is None:
            return False
        return path == self.union or (self.ambiguous and path.startswith(self.union + "/"))


class Builder:
    """Builds a value along a route."""

    def __init__(self, doc: Document, rng: Random, shape: Shape) -> None:
        self.doc = doc
        self.rng = rng
        self.maker = Maker(doc, rng, shape)
        self.tokens: list[object] = []
        self.unions: list[Union] = []

    def build(self, node: Node, route: Route, end: Break, depth: int = 0) -> Any:
        node = self.doc.concrete(node)
        if not route:
            return end(self, node)
        step, rest = route[0], route[1:]
        if step.kind == "alternative":
            self.unions.append(Union(len(self.tokens), node, step.number))
            return self.build(node["anyOf"][step.number], rest, end, depth)
        if step.kind == "item":
            return self._array(node, rest, end, depth)
        return self._object(node, step, rest, end, depth)

    def _array(self, node: Node, rest: Route, end: Break, depth: int) -> list[Any]:
        before = [self.maker.make(node["items"], depth + 1) for _ in range(self.rng.randrange(2))]
        after = [self.maker.make(node["items"], depth + 1) for _ in range(self.rng.randrange(2))]
        self.tokens.append(len(before))
        return [*before, self.build(node["items"], rest, end, depth + 1), *after]

    def _object(self, node: Node, step: Step, rest: Route, end: Break, depth: int) -> Any:
        members = self.maker.object(node, depth, step.name)
        inner = node["properties"][step.name] if step.kind == "member" else node["additionalProperties"]
        self.tokens.append(step.name)
        members[step.name] = self.build(inner, rest, end, depth + 1)
        return members


def walk(doc: Document, definition: str) -> Iterator[tuple[Route, Node, bool]]:
    """Every schema that a definition can reach, with the shortest route to it, and again for every other
    schema that refers to it; the last value says whether it is met for the first time."""
    todo: deque[tuple[Route, Node]] = deque([((), doc.definitions[definition])])
    seen: set[int] = set()
    while todo:
        route, node = todo.popleft()
        node = doc.concrete(node)
        first = id(node) not in seen
        yield route, node, first
        if not first:
            continue
        seen.add(id(node))
        todo.extend(((*route, step), inner) for step, inner in _steps(node))


def _steps(node: Node) -> Iterator[tuple[Step, Node]]:
    for number, inner in enumerate(node.get("anyOf", ())):
        yield Step("alternative", number=number), inner
    for name, inner in node.get("properties", {}).items():
        yield Step("member", name), inner
    if isinstance(node.get("additionalProperties"), dict) and node["additionalProperties"]:
        yield Step("entry", "key"), node["additionalProperties"]
    if isinstance(node.get("items"), dict) and node["items"]:
        yield Step("item"), node["items"]


def _accepts_kind(node: Node, value: Any) -> bool:
    """Whether the node's type allows the value."""
    kinds = kinds_of(node)
    kind = kind_of(value)
    if kind == "number" and value == int(value):
        kind = "integer"
    return not kinds or kind in kinds or (kind == "integer" and "number" in kinds)


def _constant(value: Any) -> Break:
    return lambda builder, node: value


def _made(builder: Builder, node: Node) -> Any:
    return builder.maker.make(node)


def _wrapped(builder: Builder, node: Node) -> Any:
    value = builder.maker.make(node)
    return [value] if not isinstance(value, list) else {"0": value}


def _type_breaks(node: Node, rng: Random) -> Iterator[Break]:
    """Values near to the allowed types, and one of the other types."""
    kinds = kinds_of(node)
    yield from (_constant(v) for kind in kinds for v in LIKE[kind] if not _accepts_kind(node, v))
    choices = [_constant(v) for v in SAMPLES.values() if not _accepts_kind(node, v)]
    if not {"array", "object"}.intersection(kinds):
        choices.append(_wrapped)
    if choices:
        yield rng.choice(choices)


def _without(name: str) -> Break:
    def end(builder: Builder, node: Node) -> Any:
        members = builder.maker.object(node, 0)
        del members[name]
        return members

    return end


def _other_text(allowed: list[Any]) -> Break:
    """A near miss of a const or enum; for numbers a neighbour."""

    def end(builder: Builder, node: Node) -> Any:
        value = builder.rng.choice(allowed)
        if isinstance(value, bool) or value is None:
            return not value
        if not isinstance(value, str):
            return value + builder.rng.choice((1, -1))
        for _ in range(100):
            changed = near_miss(value, builder.rng)
            if changed not in allowed:
                return changed
        raise AssertionError(f"no near miss of {allowed}")

    return end


def _too_many(builder: Builder, node: Node) -> Any:
    return [builder.maker.make(node.get("items", {}), 1) for _ in range(int(node["maxItems"]) + 1)]


def _with_unknown_members(builder: Builder, node: Node) -> Any:
    """An object with unknown members of every type, also under names that mean something elsewhere."""
    members = builder.maker.object(node, 1)
    members.update((f"unknown {kind}", value) for kind, value in SAMPLES.items())
    names = [name for name in builder.doc.member_names() if name not in node.get("properties", {})]
    if len(builder.tokens) > NEAR:
        names = builder.rng.sample(names, FEW_NAMES)
    members.update((name, [None]) for name in names if name not in members)
    return members


def _exactly_many(builder: Builder, node: Node) -> Any:
    return _too_many(builder, node)[1:]


def _forbidden_member(builder: Builder, node: Node) -> Any:
    members = builder.maker.object(node, 0)
    builder.tokens.append("unexpected")
    members["unexpected"] = random_json(builder.rng, 2)
    return members


def breaks(node: Node, rng: Random) -> Iterator[tuple[str, Break]]:
    """For each keyword of a node the ways to break it."""
    if "type" in node:
        for end in _type_breaks(node, rng):
            yield "type", end
    for name in node.get("required", ()):
        yield "required", _without(name)
    if "const" in node:
        yield "const", _other_text([node["const"]])
    if "enum" in node:
        yield "enum", _other_text(node["enum"])
    for keyword, outward in (("minimum", -1), ("maximum", 1)):
        if keyword in node:
            yield keyword, _constant(node[keyword] + outward)
            if "integer" not in kinds_of(node):
                yield keyword, _constant(node[keyword] + outward * TINY)
    if "maxItems" in node:
        yield "maxItems", _too_many
    if node.get("additionalProperties") is False:
        yield "additionalProperties", _forbidden_member


def samples(node: Node) -> Iterator[Break]:
    """Valid ends of a route: one for each allowed type, enum value and bound."""
    if "const" in node or "anyOf" in node:
        yield _made
        return
    if "enum" in node:
        yield from (_constant(value) for value in node["enum"])
        return
    yield from (_constant(node[keyword]) for keyword in ("minimum", "maximum") if keyword in node)
    if "maxItems" in node:
        yield _exactly_many
    if "object" in kinds_of(node) and node.get("additionalProperties", {}) in ({}, True):
        yield _with_unknown_members
    kinds = kinds_of(node) or list(SAMPLES)
    for kind in kinds:
        yield _of_kind(kind)
    if "integer" in kinds:
        low = node.get("minimum", 0)
        yield _constant(Decimal(f"{low + 1}.0"))
    if "number" in kinds:
        yield _constant(Decimal(node.get("maximum", 1)) - Decimal("0.25"))


def _of_kind(kind: str) -> Break:
    return lambda builder, node: builder.maker.of_kind(kind, node, 1)


def _at(value: Any, tokens: list[object]) -> Any:
    for token in tokens:
        value = value[token]
    return value


# How full and in which order the values around a fault are.
SHAPES = (
    Shape(plain=True),
    Shape(),
    Shape(optional=0.3, unknown=0.1),
    Shape(optional=1.0),
    Shape(optional=0.5, order="shuffled"),
    Shape(order="tags last"),
)


class FaultMaker:
    """Makes the cases of one definition."""

    def __init__(self, doc: Document, rules: Rules, definition: str, seed: str) -> None:
        self.doc = doc
        self.rules = rules
        self.definition = definition
        self.rng = Random(f"{seed}/{doc.revision}/{definition}/faults")

    def cases(self) -> Iterator[Case]:
        """All single faults, and valid values that go through the same places."""
        for route, node, first in walk(self.doc, self.definition):
            for end in samples(node) if first else [_made]:
                yield self._case(route, "", end)
            for keyword, broken in breaks(node, self.rng):
                if first or keyword != "required":
                    yield self._case(route, keyword, broken)
            if "enum" in node and len(route) <= NEAR:
                for text in self.doc.strings():
                    if text not in node["enum"]:
                        yield self._case(route, "enum", _constant(text), SHAPES[0])
            if "anyOf" in node:
                if first:
                    yield from self._both_tag_orders(route, node)
                    yield from self._crossed(route, node)
                yield from self._foreign(route, node)

    def _case(self, route: Route, keyword: str, end: Break, shape: Optional[Shape] = None) -> Case:
        builder = Builder(self.doc, self.rng, shape or self.rng.choice(SHAPES))
        value = builder.build(self.doc.definitions[self.definition], route, end)
        unions = len(builder.unions)
        case = Case(self.definition, keyword, value, pointer_of(builder.tokens), unions=unions)
        if not keyword:
            return case
        case = self._with_leniency(builder, case)
        whole_union = keyword == "anyOf" and case.union is None
        return replace(case, union=case.pointer, ambiguous=True) if whole_union else case

    def _with_leniency(self, builder: Builder, case: Case) -> Case:
        """The case with the outermost union in which the faulty value does not select what was built."""
        for union in builder.unions:
            place = builder.tokens[: union.depth]
            fitting = selected(self.doc, self.rules, union.node, _at(case.value, place))
            if fitting != [union.built]:
                return replace(case, union=pointer_of(place), ambiguous=bool(fitting))
        return case

    def _both_tag_orders(self, route: Route, node: Node) -> Iterator[Case]:
        """Each alternative of a union with its discriminator first and last."""
        for number in range(len(node["anyOf"])):
            for order in ("tags first", "tags last"):
                path = (*route, Step("alternative", number=number))
                yield self._case(path, "", _made, Shape(optional=0.7, unknown=0.2, order=order))

    def _crossed(self, route: Route, node: Node) -> Iterator[Case]:
        """Each alternative with members of its neighbours in front, right and wrong ones. Objects are open,
        so these are still values of the alternative: a reader must not settle for what it saw first."""
        count = len(node["anyOf"])
        for number in range(count):
            path = (*route, Step("alternative", number=number))
            for neighbour in sorted({(number + 1) % count, (number - 1) % count} - {number}):
                for wrong in (False, True):
                    yield self._case(path, "", _with_members_of(node["anyOf"][neighbour], wrong))

    def _foreign(self, route: Route, node: Node) -> Iterator[Case]:
        """Values of definitions that have a tag of the union with a text that no alternative has there."""
        tags: dict[str, frozenset[str]] = {}
        for inner in node["anyOf"]:
            for name, allowed in tag_values(self.doc, inner).items():
                tags[name] = tags.get(name, frozenset()) | allowed
        strangers = [
            other
            for _, other in sorted(self.doc.definitions.items())
            if any(not tags.get(name, own) & own for name, own in tag_values(self.doc, other).items())
        ]
        if len(route) > 2 * NEAR and len(strangers) > FEW_FOREIGN:
            strangers = self.rng.sample(strangers, FEW_FOREIGN)
        for stranger in strangers:
            shape = self.rng.choice(SHAPES)
            yield self._case(route, "anyOf", _constant(Maker(self.doc, self.rng, shape).make(stranger)))


def _with_members_of(other: Node, wrong: bool) -> Break:
    def end(builder: Builder, node: Node) -> Any:
        value = builder.maker.make(node)
        strange = builder.doc.concrete(other)
        if not isinstance(value, dict) or "object" not in kinds_of(strange):
            return value
        foreign = Maker(builder.doc, builder.rng, Shape(plain=True, optional=1.0)).object(strange, 0)
        known = node.get("properties", {})
        closed = node.get("additionalProperties", {}) not in ({}, True)
        added = {} if closed else {name: v for name, v in foreign.items() if name not in known}
        if wrong:
            types = {name: builder.doc.concrete(strange["properties"].get(name, {})) for name in added}
            added = {name: _of_wrong_type(types[name], v) for name, v in added.items()}
        return {**added, **value}

    return end


def _of_wrong_type(node: Node, value: Any) -> Any:
    return next((v for v in SAMPLES.values() if not _accepts_kind(node, v)), value)
