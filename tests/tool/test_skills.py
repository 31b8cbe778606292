"""mcpwire call --skills and --skill: what is listed, and which files are printed."""

import json
import os
import pty
import subprocess
import sys
import unittest
from pathlib import Path
from typing import List

from tests.tool.support import ROOT, TIMEOUT, Result, ToolTest, environment, tool

SERVER = [sys.executable, "-S", "-E", str(ROOT / "tests" / "tool" / "skills.py")]
URI = "skill://pdf-processing/SKILL.md"
MAIN = (
    "---\nname: pdf-processing\ndescription: Fills in forms.\nlicense: MIT\n---\nRead references/FORMS.md.\n"
)
LIVE = "git://host/live/SKILL.md"


class SkillsTest(ToolTest):
    @property
    def log(self) -> Path:
        return self.folder / "log"

    def call(self, *args: str, server: str = "") -> Result:
        options = server.split()
        return self.run_tool("call", *args, "--", *SERVER, "--log", str(self.log), *options)

    def asked(self) -> List[str]:
        """The requests that the server got, but for the first."""
        lines = self.log.read_text("utf-8").splitlines()
        return [line for line in lines if line != "server/discover"]


class Lists(SkillsTest):
    def test_skills_of_all_pages_and_nothing_else_is_asked_for(self) -> None:
        done = self.call("--skills")
        self.assertEqual(
            done.out,
            f"{URI}  (3 files, 106 bytes)\n    Fills in forms.\n"
            f"{LIVE}  (dynamic)\n    \x1b[2Jmade\n    when read\n",
        )
        self.assertEqual((done.err, done.code), ("", 0))
        self.assertEqual(self.asked(), ["skills/list", "skills/list"])

    def test_entries_as_json(self) -> None:
        skills = json.loads(self.call("--skills", "--json").out)["skills"]
        self.assertEqual([skill["uri"] for skill in skills], [URI, LIVE])
        self.assertEqual(skills[0]["resources"][0]["size"], len(MAIN))

    def test_an_invalid_entry_is_named_and_left_out(self) -> None:
        done = self.call("--skills", server="--invalid")
        self.assertIn("skill://other/SKILL.md: the entry of the skill is invalid: its name", done.err)
        self.assertNotIn("other", done.out)
        self.assertIn(URI, done.out)
        self.assertEqual(done.code, 1)

    def test_a_server_without_skills(self) -> None:
        done = self.call("--skills", server="--none")
        self.assertIn('has not declared "extensions.io.modelcontextprotocol/skills"', done.err)
        self.assertEqual((done.out, done.code), ("", 1))

    def test_text_of_a_server_is_safe_on_a_terminal(self) -> None:
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            raise unittest.SkipTest(f"no pseudo-terminal: {error}") from error
        command = [tool(), "call", "--skills", "--", *SERVER]
        subprocess.run(
            command, stdout=theirs, stdin=subprocess.DEVNULL, env=environment(), timeout=TIMEOUT, check=True
        )
        shown = os.read(ours, 1 << 16)
        self.assertIn(rb"\x1b[2Jmade", shown)
        self.assertNotIn(b"\x1b", shown)
        os.close(ours)
        os.close(theirs)


class Files(SkillsTest):
    def test_a_valid_main_file_is_printed_unchanged(self) -> None:
        done = self.call("--skill", URI)
        self.assertEqual((done.out, done.err, done.code), (MAIN, "", 0))
        self.assertEqual(self.asked(), [f"skills/get {URI}", f"resources/read {URI}"])

    def test_another_file_is_read_after_the_main_file(self) -> None:
        done = self.call("--skill", URI, "--file", "references/FORMS.md")
        self.assertEqual((done.out, done.err, done.code), ("Forms.\n", "", 0))
        forms = "skill://pdf-processing/references/FORMS.md"
        self.assertEqual(self.asked()[1:], [f"resources/read {URI}", f"resources/read {forms}"])

    def test_json_has_the_origin(self) -> None:
        done = self.call("--skill", URI, "--file", "logo.bin", "--json")
        self.assertEqual(
            json.loads(done.out),
            {
                "server": sys.executable,
                "skill": URI,
                "uri": "skill://pdf-processing/logo.bin",
                "verified": True,
                "blob": "/wA=",
            },
        )

    def test_an_unlisted_file_is_never_asked_for(self) -> None:
        done = self.call("--skill", URI, "--file", "scripts/extract.py")
        self.assertEqual((done.out, done.code), ("", 1))
        self.assertIn("the skill has no such file", done.err)
        self.assertEqual(self.asked(), [f"skills/get {URI}"])

    def refused(self, server: str, why: str) -> None:
        done = self.call("--skill", URI, "--file", "references/FORMS.md", server=server)
        self.assertEqual((done.out, done.code), ("", 1))
        self.assertIn(why, done.err)
        self.assertEqual(self.asked(), [f"skills/get {URI}", f"resources/read {URI}", f"skills/get {URI}"])

    def test_a_wrong_digest(self) -> None:
        self.refused("--bad-digest", "the digest of the file differs from its entry")

    def test_a_wrong_size(self) -> None:
        self.refused("--bad-size", "the file has 97 bytes, and its entry says 98")

    def test_other_front_matter(self) -> None:
        self.refused("--bad-frontmatter", "/description: the front matter differs from the entry")

    def test_a_dynamic_skill_is_not_verified(self) -> None:
        done = self.call("--skill", LIVE)
        self.assertIn("Now.\n", done.out)
        self.assertIn("note: the skill is dynamic, so its files are not verified", done.err)
        self.assertEqual(done.code, 0)

    def test_an_unknown_skill(self) -> None:
        done = self.call("--skill", "skill://none/SKILL.md")
        self.assertIn("the server answered -32602: Unknown", done.err)
        self.assertEqual((done.out, done.code), ("", 1))

    def test_a_file_without_a_skill_is_a_usage_error(self) -> None:
        done = self.call("--skills", "--file", "x")
        self.assertIn("--file is for --skill", done.err)
        self.assertEqual(done.code, 2)

    def test_an_older_revision_has_no_skills(self) -> None:
        server = [sys.executable, "-S", "-E", str(ROOT / "tests" / "tool" / "server.py")]
        done = self.run_tool("call", "--skills", "--", *server)
        self.assertIn('sends no request "skills/list" in', done.err)
        self.assertEqual((done.out, done.code), ("", 1))


if __name__ == "__main__":
    unittest.main()
