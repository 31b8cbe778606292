"""mcpwire call: what it lists and calls, with servers of both kinds, and with servers that misbehave."""

import json
import os
import pty
import subprocess
import sys
import time
import unittest
from typing import List, Tuple

from tests.tool.support import ROOT, TIMEOUT, Result, ToolTest, environment, tool

SERVER = [sys.executable, "-S", "-E", str(ROOT / "tests" / "tool" / "server.py")]
KINDS: Tuple[List[str], ...] = ([], ["--stateless"])


class CallTest(ToolTest):
    def call(self, *args: str, server: Tuple[str, ...] = (), stdin: bytes = b"") -> Result:
        return self.run_tool("call", *args, "--", *SERVER, *server, stdin=stdin)

    def both(self, *args: str) -> str:
        """The outcome with servers of both kinds, which is the same and a success."""
        outputs: List[str] = []
        for kind in KINDS:
            done = self.call(*args, server=tuple(kind))
            self.assertEqual((done.err, done.code), ("", 0))
            outputs.append(done.out)
        self.assertEqual(outputs[0], outputs[1])
        return outputs[0]

    def arguments(self, *words: str) -> object:
        """The arguments that a tool with every type got."""
        return json.loads(self.both("--tool", "types", *words))


class Lists(CallTest):
    def test_tools_with_their_arguments(self) -> None:
        rows = self.both().splitlines()
        self.assertEqual(
            rows[:4],
            ["echo(message: string)", "    Says it back.", "    Word by word.", "    message: What to say"],
        )
        self.assertEqual(
            rows[4],
            "types(count: integer, size?: number, really?: boolean, list?: string[], object?: object, "
            'maybe?: integer | null, colour?: "red" | "blue", either?: string | integer, text?: string, '
            "any?: any, many?: (string | number | boolean | null)[])",
        )

    def test_every_page_is_read(self) -> None:
        self.assertIn("capabilities()\n", self.both())

    def test_tools_as_json(self) -> None:
        tools = json.loads(self.both("--json"))["tools"]
        self.assertEqual([t["name"] for t in tools][:3], ["echo", "types", "fail"])
        self.assertEqual(len(tools), 14)

    def test_resources_and_templates(self) -> None:
        self.assertEqual(
            self.both("--resources"),
            "tide://wyk  wyk (text/plain)\n    Tides of Wyk\ntide://{harbour}  tide\n",
        )
        listed = json.loads(self.call("--resources", "--json").out)
        self.assertEqual(sorted(listed), ["resourceTemplates", "resources"])
        self.assertEqual(listed["resources"][0]["uri"], "tide://wyk")

    def test_prompts(self) -> None:
        self.assertEqual(self.both("--prompts"), "passage(to, from?)\n    Plans one\n")

    def test_a_cursor_that_comes_again_ends_the_list(self) -> None:
        done = self.call("--json", server=("--same-cursor",))
        names = [t["name"] for t in json.loads(done.out)["tools"]]
        self.assertEqual(names, ["echo", "types", "fail", "refuse"])
        self.assertIn("leads back to a page that was read", done.err)
        self.assertEqual(done.code, 0)

    def test_an_empty_cursor_ends_the_list(self) -> None:
        done = self.call("--json", server=("--empty-cursor",))
        self.assertEqual(len(json.loads(done.out)["tools"]), 14)
        self.assertIn("cursor is empty", done.err)
        self.assertEqual(done.code, 0)

    def test_tools_that_are_not_declared_are_listed_with_a_note(self) -> None:
        note = 'mcpwire: note: tools/list: used though the server has not declared "tools"\n'
        done = self.call(server=("--nothing",))
        self.assertEqual((done.err, done.code), (note, 0))
        self.assertEqual(done.out, self.call().out)


