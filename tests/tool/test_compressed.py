"""Compressed files: unpacked where the command was built with zlib, else the user is told what to do."""

import gzip
import json
import os
import random
import subprocess
import sys
import unittest
from pathlib import Path

from tests.tool.support import PING, TIMEOUT, Result, ToolTest, environment, tool
from tests.tool.test_input import MIB, WATCH, text_block

REVISION = ("--revision", "2025-11-25")
PING_LINE = json.dumps(PING) + "\n"
PLAIN = os.environ.get("MCPWIRE_PLAIN", "")


class CompressedTest(ToolTest):
    def setUp(self) -> None:
        super().setUp()
        self.packed("probe", PING_LINE)
        if "built without zlib" in self.check("probe").err:
            self.skipTest("mcpwire was built without zlib")

    def check(self, *args: str, stdin: bytes = b"") -> Result:
        return self.validate(*REVISION, "--ndjson", *args, stdin=stdin)


class Unpacked(CompressedTest):
    def test_lines(self) -> None:
        done = self.check(self.packed("a.gz", PING_LINE * 3 + "5\n"))
        self.assertEqual(done.out, "a.gz:4: /: a message is a JSON object\n1 of 4 values invalid\n")

    def test_a_whole_file(self) -> None:
        name = self.packed("a.gz", json.dumps(PING, indent=2))
        self.assertEqual(self.validate(*REVISION, name).out, "1 value valid\n")

    def test_standard_input_whatever_its_name(self) -> None:
        self.assertEqual(self.check("-", stdin=gzip.compress(PING_LINE.encode())).out, "1 value valid\n")

    def test_a_pipe_that_gives_a_byte_at_a_time(self) -> None:
        data = gzip.compress((PING_LINE * 2).encode())
        args = [tool(), "validate", *REVISION, "--ndjson", "-"]
        with subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
            assert child.stdin is not None and child.stdout is not None
            for place in range(len(data)):
                child.stdin.write(data[place : place + 1])
                child.stdin.flush()
            child.stdin.close()
            self.assertEqual(child.stdout.read(), b"2 values valid\n")

    def test_several_members_and_padding(self) -> None:
        member = gzip.compress(PING_LINE.encode())
        empty = gzip.compress(b"")
        self.file("a.gz", member + empty * 1000 + member + b"\0" * 70000)
        self.assertEqual(self.check("a.gz").out, "2 values valid\n")

    def test_lines_of_every_length_around_a_portion(self) -> None:
        noise = random.Random(7)
        rows = []
        for size in (65536 * k + d for k in (1, 2, 3) for d in range(-90, -20, 7)):
            text = "".join(noise.choice("abcdefgh") for _ in range(size))
            rows.append(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"t": text}}))
        done = self.check(self.packed("a.gz", "\n".join(rows)))
        self.assertEqual(done.out, f"{len(rows)} values valid\n")

    def test_an_empty_one(self) -> None:
        done = self.check(self.packed("a.gz", ""))
        self.assertEqual((done.code, done.err), (1, "mcpwire: no messages in a.gz\n"))

    def test_text_that_only_has_the_name(self) -> None:
        self.assertEqual(self.check(self.file("a.gz", PING_LINE)).out, "1 value valid\n")


class Broken(CompressedTest):
    def assert_refused(self, data: bytes, why: str) -> None:
        self.file("a.gz", data)
        done = self.check("a.gz")
        self.assertEqual(done.err, f"mcpwire: a.gz: cannot unpack: {why}\n")
        self.assertEqual(done.code, 2)

    def test_one_that_ends_too_early(self) -> None:
        data = gzip.compress((PING_LINE * 10).encode())
        for cut in (2, 5, 12, len(data) // 2, len(data) - 1):
            self.assert_refused(data[:cut], "the compressed data ends too early")

    def test_one_that_is_damaged(self) -> None:
        data = gzip.compress((PING_LINE * 10).encode())
        self.assert_refused(data[:-8] + b"\0" * 8, "the compressed data is damaged")
        self.assert_refused(b"\x1f\x8b" + b"\xff" * 100, "the compressed data is damaged")
        self.assert_refused(data + b"garbage", "the compressed data is damaged")

    def test_values_before_the_damage_are_reported(self) -> None:
        data = gzip.compress(("5\n" + PING_LINE * 10).encode())
        self.file("a.gz", data[:-1])
        self.assertIn("a.gz:1: /: a message is a JSON object", self.check("a.gz").out)

    def test_every_cut_and_every_flip_ends_well(self) -> None:
        data = gzip.compress((PING_LINE + "5\n").encode())
        for place in range(2, len(data)):
            flipped = data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :]
            for spoiled in (data[:place], flipped):
                self.file("a.gz", spoiled)
                done = self.check("a.gz")
                self.assertIn(done.code, (1, 2))
                self.assertNotIn("sanitizer", done.err.lower())


class Bombs(CompressedTest):
    """A small file that unpacks to a large one takes no more memory than the large one itself would."""

    def peak(self, name: str, *options: str) -> int:
        args = [tool(), "validate", "--type", "TextContent", "--quiet", "--ndjson", *options, name]
        watch = [sys.executable, "-c", WATCH, *args]
        done = subprocess.run(
            watch, cwd=self.folder, env=environment(), capture_output=True, timeout=TIMEOUT, check=True
        )
        return int(done.stdout) * 1024

    def bomb(self, name: str, piece: bytes, count: int) -> None:
        with gzip.open(self.folder / name, "wb", compresslevel=1) as out:
            for _ in range(count):
                out.write(piece)

    def test_one_line_without_an_end(self) -> None:
        self.packed("small.gz", "5\n")
        self.bomb("large.gz", b"5" * MIB, 200)
        self.assertLess((self.folder / "large.gz").stat().st_size, 2 * MIB)
        difference = self.peak("large.gz", "--max-bytes", "1M") - self.peak("small.gz", "--max-bytes", "1M")
        self.assertLess(difference, 8 * MIB)

    def test_very_many_lines(self) -> None:
        row = (text_block(1000) + "\n").encode()
        self.bomb("small.gz", row, 100)
        self.bomb("large.gz", row, 100000)
        self.assertLess(self.peak("large.gz") - self.peak("small.gz"), 8 * MIB)

    def test_a_whole_file_over_the_limit(self) -> None:
        self.bomb("large.gz", b" " * MIB, 100)
        done = self.validate("--max-bytes", "2M", "large.gz")
        self.assertIn("value is longer than 2097152 bytes (--max-bytes)", done.out)


class WithoutZlib(ToolTest):
    def test_the_user_is_told_what_to_do(self) -> None:
        if not PLAIN:
            self.skipTest("MCPWIRE_PLAIN names no command that was built without zlib")
        self.packed("a.gz", PING_LINE)
        done = subprocess.run(
            [str(Path(PLAIN).resolve()), "validate", "--ndjson", "a.gz"],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
        self.assertEqual(
            done.stderr,
            "mcpwire: a.gz: cannot unpack: this mcpwire was built without zlib; "
            "try: zcat FILE | mcpwire validate ... -\n",
        )
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()
