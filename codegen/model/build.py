# SPDX-License-Identifier: MIT
"""From a schema's JSON to the typed model. Every keyword becomes part of a node, is an annotation, or is
refused with the place where it stands."""

from __future__ import annotations

from decimal import Decimal
from typing import Dict, List, NoReturn, Optional, Set, Tuple

from codegen.errors import NoForm, Refusal
from codegen.model.bounds import Unsatisfiable, tighter
from codegen.model.constants import MAX_BRANCHES, Constants, needs_escapes, open_object
from codegen.model.keywords import (
    ALL_KINDS,
    JSON_TYPES,
    KEYWORD_TYPES,
    KINDS_OF_TYPE,
    KNOWN,
    refusal_of,
    types_of,
)
from codegen.model.kinds import KindFinder, Kinds, Schema, check_cycles
from codegen.model.merge import Merger, absence, check_size, checked, union_of
from codegen.model.nodes import (
    AnyType,
    ArrayType,
    BooleanType,
    Bound,
    Definition,
    IntegerType,
    Node,
    NullType,
    NumberType,
    ObjectType,
    Property,
    RefType,
    StringType,
    demanded,
    moved,
)
from codegen.model.residuals import residual_of, residuals_of
from codegen.model.rules import Misstated, Rules, rules_of
from codegen.model.settle import settle
from codegen.source.jsonfile import Json, same_json, show_json
from codegen.source.normalise import Source
from codegen.source.pointers import join
from codegen.source.structure import without_annotations

MAX_NAME_BYTES = 250
MAX_DEFINITIONS = 4096
_FORMS = frozenset(
    {"type", "$ref", "const", "enum", "properties", "items", "prefixItems", "anyOf", "oneOf", "allOf"}
)
_NOTHING: Tuple[Json, ...] = (False, {"not": {}}, {"not": True})
"""The schemas that say in so many words that no value is valid."""


def build_definitions(source: Source) -> Tuple[Definition, ...]:
    """All definitions of a document, in its order. All refusals come at once."""
    if len(source.definitions) > MAX_DEFINITIONS:
        cause = f"{len(source.definitions)} definitions: at most {MAX_DEFINITIONS} are possible"
        raise Refusal(source.file, join("", source.definitions_keyword), cause)
    check_cycles(source)
    builder = _Builder(source)
    definitions = tuple(Definition(name, settle(builder.definition(name))) for name in source.definitions)
    if builder.refused:
        raise Refusal.of_all(builder.refused)
    return definitions


