# SPDX-License-Identifier: MIT
# Slow: two revisions are compared value by value.
"""Our overlay of the apps extension, and the schema that its package publishes. The published one is written
by a program from types. It closes objects that the types leave open, and writes out the revision's own types,
some of them in a looser form. Ours refers to those of the revision. Nothing else may differ."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, Iterator, List

from tests.codegen.support import SCHEMA_DIR, run
from tests.codegen.typescript_support import PLACE

PUBLISHED = PLACE / "node_modules/@modelcontextprotocol/ext-apps/dist/src/generated/schema.json"
OURS = SCHEMA_DIR / "overlays" / "2026-07-28-ui.json"
TAKES_MORE = re.compile(
    r"  McpUi\w+: the published schema refuses what the overlay takes: .*"
    r"(other members are not allowed|more is demanded than the types say|not one of the alternatives)"
)
# The value of a CSS variable may be anything there, the size of a link no whole number.
TAKES_LESS = re.compile(
    r"  McpUi\w+: the overlay refuses what the published schema takes: "
    r"(\S*/\*: an object is refused where a string is expected"
    r"|/params/contents?/\*: an object is not one of the alternatives)"
)
LEFT_BEHIND = re.compile(r"  McpUi\w+\.__schema0: published, but not in the overlay")


def departures(
    ours: Dict[str, Any], schema: Dict[str, Any], published: Dict[str, Any], place: str
) -> Iterator[str]:
    """The members that one alone of two schemas has or requires, but for types of the revision."""
    name = schema.get("$ref", "").rpartition("/")[2]
    if name and name not in ours:
        return
    schema = ours.get(name, schema)
    members = schema.get("properties", {})
    theirs = {key: each for key, each in published.get("properties", {}).items() if each != {"not": {}}}
    if "allOf" in published:  # of alternatives, which together have the members of ours
        parts = [each for part in published["allOf"] for each in part["anyOf"]]
        theirs = {key: each for part in parts for key, each in part["properties"].items()}
    if set(members) != set(theirs):
        yield f"{place}: members {sorted(set(members) ^ set(theirs))}"
    if set(schema.get("required", ())) != set(published.get("required", ())):
        yield f"{place}: required {sorted(set(schema.get('required', ())) ^ set(published['required']))}"
    for key in sorted(set(members) & set(theirs)):
        yield from departures(ours, members[key], theirs[key], f"{place}.{key}")


class AppsTest(unittest.TestCase):
    def setUp(self) -> None:
        if not PUBLISHED.is_file():
            self.skipTest("the apps extension is not installed: run tests/codegen/typescript/setup.sh FOLDER")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.schema = Path(folder.name) / "ui" / "schema.json"
        self.schema.parent.mkdir()
        shutil.copy(PUBLISHED, self.schema)

    def found(self) -> List[str]:
        status, out, err = run("verify", "--overlay", self.schema)
        self.assertEqual((status, err), (1, ""))
        return out.splitlines()[1:]

    def test_it_differs_where_the_published_schema_does_from_the_types(self) -> None:
        known = (TAKES_MORE, TAKES_LESS, LEFT_BEHIND)
        others = [line for line in self.found() if not any(each.fullmatch(line) for each in known)]
        self.assertEqual(others, [])

    def test_objects_have_the_published_members(self) -> None:
        theirs = json.loads(PUBLISHED.read_text("utf-8"))["$defs"]
        ours = json.loads(OURS.read_text("utf-8"))["definitions"]
        self.assertEqual(set(ours), set(theirs))
        found = [line for name in theirs for line in departures(ours, ours[name], theirs[name], name)]
        # Hosts may state any subset of the variables: the program makes members that may be absent required.
        self.assertEqual([line for line in found if "--" not in line], [])

    def test_a_member_that_is_missing_would_be_found(self) -> None:
        ours = {"A": {"type": "object", "properties": {"b": {"$ref": "#/definitions/B"}}}, "B": {}}
        theirs = {"properties": {"b": {"properties": {"c": {}}, "required": ["c"]}, "no": {"not": {}}}}
        want = ["A.b: members ['c']", "A.b: required ['c']"]
        self.assertEqual(list(departures(ours, ours["A"], theirs, "A")), want)

    def test_our_statement_joins_it_to_the_revision(self) -> None:
        out = self.schema.parent.parent / "out"
        status, _, err = run("generate", "--revision", "2026-07-28", "--overlay", self.schema, "--out", out)
        self.assertEqual(status, 0)
        self.assertNotIn("taken to be alternatives", err)


if __name__ == "__main__":
    unittest.main()
