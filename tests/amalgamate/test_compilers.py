# SPDX-License-Identifier: MIT
"""The library as one file, under each compiler: no warning, no private symbol, and a server that answers.

MCPW_COMMAND names the mcpwire command, which talks to the server.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Sequence, Set

ROOT = Path(__file__).resolve().parents[2]
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")  # those of mcpw_configure
SECONDS = 540
BYTES = {  # limits of mcpwire.c and mcpwire.h
    (): (1_500_000, 1_200_000),
    ("--all",): (2_100_000, 4_000_000),
    ("--codec",): (600_000, 1_100_000),
    ("--whole",): (2_300_000, 1_300_000),
}
THE_LINE = "cc -O2 server.c mcpwire.c"


def run(*command: object, cwd: Path | None = None) -> str:
    """The output of a command that must succeed."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    said = done.stdout.decode("utf-8", "replace")
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(words)}: exit status {done.returncode}\n{said[:4000]}")
    return said


def amalgamate(folder: Path, *options: str) -> Path:
    """The folder, with both files."""
    run(sys.executable, ROOT / "tools/amalgamate.py", "-o", folder, *options)
    return folder


def server_text() -> str:
    """The server of the README, with the one header in place of the library's."""
    lines = (ROOT / "examples/echo.c").read_text(encoding="utf-8").split("\n")
    kept = [line for line in lines if not line.startswith("#include <mcpw/")]
    return "\n".join(['#include "mcpwire.h"', *kept])


