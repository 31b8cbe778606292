# SPDX-License-Identifier: MIT
"""A schema with all that is known of it by hand: its corrected model, its facts, and whose facts they are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import List, Optional, Tuple

from codegen.errors import BadInput, Note, Refusal
from codegen.facts.facts import Facts
from codegen.facts.fit import fit
from codegen.facts.load import load as load_facts
from codegen.model.load import TOO_DEEP, Raw, build_document, read_raw
from codegen.model.nodes import Document
from codegen.source.errata import Erratum, apply_errata, inherited, read_errata
from codegen.source.jsonfile import Json
from codegen.source.nearest import Match, nearest
from codegen.source.revisions import Revisions

NOBODY = "none"
"""The name with which a user asks for the facts of no revision."""


@dataclass(frozen=True)
class BaseRevisions:
    """The revisions that a schema is like, the nearest first, and how the nearest was found."""

    names: Tuple[str, ...] = ()
    match: Optional[Match] = None
    """None where it was stated."""

    def __str__(self) -> str:
        if not self.names:
            return "like no revision"
        if self.match is None:
            return f"like {self.names[0]}"
        equal = f"{self.match.equal} of {self.match.definitions} definitions are equal"
        return f"like {self.names[0]}, the nearest: {equal}"


@dataclass(frozen=True)
class Edition:
    """A document, the facts that hold for it, and what a user has to know about them."""

    document: Document
    facts: Facts
    base: BaseRevisions
    notes: Tuple[Note, ...]


@dataclass(frozen=True)
class Request:
    """The schema to read. `like` is a revision, NOBODY, or None: what revisions.json says, or else
    the nearest revision."""

    revision: str
    schema: Path
    like: Optional[str] = None
    errata: bool = True
    facts_dir: Optional[Path] = None


def read_edition(revisions: Revisions, request: Request) -> Edition:
    """Reads a schema. Facts about older revisions hold wherever it has the same shape; where not, a note says
    what would have to be stated for it."""
    raw = read_raw(request.schema)
    base = base_of(revisions, request, raw.value)
    corrected, notes = corrected_of(revisions, request, raw, base)
    document = build_document(raw, corrected, request.revision)
    listed = request.revision in revisions.names
    facts = load_facts(request.facts_dir or revisions.schema_dir, request.revision, base.names, listed)
    if base.names:
        try:
            facts, more = fit(facts, document, _model_of(revisions, base.names[0]))
        except RecursionError as error:
            raise Refusal(raw.file, "", TOO_DEEP) from error
        notes += more
    return Edition(document, facts, base, raw.notes + notes)


def base_of(revisions: Revisions, request: Request, document: Json) -> BaseRevisions:
    """The revisions whose facts are to hold for a document."""
    if request.like == NOBODY:
        return BaseRevisions()
    if request.like is not None:
        return BaseRevisions((revisions.find(request.like).name, *_ancestors(revisions, request.like)))
    if request.revision in revisions.names:
        listed = revisions.find(request.revision)
        if not listed.like_open:
            return BaseRevisions(_ancestors(revisions, listed.name))
    older = revisions.older(request.revision)
    match = nearest(document, {name: revisions.document(name) for name in older})
    if match is None:
        return BaseRevisions()
    return BaseRevisions((match.revision, *_ancestors(revisions, match.revision)), match)


def _ancestors(revisions: Revisions, name: str) -> Tuple[str, ...]:
    """The revision that a listed revision is like, and the one that it is like in turn."""
    revision = revisions.find(name)
    request = Request(name, revisions.schema_file(name), revision.like)
    if revision.like is None and not revision.like_open:
        return ()
    return base_of(revisions, request, revisions.document(name) if revision.like_open else None).names


def corrected_of(
    revisions: Revisions, request: Request, raw: Raw, base: BaseRevisions
) -> Tuple[Json, Tuple[Note, ...]]:
    """A document with the corrections that hold for it, and notes about those that do not."""
    if not request.errata:
        return raw.value, ()
    own_file = revisions.errata_file(request.revision)
    own: Tuple[Erratum, ...] = read_errata(own_file) if own_file else ()
    corrected = apply_errata(raw.value, own)
    notes: List[Note] = []
    for name in base.names:
        file = revisions.errata_file(name)
        fitting, more = inherited(raw.value, read_errata(file) if file else (), own)
        corrected = apply_errata(corrected, fitting)
        own += fitting
        notes += more
    return corrected, tuple(notes)


def _model_of(revisions: Revisions, name: str) -> Document:
    """The model of a listed revision, with the corrections that hold for it."""
    request = Request(name, revisions.schema_file(name))
    raw = read_raw(request.schema)
    corrected, _ = corrected_of(revisions, request, raw, base_of(revisions, request, raw.value))
    return build_document(raw, corrected, name)


def find_listed(revisions: Revisions, name: str, errata: bool = True) -> Edition:
    """A revision of the list."""
    if name not in revisions.names:
        raise BadInput(f'unknown revision "{name}"; known are {", ".join(revisions.names)}')
    return read_edition(revisions, Request(name, revisions.schema_file(name), errata=errata))
