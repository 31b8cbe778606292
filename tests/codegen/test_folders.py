# SPDX-License-Identifier: MIT
"""The folders of the generator show its flow: each knows those before it, and no module is long."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from tests.codegen.support import ROOT

CODEGEN = ROOT / "codegen"
FLOW = ("source", "model", "facts", "plan", "emit", "report")
MAX_LINES = 400

_IMPORT = re.compile(r"^\s*from codegen\.(\w+)", re.MULTILINE)


def modules() -> list[Path]:
    return sorted(CODEGEN.rglob("*.py"))


class TestFolders(unittest.TestCase):
    def test_each_folder_is_a_step_of_the_flow(self) -> None:
        folders = {path.parent.relative_to(CODEGEN).parts[0] for path in modules() if path.parent != CODEGEN}
        self.assertEqual(folders, set(FLOW))

    def test_a_folder_says_in_two_sentences_what_it_takes_and_gives(self) -> None:
        for folder in FLOW:
            with self.subTest(folder):
                text = (CODEGEN / folder / "__init__.py").read_text("utf-8").replace("\n", " ")
                self.assertRegex(text, r'"""Takes [^.]+\. Gives [^.]+\."""')

    def test_nothing_knows_a_later_step(self) -> None:
        for path in modules():
            if path.parent == CODEGEN:
                continue
            own = FLOW.index(path.relative_to(CODEGEN).parts[0])
            with self.subTest(path.name):
                later = [name for name in _IMPORT.findall(path.read_text("utf-8")) if name in FLOW[own + 1 :]]
                self.assertEqual(later, [])

    def test_no_module_is_long(self) -> None:
        long = [path.name for path in modules() if len(path.read_text("utf-8").splitlines()) > MAX_LINES]
        self.assertEqual(long, [])


if __name__ == "__main__":
    unittest.main()
