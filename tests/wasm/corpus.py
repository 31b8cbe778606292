# SPDX-License-Identifier: MIT
"""Texts for the commands: conversations of every revision, broken ones, and values of definitions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.oracle import documents, jsontext, values
from tests.oracle.convert import Stream
from tests.oracle.faults import FaultMaker
from tests.oracle.project import Revision, parts_of
from tests.oracle.rules import Rules, read_rules

ROOT = Path(__file__).resolve().parents[2]
MESSAGES = ROOT / "examples" / "messages"
SEED = 20260728
CALLS = 5  # of each method
BROKEN = 0.4  # share of messages that are changed
CASES = 40  # of a definition


@dataclass(frozen=True)
class Case:
    """A command, and the text that is its file."""

    args: tuple[str, ...]
    text: bytes
    name: str = "text"

    @property
    def lines(self) -> int:
        return self.text.count(b"\n")


def conversation(revision: Revision, driver: str) -> bytes:
    rng = Random(f"{SEED}/{revision.name}")
    breaker = values.Breaker(revision.doc, rng)
    lines = []
    for line in Stream(revision, parts_of(driver)[revision.name], rng).lines(CALLS):
        text = line.text()
        if rng.random() < BROKEN:
            changed = breaker.mutate(json.loads(text))
            text = jsontext.write(changed, rng, jsontext.random_spelling(rng)).replace(b"\n", b" ")
        lines.append(text.replace(b"\r", b" "))
    return b"".join(line + b"\n" for line in lines)


def definitions(revision: Revision) -> Iterator[tuple[str, bytes]]:
    rules = Rules(revision.doc, read_rules(documents.SCHEMA_DIR, revision.name))
    rng = Random(f"{SEED}/{revision.name}/definitions")
    for name in sorted(revision.doc.definitions):
        cases = list(FaultMaker(revision.doc, rules, name, str(SEED)).cases())
        chosen = rng.sample(cases, min(CASES, len(cases)))
        yield name, b"".join(jsontext.write(case.value, rng) + b"\n" for case in chosen)


def of_validate(driver: str) -> Iterator[Case]:
    names = list(parts_of(driver))
    for name in names:
        revision = Revision(name, documents.SCHEMA_DIR)
        text = conversation(revision, driver)
        lines = ("--format=json", "--ndjson", "text")
        yield Case(("validate", *lines), text)
        yield Case(("validate", "--all-errors", "--strict", *lines), text)
        yield Case(("validate", "--all-errors", f"--revision={name}", *lines), text)
        yield Case(("validate", "--format=text", "--ndjson", "text"), text)
        if name != names[-1]:
            yield Case(("validate", "--format=junit", f"--revision={names[-1]}", "--ndjson", "text"), text)
    newest = Revision(names[-1], documents.SCHEMA_DIR)
    for definition, text in definitions(newest):
        yield Case(("validate", "--all-errors", "--strict", f"--type={definition}", *lines), text)
    for file in sorted(MESSAGES.glob("*.ndjson")):
        yield Case(("validate", "--all-errors", *lines), file.read_bytes())
        yield Case(("validate", "--format=json", "text"), file.read_bytes())


def of_convert(driver: str) -> Iterator[Case]:
    names = list(parts_of(driver))
    for name in names:
        text = conversation(Revision(name, documents.SCHEMA_DIR), driver)
        for other in names:
            yield Case(("convert", f"--to={other}", f"--from={name}", "--report=json", "text"), text)
        yield Case(("convert", f"--to={names[-1]}", "--report=json", "text"), text)


def of_usage() -> Iterator[Case]:
    """Failures and texts for people."""
    ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    for command in ("validate", "convert"):
        yield Case((command, "--help"), b"")
        yield Case((command, "--nonsense"), b"")
        yield Case((command, "--max-depth=1000", "text"), b"")
    yield Case(("validate", "--types"), b"")
    yield Case(("validate", "missing"), b"")
    yield Case(("validate", "--type=Toool", "text"), b"{}")
    yield Case(("validate", "--overlay=missing", "text"), ping)
    yield Case(("validate", "--max-bytes=10", "--format=json", "text"), ping)
    yield Case(("validate", "--format=json", "text"), b"")
    yield Case(("validate", "--format=json", "text"), b"\xff\xfe{")
    yield Case(
        ("validate", "--format=github", "--json-schema=text", "text"), b'{"type":"string","pattern":"^a"}'
    )
    yield Case(("convert", "text"), ping)
    yield Case(("convert", "--to=2024-11-05", "text"), b"\n\n")
    deep = b"[" * 512 + b"]" * 512
    yield Case(("validate", "--format=json", "--max-depth=512", "--json-schema=text", "text"), deep)
    call = (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":'
        + deep
        + b"}}}\n"
    )
    yield Case(("validate", "--format=json", "--max-depth=512", "text"), call)
    yield Case(
        ("validate", "--format=json", "--max-depth=512", "--all-errors", "text"),
        call.replace(b"[" * 500, b'[{"a":' * 500),
    )
