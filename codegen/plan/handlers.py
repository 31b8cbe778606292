# SPDX-License-Identifier: MIT
"""The typed layer over sessions: slots for handlers, and wrappers that pass a method's number and types."""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, Iterator, List, Optional, Tuple

from codegen.plan import names
from codegen.plan.comments import plain
from codegen.plan.cplan import EitherCall, Handle, HandlersPlan, MethodPlan, Side, Slot, Wrapper
from codegen.plan.handles import Handles
from codegen.plan.planner import Planner

_NOTIFICATIONS = "notifications/"
# The role of a side, what the methods that it receives are marked with, and the first part of its names.
_SIDES = (("SERVER", "FROM_CLIENT", "server"), ("CLIENT", "FROM_SERVER", "client"))


def plan_handlers(planner: Planner, handles: Handles, methods: Tuple[MethodPlan, ...]) -> HandlersPlan:
    """Slots and wrappers of a revision; their names are claimed."""
    owned, made = planner.facts.session_owned, planner.facts.session_made
    requests = [method for method in methods if "REQUEST" in method.flags]
    makeable = [method for method in requests if method.name not in made]
    notifications = [m for m in methods if "NOTIFICATION" in m.flags and m.name not in made]
    answered = [method for method in requests if method.name not in owned]
    called = [method for method in makeable if "FROM_CLIENT" in method.flags]
    return HandlersPlan(
        sides=tuple(_sides(planner, [method for method in methods if method.name not in owned])),
        responds=tuple(_responds(planner, handles, answered)),
        replies=(*_replies(planner, makeable), *_extension_replies(planner, handles, makeable)),
        requests=tuple(
            _wrapper(planner, m, f"request_{m.function}", f"Sends {plain(m.name)}: mcpw_session_request.")
            for m in makeable
        ),
        notifies=tuple(
            _wrapper(planner, m, f"notify_{_notice(m)}", f"Sends {plain(m.name)}: mcpw_session_notify.")
            for m in notifications
        ),
        asks=tuple(_waits(planner, [m for m in answered if m.asked], "ask", "Asks the client for {}")),
        calls=tuple(_waits(planner, called, "call", "Sends {} and waits")),
        eithers=tuple(_eithers(planner, handles, called)),
    )


def _sides(planner: Planner, methods: List[MethodPlan]) -> Iterator[Side]:
    """The sides that receive anything. (C knows no struct without members.)"""
    for role, flag, part in _SIDES:
        slots = tuple(
            Slot(
                names.slot_name(method.function),
                method.enumerator,
                _c_type(method.params),
                "REQUEST" in method.flags,
                f"{'Answers' if 'REQUEST' in method.flags else 'Takes'} {plain(method.name)}.",
            )
            for method in methods
            if flag in method.flags
        )
        if slots:
            yield Side(role, f"{planner.prefix}_{part}_handlers", f"{planner.prefix}_{part}_dispatch", slots)


def _c_type(handle: Optional[Handle]) -> str:
    return handle.c_type if handle else "void"


def _notice(method: MethodPlan) -> str:
    """A notification's name in C, without the word that all of them begin with."""
    name = method.name
    short = names.snake(name[len(_NOTIFICATIONS) :]) if name.startswith(_NOTIFICATIONS) else ""
    return short or method.function


def _wrapper(
    planner: Planner, method: MethodPlan, part: str, comment: str, result: Optional[Handle] = None
) -> Wrapper:
    """`result` in place of what the method is answered with."""
    result = result or method.result
    return Wrapper(
        name=planner.registry.yielding(part, method.pointer),
        comment=comment,
        method=method.enumerator,
        params=_c_type(method.params),
        result=_c_type(result),
        table=result.c_table if result else "",
    )


def _responds(planner: Planner, handles: Handles, methods: List[MethodPlan]) -> Iterator[Wrapper]:
    for method in methods:
        name = plain(method.name)
        yield _wrapper(planner, method, f"respond_{method.function}", f"Answers {name}: mcpw_respond.")
        if method.task_result is not None:
            comment = f"Answers {name} that carried a task: mcpw_respond."
            part = f"respond_{method.function}_task"
            yield _wrapper(planner, method, part, comment, method.task_result)
    for (value, definition), method in _other_answers(planner, methods).items():
        comment = f"Answers with {plain(definition)} where the method allows it: mcpw_respond."
        part = f"respond_{names.snake(value)}"
        yield _wrapper(planner, method, part, comment, handles.definition(definition))


