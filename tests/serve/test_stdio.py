# SPDX-License-Identifier: MIT
"""mcpw_serve on standard input and output: arguments, diagnostics, signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
import unittest

from tests.serve.serving import HAS_HTTP, HAS_SCHEMA, ServeTest, Serving


class Arguments(ServeTest):
    """The accepted arguments, and those that are refused by name."""

    def test_help_lists_every_argument_on_standard_output(self) -> None:
        code, out, _ = self.run_to_end("--help", env={"SERVING_USAGE": "  --db FILE  its own"})
        self.assertEqual(code, 0)
        self.assertTrue(out.startswith("Usage: serving [OPTION]..."))
        for name in ("http", "path", "tls-cert", "tls-key", "bearer-file", "allow-host", "allow-origin"):
            self.assertIn(f"  --{name} ", out)
        for name in ("workers", "log-level", "log-format", "help", "version"):
            self.assertIn(f"  --{name} ", out)
        self.assertTrue(out.endswith("  --db FILE  its own\n"))

    def test_version_is_that_of_the_server(self) -> None:
        code, out, _ = self.run_to_end("--version", env={"SERVING_NAME": "renamed"})
        self.assertEqual(code, 0)
        self.assertRegex(out, r"^renamed 1\.2\.3 \(mcpwire \d+\.\d+\.\d+\)\n$")

    def test_an_unknown_argument_is_named(self) -> None:
        for argument in ("--htp", "--", "x", "-h", "--http8080", ""):
            if argument == "--":
                continue  # after it everything is the program's own
            with self.subTest(argument):
                self.refused([argument], f"{argument}: unknown argument")
        self.refused(["--\x1b[31m"], r"--\x1b[31m: unknown argument")

    def test_the_program_may_have_arguments_of_its_own(self) -> None:
        for arguments in (["--db", "file"], ["--log-level", "error", "--db=x"]):
            code, _, told = self.run_to_end(*arguments, env={"SERVING_IGNORES": "1"})
            self.assertEqual((code, told), (0, "ended: MCPW_OK; signals are back\n"))
        code, _, _ = self.run_to_end("--", "--htp", "8080")
        self.assertEqual(code, 0)

    def test_a_bad_value_is_refused_and_says_what_is_wanted(self) -> None:
        for arguments, words in (
            (["--http"], "--http: its value is missing"),
            (["--http", "65536"], "--http: it is PORT, ADDRESS:PORT or [ADDRESS]:PORT"),
            (["--http", ":80"], "--http: it is PORT"),
            (["--http", "::1:80"], "--http: it is PORT"),
            (["--http", "80x"], "--http: it is PORT"),
            (["--http", "-1"], "--http: it is PORT"),
            (["--http=" + "1" * 80 + ":80"], "--http: it is PORT"),
            (["--workers", "1025"], "--workers: it is a number up to 1024"),
            (["--workers=-1"], "--workers: it is a number"),
            (["--log-level", "loud"], "--log-level: it is debug, info"),
            (["--log-format=xml"], "--log-format: it is text, json or off"),
            (["--path", "mcp"], "--path: a path begins with a slash"),
            (["--allow-host", "a b"], "--allow-host: it is one name"),
            (["--help=yes"], "--help: it has no value"),
            (["--tls-cert", "x"], "--tls-cert: a certificate needs its key"),
            (["--tls-key", "x"], "--tls-key: a certificate needs its key"),
        ):
            with self.subTest(arguments):
                self.refused(arguments, "MCPW_E_ARGUMENT", words)

    def test_what_has_a_meaning_for_http_alone_needs_it(self) -> None:
        for arguments in (
            ["--path", "/x"],
            ["--allow-host", "h"],
            ["--allow-origin", "o"],
            ["--bearer-file", "f"],
        ):
            with self.subTest(arguments):
                self.refused(arguments, f"{arguments[0]} needs --http")

    @unittest.skipIf(HAS_HTTP, "this build has HTTP")
    def test_a_build_without_http_says_so(self) -> None:
        self.refused(["--http", "0"], "--http: this mcpwire was built without its HTTP server")

    def test_options_of_another_size_are_taken_where_that_can_be(self) -> None:
        code, _, _ = self.run_to_end(env={"SERVING_SIZE": "16"})
        self.assertEqual(code, 0)
        self.refused(
            [], "the options were not initialised with MCPW_RUN_OPTIONS_INIT", env={"SERVING_SIZE": "1"}
        )


class Diagnostics(ServeTest):
    """The failure is on standard error, without a line of the program's."""

    def test_a_bad_structured_result_is_told_with_its_place(self) -> None:
        if not HAS_SCHEMA:
            self.skipTest("this build has no JSON Schema")
        with Serving() as s:
            s.open()
            s.call(7, "break")
            self.assertEqual(
                s.diagnostic(),
                'serving: error: tools/call "break" (id 7): CallToolResult: /structuredContent/temp: '
                "expected number, got string",
            )
            answer = s.receive()
            assert answer is not None
            self.assertEqual(answer["error"]["code"], -32603)
            self.assertNotIn("temp", json.dumps(answer))

    def test_a_call_on_a_wrong_thread_is_told(self) -> None:
        with Serving("--workers", "2") as s:
            s.open()
            s.call(1, "meddle")
            self.assertRegex(
                s.diagnostic(), r"^serving: error: mcpw_\w+ was called on another thread than its"
            )

    def test_the_program_may_say_how_many_workers_there_are(self) -> None:
        with Serving(env={"SERVING_WORKERS": "1"}) as s:
            s.open()
            s.call(1, "meddle")
            self.assertIn("was called on another thread", s.diagnostic())
        with Serving("--workers", "0", env={"SERVING_WORKERS": "1"}) as s:
            s.open()
            s.call(1, "meddle")  # on the thread of the server
            answer = s.receive()
            assert answer is not None
            self.assertEqual(answer["error"]["code"], -32603)

    def test_lines_of_json_are_objects(self) -> None:
        with Serving("--log-format", "json") as s:
            assert s.process.stdin is not None
            s.process.stdin.write(b"\x1b[31m\xe2\x80\xae\n")
            s.process.stdin.flush()
            told = json.loads(s.diagnostic())
            self.assertEqual(
                (told["program"], told["level"], told["kind"]), ("serving", "warning", "bad_line")
            )

    def test_they_can_be_turned_off_or_down(self) -> None:
        for arguments in (["--log-format", "off"], ["--log-level", "error"]):
            code, out, told = self.run_to_end(*arguments, data="garbage\n")
            self.assertEqual((code, told), (0, "ended: MCPW_OK; signals are back\n"))
            self.assertIn("-32700", out)

    def test_a_peer_cannot_fill_a_disk(self) -> None:
        code, out, told = self.run_to_end(data="garbage\n" * 50000)
        self.assertEqual((code, out.count("-32700")), (0, 50000))
        lines = told.splitlines()
        self.assertLess(len(lines), 200)
        self.assertRegex(lines[-2], r"^serving: warning: 49\d{3} more diagnostics were left out$")

    def test_colour_is_for_terminals(self) -> None:
        def told_on_a_terminal(**env: str) -> bytes:
            primary, secondary = os.openpty()
            done = subprocess.run(
                [os.environ["MCPW_SERVING"]],
                input=b"garbage\n",
                stdout=subprocess.DEVNULL,
                stderr=secondary,
                env={**os.environ, "TERM": "xterm", **env},
                check=True,
            )
            self.assertEqual(done.returncode, 0)
            os.close(secondary)
            told = os.read(primary, 4096)
            os.close(primary)
            return told

        self.assertIn(b"serving: \x1b[33mwarning\x1b[0m: ", told_on_a_terminal())
        self.assertNotIn(b"\x1b", told_on_a_terminal(NO_COLOR="1"))
        self.assertNotIn(b"\x1b", told_on_a_terminal(TERM="dumb"))
        self.assertIn(b"\x1b[33m", told_on_a_terminal(NO_COLOR=""))

    def test_nobody_who_reads_them_is_no_reason_to_die(self) -> None:
        with Serving() as s:
            assert s.process.stderr is not None and s.process.stdin is not None
            s.process.stderr.close()
            s.process.stdin.write(b"garbage\n")
            s.open()
            s.call(1, "echo", message="alive")
            self.assertIsNotNone(s.receive())


