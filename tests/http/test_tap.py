# SPDX-License-Identifier: MIT
"""mcpwire tap between clients and a server over HTTP: what passes, what is reported, what a log has of it."""

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
from typing import Any, Dict, Iterator, List

from tests.http.test_client import SAID, TOOL, Scripted, call, opened, run, scripted
from tests.http.test_serve import TIMEOUT, Served, message, raw, read_until, served

Json = Dict[str, Any]


class Tap:
    """A tap that runs, and what it has written when it has ended."""

    def __init__(self, process: subprocess.Popen[str], port: int, folder: Path) -> None:
        self.process = process
        self.port = port
        self.log = folder / "log"
        self.findings: List[Json] = []
        self.report = folder / "report"
        self.text = ""  # of the log, when the tap has ended
        self.status = -1

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), TIMEOUT)

    def request(self, method: str, body: bytes = b"", **fields: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        connection.request(
            method, "/mcp", body, {name.replace("_", "-"): value for name, value in fields.items()}
        )
        return connection.getresponse()

    def logged(self) -> List[Json]:
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()]


@contextlib.contextmanager
def tapped(url: str, *options: str) -> Iterator[Tap]:
    """A tap before a server; afterwards it has its findings."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [
            TOOL,
            "tap",
            "--listen",
            "0",
            "--to",
            url,
            "--record",
            str(folder / "log"),
            "--format",
            "json",
        ]
        command += ["--output", str(folder / "report"), *options]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            said = process.stderr.readline()
            found = re.search(r"localhost:(\d+)/mcp", said)
            if found is None:
                raise AssertionError(said + process.stderr.read())
            tap = Tap(process, int(found[1]), folder)
            try:
                yield tap
            finally:
                process.send_signal(signal.SIGTERM)
                tap.status = process.wait(TIMEOUT)
                tap.findings = [json.loads(line) for line in tap.report.read_text("utf-8").splitlines()]
                tap.text = tap.log.read_text("utf-8") if tap.log.exists() else ""


def before(site: Served) -> str:
    return f"http://127.0.0.1:{site.port}/mcp"


@unittest.skipUnless(TOOL, "there is no command")
class Passing(unittest.TestCase):
    def test_every_revision_passes_without_a_finding(self) -> None:
        with served() as site, tapped(before(site), "--strict") as tap:
            for revision in ("2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"):
                done = call(tap.url, "--revision", revision, "--tool", "say", "message=there")
                self.assertEqual((done.stdout, done.stderr), ("there\n", ""))
        self.assertEqual([f for f in tap.findings if f["severity"] != "note"], [])
        self.assertEqual(tap.status, 0)

    def test_head_and_body_come_as_they_were_sent(self) -> None:
        def play(request: Scripted, _: Json) -> None:
            request.answer(418, b"{ }", X_Teapot="yes", Content_Type="text/plain")

        with scripted(play) as server, tapped(server.url) as tap:
            got = tap.request(
                "POST", b' {"a" : 1} ', X_Mine="x", Authorization="Bearer t", Accept_Encoding="gzip"
            )
            self.assertEqual((got.status, got.getheader("X-Teapot"), got.read()), (418, "yes", b"{ }"))
            method, fields, body = server.seen[0]
        self.assertEqual((method, body), ("POST", {"a": 1}))
        self.assertEqual((fields["X-Mine"], fields["Authorization"]), ("x", "Bearer t"))
        self.assertEqual(fields["Host"], server.url.split("/")[2])
        self.assertNotIn("Accept-Encoding", fields)
        self.assertNotIn("Content-Type", fields)

    def test_a_response_without_a_body_has_none(self) -> None:
        def play(request: Scripted, _: Json) -> None:
            request.answer(202)

        with scripted(play) as server, tapped(server.url) as tap:
            got = tap.request("POST", b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
            self.assertEqual((got.status, got.getheader("Content-Length"), got.read()), (202, "0", b""))

    def test_a_stream_passes_without_delay(self) -> None:
        with served() as site, tapped(before(site)) as tap, tap.connect() as wire:
            wire.sendall(raw("subscriptions/listen", notifications={"toolsListChanged": True}))
            read_until(wire, b"subscriptions/acknowledged")
            site.tool("change")
            read_until(wire, b"notifications/tools/list_changed")

    def test_a_client_that_goes_is_gone_for_the_server(self) -> None:
        with served() as site, tapped(before(site)) as tap:
            with tap.connect() as wire:
                wire.sendall(raw("tools/call", name="wait", arguments={}))
                site.wait_until("1 waiting, 0 cancelled")
            site.wait_until("0 waiting, 1 cancelled")

    def test_a_long_message_passes_though_it_is_not_looked_at(self) -> None:
        text = "x" * 3_000_000
        with served() as site, tapped(before(site), "--max-bytes", "100000") as tap:
            body, fields = message("tools/call", name="say", arguments={"message": text})
            connection = http.client.HTTPConnection("127.0.0.1", tap.port, timeout=TIMEOUT)
            connection.request("POST", "/mcp", body, fields)
            got = connection.getresponse().read()
        self.assertEqual(json.loads(got)["result"]["content"][0]["text"], text)
        self.assertEqual([f["code"] for f in tap.findings], ["framing-length"] * 2)

    def test_a_server_that_is_not_there_is_502(self) -> None:
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            with tapped(f"http://127.0.0.1:{nobody.getsockname()[1]}/mcp") as tap:
                self.assertEqual(tap.request("POST", b"{}").status, 502)

    def test_a_response_that_breaks_off_breaks_off(self) -> None:
        def play(request: Scripted, _: Json) -> None:
            request.send_response(200)
            request.send_header("Content-Type", "text/event-stream")
            request.send_header("Content-Length", "1000")
            request.end_headers()
            request.wfile.write(b"data: 1\n\n")
            request.close_connection = True

        with scripted(play) as server, tapped(server.url) as tap:
            got = tap.request("POST", b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
            with self.assertRaises((http.client.IncompleteRead, ConnectionError)):
                got.read()

    def test_a_page_does_not_reach_the_server_by_a_name_of_its_own(self) -> None:
        with scripted(lambda request, _: request.answer(200)) as server, tapped(server.url) as tap:
            self.assertEqual(tap.request("POST", b"{}", Host="evil.example").status, 403)
            self.assertEqual(server.seen, [])

    def test_other_paths_lead_to_the_same_place_at_the_server(self) -> None:
        def play(request: Scripted, _: Json) -> None:
            request.answer(200, request.path.encode())

        with scripted(play) as server, tapped(server.url.replace("/mcp", "/deep/place")) as tap:
            connection = http.client.HTTPConnection("127.0.0.1", tap.port, timeout=TIMEOUT)
            got = []
            for path in ("/mcp", "/", "/.well-known/oauth-protected-resource"):
                connection.request("GET", path)
                got.append(connection.getresponse().read())
        self.assertEqual(got, [b"/deep/place", b"/deep/place", b"/.well-known/oauth-protected-resource"])


@unittest.skipUnless(TOOL, "there is no command")
class Limits(unittest.TestCase):
    MIB = b"x" * (1 << 20)
    MOST_BODY = 128  # MiB
    MOST_CLIENTS = 256

    def setUp(self) -> None:
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        nobody = self.stack.enter_context(socket.socket())
        nobody.bind(("127.0.0.1", 0))
        self.tap = self.stack.enter_context(tapped(f"http://127.0.0.1:{nobody.getsockname()[1]}/mcp"))

    def send(self, count: int) -> socket.socket:
        """Begins a request of so many MiB, in chunks."""
        client = self.stack.enter_context(self.tap.connect())
        client.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(count):
            client.sendall(b"%x\r\n%s\r\n" % (len(self.MIB), self.MIB))
        return client

    def end(self, client: socket.socket) -> bytes:
        """The status of the request."""
        client.sendall(b"0\r\n\r\n")
        return client.recv(1 << 16).split(b" ")[1]

    def test_a_body_that_is_too_long_is_refused(self) -> None:
        self.assertEqual(self.end(self.send(self.MOST_BODY)), b"502")
        self.assertEqual(self.end(self.send(self.MOST_BODY + 1)), b"413")

    def test_all_bodies_have_a_limit(self) -> None:
        clients = [self.send(self.MOST_BODY - 1), self.send(self.MOST_BODY - 1)]
        time.sleep(0.5)  # the tap has read them
        self.assertEqual(self.end(self.send(3)), b"503")
        for client in clients:
            self.assertEqual(self.end(client), b"502")
        self.assertEqual(self.end(self.send(3)), b"502")

    def test_clients_have_a_limit(self) -> None:
        clients = [self.send(0) for _ in range(self.MOST_CLIENTS)]
        late = self.send(0)
        late.sendall(b"0\r\n\r\n")
        late.settimeout(1)
        with self.assertRaises(TimeoutError):
            late.recv(1)
        late.settimeout(TIMEOUT)
        clients.pop().close()
        self.assertEqual(late.recv(1 << 16).split(b" ")[1], b"502")


@unittest.skipUnless(TOOL, "there is no command")
class Looking(unittest.TestCase):
    def test_what_breaks_a_rule_is_reported(self) -> None:
        def play(request: Scripted, body: Json) -> None:
            if not opened(request, body):
                request.reply(body, {"contents": "wrong"})

        with scripted(play) as server, tapped(server.url, "--check") as tap:
            call(tap.url, "--tool", "x")
        self.assertTrue(
            [f for f in tap.findings if f["code"] == "schema" and f["direction"] == "server->client"]
        )
        self.assertEqual(tap.status, 1)

    def test_events_are_looked_at_one_by_one(self) -> None:
        def play(request: Scripted, body: Json) -> None:
            if not opened(request, body):
                wrong = {
                    "jsonrpc": "2.0",
                    "method": "notifications/message",
                    "params": {"level": "loud", "data": 1},
                }
                right = {"jsonrpc": "2.0", "id": body["id"], "result": SAID}
                text = f"data: {json.dumps(wrong)}\n\nid: 7\ndata: {json.dumps(right)}\n\n"
                request.stream([text[at : at + 1].encode() for at in range(len(text))])

        with scripted(play) as server, tapped(server.url) as tap:
            message = json.dumps({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "x"}})
            info = {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "c", "version": "1"},
            }
            begin = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": info})
            session = tap.request("POST", begin.encode()).getheader("Mcp-Session-Id") or ""
            tap.request("POST", message.encode(), Mcp_Session_Id=session).read()
        found = [f for f in tap.findings if f["code"] == "schema"]
        self.assertEqual(
            [(f["method"], f["pointer"]) for f in found], [("notifications/message", "/params/level")]
        )

    def test_clients_with_the_same_ids_are_not_mixed_up(self) -> None:
        with served() as site, tapped(before(site), "--strict") as tap:
            clients = [
                threading.Thread(
                    target=call, args=(tap.url, "--revision", revision, "--tool", "say", "message=x")
                )
                for revision in ("2025-11-25", "2026-07-28") * 4
            ]
            for client in clients:
                client.start()
            for client in clients:
                client.join()
        self.assertEqual([f for f in tap.findings if f["severity"] != "note"], [])

    def test_a_server_that_does_not_say_who_it_is_is_reported_once(self) -> None:
        def play(request: Scripted, body: Json) -> None:
            request.reply(body, {"resultType": "complete", "content": []})

        with scripted(play) as server, tapped(server.url, "--strict") as tap:
            for _ in range(3):
                body, fields = message("tools/call", name="x", arguments={})
                connection = http.client.HTTPConnection("127.0.0.1", tap.port, timeout=TIMEOUT)
                connection.request("POST", "/mcp", body, fields)
                self.assertEqual(connection.getresponse().status, 200)
                connection.close()
        self.assertEqual([f["code"] for f in tap.findings].count("server-info"), 1, tap.findings)

    def test_a_log_says_the_same_again(self) -> None:
        def play(request: Scripted, body: Json) -> None:
            if not opened(request, body):
                request.reply(body, {"contents": "wrong"})

        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "kept")
            with scripted(play) as server, tapped(server.url) as tap:
                for _ in range(3):
                    call(tap.url, "--tool", "x")
                time.sleep(0.1)
                log.write_bytes(tap.log.read_bytes())
                numbers = {line.get("conversation") for line in tap.logged()}
            again = run(TOOL, "tap", "--replay", str(log), "--format", "json")
        self.assertGreater(len(numbers), 3)
        self.assertTrue(tap.findings)
        self.assertEqual([json.loads(line) for line in again.stdout.splitlines()], tap.findings)


IN_SESSION = {
    "MCP-Protocol-Version": "2025-11-25",
    "Mcp-Session-Id": "s1",
    "Content-Type": "application/json",
}


def sent(tap: Tap, body: Any, **fields: str) -> int:
    """The status that a message in a session gets. The connection stays, as a client keeps it."""
    data = json.dumps(body).encode()
    got = tap.request("POST", data, **{**IN_SESSION, **{k.replace("_", "-"): v for k, v in fields.items()}})
    got.read()
    return got.status


@unittest.skipUnless(TOOL, "there is no command")
class Refused(unittest.TestCase):
    """A status of HTTP ends a request as a response does."""

    rows: List[Json]  # of the log

    def played(
        self, bodies: List[Any], refusal: bytes = b"", kind: str = "text/plain", status: int = 401
    ) -> Tap:
        """A tap that has seen these messages be refused without a token, and taken with one."""

        def play(request: Scripted, body: Any) -> None:
            if request.headers.get("Authorization") != "Bearer good":
                request.answer(status, refusal, Content_Type=kind)
            elif isinstance(body, dict):
                request.reply(body, {})
            else:
                replies = [{"jsonrpc": "2.0", "id": one["id"], "result": {}} for one in body if "id" in one]
                request.answer(200, json.dumps(replies).encode(), Content_Type="application/json")

        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "kept")
            with scripted(play) as server, tapped(server.url, "--strict") as tap:
                for body in bodies:
                    self.assertEqual(sent(tap, body), status)
                    self.assertEqual(sent(tap, body, Authorization="Bearer bad"), status)
                    self.assertEqual(sent(tap, body, Authorization="Bearer good"), 200)
            log.write_text(tap.text, "utf-8")
            again = run(TOOL, "tap", "--replay", str(log), "--strict", "--format", "json")
            self.rows = [json.loads(line) for line in tap.text.splitlines()]
        self.assertEqual((again.stderr, again.returncode), ("", 0))
        self.assertEqual([json.loads(line) for line in again.stdout.splitlines()], tap.findings)
        return tap

    def codes(self, tap: Tap) -> List[str]:
        return [f["code"] for f in tap.findings if f["code"].startswith(("id-", "answer-", "progress-"))]

    def refusals(self) -> List[Any]:
        return [(row["refused"], row["status"]) for row in self.rows if "refused" in row]

    def test_its_id_is_free_again(self) -> None:
        pings = [{"jsonrpc": "2.0", "id": number, "method": "ping"} for number in (1, "one", 2)]
        for status in (401, 403, 404, 503):
            with self.subTest(status=status):
                self.assertEqual(self.codes(self.played(list(pings), status=status)), [])
                self.assertEqual(self.refusals(), [(n, status) for n in (1, "one", 2) for _ in range(2)])

    def test_a_refusal_in_json_that_names_no_request(self) -> None:
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        self.assertEqual(
            self.codes(self.played([ping], b'{"error":"invalid_token"}', "application/json")), []
        )
        self.assertEqual(self.refusals(), [(1, 401)] * 2)

    def test_its_token_of_progress_is_free_again(self) -> None:
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"_meta": {"progressToken": "p"}}}
        self.assertEqual(self.codes(self.played([ping])), [])

    def test_each_request_of_a_batch(self) -> None:
        batch = [{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in (1, 2)]
        self.assertEqual(self.codes(self.played([batch])), [])
        self.assertEqual(self.refusals(), [(1, 401), (2, 401)] * 2)

    def test_a_response_of_the_protocol_is_one_whatever_its_status(self) -> None:
        def play(request: Scripted, body: Json) -> None:
            text = {"jsonrpc": "2.0", "id": body["id"], "error": {"code": -32601, "message": "no"}}
            request.answer(404, json.dumps(text).encode(), Content_Type="application/json")

        with scripted(play) as server, tapped(server.url, "--strict") as tap:
            for _ in range(2):
                sent(tap, {"jsonrpc": "2.0", "id": 1, "method": "ping"})
        self.assertEqual(self.codes(tap), ["id-reused"])
        self.assertNotIn('"refused"', tap.text)

    def test_a_request_that_waits_keeps_its_id(self) -> None:
        def play(request: Scripted, _: Json) -> None:
            request.stream([b": it waits\n\n"])

        with scripted(play) as server, tapped(server.url) as tap:
            for _ in range(2):
                sent(tap, {"jsonrpc": "2.0", "id": 1, "method": "ping"})
        self.assertEqual(self.codes(tap), ["id-in-flight"])

    def test_a_server_that_is_not_there_ends_it_too(self) -> None:
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            with tapped(f"http://127.0.0.1:{nobody.getsockname()[1]}/mcp", "--strict") as tap:
                for _ in range(2):
                    self.assertEqual(sent(tap, {"jsonrpc": "2.0", "id": 1, "method": "ping"}), 502)
        self.assertEqual(self.codes(tap), [])


@unittest.skipUnless(TOOL, "there is no command")
class Arguments(unittest.TestCase):
    def refused(self, *words: str) -> str:
        done = run(TOOL, "tap", *words)
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr

    def test_what_does_not_go_together_is_said(self) -> None:
        self.assertIn("belong together", self.refused("--listen", "0"))
        self.assertIn("belong together", self.refused("--to", "http://localhost/mcp"))
        self.assertIn(
            "starts no command", self.refused("--listen", "0", "--to", "http://localhost/mcp", "--", "x")
        )
        self.assertIn("a URL with http or https", self.refused("--listen", "0", "--to", "file:///etc/passwd"))

    def test_an_address_is_one_in_digits_and_a_port(self) -> None:
        for wrong in ("", "x", "70000", "localhost:80", "1.2.3:80", "127.0.0.1:", "[::1]", "[::1:80"):
            self.assertIn(
                "[ADDRESS:]PORT is expected", self.refused("--listen", wrong, "--to", "http://localhost/mcp")
            )

    def test_a_port_that_is_taken_is_said(self) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            self.assertIn(f"--listen {port}", self.refused("--listen", port, "--to", "http://localhost/mcp"))


if __name__ == "__main__":
    os.environ.setdefault("no_proxy", "*")
    unittest.main()
