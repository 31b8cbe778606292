# SPDX-License-Identifier: MIT
"""Requests that can be read in two ways, over sockets: each is refused, none of them hides another one, and
the connection ends where nobody can say where the request does."""

from __future__ import annotations

import contextlib
import os
import subprocess
import unittest
from typing import Iterator, List, NamedTuple, Optional, Sequence, Tuple

from tests.http.wire import TIMEOUT, Wire, call, chunked, post

PROGRAM = os.environ.get("MCPW_HTTP_SERVED", "")
BODY = call("say", "asked")
HIDDEN = post(call("say", "hidden"))
GOOD = post(call("say", "next"))


class Row(NamedTuple):
    """A request, the statuses that it may be answered by (0: none, the connection ends), and whether the
    connection is kept."""

    what: str
    sent: bytes
    statuses: Tuple[int, ...]
    kept: Optional[bool]  # None: it may


def kept(what: str, sent: bytes, status: int = 200) -> Row:
    return Row(what, sent, (status,), True)


def closed(what: str, sent: bytes, *statuses: int) -> Row:
    return Row(what, sent, statuses or (400,), False)


def either(what: str, sent: bytes, *statuses: int) -> Row:
    return Row(what, sent, statuses, None)


def lengths(*lines: bytes) -> bytes:
    return b"".join(b"%s\r\n" % line for line in lines)


SIZE = b"Content-Length: %d" % len(BODY)
CHUNKED = b"Transfer-Encoding: chunked"

LENGTHS = [
    kept("a length", post(BODY)),
    kept("a coding", post(chunked(BODY), framing=lengths(CHUNKED))),
    kept("a coding in other letters", post(chunked(BODY), framing=b"tRANSFER-eNCODING:\tChunked\r\n")),
    closed("two lengths", post(BODY + HIDDEN, framing=lengths(SIZE, b"Content-Length: 0"))),
    closed("two lengths, the short one first", post(BODY, framing=lengths(b"Content-Length: 0", SIZE))),
    closed("the same length twice", post(BODY, framing=lengths(SIZE, SIZE))),
    closed("a list of lengths", post(BODY, framing=lengths(SIZE + b", " + SIZE.split()[1]))),
    closed("a length with a sign", post(BODY, framing=b"Content-Length: +%d\r\n" % len(BODY))),
    closed("a negative length", post(BODY, framing=b"Content-Length: -1\r\n")),
    closed("a length in base 16", post(BODY, framing=b"Content-Length: 0x%x\r\n" % len(BODY))),
    closed("a length with letters after it", post(BODY, framing=lengths(SIZE + b"x"))),
    closed("a length with a point", post(BODY, framing=lengths(SIZE + b".0"))),
    closed("an empty length", post(BODY, framing=b"Content-Length:\r\n")),
    closed(
        "a length beyond 64 bits", post(BODY, framing=b"Content-Length: 18446744073709551616\r\n"), 400, 413
    ),
    closed("a length and a coding", post(chunked(BODY) + HIDDEN, framing=lengths(SIZE, CHUNKED))),
    closed("a coding and a length", post(chunked(BODY), framing=lengths(CHUNKED, SIZE))),
    closed(
        "a coding and no length", post(chunked(BODY) + HIDDEN, framing=lengths(CHUNKED, b"Content-Length: 0"))
    ),
    either(
        "a coding with a blank after it",
        post(chunked(BODY), framing=b"Transfer-Encoding: chunked \r\n"),
        200,
        400,
    ),
    either("a length with a blank after it", post(BODY, framing=lengths(SIZE + b" ")), 200, 400),
    closed("two codings", post(chunked(BODY), framing=lengths(CHUNKED, CHUNKED))),
    closed("a coding beside another", post(chunked(BODY), framing=lengths(CHUNKED, b"Transfer-Encoding: x"))),
    closed("a list of codings", post(chunked(BODY), framing=lengths(CHUNKED + b", chunked"))),
    closed("a coding before chunks", post(chunked(BODY), framing=b"Transfer-Encoding: gzip, chunked\r\n")),
    closed("the coding identity", post(BODY, framing=b"Transfer-Encoding: identity\r\n")),
    closed("an empty coding", post(BODY, framing=b"Transfer-Encoding:\r\n")),
    closed("a coding like chunked", post(chunked(BODY), framing=b"Transfer-Encoding: xchunked\r\n")),
    closed("a coding with a parameter", post(chunked(BODY), framing=lengths(CHUNKED + b";q=1"))),
    closed(
        "a coding after a control character",
        post(chunked(BODY), framing=b"Transfer-Encoding: \x0bchunked\r\n"),
    ),
    closed(
        "a coding in HTTP/1.0",
        post(
            chunked(BODY),
            line=b"POST /mcp HTTP/1.0",
            framing=lengths(CHUNKED),
            more=b"Connection: keep-alive\r\n",
        ),
    ),
    closed("a blank before the colon", post(chunked(BODY), framing=b"Transfer-Encoding : chunked\r\n")),
    closed("a tab before the colon", post(chunked(BODY), framing=b"Transfer-Encoding\t: chunked\r\n")),
    closed(
        "a blank before the colon of a length", post(BODY, framing=b"Content-Length : %d\r\n" % len(BODY))
    ),
    closed("a coding on a folded line", post(chunked(BODY), framing=b"Transfer-Encoding:\r\n chunked\r\n")),
    closed("a coding folded into another field", post(BODY, more=b"X: y\r\n Transfer-Encoding: chunked\r\n")),
]

