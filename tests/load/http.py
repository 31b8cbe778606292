# SPDX-License-Identifier: MIT
"""The load of Streamable HTTP: an echo tool called over many keep-alive connections, on our server, on a bare
epoll server, and on the servers of other SDKs, each started in turn in the same run. No test: prints figures.

usage: python3 -m tests.load.http --calls PROGRAM --streams PROGRAM --bare PROGRAM --server "COMMAND"
           [--peer "NAME=COMMAND"]... [--rounds N] [--requests N]

A server prints its port on a line. The rounds go through all of them, so that a busy machine hits all alike;
figures are medians.
"""

from __future__ import annotations

import argparse
import json
import shlex
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List

CONNECTIONS = (64, 1000)
REVISIONS = ("2026-07-28", "2025-11-25")
MOST_CPU_US = 12.0
MOST_TIMES_BARE = 2.0
LEAST_TIMES_SDK = 1.0
MOST_IDLE_KB = 16.0
MOST_STREAM_KB = 20.0
MOST_HEARD_MS = 2000.0


@dataclass(frozen=True)
class Server:
    name: str
    command: str
    echoes: bool = True
    share: float = 1.0  # of the requests: slow servers get fewer


@dataclass(frozen=True)
class Target:
    what: str
    measured: float
    limit: float
    is_least: bool = False

    @property
    def met(self) -> bool:
        return self.measured >= self.limit if self.is_least else self.measured <= self.limit

    def row(self) -> str:
        sign = ">=" if self.is_least else "<="
        return (
            f"| {self.what} | {self.measured:.2f} | {sign} {self.limit:g} | {'yes' if self.met else 'NO'} |"
        )


@contextmanager
def started(server: Server) -> Iterator[tuple[str, str]]:
    """The port and the process of a server that runs."""
    with subprocess.Popen(shlex.split(server.command), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        if not port.isdigit():
            sys.exit(f"{server.name}: no port, but {port!r}")
        time.sleep(0.2)
        yield port, str(process.pid)
        process.kill()


def told(command: list[str]) -> dict[str, Any]:
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{run.stdout}{run.stderr}")
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def calls(args: argparse.Namespace, server: Server, revision: str, connections: int) -> dict[str, Any]:
    requests = max(int(args.requests * server.share), connections)
    with started(server) as (port, process):
        any_answer = [] if server.echoes else ["any"]
        return told([args.calls, port, process, revision, str(connections), str(requests), *any_answer])


def median(rows: list[dict[str, Any]], key: str) -> float:
    return statistics.median(float(row[key]) for row in rows)


# The measurements of one case, each round of each server. Ours comes first, then the bare one, then SDKs.
Rows = Dict[str, List[Dict[str, Any]]]


def compare(args: argparse.Namespace, servers: list[Server]) -> list[Rows]:
    """Prints a table for each revision and number of connections."""
    cases = []
    for revision in REVISIONS:
        for connections in CONNECTIONS:
            rows: Rows = {server.name: [] for server in servers}
            for _ in range(args.rounds):
                for server in servers:
                    rows[server.name].append(calls(args, server, revision, connections))
            print(f"\n| {revision}, {connections} connections", end="")
            print(" | requests a second | CPU a request, us | p99, ms |")
            print("|-|-:|-:|-:|")
            for name, found in rows.items():
                print(
                    f"| {name} | {median(found, 'a_second'):.0f} | {median(found, 'cpu_us'):.2f} "
                    f"| {median(found, 'p99_us') / 1e3:.2f} |"
                )
            cases.append(rows)
    return cases


def targets_of_calls(cases: list[Rows]) -> list[Target]:
    """Each of the worst case."""
    ours, bare, *sdks = cases[0]
    cpu = [{name: median(found, "cpu_us") for name, found in rows.items()} for rows in cases]
    speed = [{name: median(found, "a_second") for name, found in rows.items()} for rows in cases]
    errors = sum(int(row["errors"]) for rows in cases for row in rows[ours])
    targets = [
        Target("calls that failed", errors, 0),
        Target("CPU a request at most, us", max(case[ours] for case in cpu), MOST_CPU_US),
        Target(
            "CPU a request at most, to the bare server", max(c[ours] / c[bare] for c in cpu), MOST_TIMES_BARE
        ),
    ]
    if sdks:
        least = min(case[ours] / max(case[name] for name in sdks) for case in speed)
        targets.append(Target("requests a second at least, to the fastest SDK", least, LEAST_TIMES_SDK, True))
        least = min(min(case[name] for name in sdks) / case[ours] for case in cpu)
        targets.append(
            Target("CPU a request of the SDK that takes least, to ours", least, LEAST_TIMES_SDK, True)
        )
    return targets


def idle(args: argparse.Namespace, server: Server) -> float:
    """Kilobytes of an idle connection: each has made one request."""
    few, many = 100, 5100
    rows = []
    for connections in (few, many):
        with started(server) as (port, process):
            rows.append(told([args.calls, port, process, REVISIONS[0], str(connections), str(connections)]))
    return float(rows[1]["memory_kb"] - rows[0]["memory_kb"]) / (many - few)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", required=True)
    parser.add_argument("--streams", required=True)
    parser.add_argument("--bare", required=True)
    parser.add_argument("--server", required=True)
    parser.add_argument("--peer", action="append", default=[])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=100000)
    parser.add_argument("--open", type=int, default=9900, help="streams")
    args = parser.parse_args()
    ours = Server("mcpwire", args.server)
    servers = [ours, Server("bare epoll", args.bare, echoes=False)]
    for peer in args.peer:
        name, command = peer.split("=", 1)
        servers.append(Server(name, command, share=0.1))
    targets = targets_of_calls(compare(args, servers))
    kilobytes = idle(args, ours)
    with started(ours) as (port, process):
        streams = told([args.streams, port, process, str(args.open)])
    targets += [
        Target("memory of an idle connection, KB", kilobytes, MOST_IDLE_KB),
        Target(
            f"memory of an open listen stream, of {streams['streams']}, KB",
            streams["kb_a_stream"],
            MOST_STREAM_KB,
        ),
        Target("ms until all of them told of a change", streams["heard_ms"], MOST_HEARD_MS),
    ]
    print("\n| mcpwire | measured | target | met |\n|-|-:|-:|-|")
    for target in targets:
        print(target.row())
    return 0 if all(target.met for target in targets) else 1


if __name__ == "__main__":
    sys.exit(main())
