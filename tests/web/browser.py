# SPDX-License-Identifier: MIT
"""The page of tools/web/ in a headless Chromium, with a keyboard and no network."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

from tests.examples.chromium import Chromium
from tests.tool.support import ROOT

SIZE = (1280, 720)
CODES = {
    "ArrowDown": 40,
    "ArrowUp": 38,
    "PageDown": 34,
    "PageUp": 33,
    "Home": 36,
    "End": 35,
    "Enter": 13,
    "Escape": 27,
    "Tab": 9,
    "/": 191,
    "f": 70,
}
# Everything that a page that was taken over could do is written down.
WATCH = """
window.seen = [];
addEventListener('error', (event) => seen.push('error ' + event.message));
addEventListener('securitypolicyviolation', (event) => seen.push('policy ' + event.violatedDirective));
window.alert = () => seen.push('alert');
"""

Json = Dict[str, Any]


class Page:
    """An open page."""

    def __init__(self, browser: Chromium) -> None:
        self.browser = browser

    def value(self, expression: str) -> Any:
        return self.browser.value(expression)

    def wait(self, expression: str, wanted: Any) -> None:
        self.browser.wait(expression, wanted)

    def text(self, selector: str) -> str:
        return str(self.value(f"document.querySelector({json.dumps(selector)}).textContent"))

    def rows(self) -> List[str]:
        """The rows that are drawn, each as the texts of its cells."""
        self.wait("list.pending", False)  # else they are those of before the last change
        found: List[str] = self.value(
            "[...document.querySelectorAll('.row')].map((row) => [...row.children].slice(1, 4)"
            ".map((cell) => cell.textContent).join('|'))"
        )
        return found

    def chosen(self) -> int:
        return int(self.value("list.chosen"))

    def press(self, *keys: str) -> None:
        for key in keys:
            what: Json = {"key": key, "windowsVirtualKeyCode": CODES[key]}
            if len(key) == 1:
                what["text"] = key
            elif key == "Enter":
                what["text"] = "\r"
            self.browser.call("Input.dispatchKeyEvent", {"type": "keyDown", **what}, self.browser.page)
            self.browser.call("Input.dispatchKeyEvent", {"type": "keyUp", **what}, self.browser.page)

    def write(self, text: str) -> None:
        self.browser.call("Input.insertText", {"text": text}, self.browser.page)

    def media(self, **features: str) -> None:
        wanted = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.browser.call("Emulation.setEmulatedMedia", {"features": wanted}, self.browser.page)

    def picture(self, path: Path) -> None:
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.browser.screenshot(path)

    def seen(self) -> List[str]:
        """Errors, breaches of the policy, and whatever a foreign script would do."""
        found: List[str] = self.value("seen")
        return found + self.browser.logged


@contextlib.contextmanager
def opened(url: str) -> Iterator[Page]:
    with Chromium(*SIZE) as browser:
        browser.before(WATCH)
        browser.open(url)
        page = Page(browser)
        page.wait("document.readyState", "complete")
        yield page


@contextlib.contextmanager
def shown(text: str) -> Iterator[Page]:
    """A page that stands in a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(text, encoding="utf-8")
        with opened(path.as_uri()) as page:
            yield page


def playground_file() -> Optional[Path]:
    """Makes the playground. None: the compiler does not know WASI."""
    build = os.environ.get("MCPW_WASM_BUILD", "")
    if not any((Path("/usr") / name / "wasm32-wasi").is_dir() for name in ("lib", "include")):
        return None
    command = ["tools/web/playground.sh", *([build] if build else [])]
    made = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return (ROOT / made.stdout.strip()).resolve()


def record(at: int, side: str, message: object, **more: object) -> str:
    """A line of a log, so many ms after its beginning."""
    name = "line" if isinstance(message, str) else "message"
    time = f"2026-11-22T14:{at // 60000:02}:{at // 1000 % 60:02}.{at % 1000:03}Z"
    return json.dumps({"time": time, "from": side, **more, name: message})


def log(lines: Sequence[str]) -> str:
    return "".join(line + "\n" for line in lines)


def call(id_: object, tool: str, arguments: Mapping[str, object]) -> Json:
    return {
        "jsonrpc": "2.0",
        "id": id_,
        "method": "tools/call",
        "params": {"name": tool, "arguments": dict(arguments)},
    }


def text_result(id_: object, text: object) -> Json:
    return {"jsonrpc": "2.0", "id": id_, "result": {"content": [{"type": "text", "text": text}]}}


HANDSHAKE = (
    record(
        0,
        "client",
        {
            "jsonrpc": "2.0",
            "id": "init",
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        },
    ),
    record(
        20,
        "server",
        {
            "jsonrpc": "2.0",
            "id": "init",
            "result": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "test", "version": "1"},
            },
        },
    ),
    record(25, "client", {"jsonrpc": "2.0", "method": "notifications/initialized"}),
)
