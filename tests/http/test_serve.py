# SPDX-License-Identifier: MIT
"""The server of HTTP by libmicrohttpd, over sockets: connections that live on, break off, or are slow."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import resource
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

PROGRAM = os.environ.get("MCPW_HTTP_SERVED", "")
TIMEOUT = 20.0
# Without epoll a server has 960 connections at most.
STREAMS = 900 if os.environ.get("MCPW_HTTP_EVENTS") == "poll" else 1200
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
Json = Dict[str, Any]


def message(method: str, **params: Any) -> Tuple[bytes, Dict[str, str]]:
    """The body of a request, and the fields that go with it."""
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
    fields = {
        "Host": "localhost",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
    }
    if "name" in params:
        fields["Mcp-Name"] = params["name"]
    return json.dumps(body).encode(), fields


def raw(method: str, **params: Any) -> bytes:
    """The whole request, as it goes over the wire."""
    body, fields = message(method, **params)
    lines = [f"{name}: {value}" for name, value in fields.items()]
    head = "\r\n".join(["POST /mcp HTTP/1.1", *lines, f"Content-Length: {len(body)}", "", ""])
    return head.encode() + body


class Served:
    """A server that runs."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port
        self.is_killed = False

    def kill(self) -> None:
        """Ends it as a machine that loses its power."""
        self.is_killed = True
        self.process.kill()
        self.process.wait(TIMEOUT)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), TIMEOUT)

    def tool(self, name: str, **arguments: Any) -> str:
        body, fields = message("tools/call", name=name, arguments=arguments)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        connection.request("POST", "/mcp", body, fields)
        text = text_of(connection.getresponse().read())
        connection.close()
        return text

    def wait_until(self, counted: str) -> None:
        end = time.monotonic() + TIMEOUT
        while self.tool("count") != counted:
            if time.monotonic() > end:
                raise AssertionError(f"{self.tool('count')}, not {counted}")
            time.sleep(0.01)


def text_of(body: bytes) -> str:
    text: str = json.loads(body)["result"]["content"][0]["text"]
    return text


@contextlib.contextmanager
def served(*options: str, **how: Any) -> Iterator[Served]:
    """A server, which ends in order unless the test kills it."""
    with subprocess.Popen([PROGRAM, *options], stdout=subprocess.PIPE, text=True, **how) as process:
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        site = Served(process, int(port or 0))
        try:
            yield site
        finally:
            process.terminate()
            status = process.wait(TIMEOUT)
    if status != 0 and not site.is_killed:
        raise AssertionError(f"the server ended with {status}")


def read_until(wire: socket.socket, end: bytes) -> bytes:
    got = b""
    while end not in got:
        more = wire.recv(65536)
        if not more:
            raise AssertionError(f"the connection ended after {got!r}")
        got += more
    return got


