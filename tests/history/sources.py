# SPDX-License-Identifier: MIT
"""The sources of schemas: folders, and the histories of git repositories."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SCHEMA_NAME = "schema.json"
COMMIT_DIGITS = 10
EXAMPLES = "examples"  # folders of values, some of which are called schema.json


@dataclass(frozen=True)
class Schema:
    """A schema document. `name` is what the report calls it, `places` counts where it stood."""

    name: str
    data: bytes
    places: int


def read(source: str) -> list[Schema]:
    """The distinct schemas of a folder or a repository, each with its first name."""
    path = Path(source)
    found = _history(path) if _is_repository(path) else _folder(path)
    names: dict[str, str] = {}
    texts: dict[str, bytes] = {}
    places: dict[str, int] = {}
    for name, data in found:
        key = hashlib.sha256(data).hexdigest()
        names.setdefault(key, name)
        texts[key] = data
        places[key] = places.get(key, 0) + 1
    return [Schema(names[key], texts[key], places[key]) for key in names]


def _folder(path: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(path.rglob("*.json")):
        if EXAMPLES not in file.relative_to(path).parts:
            yield str(file.relative_to(path)), file.read_bytes()


def _is_repository(path: Path) -> bool:
    return (path / "HEAD").is_file() or (path / ".git").exists()


def _git(path: Path, *arguments: str) -> bytes:
    done = subprocess.run(["git", "-C", str(path), *arguments], stdout=subprocess.PIPE, check=True)
    return done.stdout


def _history(path: Path) -> Iterator[tuple[str, bytes]]:
    """Each content that a schema.json ever had, in any commit of any branch, the newest first."""
    log = _git(path, "log", "--all", "-m", "--raw", "--no-renames", "--no-abbrev", "--format=%h")
    commit = ""
    seen: dict[str, bytes] = {}
    for line in log.decode("utf-8", "replace").splitlines():
        if not line.startswith(":"):
            commit = line[:COMMIT_DIGITS] or commit
            continue
        fields, _, name = line.partition("\t")
        blob = fields.split()[3]
        parts = name.split("/")
        if parts[-1] != SCHEMA_NAME or EXAMPLES in parts or not blob.strip("0"):
            continue
        if blob not in seen:
            seen[blob] = _git(path, "cat-file", "blob", blob)
        yield f"{commit}:{name}", seen[blob]
