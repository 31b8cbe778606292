# SPDX-License-Identifier: MIT
"""Makes the benchmark corpus: one file of newline-delimited JSON for each class.

    python3 tests/bench/corpus.py OUT_DIR

The output depends on this file alone: the text is made up here, from a fixed seed and a generator of random
numbers that does not vary with the Python version. Figures measured on one machine can so be compared with
those of another. Members stand in the order in which the official SDKs write them, see `Sdk`.

If python-jsonschema is installed, every message is checked against schema/<revision>/schema.json.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.corpus_text import Source
from tests.bench.corpus_traffic import LEGACY, MODERN, Exchange, make_traffic

Json = Any
SCHEMA_ROOT = Path(__file__).resolve().parents[2] / "schema"
SEED = 20260728
SMALL_MESSAGES = 1000
SMALL_BYTES = (50, 850)
CALL_BYTES = (1_800, 2_200)
KIB = 1024


@dataclass(frozen=True)
class Line:
    """One message of the corpus and the definition that it has to satisfy, or, after `NAME@`, that the
    member of this name has to satisfy."""

    value: Json
    definition: str

    def text(self) -> str:
        return json.dumps(self.value, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class CorpusClass:
    name: str
    revision: str
    bytes_each: tuple[int, int]
    make: Callable[[Source], list[Line]]


def _traffic(revision: str) -> Callable[[Source], list[Line]]:
    def make(source: Source) -> list[Line]:
        exchanges: Iterable[Exchange] = make_traffic(source, revision, SMALL_MESSAGES)
        return [Line(value, definition) for value, definition in exchanges]

    return make


def _schema_property(source: Source, number: int) -> Json:
    """A property as pydantic and zod describe it; about 80 bytes."""
    description = source.sentence(2, 3)
    kind = number % 5
    if kind == 0:
        return {"type": "string", "description": description}
    if kind == 1:
        return {"default": source.below(100), "description": description, "type": "integer"}
    if kind == 2:
        return {"type": "boolean", "description": description, "default": False}
    if kind == 3:
        return {"type": "string", "enum": [source.word(), source.word(), source.word()]}
    return {"items": {"type": "string"}, "title": source.title(2), "type": "array"}


def _tool(source: Source, number: int) -> Json:
    names = [f"{source.word()}_{place}" for place in range(20)]
    schema = {
        "type": "object",
        "properties": {name: _schema_property(source, place) for place, name in enumerate(names)},
        "required": names[: 2 + source.below(4)],
        "additionalProperties": False,
        "$schema": "https://json-schema.org/draft/2020-12/schema",
    }
    return {
        "name": f"{source.word()}_{source.word()}_{number}",
        "title": source.title(3),
        "description": source.sentence(5, 10),
        "inputSchema": schema,
        "annotations": {"readOnlyHint": source.one_in(2), "openWorldHint": source.one_in(3)},
    }


TOOL_ORDER_PYTHON = ("annotations", "description", "inputSchema", "name", "title")


def _list_result(source: Source, python: bool) -> Json:
    tools = [_tool(source, number) for number in range(50)]
    cursor = source.token(24)
    if python:
        sorted_tools = [{key: tool[key] for key in TOOL_ORDER_PYTHON} for tool in tools]
        return {
            "cacheScope": "public",
            "nextCursor": cursor,
            "resultType": "complete",
            "tools": sorted_tools,
            "ttlMs": 60000,
        }
    return {
        "tools": tools,
        "nextCursor": cursor,
        "resultType": "complete",
        "ttlMs": 300000,
        "cacheScope": "private",
    }


def make_list(source: Source) -> list[Line]:
    return [Line(_list_result(source, number % 2 == 1), "ListToolsResult") for number in range(4)]


def _text_block(source: Source, number: int) -> Json:
    """Every fourth block has its discriminator last; one in ten holds other scripts or escapes."""
    text = source.sentence(16, 29)
    if number % 20 == 7:
        text = f"{text} {source.foreign()}"
    if number % 20 == 13:
        text = f'"{source.word()}":\t{text}\n\\{source.word()}'
    if number % 4 == 3:
        return {"text": text, "type": "text"}
    return {"type": "text", "text": text}


def make_text(source: Source) -> list[Line]:
    lines = []
    for _ in range(8):
        blocks = [_text_block(source, number) for number in range(200)]
        value = {"content": blocks, "isError": False, "resultType": "complete"}
        lines.append(Line(value, "CallToolResult"))
    return lines


def _nested(source: Source, depth: int) -> Json:
    """An object that nests the given number of levels, with a few members on each."""
    value: dict[str, Json] = {
        f"{source.word()}_text": source.sentence(7, 17),
        f"{source.word()}_count": source.below(100000),
        f"is_{source.word()}": source.one_in(2),
        f"{source.word()}_ratio": source.below(10000) / 64,
        f"{source.word()}_ids": [source.below(1000000) for _ in range(4)],
        f"{source.word()}_rows": [{"key": source.word(), "value": source.word()} for _ in range(2)],
    }
    if depth > 1:
        value[f"{source.word()}_options"] = _nested(source, depth - 1)
    return value


def make_call(source: Source) -> list[Line]:
    lines: list[Line] = []
    while len(lines) < 128:
        value = {
            "name": f"{source.word()}_{source.word()}",
            "arguments": _nested(source, 5),
            "_meta": MODERN.request_meta(source, progress_token=len(lines)),
        }
        line = Line(value, "CallToolRequestParams")
        if CALL_BYTES[0] <= len(line.text().encode()) <= CALL_BYTES[1]:
            lines.append(line)
    return lines


def make_blob(source: Source) -> list[Line]:
    contents = {
        "uri": "file:///srv/images/plan.png",
        "mimeType": "image/png",
        "blob": source.token(KIB * KIB),
    }
    value = {"contents": [contents], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    return [Line(value, "ReadResourceResult")]


CLASSES: Sequence[CorpusClass] = (
    CorpusClass("small", MODERN.revision, SMALL_BYTES, _traffic(MODERN.revision)),
    CorpusClass("list", MODERN.revision, (80_000, 96_000), make_list),
    CorpusClass("text", MODERN.revision, (30_000, 36_000), make_text),
    CorpusClass("call", MODERN.revision, CALL_BYTES, make_call),
    CorpusClass("blob", MODERN.revision, (KIB * KIB, KIB * KIB + KIB), make_blob),
    CorpusClass("legacy", LEGACY.revision, SMALL_BYTES, _traffic(LEGACY.revision)),
)


class SchemaCheck:
    """Validates against definitions of one revision's schema."""

    def __init__(self, revision: str) -> None:
        self._document: Mapping[str, Json] = json.loads(
            (SCHEMA_ROOT / revision / "schema.json").read_text(encoding="utf-8")
        )
        self._jsonschema = importlib.import_module("jsonschema")
        self._validators: dict[str, Any] = {}

    def errors(self, line: Line) -> list[str]:
        name, _, member = line.definition.partition("@")
        if name not in self._validators:
            schema = {"$ref": f"#/$defs/{name}", "$defs": self._document["$defs"]}
            self._validators[name] = self._jsonschema.Draft202012Validator(schema)
        found = self._validators[name].iter_errors(line.value[member] if member else line.value)
        return [f"{line.definition}: {error.json_path}: {error.message[:200]}" for error in found]