class InFolder(unittest.TestCase):
    """Tests in a folder that goes."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def need(self, program: str, package: str) -> str:
        """The path of a program; without it the test is skipped."""
        found = shutil.which(program)
        if found is None:
            self.skipTest(f"{program} is not installed (Debian: {package})")
        return found

    def compile(self, compiler: str, *options: str) -> Path:
        """The object of the one file."""
        made = self.folder / "mcpwire.o"
        run(compiler, "-std=c11", *WARNINGS, *options, "-c", self.folder / "mcpwire.c", "-o", made)
        return made


class Text(InFolder):
    OLDER = ("--codec", "--revision", "2025-06-18", "--revision", "2024-11-05")  # is made quickly

    def test_the_same_options_make_the_same_bytes(self) -> None:
        for name in ("one", "other"):
            amalgamate(self.folder / name, *self.OLDER)
        for name in ("mcpwire.c", "mcpwire.h"):
            self.assertEqual(*((self.folder / of / name).read_bytes() for of in ("one", "other")))

    def test_the_files_are_no_longer_than_they_may_be(self) -> None:
        for options, limits in BYTES.items():
            folder = amalgamate(self.folder / "-".join(("of", *options)), *options)
            for name, limit in zip(("mcpwire.c", "mcpwire.h"), limits):
                self.assertLessEqual((folder / name).stat().st_size, limit, f"{name} {options}")

    def test_licence_version_and_revisions_stand_on_top(self) -> None:
        folder = amalgamate(self.folder, *self.OLDER)
        version = re.search(
            r"VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8").split("project(")[1]
        )
        for name in ("mcpwire.c", "mcpwire.h"):
            top = (folder / name).read_text(encoding="utf-8")[:2000]
            self.assertTrue(top.startswith("/* SPDX-License-Identifier: MIT */"))
            self.assertIn(f"mcpwire {version.group(1) if version else ''}", top)
            self.assertIn("Revisions: 2024-11-05, 2025-06-18.", top)
            self.assertIn("Permission is hereby granted", top)

    def test_the_readme_says_how_to_compile_it(self) -> None:
        self.assertTrue(
            THE_LINE in (ROOT / "README.md").read_text(encoding="utf-8"), f"README lacks {THE_LINE}"
        )

    def test_the_names_of_the_inside_are_short_unless_they_are_asked_for(self) -> None:
        short = (amalgamate(self.folder / "short", *self.OLDER) / "mcpwire.c").read_text(encoding="utf-8")
        long = (amalgamate(self.folder / "long", *self.OLDER, "--long-names") / "mcpwire.c").read_text(
            encoding="utf-8"
        )
        self.assertIn("arena__new_block", long)
        self.assertNotIn("arena__new_block", short)
        self.assertIn("mcpw_decode(", short)
        self.assertLess(len(short), len(long))

    def test_an_unknown_revision_is_refused(self) -> None:
        with self.assertRaisesRegex(AssertionError, "invalid choice"):
            amalgamate(self.folder, "--revision", "1999-01-01")


class Gcc(InFolder):
    def symbols(self, made: Path) -> Set[str]:
        """The names that an object defines for others."""
        lines = run(self.need("nm", "binutils"), "--extern-only", "--defined-only", made).split("\n")
        return {line.split()[-1] for line in lines if line}

    def test_some_parts_compile_without_the_others(self) -> None:
        compiler = self.need("gcc", "gcc")
        for parts in (("tasks", "http-core"), ("apps", "middleware")):
            with self.subTest(parts):
                amalgamate(self.folder, *(word for part in parts for word in ("--with", part)))
                run(compiler, "-std=c11", *WARNINGS, "-fsyntax-only", self.folder / "mcpwire.c")

    def test_it_compiles_hides_its_inside_and_serves(self) -> None:
        compiler = self.need("gcc", "gcc")
        amalgamate(self.folder)
        made = self.compile(compiler, "-O2")
        with self.subTest("symbols"):
            header = (self.folder / "mcpwire.h").read_text(encoding="utf-8")
            declared = set(re.findall(r"\bmcpw?_\w+", re.sub(r"/\*.*?\*/", " ", header, flags=re.DOTALL)))
            found = self.symbols(made)
            self.assertIn("mcpw_serve", found)
            self.assertEqual(sorted(found - declared), [])
        with self.subTest("C++"):
            self.use_from_cpp(made)
        with self.subTest("server"):
            self.serve(compiler, made)

    def use_from_cpp(self, made: Path) -> None:
        compiler = self.need("g++", "g++")
        (self.folder / "use.cpp").write_text(
            '#include "mcpwire.h"\n'
            "int main() {\n"
            "    mcpw_arena arena = MCPW_ARENA_INIT;\n"
            "    mcp_text_content content = mcp_text_content();\n"
            '    const char text[] = "{\\"type\\":\\"text\\",\\"text\\":\\"hello\\"}";\n'
            "    const mcpw_status status =\n"
            "        mcp_text_content_decode(text, sizeof text - 1, &arena, &content, NULL, NULL);\n"
            "    mcpw_arena_free(&arena);\n"
            "    return status == MCPW_OK ? 0 : 1;\n"
            "}\n",
            encoding="utf-8",
        )
        run(compiler, "-std=c++17", *WARNINGS, self.folder / "use.cpp", made, "-o", self.folder / "use")
        run(self.folder / "use")

    def serve(self, compiler: str, made: Path) -> None:
        command = os.environ.get("MCPW_COMMAND", "")
        if not command:
            self.skipTest("the mcpwire command is not built")
        (self.folder / "server.c").write_text(server_text(), encoding="utf-8")
        run(compiler, "-O2", *WARNINGS, self.folder / "server.c", made, "-o", self.folder / "server")
        said = run(command, "call", "--tool", "echo", "message=from one file", "--", self.folder / "server")
        self.assertIn("from one file", said)


class Clang(InFolder):
    def test_it_compiles(self) -> None:
        compiler = self.need("clang", "clang")
        amalgamate(self.folder, "--whole")
        self.compile(compiler, "-O1")


class Mingw(InFolder):
    def test_it_compiles_and_a_server_links(self) -> None:
        compiler = self.need("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64")
        amalgamate(self.folder)
        made = self.compile(compiler, "-O1")
        (self.folder / "server.c").write_text(server_text(), encoding="utf-8")
        libraries = ("-lbcrypt", "-lntdll")
        run(compiler, *WARNINGS, self.folder / "server.c", made, *libraries, "-o", self.folder / "server.exe")


class BareArm(InFolder):
    FLAGS: Sequence[str] = ("-mcpu=cortex-m4", "-mthumb", "-Os")

    def test_codec_and_sessions_compile_without_an_operating_system(self) -> None:
        compiler = self.need("arm-none-eabi-gcc", "gcc-arm-none-eabi")
        for options in ((), ("--fast", "--with", "schemas")):
            with self.subTest(options):
                amalgamate(self.folder, *options)
                self.compile(compiler, *self.FLAGS)


if __name__ == "__main__":
    unittest.main()
