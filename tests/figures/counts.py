# SPDX-License-Identifier: MIT
"""The figures that do not depend on the clock: instructions, sizes, and the rows of the table "Reliability".

A row is named by its first cell. Its figures are deterministic, but for fuzzing, whose row says how long
it ran.
"""

from __future__ import annotations

import math
import re
import tempfile
from pathlib import Path
from typing import Callable, Dict, List, Sequence

from tests.figures.programs import Build, Failure, Skip, numbers, run
from tests.small import building
from tests.small import firmware as boards
from tests.small.building import CORTEX_M4, HOST, Machine
from tests.small.sizes import COMPILER

SOAK_STEP = 256  # KiB; below that it depends on the C library

# The table's names for the kinds of tools/portability.sh.
KIND_WORDS = {
    "m32": "32-bit x86",
    "s390x": "s390x (big endian, under QEMU)",
    "aarch64": "aarch64 (under QEMU)",
    "musl": "musl",
    "sanitize": "AddressSanitizer and UndefinedBehaviorSanitizer",
    "msan": "MemorySanitizer",
    "aliasing": "LTO with strict aliasing",
    "valgrind": "valgrind (without the oracle)",
    "tsan": "ThreadSanitizer (the tests with threads)",
    "poll": "HTTP by `poll()`",
    "mingw": "Windows by mingw-w64 (the unit tests under Wine)",
    "wasm": "WebAssembly (the unit tests in wasmtime and Node)",
}


def need_compiler(*machines: Machine) -> None:
    """Skip unless it is the one that the page's figures are for."""
    for machine in machines:
        try:
            version = machine.version()
        except building.Skip as why:
            raise Skip(str(why)) from why
        if version != COMPILER:
            raise Skip(f"the figures are for gcc {COMPILER}; {machine.compiler} is {version}")


def instructions(build: Build) -> str:
    """Instructions a byte of decoding, by class, for both paths of x86-64; a request of a session."""
    need_compiler(HOST)
    build.output("bench_corpus")
    rows = r"\| (?:small|list|text|call|blob) \| [\w ]+ \| ([\d.]+) \|"
    plain = [f"{figure:.1f}" for (figure,) in numbers(rows, build.output("bench_instructions_plain"))]
    wide = [f"{figure:.1f}" for (figure,) in numbers(rows, build.output("bench_instructions_avx2"))]
    requests = numbers(r"\| \w+ \| [\d-]+ \| (\d+) \|", build.output("bench_session_instructions"))
    stateless, handshake = _about(requests[0][0]), _about(requests[2][0])
    return (
        "| instructions, counted by callgrind | small | list | text | call | blob |\n|-|-:|-:|-:|-:|-:|\n"
        f"| decode, a byte, SSE2 | {' | '.join(plain)} |\n"
        f"| decode, a byte, AVX2 | {' | '.join(wide)} |\n\n"
        f"A request to the echo server: {stateless} instructions (2026-07-28), {handshake} (2025-11-25).\n"
    )


def _about(count: float) -> str:
    """To two digits: the last ones change with the C library."""
    return f"{round(count, -2):,.0f}"


def _login(build: Build) -> float:
    """KiB that a login adds to a client over HTTP."""
    if not (build.folder / "runtime/libmcpwire-http-login.a").exists():
        raise Skip("the build has no logins over HTTP, which need libcurl and libsodium")
    (added,) = numbers(r"a login adds (\d+) bytes", run(["tools/login_size.sh", str(build.folder)]))
    return added[0] / 1024


def sizes(build: Build) -> str:
    """KiB of small builds: the table by option, the range over the revisions, and a login."""
    need_compiler(HOST, CORTEX_M4)
    login = _login(build)
    output = run(["tools/sizes.sh"])
    tables = re.findall(r"^\| .*\n(?:\|.*\n)+", output, re.MULTILINE)
    if len(tables) != 2:
        raise Failure(f"sizes printed no two tables:\n{output}")
    everything = numbers(r"\| 20[\d-]+ \| ([\d.]+) \+ [\d.]+ \| ([\d.]+) \|", tables[1])
    host, arm = zip(*everything)
    return (
        f"{tables[0]}\nEverything that one revision has takes {min(host)} to {max(host)} KiB on x86-64"
        f" and {min(arm)} to {max(arm)} on the Cortex-M4, by revision.\n"
        f"\nA login (`mcpwire::http_login`) adds about {round(login, -1):.0f} KiB"
        " to a client over HTTP on x86-64.\n"
    )


