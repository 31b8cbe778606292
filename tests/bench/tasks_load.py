# SPDX-License-Identifier: MIT
"""The processor time that a poll of a task takes a server, beside that of a call of a tool that echoes.
There are 1,000 requests a second over HTTP on one connection, and polls of 1,000 open tasks in turn.

    python3 tests/bench/tasks_load.py --program BUILD/tests/bench/bench_tasks_server

Seconds of polls and of calls take turns. The figure is the median of their ratios, so it is one of one run.
"""

from __future__ import annotations

import argparse
import http.client
import json
import statistics
import subprocess
import time
from pathlib import Path
from typing import List, Mapping

REVISION = "2026-07-28"
TASKS = 1000
RATE = 1000  # requests a second
META = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}},
}


class Server:
    """The program, and a connection to it."""

    def __init__(self, program: Path) -> None:
        self.process = subprocess.Popen(
            [str(program), "--http", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        words = self.process.stdout.readline()
        port = int(words.split("127.0.0.1:")[1].split("/")[0])
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def ask(self, method: str, name: str, params: Mapping[str, object]) -> Mapping[str, object]:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}})
        head = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": REVISION,
            "Mcp-Method": method,
            "Mcp-Name": name,
        }
        self.connection.request("POST", "/mcp", body, head)
        response = self.connection.getresponse()
        answer: Mapping[str, object] = json.loads(response.read())
        if response.status != 200 or "result" not in answer:
            raise SystemExit(f"{method}: {response.status} {answer}")
        return answer

    def call(self, tool: str) -> Mapping[str, object]:
        return self.ask("tools/call", tool, {"name": tool, "arguments": {"message": "hello"}})

    def cpu(self) -> float:
        """Seconds of the server's processor time, by the clock of its process."""
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def second(self, tasks: List[str]) -> float:
        """The microseconds for each of a second's requests: polls, or calls if there are no tasks."""
        before = self.cpu()
        began = time.monotonic()
        for number in range(RATE):
            if tasks:
                task = tasks[number % len(tasks)]
                self.ask("tasks/get", task, {"taskId": task})
            else:
                self.call("echo")
            time.sleep(max(0.0, began + (number + 1) / RATE - time.monotonic()))
        return (self.cpu() - before) / RATE * 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    server = Server(options.program)
    try:
        tasks = [str(server.call("keep")["result"]["taskId"]) for _ in range(TASKS)]  # type: ignore[index]
        server.second(tasks)
        server.second([])
        polls: List[float] = []
        calls: List[float] = []
        for _ in range(options.rounds):
            polls.append(server.second(tasks))
            calls.append(server.second([]))
        ratio = statistics.median(poll / call for poll, call in zip(polls, calls))
        print(
            f"processor time of a poll {statistics.median(polls):.1f} us, "
            f"of a call {statistics.median(calls):.1f} us; "
            f"median of {options.rounds} ratios {ratio:.2f}"
        )
    finally:
        server.process.terminate()
        server.process.wait()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