class Tools(CallTest):
    def test_text_is_printed(self) -> None:
        self.assertEqual(self.both("--tool", "echo", "message=Moin, Föhr!"), "Moin, Föhr!\n")

    def test_values_may_hold_equals_signs(self) -> None:
        self.assertEqual(self.both("--tool", "echo", "message=a=b"), "a=b\n")

    def test_text_keeps_its_own_line_end(self) -> None:
        self.assertEqual(self.both("--tool", "echo", "message=a\n"), "a\n")

    def test_words_take_the_types_of_the_schema(self) -> None:
        plain = ("count=5", "size=1.5", "really=true", "colour=red", "text=5", "any=6")
        got = self.arguments(*plain, 'list=["a"]', 'object={"b": 1}')
        self.assertEqual(
            got,
            {
                "count": 5,
                "size": 1.5,
                "really": True,
                "list": ["a"],
                "object": {"b": 1},
                "colour": "red",
                "text": "5",
                "any": "6",
            },
        )

    def test_alternatives_take_what_fits(self) -> None:
        self.assertEqual(
            self.arguments("count=1", "maybe=null", "either=x"), {"count": 1, "maybe": None, "either": "x"}
        )
        self.assertEqual(self.arguments("count=1", "either=7"), {"count": 1, "either": 7})

    def test_what_the_schema_does_not_name_is_a_string(self) -> None:
        self.assertEqual(self.arguments("count=1", "other=2"), {"count": 1, "other": "2"})

    def test_a_word_that_does_not_fit(self) -> None:
        for word in ("count=x", "count=1.5", "really=1", "object=[]", "list=a"):
            with self.subTest(word=word):
                done = self.call("--tool", "types", word)
                self.assertIn("the tool expects: ", done.err)
                self.assertEqual((done.out, done.code), ("", 2))

    def test_arguments_as_json(self) -> None:
        value = {"count": 2**53, "text": "t"}
        self.assertEqual(self.arguments("--args", json.dumps(value)), value)
        name = self.file("args.json", json.dumps(value))
        self.assertEqual(self.arguments("--args", "@" + name), value)
        done = self.call("--tool", "types", "--args", "-", stdin=json.dumps(value).encode())
        self.assertEqual(json.loads(done.out), value)

    def test_the_whole_result(self) -> None:
        done = self.call("--tool", "structured", "--json")
        self.assertEqual(json.loads(done.out), {"content": [], "structuredContent": {"high": "06:15"}})
        done = self.call("--tool", "structured", "--json", server=("--stateless",))
        self.assertEqual(json.loads(done.out)["resultType"], "complete")

    def test_structured_content_stands_in_where_there_is_no_other(self) -> None:
        self.assertEqual(json.loads(self.both("--tool", "structured")), {"high": "06:15"})

    def test_other_content_is_described(self) -> None:
        self.assertEqual(
            self.both("--tool", "rich"),
            "caption\n[image image/png, 5 bytes]\n[resource_link tide://wyk]\n"
            "[resource tide://f text/plain]\n06:15\n",
        )

    def test_a_tool_that_fails(self) -> None:
        done = self.call("--tool", "fail")
        self.assertEqual((done.out, done.code), ("it did not work\n", 1))

    def test_a_server_that_refuses(self) -> None:
        done = self.call("--tool", "refuse")
        self.assertEqual((done.out, done.code), ("", 1))
        self.assertEqual(done.err, "mcpwire: the server answered -32602: not today\n")

    def test_a_tool_that_there_is_not(self) -> None:
        done = self.call("--tool", "ecko", "message=x")
        self.assertEqual(done.err, "mcpwire: the server has no tool ecko; did you mean echo?\n")
        self.assertEqual(done.code, 1)

    def test_a_result_that_breaks_the_schema(self) -> None:
        done = self.call("--tool", "invalid")
        wrong = "/result/content/0/text: expected string, got number"
        self.assertEqual(done.err, f"mcpwire: tool invalid: {wrong}\n")
        self.assertEqual((done.out, done.code), ("", 1))

    def test_structured_content_that_breaks_the_schema_of_the_tool(self) -> None:
        wrong = "/structuredContent/height: expected number, got string"
        for kind in KINDS:
            done = self.call("--tool", "lie", server=tuple(kind))
            self.assertEqual(done.err, f"mcpwire: tool lie: {wrong}\n")
            self.assertEqual((done.out, done.code), ("", 1))

    def test_arguments_that_break_the_schema_of_the_tool(self) -> None:
        for words in (["--args", '{"knots": 61}'], ["knots=61"]):
            for kind in KINDS:
                done = self.call("--tool", "lie", *words, server=tuple(kind))
                self.assertEqual(done.err, "mcpwire: tool lie: /arguments/knots: number is greater than 60\n")
                self.assertEqual((done.out, done.code), ("", 2))

    def test_unchecked(self) -> None:
        done = self.call("--tool", "lie", "--args", '{"knots": 61}', "--unchecked", "--json")
        self.assertEqual(json.loads(done.out)["structuredContent"], {"height": "high"})
        self.assertEqual((done.err, done.code), ("", 0))

    def test_a_server_that_dies(self) -> None:
        done = self.call("--tool", "die")
        self.assertEqual(done.err, "mcpwire: the server exited with status 3: the sea took me\n")
        self.assertEqual(done.code, 1)

    def test_a_server_that_takes_too_long(self) -> None:
        begun = time.monotonic()
        done = self.call("--tool", "slow", "--timeout", "1")
        self.assertEqual(done.code, 1)
        self.assertIn("did not answer in time", done.err)
        self.assertLess(time.monotonic() - begun, 20)


