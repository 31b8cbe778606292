# SPDX-License-Identifier: MIT
"""The walls of the house: what each room may know, and how long and how forked a thing may be.

python3 tests/structure/check.py                # every check; exit status 1 where one does not hold
python3 tests/structure/check.py sizes rooms    # these
python3 tests/structure/check.py --report       # the figures by file, exit status 0
"""

from __future__ import annotations

import argparse
import fnmatch
import re
import sys
from pathlib import Path
from typing import Callable, Mapping, Optional, Sequence

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from tests.structure.source import read  # noqa: E402
from tests.structure.wording import wording  # noqa: E402

RUNTIME = "runtime"
PUBLIC = "runtime/include/mcpw/"
CONDITIONALS = 5  # in 1,000 lines of runtime/
FUNCTION_LINES = 60
FILE_LINES = 800
MODULE_LINES = 400  # of codegen/
LONG = "long:"  # the mark of a function that may be longer, with the reason after it

# Files that stand for one instruction set each, or choose among them.
BLOCKS = ("runtime/json/block*.h",)

# The files in which sessions may spell JSON out: their writer of it, the pieces that are copied for speed,
# and a reader.
SPELLERS = (
    "runtime/session/support/text.c",
    "runtime/session/support/pieces.h",
    "runtime/session/core/digest.c",
)
PUNCTUATION = frozenset('{}[]:,\\"')
EMPTY = "{}"  # a value that needs no writer

FEATURES = re.compile(r"^\s*#\s*define\s+_(?:POSIX_C|XOPEN|GNU|DEFAULT)_SOURCE\b")
REVISION = re.compile(r"\b20[0-9]{2}-[01][0-9]-[0-3][0-9]\b")

# Rooms, or headers of a room, whose private headers each room may include besides its own, and public headers
# that it may not.
ROOMS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "base": ((), ("codec", "type", "message", "project", "session", "server", "thread", "io")),
    "json": (("base",), ("codec", "type", "message", "project", "session", "server", "thread", "io")),
    "codec": (("base", "json"), ("session", "server", "thread", "io", "frame")),
    "schema": (("base", "json"), ("session", "server", "thread", "io", "frame")),
    "session": (("base/compiler.h", "base/print.h"), ("io",)),
    "http": (("base/compiler.h", "session/attach.h"), ("codec", "io", "frame", "thread")),
    "tasks": ((), ("io", "frame", "thread")),
    "client_tasks": ((), ("io", "frame", "thread")),
    "apps": ((), ("codec", "io", "frame", "thread")),
    "skills": ((), ()),
    "oauth": ((), ("io", "frame", "thread", "server")),
    "jose": (("oauth/oauth.h",), ("io", "frame", "thread", "server")),
    "transport": (("base/compiler.h", "base/utf8.h", "base/wipe.h", "session/attach.h"), ("codec", "type")),
}

# The rooms of extensions. They are made of the public API alone, as those of other authors are: what they
# need and <mcpw/extension.h> and <mcpw/extension_kit.h> lack is a defect of these.
EXTENSIONS = ("tasks", "client_tasks", "apps", "skills")

# The layout of tables is between generated code and these: <mcpw/detail/table.h> includes its two parts, and
# these tests look at tables, change them, or spoil what tables describe.
TABLE_HEADERS = ("mcpw/detail/table.h", "mcpw/detail/table_fast.h", "mcpw/detail/table_small.h")
KNOW_TABLES = (
    "runtime/codec/*",
    "runtime/include/mcpw/detail/table.h",
    "tests/fuzz/fuzz_text.c",
    "tests/fuzz/spoil.c",
    "tests/load/work.c",
    "tests/oracle/alternative.h",
    "tests/oracle/mutant_tables.h",
    "tests/unit/changed_tables.h",
    "tests/unit/test_find.c",
    "tests/unit/test_library.c",
    "tests/unit/test_recursion.c",
    "tests/unit/test_unusable.c",
)

# The files of runtime/transport that may include headers of a system: the port layer, and HTTP, logins and
# the shared store of tasks, which need libraries of their own. All others know the system by os.h.
KNOW_SYSTEM = ("os_*", "alone_*", "curl_*", "http_*", "login_*", "oauth_*", "task_redis*")
C_NAMES = "ctype errno inttypes limits stdarg stdatomic stdbool stddef stdint stdio stdlib string time"
C_HEADERS = frozenset(f"{name}.h" for name in C_NAMES.split())

