# SPDX-License-Identifier: MIT
"""The load over HTTP beside the servers of other SDKs, those that can be built here."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Optional

from tests.figures.programs import ROOT, Build, Skip, run

SOURCES = ROOT / "tests" / "load" / "http"
STREAMS = 10000


def _made(what: str, command: List[str], folder: Path, program: Path, **environment: str) -> Optional[str]:
    """The path of a program that a command makes; None, said so, where it does not."""
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        print(f"figures: {what} is left out: {done.stderr.strip()[-200:]}", file=sys.stderr)
        return None
    return str(program)


def _typescript(folder: Path) -> Optional[str]:
    modules = Path(os.environ.get("MCPW_NODE_MODULES", ""), "node_modules")
    if not (modules / "@modelcontextprotocol" / "node").is_dir():
        print("figures: TypeScript is left out: MCPW_NODE_MODULES has no server of HTTP", file=sys.stderr)
        return None
    link = folder / "node_modules"
    link.unlink(missing_ok=True)
    link.symlink_to(modules)
    shutil.copy(SOURCES / "echo_typescript.mjs", folder)
    return f"node {folder / 'echo_typescript.mjs'}"


def _go(folder: Path) -> Optional[str]:
    if shutil.which("go") is None:
        return None
    shutil.copytree(SOURCES / "echo_go", folder / "go", dirs_exist_ok=True)
    program = folder / "echo_go"
    return _made("Go", ["go", "build", "-o", str(program), "."], folder / "go", program, GOFLAGS="-mod=mod")


def _rust(folder: Path) -> Optional[str]:
    if shutil.which("cargo") is None:
        return None
    shutil.copytree(SOURCES / "echo_rust", folder / "rust", dirs_exist_ok=True)
    program = folder / "rust" / "target" / "release" / "echo_rust"
    return _made("Rust", ["cargo", "build", "--release"], folder / "rust", program)


def load(build: Build) -> str:
    """Calls over many connections and streams that listen, on our server and on others."""
    programs = {
        name: build.folder / "tests" / "load" / f"load_http_{name}"
        for name in ("calls", "streams", "bare", "server")
    }
    if not programs["server"].exists():
        raise Skip("the build has no server of HTTP, which needs libmicrohttpd")
    folder = build.folder / "http-peers"
    folder.mkdir(exist_ok=True)
    found: Dict[str, Optional[str]] = {
        "TypeScript SDK 2.x": _typescript(folder),
        "Go SDK": _go(folder),
        "Rust SDK": _rust(folder),
    }
    command = [sys.executable, "-m", "tests.load.http", "--server", f"{programs['server']} 0"]
    for name in ("calls", "streams", "bare"):
        command += [f"--{name}", str(programs[name])]
    for name, peer in found.items():
        command += ["--peer", f"{name}={peer}"] if peer is not None else []
    # It ends with 1 where a target is missed; the table says which.
    table = run([*command, "--rounds", "3", "--open", str(STREAMS)], may_fail=True).strip() + "\n"
    verify = build.folder / "tests" / "bench" / "bench_verify"
    return f"{table}\n{run([str(verify)])}" if verify.exists() else table
