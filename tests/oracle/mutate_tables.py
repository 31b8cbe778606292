# SPDX-License-Identifier: MIT
"""Spoils every entry of the generated tables and looks whether the short run of the oracle notices.

The samples of the short run are labelled and written to a file; oracle_mutant (mutant.c) tries every mutation
on them. A mutation that nothing notices needs an entry in survivors.json that says why it is harmless; an
entry that matches no survivor is stale, and both fail.

Example: python3 -m tests.oracle.mutate_tables --driver build/oracle_mutant
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

from tests.oracle import documents, drive, faults, oracle

SURVIVORS = Path(__file__).resolve().with_name("survivors.json")


@dataclass(frozen=True)
class Task:
    """One revision's share of the work; picklable, for worker processes."""

    schema_dir: Path
    driver: str
    revision: str
    count: int
    seed: str


@dataclass
class Outcome:
    """The fate of a revision's mutations."""

    revision: str
    killed: Counter[str] = field(default_factory=Counter)
    survived: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    samples: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Excuse:
    """Why a mutation may survive. The pattern must match "REVISION MUTATION" as a whole."""

    pattern: str
    reason: str

    def covers(self, revision: str, mutation: str) -> bool:
        return re.fullmatch(self.pattern, f"{revision} {mutation}") is not None


def read_excuses(path: Path) -> list[Excuse]:
    rows = json.loads(path.read_text(encoding="utf-8"))["survivors"]
    return [Excuse(str(row["mutation"]), str(row["reason"])) for row in rows]


def sample_head(sample: oracle.Sample) -> str:
    """The line in front of a sample's text; mutant.c says what it means."""
    mode, pointer, union = "-", "", ""
    case: Optional[faults.Case] = sample.case
    if case is not None and case.keyword and not sample.valid:
        pointer = case.pointer
        mode = "=" if case.union is None else "i" if case.ambiguous else "u"
        union = case.union or ""
    fields = (sample.definition, str(int(sample.valid)), mode, pointer, union, str(len(sample.text)))
    return "\t".join(fields) + "\n"


def samples_of(task: Task) -> Iterator[oracle.Sample]:
    """The short run: all single faults, then the random values."""
    tools = oracle.tools_of(task.schema_dir, task.revision)
    share = -(-task.count // len(tools.doc.definitions))
    for name in sorted(tools.doc.definitions):
        yield from oracle.fault_samples(tools, name, task.seed)
        yield from oracle.random_samples(tools, name, task.seed, share)


def run_revision(task: Task) -> Outcome:
    """Tries every mutation of one revision."""
    started = time.monotonic()
    outcome = Outcome(task.revision)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "samples"
        with path.open("wb") as file:
            for sample in samples_of(task):
                file.write(sample_head(sample).encode() + sample.text + b"\n")
                outcome.samples += 1
        done = subprocess.run(
            [task.driver, task.revision, str(path)], stdout=subprocess.PIPE, text=True, check=False
        )
    if done.returncode != 0:
        outcome.problems.append(f"{task.revision}: the driver ended with status {done.returncode}")
    for line in done.stdout.splitlines():
        state, how, name = line.split("\t", 2)
        if state == "killed":
            outcome.killed[how] += 1
        elif state == "survived":
            outcome.survived.append(name)
        else:
            outcome.problems.append(f"{task.revision}: the {how} of {name} differs without any mutation")
    outcome.seconds = time.monotonic() - started
    return outcome


def report(outcome: Outcome, excuses: Sequence[Excuse], used: set[Excuse]) -> bool:
    """Prints a revision's outcome; whether all survivors are excused."""
    excused = 0
    unexcused: list[str] = []
    for mutation in outcome.survived:
        found = [excuse for excuse in excuses if excuse.covers(outcome.revision, mutation)]
        used.update(found[:1])
        excused += bool(found)
        if not found:
            unexcused.append(mutation)
    total = sum(outcome.killed.values()) + len(outcome.survived)
    how = ", ".join(f"{count} by {name}" for name, count in sorted(outcome.killed.items()))
    print(
        f"{outcome.revision}: {outcome.samples} samples, {total} mutations: {how}; {excused} survive for a "
        f"known reason, {len(unexcused)} without one, {outcome.seconds:.1f} s"
    )
    for line in outcome.problems:
        print(f"  {line}")
    for mutation in unexcused:
        print(f"  survived: {outcome.revision} {mutation}")
    return not unexcused and not outcome.problems


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="mutate_tables", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--driver", required=True, type=drive.program, help="the program built from mutant*.c"
    )
    only = "try this one only; may be repeated"
    parser.add_argument("--revision", action="append", help=only)
    parser.add_argument("--count", type=int, default=oracle.DEFAULT_COUNT, help="random values (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes (%(default)s)")
    parser.add_argument("--survivors", type=Path, default=SURVIVORS)
    parser.add_argument("--list", action="store_true", help="list the known survivors with their reasons")
    parser.add_argument("--schema-dir", type=Path, default=documents.SCHEMA_DIR)
    options = parser.parse_args()
    wrong = documents.unknown_revision(options.revision, options.schema_dir)
    if wrong:
        parser.error(wrong)
    return options


def main() -> int:
    options = parse_arguments()
    excuses = read_excuses(options.survivors)
    names = options.revision or documents.revisions(options.schema_dir)
    seed = str(options.seed)
    tasks = [Task(options.schema_dir, options.driver, name, options.count, seed) for name in names]
    used: set[Excuse] = set()
    good = True
    with ProcessPoolExecutor(options.jobs) as pool:
        for outcome in pool.map(run_revision, tasks):
            good = report(outcome, excuses, used) and good
            sys.stdout.flush()
            if options.list:
                _list_known(outcome, excuses)
    stale = [] if options.revision else [excuse for excuse in excuses if excuse not in used]
    for excuse in stale:
        print(f"no mutation survives that {excuse.pattern!r} would match")
    return 0 if good and not stale else 1


def _list_known(outcome: Outcome, excuses: Sequence[Excuse]) -> None:
    for mutation in outcome.survived:
        for excuse in excuses:
            if excuse.covers(outcome.revision, mutation):
                print(f"  {outcome.revision} {mutation}\n    {excuse.reason}")
                break


if __name__ == "__main__":
    sys.exit(main())
