# SPDX-License-Identifier: MIT
"""Wheels and npm packages of the command, installed from files and run."""

import json
import os
import platform
import shutil
import sys
import tarfile
import unittest
import zipfile
from pathlib import Path
from typing import Any, Dict

from tests.release.support import ROOT, ReleaseTest, need, run

MOST_BYTES = 3_000_000  # of a package
MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
# The programs to pack: those of `tools/release.sh natives`, or else that of this build stands for them.
PROGRAMS = os.environ.get("MCPW_NATIVE_PROGRAMS", "")
TOOL = os.environ.get("MCPW_TOOL", "")


class Natives(ReleaseTest):
    """Packages as pip and npm install them."""

    def setUp(self) -> None:
        super().setUp()
        if sys.platform != "linux" or platform.machine() != "x86_64":
            self.skipTest("the packages of this machine are not among those that are made")
        programs = Path(PROGRAMS) if PROGRAMS else self.stand_in()
        self.out = self.folder / "out"
        self.succeed(run([sys.executable, "-m", "tools.release", "natives", self.out, programs], ROOT))

    def stand_in(self) -> Path:
        folder = self.folder / "programs/linux-x86_64"
        folder.mkdir(parents=True)
        shutil.copy(TOOL, folder / "mcpwire")
        if shutil.which("strip") is not None:
            self.succeed(run(["strip", folder / "mcpwire"], self.folder))
        return folder.parent

    def one(self, pattern: str) -> Path:
        found = sorted(self.out.glob(pattern))
        self.assertEqual(len(found), 1, f"{pattern}: {found}")
        return found[0]

    def check(self, *command: object) -> None:
        """The command that was installed works."""
        self.assertRegex(
            self.succeed(run([*command, "--version"], self.folder)), r"(?m)^mcpwire \d+\.\d+\.\d+"
        )
        self.succeed(run([*command, "validate", "-"], self.folder, text=MESSAGE))
        wrong = run([*command, "validate", "-"], self.folder, text='{"jsonrpc":"2.0"}\n')
        self.assertEqual(wrong.returncode, 1, wrong.stdout)

    def test_pip_installs_the_wheel(self) -> None:
        self.succeed(run([sys.executable, "-m", "venv", self.folder / "venv"], self.folder))
        python = self.folder / "venv/bin/python"
        given = ["-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check"]
        self.succeed(run([python, *given, self.one("*musllinux_1_1_x86_64.whl")], self.folder))
        self.check(self.folder / "venv/bin/mcpwire")
        self.check(python, "-m", "mcpwire")
        self.succeed(run([python, "-m", "pip", "uninstall", "-q", "-y", "mcpwire"], self.folder))
        self.assertFalse((self.folder / "venv/bin/mcpwire").exists())

    def test_pipx_runs_the_wheel(self) -> None:
        need("pipx", "pipx")
        home = f"PIPX_HOME={self.folder / 'pipx'}"
        self.check("env", home, "pipx", "run", "--spec", self.one("*musllinux_1_1_x86_64.whl"), "mcpwire")

    def test_a_wheel_lists_its_files(self) -> None:
        for path in self.out.glob("*.whl"):
            with zipfile.ZipFile(path) as wheel:
                record = next(each for each in wheel.namelist() if each.endswith("/RECORD"))
                listed = [line.split(",")[0] for line in wheel.read(record).decode().splitlines()]
                self.assertEqual(sorted(listed), sorted(wheel.namelist()))

    def test_npm_installs_both_packages(self) -> None:
        need("npm", "npm")
        both = [self.one("mcpwire-linux-x64-*.tgz"), self.one("mcpwire-[0-9]*.tgz")]
        (self.folder / "package.json").write_text("{}", "utf-8")
        given = ["install", "--offline", "--no-audit", "--no-fund", "--omit=optional", "--loglevel=error"]
        self.succeed(run(["npm", *given, *both], self.folder))
        self.check(self.folder / "node_modules/.bin/mcpwire")

    def test_npm_without_the_program_says_so(self) -> None:
        need("npm", "npm")
        (self.folder / "package.json").write_text("{}", "utf-8")
        given = ["install", "--offline", "--no-audit", "--no-fund", "--omit=optional", "--loglevel=error"]
        self.succeed(run(["npm", *given, self.one("mcpwire-[0-9]*.tgz")], self.folder))
        done = run([self.folder / "node_modules/.bin/mcpwire", "--version"], self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no program for linux-x64", done.stdout)

    def about(self, path: Path) -> Dict[str, Any]:
        with tarfile.open(path) as tar:
            member = tar.extractfile("package/package.json")
            assert member is not None
            found: Dict[str, Any] = json.loads(member.read())
            return found

    def test_npm_chooses_by_system(self) -> None:
        program = self.about(self.one("mcpwire-linux-x64-*.tgz"))
        self.assertEqual((program["os"], program["cpu"]), (["linux"], ["x64"]))
        whole = self.about(self.one("mcpwire-[0-9]*.tgz"))
        self.assertIn("mcpwire-linux-x64", json.dumps(whole["optionalDependencies"]))

    def test_each_system_has_its_packages(self) -> None:
        systems = {
            "linux-x86_64": ("musllinux_1_1_x86_64", "linux-x64"),
            "linux-aarch64": ("musllinux_1_1_aarch64", "linux-arm64"),
            "windows-x86_64": ("win_amd64", "win32-x64"),
            "macos-x86_64": ("macosx_11_0_x86_64", "darwin-x64"),
            "macos-aarch64": ("macosx_11_0_arm64", "darwin-arm64"),
        }
        programs = self.folder / "each"
        for name in systems:
            (programs / name).mkdir(parents=True)
            (programs / name / ("mcpwire.exe" if "windows" in name else "mcpwire")).write_bytes(name.encode())
        self.out = self.folder / "all"
        self.succeed(run([sys.executable, "-m", "tools.release", "natives", self.out, programs], ROOT))
        for name, (wheel, package) in systems.items():
            with zipfile.ZipFile(self.one(f"*{wheel}.whl")) as packed:
                self.assertIn(name.encode(), [packed.read(each) for each in packed.namelist()])
            self.one(f"mcpwire-{package}-*.tgz")
        whole = self.about(self.one("mcpwire-[0-9]*.tgz"))["optionalDependencies"]
        self.assertEqual(set(whole), {f"mcpwire-{package}" for _, package in systems.values()})

    def test_each_is_small(self) -> None:
        for path in self.out.iterdir():
            self.assertLess(path.stat().st_size, MOST_BYTES, path.name)

    def test_the_same_programs_give_the_same_bytes(self) -> None:
        again = self.folder / "again"
        programs = Path(PROGRAMS) if PROGRAMS else self.folder / "programs"
        self.succeed(run([sys.executable, "-m", "tools.release", "natives", again, programs], ROOT))
        for path in self.out.iterdir():
            self.assertEqual(path.read_bytes(), (again / path.name).read_bytes(), path.name)

    def test_no_program_at_all_is_an_error(self) -> None:
        done = run([sys.executable, "-m", "tools.release", "natives", self.folder / "x", self.folder], ROOT)
        self.assertEqual(done.returncode, 1)
        self.assertIn("has no program", done.stdout)


if __name__ == "__main__":
    unittest.main()
