# SPDX-License-Identifier: MIT
"""Verdicts of the generated code on values of a schema, against those of python-jsonschema."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any, Optional

import jsonschema

from tests.history.values import Maker
from tests.oracle import drive, jsontext
from tests.oracle.documents import Document
from tests.oracle.labels import Labeller


@dataclass(frozen=True)
class Verdicts:
    """The question about a schema. `unjudged` says why jsonschema has no verdict on it."""

    values: int = 0
    valid: int = 0
    differences: tuple[str, ...] = ()
    unjudged: str = ""


def judge(driver: str, revision: str, data: bytes, count: int, seed: str) -> Verdicts:
    """Asks about `count` values of each definition."""
    root = json.loads(data, parse_float=Decimal)
    root.setdefault("$schema", _dialect(root))
    if "draft-0" in root["$schema"]:
        root = _without_siblings(root)
    try:
        doc = Document(revision, root)
        labeller = Labeller(doc)
    except (KeyError, jsonschema.exceptions.SchemaError) as error:
        return Verdicts(unjudged=f"{type(error).__name__}: {str(error).splitlines()[0]}")
    maker = Maker(doc, Random(f"{seed}/{revision}"))
    samples = [(name, maker.definition(name)) for name in sorted(doc.definitions) for _ in range(count)]
    texts = [jsontext.write(value, maker.rng, jsontext.PLAIN) for _, value in samples]
    requests = [drive.Request(revision, name, text) for (name, _), text in zip(samples, texts)]
    answers = drive.ask(driver, "a", requests)
    found: list[str] = []
    valid = 0
    for (name, _), text, answer in zip(samples, texts, answers):
        expected = labeller.is_valid(name, jsontext.read(text))
        valid += expected
        if answer.valid != expected:
            verdict = "valid" if expected else "invalid"
            found.append(f"{name}: {text.decode('utf-8')[:300]}: expected {verdict}, got {answer}")
    return Verdicts(len(samples), valid, tuple(found))


def _without_siblings(node: Any) -> Any:
    """The older dialects ignore what stands beside a reference, which jsonschema forgets when extended."""
    if isinstance(node, list):
        return [_without_siblings(item) for item in node]
    if not isinstance(node, dict):
        return node
    if isinstance(node.get("$ref"), str):
        return {"$ref": node["$ref"]}
    return {name: _without_siblings(item) for name, item in node.items()}


def _dialect(root: Any) -> Optional[str]:
    if "definitions" in root:
        return "http://json-schema.org/draft-07/schema#"
    return "https://json-schema.org/draft/2020-12/schema"
