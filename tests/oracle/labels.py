# SPDX-License-Identifier: MIT
"""Verdicts of python-jsonschema, with numbers taken exactly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

import jsonschema

from tests.oracle import old_jsonschema
from tests.oracle.documents import Document, Node, pointer_of

CLASSES = {
    "http://json-schema.org/draft-07/schema#": jsonschema.Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": jsonschema.Draft201909Validator,
    "https://json-schema.org/draft/2020-12/schema": jsonschema.Draft202012Validator,
}
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


def _is_integer(checker: Any, value: Any) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, Decimal) and value == value.to_integral_value())


def _is_number(checker: Any, value: Any) -> bool:
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


class Labeller:
    """Validates values of one revision. A validator per schema node is kept, because jsonschema makes a new
    one at each step and spends most of its time on that."""

    def __init__(self, doc: Document) -> None:
        self.doc = doc
        self._validators: dict[int, Any] = {}
        self._kept: list[Any] = []
        old_jsonschema.mend()
        base = CLASSES[doc.dialect]
        checker = base.TYPE_CHECKER.redefine_many({"integer": _is_integer, "number": _is_number})
        self._class = jsonschema.validators.extend(base, {"$ref": self._ref}, type_checker=checker)
        self._class.evolve = lambda validator, schema, **_: self._validator(schema)
        base.check_schema(doc.root)

    def _validator(self, schema: Any) -> Any:
        found = self._validators.get(id(schema))
        if found is None:
            found = self._validators[id(schema)] = self._class(schema)
            self._kept.append(schema)
        return found

    def _ref(self, validator: Any, ref: str, instance: Any, schema: Node) -> Iterator[Any]:
        yield from self._validator(self.doc.resolve(ref)).iter_errors(instance)

    def is_valid(self, definition: str, value: Any) -> bool:
        return bool(self._validator(self.doc.definitions[definition]).is_valid(value))

    def accepts(self, node: Node, value: Any) -> bool:
        """The same for a schema inside a definition."""
        return bool(self._validator(node).is_valid(value))

    def errors(self, definition: str, value: Any) -> list[Any]:
        return list(self._validator(self.doc.definitions[definition]).iter_errors(value))


def shown(pointer: str) -> str:
    """A pointer as the library shows it: control characters as \\xHH, byte by byte."""
    return CONTROLS.sub(lambda match: "".join(f"\\x{byte:02x}" for byte in match.group().encode()), pointer)


def places(errors: Iterable[Any], above: tuple[object, ...] = ()) -> set[str]:
    """The places of errors, with those inside the alternatives of a union."""
    found: set[str] = set()
    for error in errors:
        path = above + tuple(error.path)
        found.add(shown(pointer_of(list(path))))
        found |= places(error.context or (), path)
    return found
