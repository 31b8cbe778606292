# SPDX-License-Identifier: MIT
"""The pool: all texts of a revision's tables, one after the other."""

from __future__ import annotations

from typing import Dict, Optional, Tuple

from codegen.emit.fragments import CCode

POOL_PADDING = 32
PATTERN_BYTES = 16
MAX_UINT16 = 0xFFFF


def mask_of(length: int) -> int:
    """One bit for each of the first bytes of a text, as many as one compare covers."""
    return (1 << min(length, PATTERN_BYTES)) - 1


class TextPool:
    """The texts of a revision, each once, each followed by a NUL. Texts that only messages and lookup by name
    need, the names of types, stand after all others, so that a small build can leave them out; so do, after
    these, the names of places in a type, which only messages of projection need."""

    def __init__(self) -> None:
        self._size = 0
        self._offsets: Dict[bytes, int] = {}
        self._names_size = 0
        self._names: Dict[bytes, int] = {}
        self._places_size = 0
        self._places: Dict[bytes, int] = {}
        self.offset(b"\x01" * PATTERN_BYTES)

    def offset(self, text: bytes) -> int:
        """The place of a text."""
        if text not in self._offsets:
            self._offsets[text] = self._size
            self._size += len(text) + 1
        return self._offsets[text]

    def key(self, name: str) -> Tuple[int, int, int]:
        """(offset, mask, length of the name) of a member's name, which stands with quotes and colon."""
        text = f'"{name}":'.encode()
        return self.offset(text), mask_of(len(text)), len(text) - len('"":')

    def quoted(self, value: str) -> Tuple[int, int, int]:
        """(offset, mask, length of the bare text) of a string, which stands with its quotes."""
        text = f'"{value}"'.encode()
        return self.offset(text), mask_of(len(text)), len(text) - len('""')

    def name(self, text: Optional[str]) -> CCode:
        """A text for messages, as a C expression; 0 for none."""
        if text is None:
            return CCode("0")
        name = text.encode()
        if name not in self._names:
            self._names[name] = self._names_size
            self._names_size += len(name) + 1
        return CCode("NAMES + $", self._names[name])

    def place(self, text: str) -> CCode:
        """A text for messages of projection, as a C expression: once all other names are known."""
        name = text.encode()
        if name in self._names:
            return self.name(text)
        if name not in self._places:
            self._places[name] = self._places_size
            self._places_size += len(name) + 1
        return CCode("PLACES + $", self._places[name])

    def size(self) -> int:
        """Bytes of all; at most MAX_UINT16 are possible."""
        return self._size + self._names_size + self._places_size + POOL_PADDING

    def names_at(self) -> int:
        """The place where the names begin, once all other texts are known."""
        return self._size

    def places_at(self) -> int:
        """The place where the names of places begin."""
        return self._size + self._names_size

    def texts(self) -> Tuple[Tuple[int, bytes], ...]:
        return tuple((offset, text) for text, offset in self._offsets.items())

    def names(self) -> Tuple[Tuple[int, bytes], ...]:
        return tuple((self._size + offset, text) for text, offset in self._names.items())

    def places(self) -> Tuple[Tuple[int, bytes], ...]:
        return tuple((self.places_at() + offset, text) for text, offset in self._places.items())
