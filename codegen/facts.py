# SPDX-License-Identifier: MIT
"""What no schema states: the files beside the schemas, as one revision sees them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Dict, FrozenSet, Iterator, List, Mapping, Optional, Tuple

from codegen.checks import FORMATS
from codegen.docs import Docs
from codegen.errors import Refusal
from codegen.jsonfile import Json, read_json
from codegen.pointers import join

# Errors that the runtime asks every revision a code for, in the order of the MCPW_CODE_... of table.h.
ERROR_ROLES = ("RESOURCE_NOT_FOUND", "MISSING_CAPABILITY", "UNSUPPORTED_VERSION")
_SIDES = ("client", "server", "sender", "receiver")


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


@dataclass(frozen=True)
class StrictRule:
    """What prose demands of a member: `owner` is a definition or `*`, `path` what follows it in a key."""

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
    """What must have been declared before a method may be used, and by whom: `side` is `client`, `server`,
    `sender` or `receiver`."""

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
    """The member of a result that selects its type, with the definition for each of its values."""

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
    """Where the specification's site describes the definitions of a revision: one page, with a heading for
    each but the unlisted. No page: nowhere."""

    page: str = ""
    unlisted: FrozenSet[str] = frozenset()


@dataclass(frozen=True)
class Facts:
    """All facts about one revision. Those of a schema of the user's own are empty."""

    revision: str
    file: str = ""
    known: bool = False
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
    session_owned: FrozenSet[str] = frozenset()
    session_made: FrozenSet[str] = frozenset()
    peer_defaults: Tuple[PeerDefault, ...] = ()
    reference: Reference = Reference()

    def format_of(self, key: str) -> Optional[str]:
        """The rule for the value that `key` names: that of the definition itself before that of all."""
        owner, _, path = key.partition(".")
        for wanted in (owner, "*"):
            for rule in self.strict:
                if rule.owner == wanted and rule.path == path:
                    return rule.rule
        return None


def load(schema_dir: Path, revision: str) -> Facts:
    """The facts about a revision from the files of `schema_dir`; a file that is not there states none."""
    methods = _Reader(schema_dir / "methods.json")
    docs = schema_dir / "docs.json"
    known = revision in _revisions(_Reader(schema_dir / "revisions.json"))
    return Facts(
        revision=revision,
        file=str(schema_dir / "methods.json"),
        known=known,
        docs=Docs.load(docs) if docs.exists() else Docs({}),
        unions=_unions(_Reader(schema_dir / "unions.json"), revision),
        raw=_raw(_Reader(schema_dir / "raw.json"), revision),
        strict=_strict(_Reader(schema_dir / "strict.json"), revision),
        codes=_error_codes(methods, revision, known),
        result_tags=_result_tags(methods, revision),
        task_results=_task_results(methods, revision),
        capabilities=_capabilities(methods, revision),
        gates=_gates(methods, revision),
        argument_results=revision in [row.text() for row in methods.rows("argument_results")],
        session_owned=_known_methods(methods, "session_owned"),
        session_made=_known_methods(methods, "session_made"),
        peer_defaults=_peer_defaults(methods, revision),
        reference=_reference(_Reader(schema_dir / "reference.json"), revision),
    )


