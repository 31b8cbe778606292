# SPDX-License-Identifier: MIT
"""Generated files are made of fragments, and a fragment cannot be made of text that is not escaped."""

from __future__ import annotations

import ast
import unittest
from pathlib import Path
from typing import Iterator

from jinja2 import TemplateError

from codegen.emit import fragments
from codegen.emit.fragments import (
    CCode,
    CComment,
    CIdentifier,
    CLineComment,
    CLongComment,
    CNumber,
    CString,
    CType,
    DictionaryWord,
    Fragment,
    HashComment,
    HeaderPath,
)
from codegen.emit.text import environment
from codegen.errors import BadInput
from codegen.report.diff.markup import Markdown, code, marked, table
from tests.codegen.hostile import HOSTILE, MARK, bare, unseen
from tests.codegen.support import ROOT

_GOOD = [(CIdentifier, "long word"), (CType, "long word"), (HeaderPath, "long word")]
_GOOD += [(CType, "comment end at the end")]
# Functions whose first argument is code, which nobody but the generator's source may write.
_PATTERNS = {"CCode", "joined", "marked"}


class Rendered(unittest.TestCase):
    """Templates."""

    def rendered(self, template: str, **values: object) -> str:
        return environment().from_string(template).render(**values)

    def test_fragments_and_integers_are_rendered(self) -> None:
        self.assertEqual(self.rendered("{{ a }} {{ b }}", a=CIdentifier("x"), b=-7), "x -7")

    def test_text_is_refused(self) -> None:
        for value in ("x", 1.5, None, True, b"x", ["x"], object()):
            with self.subTest(repr(value)), self.assertRaises(TypeError):
                self.rendered("{{ a }}", a=value)

    def test_what_is_made_of_fragments_by_hand_is_refused(self) -> None:
        name = CIdentifier("x")
        for template in ("{{ a ~ a }}", "{{ a + a }}", "{{ a | upper }}", "{{ a | safe }}", "{{ 'x' }}"):
            with self.subTest(template), self.assertRaises((TypeError, TemplateError)):
                self.rendered(template, a=name)
        for made in (name + name, name[:1], f"{name}", name.upper(), "".join([name, name])):
            with self.assertRaises(TypeError):
                self.rendered("{{ a }}", a=made)

    def test_what_is_missing_is_refused(self) -> None:
        with self.assertRaises((TypeError, TemplateError)):
            self.rendered("{{ a }}")


class Made(unittest.TestCase):
    """Each constructor with hostile texts."""

    def test_names_types_numbers_and_paths_are_refused(self) -> None:
        for kind in (CIdentifier, CType, CNumber, HeaderPath):
            for name, text in HOSTILE.items():
                if (kind, name) in _GOOD:
                    continue
                with self.subTest(kind=kind.__name__, text=name), self.assertRaises(BadInput):
                    kind(text)

    def test_names_types_numbers_and_paths_are_what_they_were(self) -> None:
        for kind, texts in (
            (CIdentifier, ("a", "_B9")),
            (CType, ("int64_t", "const a *", "a *const")),
            (CNumber, ("0", "-1.5", "1e+300", "INT64_C(-5)", "INT64_MIN")),
            (HeaderPath, ("mcp/2026-07-28-tasks/types.h", "a.h")),
        ):
            for text in texts:
                self.assertEqual(kind(text), text)

    def test_comments_and_strings_hold_what_is_in_them(self) -> None:
        for name, text in HOSTILE.items():
            for kind in (CComment, CLineComment, CLongComment, CString):
                if kind is CString and name == "lone surrogate":
                    continue
                with self.subTest(kind=kind.__name__, text=name):
                    made = kind(text)
                    for around in (f"{made}\n", f"x {made} y\n", f"#define x {made}\n"):
                        if kind in (CComment, CLongComment) and around.startswith("#"):
                            continue
                        self.assertNotIn(MARK, bare(around))
                    self.assertNotIn("??/", made)
                    self.assertEqual(unseen(made), [])

    def test_strings_may_stand_in_comments(self) -> None:
        for name, text in HOSTILE.items():
            if name != "lone surrogate":
                self.assertNotIn(MARK, bare(f"/* {CString(text)} */"))

    def test_one_line_stays_one(self) -> None:
        for name, text in HOSTILE.items():
            if name == "lone surrogate":
                continue
            for made in (CLineComment(text), CString(text), HashComment(text), DictionaryWord(text.encode())):
                with self.subTest(name):
                    self.assertEqual(len(made.splitlines()), 1)

    def test_strings_are_the_bytes_that_they_were_made_of(self) -> None:
        for name, text in HOSTILE.items():
            if name != "lone surrogate":
                self.assertEqual(ast.literal_eval("b" + CString(text).replace("\\?", "?")), text.encode())

    def test_code_is_made_of_fragments(self) -> None:
        self.assertEqual(CCode("$ = $;", CIdentifier("a"), 5), "a = 5;")
        for parts in (("a",), (1.5,), (None,), (), (CIdentifier("a"), 5, 6)):
            with self.assertRaises(TypeError):
                CCode("$;", *parts)  # type: ignore[arg-type]

    def test_no_fragment_of_no_kind(self) -> None:
        with self.assertRaises(TypeError):
            Fragment("x")


class Sources(unittest.TestCase):
    """The generator's own source."""

    def test_patterns_are_literals(self) -> None:
        found = 0
        for path in sorted((ROOT / "codegen").rglob("*.py")):
            for call in self.calls(path):
                found += 1
                with self.subTest(path.name, line=call.lineno):
                    self.assertTrue(self.is_literal(call.args[0]), ast.unparse(call))
        self.assertGreater(found, 100)

    def test_one_module_makes_fragments(self) -> None:
        own = Path(fragments.__file__).name
        for path in sorted((ROOT / "codegen" / "emit").rglob("*.py")):
            text = path.read_text("utf-8")
            if path.name != own:
                for word in ("str.__new__", "(Fragment)", "_made", "Markup", "autoescape=True"):
                    self.assertNotIn(word, text, path.name)

    @staticmethod
    def calls(path: Path) -> Iterator[ast.Call]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _PATTERNS:
                yield node

    def is_literal(self, node: ast.expr) -> bool:
        if isinstance(node, ast.IfExp):
            return self.is_literal(node.body) and self.is_literal(node.orelse)
        if isinstance(node, ast.Name):
            return node.id.isupper() or node.id == "pattern"
        return isinstance(node, ast.Constant)


class MarkdownTexts(unittest.TestCase):
    def test_texts_are_text(self) -> None:
        self.assertEqual(Markdown("<b> `x` [a](b) \\"), r"\<b> \`x\` [a\](b) \\")
        self.assertEqual(code("a `` b"), "``` a `` b ```")

    def test_a_cell_ends_where_the_table_says(self) -> None:
        self.assertEqual(table(("a",), [(code("x | y"),)])[2], r"| `x \| y` |")

    def test_text_is_refused(self) -> None:
        with self.assertRaises(TypeError):
            marked("$", "x")  # type: ignore[arg-type]
        with self.assertRaises(TypeError):
            table(("a",), [("x",)])  # type: ignore[arg-type]


if __name__ == "__main__":
    unittest.main()
