#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes mcpwire.c and mcpwire.h: the library as one source and one header.

    tools/amalgamate.py                                    the newest revision, sessions and stdio, into .
    tools/amalgamate.py --revision 2025-11-25 -o DIR       another revision; --revision may be given again
    tools/amalgamate.py --all --with http-core -o DIR      every revision, and <mcpw/http.h>
    tools/amalgamate.py --codec -o DIR                     without sessions
    tools/amalgamate.py --whole -o DIR                     every part, and the engine that is fast

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

from onefile.listing import PARTS, Choice, ask
from onefile.plan import Planner
from onefile.short import shortened
from onefile.source import Tree
from onefile.tokens import AmalgamateError
from onefile.write import NAME, header_text, own_names, source_text

ROOT = Path(__file__).resolve().parent.parent


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
        "--with", dest="parts", action="append", default=[], choices=PARTS, help="a part to add"
    )
    parser.add_argument("--fast", action="store_true", help="the fast engine, which is longer")
    parser.add_argument("--whole", action="store_true", help="every part, and the fast engine")
    parser.add_argument("--codec", action="store_true", help="the codec alone, without sessions")
    parser.add_argument(
        "--long-names", action="store_true", help="keep the names of the source, not of the header alone"
    )
    parser.add_argument("--comments", action="store_true", help="keep its comments, too")
    parser.add_argument("-o", "--output", type=Path, default=Path(), help="the folder to write to")
    return parser.parse_args(arguments)


def _what(choice: Choice, revisions: Sequence[str]) -> List[str]:
    parts = ["the codec"] if choice.is_codec else ["the codec", "sessions", "stdio"]
    parts.extend(part for part in PARTS if part in choice.parts)
    engine = "fast" if choice.is_fast else "small"
    return [
        "the library as one file",
        f"Revisions: {', '.join(revisions)}. Parts: {', '.join(parts)}. Engine: {engine}.",
    ]


def amalgamate(choice: Choice, folder: Path, keeps_names: bool, keeps_comments: bool) -> None:
    """Writes both files into a folder."""
    listing = ask(ROOT, choice)
    tree = Tree(ROOT, listing)
    both = Tree(ROOT, listing, is_only_c=False)
    plan = Planner(tree).plan()
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    what = _what(choice, listing.revisions)
    header = header_text(both, plan, what, licence)
    source = source_text(tree, plan, what, licence, keeps_comments)
    if not keeps_names:
        source = shortened(source, header, own_names(plan))
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
        is_fast=options.fast or options.whole,
        is_codec=options.codec,
        parts=frozenset(PARTS if options.whole else options.parts),
    )
    try:
        keeps_names = options.long_names or options.comments
        amalgamate(choice, options.output, keeps_names, options.comments)
    except AmalgamateError as error:
        print(f"amalgamate.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
