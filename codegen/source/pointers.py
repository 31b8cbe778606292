# SPDX-License-Identifier: MIT
"""JSON Pointer (RFC 6901)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Tuple, Union

if TYPE_CHECKING:
    from codegen.source.jsonfile import Json

_INDEX = re.compile(r"0|[1-9][0-9]*")


def escape(token: str) -> str:
    """One reference token as it stands in a pointer."""
    return token.replace("~", "~0").replace("/", "~1")


def join(pointer: str, *tokens: Union[str, int]) -> str:
    """The pointer that goes on from `pointer` by these member names and array indexes."""
    return pointer + "".join("/" + escape(str(token)) for token in tokens)


def split(pointer: str) -> Tuple[str, ...]:
    """The unescaped tokens of a pointer. ValueError when it does not begin with a slash."""
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        raise ValueError("a JSON pointer begins with '/'")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/"))


def lookup(value: Json, pointer: str) -> Json:
    """The value at a pointer. KeyError when nothing stands there."""
    for token in split(pointer):
        value = child(value, token)
    return value


def child(value: Json, token: str) -> Json:
    """A member of an object, or an item of an array. KeyError when there is none."""
    if isinstance(value, dict) and token in value:
        return value[token]
    if isinstance(value, list) and _INDEX.fullmatch(token) and int(token) < len(value):
        return value[int(token)]
    raise KeyError(token)
