# SPDX-License-Identifier: MIT
"""examples/http_server.c: one server on standard input and output, or over HTTP."""

from __future__ import annotations

import http.client
import json
import subprocess
import unittest
from pathlib import Path

from tests.examples.peer import Client, ExampleTest, built_revisions, example, started

SOURCE = Path(__file__).resolve().parents[2] / "examples" / "http_server.c"
FIELDS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


class HttpServerTest(ExampleTest):
    needs = ("http_server",)

    def test_it_is_a_server_in_under_60_lines(self) -> None:
        self.assertLess(len(SOURCE.read_text("utf-8").splitlines()), 60)

    def test_without_an_argument_it_serves_standard_input(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("http_server")) as wire:
                client = Client(wire, revision).open()
                self.assertEqual(client.text("echo", {"message": "by a pipe"}), "by a pipe")

    def test_with_a_port_it_serves_http(self) -> None:
        command = [example("http_server"), "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            meta = {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            }
            params = {"name": "echo", "arguments": {"message": "by HTTP"}, "_meta": meta}
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            fields = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "echo"}
            connection.request("POST", "/mcp", json.dumps(body), {**FIELDS, **fields})
            answer = json.loads(connection.getresponse().read())
            connection.close()
            process.terminate()
            self.assertEqual(process.wait(20), 0)
        self.assertEqual(answer["result"]["content"], [{"type": "text", "text": "by HTTP"}])


if __name__ == "__main__":
    unittest.main()
