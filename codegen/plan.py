# SPDX-License-Identifier: MIT
"""From the model of a revision to its C plan: every type gets its C form and its table entries.

Two ways of planning share the code. Where `Place.shape` is set, a value stays JSON text and the entries only
check it, so nothing is declared in C and structs have no layout.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Dict, List, Optional, Set, Tuple, Union

from codegen import names
from codegen.checks import INT64_MAX, INT64_MIN, check_of, with_rule
from codegen.comments import Comments, plain
from codegen.cplan import (
    AliasDecl,
    Alternative,
    ArrayEntry,
    ConstEntry,
    EnumDecl,
    EnumEntry,
    MapEntry,
    Member,
    Ref,
    Row,
    StructDecl,
    StructEntry,
    TestEntry,
    UnionDecl,
    UnionEntry,
    Value,
)
from codegen.embedding import Embedding, is_open, is_struct
from codegen.errors import Refusal
from codegen.facts import Facts
from codegen.model import (
    AnyType,
    ArrayType,
    BooleanType,
    ConstType,
    Definition,
    Document,
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
)
from codegen.resolve import Index, const_bits, is_id, key
from codegen.tables import TableBuilder
from codegen.unions import label, plan_union

JSON_TYPE = "mcpw_json"

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
_OPTIONAL = {
    "INTEGER": ("OPT_INTEGER", "mcpw_opt_int"),
    "NUMBER": ("OPT_NUMBER", "mcpw_opt_double"),
    "BOOLEAN": ("OPT_BOOLEAN", "mcpw_opt_bool"),
    "CONST": ("OPT_CONST", "bool"),
}


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


class Planner:
    """Plans the types of one document. What it declares stands in its public lists afterwards."""

    def __init__(self, document: Document, facts: Facts, registry: names.Registry, prefix: str) -> None:
        self.facts = facts
        raw = frozenset(d.name for d in document.definitions if d.name in facts.raw)
        self.index = Index(document, raw)
        self.file = document.file
        self.registry = registry
        self.prefix = prefix
        self.comments = Comments(facts)
        self.builder = TableBuilder()
        self.enums: List[EnumDecl] = []
        self.aliases: List[AliasDecl] = []
        self.types: List[Union[StructDecl, UnionDecl]] = []
        self._raw = raw
        self._embedding = Embedding(self.index, raw)
        self._values: Dict[str, Value] = {}
        self._shapes: Dict[str, Value] = {}
        self._underway: List[str] = []
        self._shared_types: Set[str] = set()
        self._members: Dict[str, Value] = {}

    # Definitions

    def plan_all(self) -> None:
        """Plans every definition. Structs and unions get their indices first, since others may refer to
        them before they are planned."""
        reserved = [d for d in self.index.document.definitions if self._reserve(d)]
        for definition in self.index.document.definitions:
            self.definition(definition.name)
        for definition in reserved:
            value = self._values[definition.name]
            assert value.c_type is not None
            node = definition.node
            if isinstance(node, ObjectType):
                self._fill_struct(node, self.definition_place(definition), value.ref.index, value.c_type)
            elif isinstance(node, UnionType):
                self._fill_union(node, self.definition_place(definition), value.ref.index, value.c_type)

    def definition_place(self, definition: Definition, shape: bool = False) -> Place:
        """Where the planning of a definition begins."""
        c_name = names.definition_name(self.file, definition.node.pointer, definition.name)
        return Place(definition.name, c_name, definition.name, shape)

    def _reserve(self, definition: Definition) -> bool:
        node = definition.node
        if definition.name in self._raw or isinstance(node, RefType) or is_id(node):
            return False
        if is_struct(node):
            ref = Ref("STRUCT", self.builder.structs.take())
        elif isinstance(node, UnionType):
            ref = Ref("UNION", self.builder.unions.take())
        else:
            return False
        c_type = self.registry.lower(self.definition_place(definition).c_name, node.pointer)
        self._values[definition.name] = Value(ref, c_type)
        return True

    def definition(self, name: str) -> Value:
        """The C form of a definition."""
        if name in self._values:
            return self._values[name]
        definition = self.index.definition(name)
        node = definition.node
        if name in self._underway:
            cause = f'"{name}" contains itself through arrays, maps and references alone: list it in raw.json'
            raise Refusal(self.file, node.pointer, cause)
        self._underway.append(name)
        place = self.definition_place(definition)
        if name in self._raw:
            value = Value(Ref("SHAPED", self.builder.shapes.add(self._shape(name).ref)), JSON_TYPE)
        else:
            value = self._stored(self.value(node, place))
        self._underway.pop()
        self._values[name] = value
        self.alias(f"{self.prefix}_{place.c_name}", value, node, name)
        return value

    def member_value(self, definition: str, member: str) -> Optional[Value]:
        """The C form of a definition's member, as if it were required."""
        return self._members.get(f"{definition}.{member}")

    def alias(self, c_name: str, value: Value, node: Node, path: str) -> None:
        """Lets a type be called `c_name` too, where that is not its name already."""
        if value.c_type != c_name:
            assert value.c_type is not None
            self.registry.claim(c_name, node.pointer)
            self.aliases.append(AliasDecl(c_name, self.comments.of(node, path), value.c_type))

    def _shape(self, name: str) -> Value:
        """The shape of a definition whose values stay text."""
        if name not in self._shapes:
            definition = self.index.definition(name)
            place = self.definition_place(definition, shape=True)
            self._shapes[name] = self._value(definition.node, place, name)
        return self._shapes[name]

    # Any node

    def value(self, node: Node, place: Place) -> Value:
        """The C form of a node, as a required member has it."""
        if not place.shape and place.label != place.owner and {key(node), place.label} & self.facts.raw:
            shape = self.value(node, replace(place, shape=True))
            return Value(Ref("SHAPED", self.builder.shapes.add(shape.ref)), JSON_TYPE)
        value = self._value(node, place, None)
        rule = self.facts.format_of(key(node)) if place.label != place.owner else None
        if rule is None:
            return value
        checks = self.builder.checks
        plain = checks.entry(value.ref.check)
        assert plain is not None
        check = checks.add(with_rule(plain, rule))
        return replace(value, ref=replace(value.ref, check=check))

    def _value(self, node: Node, place: Place, shape_of: Optional[str]) -> Value:
        if isinstance(node, RefType):
            target = self.index.resolve(node)
            container = isinstance(target, ArrayType) or (
                isinstance(target, ObjectType) and not is_struct(target) and not is_open(target)
            )
            if place.shape and (container or node.name in self._raw):
                return self._shape(node.name)
            return self.definition(node.name)
        if isinstance(node, ArrayType):
            return self._array(node, place, shape_of)
        if isinstance(node, ObjectType):
            return self._object(node, place, shape_of)
        if isinstance(node, UnionType) and not is_id(node):
            return self._union(node, place, shape_of)
        return self._scalar(node, place)

    def _check(self, node: Node) -> int:
        return self.builder.checks.add(check_of(self.file, node, None))

    def _scalar(self, node: Node, place: Place) -> Value:
        if isinstance(node, UnionType):
            return Value(Ref("ID"), "mcpw_id")
        if isinstance(node, EnumType):
            return self._enum(node, place)
        if isinstance(node, ConstType):
            return self._const(node, node.value)
        if isinstance(node, NullType):
            return self._const(node, None)
        for cls, kind, c_type in _SCALARS:
            if isinstance(node, cls):
                return Value(Ref(kind, 0, self._check(node)), c_type)
        raise Refusal(self.file, node.pointer, f"{type(node).__name__} has no C form")

    def _const(self, node: Node, value: Union[str, int, bool, None]) -> Value:
        if isinstance(value, int) and not INT64_MIN <= value <= INT64_MAX:
            raise Refusal(self.file, node.pointer, f"the constant {value} does not fit 64 bits")
        if isinstance(value, str):
            self._plain(node, value)
        entry = ConstEntry(value, const_bits(value))
        return Value(Ref("CONST", self.builder.consts.add(entry)), None)

    def _plain(self, node: Node, text: str) -> None:
        """Refuses a text that would stand in JSON with escapes, as the engine compares it byte by byte."""
        if any(c in '"\\' or ord(c) < 0x20 for c in text):
            raise Refusal(self.file, node.pointer, f"{text!r} needs escapes in JSON, which no table can hold")

    def _enum(self, node: EnumType, place: Place) -> Value:
        for value in node.values:
            self._plain(node, value)
        index = self.builder.enums.take()
        self.builder.enums.put(index, EnumEntry(place.label, node.values))
        if place.shape:
            return Value(Ref("ENUM", index), None)
        c_type = self.registry.lower(place.c_name, node.pointer)
        upper = c_type.upper()
        parts = names.enumerator_parts(self.file, node.pointer, node.values)
        enumerators = tuple(self.registry.claim(f"{upper}_{part}", node.pointer) for part in parts)
        self.registry.claim(f"{upper}_UNKNOWN", node.pointer)
        comment = self.comments.of(node, place.label)
        notes = tuple(f'"{plain(value)}"' for value in node.values)
        unknown = "A value that the revision does not name; see MCPW_ALLOW_UNKNOWN."
        self.enums.append(EnumDecl(c_type, comment, enumerators, upper, index, (*notes, unknown)))
        return Value(Ref("ENUM", index), c_type)

    def _stored(self, value: Value) -> Value:
        """The same type where something has to be stored: a constant stays text."""
        if value.c_type is not None or value.ref.kind != "CONST":
            return value
        return Value(Ref("SHAPED", self.builder.shapes.add(value.ref)), JSON_TYPE)

    # Arrays and maps

    def _array(self, node: ArrayType, place: Place, shape_of: Optional[str]) -> Value:
        check = self._check(node)
        if shape_of is not None:
            index = self.builder.arrays.take()
            self._shapes[shape_of] = Value(Ref("ARRAY", index, check), None)
            self.builder.arrays.put(index, ArrayEntry(self.value(node.item, place.item()).ref, None))
            return self._shapes[shape_of]
        item = self.value(node.item, place.item())
        if not place.shape:
            item = self._stored(item)
        c_item = None if place.shape else item.c_type
        index = self.builder.arrays.add(ArrayEntry(item.ref, c_item))
        return Value(Ref("ARRAY", index, check), None if c_item is None else self._list(c_item, node))

    def _list(self, c_item: str, node: Node) -> str:
        members = (Member(f"const {c_item} *", "items", _ITEMS), Member("size_t", "count", _COUNT))
        return self._shared(c_item, "list", f"A list of {c_item}.", members, node)

    def _map_types(self, c_value: str, node: Node) -> Tuple[str, str]:
        """The C types of a map and of its entries."""
        entry = (Member("mcpw_str", "key", "The name."), Member(c_value, "value", "The value."))
        c_entry = self._shared(c_value, "entry", f"An entry of a map of {c_value}.", entry, node)
        members = (Member(f"const {c_entry} *", "items", _ITEMS), Member("size_t", "count", _COUNT))
        return self._shared(c_value, "map", f"A map of {c_value}.", members, node), c_entry

    def _object(self, node: ObjectType, place: Place, shape_of: Optional[str]) -> Value:
        if is_open(node):
            return Value(Ref("JSON_OBJECT"), JSON_TYPE)
        if is_struct(node):
            index = self.builder.structs.take()
            c_type = None if place.shape else self.registry.lower(place.c_name, node.pointer)
            value = Value(Ref("STRUCT", index), c_type)
            if shape_of is not None:
                self._shapes[shape_of] = value
            self._fill_struct(node, place, index, c_type)
            return value
        return self._map(node, place, shape_of)

    def _map(self, node: ObjectType, place: Place, shape_of: Optional[str]) -> Value:
        assert node.additional is not None
        check = self._check(node)
        if shape_of is not None:
            index = self.builder.maps.take()
            self._shapes[shape_of] = Value(Ref("MAP", index, check), None)
            self.builder.maps.put(index, MapEntry(self.value(node.additional, place.entry()).ref, None))
            return self._shapes[shape_of]
        value = self.value(node.additional, place.entry())
        if place.shape:
            return Value(Ref("MAP", self.builder.maps.add(MapEntry(value.ref, None)), check), None)
        value = self._stored(value)
        assert value.c_type is not None
        c_map, c_entry = self._map_types(value.c_type, node)
        return Value(Ref("MAP", self.builder.maps.add(MapEntry(value.ref, c_entry)), check), c_map)

    def _shared(self, c_type: str, suffix: str, comment: str, members: Tuple[Member, ...], node: Node) -> str:
        """A list, map or entry type, which all places with the same C type of value share."""
        base = _SHORT_TYPES.get(c_type) or c_type[len(self.prefix) + 1 :]
        name = f"{self.prefix}_{base}_{suffix}"
        if name not in self._shared_types:
            self._shared_types.add(self.registry.claim(name, node.pointer))
            self.types.append(StructDecl(name, comment, members))
        return name

    # Structs

    def _fill_struct(self, node: ObjectType, place: Place, index: int, c_type: Optional[str]) -> None:
        if node.min_properties is not None or node.max_properties is not None:
            raise Refusal(
                self.file, node.pointer, "a bound on the number of members of an object that names some"
            )
        c_names = names.member_names(self.file, node.pointer, [p.name for p in node.properties])
        rows: List[Row] = []
        members: List[Member] = []
        for member in node.properties:
            inner = place.member(member.name, c_names[member.name])
            required = self.value(member.node, inner)
            self._members[inner.label] = required
            value = self._in_member(required, member, place)
            stored = value.c_type is not None and c_type is not None
            rows.append(
                Row(member.name, value.ref, member.required, c_names[member.name] if stored else None)
            )
            if stored and value.c_type is not None:
                comment = self.comments.of_member(member, inner.label, c_names[member.name])
                members.append(Member(value.c_type, c_names[member.name], comment))
        extra_value = self._extra(node, place)
        keeps = extra_value.kind != "END" and c_type is not None
        if keeps:
            members.append(Member("mcpw_members", "extra", "Members that the type does not name."))
        self.builder.structs.put(index, StructEntry(place.label, c_type, tuple(rows), keeps, extra_value))
        if c_type is not None:
            shown = tuple(members) or (Member("char", "nothing", "C knows no struct without members."),)
            self.types.append(StructDecl(c_type, self.comments.of(node, place.label), shown))

    def _in_member(self, value: Value, member: Property, place: Place) -> Value:
        """The form of a value as a member of a struct: optional ones can be absent, and nothing that would
        contain itself lies inline."""
        if place.shape:
            return value
        kind = value.ref.kind
        cyclic = isinstance(member.node, RefType) and self._embedding.cyclic(place.owner, member.node.name)
        if kind == "STRUCT" and (cyclic or not member.required):
            return Value(replace(value.ref, kind="STRUCT_PTR"), f"const {value.c_type} *")
        if kind == "UNION" and cyclic:
            return Value(replace(value.ref, kind="UNION_PTR"), f"const {value.c_type} *")
        if not member.required and kind in _OPTIONAL:
            optional, c_type = _OPTIONAL[kind]
            return Value(replace(value.ref, kind=optional), c_type)
        return value

    def _extra(self, node: ObjectType, place: Place) -> Ref:
        """What members that the type does not name must be. They are kept as text, whatever they are."""
        if node.additional is None:
            return Ref("END")
        return self.value(node.additional, replace(place.entry(), shape=True)).ref

    # Unions

    def _union(self, node: UnionType, place: Place, shape_of: Optional[str]) -> Value:
        index = self.builder.unions.take()
        c_type = None if place.shape else self.registry.lower(place.c_name, node.pointer)
        value = Value(Ref("UNION", index), c_type)
        if shape_of is not None:
            self._shapes[shape_of] = value
        self._fill_union(node, place, index, c_type)
        return value

    def _fill_union(self, node: UnionType, place: Place, index: int, c_type: Optional[str]) -> None:
        plan = plan_union(self.index, self.facts, node, place.label)
        forms = [self._alternative(leaf, place) for leaf in plan.alternatives]
        choices = (
            ("DISJOINT", plan.disjoint),
            ("ONE_KEY", plan.one_key and plan.tests),
            ("FIRST_MEMBER", plan.first_member),
        )
        flags = tuple(flag for flag, on in choices if on)
        tests = tuple(
            TestEntry(
                t.member, t.value, t.alternative, self._row_of(plan.alternatives[t.alternative], t.member)
            )
            for t in plan.tests
        )
        for test in plan.tests:
            self._plain(node, test.member + (test.value or ""))
        alternatives = tuple(
            Alternative(label(leaf), form.ref, self.index.bits(leaf))
            for leaf, (form, _) in zip(plan.alternatives, forms)
        )
        self.builder.unions.put(
            index, UnionEntry(place.label, c_type, alternatives, tests, plan.otherwise, flags)
        )
        if c_type is not None:
            self._declare_union(node, place, c_type, forms)

    def _alternative(self, leaf: Node, place: Place) -> Tuple[Value, str]:
        """The form of an alternative, and its name in C."""
        c_name = self._alternative_name(leaf)
        if isinstance(leaf, NullType) or (isinstance(leaf, ConstType) and leaf.value is None):
            return Value(Ref("NULL"), None), c_name
        value = self.value(leaf, place.alternative(c_name))
        if place.shape:
            return Value(value.ref, None), c_name
        cyclic = isinstance(leaf, RefType) and self._embedding.cyclic(place.owner, leaf.name)
        if cyclic and value.ref.kind in ("STRUCT", "UNION"):
            pointer = replace(value.ref, kind=f"{value.ref.kind}_PTR")
            return Value(pointer, f"const {value.c_type} *"), c_name
        return value, c_name

    def _alternative_name(self, leaf: Node) -> str:
        if isinstance(leaf, RefType):
            return self.definition_place(self.index.definition(leaf.name)).c_name
        if isinstance(leaf, ArrayType):
            return self._alternative_name(leaf.item) + "_list"
        if isinstance(leaf, ObjectType) and not is_struct(leaf) and not is_open(leaf):
            assert leaf.additional is not None
            return self._alternative_name(leaf.additional) + "_map"
        if isinstance(leaf, ConstType) and isinstance(leaf.value, str):
            return names.snake(leaf.value) or "string"
        if isinstance(leaf, UnionType) and not is_id(leaf):
            return "_or_".join(self._alternative_name(inner) for inner in leaf.alternatives)
        return "string" if isinstance(leaf, EnumType) else label(leaf)

    def _row_of(self, leaf: Node, member: str) -> Optional[int]:
        """The number of a member's row in the struct of an alternative."""
        node = self.index.resolve(leaf)
        if (isinstance(leaf, RefType) and leaf.name in self._raw) or not isinstance(node, ObjectType):
            return None
        found = [number for number, p in enumerate(node.properties) if p.name == member]
        return found[0] if found else None

    def _declare_union(
        self, node: UnionType, place: Place, c_type: str, forms: List[Tuple[Value, str]]
    ) -> None:
        upper = c_type.upper()
        c_names = [name for _, name in forms]
        for name in c_names:
            if c_names.count(name) > 1:
                raise Refusal(self.file, node.pointer, f"two alternatives would both be {name} in C")
        parts = names.enumerator_parts(self.file, node.pointer, c_names)
        enumerators = tuple(self.registry.claim(f"{upper}_{part}", node.pointer) for part in parts)
        self.registry.claim(f"{upper}_UNKNOWN", node.pointer)
        kind = self.registry.claim(f"{c_type}_kind", node.pointer)
        parts_of_as = [name + "_" if name in names.RESERVED_MEMBERS else name for name in c_names]
        members = [
            Member(value.c_type, part, enumerator)
            for (value, _), part, enumerator in zip(forms, parts_of_as, enumerators)
            if value.c_type is not None
        ]
        members.append(Member(JSON_TYPE, "unknown", f"{upper}_UNKNOWN: the text"))
        notes = tuple(
            "null, nothing is stored" if value.c_type is None else f"as.{part}"
            for (value, _), part in zip(forms, parts_of_as)
        )
        what = f"Which alternative a {c_type} holds; 0: absent."
        self.enums.append(EnumDecl(kind, what, enumerators, upper + "_KIND", None, (*notes, "as.unknown")))
        comment = self.comments.of(node, place.label)
        self.types.append(UnionDecl(c_type, comment, kind, tuple(members)))


_SCALARS = (
    (AnyType, "JSON", JSON_TYPE),
    (StringType, "STRING", "mcpw_str"),
    (IntegerType, "INTEGER", "int64_t"),
    (NumberType, "NUMBER", "double"),
    (BooleanType, "BOOLEAN", "bool"),
)
