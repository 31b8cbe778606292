# SPDX-License-Identifier: MIT
"""Skills between the two ends of mcpwire and the SDKs in TypeScript and Rust, which share no code."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

HERE = Path(__file__).resolve().parent
TIMEOUT = 60
FILES: Dict[str, bytes] = {
    "pdf/SKILL.md": b"---\nname: pdf\ndescription: >-\n  Fills in\n  forms.\n"
    b"license: MIT\nmetadata:\n  a: 'it''s'\n"
    b'  b: "q\\u00e9\\n"\n---\nRead references/FORMS.md.\n',
    "pdf/references/FORMS.md": b"Forms.\n",
    "pdf/references/Q&A (1).txt": b"text\n",
    "pdf/caf\xc3\xa9.md".encode("latin-1").decode("utf-8"): b"\xef\xbb\xbfmark\r\n",
    "pdf/data/logo.png": b"\x89PNG\x00\xff",
    "pdf/data/empty": b"",
    "pdf/broken.txt": b"\xff\xfe",
    "acme/tools/csv/SKILL.md": b"---\r\nname: csv\r\ndescription: Reads tables.\r\n---\r\nText\r\n",
    "acme/tools/csv/inner/SKILL.md": b"---\nname: inner\ndescription: Lies inside.\n---\n",
}
URIS = ["skill://acme/tools/csv/SKILL.md", "skill://acme/tools/csv/inner/SKILL.md", "skill://pdf/SKILL.md"]
FORMS = "skill://pdf/references/FORMS.md"


def node() -> List[str]:
    """Node with the packages at hand."""
    program = shutil.which("node")
    folder = Path(os.environ.get("MCPW_NODE_MODULES", ""))
    own = folder / "node_modules" / "node" / "bin" / "node"
    if own.exists():
        program = str(own)
    if program is None or not (folder / "node_modules" / "@modelcontextprotocol" / "client").is_dir():
        raise unittest.SkipTest("Node or the SDK is not installed")
    return [program]


def rust() -> List[str]:
    """The program on the Rust SDK."""
    program = Path(os.environ.get("MCPW_NODE_MODULES", "")) / "bin" / "peer_rust"
    if not program.exists():
        raise unittest.SkipTest("peer_rust is not built: see tests/interop/setup.sh")
    return [str(program)]


class Skills(unittest.TestCase):
    """A tree of skills, and the programs on other SDKs that read or serve it."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "skills"
        for name, content in FILES.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self.scripts = Path(folder.name) / "scripts"

    def script(self, name: str) -> str:
        """A script in a folder where it finds the packages."""
        self.scripts.mkdir()
        modules = Path(os.environ["MCPW_NODE_MODULES"]) / "node_modules"
        (self.scripts / "node_modules").symlink_to(modules)
        return str(shutil.copy(str(HERE / name), str(self.scripts)))

    def run_it(self, *command: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(list(command), capture_output=True, timeout=TIMEOUT, check=False)

    def succeed(self, *command: str) -> bytes:
        done = self.run_it(*command)
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors="replace"))
        return done.stdout

    def check_client(self, *command: str) -> None:
        """Their client reads all that our server serves, which it names after the command."""
        server = os.environ["MCPW_SKILLS_SERVER"]
        out: Dict[str, Any] = json.loads(self.succeed(*command, server, str(self.root)))
        self.assertTrue(out["supported"] and out["directoryRead"])
        skills = {skill["uri"]: skill for skill in out["skills"]}
        self.assertEqual([uri for uri in skills if "clock" not in uri], URIS)
        self.assertFalse(skills["skill://clock/SKILL.md"]["verified"])
        pdf = skills["skill://pdf/SKILL.md"]
        self.assertEqual(
            pdf["frontmatter"],
            {
                "name": "pdf",
                "description": "Fills in forms.",
                "license": "MIT",
                "metadata": {"a": "it's", "b": "q\u00e9\n"},
            },
        )
        files = sorted(base64.b64decode(content) for content in pdf["files"].values())
        self.assertEqual(files, sorted(content for name, content in FILES.items() if name.startswith("pdf/")))
        self.assertEqual(pdf["directories"]["skill://pdf/references"], ["FORMS.md", "Q&A (1).txt"])
        self.assertEqual(len(skills["skill://acme/tools/csv/SKILL.md"]["files"]), 2)

    def check_server(self, *server: str) -> None:
        """Our client reads all that their server serves of the directory."""

        def call(*options: str) -> bytes:
            return self.succeed(os.environ["MCPWIRE"], "call", *options, "--", *server, str(self.root))

        listed = json.loads(call("--skills", "--json"))["skills"]
        self.assertEqual(sorted(skill["uri"] for skill in listed), URIS)
        self.assertEqual(call("--skill", "skill://pdf/SKILL.md"), FILES["pdf/SKILL.md"])
        for name, content in FILES.items():
            if name.startswith("pdf/"):
                got = call("--skill", "skill://pdf/SKILL.md", "--file", name[len("pdf/") :])
                self.assertEqual(got, content)

    def test_our_server_and_the_client_in_typescript(self) -> None:
        self.check_client(*node(), self.script("skills_client.mjs"))

    def test_the_server_in_typescript_and_our_client(self) -> None:
        self.check_server(*node(), self.script("skills_server.mjs"))

    def test_our_server_and_the_client_in_rust(self) -> None:
        self.check_client(*rust(), "skills-client", "--")

    def test_the_server_in_rust_and_our_client(self) -> None:
        self.check_server(*rust(), "skills-server")


if __name__ == "__main__":
    unittest.main()
