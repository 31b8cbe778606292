# SPDX-License-Identifier: MIT
"""The C names of a revision as programs write them against <mcp/pinned.h>, and which of them break.

Names and types are those of the C plan without the revision's part (`mcp_tool` for `mcp_20251125_tool`), so
that two revisions compare as the two states of a pin do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, Iterator, List, Mapping, Optional, Set, Tuple

from codegen.plan.cplan import EitherCall, MethodPlan, Plan, StructDecl, Wrapper
from codegen.plan.names import TYPED

_OF_ENUMS = ("text", "from_text")


@dataclass(frozen=True)
class CType:
    """A type with its members: of a struct by their C types, of an enum by nothing. `form` is what follows
    `typedef` as far as programs can tell; an alias has the form and members of what it stands for."""

    form: str
    members: Mapping[str, str]


@dataclass(frozen=True)
class CApi:
    """The declarations of a revision. `owners` has the type that each derived name goes with."""

    types: Mapping[str, CType]
    functions: Mapping[str, str]
    names: Tuple[str, ...]
    owners: Mapping[str, str]


@dataclass(frozen=True)
class CBreak:
    """A use of the C API that no longer compiles. `what` is one of type, member, enumerator, function,
    constant, slot; `new` is None for what is gone."""

    what: str
    name: str
    member: str
    old: str
    new: Optional[str]

    @property
    def text(self) -> str:
        """The name as a program writes it."""
        return (
            f"{self.name}.{self.member}"
            if self.member and self.what != "enumerator"
            else (self.member or self.name)
        )


def short(plan: Plan, text: str) -> str:
    """A C name or type without the revision's part."""
    lower = re.sub(rf"\b{plan.prefix}(?=_)", "mcp", text)
    return re.sub(rf"\b{plan.prefix.upper()}(?=_)", "MCP", lower)


def c_api(plan: Plan) -> CApi:
    """The C API of a plan."""
    collector = _Collector(plan)
    collector.collect()
    return CApi(
        collector.types,
        collector.functions,
        tuple(name for name, _ in plan.short_names),
        collector.owners,
    )


class _Collector:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.types: Dict[str, CType] = {}
        self.functions: Dict[str, str] = {}
        self.owners: Dict[str, str] = {}
        self._targets = {alias.name: alias.target for alias in plan.aliases}

    def collect(self) -> None:
        self._enums()
        self._structs()
        self._aliases()
        self._handles()
        for method in self.plan.methods:
            self._accessors(method)
        self._handlers()

    def _name(self, text: str) -> str:
        return short(self.plan, text)

    def _c_type(self, text: str) -> str:
        """A C type with aliases followed."""
        words = [self._targets.get(word, word) for word in text.split(" ")]
        return self._name(" ".join(words))

    def _enums(self) -> None:
        for enum in self.plan.enums:
            name = self._name(enum.name)
            unknown = (enum.upper if enum.index is not None else enum.upper[: -len("_KIND")]) + "_UNKNOWN"
            members = [self._name(text) for text in (*enum.enumerators, unknown)]
            self.types[name] = CType("enum", dict.fromkeys(members, ""))
            self.owners.update(dict.fromkeys(members, name))
            for suffix in _OF_ENUMS if enum.index is not None else ():
                self.owners[f"{name}_{suffix}"] = name

    def _structs(self) -> None:
        for decl in self.plan.types:
            name = self._name(decl.name)
            if isinstance(decl, StructDecl):
                members = {member.name: self._c_type(member.c_type) for member in decl.members}
                self.types[name] = CType("struct", members)
                continue
            members = {"kind": self._name(decl.kind)}
            members.update({f"as.{member.name}": self._c_type(member.c_type) for member in decl.members})
            self.types[name] = CType("struct", members)
            self.owners[self._name(decl.kind)] = name

    def _aliases(self) -> None:
        for alias in self.plan.aliases:
            target = self._name(alias.target)
            known = self.types.get(target)
            self.types[self._name(alias.name)] = CType(target, known.members if known else {})

    def _handles(self) -> None:
        for handle in self.plan.handles:
            if not handle.c_name:
                continue
            name = self._name(handle.c_name)
            for suffix in (*TYPED, "table"):
                self.owners[f"{name}_{suffix}"] = name

    def _accessors(self, method: MethodPlan) -> None:
        for part, handle in (("params", method.params), ("result", method.response)):
            if handle is not None:
                name = f"mcp_{part}_{method.function}"
                self.functions[name] = f"const {self._c_type(handle.c_type)} *"

    def _handlers(self) -> None:
        plan = self.plan.handlers
        for side in plan.sides:
            members = {slot.name: self._slot(slot.params, slot.request) for slot in side.slots}
            self.types[self._name(side.handlers)] = CType("struct", members)
        for wrapper in (*plan.responds, *plan.replies):
            self._wrapper(wrapper, params=False, result=True)
        for wrapper in (*plan.requests, *plan.notifies):
            self._wrapper(wrapper, params=True, result=False)
        for wrapper in (*plan.asks, *plan.calls):
            self._wrapper(wrapper, params=True, result=True)
        for either in plan.eithers:
            self._either(either)

    def _slot(self, params: str, request: bool) -> str:
        answer = "request" if request else "notification"
        return f"handler of a {answer} with const {self._c_type(params)} *"

    def _wrapper(self, wrapper: Wrapper, params: bool, result: bool) -> None:
        parts = [f"params const {self._c_type(wrapper.params)} *"] if params else []
        parts += [f"result const {self._c_type(wrapper.result)} *"] if result else []
        self.functions[self._name(wrapper.name)] = ", ".join(parts)

    def _either(self, either: EitherCall) -> None:
        self._wrapper(either.usual, params=True, result=True)
        other = f"{either.part} const {self._c_type(either.other.result)} *"
        self.functions[self._name(either.usual.name)] += f", {other}"


