# SPDX-License-Identifier: MIT
"""Compares the library's verdicts with those of python-jsonschema.

For every definition of a revision it takes all single faults (faults.py) and random values (values.py),
spells them as text, and asks both sides. Also checked: that validate, decode and the all-errors mode agree,
that errors name a place that jsonschema names, that a union is decoded as the alternative that the schema
(or, where several fit, schema/unions.json) says, and that decode then encode gives an equal value.

Example: python3 -m tests.oracle.oracle --driver build/oracle_driver --count 5000
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Optional

from tests.oracle import alternatives, documents, drive, faults, jsontext, values
from tests.oracle.labels import Labeller, places
from tests.oracle.rules import Rules, read_rules

SHOWN = 20  # differences that are printed
BATCH = 2000  # values that go through the driver in one run
MUTATED = 0.5  # share of random values that are changed after they were made
LEAST_VALID = 0.4
TEXT_SHOWN = 400
DEFAULT_COUNT = 5000
CUT = "..."  # what a path that did not fit begins with
# A documented limit: the library stops reading alternatives again when that costs too much. The verdict then
# stands at the place that it had come to.
WORK_LIMIT = "MCPW_E_WORK"


@dataclass(frozen=True)
class Task:
    """One definition's share of the work; picklable, for worker processes."""

    schema_dir: Path
    driver: str
    also: Sequence[str]  # drivers that must answer alike
    revision: str
    definition: str
    count: int
    seed: str


@dataclass(frozen=True)
class Sample:
    """A text with what the schema says about it."""

    definition: str
    text: bytes
    value: Any
    valid: bool
    case: Optional[faults.Case] = None


@dataclass(frozen=True)
class Difference:
    what: str
    revision: str
    definition: str
    text: bytes
    expected: str
    got: str

    def __str__(self) -> str:
        text = self.text.decode("utf-8")
        shown = text if len(text) <= TEXT_SHOWN else text[:TEXT_SHOWN] + f"... ({len(self.text)} bytes)"
        return (
            f"{self.what}: {self.revision} {self.definition}\n  text      {shown!r}\n"
            f"  expected  {self.expected}\n  got       {self.got}"
        )


