# SPDX-License-Identifier: MIT
"""The methods and error codes of two schemas side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterator, List, Mapping, Optional, Tuple

from codegen.facts.facts import ErrorCode
from codegen.model.nodes import Node, RefType, UnionType
from codegen.plan.cplan import Handle, MethodPlan
from codegen.report.diff.report import NOTHING, MethodSide, Wire
from codegen.report.diff.side import Side, members_of
from codegen.report.diff.walk import Found, Place, Walker, presence

METHOD = "method:"
ERROR = "error:"
_UNSERVED = "is no method"


@dataclass(frozen=True)
class MethodPair:
    """A method in either schema, with its changes."""

    name: str
    kind: str
    old: Optional[MethodSide]
    new: Optional[MethodSide]
    params: Wire
    result: Wire
    found: Tuple[Found, ...]


def method_side(side: Side, plan: MethodPlan) -> MethodSide:
    """The facts of a schema about a method."""
    return MethodSide(
        direction=_direction(plan.flags),
        params=plan.params.name if plan.params else None,
        params_required="PARAMS_REQUIRED" in plan.flags,
        results=_results(side, plan),
        capability=_capability(side, plan),
    )


def _direction(flags: Tuple[str, ...]) -> str:
    if "INPUT" in flags:
        return "server to client, inside a result"
    if "FROM_CLIENT" in flags and "FROM_SERVER" in flags:
        return "both ways"
    return "client to server" if "FROM_CLIENT" in flags else "server to client"


def _results(side: Side, plan: MethodPlan) -> Tuple[str, ...]:
    tag = side.facts.result_tags.get(plan.name)
    names = [name for _, name in tag.values] if tag else [plan.result.name] if plan.result else []
    if plan.task_result is not None:
        names.append(plan.task_result.name)
    return tuple(names)


def _capability(side: Side, plan: MethodPlan) -> Optional[str]:
    capability = side.facts.capabilities.get(plan.name)
    return f"{capability.name} of the {capability.side}" if capability else None


def params_node(side: Side, handle: Handle) -> Node:
    """The node of a method's params: a definition, or what a message describes in place."""
    if handle.definition:
        return RefType("", None, handle.name)
    owner = handle.name.rpartition(".")[0]
    return members_of(side.index.resolve(side.node(owner)))["params"][0]


def _result_node(side: Side, plan: MethodPlan) -> Node:
    names = _results(side, plan)
    leaves = tuple(RefType("", None, name) for name in names)
    return leaves[0] if len(leaves) == 1 else UnionType("", None, leaves)


