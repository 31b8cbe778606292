# SPDX-License-Identifier: MIT
"""References by `$id` and anchors, and keywords that a dialect does not know: read as JSON Schema says, with
python-jsonschema and the suite of JSON Schema as judges."""

from __future__ import annotations

import contextlib
import json
import os
import re
import unittest
from decimal import Decimal
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

from codegen.errors import Refusal
from codegen.model.nodes import DemandedType, Document
from tests.codegen.support import DRAFT_07, DRAFT_2020_12, build
from tests.codegen.verdict import accepts

try:
    import jsonschema
except ModuleNotFoundError:
    jsonschema = None

DRAFT_2019_09 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_06 = "http://json-schema.org/draft-06/schema#"
VALUES: Tuple[Any, ...] = (None, True, 1, 0.5, "a", "abc", [], ["a"], [1], ["a", 1], {}, {"a": 1}, {"a": "x"})
VALUES += ({"a": "x", "b": 1}, {"b": {"a": "x"}}, {"b": {"a": 1}}, {"n": {"n": {"a": 1}}}, ["a", 1, True])
INTEGER = {"type": "integer"}
STRING = {"type": "string"}


def schema_of(dialect: str, **definitions: Any) -> Dict[str, Any]:
    return {"$schema": dialect, "definitions" if "draft-0" in dialect else "$defs": definitions}


