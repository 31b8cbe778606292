# SPDX-License-Identifier: MIT
"""The page about publishing: its documents are valid, and the bundle that it makes starts."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import zipfile
from pathlib import Path
from typing import Any, ClassVar, Dict, List, Mapping, Optional

ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "docs/publish"
TOOL = os.environ.get("MCPW_TOOL", "mcpwire")
WORK = Path(os.environ.get("MCPW_PUBLISH_WORK", tempfile.gettempdir() + "/mcpwire-publish"))
MACHO = bytes.fromhex("cafebabe")  # stands for a program of macOS, which nothing here can build or start
BUNDLE = "echo-mcp-1.0.0.mcpb"
_TIMEOUT = 600


def run(*command: object, env: Optional[Mapping[str, str]] = None) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end."""
    return subprocess.run(
        [str(each) for each in command],
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        check=False,
        env={**os.environ, **(env or {})},
    )


class PublishTest(unittest.TestCase):
    """A test with copies of the documents."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="mcpwire-publish-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for path in FILES.iterdir():
            shutil.copy(path, self.folder)

    def succeed(self, done: subprocess.CompletedProcess[str]) -> str:
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        return done.stdout

    def read(self, name: str) -> Dict[str, Any]:
        found: Dict[str, Any] = json.loads((self.folder / name).read_text("utf-8"))
        return found

    def verdict(self, name: str, value: Dict[str, Any]) -> bool:
        """Whether a value is valid for the schema NAME.schema.json."""
        path = self.folder / "value.json"
        path.write_text(json.dumps(value), "utf-8")
        done = run(TOOL, "validate", "--json-schema", self.folder / f"{name}.schema.json", path)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.returncode == 0


class Documents(PublishTest):
    """manifest.json and server.json."""

    def test_the_page_shows_the_files(self) -> None:
        page = (ROOT / "docs/guide/publish.md").read_text("utf-8")
        blocks = re.findall(r"^```json\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
        for name in ("manifest.json", "server.json"):
            self.assertIn((FILES / name).read_text("utf-8"), blocks)

    def test_the_files_are_valid(self) -> None:
        for name in ("manifest", "server"):
            self.assertTrue(self.verdict(name, self.read(f"{name}.json")))

    def test_mistakes_in_a_manifest_are_found(self) -> None:
        def changed(**members: object) -> Dict[str, Any]:
            return {**self.read("manifest.json"), **members}

        server = self.read("manifest.json")["server"]
        override = {"command": "a", "platform_overrides": {"windows": {"command": "b"}}}
        for wrong in (
            changed(manifest_version="0.3"),
            changed(author="Somebody"),
            changed(tools=["echo"]),
            changed(server={**server, "type": "exe"}),
            changed(server={**server, "mcp_config": {"args": []}}),
            changed(server={**server, "mcp_config": override}),
            changed(compatibility={"platforms": ["windows"]}),
            changed(colour="blue"),
        ):
            self.assertFalse(self.verdict("manifest", wrong), wrong)

    def test_mistakes_in_an_entry_are_found(self) -> None:
        def package(**members: object) -> Dict[str, Any]:
            whole = self.read("server.json")
            return {**whole, "packages": [{**whole["packages"][0], **members}]}

        for wrong in (
            {**self.read("server.json"), "name": "echo"},
            {**self.read("server.json"), "description": "x" * 101},
            {**self.read("server.json"), "version": "^1.0.0"},
            package(version="latest"),
            package(fileSha256="abc"),
            package(identifier="https://example.com/echo-mcp.mcpb"),
            package(transport={"type": "websocket"}),
        ):
            self.assertFalse(self.verdict("server", wrong), wrong)
        whole = self.read("server.json")
        del whole["packages"][0]["fileSha256"]
        self.assertFalse(self.verdict("server", whole))

    def test_the_publishers_own_program_takes_the_manifest(self) -> None:
        program = Path(os.environ.get("MCPW_NODE_MODULES", "")) / "node_modules/.bin/mcpb"
        if not program.exists():
            self.skipTest("mcpb is not installed (tests/interop/setup.sh)")
        self.succeed(run(program, "validate", self.folder / "manifest.json"))


class Bundle(PublishTest):
    """The packed bundle, of programs that are built for Linux and Windows."""

    programs: ClassVar[Dict[str, Path]] = {}

    def build(self, name: str, *options: object) -> Path:
        """The example echo, built for another system or statically."""
        given = ["-DCMAKE_BUILD_TYPE=MinSizeRel", "-DMCPW_BUILD_SHARED=OFF", "-DMCPW_BUILD_TESTS=OFF"]
        given += [
            "-DMCPW_BUILD_TOOLS=OFF",
            "-DMCPW_INSTALL=OFF",
            "-DMCPW_WITH_HTTP=OFF",
            "-DMCPW_WITH_SODIUM=OFF",
        ]
        folder = WORK / name
        ninja = ["-G", "Ninja"] if shutil.which("ninja") else []
        self.succeed(run("cmake", "-S", self.project(), "-B", folder, *ninja, *given, *options))
        self.succeed(run("cmake", "--build", folder, "--target", "echo"))
        return next(each for each in folder.iterdir() if each.name in ("echo", "echo.exe"))

    def project(self) -> Path:
        """The project of a user who has mcpwire as a subfolder."""
        folder = WORK / "project"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.22)\nproject(echo C)\n"
            f'add_subdirectory("{ROOT}" mcpwire EXCLUDE_FROM_ALL)\n'
            f'add_executable(echo "{ROOT}/examples/echo.c")\n'
            "target_link_libraries(echo PRIVATE mcpwire::serve)\n",
            "utf-8",
        )
        return folder

    def setUp(self) -> None:
        super().setUp()
        if shutil.which("x86_64-w64-mingw32-gcc") is None:
            self.skipTest("x86_64-w64-mingw32-gcc is not installed (Debian: gcc-mingw-w64-x86-64)")
        if not self.programs:
            self.programs["echo"] = self.build("linux", "-DCMAKE_EXE_LINKER_FLAGS=-static")
            chain = f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake/mingw-w64.cmake'}"
            self.programs["echo.exe"] = self.build("windows", chain)

    def pack(self, *names: str) -> subprocess.CompletedProcess[str]:
        """Packs these programs; that of macOS is stood in for."""
        for name in names:
            if name in self.programs:
                shutil.copy(self.programs[name], self.folder / name)
            else:
                (self.folder / name).write_bytes(MACHO)
        documents = [self.folder / "manifest.json", self.folder / "server.json", self.folder / BUNDLE]
        return run("python3", self.folder / "bundle.py", *documents, *(self.folder / each for each in names))

    def unpacked(self) -> Path:
        self.succeed(self.pack("echo", "echo.exe", "echo-macos"))
        with zipfile.ZipFile(self.folder / BUNDLE) as bundle:
            for entry in bundle.infolist():
                path = Path(bundle.extract(entry, self.folder / "installed"))
                path.chmod(entry.external_attr >> 16)
        return self.folder / "installed"

    def command(self, system: Optional[str]) -> List[str]:
        """The command line of a host of that system."""
        installed = self.unpacked()
        start = json.loads((installed / "manifest.json").read_text("utf-8"))["server"]["mcp_config"]
        if system is not None:
            start = {**start, **start["platform_overrides"][system]}
        return [each.replace("${__dirname}", str(installed)) for each in [start["command"], *start["args"]]]

    def call(self, *command: str) -> str:
        given = ["call", "--tool", "echo", "message=packed", "--", *command]
        return self.succeed(run(TOOL, *given, env={"WINEDEBUG": "-all", "WINEPREFIX": str(WORK / "wine")}))

    def test_a_host_on_linux_starts_it(self) -> None:
        self.assertIn("packed", self.call(*self.command(None)))

    def test_a_host_on_windows_starts_it(self) -> None:
        if shutil.which("wine") is None:
            self.skipTest("wine is not installed (Debian: wine, wine64)")
        self.assertIn("packed", self.call("wine", *self.command("win32")))

    def test_the_manifest_lists_the_tools_of_the_server(self) -> None:
        listed = json.loads(self.succeed(run(TOOL, "call", "--json", "--", *self.command(None))))
        shown = self.read("manifest.json")["tools"]
        self.assertEqual(
            shown, [{"name": each["name"], "description": each["description"]} for each in listed["tools"]]
        )

    def test_the_entry_has_the_sum_of_the_bundle(self) -> None:
        self.succeed(self.pack("echo", "echo.exe", "echo-macos"))
        entry = self.read("server.json")
        self.assertEqual(
            entry["packages"][0]["fileSha256"],
            hashlib.sha256((self.folder / BUNDLE).read_bytes()).hexdigest(),
        )
        self.assertTrue(self.verdict("server", entry))

    def test_the_same_programs_give_the_same_bytes(self) -> None:
        self.succeed(self.pack("echo", "echo.exe", "echo-macos"))
        first = (self.folder / BUNDLE).read_bytes()
        self.succeed(self.pack("echo", "echo.exe", "echo-macos"))
        self.assertEqual((self.folder / BUNDLE).read_bytes(), first)

    def test_a_program_that_is_missing_is_named(self) -> None:
        done = self.pack("echo", "echo.exe")
        self.assertEqual(done.returncode, 1)
        self.assertIn("server/echo-macos", done.stderr)
        self.assertFalse((self.folder / BUNDLE).exists())


if __name__ == "__main__":
    unittest.main()
