# SPDX-License-Identifier: MIT
"""Servers that break the specification in small ways: mcpwire call goes on where it can, and says why."""

from __future__ import annotations

import json
import sys
import unittest
from dataclasses import dataclass, field
from typing import Any, Dict, List, Tuple

from tests.tool.support import ROOT, ToolTest

Json = Dict[str, Any]
ABSENT = object()
SERVER = [sys.executable, "-S", "-E", str(ROOT / "tests" / "tool" / "sloppy.py")]


def changed(value: Json, changes: Json) -> Json:
    both = {**value, **changes}
    return {name: member for name, member in both.items() if member is not ABSENT}


def answer(result: Any, **changes: Any) -> List[Any]:
    return [changed({"jsonrpc": "2.0", "id": "$id", "result": result}, changes)]


def initialize(**changes: Any) -> Dict[str, List[Any]]:
    result = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "sloppy", "version": "1"},
    }
    return {"initialize": answer(changed(result, changes))}


SCHEMA = {"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]}


def tool(**changes: Any) -> Json:
    return changed({"name": "echo", "inputSchema": SCHEMA}, changes)


def listing(*tools: Any, **changes: Any) -> Dict[str, List[Any]]:
    return {"tools/list": answer(changed({"tools": list(tools)}, changes))}


def schema(**changes: Any) -> Dict[str, List[Any]]:
    return listing(tool(inputSchema=changed(SCHEMA, changes)))


def called(**changes: Any) -> Dict[str, List[Any]]:
    return {"tools/call": answer(changed({"content": [{"type": "text", "text": "said"}]}, changes))}


def block(**members: Any) -> Dict[str, List[Any]]:
    return called(content=[members])


GOOD: Dict[str, List[Any]] = {**initialize(), **listing(tool()), **called()}


@dataclass(frozen=True)
class Row:
    """The response of a server, and the messages and output of the command."""

    name: str
    answers: Dict[str, List[Any]]
    says: Tuple[str, ...] = ()  # on standard error; nothing: nothing at all
    code: int = 0
    prints: str = "said\n"
    options: Tuple[str, ...] = field(default=())


def fails(name: str, answers: Dict[str, List[Any]], *says: str, code: int = 1, **more: Any) -> Row:
    return Row(name, answers, says, code, prints="", **more)


SOON: Json = {"options": ("--timeout", "2")}
UNDECLARED = 'tools/list: used though the server has not declared "tools"'
TEXT_ID = "note: id "
OTHER: Json = {"name": "other", "inputSchema": {"type": "object"}}

ROWS: List[Row] = [
    Row("nothing is wrong", {}),
    # ---- null for what is optional ----
    Row("nextCursor null", listing(tool(), nextCursor=None)),
    Row("description null", listing(tool(description=None))),
    Row("title null", listing(tool(title=None))),
    Row("annotations null", listing(tool(annotations=None))),
    Row("outputSchema null", listing(tool(outputSchema=None))),
    Row("icons null", listing(tool(icons=None))),
    Row("_meta null", listing(tool(_meta=None))),
    Row("instructions null", initialize(instructions=None)),
    Row("structuredContent null", called(structuredContent=None)),
    Row("isError null", called(isError=None)),
    Row("_meta of a result null", called(_meta=None)),
    Row("annotations of content null", block(type="text", text="said", annotations=None)),
    # ---- schemas of arguments ----
    Row("inputSchema empty", listing(tool(inputSchema={})), ("/result/tools/0/inputSchema: mended",)),
    Row("inputSchema without type", schema(type=ABSENT), ("/result/tools/0/inputSchema: mended",)),
    Row("inputSchema missing", listing(tool(inputSchema=ABSENT)), ("/result/tools/0: mended",)),
    Row("inputSchema null", listing(tool(inputSchema=None)), ("/result/tools/0/inputSchema: mended",)),
    Row("inputSchema a string", listing(tool(inputSchema="none")), ("/result/tools/0/inputSchema: mended",)),
    Row("inputSchema true", listing(tool(inputSchema=True)), ("/result/tools/0/inputSchema: mended",)),
    Row("inputSchema of a string", schema(type="string"), ("/result/tools/0/inputSchema/type: mended",)),
    Row("inputSchema of types", schema(type=["object"]), ("/result/tools/0/inputSchema/type: mended",)),
    Row("required true", schema(required=True), ("/result/tools/0/inputSchema/required: mended",)),
    Row("required of numbers", schema(required=[1]), ("/result/tools/0/inputSchema/required/0: mended",)),
    Row("properties a list", schema(properties=[]), ("/result/tools/0/inputSchema/properties: mended",)),
    Row("properties null", schema(properties=None)),
    Row("required null", schema(required=None)),
    Row("a property that is true", schema(properties={"message": True})),
    Row(
        "a property with required true",
        schema(properties={"message": {"type": "string", "required": True}}),
        ("required",),
    ),
    Row("a reference to nothing", schema(properties={"message": {"$ref": "#/$defs/none"}}), ("$defs/none",)),
    Row("a dialect that nobody knows", schema(**{"$schema": "https://a.example/none"}), ("a.example",)),
    # ---- lists ----
    Row("nextCursor a number", listing(tool(), nextCursor=5), ("/result/nextCursor: mended",)),
    Row("description a number", listing(tool(description=7)), ("/result/tools/0/description: mended",)),
    Row("annotations a string", listing(tool(annotations="x")), ("/result/tools/0/annotations: mended",)),
    Row(
        "a hint that is no boolean",
        listing(tool(annotations={"readOnlyHint": "yes"})),
        ("readOnlyHint: mended",),
    ),
    Row("outputSchema a string", listing(tool(outputSchema="x")), ("/result/tools/0/outputSchema: mended",)),
    Row("outputSchema empty", listing(tool(outputSchema={})), ("/result/tools/0/outputSchema: mended",)),
    Row("icons a string", listing(tool(icons="x")), ("/result/tools/0/icons: mended",)),
    Row("_meta of the list a string", listing(tool(), _meta="x"), ("/result/_meta: mended",)),
    Row(
        "another tool with a number as its name",
        listing({**OTHER, "name": 7}, tool()),
        ("/result/tools/0: left out",),
    ),
    Row(
        "another tool without a name",
        listing({"inputSchema": {"type": "object"}}, tool()),
        ("/result/tools/0: left out",),
    ),
    Row("another tool that is a string", listing("other", tool()), ("/result/tools/0: left out",)),
    Row("another tool that is null", listing(None, tool()), ("/result/tools/0: left out",)),
    Row("a tool twice", listing(tool(), tool())),
    Row("members that nobody knows", listing(tool(cost=5), total=1)),
    Row("tools an object", listing(tools={}), ("/result/tools: expected array", "cannot be listed")),
    Row("tools null", listing(tools=None), ("/result/tools: expected array", "cannot be listed")),
    Row("tools missing", listing(tools=ABSENT), ('missing required member "tools"', "cannot be listed")),
    Row(
        "no list at all",
        {"tools/list": [{"jsonrpc": "2.0", "id": "$id", "error": {"code": -32603, "message": "no"}}]},
        ("the server answered -32603: no", "cannot be listed"),
    ),
    # ---- the handshake ----
    Row("capabilities null", initialize(capabilities=None), ("/result/capabilities: mended", UNDECLARED)),
    Row("capabilities missing", initialize(capabilities=ABSENT), ("/result: mended", UNDECLARED)),
    Row("capabilities empty", initialize(capabilities={}), (UNDECLARED,)),
    Row("tools declared by null", initialize(capabilities={"tools": None}), (UNDECLARED,)),
    Row(
        "tools declared by true",
        initialize(capabilities={"tools": True}),
        ("/result/capabilities/tools: mended", UNDECLARED),
    ),
    Row("instructions a number", initialize(instructions=5), ("/result/instructions: mended",)),
    Row("serverInfo null", initialize(serverInfo=None), ("/result/serverInfo: mended",)),
    Row("serverInfo missing", initialize(serverInfo=ABSENT), ("/result: mended",)),
    Row(
        "serverInfo without a version", initialize(serverInfo={"name": "x"}), ("/result/serverInfo: mended",)
    ),
    fails(
        "a revision that nobody knows",
        initialize(protocolVersion="2099-01-01\x1b[1m"),
        "revision 2099-01-01\\x1b[1m, which this client lacks",
        code=2,
    ),
    fails(
        "no revision", initialize(protocolVersion=ABSENT), 'missing required member "protocolVersion"', code=2
    ),
    # ---- ids ----
    Row(
        "ids as strings",
        {m: [{**line, "id": "$text"} for line in lines] for m, lines in GOOD.items()},
        ("the id is the text of a number",),
    ),
    Row(
        "ids as 3.0",
        {
            "tools/call": [
                json.dumps(answer({"content": [{"type": "text", "text": "said"}]})[0]).replace('"$id"', "4.0")
            ]
        },
    ),
    fails(
        "an id that nobody knows",
        {"tools/call": answer({"content": []}, id="call_7")},
        'id "call_7": a response to no open request',
        **SOON,
    ),
    fails(
        "a number that nobody knows",
        {"tools/call": answer({"content": []}, id=4711)},
        "id 4711: a response to no open request",
        **SOON,
    ),
    fails("no id", {"tools/call": answer({"content": []}, id=ABSENT)}, "did not answer in time", **SOON),
    fails(
        "an id of null", {"tools/call": answer({"content": []}, id=None)}, "did not answer in time", **SOON
    ),
    # ---- messages ----
    Row(
        "error null",
        {"tools/call": answer({"content": [{"type": "text", "text": "said"}]}, error=None)},
        ("error is null",),
    ),
    fails(
        "result null",
        {"tools/call": answer(None, error={"code": -5, "message": "no"})},
        "result is null",
        "the server answered -5: no",
    ),
    fails("result and error", {"tools/call": answer({}, error={"code": -5, "message": "no"})}, "result"),
    fails("an error without a code", {"tools/call": answer(ABSENT, error={"message": "no"})}, "/error"),
    fails(
        "a code as a string",
        {"tools/call": answer(ABSENT, error={"code": "-5", "message": "no"})},
        "/error/code",
    ),
    fails("no jsonrpc", {"tools/call": answer({"content": []}, jsonrpc=ABSENT)}, "jsonrpc"),
    fails("jsonrpc 1.0", {"tools/call": answer({"content": []}, jsonrpc="1.0")}, "/jsonrpc"),
    Row("a banner", {"initialize": ["Welcome!", *initialize()["initialize"]]}),
    Row("a line that is printed meanwhile", {"tools/call": ["DEBUG called", *called()["tools/call"]]}),
    # ---- results ----
    Row(
        "content missing",
        called(content=ABSENT, structuredContent={"a": 1}),
        ("/result: mended",),
        prints='{"a": 1}\n',
    ),
    Row(
        "content null",
        called(content=None, structuredContent={"a": 1}),
        ("/result/content: mended",),
        prints='{"a": 1}\n',
    ),
    fails("content a string", called(content="said"), "/result/content: expected array"),
    fails(
        "content an object",
        called(content={"type": "text", "text": "said"}),
        "/result/content: expected array",
    ),
    Row("content without a type", block(text="said"), prints='[unknown content] {"text": "said"}\n'),
    Row(
        "content of a kind that nobody knows",
        block(type="hologram", url="x"),
        prints='[unknown content] {"type": "hologram", "url": "x"}\n',
    ),
    fails("a text that is null", block(type="text", text=None), "/result/content/0"),
    fails("an image without a type", block(type="image", data="eA=="), "/result/content/0"),
    fails("isError a string", called(isError="false"), "/result/isError: expected boolean"),
    fails("a result that is a string", {"tools/call": answer("said")}, "/result: expected object"),
]


class Sloppy(ToolTest):
    def test_there_are_enough_servers(self) -> None:
        self.assertGreaterEqual(len(ROWS), 52)
        self.assertEqual(len({row.name for row in ROWS}), len(ROWS))

    def test_each_server(self) -> None:
        for row in ROWS:
            with self.subTest(row.name):
                server = [*SERVER, json.dumps({**GOOD, **row.answers})]
                done = self.run_tool("call", *row.options, "--tool", "echo", "message=hi", "--", *server)
                self.assertEqual((done.out, done.code), (row.prints, row.code), done.err)
                for words in row.says:
                    self.assertIn(words, done.err)
                if not row.says:
                    self.assertEqual(done.err, "")

    def test_the_list_says_by_its_exit_status_that_it_is_undeclared(self) -> None:
        """A server that has not declared tools, and has none."""
        answers = {**initialize(capabilities={}), "tools/list": []}
        del answers["tools/list"]
        done = self.run_tool("call", "--", *SERVER, json.dumps(answers))
        self.assertEqual((done.out, done.code), ("", 1))
        self.assertIn(UNDECLARED, done.err)
        self.assertIn("the server answered -32601", done.err)

    def test_content_that_nobody_knows_is_shown_in_every_way(self) -> None:
        server = [*SERVER, json.dumps({**GOOD, **block(type="hologram", url="x")})]
        for options in (("--json",), ("--unchecked", "--json"), ("--json", "--verbose")):
            done = self.run_tool("call", *options, "--tool", "echo", "message=hi", "--", *server)
            self.assertEqual(json.loads(done.out), {"content": [{"type": "hologram", "url": "x"}]})
            self.assertEqual(done.code, 0)

    def test_notes_have_an_end(self) -> None:
        many = [tool(name=f"t{i}", description=i) for i in range(100)]
        server = [*SERVER, json.dumps({**GOOD, **listing(*many, tool())})]
        done = self.run_tool("call", "--tool", "echo", "message=hi", "--", *server)
        self.assertEqual((done.out, done.code), ("said\n", 0))
        self.assertLess(len(done.err.splitlines()), 30)
        self.assertIn("further notes are left out", done.err)


if __name__ == "__main__":
    unittest.main()
