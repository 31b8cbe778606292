# SPDX-License-Identifier: MIT
"""Holds `mcpwire convert` against the schemas of both revisions.

A stream of random messages of each revision is converted to every other one: requests, notifications,
results after their requests, errors, messages of unknown methods, batches. Whatever comes out must be valid
there, as a message and by its method, and answer a request that came out before. Every message that went in
was written or is reported; what the source's schema takes is never called invalid. Members that are reported
as dropped stood in the input.

Example: python3 -m tests.oracle.convert --tool build/tools/mcpwire --driver build/oracle_project --count 4
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Optional

from tests.oracle import documents, drive, jsontext, values
from tests.oracle.labels import shown
from tests.oracle.project import Part, Revision, parts_of

SHOWN = 20  # differences that are printed
TEXT_SHOWN = 1000
DEFAULT_COUNT = 4
BATCHED = 0.2  # share of messages that stand in a batch, where the revision has them
NULL_ID = 0.3  # share of errors without the id of a request
CUT = "..."  # what a pointer that did not fit begins with
ERROR_CODES = (-32700, -32600, -32601, -32602, -32603, -32002, -32042, -32020, -32021, -32022, 1, -1)
LEFT_OUT = ("unsayable", "invalid")

Message = dict[str, Any]


@dataclass(frozen=True)
class Line:
    """A line of the stream: one message, or several in a batch."""

    messages: tuple[Message, ...]
    batch: bool

    def text(self) -> bytes:
        value: Any = list(self.messages) if self.batch else self.messages[0]
        return json.dumps(value, ensure_ascii=False, default=float).encode("utf-8", "surrogatepass")


class Stream:
    """Messages of a revision, in an order in which a conversation might have them."""

    def __init__(self, revision: Revision, parts: Sequence[Part], rng: Random) -> None:
        self.revision = revision
        self.parts = {(part.method, part.part): part for part in parts}
        self.rng = rng
        self.next_id = 0

    def _make(self, method: str, part: str) -> Any:
        found = self.parts.get((method, part))
        if found is None:
            return {}
        shape = values.random_shape(self.rng)
        return values.Maker(self.revision.doc, self.rng, shape).make(self.revision.node(found.name))

    def _id(self) -> object:
        self.next_id += 1
        return self.next_id if self.rng.random() < 0.5 else f"r{self.next_id}"

    def _call(self, method: str) -> Message:
        message: Message = {"jsonrpc": "2.0", "method": method}
        if not method.startswith("notifications/"):
            message["id"] = self._id()
        if self.rng.random() < 0.9:
            message["params"] = self._make(method, "params")
        return message

    def _error(self, id_: object) -> Message:
        code = self.rng.choice(ERROR_CODES)
        message: Message = {"jsonrpc": "2.0", "error": {"code": code, "message": "failed"}}
        if self.rng.random() >= NULL_ID:
            message["id"] = id_
        elif self.rng.random() < 0.5:
            message["id"] = None
        return message

    def messages(self, method: str) -> Iterator[Message]:
        """A call, and what answers it."""
        call = self._call(method)
        yield call
        if "id" in call:
            answer = {"jsonrpc": "2.0", "id": call["id"], "result": self._make(method, "result")}
            yield self._error(call["id"]) if self.rng.random() < 0.2 else answer

    def lines(self, count: int) -> Iterator[Line]:
        methods = sorted({method for method, _ in self.parts} | {"x/unknown", "notifications/x"})
        for method in methods * count:
            for message in self.messages(method):
                batch = self.rng.random() < BATCHED and self.revision.name == "2025-03-26"
                yield Line(
                    (message, self._call("ping")) if batch and "method" in message else (message,), batch
                )


@dataclass(frozen=True)
class Outcome:
    output: tuple[Message, ...]
    notes: tuple[Message, ...]
    summary: Message


def convert(tool: str, source: str, target: str, lines: Sequence[Line]) -> Outcome:
    """The tool's output for the lines."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"".join(line.text() + b"\n" for line in lines))
        file.flush()
        command = [tool, "convert", "--from", source, "--to", target, "--report=json", file.name]
        done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise drive.DriverError(
            f"{' '.join(command)}: {done.returncode}: {done.stderr.decode()[-TEXT_SHOWN:]}"
        )
    *notes, summary = (json.loads(line) for line in done.stderr.splitlines())
    output = tuple(jsontext.read(line) for line in done.stdout.splitlines())
    return Outcome(output, tuple(notes), summary["summary"])


def _at(value: Any, pointer: str) -> tuple[bool, Any]:
    """Whether there is a value at a pointer, and which."""
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            found = [key for key in value if shown(key) == name]
            if not found:
                return False, None
            value = value[found[0]]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return False, None
    return True, value


