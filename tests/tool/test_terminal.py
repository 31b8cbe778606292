"""The output on a terminal for a server that tries to send it commands."""

import json
import os
import pty
import subprocess
import sys
import unittest
from typing import Dict, List, Optional, Tuple

from tests.tool.support import ROOT, TIMEOUT, ToolTest, environment, request, tool

SERVER = [sys.executable, "-S", "-E", str(ROOT / "tests" / "tool" / "hostile.py")]
BIDI = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def is_command(character: str) -> bool:
    """Whether a terminal may take it for more than a picture."""
    code = ord(character)
    return (code < 0x20 and character not in "\n\t") or 0x7F <= code <= 0x9F or code in BIDI


class TerminalTest(ToolTest):
    def shown(self, *args: str, typed: bytes = b"", out: Optional[int] = None) -> str:
        """All that stood on the terminal which is standard input, error and, if not given, output."""
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            raise unittest.SkipTest(f"no pseudo-terminal: {error}") from error
        self.silence(theirs)
        os.write(ours, typed)
        plain = environment({"NO_COLOR": "1"})  # else the tool gives commands of its own
        child = subprocess.Popen(
            [tool(), *args],
            cwd=self.folder,
            env=plain,
            stdin=theirs,
            stdout=theirs if out is None else out,
            stderr=theirs,
        )
        os.close(theirs)
        bytes_shown = self.read_all(ours)
        child.wait(timeout=TIMEOUT)
        os.close(ours)
        return bytes_shown.decode("utf-8").replace("\r\n", "\n")

    @staticmethod
    def silence(terminal: int) -> None:
        """Typed text is not shown."""
        import termios

        modes = termios.tcgetattr(terminal)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(terminal, termios.TCSANOW, modes)

    @staticmethod
    def read_all(terminal: int) -> bytes:
        data = b""
        while True:
            try:
                portion = os.read(terminal, 65536)
            except OSError:  # nobody has the other end any more
                return data
            if not portion:
                return data
            data += portion

    def check(self, shown: str, *words: str) -> None:
        for word in words:
            self.assertIn(word, shown)
        commands = [c for c in shown if is_command(c)]
        self.assertEqual(commands, [], shown)

    def check_call(self, args: List[str], *words: str, server: Optional[List[str]] = None) -> None:
        kinds = [[], ["--stateless"]] if server is None else [server]
        for kind in kinds:
            with self.subTest(args=args, kind=kind):
                self.check(self.shown("call", *args, "--", *SERVER, *kind, typed=b"y\n\n"), *words)


class Call(TerminalTest):
    def test_lists(self) -> None:
        self.check_call([], "owned", "about a key", "fixed")
        self.check_call(["--resources"], "tide:", "wyk", "owned")
        self.check_call(["--prompts"], "owned")

    def test_lists_as_json(self) -> None:
        self.check_call(["--json"], "owned", "\\u009b31m", "\\u202e")
        self.check_call(["--resources", "--json"], "owned")

    def test_about_the_server(self) -> None:
        self.check_call(["--info"], "harbour", "Ask.", "owned")
        self.check_call(["--info", "--json"], "harbour", "\\u202e")

    def test_results(self) -> None:
        self.check_call(["--tool", "say", "--unchecked"], "said", "embedded", "owned")
        self.check_call(["--tool", "say", "--unchecked", "--json"], "said", "\\u061c")
        self.check_call(["--resource", "tide:"], "high", "owned")
        self.check_call(["--prompt", "p"], "go", "owned")

    def test_errors(self) -> None:
        self.check_call(["--tool", "refuse", "--unchecked"], "the server answered -32602: no", "owned")
        self.check_call(["--tool", "invalid", "--unchecked"], "/result/isError")
        self.check_call(["--tool", "die", "--unchecked"], "exited with status 3")
        self.check_call([], "exited with status 4", "owned", server=["--exit"])

    def test_suggestions(self) -> None:
        self.check_call(["--tool", "echooo123", "pick=x"], "did you mean echooo")

    def test_types_of_arguments(self) -> None:
        self.check_call(["--tool", "say"], "tool say: /arguments: required member", "owned")
        self.check_call(["--tool", "say", "count=\x1b[2J"], "the tool expects: integer")

    def test_input_requests(self) -> None:
        self.check_call(["--tool", "ask", "--unchecked"], "Which boat?", "if empty", "owned", server=[])

    def test_log_messages_and_progress(self) -> None:
        words = ["--tool", "say", "--unchecked", "--log"]
        self.check_call(words, "progress: 1: step", "rough", "owned", server=[])

    def test_standard_error_of_the_server(self) -> None:
        self.check_call(["--tool", "say", "--unchecked", "--verbose"], "aside", "owned", "note: ")