class VerdictTest(unittest.TestCase):
    """The values that a definition X accepts."""

    def setUp(self) -> None:
        if jsonschema is None:
            self.skipTest("skipped: no python3-jsonschema")

    def assert_judged(self, document: Dict[str, Any]) -> List[bool]:
        """Each value has the verdict of python-jsonschema. Returns the verdicts."""
        model = build(document)
        node = model.definition("X").node
        place = "definitions" if "definitions" in document else "$defs"
        judge = jsonschema.validators.validator_for(document)({**document, "$ref": f"#/{place}/X"})
        found = [accepts(model, node, value) for value in VALUES]
        self.assertEqual(found, [judge.is_valid(value) for value in VALUES])
        return found

    def assert_parts(self, document: Dict[str, Any]) -> None:
        """The same, and some values are accepted and some are not."""
        self.assertEqual(set(self.assert_judged(document)), {True, False})

    def assert_accepts(self, document: Dict[str, Any], *accepted: Any) -> None:
        """These values are accepted, which older validators misjudge."""
        model = build(document)
        self.assertEqual([value for value in VALUES if _accepts(model, value)], [*accepted])

    def test_what_a_text_contains_has_no_say(self) -> None:
        for dialect in (DRAFT_07, DRAFT_2020_12):
            with self.subTest(dialect):
                content = {"contentEncoding": "base64", "contentMediaType": "application/json"}
                self.assert_parts(schema_of(dialect, X={**STRING, **content}))

    def test_an_anchor(self) -> None:
        for dialect in (DRAFT_2019_09, DRAFT_2020_12):
            with self.subTest(dialect):
                named = {"$anchor": "here", **INTEGER}
                self.assert_parts(schema_of(dialect, X={"$ref": "#here"}, Y=named))
                inside = {"properties": {"a": named}, "required": ["a"]}
                self.assert_parts(schema_of(dialect, X={"items": {"$ref": "#here"}}, Y=inside))

    def test_an_id_that_is_an_anchor_of_the_older_dialects(self) -> None:
        for dialect in (DRAFT_06, DRAFT_07):
            with self.subTest(dialect):
                self.assert_parts(schema_of(dialect, X={"$ref": "#here"}, Y={"$id": "#here", **INTEGER}))

    def test_an_id_changes_what_references_mean(self) -> None:
        for dialect in (DRAFT_07, DRAFT_2019_09, DRAFT_2020_12):
            place = "definitions" if dialect == DRAFT_07 else "$defs"
            inner = {"$id": "http://x.test/y", place: {"n": INTEGER}, "items": {"$ref": f"#/{place}/n"}}
            outer = {"$ref": "http://x.test/y"}
            with self.subTest(dialect):
                document = schema_of(dialect, X=outer, Y={"type": "array", **inner}, n=STRING)
                self.assert_parts(document)

    def test_relative_ids_stand_on_those_around_them(self) -> None:
        for dialect in (DRAFT_2019_09, DRAFT_2020_12):
            inner = {"$id": "b.json", "$anchor": "c", **INTEGER}
            outer = {"$id": "http://x.test/d/a.json", "properties": {"a": inner, "b": {"$ref": "b.json#c"}}}
            with self.subTest(dialect):
                self.assert_accepts(schema_of(dialect, X={"$ref": "http://x.test/d/b.json"}, Y=outer), 1)
                model = build(schema_of(dialect, X={"$ref": "http://x.test/d/a.json"}, Y=outer))
                self.assertEqual([_accepts(model, {"b": value}) for value in (1, "x")], [True, False])

    def test_an_id_of_the_document(self) -> None:
        document = schema_of(DRAFT_2020_12, X={"$ref": "http://x.test/s#/$defs/Y"}, Y=INTEGER)
        self.assert_parts({**document, "$id": "http://x.test/s"})

    def test_a_dynamic_reference_to_the_one_anchor_that_there_is(self) -> None:
        node = {"$dynamicAnchor": "node", "properties": {"n": {"$dynamicRef": "#node"}, "a": INTEGER}}
        self.assert_parts(schema_of(DRAFT_2020_12, X=node))
        self.assert_parts(schema_of(DRAFT_2020_12, X={"$dynamicRef": "#y"}, Y={"$anchor": "y", **INTEGER}))
        both = {"$dynamicRef": "#y", "$ref": "#/$defs/Z"}
        others = {"Y": {"$dynamicAnchor": "y", "minimum": 1}, "Z": {"type": ["integer", "null"]}}
        self.assert_parts(schema_of(DRAFT_2020_12, X=both, **others))

    def test_what_is_not_evaluated(self) -> None:
        for dialect in (DRAFT_2019_09, DRAFT_2020_12):
            closed = {"properties": {"a": {}}, "allOf": [{"properties": {"b": INTEGER}}]}
            with self.subTest(dialect):
                self.assert_parts(schema_of(dialect, X={**closed, "unevaluatedProperties": False}))
                self.assert_parts(schema_of(dialect, X={**closed, "unevaluatedProperties": STRING}))
        arrays = ([], ["a"], ["a", 1])
        later = {"type": "array", "items": [STRING], "allOf": [{"items": [True, INTEGER]}]}
        self.assert_accepts(schema_of(DRAFT_2019_09, X={**later, "unevaluatedItems": False}), *arrays)
        later = {"type": "array", "prefixItems": [STRING], "allOf": [{"prefixItems": [True, INTEGER]}]}
        self.assert_accepts(schema_of(DRAFT_2020_12, X={**later, "unevaluatedItems": False}), *arrays)

    def test_what_an_array_contains_is_evaluated_since_2020_12(self) -> None:
        schema = {"type": "array", "contains": STRING, "minContains": 2, "unevaluatedItems": INTEGER}
        for dialect, found in (
            (DRAFT_2020_12, {"contains": STRING, "minContains": 2}),
            (DRAFT_2019_09, {"allOf": [{"not": {"not": {"contains": STRING, "minContains": 2}}}]}),
        ):
            node = build(schema_of(dialect, X=schema)).definition("X").node
            assert isinstance(node, DemandedType)
            demanded = json.loads(node.residuals[0].text)
            self.assertEqual(demanded, {"type": "array", **found, "unevaluatedItems": INTEGER})

    def test_what_a_dialect_does_not_know_is_ignored(self) -> None:
        ignored = {"$anchor": 7, "$dynamicRef": "#gone", "dependentRequired": {"a": ["b"]}, "minContains": 2}
        ignored.update({"prefixItems": [False], "unevaluatedItems": False, "$recursiveRef": "#"})
        self.assert_parts(schema_of(DRAFT_07, X={"type": ["array", "string"], **ignored}))
        older = {"dependencies": {"a": ["b"]}, "additionalItems": False, "$recursiveRef": "#gone"}
        self.assert_parts(schema_of(DRAFT_2020_12, X={"type": ["array", "object"], **older}))
        self.assert_parts(schema_of(DRAFT_2019_09, X={**INTEGER, "$dynamicRef": "#gone", "prefixItems": [1]}))

    def test_a_constant_names_nothing(self) -> None:
        constant = {"const": {"$id": "http://x.test/y", "$anchor": "y"}}
        named = {"$anchor": "y", **INTEGER}
        self.assert_parts(schema_of(DRAFT_2020_12, X={"$ref": "#y"}, Y=named, Z=constant))


