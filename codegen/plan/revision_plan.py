# SPDX-License-Identifier: MIT
"""The whole C plan of a revision, put together from types, handles and methods."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Dict, List, Set, Tuple, Union

from codegen.errors import Note, Refusal, shortened
from codegen.facts.facts import Facts
from codegen.model.nodes import ArrayType, Document
from codegen.model.residuals import has_pattern
from codegen.plan import names
from codegen.plan.comments import plain
from codegen.plan.cplan import (
    AliasDecl,
    DefaultEntry,
    EnumDecl,
    ErrorConstant,
    Handle,
    HandlersPlan,
    MethodPlan,
    Plan,
    Ref,
    Row,
    StructDecl,
    StructEntry,
    UnionDecl,
)
from codegen.plan.extensions import plan_extensions, plan_features, plan_topics
from codegen.plan.handlers import plan_handlers
from codegen.plan.handles import Handles
from codegen.plan.methods import plan_gates, plan_methods
from codegen.plan.planner import Planner

TypeDecl = Union[StructDecl, UnionDecl]

# Names that no definition may have: the revision, its message functions, the methods and their conversions.
_FIXED = (
    "message_decode",
    "message_validate",
    "message_encode",
    "method_name",
    "method_from_name",
    "revision",
    "server_handlers",
    "server_dispatch",
    "client_handlers",
    "client_dispatch",
)


PATTERNS = "patterns are checked by PCRE2: link mcpwire::pcre2, or mcpwire-pcre2 of pkg-config"
"""The text of a warning about them, unless the builder of the program links it anyhow."""

_MOST_UNIONS = 8
"""Unions that warnings name, each on a line."""

_NO_HANDLERS = HandlersPlan((), (), (), (), (), (), ())


def plan_revision(document: Document, facts: Facts) -> Plan:
    """Plans everything that is written for a revision."""
    prefix = names.revision_prefix(document.revision)
    if not prefix[len("mcp_") :]:
        raise Refusal(document.file, "", f'revision "{document.revision}" leaves nothing to name it by in C')
    return plan_document(document, facts, prefix)


def plan_document(document: Document, facts: Facts, prefix: str) -> Plan:
    """The same with a prefix of the caller's for all C names."""
    registry = names.Registry(document.file, prefix)
    for fixed in _FIXED:
        registry.lower(fixed, "")
    registry.upper("schema_sha256", "")
    planner = Planner(document, facts, registry, prefix)
    planner.plan_all()
    handles = Handles(planner)
    methods = plan_methods(planner, handles)
    attempt = planner.refusals.attempt
    for method in methods:
        attempt(partial(_claim_accessors, registry, method), None)
    attempt(partial(_claim_conversions, registry, planner.declared.enums), None)
    none: Tuple[ErrorConstant, ...] = ()
    errors = attempt(partial(_errors, registry, facts), none)
    error = _error_handle(planner, prefix)
    handlers = attempt(partial(plan_handlers, planner, handles, methods), _NO_HANDLERS)
    extensions = plan_extensions(facts, registry)
    gates = plan_gates(planner, methods)
    features = plan_features(facts, methods, planner.refusals)
    topics = plan_topics(facts, methods, planner.refusals)
    planner.refusals.raise_all()
    return Plan(
        revision=document.revision,
        number=names.revision_number(document.revision),
        prefix=prefix,
        source=_source(document),
        sha256=document.sha256,
        enums=tuple(planner.declared.enums),
        aliases=_in_order(planner.declared.aliases),
        types=_by_need(planner.declared.types),
        tables=planner.builder.tables(),
        handles=handles.all(),
        error=error,
        methods=methods,
        handlers=handlers,
        gates=gates,
        features=features,
        topics=topics,
        errors=errors,
        codes=facts.codes.replaced,
        role_codes=facts.codes.roles,
        defaults=tuple(DefaultEntry(d.member, d.value, d.below_minimum) for d in facts.peer_defaults),
        batches=_batches(planner),
        argument_results=facts.argument_results,
        polled_streams=facts.polled_streams,
        short_names=registry.short_names(),
        extensions=extensions,
        notes=_notes(planner),
    )


