# SPDX-License-Identifier: MIT
"""Runs the unit tests of the codec, the cases of JSON and the oracle on every path that this machine has.

    python3 -m tests.json.isa_variants --suite JSON_SUITE [--driver ORACLE_DRIVER] --tests UNIT_TEST...

The ISA variant for long runs of bytes is chosen when a program runs; these programs take the one that
MCPW_TEST_ISA names (isa_by_name.c).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import List, Mapping, Sequence

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77
PATHS = ("plain", "avx2")


def passes(command: Sequence[str], environment: Mapping[str, str]) -> bool:
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, SKIPPED):
        print(f"{' '.join(command)}: {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}")
    return done.returncode in (0, SKIPPED)


def revisions() -> List[str]:
    return sorted(path.parent.name for path in (ROOT / "generated").glob("*/tables.c"))


def oracle(driver: str, revision: str) -> List[str]:
    return [sys.executable, "-m", "tests.oracle.oracle", "--driver", driver, "--revision", revision]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--suite", required=True)
    parser.add_argument("--driver")
    parser.add_argument("--tests", nargs="+", required=True)
    given = parser.parse_args(arguments)
    cases = [given.suite, str(ROOT / "tests/json/cases.txt")]
    failed = 0
    for path in PATHS:
        environment = {**os.environ, "MCPW_TEST_ISA": path}
        first = subprocess.run(cases, env=environment, capture_output=True, text=True, check=False)
        if first.returncode == SKIPPED:
            print(f"{path}: {first.stderr.strip()}")
            continue
        commands = [cases, *([test] for test in given.tests)]
        if given.driver:
            commands += [oracle(given.driver, revision) for revision in revisions()]
        wrong = sum(not passes(command, environment) for command in commands)
        print(f"{path}: {len(commands)} programs, {wrong} failed")
        failed += wrong
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
