"""Effects of the system on input and output: interruptions, descriptors that do not wait, reads that fail."""

import contextlib
import fcntl
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path
from typing import List

from tests.tool.support import PING, TIMEOUT, ToolTest, environment, tool

LINES = 20000  # whose report is longer than a pipe holds
PORTION = 4096


def set_nonblocking(descriptor: int) -> None:
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_NONBLOCK)


class Faults(ToolTest):
    def report(self) -> bytes:
        """Its messages about many broken values when nothing interferes."""
        done = self.validate("--ndjson", self.lines("many", *[5] * LINES))
        self.assertEqual(done.code, 1)
        return done.out.encode()

    def start(
        self, *args: str, stdin: int = subprocess.PIPE, stdout: int = subprocess.PIPE
    ) -> "subprocess.Popen[bytes]":
        # The search for leaks at the end stops the process itself, and hangs when it is stopped amid that.
        quiet = environment({"ASAN_OPTIONS": "detect_leaks=0"})
        process = subprocess.Popen(
            [tool(), *args], cwd=self.folder, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, env=quiet
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_being_stopped_and_continued_loses_nothing(self) -> None:
        expected = self.report()
        process = self.start("validate", "--ndjson", "many")
        assert process.stdout is not None and process.stderr is not None
        got: List[bytes] = []
        while True:
            process.send_signal(signal.SIGSTOP)
            process.send_signal(signal.SIGCONT)
            portion = os.read(process.stdout.fileno(), 16 * PORTION)
            if not portion:
                break
            got.append(portion)
        self.assertEqual((b"".join(got), process.wait(TIMEOUT)), (expected, 1))
        process.stdout.close()
        process.stderr.close()

    def test_being_stopped_and_continued_amid_input(self) -> None:
        process = self.start("validate", "--ndjson", "--revision", "2025-11-25", "-")
        assert process.stdin is not None
        for piece in (b'{"jsonrpc":"2.0","id":1,', b'"method":"ping"}\n', b'{"jsonrpc":"2.0",', b'"id":2}\n'):
            process.stdin.write(piece)
            process.stdin.flush()
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.01)
            process.send_signal(signal.SIGCONT)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((err, process.returncode), (b"", 1))
        self.assertEqual(out, b"-:2: /: neither method nor result nor error\n1 of 2 values invalid\n")

    def test_input_that_does_not_wait(self) -> None:
        reader, writer = os.pipe()
        set_nonblocking(reader)
        process = self.start("validate", "--ndjson", "--quiet", "-", stdin=reader)
        os.close(reader)
        time.sleep(0.1)
        with contextlib.suppress(BrokenPipeError):
            os.write(writer, b"5\n")
        os.close(writer)
        _, err = process.communicate(timeout=TIMEOUT)
        # The value is read, or the failure is told: it is never taken for the end of the input.
        self.assertTrue(process.returncode == 1 or (process.returncode == 2 and b"cannot read:" in err), err)

    def test_output_that_does_not_wait(self) -> None:
        expected = self.report()
        reader, writer = os.pipe()
        set_nonblocking(writer)
        process = self.start("validate", "--ndjson", "many", stdout=writer)
        os.close(writer)
        time.sleep(0.1)
        got: List[bytes] = []
        while portion := os.read(reader, PORTION):
            got.append(portion)
        os.close(reader)
        _, err = process.communicate(timeout=TIMEOUT)
        # All of it is written, or the failure is told: nothing is lost in silence.
        whole = b"".join(got) == expected and process.returncode == 1
        self.assertTrue(whole or (process.returncode == 2 and b"cannot write" in err), err)

    def test_a_read_that_fails(self) -> None:
        if not Path("/proc/self/mem").exists():
            self.skipTest("there is no /proc/self/mem, which cannot be read from its beginning")
        good = self.lines("good", PING)
        done = self.validate("--ndjson", "/proc/self/mem", good)
        self.assertEqual(done.code, 2)
        self.assertIn("mcpwire: /proc/self/mem: cannot read: Input/output error", done.err)
        self.assertIn("1 value valid", done.out)


if __name__ == "__main__":
    unittest.main()
