# SPDX-License-Identifier: MIT
"""Reads schema/<revision>/schema.json and its errata.

The oracle judges the generator and the engine, so it shares no code with either: this is a second, smaller
reading of the same files.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, Optional

Node = dict[str, Any]

SCHEMA_DIR = Path(__file__).resolve().parents[2] / "schema"
ANNOTATIONS = {"description", "format", "title", "default", "deprecated", "$comment"}
UPPER_IS_TIGHTER = {"minimum", "exclusiveMinimum", "minItems", "minLength", "minProperties"}
LOWER_IS_TIGHTER = {"maximum", "exclusiveMaximum", "maxItems", "maxLength", "maxProperties"}


class SchemaError(Exception):
    """The schema holds something that the oracle does not understand."""


def revisions(schema_dir: Path = SCHEMA_DIR) -> list[str]:
    """The names of all revisions, oldest first."""
    table = json.loads((schema_dir / "revisions.json").read_text(encoding="utf-8"))
    rows = sorted(table["revisions"], key=lambda row: int(row["order"]))
    return [str(row["revision"]) for row in rows]


def unknown_revision(names: Optional[list[str]], schema_dir: Path) -> str:
    """The faults of revisions named on a command line; empty if there are none."""
    known = revisions(schema_dir)
    unknown = [name for name in names or [] if name not in known]
    return f"there is no revision {unknown[0]}, but {', '.join(known)}" if unknown else ""


def escape_token(token: object) -> str:
    """A member's name or an index as a step of a JSON Pointer."""
    return str(token).replace("~", "~0").replace("/", "~1")


def pointer_of(tokens: list[object]) -> str:
    return "".join("/" + escape_token(token) for token in tokens)


def _tokens(pointer: str) -> list[str]:
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def _apply_erratum(root: Any, erratum: Node, where: str) -> None:
    tokens = _tokens(erratum["pointer"])
    holder = root
    for token in tokens[:-1]:
        holder = holder[int(token)] if isinstance(holder, list) else holder[token]
    last: Any = int(tokens[-1]) if isinstance(holder, list) else tokens[-1]
    if erratum.get("old_absent"):
        if last in holder:
            raise SchemaError(f"{where}: {erratum['pointer']} should be absent")
    elif holder[last] != erratum["old"]:
        raise SchemaError(f"{where}: {erratum['pointer']} is not what the erratum says it is")
    holder[last] = copy.deepcopy(erratum["new"])


class Document:
    """One revision's schema, with lookups that follow references and merge allOf."""

    def __init__(self, revision: str, root: Node) -> None:
        self.revision = revision
        self.root = root
        self.dialect = str(root["$schema"])
        self.defs_key = "$defs" if "$defs" in root else "definitions"
        self.definitions: dict[str, Node] = root[self.defs_key]
        self._merged: dict[int, Node] = {}
        self._kept: list[Node] = []

    def resolve(self, ref: str) -> Node:
        prefix = f"#/{self.defs_key}/"
        if not ref.startswith(prefix):
            raise SchemaError(f"{self.revision}: reference {ref} leaves {prefix}")
        name, *inside = _tokens("/" + ref[len(prefix) :])
        node: Any = self.definitions[name]
        for token in inside:
            node = node[token]
        return node

    def concrete(self, node: Node) -> Node:
        """The node behind references, with allOf merged into it. The same node gives the same object."""
        while "$ref" in node:
            if set(node) - ANNOTATIONS != {"$ref"}:
                raise SchemaError(f"{self.revision}: keywords beside $ref {node['$ref']}")
            node = self.resolve(node["$ref"])
        if "allOf" not in node:
            return node
        if id(node) not in self._merged:
            own = {key: value for key, value in node.items() if key != "allOf"}
            parts = [own] + [self.concrete(part) for part in node["allOf"]]
            self._merged[id(node)] = merge(parts)
            self._kept.append(node)
        return self._merged[id(node)]

    def strings(self) -> list[str]:
        """Every const and enum text of the revision, sorted."""
        found: set[str] = set()
        for node in self.nodes():
            values = [node["const"]] if "const" in node else node.get("enum", [])
            found.update(value for value in values if isinstance(value, str))
        return sorted(found)

    def member_names(self) -> list[str]:
        """Every member name of the revision, sorted."""
        names: set[str] = set()
        for node in self.nodes():
            names.update(node.get("properties", {}))
        return sorted(names)

    def number_members(self) -> set[str]:
        """The members (or the maps, for their entries) whose numbers are stored as doubles."""
        names: set[str] = set()
        for node in self.nodes():
            for name, value in node.get("properties", {}).items():
                if self._is_number(value):
                    names.add(name)
        return names

    def _is_number(self, node: Node) -> bool:
        node = self.concrete(node)
        kinds = node.get("type", [])
        kinds = kinds if isinstance(kinds, list) else [kinds]
        inner = list(node.get("anyOf", []))
        if isinstance(node.get("additionalProperties"), dict):
            inner.append(node["additionalProperties"])
        return "number" in kinds or any(self._is_number(part) for part in inner if "$ref" not in part)

    def nodes(self) -> list[Node]:
        """Every schema node of the document, without following references."""
        found: list[Node] = []
        todo = list(self.definitions.values())
        while todo:
            node = todo.pop()
            found.append(node)
            todo.extend(children(node))
        return found


