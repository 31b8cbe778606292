# SPDX-License-Identifier: MIT
"""The parts that published schemas of extensions have lost when a program wrote them, and their
restoration."""

from __future__ import annotations

import unittest
from typing import Any, Dict

from codegen.facts.docs import Docs
from codegen.source.described import about, with_named_choices

STATUS: Dict[str, Any] = {
    "anyOf": [{"type": "string", "const": "working"}, {"type": "string", "const": "done"}]
}


class Described(unittest.TestCase):
    def test_a_choice_that_a_definition_names_is_a_reference(self) -> None:
        task = {"type": "object", "properties": {"status": STATUS, "other": {"enum": ["a", "b"]}}}
        made = with_named_choices(task, {"Status": {"$schema": "x", **STATUS}, "Task": task}, "$defs")
        assert isinstance(made, dict)
        self.assertEqual(
            made["properties"], {"status": {"$ref": "#/$defs/Status"}, "other": {"enum": ["a", "b"]}}
        )

    def test_members_that_all_of_brings_in_are_described(self) -> None:
        task = {"properties": {"ttlMs": {"description": "Until it is forgotten."}}}
        result = {"description": "Answers.", "allOf": [{"$ref": "#/definitions/Task"}]}
        found: Dict[str, str] = {}
        about({"Task": task, "Result": result}, "Result", "Result", found)
        self.assertEqual(found, {"Result": "Answers.", "Result.ttlMs": "Until it is forgotten."})

    def test_lines_about_the_members_of_others_are_not_about_an_overlays(self) -> None:
        docs = Docs({"*.ttlMs": (("", "Of a cache."),), "*._meta": (("", "Data."),)}).told_by({"Task"}, {})
        self.assertIsNone(docs.line("2026-07-28", "Task.ttlMs"))
        self.assertEqual(docs.line("2026-07-28", "Task._meta"), "Data.")
        self.assertEqual(docs.line("2026-07-28", "Tool.ttlMs"), "Of a cache.")


if __name__ == "__main__":
    unittest.main()
