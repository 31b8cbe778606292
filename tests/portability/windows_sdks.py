# SPDX-License-Identifier: MIT
"""A server of Windows behind `mcpwire tap` of Windows, and clients on the TypeScript SDKs, over pipes.

python3 -m tests.portability.windows_sdks TOOL FOLDER    (the command, and the folder of interop_fixture.exe)
The checks are those of tests/interop; MCPW_NODE_MODULES is the folder that tests/interop/setup.sh has filled.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TIMEOUT = 300.0
SKIPPED = 77
# Under Wine one program in about a hundred ends two seconds late, and it is not known why.
CLOSE_MS = "10000"
tool = Path()
folder = Path()


def under_wine(script: Path, program: Path) -> Path:
    """A program of this machine that starts one of Windows: SDKs pass few variables on."""
    kept = "".join(
        f"export {name}='{value}'\n" for name, value in sorted(os.environ.items()) if name.startswith("WINE")
    )
    script.write_text(f'#!/bin/sh\n{kept}exec wine {program} "$@"\n', "utf-8")
    script.chmod(0o755)
    return script


class WindowsSdksTest(unittest.TestCase):
    def passes(self, name: str) -> None:
        with tempfile.TemporaryDirectory() as place:
            environment = {
                **os.environ,
                "MCPW_FIXTURE": str(folder / "interop_fixture.exe"),
                "MCPW_CLOSE_MS": CLOSE_MS,
                "MCPW_INTEROP_TIMEOUT": "120",
                "MCPWIRE": str(under_wine(Path(place) / "tap", tool)),
            }
            environment.setdefault("MCPW_NODE_MODULES", "build/interop")
            run = subprocess.run(
                [sys.executable, "-m", "tests.interop.run", name],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=TIMEOUT,
            )
        if run.returncode == SKIPPED:
            self.skipTest(run.stdout.strip())
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("ok no rule is broken by the server", run.stdout)

    def test_the_sdk_1_speaks_2025_11_25(self) -> None:
        self.passes("v1_2025_11_25")

    def test_the_sdk_1_speaks_2024_11_05(self) -> None:
        self.passes("v1_2024_11_05")

    def test_the_sdk_2_speaks_2026_07_28(self) -> None:
        self.passes("v2_2026_07_28")

    def test_the_sdk_2_falls_back(self) -> None:
        self.passes("v2_fallback_2025_11_25")


if __name__ == "__main__":
    tool = Path(sys.argv.pop(1)).resolve()
    folder = Path(sys.argv.pop(1)).resolve()
    unittest.main()
