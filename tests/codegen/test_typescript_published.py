# SPDX-License-Identifier: MIT
# Slow: the compiler takes a second or two for each file.
"""`from-typescript` with what others have published: of the specification's TypeScript it makes the published
schemas. Copies in other documents, in the folder that MCPW_DOCUMENTS names, differ where the copies do."""

from __future__ import annotations

import json
import os
import re
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from codegen.source.revisions import load as load_revisions
from codegen.source.structure import differences
from tests.codegen.support import SCHEMA_DIR, published_dir, run
from tests.codegen.typescript_support import PLACE, ToolCase

QUOTES = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")


def typescript_of(revision: str) -> Path:
    """The published schema.ts of a revision, beside its schema.json or in a checkout."""
    for folder in (published_dir(), PLACE / "spec"):
        path = folder / revision / "schema.ts"
        if path.is_file():
            return path
    raise unittest.SkipTest(
        f"there is no schema.ts of {revision} in MCP_SPEC_DIR, and setup.sh could not fetch one"
    )


class SpecificationTest(ToolCase):
    def check(self, revision: str) -> None:
        """The two documents state the same, by their text and by diff."""
        theirs = published_dir() / revision / "schema.json"
        document = json.loads(theirs.read_text("utf-8"))
        dialect = "2020-12" if "$defs" in document else "draft-07"
        made = self.folder / revision / "schema.json"
        made.parent.mkdir()
        status, _, err = self.convert("--dialect", dialect, "-o", made, typescript_of(revision))
        self.assertEqual(status, 0, err)
        self.assertEqual(differences(document, json.loads(made.read_text("utf-8"))), [])
        status, said, err = run("diff", "--exit-code", theirs, made)
        self.assertEqual((status, err), (0, ""))
        self.assertIn(": equal", said)


def _add_revisions() -> None:
    for revision in load_revisions(SCHEMA_DIR).names:
        name = f"test_{revision.replace('-', '_')}"
        setattr(SpecificationTest, name, lambda self, revision=revision: self.check(revision))


_add_revisions()


def documents() -> Dict[str, str]:
    """The texts of the documents, by the names of their files."""
    folder = os.environ.get("MCPW_DOCUMENTS", "")
    if not Path(folder or "?").is_dir():
        raise unittest.SkipTest("MCPW_DOCUMENTS names no folder of documents")
    return {path.name: path.read_text("utf-8") for path in sorted(Path(folder).iterdir()) if path.is_file()}


def numbered(text: str) -> str:
    """A copy in which each end of a line has become the number of that line."""
    start, end = text.index("/*-----"), len(text)
    last = re.search(r"(\d+)\s*$", text)
    assert last is not None
    lines: List[str] = []
    number = next(n for n in range(1, 10**6) if last.group(1).endswith(f"{n - 1}{n}"))
    for index in range(number, 0, -1):
        cut = text.rindex(str(index), start, end)
        lines.append(text[cut + len(str(index)) : end])
        end = cut
    return "\n".join(reversed([*lines, text[start:end]]))


def interfaces(text: str) -> str:
    """The interfaces in a text that has other lines between them."""
    text = text.translate(QUOTES)
    found: List[str] = []
    for start in re.finditer(r"^interface \w+", text, re.MULTILINE):
        depth, end = 0, text.index("{", start.end())
        while True:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        found.append(text[start.start() : end])
    return "\n".join(found)


class DocumentsTest(ToolCase):
    def only(self, is_it: Callable[[str], bool]) -> str:
        """The one document of a kind."""
        found = [text for text in documents().values() if is_it(text)]
        if not found:
            self.skipTest("MCPW_DOCUMENTS has no document of this kind")
        return found[0]

    def schema_of(self, text: str) -> Path:
        """The schema of a text. A name that it does not define is that of a type that is left open."""
        made, open_types = self.folder / "schema.json", ""
        while True:
            status, _, err = self.convert("-o", made, self.write(text + open_types))
            if status == 0:
                return made
            missing = sorted(set(re.findall("Cannot find name '(\\w+)'", err)))
            self.assertTrue(missing, err)
            open_types += "".join(f"\ntype {name} = unknown;" for name in missing)

    def definitions(self, schema: Path) -> Dict[str, Any]:
        document: Dict[str, Dict[str, Any]] = json.loads(schema.read_text("utf-8"))
        return document["$defs"]

    def changed(self, revision: str, schema: Path) -> Set[Tuple[str, Optional[str]]]:
        """The types that the revision has otherwise, or not at all, with the members that differ."""
        status, said, err = run("diff", "--no-errata", "--format", "json", revision, schema)
        self.assertEqual(status, 0, err)
        return {
            (each["name"], each["state"]) for each in json.loads(said)["types"] if each["state"] != "same"
        }

    def test_the_file_of_an_editor(self) -> None:
        text = self.only(lambda text: "export namespace MCP {" in text)
        schema = self.schema_of(numbered(text))
        self.assertEqual(len(self.definitions(schema)), 91)
        # Its bounds of numbers have no comment that says that they are any numbers.
        self.assertEqual(self.changed("2025-06-18", schema), {("NumberSchema", "changed")})

    def test_the_file_in_the_notes_of_a_project(self) -> None:
        text = self.only(lambda text: "## MCP spec schema.ts" in text)
        schema = self.schema_of(text[text.index("/* JSON-RPC types */") :])
        # It is from before the release: unions lack lists of templates, and resources have no size.
        want = {(name, "changed") for name in ("ClientRequest", "Resource", "ServerResult")}
        self.assertEqual(self.changed("2025-03-26", schema), want)

    def test_a_reference_of_interfaces(self) -> None:
        text = self.only(lambda text: text.startswith("# Spec: Schema Reference"))
        schema = self.schema_of(interfaces(text))
        names = set(re.findall(r"^interface (\w+)", text, re.MULTILINE))
        self.assertEqual(names - set(self.definitions(schema)), set())
        status, _, err = run("types", "--prefix", "ref", "--out", self.folder, schema)
        self.assertEqual(status, 0, err)

    def test_a_reference_in_another_language(self) -> None:
        text = self.only(lambda text: "interface DataSource {" in text)
        schema = self.schema_of(interfaces(text))
        embedding = self.definitions(schema)["Embedding"]
        self.assertEqual(embedding["properties"]["object"], {"type": "string", "const": "embedding"})
        status, _, err = run("types", "--prefix", "ref", "--out", self.folder, schema)
        self.assertEqual(status, 0, err)


if __name__ == "__main__":
    unittest.main()
