# SPDX-License-Identifier: MIT
"""A headless Chromium, driven by the DevTools protocol over two pipes."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Dict, List, Optional, Type

Json = Dict[str, Any]
SECONDS = 60.0
PAUSE = 0.05
NAMES = ("chromium", "chromium-browser", "google-chrome")
# The first two are for containers, where there is no user namespace and little shared memory.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--headless=new",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--remote-debugging-pipe",
)


def find() -> Optional[str]:
    """The path of a Chromium; None: there is none."""
    return next((path for path in map(shutil.which, NAMES) if path is not None), None)


@dataclass(frozen=True)
class Frame:
    """A page, or a frame of it that has a process of its own."""

    session: str
    url: str


class Chromium:
    """A browser with one page. `frames` are the page and the frames that have a process of their own."""

    def __init__(self, width: int, height: int) -> None:
        program = find()
        assert program is not None
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read_commands, self._write = os.pipe()
        self._read, write_events = os.pipe()
        self._rest = b""
        self._last_id = 0
        self._answers: Dict[int, Json] = {}
        self.frames: List[Frame] = []
        self.logged: List[str] = []

        def descriptors() -> None:
            copies = os.dup(read_commands), os.dup(write_events)  # 3 and 4 may be among them
            os.dup2(copies[0], 3)
            os.dup2(copies[1], 4)

        self._process = subprocess.Popen(
            [
                program,
                *ARGUMENTS,
                f"--window-size={width},{height}",
                f"--user-data-dir={self._profile.name}",
                "about:blank",
            ],
            preexec_fn=descriptors,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_commands)
        os.close(write_events)
        pages = self.call("Target.getTargets")["targetInfos"]
        target = next(page["targetId"] for page in pages if page["type"] == "page")
        attached = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        self.page = Frame(attached["sessionId"], "")
        self._follow(self.page)
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", size, self.page)

    def __enter__(self) -> Chromium:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)
        self._profile.cleanup()

    # ---- Messages ----

    def _send(self, method: str, params: Optional[Json], frame: Optional[Frame]) -> int:
        self._last_id += 1
        message: Json = {"id": self._last_id, "method": method, "params": params or {}}
        if frame is not None and frame.session:
            message["sessionId"] = frame.session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        return self._last_id

    def _follow(self, frame: Frame) -> None:
        """Learns of the frames in a frame, and of what it logs. The answers are not waited for."""
        attach = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True}
        for method in ("Runtime.enable", "Log.enable"):
            self._send(method, None, frame)
        self._send("Target.setAutoAttach", attach, frame)

    def _take(self, message: Json) -> None:
        params = message.get("params", {})
        if "id" in message:
            self._answers[message["id"]] = message
        elif message["method"] == "Target.attachedToTarget" and params["targetInfo"]["type"] == "iframe":
            frame = Frame(params["sessionId"], params["targetInfo"]["url"])
            self.frames.append(frame)
            self._follow(frame)
        elif message["method"] == "Target.detachedFromTarget":
            self.frames = [each for each in self.frames if each.session != params["sessionId"]]
        elif message["method"] == "Log.entryAdded":
            self.logged.append(params["entry"]["text"])

    def _listen(self, seconds: float) -> None:
        """Takes the messages that come within a time."""
        if select.select([self._read], [], [], seconds)[0]:
            more = os.read(self._read, 1 << 16)
            if not more:
                raise AssertionError("the browser has ended")
            *messages, self._rest = (self._rest + more).split(b"\0")
            for message in messages:
                self._take(json.loads(message))

    def call(self, method: str, params: Optional[Json] = None, frame: Optional[Frame] = None) -> Json:
        """The result of a command."""
        number = self._send(method, params, frame)
        end = time.monotonic() + SECONDS
        while number not in self._answers:
            if time.monotonic() > end:
                raise AssertionError(f"the browser does not answer {method}")
            self._listen(PAUSE)
        answer = self._answers.pop(number)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        return dict(answer["result"])

    # ---- Pages ----

    def open(self, url: str) -> None:
        """Opens a page in place of the one that is there."""
        self.call("Page.navigate", {"url": url}, self.page)

    def before(self, script: str) -> None:
        """Runs a script in each page before its own."""
        self.call("Page.enable", None, self.page)
        self.call("Page.addScriptToEvaluateOnNewDocument", {"source": script}, self.page)

    def value(self, expression: str, frame: Optional[Frame] = None) -> Any:
        """The value of a JavaScript expression."""
        params = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        result = self.call("Runtime.evaluate", params, frame or self.page)
        if "exceptionDetails" in result:
            raise AssertionError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression: str, wanted: Any, frame: Optional[Frame] = None) -> None:
        """Waits until an expression has a value. A page that is not loaded yet may fail to have one."""
        end = time.monotonic() + SECONDS
        found = self._value_or_error(expression, frame)
        while found != wanted:
            if time.monotonic() > end:
                raise AssertionError(f"{expression} is {found!r}, not {wanted!r}; logged: {self.logged}")
            self._listen(PAUSE)
            found = self._value_or_error(expression, frame)

    def _value_or_error(self, expression: str, frame: Optional[Frame]) -> Any:
        try:
            return self.value(expression, frame)
        except AssertionError as error:
            return error

    def frame_with(self, expression: str) -> Frame:
        """The frame in which an expression is true."""
        end = time.monotonic() + SECONDS
        while True:
            for frame in list(self.frames):
                if self._value_or_error(expression, frame) is True:
                    return frame
            if time.monotonic() > end:
                raise AssertionError(f"no frame with {expression} in {self.frames}; logged: {self.logged}")
            self._listen(PAUSE)

    def screenshot(self, path: Path) -> None:
        """Writes a PNG of the page."""
        data = self.call("Page.captureScreenshot", {"format": "png"}, self.page)["data"]
        path.write_bytes(base64.b64decode(data))
