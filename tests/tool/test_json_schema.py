"""validate --json-schema: any JSON against any schema."""

import json
import unittest

from tests.tool.support import ROOT, Result, ToolTest

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "day": {"format": "date"}},
    "required": ["city"],
    "additionalProperties": False,
}
GOOD = {"city": "Rome"}
BAD = {"day": 7, "x": 1}


class JsonSchema(ToolTest):
    def check(self, schema: object, *values: object, options: str = "--ndjson") -> Result:
        self.file("schema.json", json.dumps(schema))
        return self.validate("--json-schema", "schema.json", *options.split(), self.lines("values", *values))

    def test_values_that_fit(self) -> None:
        done = self.check(SCHEMA, GOOD, GOOD)
        self.assertEqual((done.out, done.err, done.code), ("2 values valid\n", "", 0))

    def test_the_first_error_of_a_value(self) -> None:
        done = self.check(SCHEMA, GOOD, BAD)
        self.assertEqual(done.out, "values:2: /x: member 'x' is not allowed here\n1 of 2 values invalid\n")
        self.assertEqual(done.code, 1)

    def test_all_errors(self) -> None:
        done = self.check(SCHEMA, BAD, options="--ndjson --all-errors --format json")
        self.assertEqual([error["pointer"] for error in done.values()[0]["errors"]], ["/x", ""])

    def test_several_files_that_hold_one_value_each(self) -> None:
        self.file("schema.json", json.dumps(SCHEMA))
        names = [self.file(name, json.dumps(value, indent=1)) for name, value in (("a", GOOD), ("b", BAD))]
        done = self.validate("--json-schema", "schema.json", *names)
        self.assertEqual(done.out, "b:3: /x: member 'x' is not allowed here\n1 of 2 values invalid\n")

    def test_formats_are_asserted_when_strict(self) -> None:
        value = {"city": "Rome", "day": "soon"}
        self.assertEqual(self.check(SCHEMA, value).code, 0)
        done = self.check(SCHEMA, value, options="--ndjson --strict")
        self.assertIn("values:1: /day: string is no date", done.out)

    def test_a_value_in_a_line_that_holds_more(self) -> None:
        done = self.check(SCHEMA, {"of": "me", "body": BAD}, options="--ndjson --message /body")
        self.assertIn("values:1: /x: member 'x' is not allowed here", done.out)

    def test_text_that_is_no_json(self) -> None:
        done = self.check(SCHEMA, "{")
        self.assertEqual(done.code, 1)
        self.assertIn("values:1: ", done.out)

    def test_any_value_is_checked_messages_of_the_protocol_too(self) -> None:
        schema = ROOT / "schema/2025-11-25/schema.json"
        if not schema.exists():
            self.skipTest("there is no schema/2025-11-25/schema.json")
        done = self.validate("--json-schema", str(schema), self.file("v", "[1]"))
        self.assertEqual(done.code, 0, done.err)


class Refused(ToolTest):
    def check(self, schema: str, *options: str) -> Result:
        self.file("schema.json", schema)
        return self.validate("--json-schema", "schema.json", *options, self.file("value", "1"))

    def test_a_schema_that_is_none(self) -> None:
        done = self.check('{"properties":{"a":{"type":"text"}}}')
        self.assert_usage_error(
            done,
            "schema.json is not a schema: /properties/a/type: a type is array, boolean, integer, null, "
            "number, object or string",
        )

    def test_a_schema_that_is_no_json(self) -> None:
        self.assert_usage_error(self.check("{"), "schema.json is not a schema: text is not valid JSON")

    def test_references_to_other_documents(self) -> None:
        done = self.check('{"$ref":"https://example.org/a"}')
        self.assert_usage_error(
            done,
            "schema.json is not a schema: /$ref: 'https://example.org/a' is not in this schema, and no "
            "resolver gives it",
        )

    def test_a_file_that_is_not_there(self) -> None:
        done = self.validate("--json-schema", "nowhere", self.file("value", "1"))
        self.assertEqual(done.code, 2)
        self.assertIn("nowhere", done.err)

    def test_options_that_do_not_go_with_it(self) -> None:
        for option, value in (("--type", "Tool"), ("--revision", "2025-11-25")):
            done = self.check("{}", option, value)
            self.assert_usage_error(done, f"--json-schema is for any JSON: it excludes {option}")


if __name__ == "__main__":
    unittest.main()
