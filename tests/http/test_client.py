# SPDX-License-Identifier: MIT
"""The client over HTTP by libcurl, over sockets: our own server, and others that break off or forget."""

from __future__ import annotations

import contextlib
import gzip
import http.server
import json
import os
import shutil
import signal
import socket
import socketserver
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional

from tests.http.test_serve import TIMEOUT, served
from tests.tool.measured import measure

TOOL = os.environ.get("MCPW_TOOL", "")
EXAMPLE = os.environ.get("MCPW_HTTP_CLIENT", "")
MULTI = os.environ.get("MCPW_HTTP_CLIENT_MULTI", "")
Json = Dict[str, Any]
QUIET = {"PATH": os.environ["PATH"], "no_proxy": "*"}
LONGEST = 30  # seconds, after which a program that does not end is ended


def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*words], capture_output=True, text=True, timeout=TIMEOUT, check=False, env={**QUIET, **more}
    )


def call(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return run(TOOL, "call", *words, **more)


class Scripted(http.server.BaseHTTPRequestHandler):
    """Answers by what the test says."""

    protocol_version = "HTTP/1.1"
    server: Script

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def handle_one(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}")
        self.server.seen.append((self.command, dict(self.headers.items()), body))
        self.server.play(self, body)

    do_GET = do_POST = do_DELETE = handle_one  # noqa: N815 (the names of http.server)

    def answer(self, status: int, body: bytes = b"", **fields: str) -> None:
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def reply(self, message: Json, result: Json, **fields: str) -> None:
        text = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result})
        self.answer(200, text.encode(), Content_Type="application/json", **fields)

    def stream(self, pieces: List[bytes], pause: float = 0) -> None:
        """A stream of events in these pieces, which ends with its connection."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for piece in pieces:
            self.wfile.write(piece)
            self.wfile.flush()
            time.sleep(pause)
        self.close_connection = True


class Script(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def __init__(self, play: Callable[[Scripted, Json], None]) -> None:
        super().__init__(("127.0.0.1", 0), Scripted)
        self.play = play
        self.seen: List[Any] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/mcp"


@contextlib.contextmanager
def scripted(play: Callable[[Scripted, Json], None]) -> Iterator[Script]:
    with Script(play) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def opened(request: Scripted, message: Json) -> bool:
    """Opens a session as servers did before 2026-07-28; false: that is not what is asked for."""
    method = message.get("method")
    if method == "server/discover":
        request.answer(400, b"no")
    elif method == "initialize":
        info = {"name": "scripted", "version": "1"}
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
        request.reply(message, result, Mcp_Session_Id=f"s{len(request.server.seen)}")
    elif request.command == "GET" and "Last-Event-ID" not in request.headers:
        request.answer(405)
    elif method is not None and method.startswith("notifications/"):
        request.answer(202)
    elif request.command == "DELETE":
        request.answer(200)
    else:
        return False
    return True


SAID = {"content": [{"type": "text", "text": "said"}]}


class OwnServer(unittest.TestCase):
    def url(self, port: int) -> str:
        return f"http://127.0.0.1:{port}/mcp"

    def test_every_revision_is_spoken(self) -> None:
        with served() as site:
            for revision in ("2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"):
                done = call(
                    "--revision", revision, self.url(site.port), "--tool", "say", "--args", '{"message":"hi"}'
                )
                self.assertEqual((done.stdout, done.stderr, done.returncode), ("hi\n", "", 0), revision)

    def test_the_example_lists_and_calls(self) -> None:
        with served() as site:
            self.assertIn("say\n", run(EXAMPLE, self.url(site.port)).stdout)
            done = run(EXAMPLE, self.url(site.port), "say", '{"message":"hi"}')
            self.assertEqual((done.stdout, done.stderr, done.returncode), ("hi\n", "", 0))

    def test_an_example_that_makes_the_requests_itself_speaks_both_eras(self) -> None:
        def play(request: Scripted, message: Json) -> None:
            if not opened(request, message):
                request.reply(message, {"tools": [{"name": "old", "inputSchema": {"type": "object"}}]})

        with served() as site:
            done = run(MULTI, self.url(site.port))
            self.assertIn("say\n", done.stdout)
            self.assertEqual((done.stderr, done.returncode), ("", 0))
        with scripted(play) as server:
            done = run(MULTI, server.url)
            self.assertEqual((done.stdout, done.stderr, done.returncode), ("old\n", "", 0))
            self.assertEqual(server.seen[-1][0], "DELETE")  # the session on the server has ended

    def test_an_example_that_makes_the_requests_itself_tells_why_it_fails(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        done = run(MULTI, self.url(port))
        self.assertEqual((done.stdout, done.returncode), ("", 1))
        self.assertIn("http_client_multi: ", done.stderr)

    def test_another_loop_serves_the_same(self) -> None:
        program = os.environ.get("MCPW_HTTP_LIBEVENT")
        if program is None:
            self.skipTest("libevent is not installed")
        with subprocess.Popen([program, "0"], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            url = self.url(int(process.stdout.readline()))
            for revision in ("2025-06-18", "2026-07-28"):
                done = call("--revision", revision, url, "--tool", "echo", "message=hi")
                self.assertEqual((done.stdout, done.stderr, done.returncode), ("hi\n", "", 0), revision)
            process.terminate()
            self.assertEqual(process.wait(TIMEOUT), 0)

    def test_a_long_answer_comes_whole(self) -> None:
        with served() as site:
            text = "x" * 100000
            done = call(self.url(site.port), "--tool", "say", "--args", json.dumps({"message": text}))
            self.assertEqual(done.stdout, text + "\n")

    def test_ctrl_c_cancels(self) -> None:
        for revision in ("2026-07-28", "2025-11-25"):
            with served() as site:
                with subprocess.Popen(
                    [TOOL, "call", "--revision", revision, self.url(site.port), "--tool", "wait"],
                    env=QUIET,
                    stderr=subprocess.DEVNULL,
                ) as process:
                    site.wait_until("1 waiting, 0 cancelled")
                    process.send_signal(signal.SIGINT)
                    self.assertEqual(process.wait(TIMEOUT), 130)
                site.wait_until("0 waiting, 1 cancelled")

    def test_tls(self) -> None:
        openssl = shutil.which("openssl")
        if openssl is None:
            self.skipTest("openssl is not installed")
        with tempfile.TemporaryDirectory() as folder:
            key, cert = str(Path(folder, "key.pem")), str(Path(folder, "cert.pem"))
            make = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
            make += " -subj /CN=localhost -addext subjectAltName=DNS:localhost"
            command = [openssl, *make.split(), "-keyout", key, "-out", cert]
            subprocess.run(command, check=True, capture_output=True)
            with served(f"cert={cert}", f"key={key}") as site:
                url = f"https://localhost:{site.port}/mcp"
                words = ("--tool", "say", "--args", '{"message":"in secret"}')
                self.assertEqual(call(url, "--cacert", cert, *words).stdout, "in secret\n")
                refused = call(url, *words)
                self.assertEqual(refused.returncode, 2)
                self.assertIn("certificate", refused.stderr)

    def test_a_token_lets_in(self) -> None:
        with served("token=secret") as site:
            done = call(self.url(site.port), "--tool", "who", MCPWIRE_TOKEN="secret")
            self.assertEqual(done.stdout, "bearer at 127.0.0.1 by \n")
            for revision in ("2025-11-25", "2026-07-28"):
                done = call("--revision", revision, self.url(site.port), MCPWIRE_TOKEN="other")
                self.assertEqual(done.returncode, 2)
                self.assertIn("the token is not valid", done.stderr)

    def test_nobody_is_there(self) -> None:
        done = call("http://127.0.0.1:1/mcp")
        self.assertEqual(done.returncode, 2)
        self.assertIn("connect", done.stderr)


class OtherServers(unittest.TestCase):
    def test_no_redirect_is_followed_that_changes_the_method(self) -> None:
        with scripted(lambda request, message: request.answer(302, Location="/elsewhere")) as site:
            done = call(site.url)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("302", done.stderr)

    def test_a_token_and_fields_are_sent_each_time(self) -> None:
        def play(request: Scripted, message: Json) -> None:
            if not opened(request, message):
                request.reply(message, {"tools": []})

        with scripted(play) as site:
            done = call("--header", "X-Mine: 1", site.url, MCPWIRE_TOKEN="secret")
            self.assertEqual(done.returncode, 0, done.stderr)
            for command, fields, _ in site.seen:
                self.assertEqual((fields["Authorization"], fields["X-Mine"]), ("Bearer secret", "1"), command)

    def test_events_come_byte_by_byte(self) -> None:
        def play(request: Scripted, message: Json) -> None:
            if not opened(request, message):
                said = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"tools": []}})
                text = f": one\r\nevent: message\r\ndata: {said}\r\n\r\n".encode()
                request.stream([text[i : i + 1] for i in range(len(text))])

        with scripted(play) as site:
            self.assertEqual(call(site.url).returncode, 0)

    def test_a_stream_goes_on_where_it_was_broken_off(self) -> None:
        def play(request: Scripted, message: Json) -> None:
            if opened(request, message):
                return
            if request.command == "GET":
                said = json.dumps({"jsonrpc": "2.0", "id": 3, "result": SAID})
                request.stream([f"id: e2\ndata: {said}\n\n".encode()])
            elif message["method"] == "tools/list":
                request.reply(message, {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]})
            else:
                request.stream([b"id: e1\nretry: 300\ndata:\n\n"])

        with scripted(play) as site:
            began = time.monotonic()
            done = call(site.url, "--unchecked", "--tool", "t")
            self.assertIn("said", done.stdout + done.stderr)
            self.assertGreater(time.monotonic() - began, 0.25)
            last: List[Optional[str]] = [f.get("Last-Event-ID") for c, f, _ in site.seen if c == "GET"]
            self.assertEqual(last, [None, "e1"])

    def test_the_pause_before_a_stream_goes_on_begins_with_its_end(self) -> None:
        times: List[float] = []

        def play(request: Scripted, message: Json) -> None:
            if opened(request, message):
                return
            if request.command == "GET":
                times.append(time.monotonic())
                said = json.dumps({"jsonrpc": "2.0", "id": 3, "result": SAID})
                request.stream([f"id: e2\ndata: {said}\n\n".encode()])
            elif message["method"] == "tools/list":
                request.reply(message, {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]})
            else:
                request.stream([b"id: e1\nretry: 300\ndata:\n\n"], pause=0.4)
                times.append(time.monotonic())

        with scripted(play) as site:
            call(site.url, "--unchecked", "--tool", "t")
        self.assertEqual(len(times), 2)
        self.assertGreater(times[1] - times[0], 0.29)

    def test_a_session_that_was_forgotten_is_opened_again_and_ended(self) -> None:
        def play(request: Scripted, message: Json) -> None:
            if opened(request, message):
                return
            if request.headers["Mcp-Session-Id"] == "s2":
                request.answer(404)
            else:
                request.reply(message, {"tools": []})

        with scripted(play) as site:
            self.assertEqual(call(site.url).returncode, 0)
            ended = [fields["Mcp-Session-Id"] for command, fields, _ in site.seen if command == "DELETE"]
            self.assertEqual(len(ended), 1)
            self.assertNotEqual(ended, ["s2"])

    def test_a_server_that_breaks_off_is_told(self) -> None:
        def play(request: Scripted, message: Json) -> None:
            if opened(request, message):
                return
            if message["method"] == "tools/list":
                request.reply(message, {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]})
            else:
                request.stream([b"data: {"])

        with scripted(play) as site:
            done = call(site.url, "--tool", "t")
            self.assertEqual(done.returncode, 1)
            self.assertIn("before the response", done.stderr)

    def test_answers_go_while_requests_have_all_connections(self) -> None:
        answers = threading.Semaphore(0)

        def play(request: Scripted, message: Json) -> None:
            if opened(request, message):
                return
            if "method" not in message:
                request.answer(202)
                answers.release()
                return
            request.send_response(200)
            request.send_header("Content-Type", "text/event-stream")
            request.send_header("Connection", "close")
            request.end_headers()
            request.wfile.write(b'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n')
            if answers.acquire(timeout=TIMEOUT):
                said = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"tools": []}})
                request.wfile.write(f"data: {said}\n\n".encode())
            request.close_connection = True

        with scripted(play) as site:
            done = run(os.environ["MCPW_HTTP_CROWD"], site.url)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("MCPW_OK\n" * 4, "", 0))

    def test_a_server_that_says_nothing_ends_with_the_time(self) -> None:
        def play(request: Scripted, message: Json) -> None:
            if not opened(request, message):
                time.sleep(3)

        with scripted(play) as site:
            began = time.monotonic()
            done = call("--timeout", "1", site.url)
            self.assertNotEqual(done.returncode, 0)
            self.assertLess(time.monotonic() - began, 3)


class Redirects(unittest.TestCase):
    """Redirects of status 307 and 308, within one origin."""

    def test_a_server_whose_place_ends_in_a_slash_is_found(self) -> None:
        for status in (307, 308):

            def play(request: Scripted, message: Json, status: int = status) -> None:
                if request.path == "/mcp/":
                    request.answer(status, b"moved", Location="/mcp")
                elif not opened(request, message):
                    request.reply(message, SAID if message["method"] == "tools/call" else {"tools": []})

            with scripted(play) as site:
                done = call(site.url + "/", "--unchecked", "--tool", "t", MCPWIRE_TOKEN="secret")
                self.assertEqual((done.stdout, done.stderr, done.returncode), ("said\n", "", 0))
                said = [body.get("method") for _, _, body in site.seen]
                if status == 307:  # each request asks again
                    self.assertEqual(said[0::2], said[1::2])
                else:  # what was learned for good is kept
                    self.assertEqual(said[:2], ["server/discover", "server/discover"])
                    self.assertEqual(said.count("tools/call"), 1)
                for _, fields, _ in site.seen:
                    self.assertEqual(fields["Authorization"], "Bearer secret")

    def test_another_origin_is_named_and_not_asked(self) -> None:
        with scripted(lambda request, message: request.answer(200)) as other:

            def play(request: Scripted, _: Json) -> None:
                request.answer(307, Location=other.url + "?a=\x1b[1m".replace("\x1b", "%1b"))

            with scripted(play) as site:
                done = call(site.url, MCPWIRE_TOKEN="secret")
                self.assertEqual(done.returncode, 2)
                self.assertIn(f"HTTP status 307: a redirect to {other.url}", done.stderr)
            self.assertEqual(other.seen, [])

    def test_a_redirect_whose_body_does_not_end_is_followed(self) -> None:
        def play(request: Scripted, message: Json) -> None:
            if request.path == "/mcp/":
                request.send_response(307)
                request.send_header("Location", "/mcp")
                request.send_header("Connection", "close")
                request.end_headers()
                with contextlib.suppress(OSError):
                    while True:
                        request.wfile.write(b"moved " * 1000)
                request.close_connection = True
            elif not opened(request, message):
                request.reply(message, SAID if message["method"] == "tools/call" else {"tools": []})

        with scripted(play) as site:
            done = call("--timeout", "5", site.url + "/", "--unchecked", "--tool", "t")
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("said\n", "", 0))

    def test_a_circle_ends(self) -> None:
        def play(request: Scripted, _: Json) -> None:
            request.answer(308, Location="/b" if request.path == "/mcp" else "/mcp")

        with scripted(play) as site:
            done = call(site.url)
            self.assertEqual(done.returncode, 2)
            self.assertIn("HTTP status 308", done.stderr)
            self.assertLess(len(site.seen), 15)

    def test_another_host_that_looks_alike_is_not_asked(self) -> None:
        with scripted(lambda request, message: request.answer(200)) as site:
            port = site.server_address[1]
            for target in (
                f"http://127.0.0.1:{port}@localhost:{port}/",
                f"//localhost:{port}/mcp",
                f"http://127.0.0.1:{port + 1}/mcp",
                f"https://127.0.0.1:{port}/mcp",
                "file:///etc/passwd",
                "http://",
            ):

                def play(request: Scripted, _: Json, target: str = target) -> None:
                    request.answer(307, Location=target)

                site.play = play
                site.seen.clear()
                done = call(site.url)
                self.assertIn("HTTP status 307", done.stderr, target)
                self.assertEqual(len(site.seen), 2, target)


class Refusals(unittest.TestCase):
    CHALLENGE = (
        'Bearer error="invalid_token", error_description="It has \\"expired\\"", scope="a:b c", '
        'resource_metadata="https://a.example/.well-known/oauth-protected-resource/mcp"'
    )

    def test_a_401_says_what_to_do_and_is_asked_for_once(self) -> None:
        for token in ("", "old"):
            with scripted(lambda r, _: r.answer(401, b"no", WWW_Authenticate=self.CHALLENGE)) as site:
                done = call(site.url, **({"MCPWIRE_TOKEN": token} if token else {}))
                self.assertEqual(len(site.seen), 1)
            self.assertEqual(done.returncode, 2 if token else 3)
            for part in (
                "HTTP status 401",
                'It has "expired"',
                "a:b c",
                "https://a.example/.well-known/oauth-protected-resource/mcp",
                "MCPWIRE_TOKEN",
                "--header",
                "refuses the token" if token else "requires a token",
            ):
                self.assertIn(part, done.stderr)

    def test_a_server_of_the_old_transport_is_told_from_one_that_is_not_there(self) -> None:
        def play(request: Scripted, _: Json) -> None:
            request.answer(405 if request.command == "POST" else 200)

        with scripted(play) as site:
            done = call(site.url)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the older HTTP+SSE is not supported", done.stderr)

    def test_a_broken_connection_is_no_error_of_the_server(self) -> None:
        def play(request: Scripted, message: Json) -> None:
            if not opened(request, message):
                request.close_connection = True

        with scripted(play) as site:
            done = call(site.url, "--unchecked", "--tool", "t", "--args", "{}")
        self.assertNotIn("-32000", done.stderr)
        self.assertNotIn("the server answered", done.stderr)
        self.assertEqual(done.returncode, 1)


class Floods(unittest.TestCase):
    """Servers that ask without end: memory is bounded, and time is what the user says."""

    MOST_KIB = 120_000 + (300_000 if os.environ.get("MCPW_SANITIZED") == "1" else 0)  # freed memory is kept

    def flood(self, *words: str, takes: bool) -> None:
        """Runs a program against a server that pings without end, and takes the answers or not."""
        ping = b'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n' * 1000
        stop = threading.Event()

        def play(request: Scripted, message: Json) -> None:
            if "method" not in message and request.command == "POST":
                if not takes:
                    stop.wait(20)
                request.answer(202)
            elif not opened(request, message):
                request.send_response(200)
                request.send_header("Content-Type", "text/event-stream")
                request.end_headers()
                with contextlib.suppress(OSError):
                    while not stop.is_set():
                        request.wfile.write(ping)
                request.close_connection = True

        with scripted(play) as site:
            done = measure([*words, site.url], QUIET, LONGEST)
            stop.set()
        self.assertLess(done.seconds, 10)
        self.assertLess(done.kib, self.MOST_KIB)
        self.assertEqual(done.code, 0 if words[0] != TOOL else 1)

    def test_the_command_keeps_its_timeout_and_its_memory(self) -> None:
        for takes in (False, True):
            self.flood(TOOL, "call", "--timeout", "2", takes=takes)

    def test_the_library_keeps_its_timeout_and_its_memory(self) -> None:
        for takes in (False, True):
            self.flood(os.environ["MCPW_HTTP_IMPATIENT"], takes=takes)

    def test_a_server_that_wants_no_pause_is_not_stormed(self) -> None:
        def play(request: Scripted, message: Json) -> None:
            if request.command == "GET" or not opened(request, message):
                request.stream([b"id: %d\nretry: 0\ndata:\n\n" % len(request.server.seen)])

        with scripted(play) as site:
            done = measure([TOOL, "call", "--timeout", "3", site.url], QUIET, LONGEST)
            self.assertLess(len(site.seen), 40)
        self.assertLess(done.seconds, 8)
        self.assertNotEqual(done.code, 0)


class Reading(unittest.TestCase):
    """Input at a URL."""

    def validate(self, *words: str) -> subprocess.CompletedProcess[str]:
        return run(TOOL, "validate", *words)

    def test_values_are_read_from_a_url(self) -> None:
        line = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'

        def play(request: Scripted, _: Json) -> None:
            request.answer(200, line * 20_000)

        with scripted(play) as site:
            done = self.validate("--ndjson", site.url)
        self.assertEqual((done.stdout.splitlines()[-1], done.returncode), ("20000 values valid, 1 note", 0))

    def test_a_schema_is_read_from_a_url(self) -> None:
        schema = b'{"type": "integer"}'
        with (
            scripted(lambda request, _: request.answer(200, schema)) as site,
            tempfile.TemporaryDirectory() as folder,
        ):
            value = Path(folder, "value")
            value.write_text("1.5", "utf-8")
            done = self.validate("--json-schema", site.url, str(value))
        self.assertIn("expected integer", done.stdout + done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_what_is_compressed_is_unpacked(self) -> None:
        packed = gzip.compress(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
        with scripted(lambda request, _: request.answer(200, packed)) as site:
            done = self.validate(site.url)
        if "without zlib" in done.stderr:
            self.skipTest("the command was built without zlib")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_is_no_success_is_no_input(self) -> None:
        def play(request: Scripted, _: Json) -> None:
            request.answer(302, b"{}", Location="/elsewhere")

        with scripted(play) as site:
            done = self.validate(site.url)
            self.assertEqual(len(site.seen), 1)
        self.assertIn("cannot read: the server answers 302", done.stderr)
        self.assertEqual(done.returncode, 2)

    def test_what_breaks_off_is_no_input(self) -> None:
        def play(request: Scripted, _: Json) -> None:
            request.send_response(200)
            request.send_header("Content-Length", "1000")
            request.end_headers()
            request.wfile.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            request.close_connection = True

        with scripted(play) as site:
            done = self.validate("--ndjson", site.url)
        self.assertIn("cannot read", done.stderr)
        self.assertEqual(done.returncode, 2)

    def test_nobody_is_there_to_be_read(self) -> None:
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            done = self.validate(f"http://127.0.0.1:{nobody.getsockname()[1]}/")
        self.assertIn("cannot read", done.stderr)
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()
