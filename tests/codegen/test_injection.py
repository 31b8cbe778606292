# SPDX-License-Identifier: MIT
"""Two hostile texts in every place, compiled once. test_injection_all.py has all texts and compilers."""

import unittest

from tests.codegen import injection
from tests.codegen.hostile import COMPILERS, HOSTILE

_KINDS = ("comment end", "line feed", "quote")
_FEW = {"comment end": HOSTILE["comment end"], "all kinds": "".join(HOSTILE[kind] for kind in _KINDS)}


class Few(injection.InjectionCase):
    hostile = _FEW
    worst = _FEW
    compilers = COMPILERS[1:2]


class Schemas(Few, injection.Schemas):
    """Two texts in schemas."""


class Tools(Few, injection.Tools):
    """Two texts in tools."""


class Overlays(Few, injection.Overlays):
    """Two texts in overlays."""


class Facts(Few, injection.Facts):
    """Two texts in hand facts."""


class Arguments(Few, injection.Arguments):
    """Two texts in arguments."""


if __name__ == "__main__":
    unittest.main()