CHUNKS = [
    closed("a chunk with a sign", post(b"+5\r\nhello\r\n0\r\n\r\n", framing=lengths(CHUNKED))),
    closed("a chunk with 0x", post(b"0x5\r\nhello\r\n0\r\n\r\n", framing=lengths(CHUNKED))),
    closed("a chunk with a blank", post(b"5 \r\nhello\r\n0\r\n\r\n", framing=lengths(CHUNKED))),
    closed("a chunk without a size", post(b"\r\nhello\r\n0\r\n\r\n", framing=lengths(CHUNKED))),
    closed("a chunk that is longer", post(b"3\r\nhello\r\n0\r\n\r\n", framing=lengths(CHUNKED))),
    closed(
        "a chunk beyond 64 bits", post(b"10000000000000005\r\nhello\r\n", framing=lengths(CHUNKED)), 400, 413
    ),
]

TARGETS = [
    kept("a query", post(BODY, line=b"POST /mcp?x=%00 HTTP/1.1")),
    kept("a URL", post(BODY, line=b"POST http://localhost/mcp HTTP/1.1")),
    kept(
        "a URL with a port",
        post(BODY, line=b"POST http://localhost:80/mcp?x HTTP/1.1", host=b"Host: localhost:80\r\n"),
    ),
    kept("a URL of TLS", post(BODY, line=b"POST HTTPS://LOCALHOST/mcp HTTP/1.1")),
    kept(
        "a URL of another host",
        post(BODY, line=b"POST http://a.example/mcp HTTP/1.1", host=b"Host: a.example\r\n"),
        403,
    ),
    closed("a URL of another host than Host", post(BODY, line=b"POST http://a.example/mcp HTTP/1.1")),
    closed(
        "a Host of another host than the URL",
        post(BODY, line=b"POST http://localhost/mcp HTTP/1.1", host=b"Host: a.example\r\n"),
    ),
    closed("a URL with a user", post(BODY, line=b"POST http://localhost@a.example/mcp HTTP/1.1")),
    *[
        kept(f"the target {target!r}", post(BODY, line=b"POST %s HTTP/1.1" % target), 404)
        for target in [
            b"/mcp%00x",
            b"/mcp%00",
            b"/mcp%20",
            b"/mcp%3fx",
            b"/mcp%3Fx",
            b"/mcp%2f",
            b"/%6dcp",
            b"%2fmcp",
            b"/mcp%0d%0a",
            b"/mcp%23",
            b"/mcp/",
            b"//mcp",
            b"/./mcp",
            b"/x/../mcp",
            b"/MCP",
            b"/mcp;x",
            b"/mcp#x",
            b"/mcpx",
            b"mcp",
            b"*",
            b"ftp://localhost/mcp",
            b"http:/localhost/mcp",
            b"http://localhost",
            b"http://localhost/%6dcp",
        ]
    ],
    closed("two blanks before the target", post(BODY, line=b"POST  /mcp HTTP/1.1")),
    closed("two blanks after the target", post(BODY, line=b"POST /mcp  HTTP/1.1"), 0, 400),
    closed("a tab before the target", post(BODY, line=b"POST\t/mcp HTTP/1.1"), 0, 400),
    closed("a blank in the target", post(BODY, line=b"POST /mcp x HTTP/1.1"), 0, 400),
    closed("a blank after the version", post(BODY, line=b"POST /mcp HTTP/1.1 "), 0, 400),
    closed("a blank before the method", post(BODY, line=b" POST /mcp HTTP/1.1"), 0, 400),
    closed("a NUL in the target", post(BODY, line=b"POST /mcp\0x HTTP/1.1"), 0, 400),
    closed("a NUL after the target", post(BODY, line=b"POST /mcp\0 HTTP/1.1"), 0, 400),
    closed("a NUL in the query", post(BODY, line=b"POST /mcp?a\0b HTTP/1.1"), 0, 400),
    closed("a NUL in the method", post(BODY, line=b"POST\0X /mcp HTTP/1.1"), 0, 400),
    closed("a control character in the target", post(BODY, line=b"POST /mcp?\x01 HTTP/1.1")),
    closed("a carriage return in the target", post(BODY, line=b"POST /mcp?\rx HTTP/1.1"), 0, 400),
    closed("no version", post(BODY, line=b"POST /mcp"), 0, 400),
    closed("another version", post(BODY, line=b"POST /mcp HTTP/2.0"), 0, 400, 505),
    closed("a version in other letters", post(BODY, line=b"POST /mcp http/1.1"), 0, 400),
]


