# SPDX-License-Identifier: MIT
"""The text of a report, fit for people: texts of schemas without commands to a terminal."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, Dict, TypeVar

from codegen.errors import visible

T = TypeVar("T")


def shown(value: T) -> T:
    """A copy of a report, or of any part of one, whose texts are visible. One object stays one."""
    copy: T = _shown(value, {})
    return copy


def _shown(value: Any, known: Dict[int, Any]) -> Any:
    if isinstance(value, str):
        return visible(value)
    if id(value) not in known:
        known[id(value)] = _copied(value, known)
    return known[id(value)]


def _copied(value: Any, known: Dict[int, Any]) -> Any:
    if isinstance(value, (tuple, list, frozenset)):
        return type(value)(_shown(item, known) for item in value)
    if isinstance(value, dict):
        return {_shown(name, known): _shown(item, known) for name, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(
            **{field.name: _shown(getattr(value, field.name), known) for field in fields(value)}
        )
    return value
