# SPDX-License-Identifier: MIT
"""The files of a release, and its version and time: of a commit, or of an unpacked archive."""

from __future__ import annotations

import io
import os
import re
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import List, Tuple

_LEFT_OUT = {"__pycache__", ".git", ".mypy_cache", ".ruff_cache", ".cache"}
_EXECUTABLE = 0o111


class ReleaseError(Exception):
    """A release that cannot be made; the text says why."""


@dataclass(frozen=True)
class Member:
    """A file of the release."""

    path: str  # below the root, with slashes
    data: bytes
    executable: bool


@dataclass(frozen=True)
class Tree:
    """The content of a release."""

    version: str
    time: int  # seconds since 1970: of the commit
    members: Tuple[Member, ...]  # by path

    @property
    def name(self) -> str:
        """The name of the archive, and of the folder that it unpacks to."""
        return f"mcpwire-{self.version}"


def _version(members: Tuple[Member, ...]) -> str:
    text = next((each.data for each in members if each.path == "CMakeLists.txt"), b"").decode("utf-8")
    found = re.search(r"^project\(mcpwire VERSION (\d+\.\d+\.\d+) ", text, re.MULTILINE)
    if found is None:
        raise ReleaseError("CMakeLists.txt has no version of mcpwire")
    return found.group(1)


def _git(root: Path, *arguments: str) -> bytes:
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=False)
    if done.returncode != 0:
        raise ReleaseError(f"git {arguments[0]}: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout


def _from_commit(root: Path) -> Tuple[Member, ...]:
    """The files of the commit that is checked out. Changes that are not committed are not in a release."""
    with tarfile.open(fileobj=io.BytesIO(_git(root, "archive", "--format=tar", "HEAD"))) as tar:
        found: List[Member] = []
        for entry in tar:
            if entry.isdir():
                continue
            data = tar.extractfile(entry) if entry.isreg() else None
            if data is None:
                raise ReleaseError(f"{entry.name}: neither a file nor a folder")
            found.append(Member(entry.name, data.read(), bool(entry.mode & _EXECUTABLE)))
    return tuple(sorted(found, key=lambda each: each.path))


def _from_folder(root: Path) -> Tuple[Member, ...]:
    """The files of an unpacked archive, without what a build has added."""
    found: List[Member] = []
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        skipped = {
            name for name in folders if name in _LEFT_OUT or (here == root and name.startswith("build"))
        }
        folders[:] = sorted(set(folders) - skipped)
        for name in files:
            path = here / name
            if path.is_symlink() or not path.is_file():
                raise ReleaseError(f"{path}: neither a file nor a folder")
            mode = path.stat().st_mode
            found.append(
                Member(path.relative_to(root).as_posix(), path.read_bytes(), bool(mode & _EXECUTABLE))
            )
    return tuple(sorted(found, key=lambda each: each.path))


def read_tree(root: Path) -> Tree:
    """The release of the commit in this folder, or of the archive that was unpacked there."""
    is_commit = (root / ".git").exists()
    members = _from_commit(root) if is_commit else _from_folder(root)
    if is_commit:
        time = int(_git(root, "log", "-1", "--format=%ct"))
    else:  # all files of an archive have its time
        time = int((root / "CMakeLists.txt").stat().st_mtime)
    return Tree(_version(members), int(os.environ.get("SOURCE_DATE_EPOCH", time)), members)
