# SPDX-License-Identifier: MIT
"""Servers that keep their tasks in Valkey or Redis: any of them serves the tasks of the others."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

from tests.http.test_shared import REDIS, redis, told
from tests.ports import free_port
from tests.task_redis.shells import TIMEOUT, eventually

ALWAYS = ("--appendonly", "yes", "--appendfsync", "always")
SERVER = os.environ.get("MCPW_TASK_SERVER", "")
COUNT = 1000
ENDED = "The process that ran the task has ended"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {
        "roots": {},
        "extensions": {"io.modelcontextprotocol/tasks": {}},
    },
}
Json = Dict[str, Any]


class Site:
    """One of the servers, and a client of 2026-07-28."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port

    def send(self, method: str, params: Json) -> Tuple[int, Json]:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
        fields = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": method,
            "Mcp-Name": params.get("name") or params.get("taskId") or "",
        }
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        try:
            connection.request("POST", "/mcp", json.dumps(body), fields)
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        if text.startswith("{"):
            got: Json = json.loads(text)
            return answer.status, got
        events = [line[6:] for line in text.splitlines() if line.startswith("data: {")]
        return answer.status, json.loads(events[-1]) if events else {}

    def ask(self, method: str, **params: Any) -> Json:
        status, got = self.send(method, params)
        if "result" not in got:
            raise AssertionError(f"{status}: {got}")
        result: Json = got["result"]
        return result

    def create(self, name: str, **arguments: Any) -> str:
        task: str = self.ask("tools/call", name=name, arguments=arguments)["taskId"]
        return task

    def get(self, task: str) -> Json:
        return self.ask("tasks/get", taskId=task)

    def status(self, task: str) -> str:
        status: str = self.get(task)["status"]
        return status

    def count(self) -> str:
        text: str = self.ask("tools/call", name="count", arguments={})["content"][0]["text"]
        return text


@contextlib.contextmanager
def site(port: int, *more: object) -> Iterator[Site]:
    command = [SERVER, str(port), *[str(word) for word in more]]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        one = Site(process, int(process.stdout.readline() or 0))
        try:
            yield one
        finally:
            process.send_signal(signal.SIGCONT)
            process.terminate()
            try:
                process.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()


@contextlib.contextmanager
def two(*more: object) -> Iterator[Tuple[int, Site, Site]]:
    port = free_port()
    with redis(port), site(port, *more) as one, site(port, *more) as other:
        yield port, one, other


