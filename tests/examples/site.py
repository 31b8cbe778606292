# SPDX-License-Identifier: MIT
"""A web site on this machine for a browser: files of a folder, and pages of the test."""

from __future__ import annotations

import http.server
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Type

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
}


class _Handler(http.server.BaseHTTPRequestHandler):
    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        fields = {
            "Content-Type": kind,
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Allow-Headers": "*",
        }
        for name, value in {**fields, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        site = self.site()
        path = self.path.partition("?")[0]
        site.asked.append(path)
        file = site.folder / path.lstrip("/")
        if path in site.pages:
            self._answer(200, TYPES[Path(path).suffix], site.pages[path].encode())
        elif file.parent == site.folder and file.is_file():
            self._answer(200, TYPES[file.suffix], file.read_bytes())
        else:
            self._answer(404, "text/plain", b"")

    def do_OPTIONS(self) -> None:
        self._answer(204, "text/plain", b"")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(200, "application/json", self.site().answer(body))

    def site(self) -> Site:
        site: Site = self.server.site  # type: ignore[attr-defined]
        return site

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Site:
    """Files of a folder, pages by their paths, and one function that answers what is posted."""

    def __init__(
        self,
        folder: Path,
        pages: Optional[Mapping[str, str]] = None,
        answer: Callable[[bytes], bytes] = lambda body: b"",
    ) -> None:
        self.folder = folder
        self.pages: Dict[str, str] = dict(pages or {})
        self.answer = answer
        self.asked: List[str] = []
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.site = self  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def address(self) -> Tuple[str, int]:
        host, port = self._server.server_address[:2]
        return str(host), int(port)

    @property
    def origin(self) -> str:
        return "http://{}:{}".format(*self.address)

    def __enter__(self) -> Site:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
