# SPDX-License-Identifier: MIT
"""Programs that were built against version 1.0 go on working: abidiff finds nothing that breaks them."""

import re
import shutil
import tempfile
import unittest
from pathlib import Path

from tests.package import abi
from tests.package.support import REVISIONS, library_folder, run, stage

UPDATE = "before 1.0 is released, if that is meant: python3 -m tests.package.abi PREFIX --write"
NAME = re.compile(r"mcpw_[A-Za-z0-9_]+|mcp_[0-9]{8}_[a-z0-9_]+")


class Recorded(unittest.TestCase):
    """The interface that built programs rely on."""

    @classmethod
    def setUpClass(cls) -> None:
        try:
            abi.check_usable()
        except abi.Unusable as error:
            raise unittest.SkipTest(str(error)) from error

    def check(self, what: str) -> None:
        changes = abi.broken(stage(), what)
        self.assertFalse(changes, f"{what} is not as it is on record:\n{changes}\n{UPDATE}")

    def test_each_revision(self) -> None:
        for revision in REVISIONS:
            with self.subTest(revision=revision):
                self.check(revision)

    def test_runtime(self) -> None:
        self.check(abi.RUNTIME)

    def changed(self, header: str, old: str, new: str) -> str:
        """The verdict of abidiff on headers in which a text is replaced."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(stage() / "include", Path(folder) / "include")
            path = Path(folder) / "include/mcpw" / header
            text = path.read_text("utf-8")
            self.assertIn(old, text)
            path.write_text(text.replace(old, new), "utf-8")
            return abi.broken(Path(folder), abi.RUNTIME)

    def test_a_member_in_the_middle_is_found(self) -> None:
        said = self.changed(
            "codec.h", "    unsigned max_depth;", "    unsigned wide;\n    unsigned max_depth;"
        )
        self.assertIn("mcpw_options", said)

    def test_an_argument_that_changes_is_found(self) -> None:
        said = self.changed("io.h", "uint64_t mcpw_io_now(void);", "uint32_t mcpw_io_now(void);")
        self.assertIn("mcpw_io_now", said)

    def test_a_member_at_the_end_of_a_sized_struct_is_no_break(self) -> None:
        self.assertEqual(self.changed("server.h", "} mcpw_tool;", "    int more_of_it;\n} mcpw_tool;"), "")


class Exported(unittest.TestCase):
    """The libraries hold what their headers declare."""

    def test_every_function_is_there(self) -> None:
        found = run(["nm", "-D", "--defined-only", *sorted(library_folder(stage()).glob("lib*.so"))])
        self.assertEqual(found.code, 0, found)
        exported = set(re.findall(r" [TDRB] (\w+)@@MCPWIRE_1", found.out))
        for what in (abi.RUNTIME, *REVISIONS):
            wanted = [name for name in abi.functions(abi.headers(stage(), what)) if "http" not in name]
            self.assertEqual([name for name in wanted if name not in exported and not _is_apart(name)], [])
        self.assertEqual([name for name in exported if not NAME.fullmatch(name)], [])


def _is_apart(name: str) -> bool:
    """Whether it belongs to a library that is static alone."""
    return name in ("mcpw_serve", "mcpw_client_connect") or name.startswith(
        (
            "mcpw_oauth_",
            "mcpw_http_login_",
            "mcpw_skill",
            "mcpw_server_add_skills",
            "mcpw_client_add_skills",
            "mcpw_task_redis_",
        )
    )


if __name__ == "__main__":
    unittest.main()
