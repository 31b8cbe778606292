# SPDX-License-Identifier: MIT
"""The cases in which the python-jsonschema of a stable distribution differs from JSON Schema.

Version 4.10, which Debian 12 has, takes true and 1 for equal inside the arrays and objects of an enum. It
breaks while it words what it found beyond unevaluatedItems.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Optional

import jsonschema

_CLASSES = (jsonschema.Draft7Validator, jsonschema.Draft201909Validator, jsonschema.Draft202012Validator)


def mend() -> None:
    """Corrects enum where this version needs it."""
    for each in _CLASSES:
        if each({"enum": [[True]]}).is_valid([1]):
            each.VALIDATORS["enum"] = _enum


def verdict(validator: Any, instance: Any) -> Optional[bool]:
    """Whether a value is valid; None where jsonschema breaks and says nothing."""
    try:
        return bool(validator.is_valid(instance))
    except (TypeError, RecursionError):
        return None


def _enum(validator: Any, enums: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not any(_equal(instance, each) for each in enums):
        yield jsonschema.ValidationError("none of those that are listed")


def _equal(one: Any, two: Any) -> bool:
    if isinstance(one, bool) or isinstance(two, bool):
        return one is two
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(_equal, one, two))
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(_equal(value, two[name]) for name, value in one.items())
    return bool(one == two)
