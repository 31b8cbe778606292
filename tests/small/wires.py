# SPDX-License-Identifier: MIT
"""A board in QEMU as one meets a board on a desk: a serial line that clients come to and leave, a log to
read, and a button that resets it."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Dict, List, Optional, Tuple, Type, Union

from tests.small.building import Failure

SECONDS = 30.0  # until a board that says nothing has failed
PIECE = 4096
MACHINE = ("qemu-system-arm", "-M", "mps2-an385", "-display", "none")
Json = Dict[str, Any]
# A client with capabilities takes more of the memory than one without.
CLIENT: Json = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"elicitation": {}, "roots": {"listChanged": True}, "sampling": {}},
    "clientInfo": {"name": "some-client", "version": "10.20.30"},
}


class Lines:
    """The lines that a descriptor gives."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._heard = b""

    def next(self) -> str:
        """The next line. Failure: none came in time."""
        end = time.monotonic() + SECONDS
        while b"\n" not in self._heard:
            ready, _, _ = select.select([self._descriptor], [], [], max(0.0, end - time.monotonic()))
            more = os.read(self._descriptor, PIECE) if ready else b""
            if not more:
                raise Failure(f"no line followed {self._heard!r}")
            self._heard += more
        line, self._heard = self._heard.split(b"\n", 1)
        return line.decode("utf-8")

    def until(self, text: str) -> List[str]:
        """The lines up to one that is exactly this."""
        lines = [self.next()]
        while lines[-1] != text:
            lines.append(self.next())
        return lines


class Wire:
    """A client at the serial line, which says what it likes."""

    def __init__(self, at: Union[Path, Tuple[str, int]]) -> None:
        family = socket.AF_UNIX if isinstance(at, Path) else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        self._socket.connect(str(at) if isinstance(at, Path) else at)
        self._lines = Lines(self._socket.fileno())

    def __enter__(self) -> Wire:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._socket.close()

    def put(self, data: bytes) -> None:
        self._socket.sendall(data)

    def say(self, message: object) -> None:
        self.put(json.dumps(message).encode() + b"\n")

    def hear(self) -> Json:
        answer: Json = json.loads(self._lines.next())
        return answer

    def ask(self, number: int, method: str, params: Json) -> Json:
        """The answer to a request. Failure: another message came before it."""
        self.say({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        answer = self.hear()
        if answer.get("id") != number:
            raise Failure(f"{method} was answered by {answer}")
        return answer

    def open(self) -> Json:
        """Begins a session. The board has read all of it when this returns."""
        opened = self.ask(0, "initialize", CLIENT)
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.ask(0, "ping", {})
        return opened

    def call(self, number: int, tool: str, arguments: Json) -> Json:
        """The structured result of a tool."""
        answer = self.ask(number, "tools/call", {"name": tool, "arguments": arguments})
        result: Json = answer["result"]["structuredContent"]
        return result


class Board:
    """A running board. Its session is at a socket of the folder, or at a terminal that QEMU makes."""

    def __init__(self, program: Path, folder: Path, at_terminal: bool = False) -> None:
        self.session = folder / "session"
        self._monitor = folder / "monitor"
        serial = "pty" if at_terminal else f"unix:{self.session},server=on,wait=off"
        command = [*MACHINE, "-serial", serial, "-serial", "stdio"]
        command += ["-monitor", f"unix:{self._monitor},server=on,wait=off", "-kernel", str(program)]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        self.log = Lines(self._process.stdout.fileno())
        if at_terminal:  # "char device redirected to /dev/pts/1 (label serial0)"
            self.session = Path(self.log.next().split(" to ")[1].split(" ")[0])
        self.log.until("ready")

    def __enter__(self) -> Board:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def wire(self) -> Wire:
        return Wire(self.session)

    def reset(self) -> None:
        """Resets the board and waits until it runs again."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as monitor:
            monitor.connect(str(self._monitor))
            monitor.sendall(b"system_reset\n")
            self.log.until("ready")
