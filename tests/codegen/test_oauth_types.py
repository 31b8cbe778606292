# SPDX-License-Identifier: MIT
"""generated/oauth/ is what the generator makes of schema/oauth/."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "schema" / "oauth"
GENERATED = ROOT / "generated" / "oauth"


class Current(unittest.TestCase):
    """The types in the tree are up to date."""

    def test_the_types_are_those_of_the_schemas(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            options = ["--prefix", "mcpw_oauth_json", "--out", folder]
            command = [sys.executable, "-m", "codegen", "types", *options]
            schemas = sorted(str(path) for path in SCHEMAS.glob("*.json"))
            subprocess.run([*command, *schemas], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            made = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
        kept = {path.name: path.read_bytes() for path in GENERATED.iterdir()}
        self.assertEqual(sorted(made), sorted(kept))
        for name, text in made.items():
            self.assertTrue(
                text == kept[name],
                f"generated/oauth/{name} is out of date: "
                "python3 -m codegen types --prefix mcpw_oauth_json --out generated/oauth schema/oauth/*.json",
            )


if __name__ == "__main__":
    unittest.main()
