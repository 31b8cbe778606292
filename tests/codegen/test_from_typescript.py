# SPDX-License-Identifier: MIT
# Slow: the compiler takes a second or two for each file.
"""`from-typescript` makes schemas that the other commands take, and runs nothing of the files."""

from __future__ import annotations

import json
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict
from unittest import mock

from codegen.source import typescript
from tests.codegen.support import run
from tests.codegen.typescript_support import NodeCase, ToolCase

NOTE = """\
/** A note. */
export interface Note {
  text: string;
  kind: "a" | "b";
  place?: [string, number];
}
"""
STAND_IN = """\
exports.getProgramFromFiles = () => ({ getSourceFile: () => ({ statements: [] }) });
exports.generateSchema = () => { GENERATE };
"""


class ConversionTest(ToolCase):
    def made(self, text: str, *options: str) -> Dict[str, Any]:
        status, out, err = self.convert(self.write(text), *options)
        self.assertEqual((status, err), (0, ""))
        document: Dict[str, Any] = json.loads(out)
        return document

    def test_members_keep_their_order(self) -> None:
        note = self.made(NOTE)["$defs"]["Note"]
        self.assertEqual(list(note["properties"]), ["text", "kind", "place"])

    def test_comments_and_presence_are_kept(self) -> None:
        note = self.made(NOTE)["$defs"]["Note"]
        self.assertEqual((note["description"], sorted(note["required"])), ("A note.", ["kind", "text"]))

    def test_tuples_are_in_the_words_of_the_dialect(self) -> None:
        place = self.made(NOTE)["$defs"]["Note"]["properties"]["place"]
        self.assertEqual(place["prefixItems"], [{"type": "string"}, {"type": "integer"}])
        old = self.made(NOTE, "--dialect", "draft-07")
        self.assertEqual(old["definitions"]["Note"]["properties"]["place"]["items"], place["prefixItems"])

    def test_the_one_namespace_is_no_part_of_names(self) -> None:
        text = f"export namespace Deep {{ {NOTE} export type Notes = Partial<Record<string, Note[]>>; }}"
        made = self.made(text)
        self.assertIn("Note", made["$defs"])
        self.assertNotIn("Deep", json.dumps([*made["$defs"]]))
        text = f"export namespace Deep {{ {NOTE} }} export interface Other {{ note: Deep.Note }}"
        made = self.made(text)
        self.assertEqual(sorted(made["$defs"]), ["Deep.Note", "Other"])
        self.assertEqual(made["$defs"]["Other"]["properties"]["note"], {"$ref": "#/$defs/Deep.Note"})

    def test_null_that_is_left_out_is_told(self) -> None:
        path = self.write("export interface A {\n  b: string | null;\n}\n")
        status, out, err = self.convert(path)
        self.assertEqual(status, 0)
        self.assertEqual(json.loads(out)["$defs"]["A"]["properties"]["b"], {"type": "string"})
        self.assertTrue(err.startswith(f"{path}:2:6: warning: null is left out"), err)

    def test_null_that_is_stated_is_kept(self) -> None:
        text = "export interface A {\n  /** @nullable */\n  b: string | null;\n}\n"
        self.assertEqual(self.made(text)["$defs"]["A"]["properties"]["b"]["type"], ["string", "null"])
        text = "export interface A { b: string | null }"
        made = self.made(text, "--strict-null-checks")
        self.assertEqual(made["$defs"]["A"]["properties"]["b"]["type"], ["null", "string"])

    def test_a_neighbour_is_imported(self) -> None:
        self.write(NOTE, "note.ts")
        made = self.made('import { Note } from "./note";\nexport interface Pad { notes: Note[] }')
        self.assertEqual(sorted(made["$defs"]), ["Note", "Pad"])

    def test_names_of_files_are_only_names(self) -> None:
        for name in ("a b.ts", "-o.ts", "--help.ts", "[a]*.ts", "tsconfig.json.ts", "$(id).ts"):
            with self.subTest(name):
                self.write(NOTE, name)
                self.enter(self.folder)
                self.assertEqual(self.convert("-o", "out.json", "--", name), (0, "", ""))

    def test_the_result_is_taken_like_any_schema(self) -> None:
        text = (
            NOTE
            + 'export interface AddNoteRequest { id: string; method: "notes/add"; params: { note: Note } }'
        )
        schema = self.folder / "acme" / "schema.json"
        self.assertEqual(self.convert(self.write(text, "acme/schema.ts"), "--output", schema), (0, "", ""))
        out = self.folder / "out"
        overlay = ("--revision", "2026-07-28", "--overlay", schema)
        status, said, _ = run("generate", *overlay, "--out", out)
        self.assertEqual(status, 0, said)
        self.assertIn(
            "mcp_20260728_acme_note",
            (out / "2026-07-28-acme" / "mcp" / "2026-07-28-acme" / "types.h").read_text(),
        )
        status, said, _ = run("diff", "2026-07-28", "2026-07-28", "--overlay", schema)
        self.assertIn("notes/add", said)


