# SPDX-License-Identifier: MIT
"""The tables that depend on the clock: the codec beside JSON libraries, sessions beside other servers."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any, Dict, List

from tests.figures.programs import Build, Failure, run

OURS = ("decode", "encode", "validate")
BASE = "json-c"
WHAT = {
    "small": "small: JSON-RPC messages, 50 to 850 B",
    "list": "list: tools/list, 50 tools, 88 KB",
    "text": "text: 200 text blocks, 33 KB",
    "call": "call: nested arguments, 2 KB",
    "blob": "blob: 1 MB of base64",
}


def _measure(build: Build, program: str) -> Dict[str, Any]:
    bench = build.folder / "tests" / "bench"
    corpus = str(bench / "corpus")
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures.json"
        run([str(bench / program), "--json", str(figures), corpus])
        measured: Dict[str, Any] = json.loads(figures.read_text("utf-8"))
    return measured


def _speeds(entry: Dict[str, Any]) -> Dict[str, float]:
    return {contender["name"]: contender["megabytes"] for contender in entry["contenders"]}


def _listed(values: List[str]) -> str:
    return f"{', '.join(values[:-1])} and {values[-1]}" if len(values) > 1 else values[0]


def _verdict(classes: List[Dict[str, Any]]) -> str:
    """How much of the targets is reached, as a sentence."""
    speeds = [_speeds(entry) for entry in classes]
    targets = [entry["target"] for entry in classes]
    shares = [f"{had['decode'] / had[BASE] / target:.2f}" for had, target in zip(speeds, targets)]
    encode = [f"{had['encode'] / had['decode']:.2f}" for had in speeds]
    return (
        f"Of our targets for decode, {_listed([f'{target:g}' for target in targets])} times {BASE}, it has"
        f" {_listed(shares)}; encode has {_listed(encode)} of the speed of decode."
    )


def codec(build: Build) -> str:
    """Decoding, encoding and validating beside what others need to parse."""
    build.output("bench_corpus")
    wide, plain = _measure(build, "bench_v3"), _measure(build, "bench")
    classes = [entry for entry in wide["classes"] if entry["class"] in WHAT]
    names = [contender["name"] for contender in classes[0]["contenders"]]
    if BASE not in names:
        raise Failure(f"the bench was built without {BASE}")
    text = f"MB/s, one thread, {wide['cpu'].strip()}, {_compiler(wide)} "
    text += f"`{wide['flags']}` (the {wide['path']} path).\n\n"
    text += f"| MB/s | {' | '.join(names)} | decode / {BASE} |\n|-|{'-:|' * (len(names) + 1)}\n"
    for entry in classes:
        speeds = _speeds(entry)
        cells = [f"{speeds[name]:.0f}" for name in names] + [f"{speeds['decode'] / speeds[BASE]:.1f}"]
        text += f"| {WHAT[entry['class']]} | {' | '.join(cells)} |\n"
    others = [_speeds(entry) for entry in plain["classes"] if entry["class"] in WHAT]
    decode = ", ".join(f"{speeds['decode']:.0f}" for speeds in others)
    ratios = ", ".join(f"{speeds['decode'] / speeds[BASE]:.1f}" for speeds in others)
    text += f"\nWith `{plain['flags']}` alone (the {plain['path']} path) decode has {decode}: "
    text += f"{ratios} times {BASE}.\n"
    return f"{text}{_verdict(classes)}\n"


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
