# SPDX-License-Identifier: MIT
"""Writes the bindings of an overlay, and lists of revisions that have it beside those of the library.

Example:
  python3 -m tests.overlaid.generate schema/overlays/2026-07-28-tasks.json build/bindings
"""

from __future__ import annotations

import argparse
from pathlib import Path

from codegen.emit import output
from codegen.emit.render import generate_common_files
from codegen.generate import render_overlaid
from codegen.source.revisions import Revision, Revisions
from codegen.source.revisions import load as load_revisions
from tests.history.overlays import SCHEMA_DIR, read


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="generate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("overlay", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    overlaid = read(options.overlay, None)
    name = overlaid.edition.document.revision
    beside = load_revisions(SCHEMA_DIR).names
    rows = tuple(Revision(each, "", "", "draft", order) for order, each in enumerate((*beside, name), 1))
    files, _ = render_overlaid(overlaid)
    output.write(options.out, files, [name])
    output.write(options.out, generate_common_files(Revisions(name, rows, options.out)), [])


if __name__ == "__main__":
    main()