class Tap(TerminalTest):
    def test_standard_error_of_the_server(self) -> None:
        server = [sys.executable, "-c", "import os; os.write(2, b'aside \\x1b[2J\\x9b1m\\xff\\n')"]
        self.check(self.shown("tap", "--", *server), "aside \\x1b[2J\\x9b1m\\xff\n")

    def test_findings(self) -> None:
        said = '{"jsonrpc":"2.0","method":"a\u202e\x9b"}\nowned \x1b[2J\u2066\n'
        server = ["cat", str(self.folder / self.file("said", said))]
        for form in ("text", "json"):
            with self.subTest(form=form):
                shown = self.shown("tap", "--format", form, "--", *server, out=subprocess.DEVNULL)
                self.check(shown, "method-unknown", "framing-text", "owned")

    def test_what_the_server_says_to_a_terminal(self) -> None:
        said = (
            '{"a":"b\u202e\x9b31m","c":"\u00e9\u4e2d"}\nowned \x1b[2J\u2066\n'.encode()
            + b"\x9b1m\xff \xe4\xb8"
        )
        server = ["cat", str(self.folder / self.file("said", said))]
        shown = self.shown("tap", "--output", "report", "--", *server)
        self.check(
            shown, '"b\\xe2\\x80\\xae\\xc2\\x9b31m","c":"\u00e9\u4e2d"}\n', "owned", "\\xff \\xe4\\xb8"
        )

    def test_a_character_in_two_pieces_is_one(self) -> None:
        text = "import os, time\nfor b in b'\\xe4', b'\\xb8', b'\\xad\\n': os.write(1, b); time.sleep(0.2)"
        shown = self.shown("tap", "--output", "report", "--", sys.executable, "-S", "-E", "-c", text)
        self.check(shown, "\u4e2d\n")


class Validate(TerminalTest):
    def test_values_and_names_of_files(self) -> None:
        name = self.lines("evil\x1b[2J\u202e.json", {**request(1, "ping"), "\x1b\x9b\u2066": 1, "params": 5})
        self.check(self.shown("validate", "--revision", "2025-11-25", name), "expected object")
        self.check(self.shown("validate", "--format", "json", "--revision", "2025-11-25", name))

    def test_what_is_wrong_with_arguments(self) -> None:
        self.check(self.shown("validate", "none\x1b[2J\u202e"), "none\\x1b[2J")
        self.check(self.shown("validate", "--revision", "\x1b[2J", "f"), "no revision")
        self.check(self.shown("call", "--\x1b[2J", "--", "true"), "no option")
        self.check(self.shown("\x1b[2J"), "no command")


