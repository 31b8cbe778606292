# SPDX-License-Identifier: MIT
"""The Debian packages: unpacked into one folder, they are what a program is built with."""

import re
import unittest
from pathlib import Path
from typing import Dict

from tests.package.support import PackageTest, library_folder, need, run, work

PACKAGES = ("libmcpwire1", "libmcpwire-dev", "mcpwire")


def package(name: str) -> Path:
    """The file of a package."""
    need("dpkg-shlibdeps", "dpkg-dev")
    return next(iter(sorted((work() / "build").glob(f"{name}_*.deb"))))


class Debian(PackageTest):
    """libmcpwire1, libmcpwire-dev and mcpwire."""

    def control(self, name: str) -> Dict[str, str]:
        out = self.succeed(run(["dpkg-deb", "-f", package(name)]))
        return dict(line.split(": ", 1) for line in out.splitlines() if re.match(r"[A-Z][A-Za-z-]*: ", line))

    def test_program_is_built_with_what_is_unpacked(self) -> None:
        for name in PACKAGES:
            self.succeed(run(["dpkg-deb", "-x", package(name), self.folder / "root"]))
        prefix = self.folder / "root/usr"
        build = self.consumer("-DBUILD_SHARED_LIBS=ON", parts="codec.c;session.cpp", prefix=prefix)
        self.check_codec(build / "codec_c")
        self.check_session(build / "session_cpp")
        self.assertIn("mcpwire 1.", self.succeed(run([prefix / "bin/mcpwire", "--version"])))
        self.assertEqual(library_folder(prefix).relative_to(prefix).parts[0], "lib")

    def test_control(self) -> None:
        for name, section in zip(PACKAGES, ("libs", "libdevel", "utils")):
            with self.subTest(package=name):
                fields = self.control(name)
                self.assertEqual(fields["Package"], name)
                self.assertEqual(fields["Section"], section)
                self.assertEqual(fields["Maintainer"], "mcpwire developers")
                self.assertIn("Model Context Protocol", fields["Description"])
        self.assertEqual(len({self.control(name)["Description"] for name in PACKAGES}), len(PACKAGES))

    def test_dependencies(self) -> None:
        version = self.control("libmcpwire1")["Version"]
        self.assertIn(f"libmcpwire1 (= {version})", self.control("libmcpwire-dev")["Depends"])
        self.assertIn("pkg-config", self.control("libmcpwire-dev")["Recommends"])  # the CMake package asks it
        need("dpkg-shlibdeps", "dpkg-dev")
        self.assertIn("libc6", self.control("libmcpwire1")["Depends"])
        self.assertIn("libc6", self.control("mcpwire")["Depends"])

    def test_guide_examples_man_pages_and_completion(self) -> None:
        library, command = (
            self.succeed(run(["dpkg-deb", "-c", package(name)])) for name in ("libmcpwire-dev", "mcpwire")
        )
        for file in ("docs/guide/write-a-server.md", "docs/README.md", "examples/echo.c", "CHANGELOG.md"):
            self.assertIn(f" ./usr/share/doc/libmcpwire-dev/{file}\n", library)
        for file in ("man/man1/mcpwire-validate.1", "bash-completion/completions/mcpwire"):
            self.assertIn(f" ./usr/share/{file}\n", command)

    def test_each_has_its_copyright_and_no_file_is_in_two(self) -> None:
        seen: Dict[str, str] = {}
        for name in PACKAGES:
            listing = self.succeed(run(["dpkg-deb", "-c", package(name)])).splitlines()
            files = [line.split(None, 5)[5].split(" -> ")[0] for line in listing if not line.startswith("d")]
            self.assertIn(f"./usr/share/doc/{name}/copyright", files)
            for file in files:
                self.assertNotIn(file, seen, f"{name} and {seen.get(file)}")
                seen[file] = name


if __name__ == "__main__":
    unittest.main()
