# SPDX-License-Identifier: MIT
"""Finds the facts about a revision that also hold for a schema like it: those whose places have the same
shape there.
The others are named, with what to state in their stead."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Dict, Iterable, List, Optional, Set, Tuple

from codegen.errors import Note
from codegen.facts.facts import Capability, CodeFacts, ErrorCode, Facts, Gate, ResultTag, StrictRule
from codegen.model.nodes import (
    ArrayType,
    ConstType,
    Document,
    Node,
    ObjectType,
    RefType,
    StringType,
    UnionType,
)
from codegen.model.resolve import IS_ANY, Index, key
from codegen.model.walk import walk

_WORD_END = re.compile(r"([a-z0-9])([A-Z])")
_ACRONYM_END = re.compile(r"([A-Z]+)([A-Z][a-z])")


def fit(facts: Facts, document: Document, like: Document) -> Tuple[Facts, Tuple[Note, ...]]:
    """The facts that fit a document, given the model of the revision that it is like."""
    fitter = _Fitter(facts, document, like)
    fitted = replace(
        facts,
        docs=facts.docs.without(fitter.other_lines()),
        strict=tuple(fitter.rules()),
        codes=fitter.codes(),
        result_tags=fitter.result_tags(),
        task_results=fitter.task_results(),
        capabilities=fitter.capabilities(),
        gates=tuple(fitter.gates()),
    )
    return fitted, tuple(fitter.notes)


class _Fitter:
    def __init__(self, facts: Facts, document: Document, like: Document) -> None:
        self._facts = facts
        self._index = Index(document)
        self._shapes = _shapes(document)
        self._their_shapes = _shapes(like)
        self._methods = _methods(document)
        self._their_methods = _methods(like)
        self.notes: List[Note] = []

    def other_lines(self) -> Set[str]:
        """The keys of lines about places that hold values of another JSON type now."""
        return {name for name, bits in self._shapes.items() if bits != self._their_shapes.get(name, bits)}

    def rules(self) -> Iterable[StrictRule]:
        """The strict rules whose places, if they are there, hold what the rule is about."""
        for rule in self._facts.strict:
            wanted: Tuple[type, ...] = (StringType, ConstType)
            if rule.rule == "meta-keys":
                wanted = (ObjectType,)
            elif rule.rule.startswith("max-items"):
                wanted = (ArrayType,)
            place = f"{rule.owner}.{rule.path}"
            found = self._nodes(place)
            if all(isinstance(node, wanted) for node in found) or rule.owner == "*":
                yield rule
            else:
                self._note("strict.json", "/rules", f'"{rule.rule}" does not fit {place}: state another rule')

    def _nodes(self, place: str) -> List[Node]:
        nodes = [
            node for d in self._index.document.definitions for node in walk(d.node) if key(node) == place
        ]
        return [self._index.resolve(node) for node in nodes]

    def codes(self) -> CodeFacts:
        """The codes, where a definition of the same name states another one with that."""
        codes = self._facts.codes
        stated = self._stated_codes()
        changed: Dict[int, int] = {}
        own: List[ErrorCode] = []
        for error in codes.own:
            value = stated.get(error.name, error.code)
            if value != error.code:
                changed[error.code] = value
                cause = (
                    f"{error.name} is {error.code}, but the schema states {value}, which is taken: add a row"
                )
                self._note("methods.json", "/error_codes", cause)
            own.append(replace(error, code=value))
        replaced = tuple((code, changed.get(to, to)) for code, to in codes.replaced)
        roles = tuple(changed.get(code, code) for code in codes.roles)
        return CodeFacts(tuple(own), replaced, roles)

    def _stated_codes(self) -> Dict[str, int]:
        """The codes of the definitions that stand for one error each, by the name of the error."""
        found: Dict[str, int] = {}
        for definition in self._index.document.definitions:
            node: Optional[Node] = self._index.resolve(definition.node)
            for member in ("error", "code"):
                inner = _member(node, member)
                node = self._index.resolve(inner) if inner else node if member == "error" else None
            if (
                isinstance(node, ConstType)
                and isinstance(node.value, int)
                and definition.name.endswith("Error")
            ):
                name = definition.name[: -len("Error")]
                parted = _WORD_END.sub(r"\1_\2", _ACRONYM_END.sub(r"\1_\2", name))
                found[parted.upper()] = node.value
        return found

    def result_tags(self) -> Dict[str, ResultTag]:
        """The tags of methods that are answered by definitions which are there."""
        found: Dict[str, ResultTag] = {}
        for method, tag in self._facts.result_tags.items():
            missing = [name for _, name in tag.values if not self._index.has(name)]
            if method in self._methods and not missing and self._same_results(method, tag):
                found[method] = tag
            elif method in self._methods:
                what = f'"{missing[0]}" is no definition' if missing else "its response names other results"
                self._note("methods.json", tag.pointer, f"{method}: {what}: state its results")
        if found:
            member = next(iter(found.values())).member
            for method in sorted(self._methods - self._their_methods):
                result = _result_name(self._methods_owner(method))
                if method not in found and self._index.has(result) and self._requires(result, member):
                    cause = f"{method} is new, and {member} selects its result: state its values"
                    self._note("methods.json", "/result_alternatives", cause)
        return found

    def _methods_owner(self, method: str) -> str:
        return next(
            d.name
            for d in self._index.document.definitions
            if method_of(self._index.resolve(d.node)) == method
        )

    def _requires(self, definition: str, member: str) -> bool:
        node = self._index.resolve(self._index.definition(definition).node)
        return isinstance(node, ObjectType) and any(p.name == member and p.required for p in node.properties)

    def _same_results(self, method: str, tag: ResultTag) -> bool:
        """Whether the response of a method has just the alternatives that a tag of several values names."""
        if len(tag.values) == 1:
            return True
        owner = self._methods_owner(method)
        base = owner[: -len("Request")] if owner.endswith("Request") else owner
        if not self._index.has(f"{base}ResultResponse"):
            return False
        response = self._index.resolve(self._index.definition(f"{base}ResultResponse").node)
        result = _member(response, "result")
        alternatives = getattr(result, "alternatives", ())
        names = {node.name for node in alternatives if isinstance(node, RefType)}
        return names == {name for _, name in tag.values}

    def task_results(self) -> Dict[str, str]:
        found: Dict[str, str] = {}
        for method, name in self._facts.task_results.items():
            if method in self._methods and self._index.has(name):
                found[method] = name
            elif method in self._methods:
                self._note("methods.json", "/task_results", f'{method}: "{name}" is no definition')
        return found

    def capabilities(self) -> Dict[str, Optional[Capability]]:
        """All of them, with a note about each method that has none stated."""
        for method in sorted(self._methods - self._facts.capabilities.keys()):
            cause = f'"{method}" is missing, so nothing gates it: state what it needs, or null'
            self._note("methods.json", "/capabilities/common", cause)
        return dict(self._facts.capabilities)

    def gates(self) -> Iterable[Gate]:
        for gate in self._facts.gates:
            if gate.method in self._methods:
                yield gate
            elif gate.method in self._their_methods:
                cause = f"{gate.method} is gone, so this holds no more"
                self._note("methods.json", gate.capability.pointer, cause)

    def _note(self, file: str, pointer: str, text: str) -> None:
        path = self._facts.file.replace("methods.json", file)
        self.notes.append(Note(path, pointer, f"{text} for {self._facts.revision}"))


def _shapes(document: Document) -> Dict[str, int]:
    """The JSON types of the values at each place."""
    index = Index(document)
    found: Dict[str, int] = {}
    for definition in document.definitions:
        for node in walk(definition.node):
            bits = index.bits(node)
            found[key(node)] = found.get(key(node), 0) | (0 if bits == IS_ANY else bits)
    return found


def _methods(document: Document) -> Set[str]:
    """The methods of the messages that are alternatives of a union. Others are none that sessions send."""
    index = Index(document)
    nodes = (index.resolve(definition.node) for definition in document.definitions)
    unions = (node for node in nodes if isinstance(node, UnionType))
    found = (method_of(index.resolve(each)) for union in unions for each in union.alternatives)
    return {name for name in found if name is not None}


def method_of(node: Node) -> Optional[str]:
    """The method that a message of this type has."""
    member = _member(node, "method")
    return member.value if isinstance(member, ConstType) and isinstance(member.value, str) else None


def _member(node: Optional[Node], name: str) -> Optional[Node]:
    properties = node.properties if isinstance(node, ObjectType) else ()
    return next((member.node for member in properties if member.name == name), None)


def _result_name(request: str) -> str:
    return (request[: -len("Request")] if request.endswith("Request") else request) + "Result"
