# SPDX-License-Identifier: MIT
"""What built programs rely on: exported symbols, sizes of structs, places of members, values of enumerators.

A released revision's record never changes; that of the runtime only grows, but for what no program sees.

Usage: python3 -m tests.package.abi PREFIX [--write]
PREFIX is a folder that mcpwire was installed into. Without --write, prints what differs from the records in
tests/package/abi/ and exits with 1 if anything does; with --write, replaces the records.
"""

from __future__ import annotations

import argparse
import difflib
import re
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterator, List, Sequence, Tuple

RECORDS = Path(__file__).resolve().parent / "abi"
_RUNTIME_HEADERS = (
    "type",
    "reflect",
    "protocol",
    "protocol_table",
    "library",
    "codec",
    "message",
    "project",
    "json",
    "pattern",
    "schema",
    "session",
    "server",
    "io",
    "thread",
    "ask",
    "frame",
    "http",
    "http_serve",
    "http_client",
    "http_connect",
    "http_redis",
    "diagnostics",
    "serve",
    "policy",
)
_LP64 = struct.calcsize("P") == 8 and struct.calcsize("l") == 8
_OPEN = re.compile(r"\b(struct|enum)(?: (\w+))? \{")
_MEMBER = re.compile(r"\(\s*\*\s*(?:const\s+)?(\w+)\s*\)|(\w+)\s*(?:\[[^\]]*\])?\s*$")


class Unusable(Exception):
    """The records cannot be compared here; the message says why."""


@dataclass(frozen=True)
class Declared:
    """The structs, with the paths of their members, and the enumerators of some headers."""

    structs: Dict[str, Tuple[str, ...]]
    enumerators: Tuple[str, ...]


def _body(text: str, start: int) -> str:
    """What stands between the brace before start and its partner."""
    depth = 1
    for index in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[index], 0)
        if depth == 0:
            return text[start:index]
    raise ValueError("a brace is not closed")


def _statements(body: str) -> Iterator[str]:
    depth = 0
    begin = 0
    for index, character in enumerate(body):
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(character, 0)
        if character == ";" and depth == 0:
            yield body[begin:index].strip()
            begin = index + 1


def _members(body: str) -> Iterator[str]:
    for statement in _statements(body):
        if "{" in statement:
            outer = re.split(r"\W+", statement)[-1]
            yield outer
            inner = _body(statement, statement.index("{") + 1)
            yield from (f"{outer}.{name}" for name in _members(inner))
            continue
        found = _MEMBER.search(statement.split("(", 1)[0] if "(*" not in statement else statement)
        if found is None:
            raise ValueError(f"not understood: {statement}")
        yield found.group(1) or found.group(2)


def declared(text: str, prefix: str) -> Declared:
    """What preprocessed C declares under names that begin with a prefix, in any case."""
    structs: Dict[str, Tuple[str, ...]] = {}
    enumerators: List[str] = []
    for match in _OPEN.finditer(text):
        body = _body(text, match.end())
        if match.group(1) == "enum":
            names = [part.split("=")[0].strip() for part in body.split(",")]
            enumerators += [name for name in names if name.startswith(prefix.upper())]
        elif match.group(2) and match.group(2).startswith(prefix):
            structs[match.group(2)] = tuple(_members(body))
    return Declared(structs, tuple(enumerators))


def _run(command: Sequence[str], stdin: str = "") -> str:
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}:\n{done.stderr}")
    return done.stdout


def layout(include: Path, headers: Sequence[str], prefix: str) -> List[str]:
    """A line for each struct, member and enumerator, as this compiler lays them out."""
    if not _LP64:
        raise Unusable("the records are of machines with 64-bit long and pointers")
    includes = "".join(f"#include <{header}>\n" for header in headers)
    flags = ["-std=c11", f"-I{include}"]
    found = declared(_run(["cc", *flags, "-E", "-P", "-x", "c", "-"], includes), prefix)
    program = [includes, "#include <stdio.h>\n", "int main(void) {\n"]
    for name in sorted(found.structs):
        program.append(f'printf("struct {name} %zu\\n", sizeof(struct {name}));\n')
        for member in found.structs[name]:
            place = f"offsetof(struct {name}, {member}), sizeof(((struct {name} *)0)->{member})"
            program.append(f'printf("  {member} %zu %zu\\n", {place});\n')
    for name in sorted(found.enumerators):
        program.append(f'printf("value {name} %lld\\n", (long long){name});\n')
    program.append("return 0;\n}\n")
    with tempfile.TemporaryDirectory() as folder:
        binary = str(Path(folder) / "layout")
        _run(["cc", *flags, "-O0", "-x", "c", "-", "-o", binary], "".join(program))
        return _run([binary]).splitlines()


def exported(library: Path) -> List[str]:
    """A line for each symbol that a shared library exports: its name and the node of its version."""
    lines = []
    for line in _run(["nm", "-D", "--defined-only", "--with-symbol-versions", str(library)]).splitlines():
        kind, name = line.split()[1:3]
        if kind != "A":  # the nodes themselves
            lines.append(f"symbol {name.replace('@@', ' ')}")
    return sorted(lines)


def _library(prefix: Path, name: str) -> Path:
    for path in sorted(prefix.glob(f"lib*/**/{name}.so.1")):
        return path
    raise Unusable(f"there is no {name}.so.1 under {prefix}: symbols are recorded of ELF libraries")


def current(prefix: Path, revisions: Sequence[str]) -> Dict[str, List[str]]:
    """The lines of each record, by its name, as the installed mcpwire has them."""
    include = prefix / "include"
    symbols = exported(_library(prefix, "libmcpwire")) + exported(_library(prefix, "libmcpwire-session"))
    records = {}
    for revision in revisions:
        own = f"mcp_{revision.replace('-', '')}_"
        lines = layout(include, [f"mcp/{revision}.h", f"mcp/{revision}/client.h"], own)
        records[revision] = lines + [line for line in symbols if line.split()[1].startswith(own)]
    public = [line for line in symbols if not line.split()[1].startswith("mcp_2")]
    records["runtime"] = layout(include, [f"mcpw/{name}.h" for name in _RUNTIME_HEADERS], "mcpw_") + public
    return records


def difference(name: str, lines: Sequence[str]) -> List[str]:
    """What was removed (-) from a record and added (+), each under the struct it belongs to."""
    path = RECORDS / f"{name}.txt"
    recorded = path.read_text("utf-8").splitlines() if path.exists() else []
    return [
        line
        for line in difflib.unified_diff(
            _rooted(recorded), _rooted(lines), "recorded", "current", "", "", 0, ""
        )
        if not line.startswith("@@")
    ]


def _rooted(lines: Sequence[str]) -> List[str]:
    """Members with the name of their struct before them, so that each line stands alone."""
    rooted = []
    owner = ""
    for line in lines:
        if line.startswith("struct "):
            owner = line.split()[1]
        rooted.append(f"{owner}.{line.strip()}" if line.startswith("  ") else line)
    return rooted


def main() -> int:
    """Compares, or writes with --write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("prefix", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    revisions = sorted(path.name for path in (options.prefix / "include" / "mcp").iterdir() if path.is_dir())
    different = False
    for name, lines in current(options.prefix, revisions).items():
        if options.write:
            (RECORDS / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")
            continue
        changes = difference(name, lines)
        different = different or bool(changes)
        if changes:
            print(name, *changes, sep="\n  ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
