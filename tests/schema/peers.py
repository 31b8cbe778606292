# SPDX-License-Identifier: MIT
"""How long checking takes, parsing included, beside other validators: `jsonschema` of sourcemeta (Blaze) and
jsonschema-rs, where they are installed (PyPI: sourcemeta-jsonschema, jsonschema-rs), and ajv, where
MCPW_NODE_MODULES names the folder that tests/interop/setup.sh filled. No test: prints a table.

usage: python3 -m tests.schema.peers SCHEMA_BENCH [--rounds N] [--passes N]

The schemas are those of 50 tools, and the ten largest of the official suite where MCPW_SCHEMA_SUITE names it.
Blaze reads a file with a value a line; what it needs for one line is taken off. jsonschema-rs is asked from
Python, whose json module parses before it; ajv in node, after JSON.parse, compiled and warm. They take turns;
figures are the medians of the passes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT = {"type": "string", "minLength": 1, "maxLength": 200}


def tools() -> Iterator[tuple[str, Any, Any]]:
    """Fifty schemas of tools, each with arguments."""
    for i in range(50):
        properties: dict[str, Any] = {f"text_{j}": TEXT for j in range(1 + i % 7)}
        properties["unit"] = {"enum": ["celsius", "fahrenheit", "kelvin"][: 2 + i % 2]}
        properties["count"] = {"type": "integer", "minimum": 0, "maximum": 1000}
        properties["labels"] = {"type": "array", "items": {"type": "string"}, "maxItems": 20}
        properties["options"] = {"$ref": "#/$defs/options"}
        value: dict[str, Any] = {f"text_{j}": "some text of a usual length" for j in range(1 + i % 7)}
        value.update(unit="celsius", count=i, labels=["a", "bc"], options={"deep": True, "until": None})
        schema = {
            "$schema": DIALECT,
            "type": "object",
            "properties": properties,
            "required": ["text_0", "count"],
            "additionalProperties": False,
            "$defs": {
                "options": {
                    "type": "object",
                    "properties": {
                        "deep": {"type": "boolean"},
                        "until": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                    },
                }
            },
        }
        yield f"tool_{i}", schema, value


def largest(suite: Path) -> Iterator[tuple[str, Any, Any]]:
    """The ten largest schemas of the suite that need no other document, each with a value that fits."""
    found = []
    for path in sorted((suite / "tests/draft2020-12").glob("*.json")):
        for group in json.loads(path.read_text("utf-8")):
            text = json.dumps(group["schema"])
            fits = [test["data"] for test in group["tests"] if test["valid"]]
            if fits and "localhost" not in text:
                found.append(
                    (len(text), path.stem, group["schema"], max(fits, key=lambda v: len(json.dumps(v))))
                )
    found.sort(key=lambda row: -row[0])
    for place, (_, name, schema, value) in enumerate(found[:10]):
        yield f"{name}_{place}", schema, value


def blaze(command: str, schema: Path, line: str, folder: Path, lines: int) -> float:
    """Nanoseconds a value."""
    spent = []
    for count in (1, lines):
        path = folder / f"{count}.jsonl"
        path.write_text((line + "\n") * count, "utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([command, "validate", "--fast", schema, path], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return (spent[1] - spent[0]) / lines * 1e9


def from_python(schema: Any, line: str, rounds: int) -> Optional[float]:
    try:
        import jsonschema_rs
    except ImportError:
        return None
    validator = jsonschema_rs.validator_for(schema)
    begin = time.perf_counter()
    for _ in range(rounds):
        validator.is_valid(json.loads(line))
    return (time.perf_counter() - begin) / rounds * 1e9


def from_node(cases: List[Any], folder: Path, rounds: int) -> Optional[float]:
    """Nanoseconds of all values, one after the other."""
    node, modules = shutil.which("node"), Path(os.environ.get("MCPW_NODE_MODULES", ""))
    if node is None or not (modules / "node_modules" / "ajv").is_dir():
        return None
    path = folder / "cases.json"
    path.write_text(json.dumps([[schema, json.dumps(value)] for _, schema, value in cases]), "utf-8")
    command = [node, Path(__file__).with_name("ajv.mjs"), path, str(rounds)]
    spent = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return None if None in spent else float(sum(spent))


@dataclass(frozen=True)
class Pass:
    """Nanoseconds of all values of a set by who checked them, and of compiling their schemas."""

    compiled: float
    spent: Dict[str, float] = field(default_factory=dict)


OURS, PEERS = "mcpwire", ("Blaze", "jsonschema-rs", "ajv")


def measure(cases: List[Any], folder: Path, bench: str, blaze_command: str, rounds: int) -> Pass:
    spent = {OURS: 0.0}
    compiled = 0.0
    for case, schema, value in cases:
        file, line = folder / f"{case}.json", json.dumps(value)
        file.write_text(json.dumps(schema), "utf-8")
        (folder / "value.json").write_text(line, "utf-8")
        command = [bench, str(rounds), file, folder / "value.json"]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        if told[3] != "MCPW_OK":
            sys.exit(f"{case}: {' '.join(told)}")
        compiled += float(told[1])
        spent[OURS] += float(told[2])
        if blaze_command:
            spent["Blaze"] = spent.get("Blaze", 0) + blaze(blaze_command, file, line, folder, rounds)
        python = from_python(schema, line, rounds // 10)
        if python is not None:
            spent["jsonschema-rs"] = spent.get("jsonschema-rs", 0) + python
    node = from_node(cases, folder, rounds)
    if node is not None:
        spent["ajv"] = node
    return Pass(compiled, spent)


def median(passes: List[Pass], who: str) -> Optional[float]:
    known = [one.spent[who] for one in passes if who in one.spent]
    return statistics.median(known) if known else None


def row(title: str, count: int, passes: List[Pass]) -> str:
    ours = median(passes, OURS) or 0.0
    cells = [f"{ours / count:.0f}"]
    others = [median(passes, who) for who in PEERS]
    cells += ["-" if other is None else f"{other / count:.0f}" for other in others]
    known = [other for other in others if other is not None]
    cells.append(f"{min(known) / ours:.2f} of 3" if known else "-")
    cells.append(f"{statistics.median(one.compiled for one in passes) / 1e6:.2f}")
    return f"| {title} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("--rounds", type=int, default=20000)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--blaze", default=shutil.which("jsonschema") or "")
    args = parser.parse_args()
    suite = Path(os.environ.get("MCPW_SCHEMA_SUITE", ""))
    sets = [("the arguments of 50 tools", list(tools()))]
    if (suite / "tests").is_dir():
        sets.append(("the ten largest schemas of the official suite", list(largest(suite))))
    heads = [OURS, "Blaze", "jsonschema-rs, from Python", "ajv, from node"]
    print(f"| ns a check | {' | '.join(heads)} | times, of at least | ms to compile all |")
    print(f"|-|{'-:|' * (len(heads) + 2)}")
    with tempfile.TemporaryDirectory() as name:
        for title, cases in sets:
            passes = [
                measure(cases, Path(name), args.bench, args.blaze, args.rounds) for _ in range(args.passes)
            ]
            print(row(title, len(cases), passes), flush=True)


if __name__ == "__main__":
    main()
