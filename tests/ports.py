# SPDX-License-Identifier: MIT
"""Ports for programs that are told where to listen. They lie below those that the system gives to
connections, so that no other test that runs meanwhile gets one of them by chance."""

from __future__ import annotations

import contextlib
import random
import socket
from typing import List

_LOWEST = 20_000
_HIGHEST = 32_000
_TRIES = 1_000


def free_ports(count: int) -> List[int]:
    """Different ports that nobody listens on."""
    choose = random.SystemRandom()
    with contextlib.ExitStack() as stack:
        found: List[int] = []
        for _ in range(_TRIES):
            if len(found) == count:
                return found
            with contextlib.suppress(OSError):
                port = choose.randrange(_LOWEST, _HIGHEST)
                stack.enter_context(socket.create_server(("127.0.0.1", port)))
                found.append(port)
        raise RuntimeError("no port is free")


def free_port() -> int:
    """A port that nobody listens on."""
    return free_ports(1)[0]
