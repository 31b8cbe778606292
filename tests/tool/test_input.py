"""Reading: lines and whole files, odd ends, odd bytes, files that cannot be read, large values."""

import json
import os
import subprocess
import sys
import time
import unittest
from pathlib import Path
from typing import Sequence

from tests.tool.support import PING, TIMEOUT, Result, ToolTest, environment, notification, request, tool

REVISION = ("--revision", "2025-11-25")
PING_LINE = json.dumps(PING)
MIB = 1 << 20
WATCH = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:]); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)


def text_block(size: int) -> str:
    return json.dumps({"type": "text", "text": "x" * size})


class InputTest(ToolTest):
    def check(self, *args: str, stdin: bytes = b"") -> Result:
        return self.validate(*REVISION, *args, stdin=stdin)


class Lines(InputTest):
    def test_blank_lines_are_skipped_and_counted(self) -> None:
        self.file("a", f"\n{PING_LINE}\n \t\n\r\n5\n\n")
        done = self.check("--ndjson", "a")
        self.assertEqual(done.out, "a:5: /: a message is a JSON object\n1 of 2 values invalid\n")

    def test_a_line_may_end_in_cr_lf(self) -> None:
        self.file("a", f"{PING_LINE}\r\n{PING_LINE}\r\n")
        self.assertEqual(self.check("--ndjson", "a").out, "2 values valid\n")

    def test_the_last_line_needs_no_line_break(self) -> None:
        self.file("a", f"{PING_LINE}\n5")
        self.assertIn("a:2: /: ", self.check("--ndjson", "a").out)

    def test_an_empty_file_holds_no_messages(self) -> None:
        for text in ("", "\n \n"):
            self.file("a", text)
            done = self.check("--ndjson", "a")
            self.assertEqual((done.code, done.out), (1, "no values, 1 file empty\n"))
            self.assertEqual(done.err, "mcpwire: no messages in a\n")

    def test_an_empty_file_beside_others(self) -> None:
        self.file("a", "")
        self.lines("b", PING)
        done = self.check("--ndjson", "a", "b", "-")
        self.assertEqual((done.code, done.out), (1, "1 value valid, 2 files empty\n"))
        self.assertEqual(done.err, "mcpwire: no messages in a\nmcpwire: no messages in -\n")

    def test_no_values_of_a_type(self) -> None:
        self.file("a", "")
        done = self.check("--ndjson", "--type", "Tool", "--quiet", "a")
        self.assertEqual((done.code, done.out, done.err), (1, "", "mcpwire: no values in a\n"))

    def test_a_value_over_two_lines_is_two_broken_ones(self) -> None:
        self.file("a", json.dumps(PING, indent=1).replace("\n", "\n", 1))
        self.assertEqual(self.check("--ndjson", "a").code, 1)

    def test_stdin(self) -> None:
        done = self.check("--ndjson", "-", stdin=f"{PING_LINE}\n5\n".encode())
        self.assertEqual(done.out, "-:2: /: a message is a JSON object\n1 of 2 values invalid\n")

    def test_a_pipe_that_gives_a_little_at_a_time(self) -> None:
        out = self.portions(PING_LINE[:7], PING_LINE[7:], "\r", "\n5", "\n", PING_LINE)
        self.assertEqual(out, "-:2: /: a message is a JSON object\n1 of 3 values invalid\n")

    def test_a_line_break_that_comes_in_two_portions(self) -> None:
        out = self.portions(PING_LINE + "\r", "\n", options=("--max-bytes", str(len(PING_LINE))))
        self.assertEqual(out, "1 value valid\n")

    def test_a_pipe_that_was_made_non_blocking(self) -> None:
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        args = [tool(), "validate", *REVISION, "--ndjson", "-"]
        with subprocess.Popen(args, stdin=reading, stdout=subprocess.PIPE, cwd=self.folder) as child:
            os.close(reading)
            assert child.stdout is not None
            for portion in (PING_LINE[:7], PING_LINE[7:] + "\n"):
                time.sleep(0.05)  # it has read what there was
                os.write(writing, portion.encode())
            os.close(writing)
            self.assertEqual(child.stdout.read().decode(), "1 value valid\n")

    def portions(self, *portions: str, options: Sequence[str] = ()) -> str:
        """The report on what a pipe gives a little at a time."""
        args = [tool(), "validate", *REVISION, "--ndjson", *options, "-"]
        with subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=self.folder) as child:
            assert child.stdin is not None and child.stdout is not None
            for portion in portions:
                child.stdin.write(portion.encode())
                child.stdin.flush()
                time.sleep(0.02)
            child.stdin.close()
            return child.stdout.read().decode()

    def test_lines_of_every_length_around_a_portion(self) -> None:
        sizes = [65536 * k + d for k in (1, 2, 3) for d in range(-90, -20, 7)]
        rows = [json.dumps(notification("n", {"t": "x" * size})) for size in sizes]
        self.lines("a", *rows, 5)
        done = self.check("--ndjson", "a")
        self.assertIn(f"a:{len(rows) + 1}: /: ", done.out)
        self.assertIn(f"1 of {len(rows) + 1} values invalid, {len(rows)} notes", done.out)