def _other_answers(planner: Planner, methods: List[MethodPlan]) -> Dict[Tuple[str, str], MethodPlan]:
    """The results that answer a method beside its own, each by the value that selects it and its definition,
    with the first such method."""
    found: Dict[Tuple[str, str], MethodPlan] = {}
    for method in methods:
        tag = planner.facts.result_tags.get(method.name)
        for value, definition in tag.values if tag else ():
            if method.result is not None and definition != method.result.name:
                found.setdefault((value, definition), method)
    return found


def _waits(planner: Planner, methods: List[MethodPlan], kind: str, does: str) -> Iterator[Wrapper]:
    """Wrappers that give back a result, of one type each: being answered by a task is one of its own."""
    runtime = {"ask": "mcpw_request_ask", "call": "mcpw_client_request"}[kind]
    for method in methods:
        part = f"{kind}_{method.function}"
        what = does.format(plain(method.name))
        if method.task_result is None:
            yield _wrapper(planner, method, part, f"{what}: {runtime}.")
            continue
        comment = f"{what}, as no task (params.task is refused): {runtime}."
        yield _wrapper(planner, method, part, comment)
        comment = f"{what}, as a task (params.task is needed): {runtime}."
        yield _wrapper(planner, method, f"{part}_task", comment, method.task_result)


def _replies(planner: Planner, methods: List[MethodPlan]) -> Iterator[Wrapper]:
    for method in methods:
        comment = f"The result of {plain(method.name)}; NULL for any other reply, and where there is none."
        yield _wrapper(planner, method, f"reply_{method.function}", comment)
    with_task = next((method for method in methods if method.task_result is not None), None)
    if with_task is not None:
        comment = "The task that a request was answered with; NULL where it was answered otherwise."
        wrapper = _wrapper(planner, with_task, "reply_task", comment, with_task.task_result)
        yield replace(wrapper, method="")  # whichever the method was


def _extension_answers(planner: Planner, method: MethodPlan) -> Iterator[Tuple[str, str]]:
    """The results that extensions bring for a method: each by the value that selects it, and its definition.
    The sender of a request does not ask for them: they come in place of the method's own."""
    tag = planner.facts.result_tags.get(method.name)
    selected = dict(tag.values) if tag else {}
    for extension in planner.facts.extensions:
        for feature in extension.features:
            if feature.method == method.name and feature.part == "result" and feature.value in selected:
                yield feature.value, selected[feature.value]


def _extension_replies(planner: Planner, handles: Handles, methods: List[MethodPlan]) -> Iterator[Wrapper]:
    found: Dict[Tuple[str, str], MethodPlan] = {}
    for method in methods:
        for answer in _extension_answers(planner, method):
            found.setdefault(answer, method)
    for (value, definition), method in found.items():
        comment = f"The {plain(definition)} that a request was answered with; NULL for any other reply."
        part = f"reply_{names.snake(value)}"
        wrapper = _wrapper(planner, method, part, comment, handles.definition(definition))
        yield replace(wrapper, method="")  # whichever the method was


def _eithers(planner: Planner, handles: Handles, methods: List[MethodPlan]) -> Iterator[EitherCall]:
    for method in methods:
        for value, definition in _extension_answers(planner, method):
            part = names.snake(value)
            usual = plain(method.result.name) if method.result else "nothing"
            what = f"{usual} or {plain(definition)}, whichever comes; the other is NULL"
            comment = f"Sends {plain(method.name)} and waits for {what}: mcpw_client_request."
            name = f"call_{method.function}_or_{part}"
            wrapper = _wrapper(planner, method, name, comment)
            other = handles.definition(definition)
            yield EitherCall(wrapper, replace(wrapper, result=other.c_type, table=other.c_table), part)