@unittest.skipUnless(Path(REDIS).is_file(), "neither valkey-server nor redis-server is installed")
class ServerTest(unittest.TestCase):
    def test_any_server_has_the_result_of_a_task(self) -> None:
        with two() as (_port, one, other):
            task = one.create("work")
            eventually(lambda: other.status(task) == "completed")
            self.assertEqual(other.get(task)["result"]["content"][0]["text"], "done")

    def test_a_server_that_starts_again_has_what_was_finished(self) -> None:
        port = free_port()
        with redis(port):
            with site(port) as one:
                task = one.create("work")
                eventually(lambda: one.status(task) == "completed")
                one.process.kill()
            with site(port) as again:
                self.assertEqual(again.status(task), "completed")

    def test_a_task_is_cancelled_by_any_server_where_it_runs(self) -> None:
        with two() as (_port, one, other):
            task = one.create("wait")
            eventually(lambda: one.count() == "1 0")
            other.ask("tasks/cancel", taskId=task)
            self.assertEqual(other.status(task), "cancelled")
            eventually(lambda: one.count() == "1 1")
            self.assertEqual(one.status(task), "cancelled")

    def test_a_cancellation_is_heard_after_a_broken_connection(self) -> None:
        with two() as (port, one, other):
            task = one.create("wait")
            eventually(lambda: one.count() == "1 0")
            told(port, "CLIENT KILL TYPE normal")
            other.ask("tasks/cancel", taskId=task)
            eventually(lambda: one.count() == "1 1")

    def test_input_is_answered_at_any_server(self) -> None:
        with two() as (_port, one, other):
            task = one.create("ask")
            eventually(lambda: other.status(task) == "input_required")
            (key,) = other.get(task)["inputRequests"]
            other.ask("tasks/update", taskId=task, inputResponses={key: {"roots": []}})
            eventually(lambda: one.status(task) == "completed")
            self.assertEqual(one.get(task)["result"]["content"][0]["text"], "answered")

    def test_a_task_of_a_killed_server_is_failed_and_says_why(self) -> None:
        with two() as (_port, one, other):
            task = one.create("wait")
            eventually(lambda: one.count() == "1 0")
            one.process.kill()
            eventually(lambda: other.status(task) == "failed")
            self.assertIn(ENDED, json.dumps(other.get(task)))

    def test_a_stopped_server_learns_that_its_task_has_failed(self) -> None:
        with two() as (_port, one, other):
            task = one.create("wait")
            eventually(lambda: one.count() == "1 0")
            one.process.send_signal(signal.SIGSTOP)
            eventually(lambda: other.status(task) == "failed")
            one.process.send_signal(signal.SIGCONT)
            eventually(lambda: one.count() == "1 1")
            self.assertEqual(one.status(task), "failed")

    def test_without_redis_no_task_is_made_or_read_and_later_it_is(self) -> None:
        port = free_port()
        with site(port) as one:
            status, got = one.send("tools/call", {"name": "work", "arguments": {}})
            self.assertEqual(got["error"]["code"], -32603, status)
            _status, got = one.send("tasks/get", {"taskId": "0" * 32})
            self.assertEqual(got["error"]["code"], -32603)
            with redis(port):
                tasks: List[str] = []

                def creates() -> bool:
                    _status, made = one.send("tools/call", {"name": "work", "arguments": {}})
                    tasks.extend([made["result"]["taskId"]] if "result" in made else [])
                    return bool(tasks)

                eventually(creates)
                eventually(lambda: one.status(tasks[0]) == "completed")

    def test_a_task_that_ends_while_redis_is_away_keeps_its_result(self) -> None:
        port = free_port()
        with tempfile.TemporaryDirectory() as folder, site(port, 1, 3000) as one:
            with redis(port, *ALWAYS, "--dir", folder):
                eventually(lambda: one.send("tools/call", {"name": "work"})[1].get("result"))
                eventually(lambda: one.count() == "1 0")
                first, second = one.create("work", ms=500), one.create("work")
            eventually(lambda: one.count() > "1 0")  # the second may wait behind it
            with redis(port, *ALWAYS, "--dir", folder), site(port) as other:
                eventually(lambda: other.status(first) == "completed")
                eventually(lambda: other.status(second) == "completed")

    def test_an_entry_of_another_making_is_an_error_and_the_rest_is_served(self) -> None:
        with two() as (port, one, other):
            task = one.create("work")
            spoiled = one.create("work")
            eventually(lambda: one.status(spoiled) == "completed")
            told(port, f"HSET mcpw:task:{spoiled} text garbage")
            _status, got = other.send("tasks/get", {"taskId": spoiled})
            self.assertIn("error", got)
            eventually(lambda: other.status(task) == "completed")


@unittest.skipUnless(Path(REDIS).is_file(), "neither valkey-server nor redis-server is installed")
class KillTest(unittest.TestCase):
    """A client makes a thousand tasks, and one of two servers is killed in the middle."""

    def make(self, one: Site, other: Site, kill_after: int) -> List[str]:
        """Makes them with several threads, by the other server once the first is gone."""
        tasks: List[str] = []
        lock = threading.Lock()

        def create() -> Optional[str]:
            for server in (one, other):
                with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                    return server.create("work", ms=5)
            return None  # the answer was lost, so the client has not heard of the task

        def run() -> None:
            while True:
                with lock:
                    if len(tasks) >= COUNT:
                        return
                task = create()
                with lock:
                    tasks.extend([task] if task else [])
                    if len(tasks) >= kill_after and one.process.poll() is None:
                        one.process.kill()
                        one.process.wait(TIMEOUT)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return tasks

    def test_a_kill_in_the_middle_of_a_thousand_tasks_loses_none(self) -> None:
        with two(2) as (_port, one, other):
            tasks = self.make(one, other, COUNT // 2)
            self.assertGreaterEqual(len(set(tasks)), COUNT)
            ended: Dict[str, str] = {}

            def all_have_ended() -> bool:
                for task in tasks:
                    if task not in ended:
                        got = other.get(task)
                        if got["status"] in ("completed", "failed"):
                            ended[task] = got["status"]
                            self.assertIn("done" if got["status"] == "completed" else ENDED, json.dumps(got))
                return len(ended) == len(tasks)

            eventually(all_have_ended)
            counts = {word: list(ended.values()).count(word) for word in ("completed", "failed")}
            print(f"of {len(tasks)} tasks: {counts}")


if __name__ == "__main__":
    unittest.main()
