# SPDX-License-Identifier: MIT
"""The catalogue of methods: who sends what, with which params, answered by which result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Dict, FrozenSet, List, Optional, Tuple

from codegen.errors import Note, Refusal
from codegen.facts.facts import Capability, Gate, ResultTag
from codegen.model.nodes import ConstType, Node, ObjectType, Property, RefType, UnionType
from codegen.model.resolve import IS_OBJECT
from codegen.plan import names
from codegen.plan.cplan import Alternative, GateEntry, Handle, MethodPlan, Ref, TestEntry, UnionEntry, Value
from codegen.plan.handles import Handles
from codegen.plan.planner import Planner
from codegen.plan.scalars import JSON_TYPE

MAX_METHOD = 255
"""Bytes of a method's name."""
_RESPONSE_FLAGS = ("DISJOINT", "ONE_KEY", "EXCLUSIVE")
_BARE_FLAGS = (*_RESPONSE_FLAGS, "BARE")

# The unions whose alternatives are the messages of one direction, and what they say about them.
_DIRECTIONS = (
    ("ClientRequest", ("REQUEST", "FROM_CLIENT")),
    ("ServerRequest", ("REQUEST", "FROM_SERVER")),
    ("ClientNotification", ("NOTIFICATION", "FROM_CLIENT")),
    ("ServerNotification", ("NOTIFICATION", "FROM_SERVER")),
    ("InputRequest", ("REQUEST", "FROM_SERVER", "INPUT")),
)
_FLAG_ORDER = (
    "REQUEST",
    "NOTIFICATION",
    "FROM_CLIENT",
    "FROM_SERVER",
    "PARAMS_REQUIRED",
    "INPUT",
    "EXTENDED",
)


@dataclass(frozen=True)
class _Found:
    """A message of the schema: the definition that describes it, and what is known of its way."""

    method: str
    owner: str
    node: ObjectType
    flags: Tuple[str, ...]


def plan_methods(planner: Planner, handles: Handles) -> Tuple[MethodPlan, ...]:
    """The methods of a revision: requests, then notifications, each by name."""
    found: Dict[str, _Found] = {}
    for union, flags in _DIRECTIONS:
        if planner.index.has(union):
            planner.refusals.attempt(partial(_collect, planner, union, flags, found), None)
    rows = sorted(found.values(), key=lambda row: ("NOTIFICATION" in row.flags, row.method))
    extended = _extended(planner)
    for row in rows:
        if row.method in extended:
            row = replace(row, flags=(*row.flags, "EXTENDED"))
        found[row.method] = row
    methods = (
        planner.refusals.attempt(partial(_method, planner, handles, found[row.method]), None) for row in rows
    )
    return tuple(method for method in methods if method is not None)


def _extended(planner: Planner) -> FrozenSet[str]:
    """The methods that an extension brings, or members of whose params are an extension's."""
    extensions = planner.facts.extensions
    brought = {method for extension in extensions for method in extension.methods}
    members = {f.method for extension in extensions for f in extension.features if f.part == "params"}
    return frozenset(brought | members)


def _collect(planner: Planner, union: str, flags: Tuple[str, ...], found: Dict[str, _Found]) -> None:
    index = planner.index
    node = index.definition(union).node
    leaves = index.leaves(node) if isinstance(node, UnionType) else (node,)
    for leaf in leaves:
        planner.refusals.attempt(partial(_collect_one, planner, union, flags, leaf, found), None)


def _collect_one(
    planner: Planner, union: str, flags: Tuple[str, ...], leaf: Node, found: Dict[str, _Found]
) -> None:
    index = planner.index
    target = index.resolve(leaf)
    method = _method_name(target)
    if method is None or not isinstance(target, ObjectType):
        raise Refusal(index.file, leaf.pointer, f"a message of {union} without a constant method")
    if len(method.encode()) > MAX_METHOD:
        cause = f"the method has a name of {len(method.encode())} bytes: at most {MAX_METHOD} are possible"
        raise Refusal(index.file, target.pointer, cause)
    owner = leaf.name if isinstance(leaf, RefType) else union
    row = _Found(method, owner, target, flags)
    known = found.get(method)
    if known is None:
        found[method] = row
        return
    if _params_say(planner, known.node) != _params_say(planner, target):
        raise Refusal(index.file, leaf.pointer, f"{method} has other params here than in {known.owner}")
    merged = tuple(flag for flag in _FLAG_ORDER if flag in known.flags + flags)
    keep = row if isinstance(leaf, RefType) and known.owner in dict(_DIRECTIONS) else known
    found[method] = replace(keep, flags=merged)


