# SPDX-License-Identifier: MIT
"""generated/oauth/ and generated/jose/ are what the generator makes of schema/oauth/ and schema/jose/."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("oauth", "jose")


class Current(unittest.TestCase):
    """The types in the tree are up to date."""

    def test_the_types_are_those_of_the_schemas(self) -> None:
        for name in FOLDERS:
            with self.subTest(name):
                self.check(name)

    def check(self, folder: str) -> None:
        with tempfile.TemporaryDirectory() as made_in:
            options = ["--prefix", f"mcpw_{folder}_json", "--out", made_in]
            command = [sys.executable, "-m", "codegen", "types", *options]
            schemas = sorted(str(path) for path in (ROOT / "schema" / folder).glob("*.json"))
            subprocess.run([*command, *schemas], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            made = {path.name: path.read_bytes() for path in Path(made_in).iterdir()}
        kept = {path.name: path.read_bytes() for path in (ROOT / "generated" / folder).iterdir()}
        self.assertEqual(sorted(made), sorted(kept))
        for name, text in made.items():
            self.assertTrue(
                text == kept[name],
                f"generated/{folder}/{name} is out of date: python3 -m codegen types "
                f"--prefix mcpw_{folder}_json --out generated/{folder} schema/{folder}/*.json",
            )


if __name__ == "__main__":
    unittest.main()
