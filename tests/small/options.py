# SPDX-License-Identifier: MIT
"""The library is complete with each option: compiled without warnings, with nothing of mcpwire
missing in it. A program that uses a missing part gets an error that names the remedy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Dict, Tuple

from tests.small.building import HOST, ROOT, Build, choose, first, run_in_folder
from tests.small.sizes import DECODE, DEVICE, LATEST, LENIENT, ONLY, READING

STRICTER = ("-Wconversion",)
ENCODING = {
    "MCPW_SMALL": "ON",
    "MCPW_WITH_STRICT": "OFF",
    "MCPW_WITH_NAMES": "OFF",
    "MCPW_FREESTANDING": "ON",
}

ALONE = (
    "STDIO",
    "MALLOC",
    "ERROR_TEXT",
    "ERROR_PATH",
    "NAMES",
    "STRICT",
    "ENCODE",
    "PROJECT",
    "REFLECTION",
    "COPY_EQUAL",
    "MESSAGES",
    "JSON_TOOLS",
)
CHOICES: Tuple[Tuple[str, Dict[str, str]], ...] = (
    ("MCPW_SMALL", {"MCPW_SMALL": "ON"}),
    *((f"without {name}", {f"MCPW_WITH_{name}": "OFF"}) for name in ALONE),
    ("reading", READING),
    ("messages, lenient", LENIENT),
    ("decode", DECODE),
    ("reading, not lenient", {**READING, "MCPW_WITH_LENIENCY": "OFF"}),
    ("one request", DEVICE),
)


def hangs_together(folder: Path, name: str, options: Dict[str, str]) -> bool:
    build = Build(folder / name.replace(" ", "-"), HOST, choose(options), STRICTER)
    missing = [symbol for symbol in build.undefined(LATEST) if symbol.startswith(("mcpw_", "mcp_"))]
    print(f"{name}: {'missing: ' + ', '.join(missing) if missing else 'ok'}", flush=True)
    return not missing


def says_what_is_not_there(folder: Path) -> bool:
    build = Build(folder / "without", HOST, choose(ENCODING))
    program = build.compile(
        ROOT / "tests/small/without.c", (LATEST,), "without", [f"-I{ROOT / 'tests/unit'}"]
    )
    out = build.program(folder / "program", [program, *build.objects((LATEST,))], ("-lm",))
    return subprocess.run([str(out)], check=False).returncode == 0


def a_part_reads_what_it_is_for(folder: Path) -> bool:
    """The work of tests/small/bare_metal.py on the machine that it is meant for."""
    build = Build(folder / "part", HOST, choose(DEVICE))
    headers = first(build.generate(LATEST, ONLY), LATEST)
    program = build.compile(ROOT / "tests/small/part.c", (LATEST,), "part", headers)
    start = build.compile(ROOT / "tests/small/hosted_start.c", (), "hosted_start")
    objects = [program, start, *build.part(LATEST, ONLY)]
    out = build.program(folder / "device", objects, ("-Wl,--gc-sections",))
    return subprocess.run([str(out)], check=False).returncode == 0


def check(folder: Path) -> bool:
    held = [hangs_together(folder, name, options) for name, options in CHOICES]
    held.append(a_part_reads_what_it_is_for(folder))
    return says_what_is_not_there(folder) and all(held)


def main() -> int:
    return run_in_folder(check)


if __name__ == "__main__":
    sys.exit(main())
