# SPDX-License-Identifier: MIT
"""The command and servers over pipes on Windows, under Wine.

python3 -m tests.portability.windows_tool MCPWIRE_EXE FOLDER    (with the programs of the examples)
"""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest
import urllib.request
from pathlib import Path
from typing import IO, Iterator, List, Tuple

from tests.portability import windows_http
from tests.portability.windows_http import META, served, whereabouts

TIMEOUT = 120.0
MOST_WAITS = 100  # for Wine, of 0.1 s each
IN_FLIGHT = 64
LONG = 1 << 16  # characters of a message: many of them fill any pipe
SLEEPS = ["cmd", "/c", "pause"]
tool = ""
folder = Path()


def run(*arguments: str, given: bytes = b"", status: int = 0) -> bytes:
    """The output of the command."""
    done = subprocess.run(["wine", tool, *arguments], input=given, capture_output=True, timeout=TIMEOUT)
    if done.returncode != status:
        raise AssertionError(f"status {done.returncode}: {done.stderr!r}")
    return done.stdout + done.stderr


def server(name: str) -> str:
    return str(folder / f"example_{name}.exe")


def request(number: int, said: str) -> bytes:
    params = {"name": "echo", "arguments": {"message": said}, "_meta": META}
    return (
        json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}).encode()
        + b"\n"
    )


def lines_of(path: Path) -> List[str]:
    return path.read_bytes().decode().splitlines()


