# SPDX-License-Identifier: MIT
"""Requests of HTTP in the notation of fuzz_http.c, of both eras, right and wrong; what happens besides."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.fuzz.samples import CALLS, CLIENT, REPLIES

MODERN = "2026-07-28"
LISTEN = ("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
KEEPS = 1  # what the tool "echo" does when it is told so: it answers later
ACTIONS = 18
OPERANDS = bytes(value for value in range(64) if value != 10)  # no line feed
# As many letters as often as each is of use: see stage_operate.
LETTERS = b"AAATCCCFHWOOPDYYBSSrrruukmglicq"
ODD_FIELDS = (
    b"Host:evil.example",
    b"Host:[::1]:8080",
    b"Host:",
    b"Origin:http://localhost:3000",
    b"Origin:https://a.example",
    b"Origin:null",
    b"Accept:application/json",
    b"Accept:text/*;q=0.5, application/*",
    b"Content-Type:application/json; charset=utf-8",
    b"Content-Type:text/plain",
    b"Content-Encoding:gzip",
    b"Content-Length:999999",
    b"Content-Length:5, 5",
    b"Transfer-Encoding:chunked",
    b"Transfer-Encoding:gzip",
    b"Content-Length :5",
    b"Host:localhost evil",
    b"X:\x01",
    b"MCP-Protocol-Version:2025-06-18",
    b"MCP-Protocol-Version:1",
    b"Mcp-Method:=?base64?dG9vbHMvbGlzdA==?=",
    b"Mcp-Name:=?base64?ZWNobw==?=",
    b"Mcp-Name:=?base64?#?=",
    b"Mcp-Session-Id:$S1",
    b"Mcp-Session-Id:x",
    b"Last-Event-ID:$E0",
    b"Last-Event-ID:0-99",
    b"Last-Event-ID:99999999999999999999-1",
)
TOOL_AT = {"name": "at", "arguments": {"region": "eu", "n": 1.5, "b": True, "in": {"deep": "é"}}}
FIELDS_AT = (
    b"Mcp-Param-Region:eu\nMcp-Param-N:1.50\nMcp-Param-B:true\nMcp-Param-Deep:=?base64?w6k=?=",
    b"Mcp-Param-Region:=?base64?ZXU=?=\nMcp-Param-N:15e-1\nMcp-Param-B:true\nMcp-Param-Deep:e",
)

# Lines for the modes of fuzz_header.c, each with the number of its mode.
VALUES: tuple[tuple[int, str], ...] = (
    (0, "a, b ,\t, c;q=1,"),
    (0, ""),
    (1, "plain"),
    (1, "=?base64?cGxhaW4=?="),
    (1, "=?base64??="),
    (1, "=?base64?w6k?="),
    (1, "=?base64?="),
    (2, "localhost:8080\nhttp://LOCALHOST:3000\n\n"),
    (2, "[::1]:80\nhttps://[::1]\n\n"),
    (2, "127.0.0.1\nnull\n\n"),
    (2, "localhost:x@evil.example\n\n\n"),
    (2, "a.example:80\n\nb.example a.example\n"),
    (2, "a.example:80\nhttps://app.example\na.example:80\nhttps://app.example http://b"),
    (2, "any\nhttp://127.0.0.1:9\n*\n"),
    (2, "any\nhttps://x\n*\n*"),
    (3, "application/json, text/event-stream\n\napplication/json; charset=utf-8"),
    (3, "*/*;q=0.1\n\napplication/json"),
    (3, "text/*\napplication/*\nAPPLICATION/JSON"),
    (3, "text/html\ntext/event-stream\ntext/plain"),
    (4, "eu\neu\n15e-1\n1.5"),
    (4, 'é "x"\n=?base64?w6k=?=\n12\n12.0'),
    (4, " eu\neu\n9007199254740993\n9007199254740992"),
    (4, "=?base64?eA==?=\nx\n-0\n0"),
    (5, "/mcp\n5\n\n"),
    (5, "/mcp?a=b\n\nchunked\nX\ty"),
    (5, "http://localhost:80/mcp\n00005\n\nHost\nlocalhost"),
    (5, "https://[::1]/mcp\n\nchunked, chunked\nContent-Length\n5, 5"),
    (5, "/mcp%00\n18446744073709551616\nchunked\nTransfer-Encoding \nx\x00y"),
    (2, "[::1]:80x\nhttp://localhost\n\n"),
    (2, "localhost:80:80\n\n*\n"),
)

# Streams for fuzz_event_stream.c.
EVENTS = (
    b"data: {}\n\n",
    b'id: 1-1\nretry: 1000\ndata: \n\nid: 1-2\ndata: {"a":1}\n\n: quiet\n\n',
    b"\xef\xbb\xbfdata:a\r\ndata:b\r\rdata\n\n",
    b"event: message\rdata: x\r\revent: other\rdata: y\r\r\n",
    b"id: a\x00b\ndata: 1\n\nid\ndata: 2\n\nid:3\n\n",
    b"retry: 99999999999\nretry: 1x\nretry:\ndata\n\n",
    b"data: unfinished",
    b":" + b"c" * 70 + b"\ndata: " + b"d" * 40 + b"\ndata: " + b"e" * 40 + b"\n\n",
)

Dump = Callable[[object], bytes]
Request = Callable[[str, int, str, "dict[str, object]"], bytes]


def sent(kind: bytes, body: bytes, fields: bytes = b"", line: bytes = b"POST /mcp") -> bytes:
    more = fields + b"\n" if fields else b""
    return b">" + line + b"\n@" + kind + b"\n" + more + b"\n" + body


def operation(rng: Random, letters: bytes = LETTERS) -> bytes:
    return b"!" + bytes((rng.choice(letters), rng.choice(OPERANDS), rng.choice(OPERANDS))) + b"\n"


def call(rng: Random) -> tuple[str, dict[str, object]]:
    method, params = rng.choice((*CALLS, LISTEN, LISTEN))
    if method == "tools/call" and rng.random() < 0.8:
        what = KEEPS if rng.random() < 0.4 else rng.randrange(ACTIONS)
        params = {"name": "echo", "arguments": {"n": what}}
    return method, params


def bare(rng: Random, body: bytes) -> bytes:
    """A request with few fields, which are not those that are usual."""
    fields = b"".join(rng.choice(ODD_FIELDS) + b"\n" for _ in range(rng.randrange(4)))
    return b">POST /mcp?x\nHost:localhost\n" + fields + b"\n" + body


def alone(rng: Random, request: Request, number: int) -> bytes:
    """A request that stands for itself, sometimes with a field that is wrong or odd."""
    odd = rng.choice(ODD_FIELDS) if rng.random() < 0.3 else b""
    if rng.random() < 0.15:
        return sent(b"m", request(MODERN, number, "tools/call", TOOL_AT), rng.choice(FIELDS_AT))
    if rng.random() < 0.1:
        return bare(rng, request(MODERN, number, *call(rng)))
    return sent(b"m", request(MODERN, number, *call(rng)), odd)


def opening(revision: str, dump: Dump, number: int) -> bytes:
    info = {"name": "c", "version": "1"}
    params = {"protocolVersion": revision, "capabilities": CLIENT, "clientInfo": info}
    first = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
    told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    return sent(b"", dump(first)) + sent(b"%d" % number, dump(told))


def batch(revision: str, request: Request, rng: Random, number: int) -> bytes:
    lines = [request(revision, number + i, *call(rng)).strip() for i in range(1 + rng.randrange(3))]
    return b"[" + b",".join(lines) + b"]"


def in_session(revision: str, dump: Dump, request: Request, rng: Random, number: int) -> bytes:
    """Something that a client does in its session."""
    kind = b"%d" % rng.choice((0, 0, 0, 1))
    what = rng.random()
    if what < 0.15:
        return sent(kind, b"", b"", b"GET /mcp")
    if what < 0.3:
        last = b"Last-Event-ID:$E%d" % rng.randrange(3)
        return sent(kind, b"", last, b"GET /mcp")
    if what < 0.34:
        return sent(kind, b"", b"", b"DELETE /mcp")
    if what < 0.45:
        reply = {"jsonrpc": "2.0", "id": rng.randrange(1, 4), "result": rng.choice(REPLIES)}
        return sent(kind, dump(reply))
    if what < 0.5:
        told = {"requestId": number - 1}
        return sent(kind, dump({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": told}))
    if what < 0.55:
        return sent(kind, batch(revision, request, rng, number))
    odd = rng.choice(ODD_FIELDS) if rng.random() < 0.2 else b""
    method, params = call(rng)
    return sent(kind, request(revision, number, method, {**params, "_meta": {"progressToken": number}}), odd)


def traffic(revision: str, dump: Dump, request: Request, rng: Random) -> bytes:
    """The messages of clients to one server, and the events in between."""
    text = b"!m" + bytes((rng.randrange(64, 256),)) + b"\n" if rng.random() < 0.3 else b""
    if revision != MODERN:
        text += opening(revision, dump, 0)
        text += opening(revision, dump, 1) if rng.random() < 0.3 else b""
    for number in range(1, 4 + rng.randrange(7)):
        if revision == MODERN or rng.random() < 0.1:
            text += alone(rng, request, number)
        else:
            text += in_session(revision, dump, request, rng, number)
        while rng.random() < 0.5:
            text += operation(rng)
        text += b"!Z\n" if rng.random() < 0.02 else b""
    return text


def pair(rng: Random, methods: list[int]) -> bytes:
    """The actions of two programs that talk over HTTP."""
    text = b""
    for letter in (b"m", b"M"):
        text += b"!" + letter + bytes((rng.randrange(64, 256),)) + b"0\n" if rng.random() < 0.2 else b""
    for _ in range(8 + rng.randrange(20)):
        if rng.random() < 0.5:
            text += b"!q" + bytes((rng.choice(methods), rng.choice(OPERANDS))) + b"\n"
        else:
            text += operation(rng, b"qqRRRAATBBWWkguixlrGKLUCNEDZc")
    return text
