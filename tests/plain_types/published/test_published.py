# SPDX-License-Identifier: MIT
"""Types from the tools of published servers, by --tool and by --client: all of them, and they compile."""

from __future__ import annotations

import json
import os
import re
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, List, Set

from tests.codegen.hostile import complaints
from tests.codegen.support import ROOT, run
from tests.plain_types.published.servers import SERVERS, Server, list_tools

INSTALLED = Path(os.environ.get("MCPW_PUBLISHED_SERVERS", ""))
LEAST_SERVERS, LEAST_TOOLS = 12, 150
_RUNTIME = ROOT / "runtime" / "include"
_REVISIONS = [path for path in (ROOT / "generated").iterdir() if path.is_dir()]

if not (INSTALLED / "installed").is_file():
    raise unittest.SkipTest(
        "the servers are not installed: run tests/plain_types/published/setup.sh FOLDER, and "
        "configure with -DMCPW_PUBLISHED_SERVERS=FOLDER"
    )


def definitions_used(schema: Dict[str, Any]) -> Set[str]:
    """The definitions of a schema that its references reach, by their names."""
    held = {**schema.get("$defs", {}), **schema.get("definitions", {})}
    rest = {name: item for name, item in schema.items() if name not in ("$defs", "definitions")}
    found: Set[str] = set()
    waiting: List[Any] = [rest]
    while waiting:
        for name in re.findall(r'"#/(?:\$defs|definitions)/([^"/]+)', json.dumps(waiting.pop())):
            if name in held and name not in found:
                found.add(name)
                waiting.append(held[name])
    return found


class Published(unittest.TestCase):
    lists: Dict[str, List[Dict[str, Any]]]

    @classmethod
    def setUpClass(cls) -> None:
        def listed(server: Server) -> List[Dict[str, Any]]:
            with tempfile.TemporaryDirectory() as folder:
                return list_tools(server, INSTALLED, Path(folder)) or []

        with ThreadPoolExecutor(2) as pool:
            cls.lists = dict(zip((server.name for server in SERVERS), pool.map(listed, SERVERS)))

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, value: Any, name: str) -> Path:
        path = self.folder / name
        path.write_text(json.dumps(value), "utf-8")
        return path

    def test_there_are_enough(self) -> None:
        counts = {name: len(tools) for name, tools in self.lists.items()}
        self.assertGreaterEqual(sum(count > 0 for count in counts.values()), LEAST_SERVERS, counts)
        self.assertGreaterEqual(sum(counts.values()), LEAST_TOOLS, counts)

    def test_every_list_makes_a_client(self) -> None:
        for name, tools in self.lists.items():
            if not tools:
                continue
            with self.subTest(name):
                out = self.folder / name
                path = self.write({"tools": tools}, f"{name}.json")
                status, _, err = run("types", "--client", "app", "--out", out, path)
                self.assertEqual(status, 0, err)
                self.assertNotIn("is left out", err)
                self.assertLess(max(map(len, err.splitlines()), default=0), 1000, err)
                header = (out / "app.h").read_text("utf-8")
                calls = set(re.findall(r"mcpw_status (\w+)_call\(", header))
                self.assertEqual(len(calls), len(tools))
                self.assertEqual(complaints([out / "app.c"], [_RUNTIME, out, *_REVISIONS]), [])

    def test_every_tool_makes_a_tool(self) -> None:
        for name, tools in self.lists.items():
            out = self.folder / name
            for number, tool in enumerate(tools):
                with self.subTest(name, tool=tool["name"]):
                    path = self.write(tool, "tool.json")
                    words = ("--tool", tool["name"], "--prefix", f"t{number}", "--out", out, path)
                    status, _, err = run("types", *words)
                    self.assertEqual(status, 0, err)
            if tools:
                with self.subTest(name):
                    self.assertEqual(len(list(out.glob("*.c"))), len(tools))
                    self.assertEqual(complaints(sorted(out.glob("*.c")), [_RUNTIME, out]), [])

    def test_definitions_that_nothing_reaches_make_no_types(self) -> None:
        for name, tools in self.lists.items():
            for number, tool in enumerate(tools):
                schema = tool["inputSchema"]
                unused = {*schema.get("$defs", {}), *schema.get("definitions", {})} - definitions_used(schema)
                if not unused:
                    continue
                with self.subTest(name, tool=tool["name"]):
                    out = self.folder / f"{name}{number}"
                    path = self.write(tool, "tool.json")
                    run("types", "--tool", tool["name"], "--prefix", "app", "--out", out, path)
                    text = "".join(each.read_text("utf-8") for each in out.glob("*.h"))
                    made = set(re.findall(r"The type handle of input\.([^,]+), for", text))
                    self.assertEqual({each for each in made if each in unused}, set())


if __name__ == "__main__":
    unittest.main()
