"""The report: text, JSON, summary, colours, progress, and failures to write."""

import json
import os
import pty
import subprocess
import unittest
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from tests.tool.support import PING, TIMEOUT, ToolTest, environment, notification, tool

REVISION = ("--revision", "2025-11-25")
ESCAPE = "\033["
PROGRESS_BYTES = 20 << 20


def read_terminal(fd: int) -> str:
    """All that is written to a terminal until its last writer has gone."""
    data = b""
    while True:
        try:
            portion = os.read(fd, 65536)
        except OSError:  # Linux: the other side is closed
            portion = b""
        if not portion:
            return data.decode()
        data += portion


def open_terminal() -> Tuple[int, int]:
    """Both ends of a pseudo-terminal; the test is skipped where the system has none to give."""
    try:
        return pty.openpty()
    except OSError as error:
        raise unittest.SkipTest(f"no pseudo-terminal: {error}") from error


class ReportTest(ToolTest):
    def on_terminal(
        self, *args: str, stream: str = "stdout", env: Optional[Dict[str, str]] = None
    ) -> Tuple[str, str]:
        """The output on a stream that is a terminal, and the output on the other one."""
        ours, theirs = open_terminal()
        with (self.folder / "other").open("w+b") as sink:
            on_stdout = stream == "stdout"
            child = subprocess.Popen(
                [tool(), "validate", *args],
                cwd=self.folder,
                env=environment(env),
                stdout=theirs if on_stdout else sink,
                stderr=sink if on_stdout else theirs,
            )
            os.close(theirs)
            shown = read_terminal(ours)
            os.close(ours)
            child.wait(timeout=TIMEOUT)
            sink.seek(0)
            return shown.replace("\r\n", "\n"), sink.read().decode()


class Text(ReportTest):
    def test_one_line_an_error_and_a_summary(self) -> None:
        name = self.lines("a.ndjson", PING, {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}, 5)
        done = self.validate(*REVISION, "--ndjson", name)
        self.assertEqual(
            done.out,
            "a.ndjson:2: /params: expected object, got array\n"
            "a.ndjson:3: /: a message is a JSON object\n"
            "2 of 3 values invalid\n",
        )
        self.assertEqual(done.err, "")

    def test_summary_of_valid_values(self) -> None:
        self.lines("a", PING)
        self.assertEqual(self.validate(*REVISION, "a").out, "1 value valid\n")
        self.assertEqual(self.validate(*REVISION, "a", "a").out, "2 values valid\n")

    def test_quiet_leaves_the_exit_status(self) -> None:
        self.lines("good", PING)
        self.lines("bad", 5, notification("n"))
        for name, code in (("good", 0), ("bad", 1)):
            done = self.validate(*REVISION, "--quiet", "--ndjson", name)
            self.assertEqual((done.code, done.out, done.err), (code, "", ""))

    def test_quiet_does_not_hide_input_errors(self) -> None:
        done = self.validate("--quiet", "nowhere")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertIn("nowhere: cannot open", done.err)

    def test_a_file_name_cannot_control_the_terminal(self) -> None:
        name = self.lines("a\033[2J\nb", 5)
        self.assertTrue(self.validate(name).out.startswith("a\\x1b[2J\\x0ab:1: /: "))

    def test_a_member_name_cannot_control_the_terminal(self) -> None:
        name = self.lines("a", {"resultType": "complete", "action": "accept", "content": {"\033[2J": {}}})
        done = self.validate("--type", "ElicitResult", name)
        self.assertEqual(done.code, 1)
        self.assertNotIn("\033", done.out)

    def test_a_method_name_cannot_control_the_terminal(self) -> None:
        done = self.validate("--ndjson", self.lines("a", notification("\033[2J\n")))
        self.assertIn('has no method "\\x1b[2J\\x0a"', done.out)


