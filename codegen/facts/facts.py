# SPDX-License-Identifier: MIT
"""Facts that no schema states, for one revision: typed and frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import FrozenSet, Mapping, Optional, Tuple

from codegen.facts.docs import Docs
from codegen.source.extension import Extension

# Errors that the runtime asks every revision a code for, in the order of the MCPW_CODE_... of table.h.
ERROR_ROLES = ("RESOURCE_NOT_FOUND", "MISSING_CAPABILITY", "UNSUPPORTED_VERSION")
SIDES = ("client", "server", "sender", "receiver")


@dataclass(frozen=True)
class UnionTest:
    """A member of an object that points to an alternative, by being there or by its value."""

    member: str
    value: Optional[str]
    alternative: str


@dataclass(frozen=True)
class UnionFact:
    """How to choose among alternatives that no rule proves disjoint."""

    file: str
    pointer: str
    tests: Tuple[UnionTest, ...]
    otherwise: Optional[str]
    reason: str
    first_member: bool = False
    own: bool = True
    """Stated for this revision, and not for one that it is like."""


@dataclass(frozen=True)
class StrictRule:
    """A rule of the prose about a member: `owner` is a definition or `*`, `path` the rest of the key."""

    owner: str
    path: str
    rule: str


@dataclass(frozen=True)
class ErrorCode:
    """A JSON-RPC error code that a revision names."""

    name: str
    code: int
    doc: str


@dataclass(frozen=True)
class CodeFacts:
    """The error codes of a revision: its own, (code of another revision, what is sent instead), and the code
    for each of ERROR_ROLES."""

    own: Tuple[ErrorCode, ...] = ()
    replaced: Tuple[Tuple[int, int], ...] = ()
    roles: Tuple[int, ...] = ()


@dataclass(frozen=True)
class Capability:
    """The capability that must have been declared before a method may be used, and its side: `client`,
    `server`, `sender` or `receiver`."""

    pointer: str
    side: str
    name: str


@dataclass(frozen=True)
class Gate:
    """A capability that is needed when a method's params have a member, or have it with a value."""

    method: str
    member: str
    value: Optional[str]
    capability: Capability


@dataclass(frozen=True)
class ResultTag:
    """The member of a result that selects its type, with the definition for each of its values. `pointer` is
    the place of the fact in its file."""

    pointer: str
    member: str
    values: Tuple[Tuple[str, str], ...]


@dataclass(frozen=True)
class PeerDefault:
    """The value, as JSON, of a required member that peers are known to leave out."""

    member: str
    value: str
    below_minimum: bool


@dataclass(frozen=True)
class Reference:
    """The page of the specification's site that describes the definitions of a revision, with a heading for
    each but the unlisted. No page: nowhere."""

    page: str = ""
    unlisted: FrozenSet[str] = frozenset()


@dataclass(frozen=True)
class Facts:
    """All facts about one revision. Those of a schema of the user's own are empty, or those of the revision
    that it is like."""

    revision: str
    file: str = ""
    complete: bool = False
    """Everything that the schema leaves open is stated; what is not is a mistake. Elsewhere a rule of its own
    decides, with a note."""
    docs: Docs = field(default_factory=lambda: Docs({}))
    unions: Mapping[str, UnionFact] = field(default_factory=dict)
    raw: FrozenSet[str] = frozenset()
    strict: Tuple[StrictRule, ...] = ()
    codes: CodeFacts = field(default_factory=CodeFacts)
    result_tags: Mapping[str, ResultTag] = field(default_factory=dict)
    task_results: Mapping[str, str] = field(default_factory=dict)
    capabilities: Mapping[str, Optional[Capability]] = field(default_factory=dict)
    gates: Tuple[Gate, ...] = ()
    argument_results: bool = False
    polled_streams: bool = False
    session_owned: FrozenSet[str] = frozenset()
    session_made: FrozenSet[str] = frozenset()
    peer_defaults: Tuple[PeerDefault, ...] = ()
    reference: Reference = Reference()
    extensions: Tuple[Extension, ...] = ()
    """Those of the overlays on top of the revision."""
    plain: bool = False
    """The schemas are a program's own: no specification describes them."""

    def format_of(self, key: str) -> Optional[str]:
        """The rule for the value that `key` names: that of the definition itself before that of all."""
        owner, _, path = key.partition(".")
        for wanted in (owner, "*"):
            for rule in self.strict:
                if rule.owner == wanted and rule.path == path:
                    return rule.rule
        return None