class OtherUses(CallTest):
    def test_a_resource(self) -> None:
        self.assertEqual(self.both("--resource", "tide://wyk"), "06:15\n18:33")

    def test_bytes_of_a_resource(self) -> None:
        done = subprocess.run(
            [tool(), "call", "--resource", "tide://chart", "--", *SERVER],
            capture_output=True,
            check=True,
            timeout=TIMEOUT,
        )
        self.assertEqual(done.stdout, b"\x00\xffchart")

    def test_a_prompt(self) -> None:
        self.assertEqual(self.both("--prompt", "passage", "to=5"), 'user: {"to": "5"}\n')

    def test_about_the_server(self) -> None:
        self.assertEqual(
            self.call("--info").out,
            "name: harbour\nversion: 1.2\nrevision: 2025-11-25\n"
            'capabilities: {"logging":{},"prompts":{},"resources":{},"tools":{}}\n'
            "instructions: Ask for a harbour.\n",
        )
        about = json.loads(self.call("--info", "--json", server=("--stateless",)).out)
        self.assertEqual((about["revision"], about["instructions"]), ("2026-07-28", "Ask for a harbour."))

    def test_a_revision_of_choice(self) -> None:
        for revision in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"):
            with self.subTest(revision=revision):
                self.assertIn(f"revision: {revision}\n", self.call("--revision", revision, "--info").out)

    def test_log_messages_and_progress(self) -> None:
        expected = "progress: 1 of 2: step 1\nprogress: 2 of 2: step 2\nlog: warning: sea: rough\n"
        done = self.call("--tool", "chatty", "--log")
        self.assertEqual((done.out, done.err, done.code), ("done\n", expected, 0))
        quiet = self.call("--tool", "chatty")
        self.assertEqual((quiet.out, quiet.err), ("done\n", ""))

    def test_verbose_shows_what_the_server_says_aside(self) -> None:
        self.assertEqual(self.call("--tool", "echo", "message=x", "--verbose").err, "harbour is open\n")

    def test_verbose_tells_what_is_not_right_with_the_server(self) -> None:
        args = ("--tool", "echo", "message=x")
        done = self.call(*args, "--verbose", server=("--noisy",))
        self.assertIn("mcpwire: note: ", done.err)
        self.assertEqual((done.out, done.code), ("x\n", 0))
        self.assertEqual(self.call(*args, server=("--noisy",)).err, "")

    def test_roots(self) -> None:
        (self.folder / "sea chart").mkdir()
        uri = (self.folder.resolve() / "sea chart").as_uri()
        shown = json.loads(self.both("--tool", "roots", "--root", "sea chart"))
        self.assertEqual(shown, {"roots": [{"name": "sea chart", "uri": uri}]})

    def test_what_it_declares(self) -> None:
        declared = [json.loads(self.call("--tool", "capabilities", server=tuple(kind)).out) for kind in KINDS]
        tasks = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
        self.assertEqual(declared, [{"elicitation": {}}, {"elicitation": {}, **tasks}])
        self.assertIn("roots", json.loads(self.call("--tool", "capabilities", "--root", ".").out))

    def test_input_requests_are_declined_where_nobody_can_answer(self) -> None:
        self.assertEqual(json.loads(self.both("--tool", "ask")), {"action": "decline"})


