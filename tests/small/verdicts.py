# SPDX-License-Identifier: MIT
"""A small build says what every other build says: the unit tests of the codec pass with it, and it agrees
with python-jsonschema. Once with the C library's numbers and messages, once with its own.

    python3 -m tests.small.verdicts [--count N] [--sanitize]
"""

from __future__ import annotations

import argparse
import fnmatch
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Set, Tuple

from tests.small.building import HOST, ROOMS, ROOT, SKIPPED, Build, Skip, choose, revisions, run_in_folder

CHOICES: Tuple[Tuple[str, Dict[str, str]], ...] = (
    ("-Os", {}),
    ("small", {"MCPW_SMALL": "ON"}),
    ("small, without stdio", {"MCPW_SMALL": "ON", "MCPW_WITH_STDIO": "OFF"}),
)
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")


def needs(name: str) -> Set[str]:
    """The needs of a unit test besides the codec, by tests/unit/needs.txt."""
    found: Set[str] = set()
    for line in (ROOT / "tests/unit/needs.txt").read_text(encoding="utf-8").splitlines():
        pattern, _, what = line.partition(": ")
        if not line.startswith("#") and fnmatch.fnmatchcase(name, pattern):
            found.update(what.split())
    return found - {"all-revisions", *revisions()}


def unit_tests() -> List[Path]:
    """Those of the codec."""
    sources = sorted((ROOT / "tests/unit").glob("test_*.c"))
    return [source for source in sources if not needs(source.stem)]


def run_unit_tests(build: Build, objects: Sequence[Path], folder: Path) -> List[str]:
    """The names of those that fail."""
    failed = []
    extra = [f"-I{ROOT / 'runtime' / room}" for room in ROOMS]
    for source in unit_tests():
        program = build.compile(source, revisions(), source.stem, extra)
        out = build.program(folder / source.stem, [program, *objects], ("-lm",))
        done = subprocess.run([str(out)], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode not in (0, SKIPPED):
            failed.append(source.stem)
            print((done.stdout + done.stderr)[-2000:])
    return failed


def run_oracle(build: Build, objects: Sequence[Path], folder: Path, count: int) -> List[str]:
    """The revisions in which it disagrees with python-jsonschema."""
    sources = [ROOT / "tests/oracle" / name for name in ("driver.c", "alternative.c")]
    parts = [build.compile(source, revisions(), source.stem) for source in sources]
    driver = build.program(folder / "driver", [*parts, *objects], ("-lm",))
    failed = []
    for revision in revisions():
        given = ["--driver", str(driver), "--revision", revision, "--count", str(count)]
        done = subprocess.run([sys.executable, "-m", "tests.oracle.oracle", *given], cwd=ROOT, check=False)
        if done.returncode == SKIPPED:
            raise Skip("the oracle was")
        if done.returncode != 0:
            failed.append(revision)
    return failed


def check(folder: Path, count: int, sanitize: bool) -> bool:
    held = True
    for number, (name, options) in enumerate(CHOICES):
        own = folder / str(number)
        build = Build(own, HOST, choose(options), SANITIZERS if sanitize else ())
        objects = build.objects(revisions())
        failed = run_unit_tests(build, objects, own)
        print(f"{name}: {len(unit_tests())} unit tests, failed: {', '.join(failed) or 'none'}", flush=True)
        if "MCPW_WITH_STDIO" in options and count != 0:
            failed += run_oracle(build, objects, own, count)
        held = held and not failed
    return held


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=300, help="values a revision; 0: unit tests alone")
    parser.add_argument("--sanitize", action="store_true", help="with sanitizers")
    given = parser.parse_args(arguments)
    return run_in_folder(lambda folder: check(folder, given.count, given.sanitize))


if __name__ == "__main__":
    sys.exit(main())
