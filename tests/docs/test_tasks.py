# SPDX-License-Identifier: MIT
"""The program of the page about tasks: its handlers run on workers, and its tasks end with the server."""

from __future__ import annotations

import json
import os
import subprocess
import time
import unittest
from typing import Dict

EXTENSION = "io.modelcontextprotocol/tasks"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}, "extensions": {EXTENSION: {}}},
}
PATIENCE = 20  # s
PAUSE = 0.02  # s between two polls


class TasksTest(unittest.TestCase):
    def setUp(self) -> None:
        program = os.environ["MCPW_GUIDE_TASKS"]
        self.server = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end)
        self.last = 0

    def end(self) -> None:
        if self.server.stdin is not None and self.server.stdout is not None:
            self.server.stdin.close()
            self.assertEqual(self.server.wait(PATIENCE), 0)
            self.server.stdout.close()

    def ask(self, method: str, **params: object) -> Dict[str, object]:
        self.last += 1
        request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": {**params, "_meta": META}}
        assert self.server.stdin is not None and self.server.stdout is not None
        self.server.stdin.write(json.dumps(request) + "\n")
        self.server.stdin.flush()
        while True:
            message = json.loads(self.server.stdout.readline())
            if message.get("id") == self.last:
                result = message["result"]
                assert isinstance(result, dict)
                return result

    def call(self, name: str) -> str:
        task = self.ask("tools/call", name=name, arguments={})
        self.assertEqual((task["resultType"], task["status"]), ("task", "working"))
        return str(task["taskId"])

    def follow(self, task: str) -> Dict[str, object]:
        """The task when it is not worked on any more."""
        until = time.monotonic() + PATIENCE
        state = self.ask("tasks/get", taskId=task)
        while state["status"] == "working" and time.monotonic() < until:
            time.sleep(PAUSE)
            state = self.ask("tasks/get", taskId=task)
        return state

    def test_a_report_is_written_by_a_worker(self) -> None:
        state = self.follow(self.call("write_report"))
        self.assertEqual((state["status"], state["statusMessage"]), ("completed", "written"))
        self.assertIn("The report is written.", json.dumps(state["result"]))

    def test_a_report_that_is_cancelled_is_not_written(self) -> None:
        task = self.call("write_report")
        self.ask("tasks/cancel", taskId=task)
        self.assertEqual(self.follow(task)["status"], "cancelled")

    def test_a_user_is_asked_and_the_task_goes_on(self) -> None:
        task = self.call("clean_up")
        state = self.follow(task)
        self.assertEqual((state["status"], state["ttlMs"]), ("input_required", 600000))
        answer = {"action": "accept", "content": {"sure": True}}
        self.ask("tasks/update", taskId=task, inputResponses={"sure": answer})
        self.assertIn("They are deleted.", json.dumps(self.follow(task)["result"]))

    def test_a_server_with_tasks_that_run_ends_with_its_client(self) -> None:
        for _ in range(8):
            self.call("write_report")


if __name__ == "__main__":
    unittest.main()
