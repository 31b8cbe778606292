# SPDX-License-Identifier: MIT
"""Proves that our documents state what the published ones state.

Left out of the comparison, because they have no say in what is valid: title, description, default, examples,
deprecated, readOnly, writeOnly, $comment and those of content. `format` is compared. The order of members,
of definitions, and of the values in `required`, `enum` and `type` does not count.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import List, Tuple

from codegen.source.errata import mismatch, read_errata
from codegen.source.jsonfile import parse_json, read_bytes, read_json, show_json
from codegen.source.normalise import find_source
from codegen.source.revisions import Revision, Revisions
from codegen.source.structure import differences, without_annotations


@dataclass(frozen=True)
class Finding:
    """The result of the comparison of one revision."""

    revision: str
    definitions: int
    errors: Tuple[str, ...]
    errata: Tuple[str, ...]

    def lines(self) -> List[str]:
        """The report, the summary first."""
        count = len(self.errors)
        verdict = f"{self.definitions} definitions equal"
        if count:
            verdict = "1 difference" if count == 1 else f"{count} differences"
        return [f"{self.revision}: {verdict}", *(f"  {line}" for line in (*self.errors, *self.errata))]


def verify(revisions: Revisions, published: Path) -> List[Finding]:
    """Compares the document of every revision with PUBLISHED/<revision>/schema.json."""
    return [_verify(revision, revisions, published) for revision in revisions.all]


def _verify(revision: Revision, revisions: Revisions, published: Path) -> Finding:
    published_file = published / revision.name / "schema.json"
    if revision.status == "draft" and not published_file.exists():
        return Finding(revision.name, 0, (), (f"a draft that {published} does not hold",))
    data = read_bytes(published_file)
    sha256 = hashlib.sha256(data).hexdigest()
    errors: List[str] = []
    if sha256 != revision.upstream_sha256:
        errors.append(f"{published_file}: sha256 is {sha256}, not {revision.upstream_sha256}")
    theirs = parse_json(data, str(published_file))
    find_source(theirs, str(published_file)).refuse_strays()
    our_file = revisions.schema_file(revision.name)
    ours = read_json(our_file)
    source = find_source(ours, str(our_file))
    source.refuse_strays()
    if isinstance(ours, dict) and ours["$schema"] != revision.dialect:
        errors.append(
            f"/$schema: {show_json(ours['$schema'])}, but the list of revisions says {revision.dialect}"
        )
    errors.extend(differences(without_annotations(theirs), without_annotations(ours)))
    errata: List[str] = []
    errata_file = revisions.errata_file(revision.name)
    for erratum in read_errata(errata_file) if errata_file else ():
        cause = mismatch(theirs, erratum)
        if cause is not None:
            errors.append(f"erratum {erratum.file}: {erratum.place}: {cause}")
            continue
        old = "nothing" if erratum.old_absent else show_json(erratum.old)
        errata.append(f"erratum {erratum.pointer}: {old} (as published) -> {show_json(erratum.new)}")
    return Finding(revision.name, len(source.definitions), tuple(errors), tuple(errata))
