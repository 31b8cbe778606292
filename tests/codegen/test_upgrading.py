# SPDX-License-Identifier: MIT
# Slow: tools/test.sh runs it with --all.
"""docs/upgrading.md, done as it says: the program of the page moves from one revision to the next, the
compiler complains of what `diff` foretells and of nothing else, and the mended program compiles."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import List, Set

from codegen.report.diff.compare import compare
from codegen.report.diff.side import load_sides
from codegen.source.revisions import load
from tests.codegen.support import ROOT, SCHEMA_DIR

PAGE = ROOT / "docs" / "upgrading.md"
OLD, NEW = "2025-11-25", "2026-07-28"
_C = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"^    (mcp_[\w.]+)$", re.MULTILINE)
_ERROR = re.compile(r"^[^:\n]+:(\d+):\d+: error: ", re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def compile_c(program: str, pin: str) -> List[int]:
    """The lines that the compiler refuses."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise unittest.SkipTest("skipped: there is no C compiler")
    folders = [ROOT / "runtime" / "include", *sorted((ROOT / "generated").iterdir())]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.c"
        file.write_text(program, "utf-8")
        command = [compiler, "-std=c11", "-fsyntax-only", f"-DMCPW_PIN={pin.replace('-', '')}", str(file)]
        command += [f"-I{folder}" for folder in folders]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [int(match[1]) for match in _ERROR.finditer(done.stderr)]
    if done.returncode != 0 and not lines:
        raise AssertionError(done.stderr)
    return lines


def foretold() -> Set[str]:
    """Every C name that `diff` says breaks; members with the type that has them."""
    report = compare(*load_sides(OLD, NEW, load(SCHEMA_DIR), errata=True))
    names = {item.name for change in report.changes for item in change.source}
    return names | {item.name for item in report.loose} | set(report.vanished)


def uses(line: str, name: str, function: str) -> bool:
    """Whether a line uses a name, or the member of a type that its function uses."""
    owner, _, member = name.partition(".")
    if not member:
        return re.search(rf"\b{name}\b", line) is not None
    used = re.search(rf"\b{owner}\b", function) is not None
    return used and re.search(rf"(?:->|\.){re.escape(member)}\b", line) is not None


class UpgradingTest(unittest.TestCase):
    def setUp(self) -> None:
        self.page = PAGE.read_text("utf-8")
        self.before, self.after = (match[1] for match in _C.finditer(self.page))
        self.lines = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), self.before).splitlines()

    def names_of(self, lines: Set[int]) -> Set[str]:
        """The foretold names that these lines of the program use."""
        told = foretold()
        return {name for name in told for at in lines if uses(self.lines[at - 1], name, self.function(at))}

    def head(self, line: int) -> int:
        """The line at which the function of a line begins; the first of the program before any."""
        return max((at for at in range(1, line + 1) if self.lines[at - 1].startswith("void ")), default=1)

    def function(self, line: int) -> str:
        """The function that a line belongs to."""
        head = self.head(line)
        return "\n".join(text for at, text in enumerate(self.lines, 1) if self.head(at) == head)

    def test_the_program_compiles_before(self) -> None:
        self.assertEqual(compile_c(self.before, OLD), [])

    def test_the_mended_program_compiles(self) -> None:
        self.assertEqual(compile_c(self.after, NEW), [])

    def test_the_compiler_complains_of_what_was_foretold_and_of_nothing_else(self) -> None:
        refused = set(compile_c(self.before, NEW))
        everywhere = set(range(1, len(self.lines) + 1))
        self.assertTrue(refused)
        for line in refused:
            with self.subTest(line=self.lines[line - 1]):
                self.assertTrue(self.names_of({line}) or self._follows(line))
        self.assertEqual(self.names_of(refused), self.names_of(everywhere))

    def _follows(self, line: int) -> bool:
        """Whether a line is about a value whose type the function names, and that type is foretold."""
        return bool(self.names_of({self.head(line)}))

    def test_the_page_names_what_the_program_has_to_change(self) -> None:
        everywhere = set(range(1, len(self.lines) + 1))
        self.assertEqual(set(_NAMED.findall(self.page)), self.names_of(everywhere))


if __name__ == "__main__":
    unittest.main()
