# SPDX-License-Identifier: MIT
"""Runs one interop test over HTTP, or names them all (--list): our client or server, and one of another SDK.

CTest sets the environment: MCPW_EVERYTHING is our server, MCPW_HTTP_CLIENT our client, absent where it is not
built, MCPW_NODE_MODULES the folder that setup.sh filled. Exits 77 where something is missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Sequence, Tuple, Union

from run import (
    HERE,
    PAGED,
    Skip,
    execute,
    inspect,
    installed,
    main,
    node,
    program,
    report,
    workplace,
)

LEGACY = "2025-11-25"
MODERN = "2026-07-28"
PAGE_SIZE = "4"
PATIENCE = 10  # s, for a server that has been told to end


Command = Callable[[Path], List[str]]  # of a program that runs in that folder


def script(name: str, *options: str) -> Command:
    def command(folder: Path) -> List[str]:
        workplace(folder)
        return [node(), name, *options]

    return command


def python(version: str, *options: str) -> Command:
    peer = str(HERE / "peer_python.py")
    return lambda _: [installed(f"python-{version}/bin/python"), peer, *options]


def tasks_python(_: Path) -> List[str]:
    return [installed("python-v1/bin/python"), "-W", "ignore", str(HERE / "client_tasks_python.py")]


def binary(name: str, *options: str) -> Command:
    return lambda _: [installed(f"bin/{name}"), *options]


def everything_server(_: Path) -> List[str]:
    if os.environ.get("MCPW_STATES") == "OFF":
        raise Skip("built without libsodium, which makes ids of sessions and signs states")
    return [program("MCPW_EVERYTHING"), "0", PAGE_SIZE]


@dataclass(frozen=True)
class Client:
    """A client, and what stands after its program: "{url}" is the server's."""

    program: Command
    arguments: Tuple[str, ...]
    server: Command = everything_server

    def run(self, url: str, folder: Path) -> int:
        arguments = [argument.format(url=url) for argument in self.arguments]
        return report(execute([*self.program(folder), *arguments], folder))


@dataclass(frozen=True)
class Inspector:
    """The Inspector's CLI, once a call."""

    era: str
    server: Command = everything_server

    def run(self, url: str, folder: Path) -> int:
        return inspect(self.era, [url, "--transport", "http"], folder)


@dataclass(frozen=True)
class OurClient:
    """Our client against a server of another SDK, of which client_peers.c says what it does."""

    peer: str
    revision: str
    server: Command

    def run(self, url: str, folder: Path) -> int:
        expected = ["--expect", self.revision, "--revisions", self.revision]
        return report(execute([program("MCPW_HTTP_CLIENT"), self.peer, *expected, "--", url], folder))


Case = Union[Client, Inspector, OurClient]


def cases() -> Dict[str, Case]:
    """Every test by its name."""
    found: Dict[str, Case] = {}
    for revision in ("2025-03-26", "2025-06-18", LEGACY):
        options = ("--revision", revision, "--url", "{url}")
        found[f"http_v1_{revision.replace('-', '_')}"] = Client(script("client_v1.mjs"), options)
    for mode, revision in (("pin", MODERN), ("auto", MODERN), ("legacy", LEGACY)):
        modes = ("--mode", mode, "--revision", revision, "--url", "{url}")
        found[f"http_v2_{mode}"] = Client(script("client_v2.mjs"), modes)
    found["http_client_tasks_v1"] = Client(script("client_tasks_v1.mjs"), ("--url", "{url}"))
    found["http_client_tasks_v2"] = Client(script("client_tasks_v2.mjs"), ("--url", "{url}"))
    found["http_client_tasks_v2_legacy"] = Client(
        script("client_tasks_v2.mjs", "--legacy"), ("--url", "{url}")
    )
    found["http_client_tasks_rust"] = Client(binary("peer_rust"), ("tasks-client", "{url}"))
    found["http_client_tasks_python_v1"] = Client(tasks_python, ("{url}",))
    found["http_python_v1"] = Client(python("v1"), ("client", "{url}", LEGACY))
    for name, peer in (("python_v2", python("v2")), ("go", binary("peer_go")), ("rust", binary("peer_rust"))):
        for era, revision in (("legacy", LEGACY), ("modern", MODERN)):
            found[f"http_{name}_{era}"] = Client(peer, ("client", "{url}", revision))
    for era in ("legacy", "modern"):
        found[f"http_inspector_{era}"] = Inspector(era)
    return {**found, **(servers() if os.environ.get("MCPW_HTTP_CLIENT") else {})}


def servers() -> Dict[str, Case]:
    """The tests of our client."""
    found: Dict[str, Case] = {
        "http_client_everything": OurClient("everything", LEGACY, script("everything_http.mjs")),
        "http_client_python_v1": OurClient("python_v1", LEGACY, python("v1", "server")),
    }
    for era, revision in (("legacy", LEGACY), ("modern", MODERN)):
        paged = script("server_v2.mjs", *PAGED, "--http", era)
        found[f"http_client_ours_{era}"] = OurClient("ours", revision, everything_server)
        found[f"http_client_v2_{era}"] = OurClient("v2", revision, paged)
        found[f"http_client_python_v2_{era}"] = OurClient("python_v2", revision, python("v2", "server"))
        found[f"http_client_go_{era}"] = OurClient("go", revision, binary("peer_go", "server", era))
        found[f"http_client_rust_{era}"] = OurClient("rust", revision, binary("peer_rust", "server"))
    return found


@dataclass
class Server:
    """A server that prints its port, while it runs and afterwards."""

    process: subprocess.Popen[str]
    errors: Path  # what it has said on its standard error
    port: str

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}/mcp"

    def end(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def fault(self) -> str:
        """The fault of the way in which it has ended; only ours ends in order when it is told to."""
        status = self.process.returncode
        return "" if status == 0 else f"the server has ended with {status}"


@contextmanager
def served(command: Sequence[str], folder: Path) -> Iterator[Server]:
    """Starts a server, and ends it."""
    errors = folder / "server.err"
    with (
        errors.open("w") as said,
        subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=said, text=True) as process,
    ):
        assert process.stdout is not None
        server = Server(process, errors, process.stdout.readline().strip())
        try:
            yield server
        finally:
            server.end()


def run(case: Case, folder: Path) -> int:
    with served(case.server(folder), folder) as server:
        status = case.run(server.url, folder)
    fault = server.fault() if case.server is everything_server else ""
    if status == 0 and not fault:
        return 0
    print(f"standard error of the server:\n{server.errors.read_text() or '(empty)'}\n{fault}")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], cases(), run))
