# SPDX-License-Identifier: MIT
"""One of the two schemas that are compared, with all that is derived from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, Optional, Sequence, Tuple

from codegen.errors import BadInput, Refusal
from codegen.facts.edition import Request, find_listed, read_edition
from codegen.facts.facts import Facts
from codegen.facts.overlaid import Overlaid, find_overlaid
from codegen.model.nodes import Document, Node, ObjectType
from codegen.model.resolve import Index
from codegen.plan.cplan import Plan
from codegen.plan.revision_plan import plan_revision
from codegen.source.revisions import Revisions, is_revision_name


@dataclass(frozen=True)
class Side:
    """A schema and its C plan. `name` is what the report calls it."""

    name: str
    document: Document
    facts: Facts
    plan: Plan
    index: Index

    def node(self, definition: str) -> Node:
        """The node of a definition, which is known to exist."""
        return self.index.definition(definition).node

    @property
    def names(self) -> Tuple[str, ...]:
        """The names of all definitions, in bytewise order."""
        return tuple(sorted(definition.name for definition in self.document.definitions))


def side_of(document: Document, facts: Facts, name: Optional[str] = None) -> Side:
    """The side of a document that is loaded already."""
    index = Index(document)
    return Side(name or document.revision, document, facts, plan_revision(document, facts), index)


@dataclass(frozen=True)
class Overlays:
    """The files that are put on each of two sides."""

    old: Tuple[Path, ...] = ()
    new: Tuple[Path, ...] = ()


def overlaid_side(overlaid: Overlaid) -> Side:
    """The side of a revision with overlays on top."""
    edition = overlaid.edition
    try:
        return side_of(edition.document, edition.facts)
    except Refusal as refusal:
        raise overlaid.laid.blame(refusal) from refusal


def load_sides(
    old: str, new: str, revisions: Revisions, errata: bool, overlays: Optional[Overlays] = None
) -> Tuple[Side, Side]:
    """Both sides by what the command line calls them: a revision, or the path of a schema file. Names that
    come out equal get a mark, since a report speaks of both. A draft has the facts of the other side."""
    on = overlays or Overlays()
    left = load_side(old, revisions, errata, new if new in revisions.names else None, on.old)
    right = load_side(new, revisions, errata, old if old in revisions.names else None, on.new)
    if left.name != right.name:
        return left, right
    return replace(left, name=f"{left.name} (old)"), replace(right, name=f"{right.name} (new)")


def load_side(
    argument: str, revisions: Revisions, errata: bool, like: Optional[str], overlays: Sequence[Path] = ()
) -> Side:
    """A side by what the command line calls it. Facts that no schema states are known of revisions alone: a
    draft is read with the facts of the revision `like`, or else of the nearest, as far as they fit it.
    Overlays are
    put on revisions alone, too."""
    if overlays:
        if argument not in revisions.names:
            known = ", ".join(revisions.names)
            raise BadInput(f"{argument}: an overlay is put on a revision; known are {known}")
        return overlaid_side(find_overlaid(revisions, overlays, argument, errata))
    if argument in revisions.names:
        edition = find_listed(revisions, argument, errata)
        return side_of(edition.document, edition.facts)
    path = Path(argument)
    if not path.exists():
        known = ", ".join(revisions.names)
        raise BadInput(f'"{argument}" is neither a file nor a revision; known revisions are {known}')
    folder = path.resolve().parent.name
    name = folder if is_revision_name(folder) or path.name == "schema.json" else path.stem
    listed = name in revisions.names
    edition = read_edition(revisions, Request(name, path, None if listed else like, errata))
    return side_of(edition.document, edition.facts)


def members_of(node: Node) -> Dict[str, Tuple[Node, bool]]:
    """The members that an object names, each with whether it is required."""
    if not isinstance(node, ObjectType):
        return {}
    return {member.name: (member.node, member.required) for member in node.properties}