class WholeFiles(InputTest):
    def test_a_pretty_printed_value(self) -> None:
        self.file("a", json.dumps(PING, indent=4) + "\n\n")
        self.assertEqual(self.check("a").out, "1 value valid\n")

    def test_the_line_is_that_of_the_error(self) -> None:
        self.file(
            "a", '\n{"jsonrpc": "2.0",\n "id": 1,\r\n "method": "tools/call",\n "params": {\n  "name": 5}}'
        )
        self.assertEqual(
            self.check("a").out, "a:6: /params/name: expected string, got number\n1 of 1 value invalid\n"
        )

    def test_each_error_has_its_line(self) -> None:
        # The params are looked at last, because the method stands after them.
        self.file("a", '{"jsonrpc":"2.0",\n"params": {"name": 5},\n"id":\n1.5,\n"method": "tools/call"}')
        done = self.check("--all-errors", "a")
        places = [line.split(" ")[:2] for line in done.out.splitlines()[:-1]]
        self.assertEqual(places, [["a:4:", "/id:"], ["a:2:", "/params/name:"]])

    def test_an_empty_file_is_no_value(self) -> None:
        self.file("a", "")
        done = self.check("--format", "json", "a")
        self.assertEqual(done.values()[0]["errors"][0]["code"], "MCPW_E_SYNTAX")
        self.assertEqual(self.check("a").out.splitlines()[-1], "1 of 1 value invalid")
        self.assertEqual(done.code, 1)

    def test_several_values_in_a_file_suggest_ndjson(self) -> None:
        self.lines("a", PING, PING)
        done = self.check("a")
        self.assertIn("a:2: /: ", done.out)
        self.assertEqual(
            done.err,
            "mcpwire: a: this looks like NDJSON, because more follows the first value; "
            "for a file with a value on each line add --ndjson\n",
        )

    def test_a_recorded_session_suggests_ndjson(self) -> None:
        self.lines("log", {"time": "2026-11-22T14:50:00.122Z", "begin": 1}, PING)
        done = self.check("log")
        self.assertIn("log: this looks like NDJSON", done.err)
        self.assertEqual(done.code, 1)
        self.assertEqual(self.check("--quiet", "log").err, "")

    def test_text_after_a_value_of_a_type_suggests_ndjson(self) -> None:
        self.file("a", "{}\n{}\n")
        self.assertIn("add --ndjson", self.check("--type", "EmptyResult", "a").err)

    def test_another_syntax_error_suggests_nothing(self) -> None:
        self.file("a", '{"a": }\n{}\n')
        self.assertEqual(self.check("--type", "EmptyResult", "a").err, "")

    def test_stdin(self) -> None:
        done = self.check("-", stdin=json.dumps(PING, indent=2).encode())
        self.assertEqual(done.out, "1 value valid\n")

    def test_several_files(self) -> None:
        self.lines("a", PING)
        self.lines("b", 5)
        done = self.check("a", "b", "a")
        self.assertEqual(done.out, "b:1: /: a message is a JSON object\n1 of 3 values invalid\n")


