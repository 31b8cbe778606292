# SPDX-License-Identifier: MIT
"""Every code block of the README, the guide and CONTRIBUTING.md is what it says it is.

Usage: check_blocks.py ROOT BUILD FILE...

    c, cpp    stands in an example or a program of the guide, but for its indentation; those are built and run
    console   `$ ` lines are run, one after the other, in a folder that the blocks of a file share; what
              follows is what they print. A command that changes the machine or needs the network stands in
              commands_not_run.json with the reason. A block without any output only has to succeed.
    cmake     configures, in a project with a library of that name beside it or an installed one
    json      parses
    text      is no code

A block that is indented by four spaces is a list of folders, or commands without output. The blocks run with
the programs of the guide and the examples at hand, and with what BUILD installs.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"(?:^|\n)\n((?:    .*\n(?:\n(?=    ))?)+)")
PROMPT = "$ "
EMPTY_MAIN = "int main(void) { return 0; }\n"
TIMEOUT = 300
SKIPPED = 77
NEEDED = ("bash", "cc", "cmake", "make", "pkg-config")


@dataclass(frozen=True)
class Block:
    """A code block, with the file and the line where it begins."""

    file: str
    line: int
    language: str
    text: str

    def wrong(self, why: str) -> str:
        """A line that says what is wrong with it."""
        return f"{self.file}:{self.line}: {why}"


def blocks(path: Path, name: str) -> Iterator[Block]:
    """The blocks of a file in their order."""
    text = path.read_text("utf-8")
    found = [(m.start(), m[1], m[2]) for m in FENCE.finditer(text)]
    without = FENCE.sub(lambda m: re.sub(r"[^\n]", "x", m[0]), text)
    found += [(m.start(1), "indented", textwrap.dedent(m[1])) for m in INDENTED.finditer(without)]
    for start, language, block in sorted(found):
        yield Block(name, text.count("\n", 0, start) + 1, language, block)


@dataclass(frozen=True)
class Place:
    """The folders in which blocks run: the tree, its build, and a folder with everything that the commands
    name."""

    root: Path
    build: Path
    folder: Path
    not_run: dict[str, str]

    @property
    def environment(self) -> dict[str, str]:
        """PATH and so on: what is installed comes first."""
        installed = self.folder / "installed"
        libraries = next(path.parent for path in installed.rglob("libmcpwire*.a"))
        return {
            **os.environ,
            "PATH": os.pathsep.join([str(self.folder / "bin"), str(installed / "bin"), os.environ["PATH"]]),
            "PKG_CONFIG_PATH": str(libraries / "pkgconfig"),
            "LD_LIBRARY_PATH": str(libraries),
            "CMAKE_PREFIX_PATH": str(installed),
            "PYTHONDONTWRITEBYTECODE": "1",
            "LC_ALL": "C.UTF-8",
        }


def prepare(root: Path, build: Path, folder: Path, not_run: dict[str, str]) -> Place:
    """Fills the folder: the tree as `mcpwire`, programs, messages, what is installed."""
    install = ["cmake", "--install", str(build), "--prefix", str(folder / "installed")]
    subprocess.run(install, check=True, capture_output=True)
    (folder / "bin").mkdir()
    programs = [path for path in build.rglob("*") if re.match(r"(guide|example)_\w+$", path.name)]
    for program in sorted(programs, key=lambda path: path.name):  # the guide's after the examples'
        if program.is_file() and os.access(program, os.X_OK):
            link = folder / "bin" / program.name.split("_", 1)[1]
            link.unlink(missing_ok=True)
            link.symlink_to(program)
    (folder / "bin" / "some-server").symlink_to(folder / "bin" / "echo")
    return Place(root, build, folder, not_run)


def workplace(place: Place, name: str) -> Path:
    """The folder for the blocks of a file."""
    folder = place.folder / name.replace("/", "-")
    folder.mkdir()
    (folder / "mcpwire").symlink_to(place.root)
    for path in (place.folder / "bin").iterdir():
        (folder / path.name).symlink_to(path)
    for path in (place.root / "docs" / "guide").glob("*.c*"):
        (folder / path.name).symlink_to(path)
    shutil.copy(place.root / "examples" / "messages" / "2026-07-28.ndjson", folder / "session.ndjson")
    (folder / "result.json").write_text('{"resultType":"complete","content":[]}\n', "utf-8")
    shutil.copy(place.root / "schema" / "2026-07-28" / "schema.json", folder / "schema.json")
    return folder


# The kinds of blocks


@cache
def sources(root: Path) -> str:
    """The programs from which the documentation quotes."""
    folders = (
        root / "examples",
        root / "docs" / "guide",
        root / "tests" / "package" / "generate",
        root / "tests" / "plain_types",
    )
    paths = [path for folder in folders for path in sorted(folder.glob("*.c*"))]
    return "\n".join(path.read_text("utf-8") for path in paths)


def check_c(block: Block, place: Place) -> str:
    """Its lines stand together in a program, all with one indentation."""
    lines = sources(place.root).split("\n")
    wanted = textwrap.dedent(block.text).rstrip("\n").split("\n")
    for start, line in enumerate(lines):
        if line.strip() == wanted[0].strip():
            here = textwrap.dedent("\n".join(lines[start : start + len(wanted)])).split("\n")
            if here == wanted:
                return ""
    return block.wrong(f"no program has these lines:\n{block.text}")


def check_json(block: Block, place: Place) -> str:
    """It parses."""
    del place
    try:
        json.loads(block.text)
    except ValueError as error:
        return block.wrong(str(error))
    return ""


def check_cmake(block: Block, place: Place) -> str:
    """A project of it configures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "mcpwire").symlink_to(place.root)
        (folder / "main.c").write_text(EMPTY_MAIN, "utf-8")
        shutil.copy(place.root / "schema" / "2026-07-28" / "schema.json", folder / "schema.json")
        for name_of_schema in ("weather.json", "clock.json"):
            shutil.copy(place.root / "examples" / name_of_schema, folder / name_of_schema)
        shutil.copy(place.root / "tests" / "plain_types" / "tools.json", folder / "tools.json")
        head = "cmake_minimum_required(VERSION 3.22)\nproject(consumer C)\nadd_executable(my_server main.c)\n"
        (folder / "CMakeLists.txt").write_text(head + block.text, "utf-8")
        command = ["cmake", "-S", str(folder), "-B", str(folder / "build"), f"-DMCPW_PYTHON={sys.executable}"]
        run = subprocess.run(command, capture_output=True, text=True, check=False, env=place.environment)
    return block.wrong(f"does not configure:\n{run.stderr}") if run.returncode else ""