def _errors(registry: names.Registry, facts: Facts) -> Tuple[ErrorConstant, ...]:
    return tuple(
        ErrorConstant(registry.upper(f"error_{error.name}", ""), error.code, plain(error.doc))
        for error in facts.codes.own
    )


def _notes(planner: Planner) -> Tuple[Note, ...]:
    """Decisions of planning, and libraries that a program has to link: a note for each of the first unions
    that nothing decides, and one for the others."""
    texts = (text for residual in planner.builder.residuals.entries() for text in residual.texts)
    if any(has_pattern(text) for text in texts):
        planner.notes.append(Note(planner.file, "", PATTERNS))
    option = "--unions FILE" if planner.facts.plain else "unions.json of --facts DIR"
    for place, why in sorted(planner.undecided.items())[:_MOST_UNIONS]:
        text = f"{shortened(why.text)}: the first that validates is taken, unless {option} decides"
        planner.notes.append(Note(why.file, why.pointer, f'{text} at "{shortened(place)}"'))
    more = len(planner.undecided) - _MOST_UNIONS
    if more > 0:
        what = f"{more} more {'union is' if more == 1 else 'unions are'} read in the order of the schema"
        planner.notes.append(Note(planner.file, "", what))
    return tuple(planner.notes)


def _source(document: Document) -> str:
    """The schema as generated files name it: one of ours by its place in the tree, another by its name, and
    never by a path of the machine."""
    path = Path(document.file)
    revision = document.base or document.revision
    own = path.parent.name == revision and path.parent.parent.name == "schema"
    source = f"schema/{revision}/{path.name}" if own else path.name
    return " and ".join((source, *map(_overlay_source, document.overlays)))


def _overlay_source(file: str) -> str:
    """An overlay by its place in the tree, or a published schema by its folder, which names it."""
    path = Path(file)
    ours = path.parent.name == "overlays" and path.parent.parent.name == "schema"
    return f"schema/overlays/{path.name}" if ours else f"{path.parent.name}/{path.name}"


def _claim_accessors(registry: names.Registry, method: MethodPlan) -> None:
    for part, handle in (("params", method.params), ("result", method.response)):
        if handle is not None:
            registry.lower(f"{part}_{method.function}", method.pointer)


def _claim_conversions(registry: names.Registry, enums: List[EnumDecl]) -> None:
    for enum in enums:
        if enum.index is not None:
            registry.claim(f"{enum.name}_text", "")
            registry.claim(f"{enum.name}_from_text", "")


def _batches(planner: Planner) -> bool:
    """Whether a message may be an array of messages: the schema says so of JSONRPCMessage."""
    if not planner.index.has("JSONRPCMessage"):
        return False
    node = planner.index.definition("JSONRPCMessage").node
    alternatives = getattr(node, "alternatives", (node,))
    return any(isinstance(planner.index.resolve(leaf), ArrayType) for leaf in alternatives)


def _error_handle(planner: Planner, prefix: str) -> Handle:
    """The error object of a response, which all revisions read into one C struct of the runtime."""
    rows = (
        Row("code", Ref("INTEGER"), True, "code"),
        Row("message", Ref("STRING"), True, "message"),
        Row("data", Ref("JSON"), False, "data"),
    )
    entry = StructEntry("Error", "mcpw_rpc_error", rows, True, Ref("JSON"))
    index = planner.builder.structs.add(entry)
    return Handle("Error", "", f"{prefix}_rpc_error_table", Ref("STRUCT", index), "mcpw_rpc_error", False)


def _in_order(aliases: List[AliasDecl]) -> Tuple[AliasDecl, ...]:
    """Aliases after what they stand for. None stands for another alias, so the order of names will do."""
    return tuple(sorted(aliases, key=lambda alias: alias.name))


def _by_need(types: List[TypeDecl]) -> Tuple[TypeDecl, ...]:
    """Types after those that they hold by value."""
    known: Dict[str, TypeDecl] = {decl.name: decl for decl in types}
    done: List[TypeDecl] = []
    seen: Set[str] = set()

    def visit(decl: TypeDecl) -> None:
        if decl.name in seen:
            return
        seen.add(decl.name)
        for member in decl.members:
            if member.c_type in known:
                visit(known[member.c_type])
        done.append(decl)

    for decl in sorted(types, key=lambda decl: decl.name):
        visit(decl)
    return tuple(done)
