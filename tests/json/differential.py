# SPDX-License-Identifier: MIT
"""Compares mcpwire's verdicts and values with those of json-c and of Python's json.

    python3 tests/json/differential.py --program BUILD/tests/json/json_verdicts --texts 20000 --seed 1

The texts are the cases of cases.txt and seeded mutations of them. If the others are right, all agree.
Otherwise the difference is one of those listed here, each of which has its case in cases.txt.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import re
import struct
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

SKIPPED = 77
LEVELS = 400
LONGEST = 1 << 20
MUTABLE = 400
INT64_MIN, INT64_MAX, UINT64_MAX = -(1 << 63), (1 << 63) - 1, (1 << 64) - 1
CASES = Path(__file__).with_name("cases.txt")

# ---- Texts -------------------------------------------------------------------------------------------------

PLAIN = re.compile(rb"%\{(\d+)\*(.[^}]*)\}|%([0-9A-F]{2})", re.S)


def expand(text: bytes) -> bytes:
    """A text of cases.txt as it is meant: %HH and %{N*text} undone."""

    def one(match: re.Match[bytes]) -> bytes:
        if match.group(3) is not None:
            return bytes([int(match.group(3), 16)])
        return int(match.group(1)) * expand(match.group(2))

    return PLAIN.sub(one, text)


@dataclass(frozen=True)
class Case:
    """A line of cases.txt."""

    text: bytes
    accept: bool
    why: str


def read_cases() -> List[Case]:
    cases = []
    for line in CASES.read_bytes().splitlines():
        if line and not line.startswith(b"#"):
            verdict, text, why = line.split(b"\t")
            cases.append(Case(expand(text), verdict.endswith(b"accept"), why.decode()))
    return cases


ODD = [
    b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"0", b"1", b"-", b"+", b".", b"e", b"E", b" ", b"\n",
    b"\x00", b"\x1f", b"\x7f", b"\x80", b"\xc3\xa9", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xff", b"null",
    b"true", b"NaN", b"\\u", b"\\ud83d", b"\\ude00", b"\\u0000", b"\\n", b"/", b"1e5",
    b"12345678901234567890",
]  # fmt: skip


def mutate(rng: random.Random, texts: Sequence[bytes]) -> bytes:
    """One to three small changes of a text, or a piece of another one put into it."""
    text = bytearray(rng.choice(texts))
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(text))
        kind = rng.randrange(6)
        if kind == 0:
            text[at:at] = rng.choice(ODD)
        elif kind == 1:
            del text[at : at + rng.randint(1, 3)]
        elif kind == 2 and at < len(text):
            text[at] = rng.randrange(256)
        elif kind == 3:
            text[at : at + 1] = rng.choice(ODD)
        elif kind == 4:
            other = rng.choice(texts)
            start = rng.randint(0, len(other))
            text[at:at] = other[start : start + rng.randint(1, 12)]
        else:
            text = bytearray(rng.choice([b"[%s]", b'{"k":%s}', b" %s ", b"[0,%s,%s]"]).replace(b"%s", text))
    return bytes(text)


# ---- Python ------------------------------------------------------------------------------------------------


class Refused(Exception):
    """Python's json takes no such text."""


@dataclass
class Parsed:
    """A value as Python reads it, numbers as they are written, members in order."""

    value: Any = None
    constants: bool = False
    surrogates: bool = False
    integers: List[int] = field(default_factory=list)


@dataclass(frozen=True)
class Number:
    text: str

    @property
    def plain(self) -> bool:
        return not set(self.text) & set(".eE")


class Members(List[Tuple[str, Any]]):
    """An object."""


