# SPDX-License-Identifier: MIT
"""Runs one interop test, or names them all (--list): two programs that talk over stdio, one of them not ours.

CTest sets the environment: MCPW_FIXTURE and MCPW_CLIENT are our server and client, MCPWIRE our command,
MCPW_NODE_MODULES the folder that setup.sh filled. Exits 77 where Node or the packages are missing.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, List, Sequence, Tuple, TypeVar, Union

HERE = Path(__file__).resolve().parent
TIMEOUT = float(os.environ.get("MCPW_INTEROP_TIMEOUT", "30"))  # s
OLDEST_NODE = 20
SKIPPED = 77
MEANT = "tool-arguments"  # clients try what a tool says to arguments that are wrong
PAGED = ("--page-size", "4")
EVERYTHING = "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
INSPECTOR = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"


class Skip(Exception):
    """Something that the test needs is missing."""


@dataclass(frozen=True)
class Script:
    """A client script, against our server or, to try the script itself, against server_v2.mjs."""

    client: str
    revision: str
    options: Tuple[str, ...] = ()
    server: Tuple[str, ...] = ()
    itself: bool = False


@dataclass(frozen=True)
class Client:
    """Our client against a server."""

    peer: str
    revision: str
    revisions: str = ""


@dataclass(frozen=True)
class Inspector:
    """The Inspector's CLI against our server, once a call."""

    era: str


@dataclass(frozen=True)
class Python:
    """A client on a Python SDK, against our server, which ends while a call is open."""

    version: str


@dataclass(frozen=True)
class Tasks:
    """An SDK's client of tasks, against our server: those of the extension for "rust", else of 2025-11-25."""

    peer: str  # a script, or a word for another program
    options: Tuple[str, ...] = ()
    server: str = "MCPW_FIXTURE"  # the variable that names it


Case = TypeVar("Case")
OverStdio = Union[Script, Client, Inspector, Python, Tasks]
RUST = {"rust": "tasks-client", "rust-2025": "tasks-2025-client"}  # and how peer_rust is asked for it
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


def cases() -> Dict[str, OverStdio]:
    """Every test by its name."""
    found: Dict[str, OverStdio] = {}
    for revision in REVISIONS:
        name = revision.replace("-", "_")
        found[f"v1_{name}"] = Script("client_v1.mjs", revision)
        found[f"v1_offered_{name}"] = Script(
            "client_v1.mjs", revision, ("--offered",), ("--revisions", revision)
        )
    modern = "2026-07-28"
    found["v2_2026_07_28"] = Script("client_v2.mjs", modern, ("--mode", "pin"))
    found["v2_auto"] = Script("client_v2.mjs", modern, ("--mode", "auto"))
    found["v2_legacy"] = Script("client_v2.mjs", "2025-11-25", ("--mode", "legacy"))
    for revision in ("2025-11-25", "2025-03-26"):
        limited = ("--revisions", f"2024-11-05 {revision}")
        found[f"v2_fallback_{revision.replace('-', '_')}"] = Script("client_v2.mjs", revision, (), limited)
    found["scripts_v1"] = Script("client_v1.mjs", "2025-11-25", itself=True)
    found["scripts_v2"] = Script("client_v2.mjs", modern, itself=True)
    found["client_everything"] = Client("everything", "2025-11-25")
    found["client_everything_2024_11_05"] = Client("everything", "2024-11-05", "2024-11-05")
    found["client_v2_2026_07_28"] = Client("v2", modern)
    found["client_v2_2025_11_25"] = Client("v2", "2025-11-25", "2025-06-18 2025-11-25")
    found["inspector_legacy"] = Inspector("legacy")
    found["inspector_modern"] = Inspector("modern")
    found["python_v1_leaves"] = Python("v1")
    found["client_tasks_python_v1"] = Tasks("python")
    found["client_tasks_v1"] = Tasks("client_tasks_v1.mjs")
    found["client_tasks_v2"] = Tasks("client_tasks_v2.mjs", ("--legacy",))
    found["client_receives_tasks_v2"] = Tasks("task_receiver.mjs", server="MCPW_TASK_ASKER")
    found["client_tasks_rust"] = Tasks("rust")
    found["client_tasks_rust_2025"] = Tasks("rust-2025")
    return found


