# SPDX-License-Identifier: MIT
"""Runs what measures: tests of a build by their names, its programs, the scripts in tools/."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Sequence, Tuple

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77


class Skip(Exception):
    """A figure cannot be measured here; the text says why."""


class Failure(Exception):
    """A measuring program has failed; the text is its output."""


def run(command: Sequence[str], environment: Sequence[Tuple[str, str]] = (), may_fail: bool = False) -> str:
    """Its output, also of one that may fail. Progress goes to standard error."""
    print(f"figures: {' '.join(command)[:160]}", file=sys.stderr, flush=True)
    done = subprocess.run(
        list(command),
        cwd=ROOT,
        env={**os.environ, **dict(environment)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode == SKIPPED:
        raise Skip(done.stdout.strip().splitlines()[-1].replace("skipped: ", ""))
    if done.returncode != 0 and not may_fail:
        raise Failure(f"{' '.join(command)} ended with {done.returncode}\n{done.stdout}")
    return done.stdout


def numbers(pattern: str, text: str) -> List[Tuple[float, ...]]:
    """The groups of each place that matches, as numbers; Failure when there is none."""
    found = [
        tuple(float(group.replace(",", "")) for group in match.groups())
        for match in re.finditer(pattern, text)
    ]
    if not found:
        raise Failure(f"nothing like {pattern!r} in:\n{text}")
    return found


@dataclass(frozen=True)
class Test:
    """A test as CTest would run it."""

    name: str
    command: Tuple[str, ...]
    environment: Tuple[Tuple[str, str], ...]
    labels: Tuple[str, ...]


class Build:
    """A configured and built folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = json.loads(run(["ctest", "--test-dir", str(folder), "--show-only=json-v1"]))
        self._tests: Dict[str, Test] = {test["name"]: _test(test) for test in listed["tests"]}

    def names(self, pattern: str) -> List[str]:
        """The names of tests that match whole."""
        return [name for name in self._tests if re.fullmatch(pattern, name)]

    def output(self, pattern: str) -> str:
        """The output of the tests of these names, in their order."""
        names = self.names(pattern)
        if not names:
            raise Skip(f"the build has no test {pattern}")
        return "".join(run(self._tests[name].command, self._tests[name].environment) for name in names)


def _test(entry: Dict[str, object]) -> Test:
    properties = {p["name"]: p["value"] for p in entry.get("properties", [])}  # type: ignore[attr-defined]
    environment = tuple(tuple(setting.split("=", 1)) for setting in properties.get("ENVIRONMENT", []))
    command = entry.get("command", [])
    return Test(str(entry["name"]), tuple(command), environment, tuple(properties.get("LABELS", [])))  # type: ignore[arg-type]
