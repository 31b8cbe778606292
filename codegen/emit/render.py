# SPDX-License-Identifier: MIT
"""The text of all generated files. Everything is decided before; the templates arrange it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Mapping, Optional, Sequence, Tuple

from codegen import __version__
from codegen.emit import hover
from codegen.emit.fragments import CCode, CIdentifier, CLineComment, CString, DictionaryWord, joined
from codegen.emit.headers import codec_file, methods_file, short_name_lines, types_file
from codegen.emit.hover import short_lines
from codegen.emit.pack import Packer
from codegen.emit.protocol_file import protocol_file
from codegen.emit.tables_file import tables_file
from codegen.emit.text import Header, render
from codegen.errors import Note, Refusal
from codegen.facts.facts import Facts
from codegen.model.load import TOO_DEEP
from codegen.model.nodes import Document
from codegen.plan import names
from codegen.plan.comments import Comments
from codegen.plan.cplan import ExtensionEntry, Plan, Side, Slot
from codegen.plan.revision_plan import plan_revision
from codegen.plan.share import share
from codegen.plan.subset import keep
from codegen.source.revisions import Revisions

COMMAND = "python3 -m codegen generate"


@dataclass(frozen=True)
class Below:
    """The revision below overlays."""

    document: Document
    facts: Facts


@dataclass(frozen=True)
class Generated:
    """The files of one revision, by their paths under the folder of generated code, and what a user has to
    know about them."""

    files: Dict[str, str]
    notes: Tuple[Note, ...]


def generate_files(document: Document, facts: Facts) -> Dict[str, str]:
    """All files of one revision."""
    return generate(document, facts).files


def generate(
    document: Document, facts: Facts, below: Optional[Below] = None, only: Sequence[str] = ()
) -> Generated:
    """All files of one revision, with notes. `below` is the revision that it lies on, whose types it uses;
    `only` names the methods and types to keep, with all that they reach."""
    try:
        plan = plan_revision(document, facts)
        lines: Mapping[str, str] = {}
        if below is not None:
            base = plan_revision(below.document, below.facts)
            plan, lines = share(plan, document, base, below.document), short_lines(base)
        if only:
            plan = keep(plan, document, only)
    except RecursionError as error:
        raise Refusal(document.file, "", TOO_DEEP) from error
    return Generated(_files(plan, document, facts, lines), plan.notes)


def _is_shipped(plan: Plan, document: Document) -> bool:
    """Whether it is a revision of schema/, which the libraries hold."""
    return not document.overlays and plan.source.startswith("schema/")


def _command(plan: Plan, document: Document) -> str:
    only = f" --only {','.join(plan.only)}" if plan.only else ""
    if document.overlays:
        overlays = " ".join(f"--overlay {source}" for source in plan.source.split(" and ")[1:])
        return f"{COMMAND} --revision {document.base} {overlays}{only}"
    if _is_shipped(plan, document):
        return f"{COMMAND} --revision {plan.revision}{only}" if only else COMMAND
    return f"{COMMAND} --schema {plan.source}{only}"


def _files(plan: Plan, document: Document, facts: Facts, below: Mapping[str, str]) -> Dict[str, str]:
    file = document.file
    packer = Packer(plan, file)
    packed = packer.pack()
    header = Header(
        plan.revision,
        CIdentifier(plan.prefix),
        plan.source,
        plan.sha256,
        _command(plan, document),
        base=plan.base,
        shipped=_is_shipped(plan, document),
    )
    folder = f"{plan.revision}/mcp/{plan.revision}"

    def guard(part: str) -> CIdentifier:
        return CIdentifier(f"MCPW_GENERATED_{header.upper[len('MCP_') :]}_{part}_H")

    return {
        f"{folder}/types.h": types_file(plan, header, guard("TYPES")),
        f"{folder}/codec.h": codec_file(plan, header, guard("CODEC")),
        f"{folder}/methods.h": methods_file(plan, header, guard("METHODS"), Comments(facts)),
        f"{folder}/handlers.h": render(
            "handlers.h",
            plan=header,
            guard=guard("HANDLERS"),
            handlers=plan.handlers,
            extensions=list(map(_Descriptor, plan.extensions)),
        ),
        f"{folder}/client.h": render(
            "client.h",
            plan=header,
            guard=guard("CLIENT"),
            calls=plan.handlers.calls,
            eithers=plan.handlers.eithers,
        ),
        f"{folder}/names.h": render(
            "names.h",
            plan=header,
            guard=guard("NAMES"),
            lines=list(short_name_lines(plan, below)),
        ),
        f"{folder}.h": render("umbrella.h", plan=header, guard=guard("ALL")),
        f"{plan.revision}/handlers.c": render(
            "handlers.c",
            plan=header,
            sides=list(map(_Dispatch, plan.handlers.sides)),
            extensions=list(map(_Descriptor, plan.extensions)),
        ),
        f"{plan.revision}/protocol_table.c": protocol_file(plan, header),
        f"{plan.revision}/tables.c": tables_file(plan, packer, packed, header),
        f"{plan.revision}/dictionary.txt": render(
            "dictionary.txt", plan=header, words=list(map(DictionaryWord, packed.words))
        ),
    }


@dataclass(frozen=True)
class _Dispatch:
    """The handlers of one side, as the functions that call them have them."""

    side: Side

    @property
    def part(self) -> str:
        """The prefix of the names of the functions."""
        return self.side.role.lower()

    @property
    def requests(self) -> Tuple[Slot, ...]:
        return tuple(slot for slot in self.side.slots if slot.request)

    @property
    def notifications(self) -> Tuple[Slot, ...]:
        return tuple(slot for slot in self.side.slots if not slot.request)


@dataclass(frozen=True)
class _Descriptor:
    """The descriptor of an extension."""

    entry: ExtensionEntry

    @property
    def name(self) -> CIdentifier:
        return CIdentifier(self.entry.name)

    @property
    def id(self) -> CString:
        return CString(self.entry.id)

    @property
    def comment(self) -> CLineComment:
        return CLineComment(hover.extension_comment(self.entry))


@dataclass(frozen=True)
class _Revision:
    name: str
    number: int
    prefix: str


def generate_common_files(revisions: Revisions) -> Dict[str, str]:
    """The files that speak of all revisions."""
    rows = [
        _Revision(name, names.revision_number(name), names.revision_prefix(name)) for name in revisions.names
    ]
    none_chosen = (CCode("!defined(MCPW_WITH_$)", row.number) for row in rows)
    values: Dict[str, object] = {
        "revisions": rows,
        "pin": names.revision_number(revisions.default_pin),
        "none_chosen": joined(" && ", none_chosen),
        "generated": f"Generated by mcpwire codegen {__version__}. Do not edit; run: {COMMAND}",
    }
    return {
        "common/mcp/client.h": render("pinned_client.h", **values),
        "common/mcp/pinned.h": render("pinned.h", **values),
        "common/mcp/revisions.h": render("revisions.h", **values),
        "common/registry_protocols.c": render("registry_protocols.c", **values),
        "common/registry.c": render("registry.c", **values),
    }
