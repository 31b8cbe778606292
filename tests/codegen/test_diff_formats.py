# SPDX-License-Identifier: MIT
# Slow: tools/test.sh runs it with --all.
"""How comparisons are shown: text, markdown, JSON and HTML, and the commands that write them."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple
from unittest import mock

from codegen import cli
from codegen.facts.facts import Facts
from codegen.report.diff.compare import compare
from codegen.report.diff.html import to_html
from codegen.report.diff.jsonout import SCHEMA_FILE, to_json
from codegen.report.diff.markdown import REMARKS_BEGIN, REMARKS_END, to_markdown
from codegen.report.diff.report import Report
from codegen.report.diff.rules import RULES
from codegen.report.diff.side import load_sides, side_of
from codegen.report.diff.text import COLUMNS, to_text
from codegen.source.revisions import load as load_revisions
from tests.codegen.support import ROOT, SCHEMA_DIR, build, document_2020_12, published_dir, run

VOID = frozenset(("meta", "input", "br", "link", "img", "wbr"))
TEXT: Dict[str, Any] = {"type": "string"}


@cache
def reports() -> Dict[Tuple[str, str], Report]:
    """The comparison of each revision with the next, of the two ends, and of one with itself."""
    revisions = load_revisions(SCHEMA_DIR)
    names = revisions.names
    pairs = [*zip(names, names[1:]), (names[-1], names[0]), (names[0], names[0])]
    return {pair: compare(*load_sides(*pair, revisions, errata=True)) for pair in pairs}


def small(old: Dict[str, Any], new: Dict[str, Any]) -> Report:
    """The comparison of two documents with these definitions."""
    left, right = (side_of(build(document_2020_12(**each)), Facts("2000-01-01")) for each in (old, new))
    return compare(left, right)


class AllReportsCase(unittest.TestCase):
    reports: Dict[Tuple[str, str], Report]

    @classmethod
    def setUpClass(cls) -> None:
        cls.reports = reports()


class TextTest(AllReportsCase):
    def test_lines_fit_unless_a_word_does_not(self) -> None:
        for report in self.reports.values():
            for line in to_text(report).splitlines():
                if len(line) > COLUMNS:
                    self.assertNotIn(" ", line.strip(), line)

    def test_colours_are_only_added(self) -> None:
        for report in self.reports.values():
            plain, coloured = to_text(report), to_text(report, colour=True)
            self.assertNotIn("\x1b", plain)
            self.assertEqual(re.sub(r"\x1b\[\d+m", "", coloured), plain)

    def test_equal_schemas_are_said_to_be_equal(self) -> None:
        self.assertEqual(to_text(small({"X": TEXT}, {"X": TEXT})), "2000-01-01 -> 2000-01-01: equal\n")

    def test_one_change(self) -> None:
        old = {"X": {"type": "object", "properties": {"a": TEXT, "b": TEXT}}}
        new = {"X": {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}}
        expected = """\
2000-01-01 -> 2000-01-01: breaking

types    1 changed
methods  none
changes  2, 2 of them breaking: 1 breaks C source, 1 refuses old values, 0 are refused by old
         readers

Types
  ~ X  (mcp_x)
      a: now required
        optional -> required
        old values refused by the new schema (is required)
        Always set mcp_x.a: encode fails without it.
      b: member gone
        string
        breaks C source: mcp_x.b
        Remove mcp_x.b; what a peer still sends there is kept in extra.