def commands(text: str) -> Iterator[tuple[str, str]]:
    """(command, what it prints) of a console block."""
    command, output = "", ""
    for line in text.splitlines(keepends=True):
        if line.startswith(PROMPT):
            if command:
                yield command, output
            command, output = line[len(PROMPT) :].strip(), ""
        else:
            output += line
    if command:
        yield command, output


def run_command(command: str, place: Place, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command in the folder of its file."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=place.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


def check_console(block: Block, place: Place, folder: Path) -> str:
    """Each command prints what follows it."""
    shown = list(commands(block.text))
    compare = any(output for _, output in shown)
    for command, output in shown:
        if command in place.not_run:
            continue
        run = run_command(command, place, folder)
        if run.returncode != 0:
            return block.wrong(f"{command}: exit status {run.returncode}\n{run.stdout}")
        if compare and run.stdout != output:
            return block.wrong(f"{command} prints\n{run.stdout}and not\n{output}")
    return ""


def check_indented(block: Block, place: Place, folder: Path) -> str:
    """Folders that exist, or commands that succeed."""
    lines = [line for line in block.text.split("\n") if line.strip()]
    if re.match(r"[\w.]+/\s", lines[0]):
        rows = [line for line in lines if line[0] != " "]
        for name in re.findall(r"(?:^|\s{4,})([\w.]+)/\s", "\n".join(rows), re.MULTILINE):
            if not (place.root / name).is_dir():
                return block.wrong(f"there is no folder {name}/")
        return ""
    for line in lines:
        command = re.sub(r"\s+# .*$", "", line.removeprefix(PROMPT)).strip()
        if command in place.not_run:
            continue
        run = run_command(command, place, folder)
        if run.returncode != 0:
            return block.wrong(f"{command}: exit status {run.returncode}\n{run.stdout}")
    return ""


def check(block: Block, place: Place, folder: Path) -> str:
    """The faults of a block; empty if there are none."""
    if block.language in ("c", "cpp"):
        return check_c(block, place)
    if block.language == "json":
        return check_json(block, place)
    if block.language == "cmake":
        return check_cmake(block, place)
    if block.language == "console":
        return check_console(block, place, folder)
    if block.language == "indented":
        return check_indented(block, place, folder)
    return "" if block.language == "text" else block.wrong(f"a block of no known kind: {block.language!r}")


def main() -> int:
    """Check all blocks of the files."""
    for program in NEEDED:
        if shutil.which(program) is None:
            print(f"skipped: {program} is not installed")
            return SKIPPED
    root, build = Path(sys.argv[1]), Path(sys.argv[2])
    text = (root / "tests" / "docs" / "commands_not_run.json").read_text("utf-8")
    not_run: dict[str, str] = json.loads(text)
    shown: set[str] = set()
    failures: list[str] = []
    count = 0
    with tempfile.TemporaryDirectory() as name:
        place = prepare(root, build, Path(name), not_run)
        for file in sys.argv[3:]:
            folder = workplace(place, file)
            for block in blocks(root / file, file):
                count += 1
                shown.add(block.text)
                why = check(block, place, folder)
                if why:
                    failures.append(why)
                    print(why)
    everything = "\n".join(shown)
    for command in not_run:
        if command not in everything:
            failures.append(f"commands_not_run.json has a command that nobody shows: {command}")
            print(failures[-1])
    files = len(sys.argv) - 3
    print(f"{count} blocks in {files} files, {len(failures)} wrong; {len(not_run)} commands are not run")
    return 1 if failures or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
