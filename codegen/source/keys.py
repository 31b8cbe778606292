# SPDX-License-Identifier: MIT
"""The keys by which facts and comments name a place of a schema: `Tool.inputSchema`, `X.items[]`."""

from __future__ import annotations

SEPARATOR = "."

_BRANCHES = frozenset(("anyOf", "oneOf", "allOf"))
_STEPS = {"items": "[]", "additionalProperties": "{}"}


def key_of(pointer: str) -> str:
    """The documentation key of the schema that a JSON pointer into a schema document names.

    Members that allOf brings in from another definition are documented there, so a merged member is looked up
    by the pointer of the schema that declares it.
    """
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    if len(steps) < 2 or steps[0] not in ("definitions", "$defs"):
        raise ValueError(f"{pointer}: not inside a definition")
    key = steps[1]
    rest = iter(steps[2:])
    for keyword in rest:
        if keyword in _BRANCHES:
            next(rest, None)
        elif keyword in _STEPS:
            key += _STEPS[keyword]
        elif keyword == "properties":
            key += SEPARATOR + next(rest, "")
        else:
            raise ValueError(f"{pointer}: {keyword} leads to no schema")
    return key
