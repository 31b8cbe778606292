# SPDX-License-Identifier: MIT
"""The text of protocol_table.c: what sessions know of a revision beyond its types."""

from __future__ import annotations

from typing import List, Sequence, Tuple

from codegen.emit.pack import Table
from codegen.emit.pool import c_string
from codegen.emit.text import Header, render
from codegen.facts.facts import ERROR_ROLES
from codegen.plan.comments import plain
from codegen.plan.cplan import FeatureEntry, GateEntry, MethodPlan, Plan, TopicEntry


def protocol_file(plan: Plan, header: Header) -> str:
    """Tables of <mcpw/protocol_table.h>."""
    tables = (
        Table("needs", "mcpw_need", tuple(_need(method) for method in plan.methods)),
        Table("gates", "mcpw_gate", tuple(_gate(gate) for gate in plan.gates)),
        Table("features", "mcpw_feature", tuple(_feature(feature) for feature in plan.features)),
        Table("topics", "mcpw_topic", tuple(_topic(topic) for topic in plan.topics)),
        Table("codes", "mcpw_code", tuple(f"{{{code}, {to}}}," for code, to in plan.codes)),
    )
    filled = [table for table in tables if table.rows]
    return render("protocol_table.c", plan=header, tables=filled, fields=_fields(plan, tables))


def _text(text: str | None) -> str:
    return "NULL" if text is None else c_string(text.encode())


def _need(method: MethodPlan) -> str:
    by_sender = "true" if method.by_sender else "false"
    return f"{{{_text(method.capability)}, {by_sender}}}, /* {plain(method.name)} */"


def _gate(gate: GateEntry) -> str:
    return f"{{{gate.method}, {_text(gate.member)}, {_text(gate.value)}, {_text(gate.capability)}}},"


def _feature(feature: FeatureEntry) -> str:
    texts = ", ".join(_text(text) for text in (feature.path, feature.value, feature.capability))
    return f"{{{feature.method}, MCPW_PART_{feature.part}, {texts}}},"


def _topic(topic: TopicEntry) -> str:
    texts = ", ".join(_text(text) for text in (topic.filter, topic.member, topic.capability))
    return f"{{{topic.notification}, {texts}}},"


def _fields(plan: Plan, tables: Sequence[Table]) -> List[str]:
    fields: List[Tuple[str, object]] = [
        ("revision", f"&{plan.prefix}_revision"),
        ("wire", _text(plan.base or plan.revision)),
        *((table.name, table.name if table.rows else "NULL") for table in tables),
        *((f"{table.name[:-1]}_count", len(table.rows)) for table in tables),
        ("argument_results", "true" if plan.argument_results else "false"),
        *((f"role_codes[MCPW_CODE_{role}]", code) for role, code in zip(ERROR_ROLES, plan.role_codes)),
    ]
    return [f".{name} = {value}," for name, value in fields]
