# SPDX-License-Identifier: MIT
"""A run of another suite that fails leaves its whole output behind, and prints a part that is bounded."""

from __future__ import annotations

import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).with_name("keep_output.sh")


class KeepOutputTest(unittest.TestCase):
    def test_all_of_it_is_kept_and_the_reason_is_printed(self) -> None:
        log = (
            "first\n" + "x" * 100000 + "\n" + "check: FAILURE, too early\n" * 50 + "noise\n" * 5000 + "last\n"
        )
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "log").write_text(log, "utf-8")
            run = f'. "{SCRIPT}"; keep_output "{folder}" one "{folder}/log"'
            said = subprocess.run(["sh", "-euc", run], capture_output=True, text=True, check=True).stdout
            self.assertEqual((folder / "failures" / "one.log").read_text("utf-8"), log)
        self.assertIn("check: FAILURE, too early", said)
        self.assertIn("last\n", said)
        self.assertLess(len(said), 20000)


if __name__ == "__main__":
    unittest.main()