class Questions(CallTest):
    def answered(self, typed: bytes, kind: List[str]) -> Tuple[object, str]:
        """The messages at the server, and the text on the terminal."""
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            raise unittest.SkipTest(f"no pseudo-terminal: {error}") from error
        os.write(ours, typed)
        child = subprocess.Popen(
            [tool(), "call", "--tool", "ask", "--", *SERVER, *kind],
            cwd=self.folder,
            env=environment(),
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        out, err = child.communicate(timeout=TIMEOUT)
        os.close(theirs)
        os.close(ours)
        self.assertEqual(child.returncode, 0, err)
        return json.loads(out), err.decode()

    def test_are_answered_at_the_terminal(self) -> None:
        for kind in KINDS:
            with self.subTest(kind=kind):
                got, shown = self.answered(b"y\nAdler\n3\n\n", kind)
                self.assertEqual(got, {"action": "accept", "content": {"name": "Adler", "masts": 3}})
                self.assertIn("The server asks: Which boat?", shown)
                self.assertIn("name: Its name (string): ", shown)
                self.assertIn("masts (integer, if empty 2): ", shown)
                self.assertIn("flag (string, may be empty): ", shown)

    def test_defaults(self) -> None:
        got, _ = self.answered(b"\nAdler\n\nDE\n", [])
        self.assertEqual(got, {"action": "accept", "content": {"name": "Adler", "masts": 2, "flag": "DE"}})

    def test_what_does_not_fit_is_asked_again(self) -> None:
        got, shown = self.answered(b"\n\nAdler\nthree\n3\n\n", [])
        self.assertEqual(got, {"action": "accept", "content": {"name": "Adler", "masts": 3}})
        self.assertEqual(shown.count("name: Its name"), 2)
        self.assertEqual(shown.count("masts (integer"), 2)

    def test_a_form_that_does_not_take_it_is_asked_again(self) -> None:
        for kind in KINDS:
            got, shown = self.answered(b"y\nAdler\n12\n\ny\nAdler\n3\n\n", kind)
            self.assertEqual(got, {"action": "accept", "content": {"name": "Adler", "masts": 3}})
            self.assertIn("mcpwire: /content/masts: number is greater than 9\n", shown)

    def test_no_is_an_answer(self) -> None:
        self.assertEqual(self.answered(b"n\n", [])[0], {"action": "decline"})

    def test_the_end_of_the_input_cancels(self) -> None:
        self.assertEqual(self.answered(b"y\n\x04", [])[0], {"action": "cancel"})


class Terminal(CallTest):
    def test_text_is_safe_on_one(self) -> None:
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            raise unittest.SkipTest(f"no pseudo-terminal: {error}") from error
        child = subprocess.Popen(
            [tool(), "call", "--tool", "echo", "message=\x1b[2J ok", "--", *SERVER],
            stdin=subprocess.DEVNULL,
            stdout=theirs,
        )
        os.close(theirs)
        shown = b""
        while b"ok" not in shown:
            shown += os.read(ours, 1000)
        child.wait(timeout=TIMEOUT)
        os.close(ours)
        self.assertIn(b"\\x1b[2J ok", shown)
        self.assertNotIn(b"\x1b", shown)


class ConformsItself(CallTest):
    def test_a_tap_has_nothing_to_report(self) -> None:
        """The messages of this client, and of the server of these tests, break no rule."""
        for kind in KINDS:
            for args in (
                ["--resources"],
                ["--prompts"],
                ["--tool", "ask"],
                ["--tool", "roots", "--root", "."],
            ):
                with self.subTest(kind=kind, args=args):
                    tap = [tool(), "tap", "--strict", "--output", "findings"]
                    done = self.run_tool("call", *args, "--", *tap, "--", *SERVER, *kind)
                    self.assertEqual(done.code, 0)
                    self.assertEqual((self.folder / "findings").read_text(encoding="utf-8"), "")


class Arguments(CallTest):
    def refused(self, message: str, *args: str) -> None:
        self.assert_usage_error(self.run_tool("call", *args), message)

    def test_a_server_is_needed(self) -> None:
        message = "call needs a server to start: mcpwire call [OPTION...] -- COMMAND [ARGUMENT...]"
        self.refused(message)
        self.refused(message, "--tool", "echo", "message=x")

    def test_a_server_that_cannot_be_started(self) -> None:
        done = self.run_tool("call", "--", "./no-such-server")
        self.assertEqual(done.err, "mcpwire: cannot start './no-such-server': No such file or directory\n")
        self.assertEqual(done.code, 2)

    def test_a_server_that_ends_at_once(self) -> None:
        done = self.call(server=("--exit",))
        self.assertEqual(done.err, "mcpwire: the server exited with status 4: no harbour here\n")
        self.assertEqual(done.code, 2)

    def test_a_server_that_exits_when_it_is_asked_for_its_revision(self) -> None:
        script = (
            'read -r a; case "$a" in *server/discover*) echo "what?" >&2; exit 3;; esac; '
            'echo \'{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},'
            '"serverInfo":{"name":"old","version":"1"}}}\'; cat >/dev/null'
        )
        done = self.run_tool("call", "--info", "--", "sh", "-c", script)
        self.assertIn("2025-06-18", done.out)
        self.assertEqual((done.err, done.code), ("", 0))
        pinned = self.run_tool("call", "--info", "--revision", "2026-07-28", "--", "sh", "-c", script)
        self.assertEqual(pinned.err, "mcpwire: the server exited with status 3: what?\n")

    def test_a_server_that_says_nothing(self) -> None:
        done = self.call("--timeout", "1", server=("--silent",))
        self.assertIn("did not answer in time", done.err)
        self.assertEqual(done.code, 2)

    def test_one_thing_at_a_time(self) -> None:
        self.refused("--tool and --prompts: only one of them can be done at once", "--tool", "x", "--prompts")

    def test_a_word_that_is_no_argument(self) -> None:
        message = "x is not KEY=VALUE; the server's command follows --"
        self.refused(message, "--tool", "echo", "x", "--", "true")

    def test_arguments_where_none_are_taken(self) -> None:
        self.refused("a=b: arguments are for --tool and --prompt", "a=b", "--", "true")
        self.refused("--args is for --tool", "--prompts", "--args", "{}", "--", "true")

    def test_arguments_given_twice(self) -> None:
        message = "arguments are given twice: by --args and as a=b"
        self.refused(message, "--tool", "t", "--args", "{}", "a=b", "--", "true")

    def test_arguments_that_are_no_object(self) -> None:
        self.refused("--args is not a JSON object", "--tool", "t", "--args", "[]", "--", "true")
        self.refused(
            "--args is not JSON: text is not valid JSON, at byte 1",
            "--tool",
            "t",
            "--args",
            "{",
            "--",
            "true",
        )
        self.refused("none: No such file or directory", "--tool", "t", "--args", "@none", "--", "true")

    def test_a_root_that_there_is_not(self) -> None:
        self.refused("--root none: No such file or directory", "--root", "none", "--", "true")

    def test_an_unknown_revision(self) -> None:
        done = self.run_tool("call", "--revision", "1999", "--", "true")
        self.assertIn('there is no revision "1999"', done.err)
        self.assertEqual(done.code, 2)

    def test_help(self) -> None:
        done = self.run_tool("call", "--help")
        self.assertTrue(done.out.startswith("usage: mcpwire call [OPTION...] [KEY=VALUE...] -- COMMAND"))
        self.assertEqual(done.out, self.run_tool("help", "call").out)
        self.assertEqual((done.code, done.err), (0, ""))


if __name__ == "__main__":
    unittest.main()
