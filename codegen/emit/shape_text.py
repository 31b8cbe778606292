# SPDX-License-Identifier: MIT
"""The smallest parts of the tables of demands: hashes, texts of scalars, initialisers."""

from __future__ import annotations

from decimal import Decimal
from typing import Tuple, Union

from codegen.emit.fragments import CCode, joined
from codegen.model.resolve import IS_BOOLEAN, IS_NULL, IS_NUMBER, IS_STRING
from codegen.source.jsonfile import Json

IS_WHOLE = 64
"""A number that is written without point and exponent."""

_WORD = 8
_HALF = 4
_INT_MAX = 0x7FFFFFFF
_MASK = 0xFFFFFFFFFFFFFFFF


def _mix(value: int, word: int) -> int:
    value = (value ^ word) * 0x9E3779B97F4A7C15 & _MASK
    return value ^ value >> 32


def hash_text(text: bytes) -> int:
    """mcpw_hash_text of runtime/schema/tape.h."""

    def load(first: int, size: int) -> int:
        return int.from_bytes(text[first : first + size], "little")

    size = len(text)
    value = _mix(0x2545F4914F6CDD1D, size)
    at = 0
    while size - at > _WORD:
        value = _mix(value, load(at, _WORD))
        at += _WORD
    if size >= _WORD:
        value = _mix(value, load(size - _WORD, _WORD))
    elif size >= _HALF:
        value = _mix(value, load(0, _HALF) << 32 | load(size - _HALF, _HALF))
    elif size != 0:
        value = _mix(value, text[0] << 16 | text[size // 2] << 8 | text[-1])
    return value >> 32


def row_text(*parts: Union[int, CCode]) -> CCode:
    """The initialiser of an entry."""
    return CCode("{$}", joined(", ", (unsigned(part) if isinstance(part, int) else part for part in parts)))


def unsigned(value: int) -> CCode:
    """A constant that may be too large for an int."""
    return CCode("$U" if value > _INT_MAX else "$", value)


def scalar_text(value: Json) -> Tuple[bytes, int]:
    """The text of a scalar as the tape has it, with its type."""
    if isinstance(value, str):
        return value.encode(), IS_STRING
    if isinstance(value, bool):
        return (b"true" if value else b"false"), IS_BOOLEAN
    if value is None:
        return b"null", IS_NULL
    assert isinstance(value, (int, Decimal))
    text = str(value)
    return text.encode(), IS_WHOLE if text.lstrip("-").isdigit() else IS_NUMBER
