# SPDX-License-Identifier: MIT
# Slow: tools/test.sh runs it with --all.
"""The verdict of a comparison about C source, checked by a compiler: every name, member and signature of the
old headers is used in a program that is pinned to the new revision, and what no longer compiles must be what
the
report names."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterator, List, Set, Tuple

from codegen.report.diff.compare import compare
from codegen.report.diff.report import Report, SourceBreak
from codegen.report.diff.side import load_sides
from codegen.source.revisions import load as load_revisions
from tests.codegen.support import ROOT, SCHEMA_DIR

GENERATED = ROOT / "generated"
_DEFINE = re.compile(r"^#define (\w+) +\w+$", re.MULTILINE)
_STRUCT = re.compile(r"^(?:typedef )?struct (\w+) \{\n(.*?)^\}[ \w]*;", re.MULTILINE | re.DOTALL)
_ALIAS = re.compile(r"^typedef (?!struct|enum)([^;()]+?) (\w+);$", re.MULTILINE)
_MEMBER = re.compile(r"^( +)((?:const )?\w+(?: \*)?) ?(\w+); *$", re.MULTILINE)
_SLOT = re.compile(r"^ +(\w+) \(\*(\w+)\)(\([^;]*\)); *$", re.MULTILINE)
_FUNCTION = re.compile(r"^(?:MCPW_NODISCARD )?static inline ([^(]+?)(\w+)(\([^{]*\)) \{$", re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class Probe:
    """A use of the old API: the name that reports give it, the type that it needs, and one line of C."""

    name: str
    owner: str
    line: str


def header(revision: str, part: str) -> str:
    """A generated header with short names, without comments."""
    text = (GENERATED / revision / "mcp" / revision / f"{part}.h").read_text("utf-8")
    digits = revision.replace("-", "")
    return _COMMENT.sub("", text.replace(f"mcp_{digits}", "mcp").replace(f"MCP_{digits}", "MCP"))


def short_names(revision: str) -> Set[str]:
    return set(_DEFINE.findall(header(revision, "names")))


def probes(revision: str) -> Iterator[Probe]:
    """Every member, slot, alias and function of a revision's headers."""
    types = header(revision, "types")
    for name, body in _STRUCT.findall(types):
        for indent, c_type, member in _MEMBER.findall(body):
            path = f"as.{member}" if len(indent) > 4 else member
            space = "" if c_type.endswith("*") else " "
            use = f"{name} *v) {{ {c_type}{space}*m = &v->{path}; (void)m; }}"
            yield Probe(f"{name}.{path}", name, use)
    for target, name in _ALIAS.findall(types):
        yield Probe(name, name, f"{name} *v) {{ {target} *m = v; (void)m; }}")
    for name, body in _STRUCT.findall(header(revision, "handlers")):
        for answer, slot, parameters in _SLOT.findall(body):
            use = f"{name} *v) {{ {answer} (**m){parameters} = &v->{slot}; (void)m; }}"
            yield Probe(f"{name}.{slot}", name, use)
    for part in ("codec", "methods", "handlers", "client"):
        for answer, name, parameters in _FUNCTION.findall(header(revision, part)):
            flat = " ".join(parameters.split())
            yield Probe(name, name, f"void) {{ {answer.strip()} (*m){flat} = {name}; (void)m; }}")


def failing(new: str, uses: List[Probe], folder: Path) -> Set[str]:
    """The names of the probes that do not compile with the pin at `new`."""
    source = folder / "probes.c"
    lines = ["#include <mcp/pinned.h>", "#include <mcp/client.h>"]
    first = len(lines) + 1
    lines += [f"static void p{number}({probe.line}" for number, probe in enumerate(uses)]
    source.write_text("\n".join(lines) + "\n", "utf-8")
    found = subprocess.run(
        [
            shutil.which("gcc") or "cc",
            "-std=c11",
            "-fsyntax-only",
            "-fmax-errors=0",
            "-ftrack-macro-expansion=0",
            "-Werror=incompatible-pointer-types",
            "-Wno-unused-function",
            f"-DMCPW_PIN={new.replace('-', '')}",
            f"-I{GENERATED / 'common'}",
            f"-I{GENERATED / new}",
            f"-I{ROOT / 'runtime' / 'include'}",
            source.name,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    numbers = re.findall(r"^probes\.c:(\d+):\d+: error", found.stderr, re.MULTILINE)
    elsewhere = [line for line in found.stderr.splitlines() if "error:" in line and "probes.c" not in line]
    if elsewhere:
        raise AssertionError(elsewhere[0])
    return {uses[int(number) - first].name for number in numbers}


def broken(report: Report) -> Dict[str, SourceBreak]:
    """All breaks of a report by name."""
    found = [item for change in report.changes for item in change.source] + list(report.loose)
    return {item.name: item for item in found}


def adjacent() -> Iterator[Tuple[str, str, Report]]:
    revisions = load_revisions(SCHEMA_DIR)
    for left, right in zip(revisions.names, revisions.names[1:]):
        for old, new in ((left, right), (right, left)):
            yield old, new, compare(*load_sides(old, new, revisions, errata=True))


@unittest.skipUnless(shutil.which("gcc"), "skipped: there is no gcc")
class SourceTest(unittest.TestCase):
    def test_names_that_are_gone_are_those_that_the_header_lost(self) -> None:
        for old, new, report in adjacent():
            with self.subTest(f"{old} -> {new}"):
                self.assertEqual(set(report.vanished), short_names(old) - short_names(new))

    def test_what_does_not_compile_is_what_the_report_names(self) -> None:
        for old, new, report in adjacent():
            kept = short_names(new)
            uses = [probe for probe in probes(old) if probe.owner in kept]
            self.assertGreater(len(uses), 700)
            named = broken(report)
            claimed = {probe.name for probe in uses if probe.name in named}
            with tempfile.TemporaryDirectory() as folder, self.subTest(f"{old} -> {new}"):
                self.assertEqual(failing(new, uses, Path(folder)), claimed)

    def test_every_break_that_is_named_is_of_a_name_that_was_there(self) -> None:
        for old, new, report in adjacent():
            known = short_names(old) | {probe.name for probe in probes(old)}
            with self.subTest(f"{old} -> {new}"):
                self.assertEqual(set(broken(report)) - known, set())


if __name__ == "__main__":
    unittest.main()
