# SPDX-License-Identifier: MIT
"""Reads the files beside the schemas, and picks what holds for one revision."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Dict, FrozenSet, List, Mapping, Optional, Sequence, Tuple

from codegen.facts.docs import Docs
from codegen.facts.facts import (
    ERROR_ROLES,
    SIDES,
    Capability,
    CodeFacts,
    ErrorCode,
    Facts,
    Gate,
    PeerDefault,
    Reference,
    ResultTag,
    StrictRule,
    UnionFact,
    UnionTest,
)
from codegen.facts.places import FactFile, Place
from codegen.model.keywords import FORMATS

Lineage = Sequence[str]
"""A revision, the one that it is like, the one that this is like, and so on: the nearer one's facts first."""


def load(
    schema_dir: Path,
    revision: str,
    like: Lineage = (),
    listed: Optional[bool] = None,
) -> Facts:
    """The facts about a revision from the files of `schema_dir`; a file that is not there states none. Facts
    about the revisions that it is like hold for it too, unless it has its own. `listed`
    says whether the list of revisions has it, where the list is not that of the folder."""
    lineage = (revision, *like)
    methods = FactFile(schema_dir / "methods.json")
    docs = Docs.load(schema_dir / "docs.json") if (schema_dir / "docs.json").exists() else Docs({})
    known = listed
    if known is None:
        known = revision in _revisions(FactFile(schema_dir / "revisions.json"))
    return Facts(
        revision=revision,
        file=str(schema_dir / "methods.json"),
        complete=known and not like,
        docs=docs.of(lineage) if like else docs,
        unions=read_unions(FactFile(schema_dir / "unions.json"), lineage),
        raw=_raw(FactFile(schema_dir / "raw.json"), lineage),
        strict=_strict(FactFile(schema_dir / "strict.json"), lineage),
        codes=_error_codes(methods, lineage, known or bool(like)),
        result_tags=_result_tags(methods, lineage),
        task_results=_task_results(methods, lineage),
        capabilities=_capabilities(methods, lineage),
        gates=_gates(methods, lineage),
        argument_results=_is_listed(methods, "argument_results", lineage),
        polled_streams=_is_listed(methods, "polled_streams", lineage),
        session_owned=_known_methods(methods, "session_owned"),
        session_made=_known_methods(methods, "session_made"),
        peer_defaults=_peer_defaults(methods, lineage),
        reference=_reference(FactFile(schema_dir / "reference.json"), revision),
    )


def _revisions(file: FactFile) -> FrozenSet[str]:
    return frozenset(row.object()["revision"].text() for row in file.rows("revisions"))


def _reference(file: FactFile, revision: str) -> Reference:
    for place in file.rows("revisions"):
        row = place.members("revision page unlisted")
        if row["revision"].text() == revision:
            return Reference(row["page"].text(), frozenset(name.text() for name in row["unlisted"].array()))
    return Reference()


def _rank(row: Mapping[str, Place], lineage: Lineage) -> Optional[int]:
    """How near the revision is for which a fact holds, 0 being the nearest; one that lists no revisions holds
    for all. None where it does not hold."""
    listed = [r.text() for r in row["revisions"].array()] if "revisions" in row else lineage
    return next((rank for rank, name in enumerate(lineage) if name in listed), None)


def _applies(row: Mapping[str, Place], lineage: Lineage) -> bool:
    return _rank(row, lineage) is not None


def _is_listed(file: FactFile, name: str, lineage: Lineage) -> bool:
    return not set(lineage).isdisjoint([row.text() for row in file.rows(name)])


def read_unions(file: FactFile, lineage: Lineage) -> Dict[str, UnionFact]:
    """The facts of a file about unions that hold for a revision, by their places."""
    found: Dict[str, UnionFact] = {}
    ranks: Dict[str, int] = {}
    for place in file.rows("unions"):
        row = place.members("at tests reason", "otherwise revisions first_member")
        rank = _rank(row, lineage)
        if rank is None:
            continue
        tests = tuple(_union_test(test) for test in row["tests"].array())
        otherwise = row["otherwise"].text() if "otherwise" in row else None
        first = "first_member" in row and row["first_member"].flag()
        own = rank == 0 and ("revisions" in row or len(lineage) == 1)
        fact = UnionFact(place.file, place.pointer, tests, otherwise, row["reason"].text(), first, own)
        for at in row["at"].array():
            if ranks.get(at.text()) == rank and found[at.text()].own == own:
                raise at.refuse(f'"{at.text()}" has an entry already')
            if own or rank < ranks.get(at.text(), len(lineage)):
                found[at.text()], ranks[at.text()] = fact, rank
    return found


def _union_test(place: Place) -> UnionTest:
    row = place.members("member alternative", "value")
    value = row["value"].text() if "value" in row else None
    return UnionTest(row["member"].text(), value, row["alternative"].text())


def _raw(file: FactFile, lineage: Lineage) -> FrozenSet[str]:
    found: List[str] = []
    for place in file.rows("raw"):
        row = place.members("at reason", "revisions")
        if _applies(row, lineage):
            found.extend(at.text() for at in row["at"].array())
    return frozenset(found)


def _strict(file: FactFile, lineage: Lineage) -> Tuple[StrictRule, ...]:
    found = []
    for place in file.rows("rules"):
        row = place.members("member rule reason", "revisions")
        if _applies(row, lineage):
            owner, _, path = row["member"].text().partition(".")
            steps = "." + path
            if row["rule"].text() not in FORMATS:
                raise row["rule"].refuse("no rule of this name; README.md lists them")
            found.append(StrictRule(owner, steps.replace(".*", "[]")[1:], row["rule"].text()))
    return tuple(found)


