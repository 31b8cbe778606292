# SPDX-License-Identifier: MIT
"""Tasks with both ends of ours: mcpwire call at the fixture, over stdio and HTTP, in both revisions.

Over HTTP the server lives on, so a client that is killed can be followed by another, of either revision.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import unittest
from typing import Iterator, List, Tuple

MCPWIRE = os.environ.get("MCPWIRE", "")
FIXTURE = os.environ.get("MCPW_FIXTURE", "")
EVERYTHING = os.environ.get("MCPW_EVERYTHING", "")
REVISIONS = ("2025-11-25", "2026-07-28")
PATIENCE = 30
HANDLE = re.compile(r"--resume: (.*)")


def call(target: List[str], *options: str) -> Tuple[str, str, int]:
    done = subprocess.run(
        [MCPWIRE, "call", *options, *target],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.stdout, done.stderr, done.returncode


class Ends(unittest.TestCase):
    """The ways to reach a server of ours."""

    def targets(self) -> Iterator[List[str]]:
        yield ["--", FIXTURE]
        if EVERYTHING:
            yield [self.url()]

    def url(self) -> str:
        server = subprocess.Popen(
            [EVERYTHING, "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        assert server.stdout is not None
        self.addCleanup(server.stdout.close)
        found = re.search(r"\d+", server.stdout.readline())
        assert found is not None
        return f"http://127.0.0.1:{found.group()}/mcp"

    def check(self, target: List[str], revision: str) -> None:
        of = ["--revision", revision, "--task", "--tool"]
        out, err, code = call(target, *of, "slow_compute", "seconds=1", "label=x")
        self.assertEqual((out, code), ("computed for 1000 ms\n", 0), err)
        self.assertIn("the task is working", err)
        self.assertIn("the task is completed", err)
        out, err, code = call(target, *of, "failing_job")
        self.assertEqual((out, code), ("The job has failed\n", 1), err)
        out, err, code = call(target, *of, "confirm_delete", "filename=x")
        self.assertEqual(code, 0, err)
        self.assertIn("the task is input_required", err)


class Tasks(Ends):
    def test_tasks_are_followed_to_their_ends(self) -> None:
        for target in self.targets():
            for revision in REVISIONS:
                with self.subTest(target=target[-1], revision=revision):
                    self.check(target, revision)

    def killed(self, url: str, revision: str) -> str:
        """The handle of a task whose caller was killed."""
        options = ["--revision", revision, "--task", "--tool", "slow_compute", "seconds=3", "label=x"]
        with subprocess.Popen(
            [MCPWIRE, "call", *options, url], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as caller:
            assert caller.stderr is not None
            found = HANDLE.search(caller.stderr.readline())
            caller.kill()
        assert found is not None
        return found.group(1)

    @unittest.skipUnless(EVERYTHING, "skipped: the server of HTTP is not built")
    def test_a_task_is_taken_up_by_a_client_of_either_revision(self) -> None:
        url = self.url()
        for made in REVISIONS:
            handle = self.killed(url, made)
            watchers = [
                subprocess.Popen(
                    [MCPWIRE, "call", "--revision", revision, "--resume", handle, url],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                )
                for revision in REVISIONS
            ]
            for watcher in watchers:
                out, err = watcher.communicate(timeout=PATIENCE)
                self.assertEqual((out, watcher.returncode), ("computed for 3000 ms\n", 0), f"{made}: {err}")

    @unittest.skipUnless(EVERYTHING, "skipped: the server of HTTP is not built")
    def test_a_signal_cancels_the_task(self) -> None:
        url = self.url()
        for revision in REVISIONS:
            options = ["--revision", revision, "--task", "--tool", "slow_compute", "seconds=60", "label=x"]
            with subprocess.Popen(
                [MCPWIRE, "call", *options, url], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            ) as caller:
                assert caller.stderr is not None
                handle = HANDLE.search(caller.stderr.readline())
                caller.stderr.readline()
                caller.send_signal(signal.SIGINT)
                rest = caller.communicate(timeout=PATIENCE)[1]
            self.assertEqual(caller.returncode, 128 + signal.SIGINT)
            self.assertIn("the task was cancelled", rest)
            assert handle is not None
            out, err, code = call([url], "--revision", revision, "--resume", handle.group(1))
            self.assertEqual((out, code), ("", 1), err)
            self.assertIn("the task was cancelled", err)


if __name__ == "__main__":
    unittest.main()
