# SPDX-License-Identifier: MIT
"""How long checking takes, parsing included, beside other validators: `jsonschema` of sourcemeta (Blaze) and
jsonschema-rs, where they are installed (PyPI: sourcemeta-jsonschema, jsonschema-rs). No test: prints figures.

usage: python3 -m tests.schema.peers SCHEMA_BENCH [--rounds N]

The schemas are those of 50 tools, and the ten largest of the official suite where MCPW_SCHEMA_SUITE names it.
Blaze reads a file with a value a line; what it needs for one line is taken off. jsonschema-rs is asked from
Python, whose json module parses before it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Iterator

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


def from_python(schema: Any, line: str, rounds: int) -> float:
    try:
        import jsonschema_rs
    except ImportError:
        return 0
    validator = jsonschema_rs.validator_for(schema)
    begin = time.perf_counter()
    for _ in range(rounds):
        validator.is_valid(json.loads(line))
    return (time.perf_counter() - begin) / rounds * 1e9


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("--rounds", type=int, default=20000)
    parser.add_argument("--blaze", default=shutil.which("jsonschema") or "")
    args = parser.parse_args()
    suite = Path(os.environ.get("MCPW_SCHEMA_SUITE", ""))
    rows = [("tools", list(tools()))]
    if (suite / "tests").is_dir():
        rows.append(("suite", list(largest(suite))))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, cases in rows:
            ours = compiled = peer = python = 0.0
            for case, schema, value in cases:
                file, line = folder / f"{case}.json", json.dumps(value)
                file.write_text(json.dumps(schema), "utf-8")
                (folder / "value.json").write_text(line, "utf-8")
                command = [args.bench, str(args.rounds), file, folder / "value.json"]
                told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
                compiled += float(told[1])
                ours += float(told[2])
                peer += blaze(args.blaze, file, line, folder, args.rounds) if args.blaze else 0
                python += from_python(schema, line, args.rounds // 10)
            print(
                f"{title}: {len(cases)} schemas compiled in {compiled / 1e3:.0f} us; "
                f"a value each in {ours / 1e3:.2f} us; Blaze {peer / 1e3:.2f} us; "
                f"jsonschema-rs from Python {python / 1e3:.2f} us"
            )


if __name__ == "__main__":
    main()