class RefusalTest(ToolCase):
    def test_errors_of_the_compiler_have_places(self) -> None:
        path = self.write("export interface A {\n  b: Nothing;\n}\n")
        self.assertEqual(self.refused(path), f"{path}:2:6: Cannot find name 'Nothing'.\n")

    def test_many_errors_are_counted(self) -> None:
        path = self.write("\n".join(f"export type A{i} = Nothing;" for i in range(25)))
        lines = self.refused(path).splitlines()
        self.assertEqual((len(lines), lines[-1]), (21, f"{path}: 5 more errors"))

    def test_text_is_no_typescript(self) -> None:
        self.assertIn(":1:", self.refused(self.write('{"type": "object"}')))

    def test_imports_that_lead_nowhere_are_named(self) -> None:
        path = self.write('import { A } from "acme-types";\nexport type B = A;\n')
        self.assertTrue(self.refused(path).startswith(f"{path}:1:19: Cannot find module 'acme-types'"))

    def test_a_file_without_types(self) -> None:
        for text in ("", "export const a = 1;\n", "// nothing\n"):
            path = self.write(text)
            want = f"{path}: there is no type in it: no interface, type, enum or class\n"
            self.assertEqual(self.refused(path), want)

    def test_a_file_of_ten_megabytes(self) -> None:
        path = self.write(NOTE + "//" + "x" * 10_000_000)
        self.assertIn(f"{path}: not usable: {path.stat().st_size} bytes", self.refused(path))

    def test_a_schema_that_becomes_too_large(self) -> None:
        long = "x" * 1000
        members = " ".join(f'/** {long} */ m{index}: "{long}";' for index in range(3000))
        path = self.write(f"interface A {{ {members} }}\ntype B = Partial<A>; type C = Required<A>;")
        self.assertIn("not usable: ", self.refused(path))

    def test_escapes_of_a_terminal_are_shown(self) -> None:
        path = self.write('import { A } from "\x1b[2J\x9b31m\u202e";\n')
        said = self.refused(path)
        self.assertIn("\\u001b[2J\\u009b31m\\u202e", said)
        self.assertNotIn("\x1b", said)

    def test_no_file_or_another_kind_of_file(self) -> None:
        path = self.folder / "none.ts"
        self.assertEqual(self.refused(path), f"{path}: No such file or directory\n")
        path = self.write(NOTE, "schema.js")
        self.assertIn("the name of a TypeScript file ends in .ts", self.refused(path))
        (self.folder / "folder.ts").mkdir()
        self.assertIn("Is a directory", self.refused(self.folder / "folder.ts"))

    def test_the_source_is_not_written_over(self) -> None:
        path = self.write(NOTE)
        self.assertIn("this is the file that is read", self.refused(path, "-o", path))
        self.assertEqual(path.read_text(), NOTE)

    def test_nothing_is_written_where_something_is_wrong(self) -> None:
        out = self.folder / "schema.json"
        self.refused(self.write("interface A extends B {}"), "-o", out)
        self.assertFalse(out.exists())

    def test_files_that_comments_name_are_not_run(self) -> None:
        self.write("require('fs').writeFileSync(__dirname + '/ran', ''); exports.list = [1];", "evil.js")
        path = self.write('/** @examples require("./evil.js").list */\nexport interface A { b: string }\n')
        self.assertIn('evil.js") would be run, which is refused', self.refused(path))
        self.assertFalse((self.folder / "ran").exists())

    def test_initializers_are_not_run(self) -> None:
        ran = self.folder / "ran"
        member = f"b: any = require('fs').writeFileSync('{ran}', '');"
        path = self.write(f"export class A {{ {member} }}\ndeclare const require: any;\n")
        self.convert(path)
        self.assertFalse(ran.exists())


