# SPDX-License-Identifier: MIT
"""The sensor of examples/firmware/uart.c on a board in QEMU: its session on one UART, its log on another.
Clients come and go, lines break off, garbage comes, the board is reset: each time the session goes on, or one
clear error says that it does not."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import ClassVar, List, Optional

from tests.small import firmware
from tests.small.building import Skip
from tests.small.wires import Board, Json, Wire

COMMAND = os.environ["MCPWIRE"]
SECONDS = 60.0
PARSE_ERROR = -32700
INVALID_REQUEST = -32600
LONGEST = 1022  # bytes of a message that the firmware takes
STOPPED = "a line stopped in the middle"
BEGINS = "a client begins: the session before it has ended"
READ = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read"}}\n'


def ping(length: int) -> bytes:
    """A ping of so many bytes, its line end apart."""
    around = b'{"jsonrpc":"2.0","id":8,"method":"ping","params":{"_meta":{"x":"%s"}}}'
    return around % (b"y" * (length - len(around % b"")))


class Uart(unittest.TestCase):
    """One board for all tests, as on a desk."""

    folder: ClassVar[tempfile.TemporaryDirectory[str]]
    board: ClassVar[Board]
    program: ClassVar[Path]

    @classmethod
    def setUpClass(cls) -> None:
        if shutil.which("socat") is None:
            raise unittest.SkipTest("no socat (Debian: socat)")
        cls.folder = tempfile.TemporaryDirectory(prefix="mcpw-uart-")
        cls.addClassCleanup(cls.folder.cleanup)
        try:
            firmware.build(Path(cls.folder.name), "uart")
        except Skip as why:
            raise unittest.SkipTest(str(why)) from why
        cls.program = Path(cls.folder.name) / "uart.elf"
        cls.board = Board(cls.program, Path(cls.folder.name))
        cls.addClassCleanup(cls.board.__exit__, None, None, None)

    def call(self, *arguments: str, server: Optional[List[str]] = None) -> str:
        """The output of `mcpwire call` with the serial line as its server."""
        socat = server or ["socat", "-", f"UNIX-CONNECT:{self.board.session}"]
        done = subprocess.run(
            [COMMAND, "call", *arguments, "--", *socat],
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def assert_refused(self, wire: Wire, code: int = PARSE_ERROR) -> None:
        answer = wire.hear()
        self.assertEqual((answer["error"]["code"], answer.get("id")), (code, None))

    def assert_goes_on(self, wire: Wire) -> None:
        """The next message is the answer to this request: nothing else waits before it."""
        self.assertEqual(wire.call(9, "read", {})["unit"], "celsius")

    def test_the_command_lists_the_tools_through_socat(self) -> None:
        self.assertRegex(self.call(), r"(?s)read.*memory")

    def test_the_command_reads_the_sensor(self) -> None:
        self.assertIn('"unit":"fahrenheit"', self.call("--tool", "read", "unit=fahrenheit").replace(" ", ""))

    def test_the_command_reads_it_at_a_terminal(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Board(self.program, Path(folder), True) as board:
            terminal = ["socat", "-", f"{board.session},b115200,raw,echo=0"]
            self.assertIn('"celsius"', self.call("--tool", "read", server=terminal))

    def test_clients_come_and_go_without_a_word(self) -> None:
        readings: List[int] = []
        for _ in range(5):
            with self.board.wire() as wire:
                self.assertEqual(wire.open()["result"]["serverInfo"]["name"], "sensor")
                readings.append(wire.call(1, "read", {})["readings"])
        self.assertEqual([number - readings[0] for number in readings], [0, 1, 2, 3, 4])
        self.board.log.until(BEGINS)

    def test_garbage_gets_one_error_a_line(self) -> None:
        garbage = (
            b"ets Jun  8 2016 00:22:57\n",
            b"\x00\x01\x02\n",
            b"\xff\xfe\r\n",
            b"{]\n",
            b'"\n',
            b"{{{{\n",
        )
        with self.board.wire() as wire:
            wire.open()
            wire.put(b"\n\r\n\n")  # empty lines are nothing
            for line in garbage:
                wire.put(line)
                self.assert_refused(wire)
            self.assert_goes_on(wire)

    def test_half_a_line_ends_when_the_line_is_silent(self) -> None:
        with self.board.wire() as wire:
            wire.open()
            wire.put(READ[:30])
            self.board.log.until(STOPPED)
            self.assert_refused(wire)
            self.assert_goes_on(wire)

    def test_half_a_line_of_a_client_that_has_gone_does_not_harm_the_next(self) -> None:
        with self.board.wire() as wire:
            wire.put(READ[:30])
        self.board.log.until(STOPPED)
        self.assertRegex(self.call(), r"(?s)read.*memory")

    def test_a_client_that_begins_with_a_line_end_waits_for_nothing(self) -> None:
        with self.board.wire() as wire:
            wire.open()
            wire.put(READ[:30])
            wire.put(b"\n")
            self.assert_refused(wire)
            self.assert_goes_on(wire)

    def test_half_a_line_with_another_after_it_is_one_error(self) -> None:
        with self.board.wire() as wire:
            wire.open()
            wire.put(READ[:30] + READ)
            self.assert_refused(wire)
            self.assert_goes_on(wire)

    def test_a_line_that_lost_bytes_is_refused_though_it_could_be_read(self) -> None:
        with self.board.wire() as wire:
            wire.open()
            wire.put(READ.replace(b'"read"', b'"re\xffad"'))  # the board puts this byte where it lost some
            self.assert_refused(wire)
            self.assert_goes_on(wire)

    def test_the_longest_message_is_taken_and_a_longer_one_refused(self) -> None:
        with self.board.wire() as wire:
            wire.open()
            for end in (b"\n", b"\r\n"):
                wire.put(ping(LONGEST) + end)
                self.assertEqual(wire.hear()["result"], {})
                wire.put(ping(LONGEST + 1) + end)
                self.assert_refused(wire, INVALID_REQUEST)
            self.assert_goes_on(wire)

    def test_a_line_without_end_is_refused_once(self) -> None:
        with self.board.wire() as wire:
            wire.open()
            wire.put(b"x" * 200_000)
            self.assert_refused(wire, INVALID_REQUEST)
            self.board.log.until(STOPPED)
            self.assert_goes_on(wire)

    def test_many_requests_at_once_are_all_answered_in_order(self) -> None:
        with self.board.wire() as wire:
            wire.open()
            requests = [READ.replace(b"7", b"%d" % number, 1) for number in range(100, 200)]
            wire.put(b"".join(requests))
            self.assertEqual([wire.hear()["id"] for _ in requests], list(range(100, 200)))

    def test_a_reset_in_the_middle_of_a_session_is_one_clear_error(self) -> None:
        with self.board.wire() as wire:
            wire.open()
            self.board.reset()
            self.assertIn(
                "send initialize first", wire.ask(1, "tools/call", {"name": "read"})["error"]["message"]
            )
            wire.open()
            self.assert_goes_on(wire)

    def test_a_reset_in_the_middle_of_a_line_is_one_clear_error(self) -> None:
        with self.board.wire() as wire:
            wire.open()
            wire.put(READ[:30])
            self.board.reset()
            wire.put(READ[30:])
            # The rest of the line alone, or all of it if the board had read nothing yet.
            self.assertRegex(wire.hear()["error"]["message"], "Parse error|send initialize first")
            wire.open()
            self.assert_goes_on(wire)

    def test_sessions_leave_no_memory_behind(self) -> None:
        most: List[Json] = []
        for _ in range(30):
            with self.board.wire() as wire:
                wire.open()
                wire.put(ping(LONGEST)[:-1] + b"\n" + b"x" * 3000 + b"\n")
                self.assert_refused(wire)
                self.assert_refused(wire, INVALID_REQUEST)
                self.assert_goes_on(wire)
                most.append(wire.call(2, "memory", {}))
        self.assertEqual(most[-1]["pool"], most[1]["pool"])


if __name__ == "__main__":
    unittest.main()
