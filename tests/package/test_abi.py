# SPDX-License-Identifier: MIT
"""Exported symbols, sizes and places are those on record in abi/."""

import re
import unittest
from typing import Dict, List

from tests.package import abi
from tests.package.support import REVISIONS, need, stage

UPDATE = "if that is meant: python3 -m tests.package.abi PREFIX --write, and look at what changed"


# The last are sentences, which linkers show to whom they concern.
SYMBOL = re.compile(
    r"^symbol (mcpw_[a-z0-9_]+|mcp_[0-9]{8}_[a-z0-9_]+|mcpw_tables_were_compiled_[A-Za-z_]+) MCPWIRE_1$"
)


class Recorded(unittest.TestCase):
    """What programs that were built rely on."""

    records: Dict[str, List[str]]

    @classmethod
    def setUpClass(cls) -> None:
        need("nm", "binutils")
        try:
            cls.records = abi.current(stage(), REVISIONS)
        except abi.Unusable as error:
            raise unittest.SkipTest(str(error)) from error

    def check(self, name: str) -> None:
        changes = abi.difference(name, self.records[name])
        self.assertFalse(changes, "\n".join([f"{name} is not as it is on record:", *changes, UPDATE]))

    def test_each_revision(self) -> None:
        for revision in REVISIONS:
            with self.subTest(revision=revision):
                self.check(revision)

    def test_runtime(self) -> None:
        self.check("runtime")

    def test_names(self) -> None:
        for name, lines in self.records.items():
            for line in lines:
                if line.startswith("symbol"):
                    self.assertRegex(line, SYMBOL, name)


class Layout(unittest.TestCase):
    """How declarations are read."""

    def test_structs_unions_pointers_and_arrays(self) -> None:
        text = (
            "typedef struct mcpw_a { int x; const char *const *y[4]; void (*on)(void *user, int n);"
            " union { double d; struct { int i; } s; } as; } mcpw_a; struct other { int z; };"
        )
        self.assertEqual(
            abi.declared(text, "mcpw_").structs,
            {"mcpw_a": ("x", "y", "on", "as", "as.d", "as.s", "as.s.i")},
        )

    def test_enumerators(self) -> None:
        text = "typedef enum mcpw_k { MCPW_A = 1, MCPW_B, } mcpw_k; enum { MCPW_C = (1 << 3), OTHER };"
        self.assertEqual(abi.declared(text, "mcpw_").enumerators, ("MCPW_A", "MCPW_B", "MCPW_C"))


if __name__ == "__main__":
    unittest.main()
