# SPDX-License-Identifier: MIT
"""Runs a unittest module for CTest: exit 77 when every test was skipped, with each reason printed."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path


def main() -> int:
    """Run the modules named on the command line."""
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    try:
        suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:])
    except unittest.SkipTest as reason:  # a module that lacks something for all of its tests
        print(f"skipped: {reason}")
        return 77
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    for test, reason in result.skipped:
        print(f"skipped: {test.id()}: {reason}")
    if not result.wasSuccessful() or result.testsRun == 0:
        return 1
    return 77 if len(result.skipped) == result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
