# SPDX-License-Identifier: MIT
"""Two servers behind nginx, by docs/deploy/nginx.conf as it is but for its ports and its name."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Iterator, List, Sequence, Tuple

from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / "docs" / "deploy" / "nginx.conf"
SERVER = os.environ.get("MCPW_EVERYTHING", "")
SUITE = os.environ.get("MCPW_CONFORMANCE", "")
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
TIMEOUT = 20.0
ROUNDS = 20  # of nginx alone, after which it has handed on what came before
SKIPPED = 77
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
# The settings of nginx besides our file: it runs as who starts it, and writes to one folder.
AROUND = """
daemon off;
pid {folder}/pid;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/mcp.conf;
    # Debian has a site of its own, which takes what no other one does.
    server {{
        listen 127.0.0.1:{front} default_server;
        return 404;
    }}
}}
"""


# Over HTTP/1.0 nginx collects what a server says, unless the server asks it not to.
COLLECTING = ("proxy_http_version 1.1;", "proxy_http_version 1.0;")


def send(connection: http.client.HTTPConnection, method: str, **params: Any) -> None:
    """Sends a request."""
    meta = {**META, **params.pop("meta", {})}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    fields = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
        **({"Mcp-Name": params["name"]} if "name" in params else {}),
    }
    connection.request("POST", "/mcp", json.dumps(body), fields)


def ask(connection: http.client.HTTPConnection, method: str, **params: Any) -> http.client.HTTPResponse:
    """Sends a request, whose answer begins."""
    send(connection, method, **params)
    return connection.getresponse()


def event(stream: http.client.HTTPResponse) -> str:
    """The method of the next message of a stream; empty when it has ended."""
    try:
        for line in iter(stream.readline, b""):
            if line.startswith(b"data: {"):
                message = json.loads(line[len(b"data: ") :])
                return str(message.get("method", "result"))
    except (http.client.HTTPException, ConnectionError):
        pass
    return ""


def rest(stream: http.client.HTTPResponse) -> List[str]:
    """The methods of the messages that are still to come."""
    said = []
    while method := event(stream):
        said.append(method)
    return said


class Site:
    """nginx with its servers."""

    def __init__(self, port: int, servers: List[subprocess.Popen[str]]) -> None:
        self.port = port
        self.servers = servers

    @contextlib.contextmanager
    def connection(self) -> Iterator[http.client.HTTPConnection]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        try:
            yield connection
        finally:
            connection.close()

    @contextlib.contextmanager
    def listening(self) -> Iterator[http.client.HTTPResponse]:
        with self.connection() as connection:
            stream = ask(connection, "subscriptions/listen", notifications={"toolsListChanged": True})
            yield stream
            stream.close()

    def settle(self) -> None:
        """Earlier requests of nginx have reached the servers: it is one process, which takes things in
        turn."""
        for _ in range(ROUNDS):
            with self.connection() as connection:
                connection.request("GET", "/")
                connection.getresponse().read()

    def kill_one(self) -> None:
        self.servers[0].kill()
        self.servers[0].wait(TIMEOUT)

    def call(self, tool: str, **arguments: Any) -> Tuple[int, Any]:
        with self.connection() as connection:
            answer = ask(connection, "tools/call", name=tool, arguments=arguments)
            body = answer.read()
        return answer.status, json.loads(body) if answer.status == http.client.OK else body


def configure(folder: Path, front: int, behind: List[int], changes: Sequence[Tuple[str, str]]) -> None:
    """The file of ours with other ports, another name and these changes, and a file that includes it."""
    text = CONFIG.read_text("utf-8")
    own = [("listen 80;", f"listen 127.0.0.1:{front};"), (" mcp.example.com;", " localhost 127.0.0.1;")]
    ports = [(f"127.0.0.1:{8080 + i} ", f"127.0.0.1:{port} ") for i, port in enumerate(behind)]
    for old, new in [*own, *ports, *changes]:
        if text.count(old) != 1:
            raise AssertionError(f"{CONFIG.name} has not one {old!r}")
        text = text.replace(old, new)
    (folder / "mcp.conf").write_text(text, "utf-8")
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder, front=front), "utf-8")


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Until somebody listens there."""
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), TIMEOUT).close()
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(0.02)


