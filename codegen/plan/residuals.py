# SPDX-License-Identifier: MIT
"""Values of which a schema demands more than the tables of the codec say: in tables a union of one, which
stores nothing but its alternative and names the demand. In C nothing of it is seen."""

from __future__ import annotations

from typing import Dict, NamedTuple, Optional, Tuple

from codegen.model.nodes import Node
from codegen.model.resolve import Index
from codegen.plan.cplan import Alternative, DemandEntry, Ref, UnionEntry, Value
from codegen.plan.tables import TableBuilder
from codegen.plan.unions import are_apart, label


class _Known(NamedTuple):
    """The node that a union of one stands for."""

    inner: Value
    texts: Tuple[str, ...]
    name: str
    alternative: str
    bits: int


class Residuals:
    """Makes these unions."""

    def __init__(self, index: Index, builder: TableBuilder) -> None:
        self._index = index
        self._builder = builder
        self._known: Dict[int, _Known] = {}

    def wrap(self, node: Node, value: Value, name: str) -> Value:
        """A value with what its node demands; the value itself where that is nothing."""
        texts = self._texts(node)
        if not texts:
            return value
        return self._wrapped(_Known(value, texts, name, label(node), self._index.bits(node)))

    def later(self, node: Node) -> Optional[Value]:
        """A shape with what its node demands, which fill() completes; None where that is nothing."""
        return Value(Ref("UNION", self._builder.unions.take()), None) if self._texts(node) else None

    def fill(self, later: Value, node: Node, inner: Value, name: str) -> Value:
        """Completes such a shape."""
        known = _Known(inner, self._texts(node), name, label(node), self._index.bits(node))
        self._known[later.ref.index] = known
        self._builder.unions.put(later.ref.index, self._entry(known))
        return later

    def has(self, value: Value) -> bool:
        """Whether a value is such a union."""
        return value.ref.kind == "UNION" and value.ref.index in self._known

    def inner(self, value: Value) -> Value:
        """The node that such a union stands for; any other node itself."""
        return self._known[value.ref.index].inner if self.has(value) else value

    def again(self, value: Value, inner: Value) -> Value:
        """The same demand of another form of the value."""
        known = self._known[value.ref.index]
        return value if known.inner == inner else self._wrapped(known._replace(inner=inner))

    def _texts(self, node: Node) -> Tuple[str, ...]:
        residuals = getattr(node, "residuals", ())
        return tuple(d.text for d in residuals if not d.apart or not are_apart(self._index, d.apart))

    def _wrapped(self, known: _Known) -> Value:
        index = self._builder.unions.add(self._entry(known))
        self._known[index] = known
        return Value(Ref("UNION", index), known.inner.c_type)

    def _entry(self, known: _Known) -> UnionEntry:
        alternative = Alternative(known.alternative, known.inner.ref, known.bits)
        residual = self._builder.residuals.add(DemandEntry(known.texts))
        flags = ("BARE", "RESIDUAL")
        return UnionEntry(known.name, known.inner.c_type, (alternative,), (), None, flags, residual)