def host(what: bytes, *statuses: int) -> Row:
    request = post(BODY, host=b"Host: %s\r\n" % what)
    is_kept = statuses[0] in (200, 403)
    return Row(f"the host {what!r}", request, statuses, is_kept)


FIELDS = [
    host(b"localhost", 200),
    host(b"LOCALHOST:1", 200),
    host(b"[::1]", 200),
    host(b" \tlocalhost \t", 200),
    host(b"a.example", 403),
    host(b"localhost.a.example", 403),
    host(b"127.1", 403),
    host(b"", 403),
    host(b"localhost\0.a.example", 400),
    host(b"localhost\0", 400),
    host(b"\0localhost", 400),
    host(b"localhost a.example", 400),
    host(b"localhost:80:80", 400),
    host(b"a.example@localhost", 400),
    host(b"localhost\x01", 400),
    host(b"localhost\rX", 400, 0),
    host(b"localhost/", 400),
    host(b"l\xc3\xb6calhost", 400),
    closed("no host", post(BODY, host=b"")),
    closed("two hosts", post(BODY, host=b"Host: localhost\r\nHost: a.example\r\n")),
    closed("the same host twice", post(BODY, host=b"Host: localhost\r\nHost: localhost\r\n")),
    closed("a folded host", post(BODY, host=b"Host: localhost\r\n .a.example\r\n")),
    closed("a host on a folded line", post(BODY, host=b"Host:\r\n localhost\r\n")),
    closed("a host after a line feed", post(BODY, host=b"Host: a.example\nHost: localhost\r\n")),
    closed("a line feed alone", post(BODY, more=b"X: y\n")),
    closed("a line feed after the request line", post(BODY).replace(b"HTTP/1.1\r\n", b"HTTP/1.1\n", 1)),
    closed("a head of line feeds", post(b"").replace(b"\r\n", b"\n").replace(b"Content-Length: 0", b"X: y")),
    closed("a line feed before the body", post(BODY, more=b"\n")),
    closed("an empty name", post(BODY, more=b": y\r\n")),
    closed("a line without a colon", post(BODY, more=b"X\r\n"), 0, 400),
    closed("a blank before a name", post(BODY, host=b"", more=b"X: y\r\n Host: localhost\r\n")),
    closed("a first line that is folded", post(BODY, host=b" X: y\r\nHost: localhost\r\n")),
    closed("a name with a blank", post(BODY, more=b"X Y: z\r\n")),
    closed("a name that is no token", post(BODY, more=b"X(y): z\r\n")),
    closed("a name with a NUL", post(BODY, more=b"X\0: y\r\n"), 0, 400),
    closed("a value with a NUL", post(BODY, more=b"X: a\0b\r\n")),
    closed("a last value with a NUL", post(BODY, more=b"X: a\0\r\n")),
    closed("a value with a carriage return", post(BODY, more=b"X: a\rb\r\n"), 0, 400),
    closed("a value with an escape", post(BODY, more=b"X: \x1b[2J\r\n")),
    closed("a token with a NUL", post(BODY, more=b"Authorization: Bearer t\0x\r\n")),
    closed("a session with a NUL", post(BODY, more=b"Mcp-Session-Id: 0123456789\0zz\r\n")),
    kept("a folded line of a body", post(BODY.replace(b" ", b"\r\n ", 1))),
    kept("many fields", post(BODY, more=b"".join(b"X-%d: \t y%d \t\r\n" % (i, i) for i in range(90)))),
    kept("an empty line before the request line", b"\r\n" + post(BODY)),
    kept("a field that is empty", post(BODY, more=b"X:\r\nY: \r\n")),
    kept("a value of other letters", post(BODY, more=b"X: caf\xc3\xa9\r\n")),
    kept("cookies", post(BODY, more=b"Cookie: a=b; c=d\r\n")),
    kept("an origin of another page", post(BODY, more=b"Origin: http://a.example\r\n"), 403),
    kept("an origin that is null", post(BODY, more=b"Origin: null\r\n"), 403),
    kept("two origins", post(BODY, more=b"Origin: http://localhost\r\nOrigin: http://localhost\r\n"), 403),
    closed("an origin with a NUL", post(BODY, more=b"Origin: http://localhost\0.a.example\r\n")),
]


