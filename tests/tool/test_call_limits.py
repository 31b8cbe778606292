"""mcpwire call with servers that take more than their share, and with users who have had enough."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
import unittest
from typing import List, Optional, Tuple

from tests.tool.support import ROOT, TIMEOUT, Result, ToolTest, environment, tool

SERVER = [sys.executable, "-S", "-E", str(ROOT / "tests" / "tool" / "harsh.py")]
MOST_PAGES = 10_000
MOST_BYTES = 64 << 20
MOST_KIB = 40_000  # that `call` and its server may use beyond those of one reference, for a schema of 600 KB
# Prints the most memory, in KiB, that a command took. The system counts its parent's memory when it begins,
# so a small parent begins it.
MEASURE = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:])
_, status, used = os.wait4(child.pid, 0)
print(used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""
SOON = 15  # seconds; what is bounded to 1 takes less on any machine, and far longer where it is not


class HarshTest(ToolTest):
    def call(self, *args: str, server: Tuple[str, ...] = ()) -> Result:
        return self.run_tool("call", *args, "--", *SERVER, *server)


class Time(HarshTest):
    def bounded(self, *args: str, server: Tuple[str, ...] = ()) -> Result:
        begun = time.monotonic()
        done = self.call("--timeout", "1", *args, server=server)
        self.assertLess(time.monotonic() - begun, SOON)
        return done

    def test_progress_does_not_extend_it(self) -> None:
        for kind in ((), ("--stateless",)):
            with self.subTest(kind=kind):
                done = self.bounded("--log", "--tool", "restless", server=kind)
                self.assertIn("did not answer in time", done.err)
                self.assertEqual(done.code, 1)

    def test_pages_share_it(self) -> None:
        slow = "import time, server\nsend = server.send\nserver.send = lambda m: (time.sleep(0.3), send(m))\n"
        slow += "server.page = lambda member, items, cursor: {member: [], 'nextCursor': str(time.time())}\n"
        slow += "server.serve()\n"
        name = self.file(
            "slow.py", f"import sys\nsys.path.insert(0, {str(ROOT / 'tests' / 'tool')!r})\n" + slow
        )
        begun = time.monotonic()
        done = self.run_tool("call", "--timeout", "1", "--", *SERVER[:-1], name)
        self.assertLess(time.monotonic() - begun, SOON)
        self.assertIn("in time", done.err)
        self.assertEqual(done.code, 1)

    def test_the_start_is_part_of_it(self) -> None:
        begun = time.monotonic()
        done = self.run_tool("call", "--timeout", "1", "--", "sleep", "60")
        self.assertLess(time.monotonic() - begun, SOON)
        self.assertIn("did not answer in time", done.err)
        self.assertEqual(done.code, 2)

    def test_the_end_of_the_server_is_part_of_it(self) -> None:
        self.bounded("--tool", "deaf")

    def test_a_slow_start_is_waited_for(self) -> None:
        server = ["sh", "-c", 'sleep 2; exec "$0" "$@"', *SERVER, "--stateless"]
        done = self.run_tool("call", "--start-timeout", "1", "--info", "--", *server)
        self.assertIn("revision: 2026-07-28\n", done.out)
        self.assertEqual(done.code, 0)


class Lists(HarshTest):
    def pages(self, count: int, size: int) -> Tuple[int, Result]:
        """How many of the tools were listed."""
        done = self.call("--json", server=(f"--pages={count}", f"--page-bytes={size}"))
        return len(json.loads(done.out)["tools"]), done

    def test_number_of_pages(self) -> None:
        for count in (MOST_PAGES - 1, MOST_PAGES, MOST_PAGES + 1):
            with self.subTest(count=count):
                listed, done = self.pages(count, 0)
                self.assertEqual(listed, min(count, MOST_PAGES))
                self.assertEqual(done.code, 1 if count > MOST_PAGES else 0)
                self.assertEqual("more than 10000 pages" in done.err, count > MOST_PAGES)

    def test_bytes_of_pages(self) -> None:
        size = MOST_BYTES // 4
        frame = len(
            '{"tools":[{"name":"t1","description":"","inputSchema":{"type": "object"}}],"nextCursor":"1"}'
        )
        for excess in (-1, 0, 1):
            with self.subTest(excess=excess):
                listed, done = self.pages(5, size - frame + excess)
                self.assertEqual(listed, 4 if excess > 0 else 5)
                self.assertEqual(done.code, 1 if excess > 0 else 0, done.err)
                self.assertEqual("more than 67108864 bytes" in done.err, excess > 0)

    def test_arguments_however_many(self) -> None:
        """Work that grows with the square of it would take hours."""
        count = 50_000
        done = self.call(server=(f"--properties={count}",))
        shown = done.out.split("\n")
        self.assertEqual(shown[0].count(": integer | null"), count)
        self.assertEqual(shown[0].count("?"), 0)
        self.assertEqual(shown[1], "    n0: n0")
        self.assertEqual(done.code, 0)


class Memory(HarshTest):
    def used(self, references: int) -> int:
        """KiB that a call and its server take, whose tool has this number of references."""
        server = (f"--references={references}", "--base-bytes=300000")
        ours = [tool(), "call", "--tool", "based", "n=1", "--", *SERVER, *server]
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, *ours], stdout=subprocess.PIPE, env=environment(), check=False
        )
        said, used = done.stdout.splitlines()
        self.assertEqual((said, done.returncode), (b"done", 0))
        return int(used)

    def test_references_share_their_base(self) -> None:
        """Each of 5,000 references, resolved against a base of 300 KB, would take 300 KB of its own."""
        self.assertLess(self.used(5000) - self.used(1), MOST_KIB)


class GivingUp(HarshTest):
    def setUp(self) -> None:
        """A shell that runs tests in the background, or nohup, has signals ignored; here they are not."""
        super().setUp()
        for number in (signal.SIGINT, signal.SIGHUP):
            self.addCleanup(signal.signal, number, signal.signal(number, signal.default_int_handler))

    def start(self, *args: str, server: Optional[List[str]] = None) -> "subprocess.Popen[bytes]":
        command = [tool(), "call", *args, "--", *(server or SERVER)]
        child = subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.addCleanup(child.communicate)
        due = time.monotonic() + TIMEOUT
        while not (self.folder / "waiting").exists() and time.monotonic() < due:
            time.sleep(0.02)
        return child

    def test_the_server_is_told(self) -> None:
        for kind in ((), ("--stateless",)):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                with self.subTest(kind=kind, number=number):
                    child = self.start("--tool", "waits", server=[*SERVER, *kind])
                    os.killpg(child.pid, number)  # as a terminal does
                    out, err = child.communicate(timeout=TIMEOUT)
                    said = json.loads((self.folder / "said").read_text(encoding="utf-8"))
                    self.assertEqual(said["method"], "notifications/cancelled")
                    self.assertEqual((out, err, child.returncode), (b"", b"", 128 + number))
                    (self.folder / "waiting").unlink()
                    (self.folder / "said").unlink()

    def test_ctrl_c_at_a_input_request(self) -> None:
        """On a terminal of its own, which sends the signal to every process of its group."""
        command = tool()
        server = [*SERVER[:-1], str(ROOT / "tests" / "tool" / "server.py")]
        words = ["call", "--tool", "ask", "--", command, "tap", "--record", "log", "--", *server]
        try:
            child, terminal = pty.fork()
        except OSError as why:
            self.skipTest(f"no terminal can be made: {why}")
        if child == 0:
            os.chdir(self.folder)
            os.execv(command, [command, *words])
        shown = b""
        try:
            while True:
                shown += os.read(terminal, 1000)
                if b"Answer it?" in shown and b"^C" not in shown:
                    os.write(terminal, b"\x03")
        except OSError:  # nobody has the other end any more
            pass
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 130)
        os.close(terminal)
        log = (self.folder / "log").read_text(encoding="utf-8")
        self.assertIn('"from":"client","message":{"jsonrpc":"2.0","method":"notifications/cancelled"', log)

    def test_the_second_signal_ends_at_once(self) -> None:
        child = self.start("--tool", "deaf")
        begun = time.monotonic()
        os.killpg(child.pid, signal.SIGINT)
        time.sleep(0.2)
        os.killpg(child.pid, signal.SIGINT)
        self.assertEqual(child.wait(timeout=TIMEOUT), 130)
        self.assertLess(time.monotonic() - begun, 2)  # a server has twice 2 seconds to end
        os.kill(int((self.folder / "waiting").read_text(encoding="utf-8")), signal.SIGKILL)

    def test_while_a_server_starts(self) -> None:
        child = self.start(server=["sh", "-c", "touch waiting; exec sleep 60"])
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(timeout=TIMEOUT), 130)


if __name__ == "__main__":
    unittest.main()
