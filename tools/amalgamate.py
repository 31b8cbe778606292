#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes mcpwire.c and mcpwire.h: the library as one source and one header.

    tools/amalgamate.py                                    the newest revision, sessions and stdio, into .
    tools/amalgamate.py --revision 2025-11-25 -o DIR       another revision; --revision may be given again
    tools/amalgamate.py --all --with http-core -o DIR      every revision, and <mcpw/http.h>
    tools/amalgamate.py --small --codec -o DIR             the small library, without sessions

It needs CMake, which says which files belong to the library, and no compiler. The same options make the same
bytes.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import List, Optional, Sequence

sys.path.insert(0, str(Path(__file__).resolve().parent))

from onefile.listing import Choice, ask
from onefile.plan import Planner
from onefile.source import Tree
from onefile.tokens import AmalgamateError
from onefile.write import NAME, header_text, source_text

ROOT = Path(__file__).resolve().parent.parent
HTTP_CORE = "http-core"
TASKS = "tasks"


def _known_revisions() -> List[str]:
    listed = json.loads((ROOT / "schema/revisions.json").read_text(encoding="utf-8"))
    return [entry["revision"] for entry in listed["revisions"]]


def _parse(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="amalgamate.py",
        description="Makes mcpwire.c and mcpwire.h, the library as one source and one header.",
    )
    known = _known_revisions()
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--revision", action="append", choices=known, help="a revision to hold; may be repeated"
    )
    which.add_argument("--all", action="store_true", help="hold every revision")
    parser.add_argument("--pin", choices=known, help="the revision of the short names")
    parser.add_argument(
        "--with", dest="parts", action="append", default=[], choices=[HTTP_CORE], help="a part to add"
    )
    parser.add_argument(
        "--without", dest="left_out", action="append", default=[], choices=[TASKS], help="a part to leave out"
    )
    parser.add_argument("--small", action="store_true", help="the small library (MCPW_SMALL)")
    parser.add_argument("--codec", action="store_true", help="the codec alone, without sessions")
    parser.add_argument(
        "--comments", action="store_true", help="keep the comments of the source, not of the header alone"
    )
    parser.add_argument("-o", "--output", type=Path, default=Path(), help="the folder to write to")
    return parser.parse_args(arguments)


def _what(choice: Choice, revisions: Sequence[str]) -> List[str]:
    parts = ["the codec"] if choice.is_codec else ["the codec", "sessions", "stdio"]
    if not (choice.is_codec or choice.is_small or choice.without_tasks):
        parts.append("tasks of servers")
    if choice.with_http_core:
        parts.append("HTTP without I/O")
    size = "the small library" if choice.is_small else "the library"
    return [f"{size} as one file", f"Revisions: {', '.join(revisions)}. Parts: {', '.join(parts)}."]


def amalgamate(choice: Choice, folder: Path, keeps_comments: bool) -> None:
    """Writes both files into a folder."""
    listing = ask(ROOT, choice)
    tree = Tree(ROOT, listing)
    both = Tree(ROOT, listing, is_only_c=False)
    plan = Planner(tree).plan()
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    what = _what(choice, listing.revisions)
    header = header_text(both, plan, what, licence)
    source = source_text(tree, plan, what, licence, keeps_comments)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{NAME}.h").write_text(header, encoding="utf-8")
    (folder / f"{NAME}.c").write_text(source, encoding="utf-8")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command."""
    options = _parse(arguments)
    revisions = options.revision or ([] if options.all else _known_revisions()[-1:])
    choice = Choice(
        revisions=tuple(revisions),
        pin=options.pin or "",
        is_small=options.small,
        is_codec=options.codec,
        with_http_core=HTTP_CORE in options.parts,
        without_tasks=TASKS in options.left_out,
    )
    try:
        amalgamate(choice, options.output, options.comments)
    except AmalgamateError as error:
        print(f"amalgamate.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