@contextlib.contextmanager
def site(*changes: Tuple[str, str]) -> Iterator[Site]:
    """Two servers of one state_key behind nginx, whose file has these changes."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)  # nginx that is started by root works as another user
        shared = {"MCPW_STATE_KEY": "k" * 32, "MCPW_SHARED": str(folder / "shared")}
        servers = []
        for _ in range(2):
            command = [SERVER, "0"]
            server = subprocess.Popen(
                command, stdout=subprocess.PIPE, text=True, env={**os.environ, **shared}
            )
            servers.append(stack.enter_context(server))
            stack.callback(server.kill)
        behind = [int(server.stdout.readline()) for server in servers if server.stdout is not None]
        front = free_port()
        configure(folder, front, behind, changes)
        command = [str(NGINX), "-e", "stderr", "-c", str(folder / "nginx.conf")]
        nginx = stack.enter_context(subprocess.Popen(command, stderr=subprocess.DEVNULL))
        stack.callback(nginx.terminate)
        wait_for(front, nginx)
        yield Site(front, servers)


@unittest.skipIf(NGINX is None, "nginx is not installed (Debian: nginx)")
class NginxTest(unittest.TestCase):
    def test_the_suite_passes(self) -> None:
        with site() as here:
            url = f"http://localhost:{here.port}/mcp"
            command = ["sh", str(ROOT / "tests/interop/conformance.sh"), url, SUITE, "2026-07-28"]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode == SKIPPED:
            self.skipTest(run.stdout.strip())
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def check_order(self, here: Site) -> None:
        """A message is read before the next event is caused; the end of the stream is the last one."""
        with here.listening() as stream:
            self.assertEqual(event(stream), "notifications/subscriptions/acknowledged")
            self.assertEqual(here.call("test_trigger_tool_change")[0], http.client.OK)
            self.assertEqual(event(stream), "notifications/tools/list_changed")
            for server in here.servers:
                server.terminate()
            self.assertEqual([event(stream), event(stream)], ["result", ""])

    def test_a_stream_is_not_held_back(self) -> None:
        with site() as here:
            self.check_order(here)

    def test_a_stream_asks_itself_not_to_be_held_back(self) -> None:
        with site(COLLECTING) as here:
            self.check_order(here)

    def test_when_a_server_is_killed_the_other_serves_on(self) -> None:
        with site() as here:
            for i in range(100):
                if i == 50:
                    here.kill_one()
                status, body = here.call("echo", message=str(i))
                self.assertEqual(status, http.client.OK, f"call {i}: {body!r}")
                self.assertEqual(body["result"]["content"][0]["text"], str(i))

    def test_what_a_server_works_on_when_it_is_killed_is_not_sent_again(self) -> None:
        with site() as here, here.connection() as one, here.connection() as other:
            for server in here.servers:
                server.send_signal(signal.SIGSTOP)
            for connection in (one, other):
                send(connection, "tools/call", name="echo", arguments={"message": "here"})
            here.settle()
            here.kill_one()
            answered = select.select([one.sock, other.sock], [], [], TIMEOUT)[0]
            self.assertEqual(len(answered), 1)
            lost, kept = (one, other) if answered[0] is one.sock else (other, one)
            self.assertEqual(lost.getresponse().status, http.client.BAD_GATEWAY)
            here.servers[1].send_signal(signal.SIGCONT)
            self.assertEqual(kept.getresponse().status, http.client.OK)

    def test_an_answer_that_streams_goes_on_when_the_other_server_is_killed(self) -> None:
        progress = {"name": "test_tool_with_progress", "meta": {"progressToken": "p"}}
        with site() as here, here.connection() as one, here.connection() as other:
            streams = [ask(connection, "tools/call", **progress) for connection in (one, other)]
            self.assertEqual([event(stream) for stream in streams], ["notifications/progress"] * 2)
            here.kill_one()
            ends = [rest(stream) for stream in streams]
            self.assertEqual(sorted("result" in end for end in ends), [False, True])

    def test_streams_are_spread_and_those_of_the_server_that_lives_go_on(self) -> None:
        with site() as here, here.listening() as one, here.listening() as other:
            for stream in (one, other):
                self.assertEqual(event(stream), "notifications/subscriptions/acknowledged")
            here.kill_one()
            self.assertEqual(here.call("test_trigger_tool_change")[0], http.client.OK)
            self.assertEqual(sorted([event(one), event(other)]), ["", "notifications/tools/list_changed"])


if __name__ == "__main__":
    unittest.main()