class Json(ReportTest):
    def test_an_object_a_value(self) -> None:
        name = self.lines(
            "a", PING, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": 5}}
        )
        done = self.validate(*REVISION, "--ndjson", "--format", "json", name)
        text = '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": '
        self.assertEqual(
            done.values(),
            [
                {"file": "a", "line": 1, "valid": True, "errors": []},
                {
                    "file": "a",
                    "line": 2,
                    "valid": False,
                    "errors": [
                        {
                            "pointer": "/params/name",
                            "code": "MCPW_E_TYPE",
                            "message": "expected string, got number",
                            "offset": len(text),
                        }
                    ],
                },
            ],
        )
        self.assertEqual(done.code, 1)

    def test_members_stand_in_order(self) -> None:
        done = self.validate("--format", "json", self.lines("a", 5))
        first = done.out.splitlines()[0]
        value = json.loads(first, object_pairs_hook=lambda pairs: [name for name, _ in pairs])
        self.assertEqual(value, ["file", "line", "revision", "valid", "errors"])
        self.assertRegex(first, r'\[\{"pointer":"","code":"MCPW_E_MESSAGE","message":".*","offset":0\}\]\}$')

    def test_notes_are_there_only_if_any(self) -> None:
        name = self.lines("a", notification("n"), PING)
        first, second = self.validate(*REVISION, "--ndjson", "--format", "json", name).values()
        self.assertEqual([n["pointer"] for n in first["notes"]], ["/method"])
        self.assertIn("has no method", first["notes"][0]["message"])
        self.assertNotIn("notes", second)

    def test_several_notes_and_errors(self) -> None:
        batch = [notification("n"), notification("m")]
        broken = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 1, "arguments": 2}}
        name = self.lines("a", batch, broken)
        done = self.validate("--revision=2025-03-26", "--ndjson", "--all-errors", "--format=json", name)
        first, second = done.values()
        self.assertEqual([n["pointer"] for n in first["notes"]], ["/0/method", "/1/method"])
        self.assertEqual([e["pointer"] for e in second["errors"]], ["/params/name", "/params/arguments"])

    def test_the_line_is_that_of_the_first_error(self) -> None:
        self.file("a", '{"name": "n",\n"title": 1,\n"inputSchema": 2}')
        done = self.validate("--type", "Tool", "--all-errors", "--format", "json", "a")
        self.assertEqual(done.values()[0]["line"], 2)

    def test_odd_file_names(self) -> None:
        name = 'q"b\\c\nd\u00e9'
        self.assertEqual(self.validate("--format", "json", self.lines(name, 5)).values()[0]["file"], name)

    def test_a_file_name_that_is_no_utf8(self) -> None:
        raw = os.fsencode(self.folder) + b"/a\xff\xe9"
        try:
            Path(os.fsdecode(raw)).write_text("5")
        except OSError:
            self.skipTest("the file system refuses such a name")
        done = subprocess.run(
            [os.fsencode(tool()), b"validate", b"--format", b"json", raw],
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
        self.assertTrue(json.loads(done.stdout.decode().splitlines()[0])["file"].endswith("/a\ufffd\ufffd"))

    def test_quiet_writes_no_objects(self) -> None:
        self.assertEqual(self.validate("--format", "json", "--quiet", self.lines("a", 5)).out, "")


class FailingOutput(ReportTest):
    def assert_output_error(self, *args: str) -> None:
        if not Path("/dev/full").exists():
            self.skipTest("there is no /dev/full")
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [tool(), *args],
                stdout=full,
                stderr=subprocess.PIPE,
                cwd=self.folder,
                timeout=TIMEOUT,
                check=False,
            )
        self.assertEqual(done.stderr, b"mcpwire: cannot write to standard output: No space left on device\n")
        self.assertEqual(done.returncode, 2)

    def test_a_full_disk(self) -> None:
        self.assert_output_error("validate", *REVISION, self.lines("a", PING))

    def test_a_full_disk_amid_a_long_report(self) -> None:
        self.assert_output_error("validate", "--ndjson", self.lines("a", *[5] * 5000))

    def test_a_full_disk_for_help(self) -> None:
        self.assert_output_error("--help")
        self.assert_output_error("--version")
        self.assert_output_error("validate", "--help")

    def test_a_closed_pipe_ends_it_quietly(self) -> None:
        name = self.lines("a", *[5] * 100000)
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            [tool(), "validate", "--ndjson", name],
            stdout=writer,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            timeout=TIMEOUT,
            check=False,
        )
        os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (2, b""))

    def test_a_closed_stdout(self) -> None:
        name = self.lines("a", PING)
        done = subprocess.run(
            ["sh", "-c", '"$0" validate "$1" >&-', tool(), name],
            stderr=subprocess.PIPE,
            cwd=self.folder,
            timeout=TIMEOUT,
            check=False,
        )
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"cannot write to standard output", done.stderr)
        self.assertEqual((self.folder / name).read_text(), json.dumps(PING) + "\n")