"""
        self.assertEqual(to_text(small(old, new)), expected)


class MarkdownTest(AllReportsCase):
    def test_rows_of_a_table_have_as_many_cells_as_its_head(self) -> None:
        for report in self.reports.values():
            cells = 0
            for line in to_markdown(report).splitlines():
                count = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
                if count and cells:
                    self.assertEqual(count, cells, line)
                cells = count

    def test_remarks_are_kept(self) -> None:
        report = small({"X": TEXT}, {"Y": TEXT})
        note = to_markdown(report, "Mind the gap.\n\n- twice\n")
        self.assertIn(f"{REMARKS_BEGIN}\nMind the gap.\n\n- twice\n{REMARKS_END}\n", note)

    def test_regenerating_a_note_keeps_its_remarks(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "note.md"
            arguments = ("diff", "2024-11-05", "2025-03-26", "--format", "markdown", "--output", path)
            run(*arguments)
            before = path.read_text("utf-8")
            path.write_text(before.replace("None yet.", "Mine."), "utf-8")
            run(*arguments)
            self.assertEqual(path.read_text("utf-8"), before.replace("None yet.", "Mine."))


class JsonTest(AllReportsCase):
    def test_reports_are_as_the_schema_says(self) -> None:
        try:
            import jsonschema
        except ModuleNotFoundError:
            self.skipTest("skipped: jsonschema is missing")
        schema = json.loads(SCHEMA_FILE.read_text("utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        for pair, report in self.reports.items():
            with self.subTest(pair):
                errors = [error.message for error in validator.iter_errors(json.loads(to_json(report)))]
                self.assertEqual(errors, [])

    def test_the_schema_knows_the_rules(self) -> None:
        schema = json.loads(SCHEMA_FILE.read_text("utf-8"))
        known = schema["$defs"]["change"]["properties"]["rule"]["enum"]
        self.assertEqual(sorted(known), sorted(RULES))

    def test_figures_are_those_of_the_changes(self) -> None:
        for report in self.reports.values():
            value = json.loads(to_json(report))
            owners = [*value["types"], *value["methods"], *value["errors"]]
            changes = [change for owner in owners for change in owner["changes"]] + value["general"]
            figures = value["summary"]
            self.assertEqual(figures["changes"], len(changes))
            self.assertEqual(figures["breaking"], sum(change["breaking"] for change in changes))
            self.assertEqual(figures["source"], sum(bool(change["source"]) for change in changes))
            self.assertEqual(sum(figures["types"].values()), len(value["types"]))


class Page(HTMLParser):
    """The contents of a page, and whether its tags are balanced."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: List[str] = []
        self.links: List[str] = []
        self.headings: List[int] = []
        self.loads: List[str] = []
        self.open: List[str] = []
        self.labels: List[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        values = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if values.get("id"):
            self.ids.append(values["id"] or "")
        if "aria-labelledby" in values:
            self.labels.append(values["aria-labelledby"] or "")
        if tag == "a":
            self.links.append(values.get("href") or "")
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        self.loads += [value or "" for name, value in attrs if name in ("src", "srcset", "data", "action")]
        self.loads += [tag for _ in (1,) if tag in ("link", "iframe", "img", "object", "embed")]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            raise AssertionError(f"</{tag}> at {self.getpos()} closes nothing")


class HtmlTest(AllReportsCase):
    def test_the_page_needs_nothing_else(self) -> None:
        for report in self.reports.values():
            text = to_html(report)
            self.assertEqual(Page(text).loads, [])
            self.assertNotRegex(text, r"https?:|url\(|@import")

    def test_links_lead_somewhere_and_names_are_unique(self) -> None:
        for report in self.reports.values():
            page = Page(to_html(report))
            self.assertEqual(len(page.ids), len(set(page.ids)))
            self.assertEqual({link[1:] for link in page.links} - set(page.ids), set())
            self.assertEqual(set(page.labels) - set(page.ids), set())
            self.assertEqual(page.open, [])

    def test_headings_skip_no_level(self) -> None:
        for report in self.reports.values():
            levels = Page(to_html(report)).headings
            self.assertEqual(levels[0], 1)
            self.assertEqual(levels.count(1), 1)
            for before, after in zip(levels, levels[1:]):
                self.assertLessEqual(after, before + 1)

    def test_every_change_is_on_the_page(self) -> None:
        for report in self.reports.values():
            text = to_html(report)
            for change in report.changes:
                # The state of a type says whether it is new or gone.
                if change.rule not in ("type-added", "type-removed"):
                    self.assertIn(f"<strong>{change.title}</strong>", text)
                for item in change.source:
                    self.assertIn(f"<code>{item.name}</code>", text)

    def test_text_of_a_schema_stays_text(self) -> None:
        evil = "</p><script>alert(1)</script>"
        old = {"X<i>": {"type": "object", "properties": {"a<b": TEXT}, "description": evil}}
        new = {"X<i>": {"type": "object", "properties": {"c&d": TEXT}, "description": evil}}
        text = to_html(small(old, new))
        self.assertNotIn("<script>alert", text)
        self.assertNotIn("X<i>", text)
        self.assertEqual(Page(text).open, [])


class CommandTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name: str, **definitions: Any) -> Path:
        path = self.folder / name
        path.write_text(json.dumps(document_2020_12(**definitions)), "utf-8")
        return path

    def test_exit_status_is_0_unless_it_is_asked_for(self) -> None:
        self.assertEqual(run("diff", "2024-11-05", "2025-03-26")[0], 0)

    def test_exit_status_1_for_a_breaking_change(self) -> None:
        self.assertEqual(run("diff", "--exit-code", "2024-11-05", "2025-03-26")[0], 1)

    def test_exit_status_0_for_compatible_and_equal_schemas(self) -> None:
        base = {"type": "object", "properties": {"a": TEXT}}
        more = {"type": "object", "properties": {"a": TEXT, "b": TEXT}}
        old, new = self.write("old.json", X=base), self.write("new.json", X=more)
        status, out, err = run("diff", "--exit-code", old, new)
        self.assertEqual((status, out.splitlines()[0], err), (0, "old -> new: compatible", ""))
        self.assertEqual(run("diff", "--exit-code", old, old)[:2], (0, "old (old) -> old (new): equal\n"))

    def test_a_draft_has_the_facts_of_the_revision_that_it_is_compared_with(self) -> None:
        document = json.loads((SCHEMA_DIR / "2026-07-28" / "schema.json").read_text("utf-8"))
        document["$defs"]["Tool"]["properties"]["colour"] = TEXT
        path = self.folder / "draft" / "schema.json"
        path.parent.mkdir()
        path.write_text(json.dumps(document), "utf-8")
        status, out, err = run("diff", "2026-07-28", path, "--no-errata", "--exit-code", "--format", "json")
        self.assertEqual((status, err), (0, ""))
        report = json.loads(out)
        self.assertEqual((report["new"]["name"], report["summary"]["changes"]), ("draft", 1))

    def test_a_draft_without_a_method_that_facts_speak_of(self) -> None:
        document = json.loads((SCHEMA_DIR / "2026-07-28" / "schema.json").read_text("utf-8"))
        document["$defs"]["CompleteRequest"]["properties"]["method"]["const"] = "completion/other"
        path = self.folder / "draft.json"
        path.write_text(json.dumps(document), "utf-8")
        out = run("diff", "2026-07-28", path, "--no-errata")[1]
        self.assertIn("- completion/complete", out)
        self.assertIn("+ completion/other", out)

    def test_no_path_of_the_machine_in_any_format(self) -> None:
        old, new = self.write("old.json", X=TEXT), self.write("new.json", Y={"type": "object"})
        for form in ("text", "markdown", "json", "html"):
            status, out, _ = run("diff", old, new, "--format", form)
            self.assertEqual(status, 0)
            self.assertNotIn(str(self.folder), out)

    def test_neither_a_file_nor_a_revision(self) -> None:
        known = ", ".join(load_revisions(SCHEMA_DIR).names)
        message = f'"2025" is neither a file nor a revision; known revisions are {known}\n'
        self.assertEqual(run("diff", "2025", "2026-07-28"), (2, "", message))
        self.assertEqual(run("graph", "2025"), (2, "", message))

    def test_a_schema_that_is_not_understood(self) -> None:
        path = self.write("bad.json", X={"not": 1})
        status, out, err = run("diff", "2024-11-05", path)
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"bad\.json: /\$defs/X/not: .*\n\Z")

    def test_a_file_that_cannot_be_written(self) -> None:
        path = self.folder / "none" / "x.html"
        status, out, err = run("diff", "2024-11-05", "2024-11-05", "--output", path)
        self.assertEqual((status, out, err), (2, "", f"{path}: cannot write: No such file or directory\n"))

    def test_a_published_document_is_equal_to_ours(self) -> None:
        for path in sorted(published_dir().glob("*/schema.json")):
            name = path.parent.name
            with self.subTest(name):
                expected = f"{name} (old) -> {name} (new): equal\n"
                self.assertEqual(run("diff", name, path), (0, expected, ""))

    def test_colours_only_on_a_terminal(self) -> None:
        terminal = io.StringIO()
        with contextlib.ExitStack() as stack:
            stack.enter_context(mock.patch.object(terminal, "isatty", return_value=True))
            stack.enter_context(mock.patch.dict(os.environ, {"NO_COLOR": ""}))
            stack.enter_context(contextlib.redirect_stdout(terminal))
            cli.main(["diff", "2024-11-05", "2025-03-26"])
        self.assertIn("\x1b[", terminal.getvalue())
        self.assertNotIn("\x1b[", run("diff", "2024-11-05", "2025-03-26")[1])

    def test_help_has_an_example(self) -> None:
        for command in ("diff", "notes", "graph"):
            status, out, _ = run(command, "--help")
            self.assertEqual(status, 0)
            self.assertRegex(out, rf"example:\n  python3 -m codegen {command} ")

    def test_output_does_not_depend_on_hashes(self) -> None:
        commands = [["diff", "2025-11-25", "2026-07-28", "--format", form] for form in ("json", "html")]
        commands += [["graph", "2026-07-28"], ["graph", "2026-07-28", "--format", "dot"]]
        for command in commands:
            texts = {
                subprocess.run(
                    [sys.executable, "-m", "codegen", *command],
                    cwd=ROOT,
                    env={**os.environ, "PYTHONHASHSEED": seed},
                    capture_output=True,
                    check=True,
                ).stdout
                for seed in ("1", "2")
            }
            self.assertEqual(len(texts), 1, command)


class NotesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_one_note_for_each_revision_and_the_one_before(self) -> None:
        names = load_revisions(SCHEMA_DIR).names
        expected = sorted(f"{old}_to_{new}.md" for old, new in zip(names, names[1:]))
        count = len(expected)
        printed = f"{self.folder}: {count} files, {count} changed\n"
        self.assertEqual(run("notes", "--out", self.folder)[1], printed)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), expected)

    def test_check_lists_what_is_not_current_and_the_command(self) -> None:
        run("notes", "--out", self.folder)
        (self.folder / "2024-11-05_to_2025-03-26.md").write_text("edited", "utf-8")
        (self.folder / "2025-03-26_to_2025-06-18.md").unlink()
        status, out, _ = run("notes", "--check", "--out", self.folder)
        expected = (
            f"{self.folder} is not up to date:\n"
            "  2024-11-05_to_2025-03-26.md: differs\n  2025-03-26_to_2025-06-18.md: missing\n"
            f"run: python3 -m codegen notes --out {self.folder}\n"
        )
        self.assertEqual((status, out), (1, expected))

    def test_a_folder_that_is_not_there(self) -> None:
        path = self.folder / "none"
        self.assertEqual(run("notes", "--out", path)[2], f"{path}: not a folder: state one with --out\n")


if __name__ == "__main__":
    unittest.main()
