# SPDX-License-Identifier: MIT
"""The command and servers over pipes on Windows, under Wine.

python3 -m tests.portability.windows_tool MCPWIRE_EXE FOLDER    (with the programs of the examples)
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from tests.portability import windows_http
from tests.portability.windows_http import META, served

TIMEOUT = 120.0
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


if __name__ == "__main__":
    folder = windows_http.folder = Path(sys.argv.pop(2))
    tool = sys.argv.pop(1)
    unittest.main()
