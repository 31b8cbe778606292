# SPDX-License-Identifier: MIT
"""Runs the official JSON Schema Test Suite, which is no part of this project: every required test of a
dialect has to agree, and of the optional ones all but those that are listed here.

usage: python3 -m tests.schema.suite PROGRAM DIALECT

MCPW_SCHEMA_SUITE names the folder of the suite, in which there are tests/ and remotes/.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SKIPPED = 77

# Optional files whose tests differ in part or whole: how many, and why.
DIFFERENT = {
    "draft2020-12": {
        "dependencies-compatibility.json": (
            14,
            "`dependencies` is a keyword of draft-07, and of nothing newer",
        ),
        "format/ecmascript-regex.json": (1, "PCRE2 10.42 has no lookbehind of variable length"),
        "format/hostname.json": (23, "A-labels are not decoded"),
        "format/idn-hostname.json": (
            36,
            "what RFC 5892 and RFC 5893 say of single characters is not checked",
        ),
    },
    "draft7": {
        "content.json": (4, "contentEncoding and contentMediaType are annotations"),
        "format/ecmascript-regex.json": (1, "PCRE2 10.42 has no lookbehind of variable length"),
        "format/hostname.json": (23, "A-labels are not decoded"),
        "format/idn-hostname.json": (
            36,
            "what RFC 5892 and RFC 5893 say of single characters is not checked",
        ),
    },
}


def run(program: str, suite: Path, dialect: str, files: list[str]) -> tuple[int, int, str]:
    """Passed, failed, and what was printed."""
    done = subprocess.run([program, str(suite), dialect, *files], capture_output=True, text=True, check=False)
    last = done.stdout.rstrip().rsplit("\n", 1)[-1].split()
    if done.returncode not in (0, 1) or len(last) < 3:
        raise SystemExit(f"{program} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return int(last[1]), int(last[-2]), done.stdout


def main(program: str, dialect: str) -> int:
    where = os.environ.get("MCPW_SCHEMA_SUITE", "")
    suite = Path(where)
    if where == "" or not (suite / "tests" / dialect).is_dir():
        print("skipped: MCPW_SCHEMA_SUITE names no folder with the official JSON Schema Test Suite")
        return SKIPPED
    passed, failed, told = run(program, suite, dialect, [])
    bad = failed != 0 or passed == 0
    print(told if bad else f"required: {passed} tests agree")
    optional = suite / "tests" / dialect / "optional"
    for file in sorted(optional.rglob("*.json")):
        name = str(file.relative_to(optional))
        allowed, why = DIFFERENT[dialect].get(name, (0, ""))
        passed, failed, told = run(program, suite, dialect, [f"optional/{name}"])
        if failed != allowed:
            print(f"optional/{name}: {failed} tests differ, and not {allowed}\n{told}")
            bad = True
        elif failed:
            print(f"optional/{name}: {failed} of {passed + failed} tests differ: {why}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