def program(variable: str) -> str:
    path = os.environ.get(variable, "")
    if not path:
        raise RuntimeError(f"set {variable} to the program that was built")
    return str(Path(path).resolve())


def node() -> str:
    found = shutil.which("node")
    if found is None:
        raise Skip("Node is not installed")
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.match(r"v(\d+)\.", said)
    if version is None or int(version.group(1)) < OLDEST_NODE:
        raise Skip(f"Node {OLDEST_NODE} or newer is needed, this is {said.strip()}")
    return found


def installed(path: str) -> str:
    """A program that setup.sh has put into its folder."""
    folder = Path(os.environ.get("MCPW_NODE_MODULES", ""))
    if not (folder / path).is_file():
        raise Skip(f"{path} is not there: run tests/interop/setup.sh {folder}")
    return str(folder.resolve() / path)


def packages() -> Path:
    folder = Path(os.environ.get("MCPW_NODE_MODULES", ""))
    wanted: Dict[str, str] = json.loads((HERE / "package.json").read_text())["dependencies"]
    for name, version in wanted.items():
        manifest = folder / "node_modules" / name / "package.json"
        if not manifest.is_file():
            raise Skip(f"{name} is not installed: run tests/interop/setup.sh {folder}")
        there = json.loads(manifest.read_text())["version"]
        if there != version:
            raise Skip(f"{name} is {there}, not {version}: run tests/interop/setup.sh {folder}")
    return folder


def workplace(folder: Path) -> Path:
    """A folder where the scripts find their packages beside them, as Node resolves imports."""
    (folder / "node_modules").symlink_to(packages() / "node_modules")
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, folder)
    return folder


