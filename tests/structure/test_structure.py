# SPDX-License-Identifier: MIT
"""Each check of the structure holds for a small tree, and fails where one wall of it is broken."""

from __future__ import annotations

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from tests.structure import check, circles
from tests.structure.source import Source

HEADER = """\
/* SPDX-License-Identifier: MIT */
#ifndef PART_H
#define PART_H
#if defined(__cplusplus)
extern "C" {
#endif
int mcpw_part(int n);
#if defined(__cplusplus)
}
#endif
#endif
"""

PART = """\
#include "part.h"

static const int table[] = {
    1,
    2,
};

/* "{" and #if in a comment, and '{' in a literal, count for nothing. */
static int half(const char *text,
                int n) {
    return text[0] == '{' ? n / 2 : table[n];
}

int mcpw_part(int n) { return half("{", n); }
"""


def body(lines: int) -> str:
    return "int mcpw_long(int n) {\n" + "    n++;\n" * (lines - 3) + "    return n;\n}\n"


class Tree(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in ("tools", "examples", "codegen", "tests"):
            (self.root / name).mkdir()
        self.put("runtime/json/part.h", HEADER)
        self.put("runtime/json/part.c", PART)
        self.put("runtime/codec/walk.c", '#include <mcpw/codec.h>\n#include "part.h"\n' + "\n" * 400)
        self.put(
            "runtime/session/open.c", '#include "talk.h"\n\nint mcpw_open(void) { return mcpw_talk(); }\n'
        )
        self.put("runtime/session/talk.h", "int mcpw_talk(void);\n")
        self.put("runtime/session/talk.c", "int mcpw_talk(void) { return 0; }\n")

    def put(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def check(self, *names: str) -> tuple[int, str]:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = check.main(["--root", str(self.root), *(names or set(check.CHECKS) - {"names"})])
        return code, out.getvalue()

    def assert_fails(self, name: str, expected: str) -> None:
        code, out = self.check(name)
        self.assertEqual(code, 1)
        self.assertRegex(out, expected)
        others = [other for other in check.CHECKS if other not in (name, "names")]
        self.assertEqual(self.check(*others), (0, ""), "another check speaks of it too")

    def test_a_tree_with_all_its_walls_passes(self) -> None:
        self.assertEqual(self.check(), (0, ""))

    def test_the_report_passes_whatever_it_shows(self) -> None:
        self.put("runtime/codec/long.c", body(200))
        code, out = self.check("--report")
        self.assertEqual(code, 0)
        self.assertIn("mcpw_long has 200 lines", out)

    def test_too_many_conditionals_are_named_by_file(self) -> None:
        self.put(
            "runtime/codec/forked.c", "#if A\nint a;\n#elif B\nint b;\n#endif\n#ifdef C\nint c;\n#endif\n"
        )
        self.assert_fails("conditionals", r"6\.8 conditionals .*forked\.c 3")

    def test_a_conditional_within_a_function_fails(self) -> None:
        self.put("runtime/codec/forked.c", "int mcpw_f(int n) {\n#if A\n    n++;\n#endif\n    return n;\n}\n")
        self.assert_fails("forks", r"forked\.c:2: a conditional in mcpw_f")

    def test_a_file_of_an_instruction_set_may_fork(self) -> None:
        self.put(
            "runtime/json/block_sse2.h", "int mcpw_f(int n) {\n#if A\n    n++;\n#endif\n    return n;\n}\n"
        )
        self.assertEqual(self.check(), (0, ""))

    def test_a_macro_that_pastes_names_of_functions_fails(self) -> None:
        self.put("runtime/codec/paste.inc", "#define MCPW_FN(name) build_##name\n")
        self.assert_fails("pasting", r"paste\.inc:1: MCPW_FN")

    def test_a_macro_that_pastes_more_than_a_name_passes(self) -> None:
        self.put("runtime/codec/list.h", "#define PLACE(name, text) PLACE_##name,\n")
        self.assertEqual(self.check(), (0, ""))

    def test_a_long_function_fails(self) -> None:
        self.put("runtime/codec/long.c", body(61))
        self.assert_fails("sizes", r"long\.c:1: mcpw_long has 61 lines, at most 60")

    def test_a_function_of_the_greatest_length_passes(self) -> None:
        self.put("runtime/codec/long.c", body(60))
        self.assertEqual(self.check(), (0, ""))

    def test_a_long_function_with_a_reason_passes(self) -> None:
        self.put("runtime/codec/long.c", f"/* Walks.\n * long: one switch over all kinds */\n{body(61)}")
        self.assertEqual(self.check(), (0, ""))

    def test_a_long_file_fails(self) -> None:
        self.put("tools/long.c", "int a;\n" * 801)
        self.assert_fails("sizes", r"tools/long\.c: 801 lines, at most 800")

    def test_a_long_module_of_the_generator_fails(self) -> None:
        self.put("codegen/plan/long.py", "A = 1\n" * 401)
        self.assert_fails("modules", r"codegen/plan/long\.py: 401 lines, at most 400")

    def test_a_room_that_looks_back_fails(self) -> None:
        self.put("runtime/codec/walk.h", "int mcpw_walk(void);\n")
        self.put("runtime/json/back.c", '#include "walk.h"\n')
        self.assert_fails("rooms", r"back\.c:1: json may not know codec's walk\.h")

    def test_a_room_that_reads_the_public_header_of_a_later_one_fails(self) -> None:
        self.put("runtime/codec/back.c", "#include <mcpw/session.h>\n")
        self.assert_fails("rooms", r"back\.c:1: codec may not know <mcpw/session\.h>")

    def test_sessions_on_a_private_header_of_the_codec_fail(self) -> None:
        self.put("runtime/codec/walk.h", "int mcpw_walk(void);\n")
        self.put("runtime/session/deep.c", '#include "../codec/walk.h"\n')
        self.assert_fails("rooms", r"deep\.c:1: session may not know codec's")

    def test_an_extension_on_a_private_header_fails(self) -> None:
        self.put("runtime/session/attach.h", "int mcpw_attach(void);\n")
        for room in ("tasks", "skills", "apps"):
            self.put(f"runtime/{room}/deep.c", '#include "../session/attach.h"\n')
            self.assert_fails("rooms", rf"{room}/deep\.c:1: {room} may not know session's")

    def test_an_extension_on_a_header_that_is_no_part_of_the_api_fails(self) -> None:
        self.put("runtime/apps/deep.c", "#include <mcpw/detail/session.h>\n")
        self.assert_fails("rooms", r"deep\.c:1: apps may not know <mcpw/detail/session\.h>")

    def test_a_transport_that_knows_the_system_fails(self) -> None:
        self.put("runtime/transport/io.c", "#include <stdlib.h>\n#include <poll.h>\n")
        self.assert_fails("port", r"io\.c:2: <poll\.h> is known to the port layer alone")

    def test_a_transport_that_asks_for_functions_of_a_system_fails(self) -> None:
        self.put("runtime/transport/io.c", "#define _POSIX_C_SOURCE 200809L\n")
        self.assert_fails("port", r"io\.c:1: only the port layer asks for functions of a system")

    def test_the_port_layer_knows_the_system(self) -> None:
        self.put("runtime/transport/os_wait_posix.c", "#define _GNU_SOURCE\n#include <poll.h>\n")
        self.assertEqual(self.check("port"), (0, ""))

    def test_a_tool_on_a_private_header_fails(self) -> None:
        self.put("tools/deep.c", '#include "part.h"\n')
        self.assert_fails("rooms", r"tools/deep\.c:1: part\.h is private to runtime/json")

    def test_a_tool_that_knows_the_layout_of_tables_fails(self) -> None:
        self.put("tools/deep.h", "#include <mcpw/detail/table.h>\n")
        self.assert_fails("tables", r"tools/deep\.h:1: <mcpw/detail/table\.h> is between generated code")

    def test_a_session_that_knows_the_layout_of_tables_fails(self) -> None:
        self.put("runtime/session/deep.c", "#include <mcpw/detail/table_small.h>\n")
        self.assert_fails("tables", r"session/deep\.c:1: <mcpw/detail/table_small\.h>")

    def test_the_codec_knows_the_layout_of_tables(self) -> None:
        self.put("runtime/codec/deep.c", "#include <mcpw/detail/table.h>\n")
        self.assertEqual(self.check(), (0, ""))

    def test_a_tool_with_a_header_of_its_own_passes(self) -> None:
        self.put("tools/own.c", '#include "part.h"\n')
        self.put("tools/part.h", "int part(void);\n")
        self.assertEqual(self.check(), (0, ""))

    def test_a_text_that_names_a_revision_fails(self) -> None:
        self.put("runtime/session/open.c", 'const char *text = "2025-11-25";\n')
        self.assert_fails("revisions", r"open\.c:1: .* names a revision")

    def test_a_comment_that_names_a_revision_passes(self) -> None:
        self.put("runtime/session/open.h", "/* From 2025-11-25 on. */\n")
        self.assertEqual(self.check(), (0, ""))

    def test_a_session_that_spells_json_out_fails(self) -> None:
        self.put("runtime/session/open.c", 'const char *text = "{\\"name\\":";\n')
        self.assert_fails("spelling", r"open\.c:1: .* spells JSON out")

    def test_a_session_that_closes_objects_by_text_fails(self) -> None:
        self.put("runtime/session/open.c", 'const char *text = "}]";\n')
        self.assert_fails("spelling", r"open\.c:1: .* spells JSON out")

    def test_the_pieces_that_are_copied_may_be_spelled_out(self) -> None:
        self.put("runtime/session/support/pieces.h", '#define PIECE "{\\"id\\":"\n')
        self.assertEqual(self.check(), (0, ""))

    def test_json_in_comments_and_an_empty_object_pass(self) -> None:
        self.put("runtime/session/open.c", '/* "{\\"id\\":" */\nconst char *text = "{}";\n')
        self.assertEqual(self.check(), (0, ""))

    def test_a_sentence_that_begins_with_a_relative_clause_fails(self) -> None:
        self.put("runtime/codec/walk.h", "/* A walk.\n * What it reads\n * is text. */\n")
        self.assert_fails("wording", r'walk\.h:1: "What it reads is text\."')

    def test_comments_of_lines_that_follow_each_other_are_one(self) -> None:
        self.put("codegen/walk.py", "# It goes on.\n# Of two,\n# one counts.\nx = 1  # fine\n")
        self.assert_fails("wording", r'walk\.py:1: "Of two, one counts\."')

    def test_a_docstring_with_a_phrase_of_old_fails(self) -> None:
        self.put("codegen/walk.py", '"""It begins anew."""\n')
        self.assert_fails("wording", r"walk\.py:1")

    def test_comments_of_cmake_and_the_shell_are_read(self) -> None:
        self.put("cmake/Walk.cmake", "# It walks.\n# Whose\n# it is.\nset(x 1)\n")
        self.assert_fails("wording", r'Walk\.cmake:1: "Whose it is\."')

    def test_comments_of_scripts_of_the_browser_are_read(self) -> None:
        self.put("tools/walk.mjs", "const a = 1; // What it is.\n")
        self.assert_fails("wording", r"walk\.mjs:1")

    def test_items_of_a_page_are_read(self) -> None:
        self.put("docs/walk.md", "# Walks\n\nIt walks.\n\n- One.\n- Of two, one counts.\n")
        self.assert_fails("wording", r"walk\.md:6")

    def test_headings_and_code_of_a_page_are_free(self) -> None:
        self.put("docs/walk.md", "## What it does\n\n```\nWhat now\n```\n\nIt walks.\n")
        self.assertEqual(self.check("wording"), (0, ""))

    def test_literals_and_later_words_are_free(self) -> None:
        self.put("codegen/walk.py", 'text = "What now"  # says what it is\n')
        self.put("tools/walk.c", 'const char *text = "/* Of what? */"; /* where it is */\n')
        self.assertEqual(self.check("wording"), (0, ""))

    def test_a_list_that_names_a_file_that_is_gone_fails(self) -> None:
        self.assert_fails("names", r"runtime/session/support/text\.c is listed and does not exist")

    def test_a_check_of_no_name_is_refused(self) -> None:
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            self.check("walls")


A, B, C = (
    circles.Object("r/a", frozenset({"a"}), frozenset({"b", "malloc"})),
    circles.Object("r/b", frozenset({"b"}), frozenset({"a"})),
    circles.Object("r/c", frozenset({"c"}), frozenset({"a"})),
)
A_ALONE = circles.Object("r/a", frozenset({"a"}), frozenset())
AB = frozenset({"r/a", "r/b"})
ABC = frozenset({"r/a", "r/b", "r/c"})


class Circles(unittest.TestCase):
    """Objects call each other in one direction, but for the circles that are listed."""

    def test_a_circle_that_is_not_listed_fails(self) -> None:
        self.assertEqual(circles.check([A, B, C], []), ["a circle of 2: r/a, r/b"])

    def test_a_listed_circle_passes(self) -> None:
        self.assertEqual(circles.check([A, B, C], [AB]), [])

    def test_a_circle_may_shrink_and_not_grow(self) -> None:
        back = circles.Object("r/b", frozenset({"b"}), frozenset({"a", "c"}))
        self.assertEqual(circles.check([A, B, C], [ABC]), [])
        self.assertEqual(circles.check([A, back, C], [AB])[0], "a circle of 3: r/a, r/b, r/c")

    def test_a_listed_circle_that_is_gone_fails(self) -> None:
        self.assertRegex(circles.check([B, A_ALONE], [AB])[0], "no circle any more.*r/a, r/b")

    def test_a_build_without_some_files_says_nothing_of_their_circle(self) -> None:
        self.assertEqual(circles.check([A_ALONE], [AB]), [])

    def test_names_are_read_as_nm_prints_them(self) -> None:
        self.assertEqual(circles.parse("r/a", "a T 0 10\nmalloc U         \nb U\n"), A)

    def test_the_list_names_sources_that_exist(self) -> None:
        self.assertEqual(
            circles.absent(circles.ROOT, [frozenset({"tools/gone"})]),
            ["tools/gone.c is listed and does not exist"],
        )


class Functions(unittest.TestCase):
    """Functions are found where they begin and end."""

    def test_each_function_has_its_lines(self) -> None:
        found = [(f.name, f.first, f.last, f.is_static) for f in Source("part.c", PART).functions]
        self.assertEqual(found, [("half", 9, 12, True), ("mcpw_part", 14, 14, False)])

    def test_declarations_types_and_lists_are_none(self) -> None:
        text = "int f(int n);\n\ntypedef struct a {\n    int (*f)(int);\n} a;\n\nLIST(ROW)\n#undef ROW\n"
        self.assertEqual(Source("part.h", text).functions, [])

    def test_attributes_are_no_names(self) -> None:
        text = "__attribute__((format(printf, 1, 2))) static void say(const char *f, ...) {\n}\n"
        self.assertEqual([f.name for f in Source("part.c", text).functions], ["say"])


if __name__ == "__main__":
    unittest.main()