def parse(text: bytes) -> Parsed:
    out = Parsed()

    def constant(_: str) -> None:
        out.constants = True

    def check(value: Any) -> None:
        if isinstance(value, str):
            out.surrogates |= any(0xD800 <= ord(c) <= 0xDFFF for c in value)
        elif isinstance(value, Members):
            for name, member in value:
                check(name)
                check(member)
        elif isinstance(value, list):
            for item in value:
                check(item)

    try:
        out.value = json.loads(
            text.decode("utf-8"), object_pairs_hook=Members, parse_float=Number, parse_int=Number,
            parse_constant=constant,
        )  # fmt: skip
    except (ValueError, RecursionError) as why:
        raise Refused(str(why)) from why
    check(out.value)
    return out


def bits(value: float) -> str:
    return "d" + struct.pack(">d", value).hex()


def our_number(number: Number) -> str:
    if number.plain and INT64_MIN <= int(number.text[:40]) <= INT64_MAX and len(number.text) < 21:
        return f"i{int(number.text)}"
    value = float(number.text)
    return "o" if value in (float("inf"), float("-inf")) else bits(value)


def their_number(number: Number) -> str:
    """As json-c holds it: integers end at INT64_MIN and UINT64_MAX, doubles at infinity."""
    if number.plain:
        digits = number.text[:40]
        return f"i{min(max(int(digits), INT64_MIN), UINT64_MAX)}"
    return bits(float(number.text))


def dump(value: Any, number: Callable[[Number], str], merge: bool) -> str:
    """A value in the form of verdicts.c. merge: the last member of a name, which ends at a NUL, stays."""
    if value is None or isinstance(value, bool):
        return {None: "n", True: "t", False: "f"}[value]
    if isinstance(value, str):
        return "s" + value.encode("utf-8").hex()
    if isinstance(value, Number):
        return number(value)
    if isinstance(value, Members):
        members: Sequence[Tuple[str, Any]] = value
        if merge:
            last: Dict[str, Any] = {}
            for name, member in value:
                last[name.split("\0")[0]] = member
            members = list(last.items())
        inner = (f"{dump(n, number, merge)}:{dump(v, number, merge)}," for n, v in members)
        return "{" + "".join(inner) + "}"
    return "[" + "".join(dump(item, number, merge) + "," for item in value) + "]"


# ---- What is known to differ -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """A kind of text that one of the others takes against RFC 8259, or against our choice."""

    who: str
    what: str
    case: str  # the text of a case in cases.txt
    shows: Callable[[bytes, Optional[Parsed]], bool]


def outside_strings(text: bytes) -> bytes:
    return re.sub(rb'"(?:[^"\\]|\\.)*"', b'""', text, flags=re.S)


def matches(pattern: bytes, everywhere: bool = False) -> Callable[[bytes, Optional[Parsed]], bool]:
    compiled = re.compile(pattern, re.S)

    def shows(text: bytes, _: Optional[Parsed]) -> bool:
        return compiled.search(text if everywhere else outside_strings(text)) is not None

    return shows


def has_constants(_: bytes, parsed: Optional[Parsed]) -> bool:
    return parsed is not None and parsed.constants


def has_surrogates(_: bytes, parsed: Optional[Parsed]) -> bool:
    return parsed is not None and parsed.surrogates


def is_no_utf8(text: bytes, _: Optional[Parsed]) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


DIFFERENCES = [
    Difference("python", "NaN, Infinity and -Infinity", "NaN", has_constants),
    Difference("python", "lone surrogates by number", r'"\uD800"', has_surrogates),
    Difference("json-c", "NaN and Infinity", "NaN", matches(rb"NaN|Infinity")),
    Difference("json-c", "leading zeros", "00", matches(rb"(?<![\d.eE+-])-?0\d")),
    Difference("json-c", "no digit after the point", "1.", matches(rb"\.(?!\d)")),
    Difference("json-c", "no digit before the point", "-.5", matches(rb"(?<!\d)\.\d")),
    Difference("json-c", "control characters in strings", '"a\tb"', matches(rb'"[^"]*[\x00-\x1f]', True)),
    Difference("json-c", "lone surrogates by number", r'"\uD800"', has_surrogates),
    Difference("json-c", "overlong forms, surrogates and more in UTF-8", '"\xc0\xaf"', is_no_utf8),
    Difference("json-c", "apostrophes around names", "{'a':1}", matches(rb"'")),
    Difference("json-c", "what follows a NUL after the value", "1\0", matches(rb"\0", True)),
]


