# SPDX-License-Identifier: MIT
"""The parts of tools/amalgamate.py on small texts: one idea a test."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path
from typing import Dict, FrozenSet, Tuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from onefile import conditions, declare, listing, macros, plan, source, text, tokens, write  # noqa: E402

ALL = listing.ALL_SYSTEMS


def renamed(code: str, names: Dict[str, str]) -> str:
    """A text under new names."""
    pieces = tokens.cut(code)
    return tokens.join(text.rename(pieces, names, macros.roles_of([pieces])))


class Tokens(unittest.TestCase):
    def test_joined_tokens_are_the_text(self) -> None:
        for path in (
            "runtime/codec/encode.c",
            "runtime/transport/os_process_posix.c",
            "runtime/include/mcpw/base.h",
        ):
            code = (ROOT / path).read_text(encoding="utf-8")
            self.assertEqual(tokens.join(tokens.cut(code)), code)

    def test_a_name_in_a_string_stays(self) -> None:
        self.assertEqual(renamed('f("f \\" f", \'f\', f);', {"f": "g"}), 'g("f \\" f", \'f\', g);')

    def test_a_name_in_a_comment_stays(self) -> None:
        self.assertEqual(renamed("/* f */ f(); // f\n", {"f": "g"}), "/* f */ g(); // f\n")

    def test_a_directive_goes_on_where_its_line_does(self) -> None:
        pieces = tokens.cut("#define f(a) \\\n    g(a)\nint f;\n")
        self.assertIsInstance(pieces[0], tokens.Directive)
        self.assertEqual(pieces[0].text, "#define f(a) \\\n    g(a)")

    def test_a_hash_inside_a_line_begins_no_directive(self) -> None:
        self.assertFalse(any(isinstance(p, tokens.Directive) for p in tokens.cut("a = b # c\n")))

    def test_a_word_that_a_line_cuts_is_refused(self) -> None:
        with self.assertRaisesRegex(tokens.AmalgamateError, "inside the word foobar"):
            tokens.cut("int foo\\\nbar;\n")

    def test_numbers_are_no_names(self) -> None:
        self.assertEqual(
            renamed("x = 0xe + 1e5 + 5UL + e5;", {"xe": "no", "e5": "y", "UL": "no"}),
            "x = 0xe + 1e5 + 5UL + y;",
        )


class Renaming(unittest.TestCase):
    def test_members_after_dots_and_arrows_stay(self) -> None:
        self.assertEqual(renamed("f(a.f, b->f, f);", {"f": "g"}), "g(a.f, b->f, g);")

    def test_designated_initialisers_stay(self) -> None:
        self.assertEqual(
            renamed("static s x = {.f = f, .a.f = 1};", {"f": "g"}), "static s x = {.f = g, .a.f = 1};"
        )

    def test_members_in_the_body_of_a_struct_stay_and_their_types_do_not(self) -> None:
        before = "struct s { t t; t *f, (*g)(t f); union { t f; } u; unsigned h : 3; };"
        after = "struct s { x t; x *f, (*g)(x y); union { x f; } u; unsigned h : 3; };"
        self.assertEqual(renamed(before, {"t": "x", "f": "y", "g": "z", "h": "w", "u": "v"}), after)

    def test_a_member_with_the_name_of_a_static_function_stays(self) -> None:
        before = (
            "static int len(void);\nstruct s { int len; };\nint n(struct s *s) { return s->len + len(); }"
        )
        self.assertEqual(renamed(before, {"len": "a__len"}).count("a__len"), 2)

    def test_enumerators_are_renamed_and_so_are_labels(self) -> None:
        self.assertEqual(renamed("enum { A, B = A };\ngoto A;", {"A": "x"}), "enum { x, B = x };\ngoto x;")

    def test_an_argument_that_a_macro_uses_as_a_member_stays(self) -> None:
        macro = "#define AT(m) offsetof(struct s, m)\n#define GET(p, m) (p)->m\n"
        before = "GET(f, f) + AT(f) + offsetof(struct s, f) + f;"
        after = "GET(g, f) + AT(f) + offsetof(struct s, f) + g;"
        self.assertEqual(renamed(macro + before, {"f": "g"}), macro + after)

    def test_a_role_is_passed_on_to_the_macro_that_passes_the_argument(self) -> None:
        before = "#define A(m) x.m\n#define B(n) A(n)\nB(f);"
        self.assertEqual(renamed(before, {"f": "g"}), before)

    def test_the_body_of_a_macro_is_renamed(self) -> None:
        self.assertEqual(
            renamed("#define M(a) f((a)->f)\n", {"f": "g", "M": "N"}), "#define N(a) g((a)->f)\n"
        )

    def test_conditions_are_renamed_and_includes_are_not(self) -> None:
        self.assertEqual(
            renamed('#if defined(f)\n#include "f.h"\n#endif\n', {"f": "g"}),
            '#if defined(g)\n#include "f.h"\n#endif\n',
        )

    def test_pasted_and_stringised_names_are_found(self) -> None:
        pieces = tokens.cut("#define S(a) #a\n#define P(a, b) a##_x b\nS(f) P(g, h)\n")
        roles = macros.roles_of([pieces])
        self.assertEqual(declare.text_names(declare.significant(pieces), roles), {"f", "g"})


class Declarations(unittest.TestCase):
    def names(self, code: str) -> declare.Names:
        return declare.names_of(tokens.cut(code), frozenset(("STATIC",)))

    def test_linkage(self) -> None:
        found = self.names(
            "static int a(void) { return 1; }\nint b(int);\n"
            "extern const int c[2];\nSTATIC int d(void) { return 1; }\n"
        )
        self.assertEqual(found.of("static"), {"a", "d"})
        self.assertEqual(found.of("", "extern"), {"b", "c"})

    def test_attributes_are_no_names(self) -> None:
        found = self.names(
            "PRINTF(1, 2) int a(int f) NICE(3);\n__attribute__((noinline)) static int b(void) { return 1; }\n"
        )
        self.assertEqual((found.of(""), found.of("static")), ({"a"}, {"b"}))

    def test_pointers_to_functions_and_several_declarators(self) -> None:
        found = self.names(
            "static int (*a)(int b), c[3], *d = &e;\ntypedef void (*f)(int g);\ntypedef int h(int i);\n"
        )
        self.assertEqual((found.of("static"), found.of("typedef")), ({"a", "c", "d"}, {"f", "h"}))

    def test_tags_and_enumerators(self) -> None:
        found = self.names(
            "typedef struct a { enum b { C, D = 2 } e; } f;\nstruct g;\n"
            "static struct h i = {1};\nint j(void) { enum { K }; return K; }"
        )
        self.assertEqual(found.tags, {"a", "b", "g"})
        self.assertEqual(found.enumerators, {"C", "D"})

    def test_a_definition_is_told_from_a_declaration(self) -> None:
        found = self.names("extern const int a;\nconst int a = 1;\nint b(void);\nint b(void) { return a; }\n")
        self.assertEqual([d.defines for d in found.declarations], [False, True, False, True])

    def test_parameters_after_the_head_are_refused(self) -> None:
        with self.assertRaises(tokens.AmalgamateError):
            self.names("int f(a) int a; { return a; }\n")

    def test_a_macro_that_a_user_may_define_is_not_the_files_own(self) -> None:
        found = self.names("#ifndef A\n#define A 1\n#endif\n#define B 2\n")
        self.assertEqual((found.macros, found.optional_macros), ({"A", "B"}, {"A"}))


class Conditions(unittest.TestCase):
    def pruned(self, code: str, defined: Dict[str, str], undefined: Tuple[str, ...] = ()) -> str:
        known = conditions.known_of(defined, undefined)
        return tokens.join(conditions.prune(conditions.grow(tokens.cut(code)), known)).replace("\n\n", "\n")

    def test_a_decided_branch_stands_alone(self) -> None:
        code = "#if defined(A)\na\n#elif B\nb\n#else\nc\n#endif\n"
        self.assertEqual(self.pruned(code, {"A": "1"}).split(), ["a"])
        self.assertEqual(self.pruned(code, {"B": "0"}, ("A",)).split(), ["c"])

    def test_what_the_compiler_decides_stays(self) -> None:
        code = "#if defined(A) && defined(X)\na\n#elif defined(Y)\nb\n#else\nc\n#endif\n"
        self.assertEqual(self.pruned(code, {}, ("A",)).split("\n")[:3], ["#if defined(Y)", "b", "#else"])
        self.assertEqual(self.pruned(code, {"A": "1"}), code)

    def test_a_branch_that_is_taken_ends_the_others(self) -> None:
        code = "#ifdef X\nx\n#elif defined(A)\na\n#else\nc\n#endif\n"
        self.assertEqual(self.pruned(code, {"A": "1"}), "#ifdef X\nx\n#else\na\n#endif\n")

    def test_numbers_are_compared(self) -> None:
        self.assertEqual(self.pruned("#if A >= 7 && !(A == 8)\na\n#endif\n", {"A": "7"}).split(), ["a"])

    def test_a_conditional_without_an_end_is_refused(self) -> None:
        with self.assertRaises(tokens.AmalgamateError):
            conditions.grow(tokens.cut("#if A\n"))


class Linkage(unittest.TestCase):
    def localised(self, code: str, public: Tuple[str, ...], defined: Tuple[str, ...]) -> str:
        pieces = tokens.cut(code)
        made = plan.Plan((), (), frozenset(public), frozenset(defined), frozenset(), {}, frozenset(), {})
        changes = text.localise(pieces, declare.declarations(pieces), made)
        return tokens.join(text.changed(pieces, changes))

    def test_private_functions_become_local_and_public_ones_do_not(self) -> None:
        self.assertEqual(
            self.localised("int a(void);\nint b(void);\n", ("b",), ("a", "b")),
            "MCPWIRE_LOCAL int a(void);\nint b(void);\n",
        )

    def test_extern_gives_way(self) -> None:
        self.assertEqual(
            self.localised("extern MCPW_API const int a;\n", (), ("a",)), "MCPWIRE_LOCAL  const int a;\n"
        )

    def test_a_prototype_without_a_function_goes(self) -> None:
        self.assertEqual(self.localised("int a(void);int b;\n", (), ("b",)), "MCPWIRE_LOCAL int b;\n")

    def test_an_object_of_the_system_stays(self) -> None:
        self.assertEqual(self.localised("extern char **environ;\n", (), ()), "extern char **environ;\n")

    def test_an_array_without_a_length_is_refused(self) -> None:
        with self.assertRaisesRegex(tokens.AmalgamateError, "states no length"):
            self.localised("extern const char a[];\n", (), ("a",))


class Whole(unittest.TestCase):
    """A library of three sources."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.put(
            "runtime/include/mcpw/a.h",
            "#ifndef A_H\n#define A_H\nint mcpw_a(void);\nstruct mcpw_s;\n#endif\n",
        )
        for name in plan.GENERATED_ROOTS:
            self.put(f"runtime/include/{name}", "")
        self.sources: Dict[str, FrozenSet[str]] = {}

    def put(self, path: str, code: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(code, encoding="utf-8")

    def source(self, path: str, code: str, systems: FrozenSet[str] = ALL) -> None:
        self.put(path, code)
        self.sources[path] = systems

    def text(self) -> str:
        folders = (self.root / "runtime/include",)
        listed = listing.Listing("1.0.0", (), tuple(self.sources.items()), folders, {}, "")
        tree = source.Tree(self.root, listed)
        return write.source_text(tree, plan.Planner(tree).plan(), ["a library"], "", False)

    def test_the_same_name_of_two_sources_is_two_names(self) -> None:
        self.source("runtime/x.c", "static int put(void) { return 1; }\nint mcpw_a(void) { return put(); }\n")
        self.source("runtime/y.c", "static int put(void) { return 2; }\n")
        made = self.text()
        self.assertIn("return x__put();", made)
        self.assertIn("static int y__put(void)", made)

    def test_a_template_stands_once_for_each_source(self) -> None:
        self.put("runtime/t.inc", "static int walk(void) { return MODE; }\n")
        self.source("runtime/x.c", '#define MODE 1\n#include "t.inc"\nint mcpw_a(void) { return walk(); }\n')
        self.source("runtime/y.c", '#define MODE 2\n#include "t.inc"\n')
        made = self.text()
        self.assertIn("static int x__walk(void) { return x__MODE; }", made)
        self.assertIn("static int y__walk(void) { return y__MODE; }", made)

    def test_a_shared_header_stands_once(self) -> None:
        self.put("runtime/h.h", "#ifndef H_H\n#define H_H\nenum { MCPW_ONE = 1 };\n#endif\n")
        self.source("runtime/x.c", '#include "h.h"\nint mcpw_a(void) { return MCPW_ONE; }\n')
        self.source("runtime/y.c", '#include "h.h"\n')
        self.assertEqual(self.text().count("MCPW_ONE = 1"), 1)

    def test_a_header_that_depends_on_its_source_stands_once_for_each(self) -> None:
        self.put("runtime/m.h", "#ifndef M_H\n#define M_H\n#define MODE 1\n#endif\n")
        self.put(
            "runtime/h.h",
            "#ifndef H_H\n#define H_H\n#if defined(MODE)\nenum { MCPW_ONE = 1 };\n#endif\n#endif\n",
        )
        self.source("runtime/x.c", '#include "m.h"\n#include "h.h"\nint mcpw_a(void) { return 1; }\n')
        self.source("runtime/y.c", '#include "h.h"\n')
        made = self.text()
        self.assertIn("#if defined(x__MODE)\nenum { x__MCPW_ONE = 1 };", made)
        self.assertIn("enum { y__MCPW_ONE = 1 };", made)

    def test_a_source_of_some_systems_stands_in_a_condition_and_comes_last(self) -> None:
        self.source("runtime/w.c", "#include <windows.h>\n", frozenset(("WINDOWS",)))
        self.source("runtime/x.c", "int mcpw_a(void) { return 1; }\n")
        made = self.text()
        self.assertIn(
            "#if defined(MCPWIRE_ON_WINDOWS)\n/* runtime/w.c */\n#include <windows.h>\n#endif", made
        )

    def test_what_asks_for_functions_of_the_system_comes_first(self) -> None:
        self.source(
            "runtime/x.c", "#define _GNU_SOURCE\n#include <unistd.h>\nint mcpw_a(void) { return 1; }\n"
        )
        made = self.text()
        self.assertLess(made.index("#define _GNU_SOURCE"), made.index('#include "mcpwire.h"'))
        self.assertEqual(made.count("#define _GNU_SOURCE"), 1)

    def test_a_pasted_name_that_two_sources_have_is_refused(self) -> None:
        paste = "#define P(a) int a##_x(void)\nstatic int put;\nP(put);\n"
        self.source("runtime/x.c", paste + "int mcpw_a(void) { return put; }\n")
        self.source("runtime/y.c", paste)
        with self.assertRaisesRegex(tokens.AmalgamateError, "put is pasted"):
            self.text()

    def test_a_macro_of_a_header_that_speaks_of_a_sources_name_is_copied(self) -> None:
        self.put("runtime/h.h", "#ifndef H_H\n#define H_H\n#define MCPW_AT(i) (pool + (i))\n#endif\n")
        self.source(
            "runtime/x.c", '#include "h.h"\nstatic char pool[2];\nint mcpw_a(void) { return *MCPW_AT(1); }\n'
        )
        self.source("runtime/y.c", '#include "h.h"\nstatic char pool[3];\n')
        made = self.text()
        self.assertIn("#define x__MCPW_AT(i) (x__pool + (i))", made)
        self.assertIn("return *x__MCPW_AT(1);", made)

    def test_a_struct_that_a_header_names_keeps_its_tag(self) -> None:
        self.source(
            "runtime/x.c", "#include <mcpw/a.h>\nstruct mcpw_s { int a; };\nint mcpw_a(void) { return 1; }\n"
        )
        self.assertIn("struct mcpw_s { int a; };", self.text())


if __name__ == "__main__":
    unittest.main()
