"""Conversations with mcpwire tap between the two sides."""

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Union

from tests.tool.peer import Step, play
from tests.tool.support import ROOT, TIMEOUT, ToolTest, environment, notification, request, result, tool

PEER = str(ROOT / "tests" / "tool" / "peer.py")
PYTHON = [sys.executable, "-S", "-E"]
STATELESS = "2026-07-28"

Message = Union[bytes, str, Dict[str, Any], List[Any]]
Finding = Dict[str, Any]


def line(message: Message) -> bytes:
    """A message as a line; bytes stand for themselves, line end included."""
    if isinstance(message, bytes):
        return message
    text = message if isinstance(message, str) else json.dumps(message, ensure_ascii=False)
    return text.encode() + b"\n"


def client(*messages: Message) -> List[Step]:
    return [("client", line(m)) for m in messages]


def server(*messages: Message) -> List[Step]:
    return [("server", line(m)) for m in messages]


def initialize(
    revision: str = "2025-11-25", offered: Optional[str] = None, can: object = None, offers: object = None
) -> List[Step]:
    """initialize and its result, with the capabilities of both sides."""
    about = {"name": "test", "version": "1"}
    asked = {"protocolVersion": revision, "capabilities": can or {}, "clientInfo": about}
    answer = {"protocolVersion": offered or revision, "capabilities": offers or {}, "serverInfo": about}
    return client(request("init", "initialize", asked)) + server(result("init", answer))


def handshake(
    revision: str = "2025-11-25", offered: Optional[str] = None, can: object = None, offers: object = None
) -> List[Step]:
    return initialize(revision, offered, can, offers) + client(notification("notifications/initialized"))


def meta(revision: str = STATELESS, can: object = None, **more: object) -> Dict[str, Any]:
    prefix = "io.modelcontextprotocol/"
    return {prefix + "protocolVersion": revision, prefix + "clientCapabilities": can or {}, **more}


def stateless(
    id_: object, method: str, params: Optional[Dict[str, Any]] = None, **about: Any
) -> Dict[str, Any]:
    """A request of a revision without a handshake."""
    return request(id_, method, {"_meta": meta(**about), **(params or {})})


def complete(id_: object, **value: object) -> Dict[str, Any]:
    return result(id_, {"resultType": "complete", **value})


@dataclass(frozen=True)
class Played:
    code: int
    findings: List[Finding]
    received: bytes  # by the client
    err: str

    def codes(self) -> List[str]:
        return [str(f["code"]) for f in self.findings]


class TapTest(ToolTest):
    def start(
        self, command: Sequence[str], *options: str, stderr: int = subprocess.PIPE
    ) -> "subprocess.Popen[bytes]":
        child = subprocess.Popen(
            [tool(), "tap", *options, "--", *command],
            cwd=self.folder,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            bufsize=0,
        )
        self.addCleanup(self.clean, child)
        return child

    @staticmethod
    def clean(child: "subprocess.Popen[bytes]") -> None:
        if child.poll() is None:
            child.kill()
        child.wait()
        for stream in (child.stdin, child.stdout, child.stderr):
            if stream is not None:
                stream.close()

    def script(self, text: str) -> List[str]:
        """A server that is this Python program."""
        return [*PYTHON, self.file("server.py", text)]

    def tapped(self, data: bytes, command: Sequence[str], *options: str) -> Played:
        """A client that says all of this at once and then leaves."""
        child = self.start(command, "--format", "json", "--output", "findings", *options)
        out, err = child.communicate(data, timeout=TIMEOUT)
        return Played(child.returncode, self.findings(), out, err.decode())

    def findings(self) -> List[Finding]:
        text = (self.folder / "findings").read_text(encoding="utf-8")
        return [json.loads(row) for row in text.split("\n") if row]

    def play(self, steps: Sequence[Step], *options: str) -> Played:
        written = [(who, data.decode("latin-1")) for who, data in steps]
        name = self.file("steps.json", json.dumps(written))
        child = self.start(
            [*PYTHON, PEER, name, "server"], "--format", "json", "--output", "findings", *options
        )
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        received = play(list(steps), "client", child.stdout.fileno(), child.stdin.fileno())
        child.stdin.close()
        received += child.stdout.read()
        err = child.stderr.read().decode()
        child.wait(timeout=TIMEOUT)
        return Played(child.returncode, self.findings(), received, err)

    def breaks(self, code: str, steps: Sequence[Step], *options: str) -> Finding:
        """The finding of this code, of which there is one."""
        found = [f for f in self.play(steps, *options).findings if f["code"] == code]
        self.assertEqual(len(found), 1, found)
        return found[0]

    def keeps(self, code: str, steps: Sequence[Step], *options: str) -> None:
        """No finding of this code, and nothing else either."""
        self.assertEqual(self.play(steps, *options).findings, [], f"while testing {code}")
