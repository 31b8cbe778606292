# SPDX-License-Identifier: MIT
"""Compares projections between revisions with the schemas of both.

Random values of every method's params and result are projected to every other revision that has them. The
output must be valid there; every member of the source is in it, equal, or was reported as dropped; what
was dropped is unknown to the target's schema (or open text that does not fit it); what the source's schema
names and the target's does not never comes through; what is there besides came from the values that the
caller gave. If the value, completed by these values, is valid in the target, projection must not fail.

Example: python3 -m tests.oracle.project --driver build/oracle_project --count 12
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any, Optional

from tests.oracle import documents, drive, jsontext, values
from tests.oracle.documents import Document, Node, escape_token
from tests.oracle.labels import Labeller, shown

SHOWN = 20  # differences that are printed
TEXT_SHOWN = 1000
DEFAULT_COUNT = 12
MUTATED = 0.2  # share of values that are changed after they were made: they only must not do harm
CUT = "..."  # what a path that did not fit begins with
REFUSED = "MCPW_E_PROJECTION"
FILLS: dict[str, Any] = {
    "resultType": "complete",
    "ttlMs": 0,
    "cacheScope": "private",
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "oracle", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@dataclass(frozen=True)
class Part:
    """The params or the result of a method in one revision, and what it is called there."""

    method: str
    part: str
    name: str


@dataclass(frozen=True)
class Sample:
    part: Part
    text: bytes
    value: Any
    valid: bool


@dataclass(frozen=True)
class Answer:
    """output is None where the projection was refused; error says why."""

    output: Optional[bytes] = None
    dropped: tuple[str, ...] = ()
    error: str = ""
    code: str = ""
    path: str = ""


class Revision:
    """A revision's schema with what is looked up in it."""

    def __init__(self, name: str, schema_dir: Path) -> None:
        self.name = name
        self.doc: Document = documents.load(name, schema_dir)
        self.labeller = Labeller(self.doc)
        self.raw = set(self._raw_nodes(schema_dir))

    def _raw_nodes(self, schema_dir: Path) -> Iterable[int]:
        """The schemas whose values the library keeps as text, though they name members."""
        for entry in json.loads((schema_dir / "raw.json").read_text(encoding="utf-8"))["raw"]:
            for place in entry["at"]:
                definition, _, member = place.partition(".")
                node = self.doc.definitions.get(definition, {})
                found = node.get("properties", {}).get(member) if member else node
                if found:
                    yield id(self.doc.concrete(found))

    def node(self, name: str) -> Node:
        """A definition, or the inline object at the end of a path of members."""
        first, *members = name.split(".")
        node = self.doc.definitions[first]
        for member in members:
            node = node["properties"][member]
        return node

    def forms(self, node: Node, value: Any) -> list[Node]:
        """The possible types of a value: the schema, or the alternatives that accept it."""
        node = self.doc.concrete(node)
        if "anyOf" not in node:
            return [node]
        fitting = [inner for inner in node["anyOf"] if self.labeller.accepts(inner, value)]
        return [form for inner in fitting for form in self.forms(inner, value)]

    def is_text(self, node: Node) -> bool:
        """Whether the library keeps a value of this schema as text."""
        if id(node) in self.raw:
            return True
        typed = isinstance(node.get("additionalProperties"), dict) and node["additionalProperties"]
        kinds = values.kinds_of(node)
        return kinds in ([], ["object"]) and not node.get("properties") and not typed


