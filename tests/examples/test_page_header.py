# SPDX-License-Identifier: MIT
"""mcpwire_page of CMake: a header with the bytes of a file, made when a program is built."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests.examples.peer import ROOT

PROJECT = f"""cmake_minimum_required(VERSION 3.22)
project(pages C)
include("{ROOT / "cmake" / "McpwirePage.cmake"}")
add_executable(app main.c)
"""
MAIN = """#include <my-page.html.h>
#include <stdio.h>
int main(void) { return fwrite(my_page_html, 1, sizeof my_page_html, stdout) != sizeof my_page_html; }
"""
ALL_BYTES = bytes(range(256)) + b"<p>\r\n\\\"'%;${X}]]"


class PageHeaderTest(unittest.TestCase):
    def setUp(self) -> None:
        for program in ("cmake", "cc"):
            if shutil.which(program) is None:
                self.skipTest(f"there is no {program}")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.page = self.folder / "my-page.html"
        (self.folder / "main.c").write_text(MAIN, "utf-8")
        self.page.write_bytes(ALL_BYTES)

    def configure(self, call: str = "mcpwire_page(TARGET app FILE my-page.html)") -> str:
        """The complaint of CMake; empty when it has configured."""
        (self.folder / "CMakeLists.txt").write_text(PROJECT + call + "\n", "utf-8")
        flags = "-DCMAKE_C_FLAGS=-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror"
        command = ["cmake", "-S", str(self.folder), "-B", str(self.folder / "build"), flags]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        return run.stderr if run.returncode != 0 else ""

    def built(self) -> bytes:
        """Builds the program, and gives its output."""
        subprocess.run(["cmake", "--build", str(self.folder / "build")], check=True, capture_output=True)
        return subprocess.run([self.folder / "build" / "app"], check=True, capture_output=True).stdout

    def test_it_has_all_bytes_of_the_file_and_a_nul(self) -> None:
        self.assertEqual(self.configure(), "")
        self.assertEqual(self.built(), ALL_BYTES + b"\0")

    def test_it_is_made_again_when_the_file_changes(self) -> None:
        self.assertEqual(self.configure(), "")
        self.built()
        before = self.page.stat()
        self.page.write_bytes(b"new")
        os.utime(self.page, ns=(before.st_atime_ns, before.st_mtime_ns + 10**10))
        self.assertEqual(self.built(), b"new\0")

    def test_an_empty_file_is_an_empty_page(self) -> None:
        self.page.write_bytes(b"")
        self.assertEqual(self.configure(), "")
        self.assertEqual(self.built(), b"\0")

    def test_faults_are_told(self) -> None:
        self.assertIn("there is no file", self.configure("mcpwire_page(TARGET app FILE none.html)"))
        self.assertIn("there is no file", self.configure("mcpwire_page(TARGET app FILE .)"))
        self.assertIn(
            "there is no target none", self.configure("mcpwire_page(TARGET none FILE my-page.html)")
        )
        for call in ("mcpwire_page()", "mcpwire_page(TARGET app)", "mcpwire_page(TARGET app FILE a.html b)"):
            self.assertIn("mcpwire_page(TARGET app FILE page.html)", self.configure(call))


if __name__ == "__main__":
    unittest.main()
