# SPDX-License-Identifier: MIT
"""Wheels and npm packages that bring the command mcpwire as a program."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Mapping, Sequence, Tuple

from tools.release.tree import ReleaseError

_PROGRAM = 0o755
_FILE = 0o644
_REGULAR = 0o100000
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first time that a zip file knows
_TEXTS = Path(__file__).resolve().parent / "texts"


@dataclass(frozen=True)
class Platform:
    """A system that the program is built for, by the names of pip and of npm."""

    name: str  # of the folder below the one with the programs
    wheel: str
    os: str
    cpu: str
    program: str = "mcpwire"


PLATFORMS: Tuple[Platform, ...] = (
    Platform(
        "linux-x86_64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", "linux", "x64"
    ),
    Platform(
        "linux-aarch64",
        "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
        "linux",
        "arm64",
    ),
    Platform("windows-x86_64", "win_amd64", "win32", "x64", "mcpwire.exe"),
    Platform("macos-x86_64", "macosx_11_0_x86_64", "darwin", "x64"),
    Platform("macos-aarch64", "macosx_11_0_arm64", "darwin", "arm64"),
)


@dataclass(frozen=True)
class Release:
    """The facts that every package states."""

    version: str
    time: int
    license: bytes


def _text(name: str) -> bytes:
    return (_TEXTS / name).read_bytes()


def _zip(members: Sequence[Tuple[str, bytes, int]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, data, mode in members:
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.external_attr = (_REGULAR | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            made.writestr(entry, data)
    return out.getvalue()


def _record(members: Sequence[Tuple[str, bytes, int]], name: str) -> bytes:
    """The list of files that a wheel has to have, with their sums."""
    lines = []
    for path, data, _ in members:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}\n")
    return "".join([*lines, f"{name},,\n"]).encode()


def wheel(release: Release, platform: Platform, program: bytes) -> Tuple[str, bytes]:
    """The name and the bytes of a wheel: pip puts the program beside Python's own programs."""
    base = f"mcpwire-{release.version}"
    info = f"{base}.dist-info"
    tags = "".join(f"Tag: py3-none-{each}\n" for each in platform.wheel.split("."))
    metadata = _text("METADATA").decode("utf-8").replace("@VERSION@", release.version)
    members = [
        ("mcpwire/__init__.py", _text("mcpwire/__init__.py"), _FILE),
        ("mcpwire/__main__.py", _text("mcpwire/__main__.py"), _FILE),
        (f"{base}.data/scripts/{platform.program}", program, _PROGRAM),
        (f"{info}/METADATA", metadata.encode() + _text("README.md"), _FILE),
        (
            f"{info}/WHEEL",
            f"Wheel-Version: 1.0\nGenerator: mcpwire\nRoot-Is-Purelib: false\n{tags}".encode(),
            _FILE,
        ),
        (f"{info}/licenses/LICENSE", release.license, _FILE),
    ]
    record = f"{info}/RECORD"
    members.append((record, _record(members, record), _FILE))
    return f"{base}-py3-none-{platform.wheel}.whl", _zip(members)


def _tarball(release: Release, members: Sequence[Tuple[str, bytes, int]]) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as made:
        for name, data, mode in members:
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mode, entry.mtime = len(data), mode, release.time
            made.addfile(entry, io.BytesIO(data))
    return gzip.compress(raw.getvalue(), 9, mtime=0)


def _json(value: Mapping[str, object]) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


def _about(release: Release, name: str) -> Dict[str, object]:
    return {
        "name": name,
        "version": release.version,
        "description": "Validate, watch and call servers of the Model Context Protocol",
        "license": "MIT",
        "keywords": ["mcp", "model-context-protocol", "json-rpc"],
    }


def npm_program(release: Release, platform: Platform, program: bytes) -> Tuple[str, bytes]:
    """The name and the bytes of the package for one system. npm installs the one that fits."""
    name = f"mcpwire-{platform.os}-{platform.cpu}"
    about = {**_about(release, name), "os": [platform.os], "cpu": [platform.cpu]}
    members = [
        ("package.json", _json(about), _FILE),
        ("LICENSE", release.license, _FILE),
        (f"bin/{platform.program}", program, _PROGRAM),
    ]
    return f"{name}-{release.version}.tgz", _tarball(release, members)


def npm(release: Release, platforms: Sequence[Platform]) -> Tuple[str, bytes]:
    """The name and the bytes of the package that users name: it starts the program of their system."""
    about = {
        **_about(release, "mcpwire"),
        "bin": {"mcpwire": "bin/mcpwire.cjs"},
        "engines": {"node": ">=18"},
        "optionalDependencies": {f"mcpwire-{each.os}-{each.cpu}": release.version for each in platforms},
    }
    members = [
        ("package.json", _json(about), _FILE),
        ("LICENSE", release.license, _FILE),
        ("README.md", _text("README.md"), _FILE),
        ("bin/mcpwire.cjs", _text("mcpwire.cjs"), _PROGRAM),
    ]
    return f"mcpwire-{release.version}.tgz", _tarball(release, members)


def packages(release: Release, programs: Path) -> List[Tuple[str, bytes]]:
    """All packages of the programs in PROGRAMS/PLATFORM/. One that is not there is left out."""
    found = [each for each in PLATFORMS if (programs / each.name / each.program).is_file()]
    if not found:
        raise ReleaseError(f"{programs} has no program: {', '.join(each.name for each in PLATFORMS)}")
    made = [npm(release, found)]
    for platform in found:
        program = (programs / platform.name / platform.program).read_bytes()
        made += [wheel(release, platform, program), npm_program(release, platform, program)]
    return made
