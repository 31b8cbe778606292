# SPDX-License-Identifier: MIT
# Slow: tools/test.sh runs it with --all.
"""The commands: exit status, what they print, and what they leave on disk."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict
from unittest import mock

from codegen import __version__, cli, generate
from codegen.emit import output
from codegen.errors import BadInput
from codegen.facts.edition import Request, read_edition
from codegen.model.nodes import Document
from codegen.report.counts import Counts, count
from codegen.source.revisions import load as load_revisions
from tests.codegen.support import SCHEMA_DIR, build, document_2020_12, published_dir, run

R = "2025-11-25"
ROOT = Path(__file__).resolve().parent.parent.parent


class FolderCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = self.folder / "out"

    def write_schema(self, document: Any, name: str = R) -> Path:
        path = self.folder / name / "schema.json"
        path.parent.mkdir()
        path.write_text(document if isinstance(document, str) else json.dumps(document), "utf-8")
        return path


class BadInputTest(FolderCase):
    def assert_bad(self, message: str, *arguments: object) -> None:
        self.assertEqual(run("generate", "--out", self.out, *arguments), (2, "", message + "\n"))
        self.assertFalse(self.out.exists())

    def test_refusal_names_file_pointer_and_cause(self) -> None:
        path = self.write_schema(document_2020_12(A={}, X={"oneOf": []}))
        cause = '"oneOf" must be an array of at least one schema'
        self.assert_bad(f"{path}: /$defs/X/oneOf: {cause}", "--schema", path, "--no-errata")

    def test_refusal_is_one_line_whatever_the_names(self) -> None:
        path = self.write_schema(document_2020_12(**{"a\nb": {"not": {}}}))
        cause = r'the definition name "a\nb" has a quote, a backslash or a control character'
        self.assert_bad(f"{path}: /$defs/a\\u000ab: {cause}", "--schema", path, "--no-errata")

    def test_no_such_file(self) -> None:
        path = self.folder / R / "schema.json"
        self.assert_bad(f"{path}: No such file or directory", "--schema", path)

    def test_not_json(self) -> None:
        path = self.write_schema('{\n  "a" 1}')
        self.assert_bad(f"{path}:2:7: not JSON: Expecting ':' delimiter", "--schema", path)

    def test_unknown_revision(self) -> None:
        known = ", ".join(load_revisions(SCHEMA_DIR).names)
        self.assert_bad(f'unknown revision "2025"; known are {known}', "--revision", "2025")

    def test_revision_that_the_folder_does_not_tell(self) -> None:
        path = self.write_schema(document_2020_12(X={}), "draft")
        cause = "the revision must be a date of the form YYYY-MM-DD; state it with --revision"
        self.assert_bad(f'"draft" is no revision: {cause}', "--schema", path)

    def test_revision_that_is_no_date(self) -> None:
        path = self.write_schema(document_2020_12(X={}), "draft")
        cause = "the revision must be a date of the form YYYY-MM-DD; state it with --revision"
        for name in ("2027-13-45", ""):
            self.assert_bad(f'"{name}" is no revision: {cause}', "--schema", path, "--revision", name)

    def test_one_document_for_all_revisions(self) -> None:
        path = self.write_schema(document_2020_12(X={}))
        self.assert_bad("--schema reads one document: it does not go with --all", "--schema", path, "--all")

    def test_errata_that_do_not_fit_the_document(self) -> None:
        path = self.write_schema(document_2020_12(X={}))
        status, out, err = run("generate", "--schema", path, "--out", self.out)
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(
            err, r"errata/2025-11-25\.json: /errata/0: /\$defs/\S+ leads nowhere in the schema\n\Z"
        )

    def test_unknown_option(self) -> None:
        self.assertEqual(run("generate", "--nonsense")[0], 2)

    def test_command_is_required(self) -> None:
        self.assertEqual(run()[0], 2)

    def test_verify_without_the_published_files(self) -> None:
        status, out, err = run("verify", "--published", self.folder)
        path = self.folder / "2024-11-05" / "schema.json"
        self.assertEqual((status, out, err), (2, "", f"{path}: No such file or directory\n"))


class AddTest(FolderCase):
    def test_an_installed_generator_adds_nothing(self) -> None:
        with mock.patch.object(cli, "_OUT", self.folder / "generated"):
            status, out, err = run("add", "2099-01-15")
        cause = "there is no such folder: revisions are added in mcpwire's source tree"
        self.assertEqual((status, out, err), (2, "", f"{self.folder / 'generated'}: {cause}\n"))

    def test_what_is_listed_or_no_date_is_refused(self) -> None:
        listed = load_revisions(SCHEMA_DIR).names[-1]
        file = SCHEMA_DIR / "revisions.json"
        for name, cause in (
            ("draft", '"draft" is no revision: it must be a date of the form YYYY-MM-DD'),
            (listed, f"{listed} has a row in {file} already"),
            ("2099-01-15", f"{SCHEMA_DIR / '2099-01-15' / 'schema.json'}: No such file or directory"),
        ):
            with self.subTest(name):
                self.assertEqual(run("add", name), (2, "", f"{cause}\n"))


class HelpTest(unittest.TestCase):
    def test_every_command_explains_itself_with_an_example(self) -> None:
        for command in ("generate", "add", "verify", "list"):
            with self.subTest(command):
                status, out, _ = run(command, "--help")
                self.assertEqual(status, 0)
                self.assertIn(f"example:\n  python3 -m codegen {command}", out)


class ListTest(unittest.TestCase):
    def test_list(self) -> None:
        status, out, err = run("list")
        self.assertEqual((status, err), (0, ""))
        lines = out.splitlines()
        self.assertEqual([line.split()[0] for line in lines], list(load_revisions(SCHEMA_DIR).names))
        self.assertRegex(lines[0], r"^2024-11-05  released +79 definitions +\d+ members +\d+ methods$")
        self.assertRegex(lines[4], r"^2026-07-28  released +155 definitions +\d+ members +\d+ methods  pin$")


class CountTest(unittest.TestCase):
    def test_members_and_methods_are_counted_wherever_they_stand(self) -> None:
        inner = {"type": "object", "properties": {"method": {"const": "a/b"}}}
        schema = {
            "type": "object",
            "properties": {
                "list": {"type": "array", "items": inner},
                "either": {"anyOf": [inner, {"type": "null"}]},
            },
            "additionalProperties": {"type": "object", "properties": {"method": {"type": "string"}}},
        }
        counts = count(build(document_2020_12(X=schema, Y={})))
        self.assertEqual(counts, Counts(definitions=2, members=5, methods=1))


class VerifyTest(unittest.TestCase):
    def test_verify(self) -> None:
        status, out, err = run("verify", "--published", published_dir())
        self.assertEqual((status, err), (0, ""))
        self.assertIn("2025-11-25: 145 definitions equal\n  erratum /$defs/", out)


def _render(document: Document, facts: object, only: object = ()) -> mock.Mock:
    del facts, only
    text = f"{len(document.definitions)} of {document.sha256}\n"
    return mock.Mock(files={f"{document.revision}/types.h": text}, notes=())


class GenerateTest(FolderCase):
    """With a back end that writes two small files, so that only the command is under test."""

    def setUp(self) -> None:
        super().setUp()
        render = mock.Mock(generate=_render, generate_common_files=lambda _: {"pinned.h": "common\n"})
        patcher = mock.patch.dict("sys.modules", {"codegen.emit.render": render})
        patcher.start()
        self.addCleanup(patcher.stop)

    def files(self) -> Dict[str, bytes]:
        paths = (path for path in self.out.rglob("*") if path.is_file())
        return {path.relative_to(self.out).as_posix(): path.read_bytes() for path in paths}

    def test_all_revisions_are_the_default(self) -> None:
        count = len(load_revisions(SCHEMA_DIR).names) + 1
        _, out, _ = run("generate", "--out", self.out)
        self.assertIn(f"{self.out}: {count} files, {count} changed\n", out)
        _, out, _ = run("generate", "--all", "--out", self.out)
        self.assertIn(f"{self.out}: {count} files, 0 changed\n", out)

    def test_the_version_is_that_of_the_project(self) -> None:
        project = (ROOT / "CMakeLists.txt").read_text("utf-8")
        self.assertIn(f"project(mcpwire VERSION {__version__} ", project)

    def test_one_revision(self) -> None:
        self.assertEqual(run("generate", "--revision", R, "--out", self.out)[0], 0)
        self.assertEqual(sorted(self.files()), [f"{R}/types.h", "pinned.h"])

    def test_schema_takes_its_revision_from_the_folder(self) -> None:
        path = self.write_schema(document_2020_12(X={}), "2030-01-01")
        self.assertEqual(run("generate", "--schema", path, "--out", self.out)[0], 0)
        self.assertEqual(sorted(self.files()), ["2030-01-01/types.h"])

    def test_schema_of_a_stated_revision(self) -> None:
        path = self.write_schema(document_2020_12(X={}), "draft")
        run("generate", "--schema", path, "--revision", "2030-02-02", "--out", self.out)
        self.assertEqual(sorted(self.files()), ["2030-02-02/types.h"])

    def test_published_documents_are_read_as_they_are(self) -> None:
        for path in sorted(published_dir().glob("*/schema.json")):
            with self.subTest(path.parent.name):
                self.assertEqual(run("generate", "--schema", path, "--out", self.out)[0], 0)

    def test_check_of_what_was_generated(self) -> None:
        run("generate", "--out", self.out)
        self.assertEqual(run("generate", "--check", "--out", self.out), (0, "", ""))

    def test_check_lists_what_differs_and_the_command(self) -> None:
        run("generate", "--revision", R, "--out", self.out)
        (self.out / R / "types.h").write_text("edited", "utf-8")
        (self.out / R / "old.h").write_text("", "utf-8")
        (self.out / "pinned.h").unlink()
        before = self.files()
        status, out, err = run("generate", "--check", "--revision", R, "--out", self.out)
        expected = (
            f"{self.out} is not up to date:\n"
            f"  {R}/old.h: left over\n  {R}/types.h: differs\n  pinned.h: missing\n"
            f"run: python3 -m codegen generate --revision {R} --out {self.out}\n"
        )
        self.assertEqual((status, out, err), (1, expected, ""))
        self.assertEqual(self.files(), before)

    def test_files_that_are_up_to_date_are_not_touched(self) -> None:
        run("generate", "--revision", R, "--out", self.out)
        path = self.out / "pinned.h"
        os.utime(path, (1, 1))
        run("generate", "--revision", R, "--out", self.out)
        self.assertEqual(path.stat().st_mtime, 1)

    def test_files_left_over_are_removed_from_the_folder_of_the_revision_alone(self) -> None:
        run("generate", "--out", self.out)
        for name in (f"{R}/old.h", f"{R}/sub/old.h", "2024-11-05/other.h", "README.md"):
            (self.out / name).parent.mkdir(exist_ok=True)
            (self.out / name).write_text("", "utf-8")
        run("generate", "--revision", R, "--out", self.out)
        left = [name for name in self.files() if not name.endswith(("types.h", "pinned.h"))]
        self.assertEqual(sorted(left), ["2024-11-05/other.h", "README.md"])
        self.assertFalse((self.out / R / "sub").exists())

    def test_nothing_is_written_when_a_document_is_refused(self) -> None:
        run("generate", "--out", self.out)
        before = self.files()
        path = self.write_schema(document_2020_12(X={"not": 1}))
        self.assertEqual(run("generate", "--schema", path, "--no-errata", "--out", self.out)[0], 2)
        self.assertEqual(self.files(), before)

    def test_out_that_is_a_file(self) -> None:
        self.out.write_text("", "utf-8")
        message = f"{self.out}: cannot write: not a folder\n"
        self.assertEqual(run("generate", "--out", self.out), (2, "", message))

    def test_no_errata_leaves_the_document_as_it_is(self) -> None:
        schema = SCHEMA_DIR / R / "schema.json"
        for option, applied in ((), True), (("--no-errata",), False):
            request = mock.patch.object(generate, "read_edition", wraps=read_edition)
            with self.subTest(option=option), request as read:
                run("generate", "--revision", R, "--out", self.out, *option)
                self.assertEqual(read.call_args.args[1], Request(R, schema, None, applied, SCHEMA_DIR))


class OutputTest(FolderCase):
    def test_only_folders_named_after_the_revision_are_its_own(self) -> None:
        for name in (f"lib/{R}/sub/{R}/old.h", "lib/other.h"):
            (self.out / name).parent.mkdir(parents=True, exist_ok=True)
            (self.out / name).write_text("", "utf-8")
        files = {f"lib/{R}/a.h": "", f"lib/{R}/sub/{R}/b.h": "", "lib/common.h": ""}
        left_over = [line for line in output.differing(self.out, files, [R]) if line.endswith("left over")]
        self.assertEqual(left_over, [f"lib/{R}/sub/{R}/old.h: left over"])
        output.write(self.out, files, [R])
        left = sorted(path.relative_to(self.out).as_posix() for path in self.out.rglob("*.h"))
        self.assertEqual(left, [f"lib/{R}/a.h", f"lib/{R}/sub/{R}/b.h", "lib/common.h", "lib/other.h"])

    def test_failure_leaves_no_temporary_file_and_the_old_content(self) -> None:
        output.write(self.out, {"a.h": "old"}, [])
        full = OSError(28, "No space left on device")
        with mock.patch.object(Path, "replace", side_effect=full), self.assertRaises(BadInput) as caught:
            output.write(self.out, {"a.h": "new"}, [])
        self.assertEqual(str(caught.exception), f"{self.out}: cannot write: No space left on device")
        self.assertEqual([path.name for path in self.out.iterdir()], ["a.h"])
        self.assertEqual((self.out / "a.h").read_text("utf-8"), "old")

    def test_a_file_where_a_folder_is_needed(self) -> None:
        self.out.mkdir()
        (self.out / "sub").write_text("", "utf-8")
        with self.assertRaisesRegex(BadInput, r"sub.*: "):
            output.write(self.out, {"sub/a.h": "text"}, [])


class StandardOutputTest(FolderCase):
    """The commands as processes, whose standard output takes nothing."""

    def start(self, *arguments: str, stdout: int) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-B", "-m", "codegen", *arguments]
        return subprocess.run(
            command, cwd=ROOT, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False, timeout=120
        )

    @unittest.skipUnless(Path("/dev/full").exists(), "there is no /dev/full")
    def test_full(self) -> None:
        with Path("/dev/full").open("wb") as full:
            for arguments in (["list"], ["diff", "2025-06-18", R]):
                with self.subTest(arguments=arguments):
                    done = self.start(*arguments, stdout=full.fileno())
                    self.assertEqual(done.returncode, 2)
                    self.assertEqual(
                        done.stderr, "cannot write to standard output: No space left on device\n"
                    )

    @unittest.skipUnless(Path("/dev/full").exists(), "there is no /dev/full")
    def test_a_device_has_no_remarks(self) -> None:
        arguments = ("--format", "markdown", "--output", "/dev/full")
        done = run("diff", "2025-06-18", R, *arguments)
        self.assertEqual(done, (2, "", "/dev/full: cannot write: No space left on device\n"))

    def test_nobody_reads(self) -> None:
        for arguments in (["list"], ["graph", R]):
            with self.subTest(arguments=arguments):
                reader, writer = os.pipe()
                os.close(reader)
                try:
                    done = self.start(*arguments, stdout=writer)
                finally:
                    os.close(writer)
                self.assertEqual((done.returncode, done.stderr), (2, ""))

    def test_closed(self) -> None:
        command = f"exec {shlex.quote(sys.executable)} -B -m codegen diff 2025-06-18 {R} >&-"
        done = subprocess.run(
            ["sh", "-c", command], cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False, timeout=120
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
