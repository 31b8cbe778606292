# SPDX-License-Identifier: MIT
"""The one exception that the generator raises for input that it cannot turn into code."""

from __future__ import annotations

from dataclasses import dataclass


class Refusal(Exception):
    """Input that is not understood. Printed as `FILE: /json/pointer: cause`; exit status 2."""

    def __init__(self, file: str, pointer: str, cause: str) -> None:
        super().__init__(f"{file}: {pointer or '/'}: {cause}")
        self.file = file
        self.pointer = pointer
        self.cause = cause


class BadInput(Exception):
    """Input that cannot be read at all, or a command that cannot be carried out. The text is one line for
    the user; exit status 2."""


@dataclass(frozen=True)
class Note:
    """What a user has to know although nothing is refused: `FILE: /json/pointer: warning: text`."""

    file: str
    pointer: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}: {self.pointer or '/'}: warning: {self.text}"
