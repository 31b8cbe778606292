# SPDX-License-Identifier: MIT
"""The tables that depend on the clock: the codec beside JSON libraries, sessions beside other servers."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List

from tests.figures.programs import Build, Failure, Skip, run

BASE = "json-c"
WHAT = {
    "small": "small: JSON-RPC messages, 50 to 850 B",
    "list": "list: tools/list, 50 tools, 88 KB",
    "text": "text: 200 text blocks, 33 KB",
    "call": "call: nested arguments, 2 KB",
    "blob": "blob: 1 MB of base64",
}


def _measure(build: Build, path: str = "") -> Dict[str, Any]:
    """Measures the best path of this processor, or the one that is named."""
    bench = build.folder / "tests" / "bench"
    corpus = str(bench / "corpus")
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures.json"
        environment = ["env", f"MCPW_TEST_ISA={path}"] if path else []
        run([*environment, str(bench / "bench"), "--json", str(figures), corpus])
        measured: Dict[str, Any] = json.loads(figures.read_text("utf-8"))
    return measured


def _speeds(entry: Dict[str, Any]) -> Dict[str, float]:
    return {contender["name"]: contender["megabytes"] for contender in entry["contenders"]}


def _goals(classes: List[Dict[str, Any]]) -> str:
    """The measured and the wanted ratios, as a table; peers that were not there have no row."""
    text = f"| times, of at least | {' | '.join(entry['class'] for entry in classes)} |\n"
    text += f"|-|{'-:|' * len(classes)}\n"
    for number, goal in enumerate(classes[0]["goals"]):
        held = [entry["goals"][number] for entry in classes]
        if not all(one["reached"] for one in held):
            continue
        cells = [f"{one['reached']:.2f} of {one['target']:g}" for one in held]
        text += f"| {goal['ours']} / {goal['theirs']} | {' | '.join(cells)} |\n"
    return text


def codec(build: Build) -> str:
    """Decoding, encoding and validating beside what others need to parse."""
    build.output("bench_corpus")
    wide, plain = _measure(build), _measure(build, "plain")
    classes = [entry for entry in wide["classes"] if entry["class"] in WHAT]
    names = [contender["name"] for contender in classes[0]["contenders"]]
    if BASE not in names:
        raise Failure(f"the bench was built without {BASE}")
    text = f"MB/s, one thread, {wide['cpu'].strip()}, {_compiler(wide)} "
    text += f"`{wide['flags']}` (the {wide['path']} path).\n\n"
    text += f"| MB/s | {' | '.join(names)} |\n|-|{'-:|' * len(names)}\n"
    for entry in classes:
        speeds = _speeds(entry)
        cells = [f"{speeds[name]:.0f}" for name in names]
        text += f"| {WHAT[entry['class']]} | {' | '.join(cells)} |\n"
    text += f"\n{_goals(classes)}"
    others = [_speeds(entry) for entry in plain["classes"] if entry["class"] in WHAT]
    decode = ", ".join(f"{speeds['decode']:.0f}" for speeds in others)
    ratios = ", ".join(f"{speeds['decode'] / speeds[BASE]:.1f}" for speeds in others)
    text += f"\nOn the {plain['path']} path decode has {decode}: "
    text += f"{ratios} times {BASE}.\n"
    return text


def _compiler(measured: Dict[str, Any]) -> str:
    found = re.match(r"GNU (\d+\.\d+)", measured["compiler"])
    return f"gcc {found[1]}" if found else str(measured["compiler"])


def sessions(build: Build) -> str:
    """An echo server on a session beside others, one table a revision, and what the targets are."""
    output = run(["cmake", "--build", str(build.folder), "--target", "run_session_bench"])
    tables = re.findall(r"^\| .*\n(?:\|.*\n)+", output, re.MULTILINE)
    if len(tables) < 2:
        raise Failure(f"session_bench printed no tables:\n{output}")
    return "\n".join(tables)


def schemas(build: Build) -> str:
    """Checks of values against JSON Schemas beside other validators, those that are installed."""
    program = build.folder / "tests" / "schema" / "schema_bench"
    if not program.exists():
        raise Skip("the build has no schema_bench, which needs PCRE2")
    return run([sys.executable, "-m", "tests.schema.peers", str(program)])
