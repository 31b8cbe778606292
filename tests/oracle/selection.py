# SPDX-License-Identifier: MIT
"""The intended alternative of a union for a value, though it may be broken."""

from __future__ import annotations

from typing import Any

from tests.oracle.documents import Document, Node
from tests.oracle.rules import Rules
from tests.oracle.values import is_tag, kinds_of


def kind_of(value: Any) -> str:
    """The JSON type of a value; a number is an integer when it is written as one."""
    if value is None:
        return "null"
    for kind, classes in (
        ("object", dict),
        ("array", list),
        ("string", str),
        ("boolean", bool),
        ("integer", int),
    ):
        if isinstance(value, classes):
            return kind
    return "number"


def tag_values(doc: Document, node: Node) -> dict[str, frozenset[str]]:
    """The tags that every form of an alternative has, each with the values that it may take."""
    node = doc.concrete(node)
    if "anyOf" in node:
        forms = [tag_values(doc, inner) for inner in node["anyOf"]]
        common = set(forms[0]).intersection(*forms[1:])
        return {name: frozenset().union(*(form[name] for form in forms)) for name in common}
    tags = {
        name: doc.concrete(inner) for name, inner in node.get("properties", {}).items() if is_tag(doc, inner)
    }
    return {name: frozenset(map(repr, _allowed(tag))) for name, tag in tags.items()}


def _allowed(tag: Node) -> list[Any]:
    return [tag["const"]] if "const" in tag else list(tag["enum"])


def deciding_tags(doc: Document, alternatives: list[Node]) -> set[str]:
    """The tags whose values differ between alternatives."""
    objects = [node for node in alternatives if kinds_of(doc.concrete(node)) in ([], ["object"])]
    values = [tag_values(doc, node) for node in objects]
    names = {name for tags in values for name in tags}
    return {name for name in names if len({tags.get(name) for tags in values}) > 1}


def may_be(doc: Document, node: Node, value: Any, deciding: set[str]) -> bool:
    """Whether a value could be meant as this alternative: by its JSON type and the deciding tags."""
    node = doc.concrete(node)
    if "anyOf" in node:
        return any(may_be(doc, inner, value, deciding) for inner in node["anyOf"])
    kinds = ["number" if kind == "integer" else kind for kind in kinds_of(node)]
    kind = "number" if kind_of(value) == "integer" else kind_of(value)
    if kinds and kind not in kinds:
        return False
    if not isinstance(value, dict):
        return True
    return all(
        _tag_fits(doc.concrete(inner), value, name, name in node.get("required", ()))
        for name, inner in node.get("properties", {}).items()
        if name in deciding and is_tag(doc, inner)
    )


def _tag_fits(node: Node, value: dict[str, Any], name: str, required: bool) -> bool:
    if name not in value:
        return not required
    return repr(value[name]) in map(repr, _allowed(node))


def _complete(doc: Document, node: Node, value: Any) -> bool:
    node = doc.concrete(node)
    return not isinstance(value, dict) or all(name in value for name in node.get("required", ()))


def selected(doc: Document, rules: Rules, union: Node, value: Any) -> list[int]:
    """The alternatives that a value could be meant as. A rule of schema/unions.json decides, else the JSON
    type and the tags; presence of all required members decides last."""
    alternatives: list[Node] = union["anyOf"]
    chosen = rules.choose(union, value)
    if chosen is not None:
        return [i for i, node in enumerate(alternatives) if chosen in rules.leaves(node)]
    deciding = deciding_tags(doc, alternatives)
    fitting = [i for i, node in enumerate(alternatives) if may_be(doc, node, value, deciding)]
    if len(fitting) > 1:
        complete = [i for i in fitting if _complete(doc, alternatives[i], value)]
        if len(complete) == 1:
            return complete
    return fitting
