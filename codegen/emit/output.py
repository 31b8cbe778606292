# SPDX-License-Identifier: MIT
"""The folder of generated files: compared with what is to stand there, and brought up to date."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path, PurePosixPath
from typing import Dict, List, Sequence, Set

from codegen.errors import BadInput


def differing(out: Path, files: Dict[str, str], revisions: Sequence[str]) -> List[str]:
    """How the folder departs from `files`, one line for each file. A file in a folder of one of `revisions`
    that is not among `files` is left over from an earlier generation."""
    lines = [
        f"{name}: {'missing' if not (out / name).exists() else 'differs'}" for name in _changed(out, files)
    ]
    return sorted(lines + [f"{name}: left over" for name in _left_over(out, files, revisions)])


def write(out: Path, files: Dict[str, str], revisions: Sequence[str]) -> List[str]:
    """Brings the folder up to date and returns the names of the files that were written or removed. Files
    that are as they should be are not touched; each of the others is replaced in one step."""
    changed = _changed(out, files)
    left_over = _left_over(out, files, revisions)
    try:
        for name in changed:
            _replace(out / name, files[name])
        for name in left_over:
            (out / name).unlink()
            _remove_empty((out / name).parent, out)
    except OSError as error:
        raise BadInput(f"{error.filename or out}: cannot write: {error.strerror or error}") from error
    return changed + left_over


def _changed(out: Path, files: Dict[str, str]) -> List[str]:
    changed: List[str] = []
    for name, text in files.items():
        try:
            same = (out / name).read_bytes() == text.encode("utf-8")
        except FileNotFoundError:
            same = False
        except OSError as error:
            raise BadInput(f"{out / name}: {error.strerror or error}") from error
        if not same:
            changed.append(name)
    return changed


def _left_over(out: Path, files: Dict[str, str], revisions: Sequence[str]) -> List[str]:
    found: List[str] = []
    for folder in sorted(_revision_folders(files, revisions)):
        for path in sorted((out / folder).rglob("*")):
            name = path.relative_to(out).as_posix()
            if not path.is_dir() and name not in files:
                found.append(name)
    return found


def _revision_folders(files: Dict[str, str], revisions: Sequence[str]) -> Set[str]:
    """The folders that hold the files of one revision only: those named after it."""
    folders: Set[str] = set()
    for name in files:
        parts = PurePosixPath(name).parts[:-1]
        for depth, part in enumerate(parts):
            if part in revisions:
                folders.add(str(PurePosixPath(*parts[: depth + 1])))
                break
    return folders


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(text.encode("utf-8"))
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink()
        raise


def _remove_empty(folder: Path, out: Path) -> None:
    while folder != out and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
