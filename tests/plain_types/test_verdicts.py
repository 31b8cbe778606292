# SPDX-License-Identifier: MIT
"""Generated types take what python-jsonschema calls valid, nothing else, and write it as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any, List, Tuple

try:
    import jsonschema
except ModuleNotFoundError as error:
    raise unittest.SkipTest("skipped: jsonschema is missing (Debian: python3-jsonschema)") from error

sys.setrecursionlimit(50_000)  # of python-jsonschema, for values that are deep
SCHEMAS = Path(__file__).resolve().parent / "schemas"

LONG = "x" * 1200
DEEP = 400
# A text whose escapes need far more room than its bytes, at the end of many objects.
_ESCAPED = "\x01" * 102 + "a" * 26 + "\x01" * 64


def _tree(depth: int, leaf: str) -> Any:
    tree: Any = {"name": leaf}
    for _ in range(depth):
        tree = {"name": "a", "left": tree}
    return tree


_NAMES: List[Any] = ["", "a", "red", "light blue", "end", 0, -1, 2, 2.5, None, True, [], {}]
VALUES: List[Any] = [
    *_NAMES,
    "purple",
    2**62,
    *({"name": name} for name in _NAMES),
    *({"name": "a", "size": size} for size in _NAMES),
    *({"name": "a", "share": share} for share in (0.5, 1, 1.5, "1")),
    *({"name": 1, "size": 2, "other": other} for other in (1, "x")),
    {"name": "a", "on": True},
    {"name": "a", "on": 1},
    {"name": "a", "left": {"name": "b", "left": {"name": "c"}}},
    {"name": "a", "left": {"left": {}}},
    {"name": "a", "rest": [{"size": "s", "more": 1}, {}]},
    {"name": "a", "rest": [{"size": 1}]},
    {"name": "a", "rest": [{"more": "x"}]},
    {"kind": "circle", "radius": 1.5},
    {"kind": "circle", "side": 1.5},
    {"kind": "square", "side": 2},
    {"kind": "square", "side": "2"},
    {"kind": "star"},
    {"radius": 1},
    {"a": 1, "b": 2},
    {"a": 1, "b": "2"},
    {"log": "loud"},
    {"log": "silent"},
    {"lines": ["a", "end"], "step": 1.5},
    {"lines": ["a"]},
    {"step": 0.3},
    {"size": 1},
    {"size": "s"},
    ["a", "b"],
    ["a", "a"],
    ["long", "b"],
    ["a", 1],
    ["a", 1, 2],
    [1, "a"],
    {"word": LONG, "fixed": LONG},
    {"word": "x", "fixed": LONG},
    {"fixed": LONG, "words": {_ESCAPED: LONG, "b": "short"}},
    _tree(DEEP, _ESCAPED),
]


def _asked() -> List[Tuple[str, Any]]:
    return [(path.stem, value) for path in sorted(SCHEMAS.glob("*.json")) for value in VALUES]


class Verdicts(unittest.TestCase):
    """Every value against every schema."""

    @classmethod
    def setUpClass(cls) -> None:
        lines = "".join(f"{name}\t{json.dumps(value)}\n" for name, value in _asked())
        driver = os.environ["MCPW_TYPES_DRIVER"]
        done = subprocess.run([driver], input=lines, stdout=subprocess.PIPE, text=True, check=True)
        cls.answers = done.stdout.splitlines()

    def test_as_jsonschema(self) -> None:
        for path in sorted(SCHEMAS.glob("*.json")):
            judge = jsonschema.Draft202012Validator(json.loads(path.read_text("utf-8")))
            verdicts = set()
            for (name, value), answer in zip(_asked(), self.answers):
                if name == path.stem:
                    valid = judge.is_valid(value)
                    verdicts.add(valid)
                    with self.subTest(name, value=value, answer=answer):
                        self.assertEqual(answer.startswith("yes "), valid)
            self.assertEqual(verdicts, {True, False}, path.name)

    def test_written_as_it_was_read(self) -> None:
        for (name, value), answer in zip(_asked(), self.answers):
            if answer.startswith("yes "):
                with self.subTest(name, value=value):
                    self.assertEqual(json.loads(answer[len("yes ") :]), value)

    def test_every_input_request_was_answered(self) -> None:
        self.assertEqual(len(self.answers), len(_asked()))


if __name__ == "__main__":
    unittest.main()