class Comparison:
    """One projection, looked at member by member."""

    def __init__(self, source: Revision, target: Revision, dropped: Iterable[str]) -> None:
        self.source = source
        self.target = target
        self.dropped = set(dropped)
        self.used: set[str] = set()
        self.wrong: list[str] = []

    def _was_dropped(self, path: str) -> bool:
        path = shown(path)
        for told in self.dropped:
            if told == path or (told.startswith(CUT) and path.endswith(told[len(CUT) :])):
                self.used.add(told)
                return True
        return False

    def value(self, a: Any, b: Any, from_node: Node, to_node: Node, path: str) -> None:
        from_forms = self.source.forms(from_node, a)
        to_forms = self.target.forms(to_node, b)
        if isinstance(a, list) and not isinstance(b, list) and len(a) == 1:
            self.value(a[0], b, _items(from_forms), to_node, path + "/0")
        elif any(self.target.is_text(form) for form in to_forms):
            self._same(a, b, path)
        elif isinstance(a, dict) and isinstance(b, dict):
            self._members(a, b, from_forms, to_forms, path)
        elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            for i, (x, y) in enumerate(zip(a, b)):
                self.value(x, y, _items(from_forms), _items(to_forms), f"{path}/{i}")
        else:
            self._same(a, b, path)

    def _same(self, a: Any, b: Any, path: str) -> None:
        if not _same(a, b):
            self.wrong.append(f"{path!r} changed")

    def _members(self, a: Node, b: Node, from_forms: list[Node], to_forms: list[Node], path: str) -> None:
        for name, value in a.items():
            place = f"{path}/{escape_token(name)}"
            if name in b and not _named_by_any(from_forms, name) and self._was_dropped(place):
                # The source's value does not fit; the target wants the member, and has it from the context.
                self._check_drop(value, name, from_forms, to_forms, place)
                self._check_fill(name, b[name], to_forms, place)
            elif name in b:
                if _named_by_all(from_forms, name) and not _named_by_any(to_forms, name):
                    self.wrong.append(f"{place!r} comes through, though the target lacks it")
                inner = (_inner(from_forms, name), _inner(to_forms, name))
                self.value(value, b[name], *inner, place)
            elif self._was_dropped(place):
                self._check_drop(value, name, from_forms, to_forms, place)
            else:
                self.wrong.append(f"{place!r} is lost")
        for name in b.keys() - a.keys():
            self._check_fill(name, b[name], to_forms, f"{path}/{escape_token(name)}")

    def _check_drop(
        self, value: Any, name: str, from_forms: list[Node], to_forms: list[Node], place: str
    ) -> None:
        named = [form["properties"][name] for form in to_forms if name in form.get("properties", {})]
        if any(not self.target.labeller.accepts(node, value) for node in named):
            return  # it does not fit
        if len(named) == len(to_forms):
            self.wrong.append(f"{place!r} is dropped, though the target takes it")
        elif not _named_by_any(from_forms, name):
            self.wrong.append(f"{place!r} is dropped, though neither side names it")

    def _check_fill(self, name: str, value: Any, to_forms: list[Node], place: str) -> None:
        if name in FILLS:
            self._same(FILLS[name], value, place)
        elif isinstance(value, dict) and any(name in form.get("required", ()) for form in to_forms):
            inner = self.target.forms(_inner(to_forms, name), value)
            for member in value:
                self._check_fill(member, value[member], inner, f"{place}/{escape_token(member)}")
        else:
            self.wrong.append(f"{place!r} comes from nowhere")

    def finish(self) -> list[str]:
        for path in sorted(self.dropped - self.used):
            self.wrong.append(f"{path!r} is said to be dropped")
        return self.wrong


def _items(forms: list[Node]) -> Node:
    """The schema of an array's items."""
    found: list[Node] = [form["items"] for form in forms if "items" in form]
    return found[0] if found else {}


def _inner(forms: list[Node], name: str) -> Node:
    """The schema of a member: the first that names it, else what all other members must be."""
    for form in forms:
        if name in form.get("properties", {}):
            found: Node = form["properties"][name]
            return found
    for form in forms:
        if isinstance(form.get("additionalProperties"), dict):
            other: Node = form["additionalProperties"]
            return other
    return {}


def _named_by_all(forms: list[Node], name: str) -> bool:
    return bool(forms) and all(name in form.get("properties", {}) for form in forms)


def _named_by_any(forms: list[Node], name: str) -> bool:
    return any(name in form.get("properties", {}) for form in forms)


