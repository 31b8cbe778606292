# SPDX-License-Identifier: MIT
"""The examples that were published with a revision are valid and survive decoding and encoding.

They are read from $MCP_SPEC_DIR/<revision>/examples/<definition>/*.json; without MCP_SPEC_DIR the test says
that it was skipped.

Example: MCP_SPEC_DIR=spec python3 -m tests.oracle.examples --driver build/oracle_driver
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tests.oracle import documents, drive, jsontext

REVISION = "2026-07-28"
EXPECTED = 129
SKIPPED = 77


def problem(text: bytes, answer: drive.Answer, numbers: frozenset[str]) -> str:
    """The faults of the library's answer; empty if there are none."""
    if not answer.valid:
        return str(answer)
    if not jsontext.same(jsontext.read(text), jsontext.read(answer.output or b""), numbers):
        return f"another value came back: {answer.output!r}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="examples", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--driver", required=True, type=drive.program, help="the program built from driver.c")
    options = parser.parse_args()
    spec = os.environ.get("MCP_SPEC_DIR")
    if not spec:
        print("skipped: MCP_SPEC_DIR is not set")
        return SKIPPED
    files = sorted((Path(spec) / REVISION / "examples").glob("*/*.json"))
    numbers = frozenset(documents.load(REVISION).number_members())
    texts = [file.read_bytes() for file in files]
    requests = [drive.Request(REVISION, file.parent.name, text) for file, text in zip(files, texts)]
    failures = 0
    for file, text, answer in zip(files, texts, drive.ask(options.driver, "a", requests)):
        wrong = problem(text, answer, numbers)
        if wrong:
            failures += 1
            print(f"{file.parent.name}/{file.name}: {wrong}")
    print(f"{len(files)} examples, {failures} failures")
    if len(files) != EXPECTED:
        print(f"expected {EXPECTED} examples below {spec}")
    return 1 if failures or len(files) != EXPECTED else 0


if __name__ == "__main__":
    sys.exit(main())