class RefusedTest(unittest.TestCase):
    def refused(self, document: Dict[str, Any]) -> List[str]:
        with self.assertRaises(Refusal) as caught:
            build(document)
        return [f"{each.pointer}: {each.cause}" for each in caught.exception.all]

    def test_names_that_are_none_and_references_to_nothing_come_in_one_run(self) -> None:
        document = schema_of(
            DRAFT_2020_12,
            A={"$anchor": "a"},
            B={"$anchor": "a"},
            C={"$id": 7},
            D={"$id": "http://x.test/d#part"},
            E={"$ref": "#gone"},
            F={"$ref": "http://x.test/gone"},
            G={"$anchor": False},
        )
        self.assertEqual(
            self.refused(document),
            [
                '/$defs/B/$anchor: "$anchor" "a" stands twice',
                '/$defs/C/$id: "$id" must be a string, not 7',
                '/$defs/D/$id: "$id" must have no fragment, but "http://x.test/d#part" has one',
                '/$defs/G/$anchor: "$anchor" must be a string, not false',
                '/$defs/E/$ref: "#gone" is not of the form #/$defs/NAME',
                '/$defs/F/$ref: "http://x.test/gone" refers to another document',
            ],
        )

    def test_a_dynamic_reference_that_several_anchors_may_be_meant_by(self) -> None:
        first = {"$id": "http://x.test/1", "$dynamicAnchor": "y", "items": {"$dynamicRef": "#y"}}
        second = {"$id": "http://x.test/2", "$dynamicAnchor": "y", **INTEGER}
        cause = '"$dynamicRef" is not generated: it leads nowhere, or where depends on the way to it'
        found = self.refused(schema_of(DRAFT_2020_12, X=first, Y=second))
        self.assertEqual(found, [f"/$defs/X/items/$dynamicRef: {cause}"])


class SuiteTest(unittest.TestCase):
    """Each schema of JSON Schema's own suite as a definition: it has the suite's verdict, or is refused."""

    def judged(self, dialect: str, folder: str) -> Tuple[int, int, List[str]]:
        place = os.environ.get("MCPW_SCHEMA_SUITE", "")
        if not place:
            self.skipTest("skipped: MCPW_SCHEMA_SUITE names no folder of JSON Schema's suite")
        if jsonschema is None:
            self.skipTest("skipped: no python3-jsonschema")
        asked, refused, differences = 0, 0, []
        for name, group in _groups(Path(place) / "tests" / folder):
            try:
                model = build(schema_of(dialect, X=_named(group["schema"])))
            except Refusal:
                refused += 1
                continue
            for test in group["tests"]:
                with contextlib.suppress(re.error, ArithmeticError):  # what Python cannot judge
                    accepted = _accepts(model, test["data"])
                    asked += 1
                    if accepted != test["valid"]:
                        differences.append(f"{name}: {group['description']}: {test['description']}")
        return asked, refused, differences

    def test_2020_12(self) -> None:
        asked, refused, differences = self.judged(DRAFT_2020_12, "draft2020-12")
        print(f"2020-12: {asked} values, {refused} schemas refused, {len(differences)} differences")
        self.assertEqual(differences, [])

    def test_draft_07(self) -> None:
        asked, refused, differences = self.judged(DRAFT_07, "draft7")
        print(f"draft-07: {asked} values, {refused} schemas refused, {len(differences)} differences")
        self.assertEqual(differences, [])


# Dialects of a user's own, and what older versions of python-jsonschema misjudge, which judges demands here.
_APART = ("vocabulary", "unevaluated")


def _groups(folder: Path) -> Iterator[Tuple[str, Any]]:
    for file in sorted(folder.glob("*.json")):
        if not file.stem.startswith(_APART):
            groups = json.loads(file.read_text("utf-8"))
            exact = json.loads(file.read_text("utf-8"), parse_float=Decimal)
            for group, same in zip(groups, exact):
                yield file.stem, {**group, "schema": same["schema"]}


def _named(schema: Any) -> Any:
    """A schema with a name of its own, so that it may stand inside of a document."""
    if not isinstance(schema, dict):
        return schema
    rest = {keyword: value for keyword, value in schema.items() if keyword != "$schema"}
    return {"$id": "http://suite.test/schema", **rest}


def _accepts(model: Document, value: Any) -> bool:
    return accepts(model, model.definition("X").node, value)


if __name__ == "__main__":
    unittest.main()
