# SPDX-License-Identifier: MIT
"""Compiles the codec with some of its options, for some machine, and says how large what comes out is.

The meaning of the options comes from cmake/McpwireSmall.cmake, so that these figures are those of its builds.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, List, Mapping, Sequence, Tuple

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("base", "json", "codec")  # of runtime/: those of the codec
# In them: those of other libraries, and described structs, which come with JSON Schema at run time.
OTHERS = {
    "json/json_c.c",
    "base/lock_none.c",
    "base/lock_posix.c",
    "base/lock_win.c",
    "base/time_none.c",
    "base/time_posix.c",
    "base/time_win.c",
    "codec/described.c",
    "codec/described_type.c",
}
SKIPPED = 77
KB = 1024
WARNINGS = ("-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror")


class Skip(Exception):
    """Something is missing; the text says what."""


class Failure(Exception):
    """A compiler or linker did not accept what it was given."""


@dataclass(frozen=True)
class Machine:
    """The machine to compile for."""

    name: str
    compiler: str
    flags: Tuple[str, ...]
    package: str

    def tool(self, name: str) -> str:
        """Another program of the same tool chain."""
        return self.compiler[: -len("gcc")] + name

    def version(self) -> str:
        """The compiler's major version."""
        self.require()
        return run([self.compiler, "-dumpversion"]).split(".")[0].strip()

    def require(self) -> None:
        if shutil.which(self.compiler) is None:
            raise Skip(f"no {self.compiler} (Debian: {self.package})")


HOST = Machine("x86-64", "gcc", ("-m64",), "gcc")
CORTEX_M4 = Machine(
    "Cortex-M4",
    "arm-none-eabi-gcc",
    ("-mcpu=cortex-m4", "-mthumb"),
    "gcc-arm-none-eabi libnewlib-arm-none-eabi",
)


@dataclass(frozen=True)
class Choice:
    """The definitions, omissions and flags of a set of options."""

    definitions: Tuple[str, ...]
    excluded: Tuple[str, ...]
    flags: Tuple[str, ...]


@dataclass(frozen=True)
class Size:
    """Bytes of sections. Tables of pointers, where code is position-independent, are relocated and stand
    apart."""

    text: int = 0
    rodata: int = 0
    pointers: int = 0
    data: int = 0

    @property
    def fixed(self) -> int:
        return self.text + self.rodata


