# SPDX-License-Identifier: MIT
"""examples/http_server.cpp: one server over either transport, in C++."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import unittest

from tests.examples.peer import Client, ExampleTest, built_revisions, example, started

META = "io.modelcontextprotocol/"
FIELDS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


class HttpServerCppTest(ExampleTest):
    needs = ("http_server_cpp",)

    def test_without_an_argument_it_serves_standard_input(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("http_server_cpp")) as wire:
                client = Client(wire, revision).open()
                self.assertEqual(client.text("greet"), "Hello!")
                messages = client.call("prompts/get", {"name": "greeting"})["messages"]
                self.assertEqual([message["role"] for message in messages], ["user", "assistant"])

    def test_with_a_port_it_serves_http(self) -> None:
        command = [example("http_server_cpp"), "--http", "0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            found = re.search(r":(\d+)/mcp$", process.stderr.readline().rstrip())
            assert found is not None
            connection = http.client.HTTPConnection("127.0.0.1", int(found.group(1)), timeout=20)
            meta = {META + "protocolVersion": "2026-07-28", META + "clientCapabilities": {}}
            fields = {
                **FIELDS,
                "MCP-Protocol-Version": "2026-07-28",
                "Mcp-Method": "tools/call",
                "Mcp-Name": "greet",
            }
            call = {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": "greet", "_meta": meta},
            }
            connection.request("POST", "/mcp", json.dumps(call), fields)
            self.assertIn("Hello!", connection.getresponse().read().decode("utf-8"))
            connection.close()
            process.terminate()
            self.assertEqual(process.wait(20), 0)


if __name__ == "__main__":
    unittest.main()
