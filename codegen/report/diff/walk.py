# SPDX-License-Identifier: MIT
"""Two types side by side: every change between them, each at its place.

References are compared by name and not followed, so that a change is reported once, by the type that has it.
Only where one schema describes in place what the other one refers to does the comparison go on into
the name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Dict, Iterator, List, Mapping, Optional, Tuple

from codegen.model.nodes import (
    AnyType,
    ArrayType,
    ConstType,
    EnumType,
    Node,
    ObjectType,
    Property,
    RefType,
    StringType,
    UnionType,
)
from codegen.model.resolve import is_id
from codegen.plan.embedding import is_struct
from codegen.report.diff.inclusion import ENVELOPE, Inclusion, is_message
from codegen.report.diff.report import NOTHING, Wire
from codegen.report.diff.side import Side
from codegen.report.diff.words import constraints, describe

# Unions that list the messages of one direction; what they gain or lose are methods.
MESSAGE_UNIONS = frozenset(
    (
        "ClientRequest",
        "ServerRequest",
        "ClientNotification",
        "ServerNotification",
        "InputRequest",
    )
)
_REQUIRED = "is required"


@dataclass(frozen=True)
class Place:
    """The place of a node, as the labels of either plan write it. They differ where a name came between;
    `outer` is the place that refers to the name."""

    old: str
    new: str
    outer: Optional[Tuple[str, str]] = None

    def then(self, old: str, new: Optional[str] = None) -> Place:
        """The place that these steps lead to."""
        return Place(self.old + old, self.new + (old if new is None else new))


@dataclass(frozen=True)
class Found:
    """A change, before it is known what it breaks in C. `path` is what readers see."""

    rule: str
    subject: str
    path: str
    at: Place
    old: Optional[str]
    new: Optional[str]
    wire: Wire = NOTHING


@dataclass(frozen=True)
class Row:
    """A member in both types; None where it is not there."""

    path: str
    old: Optional[str]
    new: Optional[str]
    old_required: bool
    new_required: bool


class Walker:
    """Compares pairs of types. `renamed` has new names by old ones, for types that changed nothing else."""

    def __init__(self, old: Side, new: Side, renamed: Mapping[str, str]) -> None:
        self._old = old
        self._new = new
        self._renamed = renamed
        self._forward = Inclusion(old.index, new.index)
        self._backward = Inclusion(new.index, old.index)
        self._subject = ""
        self.found: List[Found] = []
        self.rows: List[Row] = []

    def wire(self, old: Node, new: Node) -> Wire:
        """The fate of whole values of a node."""
        return Wire(
            _sentence(self._forward.gap(old, new)),
            _sentence(self._backward.gap(new, old)),
        )

    def compare(self, old_name: str, new_name: str) -> None:
        """Compares two definitions; `found` and `rows` then hold what there is to say."""
        self.found, self.rows = [], []
        self._subject = new_name
        at = Place(old_name, new_name)
        self._node(at, new_name, self._old.node(old_name), self._new.node(new_name))

    def _add(
        self, rule: str, at: Place, path: str, old: Optional[str], new: Optional[str], wire: Wire
    ) -> None:
        self.found.append(Found(rule, self._subject, path, at, old, new, wire))

    # Nodes

    def _node(self, at: Place, path: str, old: Node, new: Node) -> None:
        if isinstance(old, RefType) and isinstance(new, RefType):
            self._references(at, path, old, new)
            return
        shown = (describe(old), describe(new))
        if isinstance(old, RefType) or isinstance(new, RefType):
            at = self._beyond_name(at, path, old, new)
            old, new = self._old.index.resolve(old), self._new.index.resolve(new)
        if isinstance(old, UnionType) or isinstance(new, UnionType):
            self._union(at, path, old, new, shown)
        elif isinstance(old, ObjectType) and isinstance(new, ObjectType):
            if is_struct(old) == is_struct(new):
                self._object(at, path, old, new)
            else:
                self._add("type-changed", at, path, *shown, self.wire(old, new))
        elif isinstance(old, ArrayType) and isinstance(new, ArrayType):
            self._constraints(at, path, old, new)
            self._node(at.then("[]"), path + "[]", old.item, new.item)
        elif _values(old) and _values(new):
            if set(_values(old)) != set(_values(new)):
                self._pair("values-changed", at, path, old, new)
        elif type(old) is type(new) and not isinstance(old, ConstType):
            self._constraints(at, path, old, new)
        elif describe(old) != describe(new):
            self._add("type-changed", at, path, *shown, self.wire(old, new))

    def _references(self, at: Place, path: str, old: RefType, new: RefType) -> None:
        if self._renamed.get(old.name, old.name) != new.name:
            self._add("type-changed", at, path, old.name, new.name, self.wire(old, new))
        elif old.name != new.name:
            self._add("reference-renamed", at, path, old.name, new.name, NOTHING)

    def _pair(self, rule: str, at: Place, path: str, old: Node, new: Node) -> None:
        self._add(rule, at, path, describe(old), describe(new), self.wire(old, new))

    def _beyond_name(self, at: Place, path: str, old: Node, new: Node) -> Place:
        """One of the nodes is a reference: the place where what it names is described."""
        target_old, target_new = self._old.index.resolve(old), self._new.index.resolve(new)
        tells = _has_c_type(target_old) and _has_c_type(target_new)
        if isinstance(new, RefType):
            if tells:
                self._add("named", at, path, describe(old), new.name, NOTHING)
            return Place(at.old, new.name, (at.old, at.new))
        assert isinstance(old, RefType)
        if tells:
            self._add("inlined", at, path, old.name, describe(new), NOTHING)
        return Place(old.name, at.new, (at.old, at.new))

    def _constraints(self, at: Place, path: str, old: Node, new: Node) -> None:
        old_format, new_format = getattr(old, "format", None), getattr(new, "format", None)
        before, after = _bounds(old), _bounds(new)
        if before != after:
            shown = (before or "no bounds", after or "no bounds")
            self._add("constraint-changed", at, path, *shown, self._own(old, new))
        if old_format != new_format:
            shown = (old_format or "any text", new_format or "any text")
            self._add("format-changed", at, path, *shown, NOTHING)

    def _own(self, old: Node, new: Node) -> Wire:
        """The refusals by the bounds of the nodes alone, whatever they contain."""
        if isinstance(old, ArrayType) and isinstance(new, ArrayType):
            item = AnyType("", None)
            old, new = replace(old, item=item), replace(new, item=item)
        if isinstance(old, ObjectType) and isinstance(new, ObjectType):
            free = AnyType("", None)
            old = replace(old, properties=(), additional=free)
            new = replace(new, properties=(), additional=free)
        return self.wire(old, new)

    # Objects

    def _object(self, at: Place, path: str, old: ObjectType, new: ObjectType) -> None:
        self._constraints(at, path, old, new)
        left = {member.name: member for member in old.properties}
        right = {member.name: member for member in new.properties}
        for name in _merged(list(left), list(right)):
            inner = at.then("." + name)
            before, after = left.get(name), right.get(name)
            self.rows.append(
                Row(
                    f"{path}.{name}",
                    describe(before.node) if before else None,
                    describe(after.node) if after else None,
                    before.required if before else False,
                    after.required if after else False,
                )
            )
            if before and after:
                self._member(inner, f"{path}.{name}", name, old, new)
            elif before:
                self._removed(inner, f"{path}.{name}", name, old, new)
            else:
                self._added(inner, f"{path}.{name}", name, old, new)
        self._others(at, path, old, new)

    def _member(self, at: Place, path: str, name: str, old: ObjectType, new: ObjectType) -> None:
        before, after = _property(old, name), _property(new, name)
        envelope = name in ENVELOPE and is_message(old) and is_message(new)
        if before.required != after.required:
            if envelope:
                self._add("envelope", at, path, *presence(before.required, after.required), NOTHING)
            elif after.required:
                self._add("member-required", at, path, "optional", "required", Wire(_REQUIRED, None))
            else:
                self._add("member-optional", at, path, "required", "optional", Wire(None, _REQUIRED))
        self._node(at, path, before.node, after.node)

    def _added(self, at: Place, path: str, name: str, old: ObjectType, new: ObjectType) -> None:
        member = _property(new, name)
        shown = describe(member.node)
        if name in ENVELOPE and is_message(old) and is_message(new):
            self._add("envelope", at, path, None, shown, NOTHING)
            return
        refused = _sentence(_refused_by(self._backward, member.node, old))
        if member.required:
            self._add("member-added-required", at, path, None, shown, Wire(_REQUIRED, refused))
        else:
            clash = _sentence(_entries(self._forward, old, member.node))
            self._add("member-added", at, path, None, shown, Wire(clash, refused))

    def _removed(self, at: Place, path: str, name: str, old: ObjectType, new: ObjectType) -> None:
        member = _property(old, name)
        shown = describe(member.node)
        if name in ENVELOPE and is_message(old) and is_message(new):
            self._add("envelope", at, path, shown, None, NOTHING)
            return
        refused = _sentence(_refused_by(self._forward, member.node, new))
        if member.required:
            self._add("member-removed-required", at, path, shown, None, Wire(refused, _REQUIRED))
        else:
            clash = _sentence(_entries(self._backward, new, member.node))
            self._add("member-removed", at, path, shown, None, Wire(refused, clash))

    def _others(self, at: Place, path: str, old: ObjectType, new: ObjectType) -> None:
        before, after = old.additional, new.additional
        if before is not None and after is not None:
            if isinstance(before, AnyType) == isinstance(after, AnyType):
                self._node(at.then("{}"), path + "{}", before, after)
                return
        elif before is after:
            return
        wire = self.wire(ObjectType("", None, (), before), ObjectType("", None, (), after))
        self._add("others-changed", at, path, _rest(before), _rest(after), wire)

    # Unions

    def _union(self, at: Place, path: str, old: Node, new: Node, shown: Tuple[str, str]) -> None:
        left, right = _keyed(self._old, old, self._renamed), _keyed(self._new, new, {})
        if not set(left) & set(right):
            self._add("type-changed", at, path, *shown, self.wire(old, new))
            return
        messages = path in MESSAGE_UNIONS
        for key in _merged(list(left), list(right)):
            before, after = left.get(key), right.get(key)
            if before is not None and after is not None:
                self._same_alternative(at, path, before, after)
            elif after is not None:
                rule = "message-added" if messages else "alternative-added"
                gap = _sentence(self._backward.gap(after, old))
                self._add(rule, at, path, None, describe(after), Wire(None, gap))
            elif before is not None:
                rule = "message-removed" if messages else "alternative-removed"
                gap = _sentence(self._forward.gap(before, new))
                self._add(rule, at, path, describe(before), None, Wire(gap, None))

    def _same_alternative(self, at: Place, path: str, before: Node, after: Node) -> None:
        renamed = isinstance(before, RefType) and isinstance(after, RefType) and before.name != after.name
        if renamed:
            self._add("alternative-renamed", at, path, describe(before), describe(after), NOTHING)
        else:
            self._node(at, path, before, after)


def _sentence(gap: Optional[str]) -> Optional[str]:
    """A gap as it is shown: without the separator in front where the place is the node itself."""
    return gap[2:] if gap and gap.startswith(": ") else gap


def presence(before: bool, after: bool) -> Tuple[str, str]:
    """The former and the present text about something that may be required."""
    return "required" if before else "optional", "required" if after else "optional"


def _property(node: ObjectType, name: str) -> Property:
    return next(member for member in node.properties if member.name == name)


def _refused_by(inclusion: Inclusion, member: Node, target: ObjectType) -> Optional[str]:
    """Why an object that does not name a member refuses it."""
    if target.additional is None:
        return "is not allowed"
    return inclusion.gap(member, target.additional)


def _entries(inclusion: Inclusion, source: ObjectType, member: Node) -> Optional[str]:
    """Why entries of a map that get a name of their own are refused under it."""
    if source.additional is None or isinstance(source.additional, AnyType):
        return None
    return inclusion.gap(source.additional, member)


def _rest(additional: Optional[Node]) -> str:
    if additional is None:
        return "not allowed"
    return "free" if isinstance(additional, AnyType) else describe(additional)


def _bounds(node: Node) -> str:
    """The bounds of a node alone."""
    if isinstance(node, StringType):
        node = replace(node, format=None)
    return constraints(node).strip()


def _values(node: Node) -> Tuple[str, ...]:
    """The strings that a node is one of."""
    if isinstance(node, EnumType):
        return node.values
    return (node.value,) if isinstance(node, ConstType) and isinstance(node.value, str) else ()


def _has_c_type(node: Node) -> bool:
    """Whether a node gets a C type named after its place."""
    if isinstance(node, UnionType):
        return not is_id(node)
    return isinstance(node, EnumType) or is_struct(node)


def _keyed(side: Side, node: Node, renamed: Mapping[str, str]) -> Dict[str, Node]:
    """Alternatives by what makes them the same in the other schema: a name, a constant or a JSON type."""
    if not isinstance(node, UnionType):
        leaves: Tuple[Node, ...] = (node,)
    elif is_id(node):
        leaves = node.alternatives
    else:
        leaves = side.index.leaves(node)
    found: Dict[str, Node] = {}
    for leaf in leaves:
        key = _alternative_key(leaf, renamed)
        while key in found:
            key += "'"
        found[key] = leaf
    return found


def _alternative_key(leaf: Node, renamed: Mapping[str, str]) -> str:
    if isinstance(leaf, RefType):
        return renamed.get(leaf.name, leaf.name)
    if isinstance(leaf, ConstType):
        return describe(leaf)
    return f"({type(leaf).__name__})"


def _merged(old: List[str], new: List[str]) -> Iterator[str]:
    """The names of both lists: those of the new one in order, each that is gone after what it followed."""
    known = set(new)
    after: Dict[str, List[str]] = {}
    last = ""
    for name in old:
        if name in known:
            last = name
        else:
            after.setdefault(last, []).append(name)
    yield from after.get("", ())
    for name in new:
        yield name
        yield from after.get(name, ())
