# SPDX-License-Identifier: MIT
"""Two servers that serve the same clients, by a server of Valkey or Redis."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

from tests.http.test_serve import TIMEOUT, Served, raw, read_until, served

REDIS = os.environ.get("MCPW_REDIS", "")
TOOLS = {"toolsListChanged": True}
TOOLS_CHANGED = b"notifications/tools/list_changed"


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def told(port: int, command: str) -> bytes:
    """What Redis answers to a command of one line."""
    with socket.create_connection(("127.0.0.1", port), TIMEOUT) as wire:
        wire.sendall(command.encode() + b"\r\n")
        return wire.recv(65536)


@contextlib.contextmanager
def redis(port: int, *options: str) -> Iterator[None]:
    """A server of Valkey or Redis that keeps nothing on disk."""
    with tempfile.TemporaryDirectory() as folder:
        command = [REDIS, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
        with subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL) as process:
            try:
                end = time.monotonic() + TIMEOUT
                while True:
                    with contextlib.suppress(OSError):
                        told(port, "PING")
                        break
                    if time.monotonic() > end:
                        raise AssertionError("Redis does not answer")
                    time.sleep(0.02)
                yield
            finally:
                process.kill()
                process.wait(TIMEOUT)


def wait_until_connected(*sites: Served) -> None:
    end = time.monotonic() + TIMEOUT
    while any(site.tool("connected") != "yes" for site in sites):
        if time.monotonic() > end:
            raise AssertionError("a server does not connect to Redis")
        time.sleep(0.02)


@contextlib.contextmanager
def two(port: int, *options: str) -> Iterator[tuple[Served, Served]]:
    """Two servers that share what is on that port."""
    with served(f"redis={port}", *options) as one, served(f"redis={port}", *options) as other:
        yield one, other


@contextlib.contextmanager
def listening(site: Served, **what: object) -> Iterator[socket.socket]:
    """A stream of changes that is open."""
    with site.connect() as wire:
        wire.sendall(raw("subscriptions/listen", notifications=what))
        read_until(wire, b"subscriptions/acknowledged")
        yield wire


def hears_nothing(wire: socket.socket, seconds: float = 0.3) -> bool:
    wire.settimeout(seconds)
    try:
        return wire.recv(65536) == b""
    except socket.timeout:
        return True
    finally:
        wire.settimeout(TIMEOUT)


class Visitor:
    """A client with a session of 2025-11-25, which asks whichever server it is told to."""

    def __init__(self, site: Served) -> None:
        self.session = ""
        self.numbers = 0
        params = {
            "protocolVersion": "2025-11-25",
            "capabilities": {"roots": {}},
            "clientInfo": {"name": "v", "version": "1"},
        }
        answer = self.send(site, self.request("initialize", params))
        self.session = answer.getheader("Mcp-Session-Id") or ""
        answer.read()
        self.send(site, {"method": "notifications/initialized"}).read()

    def fields(self, **more: str) -> Dict[str, str]:
        fields = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.session:
            fields["Mcp-Session-Id"] = self.session
        return {**fields, **more}

    def request(self, method: str, params: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        self.numbers += 1
        return {"id": self.numbers, "method": method, "params": params or {}}

    def send(self, site: Served, body: Dict[str, Any]) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=TIMEOUT)
        connection.request("POST", "/mcp", json.dumps({"jsonrpc": "2.0", **body}), self.fields())
        return connection.getresponse()

    def call(self, site: Served, tool: str, **arguments: Any) -> http.client.HTTPResponse:
        params = {"name": tool, "arguments": arguments, "_meta": {"progressToken": 1}}
        return self.send(site, self.request("tools/call", params))

    def text(self, site: Served, tool: str, **arguments: Any) -> str:
        answer = self.call(site, tool, **arguments)
        got = answer.read().decode()
        if answer.status != 200:
            raise AssertionError(f"{answer.status}: {got}")
        text: str = json.loads(got)["result"]["content"][0]["text"]
        return text

    def listen(self, site: Served, after: str = "") -> http.client.HTTPResponse:
        """Its own stream, or the one that goes on behind an event."""
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=TIMEOUT)
        connection.request("GET", "/mcp", headers=self.fields(**({"Last-Event-ID": after} if after else {})))
        return connection.getresponse()


def events(stream: http.client.HTTPResponse, count: int) -> List[Tuple[str, Any]]:
    """So many events with data, each with its id; fewer where the stream ends."""
    found: List[Tuple[str, Any]] = []
    last = ""
    while len(found) < count:
        line = stream.readline().decode()
        if not line:
            break
        if line.startswith("id: "):
            last = line[4:].strip()
        elif line.startswith("data: ") and line[6:].strip():
            found.append((last, json.loads(line[6:])))
    return found


def eventually(happens: Any) -> None:
    end = time.monotonic() + TIMEOUT
    while not happens():
        if time.monotonic() > end:
            raise AssertionError("it does not happen")
        time.sleep(0.02)


@unittest.skipUnless(Path(REDIS).is_file(), "neither valkey-server nor redis-server is installed")
class SessionsTest(unittest.TestCase):
    def test_any_server_serves_a_session_also_when_the_one_that_opened_it_is_killed(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            client = Visitor(one)
            self.assertEqual(client.text(other, "say", message="there"), "there")
            self.assertEqual(client.text(one, "say", message="here"), "here")
            one.kill()
            self.assertEqual(client.text(other, "say", message="still"), "still")

    def test_a_session_that_is_deleted_is_gone_everywhere(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            client = Visitor(one)
            client.text(other, "say", message="x")
            connection = http.client.HTTPConnection("127.0.0.1", one.port, timeout=TIMEOUT)
            connection.request("DELETE", "/mcp", headers=client.fields())
            self.assertEqual(connection.getresponse().status, 204)
            eventually(lambda: client.call(other, "say", message="x").status == 404)
            self.assertNotIn(b"mcpw:session", told(port, "KEYS *"))

    def test_a_stream_of_a_server_that_was_killed_is_said_again_by_the_other(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            client = Visitor(one)
            stream = client.call(one, "count")
            first = events(stream, 1)
            one.kill()
            rest = events(client.listen(other, first[0][0]), 9)
            counted = [event["params"]["progress"] for _, event in first + rest]
            self.assertEqual(counted, [1, 2, 3])
            again = events(client.listen(other, rest[-1][0]), 9)
            self.assertEqual(again, [])

    def test_changes_are_told_once_to_a_client_that_moves_when_its_server_is_killed(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            client = Visitor(one)
            stream = client.listen(one)
            other.tool("change")
            heard = events(stream, 1)
            one.kill()
            other.tool("change")
            other.tool("change")
            moved = client.listen(other, heard[-1][0])
            heard += events(moved, 2)
            other.tool("change")
            heard += events(moved, 1)
            self.assertEqual(
                [event["method"] for _, event in heard], ["notifications/tools/list_changed"] * 4
            )
            self.assertEqual(len({number for number, _ in heard}), 4)

    def test_an_answer_that_is_posted_elsewhere_reaches_who_has_asked(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            client = Visitor(one)
            stream = client.call(one, "ask")
            (_, question), *_ = events(stream, 1)
            self.assertEqual(question["method"], "roots/list")
            answer = client.send(other, {"id": question["id"], "result": {"roots": []}})
            self.assertEqual(answer.status, 202)
            (_, result), *_ = events(stream, 1)
            self.assertEqual(result["result"]["content"][0]["text"], "asked")

    def test_a_subscription_holds_in_both(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            client = Visitor(one)
            stream = client.listen(other)
            client.send(one, client.request("resources/subscribe", {"uri": "test://thing"})).read()
            self.assertTrue(
                re.search(rb"watch test://thing", told(port, f"HKEYS mcpw:session:{client.session}"))
            )
            one.tool("touch")
            (_, event), *_ = events(stream, 1)
            self.assertEqual(event["method"], "notifications/resources/updated")

    def test_without_redis_a_session_that_is_not_here_is_503_and_one_that_is_goes_on(self) -> None:
        port = free_port()
        with two(port) as (one, other):
            with redis(port):
                wait_until_connected(one, other)
                client = Visitor(one)
            self.assertEqual(client.text(one, "say", message="here"), "here")
            self.assertEqual(client.call(other, "say", message="there").status, 503)


@unittest.skipUnless(Path(REDIS).is_file(), "neither valkey-server nor redis-server is installed")
class ChangesTest(unittest.TestCase):
    def test_a_change_at_one_reaches_the_streams_of_both_once(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            with (
                listening(one, toolsListChanged=True) as here,
                listening(other, **TOOLS) as there,
            ):
                one.tool("change")
                for wire in (here, there):
                    self.assertEqual(read_until(wire, TOOLS_CHANGED).count(TOOLS_CHANGED), 1)
                self.assertTrue(hears_nothing(here))
                self.assertTrue(hears_nothing(there))

    def test_a_resource_is_told_to_those_that_watch_it(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            with (
                listening(other, resourceSubscriptions=["test://thing"]) as watches,
                listening(other, resourceSubscriptions=["test://other"]) as another,
            ):
                one.tool("touch")
                read_until(watches, b"notifications/resources/updated")
                self.assertTrue(hears_nothing(another))

    def test_services_with_other_prefixes_hear_nothing_of_each_other(self) -> None:
        port = free_port()
        with (
            redis(port),
            served(f"redis={port}", "prefix=a:") as one,
            served(f"redis={port}", "prefix=b:") as other,
        ):
            wait_until_connected(one, other)
            with listening(other, **TOOLS) as wire:
                one.tool("change")
                self.assertTrue(hears_nothing(wire))

    def test_changes_while_a_connection_is_broken_are_told_later(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            with listening(other, **TOOLS) as wire:
                told(port, "CLIENT KILL TYPE normal")
                one.tool("change")
                read_until(wire, TOOLS_CHANGED)

    def test_without_redis_a_server_tells_its_own_clients(self) -> None:
        port = free_port()
        with two(port) as (one, other), listening(one, **TOOLS) as here, listening(other, **TOOLS) as there:
            one.tool("change")
            read_until(here, TOOLS_CHANGED)
            self.assertEqual(one.tool("connected"), "no")
            with redis(port):
                wait_until_connected(one, other)
                one.tool("change")
                read_until(there, TOOLS_CHANGED)

    def test_it_logs_in_by_a_password(self) -> None:
        port = free_port()
        with redis(port, "--requirepass", "secret"), two(port, "password=secret") as (one, other):
            wait_until_connected(one, other)
            with served(f"redis={port}", "password=wrong") as stranger, served(f"redis={port}") as nobody:
                with listening(other, **TOOLS) as wire:
                    one.tool("change")
                    read_until(wire, TOOLS_CHANGED)
                self.assertEqual((stranger.tool("connected"), nobody.tool("connected")), ("no", "no"))


if __name__ == "__main__":
    unittest.main()