@dataclass(frozen=True)
class _Place:
    """A value in a file of facts, with where it stands."""

    file: str
    pointer: str
    value: Json

    def refuse(self, cause: str) -> Refusal:
        return Refusal(self.file, self.pointer, cause)

    def object(self) -> Dict[str, _Place]:
        if not isinstance(self.value, dict):
            raise self.refuse("expected an object")
        return {k: _Place(self.file, join(self.pointer, k), v) for k, v in self.value.items()}

    def array(self) -> List[_Place]:
        if not isinstance(self.value, list):
            raise self.refuse("expected an array")
        return [_Place(self.file, join(self.pointer, i), v) for i, v in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.refuse("expected a string")
        return self.value

    def integer(self) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.refuse("expected an integer")
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.refuse("expected true or false")
        return self.value

    def members(self, required: str, optional: str = "") -> Dict[str, _Place]:
        """The members of an object of facts; a name that means nothing here is refused, not skipped."""
        found = self.object()
        for name in required.split():
            if name not in found:
                raise self.refuse(f'"{name}" is missing')
        for name in found:
            if name not in required.split() and name not in optional.split():
                raise found[name].refuse("this member means nothing here")
        return found


class _Reader:
    """A file of facts, which may be missing."""

    def __init__(self, path: Path) -> None:
        value: Json = read_json(path) if path.exists() else {}
        self._file = str(path)
        self._top = _Place(str(path), "", value).object()

    def rows(self, name: str) -> Iterator[_Place]:
        """The items of the array `name`; none where it is missing."""
        return iter(self._top[name].array() if name in self._top else ())

    def table(self, name: str) -> Dict[str, _Place]:
        """The members of the object `name`; none where it is missing."""
        return self._top[name].object() if name in self._top else {}

    def members(self, name: str, required: str) -> Dict[str, _Place]:
        """The object `name` of just these members, in this order; none where the file is missing."""
        if not self._top:
            return {}
        if name not in self._top:
            raise Refusal(self._file, "", f'"{name}" is missing')
        found = self._top[name].members(required)
        return {member: found[member] for member in required.split()}


def _revisions(file: _Reader) -> FrozenSet[str]:
    return frozenset(row.object()["revision"].text() for row in file.rows("revisions"))


def _reference(file: _Reader, revision: str) -> Reference:
    for place in file.rows("revisions"):
        row = place.members("revision page unlisted")
        if row["revision"].text() == revision:
            return Reference(row["page"].text(), frozenset(name.text() for name in row["unlisted"].array()))
    return Reference()


def _applies(row: Mapping[str, _Place], revision: str) -> bool:
    """Whether a fact holds for a revision: one that lists no revisions holds for all."""
    return "revisions" not in row or revision in [r.text() for r in row["revisions"].array()]


def _unions(file: _Reader, revision: str) -> Dict[str, UnionFact]:
    found: Dict[str, UnionFact] = {}
    for place in file.rows("unions"):
        row = place.members("at tests reason", "otherwise revisions first_member")
        if not _applies(row, revision):
            continue
        tests = tuple(_union_test(test) for test in row["tests"].array())
        otherwise = row["otherwise"].text() if "otherwise" in row else None
        first = "first_member" in row and row["first_member"].flag()
        fact = UnionFact(place.file, place.pointer, tests, otherwise, row["reason"].text(), first)
        for at in row["at"].array():
            if at.text() in found:
                raise at.refuse(f'"{at.text()}" has an entry already')
            found[at.text()] = fact
    return found


def _union_test(place: _Place) -> UnionTest:
    row = place.members("member alternative", "value")
    value = row["value"].text() if "value" in row else None
    return UnionTest(row["member"].text(), value, row["alternative"].text())


def _raw(file: _Reader, revision: str) -> FrozenSet[str]:
    found: List[str] = []
    for place in file.rows("raw"):
        row = place.members("at reason", "revisions")
        if _applies(row, revision):
            found.extend(at.text() for at in row["at"].array())
    return frozenset(found)


def _strict(file: _Reader, revision: str) -> Tuple[StrictRule, ...]:
    found = []
    for place in file.rows("rules"):
        row = place.members("member rule reason", "revisions")
        if _applies(row, revision):
            owner, _, path = row["member"].text().partition(".")
            steps = "." + path
            if row["rule"].text() not in FORMATS:
                raise row["rule"].refuse("no rule of this name; README.md lists them")
            found.append(StrictRule(owner, steps.replace(".*", "[]")[1:], row["rule"].text()))
    return tuple(found)


def _error_codes(file: _Reader, revision: str, known: bool) -> CodeFacts:
    rows: Dict[str, Dict[str, _Place]] = {}
    for place in file.rows("error_codes"):
        row = place.members("name code revisions doc", "not_emitted successor")
        rows[row["name"].text()] = row
    own = tuple(
        ErrorCode(name, row["code"].integer(), row["doc"].text())
        for name, row in rows.items()
        if _applies(row, revision)
    )
    sent = {name: _sent(rows, name, revision) for name in rows}
    pairs = [(row["code"].integer(), sent[name]) for name, row in rows.items()]
    replaced = tuple((code, to) for code, to in pairs if to != code and known)
    table = file.members("error_roles", " ".join(ERROR_ROLES))
    return CodeFacts(own, replaced, tuple(sent[_known_name(table[role], rows)] for role in table))


def _sent(rows: Mapping[str, Dict[str, _Place]], name: str, revision: str) -> int:
    """The code by which a revision says an error: its own, or that of the successor."""
    row = rows[name]
    for place in row["not_emitted"].array() if "not_emitted" in row else ():
        if _applies(row, place.text()):
            raise place.refuse(f'"{place.text()}" is among its revisions too')
    if "successor" not in row:
        for place in row["not_emitted"].array() if "not_emitted" in row else ():
            raise place.refuse(f'"successor" has to say what "{place.text()}" sends instead')
        return row["code"].integer()
    successor = rows[_known_name(row["successor"], rows)]
    if "successor" in successor:
        raise row["successor"].refuse("has a successor itself: name a code that every revision has")
    return (row if _applies(row, revision) else successor)["code"].integer()


def _known_name(place: _Place, rows: Mapping[str, object]) -> str:
    if place.text() not in rows:
        raise place.refuse(f'"{place.text()}" is none of the error codes')
    return place.text()


def _result_tags(file: _Reader, revision: str) -> Dict[str, ResultTag]:
    table = file.table("result_alternatives")
    found = {}
    for method, place in table[revision].object().items() if revision in table else ():
        row = place.members("member values")
        values = tuple((value, name.text()) for value, name in row["values"].object().items())
        found[method] = ResultTag(row["member"].text(), values)
    return found


def _task_results(file: _Reader, revision: str) -> Dict[str, str]:
    table = file.table("task_results")
    if revision not in table:
        return {}
    row = table[revision].object()
    return {method: row["created"].text() for method in row["methods"].object()}


def _capabilities(file: _Reader, revision: str) -> Dict[str, Optional[Capability]]:
    table = file.table("capabilities")
    places = dict(table["common"].object()) if "common" in table else {}
    exceptions = table["exceptions"].object() if "exceptions" in table else {}
    if revision in exceptions:
        places.update(exceptions[revision].object())
    return {
        method: None if place.value is None else _capability(place, place.members("side capability"))
        for method, place in places.items()
    }


def _capability(place: _Place, row: Mapping[str, _Place]) -> Capability:
    side = row["side"].text()
    if side not in _SIDES:
        raise row["side"].refuse(f"must be one of {', '.join(_SIDES)}")
    return Capability(place.pointer, side, row["capability"].text())


def _gates(file: _Reader, revision: str) -> Tuple[Gate, ...]:
    table = file.table("capabilities")
    found: List[Gate] = []
    for place in table["by_params"].array() if "by_params" in table else ():
        row = place.members("method member side capability", "value revisions")
        value = row["value"].text() if "value" in row else None
        if _applies(row, revision):
            found.append(Gate(row["method"].text(), row["member"].text(), value, _capability(place, row)))
    return tuple(found)


def _known_methods(file: _Reader, name: str) -> FrozenSet[str]:
    """The methods of a list; each must have a row in capabilities, as every method of every revision has."""
    table = file.table("capabilities")
    known = table["common"].object() if "common" in table else {}
    found: List[str] = []
    for place in file.rows(name):
        if place.text() not in known:
            raise place.refuse(f'no revision has a method "{place.text()}": /capabilities/common lists all')
        found.append(place.text())
    return frozenset(found)


def _peer_defaults(file: _Reader, revision: str) -> Tuple[PeerDefault, ...]:
    table = file.table("peer_defaults")
    found: List[PeerDefault] = []
    for place in table[revision].array() if revision in table else ():
        row = place.members("member value", "below_minimum")
        value = row["value"].value
        if isinstance(value, (dict, list, Decimal)):
            raise row["value"].refuse("expected a string, an integer, a boolean or null")
        below = "below_minimum" in row and row["below_minimum"].flag()
        found.append(PeerDefault(row["member"].text(), json.dumps(value, ensure_ascii=False), below))
    return tuple(found)
