# SPDX-License-Identifier: MIT
"""Tasks with servers of other SDKs: mcpwire call follows them.

Usage: run_tasks.py MCPWIRE PACKAGES PEER

PEER is v1 (TypeScript, stdio), v1-http, python or rust-2025, which have tasks as 2025-11-25 has them, or rust
or rust-http, which have the extension of 2026-07-28. PACKAGES is the folder that setup.sh fills.
Gaps of the peers: the TypeScript SDK keeps a task for the session that made it, so over HTTP no other session
can take it up. The Python SDK leaves out ttl, which is required, so mcpwire reports it. Neither has the
extension of 2026-07-28 for servers. The Rust SDK has one form alone: that of 2025-11-25 up to 2.2, which ends
when it is asked for another revision first, and since 3.0 the extension.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, List, Sequence, Tuple

HERE = Path(__file__).resolve().parent
PATIENCE = 60
SKIPPED = 77
INTERRUPTED = 128 + signal.SIGINT


@dataclass(frozen=True)
class Peer:
    """A server, and how its tools behave: broken fails with a text, ask asks the user."""

    needs: str  # in the folder of packages
    command: Tuple[str, ...]
    failure: str = ""  # none where the server has no such tool
    asks: bool = True
    options: Tuple[str, ...] = ()  # of mcpwire call
    url: str = ""  # with the port that the server prints; empty over stdio


TYPESCRIPT = Peer(
    "node_modules/@modelcontextprotocol/sdk",
    ("node", "{here}/tasks_v1.mjs", "{packages}"),
    failure="Error: it broke",
    asks=False,
)
RUST = Peer("bin/peer_rust", ("{packages}/bin/peer_rust", "tasks-server"), failure="it broke")
URL = "http://127.0.0.1:{}/mcp"
PEERS: Dict[str, Peer] = {
    "v1": TYPESCRIPT,
    "v1-http": replace(TYPESCRIPT, command=(*TYPESCRIPT.command, "0"), url=URL),
    "python": Peer("python-v1/bin/python", ("{packages}/python-v1/bin/python", "{here}/tasks_python.py")),
    "rust": RUST,
    "rust-http": replace(RUST, command=(*RUST.command, "http"), url=URL),
    "rust-2025": replace(
        RUST,
        command=("{packages}/bin/peer_rust", "tasks-2025-server"),  # which exits when asked for its revision
    ),
}


class Failure(Exception):
    """A peer and mcpwire do not agree."""


def expect(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise Failure(f"{what}: {found!r}, not {wanted!r}")


def call(mcpwire: str, target: List[str], *options: str) -> Tuple[str, str, int]:
    done = subprocess.run(
        [mcpwire, "call", *options, *target],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.stdout, done.stderr, done.returncode


def check_results(mcpwire: str, peer: Peer, target: List[str]) -> None:
    def answer(*options: str) -> Tuple[str, str, int]:
        return call(mcpwire, target, *peer.options, "--tool", *options)

    out, err, code = answer("slow", "--task")
    expect("a task", (out, code), ("slow work\n", 0))
    if "the task is completed" not in err:
        raise Failure(f"the status is not shown: {err}")
    expect("a call that a task answers", answer("slow")[::2], ("slow work\n", 0))
    expect("a plain call", answer("plain")[::2], ("plain work\n", 0))
    if peer.failure:
        expect("a task that fails", answer("broken", "--task")[::2], (f"{peer.failure}\n", 1))
    if peer.asks:
        expect("a task that asks", answer("ask", "--task")[::2], ("the answer is decline\n", 0))


def check_cancelling(mcpwire: str, peer: Peer, target: List[str]) -> None:
    command = [mcpwire, "call", *peer.options, "--tool", "endless", "--task", *target]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    ) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if "the task is working" in line:
                break
        running.send_signal(signal.SIGINT)
        rest = running.communicate(timeout=PATIENCE)[1]
    expect("Ctrl-C", running.returncode, INTERRUPTED)
    if "the task was cancelled" not in rest:
        raise Failure(f"the task was not cancelled: {rest}")


def check(mcpwire: str, peer: Peer, command: Sequence[str]) -> None:
    """Over stdio a server is started for each call; over HTTP one serves them all."""
    if not peer.url:
        check_results(mcpwire, peer, ["--", *command])
        check_cancelling(mcpwire, peer, ["--", *command])
        return
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            target = [peer.url.format(server.stdout.readline().strip())]
            check_results(mcpwire, peer, target)
            check_cancelling(mcpwire, peer, target)
        finally:
            server.kill()


def main() -> int:
    mcpwire, packages, name = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    peer = PEERS[name]
    command = [part.format(packages=packages, here=HERE) for part in peer.command]
    needed = packages / peer.needs
    if not needed.exists():
        print(f"skipped: {needed} is missing: see tests/interop/setup.sh", file=sys.stderr)
        return SKIPPED
    try:
        check(mcpwire, peer, command)
    except (Failure, subprocess.TimeoutExpired) as why:
        print(why, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