def _params_say(planner: Planner, node: ObjectType) -> Tuple[object, ...]:
    params = _member(node, "params")
    return planner.index.signature(params) if params else ()


def _member(node: Node, name: str) -> Optional[Property]:
    if not isinstance(node, ObjectType):
        return None
    return next((member for member in node.properties if member.name == name), None)


def _method_name(node: Node) -> Optional[str]:
    member = _member(node, "method")
    if member is None or not member.required or not isinstance(member.node, ConstType):
        return None
    return member.node.value if isinstance(member.node.value, str) else None


def _method(planner: Planner, handles: Handles, row: _Found) -> MethodPlan:
    pointer = row.node.pointer
    part = names.snake(row.method)
    if not part:
        raise Refusal(planner.file, pointer, f'method "{row.method}" leaves nothing to name it by in C')
    request = "REQUEST" in row.flags
    params = _member(row.node, "params")
    flags = set(row.flags) | ({"PARAMS_REQUIRED"} if params and params.required else set())
    attempt = planner.refusals.attempt
    result = attempt(partial(_result, planner, handles, row), None) if request else None
    capability = attempt(partial(_capability, planner, row), None)
    return MethodPlan(
        pointer=pointer,
        name=row.method,
        enumerator=planner.registry.upper(f"method_{part}", pointer),
        function=part,
        flags=tuple(flag for flag in _FLAG_ORDER if flag in flags),
        message=handles.definition(row.owner) if row.owner not in dict(_DIRECTIONS) else None,
        params=_params(planner, handles, row, params) if params else None,
        result=result,
        response=_response(planner, handles, row, result) if result else None,
        task_result=attempt(partial(_task_result, planner, handles, row), None),
        capability=capability.name if capability else None,
        by_sender=capability is not None and _of_sender(planner, row.method, row.flags, capability),
        asked=request and capability is not None and capability.side == "client",
    )


def _params(planner: Planner, handles: Handles, row: _Found, params: Property) -> Handle:
    node = params.node
    if isinstance(node, RefType):
        return handles.definition(node.name)
    return handles.inline_params(row.owner, node)


def _result(planner: Planner, handles: Handles, row: _Found) -> Handle:
    base = row.owner[: -len("Request")] if row.owner.endswith("Request") else row.owner
    for name in (f"{base}Result", "EmptyResult"):
        if planner.index.has(name):
            return handles.definition(name)
    raise Refusal(
        planner.file, row.node.pointer, f'no definition "{base}Result" says what answers {row.method}'
    )


def _task_result(planner: Planner, handles: Handles, row: _Found) -> Optional[Handle]:
    name = planner.facts.task_results.get(row.method)
    if name is None:
        return None
    return handles.definition(_known(planner, row, name))


def _known(planner: Planner, row: _Found, name: str) -> str:
    if not planner.index.has(name):
        raise Refusal(planner.facts.file, "", f'"{name}", which answers {row.method}, is no definition')
    return name


def _capability(planner: Planner, row: _Found) -> Optional[Capability]:
    capabilities = planner.facts.capabilities
    if planner.facts.complete and row.method not in capabilities:
        raise Refusal(planner.facts.file, "/capabilities/common", f'"{row.method}" is missing')
    return capabilities.get(row.method)


def _of_sender(planner: Planner, method: str, flags: Tuple[str, ...], capability: Capability) -> bool:
    """Whether a capability is that of who sends the message, and not of who receives it."""
    if capability.side in ("sender", "receiver"):
        return capability.side == "sender"
    if "FROM_CLIENT" in flags and "FROM_SERVER" in flags:
        cause = f'{method} goes both ways: "side" must be sender or receiver'
        if planner.facts.complete:
            raise Refusal(planner.facts.file, capability.pointer, cause)
        planner.notes.append(Note(planner.facts.file, capability.pointer, f"{cause}; taken to be receiver"))
        return False
    return f"FROM_{capability.side.upper()}" in flags