@dataclass
class Tally:
    """The outcome: counts by name, and the differences."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.counts.update(other.counts)
        self.differences += other.differences[: max(0, SHOWN - len(self.differences))]


@dataclass(frozen=True)
class Tools:
    """Data that is read once for a revision and process."""

    doc: documents.Document
    labeller: Labeller
    rules: Rules


@cache
def tools_of(schema_dir: Path, revision: str) -> Tools:
    doc = documents.load(revision, schema_dir)
    return Tools(doc, Labeller(doc), Rules(doc, read_rules(schema_dir, revision)))


def fault_samples(tools: Tools, definition: str, seed: str) -> Iterator[Sample]:
    """The single faults of a definition and their valid companions, each as text."""
    rng = Random(f"{seed}/{tools.doc.revision}/{definition}/spelling")
    for case in faults.FaultMaker(tools.doc, tools.rules, definition, seed).cases():
        text = jsontext.write(case.value, rng, jsontext.random_spelling(rng))
        value = jsontext.read(text)
        yield Sample(definition, text, value, tools.labeller.is_valid(definition, value), case)


def random_samples(tools: Tools, definition: str, seed: str, count: int) -> Iterator[Sample]:
    rng = Random(f"{seed}/{tools.doc.revision}/{definition}/random")
    breaker = values.Breaker(tools.doc, rng)
    for _ in range(count):
        made = values.random_value(tools.doc, breaker, definition, rng, rng.random() < MUTATED)
        text = jsontext.write(made, rng, jsontext.random_spelling(rng))
        value = jsontext.read(text)
        yield Sample(definition, text, value, tools.labeller.is_valid(definition, value))


def _is_at(path: str, allowed: set[str]) -> bool:
    if path.startswith(CUT):
        return any(place.endswith(path[len(CUT) :]) for place in allowed)
    return path in allowed


class Judge:
    """Compares answers with labels and keeps count."""

    def __init__(self, tools: Tools) -> None:
        self.doc = tools.doc
        self.labeller = tools.labeller
        self.numbers = frozenset(tools.doc.number_members())
        self.choice = alternatives.Choice(tools.doc, tools.labeller, tools.rules)
        self.tally = Tally()

    def differs(self, what: str, sample: Sample, expected: str, got: object) -> None:
        self.tally.counts["differences"] += 1
        self.tally.counts[f"difference: {what}"] += 1
        if len(self.tally.differences) < SHOWN:
            found = Difference(what, self.doc.revision, sample.definition, sample.text, expected, str(got))
            self.tally.differences.append(found)

    def judge(self, sample: Sample, answer: drive.Answer) -> None:
        counts = self.tally.counts
        counts["values"] += 1
        counts["valid"] += sample.valid
        if answer.disagreement is not None:
            self.differs("the library disagrees with itself", sample, "one verdict", answer)
        elif answer.valid != sample.valid:
            named = sorted(places(self.labeller.errors(sample.definition, sample.value)))
            expected = "valid" if sample.valid else "invalid at " + ", ".join(map(repr, named))
            self.differs("verdict", sample, expected, answer)
        elif sample.valid:
            self._judge_output(sample, answer)
        self._judge_case(sample, answer)

    def _judge_output(self, sample: Sample, answer: drive.Answer) -> None:
        self.tally.counts["round trips"] += 1
        output = answer.output or b""
        try:
            equal = jsontext.same(sample.value, jsontext.read(output), self.numbers)
        except ValueError:
            equal = False
        if not equal:
            self.differs("round trip", sample, "an equal value", output)
        self._judge_alternatives(sample, answer)

    def _judge_alternatives(self, sample: Sample, answer: drive.Answer) -> None:
        """Items of arrays are compared one by one, in their order."""
        expected = self.choice.expected(sample.definition, sample.value)
        seen: Counter[str] = Counter()
        for place, name in answer.alternatives:
            wanted = expected.get(place, [])[seen[place] :][:1]
            seen[place] += 1
            if wanted and wanted[0] is not None:
                self.tally.counts["alternatives"] += 1
                if name != wanted[0]:
                    self.differs(f"alternative at {place!r}", sample, wanted[0], name)

    def _judge_case(self, sample: Sample, answer: drive.Answer) -> None:
        case = sample.case
        if case is None:
            return
        if not case.keyword:
            if not sample.valid:
                self.differs("the oracle made an invalid value", sample, "valid", "invalid")
            return
        self.tally.counts["faults"] += 1
        if sample.valid:
            self.tally.counts["faults swallowed"] += 1
        elif answer.error is not None:
            self._judge_pointer(sample, case, answer.error)

    def _judge_pointer(self, sample: Sample, case: faults.Case, error: drive.Report) -> None:
        errors = self.labeller.errors(sample.definition, sample.value)
        named = places(errors)
        alone = case.unions == 0 and case.keyword != "anyOf"
        if case.pointer not in named or (alone and named != {case.pointer}):
            self.differs("jsonschema names another place", sample, case.pointer, sorted(named))
        path = error.path
        if path == case.pointer:
            self.tally.counts["faults exact"] += 1
        elif error.code == WORK_LIMIT:
            self.tally.counts["faults at the limit"] += 1
        elif case.allows(path):
            where = "at" if path == case.union else "inside"
            self.tally.counts[f"faults {where} their union"] += 1
        else:
            self.differs(f"place of a broken {case.keyword}", sample, repr(case.pointer), repr(path))

    def judge_errors(self, sample: Sample, answer: drive.Answer, reports: list[drive.Report]) -> None:
        """All errors of an invalid value: the first is the verdict's, and each stands at a named place."""
        if answer.error is None or not reports:
            return
        named = places(self.labeller.errors(sample.definition, sample.value))
        self.tally.counts["errors"] += len(reports)
        if reports[0] != answer.error:
            self.differs("first of all errors", sample, str(answer), reports[0])
        for report in reports:
            if report.code != WORK_LIMIT and not _is_at(report.path, named):
                self.differs("place of an error", sample, "one of " + ", ".join(sorted(named)), report)


def check_definition(task: Task) -> Tally:
    """Everything about one definition."""
    tools = tools_of(task.schema_dir, task.revision)
    judge = Judge(tools)
    samples = list(fault_samples(tools, task.definition, task.seed))
    samples += random_samples(tools, task.definition, task.seed, task.count)
    for start in range(0, len(samples), BATCH):
        _check_batch(judge, task, samples[start : start + BATCH])
    return judge.tally


