# SPDX-License-Identifier: MIT
"""Each documented difference between the library and a JSON Schema validator, as a test.

The library refuses integers beyond 64 bits, doubles that overflow, duplicate members, nesting beyond the
limit, and text that is no JSON or no UTF-8; and it takes numbers by their exact value. Each note is checked
in every revision that has its definition.

Example: python3 -m tests.oracle.verdict_notes --driver build/oracle_driver
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from tests.oracle import documents, drive

VALID = "valid"
SYNTAX, UTF8, TYPE, RANGE = "MCPW_E_SYNTAX", "MCPW_E_UTF8", "MCPW_E_TYPE", "MCPW_E_RANGE"
OVERFLOW, DUPLICATE, DEPTH = "MCPW_E_OVERFLOW", "MCPW_E_DUPLICATE", "MCPW_E_DEPTH"
DEFAULT_DEPTH = 128
TEXT_SHOWN = 100


@dataclass(frozen=True)
class Note:
    about: str
    definition: str
    text: bytes
    verdict: str  # VALID or a status
    path: Optional[str] = None  # where the error stands, when that is part of the note
    output: Optional[bytes] = None  # what comes back, for valid ones
    offset: Optional[int] = None  # where in the text the error stands


def _code(number: str, verdict: str, output: str = "") -> Note:
    """A note about an integer: the code of an error."""
    text = f'{{"code":{number},"message":"m"}}'.encode()
    back = f'{{"code":{output},"message":"m"}}'.encode() if output else None
    return Note("integers by exact value", "Error", text, verdict, None if back else "/code", back)


def _priority(number: str, verdict: str) -> Note:
    path = None if verdict == VALID else "/priority"
    return Note("bounds by exact value", "Annotations", f'{{"priority":{number}}}'.encode(), verdict, path)


def _data(about: str, data: bytes, verdict: str, path: Optional[str] = None) -> Note:
    """A note about a value that no schema describes; it comes back as it was written."""
    text = b'{"code":1,"message":"m","data":' + data + b"}"
    return Note(about, "Error", text, verdict, path, text if verdict == VALID else None)


def _message(about: str, string: bytes, verdict: str) -> Note:
    text = b'{"code":1,"message":"' + string + b'"}'
    return Note(about, "Error", text, verdict)


def _numbers() -> Iterator[Note]:
    for number in ("9223372036854775808", "-9223372036854775809", "1e19", "1e400", "9223372036854775808.0"):
        yield _code(number, OVERFLOW)
    for number in ("1.00000000000000000001", "1.5", "1e-400", "9007199254740992.5", "0.99999999999999999999"):
        yield _code(number, TYPE)
    yield _code("9223372036854775807", VALID, "9223372036854775807")
    yield _code("-9223372036854775808", VALID, "-9223372036854775808")
    yield _code("9007199254740993", VALID, "9007199254740993")
    yield _code("9007199254740993.0", VALID, "9007199254740993")
    yield _code("9007199254740993000e-3", VALID, "9007199254740993")
    yield _code("1.0", VALID, "1")
    yield _code("1e3", VALID, "1000")
    yield _code("0.0000000000000000000001e22", VALID, "1")
    yield _code("-0", VALID, "0")
    yield _code("0e999999999999", VALID, "0")
    for number in ("1.00000000000000000001", "-0.00000000000000000001", "-1e-400", "2", "-1", "1e5"):
        yield _priority(number, RANGE)
    for number in (
        "1",
        "1.0",
        "0",
        "-0.0",
        "0.99999999999999999999",
        "1e-400",
        "100e-2",
        "1.000000000000000000000",
    ):
        yield _priority(number, VALID)


def _doubles() -> Iterator[Note]:
    for number in (
        b"1e400",
        b"-1e400",
        b"1.8e308",
        b"17976931348623159077293051907890247336179769789423e259",
    ):
        text = b'{"progressToken":1,"progress":' + number + b"}"
        yield Note("doubles that overflow", "ProgressNotificationParams", text, OVERFLOW, "/progress")
    for number in (
        b"1.7976931348623157e308",
        b"-1.7976931348623157e308",
        b"5e-324",
        b"1e-400",
        b"9007199254740993",
    ):
        text = b'{"progressToken":1,"progress":' + number + b"}"
        yield Note("doubles that overflow", "ProgressNotificationParams", text, VALID)
    for number in (b"1e400", b"123456789012345678901234567890", b"9007199254740993", b"1.00", b"-0", b"1E+2"):
        yield _data("numbers of raw values keep their text", number, VALID)


def _duplicates() -> Iterator[Note]:
    about = "duplicate members"
    yield Note(about, "Error", b'{"code":1,"code":1,"message":"m"}', DUPLICATE, "/code")
    yield Note(about, "Error", b'{"code":1,"message":"m","\\u0063ode":1}', DUPLICATE)
    yield Note(about, "PromptReference", b'{"type":"ref/prompt","name":"p","type":"ref/prompt"}', DUPLICATE)
    yield Note(
        about, "GetPromptRequestParams", b'{"name":"p","arguments":{"a":"x","b":"y","a":"z"}}', DUPLICATE
    )
    yield _data("duplicates of raw values are kept", b'{"a":1,"a":2}', VALID)
    text = b'{"code":1,"message":"m","x":1,"x":2}'
    yield Note("duplicates of unknown members are kept", "Error", text, VALID, None, text)


def _texts() -> Iterator[Note]:
    whole = b'{"code":1,"message":"m"}'
    for after in (b" x", b"{}", b",", b"\x00", b"//", b"]", b" 1", b"\xef\xbb\xbf"):
        yield Note("text after the value", "Error", whole + after, SYNTAX)
    for before in (b"\xef\xbb\xbf", b"\x0b", b"\x0c", b"/**/"):
        yield Note("text in front of the value", "Error", before + whole, SYNTAX, offset=0)
    for text in (b"", b" ", b"\n\t", b"{", b'{"code"', b'{"code":1', b'{"code":1,', whole[:-1], whole[:-2]):
        yield Note("text that ends early", "Error", text, SYNTAX, offset=len(text))
    for number in (
        b"NaN",
        b"Infinity",
        b"-Infinity",
        b"+1",
        b"01",
        b"-01",
        b".5",
        b"1.",
        b"1e",
        b"1e+",
        b"-",
        b"0x1",
    ):
        yield _data("words and numbers that are not JSON", number, SYNTAX)
    for word in (
        b"nul",
        b"True",
        b"nullx",
        b"'a'",
        b"[1,]",
        b'{"a":1,}',
        b"{a:1}",
        b"[1 2]",
        b'{"a" 1}',
        b"[",
        b"}",
    ):
        yield _data("words and numbers that are not JSON", word, SYNTAX)


def _strings() -> Iterator[Note]:
    for control in (b"\x00", b"\x01", b"\n", b"\t", b"\x1f"):
        yield _message("control characters in strings", b"a" + control + b"b", SYNTAX)
    yield _message("DEL is no control character to JSON", b"a\x7fb", VALID)
    for escape in (b"\\ud800", b"\\udc00", b"\\udc00\\ud800", b"\\ud800x", b"\\ud800\\n", b"\\uD83D\\u0041"):
        yield _message("lone surrogates", b"a" + escape + b"b", UTF8)
        yield _data("lone surrogates in raw values", b'["' + escape + b'"]', UTF8)
    for escape in (b"\\x41", b"\\u12", b"\\u12g4", b"\\'", b"\\"):
        yield _message("escapes that JSON has not", escape, SYNTAX)
    bad = (
        b"\x80",
        b"\xc0\x80",
        b"\xc1\xbf",
        b"\xe0\x80\x80",
        b"\xed\xa0\x80",
        b"\xf0\x80\x80\x80",
        b"\xf4\x90\x80\x80",
    )
    for sequence in (*bad, b"\xf5\x80\x80\x80", b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xc3("):
        yield _message("text that is no UTF-8", b"grammar " + sequence, UTF8)
        yield _message("text that is no UTF-8", sequence + b" and more than sixteen bytes after it", UTF8)
        yield _data("raw text that is no UTF-8", b'{"' + sequence + b'":1}', UTF8)


def _depths() -> Iterator[Note]:
    inner = DEFAULT_DEPTH - 1
    for levels, verdict in ((inner, VALID), (inner + 1, DEPTH), (100000, DEPTH)):
        yield _data("nesting within the limit", b"[" * levels + b"]" * levels, verdict)
        yield _data("nesting within the limit", b'{"a":' * levels + b"1" + b"}" * levels, verdict)


def notes() -> list[Note]:
    found: list[Note] = []
    for group in (_numbers, _doubles, _duplicates, _texts, _strings, _depths):
        found += group()
    return found


def problem(note: Note, answer: drive.Answer) -> str:
    """How the answer departs from the note; empty when it does not."""
    error = answer.error
    got = VALID if error is None else error.code
    if answer.disagreement is not None or got != note.verdict:
        return f"expected {note.verdict}"
    if error is None:
        return f"expected {note.output!r} back" if note.output not in (None, answer.output) else ""
    if note.path not in (None, error.path):
        return f"expected it at {note.path!r}"
    return f"expected it at offset {note.offset}" if note.offset not in (None, error.offset) else ""


def check_revision(driver: str, doc: documents.Document) -> tuple[int, list[str]]:
    """How many notes apply to the revision, and what is wrong."""
    applying = [note for note in notes() if note.definition in doc.definitions]
    requests = [drive.Request(doc.revision, note.definition, note.text) for note in applying]
    problems: list[str] = []
    for note, answer in zip(applying, drive.ask(driver, "a", requests)):
        wrong = problem(note, answer)
        if wrong:
            text = note.text if len(note.text) <= TEXT_SHOWN else note.text[:TEXT_SHOWN] + b"..."
            got = answer if answer.output is None else f"valid, {answer.output!r} came back"
            problems.append(f"{note.about}: {doc.revision} {note.definition} {text!r}: {wrong}, got {got}")
    return len(applying), problems


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="verdict_notes", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--driver", required=True, type=drive.program, help="the program built from driver.c")
    parser.add_argument("--schema-dir", type=Path, default=documents.SCHEMA_DIR)
    options = parser.parse_args()
    total = 0
    problems: list[str] = []
    checked: set[str] = set()
    for revision in documents.revisions(options.schema_dir):
        doc = documents.load(revision, options.schema_dir)
        count, wrong = check_revision(options.driver, doc)
        total += count
        problems += wrong
        checked.update(doc.definitions)
    problems += [f"no revision has {note.definition}" for note in notes() if note.definition not in checked]
    for one in problems:
        print(one)
    print(f"{total} notes checked, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
