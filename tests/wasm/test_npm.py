# SPDX-License-Identifier: MIT
"""The package for npm, as a user installs it: the module answers as the command does, in Node and a page."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Iterable

from tests.examples import chromium
from tests.examples.site import Site
from tests.wasm import corpus, package
from tests.wasm.package import ROOT, Outcome

KIB = 1024
MOST_BYTES = 660 * KIB
MOST_PACKED = 200 * KIB
LEAST_LINES = 5000
TYPESCRIPT = Path(os.environ.get("MCPW_TYPESCRIPT", ROOT / "build" / "typescript")) / "node_modules"
EXPORTS = {
    "memory",
    "_initialize",
    "mcpwire_alloc",
    "mcpwire_free",
    "mcpwire_validate",
    "mcpwire_convert",
    "mcpwire_about",
    "mcpwire_report",
}
PAGE = """<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'self' 'wasm-unsafe-eval'">
<title></title><script type="module" src="page.js"></script>
"""
SCRIPT = """import { load } from "./index.mjs";
const mcpwire = await load();
const text = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"title":"grün"}}';
globalThis.found = JSON.stringify(mcpwire.validate(text, { revision: "2025-11-25" }).values[0].errors);
"""


def setUpModule() -> None:
    package.installed()


def in_command(case: corpus.Case) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / case.name).write_bytes(case.text)
        return package.run([os.environ["MCPWIRE"], *case.args], Path(folder))


class VerdictTest(unittest.TestCase):
    """The oracle is the native command, which has other tests."""

    def hold(self, cases: Iterable[corpus.Case]) -> int:
        """Compares all that the commands write. Returns the number of lines that they read."""
        asked = list(cases)
        texts = [{"args": c.args, "texts": {c.name: base64.b64encode(c.text).decode()}} for c in asked]
        for case, found in zip(asked, package.in_module(texts)):
            expected = in_command(case)
            with self.subTest(" ".join(case.args)):
                self.assertEqual(found.errors, expected.errors)
                self.assertEqual(found.output, expected.output)
                self.assertEqual(found.status, expected.status)
        return sum(case.lines for case in asked)

    def test_validate_writes_what_the_command_writes(self) -> None:
        self.assertGreater(self.hold(corpus.of_validate(os.environ["ORACLE_PROJECT"])), LEAST_LINES)

    def test_convert_writes_what_the_command_writes(self) -> None:
        self.assertGreater(self.hold(corpus.of_convert(os.environ["ORACLE_PROJECT"])), LEAST_LINES)

    def test_help_and_errors_are_those_of_the_command(self) -> None:
        self.hold(corpus.of_usage())


class PackageTest(unittest.TestCase):
    def test_the_module_is_small(self) -> None:
        module = (package.installed().package / "mcpwire.wasm").read_bytes()
        packed = len(gzip.compress(module, mtime=0))
        print(f"mcpwire.wasm: {len(module)} bytes, {packed} by gzip")
        self.assertLessEqual(len(module), MOST_BYTES)
        self.assertLessEqual(packed, MOST_PACKED)

    def test_it_holds_what_is_needed_and_nothing_else(self) -> None:
        files = {file.name for file in package.installed().package.iterdir()}
        self.assertEqual(
            files,
            {
                "LICENSE",
                "README.md",
                "index.d.ts",
                "index.mjs",
                "mcpwire.mjs",
                "mcpwire.wasm",
                "package.json",
            },
        )

    def test_its_version_is_that_of_the_project(self) -> None:
        project = re.search(
            r"project\(mcpwire VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text("utf-8")
        )
        about = json.loads((package.installed().package / "package.json").read_text("utf-8"))
        assert project is not None
        self.assertEqual(about["version"], project.group(1))

    def test_the_module_asks_for_nothing_of_wasi(self) -> None:
        script = (
            "const m = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));"
            "console.log(JSON.stringify([WebAssembly.Module.imports(m), WebAssembly.Module.exports(m)]))"
        )
        module = package.installed().package / "mcpwire.wasm"
        imports, exports = json.loads(package.must(["node", "-e", script, str(module)]))
        self.assertEqual({each["module"] for each in imports}, {"mcpwire"})
        self.assertLessEqual(EXPORTS, {each["name"] for each in exports})


class ProgramTest(unittest.TestCase):
    def test_a_program_of_node_uses_every_function(self) -> None:
        folder = package.installed().folder
        shutil.copy(ROOT / "tests" / "wasm" / "program.test.mjs", folder)
        outcome = package.run(["node", "--test", "program.test.mjs"], folder)
        self.assertEqual(outcome.status, 0, outcome.output + outcome.errors)

    def test_the_example_of_its_readme_says_what_happens(self) -> None:
        folder = package.installed().folder
        text = (package.installed().package / "README.md").read_text("utf-8")
        block = text.split("```js\n")[1].split("```")[0]
        (folder / "readme.mjs").write_text(
            block + "console.log(JSON.stringify([result.valid, result.values[0].errors[0], converted]));\n",
            "utf-8",
        )
        valid, error, converted = json.loads(package.must(["node", "readme.mjs"], folder))
        said = re.search(r'// \{ pointer: "(.*)", code: "(.*)", message: \'(.*)\', offset: (\d+) \}', block)
        assert said is not None
        pointer, code, message, offset = said.groups()
        self.assertFalse(valid)
        self.assertEqual(error, {"pointer": pointer, "code": code, "message": message, "offset": int(offset)})
        self.assertTrue(converted["complete"])

    def test_its_types_fit_a_program(self) -> None:
        compiler = TYPESCRIPT / "typescript" / "bin" / "tsc"
        if not compiler.is_file():
            self.skipTest("typescript is not installed: run tests/codegen/typescript/setup.sh FOLDER")
        folder = package.installed().folder
        shutil.copy(ROOT / "tests" / "wasm" / "program.ts", folder)
        flags = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom"]
        for resolution in (["--module", "nodenext"], ["--module", "esnext", "--moduleResolution", "bundler"]):
            with self.subTest(resolution):
                command = ["node", str(compiler), *flags, *resolution, "program.ts"]
                outcome = package.run(command, folder)
                self.assertEqual((outcome.status, outcome.output), (0, ""))

    def test_a_page_loads_it_without_a_bundler(self) -> None:
        if chromium.find() is None:
            self.skipTest("there is no Chromium (Debian: chromium)")
        pages = {"/page.html": PAGE, "/page.js": SCRIPT}
        with Site(package.installed().package, pages) as site, chromium.Chromium(800, 600) as browser:
            browser.open(f"{site.origin}/page.html")
            browser.wait("typeof found", "string")
            errors = json.loads(browser.value("found"))
        self.assertEqual([error["code"] for error in errors], ["MCPW_E_MISSING"])
        self.assertEqual(
            errors[0]["offset"],
            len('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"title":"grün"'.encode()),
        )


if __name__ == "__main__":
    unittest.main()
