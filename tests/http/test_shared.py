# SPDX-License-Identifier: MIT
"""Two servers that share changes by a server of Valkey or Redis."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Iterator

from tests.http.test_serve import TIMEOUT, Served, raw, read_until, served

REDIS = os.environ.get("MCPW_REDIS", "")
TOOLS = {"toolsListChanged": True}
TOOLS_CHANGED = b"notifications/tools/list_changed"


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def told(port: int, command: str) -> bytes:
    """What Redis answers to a command of one line."""
    with socket.create_connection(("127.0.0.1", port), TIMEOUT) as wire:
        wire.sendall(command.encode() + b"\r\n")
        return wire.recv(65536)


@contextlib.contextmanager
def redis(port: int, *options: str) -> Iterator[None]:
    """A server of Valkey or Redis that keeps nothing on disk."""
    with tempfile.TemporaryDirectory() as folder:
        command = [REDIS, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
        with subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL) as process:
            try:
                end = time.monotonic() + TIMEOUT
                while True:
                    with contextlib.suppress(OSError):
                        told(port, "PING")
                        break
                    if time.monotonic() > end:
                        raise AssertionError("Redis does not answer")
                    time.sleep(0.02)
                yield
            finally:
                process.kill()
                process.wait(TIMEOUT)


def wait_until_connected(*sites: Served) -> None:
    end = time.monotonic() + TIMEOUT
    while any(site.tool("connected") != "yes" for site in sites):
        if time.monotonic() > end:
            raise AssertionError("a server does not connect to Redis")
        time.sleep(0.02)


@contextlib.contextmanager
def two(port: int, *options: str) -> Iterator[tuple[Served, Served]]:
    """Two servers that share what is on that port."""
    with served(f"redis={port}", *options) as one, served(f"redis={port}", *options) as other:
        yield one, other


@contextlib.contextmanager
def listening(site: Served, **what: object) -> Iterator[socket.socket]:
    """A stream of changes that is open."""
    with site.connect() as wire:
        wire.sendall(raw("subscriptions/listen", notifications=what))
        read_until(wire, b"subscriptions/acknowledged")
        yield wire


def hears_nothing(wire: socket.socket, seconds: float = 0.3) -> bool:
    wire.settimeout(seconds)
    try:
        return wire.recv(65536) == b""
    except socket.timeout:
        return True
    finally:
        wire.settimeout(TIMEOUT)


@unittest.skipUnless(Path(REDIS).is_file(), "neither valkey-server nor redis-server is installed")
class ChangesTest(unittest.TestCase):
    def test_a_change_at_one_reaches_the_streams_of_both_once(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            with (
                listening(one, toolsListChanged=True) as here,
                listening(other, **TOOLS) as there,
            ):
                one.tool("change")
                for wire in (here, there):
                    self.assertEqual(read_until(wire, TOOLS_CHANGED).count(TOOLS_CHANGED), 1)
                self.assertTrue(hears_nothing(here))
                self.assertTrue(hears_nothing(there))

    def test_a_resource_is_told_to_those_that_watch_it(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            with (
                listening(other, resourceSubscriptions=["test://thing"]) as watches,
                listening(other, resourceSubscriptions=["test://other"]) as another,
            ):
                one.tool("touch")
                read_until(watches, b"notifications/resources/updated")
                self.assertTrue(hears_nothing(another))

    def test_services_with_other_prefixes_hear_nothing_of_each_other(self) -> None:
        port = free_port()
        with (
            redis(port),
            served(f"redis={port}", "prefix=a:") as one,
            served(f"redis={port}", "prefix=b:") as other,
        ):
            wait_until_connected(one, other)
            with listening(other, **TOOLS) as wire:
                one.tool("change")
                self.assertTrue(hears_nothing(wire))

    def test_changes_while_a_connection_is_broken_are_told_later(self) -> None:
        port = free_port()
        with redis(port), two(port) as (one, other):
            wait_until_connected(one, other)
            with listening(other, **TOOLS) as wire:
                told(port, "CLIENT KILL TYPE normal")
                one.tool("change")
                read_until(wire, TOOLS_CHANGED)

    def test_without_redis_a_server_tells_its_own_clients(self) -> None:
        port = free_port()
        with two(port) as (one, other), listening(one, **TOOLS) as here, listening(other, **TOOLS) as there:
            one.tool("change")
            read_until(here, TOOLS_CHANGED)
            self.assertEqual(one.tool("connected"), "no")
            with redis(port):
                wait_until_connected(one, other)
                one.tool("change")
                read_until(there, TOOLS_CHANGED)

    def test_it_logs_in_by_a_password(self) -> None:
        port = free_port()
        with redis(port, "--requirepass", "secret"), two(port, "password=secret") as (one, other):
            wait_until_connected(one, other)
            with served(f"redis={port}", "password=wrong") as stranger, served(f"redis={port}") as nobody:
                with listening(other, **TOOLS) as wire:
                    one.tool("change")
                    read_until(wire, TOOLS_CHANGED)
                self.assertEqual((stranger.tool("connected"), nobody.tool("connected")), ("no", "no"))


if __name__ == "__main__":
    unittest.main()