def _check_batch(judge: Judge, task: Task, samples: Sequence[Sample]) -> None:
    requests = [drive.Request(task.revision, task.definition, sample.text) for sample in samples]
    try:
        answers = drive.ask(task.driver, "a", requests)
        lists = drive.ask_all_errors(task.driver, requests)
    except drive.DriverError as error:
        judge.differs("crash", samples[0], "an answer", error)
        return
    for driver in task.also:
        _compare(judge, samples, answers, driver, requests)
    for sample, answer, reports in zip(samples, answers, lists):
        judge.judge(sample, answer)
        judge.judge_errors(sample, answer, reports)


def _compare(
    judge: Judge,
    samples: Sequence[Sample],
    answers: Sequence[drive.Answer],
    driver: str,
    requests: Sequence[drive.Request],
) -> None:
    """Another build of the library says the same to the letter."""
    try:
        others = drive.ask(driver, "a", requests)
    except drive.DriverError as error:
        judge.differs(f"crash of {driver}", samples[0], "an answer", error)
        return
    for sample, answer, other in zip(samples, answers, others):
        if other != answer:
            judge.differs(f"answer of {driver}", sample, str(answer), other)


def check_revision(revision: str, options: argparse.Namespace) -> Tally:
    doc = tools_of(options.schema_dir, revision).doc
    names = [name for name in sorted(doc.definitions) if name in (options.definition or [name])]
    share = -(-options.count // max(1, len(names)))
    tasks = [
        Task(options.schema_dir, options.driver, options.also, revision, name, share, str(options.seed))
        for name in names
    ]
    total = Tally()
    if options.jobs == 1:
        for task in tasks:
            total.add(check_definition(task))
        return total
    with ProcessPoolExecutor(options.jobs) as pool:
        for part in pool.map(check_definition, tasks):
            total.add(part)
    return total


def summary(revision: str, tally: Tally, seconds: float) -> str:
    counts = tally.counts
    share = 100.0 * counts["valid"] / max(1, counts["values"])
    return (
        f"{revision}: {counts['values']} values, {share:.1f} % valid, {counts['differences']} differences, "
        f"{counts['round trips']} round trips, {counts['alternatives']} alternatives, "
        f"{counts['errors']} places of errors, {seconds:.1f} s\n"
        f"  {counts['faults']} single faults: {counts['faults exact']} at the exact place, "
        f"{counts['faults at their union']} at their union, {counts['faults inside their union']} elsewhere "
        f"in it, {counts['faults at the limit']} where re-reading met its limit, "
        f"{counts['faults swallowed']} accepted by another alternative"
        + "".join(f"\n  {name}: {counts[name]}" for name in sorted(counts) if name.startswith("difference: "))
    )


def parse_arguments(arguments: Optional[Sequence[str]] = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="oracle", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--driver", required=True, type=drive.program, help="the program built from driver.c")
    parser.add_argument(
        "--also", action="append", default=[], type=drive.program, help="another one, which must answer alike"
    )
    parser.add_argument("--revision", action="append", help="check this one only; may be repeated")
    parser.add_argument("--definition", action="append", help="check this one only; may be repeated")
    parser.add_argument(
        "--count", type=int, default=DEFAULT_COUNT, help="random values a revision (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes (%(default)s)")
    parser.add_argument("--schema-dir", type=Path, default=documents.SCHEMA_DIR)
    options = parser.parse_args(arguments)
    wrong = documents.unknown_revision(options.revision, options.schema_dir)
    if wrong:
        parser.error(wrong)
    return options


def main() -> int:
    options = parse_arguments()
    failed = False
    shown = 0
    values_seen = 0
    for revision in options.revision or documents.revisions(options.schema_dir):
        started = time.monotonic()
        tally = check_revision(revision, options)
        for difference in tally.differences[: max(0, SHOWN - shown)]:
            print(difference)
            shown += 1
        print(summary(revision, tally, time.monotonic() - started), flush=True)
        values_seen += tally.counts["values"]
        too_few = tally.counts["valid"] < LEAST_VALID * tally.counts["values"]
        if too_few:
            print(f"{revision}: fewer than {LEAST_VALID:.0%} of the values are valid")
        failed = failed or too_few or tally.counts["differences"] > 0
    if values_seen == 0:
        print("no revision has such a definition", file=sys.stderr)
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
