# SPDX-License-Identifier: MIT
"""Random schemas of every keyword, generated, compiled and judged against python-jsonschema.

Each is a definition of a document of its own dialect. A schema that the generator refuses is left out and
counted by its cause, for a random schema often is one that no value meets.

Example:
  python3 -m tests.history.random_constructs --library build/test/runtime/libmcpwire.a \\
    --pcre2 build/test/runtime/libmcpwire-pcre2.a --documents 20 --seed 3
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import jsonschema

from codegen.emit import output
from codegen.emit.render import generate, generate_common_files
from codegen.errors import Refusal
from codegen.facts.edition import Request, read_edition
from codegen.source.revisions import Revision, Revisions
from codegen.source.revisions import load as load_revisions
from tests.history import build
from tests.oracle import drive, old_jsonschema
from tests.schema.random_schema import D07, D2020, Schemas, value

DEFINITIONS = 24
DEPTH = 3
SHOWN = 10
BEYOND = "12345678901234567890123"
URIS = {
    D07: "http://json-schema.org/draft-07/schema#",
    D2020: "https://json-schema.org/draft/2020-12/schema",
}


def random_document(r: Random, dialect: str) -> dict[str, Any]:
    """A document of which each definition refers to later ones, or from inside a value to any."""
    made = Schemas(r, dialect)
    made.defs = DEFINITIONS
    found = {f"d{number}": made.schema(DEPTH, number + 1) for number in range(DEFINITIONS)}
    return {"$schema": URIS[dialect], "definitions" if dialect == D07 else "$defs": found}


def generated(root: dict[str, Any], revision: str, out: Path) -> tuple[bool, Counter[str]]:
    """Generates what of a document can be; its definitions that are refused are replaced by true."""
    causes: Counter[str] = Counter()
    path = out / "in" / revision / "schema.json"
    path.parent.mkdir(parents=True)
    definitions = root.get("$defs") or root["definitions"]
    for _ in range(2 * DEFINITIONS):
        path.write_text(json.dumps(root), "utf-8")
        try:
            edition = read_edition(
                load_revisions(build.ROOT / "schema"), Request(revision, path, like="none")
            )
            output.write(out, generate(edition.document, edition.facts).files, [revision])
            return True, causes
        except Refusal as refusal:
            for each in refusal.all:
                causes[each.cause] += 1
                name = each.pointer.split("/")[2]
                definitions[name] = True
    return False, causes


def differences(
    driver: str, revision: str, root: dict[str, Any], r: Random, count: int
) -> tuple[int, int, list[str]]:
    """Asks about random values of each definition. Integers that no 64 bits hold are left out."""
    place = "$defs" if "$defs" in root else "definitions"
    validator = jsonschema.validators.validator_for(root)
    samples = [(name, json.dumps(value(r))) for name in root[place] for _ in range(count)]
    samples = [(name, text) for name, text in samples if BEYOND not in text]
    requests = [drive.Request(revision, name, text.encode()) for name, text in samples]
    found: list[str] = []
    valid = 0
    judges = {name: validator({**root, "allOf": [{"$ref": f"#/{place}/{name}"}]}) for name in root[place]}
    for (name, text), answer in zip(samples, drive.ask(driver, "a", requests)):
        expected = old_jsonschema.verdict(judges[name], json.loads(text))
        valid += expected is True
        if expected is not None and answer.valid != expected:
            schema = json.dumps(root[place][name])
            found.append(f"{name}: {schema}\n    {text}: expected {expected}, got {answer}")
    return len(samples), valid, found


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="random_constructs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--pcre2", type=Path, required=True)
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--documents", type=int, default=10)
    parser.add_argument("--count", type=int, default=40, help="values of each definition (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    old_jsonschema.mend()
    r = Random(options.seed)
    causes: Counter[str] = Counter()
    documents: dict[str, dict[str, Any]] = {}
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        for number in range(options.documents):
            revision = f"1000-{1 + number // 28 % 12:02}-{1 + number % 28:02}"
            root = random_document(r, r.choice((D07, D2020, D2020)))
            good, refused = generated(root, revision, out)
            causes += refused
            said = build.compile_revision(options.compiler, out, revision) if good else "not generated"
            if said:
                print(f"{revision}: {said[:2000]}\n{json.dumps(root)[:3000]}")
                failed = True
            else:
                documents[revision] = root
        rows = tuple(Revision(name, "", "", "draft", order) for order, name in enumerate(documents, 1))
        output.write(out, generate_common_files(Revisions([*documents][-1], rows, out)), [])
        libraries = [each.resolve() for each in (options.pcre2, options.library)]
        driver = build.link_driver(options.compiler, out, [*documents], libraries)
        values = valid = 0
        found: list[str] = []
        for revision, root in documents.items():
            asked, accepted, wrong = differences(str(driver), revision, root, r, options.count)
            values, valid, found = values + asked, valid + accepted, found + wrong
    print(f"{len(documents)} documents; definitions refused, by cause:")
    for cause, times in causes.most_common():
        print(f"  {times:4}  {cause}")
    print(f"values: {values}, {100 * valid / max(1, values):.0f} % valid, {len(found)} differences")
    print(*(f"  {line}" for line in found[:SHOWN]), sep="\n")
    return int(bool(found) or failed)


if __name__ == "__main__":
    sys.exit(main())
