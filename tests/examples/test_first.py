# SPDX-License-Identifier: MIT
"""examples/first.c: the codec alone, as the README shows it."""

from __future__ import annotations

import subprocess
import unittest

from tests.examples.peer import ExampleTest, example

EXPECTED = 'hello, priority 0.5\n{"type":"text","text":"goodbye","annotations":{"priority":0.5}}\n'


class FirstTest(ExampleTest):
    needs = ("first",)

    def test_it_decodes_changes_and_encodes(self) -> None:
        printed = subprocess.run(example("first"), capture_output=True, text=True, check=True).stdout
        self.assertEqual(printed, EXPECTED)


if __name__ == "__main__":
    unittest.main()
