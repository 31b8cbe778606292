# SPDX-License-Identifier: MIT
"""examples/oven.c and examples/baker.c: a tool whose calls become tasks, and a client that follows some."""

from __future__ import annotations

import subprocess
import unittest

from tests.examples.peer import MODERN, TIMEOUT, Client, ExampleTest, Json, built_revisions, example, started

EXTENSION: Json = {"extensions": {"io.modelcontextprotocol/tasks": {}}}


class TasksTest(ExampleTest):
    needs = ("oven", "baker")

    def bake(self, *arguments: str, status: int = 0) -> list[str]:
        """The lines that the client prints."""
        command = [example("baker"), *arguments, "--", example("oven")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout.splitlines()

    def test_a_client_without_tasks_waits_for_the_bread(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), started(example("oven")) as wire:
                client = Client(wire, revision).open()
                self.assertEqual(client.text("bake", {"bread": "rye"}), "The rye bread is ready.")

    @unittest.skipUnless(MODERN in built_revisions(), "skipped: 2026-07-28 is not built")
    def test_a_client_of_the_extension_gets_a_task(self) -> None:
        with started(example("oven")) as wire:
            client = Client(wire, MODERN, EXTENSION).open()
            number = client.send("tools/call", {"name": "bake", "arguments": {"bread": "rye"}})
            task = client.wait(number)["result"]
            self.assertEqual((task["resultType"], task["status"]), ("task", "working"))
            found: Json = task
            while found["status"] == "working":
                found = client.call("tasks/get", {"taskId": task["taskId"]})
            self.assertEqual(found["status"], "completed")
            self.assertEqual(found["result"]["content"][0]["text"], "The rye bread is ready.")

    def test_the_client_follows_all_its_tasks(self) -> None:
        lines = self.bake("rye", "wheat", "spelt")
        for bread in ("rye", "wheat", "spelt"):
            self.assertIn(f"{bread}: The {bread} bread is ready.", lines)
            self.assertIn(f"{bread} is completed: baking", lines)

    def test_a_failure_of_the_tool_is_seen(self) -> None:
        lines = self.bake("rye", "charcoal", status=1)
        self.assertIn("rye: The rye bread is ready.", lines)
        self.assertIn("charcoal: It is burnt.", lines)

    def test_a_bread_that_takes_too_long_is_cancelled(self) -> None:
        self.assertIn("rye: cancelled", self.bake("-d", "100", "rye", status=1))

    def test_the_arguments_are_checked(self) -> None:
        done = subprocess.run([example("baker"), "rye"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr[:6]), (2, "usage:"))


if __name__ == "__main__":
    unittest.main()
