# SPDX-License-Identifier: MIT
"""Compares a checkout of the specification repository with schema/: which published documents are new or were
edited, what that means for C users, and what to run."""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from codegen.errors import BadInput, Refusal
from codegen.report.diff.compare import compare
from codegen.report.diff.report import Report
from codegen.report.diff.side import load_sides
from codegen.source.errata import mismatch, read_errata
from codegen.source.jsonfile import Json, parse_json, read_bytes
from codegen.source.nearest import nearest
from codegen.source.revisions import Revision, Revisions, is_revision_name
from codegen.source.structure import differences, without_annotations

_FILE = "schema.json"
_FOLDER = "schema"
_SHOWN = 12
"""So many differences of a document are listed."""


@dataclass(frozen=True)
class Published:
    """A document of the checkout: the folder that it stands in, and its bytes."""

    name: str
    data: bytes
    show: str
    """The command that prints it, or its path."""
    is_path: bool


@dataclass(frozen=True)
class Sighting:
    """The findings about one document. `state` is current, edited, new or gone."""

    name: str
    state: str
    lines: Tuple[str, ...]

    def text(self) -> List[str]:
        """The report: a line, and what belongs to it."""
        return [f"{self.name}: {self.state}", *(f"  {line}" for line in self.lines)]


def watch(revisions: Revisions, checkout: Path, ref: str) -> List[Sighting]:
    """Compares every document of the checkout, and every revision, the oldest first."""
    found = {each.name: each for each in _read(checkout, ref)}
    if not found:
        raise BadInput(f"{checkout}: holds no {_FOLDER}/<revision>/{_FILE}")
    listed = {revision.name: revision for revision in revisions.all}
    sightings: List[Sighting] = []
    for name in sorted({*found, *listed}):
        if name not in found:
            sightings.append(Sighting(name, "gone", ("the checkout has no such document",)))
        elif name in listed:
            sightings.append(_listed(revisions, listed[name], found[name]))
        else:
            sightings.append(_unlisted(revisions, found[name]))
    return sightings


# ---- the checkout ----


def _read(checkout: Path, ref: str) -> List[Published]:
    if not checkout.is_dir():
        raise BadInput(f"{checkout}: there is no such folder")
    if (checkout / "objects").is_dir() and (checkout / "HEAD").is_file():
        return _read_git(checkout, ref)
    if (checkout / ".git").exists() and ref != "HEAD":
        return _read_git(checkout / ".git", ref)
    folder = checkout / _FOLDER if (checkout / _FOLDER).is_dir() else checkout
    files = sorted(folder.glob(f"*/{_FILE}"))
    return [Published(file.parent.name, read_bytes(file), str(file), True) for file in files]


def _read_git(git_dir: Path, ref: str) -> List[Published]:
    found: List[Published] = []
    if ref.startswith("-"):
        raise BadInput(f'"{ref}" is no name of a commit')
    for path in _git(git_dir, "ls-tree", "-r", "--name-only", ref, f"{_FOLDER}/").decode().splitlines():
        parts = path.split("/")
        if len(parts) == len((_FOLDER, "revision", _FILE)) and parts[-1] == _FILE:
            data = _git(git_dir, "cat-file", "blob", f"{ref}:{path}")
            found.append(Published(parts[1], data, f"git --git-dir={git_dir} show {ref}:{path}", False))
    return found


