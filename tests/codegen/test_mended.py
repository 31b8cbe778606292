# SPDX-License-Identifier: MIT
"""References into definitions of a definition that are written as if it were the whole document."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, Tuple

from codegen.model.load import read_raw
from codegen.source.jsonfile import Json
from codegen.source.mended import mended
from tests.codegen.support import document_2020_12, run
from tests.codegen.typescript_support import PLACE

VALUE = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/value0"}}]}
SHELF: Dict[str, Any] = {
    "type": "object",
    "properties": {"label": {"$ref": "#/$defs/value0"}},
    "$defs": {"value0": VALUE},
}
WARNING = (
    '/$defs/Shelf/properties/label/$ref: {}"#/$defs/value0" leads nowhere at the root: '
    '"#/$defs/Shelf/$defs/value0" is meant, here and in 1 more places'
)


def mend(**definitions: Any) -> Tuple[Any, Tuple[str, ...]]:
    """The definitions as they are read, and the warnings."""
    document, notes = mended(document_2020_12(**definitions), "s.json")
    assert isinstance(document, dict)
    return document["$defs"], tuple(str(note) for note in notes)


class MendedTest(unittest.TestCase):
    def test_what_is_meant_is_found_and_told(self) -> None:
        made, notes = mend(Shelf=SHELF)
        self.assertEqual(made["Shelf"]["properties"]["label"], {"$ref": "#/$defs/Shelf/$defs/value0"})
        inner = made["Shelf"]["$defs"]["value0"]["anyOf"][1]["items"]
        self.assertEqual(inner, {"$ref": "#/$defs/Shelf/$defs/value0"})
        self.assertEqual(notes, ("s.json: " + WARNING.format("warning: "),))

    def test_the_root_comes_first(self) -> None:
        made, notes = mend(Shelf=SHELF, value0={"type": "string"})
        self.assertEqual((made["Shelf"], notes), (SHELF, ()))

    def test_the_nearest_definition_comes_first(self) -> None:
        deep = {"properties": {"shelf": SHELF}, "$defs": {"value0": {"type": "string"}}}
        made, _ = mend(Room=deep)
        label = made["Room"]["properties"]["shelf"]["properties"]["label"]
        self.assertEqual(label, {"$ref": "#/$defs/Room/properties/shelf/$defs/value0"})

    def test_references_inside_of_what_is_meant(self) -> None:
        part = {"$ref": "#/$defs/value0/anyOf/0"}
        made, _ = mend(Shelf={**SHELF, "properties": {"label": part}})
        label = made["Shelf"]["properties"]["label"]
        self.assertEqual(label, {"$ref": "#/$defs/Shelf/$defs/value0/anyOf/0"})

    def test_names_are_escaped(self) -> None:
        odd = {"properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"type": "string"}}}
        made, _ = mend(**{"x/y~z %": odd})
        self.assertEqual(made["x/y~z %"]["properties"]["a"], {"$ref": "#/$defs/x~1y~0z %25/$defs/b"})

    def test_what_leads_nowhere_at_all_is_left(self) -> None:
        for ref in ("#/$defs/none", "#/$defs", "#", "other.json", "#/properties/label", "#/%ff/x"):
            schema = {**SHELF, "properties": {"label": {"$ref": ref}}, "$defs": {"x": {}}}
            self.assertEqual(mend(Shelf=schema), ({"Shelf": schema}, ()), ref)

    def test_a_schema_with_a_name_of_its_own_is_a_root(self) -> None:
        shelf = {"$id": "https://example.com/shelf", **SHELF}
        self.assertEqual(mend(Shelf=shelf), ({"Shelf": shelf}, ()))

    def test_values_are_no_references(self) -> None:
        shelf = {**SHELF, "properties": {}, "$defs": {"value0": {}}, "const": {"$ref": "#/$defs/value0"}}
        self.assertEqual(mend(Shelf=shelf), ({"Shelf": shelf}, ()))

    def test_other_documents(self) -> None:
        documents: Tuple[Json, ...] = (None, [], "x", {}, {"$defs": 7}, {"$defs": {"a": True}})
        for document in documents:
            self.assertEqual(mended(document, "s.json"), (document, ()))


class CommandTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, **definitions: Any) -> Path:
        path = self.folder / "shelves" / "schema.json"
        path.parent.mkdir()
        path.write_text(json.dumps(document_2020_12(**definitions)), "utf-8")
        return path

    def test_an_overlay_is_generated_with_a_warning(self) -> None:
        path = self.write(Shelf=SHELF)
        command = ("generate", "--revision", "2026-07-28", "--overlay", path, "--out", self.folder / "out")
        status, _, err = run(*command)
        self.assertEqual((status, err), (0, f"{path}: {WARNING.format('warning: ')}\n"))
        status, out, err = run(*command, "--strict")
        self.assertEqual((status, out, err), (2, "", f"{path}: {WARNING.format('')}\n"))

    def test_a_schema_of_its_own_is_generated_with_a_warning(self) -> None:
        path = self.write(Shelf=SHELF)
        command = ("generate", "--schema", path, "--revision", "2030-01-01", "--like", "none")
        status, _, err = run(*command, "--out", self.folder / "out")
        self.assertEqual(status, 0, err)
        self.assertIn(WARNING.format("warning: "), err)
        status, _, err = run(*command, "--out", self.folder / "strict", "--strict")
        self.assertEqual((status, err), (2, f"{path}: {WARNING.format('')}\n"))
        self.assertFalse((self.folder / "strict").exists())

    def test_strict_refuses_nothing_else(self) -> None:
        path = self.write(Shelf={"type": "object"})
        command = ("generate", "--revision", "2026-07-28", "--overlay", path, "--out", self.folder / "out")
        self.assertEqual(run(*command, "--strict")[0], 0)


class PublishedTest(unittest.TestCase):
    """The schema of the apps extension has such references."""

    def test_the_apps_extension(self) -> None:
        path = PLACE / "node_modules/@modelcontextprotocol/ext-apps/dist/src/generated/schema.json"
        if not path.is_file():
            self.skipTest("the apps extension is not installed: run tests/codegen/typescript/setup.sh FOLDER")
        raw = read_raw(path)
        self.assertEqual(len(raw.notes), 3)
        self.assertTrue(all('"#/$defs/__schema0" leads nowhere' in note.text for note in raw.notes))
        with tempfile.TemporaryDirectory() as folder:
            command = ("--revision", "2026-07-28", "--overlay", path, "--out", folder)
            status, _, err = run("generate", *command)
            self.assertEqual(status, 0, err)
            self.assertEqual(err.count("leads nowhere at the root"), 3)


if __name__ == "__main__":
    unittest.main()