class Judge:
    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.shown = 0

    def differs(self, what: str, source: Revision, target: Revision, value: object) -> None:
        self.counts["differences"] += 1
        if self.shown < SHOWN:
            self.shown += 1
            text = json.dumps(value, default=str)[:TEXT_SHOWN]
            print(f"{what}: {source.name} to {target.name}\n  {text}")

    def judge(
        self, source: Revision, target: Revision, parts: dict[str, list[Part]], lines: Sequence[Line],
        made: Outcome,
    ) -> None:  # fmt: skip
        own, names = (
            {(part.method, part.part): part.name for part in parts[revision.name]}
            for revision in (source, target)
        )
        methods: dict[object, str] = {}
        for message in made.output:
            self.counts["written"] += 1
            if not target.labeller.is_valid("JSONRPCMessage", message):
                self.differs("no message", source, target, message)
                continue
            if "method" in message:
                methods[message.get("id")] = message["method"]
                self._check_part(source, target, names, message["method"], "params", message)
            elif "result" in message and message["id"] not in methods:
                self.differs("answers nothing", source, target, message)
            elif "result" in message:
                self._check_part(source, target, names, methods[message["id"]], "result", message)
        self._account(source, target, own, lines, made)

    def _check_part(
        self, source: Revision, target: Revision, names: dict[tuple[str, str], str], method: str, part: str,
        message: Message,
    ) -> None:  # fmt: skip
        name = names.get((method, part))
        if name and part in message and not target.labeller.accepts(target.node(name), message[part]):
            self.differs(f"{part} of {method} not valid", source, target, message)

    def _account(
        self, source: Revision, target: Revision, own: dict[tuple[str, str], str], lines: Sequence[Line],
        made: Outcome,
    ) -> None:  # fmt: skip
        """Every message is written or told of, and what is told is so."""
        left_out = [note for note in made.notes if note["what"] in LEFT_OUT]
        if len(left_out) + len(made.output) != made.summary["messages"]:
            self.differs("messages are lost", source, target, made.summary)
        for note in made.notes:
            self.counts[note["what"]] += 1
            line = lines[note["line"] - 1]
            if note["what"] == "dropped" and not note["pointer"].startswith(CUT):
                value: Any = list(line.messages) if line.batch else line.messages[0]
                if not _at(value, note["pointer"])[0]:
                    self.differs(f"{note['pointer']} is dropped, and was not there", source, target, value)
            elif note["what"] == "invalid" and self._is_valid(source, own, line):
                self.differs(f"called invalid ({note.get('message')})", source, target, line.messages)

    def _is_valid(self, source: Revision, own: dict[tuple[str, str], str], line: Line) -> bool:
        """Whether the source's schema takes all messages of a line. Results are left aside: it takes them by
        what they answer."""
        return b"Infinity" not in line.text() and all(
            source.labeller.is_valid("JSONRPCMessage", message)
            and "method" in message
            and ("params" in message or (message["method"], "params") not in own)
            and self._takes(source, own, message)
            for message in line.messages
        )

    def _takes(self, source: Revision, own: dict[tuple[str, str], str], message: Message) -> bool:
        name = own.get((message["method"], "params"))
        return name is None or source.labeller.accepts(source.node(name), message["params"])


def check_revision(judge: Judge, options: argparse.Namespace, name: str, parts: dict[str, list[Part]],
                   revisions: dict[str, Revision]) -> None:  # fmt: skip
    rng = Random(f"{options.seed}/{name}")
    lines = list(Stream(revisions[name], parts[name], rng).lines(options.count))
    for other in parts:
        if other != name:
            made = convert(options.tool, name, other, lines)
            judge.judge(revisions[name], revisions[other], parts, lines, made)


def parse_arguments(arguments: Optional[Sequence[str]] = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="convert", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tool", required=True, type=drive.program, help="the mcpwire command")
    parser.add_argument("--driver", required=True, type=drive.program, help="built from project_driver.c")
    parser.add_argument("--count", type=int, default=DEFAULT_COUNT, help="calls of each method (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--schema-dir", type=Path, default=documents.SCHEMA_DIR)
    return parser.parse_args(arguments)


def main() -> int:
    options = parse_arguments()
    started = time.monotonic()
    parts = parts_of(options.driver)
    revisions = {name: Revision(name, options.schema_dir) for name in parts}
    judge = Judge()
    for name in parts:
        check_revision(judge, options, name, parts, revisions)
    counts = judge.counts
    print(
        f"{counts['written']} messages written, {counts['unsayable']} unsayable, "
        f"{counts['invalid']} invalid, "
        f"{counts['dropped']} members dropped, {counts['defaulted']} defaulted, {counts['substituted']} "
        f"substituted, {counts['differences']} differences, {time.monotonic() - started:.1f} s"
    )
    if counts["written"] < counts["unsayable"] or not counts["defaulted"] or not counts["substituted"]:
        print("too little was converted", file=sys.stderr)
        return 1
    return 1 if counts["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
