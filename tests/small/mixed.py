# SPDX-License-Identifier: MIT
"""Tables of one layout and a library for the other do not make a program: the linker says why."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import ClassVar, Dict

from tests.small.building import HOST, ROOT, Build, choose, run
from tests.small.sizes import LATEST

SMALL: Dict[str, str] = {"MCPW_SMALL": "ON"}
PROGRAM = f"""\
#include <mcp/{LATEST}.h>

int main(void) {{ return mcpw_type_size(&mcp_{LATEST.replace("-", "")}_tool_table) == 0; }}
"""


class Mixed(unittest.TestCase):
    folder: Path
    archives: ClassVar[Dict[bool, Path]] = {}
    builds: ClassVar[Dict[bool, Build]] = {}

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        for small, options in ((False, {}), (True, SMALL)):
            build = Build(cls.folder / str(small), HOST, choose(options))
            engine = [path for path in build.objects((LATEST,)) if not path.stem.startswith("tables-")]
            cls.builds[small], cls.archives[small] = build, cls.folder / f"libcodec-{small}.a"
            run(["ar", "rcs", str(cls.archives[small]), *map(str, engine)])

    def link(self, *, tables: bool, library: bool) -> subprocess.CompletedProcess[str]:
        """A program with tables of its own, against an archive of the codec; each small or not."""
        source = self.folder / "program.c"
        source.write_text(PROGRAM, encoding="utf-8")
        own = self.builds[tables]
        objects = [
            own.compile(source, (LATEST,), "program"),
            own.compile(ROOT / f"generated/{LATEST}/tables.c", (LATEST,), "tables-own"),
        ]
        command = [HOST.compiler, "-o", self.folder / "program", *objects, self.archives[library], "-lm"]
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)

    def test_tables_and_a_library_of_one_layout_link(self) -> None:
        for small in (False, True):
            linked = self.link(tables=small, library=small)
            self.assertEqual((linked.returncode, linked.stderr), (0, ""))

    def test_small_tables_do_not_link_with_the_normal_library(self) -> None:
        linked = self.link(tables=True, library=False)
        self.assertNotEqual(linked.returncode, 0)
        self.assertIn(
            "mcpw_tables_were_compiled_with_MCPW_SMALL_but_the_library_was_built_without_it", linked.stderr
        )

    def test_normal_tables_do_not_link_with_the_small_library(self) -> None:
        linked = self.link(tables=False, library=True)
        self.assertNotEqual(linked.returncode, 0)
        self.assertIn(
            "mcpw_tables_were_compiled_without_MCPW_SMALL_but_the_library_was_built_with_it", linked.stderr
        )


if __name__ == "__main__":
    sys.exit(unittest.main())
