# SPDX-License-Identifier: MIT
"""Processes that use the store of tasks as they are told (shell.c)."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import threading
import time
from typing import Any, Callable, Iterator, List, Optional

TIMEOUT = 30
GRACE = 2  # s for a process to end by itself
SHELL = os.environ.get("MCPW_TASK_SHELL", "")


class Shell:
    """One of them. Its answers and the ids that it hears come in one stream of lines."""

    def __init__(self, options: List[str]) -> None:
        self.process = subprocess.Popen(
            [SHELL, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.answers: queue.Queue[Optional[str]] = queue.Queue()
        self.heard: queue.Queue[str] = queue.Queue()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "hear":
                self.heard.put(rest)
            else:
                self.answers.put(line.rstrip("\n"))
        self.answers.put(None)

    def tell(self, *words: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(" ".join(str(word) for word in words) + "\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        answer = self.answers.get(timeout=TIMEOUT)
        if answer is None:
            raise AssertionError("the process has ended")
        return answer

    def __call__(self, *words: object) -> str:
        self.tell(*words)
        return self.answer()

    def hears(self) -> str:
        return self.heard.get(timeout=TIMEOUT)

    def hears_at_last(self, one: str) -> None:
        while self.hears() != one:
            pass

    def is_connected(self) -> bool:
        return self("connected") == "OK yes"

    def leave(self) -> None:
        """Lets it end by itself, as coverage needs, unless it is busy."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(TIMEOUT)

    def end(self) -> int:
        """Its end by itself."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(TIMEOUT)


@contextlib.contextmanager
def shell(**options: object) -> Iterator[Shell]:
    one = Shell([f"{name}={value}" for name, value in {"patience_ms": 20000, **options}.items()])
    try:
        yield one
    finally:
        one.leave()
        one.reader.join(TIMEOUT)
        for stream in (one.process.stdin, one.process.stdout):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()


def eventually(happens: Callable[[], Any]) -> None:
    end = time.monotonic() + TIMEOUT
    while not happens():
        if time.monotonic() > end:
            raise AssertionError("it does not happen")
        time.sleep(0.02)
