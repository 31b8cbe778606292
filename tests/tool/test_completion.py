"""Completion in bash, zsh and fish: current, and run by the shells themselves."""

import importlib.util
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
import unittest
from typing import Set

from tests.tool.support import ROOT, TIMEOUT, ToolTest, environment, tool

SCRIPTS = ROOT / "tools" / "completion"
COMMANDS = {"validate", "tap", "call", "convert", "login", "logout", "whoami"}
FORMATS = {"text", "json", "github", "junit", "html"}
SILENCE = 20  # seconds to wait for a shell to draw something
END = "@@@"


class CompletionTest(ToolTest):
    def setUp(self) -> None:
        super().setUp()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/mcpwire").symlink_to(tool())
        (self.folder / "some.ndjson").touch()
        (self.folder / "somewhere").mkdir()
        codegen = self.folder / "bin/mcpwire-codegen"
        codegen.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -B -m codegen "$@"\n')
        codegen.chmod(0o755)
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        self.environment = environment({"PATH": path, "HOME": str(self.folder)})

    def shell(self, *command: str) -> str:
        if shutil.which(command[0]) is None:
            self.skipTest(f"{command[0]} is not installed")
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
        self.assertEqual(done.stderr, "")
        return done.stdout

    def options(self, command: str) -> Set[str]:
        """The entries of the help."""
        told = self.run_tool(command, "--help").out
        return {re.split(r"[ \[]", line[2:])[0] for line in told.splitlines() if line.startswith("  --")}

    def types(self, revision: str) -> Set[str]:
        schema = json.loads((ROOT / "schema" / revision / "schema.json").read_text())
        return set(schema.get("$defs", schema.get("definitions")))

    def revisions(self) -> Set[str]:
        return set(re.findall(r"\d{4}-\d\d-\d\d", self.run_tool("--version").out))


