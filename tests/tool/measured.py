# SPDX-License-Identifier: MIT
"""Runs a command and says what it took.

A process begins with the memory of the one that forks it, and the kernel counts that as its own.
So the command is started by a small process, whatever the test itself has in memory.
"""

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Mapping, Sequence

_STARTER = """
import json, os, signal, sys
quiet = os.open(os.devnull, os.O_RDWR)
command = sys.argv[2:]
actions = [(os.POSIX_SPAWN_DUP2, quiet, 2)]
child = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
signal.alarm(int(sys.argv[1]))
_, status, used = os.wait4(child, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_maxrss]), file=sys.stderr)
"""


@dataclass(frozen=True)
class Measured:
    code: int
    out: str
    seconds: float
    kib: int


def measure(command: Sequence[str], env: Mapping[str, str], limit: int = 60) -> Measured:
    """Ends the command by force after `limit` seconds; what it says on standard error is lost."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", _STARTER, str(limit), *command],
        capture_output=True,
        text=True,
        env=dict(env),
        check=True,
    )
    code, kib = json.loads(done.stderr.splitlines()[-1])
    return Measured(code, done.stdout, time.monotonic() - began, kib)
