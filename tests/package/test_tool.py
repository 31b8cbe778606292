# SPDX-License-Identifier: MIT
"""mcpwire_tool and mcpwire_types: C types from a project's own JSON Schemas, made when it is built."""

import json
import unittest
from pathlib import Path
from typing import Any, Dict

from tests.package.support import HERE, ROOT, PackageTest, Result, python, run, stage

SOURCE = HERE / "tool"
_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Tool(PackageTest):
    """From an installed mcpwire, unless it says otherwise."""

    def attempt(self, schema: Path, source: str = "package") -> Result:
        return self.configure(
            SOURCE,
            f"-DGENERATE_FROM={source}",
            f"-DCMAKE_PREFIX_PATH={stage()}",
            f"-DMCPWIRE_SOURCE={ROOT}",
            f"-DMCPW_PYTHON={python()}",
            f"-DINPUT={schema}",
            build="build",
        )

    def own_schema(self) -> Path:
        """A copy of the tool's schema, to be changed."""
        path = self.folder / "hello.json"
        path.write_text((SOURCE / "hello.json").read_text("utf-8"), "utf-8")
        return path

    def answer(self, arguments: object) -> Dict[str, Any]:
        """The result of a call, or its error."""
        params = {"name": "say-Hello", "arguments": arguments, "_meta": _META}
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        program = [self.folder / "build" / "app", '{"greeting":"Servus"}']
        said = self.succeed(run(program, stdin=json.dumps(request) + "\n"))  # diagnostics, too
        reply = json.loads(said.splitlines()[-1])
        answer: Dict[str, Any] = reply.get("result", reply)
        return answer

    def test_handler_gets_a_struct_and_answers_with_one(self) -> None:
        self.succeed(self.attempt(SOURCE / "hello.json"))
        self.succeed(self.build())
        self.assertEqual(self.answer({"name": "Ada"})["structuredContent"], {"text": "Servus, Ada"})

    def test_schemas_hold(self) -> None:
        self.succeed(self.attempt(SOURCE / "hello.json"))
        self.succeed(self.build())
        self.assertIs(self.answer({"name": 5})["isError"], True)
        self.assertEqual(self.answer({"name": "somebody whose name is long"})["error"]["code"], -32603)

    def test_a_client_calls_it_by_a_list_of_tools(self) -> None:
        self.succeed(self.attempt(SOURCE / "hello.json"))
        self.succeed(self.build())
        built = self.folder / "build"
        told = run([built / "caller", built / "app", '{"greeting":"Servus"}', "Ada"])
        self.assertEqual(self.succeed(told), "Servus, Ada\n")

    def test_values_of_a_configuration_file_are_checked(self) -> None:
        self.succeed(self.attempt(SOURCE / "hello.json"))
        self.succeed(self.build())
        refused = run([self.folder / "build" / "app", '{"greeting":"Hi"}'])
        self.assertEqual(refused.code, 1)
        self.assertIn("/greeting: ", refused.out)

    def test_built_again_when_a_schema_changes_and_only_then(self) -> None:
        schema = self.own_schema()
        self.succeed(self.attempt(schema))
        self.assertIn("Generating the types of app_say_hello", self.succeed(self.build()))
        self.assertNotIn("Generating the types", self.succeed(self.build()))
        schema.write_text(schema.read_text("utf-8").replace("Says hello", "Greets"), "utf-8")
        told = self.succeed(self.build())
        self.assertIn("Generating the types of app_say_hello", told)
        self.assertNotIn("Generating the types of own", told)

    def test_bad_schema_fails_the_build_with_the_place(self) -> None:
        schema = self.own_schema()
        schema.write_text('{"type":"object","properties":{"name":{"type":"text"}}}', "utf-8")
        self.succeed(self.attempt(schema))
        self.refused(self.build(), "hello.json: /properties/name/type: unknown type")

    def test_schema_that_is_not_there(self) -> None:
        self.refused(self.attempt(self.folder / "none.json"), "mcpwire_tool: there is no", "none.json")


if __name__ == "__main__":
    unittest.main()
