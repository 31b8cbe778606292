# SPDX-License-Identifier: MIT
"""Requests as bytes, and the responses to them, read strictly: nothing here forgives what a parser might."""

from __future__ import annotations

import contextlib
import json
import socket
from typing import Optional, Tuple

TIMEOUT = 20.0
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
LINES = (
    b"Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
    b"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
)


def call(tool: str, message: str) -> bytes:
    """The body of a call of a tool."""
    params = {"name": tool, "arguments": {"message": message}, "_meta": META}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()


def post(
    body: bytes,
    *,
    line: bytes = b"POST /mcp HTTP/1.1",
    host: bytes = b"Host: localhost\r\n",
    framing: Optional[bytes] = None,
    more: bytes = b"",
    tool: bytes = b"say",
) -> bytes:
    """A request, usual but for what is given; framing and more are whole lines."""
    framing = b"Content-Length: %d\r\n" % len(body) if framing is None else framing
    return b"".join([line, b"\r\n", host, LINES, b"Mcp-Name: ", tool, b"\r\n", framing, more, b"\r\n", body])


def chunked(body: bytes) -> bytes:
    """A body as two chunks."""
    half = len(body) // 2
    parts = [body[:half], body[half:]]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


class Wire:
    """A connection, whose responses are read one by one."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), TIMEOUT)
        self.got = b""

    def close(self) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        with contextlib.suppress(ConnectionError):
            self.socket.sendall(data)

    def more(self) -> bool:
        """Reads; false: there is nothing more."""
        try:
            data = self.socket.recv(65536)
        except ConnectionError:
            data = b""
        self.got += data
        return data != b""

    def response(self) -> Tuple[int, bytes]:
        """The status and body of the next response; 0: the connection has ended without one."""
        while b"\r\n\r\n" not in self.got:
            if not self.more():
                return 0, self.got
        head, self.got = self.got.split(b"\r\n\r\n", 1)
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
        status = int(head.split(b" ", 2)[1])
        if fields.get(b"transfer-encoding") == b"chunked":
            return status, self.chunks()
        wanted = int(fields.get(b"content-length", b"0"))
        while len(self.got) < wanted and self.more():
            pass
        body, self.got = self.got[:wanted], self.got[wanted:]
        return status, body

    def chunks(self) -> bytes:
        body = b""
        while True:
            while b"\r\n" not in self.got:
                if not self.more():
                    return body
            size, self.got = self.got.split(b"\r\n", 1)
            wanted = int(size.split(b";")[0], 16)
            while len(self.got) < wanted + 2 and self.more():
                pass
            body, self.got = body + self.got[:wanted], self.got[wanted + 2 :]
            if wanted == 0:
                return body