class ServeTest(unittest.TestCase):
    def test_a_connection_lives_on_after_an_answer(self) -> None:
        with served() as site:
            connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=TIMEOUT)
            connection.connect()
            wire = connection.sock
            for text in ("one", "two", "three"):
                body, fields = message("tools/call", name="say", arguments={"message": text})
                connection.request("POST", "/mcp", body, fields)
                self.assertEqual(text_of(connection.getresponse().read()), text)
                self.assertIs(connection.sock, wire)
            connection.close()

    def test_requests_in_a_row_are_answered_in_their_order(self) -> None:
        with served() as site, site.connect() as wire:
            for i in range(20):
                wire.sendall(raw("tools/call", name="say", arguments={"message": f"<{i}>"}))
            got = read_until(wire, b"<19>")
            places = [got.index(f"<{i}>".encode()) for i in range(20)]
            self.assertEqual(places, sorted(places))

    def test_a_body_comes_in_chunks(self) -> None:
        with served() as site:
            body, fields = message("tools/call", name="say", arguments={"message": "in pieces"})
            connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=TIMEOUT)
            pieces = [body[i : i + 7] for i in range(0, len(body), 7)]
            connection.request("POST", "/mcp", iter(pieces), fields, encode_chunked=True)
            self.assertEqual(text_of(connection.getresponse().read()), "in pieces")
            connection.close()

    def test_an_answer_longer_than_any_buffer_comes_whole(self) -> None:
        with served() as site:
            text = "x" * 3000000
            self.assertEqual(site.tool("say", message=text), text)

    def test_a_body_may_have_no_limit(self) -> None:
        with served("unlimited=1") as site:
            text = "x" * 3000000
            self.assertEqual(site.tool("say", message=text), text)

    def test_a_head_that_is_refused_is_answered_after_its_body(self) -> None:
        with served() as site:
            connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=TIMEOUT)
            fields = message("tools/list")[1]
            connection.request("POST", "/mcp", b"x" * 500000, {**fields, "Host": "evil.example"})
            self.assertEqual(connection.getresponse().status, 403)
            connection.close()

    def test_who_asks_before_it_sends_a_body_is_refused_without_it(self) -> None:
        with served() as site, site.connect() as wire:
            wire.sendall(
                b"POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 100\r\n"
                b"Expect: 100-continue\r\n\r\n"
            )
            self.assertTrue(read_until(wire, b"\r\n\r\n").startswith(b"HTTP/1.1 403 "))

    def test_a_body_that_does_not_come_ends_its_connection(self) -> None:
        with served("body=100") as site, site.connect() as wire:
            wire.sendall(raw("tools/list")[:-5])
            began = time.monotonic()
            while wire.recv(4096):
                pass
            self.assertLess(time.monotonic() - began, 10)
            self.assertEqual(site.tool("say", message="others are served"), "others are served")

    def test_a_head_that_does_not_come_ends_its_connection(self) -> None:
        with served("idle=1") as site, site.connect() as wire:
            wire.sendall(b"POST /mcp HTTP/1.1\r\nHo")
            while wire.recv(4096):
                pass

    def test_a_page_of_another_origin_may_read_the_answer(self) -> None:
        with served("origins=https://app.example") as site:
            connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=TIMEOUT)
            asks = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
            connection.request("OPTIONS", "/mcp", headers=asks)
            response = connection.getresponse()
            self.assertEqual((response.status, response.read()), (204, b""))
            body, fields = message("tools/call", name="who", arguments={})
            fields = {**fields, "Origin": "https://app.example", "User-Agent": "page"}
            connection.request("POST", "/mcp", body, fields)
            response = connection.getresponse()
            self.assertEqual(response.headers["Access-Control-Allow-Origin"], "https://app.example")
            self.assertEqual(text_of(response.read()), " at 127.0.0.1 by page")
            connection.close()

    def test_who_has_no_token_is_told_before_the_body_is_read(self) -> None:
        with served("token=secret") as site, site.connect() as wire:
            wire.sendall(
                b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n"
                b"Expect: 100-continue\r\n\r\n"
            )
            got = read_until(wire, b"\r\n\r\n")
            self.assertTrue(got.startswith(b"HTTP/1.1 401 "), got)
            self.assertIn(b"resource_metadata=", got)

    def test_a_stream_whose_client_expects_to_continue_gets_events(self) -> None:
        client = {"name": "c", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        begin = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        fields = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        with served() as site, site.connect() as wire:
            connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=TIMEOUT)
            for body in (begin, ready):
                connection.request("POST", "/mcp", json.dumps(body), fields)
                response = connection.getresponse()
                response.read()
                session = response.getheader("Mcp-Session-Id")
                if session is not None:
                    fields["Mcp-Session-Id"] = session
            connection.close()
            lines = [f"{name}: {value}" for name, value in fields.items()]
            head = ["GET /mcp HTTP/1.1", "Host: localhost", "Expect: 100-continue", *lines, "", ""]
            wire.sendall("\r\n".join(head).encode())
            read_until(wire, b"retry: ")
            self.assertEqual(site.tool("change"), "done")
            read_until(wire, b"tools/list_changed")

    def test_a_hang_up_cancels_the_request(self) -> None:
        with served() as site:
            with site.connect() as wire:
                wire.sendall(raw("tools/call", name="wait", arguments={}))
                site.wait_until("1 waiting, 0 cancelled")
            site.wait_until("0 waiting, 1 cancelled")

    def test_streams_by_the_thousand_hear_of_a_change(self) -> None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 1300
        if hard < wanted:
            self.skipTest(f"there are descriptors for {hard} files only")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
        with served() as site, contextlib.ExitStack() as stack:
            wires: List[socket.socket] = []
            for _ in range(STREAMS):
                wires.append(stack.enter_context(site.connect()))
                wires[-1].sendall(raw("subscriptions/listen", notifications={"toolsListChanged": True}))
            for wire in wires:
                read_until(wire, b"subscriptions/acknowledged")
            self.assertEqual(site.tool("change"), "done")
            for wire in wires:
                read_until(wire, b"notifications/tools/list_changed")

    def test_a_stop_ends_open_streams_by_their_results(self) -> None:
        with served() as site, site.connect() as wire:
            wire.sendall(raw("subscriptions/listen", notifications={"toolsListChanged": True}))
            read_until(wire, b"subscriptions/acknowledged")
            began = time.monotonic()
            site.process.send_signal(signal.SIGTERM)
            self.assertIn(b'"result"', read_until(wire, b"\r\n0\r\n\r\n"))
            site.process.wait(TIMEOUT)
            self.assertLess(time.monotonic() - began, 1)  # not only when the time for it is over

    def test_a_socket_that_listens_already_is_served(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as given:
            port = given.getsockname()[1]
            with served(f"socket={given.fileno()}", pass_fds=[given.fileno()]) as site:
                self.assertEqual(site.port, port)
                self.assertEqual(site.tool("say", message="given"), "given")

    def test_a_port_that_is_taken_is_told(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            run = subprocess.run([PROGRAM, f"port={port}"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"cannot listen on 127.0.0.1:{port}: Address already in use", run.stderr)

    def test_it_speaks_tls(self) -> None:
        openssl = shutil.which("openssl")
        if openssl is None:
            self.skipTest("openssl is not installed")
        with tempfile.TemporaryDirectory() as folder:
            key, cert = str(Path(folder, "key.pem")), str(Path(folder, "cert.pem"))
            make = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
            make += " -subj /CN=localhost -addext subjectAltName=DNS:localhost"
            subprocess.run(
                [openssl, *make.split(), "-keyout", key, "-out", cert],
                check=True,
                capture_output=True,
            )
            with served(f"cert={cert}", f"key={key}") as site:
                context = ssl.create_default_context(cafile=cert)
                with context.wrap_socket(site.connect(), server_hostname="localhost") as wire:
                    wire.sendall(raw("tools/call", name="say", arguments={"message": "in secret"}))
                    got = b""
                    while b"in secret" not in got:
                        got += wire.recv(4096)


if __name__ == "__main__":
    unittest.main()
