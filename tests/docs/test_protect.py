# SPDX-License-Identifier: MIT
"""The program of the page about protected servers answers what the page shows."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import subprocess
import time
import unittest
from pathlib import Path

from tests.http.test_protect import ask
from tests.http.test_serve import META, TIMEOUT, message, text_of

PROGRAM = os.environ.get("MCPW_GUIDE_PROTECT", "")
PORT = 8090


class GuideTest(unittest.TestCase):
    def test_the_guide_is_right(self) -> None:
        if not PROGRAM:
            self.skipTest("the program of the guide is not built")
        with subprocess.Popen([PROGRAM], stderr=subprocess.PIPE) as process:
            try:
                self.wait_for(process)
                self.check_guide()
            finally:
                process.terminate()

    def wait_for(self, process: subprocess.Popen[bytes]) -> None:
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            if process.poll() is not None:
                self.skipTest(f"port {PORT} is in use")
            with contextlib.suppress(ConnectionError):
                ask(PORT, None)
                return
            time.sleep(0.05)

    def check_guide(self) -> None:
        page = (Path(__file__).parents[2] / "docs/guide/protect-a-server.md").read_text("utf-8")
        challenge = ask(PORT, None).headers["WWW-Authenticate"]
        self.assertIn(f"WWW-Authenticate: {challenge}\n", page)
        self.assertEqual(text_of(ask(PORT, "t-bob", "whoami").read()), "bob of https://login.example.com")
        self.assertEqual(
            text_of(ask(PORT, "t-alice", "whoami").read()),
            "alice of https://login.example.com, who may write",
        )
        for token, status in (("t-bob", 403), ("t-alice", 200)):
            body = {"jsonrpc": "2.0", "id": 1, "method": "resources/read"}
            _, fields = message("resources/read")
            fields |= {"Mcp-Name": "note://8", "Authorization": f"Bearer {token}"}
            connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=TIMEOUT)
            connection.request(
                "POST", "/mcp", json.dumps({**body, "params": {"uri": "note://8", "_meta": META}}), fields
            )
            response = connection.getresponse()
            self.assertEqual(response.status, status)
            if status == 403:
                self.assertIn(f"WWW-Authenticate: {response.headers['WWW-Authenticate']}\n", page)


if __name__ == "__main__":
    unittest.main()