def firmware(build: Build) -> str:
    """Flash, memory and stack of the example firmware, run in QEMU."""
    need_compiler(CORTEX_M4)
    with tempfile.TemporaryDirectory(prefix="mcpw-firmware-") as folder:
        try:
            return boards.table(boards.measure(Path(folder)))
        except building.Skip as why:
            raise Skip(str(why)) from why
        except building.Failure as why:
            raise Failure(str(why)) from why


def _faults(build: Build) -> str:
    faults = sum(count for (count,) in numbers(r"(\d+) single faults", build.output(r"oracle\.20.*")))
    return f"{faults:,.0f}; each error at the place jsonschema names or in its union"


def _examples(build: Build) -> str:
    count, failures = numbers(r"(\d+) examples, (\d+) failures", build.output(r"oracle\.examples"))[0]
    return f"{count:.0f} valid, {count - failures:.0f} survive the round trip"


def _projected(build: Build) -> str:
    output = build.output(r"oracle\.projection")
    count, differences = numbers(r"(\d+) projections.* (\d+) differences", output)[0]
    return f"{count:,.0f}, {differences:.0f} differences"


def _interop(build: Build) -> str:
    names = build.names("interop[.](?!conformance|nginx|http_|python_|oauth_|scopes|keep_output).*")
    return f"{len(names)} tests, all five revisions"


def _interop_http(build: Build) -> str:
    return f"{len(build.names('interop[.]http_(?!client_ours).*'))} tests, both eras"


def _logins(build: Build) -> str:
    return f"{len(build.names('interop[.]oauth_.*'))} tests"


def _grammar(build: Build) -> str:
    output = build.output(r"json\.cases")
    cases, checks, failures = numbers(r"(\d+) cases, (\d+) checks, (\d+) failures", output)[0]
    return f"{cases:.0f} cases, {checks:,.0f} checks a path, {failures:.0f} failures"


def _texts(build: Build) -> str:
    cases, mutations = numbers(r"(\d+) cases and (\d+) mutations", build.output(r"json\.differential"))[0]
    return f"{cases + mutations:,.0f} texts; every difference is of a kind on a documented list"


SHORT: Dict[str, Callable[[Build], str]] = {
    "single faults, one for each keyword that a definition reaches": _faults,
    "published examples of 2026-07-28": _examples,
    "values projected between revisions, every method and pair, python-jsonschema as judge": _projected,
    "interop over stdio with the TypeScript SDKs 1.x and 2.x, their server, the Inspector": _interop,
    "interop over HTTP with the SDKs of TypeScript, Python, Go and Rust, the Inspector": _interop_http,
    "logins at oidc-provider: ours, and those of the SDKs of TypeScript, Python and Go": _logins,
    "JSON grammar, each case at every place of a SIMD block, through every reader": _grammar,
    "verdicts against json-c and Python's json": _texts,
}


def short(build: Build) -> Dict[str, str]:
    """Rows that take a minute; those that cannot be measured here are left out, and it says why."""
    rows: Dict[str, str] = {}
    for what, figure in SHORT.items():
        try:
            rows[what] = figure(build)
        except Skip as why:
            print(f"skipped: {what}: {why}")
    return rows


def limits(build: Build) -> Dict[str, str]:
    """The row about hostile sizes, which takes some minutes."""
    pieces, steep = numbers(r"(\d+) pieces of work, (\d+) not flat", build.output(r"limits\.work.*"))[0]
    return {
        "hostile sizes: work for n against 10 n": (
            f"{pieces:.0f} pieces of work, {steep:.0f} grow faster than the input"
        )
    }


