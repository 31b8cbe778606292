# SPDX-License-Identifier: MIT
"""The cases of test_injection.py and test_injection_all.py: whatever stands in a schema, a list of tools, an
overlay, hand facts or an argument is refused, or it is nothing but text in generated code that compiles."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple

from codegen.facts.edition import NOBODY
from tests.codegen.hostile import COMPILERS, HOSTILE, MARK, WORST, bare, complaints, unseen
from tests.codegen.support import DRAFT_2020_12, ROOT, SCHEMA_DIR, run

_RUNTIME = ROOT / "runtime" / "include"
_GENERATED = ROOT / "generated"
Texts = Mapping[str, str]


class InjectionCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = self.folder / "out"

    def write(self, value: Any, name: str = "x.json") -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), "utf-8")
        return path

    def generated(self, *arguments: object) -> bool:
        """Whether it was; else it was refused in words."""
        shutil.rmtree(self.out, ignore_errors=True)
        status, out, err = run(*arguments, "--out", self.out)
        for text in (out, err):
            self.assertEqual(unseen(text), [])
        if status != 0:
            self.assertEqual(status, 2, err)
            self.assertTrue(err)
            self.assertNotIn("Traceback", err)
            return False
        for path in self.files():
            text = path.read_text("utf-8")
            self.assertEqual(unseen(text), [], path.name)
            if path.suffix in (".c", ".h"):
                self.assertNotIn(MARK, bare(text), path.name)
            elif path.suffix == ".txt":
                loose = [line for line in text.splitlines() if line and line[0] not in '#"']
                self.assertEqual(loose, [], path.name)
        return True

    def taken(self, fields: Sequence[str], text: str, make: Callable[[Texts], bool]) -> Dict[str, str]:
        """The fields in which a text is not refused: all at once, or else each half of them."""
        if not fields or make(dict.fromkeys(fields, text)):
            return dict.fromkeys(fields, text)
        if len(fields) == 1:
            return {}
        half = len(fields) // 2
        return {**self.taken(fields[:half], text, make), **self.taken(fields[half:], text, make)}

    def assert_taken(self, fields: Sequence[str], make: Callable[[Texts], bool], *includes: Path) -> None:
        """Each hostile text in each field is refused, or generates code that compiles."""
        for name, text in self.hostile.items():
            with self.subTest(name):
                taken = self.taken(fields, text, make)
                if self.surely_taken in fields and name != "lone surrogate":
                    self.assertIn(self.surely_taken, taken)
                if make(taken):
                    folders = [path for path in self.out.iterdir() if path.is_dir()]
                    self.assert_compiles(self.out, *folders, *includes)

    surely_taken = "description"
    hostile: Texts = HOSTILE
    worst: Texts = WORST
    compilers: Sequence[Sequence[str]] = COMPILERS

    def files(self) -> List[Path]:
        return sorted(path for path in self.out.rglob("*") if path.is_file())

    def sources(self) -> List[Path]:
        return [path for path in self.files() if path.suffix == ".c"]

    def assert_compiles(self, *includes: Path) -> None:
        self.assertEqual(complaints(self.sources(), [_RUNTIME, *includes], self.compilers), [])


def plain_schema(texts: Texts) -> Dict[str, Any]:
    """A schema that has a text in each of its fields, the one that is given or a harmless one."""

    def text(field: str) -> str:
        return texts.get(field, f"a_{field}")

    member = {
        "type": "string",
        "title": text("member_title"),
        "description": text("member_description"),
        "$comment": text("comment"),
        "default": text("default"),
        "examples": [text("example")],
        "format": text("format"),
        "pattern": text("pattern"),
        "contentMediaType": text("media_type"),
    }
    first = {
        "type": "object",
        "title": text("title"),
        "description": text("description"),
        "properties": {
            text("member"): member,
            "kind": {"const": text("tag")},
            "level": {"enum": [text("enum"), "b"], "description": text("enum_description")},
            "words": {"type": "array", "items": {"enum": [text("item_enum")]}},
            "odd": {"not": {"const": text("not")}},
            "table": {"type": "object", "additionalProperties": {"type": "integer"}},
        },
        "patternProperties": {text("pattern_property"): {"type": "string"}},
        "dependentRequired": {text("depends"): ["kind"]},
        "required": ["kind", text("required")],
    }
    second = {"type": "object", "properties": {"kind": {"const": text("other_tag")}}, "required": ["kind"]}
    return {
        "$schema": texts.get("schema", DRAFT_2020_12),
        "$id": texts.get("id", "https://example.com/x"),
        "$comment": text("root_comment"),
        "title": text("root_title"),
        "description": text("root_description"),
        "type": "object",
        "properties": {
            "one": {"$ref": texts.get("ref", "#/$defs/First")},
            "either": {"oneOf": [{"$ref": "#/$defs/First"}, {"$ref": "#/$defs/Second"}]},
            "named": {"$ref": "#/$defs/Named"},
            "same": {"$ref": "#/$defs/" + text("definition").replace("~", "~0").replace("/", "~1")},
        },
        "$defs": {
            "First": first,
            "Second": second,
            "Named": {"$anchor": texts.get("anchor", "a"), "type": "integer", "description": text("alias")},
            text("definition"): {"enum": ["x", "y"], "description": text("definition_description")},
        },
    }


SCHEMA_FIELDS = """member_title member_description comment default example format pattern media_type title
    description member tag enum enum_description item_enum not pattern_property depends required other_tag
    schema id root_comment root_title root_description ref anchor alias definition
    definition_description""".split()


class Schemas(InjectionCase):
    """A schema of a program's own, and the same as a revision."""

    def test_every_field_of_a_schema(self) -> None:
        self.assert_taken(SCHEMA_FIELDS, self.types)

    def types(self, texts: Texts) -> bool:
        return self.generated("types", "--prefix", "app", self.write(plain_schema(texts)))

    def test_every_field_of_a_revision(self) -> None:
        self.assert_taken(SCHEMA_FIELDS, self.revision)

    def revision(self, texts: Texts) -> bool:
        whole = plain_schema(texts)
        root = {name: whole.pop(name) for name in ("title", "description", "type", "properties")}
        whole["$defs"]["Root"] = root
        path = self.write(whole, "2000-01-01/schema.json")
        return self.generated("generate", "--schema", path, "--no-errata", "--like", NOBODY)