class Site:
    """A server that runs."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port


@contextlib.contextmanager
def served(*options: str) -> Iterator[Site]:
    with subprocess.Popen([PROGRAM, *options], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Site(process, int(process.stdout.readline()))
        finally:
            process.terminate()
            status = process.wait(TIMEOUT)
    if status != 0:
        raise AssertionError(f"the server ended with {status}")


def outcome(port: int, request: bytes) -> Tuple[int, bool, bytes]:
    """By which status a request is answered, whether the connection takes another one, and all that came."""
    wire = Wire(port)
    try:
        wire.send(request)
        status, got = wire.response()
        if status == 0:
            return 0, False, got
        wire.send(GOOD)
        after, body = wire.response()
        is_kept = after == 200 and b"next" in body
        while not is_kept and wire.more():
            pass
        return status, is_kept, got + body + wire.got
    finally:
        wire.close()


class FramingTest(unittest.TestCase):
    def check(self, rows: Sequence[Row]) -> None:
        wrong: List[str] = []
        with served("idle=2") as site:
            for row in rows:
                status, is_kept, got = outcome(site.port, row.sent)
                if status not in row.statuses or row.kept not in (None, is_kept) or b"hidden" in got:
                    wrong.append(f"{row.what}: {status}, {'kept' if is_kept else 'closed'}: {got!r}")
        self.assertEqual(wrong, [])

    def test_where_a_request_ends_is_said_once(self) -> None:
        self.check(LENGTHS)

    def test_chunks_are_written_in_one_way(self) -> None:
        self.check(CHUNKS)

    def test_a_target_is_a_path_or_a_url_byte_by_byte(self) -> None:
        self.check(TARGETS)

    def test_a_field_is_a_name_and_a_text_on_one_line(self) -> None:
        self.check(FIELDS)

    def test_a_token_is_compared_with_all_of_its_bytes(self) -> None:
        with served("token=secret") as site:
            for token, status in ((b"secret", 200), (b"secret\0", 400), (b"secret\0x", 400), (b"secre", 401)):
                wire = Wire(site.port)
                wire.send(post(BODY, more=b"Authorization: Bearer %s\r\n" % token))
                self.assertEqual((token, wire.response()[0]), (token, status))
                wire.close()

    def test_heads_in_pieces_are_read_alike(self) -> None:
        with served() as site:
            for row in (LENGTHS[0], FIELDS[0], FIELDS[8]):
                wire = Wire(site.port)
                for i in range(0, len(row.sent), 7):
                    wire.send(row.sent[i : i + 7])
                self.assertIn(wire.response()[0], row.statuses, row.what)
                wire.close()


if __name__ == "__main__":
    unittest.main()
