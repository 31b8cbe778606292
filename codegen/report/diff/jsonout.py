# SPDX-License-Identifier: MIT
"""A report as JSON, as report.schema.json describes it."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Dict

from codegen.errors import visible
from codegen.report.diff.report import Report
from codegen.report.diff.summary import summary

FORMAT = "mcpwire-diff"
VERSION = 1
SCHEMA_FILE = Path(__file__).resolve().parent / "report.schema.json"


def to_json(report: Report) -> str:
    """The report as a JSON text."""
    value: Dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "breaking": report.breaking,
        "summary": _value(summary(report)),
    }
    value.update(_value(report))
    lines = json.dumps(value, indent=2, ensure_ascii=False).split("\n")
    return "\n".join(map(visible, lines)) + "\n"


def _value(item: object) -> Any:
    """Records as objects with their members in camelCase, in the order of their definition."""
    if is_dataclass(item) and not isinstance(item, type):
        return {_camel(field.name): _value(getattr(item, field.name)) for field in fields(item)}
    if isinstance(item, tuple):
        return [_value(inner) for inner in item]
    return item


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)
