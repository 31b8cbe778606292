# SPDX-License-Identifier: MIT
# Slow: tools/test.sh runs it with --all.
"""Hostile schemas end in one line, soon, and nothing is written."""

from __future__ import annotations

import copy
import json
import tempfile
import time
import unittest
from pathlib import Path
from random import Random
from typing import Any, Dict, Iterator, List, Tuple

from codegen.emit.render import generate
from codegen.errors import BadInput, Refusal
from codegen.facts.edition import Request, read_edition
from codegen.source.jsonfile import MAX_BYTES
from codegen.source.revisions import load
from tests.codegen.support import DRAFT_2020_12, SCHEMA_DIR, document_2020_12, run

MANY = 4000
SECONDS = 60.0  # on a busy machine; alone the slowest takes three
TEXT = {"type": "string"}


def ref(number: int) -> Dict[str, str]:
    return {"$ref": f"#/$defs/A{number}"}


def chain(link: Any) -> Dict[str, Any]:
    """Definitions of which each is made of the next one."""
    return document_2020_12(**{f"A{n}": link(ref(n + 1)) for n in range(MANY)}, **{f"A{MANY}": TEXT})


class HostileTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "2099-01-01" / "schema.json"
        self.path.parent.mkdir()
        self.out = Path(folder.name) / "out"

    def assert_line(self, text: str, cause: str) -> None:
        self.path.write_text(text, "utf-8")
        started = time.monotonic()
        status, out, err = run("generate", "--schema", self.path, "--out", self.out)
        self.assertLess(time.monotonic() - started, SECONDS)
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(err.count("\n"), 1, err[:400])
        self.assertIn(f"{self.path}: {cause}", err)
        self.assertFalse(self.out.exists())

    def assert_refused(self, document: Dict[str, Any], cause: str) -> None:
        self.assert_line(json.dumps(document), cause)

    def test_50_megabytes(self) -> None:
        self.assert_line(" " * 50_000_000, f"not usable: 50000000 bytes, at most {MAX_BYTES} are read")

    def test_depth(self) -> None:
        schema = '{"items":' * 10_000 + "{}" + "}" * 10_000
        text = f'{{"$schema": "{DRAFT_2020_12}", "$defs": {{"X": {schema}}}}}'
        self.assert_line(text, "not usable: nested more than 128 deep")
        self.assert_line("[" * 100_000, "not usable: nested more than 128 deep")

    def test_a_cycle_of_references(self) -> None:
        document = document_2020_12(**{f"A{n}": ref((n + 1) % MANY) for n in range(MANY)})
        cause = '/$defs/A0: "A0" refers back to itself without any member or item in between'
        self.assert_refused(document, cause)

    def test_long_chains(self) -> None:
        cause = "/: definitions refer to each other through too many others"
        self.assert_refused(chain(lambda next_one: {"allOf": [next_one, {}]}), cause)
        self.assert_refused(chain(lambda next_one: {"type": "array", "items": next_one}), cause)

    def test_alternatives_that_multiply(self) -> None:
        def part(n: int) -> Dict[str, Any]:
            objects = [{"type": "object", "properties": {f"a{n}_{i}": TEXT}} for i in range(3)]
            return {"anyOf": objects}

        document = document_2020_12(X={"allOf": [part(n) for n in range(14)]})
        self.path.write_text(json.dumps(document), "utf-8")
        started = time.monotonic()
        status, _, _ = run("generate", "--schema", self.path, "--out", self.out)
        self.assertLess(time.monotonic() - started, SECONDS)
        self.assertEqual(status, 0)

    def test_more_than_any_table_holds(self) -> None:
        names = [f"v{number}" for number in range(100_000)]
        cases: Tuple[Tuple[Any, str], ...] = (
            ({"enum": names}, "/$defs/X/enum: 100000 values"),
            ({"anyOf": [{"const": name} for name in names]}, "/$defs/X/anyOf: 100000 alternatives"),
            ({"type": "object", "required": names}, "/$defs/X: an object of 100000 members"),
        )
        for schema, cause in cases:
            with self.subTest(cause):
                self.assert_refused(document_2020_12(X=schema), cause)
        many = document_2020_12(**dict.fromkeys(names, TEXT))
        self.assert_refused(many, "/$defs: 100000 definitions")

    def test_a_number_of_many_digits(self) -> None:
        text = f'{{"$schema": "{DRAFT_2020_12}", "$defs": {{"X": {{"minimum": {"9" * 100_000}}}}}}}'
        self.assert_line(text, "not usable: a number of 100000 digits")


JUNK: Tuple[Any, ...] = (
    None, True, False, -1, 1.5, "", "a\nb", [], {}, ["x"], {"x": 1}, {"$ref": "#/$defs/Tool"},
    {"anyOf": [{"type": "object"}, {"type": "object"}]}, {"type": ["string", "null"]}, {"enum": ["a", "A"]},
    {"const": None}, {"allOf": [{"type": "object"}]}, {"minimum": 3}, {"properties": {"a b": {}, "a-b": {}}},
)  # fmt: skip
KEYWORDS = ("anyOf", "type", "items", "properties", "required", "allOf", "$ref", "const", "enum", "x")


class MutatedTest(unittest.TestCase):
    """Schemas in which places were spoiled are generated or refused; nothing else happens."""

    COUNT = 60

    def test_spoiled_schemas(self) -> None:
        revisions = load(SCHEMA_DIR)
        rng = Random(1)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "schema.json"
            for number in range(self.COUNT):
                document = json.loads(revisions.schema_file(rng.choice(revisions.names)).read_text("utf-8"))
                spoil(document, rng)
                path.write_text(json.dumps(document), "utf-8")
                with self.subTest(number):
                    try:
                        edition = read_edition(revisions, Request("1900-01-01", path))
                        generate(edition.document, edition.facts)
                    except (Refusal, BadInput):
                        pass


def spoil(document: Any, rng: Random) -> None:
    """Changes a few places."""
    for _ in range(rng.choice((1, 2, 4))):
        holder = rng.choice([each for each in holders(document) if each])
        key = rng.choice(list(holder) if isinstance(holder, dict) else list(range(len(holder))))
        if rng.random() < 0.3:
            del holder[key]
        elif rng.random() < 0.3 and isinstance(holder, dict):
            holder[rng.choice(KEYWORDS)] = copy.deepcopy(rng.choice(JUNK))
        else:
            holder[key] = copy.deepcopy(rng.choice(JUNK))


def holders(value: Any) -> Iterator[Any]:
    """All objects and arrays in a value."""
    if isinstance(value, (dict, list)):
        yield value
        inner: List[Any] = list(value.values()) if isinstance(value, dict) else value
        for item in inner:
            yield from holders(item)


if __name__ == "__main__":
    unittest.main()
