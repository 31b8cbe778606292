# SPDX-License-Identifier: MIT
"""The comments of generated headers about names: text, source, the name in JSON, what is required."""

from __future__ import annotations

import json
import re
import unittest
from dataclasses import replace
from typing import Any, Dict

from codegen.emit.render import generate_files
from codegen.facts.facts import Facts, Reference
from codegen.facts.load import load
from codegen.model.load import load_document
from codegen.source.revisions import load as load_revisions
from tests.codegen.support import SCHEMA_DIR, build, document_2020_12

REVISION = "2000-01-01"
ROLE = {"enum": ["user", "a-b"], "description": "Who speaks."}
BLOCK: Dict[str, Any] = {
    "type": "object",
    "description": "Some text.",
    "properties": {
        "type": {"const": "text"},
        "fullName": {"type": "string", "description": "As it is written."},
        "plain": {"type": "string", "description": "As it is."},
        "bare": {"type": "string"},
        "list": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["type", "fullName"],
}
CHOICE = {"anyOf": [{"$ref": "#/$defs/Block"}, {"type": "null"}]}


def generated(facts: Facts) -> Dict[str, str]:
    """The headers of a small schema, by the last part of their names."""
    document = build(document_2020_12(Role=ROLE, Block=BLOCK, Choice=CHOICE))
    return {name.rsplit("/", 1)[-1]: text for name, text in generate_files(document, facts).items()}


class SourceTest(unittest.TestCase):
    def types(self, reference: Reference) -> str:
        return generated(replace(Facts(REVISION), reference=reference))["types.h"]

    def test_a_type_names_its_heading_on_the_page_of_the_specification(self) -> None:
        text = self.types(Reference("https://example.org/schema", frozenset()))
        self.assertIn("/* Block: Some text.\n * https://example.org/schema#block */\ntypedef struct", text)

    def test_a_type_that_the_page_leaves_out_names_its_definition(self) -> None:
        text = self.types(Reference("https://example.org/schema", frozenset({"Block"})))
        self.assertIn("/* Block: Some text.\n * (Definition Block of MCP 2000-01-01.) */", text)

    def test_without_a_page_every_type_names_its_definition(self) -> None:
        text = self.types(Reference())
        self.assertIn(" * (Definition Role of MCP 2000-01-01.) */\ntypedef enum", text)


class MemberTest(unittest.TestCase):
    def setUp(self) -> None:
        self.text = generated(Facts(REVISION))["types.h"]

    def test_a_member_that_c_calls_otherwise_tells_its_name_in_json(self) -> None:
        self.assertIn('/* As it is written. ("fullName", required) */\n    mcpw_str full_name;', self.text)

    def test_a_member_of_the_same_name_that_may_be_absent_needs_no_note(self) -> None:
        self.assertIn("/* As it is. */\n    mcpw_str plain;", self.text)

    def test_a_member_that_nobody_describes_is_named(self) -> None:
        self.assertIn('/* The member "bare". */\n    mcpw_str bare;', self.text)

    def test_enumerators_show_their_text(self) -> None:
        self.assertIn('ROLE_A_B = 2, /* "a-b" */', self.text)

    def test_kinds_name_the_member_that_holds_the_value(self) -> None:
        self.assertIn("CHOICE_BLOCK = 1, /* as.block */", self.text)
        self.assertIn("CHOICE_NULL = 2, /* null, nothing is stored */", self.text)

    def test_members_of_a_union_name_their_kind(self) -> None:
        self.assertRegex(self.text, r"/\* MCP_20000101_CHOICE_BLOCK \*/\n        \w+ block;")


class ShortNameTest(unittest.TestCase):
    def test_a_short_name_has_its_line_in_its_definition(self) -> None:
        text = generated(Facts(REVISION))["names.h"]
        self.assertIn("#define mcp_block /* Block: Some text. */ mcp_20000101_block\n", text)

    def test_none_lacks_a_line(self) -> None:
        for line in re.findall(r"^#define .*", generated(Facts(REVISION))["names.h"], re.MULTILINE):
            with self.subTest(line):
                self.assertRegex(line, r"^#define \w+_H$|^#define \w+ /\* \S.* \*/ \w+$")


class FunctionTest(unittest.TestCase):
    def test_each_function_of_a_type_says_what_it_does(self) -> None:
        text = generated(Facts(REVISION))["codec.h"]
        for line in re.findall(r"(.*)\nMCPW_NODISCARD static inline", text):
            self.assertRegex(line, r"^/\* .*; see mcpw_\w+\. \*/$")


class ReferenceTest(unittest.TestCase):
    """schema/reference.json"""

    def test_what_is_unlisted_is_a_definition_of_the_revision(self) -> None:
        rows = json.loads((SCHEMA_DIR / "reference.json").read_text("utf-8"))["revisions"]
        revisions = load_revisions(SCHEMA_DIR)
        for row in rows:
            name = row["revision"]
            document = load_document(revisions.schema_file(name), name, revisions.errata_file(name))
            with self.subTest(name):
                self.assertLessEqual(set(row["unlisted"]), {d.name for d in document.definitions})
                self.assertEqual(load(SCHEMA_DIR, name).reference.page, row["page"])

    def test_a_revision_without_a_row_has_no_page(self) -> None:
        self.assertEqual(load(SCHEMA_DIR, "2024-11-05").reference, Reference())


if __name__ == "__main__":
    unittest.main()
