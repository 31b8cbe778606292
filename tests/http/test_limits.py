# SPDX-License-Identifier: MIT
"""The limits of the server of HTTP, over sockets: many connections, floods of them, slow readers and writers,
and what one of them costs."""

from __future__ import annotations

import concurrent.futures
import contextlib
import http.client
import os
import resource
import socket
import time
import unittest
from pathlib import Path
from typing import Dict, Iterable, Iterator, List

from tests.http.test_serve import TIMEOUT, Served, message, raw, read_until, served

SANITIZED = os.environ.get("MCPW_SANITIZED", "") not in ("", "0")
FILES = 2500
# Without epoll a server has 960 connections at most.
MANY = 800 if os.environ.get("MCPW_HTTP_EVENTS") == "poll" else 1000
LISTEN = raw("subscriptions/listen", notifications={"toolsListChanged": True})
LONG = b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
KEPT = 8192  # kilobytes that a server may keep of what long answers took
# Kilobytes of a connection and of a stream, a tenth above docs/guide/secure-http.md: 12 and 20.
IDLE = 14
STREAM = 22
PROMPT = 15.0  # s; nobody is waited for who is slow for longer


def memory_of(site: Served) -> int:
    """Kilobytes that are resident."""
    status = Path(f"/proc/{site.process.pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))


@contextlib.contextmanager
def many(site: Served, count: int, sent: bytes = b"") -> Iterator[List[socket.socket]]:
    """So many connections, on each of which something was sent."""
    with contextlib.ExitStack() as stack:
        wires = []
        for _ in range(count):
            wires.append(stack.enter_context(site.connect()))
            wires[-1].sendall(sent)
        yield wires


def status_of(site: Served, extra: Dict[str, str]) -> int:
    body, fields = message("tools/call", name="say", arguments={"message": "x"})
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=TIMEOUT)
    connection.request("POST", "/mcp", body, {**fields, **extra})
    status = connection.getresponse().status
    connection.close()
    return status


class LimitsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < FILES:
            raise unittest.SkipTest(f"there are descriptors for {hard} files only")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, FILES), hard))

    def assert_served_at_once(self, site: Served) -> None:
        began = time.monotonic()
        self.assertEqual(site.tool("say", message="still here"), "still here")
        self.assertLess(time.monotonic() - began, PROMPT)

    def test_a_head_has_8192_bytes_at_most(self) -> None:
        with served() as site:
            self.assertEqual(status_of(site, {"X-Long": "x" * 7500}), 200)
            self.assertEqual(status_of(site, {"X-Long": "x" * 8200}), 431)
            with contextlib.suppress(ConnectionError):  # it does not read so much to answer
                self.assertEqual(status_of(site, {"X-Long": "x" * 100000}), 431)
            self.assert_served_at_once(site)

    def test_a_head_may_have_what_the_program_says(self) -> None:
        with served("head=60000") as site:
            self.assertEqual(status_of(site, {"X-Long": "x" * 59000}), 200)
            self.assertEqual(status_of(site, {"X-Long": "x" * 60001}), 431)

    def test_a_head_may_have_many_fields(self) -> None:
        with served() as site:
            self.assertEqual(status_of(site, {f"X-{i}": "x" for i in range(100)}), 200)

    def test_an_idle_connection_takes_little_memory(self) -> None:
        if SANITIZED:
            self.skipTest("sanitizers take memory of their own")
        call = raw("tools/call", name="say", arguments={"message": "x"})
        with served() as site, many(site, 100, call) as first:
            for wire in first:
                read_until(wire, b"}]")
            before = memory_of(site)
            with many(site, MANY, call) as wires:
                for wire in wires:
                    read_until(wire, b"}]")
                self.assertLess((memory_of(site) - before) / MANY, IDLE)

    def test_an_open_stream_takes_little_memory(self) -> None:
        if SANITIZED:
            self.skipTest("sanitizers take memory of their own")
        with served() as site, many(site, 100, LISTEN) as first:
            for wire in first:
                read_until(wire, b"subscriptions/acknowledged")
            before = memory_of(site)
            with many(site, MANY, LISTEN) as wires:
                for wire in wires:
                    read_until(wire, b"subscriptions/acknowledged")
                self.assertLess((memory_of(site) - before) / MANY, STREAM)

    def test_more_connections_than_there_may_be_wait(self) -> None:
        with served("most=3") as site, many(site, 3) as wires, site.connect() as late:
            late.sendall(raw("tools/call", name="say", arguments={"message": "my turn"}))
            late.settimeout(0.5)
            with self.assertRaises(socket.timeout):
                late.recv(1)
            wires[0].close()
            late.settimeout(TIMEOUT)
            self.assertIn(b"my turn", read_until(late, b"}]"))

    def test_one_address_has_no_more_connections_than_it_may(self) -> None:
        with served("each=3") as site, many(site, 3) as wires:
            for wire in wires:
                wire.sendall(raw("tools/call", name="say", arguments={"message": "first"}))
                read_until(wire, b"first")
            with site.connect() as late, contextlib.suppress(ConnectionError):
                late.sendall(raw("tools/list"))
                self.assertEqual(late.recv(4096), b"")
            elsewhere = socket.create_connection(("127.0.0.1", site.port), TIMEOUT, ("127.0.0.2", 0))
            with elsewhere as other:
                other.sendall(raw("tools/call", name="say", arguments={"message": "from elsewhere"}))
                read_until(other, b"from elsewhere")

    def test_workers_run_handlers_while_others_are_served(self) -> None:
        with served("workers=2") as site, site.connect() as slow:
            slow.sendall(raw("tools/call", name="nap", arguments={}))
            self.assertEqual(site.tool("say", message="awake"), "awake")
            slow.setblocking(False)
            with self.assertRaises(BlockingIOError):
                slow.recv(1)
            slow.settimeout(TIMEOUT)
            read_until(slow, b"rested")

    def test_a_hang_up_does_not_hurt_a_worker(self) -> None:
        with served("workers=1") as site:
            for _ in range(2):
                with site.connect() as gone:
                    gone.sendall(raw("tools/call", name="nap", arguments={}))
                    time.sleep(0.1)
            self.assertEqual(site.tool("say", message="after all"), "after all")

    def test_a_flood_of_connections_leaves_others_served(self) -> None:
        with served() as site, many(site, MANY):
            self.assert_served_at_once(site)

    def test_a_flood_that_takes_all_connections_ends_with_their_time(self) -> None:
        with served("most=50", "idle=1") as site, many(site, 200):
            self.assertEqual(site.tool("say", message="at last"), "at last")

    def test_heads_that_come_byte_by_byte_leave_others_served(self) -> None:
        head = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
        with served() as site, many(site, 300) as wires:
            for byte in head[:20]:
                for wire in wires:
                    wire.sendall(bytes([byte]))
            self.assert_served_at_once(site)

    def test_heads_that_come_byte_by_byte_end_with_their_time(self) -> None:
        call = raw("tools/call", name="say", arguments={"message": "first"})
        with served("idle=1") as site, many(site, 20) as wires, many(site, 20, call) as kept:
            for wire in kept:
                read_until(wire, b"}]")
            slow = [*wires, *kept]
            for wire in slow:
                wire.sendall(b"POST /mcp HTTP/1.1\r\nX-Slow: ")
            self.assert_all_end(site, slow, b"x", PROMPT)

    def assert_all_end(
        self, site: Served, wires: Iterable[socket.socket], byte: bytes = b" ", patience: float = TIMEOUT
    ) -> None:
        """Whoever sends a byte now and then loses the connection."""
        began = time.monotonic()
        left = set(wires)
        while left and time.monotonic() - began < patience:
            self.assert_served_at_once(site)
            time.sleep(0.1)
            for wire in list(left):
                try:
                    wire.sendall(byte)
                except ConnectionError:
                    left.remove(wire)
        self.assertFalse(left)

    def test_bodies_that_come_byte_by_byte_end_with_their_time(self) -> None:
        with served("body=1000") as site, many(site, 100, raw("tools/list")[:-40]) as wires:
            self.assert_all_end(site, wires)

    def test_bodies_of_refused_heads_that_come_byte_by_byte_end_with_their_time(self) -> None:
        for line in (b"POST /nope", b"POST /mcp", b"GET /mcp", b"DELETE /mcp"):
            with self.subTest(line), served("idle=1") as site, many(site, 10, line + LONG) as wires:
                self.assert_all_end(site, wires)

    def test_bodies_that_no_exchange_takes_end_with_their_time(self) -> None:
        with served("idle=1", "body=60000", "exchanges=20") as site, contextlib.ExitStack() as stack:
            for wire in stack.enter_context(many(site, 19, LISTEN)):
                read_until(wire, b"subscriptions/acknowledged")
            refused = stack.enter_context(many(site, 10))
            with many(site, 1, raw("tools/list")[:-40]) as last:
                self.wait_until_full(site)
                for wire in refused:
                    wire.sendall(b"POST /mcp" + LONG)
                time.sleep(0.2)
                last[0].close()
            self.assert_all_end(site, refused)

    def wait_until_full(self, site: Served) -> None:
        end = time.monotonic() + TIMEOUT
        while status_of(site, {}) != 503:
            self.assertLess(time.monotonic(), end)

    def test_a_body_that_ends_in_time_brings_the_refusal(self) -> None:
        head = b"POST /nope HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n"
        with served("idle=1") as site, site.connect() as wire:
            wire.sendall(head)
            for _ in range(4):
                time.sleep(0.1)
                wire.sendall(b" ")
            self.assertIn(b" 404 ", read_until(wire, b"}"))

    def test_what_a_slow_reader_is_told_takes_bounded_memory(self) -> None:
        most = 1 << 20
        with served(f"output={most}") as site:
            before = memory_of(site)
            with site.connect() as slow:
                slow.sendall(asks_for_progress())
                self.assert_served_at_once(site)  # after some 80 MB of progress
                if not SANITIZED:
                    self.assertLess((memory_of(site) - before) * 1024, 8 * most)
                self.assertIn(b"told", read_until(slow, b"\r\n0\r\n\r\n"))

    def test_slow_readers_leave_others_served(self) -> None:
        long = raw("tools/call", name="say", arguments={"message": "x" * 6000000})
        with served() as site, many(site, 5, long) as wires:
            self.assert_served_at_once(site)
            for wire in wires:
                read_until(wire, b"}]")

    def test_what_long_answers_took_goes_back_to_the_system(self) -> None:
        if SANITIZED:
            self.skipTest("a sanitizer keeps what was freed")
        text = "x" * (16 << 20)
        with served() as site:
            site.tool("say", message="x")
            before = memory_of(site)
            for _ in range(2):
                with concurrent.futures.ThreadPoolExecutor(4) as threads:
                    said = [threads.submit(site.tool, "say", message=text) for _ in range(4)]
                    self.assertTrue(all(one.result() == text for one in said))
            end = time.monotonic() + TIMEOUT
            while memory_of(site) > before + KEPT and time.monotonic() < end:
                time.sleep(0.05)
            self.assertLess(memory_of(site), before + KEPT)


def asks_for_progress() -> bytes:
    token = b'"_meta": {"progressToken": 1, '
    whole = raw("tools/call", name="flood", arguments={})
    head, body = whole.split(b"\r\n\r\n")
    longer = body.replace(b'"_meta": {', token)
    before, after = (f"Content-Length: {len(text)}".encode() for text in (body, longer))
    return head.replace(before, after) + b"\r\n\r\n" + longer


if __name__ == "__main__":
    unittest.main()
