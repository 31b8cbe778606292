# SPDX-License-Identifier: MIT
# Slow: tools/test.sh runs it with --all.
"""The generated text: the same in every run, and accepted by C and C++ compilers."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from decimal import Decimal
from pathlib import Path
from typing import Any, Dict, Sequence

from codegen.emit.render import generate_common_files, generate_files
from codegen.facts.edition import find_listed
from codegen.facts.facts import Facts
from codegen.plan.comments import plain
from codegen.source.revisions import load as load_revisions
from tests.codegen.support import LAYOUT, ROOT, SCHEMA_DIR, build, document_2020_12

WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-fsyntax-only")
REVISION = "2000-01-01"

TEXT: Dict[str, Any] = {"type": "string"}

# One of each form that the planner knows, among them those that no published schema has.
FORMS: Dict[str, Any] = {
    "Alias": {"$ref": "#/$defs/Node"},
    "Any": {},
    "Closed": {
        "type": "object",
        "properties": {"c": {"const": 1}},
        "required": ["c"],
        "additionalProperties": False,
    },
    "Constant": {"const": "fixed"},
    "Deep": {"type": "array", "items": {"type": "array", "items": {"type": "array", "items": TEXT}}},
    "Empty": {"type": "object", "additionalProperties": False},
    "Flags": {"type": "array", "items": {"type": "boolean"}, "maxItems": 3},
    "Forest": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Tree"}},
    "Id": {"type": ["string", "integer"]},
    "Level": {"enum": ["low", "unknown", "date-time"]},
    "Maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}, {"const": "auto"}]},
    "Node": {
        "type": "object",
        "properties": {
            "default": {"type": "integer", "minimum": -9223372036854775808, "exclusiveMaximum": 3},
            "ratio": {"type": "number", "exclusiveMinimum": Decimal("0.5"), "maximum": 1000},
            "flag": {"type": "boolean"},
            "delete": {"const": True},
            "nothing": {"type": "null"},
            "level": {"$ref": "#/$defs/Level"},
            "maybe": {"$ref": "#/$defs/Maybe"},
            "tree": {"$ref": "#/$defs/Tree"},
            "org.example/x": {"$ref": "#/$defs/Id"},
            "label": {"type": "string", "minLength": 1, "description": "ends */ early, what??/"},
            "inner": {"type": "object", "properties": {"é-x": TEXT}, "additionalProperties": TEXT},
        },
        "required": ["tree", "flag", "nothing"],
    },
    "Nothings": {"type": "array", "items": {"type": "null"}},
    "Tree": {"anyOf": [{"$ref": "#/$defs/Node"}, TEXT, {"type": "array", "items": {"$ref": "#/$defs/Tree"}}]},
}

# The short names of the typed layer over sessions, beside the same revision's full names.
PINNED_HANDLERS = """
#include <mcp/client.h>
#include <mcp/2025-11-25/client.h>

mcpw_status serve(mcpw_request *request, const mcp_call_tool_request_params *params, void *user);
mcpw_status serve(mcpw_request *request, const mcp_call_tool_request_params *params, void *user) {
    (void)params;
    return mcp_respond_tools_call(request, (const mcp_call_tool_result *)user, NULL);
}