class EverySubcommand(TerminalTest):
    """Text of others in every place that a subcommand shows, by every format that it has."""

    EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u2066\u200f\u061c\x7f\r\x08"
    RAW = "\x9b31m\u202e\u2066\u061c\x7f"  # what JSON need not escape

    def messages(self) -> List[str]:
        """Messages with commands in their names, values and ids; most break a rule."""
        raw, bad = self.RAW, "\\u001b[2J" + self.RAW
        call = f'{{"jsonrpc":"2.0","id":"{raw}","method":"tools/call","params":'
        return [
            call + f'{{"name":"{bad}","arguments":{{"{bad}":"{raw}"}}}}}}',
            f'{{"jsonrpc":"2.0","id":"{raw}","result":{{"content":[{{"type":"text","text":"{bad}","{bad}":1}}]}}}}',
            call + f'{{"name":5,"{bad}":1}}}}',
            f'{{"jsonrpc":"2.0","id":1,"method":"x/{bad}","params":{{"{bad}":[]}}}}',
            f'{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":"{bad}","progress":1}}}}',
            f'{{"jsonrpc":"2.0","id":1,"error":{{"code":-1,"message":"{bad}","data":"{bad}"}}}}',
            f'{{"jsonrpc":"2.0","id":"{raw}","result":{{"content":[{{"type":"{bad}"}}]}}}}',
            f'{{"jsonrpc":"2.0","id":7,"method":"initialize","params":{{"protocolVersion":"{bad}"}}}}',
            "owned" + self.EVIL,
        ]

    def names(self) -> Tuple[str, str]:
        """A file of messages and a log of them, whose names hold commands, too."""
        said = self.messages()
        rows = [f'{{"time":"2026-11-22T14:50:00.123Z","from":"client","message":{m}}}' for m in said]
        sides = [row if i % 2 == 0 else row.replace('"client"', '"server"') for i, row in enumerate(rows)]
        return self.lines(f"said{self.EVIL}", *said), self.lines(f"log{self.EVIL}", *sides)

    def runs(self) -> Dict[str, List[List[str]]]:
        said, log = self.names()
        formats = [["--format", form] for form in ("text", "json", "github", "junit")]
        schema = self.lines(f"schema{self.EVIL}", {self.EVIL: 1, "required": [self.EVIL]})
        wrong = self.lines(f"wrong{self.EVIL}", {"type": self.EVIL})
        server = ["--", *SERVER]
        return {
            "validate": [
                *(["--ndjson", "--all-errors", *form, said] for form in formats),
                *(["--ndjson", *form, log] for form in formats),
                [said],
                ["--json-schema", schema, "--all-errors", said],
                ["--json-schema", wrong, said],
                ["--schema", wrong, said],
                ["--type", self.EVIL, said],
                ["--message", "/" + self.EVIL, "--ndjson", said],
            ],
            "convert": [
                *(["--to", "2025-06-18", *report, said] for report in ([], ["--report"], ["--report=json"])),
                ["--from", "2025-11-25", "--to", "2026-07-28", "--report", log],
                ["--to", self.EVIL, said],
                ["--to", "2025-06-18", "none" + self.EVIL],
            ],
            "tap": [
                *(
                    ["--strict", "--all-errors", "--summary", "--times", *form, "--", "cat", said]
                    for form in formats
                ),
                *(["--strict", "--summary", *form, "--replay", log] for form in formats),
                ["--record", "none/" + self.EVIL, "--", "true"],
                ["--", "./none" + self.EVIL],
                ["--listen", self.EVIL, "--to", "http://localhost/mcp"],
                ["--listen", "0", "--to", self.EVIL],
            ],
            "call": [
                *(
                    [*words, *server]
                    for words in ([], ["--json"], ["--info"], ["--resources"], ["--prompts"])
                ),
                *(["--tool", name, "--unchecked", *server] for name in ("say", "refuse", "invalid", "die")),
                ["--tool", self.EVIL, *server],
                ["--" + self.EVIL, *server],
            ],
            **self.runs_of_logins(),
        }

    def runs_of_logins(self) -> Dict[str, List[List[str]]]:
        """Those of subcommands that not every build has."""
        url = "http://localhost/" + self.EVIL
        runs = {
            "login": [[self.EVIL], ["--store", self.EVIL, url], ["--client-secret-file", self.EVIL, url]],
            "logout": [[self.EVIL], [url, url], ["--" + self.EVIL]],
            "whoami": [[self.EVIL], [url, url], ["--format", self.EVIL, url]],
        }
        listed = self.run_tool("--help").out
        return {name: args for name, args in runs.items() if f"\n  {name} " in listed}

    def test_nothing_commands_the_terminal(self) -> None:
        for command, all_args in self.runs().items():
            for args in all_args:
                with self.subTest(command=command, args=args):
                    shown = self.shown(command, *args)
                    self.assertNotEqual(shown, "")
                    self.check(shown)

    def test_there_is_no_other_subcommand(self) -> None:
        help_ = self.run_tool("--help").out
        listed = help_.split("commands:\n")[1].split("\n\n")[0]
        self.assertEqual({row.split()[0] for row in listed.splitlines()}, set(self.runs()))

    def test_a_converted_message_keeps_its_bytes_in_a_file(self) -> None:
        said, _ = self.names()
        done = self.run_tool("convert", "--to", "2025-06-18", said)
        self.assertIn(self.RAW, done.out)

    def test_an_escaped_message_is_the_same_value(self) -> None:
        said, _ = self.names()
        shown = self.shown("convert", "--to", "2025-06-18", said)
        kept = self.run_tool("convert", "--to", "2025-06-18", said).out
        rows = [row for row in shown.splitlines() if row.startswith("{")]
        self.assertEqual([json.loads(r) for r in rows], [json.loads(r) for r in kept.splitlines()])


if __name__ == "__main__":
    unittest.main()
