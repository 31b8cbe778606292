# SPDX-License-Identifier: MIT
"""Hashes without collisions, for names that are looked up in a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence, Tuple

NO_INDEX = 0xFF
MAX_UINT8 = 0xFF


@dataclass(frozen=True)
class Hash:
    """The parameters of MCPW_HASH and the slots that they lead to. multiplier 0: there is none."""

    mask: int
    multiplier: int
    shift: int
    slots: Tuple[int, ...]


def hash_of(key: bytes, multiplier: int, shift: int, mask: int) -> int:
    """MCPW_HASH of table.h."""
    size = len(key)
    middle = key[size >> 2] * 3 + key[(size * 7) >> 4]
    return (size * multiplier + (key[0] << shift) + middle + key[-1]) & mask


def find_hash(keys: Sequence[bytes]) -> Hash:
    """The smallest hash without collisions over these keys; none where the search finds none."""
    mask = 0
    while mask + 1 < len(keys):
        mask = mask * 2 + 1
    while keys and mask <= MAX_UINT8:
        for multiplier in range(1, 64):
            for shift in range(8):
                places = [hash_of(key, multiplier, shift, mask) for key in keys]
                if len(set(places)) == len(keys):
                    slots = [NO_INDEX] * (mask + 1)
                    for number, place in enumerate(places):
                        slots[place] = number
                    return Hash(mask, multiplier, shift, tuple(slots))
        mask = mask * 2 + 1
    return Hash(0, 0, 0, ())
