# SPDX-License-Identifier: MIT
"""`verify` tells equal documents from different ones, whatever their prose and order."""

from __future__ import annotations

import hashlib
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List, Tuple

from codegen.errors import BadInput, Refusal
from codegen.report.verify import Finding, verify
from codegen.source.revisions import load
from codegen.source.structure import differences, without_annotations
from tests.codegen.support import DRAFT_2020_12, SCHEMA_DIR, document_2020_12, published_dir

NAME = "2000-01-01"


class DifferencesTest(unittest.TestCase):
    def lines(self, old: Any, new: Any) -> List[str]:
        return differences(without_annotations(old), without_annotations(new))

    def test_annotations_do_not_count(self) -> None:
        old = {
            "title": "t",
            "description": "d",
            "default": 1,
            "examples": [],
            "deprecated": True,
            "$comment": "c",
        }
        self.assertEqual(
            self.lines({**old, "readOnly": True, "writeOnly": True, "items": old}, {"items": {}}), []
        )

    def test_members_named_like_annotations_count(self) -> None:
        old = {"properties": {"title": {"type": "string", "title": "t"}}}
        self.assertEqual(self.lines(old, {"properties": {}}), ["/properties/title: removed"])

    def test_order_does_not_count(self) -> None:
        old = {
            "type": ["a", "b"],
            "required": ["c", "d"],
            "enum": ["e", "f"],
            "properties": {"g": {}, "h": {}},
        }
        new = {
            "properties": {"h": {}, "g": {}},
            "enum": ["f", "e"],
            "required": ["d", "c"],
            "type": ["b", "a"],
        }
        self.assertEqual(self.lines(old, new), [])

    def test_order_of_alternatives_counts(self) -> None:
        old, new = ({"anyOf": [{"const": first}, {"const": 1 - first}]} for first in (0, 1))
        self.assertEqual(
            self.lines(old, new), ["/anyOf/0/const: changed 0 -> 1", "/anyOf/1/const: changed 1 -> 0"]
        )

    def test_every_other_difference_is_named(self) -> None:
        cases: Tuple[Tuple[Any, Any, str], ...] = (
            ({"type": "null"}, {"type": "string"}, '/type: changed "null" -> "string"'),
            ({"const": 1}, {"const": True}, "/const: changed 1 -> true"),
            ({"minimum": 0}, {}, "/minimum: removed 0"),
            ({}, {"format": "uri"}, '/format: added "uri"'),
            ({"required": ["a"]}, {"required": ["b"]}, '/required: removed "a"\n/required: added "b"'),
            ({"items": {"const": 1}}, {"items": {"const": 2}}, "/items/const: changed 1 -> 2"),
            ({"anyOf": [{}]}, {"anyOf": [{}, {}]}, "/anyOf: changed [{}] -> [{}, {}]"),
            (
                {"additionalProperties": True},
                {"additionalProperties": {}},
                "/additionalProperties: changed true -> {}",
            ),
            ({"properties": {}}, {"properties": {"a/b": {}}}, "/properties/a~1b: added"),
            (True, False, "/: changed true -> false"),
        )
        for old, new, expected in cases:
            with self.subTest(expected):
                self.assertEqual("\n".join(self.lines(old, new)), expected)


class VerifyTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.ours = Path(folder.name) / "ours"
        self.theirs = Path(folder.name) / "theirs"

    def verify(
        self, ours: Any, theirs: Any, errata: Tuple[Dict[str, Any], ...] = (), sha256: str = ""
    ) -> Finding:
        self.write(self.ours / NAME / "schema.json", ours)
        published = self.write(self.theirs / NAME / "schema.json", theirs)
        self.write(self.ours / "errata" / f"{NAME}.json", {"errata": errata})
        row = {
            "revision": NAME,
            "dialect": DRAFT_2020_12,
            "upstream_sha256": sha256 or hashlib.sha256(published.read_bytes()).hexdigest(),
            "status": "released",
            "order": 1,
        }
        self.write(self.ours / "revisions.json", {"default_pin": NAME, "revisions": [row]})
        return verify(load(self.ours), self.theirs)[0]

    def write(self, path: Path, value: Any) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), "utf-8")
        return path

    def test_equal(self) -> None:
        finding = self.verify(document_2020_12(X={}, Y={}), document_2020_12(Y={"title": "t"}, X={}))
        self.assertEqual(finding.lines(), [f"{NAME}: 2 definitions equal"])

    def test_difference(self) -> None:
        finding = self.verify(document_2020_12(X={}), document_2020_12(X={}, Y={}))
        self.assertEqual(finding.lines(), [f"{NAME}: 1 difference", "  /$defs/Y: removed"])

    def test_another_file_than_the_one_pinned(self) -> None:
        document = document_2020_12(X={})
        actual = hashlib.sha256(json.dumps(document).encode()).hexdigest()
        finding = self.verify(document, document, sha256="0" * 64)
        path = self.theirs / NAME / "schema.json"
        self.assertEqual(finding.errors, (f"{path}: sha256 is {actual}, not {'0' * 64}",))

    def test_erratum_is_listed_with_what_is_published(self) -> None:
        document = document_2020_12(X={"type": "integer"})
        entry = {"pointer": "/$defs/X/type", "old": "integer", "new": "number", "reason": "r"}
        finding = self.verify(document, document, (entry,))
        self.assertEqual(finding.errors, ())
        self.assertEqual(finding.errata, ('erratum /$defs/X/type: "integer" (as published) -> "number"',))

    def test_erratum_of_what_is_not_published(self) -> None:
        document = document_2020_12(X={"type": "integer"})
        entry = {"pointer": "/$defs/X/type", "old": "string", "new": "number", "reason": "r"}
        finding = self.verify(document, document, (entry,))
        file = self.ours / "errata" / f"{NAME}.json"
        cause = '/$defs/X/type is expected to be "string", but "integer" stands there'
        self.assertEqual(finding.errors, (f"erratum {file}: /errata/0: {cause}",))

    def test_missing_published_file(self) -> None:
        document = document_2020_12(X={})
        self.verify(document, document)
        path = self.theirs / NAME / "schema.json"
        path.unlink()
        with self.assertRaises(BadInput) as caught:
            verify(load(self.ours), self.theirs)
        self.assertEqual(str(caught.exception), f"{path}: No such file or directory")


class DraftTest(unittest.TestCase):
    def test_a_draft_need_not_be_published(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            row = {"revision": NAME, "dialect": DRAFT_2020_12, "upstream_sha256": "0" * 64, "order": 1}
            path = Path(folder) / "revisions.json"
            path.write_text(
                json.dumps({"default_pin": NAME, "revisions": [{**row, "status": "draft"}]}), "utf-8"
            )
            (finding,) = verify(load(Path(folder)), Path(folder) / "published")
        self.assertEqual((finding.errors, finding.errata[0][:13]), ((), "a draft that "))


class RevisionsTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def assert_refused(self, message: str, row: Dict[str, Any], pin: str = NAME, times: int = 1) -> None:
        whole = {"revision": NAME, "dialect": "d", "upstream_sha256": "0" * 64, "status": "draft", "order": 1}
        path = self.folder / "revisions.json"
        path.write_text(json.dumps({"default_pin": pin, "revisions": [{**whole, **row}] * times}), "utf-8")
        with self.assertRaises(Refusal) as caught:
            load(self.folder)
        self.assertEqual(str(caught.exception), f"{path}: {message}")

    def test_malformed_lists_are_refused(self) -> None:
        self.assert_refused('/default_pin: "x" is none of the revisions', {}, pin="x")
        self.assert_refused('/revisions/1/revision: "2000-01-01" is listed twice', {}, times=2)
        self.assert_refused('/revisions: "revisions" must be an array of at least one revision', {}, times=0)
        self.assert_refused('/revisions/0/revision: "v1" is not of the form YYYY-MM-DD', {"revision": "v1"})
        self.assert_refused('/revisions/0/status: "new" is neither "released" nor "draft"', {"status": "new"})
        self.assert_refused('/revisions/0/order: "order" must be an integer, not "1"', {"order": "1"})
        self.assert_refused(
            "/revisions/0/upstream_sha256: a sha256 has 64 lower-case hexadecimal digits",
            {"upstream_sha256": "0"},
        )

    def test_unknown_revision_names_the_known_ones(self) -> None:
        revisions = load(SCHEMA_DIR)
        with self.assertRaises(BadInput) as caught:
            revisions.find("1999-01-01")
        self.assertEqual(
            str(caught.exception),
            f'unknown revision "1999-01-01"; known are {", ".join(revisions.names)}',
        )


class PublishedTest(unittest.TestCase):
    def test_every_document_is_equal_to_the_published_one(self) -> None:
        findings = verify(load(SCHEMA_DIR), published_dir())
        self.assertEqual({finding.revision: finding.errors for finding in findings if finding.errors}, {})
        counts = {finding.revision: finding.definitions for finding in findings}
        expected = {
            "2024-11-05": 79,
            "2025-03-26": 83,
            "2025-06-18": 91,
            "2025-11-25": 145,
            "2026-07-28": 155,
        }
        self.assertEqual({name: counts[name] for name in expected}, expected)


if __name__ == "__main__":
    unittest.main()
