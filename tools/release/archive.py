# SPDX-License-Identifier: MIT
"""The source archive: the same bytes for the same commit, on every machine."""

from __future__ import annotations

import gzip
import io
import tarfile

from tools.release.tree import Tree

_FILE = 0o644
_PROGRAM = 0o755
_LEVEL = 9


def tar(tree: Tree) -> bytes:
    """The files in the order of their paths, without owner, umask and times of this machine."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as written:
        for member in tree.members:
            entry = tarfile.TarInfo(f"{tree.name}/{member.path}")
            entry.size = len(member.data)
            entry.mtime = tree.time
            entry.mode = _PROGRAM if member.executable else _FILE
            written.addfile(entry, io.BytesIO(member.data))
    return out.getvalue()


def compressed(tree: Tree) -> bytes:
    """The .tar.gz, whose header has neither a name nor a time."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=_LEVEL, fileobj=out, mtime=0) as packed:
        packed.write(tar(tree))
    return out.getvalue()
