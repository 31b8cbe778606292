# SPDX-License-Identifier: MIT
"""Makes values of a definition from the raw schema, and breaks them.

Everything depends on a seed alone. Integers stay within 64 bits, doubles within range, and member names are
unique, because those are the documented differences from a schema validator.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

from tests.oracle.documents import Document, Node

INT64_MAX = 2**63 - 1
INT64_MIN = -(2**63)
MAX_DEPTH = 7
LONG_STRING = 3000

STRINGS = (
    "", "a", "text", "file:///tmp/a.txt", "https://example.com/x?y=1#z", "aGVsbG8=", "2025-01-02T03:04:05Z",
    'say "hi"', "back\\slash", "line\nbreak", "tab\there", "\x00", "a\x00b", "\x01\x1f", "\x7f", "/slash/",
    "grün", "日本語", "\u0394\u03b1", "\ud7ff", "\ue000", "\uffff", "\ufeffbom", "😀", "a😀b", "\U0010ffff",
    "null", "true", "1", "{}", "[]", "\u2028\u2029", "0123456789abcdef", "0123456789abcde", "x" * 31,
)  # fmt: skip
UNKNOWN_NAMES = (
    "", "x", "unknown", "x-vendor", "com.example/key", "\x00", "a\x00b", "na me", 'quo"te', "back\\slash",
    "schlüssel", "鍵", "🔑", "a/b~c", "n" * 40, "toString", "__proto__", "$ref", "_meta2", "Type",
)  # fmt: skip
INTEGERS = (0, 1, -1, 2, 9, 10, 42, 99, 100, 101, 255, 1000, 65536, 2**31 - 1, 2**31, -(2**31), 2**32,
            2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 10**18, INT64_MAX,
            INT64_MAX - 1, INT64_MIN)  # fmt: skip
FRACTIONS = ("0.5", "-0.5", "1.5", "0.1", "-2.25", "3.141592653589793", "1E-7", "2.5e-8",
             "123456789.000001", "0.30000000000000004", "5e-300", "-1e-10", "9007199254740992.5", "0.000",
             "1.00000000000000000001", "0.99999999999999999999", "1e3", "1.0", "12e2", "-0.0")  # fmt: skip
TINY = Decimal("0.00000000000000000001")


@dataclass(frozen=True)
class Shape:
    """How full a value is."""

    optional: float = 0.0  # share of optional members
    unknown: float = 0.0  # how often an object gets members that the schema does not name
    order: str = "declared"  # or "shuffled", "tags first", "tags last"
    plain: bool = False  # short harmless strings and numbers


def random_shape(rng: Random) -> Shape:
    return Shape(
        optional=rng.choice((0.0, 0.2, 0.5, 0.8, 1.0)),
        unknown=rng.choice((0.0, 0.0, 0.2, 0.5)),
        order=rng.choice(("declared", "declared", "shuffled", "tags first", "tags last")),
    )


def kinds_of(node: Node) -> list[str]:
    """The JSON Schema types that a node asks for; empty when it names none."""
    kinds = node.get("type", [])
    return list(kinds) if isinstance(kinds, list) else [str(kinds)]


def is_tag(doc: Document, node: Node) -> bool:
    """Whether a member tells alternatives apart by its value."""
    node = doc.concrete(node)
    return "const" in node or "enum" in node


def near_miss(name: str, rng: Random) -> str:
    """A name that a sloppy comparison might take for the given one."""
    at = rng.randrange(len(name)) if name else 0
    char = rng.choice("aeimnstA_0")
    forms = (
        name[:-1],
        name + char,
        name + "\x00",
        name[:at] + char + name[at + 1 :],
        name[:at] + name[at + 1 :],
        name.upper(),
        name[:1].swapcase() + name[1:],
        name + "x" * 16,
        " " + name,
    )
    return rng.choice([form for form in forms if form != name] or ["x"])


def random_string(rng: Random, plain: bool = False) -> str:
    if plain or rng.random() < 0.3:
        return rng.choice(("a", "name", "some text", "complete", "input_required"))
    draw = rng.random()
    if draw < 0.01:
        return rng.choice(STRINGS) * rng.randrange(1, 9) + "y" * rng.randrange(LONG_STRING)
    if draw < 0.4:
        return "".join(rng.choice(STRINGS) for _ in range(rng.randrange(4)))
    return rng.choice(STRINGS)


def random_integer(rng: Random, low: int = INT64_MIN, high: int = INT64_MAX) -> int:
    fitting = [value for value in (*INTEGERS, low, low + 1, high, high - 1) if low <= value <= high]
    if rng.random() < 0.7:
        return rng.choice(fitting)
    return rng.randrange(max(low, -1000), min(high, 1000) + 1) if low < 1000 and high > -1000 else low


def random_number(rng: Random, low: Decimal, high: Decimal) -> Any:
    fitting = [value for value in map(Decimal, FRACTIONS) if low <= value <= high]
    draw = rng.random()
    if fitting and draw < 0.5:
        return rng.choice(fitting)
    if draw < 0.7:
        return rng.choice([value for value in INTEGERS if low <= value <= high] or [int(low)])
    if high - low <= 1:
        return low + (high - low) * Decimal(rng.randrange(1001)) / 1000
    return Decimal(repr(rng.uniform(max(float(low), -1e6), min(float(high), 1e6))))


def random_json(rng: Random, depth: int = 0) -> Any:
    """Any JSON value."""
    draw = rng.random()
    if depth < 3 and draw < 0.2:
        names = [rng.choice(UNKNOWN_NAMES + STRINGS) for _ in range(rng.randrange(4))]
        return {name: random_json(rng, depth + 1) for name in names}
    if depth < 3 and draw < 0.4:
        return [random_json(rng, depth + 1) for _ in range(rng.randrange(4))]
    if draw < 0.6:
        return random_string(rng)
    if draw < 0.75:
        return rng.choice((True, False, None))
    return random_integer(rng) if draw < 0.9 else Decimal(rng.choice(FRACTIONS))


class Maker:
    """Makes valid values of one revision."""

    def __init__(self, doc: Document, rng: Random, shape: Shape) -> None:
        self.doc = doc
        self.rng = rng
        self.shape = shape

    def make(self, node: Node, depth: int = 0) -> Any:
        node = self.doc.concrete(node)
        if "anyOf" in node:
            return self.make(self._alternative(node["anyOf"], depth), depth)
        if "const" in node:
            return node["const"]
        if "enum" in node:
            return self.rng.choice(node["enum"])
        kinds = kinds_of(node)
        if not kinds and ("properties" in node or "required" in node):
            kinds = ["object"]
        if not kinds:
            return "any" if self.shape.plain else random_json(self.rng, 2 if depth > MAX_DEPTH else 0)
        return self.of_kind(self.rng.choice(kinds), node, depth)

    def _alternative(self, alternatives: list[Node], depth: int) -> Node:
        """Any alternative; deep down one that is not a container, if there is one, so that making ends."""
        if depth > MAX_DEPTH:
            containers = {"object", "array"}
            flat = [a for a in alternatives if not containers.intersection(kinds_of(self.doc.concrete(a)))]
            flat = [a for a in flat if "anyOf" not in self.doc.concrete(a)]
            return self.rng.choice(flat or alternatives)
        return self.rng.choice(alternatives)

    def of_kind(self, kind: str, node: Node, depth: int) -> Any:
        """A value of one JSON type that satisfies the node's other keywords."""
        rng = self.rng
        if kind == "object":
            return self.object(node, depth)
        if kind == "array":
            return self.array(node, depth)
        if kind == "string":
            return random_string(rng, self.shape.plain)
        if kind == "boolean":
            return rng.random() < 0.5
        if kind == "null":
            return None
        low, high = node.get("minimum", INT64_MIN), node.get("maximum", INT64_MAX)
        if kind == "integer":
            return random_integer(rng, int(low), int(high))
        return random_number(rng, Decimal(low), Decimal(high))

    def array(self, node: Node, depth: int) -> list[Any]:
        most = int(node.get("maxItems", 1 << 30))
        count = self.rng.choice((0, 1, 1, 2, 3)) if depth <= MAX_DEPTH else 0
        if "maxItems" in node and not self.shape.plain and self.rng.random() < 0.05:
            count = most
        items = node.get("items", {})
        return [self.make(items, depth + 1) for _ in range(min(count, most))]

    def object(self, node: Node, depth: int, forced: str = "") -> dict[str, Any]:
        """An object with its required members, the forced one, and some of the others."""
        properties = node.get("properties", {})
        required = set(node.get("required", ()))
        share = self.shape.optional / (1 + depth) if depth <= MAX_DEPTH else 0.0
        result: dict[str, Any] = {}
        for name, value in properties.items():
            if name in required or name == forced or self.rng.random() < share:
                result[name] = self.make(value, depth + 1)
        for name in required.difference(properties):
            result[name] = random_json(self.rng, 2)
        self._unknown_members(node, properties, result, depth)
        return self.ordered(node, result)

    def _unknown_members(self, node: Node, known: Node, result: dict[str, Any], depth: int) -> None:
        extra = node.get("additionalProperties", True)
        entries = not known and extra is not True and self.rng.random() < 0.7
        if extra is False or depth > MAX_DEPTH or not (entries or self.rng.random() < self.shape.unknown):
            return
        for _ in range(self.rng.randrange(1, 4)):
            name = self.unknown_name(known)
            if name not in known and name not in result:
                result[name] = random_json(self.rng, 1) if extra is True else self.make(extra, depth + 1)

    def unknown_name(self, known: Node) -> str:
        draw = self.rng.random()
        if known and draw < 0.6:
            return near_miss(self.rng.choice(list(known)), self.rng)
        if draw < 0.62:
            return "k" * self.rng.choice((249, 250, 251, 256, 300))
        return self.rng.choice(UNKNOWN_NAMES)

    def ordered(self, node: Node, members: dict[str, Any]) -> dict[str, Any]:
        """The members in the order that the shape asks for."""
        names = list(members)
        if self.shape.order != "declared":
            self.rng.shuffle(names)
        if self.shape.order.startswith("tags"):
            properties = node.get("properties", {})
            tags = {name for name in names if name in properties and is_tag(self.doc, properties[name])}
            last = self.shape.order == "tags last"
            names.sort(key=lambda name: (name in tags) == last)
        return {name: members[name] for name in names}


