# SPDX-License-Identifier: MIT
"""A client that knows nothing but JSON, for every revision, and the programs that it talks to."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import time
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, Union

ROOT = Path(__file__).resolve().parents[2]
REVISIONS = tuple(
    each["revision"] for each in json.loads((ROOT / "schema/revisions.json").read_text("utf-8"))["revisions"]
)
MODERN = "2026-07-28"
TIMEOUT = 30.0
META = "io.modelcontextprotocol/"
Json = Dict[str, Any]
Answer = Union[Json, Callable[[Json], Json]]

ELICITATION: Json = {"elicitation": {}}


def built_revisions() -> List[str]:
    """The revisions that the examples were built with, oldest first."""
    names = os.environ.get("MCPW_REVISIONS", "").split()
    return [name for name in REVISIONS if not names or name in names]


def example(name: str) -> str:
    """The path of an example."""
    return str(Path(os.environ.get("MCPW_EXAMPLES", ""), f"example_{name}").resolve())


class ExampleTest(unittest.TestCase):
    """Tests that need examples, and are skipped where those were not built."""

    needs: Tuple[str, ...] = ()

    def setUp(self) -> None:
        for name in self.needs:
            if not Path(example(name)).exists():
                self.skipTest(f"the example {name} was not built; MCPW_EXAMPLES names the folder of them")


class RpcError(Exception):
    """The error of an answer."""

    def __init__(self, error: Json) -> None:
        super().__init__(json.dumps(error))
        self.code = error["code"]
        self.data = error.get("data")


class Wire:
    """Messages in lines, on two descriptors."""

    def __init__(self, read_from: int, write_to: int) -> None:
        self.read_from = read_from
        self.write_to = write_to
        self.rest = b""

    def send(self, message: object) -> None:
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def send_bytes(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.write_to, data) :]

    def receive(self, timeout: float = TIMEOUT) -> Optional[Json]:
        """The next message; None when there is none in time, or no more at all."""
        end = time.monotonic() + timeout
        while b"\n" not in self.rest:
            ready, _, _ = select.select([self.read_from], [], [], max(0.0, end - time.monotonic()))
            more = os.read(self.read_from, 1 << 16) if ready else b""
            if not more:
                return None
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        message = json.loads(line)
        if message.get("jsonrpc") != "2.0":
            raise AssertionError(f"no JSON-RPC message: {line!r}")
        return dict(message)


class Client:
    """One end of a connection, speaking one revision. Other messages than responses are kept in `seen`."""

    def __init__(self, wire: Wire, revision: str, capabilities: Optional[Json] = None) -> None:
        self.wire = wire
        self.revision = revision
        self.capabilities = capabilities or {}
        self.answers: Dict[str, Answer] = {}
        self.seen: List[Json] = []
        self.opened: Json = {}
        self.last_id = 0

    @property
    def is_modern(self) -> bool:
        return self.revision >= MODERN

    def open(self) -> Client:
        info = {"name": "test", "version": "1"}
        if self.is_modern:
            self.opened = self.call("server/discover")
            return self
        params = {"protocolVersion": self.revision, "capabilities": self.capabilities, "clientInfo": info}
        self.opened = self.call("initialize", params)
        self.wire.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def params(self, params: Optional[Json]) -> Json:
        """Params with what the revision wants in them."""
        whole = dict(params or {})
        if self.is_modern:
            meta = {META + "protocolVersion": self.revision, META + "clientCapabilities": self.capabilities}
            whole["_meta"] = {**whole.get("_meta", {}), **meta}
        return whole

    def send(self, method: str, params: Optional[Json] = None) -> int:
        """Sends a request and gives its id."""
        self.last_id += 1
        self.wire.send(
            {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": self.params(params)}
        )
        return self.last_id

    def notify(self, method: str, params: Json) -> None:
        self.wire.send({"jsonrpc": "2.0", "method": method, "params": params})

    def answer(self, method: str, params: Json) -> Optional[Json]:
        """The client's response to a request of the server; None: it does not know the method."""
        found = self.answers.get(method)
        return found(params) if callable(found) else found

    def take(self, timeout: float = TIMEOUT) -> Optional[Json]:
        """The next answer or notification; the server's questions are answered on the way."""
        while True:
            message = self.wire.receive(timeout)
            if message is None or "method" not in message or "id" not in message:
                return message
            answer = self.answer(message["method"], message.get("params", {}))
            reply: Json = {"jsonrpc": "2.0", "id": message["id"]}
            refusal = {"code": -32601, "message": "not known here"}
            self.wire.send({**reply, "result": answer} if answer is not None else {**reply, "error": refusal})

    def wait(self, number: int) -> Json:
        """The answer to a request."""
        while True:
            message = self.take()
            if message is None:
                raise AssertionError(f"no answer to request {number}; seen: {self.seen}")
            if "method" not in message and message.get("id") == number:
                return message
            self.seen.append(message)

    def result(self, number: int) -> Json:
        """The result of a request, without what only 2026-07-28 has in it."""
        message = self.wait(number)
        if "error" in message:
            raise RpcError(message["error"])
        result: Json = message["result"]
        if self.is_modern:
            kind = result.pop("resultType", None)
            if kind not in ("complete", "input_required"):
                raise AssertionError(f"resultType {kind}")
            result.pop("ttlMs", None)
            result.pop("cacheScope", None)
        return result

    def call(self, method: str, params: Optional[Json] = None) -> Json:
        """Makes a request and gives its result; rounds of input are gone through."""
        while True:
            result = self.result(self.send(method, params))
            if "inputRequests" not in result and "requestState" not in result:
                return result
            answers = {
                key: self.answer(asked["method"], asked.get("params", {}))
                for key, asked in result.get("inputRequests", {}).items()
            }
            params = {**(params or {}), "inputResponses": answers}
            if "requestState" in result:
                params["requestState"] = result["requestState"]

    def tool(self, name: str, arguments: Optional[Json] = None) -> Json:
        """Calls a tool and gives its result."""
        return self.call("tools/call", {"name": name, "arguments": arguments or {}})

    def text(self, name: str, arguments: Optional[Json] = None) -> str:
        """Calls a tool whose result is one text."""
        result = self.tool(name, arguments)
        (block,) = result["content"]
        if result.get("isError"):
            raise AssertionError(f"the tool failed: {block}")
        return str(block["text"])

    def notifications(self, method: str) -> List[Json]:
        return [message["params"] for message in self.seen if message.get("method") == method]


@contextlib.contextmanager
def started(*command: str, status: int = 0) -> Iterator[Wire]:
    """A program to talk to on its standard input and output. In the end its input is closed, and it exits."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    try:
        yield Wire(process.stdout.fileno(), process.stdin.fileno())
        _, complaints = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
        process.wait()
    if process.returncode != status:
        raise AssertionError(f"{command[0]} exited with {process.returncode}: {complaints.decode()}")


def text_of(result: Mapping[str, Any]) -> str:
    """The text of a result with one block of text."""
    (block,) = result["content"]
    if block["type"] != "text":
        raise AssertionError(f"no text: {block}")
    return str(block["text"])