def execute(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a program; its home is the folder, so that nothing is left elsewhere."""
    environment = {**os.environ, "HOME": str(folder)}
    try:
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired as expired:
        out, err = (
            told if isinstance(told, str) else (told or b"").decode(errors="replace")
            for told in (expired.output, expired.stderr)
        )
        return subprocess.CompletedProcess(command, 1, out, f"{err}\nkilled after {TIMEOUT} s")


def report(done: subprocess.CompletedProcess[str]) -> int:
    print(done.stdout, end="")
    if done.returncode == 0:
        return 0
    print(f"standard error of {Path(done.args[0]).name}:\n{done.stderr or '(empty)'}")
    print(f"exit status {done.returncode}")
    return 1


@dataclass(frozen=True)
class Tapped:
    """A server command with `mcpwire tap` in front of it, and what that finds wrong with our side."""

    command: Tuple[str, ...]
    ours: str
    findings: Path

    def faults(self) -> List[str]:
        found = [json.loads(line) for line in self.findings.read_text().split("\n") if line]
        return [
            f"message {one['number']} {one['direction']}: {one['pointer']}: {one['message']} [{one['code']}]"
            for one in found
            if one["direction"].startswith(self.ours) and one["severity"] != "note" and one["code"] != MEANT
        ]


def tapped(server: Sequence[str], ours: str, folder: Path) -> Tapped:
    findings = folder / "findings.ndjson"
    tap = (program("MCPWIRE"), "tap", "--strict", "--all-errors", "--format", "json")
    return Tapped((*tap, "--output", str(findings), "--", *server), ours, findings)


def run_tapped(command: Sequence[str], server: Tapped, folder: Path) -> int:
    status = report(execute([*command, "--", *server.command], folder))
    if status != 0:
        return status
    faults = server.faults()
    print("\n".join(faults) if faults else f"ok no rule is broken by the {server.ours}")
    return 1 if faults else 0


def run_script(case: Script, folder: Path) -> int:
    interpreter = node()
    workplace(folder)
    command = [interpreter, case.client, "--revision", case.revision, *case.options]
    if case.itself:
        server = [interpreter, "server_v2.mjs", *PAGED]
        return report(execute([*command, "--unprojected", "--", *server], folder))
    if case.revision not in REVISIONS and os.environ.get("MCPW_STATES") == "OFF":
        raise Skip("built without libsodium, which signs the state of rounds of input")
    return run_tapped(
        command, tapped([program("MCPW_FIXTURE"), *PAGED, *case.server], "server", folder), folder
    )


def run_client(case: Client, folder: Path) -> int:
    interpreter = node()
    workplace(folder)
    server = ["server_v2.mjs", *PAGED] if case.peer == "v2" else [EVERYTHING, "stdio"]
    command = [program("MCPW_CLIENT"), case.peer, "--expect", case.revision]
    if case.revisions:
        command += ["--revisions", case.revisions]
    return run_tapped(command, tapped([interpreter, *server], "client", folder), folder)


PROMPT = ("--method", "prompts/get", "--prompt-name", "test_prompt_with_arguments")
INSPECTIONS: Tuple[Tuple[Tuple[str, ...], str], ...] = (
    (("--method", "tools/list"), '"name":"test_slow"'),
    (("--method", "tools/call", "--tool-name", "echo", "--tool-arg", "message=hello"), '"text":"hello"'),
    (("--method", "tools/call", "--tool-name", "test_structured_content"), '"temperature":22.5'),
    (("--method", "resources/list"), '"uri":"test://static-binary"'),
    (("--method", "resources/templates/list"), '"uriTemplate":"test://template/{id}/data"'),
    (("--method", "resources/read", "--uri", "test://template/7/data"), "Data for ID: 7"),
    (("--method", "prompts/list"), '"name":"test_simple_prompt"'),
    ((*PROMPT, "--prompt-args", "arg1=a", "arg2=b"), "arg1='a', arg2='b'"),
)


def inspect(era: str, server: Sequence[str], folder: Path) -> int:
    """The Inspector's CLI, once a call, with a server that those arguments name."""
    interpreter = node()
    workplace(folder)
    command = [interpreter, INSPECTOR, "--cli", *server, "--protocol-era", era, "--format", "json", "--quiet"]
    for options, expected in INSPECTIONS:
        done = execute([*command, *options], folder)
        what = " ".join(options[1:])
        if done.returncode != 0 or expected not in done.stdout:
            print(f"not ok {what}: no {expected} in:")
            report(done)
            return 1
        print(f"ok {what}")
    return 0


def run_python(case: Python, folder: Path) -> int:
    interpreter = installed(f"python-{case.version}/bin/python")
    return report(
        execute([interpreter, str(HERE / "peer_python.py"), "leaves", program("MCPW_FIXTURE")], folder)
    )


def run_tasks(case: Tasks, folder: Path) -> int:
    if case.peer.endswith(".mjs"):
        command = [node(), str(workplace(folder) / case.peer), *case.options]
    elif case.peer in RUST:
        command = [installed("bin/peer_rust"), RUST[case.peer]]
    else:
        command = [installed("python-v1/bin/python"), "-W", "ignore", str(HERE / "client_tasks_python.py")]
    return report(execute([*command, "--", program(case.server)], folder))


def run(case: OverStdio, folder: Path) -> int:
    if isinstance(case, Script):
        return run_script(case, folder)
    if isinstance(case, Python):
        return run_python(case, folder)
    if isinstance(case, Tasks):
        return run_tasks(case, folder)
    if isinstance(case, Inspector):
        return inspect(case.era, [program("MCPW_FIXTURE")], folder)
    return run_client(case, folder)


def main(arguments: Sequence[str], table: Dict[str, Case], run: Callable[[Case, Path], int]) -> int:
    """Run the test that the command line names."""
    if list(arguments) == ["--list"]:
        print(";".join(table), end="")
        return 0
    case = table.get(arguments[0]) if len(arguments) == 1 else None
    if case is None:
        print(f"usage: {Path(sys.argv[0]).name} --list | {' | '.join(table)}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="interop") as folder:
        try:
            return run(case, Path(folder))
        except Skip as skip:
            print(f"skipped: {skip}")
            return SKIPPED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], cases(), run))
