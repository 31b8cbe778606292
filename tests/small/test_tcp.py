# SPDX-License-Identifier: MIT
"""The samples' server over TCP, run on this machine with the sockets of POSIX."""

from __future__ import annotations

import os
import shutil
import subprocess
import unittest

from tests.ports import free_port
from tests.small.wires import Lines, Wire

COMMAND = os.environ["MCPWIRE"]
SENSOR = os.environ["MCPW_SENSOR"]
SECONDS = 60.0


class Tcp(unittest.TestCase):
    def setUp(self) -> None:
        self.port = free_port()
        self.process = subprocess.Popen([SENSOR, str(self.port)], stderr=subprocess.PIPE)
        assert self.process.stderr is not None
        self.addCleanup(self.process.communicate)
        self.addCleanup(self.process.kill)
        self.log = Lines(self.process.stderr.fileno())
        self.assertEqual(self.log.next(), "listening")

    def wire(self) -> Wire:
        return Wire(("127.0.0.1", self.port))

    def test_the_command_reads_the_sensor(self) -> None:
        if shutil.which("socat") is None:
            self.skipTest("no socat (Debian: socat)")
        server = ["socat", "-", f"TCP:127.0.0.1:{self.port}"]
        for _ in range(2):
            done = subprocess.run(
                [COMMAND, "call", "--tool", "read", "--", *server],
                capture_output=True,
                text=True,
                check=False,
                timeout=SECONDS,
            )
            self.assertIn("21500", done.stdout, done.stderr)

    def test_a_client_that_comes_takes_over(self) -> None:
        with self.wire() as first:
            first.open()
            with self.wire() as second:
                self.assertEqual(self.log.next(), "another client takes over")
                second.open()
                self.assertEqual(second.call(1, "read", {})["milli"], 21500)

    def test_half_a_line_of_a_client_that_has_gone_is_forgotten(self) -> None:
        with self.wire() as first:
            first.open()
            first.put(b'{"half')
        with self.wire() as second:
            second.open()
            self.assertEqual(second.call(1, "read", {})["readings"], 1)


if __name__ == "__main__":
    unittest.main()