class Breaker:
    """Changes values at random places; most results are invalid, some stay valid."""

    def __init__(self, doc: Document, rng: Random) -> None:
        self.doc = doc
        self.rng = rng
        self.texts = doc.strings()
        self.names = doc.member_names()
        self.definitions = sorted(doc.definitions)

    def mutate(self, value: Any) -> Any:
        """The value with one to three changes."""
        for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
            value = self._change_one(value)
        return value

    def _change_one(self, value: Any) -> Any:
        holders = list(self._holders([value]))
        holder, key = self.rng.choice(holders)
        root = [value] if holder is None else None
        place: Any = root if root is not None else holder
        at: Any = 0 if root is not None else key
        kind = self.rng.random()
        if root is None and kind < 0.2:
            self._structural(place, at)
        else:
            place[at] = self._other(place[at])
        return root[0] if root is not None else value

    def _holders(self, root: list[Any]) -> list[tuple[Any, Any]]:
        """Every place in the value, as its container and key; the root has no container."""
        found: list[tuple[Any, Any]] = [(None, 0)]
        todo = [root[0]]
        while todo:
            value = todo.pop()
            keys: list[Any] = []
            if isinstance(value, dict):
                keys = list(value)
            elif isinstance(value, list):
                keys = list(range(min(len(value), 5)))
            for key in keys:
                found.append((value, key))
                todo.append(value[key])
        return found

    def _structural(self, holder: Any, key: Any) -> None:
        """Drops, renames, adds or repeats a member or an item."""
        draw = self.rng.random()
        if isinstance(holder, list):
            if draw < 0.5:
                del holder[key]
            else:
                holder.insert(key, self._other(holder[key]))
            return
        if draw < 0.6:
            del holder[key]
        elif draw < 0.8:
            name = near_miss(key, self.rng)
            holder.setdefault(name, holder.pop(key))
        else:
            holder.setdefault(self.rng.choice(self.names), self._other(holder[key]))

    def _other(self, value: Any) -> Any:
        """Something else in the value's place."""
        rng = self.rng
        changes: list[Callable[[Any], Any]] = [
            lambda v: [v],
            lambda v: None,
            lambda v: rng.choice(("", "x", 0, 1, -1, True, False, Decimal("1.5"))),
            lambda v: [] if rng.random() < 0.5 else {},
            lambda v: random_json(rng, 1),
            self._swapped,
        ]
        if isinstance(value, str):
            changes += [lambda v: near_miss(v, rng), lambda v: rng.choice(self.texts)] * 3
        elif isinstance(value, (int, Decimal)) and not isinstance(value, bool):
            changes += [self._nudged] * 5
        elif isinstance(value, list) and value:
            changes += [lambda v: v[0], lambda v: v + v]
        elif isinstance(value, dict) and value:
            changes += [lambda v: next(iter(v.values())), lambda v: list(v.values()), self._crossed]
        return rng.choice(changes)(value)

    def _swapped(self, value: Any) -> Any:
        """A value of another definition."""
        name = self.rng.choice(self.definitions)
        return Maker(self.doc, self.rng, Shape(optional=0.2)).make(self.doc.definitions[name], 2)

    def _crossed(self, value: Any) -> Any:
        """The value with the members of another definition's value, and the other way round."""
        other = self._swapped(value)
        if not isinstance(other, dict):
            return other
        return {**other, **value} if self.rng.random() < 0.5 else {**value, **other}

    def _nudged(self, value: Any) -> Any:
        """A number nearby."""
        nudged = self.rng.choice(
            (value + 1, value - 1, -value, value + Decimal("0.5"), Decimal(value) + TINY, str(value))
        )
        fits = isinstance(nudged, str) or INT64_MIN <= nudged <= INT64_MAX
        return nudged if fits else 0


def random_value(doc: Document, breaker: Breaker, definition: str, rng: Random, mutated: bool) -> Any:
    """A valid value of the definition, or one that was changed in one to three places."""
    value = Maker(doc, rng, random_shape(rng)).make(doc.definitions[definition])
    if not mutated:
        return value
    breaker.rng = rng
    return breaker.mutate(value)
