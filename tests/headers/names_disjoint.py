# SPDX-License-Identifier: MIT
"""A library exports mcpw_ names from the runtime, mcp_<revision>_ names from generated code, and no others.

Usage: names_disjoint.py LIBRARY.a
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

SKIPPED = 77
# The last are sentences, which linkers show to whom they concern.
ALLOWED = re.compile(r"^(mcpw_[a-z0-9_]+|mcp_[0-9]{8}_[a-z0-9_]+|mcpw_tables_were_compiled_[A-Za-z_]+)$")


def main() -> int:
    """List the symbols that the objects define and hold each against the rule."""
    if shutil.which("nm") is None:
        print("skipped: nm is not installed")
        return SKIPPED
    listing = subprocess.run(
        ["nm", "-g", "--defined-only", sys.argv[1]], capture_output=True, text=True, check=True
    )
    member = ""
    bad = []
    count = 0
    for line in listing.stdout.splitlines():
        if line.endswith(".o:"):
            member = line[:-1]
        parts = line.split()
        if len(parts) != 3 or parts[2].startswith("__"):  # the compiler's own, such as a sanitizer's
            continue
        count += 1
        name = parts[2]
        generated = member.startswith(("tables", "handlers", "protocol_table", "registry"))
        expected = name.startswith("mcp_2") or (member.startswith("registry") and name.startswith("mcpw_"))
        if (
            not ALLOWED.match(name)
            or (generated and not expected)
            or (not generated and name.startswith("mcp_"))
        ):
            bad.append(f"{member}: {name}")
    print(f"{count} symbols, {len(bad)} out of place")
    print("\n".join(bad[:50]))
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
