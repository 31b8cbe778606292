# SPDX-License-Identifier: MIT
"""examples/http_server.c: a server with settings of its own for HTTP."""

from __future__ import annotations

import http.client
import json
import re
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
                self.assertEqual(client.text("whereabouts"), "at the other end of a pipe")

    def test_with_a_port_it_serves_http(self) -> None:
        command = [example("http_server"), "--http", "0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            found = re.search(r":(\d+)/mcp$", process.stderr.readline().rstrip())
            assert found is not None
            port = int(found.group(1))
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            meta = {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            }
            params = {"name": "whereabouts", "arguments": {}, "_meta": meta}
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            fields = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call"}
            fields["Mcp-Name"] = "whereabouts"
            connection.request("POST", "/mcp", json.dumps(body), {**FIELDS, **fields})
            answer = json.loads(connection.getresponse().read())
            connection.close()
            process.terminate()
            self.assertEqual(process.wait(20), 0)
        self.assertEqual(answer["result"]["content"], [{"type": "text", "text": "127.0.0.1"}])


if __name__ == "__main__":
    unittest.main()
