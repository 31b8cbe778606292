# SPDX-License-Identifier: MIT
"""The errata are visible: a library built with them accepts what one built without them refuses.

Each case names the erratum that it shows, and each erratum needs a case. Both drivers are compared with
jsonschema too, one on the schema with errata applied and one on the schema as published.

Example:
  python3 -m tests.oracle.errata --driver build/oracle_driver --no-errata-driver build/oracle_driver_plain
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.oracle import documents, drive, jsontext
from tests.oracle.labels import Labeller

A, B, C, D, E = "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"
INPUT = "Tool/properties/inputSchema/properties/properties/additionalProperties"
OUTPUT = "Tool/properties/outputSchema/properties/properties/additionalProperties"
ANSWER = "ElicitResult/properties/content/additionalProperties"
JSON_VALUE = "JSONValue/anyOf/2/type"


@dataclass(frozen=True)
class Case:
    revisions: tuple[str, ...]
    erratum: str  # the end of its pointer, after "/definitions/" or "/$defs/"
    definition: str
    text: str
    accepted: bool  # with errata
    accepted_plain: bool  # without


def _tool(member: str, subschema: str) -> str:
    schemas = {"inputSchema": '{"type":"object"}'}
    schemas[member] = '{"type":"object","properties":{"a":' + subschema + "}}"
    return '{"name":"t",' + ",".join(f'"{name}":{text}' for name, text in schemas.items()) + "}"


def _answer(value: str) -> str:
    return '{"action":"accept","content":{"field":' + value + "}}"


def _tool_cases(revisions: tuple[str, ...], erratum: str, member: str) -> list[Case]:
    return [
        Case(revisions, erratum, "Tool", _tool(member, "true"), True, False),
        Case(revisions, erratum, "Tool", _tool(member, "false"), True, False),
        Case(revisions, erratum, "Tool", _tool(member, '{"type":"string"}'), True, True),
        Case(revisions, erratum, "Tool", _tool(member, "null"), False, False),
        Case(revisions, erratum, "Tool", _tool(member, "1"), False, False),
    ]


def _answer_cases(revisions: tuple[str, ...], erratum: str) -> list[Case]:
    return [
        Case(revisions, erratum, "ElicitResult", _answer("1.5"), True, False),
        Case(revisions, erratum, "ElicitResult", _answer("-1e-3"), True, False),
        Case(revisions, erratum, "ElicitResult", _answer("2"), True, True),
        Case(revisions, erratum, "ElicitResult", _answer("null"), False, False),
    ]


CASES = [
    *_tool_cases((A, B, C, D), INPUT, "inputSchema"),
    *_tool_cases((C, D), OUTPUT, "outputSchema"),
    *_answer_cases((C,), ANSWER + "/type"),
    *_answer_cases((D, E), ANSWER + "/anyOf/1/type"),
    Case((E,), JSON_VALUE, "JSONValue", "1.5", True, False),
    Case((E,), JSON_VALUE, "JSONValue", "null", True, False),
    Case((E,), JSON_VALUE, "JSONValue", "1", True, True),
    Case((E,), JSON_VALUE, "JSONObject", '{"a":[1.5,{"b":null}]}', True, False),
    Case((E,), JSON_VALUE, "ClientCapabilities", '{"experimental":{"x":{"limit":null}}}', True, False),
    Case((E,), JSON_VALUE, "ClientCapabilities", '{"experimental":{"x":{"share":0.5}}}', True, False),
    Case((E,), JSON_VALUE, "ClientCapabilities", '{"experimental":{"x":null}}', False, False),
    # These unions begin with Result, which accepts every object, so the erratum changes no verdict.
    Case((D,), "ServerResult/anyOf", "ServerResult", '{"task":{"taskId":"1"}}', True, True),
    Case((D,), "ClientResult/anyOf", "ClientResult", '{"task":{"taskId":"1"}}', True, True),
]


def errata_of(schema_dir: Path, revision: str) -> set[str]:
    """The pointers of a revision's errata, without their first two steps."""
    errata = documents.errata_of(revision, schema_dir)
    return {str(erratum["pointer"]).split("/", 2)[2] for erratum in errata}


def unmatched(schema_dir: Path) -> list[str]:
    """Errata without a case, and cases without an erratum."""
    problems: list[str] = []
    for revision in documents.revisions(schema_dir):
        shown = {case.erratum for case in CASES if revision in case.revisions}
        listed = errata_of(schema_dir, revision)
        problems += [
            f"{revision}: no case shows the erratum at {pointer}" for pointer in sorted(listed - shown)
        ]
        problems += [
            f"{revision}: a case shows {pointer}, which no erratum has" for pointer in sorted(shown - listed)
        ]
    return problems


def _check(driver: str, schema_dir: Path, errata: bool, cases: Sequence[tuple[str, Case]]) -> list[str]:
    """The differences of a driver, or jsonschema, from the table."""
    labellers = {
        r: Labeller(documents.load(r, schema_dir, errata)) for r in {revision for revision, _ in cases}
    }
    requests = [drive.Request(revision, case.definition, case.text.encode()) for revision, case in cases]
    problems: list[str] = []
    build = "with errata" if errata else "without errata"
    for (revision, case), answer in zip(cases, drive.ask(driver, "a", requests)):
        expected = case.accepted if errata else case.accepted_plain
        verdict = "valid" if expected else "invalid"
        where = f"{build}, {revision} {case.definition} {case.text}: expected {verdict}"
        if labellers[revision].is_valid(case.definition, jsontext.read(case.text.encode())) != expected:
            problems.append(f"{where}, jsonschema says otherwise")
        if answer.valid != expected or answer.disagreement is not None:
            problems.append(f"{where}, got {answer}")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="errata", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--driver", required=True, type=drive.program, help="the program built from driver.c")
    parser.add_argument(
        "--no-errata-driver", required=True, type=drive.program, help="the same with a library without errata"
    )
    parser.add_argument("--schema-dir", type=Path, default=documents.SCHEMA_DIR)
    options = parser.parse_args()
    cases = [(revision, case) for case in CASES for revision in case.revisions]
    problems = unmatched(options.schema_dir)
    problems += _check(options.driver, options.schema_dir, True, cases)
    problems += _check(options.no_errata_driver, options.schema_dir, False, cases)
    for problem in problems:
        print(problem)
    print(f"{len(cases)} cases with two drivers, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
