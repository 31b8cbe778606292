"""How mcpwire tap passes bytes on, starts and ends, and what its report looks like."""

import json
import os
import random
import select
import signal
import socket
import subprocess
import threading
import time
import unittest
from typing import List

from tests.tool.peer import read_exactly, write_all
from tests.tool.support import PING, TIMEOUT, environment, error, request, result, tool
from tests.tool.tapping import TapTest, client, handshake, server

MIB = 1 << 20
BOUND = 1 * MIB  # what pipes and the tap hold together stays below it

READ = "import os\nfor b in iter(lambda: os.read(0, 65536), b''):\n"
ECHO = READ + "  while b: b = b[os.write(1, b):]\n"
DRIBBLE = READ + "  for i in range(len(b)): os.write(1, b[i:i+1])\n"
SLEEP = "import time\ntime.sleep(60)\n"


def random_bytes(count: int) -> bytes:
    """Bytes of every kind, with lines of any length."""
    source = random.Random(7)
    data = bytearray(source.getrandbits(8) for _ in range(count))
    for _ in range(count // 50):
        data[source.randrange(count)] = source.choice(b"\n\r\n")
    return bytes(data)


def wait_until_readable(fd: int) -> bool:
    return bool(select.select([fd], [], [], TIMEOUT)[0])


class PassThrough(TapTest):
    def through(self, data: bytes, program: str = ECHO) -> bytes:
        return self.tapped(data, self.script(program)).received

    def test_any_bytes_pass_unchanged(self) -> None:
        data = random_bytes(300_000)
        self.assertEqual(self.through(data), data)

    def test_bytes_that_come_one_by_one(self) -> None:
        data = random_bytes(3000)
        child = self.start(self.script(DRIBBLE))
        assert child.stdin is not None and child.stdout is not None
        for i in range(len(data)):
            write_all(child.stdin.fileno(), data[i : i + 1])
        child.stdin.close()
        self.assertEqual(child.stdout.read(), data)

    def test_a_line_of_20_mb(self) -> None:
        text = json.dumps(request(1, "ping", {"pad": "x" * (20 * MIB)})).encode() + b"\n"
        done = self.tapped(text, self.script(ECHO), "--summary")
        self.assertTrue(done.received == text)
        self.assertEqual(done.findings[-1]["summary"]["server->client"]["bytes"], len(text))

    def test_a_line_over_the_limit_passes_too(self) -> None:
        text = b'{"a":"' + b"x" * 5000 + b'"}\n'
        done = self.tapped(text, self.script(ECHO), "--max-bytes", "1000")
        self.assertEqual(done.received, text)
        self.assertEqual(done.codes(), ["framing-length"] * 2)

    def test_bytes_do_not_wait_for_the_end_of_their_line(self) -> None:
        child = self.start(self.script(ECHO))
        assert child.stdin is not None and child.stdout is not None
        for piece in (b"{", b'"jsonrpc"', b":"):
            write_all(child.stdin.fileno(), piece)
            self.assertTrue(wait_until_readable(child.stdout.fileno()))
            self.assertEqual(os.read(child.stdout.fileno(), 100), piece)

    def test_both_directions_at_once(self) -> None:
        count = 8 * MIB
        program = f"""
import os, threading
def read():
    left = {count}
    while left: left -= len(os.read(0, 65536))
reader = threading.Thread(target=read)
reader.start()
data = b"y" * 65536
for _ in range({count} // 65536):
    part = data
    while part: part = part[os.write(1, part):]
reader.join()
"""
        done = self.tapped(b"x" * count, self.script(program))
        self.assertEqual(len(done.received), count)
        self.assertEqual(done.code, 0)

    def test_a_server_that_talks_before_it_reads(self) -> None:
        count = 4 * MIB
        program = (
            f"import os\nleft={count}\n"
            'while left: left -= os.write(1, b"y" * min(left, 65536))\n'
            f"left={count}\nwhile left: left -= len(os.read(0, 65536))\n"
        )
        self.assertEqual(len(self.tapped(b"x" * count, self.script(program)).received), count)

    def test_over_sockets(self) -> None:
        ours, theirs = socket.socketpair()
        data = random_bytes(200_000)
        child = subprocess.Popen(
            [tool(), "tap", "--output", "findings", "--", *self.script(ECHO)],
            cwd=self.folder,
            env=environment(),
            stdin=theirs.fileno(),
            stdout=theirs.fileno(),
        )
        self.addCleanup(self.clean, child)
        theirs.close()
        with ours:

            def write() -> None:
                ours.sendall(data)
                ours.shutdown(socket.SHUT_WR)

            writer = threading.Thread(target=write)
            writer.start()
            received = b""
            while True:
                portion = ours.recv(65536)
                if not portion:
                    break
                received += portion
            writer.join()
        self.assertEqual(received, data)
        self.assertEqual(child.wait(timeout=TIMEOUT), 0)


class BackPressure(TapTest):
    def fill(self, fd: int) -> int:
        """How many bytes a descriptor takes until it takes no more."""
        os.set_blocking(fd, False)
        total = 0
        idle = 0
        while idle < 20 and total <= 2 * BOUND:
            try:
                total += os.write(fd, b"x" * 65536)
                idle = 0
            except BlockingIOError:
                idle += 1
                time.sleep(0.02)
        return total

    def test_a_server_that_does_not_read_makes_the_client_wait(self) -> None:
        child = self.start(self.script(SLEEP))
        assert child.stdin is not None
        self.assertLess(self.fill(child.stdin.fileno()), BOUND)

    def test_a_client_that_does_not_read_makes_the_server_wait(self) -> None:
        program = """
import os, sys, time
os.set_blocking(1, False)
total = idle = 0
while idle < 20 and total < 2 << 20:
    try:
        total += os.write(1, b"x" * 65536)
        idle = 0
    except BlockingIOError:
        idle += 1
        time.sleep(0.02)
os.write(2, b"%d\\n" % total)
sys.stdin.read()
"""
        child = self.start(self.script(program), "--output", "findings")
        assert child.stderr is not None
        self.assertTrue(wait_until_readable(child.stderr.fileno()))
        self.assertLess(int(os.read(child.stderr.fileno(), 100)), BOUND)

    def test_the_other_direction_goes_on(self) -> None:
        program = 'import os, time\nfor i in range(100): os.write(1, b"%d\\n" % i)\ntime.sleep(60)'
        child = self.start(self.script(program), "--output", "findings")
        assert child.stdin is not None and child.stdout is not None
        self.fill(child.stdin.fileno())
        expected = b"".join(b"%d\n" % i for i in range(100))
        self.assertEqual(read_exactly(child.stdout.fileno(), len(expected)), expected)

    def test_a_report_that_nobody_reads_stops_nothing(self) -> None:
        """More findings than a pipe holds, on standard error, which the client does not read."""
        child = self.start(self.script(ECHO))
        assert child.stdin is not None and child.stdout is not None
        line = b"broken\n"
        for _ in range(5000):
            write_all(child.stdin.fileno(), line)
            self.assertEqual(read_exactly(child.stdout.fileno(), len(line)), line)
        child.stdin.close()
        self.assertEqual(child.stdout.read(), b"")
        self.assertEqual(child.wait(timeout=TIMEOUT), 0)


class Ending(TapTest):
    def status(self, program: str, *options: str, data: bytes = b"") -> int:
        return self.tapped(data, self.script(program), *options).code

    def test_the_status_is_that_of_the_server(self) -> None:
        self.assertEqual(self.status("raise SystemExit(0)"), 0)
        self.assertEqual(self.status("raise SystemExit(7)"), 7)

    def test_of_a_signal_it_is_128_and_its_number(self) -> None:
        self.assertEqual(self.status("import os\nos.kill(os.getpid(), 9)"), 128 + 9)

    def test_errors_do_not_change_it(self) -> None:
        self.assertEqual(self.status("print('broken')"), 0)

    def test_with_check_it_tells_of_errors(self) -> None:
        self.assertEqual(self.status("print('broken')", "--check"), 1)
        self.assertEqual(self.status("raise SystemExit(7)", "--check"), 0)

    def test_warnings_are_no_errors_for_check(self) -> None:
        done = self.tapped(b"\n", self.script(ECHO), "--check")
        self.assertEqual(done.codes(), ["framing-blank"] * 2)
        self.assertEqual(done.code, 0)

    def test_a_command_that_cannot_be_started(self) -> None:
        done = self.run_tool("tap", "--", "./no-such-server")
        self.assertIn("./no-such-server", done.err)
        self.assertIn("No such file", done.err)
        self.assertEqual((done.code, done.out), (2, ""))

    def test_the_end_of_the_client_is_passed_on(self) -> None:
        program = "import sys\nsys.stdin.read()\nprint('{}')\n"
        done = self.tapped(b"", self.script(program))
        self.assertEqual(done.received, b"{}\n")

    def test_what_the_server_says_afterwards_arrives(self) -> None:
        program = f"import sys,time\nsys.stdin.read()\ntime.sleep(0.2)\nsys.stdout.write('x' * {MIB})\n"
        self.assertEqual(len(self.tapped(b"", self.script(program)).received), MIB)

    def test_the_end_of_the_server_ends_all(self) -> None:
        child = self.start(self.script("print('{}')"), "--output", "findings")
        assert child.stdout is not None
        self.assertEqual(child.stdout.read(), b"{}\n")
        self.assertEqual(child.wait(timeout=TIMEOUT), 0)

    def test_a_server_that_closes_its_output_lives_on(self) -> None:
        program = "import os,sys\nos.close(1)\nsys.stdin.read()\nos._exit(5)\n"
        child = self.start(self.script(program))
        assert child.stdin is not None and child.stdout is not None
        self.assertEqual(child.stdout.read(), b"")
        self.assertIsNone(child.poll())
        child.stdin.close()
        self.assertEqual(child.wait(timeout=TIMEOUT), 5)

    def test_a_server_that_closes_its_input_is_felt_by_the_client(self) -> None:
        program = "import os,time\nos.close(0)\nos.write(1,b'x')\ntime.sleep(60)\n"
        child = self.start(self.script(program))
        assert child.stdin is not None and child.stdout is not None
        read_exactly(child.stdout.fileno(), 1)
        with self.assertRaises(BrokenPipeError):
            for _ in range(100):
                os.write(child.stdin.fileno(), b"x")
                time.sleep(0.02)

    def test_a_client_that_goes_is_felt_by_the_server(self) -> None:
        program = "import os,time\nwhile True: os.write(1, b'x'); time.sleep(0.01)\n"
        child = self.start(self.script(program))
        assert child.stdout is not None
        read_exactly(child.stdout.fileno(), 1)
        child.stdout.close()
        self.assertEqual(child.wait(timeout=TIMEOUT), 1)  # BrokenPipeError in the server

    def test_sigpipe_ends_a_server_that_does_not_handle_it(self) -> None:
        program = (
            "import os,signal,time\n"
            "assert signal.getsignal(signal.SIGPIPE) != signal.SIG_DFL\n"  # Python ignores it
            "signal.signal(signal.SIGPIPE, signal.SIG_DFL)\n"
            "while True: os.write(1, b'x'); time.sleep(0.01)\n"
        )
        child = self.start(self.script(program))
        assert child.stdout is not None
        read_exactly(child.stdout.fileno(), 1)
        child.stdout.close()
        self.assertEqual(child.wait(timeout=TIMEOUT), 128 + signal.SIGPIPE)

    def test_a_grandchild_that_holds_the_pipe_does_not_keep_it(self) -> None:
        command = ["sh", "-c", "sleep 30 & echo '{}'"]
        child = self.start(command, "--output", "findings", stderr=subprocess.DEVNULL)
        assert child.stdout is not None
        begun = time.monotonic()
        self.assertEqual(child.stdout.read(), b"{}\n")
        child.wait(timeout=TIMEOUT)
        self.assertLess(time.monotonic() - begun, 20)


class Signals(TapTest):
    PROGRAM = """
import os, signal, sys, time
def stop(number, frame):
    os.write(1, b"%d\\n" % number)
    os._exit(40)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, stop)
os.write(1, b"ready\\n")
time.sleep(60)
"""

    def setUp(self) -> None:
        """A shell that runs tests in the background, or nohup, has signals ignored; here they are not."""
        super().setUp()
        for number in (signal.SIGINT, signal.SIGHUP):
            self.addCleanup(signal.signal, number, signal.signal(number, signal.default_int_handler))

    def test_are_passed_on(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number=number):
                child = self.start(self.script(self.PROGRAM), "--output", "findings")
                assert child.stdout is not None
                read_exactly(child.stdout.fileno(), len(b"ready\n"))
                child.send_signal(number)
                self.assertEqual(child.stdout.read(), b"%d\n" % number)
                self.assertEqual(child.wait(timeout=TIMEOUT), 40)

    def test_what_is_ignored_stays_so(self) -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        child = self.start(self.script(ECHO), "--output", "findings")
        assert child.stdin is not None and child.stdout is not None
        for piece in (b"a", b"b"):
            write_all(child.stdin.fileno(), piece)
            self.assertEqual(read_exactly(child.stdout.fileno(), 1), piece)
            child.send_signal(signal.SIGHUP)
        child.stdin.close()
        self.assertEqual(child.wait(timeout=TIMEOUT), 0)

    def test_one_that_ends_the_server_shows_in_the_status(self) -> None:
        program = "import os, time\nos.write(1, b'.')\ntime.sleep(60)\n"
        child = self.start(self.script(program), "--output", "findings")
        assert child.stdout is not None
        read_exactly(child.stdout.fileno(), 1)
        child.terminate()
        self.assertEqual(child.wait(timeout=TIMEOUT), 128 + signal.SIGTERM)


class StandardError(TapTest):
    def test_of_the_server_passes_unchanged(self) -> None:
        program = "import os\nos.write(2, b'one\\n\\xff\\x00two')\n"
        child = self.start(self.script(program), "--output", "findings")
        assert child.stderr is not None
        self.assertEqual(child.stderr.read(), b"one\n\xff\x00two")


class Report(TapTest):
    STEPS = handshake() + client(request("a\x1b", "tools/list")) + server(result("a\x1b", {"tools": 1}))

    def text(self, data: bytes, *options: str) -> List[str]:
        child = self.start(self.script(ECHO), *options)
        out, err = child.communicate(data, timeout=TIMEOUT)
        self.assertEqual(out, data)
        return err.decode().splitlines()

    def test_text_is_a_line_a_finding(self) -> None:
        ping = json.dumps({**PING, "params": 5}).encode() + b"\n"
        rows = self.text(ping)
        self.assertEqual(
            rows[0],
            "tap: client->server 1: error: /params: expected object, got number "
            "[schema of 2025-11-25, ping, id 1]",
        )

    def test_text_is_safe_on_a_terminal(self) -> None:
        rows = self.text(b"\x1b[2J\xc2\x9b\n")
        self.assertTrue(rows[0].endswith("\\x1b[2J\\xc2\\x9b [framing-text]"), rows[0])

    def test_json_names_everything(self) -> None:
        found = self.play(self.STEPS).findings
        self.assertEqual([f["code"] for f in found], ["capability", "schema"])
        self.assertEqual(
            found[1],
            {
                "severity": "error",
                "code": "schema",
                "direction": "server->client",
                "number": 2,
                "id": "a\x1b",
                "revision": "2025-11-25",
                "method": "tools/list",
                "status": "MCPW_E_TYPE",
                "pointer": "/result/tools",
                "message": "expected array, got number",
            },
        )

    def test_times_count_from_the_start(self) -> None:
        found = self.play(self.STEPS, "--times").findings[0]
        self.assertTrue(0 <= found["time"] < TIMEOUT)
        self.assertRegex(self.text(b"x\n", "--times")[0], r"^tap: \d+\.\d{3} client->server 1: error: ")

    def test_the_summary_counts_by_method(self) -> None:
        summary = self.play(self.STEPS, "--summary").findings[-1]["summary"]
        self.assertEqual((summary["errors"], summary["warnings"], summary["notes"]), (1, 1, 0))
        self.assertEqual(
            summary["client->server"]["methods"],
            {"initialize": 1, "notifications/initialized": 1, "tools/list": 1},
        )
        answers = summary["server->client"]["methods"]
        self.assertEqual(answers, {"initialize result": 1, "tools/list result": 1})
        self.assertEqual(summary["server->client"]["messages"], 2)

    def test_the_summary_as_text(self) -> None:
        rows = self.text(json.dumps(PING).encode() + b"\n", "--summary")
        self.assertIn("tap: client->server: 1 messages, 46 bytes", rows)
        self.assertIn("tap:          1 ping", rows)

    def test_the_summary_has_room_for_any_number_of_methods(self) -> None:
        data = b"".join(json.dumps(request(i, f"m{i}")).encode() + b"\n" for i in range(600))
        done = self.tapped(data, self.script("import sys\nsys.stdin.read()"), "--summary")
        methods = done.findings[-1]["summary"]["client->server"]["methods"]
        self.assertEqual(methods["(others)"], 100)
        self.assertEqual(sum(methods.values()), 600)

    def test_nothing_is_said_of_a_session_that_is_right(self) -> None:
        steps = handshake() + client(PING) + server(result(1, {}))
        self.assertEqual(self.play(steps).findings, [])

    def test_each_message_of_the_examples_passes(self) -> None:
        done = self.play(handshake() + client(PING) + server(error(1)))
        self.assertEqual(done.err, "")


class Arguments(TapTest):
    def refused(self, message: str, *args: str) -> None:
        self.assert_usage_error(self.run_tool("tap", *args), message)

    def test_a_command_is_needed(self) -> None:
        self.refused("tap needs a command to start: mcpwire tap -- COMMAND [ARGUMENT...]")
        self.refused("tap needs a command to start: mcpwire tap -- COMMAND [ARGUMENT...]", "--strict", "--")

    def test_an_unknown_option(self) -> None:
        self.refused("tap has no option --strikt; did you mean --strict?", "--strikt", "--", "true")

    def test_options_of_the_command_are_its_own(self) -> None:
        done = self.run_tool("tap", "sh", "-c", "exit 4", "--strict")
        self.assertEqual(done.code, 4)

    def test_an_unknown_revision(self) -> None:
        done = self.run_tool("tap", "--revision", "1999", "--", "true")
        self.assertIn('there is no revision "1999"; this build has 2024-11-05, ', done.err)
        self.assertEqual(done.code, 2)

    def test_a_format_that_there_is_not(self) -> None:
        self.refused(
            '--format is "xml"; expected text, json, github, junit or html', "--format", "xml", "--", "true"
        )

    def test_a_report_that_cannot_be_written(self) -> None:
        self.refused("none/f: cannot open: No such file or directory", "--output", "none/f", "--", "true")

    def test_help(self) -> None:
        done = self.run_tool("tap", "--help")
        self.assertTrue(done.out.startswith("usage: mcpwire tap [OPTION...] -- COMMAND"))
        self.assertEqual(done.out, self.run_tool("help", "tap").out)
        self.assertEqual((done.code, done.err), (0, ""))

    def test_missing_standard_descriptors(self) -> None:
        done = subprocess.run(
            f"{tool()} tap --output findings -- sh -c 'exit 6' <&- >&- 2>&-",
            shell=True,
            cwd=self.folder,
            timeout=TIMEOUT,
            check=False,
        )
        self.assertEqual(done.returncode, 6)


if __name__ == "__main__":
    unittest.main()
