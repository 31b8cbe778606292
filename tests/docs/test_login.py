# SPDX-License-Identifier: MIT
"""The programs of the page about logins, at a server that requires one, and the messages in its table."""

import os
import pty
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request
from pathlib import Path
from typing import Dict

from tests.tool.logins import SECRETS, World, world
from tests.tool.support import ROOT, TIMEOUT
from tests.tool.test_login import KeepRedirect

PAGE = (ROOT / "docs" / "guide" / "log-in.md").read_text("utf-8")
BROWSER = f"#!{sys.executable} -SE\nimport sys, urllib.request\nurllib.request.urlopen(sys.argv[-1]).read()\n"


class Programs(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        browser = Path(folder.name) / "browser"
        browser.write_text(BROWSER)
        browser.chmod(0o700)
        context = world()
        self.world: World = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        self.environment: Dict[str, str] = {
            "PATH": os.environ["PATH"],
            "HOME": folder.name,
            "BROWSER": str(browser),
            "no_proxy": "*",
        }

    def run_program(self, name: str, *words: str, **more: str) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [os.environ[f"MCPW_GUIDE_{name.upper()}"], *words],
            env={**self.environment, **more},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
        for secret in SECRETS:
            self.assertNotIn(secret, done.stdout + done.stderr)
        return done

    def test_a_desktop_program_asks_the_user_once(self) -> None:
        for _ in range(2):
            done = self.run_program("desktop", self.world.mcp)
            self.assertEqual((done.stdout, done.returncode), ("who\n", 0), done.stderr)
        self.assertEqual(self.world.count("/authorize"), 1)

    def test_a_service_uses_its_secret_at_its_issuer_alone(self) -> None:
        self.world.how.secret_of = "job"
        words = (self.world.mcp, self.world.issuer, "who")
        how = {"CLIENT_ID": "job", "CLIENT_SECRET": "the-client-secret"}
        done = self.run_program("service", *words, **how)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("you are in\n", "", 0))
        self.assertEqual(self.world.count("/token", grant_type="client_credentials"), 1)
        refused = self.run_program("service", self.world.mcp, "http://127.0.0.1:1", "who", **how)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("authorization_servers: expected http://127.0.0.1:1", refused.stderr)
        self.assertEqual(self.world.count("/token"), 1)
        self.assertFalse((Path(self.environment["HOME"]) / ".local").exists())

    def test_a_headless_program_takes_what_the_user_pastes(self) -> None:
        self.world.how.scope = "read"
        ours, theirs = pty.openpty()
        with subprocess.Popen(
            [os.environ["MCPW_GUIDE_HEADLESS"], self.world.mcp],
            env=self.environment,
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            os.close(theirs)
            assert process.stdout is not None and process.stderr is not None
            found = re.fullmatch(r"Open (\S+)\n", process.stdout.readline())
            assert found is not None
            with self.assertRaises(urllib.error.URLError) as caught:
                urllib.request.build_opener(KeepRedirect).open(found[1])
            os.write(ours, f"{getattr(caught.exception, 'url', '')}\n".encode())
            said = process.stdout.read()
            self.assertEqual(process.wait(TIMEOUT), 0, process.stderr.read())
        os.close(ours)
        self.assertTrue(said.endswith(f"{self.world.issuer}, scopes: read\n"), said)
        later = self.run_program("headless", self.world.mcp)  # nobody is there
        self.assertEqual((later.stdout, later.returncode), (f"{self.world.issuer}, scopes: read\n", 0))

    def test_a_headless_program_without_a_user_fails(self) -> None:
        done = self.run_program("headless", self.world.mcp)
        self.assertEqual((done.stdout, done.returncode), ("", 1))
        self.assertIn("MCPW_E_UNAUTHORIZED", done.stderr)


class Messages(unittest.TestCase):
    def test_each_message_of_the_table_is_one(self) -> None:
        folders = (ROOT / "runtime" / "oauth", ROOT / "runtime" / "transport")
        sources = "".join(path.read_text("utf-8") for folder in folders for path in folder.glob("*.c"))
        texts = re.sub(r'"\s*"', "", sources)
        table = PAGE[PAGE.index("| message |") :]
        shown = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
        self.assertGreater(len(shown), 8)
        names = ("resource metadata: ", "the authorization server refused: ")  # what a format puts together
        for message in shown:
            known = message in texts or any(
                message.startswith(name)
                and name[:-2] in texts
                and message[len(name) :].split(":")[0] in texts
                for name in names
            )
            known = known or message == "the authorization server refused: access_denied"
            self.assertTrue(known, message)


if __name__ == "__main__":
    unittest.main()
