# SPDX-License-Identifier: MIT
"""One source, each revision pinned in turn; and what holds generated code and the runtime together."""

import hashlib
import re
import shutil
import unittest

from tests.package.support import HERE, REVISIONS, ROOT, PackageTest, library_folder, run, stage


class Pinned(PackageTest):
    """MCPW_PIN moves the short names."""

    def test_each_revision_in_turn(self) -> None:
        for revision in REVISIONS:
            with self.subTest(revision=revision):
                given = (f"-DCMAKE_PREFIX_PATH={stage()}", f"-DMCPW_PIN={revision}")
                self.succeed(self.configure(HERE / "pinned", *given, build=revision))
                self.succeed(self.build(build=revision))
                out = self.check_codec(self.folder / revision / "pinned", pin=revision)
                self.assertIn("stateless" if revision >= "2026-07-28" else "handshake", out)

    def test_definition_on_the_command_line(self) -> None:
        made = self.folder / "pinned"
        flags = [f"-I{stage()}/include", library_folder(stage()) / "libmcpwire.a", "-lm"]
        self.succeed(run(["cc", "-DMCPW_PIN=20250326", "-o", made, HERE / "consumer/codec.c", *flags]))
        self.check_codec(made, pin="2025-03-26")

    def test_digests_are_those_of_the_schemas(self) -> None:
        made = self.folder / "pinned"
        flags = [f"-I{stage()}/include", library_folder(stage()) / "libmcpwire.a", "-lm"]
        self.succeed(run(["cc", "-o", made, HERE / "consumer/codec.c", *flags]))
        lines = [line.split()[1:] for line in self.check_codec(made).splitlines() if line.startswith("holds")]
        expected = [
            [name, hashlib.sha256((ROOT / "schema" / name / "schema.json").read_bytes()).hexdigest()]
            for name in REVISIONS
        ]
        self.assertEqual(lines, expected)


class Mismatch(PackageTest):
    """Generated code and a runtime that do not fit."""

    def test_does_not_compile_with_tables_of_another_layout(self) -> None:
        include = self.folder / "include"
        shutil.copytree(stage() / "include", include)
        table = include / "mcpw/detail/table.h"
        text = table.read_text("utf-8")
        changed, times = re.subn(r"(#define MCPW_TABLE_ABI) (\d+)\n", r"\1 1\2\n", text)
        self.assertEqual(times, 1)
        table.write_text(changed, "utf-8")
        result = run(["cc", "-fsyntax-only", f"-I{include}", ROOT / "generated/2026-07-28/tables.c"])
        self.refused(result, "These bindings of MCP 2026-07-28 need another version of the mcpwire runtime")

    def test_pin_that_nothing_knows(self) -> None:
        result = run(
            ["cc", "-fsyntax-only", f"-I{stage()}/include", "-DMCPW_PIN=20100101", HERE / "consumer/codec.c"]
        )
        self.refused(result, "MCPW_PIN names no revision of MCP that these bindings know")


if __name__ == "__main__":
    unittest.main()