class Colour(ReportTest):
    def setUp(self) -> None:
        super().setUp()
        self.lines("a", PING, 5)

    def show(self, *args: str, env: Optional[Dict[str, str]] = None) -> str:
        return self.on_terminal(*REVISION, "--ndjson", "a", *args, env=env)[0]

    def test_a_terminal_has_colours(self) -> None:
        shown = self.show()
        self.assertIn(ESCAPE, shown)
        plain = self.validate(*REVISION, "--ndjson", "a").out
        for code in ("0", "1", "1;31", "1;32", "1;36"):
            shown = shown.replace(f"{ESCAPE}{code}m", "")
        self.assertEqual(shown, plain)

    def test_a_file_has_none(self) -> None:
        self.assertNotIn(ESCAPE, self.validate(*REVISION, "--ndjson", "a").out)

    def test_no_color_is_respected(self) -> None:
        self.assertNotIn(ESCAPE, self.show(env={"NO_COLOR": "1"}))

    def test_an_empty_no_color_means_nothing(self) -> None:
        self.assertIn(ESCAPE, self.show(env={"NO_COLOR": ""}))

    def test_a_dumb_terminal_has_none(self) -> None:
        self.assertNotIn(ESCAPE, self.show(env={"TERM": "dumb"}))

    def test_json_has_none(self) -> None:
        self.assertNotIn(ESCAPE, self.show("--format", "json"))


class Progress(ReportTest):
    TYPE = ("--type", "TextContent", "--ndjson")

    def setUp(self) -> None:
        super().setUp()
        row = json.dumps({"type": "text", "text": "x" * 4000}) + "\n"
        self.file("large", row * (PROGRESS_BYTES // len(row)) + "5\n")
        self.file("small", row)

    def test_a_large_file_shows_how_far_it_is(self) -> None:
        shown, report = self.on_terminal(*self.TYPE, "large", stream="stderr")
        self.assertRegex(shown, r"mcpwire: large: \d+ MiB of 19 \(\d+ %\)")
        self.assertTrue(shown.endswith(f"\r{ESCAPE}K"), "the line is taken away at the end")
        self.assertTrue(report.endswith("values invalid\n"))

    def test_every_file_shows_it(self) -> None:
        os.link(self.folder / "large", self.folder / "other-large")
        shown, _ = self.on_terminal(*self.TYPE, "large", "other-large", stream="stderr")
        drawn = shown.count("mcpwire: large:")
        self.assertGreater(drawn, 0)
        self.assertEqual(shown.count("mcpwire: other-large:"), drawn)

    def test_a_pipe_shows_what_was_read(self) -> None:
        command = f'cat large | "{tool()}" validate --type TextContent --ndjson -'
        ours, theirs = open_terminal()
        child = subprocess.Popen(
            ["sh", "-c", command],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=theirs,
            env=environment(),
        )
        os.close(theirs)
        shown = read_terminal(ours)
        os.close(ours)
        child.wait(timeout=TIMEOUT)
        self.assertRegex(shown, r"mcpwire: -: \d+ MiB")
        self.assertNotIn("%", shown)

    def test_a_small_file_shows_nothing(self) -> None:
        self.assertEqual(self.on_terminal(*self.TYPE, "small", stream="stderr")[0], "")

    def test_quiet_shows_nothing(self) -> None:
        self.assertEqual(self.on_terminal(*self.TYPE, "--quiet", "large", stream="stderr")[0], "")

    def test_only_a_terminal_gets_it(self) -> None:
        self.assertEqual(self.validate(*self.TYPE, "large").err, "")


class StreamsAtOnce(ReportTest):
    def test_messages_of_earlier_values_are_kept(self) -> None:
        rows: List[object] = [5] * 300
        done = self.validate("--ndjson", self.lines("a", *rows))
        self.assertEqual(len(done.out.splitlines()), 301)


if __name__ == "__main__":
    unittest.main()
