# SPDX-License-Identifier: MIT
"""Verdicts on random schemas and values, beside those of python jsonschema.

usage: python3 -m tests.schema.oracle PROGRAM [--checks N] [--seed S]
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.schema.random_schema import D07, D2019, D2020, Schemas, value

SKIPPED = 77
VALUES = 12
BATCH = 500
DIALECTS = {
    D2020: ("Draft202012Validator", "1"),
    D2019: ("Draft201909Validator", "2"),
    D07: ("Draft7Validator", "3"),
}


def verdicts(validator: Any, schema: Any, values: list[Any]) -> str:
    """A letter a value. If the oracle itself breaks, it has none."""
    judge = validator(schema)
    letters = ""
    for one in values:
        try:
            letters += "1" if judge.is_valid(one) else "0"
        except (TypeError, RecursionError):
            letters += "?"
    return letters


def differences(program: str, r: random.Random, dialect: str, validator: Any) -> tuple[int, list[str]]:
    """How many values were judged, and where the two disagree."""
    cases = [(Schemas(r, dialect).whole(), [value(r) for _ in range(VALUES)]) for _ in range(BATCH)]
    given = "".join(json.dumps({"schema": schema, "values": values}) + "\n" for schema, values in cases)
    done = subprocess.run(
        [program, DIALECTS[dialect][1]], input=given, capture_output=True, text=True, check=True
    )
    answers = done.stdout.split("\n")
    found = []
    for (schema, values), answer in zip(cases, answers):
        wanted = verdicts(validator, schema, values)
        if len(answer) != len(wanted) or any(one != two != "?" for one, two in zip(answer, wanted)):
            at = next((i for i, pair in enumerate(zip(answer, wanted)) if pair[0] != pair[1]), 0)
            found.append(
                f"{dialect}: {json.dumps(schema)}\n"
                f"  on {json.dumps(values[at])}: {answer}, and jsonschema {wanted}"
            )
    return len(cases) * VALUES, found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--checks", type=int, default=18000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dialect", choices=sorted(DIALECTS))
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    try:
        import jsonschema
    except ImportError:
        print("skipped: python jsonschema is not installed")
        return SKIPPED
    if not hasattr(jsonschema, "Draft202012Validator"):
        print("skipped: python jsonschema is too old to know 2020-12")
        return SKIPPED
    r = random.Random(args.seed)
    judged = 0
    found: list[str] = []
    dialects = [args.dialect] if args.dialect else list(DIALECTS)
    while judged < args.checks and len(found) < 20:
        for dialect in dialects:
            count, more = differences(args.program, r, dialect, getattr(jsonschema, DIALECTS[dialect][0]))
            judged += count
            found += more
    for text in found[:20]:
        print(text)
    print(f"{judged} values, {len(found)} schemas with differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