Check = Callable[[Path], list[str]]


def lines_of(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def is_block(path: str) -> bool:
    return any(fnmatch.fnmatch(path, pattern) for pattern in BLOCKS)


def conditionals(root: Path) -> list[str]:
    """At most so many conditionals in 1,000 lines of runtime/."""
    sources = read(root, RUNTIME)
    count = sum(len(source.conditionals) for source in sources)
    lines = sum(len(source.lines) for source in sources)
    if 1000 * count <= CONDITIONALS * lines:
        return []
    each = sorted(((len(source.conditionals), source.path) for source in sources), reverse=True)
    worst = ", ".join(f"{path} {number}" for number, path in each[:8])
    per = 1000 * count / lines
    return [f"runtime/: {per:.1f} conditionals in 1,000 lines, at most {CONDITIONALS}: {worst}"]


def forks(root: Path) -> list[str]:
    """No conditional within a function, but in the files of an instruction set."""
    return [
        f"{source.path}:{line}: a conditional in {source.function_at(line)}"
        for source in read(root, RUNTIME)
        if not is_block(source.path)
        for line in source.conditionals
        if source.function_at(line)
    ]


def pasting(root: Path) -> list[str]:
    """No macro that makes the name of a function from a piece of it, which neither grep nor ctags finds."""
    return [
        f"{source.path}:{line}: {name} pastes a name"
        for source in read(root, RUNTIME)
        for line, name in source.pasting
    ]


def sizes(root: Path) -> list[str]:
    """Functions and files are no longer than one can read."""
    wrong = []
    for source in [*read(root, RUNTIME), *read(root, "tools"), *read(root, "examples")]:
        if len(source.lines) > FILE_LINES:
            wrong.append(f"{source.path}: {len(source.lines)} lines, at most {FILE_LINES}")
        for function in source.functions:
            if function.length > FUNCTION_LINES and not source.comment_beside(function, LONG):
                wrong.append(
                    f"{source.path}:{function.first}: {function.name} has {function.length} lines, "
                    f'at most {FUNCTION_LINES} without a comment that says "{LONG} why"'
                )
    return wrong


def modules(root: Path) -> list[str]:
    """Modules of the generator are short."""
    return [
        f"{path.relative_to(root)}: {lines_of(path)} lines, at most {MODULE_LINES}"
        for path in sorted((root / "codegen").rglob("*.py"))
        if lines_of(path) > MODULE_LINES
    ]


def rooms(root: Path) -> list[str]:
    """Rooms of runtime/ include what they may know; everything else public headers and its own."""
    runtime = read(root, RUNTIME)
    room_of: dict[str, str] = {}
    for source in runtime:
        if not source.path.startswith(PUBLIC):
            room_of.setdefault(Path(source.path).name, source.path.split("/")[1])
    wrong = []
    for source in runtime:
        room = source.path.split("/")[1]
        private, public = ROOMS.get(room, ((), ()))
        for line, is_public, name in source.includes:
            at = f"{source.path}:{line}: {room} may not know"
            is_detail = name.startswith("mcpw/detail/") and room in EXTENSIONS
            if is_public and name.startswith("mcpw/") and (Path(name).stem in public or is_detail):
                wrong.append(f"{at} <{name}>")
            beside = (root / source.path).parent / name
            inside = beside.resolve().relative_to(root.resolve()).parts if beside.exists() else ()
            owner = inside[1] if inside[:1] == (RUNTIME,) else room_of.get(Path(name).name, room)
            if (
                not is_public
                and owner not in (room, *private)
                and f"{owner}/{Path(name).name}" not in private
            ):
                wrong.append(f"{at} {owner}'s {name}")
    for source in [*read(root, "tools"), *read(root, "examples")]:
        for line, is_public, name in source.includes:
            own = (root / source.path).parent / name
            if not is_public and name in room_of and not own.exists():
                wrong.append(f"{source.path}:{line}: {name} is private to runtime/{room_of[name]}")
    return wrong


def port(root: Path) -> list[str]:
    """The stdio transport includes no header of a system, and asks for none: os.h is all it knows of it."""
    wrong = []
    for source in read(root, "runtime/transport"):
        if any(fnmatch.fnmatch(Path(source.path).name, pattern) for pattern in KNOW_SYSTEM):
            continue
        for line, is_public, name in source.includes:
            if is_public and not name.startswith("mcpw/") and name not in C_HEADERS:
                wrong.append(f"{source.path}:{line}: <{name}> is known to the port layer alone")
        for line, text in enumerate(source.code, 1):
            if FEATURES.search(text):
                wrong.append(f"{source.path}:{line}: only the port layer asks for functions of a system")
    return wrong


def tables(root: Path) -> list[str]:
    """The layout of tables is between generated code and the codec."""
    return [
        f"{source.path}:{line}: <{name}> is between generated code and the codec"
        for part in (RUNTIME, "tools", "examples", "tests")
        for source in read(root, part)
        if not any(fnmatch.fnmatch(source.path, pattern) for pattern in KNOW_TABLES)
        for line, _, name in source.includes
        if name in TABLE_HEADERS
    ]


def revisions(root: Path) -> list[str]:
    """No text in runtime/ names a revision: what differs between them stands in their tables."""
    return [
        f'{source.path}:{line}: "{literal}" names a revision'
        for source in read(root, RUNTIME)
        for line, literal in source.literals
        if REVISION.search(literal)
    ]


def spells_json(literal: str) -> bool:
    """Whether a string, as it is written in C, holds a piece of JSON's structure."""
    if '{\\"' in literal or '\\":' in literal:
        return True
    has_brace = "{" in literal or "}" in literal
    return has_brace and literal != EMPTY and PUNCTUATION.issuperset(literal)


def spelling(root: Path) -> list[str]:
    """Sessions make JSON by a writer, not of pieces of text."""
    return [
        f'{source.path}:{line}: "{literal}" spells JSON out'
        for source in read(root, "runtime/session")
        if source.path not in SPELLERS
        for line, literal in source.literals
        if spells_json(literal)
    ]


def names(root: Path) -> list[str]:
    """The lists of this file name files that exist."""
    private = [
        f"{RUNTIME}/{room}/**/{name}" if name else f"{RUNTIME}/{room}"
        for others, _ in ROOMS.values()
        for room, _, name in (other.partition("/") for other in others)
    ]
    listed = [*BLOCKS, *SPELLERS, *KNOW_TABLES, *private]
    return [f"{name} is listed and does not exist" for name in listed if not any(root.glob(name))]


CHECKS: Mapping[str, Check] = {
    "conditionals": conditionals,
    "forks": forks,
    "pasting": pasting,
    "sizes": sizes,
    "modules": modules,
    "rooms": rooms,
    "port": port,
    "tables": tables,
    "revisions": revisions,
    "spelling": spelling,
    "names": names,
    "wording": wording,
}


def report(root: Path) -> None:
    """The figures by file: conditionals, and the longest of functions, files and modules."""
    sources = read(root, RUNTIME)
    print(f"{'file':44} {'lines':>6} {'conditionals':>12} {'in 1,000':>9} {'longest function':>17}")
    for source in sources:
        longest = max((function.length for function in source.functions), default=0)
        count = len(source.conditionals)
        print(
            f"{source.path:44} {len(source.lines):6} {count:12} "
            f"{1000 * count / max(1, len(source.lines)):9.1f} {longest:17}"
        )
    for name, check in CHECKS.items():
        wrong = check(root)
        print(f"\n{name}: {check.__doc__}")
        print("\n".join(f"  {line}" for line in wrong) if wrong else "  holds")


def main(argv: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="check", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=f"of {', '.join(CHECKS)}; all of them")
    parser.add_argument("--report", action="store_true", help="print the figures and pass")
    parser.add_argument("--root", type=Path, default=ROOT)
    arguments = parser.parse_args(argv)
    unknown = [name for name in arguments.checks if name not in CHECKS]
    if unknown:
        parser.error(f"no such check: {', '.join(unknown)}")
    if arguments.report:
        report(arguments.root)
        return 0
    wrong = [line for name in arguments.checks or CHECKS for line in CHECKS[name](arguments.root)]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