mcpw_status use(mcpw_client *client, const mcp_call_tool_request_params *params, mcpw_arena *arena);
mcpw_status use(mcpw_client *client, const mcp_call_tool_request_params *params, mcpw_arena *arena) {
    mcp_server_handlers handlers;
    const mcp_call_tool_result *result = NULL;
    const mcpw_dispatch *dispatch = &mcp_server_dispatch;
    handlers.tools_call = serve;
    return dispatch->has(&handlers, MCP_METHOD_TOOLS_CALL)
               ? mcp_call_tools_call(client, params, NULL, arena, &result, NULL)
               : MCPW_E_METHOD;
}
"""


def compilers() -> Sequence[Sequence[str]]:
    """The compilers that are there, for C and for C++. The test is skipped where there is none."""
    wanted = (("gcc", "g++"), ("clang", "clang++"))
    found = [
        command
        for c, cpp in wanted
        for name, command in ((c, (c, "-std=c11")), (cpp, (cpp, "-x", "c++", "-std=c++17")))
        if shutil.which(name)
    ]
    if not found:
        raise unittest.SkipTest("skipped: neither gcc nor clang is installed")
    return found


def write(folder: Path, files: Dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def all_files() -> Dict[str, str]:
    revisions = load_revisions(SCHEMA_DIR)
    files = generate_common_files(revisions)
    for name in revisions.names:
        edition = find_listed(revisions, name)
        files.update(generate_files(edition.document, edition.facts))
    return files


class DeterminismTest(unittest.TestCase):
    SCRIPT = (
        "import hashlib; from tests.codegen.test_render import all_files;"
        "print(hashlib.sha256(repr(sorted(all_files().items())).encode()).hexdigest())"
    )

    def test_two_runs_agree_whatever_the_hash_seed(self) -> None:
        here = hashlib.sha256(repr(sorted(all_files().items())).encode()).hexdigest()
        for seed in ("1", "2"):
            environment = {**os.environ, "PYTHONHASHSEED": seed}
            run = subprocess.run(
                [sys.executable, "-c", self.SCRIPT],
                cwd=ROOT,
                env=environment,
                check=True,
                capture_output=True,
            )
            self.assertEqual(run.stdout.decode().strip(), here)

    def test_no_path_of_the_machine_is_written(self) -> None:
        self.assertFalse([name for name, text in all_files().items() if str(ROOT) in text])


class CompileTest(unittest.TestCase):
    def setUp(self) -> None:
        self.compilers = compilers()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name)
        self.includes = [f"-I{ROOT / 'runtime' / 'include'}"]

    def compile(self, source: str, languages: Sequence[str] = ("gcc", "g++", "clang", "clang++")) -> None:
        path = self.out / "unit.c"
        path.write_text(source, encoding="utf-8")
        for command in self.compilers:
            if command[0] not in languages:
                continue
            run = subprocess.run(
                [*command, *WARNINGS, *self.includes, str(path)], capture_output=True, check=False
            )
            self.assertEqual(run.returncode, 0, f"{command[0]}: {source}\n{run.stderr.decode()}")

    def test_every_header_compiles_alone(self) -> None:
        files = all_files()
        write(self.out, files)
        folders = sorted({name.partition("/")[0] for name in files})
        self.includes += [f"-I{self.out / folder}" for folder in folders]
        for name in sorted(files):
            if name.endswith(".h"):
                with self.subTest(name=name):
                    self.compile(f"#include <{name.partition('/')[2]}>\n")

    def test_all_revisions_compile_in_one_file(self) -> None:
        files = all_files()
        write(self.out, files)
        self.includes += [f"-I{self.out / folder}" for folder in {name.partition("/")[0] for name in files}]
        self.compile("#include <mcp/revisions.h>\n#include <mcp/pinned.h>\nextern mcp_tool *a_tool;\n")
        self.compile(PINNED_HANDLERS)
        self.compile(files["common/registry.c"], ("gcc", "clang"))

    def test_an_unknown_pin_is_an_error_that_says_so(self) -> None:
        write(self.out, all_files())
        path = self.out / "unit.c"
        path.write_text("#define MCPW_PIN 1\n#include <mcp/pinned.h>\n", encoding="utf-8")
        includes = [*self.includes, f"-I{self.out / 'common'}"]
        command = [*self.compilers[0], *includes, "-fsyntax-only", str(path)]
        run = subprocess.run(command, capture_output=True, check=False)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("MCPW_PIN names no revision", run.stderr.decode())

    def test_tables_and_dispatch_of_every_revision_compile(self) -> None:
        files = all_files()
        write(self.out, files)
        base = list(self.includes)
        for name, text in files.items():
            if name.endswith(("tables.c", "handlers.c")):
                self.includes = [*base, f"-I{self.out / name.partition('/')[0]}"]
                self.compile(text, ("gcc", "clang"))

    def test_a_schema_without_facts_compiles_in_every_form(self) -> None:
        files = generate_files(build(document_2020_12(**FORMS)), Facts(REVISION))
        write(self.out, files)
        self.includes.append(f"-I{self.out / REVISION}")
        for name in ("tables.c", "handlers.c"):
            self.compile(files[f"{REVISION}/{name}"], ("gcc", "clang"))
        self.compile(f"#include <mcp/{REVISION}/names.h>\n")


HASH_PROGRAM = """
#include <mcp/%(revision)s.h>
#include <mcpw/detail/table.h>
int main(void) {
    const mcpw_revision *revision = &%(prefix)s_revision;
    const uint8_t *slots = revision->slots;
    for (unsigned i = 0; i < revision->struct_count; i++) {
        const mcpw_struct *entry = &revision->structs[i];
        for (unsigned n = 0; entry->hash_mul != 0 && n < entry->count; n++) {
            const mcpw_row *row = &revision->rows[entry->first + n];
            const unsigned char *key = (const unsigned char *)revision->pool + row->key + 1;
            unsigned slot =
                MCPW_HASH(key, row->key_len, entry->hash_mul, entry->hash_shift, entry->hash_mask);
            if (slots[entry->slots + slot] != n) {
                return 1;
            }
        }
    }
    return 0;
}
"""


class HashTest(unittest.TestCase):
    def test_the_hash_of_table_h_finds_every_row(self) -> None:
        command = next((c for c in compilers() if c[0] in ("gcc", "clang")), None)
        if command is None:
            self.skipTest("skipped: no C compiler")
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            write(out, all_files())
            for revision in load_revisions(SCHEMA_DIR).names:
                prefix = "mcp_" + revision.replace("-", "")
                (out / "unit.c").write_text(HASH_PROGRAM % {"revision": revision, "prefix": prefix})
                sources = [out / "unit.c", LAYOUT, out / revision / "tables.c"]
                includes = [f"-I{ROOT / 'runtime' / 'include'}", f"-I{out / revision}"]
                # Optimised, so that the inline functions that nothing calls need no engine to link with.
                subprocess.run([*command, "-O1", *includes, *sources, "-o", str(out / "unit")], check=True)
                self.assertEqual(subprocess.run([str(out / "unit")], check=False).returncode, 0, revision)


class CommentTest(unittest.TestCase):
    def test_a_description_cannot_end_its_comment(self) -> None:
        self.assertEqual(plain("a */ b\n/* c ??/ \\"), "a * / b / * c ? ?/ ")

    def test_a_description_of_the_schema_becomes_the_comment(self) -> None:
        files = generate_files(build(document_2020_12(**FORMS)), Facts(REVISION))
        self.assertIn("/* ends * / early, what? ?/ */", files[f"{REVISION}/mcp/{REVISION}/types.h"])


if __name__ == "__main__":
    unittest.main()
