# SPDX-License-Identifier: MIT
# Slow: tools/test.sh runs it with --all.
"""Every hostile text in every place, compiled by every compiler that is there."""

import unittest

from tests.codegen.injection import Arguments, Facts, Overlays, Schemas, Tools

__all__ = ["Arguments", "Facts", "Overlays", "Schemas", "Tools"]

if __name__ == "__main__":
    unittest.main()