def breaks(old: CApi, new: CApi) -> Tuple[CBreak, ...]:
    """All uses of the old API that the new one refuses, without what goes with a type that is gone."""
    found: List[CBreak] = []
    for name in sorted(old.types):
        found.extend(_type_breaks(name, old, new))
    for name in sorted(old.functions):
        if name not in new.functions:
            found.append(CBreak("function", name, "", old.functions[name], None))
        elif new.functions[name] != old.functions[name]:
            found.append(CBreak("function", name, "", old.functions[name], new.functions[name]))
    known = set(new.names)
    for name in old.names:
        named = name in old.types or name in old.functions or name in old.owners
        if name not in known and not named:
            found.append(CBreak("constant", name, "", "", None))
    found.extend(_lost(old, new, {item.text for item in found}))
    return tuple(found)


def _is_struct(item: CType, api: CApi) -> bool:
    """Whether a type is a struct, be it under another name."""
    return item.form == "struct" or (item.form in api.types and api.types[item.form].form == "struct")


def _type_breaks(name: str, old: CApi, new: CApi) -> Iterator[CBreak]:
    left, right = old.types[name], new.types.get(name)
    what = "enumerator" if left.form == "enum" else "slot" if name.endswith("_handlers") else "member"
    if right is None:
        if name not in old.owners or old.owners[name] in new.types:
            yield CBreak("type", name, "", left.form, None)
        return
    if left.form != right.form and not (left.form == "struct" and _is_struct(right, new)):
        yield CBreak("type", name, "", left.form, right.form)
    if left.form == right.form and left.form in old.types:
        return  # an alias: what it stands for is a type of its own
    for member, c_type in left.members.items():
        if member not in right.members:
            yield CBreak(what, name, member, c_type, None)
        elif right.members[member] != c_type:
            yield CBreak(what, name, member, c_type, right.members[member])


def _lost(old: CApi, new: CApi, reported: Set[str]) -> Iterator[CBreak]:
    """Names that go although the type that they go with stays."""
    known = set(new.names)
    for name in old.names:
        owner = old.owners.get(name)
        if owner is None or name in known or name in reported or name in old.types:
            continue
        if owner in new.types:
            yield CBreak("function", name, "", f"of {owner}", None)


def vanished(old: CApi, new: CApi) -> Tuple[str, ...]:
    """Every short name that is gone, in the order of the header."""
    known = set(new.names)
    return tuple(name for name in old.names if name not in known)