def explain(who: str, text: bytes, parsed: Optional[Parsed]) -> Optional[Difference]:
    for difference in DIFFERENCES:
        if difference.who == who and difference.shows(text, parsed):
            return difference
    return None


# ---- The comparison ----------------------------------------------------------------------------------------


@dataclass
class Outcome:
    failures: int = 0
    agreed: int = 0
    seen: Dict[Difference, int] = field(default_factory=dict)

    def fail(self, text: bytes, what: str) -> None:
        self.failures += 1
        if self.failures <= 20:
            print(f"{text[:200]!r}: {what}")

    def verdict(self, who: str, text: bytes, ours: bool, theirs: bool, parsed: Optional[Parsed]) -> bool:
        """Notes two verdicts; whether both took the text."""
        if ours == theirs:
            self.agreed += 1
            return ours
        difference = explain(who, text, parsed) if theirs else None
        if difference is None:
            self.fail(text, f"{who} {'takes' if theirs else 'refuses'} it, mcpwire does not agree")
        else:
            self.seen[difference] = self.seen.get(difference, 0) + 1
        return False


def compare(out: Outcome, text: bytes, answer: str) -> None:
    ours, _, theirs = answer.partition("\t")
    parsed: Optional[Parsed] = None
    with contextlib.suppress(Refused):
        parsed = parse(text)
    both = out.verdict("python", text, ours != "-", parsed is not None, parsed)
    if both and parsed is not None and dump(parsed.value, our_number, False) != ours:
        out.fail(text, f"Python's value is {dump(parsed.value, our_number, False)[:200]}, ours {ours[:200]}")
    if theirs and out.verdict("json-c", text, ours != "-", theirs != "-", parsed) and parsed is not None:
        expected = dump(parsed.value, their_number, True)
        if expected != theirs:
            out.fail(text, f"json-c's value is {theirs[:200]}, expected {expected[:200]}")


def ask(program: Path, texts: Sequence[bytes]) -> List[str]:
    said = "".join(text.hex() + "\n" for text in texts)
    done = subprocess.run([str(program)], input=said, capture_output=True, text=True, check=False)
    if done.returncode != 0 or done.stdout.count("\n") != len(texts):
        raise SystemExit(f"{program.name} ended with {done.returncode}: {done.stderr}")
    return done.stdout.splitlines()


def depth_of(text: bytes) -> int:
    return max(text.count(b"["), text.count(b"{"))


def run(program: Path, count: int, seed: int) -> int:
    rng = random.Random(seed)
    cases = [case.text for case in read_cases() if depth_of(case.text) < LEVELS]
    small = [text for text in cases if len(text) < MUTABLE]
    texts = cases + [mutate(rng, small) for _ in range(count)]
    answers = ask(program, texts)
    out = Outcome()
    for text, answer in zip(texts, answers):
        compare(out, text, answer)
    has_json_c = "\t" in answers[0]
    print(f"{len(cases)} cases and {count} mutations (seed {seed}): {out.agreed} verdicts agree")
    for difference in DIFFERENCES:
        times = out.seen.get(difference, 0)
        print(f"  {difference.who} takes {difference.what}: {times}")
        if difference.case.encode("latin-1") not in cases:
            out.fail(difference.case.encode("latin-1"), "a difference without its case")
    if not has_json_c:
        print("json-c was not there to compare with")
    return 1 if out.failures else 0


def main(argv: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description="Compare verdicts with json-c and Python.")
    parser.add_argument("--program", type=Path, required=True, help="the built json_verdicts")
    parser.add_argument("--texts", type=int, default=20000, help="mutations beside the cases")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(argv)
    return run(arguments.program, arguments.texts, arguments.seed)


if __name__ == "__main__":
    sys.exit(main())