def children(node: Node) -> list[Node]:
    """The schemas directly inside a schema."""
    inner = list(node.get("properties", {}).values())
    inner += list(node.get("anyOf", [])) + list(node.get("allOf", []))
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            inner.append(node[key])
    return inner


def merge(parts: list[Node]) -> Node:
    """One schema that says what all parts say together."""
    result: Node = {}
    for part in parts:
        for key, value in part.items():
            if key not in result:
                result[key] = value
            elif result[key] != value:
                result[key] = _combine(key, result[key], value)
    return result


def _combine(key: str, a: Any, b: Any) -> Any:
    if key in ANNOTATIONS:
        return a
    if key == "required":
        return list(a) + [name for name in b if name not in a]
    if key == "properties":
        both = dict(a)
        for name, value in b.items():
            both[name] = {"allOf": [a[name], value]} if name in a and a[name] != value else value
        return both
    if key in UPPER_IS_TIGHTER:
        return max(a, b)
    if key in LOWER_IS_TIGHTER:
        return min(a, b)
    raise SchemaError(f"allOf with two different {key}")


def load(revision: str, schema_dir: Path = SCHEMA_DIR, errata: bool = True) -> Document:
    """A revision's schema; by default with its errata applied."""
    root = json.loads((schema_dir / revision / "schema.json").read_text(encoding="utf-8"))
    for name in lineage(revision, schema_dir) if errata else ():
        for erratum in errata_of(name, schema_dir):
            if name == revision or _stands(root, erratum):
                _apply_erratum(root, erratum, f"{name}.json")
    return Document(revision, root)


def errata_of(revision: str, schema_dir: Path) -> list[Node]:
    """The corrections that are stated for a revision."""
    path = schema_dir / "errata" / f"{revision}.json"
    return list(json.loads(path.read_text(encoding="utf-8"))["errata"]) if path.exists() else []


def lineage(revision: str, schema_dir: Path = SCHEMA_DIR) -> list[str]:
    """A revision, and those whose facts hold for it too, the nearest first."""
    table = json.loads((schema_dir / "revisions.json").read_text(encoding="utf-8"))
    like = {row["revision"]: row.get("like") for row in table["revisions"]}
    found = [revision]
    while like.get(found[-1]):
        found.append(like[found[-1]])
    return found


def _stands(root: Any, erratum: Node) -> bool:
    """Whether a correction of another revision finds what it expects."""
    try:
        _apply_erratum(copy.deepcopy(root), erratum, "")
    except (SchemaError, LookupError, TypeError):
        return False
    return True
