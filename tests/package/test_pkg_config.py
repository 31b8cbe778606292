# SPDX-License-Identifier: MIT
"""pkg-config, and a compiler alone."""

import unittest
from pathlib import Path
from typing import List

from tests.package.support import HERE, REVISIONS, ROOT, PackageTest, library_folder, need, run, stage

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


class PkgConfig(PackageTest):
    """Flags for each library, shared and static, in C and C++."""

    def flags(self, *arguments: str) -> List[str]:
        program = need("pkg-config", "pkg-config")
        path = {"PKG_CONFIG_PATH": str(library_folder(stage()) / "pkgconfig")}
        return self.succeed(run([program, *arguments], env=path)).split()

    def program(self, source: str, *flags: str, cpp: str = "c++") -> Path:
        """The program that a compiler makes of a source of consumer/."""
        compiler = [cpp, "-std=c++17"] if source.endswith("cpp") else ["cc", "-std=c11"]
        need(compiler[0], "g++" if source.endswith("cpp") else "gcc")
        made = self.folder / source.replace(".", "_")
        self.succeed(run([*compiler, *WARNINGS, "-o", made, HERE / "consumer" / source, *flags]))
        return made

    def test_shared(self) -> None:
        path = {"LD_LIBRARY_PATH": str(library_folder(stage()))}
        codec = self.program("codec.c", *self.flags("--cflags", "--libs", "mcpwire"))
        self.check_codec(codec, env=path)
        self.assertEqual(self.needed(codec), ["libmcpwire.so.1"])
        cpp = self.program("codec.cpp", *self.flags("--cflags", "--libs", "mcpwire"))
        self.assertIn("cpp17", self.succeed(run([cpp], env=path)))
        session = self.flags("--cflags", "--libs", "mcpwire-session")
        for source in ("session.c", "session.cpp"):
            self.check_session(self.program(source, *session), env=path)

    def test_a_program_cannot_ask_for_another_layout(self) -> None:
        """MCPW_SMALL is for whoever builds the library; what is installed says what it was built as."""
        flags = self.flags("--cflags", "mcpwire")
        compiler = [need("cc", "gcc"), "-std=c11", "-DMCPW_SMALL", "-fsyntax-only"]
        done = run([*compiler, HERE / "consumer" / "codec.c", *flags])
        self.refused(done, "This mcpwire was built without MCPW_SMALL")

    def test_clang_warns_of_no_cast_in_a_header(self) -> None:
        """pkg-config may not say -isystem: that hides the system's own headers where the prefix is /usr."""
        need("clang++", "clang")
        path = {"LD_LIBRARY_PATH": str(library_folder(stage()))}
        flags = self.flags("--cflags", "--libs", "mcpwire-session")
        self.assertNotIn("-isystem", " ".join(flags))
        made = self.program("session.cpp", "-Wold-style-cast", "-Wconversion", *flags, cpp="clang++")
        self.check_session(made, env=path)

    def test_the_header_of_cpp_is_installed(self) -> None:
        made = self.folder / "echo"
        compiler = [need("c++", "g++"), "-std=c++17", *WARNINGS, "-Wold-style-cast", "-o", made]
        flags = self.flags("--cflags", "--libs", "mcpwire-session")
        self.succeed(run([*compiler, ROOT / "examples" / "echo.cpp", *flags]))
        path = {"LD_LIBRARY_PATH": str(library_folder(stage()))}
        self.succeed(run([made], env=path))  # its input is empty: it ends in order

    def test_static(self) -> None:
        def static(name: str) -> List[str]:
            return ["-static", *self.flags("--static", "--cflags", "--libs", name)]

        self.check_codec(self.program("codec.c", *static("mcpwire")))
        self.assertIn("cpp17", self.succeed(run([self.program("codec.cpp", *static("mcpwire"))])))
        for source in ("session.c", "session.cpp"):
            self.check_session(self.program(source, *static("mcpwire-session")))

    def test_serve(self) -> None:
        path = {"LD_LIBRARY_PATH": str(library_folder(stage()))}
        made = self.program("serve.c", *self.flags("--cflags", "--libs", "mcpwire-serve"))
        self.assertIn("--http", self.succeed(run([made, "--help"], env=path)))
        self.succeed(run([made], env=path))  # its input is empty: it ends in order

    def test_json_c(self) -> None:
        made = self.program("json_c.c", *self.flags("--cflags", "--libs", "mcpwire-json_c"))
        out = self.succeed(run([made], env={"LD_LIBRARY_PATH": str(library_folder(stage()))}))
        self.assertIn("answer 42", out)

    def test_what_the_package_says(self) -> None:
        self.assertEqual(self.flags("--variable=revisions", "mcpwire"), REVISIONS)
        self.assertEqual(self.flags("--modversion", "mcpwire"), self.flags("--modversion", "mcpwire-session"))

    def test_without_pkg_config_nothing_but_two_folders_is_needed(self) -> None:
        made = self.program(
            "codec.c", f"-I{stage()}/include", str(library_folder(stage()) / "libmcpwire.a"), "-lm"
        )
        out = self.check_codec(made)
        self.assertEqual(
            [line.split()[1] for line in out.splitlines() if line.startswith("holds")], REVISIONS
        )


if __name__ == "__main__":
    unittest.main()