def why_unchecked() -> Optional[str]:
    try:
        importlib.import_module("jsonschema")
    except ImportError:
        return "python-jsonschema is not installed"
    missing = [c.revision for c in CLASSES if not (SCHEMA_ROOT / c.revision / "schema.json").is_file()]
    return f"schema/{missing[0]}/schema.json is missing" if missing else None


def problems(corpus_class: CorpusClass, lines: Sequence[Line], against_schema: bool) -> list[str]:
    low, high = corpus_class.bytes_each
    found = [
        f"line {number}: {len(line.text().encode())} bytes, not {low} to {high}"
        for number, line in enumerate(lines, 1)
        if not low <= len(line.text().encode()) <= high
    ]
    if against_schema:
        check = SchemaCheck(corpus_class.revision)
        found += [
            f"line {number}: {error}" for number, line in enumerate(lines, 1) for error in check.errors(line)
        ]
    return found


def main(argv: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description="Make the benchmark corpus, one NDJSON file a class.")
    parser.add_argument("out", type=Path, metavar="OUT_DIR", help="folder for <class>.ndjson")
    parser.add_argument("--no-check", action="store_true", help="do not validate against schema/")
    arguments = parser.parse_args(argv)
    unchecked = "as asked" if arguments.no_check else why_unchecked()
    arguments.out.mkdir(parents=True, exist_ok=True)
    failed = False
    for corpus_class in CLASSES:
        lines = corpus_class.make(Source(SEED, corpus_class.name))
        found = problems(corpus_class, lines, unchecked is None)
        for problem in found[:10]:
            print(f"{corpus_class.name}: {problem}", file=sys.stderr)
        failed = failed or bool(found)
        data = "".join(line.text() + "\n" for line in lines).encode()
        (arguments.out / f"{corpus_class.name}.ndjson").write_bytes(data)
        digest = hashlib.sha256(data).hexdigest()
        print(f"{corpus_class.name}: {len(lines)} messages, {len(data)} bytes, sha256 {digest[:16]}")
    print("valid by schema/" if unchecked is None else f"not checked against schema/: {unchecked}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