class Files(CompletionTest):
    def test_they_are_what_the_help_says(self) -> None:
        generate = [sys.executable, str(SCRIPTS / "generate.py"), tool(), "--check"]
        done = subprocess.run(generate, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_those_of_the_generator_are_what_it_declares(self) -> None:
        if importlib.util.find_spec("jinja2") is None:
            self.skipTest("skipped: the generator needs Jinja2")
        generate = [sys.executable, "-B", str(SCRIPTS / "generate_codegen.py"), "--check"]
        done = subprocess.run(generate, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_every_option_of_every_command_is_in_each(self) -> None:
        for name in ("mcpwire.bash", "_mcpwire", "mcpwire.fish"):
            text = (SCRIPTS / name).read_text()
            for command in COMMANDS:
                for option in self.options(command):
                    flag = f"-l {option[2:]} " if name.endswith("fish") else option
                    self.assertIn(flag, text, f"{name}: {command}")


class Bash(CompletionTest):
    def words(self, *line: str) -> Set[str]:
        """The completions of bash for the last of the words, which it takes apart as it does when someone
        types."""
        words = [piece for word in line for piece in re.split("(=)", word)] if line[-1] != "=" else [*line]
        while len(words) > 1 and words[-1] == "" and words[-2] == "=":
            words.pop()
        name = words[0]
        script = (
            f'source {SCRIPTS / name}.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
            f"complete -p {name} >/dev/null && _{name.replace('-', '_')}; "
            'printf "%s\\n" "${COMPREPLY[@]}"'
        )
        return set(self.shell("bash", "--norc", "-c", script, "bash", *words).split())

    def test_commands(self) -> None:
        self.assertEqual(self.words("mcpwire", ""), COMMANDS | {"help", "--help", "--version"})
        self.assertEqual(self.words("mcpwire", "va"), {"validate"})
        self.assertEqual(self.words("mcpwire", "help", ""), COMMANDS)

    def test_options(self) -> None:
        for command in COMMANDS:
            offered = self.words("mcpwire", command, "--")
            self.assertEqual(offered - {"--"}, self.options(command))
        self.assertEqual(self.words("mcpwire", "validate", "--err"), {"--errors-only"})

    def test_values(self) -> None:
        self.assertEqual(self.words("mcpwire", "validate", "--format", ""), FORMATS)
        self.assertEqual(self.words("mcpwire", "validate", "--format=j"), {"json", "junit"})
        self.assertEqual(self.words("mcpwire", "validate", "--format="), FORMATS)
        self.assertEqual(self.words("mcpwire", "tap", "--revision", ""), self.revisions())
        self.assertEqual(self.words("mcpwire", "validate", "--revision", ""), self.revisions() | {"auto"})
        self.assertEqual(self.words("mcpwire", "validate", "--message", ""), set())
        self.assertEqual(self.words("mcpwire", "convert", "--report=j"), {"json"})
        self.assertEqual(self.words("mcpwire", "tap", "--overlay", "2026-07-28-t"), {"2026-07-28-tasks"})
        self.assertEqual(self.words("mcpwire", "tap", "--overlay", "some"), {"some.ndjson", "somewhere"})

    def test_types_of_the_revision(self) -> None:
        self.assertEqual(self.words("mcpwire", "validate", "--type", ""), self.types("2026-07-28"))
        for given in (("--revision", "2024-11-05"), ("--revision=2024-11-05",)):
            self.assertEqual(
                self.words("mcpwire", "validate", *given, "--type", ""), self.types("2024-11-05")
            )
        self.assertEqual(self.words("mcpwire", "validate", "--type=ResourceLin"), {"ResourceLink"})
        self.assertEqual(self.words("mcpwire", "convert", "--report", "some"), {"some.ndjson", "somewhere"})

    def test_files_and_folders(self) -> None:
        self.assertEqual(self.words("mcpwire", "validate", "some"), {"some.ndjson", "somewhere"})
        self.assertEqual(self.words("mcpwire", "tap", "--output", "some"), {"some.ndjson", "somewhere"})
        self.assertEqual(self.words("mcpwire", "call", "--root", "some"), {"somewhere"})

    def test_the_generator(self) -> None:
        self.assertIn("generate", self.words("mcpwire-codegen", "g"))
        self.assertEqual(self.words("mcpwire-codegen", "generate", "--no-"), {"--no-errata"})
        self.assertEqual(self.words("mcpwire-codegen", "graph", "--format="), {"svg", "dot"})
        self.assertEqual(self.words("mcpwire-codegen", "diff", "--output", "some."), {"some.ndjson"})
        self.assertEqual(self.words("mcpwire-codegen", "generate", "--out", "some"), {"somewhere"})
        self.assertEqual(self.words("mcpwire-codegen", "types", "some."), {"some.ndjson"})
        self.assertEqual(self.words("mcpwire-codegen", "list", ""), set())

    @unittest.skipIf(importlib.util.find_spec("jinja2") is None, "skipped: the generator needs Jinja2")
    def test_revisions_of_the_generator(self) -> None:
        self.assertEqual(self.words("mcpwire-codegen", "generate", "--revision", ""), self.revisions())
        self.assertEqual(self.words("mcpwire-codegen", "diff", "2024"), {"2024-11-05"})

    def test_the_server_of_tap_and_call(self) -> None:
        for command in ("tap", "call"):
            self.assertEqual(self.words("mcpwire", command, "--", "mcpwir"), {"mcpwire", "mcpwire-codegen"})
            self.assertEqual(self.words("mcpwire", command, "--", "x", "some."), {"some.ndjson"})
        self.assertEqual(self.words("mcpwire", "validate", "--", "some."), {"some.ndjson"})


class Fish(CompletionTest):
    def words(self, line: str) -> Set[str]:
        script = f"source {SCRIPTS / line.split()[0]}.fish; complete -C {line!r}"
        return {row.split("\t")[0] for row in self.shell("fish", "--no-config", "-c", script).splitlines()}

    def test_commands(self) -> None:
        self.assertEqual(self.words("mcpwire "), COMMANDS | {"help"})
        self.assertEqual(self.words("mcpwire help "), COMMANDS)

    def test_options(self) -> None:
        for command in COMMANDS:
            offered = self.words(f"mcpwire {command} --")
            self.assertEqual({word.rstrip("=") for word in offered}, self.options(command))

    def test_values(self) -> None:
        self.assertEqual(self.words("mcpwire validate --format "), FORMATS)
        self.assertEqual(self.words("mcpwire validate --revision "), self.revisions() | {"auto"})
        self.assertEqual(self.words("mcpwire tap --revision "), self.revisions())
        self.assertEqual(self.words("mcpwire tap --overlay 2026-07-28-t"), {"2026-07-28-tasks"})
        self.assertIn("some.ndjson", self.words("mcpwire tap --overlay some"))

    def test_types_of_the_revision(self) -> None:
        self.assertEqual(self.words("mcpwire validate --type "), self.types("2026-07-28"))
        for given in ("--revision 2024-11-05", "--revision=2024-11-05"):
            self.assertEqual(self.words(f"mcpwire validate {given} --type "), self.types("2024-11-05"))

    def test_files_and_folders(self) -> None:
        self.assertEqual(self.words("mcpwire validate some"), {"some.ndjson", "somewhere/"})
        self.assertEqual(self.words("mcpwire call --root some"), {"somewhere/"})

    def test_the_generator(self) -> None:
        self.assertIn("generate", self.words("mcpwire-codegen "))
        self.assertEqual(self.words("mcpwire-codegen generate --no-"), {"--no-errata"})
        self.assertEqual(self.words("mcpwire-codegen graph --format "), {"svg", "dot"})
        self.assertEqual(self.words("mcpwire-codegen types some"), {"some.ndjson", "somewhere/"})

    def test_the_server_of_tap_and_call(self) -> None:
        self.assertIn("mcpwire", self.words("mcpwire tap -- mcpwir"))
        self.assertIn("some.ndjson", self.words("mcpwire call -- x some."))
        self.assertNotIn("--errors-only", self.words("mcpwire tap -- validate --err"))


class Zsh(CompletionTest):
    """zsh completes only for someone who types, so that someone is here."""

    def setUp(self) -> None:
        super().setUp()
        if shutil.which("zsh") is None:
            self.skipTest("zsh is not installed")
        try:
            pid, self.terminal = pty.fork()
        except OSError as problem:
            self.skipTest(f"there is no terminal to be had: {problem}")
        if pid == 0:
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], self.environment)
        self.addCleanup(os.waitpid, pid, 0)
        self.addCleanup(os.close, self.terminal)
        self.type(f"PS1= RPS1=; fpath=({SCRIPTS} $fpath); autoload -U compinit; compinit -u -D\n")
        self.type("zstyle ':completion:*' list-prompt ''; unsetopt listambiguous zle_bracketed_paste\n")
        # The completion of the line is printed instead, and the line is taken back.
        self.type('tell() { print -r -- "<$BUFFER>"; BUFFER=; zle reset-prompt; print -r -- ' + END + " }\n")
        self.type("zle -N tell; bindkey '^T' tell; print -r -- " + END[:1] + "''" + END[1:] + "\n")
        self.read_to(END)

    def type(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def read_to(self, end: str) -> str:
        seen = ""
        limit = time.monotonic() + SILENCE
        while end not in re.sub(r"print -r.*", "", seen):
            ready, _, _ = select.select([self.terminal], [], [], max(0.0, limit - time.monotonic()))
            self.assertTrue(ready, f"zsh is silent after {seen!r}")
            seen += os.read(self.terminal, 4096).decode(errors="replace")
        return seen

    def completed(self, line: str) -> str:
        """The line after a TAB."""
        self.type(line + "\t\x14")
        found = re.findall(r"<([^>\n]*)>", self.read_to(END))
        self.assertTrue(found)
        return str(found[-1]).rstrip()

    def test_words_are_completed(self) -> None:
        for line, wanted in (
            ("mcpwire val", "mcpwire validate"),
            ("mcpwire validate --err", "mcpwire validate --errors-only"),
            ("mcpwire validate --format ju", "mcpwire validate --format junit"),
            ("mcpwire validate --format=gi", "mcpwire validate --format=github"),
            ("mcpwire validate --revision au", "mcpwire validate --revision auto"),
            ("mcpwire tap --revision 2024", "mcpwire tap --revision 2024-11-05"),
            ("mcpwire validate some.", "mcpwire validate some.ndjson"),
            ("mcpwire validate --type ResourceLin", "mcpwire validate --type ResourceLink"),
            (
                "mcpwire validate --revision 2024-11-05 --type Annota",
                "mcpwire validate --revision 2024-11-05 --type Annotated",
            ),
            ("mcpwire tap --overlay 2026-07-28-t", "mcpwire tap --overlay 2026-07-28-tasks"),
            ("mcpwire tap --overlay some.", "mcpwire tap --overlay some.ndjson"),
            ("mcpwire tap -- mcpwir", "mcpwire tap -- mcpwire"),
            ("mcpwire call -- x some.", "mcpwire call -- x some.ndjson"),
            ("mcpwire-codegen gene", "mcpwire-codegen generate"),
            ("mcpwire-codegen generate --no-", "mcpwire-codegen generate --no-errata"),
            ("mcpwire-codegen graph --format s", "mcpwire-codegen graph --format svg"),
            ("mcpwire-codegen diff --output some.", "mcpwire-codegen diff --output some.ndjson"),
        ):
            with self.subTest(line=line):
                self.assertEqual(self.completed(line), wanted)


if __name__ == "__main__":
    unittest.main()
