# SPDX-License-Identifier: MIT
"""examples/weather.c and weather.cpp: a tool that gets and gives structs."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Iterator, Tuple

from tests.examples.peer import Client, ExampleTest, RpcError, built_revisions, example, started

TOOL = json.loads((Path(__file__).resolve().parents[2] / "examples" / "weather.json").read_text("utf-8"))


class WeatherTest(ExampleTest):
    needs = ("weather",)

    def each(self) -> Iterator[Tuple[str, Client]]:
        """A client of every revision at each of the programs that were built."""
        for program in ("weather", "weather_cpp"):
            if Path(example(program)).exists():
                for revision in built_revisions():
                    with self.subTest(program, revision=revision), started(example(program)) as wire:
                        yield revision, Client(wire, revision).open()

    def test_it_is_listed_as_its_file_says(self) -> None:
        for revision, client in self.each():
            (listed,) = client.call("tools/list")["tools"]
            wanted = TOOL if revision >= "2025-06-18" else {name: TOOL[name] for name in listed}
            self.assertEqual(listed, wanted)

    def test_arguments_come_as_a_struct_and_a_struct_is_the_result(self) -> None:
        for revision, client in self.each():
            result = client.tool("get_weather", {"city": "Köln", "days": 2, "unit": "fahrenheit"})
            days = [
                {"high": 77, "low": 59, "sky": "clear"},
                {"high": 78.8, "low": 60.8, "sky": "clear"},
            ]
            wanted = {"city": "Köln", "days": days}
            self.assertEqual(json.loads(result["content"][0]["text"]), wanted)
            if revision >= "2025-06-18":
                self.assertEqual(result["structuredContent"], wanted)

    def test_arguments_that_break_the_schema_do_not_come(self) -> None:
        for revision, client in self.each():
            for arguments in ({}, {"city": ""}, {"city": "A", "days": 8}, {"city": "A", "unit": "kelvin"}):
                if revision < "2025-11-25":
                    with self.assertRaisesRegex(RpcError, "-32602"):
                        client.tool("get_weather", arguments)
                else:
                    self.assertIs(client.tool("get_weather", arguments)["isError"], True)


if __name__ == "__main__":
    unittest.main()