def _git(git_dir: Path, *arguments: str) -> bytes:
    command = ["git", "-c", "safe.directory=*", f"--git-dir={git_dir}", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError as error:
        raise BadInput(f"git: {error.strerror or error}") from error
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise BadInput(f"{git_dir}: {lines[-1] if lines else 'git failed'}")
    return done.stdout


# ---- one document ----


def _listed(revisions: Revisions, revision: Revision, published: Published) -> Sighting:
    if hashlib.sha256(published.data).hexdigest() == revision.upstream_sha256:
        return Sighting(revision.name, "current", ())
    try:
        document = parse_json(published.data, published.show)
    except (BadInput, Refusal) as refusal:
        return Sighting(revision.name, "edited", (f"cannot be read: {refusal}",))
    ours = revisions.document(revision.name)
    changed = differences(without_annotations(ours), without_annotations(document))
    lines: List[str] = []
    if changed:
        lines += _few(changed)
        lines += _meaning(revisions, revision.name, published)
    else:
        lines.append("states the same: prose, order or white space changed")
    lines += _errata(revisions, revision.name, document)
    lines += _steps(revisions, revision.name, published, bool(changed))
    return Sighting(revision.name, "edited", tuple(lines))


def _unlisted(revisions: Revisions, published: Published) -> Sighting:
    try:
        document = parse_json(published.data, published.show)
    except (BadInput, Refusal) as refusal:
        return Sighting(published.name, "new", (f"cannot be read: {refusal}",))
    documents = {name: revisions.document(name) for name in reversed(revisions.names)}
    match = nearest(document, documents)
    if match is None:
        return Sighting(published.name, "new", ("is like no revision of the list",))
    lines = [f"nearest is {match.revision}: {match.equal} of {match.definitions} definitions state the same"]
    lines += _meaning(revisions, match.revision, published)
    lines += _new_steps(published, match.revision)
    return Sighting(published.name, "new", tuple(lines))


def _few(lines: List[str]) -> List[str]:
    rest = len(lines) - _SHOWN
    return lines[:_SHOWN] + ([f"and {rest} more differences"] if rest > 0 else [])


def _errata(revisions: Revisions, name: str, document: Json) -> List[str]:
    """Corrections that the published document has made itself, or made void."""
    file: Optional[Path] = revisions.errata_file(name)
    lines: List[str] = []
    for erratum in read_errata(file) if file else ():
        cause = mismatch(document, erratum)
        if cause is not None:
            lines.append(f"erratum {erratum.file}: {erratum.place}: {cause}")
    return lines


def _meaning(revisions: Revisions, name: str, published: Published) -> List[str]:
    """The consequences of the difference for programs in C."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / published.name / _FILE
        file.parent.mkdir()
        file.write_bytes(published.data)
        try:
            report = compare(*load_sides(name, str(file), revisions, errata=False))
        except (BadInput, Refusal) as error:
            causes = error.all if isinstance(error, Refusal) else (error,)
            return [f"cannot be compared: {str(cause).replace(str(file), _FILE)}" for cause in causes]
    return _summary(report)


def _summary(report: Report) -> List[str]:
    if not report.changes and not report.loose:
        return ["for C users: nothing changes"]
    breaks: Dict[str, None] = {}
    for change in report.changes:
        breaks.update(dict.fromkeys(item.name for item in change.source))
    breaks.update(dict.fromkeys(item.name for item in report.loose))
    wire = sum(change.wire.breaks for change in report.changes)
    verdict = f"{len(report.changes)} changes, {wire} of them on the wire"
    lines = [f"for C users: {verdict}; {len(breaks)} names of C break"]
    return lines + [f"  {name}" for name in _few(list(breaks))]


def _take(published: Published, target: str) -> str:
    return f"cp {published.show} {target}" if published.is_path else f"{published.show} > {target}"


def _steps(revisions: Revisions, name: str, published: Published, changed: bool) -> List[str]:
    lines = [f"run: mkdir -p /tmp/{name} && {_take(published, f'/tmp/{name}/{_FILE}')}"]
    if changed:
        lines.append(f"     python3 -m codegen diff {name} /tmp/{name}/{_FILE} --no-errata")
        lines.append(f"     edit {revisions.schema_file(name)} alike, and mend the errata")
    sha256 = hashlib.sha256(published.data).hexdigest()
    lines.append(f"     set its upstream_sha256 in revisions.json to {sha256}")
    lines.append("     python3 -m codegen generate --all" if changed else "     nothing is generated again")
    return lines


def _new_steps(published: Published, like: str) -> List[str]:
    if not is_revision_name(published.name):
        target = f"/tmp/{published.name}/{_FILE}"
        return [
            f"run: mkdir -p /tmp/{published.name} && {_take(published, target)}",
            f"     python3 -m codegen diff {like} {target}",
        ]
    target = f"schema/{published.name}/{_FILE}"
    return [
        f"run: mkdir schema/{published.name} && {_take(published, target)}",
        f"     python3 -m codegen add {published.name}",
    ]