def plan_gates(planner: Planner, methods: Tuple[MethodPlan, ...]) -> Tuple[GateEntry, ...]:
    """The capabilities that members of params need."""
    known = {method.name: method for method in methods}
    rows = (
        planner.refusals.attempt(partial(_gate, planner, gate, known), None) for gate in planner.facts.gates
    )
    return tuple(row for row in rows if row is not None)


def _gate(planner: Planner, gate: Gate, known: Dict[str, MethodPlan]) -> Optional[GateEntry]:
    capability = gate.capability
    method = known.get(gate.method)
    if method is None:
        if planner.refusals:  # it may be one of those that were refused
            return None
        cause = f"{planner.facts.revision} has no method {gate.method}"
        raise Refusal(planner.facts.file, capability.pointer, cause)
    if _of_sender(planner, gate.method, method.flags, capability):
        cause = "the capability must be one of the receiver's"
        if planner.facts.complete:
            raise Refusal(planner.facts.file, capability.pointer, cause)
        planner.notes.append(Note(planner.facts.file, capability.pointer, f"{cause}: left out"))
        return None
    return GateEntry(method.enumerator, gate.member, gate.value, capability.name)


def _response(planner: Planner, handles: Handles, row: _Found, result: Handle) -> Handle:
    """The result as a response must be read: the tag alone selects the alternative."""
    tag = planner.facts.result_tags.get(row.method)
    if tag is None:
        return result
    if len(tag.values) == 1:
        ((value, name),) = tag.values
        ref = handles.definition(_known(planner, row, name)).ref
        entry = UnionEntry(
            name,
            None,
            (Alternative(name, ref, IS_OBJECT),),
            (_test(planner, tag, value, 0, name),),
            None,
            _BARE_FLAGS,
        )
        c_type = handles.definition(name).c_type
    else:
        entry, c_type = _choice(planner, row, tag)
    index = planner.builder.unions.take()
    planner.builder.unions.put(index, replace(entry, c_type=c_type))
    return handles.response(
        row.method, f"{row.method} response", Value(Ref("UNION", index), c_type), row.node
    )


def _test(planner: Planner, tag: ResultTag, value: str, alternative: int, name: str) -> TestEntry:
    node = planner.index.resolve(planner.index.definition(name).node)
    rows = [p.name for p in node.properties] if isinstance(node, ObjectType) else []
    row = rows.index(tag.member) if tag.member in rows else None
    return TestEntry(tag.member, value, alternative, row)


def _choice(planner: Planner, row: _Found, tag: ResultTag) -> Tuple[UnionEntry, str]:
    """Several alternatives: those of the union that the schema's response has, in its order, so that both
    have one C type."""
    base = row.owner[: -len("Request")]
    name = f"{base}ResultResponse"
    node = planner.index.definition(_known(planner, row, name)).node
    member = _member(planner.index.resolve(node), "result")
    value = planner.member_value(name, "result")
    known = planner.builder.unions.entry(value.ref.index) if value and value.ref.kind == "UNION" else None
    if member is None or value is None or known is None or value.c_type is None:
        if name in planner.broken:
            return UnionEntry(name, None, (), (), None, ()), JSON_TYPE  # in place of what is refused
        raise Refusal(planner.file, node.pointer, f"{row.method}: no union of results stands here")
    numbers = {alternative.name: number for number, alternative in enumerate(known.alternatives)}
    if set(numbers) != {definition for _, definition in tag.values}:
        raise Refusal(
            planner.file, member.node.pointer, f"{row.method}: other results than methods.json names"
        )
    tests: List[TestEntry] = [_test(planner, tag, v, numbers[d], d) for v, d in tag.values]
    return replace(known, tests=tuple(tests), otherwise=None, flags=_RESPONSE_FLAGS), value.c_type
