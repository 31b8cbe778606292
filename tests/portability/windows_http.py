# SPDX-License-Identifier: MIT
"""HTTP on Windows, under Wine: a server and a client of Windows, and clients of this machine.

python3 -m tests.portability.windows_http FOLDER    (with the programs of the examples)
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import unittest
import urllib.request
from pathlib import Path
from typing import Any, Dict, Iterator

TIMEOUT = 60.0
HANDLES = 64  # the most that Windows waits for at once
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
folder = Path()
SDK = """
import asyncio, sys
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

async def call(url):
    async with streamablehttp_client(url) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        print((await session.call_tool("whereabouts", {})).content[0].text)

asyncio.run(call(sys.argv[1]))
"""


def headers(method: str, name: str = "") -> Dict[str, str]:
    fields = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
    }
    return {**fields, "Mcp-Name": name} if name else fields


def body(method: str, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
    return json.dumps(message).encode()


def whereabouts(url: str) -> str:
    sent = urllib.request.Request(
        url, body("tools/call", name="whereabouts", arguments={}), headers("tools/call", "whereabouts")
    )
    with urllib.request.urlopen(sent, timeout=TIMEOUT) as response:
        answer = json.loads(response.read())
    return str(answer["result"]["content"][0]["text"])


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The URL of a server of Windows that runs."""
    command = ["wine", str(folder / "example_http_server.exe"), "--http", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.search(r"http://[0-9.]+:([0-9]+)/mcp", line)
        assert found is not None, line
        try:
            yield found.group(0)
        finally:
            process.kill()


@contextlib.contextmanager
def connected(url: str) -> Iterator[socket.socket]:
    address = url.split("/")[2].split(":")
    with socket.create_connection((address[0], int(address[1])), TIMEOUT) as wire:
        yield wire


class WindowsHttpTest(unittest.TestCase):
    def test_a_client_of_this_machine_is_answered(self) -> None:
        with served() as url:
            self.assertEqual(whereabouts(url), "127.0.0.1")

    def test_a_client_of_windows_is_answered(self) -> None:
        command = ["wine", str(folder / "example_http_client.exe")]
        with served() as url:
            call = [*command, url, "whereabouts", "{}"]
            run = subprocess.run(call, capture_output=True, timeout=TIMEOUT, check=True)
            self.assertIn(b"127.0.0.1", run.stdout)

    def test_more_connections_than_windows_waits_for_are_served(self) -> None:
        with served() as url, contextlib.ExitStack() as stack:
            # Those of one address are limited by the server to 32: other addresses of the loopback are used.
            host, port = url.split("/")[2].split(":")
            for i in range(2 * HANDLES):
                source = (f"127.0.0.{2 + i % 8}", 0)
                stack.enter_context(socket.create_connection((host, int(port)), TIMEOUT, source))
            with concurrent.futures.ThreadPoolExecutor(16) as pool:
                said = list(pool.map(whereabouts, [url] * HANDLES))
            self.assertEqual(said, ["127.0.0.1"] * HANDLES)

    def test_a_stream_whose_reader_goes_leaves_others_served(self) -> None:
        sent = body("subscriptions/listen", notifications={"toolsListChanged": True})
        fields = {**headers("subscriptions/listen"), "Host": "localhost", "Content-Length": str(len(sent))}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        with served() as url:
            for _ in range(HANDLES):  # more than one address may have at once
                with connected(url) as wire:
                    wire.sendall(b"POST /mcp HTTP/1.1\r\n" + head.encode() + b"\r\n" + sent)
                    heard = b""
                    while b"acknowledged" not in heard:
                        got = wire.recv(4096)
                        self.assertNotEqual(got, b"", heard)
                        heard += got
            self.assertEqual(whereabouts(url), "127.0.0.1")

    def test_the_python_sdk_is_answered(self) -> None:
        python = Path(os.environ.get("MCPW_NODE_MODULES", "build/interop")) / "python-v1" / "bin" / "python"
        if not python.exists():
            self.skipTest("no Python SDK (tests/interop/setup.sh)")
        with served() as url:
            run = subprocess.run([python, "-c", SDK, url], capture_output=True, timeout=TIMEOUT, check=True)
            self.assertEqual(run.stdout.strip(), b"127.0.0.1")


if __name__ == "__main__":
    folder = Path(sys.argv.pop(1))
    unittest.main()
