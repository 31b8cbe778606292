# SPDX-License-Identifier: MIT
"""The cases of the tests of from-typescript: each has Node, or else it is skipped."""

from __future__ import annotations

import os
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Tuple

from tests.codegen.support import ROOT, run

PLACE = Path(os.environ.get("MCPW_TYPESCRIPT", ROOT / "build" / "typescript"))
"""The folder that tests/codegen/typescript/setup.sh filled."""


class NodeCase(unittest.TestCase):
    """Each test has a folder of its own, and Node."""

    def setUp(self) -> None:
        if shutil.which("node") is None:
            self.skipTest("Node is not installed")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def enter(self, folder: Path) -> None:
        """Makes a folder the current one, until the test ends."""
        before = Path.cwd()
        os.chdir(folder)
        self.addCleanup(os.chdir, before)

    def write(self, text: str, name: str = "schema.ts") -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path


class ToolCase(NodeCase):
    """Besides, the tool is installed."""

    def setUp(self) -> None:
        super().setUp()
        if not (PLACE / "node_modules" / "typescript-json-schema").is_dir():
            self.skipTest(
                "typescript-json-schema is not installed: run tests/codegen/typescript/setup.sh FOLDER"
            )

    def convert(self, *arguments: object) -> Tuple[int, str, str]:
        return run("from-typescript", "--node-modules", PLACE, *arguments)

    def refused(self, *arguments: object) -> str:
        """The message of a refusal."""
        status, out, err = self.convert(*arguments)
        self.assertEqual((status, out), (2, ""), err)
        return err
