# SPDX-License-Identifier: MIT
"""A revision with overlays on top, read as a revision of its own that is like the one below."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from codegen.errors import BadInput, Refusal
from codegen.facts.edition import BaseRevisions, Edition, Request, base_of, corrected_of, read_edition
from codegen.facts.fit import fit, method_of
from codegen.facts.load import load as load_facts
from codegen.model.load import TOO_DEEP, Raw, build_document, read_raw
from codegen.model.nodes import Document
from codegen.model.resolve import Index, key
from codegen.model.walk import walk
from codegen.source.extension import Extension
from codegen.source.overlay import Laid, Overlay, lay, read_overlay
from codegen.source.revisions import Revisions


def _descriptions(document: Document, laid: Laid) -> Dict[str, str]:
    """The texts of an overlay about its definitions and their members. Lines about those of the same name in
    another revision are not about them."""
    nodes = (node for d in document.definitions if d.name in laid.own for node in walk(d.node))
    found: Dict[str, str] = {}
    for node in nodes:  # the alternatives of a definition are called as it is, and come after it
        if node.description:
            found.setdefault(key(node), node.description)
    for name, overlay in laid.own.items():
        for place, line in overlay.descriptions(name).items():
            found.setdefault(place, line)
    return found


def _extensions(document: Document, laid: Laid, overlays: Sequence[Overlay]) -> List[Extension]:
    """The extensions that overlays are, each with the methods of its definitions."""
    index = Index(document)
    methods = {d.name: method_of(index.resolve(d.node)) for d in document.definitions if d.name in laid.own}
    found: List[Extension] = []
    for overlay in overlays:
        if overlay.extension is not None:
            own = (methods[name] for name, by in laid.own.items() if by is overlay and name in methods)
            brought = tuple(sorted({method for method in own if method is not None}))
            found.append(replace(overlay.extension, methods=brought))
    return found


@dataclass(frozen=True)
class Overlaid:
    """The whole, the revision below it, and where each part of the document comes from."""

    edition: Edition
    below: Edition
    laid: Laid


def find_overlaid(
    revisions: Revisions,
    paths: Sequence[Path],
    revision: Optional[str],
    errata: bool = True,
    facts_dir: Optional[Path] = None,
) -> Overlaid:
    """A listed revision with the overlays of these files on top, in this order; without a revision it is the
    one that the first of them names."""
    folder = facts_dir or revisions.schema_dir
    first = read_overlay(paths[0], folder, revision)
    name = first.revision
    if name not in revisions.names:
        cause = f'unknown revision "{name}"; known are {", ".join(revisions.names)}'
        raise BadInput(cause) if name == revision else Refusal(first.file, "/revision", cause)
    rest = [read_overlay(path, folder, name) for path in paths[1:]]
    request = Request(name, revisions.schema_file(name), None, errata, facts_dir)
    return read_overlaid(revisions, request, [first, *rest])


def read_overlaid(revisions: Revisions, request: Request, overlays: Sequence[Overlay]) -> Overlaid:
    """Reads a listed revision, and puts overlays on it. It is named by both; what is known by hand about the
    revision holds wherever nothing is stated for the whole by its name."""
    below = read_edition(revisions, request)
    raw = read_raw(request.schema)
    base = base_of(revisions, request, raw.value)
    corrected, _ = corrected_of(revisions, request, raw, base)
    laid = lay(raw.value, corrected, overlays)
    name = "-".join((request.revision, *(overlay.name for overlay in overlays)))
    stated = " ".join((raw.sha256, *(overlay.sha256 for overlay in overlays)))
    whole = Raw(raw.file, hashlib.sha256(stated.encode()).hexdigest(), laid.document)
    facts_dir = request.facts_dir or revisions.schema_dir
    try:
        document = replace(
            build_document(whole, laid.document, name),
            base=request.revision,
            overlays=tuple(overlay.file for overlay in overlays),
        )
        parts = [f"{request.revision}-{overlay.name}" for overlay in reversed(overlays)]
        lineage = [part for part in parts if part != name]
        facts = load_facts(facts_dir, name, (*lineage, request.revision, *base.names), listed=False)
        facts, notes = fit(facts, document, below.document)
        facts = replace(
            facts,
            docs=facts.docs.told_by(laid.own, _descriptions(document, laid)),
            extensions=tuple(_extensions(document, laid, overlays)),
        )
    except Refusal as refusal:
        raise laid.blame(refusal) from refusal
    except RecursionError as error:
        raise Refusal(raw.file, "", TOO_DEEP) from error
    edition = Edition(document, facts, BaseRevisions((request.revision,)), laid.notes + notes)
    return Overlaid(edition, below, laid)