def growth(soaks: Sequence[Sequence[float]]) -> int:
    """KiB, in the steps in which an allocator grows, of rows that begin with KiB."""
    return math.ceil(max(row[0] for row in soaks) / SOAK_STEP) * SOAK_STEP


def long(build: Build) -> Dict[str, str]:
    """Rows that take a quarter of an hour."""
    pattern = r"(\d+) values, ([\d.]+) % valid, (\d+) differences, (\d+) round trips"
    values = numbers(pattern, build.output(r"oracle_long\.20.*"))
    count, trips = sum(row[0] for row in values), sum(row[3] for row in values)
    valid = sum(row[0] * row[1] for row in values) / count
    differences = sum(row[2] for row in values)
    mutations = numbers(
        r"(\d+) mutations: .* (\d+) survive for a known", build.output(r"oracle_long\.table_mutation")
    )
    soak = r"RSS \d+ KiB, \+(\d+) since.*in use, \+(\d+); (\d+) allocations more"
    messages = numbers(soak, build.output(r"soak_long\.(codec|sessions)"))
    sessions = numbers(soak, build.output(r"soak_long\.http"))
    return {
        "verdicts compared with python-jsonschema, five revisions": (
            f"{count:,.0f} values, {valid:.1f} % valid, {differences:.0f} differences"
        ),
        "decode, then encode, compared as JSON values": (
            f"{trips:,.0f} valid values, {differences:.0f} differences"
        ),
        "generated table entries spoiled one way at a time": (
            f"{sum(row[0] for row in mutations):,.0f} mutations; the oracle notices all but "
            f"{sum(row[1] for row in mutations):.0f}, each with its reason"
        ),
        "soak: 10 million messages, 2 million requests through sessions": (
            f"RSS grows by at most {growth(messages)} KiB, "
            f"{sum(row[2] for row in messages):.0f} allocations after warm-up"
        ),
        "soak: 1 million sessions over HTTP, which clients open and leave": (
            f"RSS grows by at most {growth(sessions)} KiB, memory in use by "
            f"{max(row[1] for row in sessions):.0f} bytes"
        ),
    }


def coverage(folder: Path) -> Dict[str, str]:
    """The row about coverage: a build of its own, ten minutes."""
    output = run(["tools/coverage.sh", str(folder / "coverage")], may_fail=True)
    lines, branches = numbers(r"all of runtime/ +\S+ +([\d.]+) +\S+ +([\d.]+)", output)[0]
    unexplained = re.search(r"(\d+) lines that no test reached have no reason", output)
    rest = (
        f"all but {unexplained[1]} of the lines that are left have"
        if unexplained
        else "each line that is left has"
    )
    return {
        "coverage of `runtime/` by the tests, fuzzing apart": (
            f"{lines} % of lines, {branches} % of branches; {rest} a reason"
        )
    }


def machines(folder: Path) -> Dict[str, str]:
    """The row about machines and tools: ten builds, a quarter of an hour."""
    output = run(["tools/portability.sh", "-b", str(folder / "portability"), "all"])
    good: List[str] = re.findall(r"^ok (\w+)$", output, re.MULTILINE)
    return {
        "machines and tools under which the unit tests and a short oracle pass": ", ".join(
            words for kind, words in KIND_WORDS.items() if kind in good
        )
    }


def fuzzing(folder: Path, hours: str) -> Dict[str, str]:
    """The row about fuzzing: as many hours of processor time as are given."""
    output = run(["tools/fuzz.sh", "long", str(folder / "fuzz"), hours])
    runs, _, spent = numbers(r"all +(\d+) +(\d+) \(([\d.]+) hours\)", output)[-1]
    targets = len(set(re.findall(r"^(\w+) +\d+ +\d+ +\d+ +\d+ +\d+$", output, re.MULTILINE)))
    return {
        "fuzzing: libFuzzer with ASan and UBSan": (
            f"{targets} targets, {runs / 1e6:.1f} million executions in {spent:g} hours of processor time "
            "without a finding"
        )
    }
