# SPDX-License-Identifier: MIT
"""The migration notes of docs/migration: one for each revision and the one before it."""

from __future__ import annotations

from pathlib import Path
from typing import Dict, List, Tuple

from codegen.emit import output
from codegen.report.diff.compare import compare
from codegen.report.diff.markdown import remarks_of, to_markdown
from codegen.report.diff.side import load_sides
from codegen.source.revisions import Revisions


def note_name(old: str, new: str) -> str:
    """The file of a note."""
    return f"{old}_to_{new}.md"


def notes(revisions: Revisions, folder: Path) -> Dict[str, str]:
    """All notes by file name, with the remarks that they have in the folder."""
    found: Dict[str, str] = {}
    for old, new in zip(revisions.names, revisions.names[1:]):
        name = note_name(old, new)
        path = folder / name
        remarks = remarks_of(path) if path.exists() else ""
        report = compare(*load_sides(old, new, revisions, errata=True))
        found[name] = to_markdown(report, remarks)
    return found


def check_notes(revisions: Revisions, folder: Path) -> List[str]:
    """One line for each note that is not as it would be written."""
    return output.differing(folder, notes(revisions, folder), [])


def write_notes(revisions: Revisions, folder: Path) -> Tuple[int, int]:
    """Brings the notes up to date: how many changed, and how many there are."""
    files = notes(revisions, folder)
    return len(output.write(folder, files, [])), len(files)