class ToolTest(NodeCase):
    """The tool is missing, or something else."""

    def setUp(self) -> None:
        super().setUp()
        self.path = self.write(NOTE)

    def stand_in(self, generate: str, version: str = typescript.VERSION, top: str = "") -> None:
        """A package in the tool's place."""
        modules = f"node_modules/{typescript.PACKAGE}"
        self.write(top + STAND_IN.replace("GENERATE", generate), f"{modules}/index.js")
        self.write(json.dumps({"version": version, "main": "index.js"}), f"{modules}/package.json")
        self.write(
            "exports.getPreEmitDiagnostics = () => [];" + "exports.isModuleDeclaration = () => false;",
            f"{modules}/node_modules/typescript/index.js",
        )

    def convert(self) -> str:
        status, out, err = run(
            "from-typescript", "--strict-null-checks", "--node-modules", self.folder, self.path
        )
        return f"{status} {out}{err}"

    def test_without_node(self) -> None:
        with mock.patch.dict(os.environ, {"PATH": str(self.folder)}):
            said = self.convert()
        self.assertTrue(
            said.startswith("2 TypeScript is read by Node, and there is no program node on PATH"), said
        )
        self.assertIn(
            f"npm install --ignore-scripts --prefix DIR {typescript.PACKAGE}@{typescript.VERSION}", said
        )

    def test_without_the_tool(self) -> None:
        said = self.convert()
        self.assertTrue(
            said.startswith(
                f"2 TypeScript is read by typescript-json-schema, and there is none in {self.folder}\n"
            )
        )
        self.assertIn("--node-modules DIR", said)

    def test_nothing_is_looked_for_beside_the_file(self) -> None:
        self.stand_in("return {};")
        self.enter(self.folder)
        status, _, err = run("from-typescript", "schema.ts")
        self.assertEqual(status, 2)
        self.assertIn("there is none on PATH", err)

    def test_the_environment_names_the_folder(self) -> None:
        self.stand_in("return { definitions: { A: {} } };")
        with mock.patch.dict(os.environ, {typescript.FOLDER_VARIABLE: str(self.folder)}):
            status, out, err = run("from-typescript", "--strict-null-checks", self.path)
        self.assertEqual((status, json.loads(out)["$defs"], err), (0, {"A": {}}, ""))

    def test_another_version_is_told(self) -> None:
        self.stand_in("return { definitions: { A: {} } };", "0.1.0")
        want = f"made by {typescript.PACKAGE} 0.1.0; the specification's build uses {typescript.VERSION}"
        self.assertIn(want, self.convert())

    def test_older_versions_evaluate_nothing(self) -> None:
        self.stand_in('require("vm").runInNewContext("1"); return {};')
        self.assertIn("would be run, which is refused", self.convert())

    def test_a_tool_that_does_not_end(self) -> None:
        self.stand_in("for (;;);")
        with mock.patch.object(typescript, "_SECONDS", 1):
            self.assertEqual(
                self.convert(), f"2 {self.path}: {typescript.PACKAGE} takes more than 1 seconds\n"
            )

    def test_a_tool_that_crashes(self) -> None:
        self.stand_in("process.stderr.write('bro\\x1b[31mken\\n'); process.exit(9);")
        self.assertEqual(self.convert(), f"2 {self.path}: node ended with status 9: bro\\u001b[31mken\n")

    def test_a_tool_that_says_something_else(self) -> None:
        self.stand_in("process.stdout.write('noise'); return {};")
        self.assertIn(f"2 {self.path}: {typescript.PACKAGE}:1:1: not JSON", self.convert())

    def test_a_schema_that_is_no_document(self) -> None:
        for schema in ("null", "7", "[]", "{ definitions: 7 }", "{ definitions: {} }"):
            self.stand_in(f"return {schema};")
            self.assertIn("there is no type in it", self.convert())


class HintTest(unittest.TestCase):
    def test_other_commands_say_how_to_go_on(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "schema.ts"
            path.write_text(NOTE, "utf-8")
            for command in (("diff", path, path), ("types", "--prefix", "app", path)):
                _, _, err = run(*command)
                self.assertIn(f"from-typescript makes a schema of {path}", err)


if __name__ == "__main__":
    unittest.main()
