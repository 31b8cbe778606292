# SPDX-License-Identifier: MIT
"""Two servers that serve the same clients, by a server of Valkey or Redis."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

from tests.http.test_serve import TIMEOUT, Served, raw, read_until, served
from tests.ports import free_port

REDIS = os.environ.get("MCPW_REDIS", "")
TOOLS = {"toolsListChanged": True}
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"roots": {}},
    "clientInfo": {"name": "v", "version": "1"},
}
TOOLS_CHANGED = b"notifications/tools/list_changed"


def told(port: int, command: str) -> bytes:
    """The answer of Redis to a command of one line."""
    with socket.create_connection(("127.0.0.1", port), TIMEOUT) as wire:
        wire.sendall(command.encode() + b"\r\n")
        return wire.recv(65536)


def number(port: int, command: str) -> int:
    """The same, as a number; 0: nothing."""
    answer = told(port, command)
    return 0 if answer == b"$-1\r\n" else int(answer.split(b"\r\n")[-2].lstrip(b":"))


def add_entries(port: int, count: int) -> None:
    """Adds so many entries to the log that concern nobody."""
    with socket.create_connection(("127.0.0.1", port), TIMEOUT) as wire, wire.makefile("rb") as answers:
        wire.sendall(b"XADD mcpw:log * entry x\r\n" * count)
        for _ in range(2 * count):
            answers.readline()


def calls_of(port: int, command: str) -> int:
    """How often Redis has run a command since the last CONFIG RESETSTAT."""
    found = re.search(rf"cmdstat_{command}:calls=(\d+)".encode(), told(port, "INFO commandstats"))
    return int(found[1]) if found else 0


@contextlib.contextmanager
def redis(port: int, *options: str) -> Iterator[subprocess.Popen[bytes]]:
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
                yield process
            finally:
                process.kill()
                process.wait(TIMEOUT)


class Cutting:
    """Stands before Redis, and breaks a connection once, after a command that holds certain bytes."""

    def __init__(self, port: int, before: bytes) -> None:
        self.redis = port
        self.before = before
        self.has_cut = False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                wire = self.listener.accept()[0]
                threading.Thread(target=self.serve, args=(wire,), daemon=True).start()

    def serve(self, wire: socket.socket) -> None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.redis)) as redis_wire:
            answers = threading.Thread(target=self.answer, args=(redis_wire, wire), daemon=True)
            answers.start()
            while command := wire.recv(65536):
                if self.before in command and not self.has_cut:
                    self.has_cut = True
                    wire.shutdown(socket.SHUT_WR)  # Redis does it, and nobody hears that it has
                redis_wire.sendall(command)
        wire.close()

    @staticmethod
    def answer(redis_wire: socket.socket, wire: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while answer := redis_wire.recv(65536):
                wire.sendall(answer)


class Silent:
    """Stands before Redis, and says nothing more on a connection that has asked for something."""

    def __init__(self, port: int) -> None:
        self.redis = port
        self.about = b"\0"
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                wire = self.listener.accept()[0]
                threading.Thread(target=self.serve, args=(wire,), daemon=True).start()

    def serve(self, wire: socket.socket) -> None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.redis)) as redis_wire:
            threading.Thread(target=Cutting.answer, args=(redis_wire, wire), daemon=True).start()
            while command := wire.recv(65536):
                if self.about not in command:
                    redis_wire.sendall(command)
        wire.close()


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


def is_told(wire: socket.socket, what: bytes, seconds: float = 0.3) -> bool:
    """Whether that comes in time."""
    got = b""
    wire.settimeout(seconds)
    with contextlib.suppress(socket.timeout):
        while what not in got:
            got += wire.recv(65536)
    wire.settimeout(TIMEOUT)
    return what in got


class Visitor:
    """A client with a session of 2025-11-25, which asks whichever server it is told to."""

    def __init__(self, site: Served) -> None:
        self.session = ""
        self.numbers = 0
        answer = self.send(site, self.request("initialize", INITIALIZE))
        self.session = answer.getheader("Mcp-Session-Id") or ""
        answer.read()
        self.send(site, {"method": "notifications/initialized"}).read()

    @staticmethod
    def opening(site: Served) -> int:
        """The status of an attempt to open one."""
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=TIMEOUT)
        fields = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        connection.request("POST", "/mcp", json.dumps(body), fields)
        return connection.getresponse().status

    def leave(self, site: Served) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=TIMEOUT)
        connection.request("DELETE", "/mcp", headers=self.fields())
        return connection.getresponse().status

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
        """Its own stream, or the one that goes on after an event."""
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
            self.assertEqual(told(port, "KEYS mcpw:session:*"), b"*0\r\n")
            self.assertEqual(number(port, "HGET mcpw:sessions:bytes all"), 0)

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

    def test_a_stream_is_resumed_over_many_entries_of_others_in_few_questions(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            client = Visitor(one)
            stream = client.listen(one)
            other.tool("change")
            (last, _), *_ = events(stream, 1)
            stream.close()
            add_entries(port, 3000)
            other.tool("change")
            eventually(lambda: b"changed tools" in told(port, "XREVRANGE mcpw:log + - COUNT 1"))
            told(port, "CONFIG RESETSTAT")
            (_, event), *_ = events(client.listen(one, last), 1)
            self.assertEqual(event["method"], "notifications/tools/list_changed")
            self.assertLess(calls_of(port, "xrange"), 40)

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

    def test_what_clients_post_takes_bounded_room_at_redis(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, _other):
            wait_until_connected(one)
            client = Visitor(one)
            eventually(lambda: told(port, "XLEN mcpw:log") == b":1\r\n")  # that it is open
            params = {"requestId": 1, "reason": "x" * 300000}
            answer = client.send(one, {"method": "notifications/cancelled", "params": params})
            self.assertEqual(answer.status, 413)
            client.text(one, "say", message="later")
            self.assertEqual(told(port, "XLEN mcpw:log"), b":1\r\n")

    def test_one_client_with_long_messages_takes_no_room_and_holds_nobody_up(self) -> None:
        port = free_port()
        padding = {"_meta": {"padding": "x" * 8_000_000}}
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            client = Visitor(one)
            client.session = ""
            opened = client.send(one, client.request("initialize", {**INITIALIZE, **padding}))
            client.session = opened.getheader("Mcp-Session-Id") or ""
            self.assertEqual(opened.status, 200)
            opened.read()
            client.send(one, {"method": "notifications/initialized", "params": padding}).read()
            for i in range(3):
                watch = {"uri": f"test://thing/{i}", **padding}
                client.send(one, client.request("resources/subscribe", watch)).read()
            for key in (f"session:{client.session}", "log"):
                self.assertLess(number(port, f"MEMORY USAGE mcpw:{key} SAMPLES 0"), 20000)
            for _ in range(8):
                self.assertEqual(client.text(other, "say", message="here"), "here")
                self.assertEqual(Visitor.opening(other), 200)
                self.assertEqual(Visitor.opening(one), 200)

    def test_a_record_that_is_damaged_at_redis_costs_its_own_session_alone(self) -> None:
        whole = "redis.call('DEL',KEYS[1])"
        damages = {
            "no hash": f"{whole} redis.call('SET',KEYS[1],'x')",
            "a list": f"{whole} redis.call('RPUSH',KEYS[1],'session','x')",
            "nothing of it": whole,
            "no first part": "redis.call('HDEL',KEYS[1],'session')",
            "another first part": "redis.call('HSET',KEYS[1],'session','x')",
            "a long part": "redis.call('HSET',KEYS[1],'session',string.rep('x',50000000))",
            "a long name": "redis.call('HSET',KEYS[1],string.rep('x',50000000),'')",
            "many parts": "for i=1,100000 do redis.call('HSET',KEYS[1],'watch '..i,'true') end",
        }
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            for name, script in damages.items():
                with self.subTest(name):
                    client, another = Visitor(one), Visitor(one)
                    told(port, f'EVAL "{script} return 1" 1 mcpw:session:{client.session}')
                    self.assertEqual(client.call(other, "say", message="there").status, 404)
                    self.assertEqual(another.text(other, "say", message="there"), "there")
                    self.assertEqual(Visitor.opening(other), 200)

    def test_a_session_that_gets_no_answer_in_time_holds_no_other_up(self) -> None:
        port = free_port()
        with redis(port):
            proxy = Silent(port)
            with served(f"redis={port}") as one, served(f"redis={proxy.port}", "patience=100") as other:
                wait_until_connected(one, other)
                client, another = Visitor(one), Visitor(one)
                proxy.about = client.session.encode()
                for i in range(3):
                    self.assertEqual(client.call(other, "say", message="there").status, 503)
                    self.assertEqual(another.text(other, "say", message="there"), "there")
                    self.assertEqual(Visitor(one).text(other, "say", message=str(i)), str(i))
                proxy.about = b"\0"
                eventually(lambda: client.call(other, "say", message="there").status == 200)

    def test_the_records_of_all_sessions_have_a_limit(self) -> None:
        port = free_port()
        with redis(port), two(port, "sessions=5000") as (one, other):
            wait_until_connected(one, other)
            clients = [Visitor(one), Visitor(other)]
            while len(clients) < 50 and Visitor.opening(one) == 200:
                clients.append(Visitor(other))
            self.assertGreater(len(clients), 5)
            self.assertLess(len(clients), 20)
            self.assertLessEqual(number(port, "HGET mcpw:sessions:bytes all"), 5000)
            self.assertEqual(Visitor.opening(other), 503)
            self.assertEqual(clients[0].text(other, "say", message="served"), "served")
            for client in clients[:2]:
                self.assertEqual(client.leave(one), 204)
            self.assertEqual(Visitor.opening(other), 200)

    def test_a_record_that_is_gone_is_not_begun_anew(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            client = Visitor(one)
            told(port, f"DEL mcpw:session:{client.session}")
            watch = client.request("resources/subscribe", {"uri": "test://thing"})
            self.assertEqual(client.send(one, watch).status, 404)
            self.assertEqual(told(port, "KEYS mcpw:session:*"), b"*0\r\n")
            self.assertEqual(client.call(other, "say", message="there").status, 404)

    def test_a_record_that_has_expired_makes_room(self) -> None:
        port = free_port()
        with redis(port), two(port, "sessions=1000") as (one, other):
            wait_until_connected(one, other)
            client = Visitor(one)
            while Visitor.opening(one) == 200:
                pass
            told(port, f"ZADD mcpw:sessions 1 {client.session}")  # as time does
            self.assertEqual(Visitor.opening(other), 200)

    def test_the_events_of_a_session_and_of_all_have_a_limit_in_bytes(self) -> None:
        port = free_port()
        with redis(port), two(port, "events=2000", "store=5000") as (one, other):
            wait_until_connected(one, other)
            clients = [Visitor(one) for _ in range(4)]
            for client in clients:
                for _ in range(5):
                    events(client.call(one, "count"), 3)
            sizes = [number(port, f"HGET mcpw:events:bytes {client.session}") for client in clients]
            self.assertEqual(sizes[:2], [0, 0])  # those that were silent for longest
            self.assertGreater(min(sizes[2:]), 1000)
            self.assertLessEqual(max(sizes), 2000)
            self.assertEqual(number(port, f"EXISTS mcpw:events:{clients[0].session}"), 0)
            self.assertEqual(number(port, "HGET mcpw:events:bytes all"), sum(sizes))
            clients[3].leave(one)
            self.assertEqual(number(port, "HGET mcpw:events:bytes all"), sizes[2])

    def test_the_log_has_a_limit_in_bytes(self) -> None:
        port = free_port()
        with redis(port), two(port, "log=3000") as (one, other):
            wait_until_connected(one, other)
            client = Visitor(one)
            with listening(other, **TOOLS) as wire:
                for i in range(30):
                    params = {"requestId": i, "reason": "x" * 500}
                    self.assertEqual(
                        client.send(one, {"method": "notifications/cancelled", "params": params}).status, 202
                    )
                one.tool("change")
                read_until(wire, TOOLS_CHANGED)
            self.assertLessEqual(number(port, "GET mcpw:log:bytes"), 3000)
            self.assertLess(number(port, "XLEN mcpw:log"), 6)

    def test_waiting_entries_have_a_limit_in_bytes(self) -> None:
        port = free_port()
        with two(port) as (one, other):
            with redis(port):
                wait_until_connected(one, other)
                client = Visitor(one)
            params = {"requestId": 1, "reason": "x" * 250000}
            cancel = {"method": "notifications/cancelled", "params": params}
            taken = 0
            while taken < 100 and client.send(one, cancel).status == 202:
                taken += 1
            self.assertGreater(taken, 50)
            self.assertLess(taken, 70)
            self.assertEqual(client.text(one, "say", message="served"), "served")

    def test_a_stream_far_behind_a_long_log_is_cut_off_and_holds_nobody_up(self) -> None:
        port = free_port()
        with redis(port), two(port, "patience=30") as (one, other):
            wait_until_connected(one, other)
            client = Visitor(one)
            stream = client.listen(one)
            one.tool("change")
            (last, _), *_ = events(stream, 1)
            script = (
                "for i=1,10000 do redis.call('XADD',KEYS[1],'*','entry',ARGV[1]..string.rep('x',10000)) end"
            )
            written = told(port, f'EVAL "{script}" 1 mcpw:log "7 from {"A" * 32} "')
            self.assertEqual(written, b"$-1\r\n")
            eventually(lambda: client.call(other, "say", message="there").status == 200)
            self.assertEqual(events(client.listen(other, last), 1), [])  # it ends
            self.assertEqual(other.tool("say", message="served"), "served")

    def test_a_server_that_does_not_answer_holds_nobody_up(self) -> None:
        port = free_port()
        with redis(port) as store, two(port) as (one, other):
            wait_until_connected(one, other)
            client = Visitor(one)
            store.send_signal(signal.SIGSTOP)
            began = time.monotonic()
            for _ in range(3):
                self.assertEqual(client.call(other, "say", message="there").status, 503)
                self.assertEqual(other.tool("say", message="alone"), "alone")
            self.assertLess(time.monotonic() - began, 3)
            store.send_signal(signal.SIGCONT)
            eventually(lambda: client.call(other, "say", message="there").status == 200)

    def test_a_server_whose_redis_dies_lives_on(self) -> None:
        port = free_port()
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder, "redis"))
            with redis(port, "--unixsocket", path) as store, served(f"socket={path}") as site:
                wait_until_connected(site)
                client = Visitor(site)
                self.assertEqual(client.text(site, "say", message="here"), "here")
                store.kill()
                store.wait(TIMEOUT)
                stranger = {"method": "initialize", "id": 1, "params": INITIALIZE}
                client.session = ""
                for _ in range(3):
                    self.assertEqual(client.send(site, stranger).status, 503)
                    self.assertEqual(site.tool("change"), "done")


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
                self.assertFalse(is_told(here, TOOLS_CHANGED))
                self.assertFalse(is_told(there, TOOLS_CHANGED))

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
                self.assertFalse(is_told(another, b"notifications/resources/updated"))

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
                self.assertFalse(is_told(wire, TOOLS_CHANGED))

    def test_changes_while_a_connection_is_broken_are_told_later(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            with listening(other, **TOOLS) as wire:
                told(port, "CLIENT KILL TYPE normal")
                one.tool("change")
                read_until(wire, TOOLS_CHANGED)

    def test_a_change_is_told_once_though_its_connection_breaks_before_the_answer(self) -> None:
        port = free_port()
        with redis(port):
            proxy = Cutting(port, b"changed tools")
            with served(f"redis={proxy.port}") as one, served(f"redis={port}") as other:
                wait_until_connected(one, other)
                with listening(other, **TOOLS) as wire:
                    one.tool("change")
                    read_until(wire, TOOLS_CHANGED)
                    self.assertTrue(proxy.has_cut)
                    self.assertFalse(is_told(wire, TOOLS_CHANGED, 1))
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