class Signals(ServeTest):
    """SIGINT and SIGTERM end it in order, a second one at once."""

    def test_a_signal_answers_what_is_open_and_gives_the_signals_back(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number), Serving() as s:
                s.open()
                s.call(1, "keep")
                s.call(2, "echo", message="here")
                answer = s.receive()
                assert answer is not None
                self.assertEqual(answer["id"], 2)
                s.signal(number)
                refusal = s.receive()
                assert refusal is not None
                self.assertEqual((refusal["id"], refusal["error"]["code"]), (1, -32603))
                self.assertEqual(s.wait(), 0)
                self.assertEqual(s.remaining(), "cancelled\nended: MCPW_OK; signals are back")

    def test_a_signal_is_taken_while_nothing_happens(self) -> None:
        with Serving() as s:
            s.open()
            s.signal()
            self.assertEqual(s.wait(), 0)

    def test_a_second_signal_ends_it_at_once(self) -> None:
        with Serving() as s:
            s.open()
            assert s.process.stdin is not None
            for i in range(64):  # the output is full, and nobody reads
                s.call(i, "echo", message="x" * 8192)
            time.sleep(0.2)
            s.signal()
            time.sleep(0.2)
            s.signal()
            self.assertEqual(s.wait(), -signal.SIGTERM)

    def test_output_that_nobody_reads_holds_it_for_a_moment_only(self) -> None:
        with Serving() as s:
            s.open()
            for i in range(64):
                s.call(i, "echo", message="x" * 8192)
            time.sleep(0.2)
            s.signal()
            self.assertEqual(s.wait(), 0)

    def test_signals_may_stay_the_programs_own(self) -> None:
        with Serving(env={"SERVING_KEEPS_SIGNALS": "1"}) as s:
            s.open()
            s.signal()
            s.call(1, "echo", message="still here")
            self.assertIsNotNone(s.receive())
            s.end_input()
            self.assertEqual(s.wait(), 0)

    def test_a_signal_that_is_ignored_stays_ignored(self) -> None:
        command = 'trap "" INT; exec "$@"'
        shell = ["sh", "-c", command, "sh", os.environ["MCPW_SERVING"]]
        with Serving(command=shell, env={"SERVING_LETS_SIGNALS_BE": "1"}) as s:
            s.open()
            s.signal(signal.SIGINT)
            s.call(1, "echo", message="still here")
            self.assertIsNotNone(s.receive())
            s.signal(signal.SIGTERM)
            self.assertEqual(s.wait(), 0)


class EndOfInput(ServeTest):
    """A client that has gone hears nothing of what did not end."""

    def test_an_open_call_is_cancelled_and_nothing_is_written(self) -> None:
        with Serving() as s:
            s.open()
            s.call(1, "keep")
            s.call(2, "echo", message="here")
            s.receive()
            s.end_input()
            self.assertIsNone(s.receive())
            self.assertEqual(s.wait(), 0)
            self.assertEqual(s.remaining(), "cancelled\nended: MCPW_OK; signals are back")


if __name__ == "__main__":
    unittest.main()
