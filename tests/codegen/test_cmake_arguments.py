# SPDX-License-Identifier: MIT
# Slow: tools/test.sh runs it with --all.
"""Arguments of the CMake functions become names of files, commands and code: so hostile words are refused
when a project is configured, before anything is written."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests.codegen.hostile import HOSTILE, MARK, unseen
from tests.codegen.support import ROOT

CMAKE = shutil.which("cmake")
CALLS = {
    "mcpwire_generate TARGET": "mcpwire_generate(TARGET @ SCHEMA schema.json REVISION 2027-01-15)",
    "mcpwire_generate REVISION": "mcpwire_generate(TARGET a SCHEMA schema.json REVISION @)",
    "mcpwire_generate LIKE": "mcpwire_generate(TARGET a SCHEMA schema.json REVISION 2027-01-15 LIKE @)",
    "mcpwire_generate ONLY": "mcpwire_generate(TARGET a SCHEMA schema.json REVISION 2027-01-15 ONLY @)",
    "mcpwire_generate SCHEMA": "mcpwire_generate(TARGET a SCHEMA @ REVISION 2027-01-15)",
    "mcpwire_generate FACTS": "mcpwire_generate(TARGET a SCHEMA schema.json REVISION 2027-01-15 FACTS @)",
    "mcpwire_generate OVERLAY": "mcpwire_generate(TARGET a OVERLAY @ REVISION 2026-07-28 PIN)",
    "mcpwire_tool TARGET": "mcpwire_tool(TARGET @ TOOL a INPUT schema.json)",
    "mcpwire_tool TOOL": "mcpwire_tool(TARGET a TOOL @ INPUT schema.json)",
    "mcpwire_tool PREFIX": "mcpwire_tool(TARGET a TOOL a INPUT schema.json PREFIX @)",
    "mcpwire_tool INPUT": "mcpwire_tool(TARGET a TOOL a INPUT @)",
    "mcpwire_types TARGET": "mcpwire_types(TARGET @ PREFIX a SCHEMAS schema.json)",
    "mcpwire_types PREFIX": "mcpwire_types(TARGET a PREFIX @ SCHEMAS schema.json)",
    "mcpwire_types SCHEMAS": "mcpwire_types(TARGET a PREFIX a SCHEMAS @)",
    "mcpwire_client TARGET": "mcpwire_client(TARGET @ PREFIX a TOOLS schema.json)",
    "mcpwire_client PREFIX": "mcpwire_client(TARGET a PREFIX @ TOOLS schema.json)",
    "mcpwire_client TOOLS": "mcpwire_client(TARGET a PREFIX a TOOLS @)",
}
WORDS = {
    **{name: text for name, text in HOSTILE.items() if name not in ("NUL", "empty", "long word")},
    "list": f"a;{MARK}",
    "expression": f"$<1:{MARK}>",
    "variable": f"${{{MARK}}}",
    "option": f"--{MARK};--out;/",
    "shell": f"$({MARK}) `{MARK}` && {MARK} | {MARK} > {MARK}",
}


@unittest.skipUnless(CMAKE, "skipped: there is no cmake")
class Refused(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "schema.json").write_text("{}", "utf-8")

    def configured(self, call: str) -> subprocess.CompletedProcess[bytes]:
        """Runs a call in a script. CMake writes no build then: arguments are checked before that."""
        script = f"""cmake_policy(VERSION 3.22)
set(MCPW_REVISIONS 2026-07-28)
set(MCPW_PYTHON [==[{sys.executable}]==])
include([==[{ROOT}/cmake/McpwireGenerate.cmake]==])
include([==[{ROOT}/cmake/McpwireTool.cmake]==])
{call}
"""
        path = self.folder / "script.cmake"
        path.write_bytes(script.encode("utf-8", "surrogatepass"))
        assert CMAKE is not None
        command = [CMAKE, "-P", str(path)]
        return subprocess.run(command, cwd=self.folder, capture_output=True, check=False)

    def test_hostile_words(self) -> None:
        for what, call in CALLS.items():
            function, keyword = what.split()
            for name, word in WORDS.items():
                if word.isascii() and set(word) <= set("./Injected"):
                    continue
                with self.subTest(what, word=name):
                    done = self.configured(call.replace("@", f"[==[{word}]==]"))
                    told = " ".join(done.stderr.decode("utf-8", "replace").split())
                    self.assertNotEqual(done.returncode, 0)
                    self.assertRegex(told, rf"{function}(: |\(TARGET )")
                    if keyword in ("TARGET", "PREFIX", "TOOL", "REVISION", "LIKE", "ONLY"):
                        self.assertNotIn("there is no target", told)
                    self.assertEqual(
                        {path.name for path in self.folder.iterdir()}, {"script.cmake", "schema.json"}
                    )

    def test_messages_show_no_commands_to_a_terminal(self) -> None:
        for what in ("mcpwire_types PREFIX", "mcpwire_tool TOOL", "mcpwire_generate TARGET"):
            for name in ("terminal", "right to left", "line separator"):
                done = self.configured(CALLS[what].replace("@", f"[==[{HOSTILE[name]}]==]"))
                self.assertEqual(unseen(done.stderr.decode("utf-8")), [], (what, name))

    def test_names_of_overlays(self) -> None:
        for name, word in HOSTILE.items():
            if name == "lone surrogate":  # no JSON to CMake: the generator refuses the file
                continue
            path = self.folder / "overlay.json"
            path.write_text(json.dumps({"overlay": word, "revision": "2026-07-28"}), "utf-8")
            with self.subTest(name):
                done = self.configured(
                    "mcpwire_generate(TARGET a OVERLAY overlay.json REVISION 2026-07-28 PIN)"
                )
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(b"mcpwire_generate: the name of the overlay", b" ".join(done.stderr.split()))
                self.assertFalse((self.folder / "mcpwire").exists())

    def test_usual_words_are_not_refused(self) -> None:
        for what, word in (
            ("mcpwire_types PREFIX", "my_app2"),
            ("mcpwire_tool TOOL", "get-Weather.v2"),
            ("mcpwire_tool PREFIX", "app"),
            ("mcpwire_client PREFIX", "github"),
            ("mcpwire_types SCHEMAS", "schema.json"),
        ):
            told = self.configured(CALLS[what].replace("@", word)).stderr
            self.assertIn(b"there is no target a", b" ".join(told.split()), what)


if __name__ == "__main__":
    unittest.main()
