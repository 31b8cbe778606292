# SPDX-License-Identifier: MIT
"""What each option leaves of the library hangs together: compiled without warnings, with nothing of mcpwire
missing in it. What a program sees of a part that is not there is an error that it can do something about."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Dict, Tuple

from tests.small.building import HOST, ROOT, Build, choose, run_in_folder
from tests.small.sizes import DECODE, LATEST, LENIENT, READING

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


def check(folder: Path) -> bool:
    held = [hangs_together(folder, name, options) for name, options in CHOICES]
    return says_what_is_not_there(folder) and all(held)


def main() -> int:
    return run_in_folder(check)


if __name__ == "__main__":
    sys.exit(main())
