# SPDX-License-Identifier: MIT
"""The text of protocol_table.c: what sessions know of a revision beyond its types."""

from __future__ import annotations

from typing import List, Sequence, Tuple

from codegen.emit.fragments import CCode, CIdentifier, CString, Part, entry
from codegen.emit.pack import Table
from codegen.emit.text import Header, render
from codegen.facts.facts import ERROR_ROLES
from codegen.plan.cplan import FeatureEntry, GateEntry, MethodPlan, Plan, TopicEntry

_NULL = CIdentifier("NULL")


def protocol_file(plan: Plan, header: Header) -> str:
    """Tables of <mcpw/detail/protocol_table.h>."""
    tables = (
        Table("needs", "mcpw_need", tuple(_need(method) for method in plan.methods)),
        Table("gates", "mcpw_gate", tuple(_gate(gate) for gate in plan.gates)),
        Table("features", "mcpw_feature", tuple(_feature(feature) for feature in plan.features)),
        Table("topics", "mcpw_topic", tuple(_topic(topic) for topic in plan.topics)),
        Table("codes", "mcpw_code", tuple(entry(CCode("{$, $}", *pair)) for pair in plan.codes)),
    )
    filled = [table for table in tables if table.rows]
    return render("protocol_table.c", plan=header, tables=filled, fields=_fields(plan, tables))


def _text(text: str | None) -> Part:
    return _NULL if text is None else CString(text)


def _need(method: MethodPlan) -> CCode:
    return entry(CCode("{$, $}", _text(method.capability), _truth(method.by_sender)), method.name)


def _gate(gate: GateEntry) -> CCode:
    texts = (_text(gate.member), _text(gate.value), _text(gate.capability))
    return entry(CCode("{$, $, $, $}", CIdentifier(gate.method), *texts))


def _feature(feature: FeatureEntry) -> CCode:
    texts = (_text(text) for text in (feature.path, feature.value, feature.capability))
    method: Part = 0 if feature.method is None else CIdentifier(feature.method)
    return entry(CCode("{$, MCPW_PART_$, $, $, $}", method, CIdentifier(feature.part), *texts))


def _topic(topic: TopicEntry) -> CCode:
    texts = (_text(text) for text in (topic.filter, topic.member, topic.capability))
    return entry(CCode("{$, $, $, $}", CIdentifier(topic.notification), *texts))


def _truth(value: bool) -> CIdentifier:
    return CIdentifier("true" if value else "false")


def _fields(plan: Plan, tables: Sequence[Table]) -> List[CCode]:
    fields: List[Tuple[str, Part]] = [
        ("revision", CCode("&$_revision", CIdentifier(plan.prefix))),
        ("wire", _text(plan.base or plan.revision)),
        *((table.name, CIdentifier(table.name) if table.rows else _NULL) for table in tables),
        *((f"{table.name[:-1]}_count", len(table.rows)) for table in tables),
        ("argument_results", _truth(plan.argument_results)),
        ("polled_streams", _truth(plan.polled_streams)),
    ]
    shown = [CCode(".$ = $,", CIdentifier(name), value) for name, value in fields]
    for role, code in zip(ERROR_ROLES, plan.role_codes):
        shown.append(CCode(".role_codes[MCPW_CODE_$] = $,", CIdentifier(role), code))
    return shown
