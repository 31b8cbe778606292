# SPDX-License-Identifier: MIT
"""Finds the change of the schema that each break of C source comes from."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Set, Tuple

from codegen.plan import names
from codegen.plan.cplan import MethodPlan, Plan
from codegen.report.diff.capi import CBreak, short
from codegen.report.diff.methods import ERROR, METHOD
from codegen.report.diff.walk import Found

# Types that the planner makes of another type.
_DERIVED = ("_list", "_map", "_entry", "_kind")
_NOTIFICATIONS = "notifications/"
# The end of the functions for requests that are answered by a task: another result.
_TASK = "_task"
# The functions of a method: what their names begin with, and which change of the method explains them best.
_FUNCTIONS = (
    ("mcp_params_", "method-params"),
    ("mcp_request_", "method-params"),
    ("mcp_notify_", "method-params"),
    ("mcp_call_", "method-params"),
    ("mcp_ask_", "method-params"),
    ("mcp_result_", "method-result"),
    ("mcp_respond_", "method-result"),
    ("mcp_reply_", "method-result"),
)


class CPlaces:
    """The C names of a plan by the places that they stand for, and the other way round."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.types: Dict[str, str] = {}
        self.members: Dict[str, str] = {}
        self.constants: Set[str] = set()
        """Members whose one value C does not store."""
        self._labels: Dict[str, str] = {}
        self._methods: Dict[str, str] = {}
        self._put_handles(definitions=True)
        self._put_types()
        self._put_handles(definitions=False)
        for method in plan.methods:
            self._put_method(method)

    def _put_handles(self, definitions: bool) -> None:
        for handle in self._plan.handles:
            if handle.c_name and handle.definition is definitions:
                self._put(handle.name, short(self._plan, handle.c_name))

    def _put_types(self) -> None:
        plan = self._plan
        for struct in plan.tables.structs:
            if struct.c_type is not None and struct.c_type.startswith(plan.prefix):
                c_type = short(plan, struct.c_type)
                self._put(struct.name, c_type)
                for row in struct.rows:
                    if row.c_member is not None:
                        c_name = f"{c_type}.{row.c_member}"
                        self.members.setdefault(f"{struct.name}.{row.key}", c_name)
                        self._labels.setdefault(c_name, f"{struct.name}.{row.key}")
                    else:
                        self.constants.add(f"{struct.name}.{row.key}")
        for union in plan.tables.unions:
            if union.c_type is not None and union.c_type.startswith(plan.prefix):
                self._put(union.name, short(plan, union.c_type))
        for enum in plan.enums:
            if enum.index is not None:
                self._put(plan.tables.enums[enum.index].name, short(plan, enum.name))

    def name(self, label: str) -> Optional[str]:
        """The thing at a place: a member if it is one, else a type."""
        return self.members.get(label) or self.types.get(label)

    def _put(self, label: str, c_name: str) -> None:
        self.types.setdefault(label, c_name)
        self._labels.setdefault(c_name, label)

    def _put_method(self, method: MethodPlan) -> None:
        self._methods[method.function] = method.name
        self._methods[method.function + _TASK] = method.name
        self._methods[names.slot_name(method.function)] = method.name
        if method.name.startswith(_NOTIFICATIONS):
            self._methods[names.snake(method.name[len(_NOTIFICATIONS) :])] = method.name
        self._labels[short(self._plan, method.enumerator)] = METHOD + method.name

    def label(self, item: CBreak) -> Optional[str]:
        """The place that a broken name stands for."""
        if item.what == "slot":
            return METHOD + self._methods[item.member]
        for name in (f"{item.name}.{item.member}", item.name):
            if name in self._labels:
                return self._labels[name]
        for start, _ in _FUNCTIONS:
            method = self._methods.get(item.name[len(start) :]) if item.name.startswith(start) else None
            if method is not None:
                return METHOD + method
        if item.name.startswith("MCP_ERROR_"):
            return ERROR + item.name[len("MCP_ERROR_") :]
        return self._derived(item.name)

    def _derived(self, name: str) -> Optional[str]:
        for suffix in _DERIVED:
            if name.endswith(suffix):
                base = name[: -len(suffix)]
                return self._labels.get(base) or self._derived(base)
        return None


def attribute(
    found: Sequence[Found], broken: Sequence[CBreak], places: CPlaces
) -> Tuple[Dict[int, List[CBreak]], List[CBreak]]:
    """The breaks of each change, by the number of the change, and those that no change explains."""
    by_label: Dict[str, List[int]] = {}
    for number, change in enumerate(found):
        by_label.setdefault(change.at.old, []).append(number)
    chosen: Dict[int, List[CBreak]] = {}
    loose: List[CBreak] = []
    for item in broken:
        cause = _cause(found, by_label, item, places.label(item))
        if cause is None:
            loose.append(item)
        else:
            chosen.setdefault(cause, []).append(item)
    return chosen, loose


def _cause(
    found: Sequence[Found], by_label: Dict[str, List[int]], item: CBreak, label: Optional[str]
) -> Optional[int]:
    """The change at the place of a break, or at the nearest place around it."""
    while label:
        for place in (label, label + "[]", label + "{}"):
            for number in _preferred(found, by_label.get(place, []), item):
                return number
        label = _around(label)
    return None


def _preferred(found: Sequence[Found], numbers: List[int], item: CBreak) -> List[int]:
    """The candidates for a break, the best first."""
    wanted = next((rule for start, rule in _FUNCTIONS if item.name.startswith(start)), "")
    if item.what == "slot":
        wanted = "method-params"
    elif item.name.endswith(_TASK):
        wanted = "method-result"
    named = [n for n in numbers if _names(found[n], item.member)]
    gone = [n for n in numbers if item.new is None and found[n].new is None]
    exact = [n for n in numbers if found[n].rule == wanted]
    rest = [n for n in numbers if found[n].rule not in ("format-changed", "method-capability")]
    return exact + named + gone + rest


def _names(change: Found, member: str) -> bool:
    """Whether a change is about the alternative that a member or an enumerator stands for."""
    part = names.snake(change.old or "")
    return bool(part) and f"_{member.lower().replace('.', '_')}".endswith("_" + part)


def _around(label: str) -> str:
    """The place around a place; empty for a whole type or method."""
    if label.startswith((METHOD, ERROR)):
        return ""
    for mark in ("[]", "{}"):
        if label.endswith(mark):
            return label[: -len(mark)]
    return label.rpartition(".")[0]