def run(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode != 0:
        raise Failure(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def choose(options: Mapping[str, str]) -> Choice:
    """The output of CMake for these options."""
    if shutil.which("cmake") is None:
        raise Skip("no cmake")
    script = str(ROOT / "tests/small/options.cmake")
    command = ["cmake", *(f"-D{name}={value}" for name, value in options.items()), "-P", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stderr.split("\n")
    if done.returncode != 0 or len(lines) < 3:
        raise Failure(f"{' '.join(command)}\n{done.stderr}")
    definitions, excluded, flags = (tuple(filter(None, line.split(";"))) for line in lines[:3])
    return Choice(definitions, excluded, flags)


def number(revision: str) -> str:
    return revision.replace("-", "")


def revisions() -> Tuple[str, ...]:
    return tuple(sorted(path.parent.name for path in (ROOT / "generated").glob("*/tables.c")))


def includes(held: Sequence[str]) -> Tuple[str, ...]:
    folders = ("runtime/include", "generated/common", *(f"generated/{revision}" for revision in held))
    return tuple(f"-I{ROOT / folder}" for folder in folders)


def defined(choice: Choice, held: Sequence[str]) -> Tuple[str, ...]:
    pin = [f"MCPW_PIN={number(held[-1])}"] if held else []
    own = (*(f"MCPW_WITH_{number(revision)}=1" for revision in held), *pin)
    return tuple(f"-D{definition}" for definition in (*choice.definitions, *own))


def first(generated: Path, revision: str) -> Tuple[str, ...]:
    """Flags that take headers from a folder of generated code, before those of the tree."""
    return tuple(f"-I{generated / folder}" for folder in (revision, "common"))


class Build:
    """Objects of the library, compiled into a folder; those that no revision concerns, once. `held` are the
    revisions that the library holds."""

    def __init__(self, folder: Path, machine: Machine, choice: Choice, extra: Sequence[str] = ()) -> None:
        machine.require()
        self._folder = folder
        self._machine = machine
        self._choice = choice
        self._flags = (*machine.flags, "-Os", "-DNDEBUG", *choice.flags, *WARNINGS, *extra)
        folder.mkdir(parents=True, exist_ok=True)
        self._engine: List[Path] = []

    def compile(self, source: Path, held: Sequence[str], name: str, extra: Sequence[str] = ()) -> Path:
        out = self._folder / f"{name}.o"
        flags = (*self._flags, *extra, *includes(held), *defined(self._choice, held))
        run([self._machine.compiler, *flags, "-c", str(source), "-o", str(out)])
        return out

    def engine(self, held: Sequence[str]) -> List[Path]:
        """All of the codec but tables."""
        if not self._engine:
            left_out = {*OTHERS, *self._choice.excluded}
            for room in ROOMS:
                for source in sorted((ROOT / "runtime" / room).glob("*.c")):
                    if f"{room}/{source.name}" not in left_out:
                        self._engine.append(self.compile(source, held, source.stem))
        return self._engine

    def objects(self, held: Sequence[str]) -> List[Path]:
        tables = [self.compile(ROOT / f"generated/{r}/tables.c", (r,), f"tables-{r}") for r in held]
        registry = self.compile(ROOT / "generated/common/registry.c", held, "registry-" + "-".join(held))
        return [*self.engine(held), *tables, registry]

    def part(self, revision: str, only: str) -> List[Path]:
        """The codec with the tables of what a method or type of a revision reaches."""
        generated = self.generate(revision, only)
        tables = self.compile(
            generated / revision / "tables.c",
            (revision,),
            f"tables-{revision}-{only}",
            first(generated, revision),
        )
        return [*self.engine((revision,)), tables]

    def generate(self, revision: str, only: str) -> Path:
        """The folder with the bindings of what a method or type of a revision reaches."""
        folder = self._folder / f"generated-{revision}-{only}"
        command = [sys.executable, "-m", "codegen", "generate", "--revision", revision, "--only", only]
        run([*command, "--out", str(folder.resolve())])
        return folder

    def archived(self, revision: str) -> Size:
        """All of the library."""
        return self.measure(self.objects((revision,)))

    def linked(self, revision: str, roots: Sequence[str], only: str = "") -> Size:
        """The part of the library in a program that uses only these functions and tables. `only`: the
        tables are those that this method or type reaches."""
        out = self._folder / f"linked-{revision}.o"
        flags = ["-nostdlib", "-no-pie", "-r", "-Wl,--gc-sections", *(f"-Wl,-u,{root}" for root in roots)]
        objects = self.part(revision, only) if only else self.objects((revision,))
        run([self._machine.compiler, *self._machine.flags, *flags, "-o", str(out), *map(str, objects)])
        return self.measure([out])

    def program(self, out: Path, objects: Sequence[Path], flags: Sequence[str]) -> Path:
        """Links a program."""
        run([self._machine.compiler, *self._flags, "-o", str(out), *map(str, objects), *flags])
        return out

    def measure(self, objects: Sequence[Path]) -> Size:
        listing = run([self._machine.tool("size"), "-A", *map(str, objects)])
        sizes: Dict[str, int] = {"text": 0, "rodata": 0, "pointers": 0, "data": 0}
        for section, size in re.findall(r"^(\.\S+)\s+(\d+)\s", listing, re.MULTILINE):
            for prefix, kind in _SECTIONS:
                if section.startswith(prefix):
                    sizes[kind] += int(size)
                    break
        return Size(**sizes)

    def undefined(self, revision: str) -> List[str]:
        """The undefined symbols of the library."""
        symbols = run([self._machine.tool("nm"), *map(str, self.objects((revision,)))])
        own = set(re.findall(r" [TtRrDdBbVWC] (\S+)$", symbols, re.MULTILINE))
        return sorted(set(re.findall(r" U (\S+)$", symbols, re.MULTILINE)) - own)


_SECTIONS = (
    (".text", "text"),
    (".rodata", "rodata"),
    (".data.rel.ro", "pointers"),
    (".data", "data"),
    (".bss", "data"),
)


def run_in_folder(check: Callable[[Path], bool]) -> int:
    """The exit status of a test that builds in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="mcpw-small-") as folder:
        try:
            return 0 if check(Path(folder)) else 1
        except Skip as reason:
            print(f"skipped: {reason}")
            return SKIPPED
        except Failure as failure:
            print(failure)
            return 1
