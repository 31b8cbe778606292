# SPDX-License-Identifier: MIT
"""A server that speaks the protocol of Valkey and Redis, and answers as a test wants."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import Dict, Iterator, List, Optional, Union

HASH = b"$40\r\n" + b"0" * 40 + b"\r\n"
NIL = b"*-1\r\n"


def bulk(*texts: bytes) -> bytes:
    """An array of texts."""
    return b"*%d\r\n" % len(texts) + b"".join(b"$%d\r\n%s\r\n" % (len(text), text) for text in texts)


def word(text: bytes) -> bytes:
    """A text, as scripts answer."""
    return b"$%d\r\n%s\r\n" % (len(text), text)


class Close:
    """It sends that, and closes the connection."""

    def __init__(self, before: bytes = b"") -> None:
        self.before = before


class Drip:
    """It sends that a byte at a time, and for ever."""

    def __init__(self, text: bytes) -> None:
        self.text = text


class Silence:
    """It never answers."""


Answer = Union[bytes, Close, Drip, Silence]


class Fake:
    """Answers each command by its first word. The commands of scripts are those of their functions."""

    def __init__(self) -> None:
        self.answers: Dict[bytes, Answer] = {
            b"SCRIPT": HASH,
            b"BEAT": bulk(b"1000", b"0"),
            b"NEWEST": bulk(b"0-0", b"0"),
        }
        self.once: Dict[bytes, List[Answer]] = {}  # before the others
        self.commands: List[List[bytes]] = []
        self.ended = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                wire = self.listener.accept()[0]
                threading.Thread(target=self.serve, args=(wire,), daemon=True).start()

    def serve(self, wire: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError), wire, wire.makefile("rb") as lines:
            while line := lines.readline():
                words = []
                for _ in range(int(line[1:])):
                    size = int(lines.readline()[1:])
                    words.append(lines.read(size + 2)[:size])
                self.commands.append(words)
                if not self.send(wire, self.answer(words)):
                    return

    def answer(self, words: List[bytes]) -> Optional[Answer]:
        name = words[0]
        if name == b"EVAL" and words[2] == b"2":
            name = b"BEAT"
        elif name == b"EVAL" and len(words) == 4:
            name = b"NEWEST"
        elif name in (b"EVAL", b"EVALSHA"):
            name = words[4]
        if self.once.get(name):
            return self.once[name].pop(0)
        if name == b"XREAD" and name not in self.answers:
            time.sleep(min(int(words[4]), 100) / 1000)
            return NIL
        return self.answers.get(name, b"-ERR unknown\r\n")

    def send(self, wire: socket.socket, answer: Optional[Answer]) -> bool:
        """Whether the connection goes on."""
        if isinstance(answer, bytes):
            wire.sendall(answer)
            return True
        if isinstance(answer, Close):
            wire.sendall(answer.before)
            return False
        if isinstance(answer, Drip):
            for byte in answer.text:
                wire.sendall(bytes([byte]))
                if self.ended.wait(0.01):
                    return False
        self.ended.wait()
        return False


@contextlib.contextmanager
def fake() -> Iterator[Fake]:
    one = Fake()
    try:
        yield one
    finally:
        one.ended.set()
        one.listener.close()