class _Builder:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._constants = Constants(source)
        self._done: Dict[str, Node] = {}
        self._kinds = KindFinder(source)
        self._in_progress: Set[str] = set()
        self.refused: List[Refusal] = [*source.refused]

    def definition(self, name: str) -> Node:
        """The node of a definition, built when first needed."""
        if name not in self._done:
            pointer = self._source.pointer_to(name)
            self._in_progress.add(name)
            self._done[name] = self.schema(self._source.definitions[name], pointer, name=name)
            self._in_progress.remove(name)
        return self._done[name]

    def schema(self, raw: Json, pointer: str, context: Kinds = ALL_KINDS, name: str = "") -> Node:
        """The node of one schema, which is the definition `name` if it is one; any value in place of what is
        refused, so that building can go on. `context` holds the kinds of value that the schemas around it,
        which constrain the same value, leave."""
        try:
            self._check_name("definition", name, pointer)
            return self._schema(raw, pointer, context)
        except Refusal as refusal:
            self.refused.append(refusal)
            return AnyType(pointer, None)

    def _schema(self, raw: Json, pointer: str, context: Kinds) -> Node:
        if raw is True:
            return AnyType(pointer, None)
        if raw is False:
            self._refuse(pointer, "the schema false accepts nothing")
        if not isinstance(raw, dict):
            self._refuse(pointer, f"a schema must be an object or a boolean, not {show_json(raw)}")
        description = self._description(raw, pointer)
        if "$ref" in raw and self._source.dialect.ref_stands_alone:
            return self._reference(raw, pointer)
        self._check_keywords(raw, pointer)
        try:
            kinds = self._kinds.narrow(raw, pointer, context)
            return self._formed(raw, pointer, kinds, description)
        except Unsatisfiable as error:
            self._refuse(pointer, str(error))

    def _formed(self, raw: Schema, pointer: str, kinds: Kinds, description: Optional[str]) -> Node:
        """The node of a schema; text that is checked where no C type can say enough."""
        try:
            parts = self._parts(raw, pointer, kinds)
            merger = Merger(self._source.file, pointer, self._resolve)
            node: Node = parts[0] if parts else AnyType(pointer, None)
            for part in parts[1:]:
                node = merger.merge(node, part)
        except NoForm:
            text = open_object(pointer) if kinds == KINDS_OF_TYPE["object"] else AnyType(pointer, None)
            whole = residual_of(self._source, raw, pointer)
            return moved(demanded(text, (whole,)), pointer, description)
        if description is None and len(parts) == 1:
            description = node.description
        return moved(node, pointer, description)

    # The requirements of one schema

    def _parts(self, raw: Schema, pointer: str, context: Kinds) -> List[Node]:
        """Nodes whose intersection is the schema."""
        parts = self._own_types(raw, pointer, context)
        if "const" in raw:
            parts.append(self._constants.const(raw["const"], pointer))
        if "enum" in raw:
            parts.append(self._constants.enum(raw["enum"], join(pointer, "enum"), pointer))
        if "$ref" in raw:
            parts.append(self._reference(raw, pointer))
        if "allOf" in raw:
            parts.extend(self._branches(raw, "allOf", pointer, context))
        if "anyOf" in raw:
            parts.append(union_of(pointer, None, self._branches(raw, "anyOf", pointer, context)))
        if "oneOf" in raw:
            parts.append(self._one_of(raw, pointer, context))
        residuals = residuals_of(self._source, raw, pointer, context, self._is_tuple(raw))
        return [*parts, demanded(AnyType(pointer, None), residuals)] if residuals else parts

    def _one_of(self, raw: Schema, pointer: str, context: Kinds) -> Node:
        """A union that is checked for values of two alternatives; no union where the alternatives speak of
        what else the schema says."""
        branches = raw["oneOf"]
        only = {"oneOf": branches}
        if isinstance(branches, list) and not all(map(_has_form, branches)):
            return demanded(AnyType(pointer, None), (residual_of(self._source, only, pointer),))
        nodes = self._branches(raw, "oneOf", pointer, context)
        whole = residual_of(self._source, only, pointer, tuple(nodes))
        return demanded(union_of(pointer, None, nodes), (whole,))

    def _branches(self, raw: Schema, keyword: str, pointer: str, context: Kinds) -> List[Node]:
        place = join(pointer, keyword)
        branches = raw[keyword]
        if not isinstance(branches, list) or not branches:
            self._refuse(place, f'"{keyword}" must be an array of at least one schema')
        if len(branches) > MAX_BRANCHES:
            self._refuse(place, f"{len(branches)} alternatives: at most {MAX_BRANCHES} are possible")
        kept = [*enumerate(branches)]
        if keyword != "allOf" and not all(branch in _NOTHING for branch in branches):
            kept = [(index, branch) for index, branch in kept if branch not in _NOTHING]
        return [self.schema(branch, join(place, index), context) for index, branch in kept]

    def _own_types(self, raw: Schema, pointer: str, context: Kinds) -> List[Node]:
        """The requirements of `type` and of the keywords that constrain values of one type, if they stand
        here."""
        constraints = [keyword for keyword in raw if keyword in KEYWORD_TYPES]
        if "type" in raw:
            types = self._types(raw["type"], join(pointer, "type"))
        elif not constraints:
            return []
        else:
            types = types_of(context)
        if "number" in types:
            types = [name for name in types if name != "integer"]
        return [union_of(pointer, None, [self._typed(name, raw, pointer) for name in types])]

    def _typed(self, type_name: str, raw: Schema, pointer: str) -> Node:
        if type_name == "null":
            return NullType(pointer, None)
        if type_name == "boolean":
            return BooleanType(pointer, None)
        rules = self._rules(type_name, raw, pointer)
        if type_name == "string":
            return self._string(raw, pointer, rules)
        if type_name == "array":
            return self._array(raw, pointer, rules)
        if type_name == "object":
            return self._object(raw, pointer, rules)
        minimum = tighter(
            self._bound(raw, "minimum", pointer), self._bound(raw, "exclusiveMinimum", pointer), 1
        )
        maximum = tighter(
            self._bound(raw, "maximum", pointer), self._bound(raw, "exclusiveMaximum", pointer), -1
        )
        if type_name == "integer":
            return checked(IntegerType(pointer, None, minimum, maximum, rules))
        return checked(NumberType(pointer, None, minimum, maximum, rules))

    def _rules(self, type_name: str, raw: Schema, pointer: str) -> Rules:
        try:
            return rules_of(type_name, raw)
        except Misstated as error:
            self._refuse(join(pointer, error.keyword), f'"{error.keyword}" {error}')

    def _string(self, raw: Schema, pointer: str, rules: Rules) -> Node:
        text_format = raw.get("format")
        if text_format is not None and not isinstance(text_format, str):
            self._refuse(join(pointer, "format"), f'"format" must be a string, not {show_json(text_format)}')
        low, high = self._count(raw, "minLength", pointer), self._count(raw, "maxLength", pointer)
        return checked(StringType(pointer, None, low, high, text_format, rules))

    def _array(self, raw: Schema, pointer: str, rules: Rules) -> Node:
        place, items = self._items(raw, pointer)
        low, high = self._count(raw, "minItems", pointer), self._count(raw, "maxItems", pointer)
        if without_annotations(items) in _NOTHING:
            items, high = True, 0
        item = self.schema(items, place)
        return checked(ArrayType(pointer, None, item, low, high, rules))

    def _items(self, raw: Schema, pointer: str) -> Tuple[str, Json]:
        """The schema that all items have, and where it stands; true where they differ by position."""
        by_place, rest = self._source.dialect.tuple_keywords
        places, stated = self._positions(raw, pointer)
        if not places:
            listed = isinstance(raw.get("items"), list)
            return (
                (join(pointer, "items"), raw["items"]) if "items" in raw and not listed else (pointer, True)
            )
        if self._is_tuple(raw):
            return pointer, True
        return (
            (join(pointer, by_place, 0), places[0])
            if stated[0] is places[0]
            else (join(pointer, rest), stated[0])
        )

    def _positions(self, raw: Schema, pointer: str) -> Tuple[List[Json], List[Json]]:
        """The schemas that positions have, and all that hold for some item."""
        by_place, rest = self._source.dialect.tuple_keywords
        places = raw.get(by_place)
        if not isinstance(places, list) or not places:
            return [], []
        most = self._count(raw, "maxItems", pointer)
        more = most is None or most > len(places)
        return places, [*places[:most], *([raw.get(rest, True)] if more else [])] or [True]

    def _is_tuple(self, raw: Schema) -> bool:
        """Whether items differ by position."""
        _, stated = self._positions(raw, "")
        return any(
            not same_json(without_annotations(each), without_annotations(stated[0])) for each in stated
        )

    def _object(self, raw: Schema, pointer: str, rules: Rules) -> Node:
        additional = self._additional(raw, pointer)
        place = join(pointer, "properties")
        members = raw.get("properties", {})
        if not isinstance(members, dict):
            self._refuse(place, f'"properties" must be an object, not {show_json(members)}')
        required = self._required(raw, join(pointer, "required"))
        check_size(self._source.file, pointer, {*members, *required})
        properties: List[Property] = []
        absent: List[str] = []
        for name, member in members.items():
            if name not in required and without_annotations(member) in _NOTHING:
                absent += [] if additional is None else [name]
                continue
            self._check_name("member", name, join(place, name))
            properties.append(Property(name, self.schema(member, join(place, name)), name in required))
        for name, place_of_name in required.items():
            if name not in members:
                self._check_name("member", name, place_of_name)
                if additional is None:
                    cause = f'member "{name}" is required, but additionalProperties excludes it'
                    self._refuse(place_of_name, cause)
                properties.append(Property(name, additional, True))
        check_size(self._source.file, pointer, properties)
        low, high = self._count(raw, "minProperties", pointer), self._count(raw, "maxProperties", pointer)
        node = checked(ObjectType(pointer, None, tuple(properties), additional, low, high, rules))
        return demanded(node, absence(absent))

    def _additional(self, raw: Schema, pointer: str) -> Optional[Node]:
        if "additionalProperties" not in raw or "patternProperties" in raw:
            return AnyType(pointer, None)
        if without_annotations(raw["additionalProperties"]) in _NOTHING:
            return None
        return self.schema(raw["additionalProperties"], join(pointer, "additionalProperties"))

    def _required(self, raw: Schema, pointer: str) -> Dict[str, str]:
        """The required names, each with the place that requires it."""
        names = raw.get("required", [])
        if not isinstance(names, list):
            self._refuse(pointer, f'"required" must be an array of strings, not {show_json(names)}')
        required: Dict[str, str] = {}
        for index, name in enumerate(names):
            if not isinstance(name, str):
                self._refuse(join(pointer, index), f"a member's name must be a string, not {show_json(name)}")
            if name in required:
                self._refuse(join(pointer, index), f'"{name}" is required twice')
            required[name] = join(pointer, index)
        return required

    def _types(self, value: Json, pointer: str) -> List[str]:
        names = value if isinstance(value, list) else [value]
        if not names:
            self._refuse(pointer, '"type" must name at least one type')
        types: List[str] = []
        for name in names:
            if not isinstance(name, str) or name not in JSON_TYPES:
                self._refuse(
                    pointer, f"unknown type {show_json(name)}: it must be one of {', '.join(JSON_TYPES)}"
                )
            if name in types:
                self._refuse(pointer, f'type "{name}" is named twice')
            types.append(name)
        return types

    def _bound(self, raw: Schema, keyword: str, pointer: str) -> Optional[Bound]:
        if keyword not in raw:
            return None
        value = raw[keyword]
        if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
            self._refuse(join(pointer, keyword), f'"{keyword}" must be a number, not {show_json(value)}')
        return Bound(str(value), exclusive=keyword.startswith("exclusive"))

    def _count(self, raw: Schema, keyword: str, pointer: str) -> Optional[int]:
        if keyword not in raw:
            return None
        value = raw[keyword]
        if (
            isinstance(value, bool)
            or not isinstance(value, (int, Decimal))
            or not 0 <= value < 2**63
            or value != Decimal(value).to_integral_value()
        ):
            cause = f'"{keyword}" must be an integer that is not negative, not {show_json(value)}'
            self._refuse(join(pointer, keyword), cause)
        return int(value)

    # References

    def _reference(self, raw: Schema, pointer: str) -> RefType:
        name = self._source.referenced(raw["$ref"], join(pointer, "$ref"))
        return RefType(pointer, self._description(raw, pointer), name)

    def _resolve(self, ref: RefType, place: str) -> Node:
        if ref.name in self._in_progress:
            cause = f'cannot merge definition "{ref.name}" into a part of itself'
            self._give_up(place, cause)
        return self.definition(ref.name)

    # Checks

    def _check_keywords(self, raw: Schema, pointer: str) -> None:
        for keyword in raw:
            if keyword == "$schema" and self._source.dialect.stated_by(raw[keyword]):
                continue
            if keyword not in KNOWN:  # what lies beside and within is looked at all the same
                refusal = Refusal(self._source.file, join(pointer, keyword), refusal_of(keyword))
                self.refused.append(refusal)

    def _check_name(self, noun: str, name: str, pointer: str) -> None:
        refuse = self._give_up if noun == "member" else self._refuse
        if needs_escapes(name) or (noun == "member" and not name):
            cause = f"the {noun} name {show_json(name)} has a quote, a backslash or a control character"
            refuse(pointer, cause)
        size = len(name.encode("utf-8"))
        if size > MAX_NAME_BYTES:
            refuse(pointer, f"the {noun} name has {size} bytes: at most {MAX_NAME_BYTES} are possible")

    def _description(self, raw: Schema, pointer: str) -> Optional[str]:
        description = raw.get("description")
        if description is not None and not isinstance(description, str):
            self._refuse(join(pointer, "description"), '"description" must be a string')
        return description

    def _refuse(self, pointer: str, cause: str) -> NoReturn:
        raise Refusal(self._source.file, pointer, cause)

    def _give_up(self, pointer: str, cause: str) -> NoReturn:
        """Leaves a value text, which is checked."""
        raise NoForm(self._source.file, pointer, cause)


def _has_form(branch: Json) -> bool:
    """Whether a schema says of what type a value is, and not only what else holds of it."""
    return isinstance(branch, dict) and bool(_FORMS & set(branch))