class MethodWalker:
    """Compares all methods of two sides."""

    def __init__(self, old: Side, new: Side, walker: Walker, renamed: Mapping[str, str]) -> None:
        self._old = old
        self._new = new
        self._walker = walker
        self._renamed = renamed

    def pairs(self) -> Iterator[MethodPair]:
        """Requests, then notifications, each by name."""
        left = {method.name: method for method in self._old.plan.methods}
        right = {method.name: method for method in self._new.plan.methods}
        order = {**left, **right}
        for name in sorted(order, key=lambda name: ("REQUEST" not in order[name].flags, name)):
            kind = "request" if "REQUEST" in order[name].flags else "notification"
            before, after = left.get(name), right.get(name)
            sides = (
                method_side(self._old, before) if before else None,
                method_side(self._new, after) if after else None,
            )
            if before and after:
                yield self._both(kind, before, after)
            elif after:
                found = self._found("method-added", name, None, _shown(sides[1]), Wire(None, _UNSERVED))
                yield MethodPair(name, kind, *sides, NOTHING, NOTHING, (found,))
            else:
                found = self._found("method-removed", name, _shown(sides[0]), None, Wire(_UNSERVED, None))
                yield MethodPair(name, kind, *sides, NOTHING, NOTHING, (found,))

    def _found(
        self, rule: str, name: str, old: Optional[str], new: Optional[str], wire: Wire = NOTHING
    ) -> Found:
        return Found(rule, name, name, Place(METHOD + name, METHOD + name), old, new, wire)

    def _both(self, kind: str, before: MethodPlan, after: MethodPlan) -> MethodPair:
        name = before.name
        old, new = method_side(self._old, before), method_side(self._new, after)
        found: List[Found] = []
        if old.direction != new.direction:
            inside = ("INPUT" in before.flags) != ("INPUT" in after.flags)
            rule = "method-inside" if inside else "method-direction"
            found.append(self._found(rule, name, old.direction, new.direction, _ways(before, after)))
        params = self._params(before, after)
        if self._other_name(old.params, new.params):
            shown = (old.params or "no params", new.params or "no params")
            found.append(self._found("method-params", name, *shown, params))
        if before.params and after.params and old.params_required != new.params_required:
            rule = "method-params-required" if new.params_required else "method-params-optional"
            refused = "params are required"
            wire = Wire(refused, None) if new.params_required else Wire(None, refused)
            before_word, after_word = presence(old.params_required, new.params_required)
            found.append(self._found(rule, name, before_word, after_word, wire))
        result = NOTHING
        if old.results and new.results:
            result = self._walker.wire(_result_node(self._old, before), _result_node(self._new, after))
        if [self._renamed.get(each, each) for each in old.results] != list(new.results):
            shown = (" or ".join(old.results) or "no result", " or ".join(new.results) or "no result")
            found.append(self._found("method-result", name, *shown, result))
        if old.capability != new.capability:
            shown = (old.capability or "no capability", new.capability or "no capability")
            found.append(self._found("method-capability", name, *shown))
        return MethodPair(name, kind, old, new, params, result, tuple(found))

    def _params(self, before: MethodPlan, after: MethodPlan) -> Wire:
        if before.params and after.params:
            return self._walker.wire(
                params_node(self._old, before.params), params_node(self._new, after.params)
            )
        required = "params are required"
        return Wire(
            required if after.params and "PARAMS_REQUIRED" in after.flags else None,
            required if before.params and "PARAMS_REQUIRED" in before.flags else None,
        )

    def _other_name(self, old: Optional[str], new: Optional[str]) -> bool:
        return (self._renamed.get(old, old) if old else old) != new


def _shown(side: Optional[MethodSide]) -> str:
    return side.direction if side else ""


def _ways(before: MethodPlan, after: MethodPlan) -> Wire:
    """The sides that may no longer send it, or could not yet."""
    ways = ("FROM_CLIENT", "FROM_SERVER")
    if ("INPUT" in before.flags) != ("INPUT" in after.flags):
        cause = "goes inside a result" if "INPUT" in after.flags else "goes as a request"
        other = "goes inside a result" if "INPUT" in before.flags else "goes as a request"
        return Wire(cause, other)
    lost = [way for way in ways if way in before.flags and way not in after.flags]
    won = [way for way in ways if way in after.flags and way not in before.flags]
    return Wire(_way(lost), _way(won))


def _way(flags: List[str]) -> Optional[str]:
    if not flags:
        return None
    return f"is not sent by a {flags[0][len('FROM_') :].lower()}"


def errors(old: Side, new: Side) -> Iterator[Tuple[str, Optional[int], Optional[int], Tuple[Found, ...]]]:
    """Each error code by name, with its numbers and changes."""
    left, right = _codes(old), _codes(new)
    sent = dict(new.facts.codes.replaced)
    names_of = {code: name for name, code in right.items()}
    for name in sorted({**left, **right}, key=lambda name: (-left.get(name, right.get(name, 0)), name)):
        before, after = left.get(name), right.get(name)
        place = Place(ERROR + name, ERROR + name)
        found: Tuple[Found, ...] = ()
        if before is None and after is not None:
            found = (Found("error-added", name, name, place, None, f"{name} ({after})", NOTHING),)
        elif before is not None and after is None:
            successor = sent.get(before)
            shown = None if successor is None else f"{names_of.get(successor, '')} ({successor})".strip()
            found = (Found("error-removed", name, name, place, f"{name} ({before})", shown, NOTHING),)
        elif before != after:
            found = (Found("error-changed", name, name, place, str(before), str(after), NOTHING),)
        yield name, before, after, found


def _codes(side: Side) -> Dict[str, int]:
    own: Tuple[ErrorCode, ...] = side.facts.codes.own
    return {code.name: code.code for code in own}
