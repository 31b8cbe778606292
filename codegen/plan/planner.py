# SPDX-License-Identifier: MIT
"""From the model of a revision to its C plan: every type gets its C form and its table entries.

Two ways of planning share the code. If `Place.shape` is set, a value stays JSON text and the entries only
check it, so nothing is declared in C and structs have no layout.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Callable, Dict, List, Optional, Set

from codegen.errors import Note, Refusal, Refusals
from codegen.facts.facts import Facts
from codegen.model.nodes import (
    ArrayType,
    ConstType,
    Definition,
    DemandedType,
    Document,
    Node,
    NullType,
    ObjectType,
    Property,
    RefType,
    UnionType,
    bare,
)
from codegen.model.resolve import Index, is_id, key
from codegen.plan import names
from codegen.plan.checks import with_rule
from codegen.plan.comments import Comments
from codegen.plan.cplan import (
    AliasDecl,
    Alternative,
    ArrayEntry,
    MapEntry,
    Member,
    Ref,
    Row,
    StructDecl,
    StructEntry,
    TestEntry,
    UnionEntry,
    Value,
)
from codegen.plan.declarations import Declarations
from codegen.plan.embedding import Embedding, is_open, is_struct, takes_all, without_form
from codegen.plan.place import Place
from codegen.plan.residuals import Residuals
from codegen.plan.scalars import JSON_TYPE, Scalars, refuse_escapes
from codegen.plan.shared_types import SharedTypes
from codegen.plan.tables import TableBuilder
from codegen.plan.union_types import alternative_names, declare_union, row_of
from codegen.plan.unions import check_size, label, plan_union

_OPTIONAL = {
    "INTEGER": ("OPT_INTEGER", "mcpw_opt_int"),
    "NUMBER": ("OPT_NUMBER", "mcpw_opt_double"),
    "BOOLEAN": ("OPT_BOOLEAN", "mcpw_opt_bool"),
    "CONST": ("OPT_CONST", "bool"),
}


class Planner:
    """Plans the types of one document. Its public lists have the declarations afterwards."""

    def __init__(self, document: Document, facts: Facts, registry: names.Registry, prefix: str) -> None:
        self.facts = facts
        raw = frozenset(d.name for d in document.definitions if d.name in facts.raw) | without_form(document)
        self.index = Index(document, raw)
        self.file = document.file
        self.registry = registry
        self.prefix = prefix
        self.comments = Comments(facts)
        self.builder = TableBuilder()
        self.declared = Declarations(document.file, prefix, registry, self.comments)
        self._scalars = Scalars(self.declared, self.builder)
        self._c_names = names.definition_names(
            document.file, [(d.name, d.node.pointer) for d in document.definitions]
        )
        self._shared = SharedTypes(self.declared, frozenset(self._c_names.values()))
        self._raw = raw
        self._residuals = Residuals(self.index, self.builder)
        self._embedding = Embedding(self.index, raw)
        self._values: Dict[str, Value] = {}
        self._shapes: Dict[str, Value] = {}
        self._underway: List[str] = []
        self._members: Dict[str, Value] = {}
        self.refusals = Refusals()
        self.broken: Set[str] = set()  # definitions of which something was refused
        self.notes: List[Note] = []
        self.undecided: Dict[str, Note] = {}  # by their places: unions that are read in the schema's order

    # Definitions

    def plan_all(self) -> None:
        """Plans every definition, and keeps in mind what is refused. Structs and unions get their indices
        first, since others may refer to them before they are planned."""
        definitions = self.index.document.definitions
        reserved = [d for d in definitions if self._try(d, self._reserve)]
        for definition in definitions:
            self.definition(definition.name)
        for definition in reserved:
            self._try(definition, self._fill)

    def _try(self, definition: Definition, work: Callable[[Definition], bool]) -> bool:
        """Whether work on a definition says so."""
        done = self.refusals.attempt(partial(work, definition), None)
        if done is None:
            self.broken.add(definition.name)
        return bool(done)

    def _fill(self, definition: Definition) -> bool:
        value = self._values[definition.name]
        assert value.c_type is not None
        node = bare(definition.node)
        index = self._residuals.inner(value).ref.index
        if isinstance(node, ObjectType):
            self._fill_struct(node, self.definition_place(definition), index, value.c_type)
        elif isinstance(node, UnionType):
            self._fill_union(node, self.definition_place(definition), index, value.c_type)
        return True

    def definition_place(self, definition: Definition, shape: bool = False) -> Place:
        """The place where the planning of a definition begins."""
        taken = frozenset(self._c_names.values())
        return Place(definition.name, self._c_names[definition.name], definition.name, shape, taken)

    def _reserve(self, definition: Definition) -> bool:
        node = bare(definition.node)
        if definition.name in self._raw or isinstance(node, RefType) or is_id(node):
            return False
        if is_struct(node):
            ref = Ref("STRUCT", self.builder.structs.take())
        elif isinstance(node, UnionType):
            ref = Ref("UNION", self.builder.unions.take())
        else:
            return False
        c_type = self.registry.lower(self.definition_place(definition).c_name, node.pointer)
        self._values[definition.name] = self._residuals.wrap(
            definition.node, Value(ref, c_type), definition.name
        )
        return True

    def definition(self, name: str) -> Value:
        """The C form of a definition."""
        if name in self._values:
            return self._values[name]
        definition = self.index.definition(name)
        if name in self._underway:
            cause = f'"{name}" contains itself through arrays, maps and references alone: list it in raw.json'
            raise Refusal(self.file, definition.node.pointer, cause)
        self._underway.append(name)
        self._try(definition, self._plan)
        self._underway.pop()
        return self._values.setdefault(name, Value(Ref("JSON"), JSON_TYPE))  # in place of what is refused

    def _plan(self, definition: Definition) -> bool:
        name, node = definition.name, definition.node
        place = self.definition_place(definition)
        if name in self._raw:
            value = Value(Ref("SHAPED", self.builder.shapes.add(self._shape(name).ref)), JSON_TYPE)
        else:
            value = self._scalars.stored(self.value(node, place))
        self._values[name] = value
        self.alias(f"{self.prefix}_{place.c_name}", value, node, name)
        return True

    def member_value(self, definition: str, member: str) -> Optional[Value]:
        """The C form of a definition's member, as if it were required."""
        return self._members.get(f"{definition}.{member}")

    def alias(self, c_name: str, value: Value, node: Node, path: str) -> None:
        """Lets a type be called `c_name` too, where that is not its name already."""
        if value.c_type != c_name:
            assert value.c_type is not None
            self.registry.claim(c_name, node.pointer)
            self.declared.aliases.append(AliasDecl(c_name, self.comments.of(node, path), value.c_type))

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
        if isinstance(node, DemandedType):
            return self._residuals.wrap(node, self._scalars.stored(self.value(node.base, place)), place.label)
        stated = {key(node), place.label} & self.facts.raw or takes_all(self.index, node)
        if not place.shape and place.label != place.owner and stated:
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

    def _part(self, node: Node, place: Place) -> Value:
        """The same of a part of another node; any value in place of what is refused."""
        value = self.refusals.attempt(partial(self.value, node, place), None)
        if value is None:
            self.broken.add(place.owner)
        return value or Value(Ref("JSON"), None if place.shape else JSON_TYPE)

    def _value(self, node: Node, place: Place, shape_of: Optional[str]) -> Value:
        if isinstance(node, DemandedType):
            if shape_of is None:
                return self.value(node, place)
            later = self._residuals.later(node)
            self._shapes[shape_of] = later or Value(Ref("END"), None)
            inner = self._value(node.base, place, shape_of if later is None else None)
            return inner if later is None else self._residuals.fill(later, node, inner, place.label)
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
        return self._scalars.plan(node, place)

    # Arrays and maps

    def _array(self, node: ArrayType, place: Place, shape_of: Optional[str]) -> Value:
        check = self._scalars.check(node)
        if shape_of is not None:
            index = self.builder.arrays.take()
            self._shapes[shape_of] = Value(Ref("ARRAY", index, check), None)
            self.builder.arrays.put(index, ArrayEntry(self._part(node.item, place.item()).ref, None))
            return self._shapes[shape_of]
        item = self._part(node.item, place.item())
        if not place.shape:
            item = self._scalars.stored(item)
        c_item = None if place.shape else item.c_type
        index = self.builder.arrays.add(ArrayEntry(item.ref, c_item))
        return Value(
            Ref("ARRAY", index, check), None if c_item is None else self._shared.list_of(c_item, node)
        )

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
        check = self._scalars.check(node)
        if shape_of is not None:
            index = self.builder.maps.take()
            self._shapes[shape_of] = Value(Ref("MAP", index, check), None)
            self.builder.maps.put(index, MapEntry(self._part(node.additional, place.entry()).ref, None))
            return self._shapes[shape_of]
        value = self._part(node.additional, place.entry())
        if place.shape:
            return Value(Ref("MAP", self.builder.maps.add(MapEntry(value.ref, None)), check), None)
        value = self._scalars.stored(value)
        assert value.c_type is not None
        c_map, c_entry = self._shared.map_of(value.c_type, node)
        return Value(Ref("MAP", self.builder.maps.add(MapEntry(value.ref, c_entry)), check), c_map)

    # Structs

    def _fill_struct(self, node: ObjectType, place: Place, index: int, c_type: Optional[str]) -> None:
        c_names = names.member_names([p.name for p in node.properties])
        rows: List[Row] = []
        members: List[Member] = []
        for member in node.properties:
            inner = place.member(member.name, c_names[member.name])
            required = self._part(member.node, inner)
            self._members[inner.label] = required
            value = self._in_member(required, member, place)
            stored = value.c_type is not None and c_type is not None
            rows.append(
                Row(member.name, value.ref, member.required, c_names[member.name] if stored else None)
            )
            if stored and value.c_type is not None:
                constant = required.ref.kind == "CONST" and not member.required
                comment = self.comments.of_member(member, inner.label, c_names[member.name], constant)
                members.append(Member(value.c_type, c_names[member.name], comment))
        extra_value = self._extra(node, place)
        keeps = extra_value.kind != "END" and c_type is not None
        if keeps:
            members.append(Member("mcpw_members", "extra", "Members that the type does not name."))
        self.builder.structs.put(index, StructEntry(place.label, c_type, tuple(rows), keeps, extra_value))
        if c_type is not None:
            shown = tuple(members) or (Member("char", "nothing", "C knows no struct without members."),)
            self.declared.types.append(StructDecl(c_type, self.comments.of(node, place.label), shown))

    def _in_member(self, value: Value, member: Property, place: Place) -> Value:
        """The form of a value as a member of a struct: optional ones can be absent, and nothing that would
        contain itself lies inline."""
        if place.shape:
            return value
        if self._residuals.has(value):
            return self._residuals.again(value, self._in_member(self._residuals.inner(value), member, place))
        kind = value.ref.kind
        target = bare(member.node)
        cyclic = isinstance(target, RefType) and self._embedding.cyclic(place.owner, target.name)
        if kind == "STRUCT" and (cyclic or not member.required):
            return Value(replace(value.ref, kind="STRUCT_PTR"), f"const {value.c_type} *")
        if kind == "UNION" and cyclic:
            return Value(replace(value.ref, kind="UNION_PTR"), f"const {value.c_type} *")
        if not member.required and kind in _OPTIONAL:
            optional, c_type = _OPTIONAL[kind]
            return Value(replace(value.ref, kind=optional), c_type)
        return value

    def _extra(self, node: ObjectType, place: Place) -> Ref:
        """The type of members that the type does not name. They are kept as text, whatever they are."""
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
        check_size(self.file, node, plan)
        if plan.undecided:
            self.undecided[place.label] = Note(self.file, node.pointer, plan.undecided)
        c_names = alternative_names(self.file, self.index, plan.alternatives)
        forms = [
            (self._alternative(leaf, place, name), name) for leaf, name in zip(plan.alternatives, c_names)
        ]
        choices = (
            ("DISJOINT", plan.disjoint),
            ("ONE_KEY", plan.one_key and plan.tests),
            ("FIRST_MEMBER", plan.first_member),
        )
        flags = tuple(flag for flag, on in choices if on)
        tests = tuple(
            TestEntry(
                t.member,
                t.value,
                t.alternative,
                row_of(self.index, self._raw, plan.alternatives[t.alternative], t.member),
            )
            for t in plan.tests
        )
        for test in plan.tests:
            refuse_escapes(self.file, node, test.member + (test.value or ""))
        alternatives = tuple(
            Alternative(label(leaf), form.ref, self.index.bits(leaf))
            for leaf, (form, _) in zip(plan.alternatives, forms)
        )
        self.builder.unions.put(
            index, UnionEntry(place.label, c_type, alternatives, tests, plan.otherwise, flags)
        )
        if c_type is not None:
            declare_union(self.declared, node, place, c_type, forms)

    def _alternative(self, leaf: Node, place: Place, c_name: str) -> Value:
        """The form of an alternative."""
        if isinstance(leaf, NullType) or (isinstance(leaf, ConstType) and leaf.value is None):
            return Value(Ref("NULL"), None)
        value = self._part(leaf, place.alternative(c_name))
        if place.shape:
            return Value(value.ref, None)
        target = bare(leaf)
        cyclic = isinstance(target, RefType) and self._embedding.cyclic(place.owner, target.name)
        if cyclic and value.ref.kind in ("STRUCT", "UNION"):
            pointer = replace(value.ref, kind=f"{value.ref.kind}_PTR")
            return Value(pointer, f"const {value.c_type} *")
        return value
