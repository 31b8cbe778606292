# SPDX-License-Identifier: MIT
"""A client of clangd, for the tests of what editors show: LSP over standard input and output."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Optional

Message = dict[str, Any]


class Clangd:
    """A running clangd, which compiles every file with the given arguments."""

    def __init__(self, folder: Path, arguments: list[str]) -> None:
        (folder / "compile_flags.txt").write_text("\n".join(arguments) + "\n", "utf-8")
        self._folder = folder
        self._last = 0
        self._process = subprocess.Popen(
            ["clangd", "--background-index=false", "--enable-config=false", "--log=error"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        hover = {"contentFormat": ["plaintext"]}
        capabilities = {"textDocument": {"hover": hover}}
        self.request("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        self._notify("initialized", {})

    def __enter__(self) -> Clangd:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if kind is None:
            self.request("shutdown", None)
            self._notify("exit", None)
        else:
            self._process.kill()
        self._process.communicate()

    def open(self, name: str, text: str) -> str:
        """Opens a C file of that text and returns its URI."""
        uri = (self._folder / name).as_uri()
        document = {"uri": uri, "languageId": "c", "version": 1, "text": text}
        self._notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def hover(self, uri: str, line: int, column: int) -> str:
        """The text that is shown at a place; may be empty."""
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
        found = self.request("textDocument/hover", place)
        return str(found["contents"]["value"]) if found else ""

    def request(self, method: str, params: Any) -> Any:
        """The result of a request."""
        self._last += 1
        self._send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self._last and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"clangd: {method}: {message['error']}")
                return message.get("result")

    def _notify(self, method: str, params: Any) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _send(self, message: Message) -> None:
        assert self._process.stdin is not None
        body = json.dumps(message).encode("utf-8")
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _receive(self) -> Message:
        assert self._process.stdout is not None
        length = 0
        while True:
            header = self._process.stdout.readline()
            if not header:
                raise RuntimeError("clangd has ended")
            if header == b"\r\n":
                break
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message: Message = json.loads(self._process.stdout.read(length))
        return message