@contextlib.contextmanager
def tapping(*arguments: str) -> Iterator[Tuple[subprocess.Popen[bytes], str]]:
    """A tap that runs, and the first line of its standard error."""
    command = ["wine", tool, "tap", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            yield process, given(process.stderr).readline().decode()
        finally:
            process.kill()


def given(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def drain(terminal: int) -> None:
    """Reads what a terminal shows, until nobody has its other end."""

    def read() -> None:
        with contextlib.suppress(OSError):
            while os.read(terminal, LONG):
                pass

    threading.Thread(target=read, daemon=True).start()


class WindowsToolTest(unittest.TestCase):
    def test_a_tool_is_called_over_pipes(self) -> None:
        said = run("call", "--tool", "echo", "message=zwei Wörter 漢字", "--", server("echo"))
        self.assertEqual(said.decode(), "zwei Wörter 漢字\n")

    def test_a_tool_is_called_over_http(self) -> None:
        with served() as url:
            self.assertEqual(run("call", "--tool", "whereabouts", url), b"127.0.0.1\n")

    def test_arguments_come_from_a_file_of_any_name(self) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "Argumente für 漢字.json"
            path.write_text('{"message": "aus der Datei"}', encoding="utf-8")
            said = run("call", "--tool", "echo", "--args", f"@{path}", "--", server("echo"))
            self.assertEqual(said, b"aus der Datei\n")

    def test_a_server_that_is_not_there_is_an_error(self) -> None:
        self.assertIn(b"nowhere", run("call", "--", "nowhere.exe", status=2))

    def test_a_server_that_ends_is_an_error(self) -> None:
        self.assertIn(b"exited with status 3", run("call", "--", "cmd", "/c", "exit", "3", status=2))

    def test_a_server_that_hangs_is_ended(self) -> None:
        began = time.monotonic()
        run("call", "--timeout", "2", "--", *SLEEPS, status=2)
        self.assertLess(time.monotonic() - began, TIMEOUT / 2)

    def test_a_pipe_to_a_terminal_of_msys_gets_no_commands_of_a_server(self) -> None:
        for program, shown in (([str(folder / "terminal_pipe.exe")], b"a\\x1b[2Jb\n"), ([], b"a\x1b[2Jb\n")):
            words = [*program, tool, "call", "--tool", "echo", "message=a\x1b[2Jb", "--", server("echo")]
            done = subprocess.run(["wine", *words], capture_output=True, timeout=TIMEOUT)
            self.assertEqual(done.stdout, shown, done.stderr)

    def test_messages_are_validated(self) -> None:
        good = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "Gespräch.jsonl"
            path.write_bytes(good)
            run("validate", "--revision", "2025-11-25", str(path))
            path.write_bytes(good + b'{"jsonrpc":"2.0","id":1}\r\n')
            self.assertIn(
                b"Gespr\xc3\xa4ch.jsonl:2", run("validate", "--revision", "2025-11-25", str(path), status=1)
            )
        run("validate", "--revision", "2025-11-25", "-", given=good)

    def test_full_pipes_in_both_directions_do_not_hold_a_server(self) -> None:
        def write() -> None:
            assert process.stdin is not None
            for number in range(IN_FLIGHT):
                process.stdin.write(request(number, f"{number} " + "ä" * LONG))
            process.stdin.close()

        command = ["wine", server("echo")]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            writer = threading.Thread(target=write)
            writer.start()
            writer.join(1.0)  # nobody reads so far, so the pipe of the answers is full
            answers = [json.loads(line) for line in process.stdout]
            writer.join()
        texts = {answer["id"]: answer["result"]["content"][0]["text"] for answer in answers}
        self.assertEqual(texts, {n: f"{n} " + "ä" * LONG for n in range(IN_FLIGHT)})


class WindowsTapTest(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.record = Path(scratch.name) / "Gespräch.ndjson"

    def test_bytes_pass_unchanged_and_are_recorded(self) -> None:
        said = request(1, "zwei Wörter 漢字")
        direct = subprocess.run(
            ["wine", server("echo")], input=said, capture_output=True, timeout=TIMEOUT, check=True
        )
        heard = run("tap", "--record", str(self.record), "--", server("echo"), given=said)
        self.assertEqual(heard, direct.stdout)
        lines = lines_of(self.record)
        self.assertEqual([json.loads(line).get("from") for line in lines], [None, "client", "server"])
        self.assertEqual(json.loads(lines[1])["message"], json.loads(said))

    def test_a_record_is_for_its_owner_alone(self) -> None:
        for _ in range(2):  # a new file, and one that anybody could read
            run("tap", "--record", str(self.record), "--", server("echo"))
            self.assertEqual(self.record.stat().st_mode & 0o007, 0)
            self.record.chmod(0o666)

    def test_findings_may_go_to_a_device(self) -> None:
        run("tap", "--output", "NUL", "--", server("echo"))

    def test_a_record_can_be_added_to(self) -> None:
        self.record.write_bytes(b"cut off")
        run("tap", "--append", "--record", str(self.record), "--", server("echo"))
        lines = lines_of(self.record)
        self.assertEqual(lines[0], "cut off")
        self.assertIn("begin", lines[1])

    def test_a_link_is_not_followed(self) -> None:
        other = self.record.with_name("other")
        other.write_bytes(b"kept")
        os.link(other, self.record)
        self.assertIn(
            b"another name", run("tap", "--record", str(self.record), "--", server("echo"), status=2)
        )
        self.assertEqual(other.read_bytes(), b"kept")

    def test_errors_are_reported_and_a_log_is_replayed(self) -> None:
        wrong = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}\n'
        said = run(
            "tap", "--check", "--record", str(self.record), "--", server("echo"), given=wrong, status=1
        )
        self.assertIn(b"client->server 1: error", said)
        self.assertIn(
            b"client->server 1: error", run("tap", "--check", "--replay", str(self.record), status=1)
        )

    def test_the_status_of_the_command_is_kept(self) -> None:
        run("tap", "--", "cmd", "/c", "exit", "3", status=3)
        self.assertIn(b"nowhere", run("tap", "--", "nowhere.exe", status=2))

    def test_a_server_that_ends_ends_the_relay(self) -> None:
        with tapping("--record", str(self.record), "--", "cmd", "/c", "echo", "{}") as (process, line):
            self.assertEqual(given(process.stdout).read(), b"{}\r\n")  # its standard input is still open
            self.assertEqual(process.wait(TIMEOUT), 0)
            self.assertIn("server->client 1", line)

    def test_full_pipes_in_both_directions_do_not_hold_a_relay(self) -> None:
        said = b"".join(request(number, f"{number} " + "ä" * LONG) for number in range(IN_FLIGHT))
        heard = run("tap", "--output", str(self.record), "--", server("echo"), given=said)
        self.assertEqual(
            sorted(json.loads(line)["id"] for line in heard.splitlines()), list(range(IN_FLIGHT))
        )
        self.assertEqual(lines_of(self.record), [])

    def test_http_is_relayed_and_recorded(self) -> None:
        with (
            served() as url,
            tapping("--listen", "0", "--to", url, "--record", str(self.record)) as (_, line),
        ):
            found = re.search(r"http://localhost:([0-9]+)/mcp stands for", line)
            assert found is not None, line
            self.assertEqual(whereabouts(f"http://127.0.0.1:{found.group(1)}/mcp"), "127.0.0.1")
            lines = lines_of(self.record)
        self.assertEqual([json.loads(line).get("from") for line in lines], [None, "client", "server"])

    def test_a_browser_sees_the_session(self) -> None:
        with tapping("--web", "--", server("echo")) as (process, line):
            found = re.search(r"http://[^ ]+", line)
            assert found is not None, line
            with urllib.request.urlopen(found.group(0), timeout=TIMEOUT) as page:
                self.assertIn(b"<html", page.read())
            given(process.stdin).write(request(1, "gesehen"))
            given(process.stdin).flush()
            self.assertIn(b"gesehen", given(process.stdout).readline())
            with urllib.request.urlopen(found.group(0) + "events", timeout=TIMEOUT) as events:
                seen = b""
                while b"gesehen" not in seen:
                    got = events.readline()
                    self.assertNotEqual(got, b"", seen)
                    seen += got


class WindowsConsoleTest(unittest.TestCase):
    """Tests that need a console: Wine makes one of a terminal."""

    def interrupted(self, *command: str) -> subprocess.CompletedProcess[bytes]:
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        pipe = subprocess.PIPE
        words = ["wine", str(folder / "console_event.exe"), "1500", *command]
        try:
            return subprocess.run(words, stdin=theirs, stdout=pipe, stderr=pipe, timeout=TIMEOUT)
        finally:
            os.close(theirs)

    def answered(self, *typed: str, limit: str = "60") -> subprocess.CompletedProcess[bytes]:
        """A call whose server asks the user, who types these lines after the question."""
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        pipe = subprocess.PIPE
        words = [tool, "call", "--timeout", limit, "--tool", "test_elicitation", "message=Who?", "--"]
        command = ["wine", *words, str(folder / "interop_fixture.exe")]
        with subprocess.Popen(command, stdin=theirs, stdout=pipe, stderr=pipe) as process:
            os.close(theirs)
            shown = b""
            while b"[Y/n] " not in shown:
                shown += given(process.stderr).read(1)
            drain(ours)
            for _ in range(MOST_WAITS):
                if not termios.tcgetattr(ours)[3] & termios.ICANON:
                    break
                time.sleep(0.1)  # Wine has not begun to read keys
            os.write(ours, "".join(line + "\r" for line in typed).encode())
            try:
                out, rest = process.communicate(timeout=TIMEOUT)
            finally:
                process.kill()
        return subprocess.CompletedProcess(command, process.returncode, out, shown + rest)

    def test_lines_are_typed_at_it(self) -> None:
        done = self.answered("", "Jörg 漢字", "")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('action=accept, content={"username":"Jörg 漢字"}', done.stdout.decode())

    def test_a_time_limit_holds_where_a_key_is_released(self) -> None:
        began = time.monotonic()
        self.assertNotEqual(self.answered("", limit="3").returncode, 0)
        self.assertLess(time.monotonic() - began, TIMEOUT / 2)

    def test_it_ends_a_server_in_order(self) -> None:
        for command in ([server("echo")], [server("http_server"), "--http", "0"]):
            self.assertEqual(self.interrupted(*command).returncode, 0, command)

    def test_it_ends_a_call(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"
            self.assertEqual(self.interrupted(tool, "call", url).returncode, 128 + 2)

    def test_it_ends_a_tap(self) -> None:
        self.assertEqual(self.interrupted(tool, "tap", "--", server("echo")).returncode, 0)
        proxy = self.interrupted(tool, "tap", "--listen", "0", "--to", "http://127.0.0.1:9/mcp")
        self.assertEqual(proxy.returncode, 0)


if __name__ == "__main__":
    folder = windows_http.folder = Path(sys.argv.pop(2))
    tool = sys.argv.pop(1)
    unittest.main()
