# SPDX-License-Identifier: MIT
"""Messages whose envelopes have their members in every order, with escapes in their strings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from random import Random
from typing import Any

from tests.oracle import documents, jsontext, values

ID = "kéy-1"
SPELLINGS = (jsontext.PLAIN, jsontext.Spelling(escape=0.3), jsontext.Spelling(escape=1.0, space=0.1))
ERROR = {"data": {"d": ["é"]}, "message": "mé", "code": -32000}
EXTRA = ("extra", {"é": ["x"]})
RESULTS = 4  # values for each order


def id_sum() -> int:
    """The target's use of the id, to choose the method that a response answers."""
    return sum(ID.encode())


def shuffled(value: Any, rng: Random) -> Any:
    """The value with the members of all its objects in another order, so that tags come late."""
    if isinstance(value, list):
        return [shuffled(item, rng) for item in value]
    if not isinstance(value, dict):
        return value
    names = list(value)
    rng.shuffle(names)
    return {name: shuffled(value[name], rng) for name in names}


def in_every_order(names: Sequence[str], make: Callable[[str], Any], rng: Random) -> Iterator[bytes]:
    """Each order of the members, every other one with a member among them that JSON-RPC does not name."""
    for number, order in enumerate(permutations(names)):
        members = [(name, make(name)) for name in order]
        if number % 2:
            members.insert(rng.randrange(len(members) + 1), EXTRA)
        yield jsontext.write(dict(members), rng, rng.choice(SPELLINGS))


def messages(
    doc: documents.Document, fixed: dict[str, Any], name: str, node: documents.Node, rng: Random
) -> Iterator[bytes]:
    """Messages with those members and one more, which has another value of its type each time."""

    def make(member: str) -> Any:
        if member != name:
            return fixed[member]
        return shuffled(values.Maker(doc, rng, values.random_shape(rng)).make(node), rng)

    yield from in_every_order([*fixed, name], make, rng)


def requests(doc: documents.Document, method: str, params: documents.Node, rng: Random) -> Iterator[bytes]:
    yield from messages(doc, {"jsonrpc": "2.0", "id": ID, "method": method}, "params", params, rng)


def results(doc: documents.Document, result: documents.Node, rng: Random) -> Iterator[bytes]:
    for _ in range(RESULTS):
        yield from messages(doc, {"jsonrpc": "2.0", "id": ID}, "result", result, rng)


def errors(rng: Random) -> Iterator[bytes]:
    members = {"jsonrpc": "2.0", "id": ID, "error": ERROR}
    yield from in_every_order(list(members), members.__getitem__, rng)
