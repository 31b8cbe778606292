# SPDX-License-Identifier: MIT
"""The package for npm as a user gets it: built, packed, and installed into a folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import unittest
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Mapping, Sequence

ROOT = Path(__file__).resolve().parents[2]
NAME = "mcpwire-wasm"
LIBRARY = Path("/usr/lib/wasm32-wasi/libc.a")  # of cmake/wasm32-wasi.cmake
PROGRAMS = {
    "clang": "clang",
    "wasm-ld": "lld",
    "cmake": "cmake",
    "ninja": "ninja-build",
    "node": "nodejs",
    "npm": "npm",
}
TIMEOUT = 600
OLDEST_NODE = 18


@dataclass(frozen=True)
class Outcome:
    """The answer of a command, or of the module in its place."""

    status: int
    output: str
    errors: str


@dataclass(frozen=True)
class Installed:
    """A folder with the package among its node_modules."""

    folder: Path

    @property
    def package(self) -> Path:
        return self.folder / "node_modules" / NAME


def lacks() -> str:
    """The reason for which the package cannot be built here; "" if there is none."""
    for program, package in PROGRAMS.items():
        if shutil.which(program) is None:
            return f"there is no {program} (Debian: {package})"
    if not LIBRARY.is_file():
        return f"there is no {LIBRARY} (Debian: wasi-libc libclang-rt-dev-wasm32)"
    version = run(["node", "--version"]).output
    if int(version.lstrip("v").split(".")[0]) < OLDEST_NODE:
        return f"node is {version.strip()}; {OLDEST_NODE} is the oldest that works"
    return ""


def run(command: Sequence[str], folder: Path = ROOT, given: bytes = b"") -> Outcome:
    done = subprocess.run(command, cwd=folder, input=given, capture_output=True, timeout=TIMEOUT, check=False)
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def must(command: Sequence[str], folder: Path = ROOT, given: bytes = b"") -> str:
    outcome = run(command, folder, given)
    if outcome.status != 0:
        raise AssertionError(f"{' '.join(command)}: {outcome.status}\n{outcome.output}\n{outcome.errors}")
    return outcome.output


@cache
def installed() -> Installed:
    """Builds in MCPW_WASM_BUILD, packs, and installs without the network."""
    reason = lacks()
    if reason:
        raise unittest.SkipTest(reason)
    build = Path(os.environ.get("MCPW_WASM_BUILD", ROOT / "build" / "wasm")).resolve()
    build.parent.mkdir(parents=True, exist_ok=True)
    must([str(ROOT / "tools" / "wasm" / "build.sh"), str(build)])
    user = build / "user"
    shutil.rmtree(user, ignore_errors=True)
    user.mkdir()
    (user / "package.json").write_text('{"private": true, "type": "module"}\n', "utf-8")
    packed = json.loads(must(["npm", "pack", "--json", "--pack-destination", str(user)], build / "npm"))
    npm = ["npm", "install", "--offline", "--no-audit", "--no-fund", f"./{packed[0]['filename']}"]
    must(npm, user)
    return Installed(user)


def in_module(cases: Sequence[Mapping[str, Any]]) -> list[Outcome]:
    """Runs commands in the module: `args`, and `texts`, base64 by name."""
    folder = installed().folder
    shutil.copy(ROOT / "tests" / "wasm" / "run_commands.mjs", folder)
    answers = json.loads(must(["node", "run_commands.mjs"], folder, json.dumps(cases).encode()))
    return [Outcome(each["status"], each["output"], each["errors"]) for each in answers]
