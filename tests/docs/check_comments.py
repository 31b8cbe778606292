# SPDX-License-Identifier: MIT
"""Every name that a public header declares has a comment that editors and Doxygen show.

Usage: check_comments.py ROOT runtime|REVISION

What is declared, and which comment belongs to it, is clang's to say (its AST, with plain comments taken as
documentation); macros, which are not in the AST, are looked for in the text. Shares no code with the
generator.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

SKIPPED = 77
LAYOUTS = ("table_fast", "table_small")  # parts of <mcpw/detail/table.h>, which includes one of them
NAMED = {"FunctionDecl", "RecordDecl", "EnumDecl", "TypedefDecl", "VarDecl"}
PARTS = {"FieldDecl", "EnumConstantDecl"}
DEFINE = re.compile(r"^#define (\w+)(.*)")
# Macros without a comment: include guards, and the names that configuration takes.
GUARD = re.compile(r"\w+_H")

Node = dict[str, Any]


@dataclass(frozen=True)
class Name:
    """A declared name, with the file that declares it and whether it has a comment."""

    file: str
    name: str
    documented: bool


def include_folders(root: Path) -> list[Path]:
    """The include path of a consumer."""
    generated = [path for path in sorted((root / "generated").iterdir()) if (path / "mcp").is_dir()]
    return [root / "runtime" / "include", *generated]


def syntax_tree(root: Path, headers: list[str]) -> Node:
    """clang's AST of a file that includes the headers."""
    text = "".join(f"#include <{header}>\n" for header in headers)
    command = ["clang", "-std=c11", "-fparse-all-comments", "-fsyntax-only", "-Xclang", "-ast-dump=json"]
    command += [f"-I{folder}" for folder in include_folders(root)] + ["-x", "c", "-"]
    run = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    tree: Node = json.loads(run.stdout)
    return tree


@cache
def text_of(file: str) -> str:
    """The text of a header, in which an offset of clang's is an index."""
    return Path(file).read_bytes().decode("latin-1")


def offset(place: Node) -> int:
    """The line of a place in its file; within a macro, that of the macro."""
    return int(place.get("expansionLoc", place)["offset"])


class Walk:
    """Goes through an AST in the order of its text, as clang names a file only where it changes."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._file = ""

    def names(self, node: Node, inside: str = "") -> Iterator[Name]:
        """Every name that a file of the folder declares."""
        self._place(node.get("loc", {}))
        file = self._file
        for end in ("begin", "end"):
            self._place(node.get("range", {}).get(end, {}))
        kind, name = node.get("kind"), node.get("name", "")
        below = inside
        if file.startswith(self._folder) and not node.get("isImplicit"):
            documented = any(self._belongs(file, node, child) for child in node.get("inner", []))
            if kind in NAMED and name:
                below = f"{name}."
                yield Name(file, name, documented)
            elif kind in PARTS and name:
                yield Name(file, inside + name, documented)
        for child in node.get("inner", []):
            if kind == "FunctionDecl":  # parameters and bodies declare nothing public
                for _ in self.names(child, below):
                    pass
            else:
                yield from self.names(child, below)

    def _belongs(self, file: str, node: Node, comment: Node) -> bool:
        """Whether a comment is one, and stands at the declaration: clang also takes one further above."""
        if comment.get("kind") != "FullComment":
            return False
        end = offset(comment["range"]["end"])
        between = text_of(file)[end : offset(node["range"]["begin"])]
        return "\n\n" not in between

    def _place(self, place: Node) -> None:
        for part in (place.get("spellingLoc"), place.get("expansionLoc"), place):
            self._file = (part or {}).get("file", self._file)


def undocumented(names: list[Name]) -> list[Name]:
    """Those of which no declaration has a comment. A type and its typedef share one."""
    shown = {name.name for name in names if name.documented}
    return [name for name in names if name.name not in shown]


def foreign(name: Name) -> bool:
    """A struct that a header only mentions: of json-c, or of the library's inside."""
    return name.name in ("json_object", "mcpw_arena_block", "mcpw_known_table", "mcpw_stderr")


def macros(path: Path) -> Iterator[Name]:
    """The macros of a header. The comment stands above, or above a group without empty lines that defines the
    same name in several ways, or in the definition."""
    lines = path.read_text("utf-8").splitlines()
    seen: set[str] = set()
    for number, line in enumerate(lines):
        found = DEFINE.match(line)
        if found is None or GUARD.fullmatch(found[1]) or found[1] in seen:
            continue
        above = number - 1
        while above > 0 and lines[above].startswith("#"):
            above -= 1
        local = f"#undef {found[1]}" in lines
        if local:
            continue
        seen.add(found[1])
        direct = lines[number - 1].endswith("*/") and not lines[number - 1].startswith("#")
        conditional = lines[above].endswith("*/") and lines[above + 1].startswith("#if")
        yield Name(str(path), found[1], direct or conditional or "/* " in found[2])


def headers_of(root: Path, what: str) -> list[Path]:
    """The headers to look at."""
    if what == "runtime":
        return sorted((root / "runtime" / "include").rglob("*.h"))
    folders = [root / "generated" / what, root / "generated" / "common"]
    return sorted(path for folder in folders for path in folder.rglob("*.h"))


def main() -> int:
    """Print each name without a comment."""
    if shutil.which("clang") is None:
        print("skipped: clang is not installed")
        return SKIPPED
    root, what = Path(sys.argv[1]), sys.argv[2]
    paths = headers_of(root, what)
    folder = paths[0].parents[1] if what == "runtime" else root / "generated" / what
    wanted = [f"mcp/{what}.h", f"mcp/{what}/client.h", f"mcp/{what}/names.h"]
    if what == "runtime":
        wanted = [path.relative_to(folder).as_posix() for path in paths if path.stem not in LAYOUTS]
    names = list(Walk(folder).names(syntax_tree(root, wanted)))
    defined = [macro for path in paths for macro in macros(path)]
    missing = [name for name in undocumented(names) + defined if not foreign(name) and not name.documented]
    for name in sorted({(entry.file, entry.name) for entry in missing}):
        print(f"{Path(name[0]).name}: {name[1]} has no comment")
    print(
        f"{len({name.name for name in names})} names, {len(defined)} macros, {len(missing)} without a comment"
    )
    return 1 if missing or len(names) < len(paths) else 0


if __name__ == "__main__":
    sys.exit(main())
