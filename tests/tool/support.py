"""Running the mcpwire command on files of a temporary folder."""

import gzip
import json
import os
import subprocess
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Union

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 120


def tool() -> str:
    path = os.environ.get("MCPWIRE", "")
    if not path:
        raise RuntimeError("set MCPWIRE to the mcpwire command that was built, such as build/tools/mcpwire")
    return str(Path(path).resolve())


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    def values(self) -> List[Dict[str, Any]]:
        """The objects of a JSON report, but for the summary, which is the last."""
        *values, _ = (json.loads(line) for line in self.out.splitlines())
        return values

    def summary(self) -> Dict[str, Any]:
        """The summary of a JSON report."""
        last: Dict[str, Any] = json.loads(self.out.splitlines()[-1])
        found: Dict[str, Any] = last["summary"]
        return found


def environment(changes: Optional[Mapping[str, str]] = None) -> Dict[str, str]:
    clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    return {**clean, "TERM": "xterm", **(changes or {})}


class ToolTest(unittest.TestCase):
    """Each test has a folder of its own and names files relative to it."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name: str, content: Union[str, bytes]) -> str:
        data = content.encode() if isinstance(content, str) else content
        (self.folder / name).write_bytes(data)
        return name

    def packed(self, name: str, content: Union[str, bytes]) -> str:
        """A file that gzip has compressed."""
        data = content.encode() if isinstance(content, str) else content
        return self.file(name, gzip.compress(data))

    def lines(self, name: str, *messages: object) -> str:
        """A file with a value a line; text stands for itself."""
        rows = [m if isinstance(m, str) else json.dumps(m, ensure_ascii=False) for m in messages]
        return self.file(name, "".join(row + "\n" for row in rows))

    def run_tool(self, *args: str, stdin: bytes = b"") -> Result:
        done = subprocess.run(
            [tool(), *args],
            input=stdin,
            cwd=self.folder,
            env=environment(),
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def validate(self, *args: str, stdin: bytes = b"") -> Result:
        return self.run_tool("validate", *args, stdin=stdin)

    def session(self, *messages: object, revision: str = "2025-11-25", options: str = "") -> Result:
        """The report on a session, a message a line."""
        name = self.lines("session.ndjson", *messages)
        return self.validate("--revision", revision, "--ndjson", *options.split(), name)

    def assert_usage_error(self, result: Result, message: str) -> None:
        self.assertEqual(result.err, f"mcpwire: {message}\n")
        self.assertEqual(result.out, "")
        self.assertEqual(result.code, 2)


def request(id_: object, method: str, params: Optional[object] = None) -> Dict[str, object]:
    message: Dict[str, object] = {"jsonrpc": "2.0", "id": id_, "method": method}
    if params is not None:
        message["params"] = params
    return message


def notification(method: str, params: Optional[object] = None) -> Dict[str, object]:
    message = request(0, method, params)
    del message["id"]
    return message


def result(id_: object, value: object) -> Dict[str, object]:
    return {"jsonrpc": "2.0", "id": id_, "result": value}


def error(id_: object, code: int = -32603, message: str = "failed") -> Dict[str, object]:
    return {"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message}}


PING = request(1, "ping")
LIST_TOOLS = "tools/list"
BAD_TOOLS = {"tools": "none"}
BAD_TOOLS_ERROR = "/result/tools: expected array, got string"
