# SPDX-License-Identifier: MIT
"""Corrections apply where the schema is as they assert, and are refused elsewhere."""

from __future__ import annotations

import hashlib
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict

from codegen.errors import Refusal
from codegen.model.load import load_document
from codegen.model.nodes import IntegerType, NumberType
from codegen.source.errata import apply_errata, read_errata
from codegen.source.jsonfile import Json
from tests.codegen.support import document_2020_12


class ErrataTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "errata.json"

    def write(self, *entries: Dict[str, Any]) -> Path:
        self.file.write_text(json.dumps({"errata": entries}), "utf-8")
        return self.file

    def apply(self, document: Json, *entries: Dict[str, Any]) -> Json:
        return apply_errata(document, read_errata(self.write(*entries)))

    def assert_refused(self, message: str, document: Json, *entries: Dict[str, Any]) -> None:
        with self.assertRaises(Refusal) as caught:
            self.apply(document, *entries)
        self.assertEqual(str(caught.exception), f"{self.file}: {message}")

    def test_replaces_a_value(self) -> None:
        entry = {"pointer": "/$defs/X/type", "old": "integer", "new": "number", "reason": "r"}
        corrected = self.apply(document_2020_12(X={"type": "integer"}), entry)
        self.assertEqual(corrected, document_2020_12(X={"type": "number"}))

    def test_leaves_the_original_alone(self) -> None:
        document = document_2020_12(X={"anyOf": [{"type": "integer"}]})
        entry = {"pointer": "/$defs/X/anyOf/0/type", "old": "integer", "new": "number", "reason": "r"}
        self.apply(document, entry)
        self.assertEqual(document, document_2020_12(X={"anyOf": [{"type": "integer"}]}))

    def test_adds_what_was_absent(self) -> None:
        entry = {"pointer": "/$defs/X/minimum", "old_absent": True, "new": 0, "reason": "r"}
        corrected = self.apply(document_2020_12(X={"type": "integer"}), entry)
        self.assertEqual(corrected, document_2020_12(X={"type": "integer", "minimum": 0}))

    def test_annotations_of_the_old_value_do_not_count(self) -> None:
        entry = {"pointer": "/$defs/X/anyOf", "old": [{"type": "null"}], "new": [{}], "reason": "r"}
        corrected = self.apply(document_2020_12(X={"anyOf": [{"type": "null", "description": "d"}]}), entry)
        self.assertEqual(corrected, document_2020_12(X={"anyOf": [{}]}))

    def test_another_old_value_is_refused(self) -> None:
        entry = {"pointer": "/$defs/X/const", "old": 1, "new": 2, "reason": "r"}
        message = "/errata/0: /$defs/X/const is expected to be 1, but true stands there"
        self.assert_refused(message, document_2020_12(X={"const": True}), entry)

    def test_a_pointer_into_nothing_is_refused(self) -> None:
        document = document_2020_12(X={"anyOf": [{}]})
        for pointer in ("/$defs/Y/type", "/$defs/Y", "/$defs/X/anyOf/1", "/$defs/X/anyOf/00"):
            for old in ({"old": 1}, {"old_absent": True}):
                if pointer == "/$defs/Y" and "old_absent" in old:
                    continue
                with self.subTest(pointer=pointer, old=old):
                    entry = {"pointer": pointer, "new": 2, "reason": "r", **old}
                    self.assert_refused(f"/errata/0: {pointer} leads nowhere in the schema", document, entry)

    def test_what_was_to_be_absent_is_refused(self) -> None:
        entry = {"pointer": "/$defs/X/type", "old_absent": True, "new": "null", "reason": "r"}
        message = '/errata/0: /$defs/X/type is expected to be absent, but "integer" stands there'
        self.assert_refused(message, document_2020_12(X={"type": "integer"}), entry)

    def test_overlapping_entries_are_refused(self) -> None:
        one = {"pointer": "/$defs/X", "old": {}, "new": True, "reason": "r"}
        two = {"pointer": "/$defs/X/type", "old_absent": True, "new": "null", "reason": "r"}
        message = "/errata/1: /$defs/X/type overlaps with /$defs/X of /errata/0"
        self.assert_refused(message, document_2020_12(X={}), one, two)

    def test_malformed_entries_are_refused(self) -> None:
        whole = {"pointer": "/a", "old": 1, "new": 2, "reason": "r"}
        for change, message in (
            ({"reason": ""}, '/errata/0/reason: "reason" must be a string with something in it'),
            ({"pointer": None}, '/errata/0/pointer: "pointer" must be a string with something in it'),
            ({"pointer": "a"}, "/errata/0/pointer: a pointer must begin with '/'"),
            ({"pont": 1}, '/errata/0/pont: unknown member "pont" of an erratum'),
            ({"old_absent": True}, '/errata/0: "old" and "old_absent" exclude each other'),
        ):
            with self.subTest(change):
                self.assert_refused(message, {}, {**whole, **change})
        for name, message in (
            ("old", '/errata/0: an erratum must say what it replaces: "old", or "old_absent": true'),
            ("new", '/errata/0: "new" is missing'),
        ):
            with self.subTest(name):
                self.assert_refused(message, {}, {key: whole[key] for key in whole if key != name})

    def test_loading_applies_them_and_keeps_the_hash_of_the_file(self) -> None:
        schema = self.folder / "schema.json"
        schema.write_text(json.dumps(document_2020_12(X={"type": "integer"})), "utf-8")
        entry = {"pointer": "/$defs/X/type", "old": "integer", "new": "number", "reason": "r"}
        corrected = load_document(schema, "2000-01-01", self.write(entry))
        self.assertEqual(corrected.definition("X").node, NumberType("/$defs/X", None))
        self.assertEqual(corrected.sha256, hashlib.sha256(schema.read_bytes()).hexdigest())
        original = load_document(schema, "2000-01-01", None)
        self.assertEqual(original.definition("X").node, IntegerType("/$defs/X", None))


if __name__ == "__main__":
    unittest.main()
