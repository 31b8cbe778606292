# SPDX-License-Identifier: MIT
"""JSON text as the generator reads it: numbers exact, member order kept, duplicate members refused."""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Dict, List, NoReturn, Tuple, Union

from codegen.errors import BadInput, Refusal
from codegen.source.pointers import join

_MAX_DEPTH = 128
_MAX_DIGITS = 1000
MAX_BYTES = 8 * 1024 * 1024
"""No schema of the protocol comes near; what is longer would take long and end in another refusal."""

TYPESCRIPT = (".ts", ".mts", ".cts")
"""The names of TypeScript files end so."""

Json = Union[None, bool, int, Decimal, str, List["Json"], Dict[str, "Json"]]


class _Repeating(Dict[str, "Json"]):
    """An object in which `name` stands more than once. It is refused once its pointer is known."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


def read_bytes(path: Path) -> bytes:
    """The content of a file that the user named."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise BadInput(f"{path}: not usable: {size} bytes, at most {MAX_BYTES} are read")
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from error


def read_json(path: Path) -> Json:
    """The value that a JSON file holds."""
    return parse_json(read_bytes(path), str(path))


def parse_json(data: bytes, file: str) -> Json:
    """The value of a JSON text. `file` is what messages call it."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _position(data[: error.start])
        raise BadInput(f"{file}:{line}:{column}: not UTF-8") from error
    try:
        value: Json = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_fraction,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        hint = f": from-typescript makes a schema of {file}" if file.endswith(TYPESCRIPT) else ""
        raise BadInput(f"{file}:{error.lineno}:{error.colno}: not JSON: {error.msg}{hint}") from error
    except RecursionError as error:
        raise BadInput(f"{file}: not usable: nested more than {_MAX_DEPTH} deep") from error
    except ValueError as error:
        raise BadInput(f"{file}: not usable: {error}") from error
    _check(value, file, "")
    return value


def same_json(left: Json, right: Json) -> bool:
    """Equality as JSON Schema defines it: numbers by value, true is not 1, member order does not matter."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same_json(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_json, left, right))
    return left == right


def show_json(value: Json) -> str:
    """A value as one line for a message."""
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{show_json(key)}: {show_json(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(show_json, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def json_text(value: Json) -> str:
    """A value as JSON, the same text for equal ones. Numbers keep their digits."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k)}:{json_text(v)}" for k, v in sorted(value.items())) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(json_text, value)) + "]"
    return str(value) if isinstance(value, Decimal) else json.dumps(value)


def _position(before: bytes) -> Tuple[int, int]:
    """Line and column, in bytes, of what follows."""
    return before.count(b"\n") + 1, len(before) - (before.rfind(b"\n") + 1) + 1


def _object(pairs: List[Tuple[str, Json]]) -> Dict[str, Json]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    seen = set()
    for name, _ in pairs:
        if name in seen:
            return _Repeating(name)
        seen.add(name)
    raise AssertionError("fewer members than pairs, and none repeated")


def _integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError(f"a number of {len(text)} digits")
    return int(text)


def _fraction(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise ValueError(f"the exponent of {text} is out of range") from error


def _constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a JSON value")


def _check(value: Json, file: str, pointer: str, depth: int = 0) -> None:
    """Refuses what json.loads lets pass: repeated members, text that is no Unicode, bottomless nesting."""
    if depth > _MAX_DEPTH:
        raise Refusal(file, pointer, f"nested more than {_MAX_DEPTH} deep")
    if isinstance(value, _Repeating):
        raise Refusal(file, pointer, f"member {show_json(value.name)} stands here more than once")
    if isinstance(value, str):
        _check_text(value, file, pointer)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _check(item, file, join(pointer, index), depth + 1)
    elif isinstance(value, dict):
        for name, item in value.items():
            _check_text(name, file, pointer)
            _check(item, file, join(pointer, name), depth + 1)


def _check_text(text: str, file: str, pointer: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Refusal(file, pointer, "a lone surrogate is not Unicode text") from error
