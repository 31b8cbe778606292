# SPDX-License-Identifier: MIT
"""Talks to the driver program (driver.c): requests in, answers out."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Optional


class DriverError(Exception):
    """The driver crashed, or it answered with something else than its protocol allows."""


@dataclass(frozen=True)
class Request:
    revision: str
    definition: str
    text: bytes


@dataclass(frozen=True)
class Report:
    """One error as the library reports it."""

    code: str
    offset: int
    path: str
    message: str


@dataclass(frozen=True)
class Answer:
    """A verdict. Valid: error is None, and output is the text after decoding and encoding, where the mode
    asks for that. disagreement: what the library's own functions do not agree about."""

    error: Optional[Report] = None
    output: Optional[bytes] = None
    alternatives: tuple[tuple[str, str], ...] = ()  # of unions: place (see alternative.h) and name
    disagreement: Optional[str] = None

    @property
    def valid(self) -> bool:
        return self.error is None and self.disagreement is None

    def __str__(self) -> str:
        if self.disagreement is not None:
            return self.disagreement
        if self.error is None:
            return "valid"
        return f"{self.error.code} at {self.error.path!r}, offset {self.error.offset}: {self.error.message}"


def program(path: str) -> str:
    """A command-line argument that names a program to run."""
    found = shutil.which(str(Path(path).resolve()))
    if found is None:
        raise argparse.ArgumentTypeError(f"{path} is no program; build it first")
    return found


def _unescape(text: bytes) -> str:
    plain = re.sub(rb"\\x([0-9a-f]{2})", lambda match: bytes([int(match.group(1), 16)]), text)
    return plain.decode("utf-8", "backslashreplace")


def _report(line: bytes) -> Report:
    head, _, message = line.partition(b"\t")
    fields = head.split(b" ", 2)
    if len(fields) != 3:
        raise DriverError(f"the driver answered {line!r}")
    return Report(fields[0].decode(), int(fields[1]), _unescape(fields[2]), _unescape(message))


class _Answers:
    def __init__(self, text: bytes) -> None:
        self.text = text
        self.at = 0

    def line(self) -> bytes:
        end = self.text.find(b"\n", self.at)
        if end < 0:
            raise DriverError("the driver stopped before it had answered everything")
        line = self.text[self.at : end]
        self.at = end + 1
        return line

    def block(self, length: int) -> bytes:
        block = self.text[self.at : self.at + length]
        self.at += length + 1
        if len(block) != length:
            raise DriverError("the driver stopped in the middle of an answer")
        return block


def run(driver: str, mode: str, requests: Sequence[Request]) -> bytes:
    """The driver's output for these requests."""
    parts: list[bytes] = []
    for request in requests:
        head = f"{mode} {request.revision} {request.definition} {len(request.text)}\n"
        parts += [head.encode(), request.text, b"\n"]
    done = subprocess.run([driver], input=b"".join(parts), stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise DriverError(
            f"the driver ended with status {done.returncode} {_culprit(driver, mode, requests)}"
        )
    return done.stdout


def _culprit(driver: str, mode: str, requests: Sequence[Request]) -> str:
    """The request that the driver dies of, found by halving the batch."""
    if len(requests) == 1:
        only = requests[0]
        return f"on {only.revision} {only.definition}: {only.text!r}"
    half = len(requests) // 2
    for part in (requests[:half], requests[half:]):
        try:
            run(driver, mode, part)
        except DriverError as error:
            return str(error).partition("status ")[2].partition(" ")[2]
    return f"on a batch of {len(requests)} texts, though on neither half of it"


def ask(driver: str, mode: str, requests: Sequence[Request]) -> list[Answer]:
    """The driver's verdicts, in the order of the requests. mode is one of v, d, r, a."""
    answers = _Answers(run(driver, mode, requests))
    return [_answer(answers) for _ in requests]


def _answer(answers: _Answers) -> Answer:
    line = answers.line()
    if line == b"1":
        return Answer()
    if line.startswith(b"1 "):
        _, length, names = line.decode().split(" ", 2)
        return Answer(output=answers.block(int(length)), alternatives=_alternatives(names))
    if line.startswith(b"0 "):
        return Answer(error=_report(line[2:]))
    if line.startswith(b"! "):
        return Answer(disagreement=_unescape(line[2:]))
    raise DriverError(f"the driver answered {line!r}")


def _alternatives(text: str) -> tuple[tuple[str, str], ...]:
    if text == "-":
        return ()
    pairs = (part.partition("=") for part in text.split(","))
    return tuple((place, name) for place, _, name in pairs)


def ask_all_errors(driver: str, requests: Sequence[Request]) -> list[list[Report]]:
    """Every error of each text."""
    answers = _Answers(run(driver, "all", requests))
    found: list[list[Report]] = []
    for _ in requests:
        line = answers.line()
        if not line.startswith(b"E "):
            raise DriverError(f"the driver answered {line!r}")
        found.append([_report(answers.line()) for _ in range(int(line[2:]))])
    return found
