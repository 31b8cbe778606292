"""mcpwire call with tasks: calls that a task answers, --task, --resume, and what Ctrl-C does."""

import json
import os
import re
import signal
import subprocess
import sys
import unittest
from typing import List, Tuple

from tests.tool.support import ROOT, TIMEOUT, Result, ToolTest, environment, tool

SERVER = str(ROOT / "tests" / "tool" / "task_server.py")
KINDS: Tuple[Tuple[str, ...], ...] = ((), ("--stateless",))
ENDLESS = "1000000"


class TaskTest(ToolTest):
    def command(self, *args: str, server: Tuple[str, ...] = ()) -> List[str]:
        start = [sys.executable, "-S", "-E", SERVER, "--keep", str(self.folder), *server]
        return ["call", *args, "--", *start]

    def call(self, *args: str, server: Tuple[str, ...] = ()) -> Result:
        return self.run_tool(*self.command(*args, server=server))

    def methods(self) -> List[str]:
        path = self.folder / "log"
        return path.read_text().splitlines() if path.exists() else []

    def forget(self) -> None:
        (self.folder / "log").unlink(missing_ok=True)


class Calls(TaskTest):
    def test_a_task_is_waited_for(self) -> None:
        for kind in KINDS:
            self.forget()
            done = self.call("--tool", "work", server=("--support", "required", *kind))
            self.assertEqual((done.out, done.err, done.code), ("worked\n", "", 0))
            self.assertIn("tasks/get", self.methods())

    def test_a_tool_that_leaves_it_open_is_called_without_a_task(self) -> None:
        done = self.call("--tool", "work")
        self.assertEqual((done.out, done.err, done.code), ("worked\n", "", 0))
        self.assertNotIn("tasks/get", self.methods())

    def test_a_status_is_shown_when_it_changes_and_cannot_reach_the_terminal_raw(self) -> None:
        for kind in KINDS:
            done = self.call("--tool", "work", "--task", server=("--polls", "2", *kind))
            self.assertEqual((done.out, done.code), ("worked\n", 0))
            rows = done.err.splitlines()
            self.assertRegex(rows[0], r'^mcpwire: the task\'s handle, for --resume: \{"mcpwTask":1,')
            self.assertEqual(
                rows[1:],
                [
                    "mcpwire: the task is working: step 0\\x1b[31m",
                    "mcpwire: the task is working: step 1\\x1b[31m",
                    "mcpwire: the task is completed: step 2\\x1b[31m",
                ],
            )

    def test_the_result_is_json_with_json(self) -> None:
        done = self.call("--tool", "work", "--task", "--json", server=("--stateless",))
        self.assertEqual(json.loads(done.out)["content"][0]["text"], "worked")

    def test_a_server_without_tasks_is_named(self) -> None:
        for kind, revision in zip(KINDS, ("2025-11-25", "2026-07-28")):
            for how in (("--tool", "work", "--task"), ("--resume", "task-1")):
                done = self.call(*how, server=("--plain", *kind))
                option = "--task" if "--task" in how else "--resume"
                text = f"mcpwire: {option}: the server has no tasks in revision {revision}\n"
                self.assertEqual((done.err, done.code), (text, 1))
                self.assertNotIn("tools/call", self.methods())

    def test_a_tool_may_answer_at_once(self) -> None:
        done = self.call("--tool", "work", "--task", server=("--at-once", "--stateless"))
        self.assertEqual(
            (done.out, done.err, done.code),
            ("worked\n", "mcpwire: note: the tool has answered at once, without a task\n", 0),
        )

    def test_an_input_request_is_declined_without_a_terminal(self) -> None:
        done = self.call("--tool", "work", "--task", server=("--asks", "--stateless"))
        self.assertEqual((done.out, done.code), ("worked\n", 0))
        self.assertIn('answer {"q": {"action": "decline"}}', self.methods())

    def test_task_is_for_a_tool(self) -> None:
        done = self.call("--task")
        self.assertEqual((done.err, done.code), ("mcpwire: --task is for --tool\n", 2))


class Handles(TaskTest):
    def interrupted(self, kind: Tuple[str, ...], number: int) -> Tuple[str, int]:
        """A call of an endless task that gets a signal once its status is shown: its text and its exit."""
        command = [tool(), *self.command("--tool", "work", "--task", server=("--polls", ENDLESS, *kind))]
        with subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
        ) as running:
            assert running.stderr is not None
            said = running.stderr.readline().decode() + running.stderr.readline().decode()
            os.kill(running.pid, number)
            rest = running.communicate(timeout=TIMEOUT)[1].decode()
            return said + rest, running.returncode

    def handle(self, said: str) -> str:
        found = re.search(r"--resume: (.*)", said)
        assert found is not None
        return found.group(1)

    def test_a_signal_cancels_the_task(self) -> None:
        for kind in KINDS:
            self.forget()
            said, code = self.interrupted(kind, signal.SIGINT)
            self.assertEqual(code, 128 + signal.SIGINT)
            self.assertTrue(said.endswith("mcpwire: the task was cancelled\n"), said)
            self.assertEqual(self.methods().count("tasks/cancel"), 1)
            self.assertNotIn(
                "notifications/cancelled", self.methods()[self.methods().index("tools/call") :][:3]
            )

    def test_a_task_outlives_its_caller(self) -> None:
        for kind in KINDS:
            said, code = self.interrupted(kind, signal.SIGKILL)
            self.assertEqual(code, -signal.SIGKILL)
            handle = self.handle(said)
            for name in (handle, json.loads(handle)["taskId"]):
                done = self.call("--resume", name, server=("--polls", "1", *kind))
                self.assertEqual((done.out, done.code), ("worked\n", 0), done.err)
                self.assertIn("the task is completed", done.err)

    def test_a_task_goes_on_when_the_time_is_over(self) -> None:
        done = self.call(
            "--tool", "work", "--task", "--timeout", "3", server=("--polls", ENDLESS, "--stateless")
        )
        self.assertEqual(done.code, 1)
        self.assertIn("mcpwire: the task goes on\n", done.err)
        self.assertNotIn("tasks/cancel", self.methods())

    def test_what_is_no_handle_is_refused(self) -> None:
        for text, why in (
            ("{}", "the text is no handle of a task"),
            ('{"mcpwTask":9,"taskId":"t"}', "the handle is of version 9, which is not known"),
            ('{"mcpwTask":1,"taskId":"t","server":"x\\u001b"}', "the task is of the server"),
            ("x" * 5000, "the id of a task has 1 to 4096 bytes"),
        ):
            done = self.call("--resume", text)
            self.assertEqual(done.code, 1)
            self.assertIn(why, done.err)
            self.assertNotIn("\x1b", done.err)

    def test_a_task_that_the_server_does_not_know_is_its_error(self) -> None:
        for kind in KINDS:
            done = self.call("--resume", "none", server=kind)
            self.assertEqual(
                (done.err, done.code), ("mcpwire: the server answered -32602: no such task\n", 1)
            )


if __name__ == "__main__":
    unittest.main()
