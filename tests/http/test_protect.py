# SPDX-License-Identifier: MIT
"""A protected server over sockets: verdicts that come later, peers that go, and what reaches logs."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import select
import signal
import subprocess
import tempfile
import time
import unittest
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Iterator

from tests.http.test_serve import TIMEOUT, Served, message, raw, read_until, text_of

PROGRAM = os.environ.get("MCPW_HTTP_PROTECTED", "")
SECRET = "good-s3cret"
METADATA = 'resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp"'


@dataclass(frozen=True)
class Protected:
    """A protected server that runs, with what it prints."""

    site: Served
    out: IO[str]
    log: Path

    def said(self) -> str:
        """The next line that it prints; empty if none comes in time."""
        ready, _, _ = select.select([self.out], [], [], TIMEOUT)
        return self.out.readline().strip() if ready else ""


@contextlib.contextmanager
def protected(*options: str) -> Iterator[Protected]:
    """Such a server, which ends in order."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with (
            log.open("w") as to,
            subprocess.Popen([PROGRAM, *options], stdout=subprocess.PIPE, stderr=to, text=True) as process,
        ):
            assert process.stdout is not None
            port = int(process.stdout.readline().strip() or 0)
            site = Served(process, port)
            try:
                yield Protected(site, process.stdout, log)
            finally:
                if not site.is_killed:
                    process.terminate()
                status = process.wait(TIMEOUT)
        if status != 0:
            raise AssertionError(f"the server ended with {status}: {log.read_text()}")


def ask(port: int, token: str | None, tool: str = "who") -> http.client.HTTPResponse:
    """The response to the call of a tool."""
    body, fields = message("tools/call", name=tool, arguments={})
    if token is not None:
        fields["Authorization"] = f"Bearer {token}"
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    connection.request("POST", "/mcp", body, fields)
    return connection.getresponse()


def request_of(token: str) -> bytes:
    """The call of a tool, as it goes over the wire."""
    whole = raw("tools/call", name="who", arguments={})
    return whole.replace(b"Host:", f"Authorization: Bearer {token}\r\nHost:".encode(), 1)


class ProtectTest(unittest.TestCase):
    def test_a_descriptor_gives_the_verdict(self) -> None:
        with protected() as server:
            response = ask(server.site.port, "good-alice")
            self.assertEqual(text_of(response.read()), "https://login.example alice")

    def test_time_gives_the_verdict(self) -> None:
        with protected("delay=300") as server:
            began = time.monotonic()
            self.assertEqual(ask(server.site.port, "good").status, 200)
            self.assertGreaterEqual(time.monotonic() - began, 0.29)

    def test_refusals_are_challenges(self) -> None:
        with protected("delay=20") as server:
            for token, tool, status, challenge in (
                (None, "who", 401, f"Bearer {METADATA}"),
                ("bad", "who", 401, f'Bearer {METADATA}, error="invalid_token"'),
                ("good", "closed", 403, f'Bearer {METADATA}, error="insufficient_scope", scope="closed"'),
            ):
                response = ask(server.site.port, token, tool)
                self.assertEqual(response.status, status)
                self.assertEqual(response.headers.get_all("WWW-Authenticate"), [challenge])
                self.assertIn("error", json.loads(response.read()))

    def test_nobody_waits_for_anothers_verdict(self) -> None:
        with protected("delay=2000") as server, server.site.connect() as wire:
            wire.sendall(request_of("good"))
            began = time.monotonic()
            self.assertEqual(ask(server.site.port, None).status, 401)
            self.assertLess(time.monotonic() - began, 1.0)
            self.assertIn(b"200 OK", read_until(wire, b"\r\n"))

    def test_a_peer_that_goes_cancels_its_verdict(self) -> None:
        with protected("delay=60000", "timeout=60000") as server:
            with server.site.connect() as wire:
                wire.sendall(request_of("good"))
                time.sleep(0.1)
            self.assertEqual(server.said(), "cancelled")
            with server.site.connect() as wire:  # also in the middle of its body
                wire.sendall(request_of("good")[:-10])
                time.sleep(0.1)
            self.assertEqual(server.said(), "cancelled")

    def test_a_verdict_that_does_not_come_is_given_up(self) -> None:
        with protected("delay=60000", "timeout=200") as server:
            self.assertEqual(ask(server.site.port, "good").status, 503)
            self.assertEqual(server.said(), "cancelled")

    def test_a_server_that_stops_answers_those_who_wait(self) -> None:
        with protected("delay=60000", "timeout=60000") as server, server.site.connect() as wire:
            wire.sendall(request_of("good"))
            time.sleep(0.1)
            server.site.process.send_signal(signal.SIGTERM)
            server.site.is_killed = True
            self.assertIn(b"503", read_until(wire, b"\r\n"))

    def test_a_body_may_come_after_the_verdict(self) -> None:
        for token, status in ((b"good", b"200"), (b"bad", b"401")):
            with protected("delay=50") as server, server.site.connect() as wire:
                whole = request_of(token.decode())
                wire.sendall(whole[:-10])
                time.sleep(0.3)
                wire.sendall(whole[-10:])
                self.assertIn(b"HTTP/1.1 " + status, read_until(wire, b"\r\n\r\n"))

    def test_few_wait(self) -> None:
        with protected("delay=500", "waiting=3") as server, contextlib.ExitStack() as stack:
            wires = [stack.enter_context(server.site.connect()) for _ in range(5)]
            for wire in wires:
                wire.sendall(request_of("good"))
            lines = [read_until(wire, b"\r\n").split(b"\r\n")[0] for wire in wires]
            self.assertEqual(
                sorted(lines), [b"HTTP/1.1 200 OK"] * 3 + [b"HTTP/1.1 503 Service Unavailable"] * 2
            )

    def test_no_log_has_a_token(self) -> None:
        with protected("delay=20") as server:
            self.assertEqual(ask(server.site.port, SECRET).status, 200)
            self.assertEqual(ask(server.site.port, f"bad-{SECRET}").status, 401)
            with server.site.connect() as wire:
                wire.sendall(request_of(SECRET).replace(b'"method": "tools/call"', b'"method": "tools/cals"'))
                read_until(wire, b"\r\n\r\n")
            log = server.log.read_text()
        self.assertNotIn("s3cret", log)


if __name__ == "__main__":
    unittest.main()