class OddBytes(InputTest):
    def test_broken_utf8(self) -> None:
        self.file("a", b'{"jsonrpc":"2.0","method":"n","params":{"t":"\xff"}}\n' + PING_LINE.encode() + b"\n")
        first, second = self.check("--ndjson", "--format", "json", "a").values()
        self.assertEqual(first["errors"][0]["code"], "MCPW_E_UTF8")
        self.assertTrue(second["valid"])

    def test_a_nul_byte_is_no_end(self) -> None:
        self.file("a", b'{"jsonrpc":"2.0"\0}\n\0\n' + PING_LINE.encode() + b"\0")
        done = self.check("--ndjson", "a")
        self.assertEqual(done.out.splitlines()[-1], "3 of 3 values invalid")

    def test_a_line_feed_in_a_string_is_a_line_end(self) -> None:
        self.file("a", f'{{"jsonrpc":"2.0","method":"a\nb"}}\n{PING_LINE}')
        self.assertEqual(self.check("--ndjson", "a").out.splitlines()[-1], "2 of 3 values invalid")


class UnreadableFiles(InputTest):
    def test_a_missing_file(self) -> None:
        done = self.check("nowhere.json")
        self.assertEqual(done.err, "mcpwire: nowhere.json: cannot open: No such file or directory\n")
        self.assertEqual(done.out, "no values, 1 file not read\n")
        self.assertEqual(done.code, 2)

    def test_a_folder(self) -> None:
        done = self.check(".")
        self.assertEqual(done.err, "mcpwire: .: cannot read: Is a directory\n")
        self.assertEqual(done.code, 2)

    def test_a_folder_as_stdin(self) -> None:
        fd = os.open(self.folder, os.O_RDONLY)
        self.addCleanup(os.close, fd)
        done = subprocess.run(
            [tool(), "validate", "-"], stdin=fd, capture_output=True, timeout=TIMEOUT, check=False
        )
        self.assertEqual(done.stderr, b"mcpwire: -: cannot read: Is a directory\n")
        self.assertEqual(done.returncode, 2)

    def test_a_file_without_read_permission(self) -> None:
        path = self.folder / "secret"
        path.write_text(PING_LINE)
        path.chmod(0)
        if os.access(path, os.R_OK):
            self.skipTest("this user may read every file")
        done = self.check("secret")
        self.assertEqual(done.err, "mcpwire: secret: cannot open: Permission denied\n")
        self.assertEqual(done.code, 2)

    def test_the_other_files_are_checked(self) -> None:
        self.lines("a", 5)
        self.lines("b", PING)
        done = self.check("a", "nowhere", "b")
        self.assertEqual(
            done.out, "a:1: /: a message is a JSON object\n1 of 2 values invalid, 1 file not read\n"
        )
        self.assertEqual(done.code, 2)

    def test_values_before_a_failure_are_reported(self) -> None:
        if not Path("/proc/self/mem").exists():
            self.skipTest("there is no file that fails when it is read")
        self.assertIn("cannot read: Input/output error", self.check("--ndjson", "/proc/self/mem").err)


