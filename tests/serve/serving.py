# SPDX-License-Identifier: MIT
"""The program serving.c, started with arguments, and what it says."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import select
import signal
import ssl
import subprocess
import time
import unittest
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

TIMEOUT = 20.0
HAS_HTTP = os.environ.get("MCPW_HTTP", "1") == "1"
HAS_SCHEMA = os.environ.get("MCPW_SCHEMA", "1") == "1"
Json = Dict[str, Any]


class Serving:
    """A process of it. Its standard error is read line by line."""

    def __init__(
        self,
        *arguments: str,
        env: Optional[Mapping[str, str]] = None,
        command: Optional[Sequence[str]] = None,
        **options: Any,
    ) -> None:
        self.process = subprocess.Popen(
            [*(command or [os.environ["MCPW_SERVING"]]), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})},
            **options,
        )
        self.rest: Dict[int, bytes] = {}
        self.told: List[str] = []

    def __enter__(self) -> Serving:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def line(self, stream: Any) -> Optional[str]:
        """The next line of a stream; None at its end, or when none comes in time."""
        number = stream.fileno()
        rest = self.rest.get(number, b"")
        end = time.monotonic() + TIMEOUT
        while b"\n" not in rest:
            ready, _, _ = select.select([number], [], [], max(0.0, end - time.monotonic()))
            more = os.read(number, 1 << 16) if ready else b""
            if not more:
                return None
            rest += more
        line, self.rest[number] = rest.split(b"\n", 1)
        return line.decode()

    def diagnostic(self) -> str:
        line = self.line(self.process.stderr)
        if line is None:
            raise AssertionError(f"nothing more on standard error; before: {self.told}")
        self.told.append(line)
        return line

    def send(self, message: Json) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Optional[Json]:
        line = self.line(self.process.stdout)
        return None if line is None else json.loads(line)

    def open(self) -> None:
        """The handshake of 2025-11-25."""
        info = {"name": "test", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
        self.send({"id": 0, "method": "initialize", "params": params})
        self.receive()
        self.send({"method": "notifications/initialized"})

    def call(self, number: int, tool: str, **arguments: str) -> None:
        params = {"name": tool, "arguments": arguments}
        self.send({"id": number, "method": "tools/call", "params": params})

    def signal(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def wait(self) -> int:
        return self.process.wait(TIMEOUT)

    def remaining(self) -> str:
        """The rest of its standard error, until its end."""
        lines = []
        line = self.line(self.process.stderr)
        while line is not None:
            lines.append(line)
            line = self.line(self.process.stderr)
        return "\n".join(lines)


class ServeTest(unittest.TestCase):
    """Runs to the end."""

    def run_to_end(
        self, *arguments: str, env: Optional[Mapping[str, str]] = None, data: str = ""
    ) -> Tuple[int, str, str]:
        done = subprocess.run(
            [os.environ["MCPW_SERVING"], *arguments],
            input=data,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            env={**os.environ, **(env or {})},
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def refused(self, arguments: Sequence[str], *words: str, env: Optional[Mapping[str, str]] = None) -> None:
        code, out, told = self.run_to_end(*arguments, env=env)
        self.assertEqual((code, out), (1, ""), told)
        for word in words:
            self.assertIn(word, told)
        self.assertIn("signals are back", told)


def post(
    port: int,
    tool: str,
    arguments: Optional[Json] = None,
    *,
    host: str = "127.0.0.1",
    path: str = "/mcp",
    fields: Optional[Mapping[str, str]] = None,
    tls: Optional[ssl.SSLContext] = None,
) -> Tuple[int, Mapping[str, str], Json]:
    """Calls a tool by 2026-07-28; status, fields and body."""
    kind = http.client.HTTPConnection if tls is None else http.client.HTTPSConnection
    more: Dict[str, Any] = {} if tls is None else {"context": tls}
    connection = kind(host, port, timeout=TIMEOUT, **more)
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments or {}, "_meta": meta},
    }
    own = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": tool,
    }
    try:
        connection.request("POST", path, json.dumps(body), {**own, **(fields or {})})
        response = connection.getresponse()
        text = response.read()
        return (
            response.status,
            {k.lower(): v for k, v in response.getheaders()},
            json.loads(text) if text else {},
        )
    finally:
        connection.close()