def tool(texts: Texts) -> Dict[str, Any]:
    """A tool as a server lists it."""

    def text(field: str) -> str:
        return texts.get(field, f"a_{field}")

    def schema(part: str) -> Dict[str, Any]:
        return {
            "type": "object",
            "title": text(f"{part}_title"),
            "description": text(f"{part}_description"),
            text(f"{part}_keyword"): text(f"{part}_value"),
            "properties": {text(f"{part}_member"): {"type": "string", "description": text(f"{part}_about")}},
        }

    return {
        "name": text("name"),
        "title": text("title"),
        "description": text("description"),
        "annotations": {"title": text("annotation"), text("annotation_name"): True},
        "_meta": {text("meta"): text("meta_value")},
        text("other_member"): text("other_value"),
        "icons": [{"src": text("icon")}],
        "inputSchema": schema("input"),
        "outputSchema": schema("output"),
    }


_PARTS = ("title", "description", "keyword", "value", "member", "about")
TOOL_FIELDS = (
    "name title description annotation annotation_name meta meta_value other_member other_value icon".split()
    + [f"{part}_{field}" for part in ("input", "output") for field in _PARTS]
)


class Tools(InjectionCase):
    """A tool list, and the description of a tool."""

    def client(self, texts: Texts) -> bool:
        return self.generated("types", "--client", "app", self.write([tool(texts), tool({"name": "other"})]))

    def test_every_field_of_a_list(self) -> None:
        revisions = [path for path in _GENERATED.iterdir() if path.is_dir()]
        self.assert_taken(TOOL_FIELDS, self.client, *revisions)

    def test_every_field_of_a_tool(self) -> None:
        self.assert_taken(TOOL_FIELDS, self.one)

    def one(self, texts: Texts) -> bool:
        path = self.write(
            tool({"name": "a", "input_keyword": "$comment", "output_keyword": "$comment", **texts})
        )
        return self.generated("types", "--tool", "a", path)


