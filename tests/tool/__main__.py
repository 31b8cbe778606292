"""Runs the tests of the mcpwire command: MCPWIRE=build/tools/mcpwire python3 -m tests.tool [TEST...]"""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

if len(sys.argv) > 1:
    unittest.main(module=None)
else:
    suite = unittest.defaultTestLoader.discover(str(ROOT / "tests" / "tool"), top_level_dir=str(ROOT))
    sys.exit(0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1)
