# SPDX-License-Identifier: MIT
"""Logins of the command on Windows, under Wine, with a browser that the system starts.

python3 -m tests.portability.windows_login MCPWIRE_EXE
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from tests.tool.logins import SECRETS, World, world

TIMEOUT = 60.0
tool = ""
BROWSER = f"""#!{sys.executable} -SE
import sys, urllib.request
open({{0!r}}, "a").write(sys.argv[-1] + "\\n")
try:
    urllib.request.urlopen(sys.argv[-1], timeout=20).read()
except OSError:
    pass
"""


class WindowsLoginTest(unittest.TestCase):
    def setUp(self) -> None:
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.world: World = stack.enter_context(world())
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self.visited = self.folder / "visited"
        browser = self.folder / "xdg-open"  # what Wine starts for a URL
        browser.write_text(BROWSER.format(str(self.visited)))
        browser.chmod(0o700)
        self.environment = {
            **{name: value for name, value in os.environ.items() if name != "BROWSER"},
            "XDG_DATA_HOME": f"z:{self.folder}",
            "PATH": f"{self.folder}:{os.environ['PATH']}",
            "no_proxy": "*",
        }

    def start(self, *words: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        command = ["wine", tool, *words, self.world.mcp]
        return subprocess.Popen(
            command, env=self.environment, text=True, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe
        )

    def run_it(self, *words: str, status: int = 0) -> str:
        with self.start(*words) as process:
            out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, status, err)
        for secret in SECRETS:
            self.assertNotIn(secret, out + err)
        return out + err

    def log_in_by_hand(self) -> None:
        with self.start("login", "--no-browser") as process:
            assert process.stderr is not None
            found = re.search(r"http://[^ \n]+", process.stderr.readline())
            assert found is not None
            with contextlib.suppress(urllib.error.HTTPError):
                urllib.request.urlopen(found.group(0), timeout=TIMEOUT).read()
            self.assertIn("logged in", process.communicate(timeout=TIMEOUT)[1])
        self.assertEqual(process.returncode, 0)

    def test_a_user_without_a_browser_logs_in_and_out(self) -> None:
        self.log_in_by_hand()
        self.assertEqual(self.run_it("call", "--tool", "who"), "you are in\n")
        self.assertIn(self.world.issuer, self.run_it("whoami"))
        self.run_it("logout")
        self.run_it("whoami", status=1)
        self.run_it("call", "--tool", "who", status=3)

    def test_what_is_kept_is_for_the_user_alone(self) -> None:
        self.log_in_by_hand()
        kept = [self.folder / "mcpwire", *(self.folder / "mcpwire").rglob("*")]
        self.assertGreater(len([path for path in kept if path.suffix == ".json"]), 0)
        for path in kept:
            self.assertEqual(path.stat().st_mode & 0o007, 0, path)

    def test_a_folder_that_others_may_use_is_not_used(self) -> None:
        self.log_in_by_hand()
        (self.folder / "mcpwire" / "logins").chmod(0o777)
        self.assertIn("this user alone", self.run_it("whoami", status=2))

    def test_the_systems_browser_is_opened(self) -> None:
        self.assertIn("logged in", self.run_it("login"))
        self.assertIn(self.world.issuer, self.visited.read_text())

    def test_a_file_of_a_secret_may_have_any_name(self) -> None:
        path = self.folder / "Geheimnis 漢字"
        path.write_text("secret\r\n", encoding="utf-8")
        options = ("--client-id", "mine", "--client-secret-file", str(path), "--issuer", self.world.issuer)
        self.environment["XDG_DATA_HOME"] = "z:/nowhere"
        self.assertIn("directory of logins", self.run_it("login", *options, status=2))

    def test_without_a_folder_for_logins_there_is_an_error(self) -> None:
        self.environment["XDG_DATA_HOME"] = "z:/nowhere"
        self.assertIn("directory of logins", self.run_it("login", status=2))


if __name__ == "__main__":
    tool = sys.argv.pop(1)
    unittest.main()
