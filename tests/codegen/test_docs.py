# SPDX-License-Identifier: MIT
"""schema/docs.json says something about everything a user meets, in our own words.

Reads schema/<revision>/schema.json. The published documents, which only the check against copying needs, are
found through MCP_SPEC_DIR (a folder a revision, each with its schema.json); without it that check is skipped.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import unittest
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from codegen.errors import Refusal
from codegen.facts.docs import Docs
from codegen.source.keys import key_of

SCHEMA_DIR = Path(__file__).resolve().parents[2] / "schema"
DOCS_FILE = SCHEMA_DIR / "docs.json"

LONGEST_LINE = 200
FEWEST_WORDS, MOST_WORDS = 5, 25
COPIED_WORDS = 8  # so many consecutive words in common are a quotation
OWN_WORDS = 2  # so many words a line must add to the words of its key

STOP_WORDS = """
    a all an and any are as at be been by can each every for from has have if in into is it its may no not of
    on one only or so some such than that the their them then there these they this those to used was what
    when where which who will with
"""
GENERIC_NOUNS = "field fields member members value values object objects property properties type types"
HOLLOW_WORDS = frozenset((STOP_WORDS + GENERIC_NOUNS).split())

Schema = dict[str, Any]


def words(text: str) -> list[str]:
    """The words of a text, lower-cased and without punctuation."""
    return re.findall(r"[^\W_]+", text.lower())


def words_of_key(key: str) -> frozenset[str]:
    """The words that the last two segments of a key are made of."""
    last_two = " ".join(key.split(".")[-2:])
    return frozenset(words(re.sub(r"([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3 \2\4", last_two)))


def restates(key: str, line: str) -> bool:
    """Whether a line tells no more than its key does."""
    added = set(words(line)) - HOLLOW_WORDS - words_of_key(key)
    return len(added) < OWN_WORDS


def runs(text: str) -> set[tuple[str, ...]]:
    """Every run of COPIED_WORDS consecutive words of a text."""
    spoken = words(text)
    return {tuple(spoken[start : start + COPIED_WORDS]) for start in range(len(spoken) - COPIED_WORDS + 1)}


def faults_of_form(line: str) -> list[str]:
    """The texts that keep a line from being a one-line comment in a C header."""
    faults = []
    if "\n" in line or line != line.strip():
        faults.append("is not one trimmed line")
    if not line.isascii():
        faults.append("is not ASCII")
    if not line.endswith("."):
        faults.append("does not end with a period")
    if "*/" in line or "/*" in line or "`" in line:
        faults.append("contains a comment mark or markdown")
    if len(line) > LONGEST_LINE:
        faults.append(f"is longer than {LONGEST_LINE} characters")
    if not FEWEST_WORDS <= len(line.split()) <= MOST_WORDS:
        faults.append(f"has {len(line.split())} words, not {FEWEST_WORDS} to {MOST_WORDS}")
    return faults


def definitions_of(document: Schema) -> dict[str, Schema]:
    """The definitions of a document of either dialect."""
    found: dict[str, Schema] = document.get("$defs") or document["definitions"]
    return found


def members(path: str, pointer: str, schema: object) -> Iterator[tuple[str, str]]:
    """(key, JSON pointer) of every member below a schema that needs a line."""
    if not isinstance(schema, dict):
        return
    for name, child in schema.get("properties", {}).items():
        below = f"{pointer}/properties/{name.replace('~', '~0').replace('/', '~1')}"
        yield f"{path}.{name}", below
        yield from members(f"{path}.{name}", below, child)
    for branch in ("anyOf", "oneOf", "allOf"):
        for position, child in enumerate(schema.get(branch, [])):
            yield from members(path, f"{pointer}/{branch}/{position}", child)
    for keyword, mark in (("items", "[]"), ("additionalProperties", "{}")):
        child = schema.get(keyword)
        if isinstance(child, dict) and child.get("properties"):
            yield path + mark, f"{pointer}/{keyword}"
        yield from members(path + mark, f"{pointer}/{keyword}", child)


def needed(document: Schema) -> dict[str, str]:
    """Key to JSON pointer of everything in a document that needs a line."""
    root = "$defs" if "$defs" in document else "definitions"
    keys: dict[str, str] = {}
    for name, schema in definitions_of(document).items():
        keys[name] = f"/{root}/{name}"
        keys.update(members(name, keys[name], schema))
    return keys


def descriptions(schema: object) -> Iterator[str]:
    """Every description anywhere in a schema document."""
    if isinstance(schema, dict):
        if isinstance(schema.get("description"), str):
            yield schema["description"]
        for child in schema.values():
            yield from descriptions(child)
    elif isinstance(schema, list):
        for child in schema:
            yield from descriptions(child)


def load_revisions(folder: Path) -> dict[str, Schema]:
    """The documents of a folder that holds a folder a revision."""
    files = sorted(folder.glob("*/schema.json"))
    return {file.parent.name: json.loads(file.read_text(encoding="utf-8")) for file in files}


@cache
def published() -> dict[str, Schema] | None:
    """The published documents by revision, or None where they are not at hand."""
    folder = os.environ.get("MCP_SPEC_DIR")
    return load_revisions(Path(folder)) if folder else None


class DocsFileTest(unittest.TestCase):
    """The rules of schema/docs.json."""

    docs: Docs
    revisions: dict[str, dict[str, str]]  # revision to its needed keys

    @classmethod
    def setUpClass(cls) -> None:
        cls.docs = Docs.load(DOCS_FILE)
        cls.revisions = {name: needed(document) for name, document in load_revisions(SCHEMA_DIR).items()}
        if not cls.revisions:
            raise AssertionError(f"no schema document below {SCHEMA_DIR}")

    def lines(self) -> Iterator[tuple[str, str]]:
        """(key, line) of every line in the file."""
        for key, entry in self.docs.entries.items():
            for _, line in entry:
                yield key, line

    def assert_none(self, faults: list[str]) -> None:
        if faults:
            self.fail(f"{len(faults)} in {DOCS_FILE.name}:\n" + "\n".join(faults))

    def test_everything_has_a_line_in_every_revision(self) -> None:
        self.assert_none(
            [
                f"{revision}: {key}: missing"
                for revision, keys in self.revisions.items()
                for key in keys
                if self.docs.line(revision, key) is None
            ]
        )

    def test_every_line_is_shown_in_some_revision(self) -> None:
        shown = set()
        for revision, keys in self.revisions.items():
            for key in keys:
                shown.add((self.docs.source(key), self.docs.line(revision, key)))
        self.assert_none(
            [f"{key}: nothing needs: {line}" for key, line in self.lines() if (key, line) not in shown]
        )

    def test_a_new_line_begins_at_a_revision_where_it_says_something_new(self) -> None:
        faults = []
        for key, entry in self.docs.entries.items():
            revisions = [since for since, _ in entry]
            if len(entry) == 1 and revisions[0] in self.revisions:
                faults.append(f"{key}: one line alone needs no revision")
            unknown = [since for since in revisions if since and since not in self.revisions]
            faults.extend(f"{key}: no revision {since}" for since in unknown)
            texts = [line for _, line in entry]
            if any(texts[at] == texts[at - 1] for at in range(1, len(texts))):
                faults.append(f"{key}: the same line twice in a row")
        self.assert_none(faults)

    def test_no_line_merely_restates_its_name(self) -> None:
        self.assert_none([f"{key}: {line}" for key, line in self.lines() if restates(key, line)])

    def test_every_line_fits_a_comment(self) -> None:
        self.assert_none([f"{key}: {fault}" for key, line in self.lines() for fault in faults_of_form(line)])

    def test_no_line_quotes_a_published_description(self) -> None:
        documents = published()
        if documents is None:
            self.skipTest("MCP_SPEC_DIR is not set: no published descriptions to compare with")
        if not documents:
            self.fail("MCP_SPEC_DIR holds no <revision>/schema.json")
        quotable: set[tuple[str, ...]] = set()
        for document in documents.values():
            for text in descriptions(document):
                quotable |= runs(text)
        self.assertTrue(quotable, "the published documents have no descriptions")
        self.assert_none(
            [f"{key}: {' '.join(run)}" for key, line in self.lines() for run in sorted(runs(line) & quotable)]
        )

    def test_keys_stand_in_order(self) -> None:
        keys = list(self.docs.entries)
        self.assertEqual(keys, sorted(keys))

    def test_pointers_of_all_documents_lead_to_their_keys(self) -> None:
        for keys in self.revisions.values():
            for key, pointer in keys.items():
                self.assertEqual(key_of(pointer), key)


class ChecksTest(unittest.TestCase):
    """The checks above find what they look for."""

    def test_a_name_in_other_order_restates(self) -> None:
        self.assertTrue(restates("Tool.name", "The name of the tool."))

    def test_camel_case_counts_as_words(self) -> None:
        self.assertTrue(
            restates("JSONRPCRequest.systemPrompt", "The system prompt for this JSONRPC request object.")
        )

    def test_a_purpose_does_not_restate(self) -> None:
        self.assertFalse(restates("Tool.name", "Identifier that tools/call uses; unique within one server."))

    def test_eight_words_in_common_are_found_across_case_and_punctuation(self) -> None:
        theirs = runs("Here one, two; THREE four five six seven eight there.")
        self.assertTrue(theirs & runs("One two three: four five `six` seven eight."))
        self.assertFalse(theirs & runs("One two three four five six seven."))

    def test_faults_of_form_are_found(self) -> None:
        self.assertEqual(faults_of_form("Five words make a line."), [])
        for line in (
            "Five words make a line",
            "Five words make\na line.",
            "Five words make a */ line.",
            "Too short a line.",
            "Five words make a l\u012bne.",
            "word " * MOST_WORDS + "more.",
            "Five words make " + "x" * LONGEST_LINE + " line.",
        ):
            self.assertNotEqual(faults_of_form(line), [], line)

    def test_members_are_found_at_any_depth(self) -> None:
        leaf: Schema = {"type": "string"}
        inner: Schema = {"properties": {"a.b/c": leaf}}
        document: Schema = {
            "$defs": {
                "T": {
                    "properties": {
                        "properties": inner,
                        "list": {"items": inner},
                        "map": {"additionalProperties": {"anyOf": [leaf, inner]}},
                        "either": {"oneOf": [{"allOf": [inner]}]},
                    }
                }
            }
        }
        self.assertEqual(
            sorted(needed(document)),
            [
                "T",
                "T.either",
                "T.either.a.b/c",
                "T.list",
                "T.list[]",
                "T.list[].a.b/c",
                "T.map",
                "T.map{}.a.b/c",
                "T.properties",
                "T.properties.a.b/c",
            ],
        )


class LookupTest(unittest.TestCase):
    """Docs.load and Docs.line."""

    def load(self, text: str) -> Docs:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "docs.json"
            file.write_text(text, encoding="utf-8")
            return Docs.load(file)

    def assert_refused(self, text: str, cause: str) -> None:
        with self.assertRaises(Refusal) as caught:
            self.load(text)
        self.assertIn(f"docs.json: {cause}", str(caught.exception))

    def test_a_key_of_its_own_comes_before_the_default(self) -> None:
        docs = self.load('{"*.id": "default", "Tool.id": "own"}')
        self.assertEqual(docs.line("2025-11-25", "Tool.id"), "own")

    def test_the_default_answers_for_members_of_that_name_at_any_depth(self) -> None:
        docs = self.load('{"*.id": "default"}')
        self.assertEqual(docs.line("2025-11-25", "Tool.things[].id"), "default")

    def test_the_default_does_not_answer_for_definitions(self) -> None:
        self.assertIsNone(self.load('{"*.id": "default"}').line("2025-11-25", "id"))

    def test_what_nobody_describes_has_no_line(self) -> None:
        self.assertIsNone(self.load('{"Tool": "x"}').line("2025-11-25", "Tool.id"))

    def test_the_newest_line_not_newer_than_the_revision_holds(self) -> None:
        docs = self.load('{"Tool": {"2026-07-28": "new", "2025-03-26": "old"}}')
        expected = {
            "2024-11-05": None,
            "2025-03-26": "old",
            "2025-11-25": "old",
            "2026-07-28": "new",
            "draft": "new",
        }
        self.assertEqual({revision: docs.line(revision, "Tool") for revision in expected}, expected)

    def test_an_own_entry_that_begins_later_hides_the_default(self) -> None:
        docs = self.load('{"*.id": "default", "Tool.id": {"2026-07-28": "new"}}')
        self.assertIsNone(docs.line("2025-11-25", "Tool.id"))

    def test_malformed_files_are_refused_with_their_place(self) -> None:
        self.assert_refused("[]", "/: expected an object of documentation lines")
        self.assert_refused("{", "/: not JSON: ")
        self.assert_refused('{"a/b": 1}', "/a~1b: expected a line, or an object from revision to line")
        self.assert_refused('{"a": {}}', "/a: expected a line, or an object from revision to line")
        self.assert_refused('{"a": {"2024-11-05": 1}}', "/a/2024-11-05: expected a line")
        self.assert_refused('{"a": "x", "a": "y"}', "/a: appears twice")

    def test_a_missing_file_is_refused(self) -> None:
        with self.assertRaisesRegex(Refusal, "cannot be read"):
            Docs.load(SCHEMA_DIR / "no-such-file.json")

    def test_branches_leave_no_trace_in_a_key(self) -> None:
        self.assertEqual(key_of("/$defs/E/properties/error/allOf/1/properties/code"), "E.error.code")

    def test_keywords_may_be_member_names(self) -> None:
        pointer = "/definitions/T/properties/items/properties/anyOf/items/properties/a~1b"
        self.assertEqual(key_of(pointer), "T.items.anyOf[].a/b")

    def test_a_pointer_to_no_schema_has_no_key(self) -> None:
        for pointer in ("/$defs", "/anyOf/0", "/$defs/T/required/0"):
            with self.assertRaises(ValueError):
                key_of(pointer)


if __name__ == "__main__":
    unittest.main()
