# SPDX-License-Identifier: MIT
"""docs/guide/http.c on a socket that another process has opened, and the units that have systemd do so."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Dict, Iterator, Tuple

PROGRAM = os.environ.get("MCPW_GUIDE_HTTP", "")
UNITS = Path(__file__).resolve().parents[2] / "docs" / "deploy"
TIMEOUT = 20.0
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
# As systemd starts a program: descriptor 3 is the socket, and the variables name the process.
START = 'exec 3<&"$1"; LISTEN_FDS=1 LISTEN_PID=$$ exec "$2"'
WITH_ANOTHERS = 'exec 3<&"$1"; LISTEN_FDS=1 LISTEN_PID=1 exec "$2"'


@contextlib.contextmanager
def listening() -> Iterator[socket.socket]:
    """A socket as systemd opens it: it blocks."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        one.listen()
        yield one


@contextlib.contextmanager
def started(given: socket.socket, how: str = START, **variables: str) -> Iterator[int]:
    """The program on that socket: the port that it says, until it has ended in order."""
    command = ["bash", "-c", how, "bash", str(given.fileno()), PROGRAM]
    with subprocess.Popen(
        command,
        pass_fds=[given.fileno()],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **variables},
    ) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline().split()[1])
        finally:
            process.terminate()
            status = process.wait(TIMEOUT)
    if status != 0:
        raise AssertionError(f"the server ended with {status}")


def request(host: str) -> Tuple[bytes, Dict[str, str]]:
    """A call of the tool."""
    params = {"name": "echo", "arguments": {"message": "here"}, "_meta": META}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    fields = {
        "Host": host,
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "echo",
    }
    return json.dumps(body).encode(), fields


def connect(port: int) -> http.client.HTTPConnection:
    """A connection, which is there before anybody takes it."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    connection.connect()
    return connection


def status_of(connection: http.client.HTTPConnection, host: str = "localhost") -> int:
    """The status by which a call is answered."""
    with contextlib.closing(connection):
        connection.request("POST", "/mcp", *request(host))
        return connection.getresponse().status


class GivenSocketTest(unittest.TestCase):
    def test_it_serves_on_the_socket_that_it_was_given(self) -> None:
        with listening() as given, started(given) as port:
            self.assertEqual(port, given.getsockname()[1])
            self.assertEqual(status_of(connect(port)), http.client.OK)

    def test_a_connection_that_came_while_no_server_ran_is_served_by_the_next_one(self) -> None:
        with listening() as given:
            port = given.getsockname()[1]
            with started(given):
                self.assertEqual(status_of(connect(port)), http.client.OK)
            waiting = connect(port)
            with started(given):
                self.assertEqual(status_of(waiting), http.client.OK)

    def test_a_socket_that_was_given_to_another_process_does_not_count(self) -> None:
        with listening() as given, started(given, WITH_ANOTHERS) as port:
            self.assertNotEqual(port, given.getsockname()[1])

    def test_a_descriptor_that_does_not_listen_does_not_count(self) -> None:
        with socket.socket() as given, started(given) as port:
            self.assertEqual(status_of(connect(port)), http.client.OK)

    def test_it_is_reached_by_its_public_name_alone(self) -> None:
        with listening() as given, started(given, MCP_HOSTS="mcp.example.com") as port:
            self.assertEqual(status_of(connect(port), "mcp.example.com"), http.client.OK)
            self.assertEqual(status_of(connect(port), "evil.example.com"), http.client.FORBIDDEN)

    def test_a_key_that_cannot_be_read_is_an_error(self) -> None:
        environment = {**os.environ, "MCP_STATE_KEY_FILE": "/nowhere/key"}
        run = subprocess.run([PROGRAM], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (1, "mcp-server: cannot read /nowhere/key\n"))


class UnitsTest(unittest.TestCase):
    @unittest.skipIf(shutil.which("systemd-analyze") is None, "systemd-analyze is not installed")
    def test_systemd_has_nothing_to_say_about_them(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            units = [Path(name) / f"mcp@8080.{kind}" for kind in ("socket", "service")]
            for unit in units:
                text = (UNITS / unit.name.replace("8080", "")).read_text("utf-8")
                unit.write_text(text.replace("/usr/local/bin/mcp-server", PROGRAM), "utf-8")
            command = ["systemd-analyze", "verify", *map(str, units)]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
