# SPDX-License-Identifier: MIT
"""Generated calls of tools that another program offers."""

from __future__ import annotations

import os
import subprocess
import unittest
from typing import List


def called(city: str, days: int) -> List[str]:
    """The client's output: of the call, and of one of a tool that is not there."""
    command = [os.environ["MCPW_TYPES_CLIENT"], os.environ["MCPW_WEATHER"], city, str(days)]
    return subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, timeout=60
    ).stdout.splitlines()


class Called(unittest.TestCase):
    def test_arguments_and_result_are_structs(self) -> None:
        self.assertEqual(called("Köln", 2)[0], "Köln, 2 days, at last 26 and clear")

    def test_arguments_that_break_the_schema_are_not_sent(self) -> None:
        self.assertEqual(called("A", 0)[0], "MCPW_E_RANGE /days: expected at least 1")

    def test_failure_of_the_tool_is_told_with_its_text(self) -> None:
        self.assertRegex(called("", 1)[0], "^MCPW_E_REMOTE : The arguments do not fit")

    def test_result_that_breaks_the_schema_is_refused(self) -> None:
        self.assertRegex(called("A", 7)[0], "^MCPW_E_RANGE /days/6/high: ")

    def test_null_is_no_arguments(self) -> None:
        lines = called("A", 1)
        self.assertEqual(lines[2], "MCPW_E_REMOTE")  # it was sent
        self.assertEqual(lines[3], 'MCPW_E_MISSING : missing required member "city"')

    def test_tool_that_is_not_there(self) -> None:
        self.assertEqual(called("A", 1)[1], "MCPW_E_REMOTE")


if __name__ == "__main__":
    unittest.main()