def _same(a: Any, b: Any) -> bool:
    """Equal values; a number that is not whole may have been stored as a double."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[name], b[name]) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    numbers = (int, Decimal)
    if isinstance(a, numbers) and isinstance(b, numbers) and not isinstance(a, bool) | isinstance(b, bool):
        return bool(a == b) or float(a) == float(b)
    return type(a) is type(b) and bool(a == b)


def completed(target: Revision, node: Node, value: Any) -> Any:
    """The value with what the target requires and FILLS has."""
    node = target.doc.concrete(node)
    if not isinstance(value, dict):
        return value
    result = dict(value)
    for name in node.get("required", ()):
        inner = node.get("properties", {}).get(name, {})
        if name in FILLS:
            result.setdefault(name, FILLS[name])
        elif target.doc.concrete(inner).get("properties"):
            result[name] = completed(target, inner, result.get(name, {}))
    return result


def _is_alone(source: Revision, target: Revision, error: str) -> bool:
    """Whether what was refused is an alternative that the source alone has. The target may take it for
    another one with unknown members, but that says something else: a choice becomes free text."""
    found = re.search(r"\t(\w+) cannot be expressed", error)
    return found is not None and found[1] in source.doc.definitions.keys() - target.doc.definitions.keys()


def parts_of(driver: str) -> dict[str, list[Part]]:
    """By revision, every method's params and result."""
    listed = subprocess.run([driver, "types"], stdout=subprocess.PIPE, check=True).stdout.decode()
    found: dict[str, list[Part]] = {}
    for line in listed.splitlines():
        revision, method, part, name = line.split(" ")
        found.setdefault(revision, []).append(Part(method, part, name))
    return found


def make_samples(revision: Revision, part: Part, count: int, seed: int) -> list[Sample]:
    rng = Random(f"{seed}/{revision.name}/{part.method}/{part.part}")
    node = revision.node(part.name)
    breaker = values.Breaker(revision.doc, rng)
    samples = []
    for _ in range(count):
        made = values.Maker(revision.doc, rng, values.random_shape(rng)).make(node)
        if rng.random() < MUTATED:
            made = breaker.mutate(made)
        text = jsontext.write(made, rng, jsontext.random_spelling(rng))
        value = jsontext.read(text)
        samples.append(Sample(part, text, value, revision.labeller.accepts(node, value)))
    return samples