class Overlays(InjectionCase):
    """An overlay for a revision."""

    FIELDS = (
        "overlay",
        "revision",
        "extension",
        "definition",
        "member",
        "description",
        "method",
        "enum",
        "path",
    )

    @staticmethod
    def overlay(texts: Texts) -> Dict[str, Any]:
        def text(field: str, usual: str) -> str:
            return texts.get(field, usual)

        request = {
            "type": "object",
            "description": text("description", "A request."),
            "properties": {
                "id": {"$ref": "#/$defs/RequestId"},
                "jsonrpc": {"const": "2.0", "type": "string"},
                "method": {"const": text("method", "things/do"), "type": "string"},
                "params": {
                    "type": "object",
                    "properties": {text("member", "thing"): {"enum": [text("enum", "a"), "b"]}},
                },
            },
            "required": ["id", "jsonrpc", "method"],
        }
        return {
            "overlay": text("overlay", "things"),
            "revision": text("revision", "2025-11-25"),
            "extension": {
                "name": text("extension", "com.example/things"),
                "members": [{"method": "tools/call", "part": "params", "path": text("path", "thing")}],
            },
            "definitions": {"DoThingRequest": request, text("definition", "Thing"): {"type": "string"}},
            "alternatives": [{"at": "/$defs/ClientRequest/anyOf", "add": ["DoThingRequest"]}],
        }

    def test_every_field(self) -> None:
        self.assert_taken(self.FIELDS, self.laid, _GENERATED / "2025-11-25")

    def laid(self, texts: Texts) -> bool:
        path = self.write(self.overlay(texts))
        return self.generated("generate", "--revision", "2025-11-25", "--overlay", path, "--only", "ping")


class Facts(InjectionCase):
    """Hand facts: comments, corrections, and what is said of unions."""

    def setUp(self) -> None:
        super().setUp()
        self.facts = self.folder / "facts"
        shutil.copytree(SCHEMA_DIR, self.facts, ignore=shutil.ignore_patterns("20*-*-*", "overlays"))
        shutil.copytree(SCHEMA_DIR / "errata", self.facts / "errata", dirs_exist_ok=True)

    def test_comments(self) -> None:
        docs = json.loads((self.facts / "docs.json").read_text("utf-8"))
        for name, text in self.worst.items():
            with self.subTest(name):
                changed = {key: text if isinstance(value, str) else value for key, value in docs.items()}
                (self.facts / "docs.json").write_text(json.dumps(changed), "utf-8")
                if self.of_newest():
                    self.assert_compiles(self.out / "2027-01-15")

    def test_corrections(self) -> None:
        path = self.facts / "errata" / "2026-07-28.json"
        corrections = json.loads(path.read_text("utf-8"))
        for name, text in self.worst.items():
            entry = {"pointer": "/$defs/Tool/description", "old_absent": False, "new": text, "reason": text}
            for changed in (
                {**corrections, "errata": [*corrections["errata"], entry]},
                {**corrections, "revision": text},
                {**corrections, text: []},
            ):
                with self.subTest(name):
                    path.write_text(json.dumps(changed), "utf-8")
                    self.of_newest()

    def of_newest(self) -> bool:
        schema = SCHEMA_DIR / "2026-07-28" / "schema.json"
        words = ("--revision", "2027-01-15", "--facts", self.facts, "--only", "ping,Tool")
        return self.generated("generate", "--schema", schema, *words)


class Arguments(InjectionCase):
    """Names of files and folders, and what is said on the command line."""

    def texts(self) -> Sequence[Tuple[str, str]]:
        return [(name, text) for name, text in self.hostile.items() if not set("\0/") & set(text)]

    def test_names_of_files(self) -> None:
        for name, text in self.texts():
            with self.subTest(name):
                try:
                    path = self.write(
                        plain_schema({}), os.fsdecode(f"{text}.json".encode("utf-8", "surrogatepass"))
                    )
                except OSError:
                    continue
                if self.generated("types", "--prefix", "app", path):
                    self.assert_compiles(self.out)

    def test_names_of_folders(self) -> None:
        for name, text in self.texts():
            with self.subTest(name):
                folder = os.fsdecode(text.encode("utf-8", "surrogatepass"))
                try:
                    path = self.write(plain_schema({}), f"{folder}/schema.json")
                except OSError:
                    continue
                words = ("--revision", "2025-11-25", "--overlay", path, "--only", "ping")
                if self.generated("generate", *words):
                    folders = [each for each in self.out.iterdir() if each.is_dir()]
                    self.assert_compiles(*folders, _GENERATED / "2025-11-25")

    def test_options(self) -> None:
        path = self.write({"type": "object"})
        schema = SCHEMA_DIR / "2025-11-25" / "schema.json"
        for name, text in self.hostile.items():
            text = text.replace("\ud800", "\udc80")
            for words in (
                ("types", "--prefix", text, path),
                ("types", "--tool", text, path),
                ("types", "--client", text, path),
                ("types", "--prefix", text, "--tool", "a", path),
                ("generate", "--revision", text),
                ("generate", "--revision", "2025-11-25", "--only", text),
                ("generate", "--schema", schema, "--like", text),
                ("generate", "--schema", schema, "--revision", text),
            ):
                with self.subTest(name, words=words[:2]):
                    self.generated(*words)
