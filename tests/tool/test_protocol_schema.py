"""validate --schema: messages against a schema of the protocol that was never compiled in."""

import copy
import json
import os
import unittest
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

from tests.tool.support import ROOT, Result, ToolTest, error, notification, request, result

REVISIONS = sorted(path.parent.name for path in (ROOT / "schema").glob("*/schema.json"))
WRONG: Tuple[Any, ...] = (None, 7, "x", {}, [7])
CALL = request(1, "tools/call", {"name": "add"})
DONE = {"content": [{"type": "text", "text": "3"}]}
INITIALIZE = {"protocolVersion": "x", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}


def published(revision: str) -> Dict[str, Any]:
    schema: Dict[str, Any] = json.loads((ROOT / "schema" / revision / "schema.json").read_text("utf-8"))
    return schema


def keyword_of(schema: Dict[str, Any]) -> str:
    return "$defs" if "$defs" in schema else "definitions"


def variations(value: Any) -> Iterator[Any]:
    """The value, and it with one member or item missing or wrong."""
    yield value
    if isinstance(value, (dict, list)):
        places: List[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
        for place in places:
            less = copy.copy(value)
            del less[place]
            yield less
            for changed in (*WRONG, *list(variations(value[place]))[1:]):
                other = copy.copy(value)
                other[place] = changed
                yield other


class Judge:
    """The verdict of python-jsonschema on the definitions of a schema."""

    def __init__(self, test: unittest.TestCase, schema: Dict[str, Any]) -> None:
        try:
            import jsonschema
        except ImportError:
            test.skipTest("no python-jsonschema is installed")
        self._module = jsonschema
        self._schema = schema
        self._known: Dict[str, Any] = {}

    def accepts(self, definition: str, value: object) -> bool:
        if definition not in self._known:
            word = keyword_of(self._schema)
            root = {**self._schema, "allOf": [{"$ref": f"#/{word}/{definition}"}]}
            self._known[definition] = self._module.validators.validator_for(root)(root)
        return bool(self._known[definition].is_valid(value))


class ProtocolTest(ToolTest):
    def check(self, schema: object, *values: object, options: str = "--ndjson") -> Result:
        self.file("proto.json", json.dumps(schema))
        return self.validate("--schema", "proto.json", *options.split(), self.lines("values", *values))

    def verdicts(self, schema: object, *values: object, options: str = "") -> List[bool]:
        done = self.check(schema, *values, options=f"--ndjson --format json {options}")
        self.assertIn(done.code, (0, 1), done.err)
        return [value["valid"] for value in done.values()]

    def assert_same(self, expected: List[bool], found: List[bool], values: List[Any]) -> None:
        self.assertEqual(len(expected), len(found))
        other = [v for v, a, b in zip(values, expected, found) if a != b]
        self.assertEqual(other, [], "python-jsonschema says otherwise")


class Published(ProtocolTest):
    """The five published schemas, as if nobody knew them."""

    def session(self) -> List[Tuple[Any, Tuple[str, ...]]]:  # type: ignore[override]
        """Messages, and the definitions that each of them and its result must meet."""
        return [
            (CALL, ("JSONRPCRequest", "CallToolRequest")),
            (request("a", "resources/read", {"uri": "file:///a"}), ("JSONRPCRequest", "ReadResourceRequest")),
            (
                notification("notifications/progress", {"progressToken": 1, "progress": 0.5}),
                ("JSONRPCNotification", "ProgressNotification"),
            ),
            (
                notification("notifications/cancelled", {"requestId": 1}),
                ("JSONRPCNotification", "CancelledNotification"),
            ),
            (notification("custom/event", {"a": 1}), ("JSONRPCNotification",)),
        ]

    def test_requests_and_notifications(self) -> None:
        for revision in REVISIONS:
            schema = published(revision)
            judge = Judge(self, schema)
            rows = [(v, names) for message, names in self.session() for v in self.kept(message)]
            expected = [all(judge.accepts(name, v) for name in names) for v, names in rows]
            with self.subTest(revision):
                self.assertIn(False, expected)
                values = [v for v, _ in rows]
                self.assert_same(expected, self.verdicts(schema, *values, options="--max-open 0"), values)

    def kept(self, message: Dict[str, Any]) -> List[Any]:
        """Variations that are still a message of the same method."""
        same = [v for v in variations(message) if v.get("method") == message["method"]]
        return [v for v in same if ("id" in v) == ("id" in message)]

    def test_results(self) -> None:
        for revision in REVISIONS:
            schema = published(revision)
            judge = Judge(self, schema)
            word = schema[keyword_of(schema)]
            response = "CallToolResultResponse" if "CallToolResultResponse" in word else None
            values = [v for v in variations(result(1, DONE)) if "result" in v and v.get("id") == 1]
            with self.subTest(revision):
                expected = [self.is_answer(judge, response, v) for v in values]
                self.assertIn(False, expected)
                session = [m for v in values for m in (CALL, v)]
                self.assert_same(expected, self.verdicts(schema, *session)[1::2], values)

    def is_answer(self, judge: Judge, response: Optional[str], value: Dict[str, Any]) -> bool:
        if response is not None:
            return judge.accepts(response, value)
        envelope = value.get("jsonrpc") == "2.0" and isinstance(value["result"], dict)
        return envelope and judge.accepts("CallToolResult", value["result"])

    def test_errors(self) -> None:
        for revision in REVISIONS:
            schema = published(revision)
            names = schema[keyword_of(schema)]
            name = "JSONRPCErrorResponse" if "JSONRPCErrorResponse" in names else "JSONRPCError"
            judge = Judge(self, schema)
            values = [v for v in variations(error(1)) if "error" in v]
            with self.subTest(revision):
                expected = [judge.accepts(name, v) for v in values]
                self.assert_same(expected, self.verdicts(schema, *values), values)

    def test_each_is_nearest_to_itself(self) -> None:
        for revision in REVISIONS:
            with self.subTest(revision):
                done = self.check(published(revision), CALL)
                self.assertEqual(
                    done.err,
                    f"mcpwire: proto.json: methods have the results of {revision}, the nearest revision "
                    "(--like names another)\n",
                )

    def test_a_file_without_its_dialect(self) -> None:
        for revision in REVISIONS:
            schema = published(revision)
            del schema["$schema"]
            with self.subTest(revision):
                bad = request(1, "tools/call", {"name": 1})
                self.assertEqual(self.verdicts(schema, bad), [False])


class Examples(ProtocolTest):
    """The examples that the specification publishes, and variations of them."""

    def examples(self) -> Iterator[Tuple[Dict[str, Any], str, List[Any]]]:
        root = os.environ.get("MCP_SPEC_DIR", "")
        folders = sorted(Path(root).glob("*/examples")) if root else []
        if not folders:
            self.skipTest("MCP_SPEC_DIR names no folder with examples of the specification")
        for folder in folders:
            schema = json.loads((folder.parent / "schema.json").read_text("utf-8"))
            for kind in sorted(folder.iterdir()):
                texts = [path.read_text("utf-8") for path in sorted(kind.glob("*.json"))]
                yield schema, kind.name, [v for text in texts for v in variations(json.loads(text))]

    def test_values_of_each_definition(self) -> None:
        judge: Optional[Judge] = None
        for schema, name, values in self.examples():
            judge = judge or Judge(self, schema)
            with self.subTest(name):
                expected = [judge.accepts(name, v) for v in values]
                found = self.verdicts(schema, *values, options=f"--type {name}")
                self.assert_same(expected, found, values)

    def test_messages(self) -> None:
        judge: Optional[Judge] = None
        seen = 0
        for schema, name, values in self.examples():
            judge = judge or Judge(self, schema)
            whole = "jsonrpc" in values[0] and "method" in values[0]
            if whole:
                method, has_id = values[0]["method"], "id" in values[0]
                values = [v for v in values if v.get("method") == method and ("id" in v) == has_id]
                seen += len(values)
                with self.subTest(name):
                    expected = [judge.accepts(name, v) for v in values]
                    found = self.verdicts(schema, *values, options="--max-open 0")
                    self.assert_same(expected, found, values)
        self.assertGreater(seen, 100)


class Own(ProtocolTest):
    """A schema that nobody has published."""

    def setUp(self) -> None:
        super().setUp()
        self.schema = published("2025-11-25")
        self.definitions = self.schema["$defs"]

    def add_method(self, result_name: str) -> None:
        base = self.definitions["PingRequest"]
        sing = json.loads(json.dumps(base).replace('"ping"', '"voice/sing"'))
        sing["properties"]["params"] = {"type": "object", "required": ["song"]}
        self.definitions["SingRequest"] = sing
        self.definitions[result_name] = {"type": "object", "required": ["loudness"]}

    def test_a_method_that_no_revision_has(self) -> None:
        self.add_method("SingResult")
        session = [request(1, "voice/sing", {"song": "a"}), request(2, "voice/sing", {})]
        answers = [result(1, {"loudness": 1}), result(2, {})]
        self.assertEqual(self.verdicts(self.schema, *session, *answers), [True, False, True, False])

    def test_the_place_of_an_error_in_a_result(self) -> None:
        done = self.check(self.schema, request(1, "tools/list"), result(1, {"tools": 1}))
        self.assertEqual(
            done.out, "values:2: /result/tools: expected array, got number\n1 of 2 values invalid\n"
        )

    def test_like_decides_which_result_a_method_has(self) -> None:
        self.definitions["Odd"] = copy.deepcopy(self.definitions["CreateTaskResult"])
        session = [request(1, "tools/call", {"name": "a", "task": {}}), result(1, DONE)]
        self.assertEqual(self.verdicts(self.schema, *session, options="--like 2025-11-25"), [True, False])
        self.assertEqual(self.verdicts(self.schema, *session, options="--like 2025-06-18"), [True, True])

    def test_a_name_that_has_to_be_escaped(self) -> None:
        self.definitions["a/b~c %é"] = {"type": "string"}
        done = self.validate(
            "--schema",
            self.file("p.json", json.dumps(self.schema)),
            "--type",
            "a/b~c %é",
            self.file("v", "1"),
        )
        self.assertEqual(done.out, "v:1: /: expected string, got number\n1 of 1 value invalid\n")

    def test_a_result_that_nothing_defines_is_said(self) -> None:
        self.add_method("Loudness")
        done = self.check(self.schema, CALL, options="--ndjson --like 2025-11-25")
        self.assertEqual(
            done.err,
            "mcpwire: proto.json: results without a definition are checked only as objects: 1, "
            "such as that of voice/sing\n",
        )

    def test_a_method_that_the_schema_lacks(self) -> None:
        done = self.check(self.schema, request(1, "voice/sing"))
        self.assertIn('the schema has no method "voice/sing": its params are not checked', done.out)

    def test_batches_where_the_schema_has_them(self) -> None:
        batch = [CALL, request(2, "tools/call", {"name": 1})]
        done = self.check(published("2025-03-26"), batch)
        self.assertIn("values:1: /1/params/name: expected string, got number", done.out)
        self.assertEqual(self.verdicts(published("2025-06-18"), [CALL]), [False])

    def test_all_errors(self) -> None:
        bad = request(1, "tools/call", {"name": 1, "arguments": 2})
        done = self.check(self.schema, bad, options="--ndjson --all-errors --format json")
        pointers = {e["pointer"] for e in done.values()[0]["errors"]}
        self.assertEqual(pointers, {"/params/name", "/params/arguments"})

    def test_formats_of_the_report(self) -> None:
        bad = request(1, "tools/call", {"name": 1})
        for name, piece in (("github", "::error file=values,line=1"), ("junit", "<failure")):
            done = self.check(self.schema, bad, options=f"--ndjson --format {name}")
            self.assertIn(piece, done.out)
            self.assertEqual(done.code, 1)


class Refused(ProtocolTest):
    def refused(self, text: str, *options: str) -> Result:
        self.file("proto.json", text)
        return self.validate("--schema", "proto.json", *options, self.file("value", "1"))

    def test_no_json(self) -> None:
        done = self.refused("{")
        self.assertTrue(
            done.err.startswith("mcpwire: proto.json is not a schema of the protocol: "), done.err
        )
        self.assertEqual((done.code, done.err.count("\n")), (2, 1))

    def test_no_definitions(self) -> None:
        message = "proto.json is not a schema of the protocol: it has neither $defs nor definitions"
        self.assert_usage_error(self.refused('{"type":"object"}'), message)

    def test_definitions_that_are_none(self) -> None:
        message = "proto.json is not a schema of the protocol: /$defs: definitions are an object"
        self.assert_usage_error(self.refused('{"$defs":[]}'), message)

    def test_no_envelope(self) -> None:
        self.assert_usage_error(
            self.refused('{"$defs":{"A":{"type":"object"}}}'),
            "proto.json is not a schema of the protocol: /$defs: there is no definition JSONRPCRequest",
        )

    def test_a_broken_definition_that_no_message_needs(self) -> None:
        for broken, pointer in (
            ({"properties": {"x": {"type": "text"}}}, "/$defs/Odd/properties/x/type"),
            ({"items": {"$ref": "#/$defs/Nowhere"}}, "/$defs/Odd/items/$ref"),
        ):
            schema = published("2025-11-25")
            schema["$defs"]["Odd"] = broken
            done = self.refused(json.dumps(schema))
            self.assertIn(f"proto.json is not a schema: {pointer}: ", done.err)
            self.assertNotIn("mcpwire:/", done.err, "the name that the file has inside the command")
            self.assertEqual((done.code, done.out, done.err.count("\n")), (2, "", 1))

    def test_a_type_that_is_none(self) -> None:
        schema = json.dumps(published("2025-11-25"))
        done = self.refused(schema, "--type", "CallToolResul")
        self.assert_usage_error(
            done, 'proto.json has no definition "CallToolResul"; did you mean CallToolResult?'
        )

    def test_options_that_do_not_go_with_it(self) -> None:
        done = self.refused("{}", "--revision", "2025-11-25")
        self.assert_usage_error(done, "--schema is a revision of its own: it excludes --revision")
        done = self.refused("{}", "--json-schema", "x")
        self.assert_usage_error(done, "--schema is a revision of its own: it excludes --json-schema")
        done = self.validate("--like", "2025-11-25", self.file("value", "1"))
        self.assert_usage_error(done, "--like is for messages that are checked by --schema")


if __name__ == "__main__":
    unittest.main()