def ask(
    driver: str, mode: str, source: str, target: str, samples: Sequence[Sample]
) -> list[Optional[Answer]]:
    """The projections of the samples; None for one that is not a value of the source."""
    fills = json.dumps(FILLS).encode()
    parts = []
    for sample in samples:
        head = f"{mode} {source} {target} {sample.part.method} {sample.part.part}"
        parts += [f"{head} {len(sample.text)} {len(fills)}\n".encode(), sample.text, fills, b"\n"]
    done = subprocess.run([driver], input=b"".join(parts), stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise drive.DriverError(f"the driver ended with status {done.returncode} from {source} to {target}")
    return list(_answers(done.stdout, len(samples)))


def _answers(text: bytes, count: int) -> Iterable[Optional[Answer]]:
    at = 0
    for _ in range(count):
        end = text.index(b"\n", at)
        line = text[at:end].decode("utf-8", "backslashreplace")
        at = end + 1
        if line.startswith("1 "):
            length, drops = map(int, line[2:].split(" "))
            output = text[at : at + length]
            at += length + 1
            dropped = []
            for _ in range(drops):
                end = text.index(b"\n", at)
                dropped.append(text[at:end].decode("utf-8", "backslashreplace"))
                at = end + 1
            yield Answer(output, tuple(dropped))
        elif line.startswith("0 "):
            code, _, path = line[2:].partition("\t")[0].split(" ", 2)
            yield Answer(error=line[2:], code=code, path=path)
        elif line.startswith("- "):
            yield None
        else:
            raise drive.DriverError(f"the driver answered {line!r}")


class Judge:
    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.shown = 0

    def differs(self, what: str, source: Revision, target: Revision, sample: Sample, answer: Answer) -> None:
        self.counts["differences"] += 1
        if self.shown < SHOWN:
            self.shown += 1
            output = (answer.output or b"").decode("utf-8", "backslashreplace") or answer.error
            print(
                f"{what}: {sample.part.method} {sample.part.part}, {source.name} to {target.name}\n"
                f"  text     {sample.text.decode()[:TEXT_SHOWN]!r}\n  output   {output[:TEXT_SHOWN]!r}\n"
                f"  dropped  {', '.join(answer.dropped)[:TEXT_SHOWN]!r}"
            )

    def judge(
        self, source: Revision, target: Revision, sample: Sample, name: str, answer: Optional[Answer]
    ) -> None:
        """A projection; name is what the part is called in the target."""
        if answer is None:
            if sample.valid:
                self.differs("a valid value is not read", source, target, sample, Answer())
            return
        if not sample.valid:
            self.counts["invalid values"] += 1
            return
        node = target.node(name)
        self.counts["projections"] += 1
        if answer.output is None:
            self.counts["refused"] += 1
            if answer.code != REFUSED:
                self.differs("refused for another reason", source, target, sample, answer)
            elif not _is_alone(source, target, answer.error) and target.labeller.accepts(
                node, completed(target, node, sample.value)
            ):
                self.differs("refused, though it could be said", source, target, sample, answer)
            return
        output = jsontext.read(answer.output)
        if not target.labeller.accepts(node, output):
            self.differs("the output is not valid", source, target, sample, answer)
            return
        self.counts["dropped members"] += len(answer.dropped)
        comparison = Comparison(source, target, answer.dropped)
        comparison.value(sample.value, output, source.node(sample.part.name), node, "")
        for wrong in comparison.finish():
            self.differs(wrong, source, target, sample, answer)

    def judge_adapted(
        self,
        source: Revision,
        target: Revision,
        sample: Sample,
        name: str,
        plain: Optional[Answer],
        adapted: Optional[Answer],
    ) -> None:
        """A projection with substitutes: valid, and the same where none was needed."""
        if not sample.valid or plain is None or adapted is None:
            return
        if adapted.output is None:
            if plain.output is not None:
                self.differs("refused with substitutes alone", source, target, sample, adapted)
            return
        self.counts["substituted"] += plain.output is None
        if not target.labeller.accepts(target.node(name), jsontext.read(adapted.output)):
            self.differs("the output with substitutes is not valid", source, target, sample, adapted)
        elif plain.output not in (None, adapted.output) and b'"content":[]' not in (plain.output or b""):
            self.differs("changed without need", source, target, sample, adapted)


def check_pair(
    judge: Judge, driver: str, source: Revision, target: Revision, names: dict[tuple[str, str], str],
    samples: Sequence[Sample],
) -> None:  # fmt: skip
    fitting = [sample for sample in samples if (sample.part.method, sample.part.part) in names]
    plain = ask(driver, "p", source.name, target.name, fitting)
    adapted = ask(driver, "a", source.name, target.name, fitting)
    for sample, one, other in zip(fitting, plain, adapted):
        name = names[sample.part.method, sample.part.part]
        judge.judge(source, target, sample, name, one)
        judge.judge_adapted(source, target, sample, name, one, other)


def parse_arguments(arguments: Optional[Sequence[str]] = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="project", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--driver", required=True, type=drive.program, help="built from project_driver.c")
    parser.add_argument(
        "--count", type=int, default=DEFAULT_COUNT, help="values of each params and result (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--revision", action="append", help="project from this one only; may be repeated")
    parser.add_argument("--method", action="append", help="check this one only; may be repeated")
    parser.add_argument("--schema-dir", type=Path, default=documents.SCHEMA_DIR)
    options = parser.parse_args(arguments)
    wrong = documents.unknown_revision(options.revision, options.schema_dir)
    if wrong:
        parser.error(wrong)
    return options


def main() -> int:
    options = parse_arguments()
    started = time.monotonic()
    parts = parts_of(options.driver)
    revisions = {name: Revision(name, options.schema_dir) for name in parts}
    judge = Judge()
    for name in options.revision or parts:
        samples = [
            sample
            for part in parts[name]
            if part.method in (options.method or [part.method])
            for sample in make_samples(revisions[name], part, options.count, options.seed)
        ]
        for other in parts:
            if other != name:
                names = {(part.method, part.part): part.name for part in parts[other]}
                check_pair(judge, options.driver, revisions[name], revisions[other], names, samples)
    counts = judge.counts
    print(
        f"{counts['projections']} projections, {counts['refused']} refused, {counts['substituted']} with "
        f"substitutes, {counts['dropped members']} members dropped, {counts['invalid values']} invalid "
        f"values survived, {counts['differences']} differences, {time.monotonic() - started:.1f} s"
    )
    if counts["projections"] == 0 or counts["refused"] * 2 > counts["projections"]:
        print("too few values could be projected", file=sys.stderr)
        return 1
    return 1 if counts["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
