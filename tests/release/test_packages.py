# SPDX-License-Identifier: MIT
"""Packages that are made from the source archive alone."""

import os
import shutil
import unittest
import zipfile
from pathlib import Path

from tests.release.support import ROOT, ReleaseTest, need, run

_WINDOWS_PROGRAM = """#include <mcpw/json.h>
#include <stdio.h>
int main(void) {
    const mcpw_status status = mcpw_json_check(mcpw_json_of("{\\"a\\":1}", 7), 0, NULL);
    printf("%s\\n", mcpw_status_name(status));
    return status;
}
"""


class FromTheArchive(ReleaseTest):
    """Recipes and packages see no file but those of the archive."""

    def tree(self) -> Path:
        return self.unpack(self.release(self.commit("tree"), "out"), "unpacked")

    def recipes(self, name: str) -> None:
        """The tests of a recipe pass in the unpacked archive."""
        module = f"tests.package.test_recipes.{name}"
        done = run([os.environ.get("MCPW_PYTHON", "python3"), "tests/run_unittest.py", module], self.tree())
        if done.returncode == 77:
            self.skipTest(done.stdout[-500:])
        self.succeed(done)

    def test_vcpkg(self) -> None:
        self.recipes("Vcpkg")

    def test_conan(self) -> None:
        self.recipes("Conan.test_create_and_use")

    def test_meson(self) -> None:
        self.recipes("Meson.test_static")

    def test_debian_packages_and_the_zip_for_windows(self) -> None:
        need("dpkg-deb", "dpkg-dev")
        need("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64")
        self.release(self.commit("tree"), "out")
        out = self.folder / "out"
        self.succeed(run(["tools/release.sh", "packages", out], ROOT))
        self.assertEqual(
            sorted(each.name.split("_")[0] for each in out.glob("*.deb")),
            ["libmcpwire-dev", "libmcpwire1", "mcpwire"],
        )
        with zipfile.ZipFile(next(out.glob("*-windows-x86_64.zip"))) as archive:
            archive.extractall(self.folder / "windows")
        self.windows(next((self.folder / "windows").iterdir()))

    def windows(self, prefix: Path) -> None:
        """A program is built with the unpacked zip, and runs."""
        source = self.folder / "program.c"
        source.write_text(_WINDOWS_PROGRAM, "utf-8")
        program = self.folder / "program.exe"
        given = [
            f"-I{prefix / 'include'}",
            source,
            "-o",
            program,
            f"-L{prefix / 'lib'}",
            "-static",
            "-lmcpwire",
        ]
        self.succeed(run(["x86_64-w64-mingw32-gcc", *given], self.folder))
        if shutil.which("wine") is not None:
            out = self.succeed(
                run(
                    ["env", f"WINEPREFIX={self.folder / 'wine'}", "WINEDEBUG=-all", "wine", program],
                    self.folder,
                )
            )
            self.assertIn("MCPW_OK", out)


if __name__ == "__main__":
    unittest.main()