class LargeValues(InputTest):
    def test_a_value_of_ten_megabytes(self) -> None:
        self.file("a", text_block(10 * MIB))
        done = self.check("--type", "TextContent", "a")
        self.assertEqual((done.code, done.out), (0, "1 value valid\n"))

    def test_a_line_of_ten_megabytes_between_small_ones(self) -> None:
        self.lines("a", text_block(5), text_block(10 * MIB), text_block(5), 5, text_block(10 * MIB))
        done = self.check("--type", "TextContent", "--ndjson", "a")
        self.assertEqual(done.out, "a:4: /: expected object, got number\n1 of 5 values invalid\n")

    def test_a_line_over_the_limit_is_skipped(self) -> None:
        self.lines("a", PING, request(2, "ping", {"a": "x" * 200000}), request(3, "ping"))
        done = self.check("--ndjson", "--max-bytes", "100", "a")
        self.assertEqual(
            done.out,
            "a:2: /: value is longer than 100 bytes (--max-bytes)\n1 of 3 values invalid\n",
        )

    def test_a_line_over_the_limit_has_one_error(self) -> None:
        self.lines("a", request(2, "ping", {"a": "x" * 200}))
        done = self.check("--ndjson", "--max-bytes", "100", "--all-errors", "--format", "json", "a")
        self.assertEqual([e["code"] for e in done.values()[0]["errors"]], ["MCPW_E_SIZE"])

    def test_a_last_line_over_the_limit(self) -> None:
        for tail in ("", "\n", "\r\n", "\n\n"):
            with self.subTest(tail=tail):
                self.file("a", PING_LINE + "\n" + "5" * 200000 + tail)
                done = self.check("--ndjson", "--max-bytes", "100", "a")
                self.assertEqual(done.out.splitlines()[-1], "1 of 2 values invalid")

    def test_the_limit_is_inclusive(self) -> None:
        for ending in ("", "\n", "\r\n"):
            for extra, code in ((0, 0), (-1, 1)):
                with self.subTest(ending=ending, extra=extra):
                    self.file("a", PING_LINE + ending)
                    limit = str(len(PING_LINE) + extra)
                    self.assertEqual(self.check("--ndjson", "--max-bytes", limit, "a").code, code)

    def test_a_file_over_the_limit(self) -> None:
        self.file("a", text_block(3 * MIB))
        done = self.check("--type", "TextContent", "--max-bytes", "2M", "--format", "json", "a")
        error = done.values()[0]["errors"][0]
        self.assertEqual(error["code"], "MCPW_E_SIZE")
        self.assertEqual(error["message"], f"value is longer than {2 * MIB} bytes (--max-bytes)")
        self.assertEqual(self.check("--type", "TextContent", "--max-bytes", "4M", "a").code, 0)

    def test_nesting_over_the_limit(self) -> None:
        deep = '{"jsonrpc":"2.0","method":"n","params":{"a":' + "[" * 300 + "]" * 300 + "}}"
        self.file("a", deep)
        done = self.check("--format", "json", "a")
        self.assertEqual(done.values()[0]["errors"][0]["code"], "MCPW_E_DEPTH")
        self.assertEqual(self.check("--max-depth", "400", "a").code, 0)

    def test_memory_does_not_grow_with_the_file(self) -> None:
        self.file("small", (text_block(1000) + "\n") * 100)
        self.file("large", (text_block(1000) + "\n") * 40000)
        difference = self.peak("large") - self.peak("small")
        self.assertLess(difference, 8 * MIB)

    def test_a_line_over_the_limit_takes_no_memory(self) -> None:
        self.file("small", "5\n")
        self.file("large", "5" * (40 * MIB) + "\n")
        difference = self.peak("large", "--max-bytes", "1M") - self.peak("small", "--max-bytes", "1M")
        self.assertLess(difference, 8 * MIB)

    def peak(self, name: str, *options: str) -> int:
        """Bytes that checking a file held at most."""
        args = [tool(), "validate", "--type", "TextContent", "--quiet", "--ndjson", *options, name]
        # A small process in between, because a child's peak begins with that of its parent.
        watch = [sys.executable, "-c", WATCH, *args]
        done = subprocess.run(
            watch, cwd=self.folder, env=environment(), capture_output=True, timeout=TIMEOUT, check=True
        )
        return int(done.stdout) * 1024


if __name__ == "__main__":
    unittest.main()
