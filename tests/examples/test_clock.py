# SPDX-License-Identifier: MIT
"""examples/clock.c: an extension of one's own, from its schema to both ends, over pipes and over HTTP."""

from __future__ import annotations

import json
import re
import subprocess
import unittest
from typing import List

from tests.examples.peer import ExampleTest, example

ANSWERS = ['settings {"unit":"s"}', "tick here", "seconds 3"]


def asked(*arguments: str) -> List[str]:
    """The lines of the client."""
    run = subprocess.run(
        [example("clock"), *arguments], check=True, stdout=subprocess.PIPE, text=True, timeout=60
    )
    return run.stdout.splitlines()


def answer(method: str, capabilities: object) -> object:
    """The response of the server to one request of a client with these capabilities."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    }
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta, "zone": "x"}}
    line = json.dumps(request) + "\n"
    run = subprocess.run(
        [example("clock")], input=line, check=True, stdout=subprocess.PIPE, text=True, timeout=60
    )
    return json.loads(run.stdout.splitlines()[-1])


class ClockTest(ExampleTest):
    needs = ("clock", "gateway")

    def test_both_ends_speak_it_over_pipes(self) -> None:
        self.assertEqual(asked("--ask", example("clock")), ANSWERS)

    def test_both_ends_speak_it_over_http(self) -> None:
        command = [example("clock"), "--http", "0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            found = re.search(r"http://\S+/mcp", process.stderr.readline())
            assert found is not None
            try:
                self.assertEqual(asked("--at", found.group(0)), ANSWERS)
            finally:
                process.terminate()

    def test_a_gateway_passes_it_on(self) -> None:
        methods = "clock/read,notifications/clock/tick"
        gateway = [example("gateway"), "2026-07-28", "-e", "org.example/clock", methods]
        self.assertEqual(asked("--ask", *gateway, example("clock")), ANSWERS)

    def test_a_gateway_that_knows_nothing_of_it_refuses(self) -> None:
        command = [example("clock"), "--ask", example("gateway"), "2026-07-28", example("clock")]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(run.stderr, "the server answered -32601: Method not found: clock/read\n")

    def test_a_client_without_it_is_refused(self) -> None:
        response = answer("clock/read", {})
        assert isinstance(response, dict)
        self.assertEqual(response["error"]["code"], -32021)
        required: object = {"requiredCapabilities": {"extensions": {"org.example/clock": {}}}}
        self.assertEqual(response["error"]["data"], required)

    def test_a_client_with_it_is_answered(self) -> None:
        response = answer("clock/read", {"extensions": {"org.example/clock": {}}})
        assert isinstance(response, dict)
        self.assertEqual(response["result"]["seconds"], 1)
        self.assertEqual(response["result"]["resultType"], "complete")


if __name__ == "__main__":
    unittest.main()