def _error_codes(file: FactFile, lineage: Lineage, known: bool) -> CodeFacts:
    rows: Dict[str, Dict[str, Place]] = {}
    for place in file.rows("error_codes"):
        row = place.members("name code revisions doc", "not_emitted successor other_codes")
        rows[row["name"].text()] = row
    own = tuple(
        ErrorCode(name, _code(row, lineage), row["doc"].text())
        for name, row in rows.items()
        if _emits(row, lineage)
    )
    sent = {name: _sent(rows, name, lineage) for name in rows}
    pairs = [(row["code"].integer(), sent[name]) for name, row in rows.items()]
    replaced = tuple((code, to) for code, to in pairs if to != code and known)
    table = file.members("error_roles", " ".join(ERROR_ROLES))
    return CodeFacts(own, replaced, tuple(sent[_known_name(table[role], rows)] for role in table))


def _code(row: Mapping[str, Place], lineage: Lineage) -> int:
    """The number of a code: what is stated for the nearest revision, or else that of all."""
    other = _nearest(row["other_codes"].object(), lineage) if "other_codes" in row else None
    return (other or row["code"]).integer()


def _emits(row: Mapping[str, Place], lineage: Lineage) -> bool:
    """Whether a revision sends a code: the nearest one that is named among those that do, or do not, says."""
    refused = [place.text() for place in row["not_emitted"].array()] if "not_emitted" in row else []
    nearest = next((rank for rank, name in enumerate(lineage) if name in refused), len(lineage))
    return _applies(row, lineage[:nearest])


def _sent(rows: Mapping[str, Dict[str, Place]], name: str, lineage: Lineage) -> int:
    """The code by which a revision says an error: its own, or that of the successor."""
    row = rows[name]
    for place in row["not_emitted"].array() if "not_emitted" in row else ():
        if _applies(row, (place.text(),)):
            raise place.refuse(f'"{place.text()}" is among its revisions too')
    if "successor" not in row:
        for place in row["not_emitted"].array() if "not_emitted" in row else ():
            raise place.refuse(f'"successor" has to say what "{place.text()}" sends instead')
        return row["code"].integer()
    successor = rows[_known_name(row["successor"], rows)]
    if "successor" in successor:
        raise row["successor"].refuse("has a successor itself: name a code that every revision has")
    return _code(row if _emits(row, lineage) else successor, lineage)


def _known_name(place: Place, rows: Mapping[str, object]) -> str:
    if place.text() not in rows:
        raise place.refuse(f'"{place.text()}" is none of the error codes')
    return place.text()


def _nearest(table: Mapping[str, Place], lineage: Lineage) -> Optional[Place]:
    """The row of a table by revisions for the nearest one."""
    return next((table[name] for name in lineage if name in table), None)


def _result_tags(file: FactFile, lineage: Lineage) -> Dict[str, ResultTag]:
    table = file.table("result_alternatives")
    found: Dict[str, ResultTag] = {}
    for revision in reversed([name for name in lineage if name in table]):
        for method, place in table[revision].object().items():
            row = place.members("member values")
            values = tuple((value, name.text()) for value, name in row["values"].object().items())
            found[method] = ResultTag(place.pointer, row["member"].text(), values)
    return found


def _task_results(file: FactFile, lineage: Lineage) -> Dict[str, str]:
    place = _nearest(file.table("task_results"), lineage)
    if place is None:
        return {}
    row = place.object()
    return {method: row["created"].text() for method in row["methods"].object()}


def _capabilities(file: FactFile, lineage: Lineage) -> Dict[str, Optional[Capability]]:
    table = file.table("capabilities")
    places = dict(table["common"].object()) if "common" in table else {}
    exceptions = table["exceptions"].object() if "exceptions" in table else {}
    for revision in reversed([name for name in lineage if name in exceptions]):
        places.update(exceptions[revision].object())
    return {
        method: None if place.value is None else _capability(place, place.members("side capability"))
        for method, place in places.items()
    }


def _capability(place: Place, row: Mapping[str, Place]) -> Capability:
    side = row["side"].text()
    if side not in SIDES:
        raise row["side"].refuse(f"must be one of {', '.join(SIDES)}")
    return Capability(place.pointer, side, row["capability"].text())


def _gates(file: FactFile, lineage: Lineage) -> Tuple[Gate, ...]:
    table = file.table("capabilities")
    found: List[Gate] = []
    for place in table["by_params"].array() if "by_params" in table else ():
        row = place.members("method member side capability", "value revisions")
        value = row["value"].text() if "value" in row else None
        if _applies(row, lineage):
            found.append(Gate(row["method"].text(), row["member"].text(), value, _capability(place, row)))
    return tuple(found)


def _known_methods(file: FactFile, name: str) -> FrozenSet[str]:
    """The methods of a list; each must have a row in capabilities, as every method of every revision has."""
    table = file.table("capabilities")
    known = table["common"].object() if "common" in table else {}
    found: List[str] = []
    for place in file.rows(name):
        if place.text() not in known:
            raise place.refuse(f'no revision has a method "{place.text()}": /capabilities/common lists all')
        found.append(place.text())
    return frozenset(found)


def _peer_defaults(file: FactFile, lineage: Lineage) -> Tuple[PeerDefault, ...]:
    rows = _nearest(file.table("peer_defaults"), lineage)
    found: List[PeerDefault] = []
    for place in rows.array() if rows is not None else ():
        row = place.members("member value", "below_minimum")
        value = row["value"].value
        if isinstance(value, (dict, list, Decimal)):
            raise row["value"].refuse("expected a string, an integer, a boolean or null")
        below = "below_minimum" in row and row["below_minimum"].flag()
        found.append(PeerDefault(row["member"].text(), json.dumps(value, ensure_ascii=False), below))
    return tuple(found)
