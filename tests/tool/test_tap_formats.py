"""The reports of tap that are for machines: GitHub's annotations and JUnit's XML."""

import unittest
import xml.etree.ElementTree as ElementTree

from tests.tool.support import PING, Result, notification, request, result
from tests.tool.tapping import TapTest, client, handshake, server

BAD = request(2, "tools/call", {"name": 5, "arguments": 6})
UNASKED = result(77, {})
# Everything that a format may give a meaning to, and what a terminal obeys.
HOSTILE = "a%b:c,d<e>&f\"g'h\r\ni\033[2J\u009bj\u202ek\ufffel\uffffm]]>\x7f"
TALK = [
    *handshake(offered="2025-11-25", can={}),
    *client(request(1, "ping")),
    *server(result(1, {})),
    *client(BAD),
    *server(result(2, {"content": []})),
    *server(UNASKED),
]


class FormatTest(TapTest):
    def replayed(self, *options: str, name: str = "log") -> Result:
        return self.run_tool("tap", "--replay", name, *options)

    def record(self) -> None:
        self.play(TALK, "--record", "log")


class Github(FormatTest):
    def test_a_finding_is_an_annotation_at_its_line_of_the_log(self) -> None:
        self.record()
        lines = (self.folder / "log").read_text(encoding="utf-8").splitlines()
        (at,) = [place for place, line in enumerate(lines, 1) if "tools/call" in line]
        out = self.replayed("--format", "github").out.splitlines()
        self.assertEqual(
            out[0],
            f"::error title=schema,file=log,line={at}::client->server 4: /params/name: expected string, "
            "got number [schema of 2025-11-25, tools/call, id 2]",
        )
        self.assertIn(
            f"::error title=answer-unknown,file=log,line={len(lines)}::server->client 4: /id: ", out[-1]
        )

    def test_without_a_log_there_is_no_file(self) -> None:
        child = self.start(self.script("import sys\nsys.stdin.read()\n"), "--format", "github")
        _, told = child.communicate(b"{}\n", timeout=60)
        self.assertTrue(told.startswith(b"::error title=message::client->server 1: "), told)

    def test_the_severity_is_the_command(self) -> None:
        self.play([*handshake(), *client("[]")], "--record", "log")
        severities = [line.split(" ")[0] for line in self.replayed("--format", "github").out.splitlines()]
        self.assertLessEqual(set(severities), {"::error", "::warning", "::notice"})
        texts = self.replayed().out.splitlines()
        words = {"error:": "::error", "warning:": "::warning", "note:": "::notice"}
        self.assertEqual(severities, [words[line.split(": ")[2] + ":"] for line in texts])

    def test_the_summary_is_that_of_text(self) -> None:
        self.record()
        tail = [
            line for line in self.replayed("--summary").out.splitlines() if line.startswith("tap: errors")
        ]
        self.assertIn(tail[0], self.replayed("--format", "github", "--summary").out.splitlines())

    def test_hostile_text_ends_no_command(self) -> None:
        self.play(
            [*handshake(), *client(notification(HOSTILE), request(HOSTILE, HOSTILE))], "--record", "x,y::z%"
        )
        out = self.replayed("--format", "github", name="x,y::z%").out
        self.assertIn("file=x%2Cy%3A%3Az%25,line=", out)
        self.assertIn("a%25b:c,d", out)
        for line in out.splitlines():
            self.assertRegex(line, "^::(error|warning|notice) title=")


class Junit(FormatTest):
    def suite(self, done: Result) -> ElementTree.Element:
        root = ElementTree.fromstring(done.out)
        self.assertEqual(root.tag, "testsuites")
        (suite,) = root
        return suite

    def test_a_case_a_message(self) -> None:
        self.record()
        suite = self.suite(self.replayed("--format", "junit"))
        self.assertEqual(suite.attrib, {"name": "log", "tests": "8", "failures": "2", "errors": "0"})
        self.assertEqual(
            [(case.get("classname"), case.get("name")) for case in suite][:4],
            [
                ("client->server", "1 initialize"),
                ("server->client", "1 initialize"),
                ("client->server", "2 notifications/initialized"),
                ("client->server", "3 ping"),
            ],
        )
        failed = [case.get("name") for case in suite if case.find("failure") is not None]
        self.assertEqual(failed, ["4 tools/call", "4"])

    def test_a_failure_has_its_errors(self) -> None:
        self.record()
        suite = self.suite(self.replayed("--format", "junit", "--all-errors"))
        (failure,) = [case[0] for case in suite if case.get("name") == "4 tools/call"]
        self.assertEqual(failure.attrib, {"type": "schema", "message": "expected string, got number"})
        self.assertEqual(
            failure.text,
            "/params/name: expected string, got number [schema of 2025-11-25, tools/call, id 2]\n"
            "/params/arguments: expected object, got number [schema of 2025-11-25, tools/call, id 2]\n",
        )

    def test_warnings_and_notes_are_no_failures(self) -> None:
        self.play([*handshake(), *client(b'{"jsonrpc":"2.0","id":9,"method":"ping"}\r\n')], "--record", "log")
        suite = self.suite(self.replayed("--format", "junit"))
        (case,) = [case for case in suite if case.get("name") == "3 ping"]
        self.assertEqual([part.tag for part in case], ["system-out"])
        self.assertIn("lines end with CR and LF", str(case[0].text))
        self.assertEqual(suite.get("failures"), "0")

    def test_the_messages_of_a_batch_are_cases_of_their_own(self) -> None:
        batch = [PING, request(3, "ping")]
        self.play([*handshake("2025-03-26"), *client(batch)], "--record", "log", "--revision", "2025-03-26")
        names = [case.get("name") for case in self.suite(self.replayed("--format", "junit"))]
        self.assertEqual(names[-2:], ["3/0 ping", "3/1 ping"])

    def test_a_live_session_is_reported_at_its_end(self) -> None:
        child = self.start(self.script("import sys\nsys.stdin.read()\n"), "--format", "junit", "--check")
        _, told = child.communicate(b"{}\n", timeout=60)
        suite = self.suite(Result(0, told.decode(), ""))
        self.assertEqual(
            (suite.get("name"), suite.get("failures"), child.returncode), ("mcpwire tap", "1", 1)
        )

    def test_the_summary_is_what_the_suite_writes(self) -> None:
        self.record()
        suite = self.suite(self.replayed("--format", "junit", "--summary"))
        self.assertEqual(suite[-1].tag, "system-out")
        self.assertIn("errors: 2, warnings: ", str(suite[-1].text))

    def test_hostile_text_is_well_formed(self) -> None:
        self.play(
            [*handshake(), *client(notification(HOSTILE), request(HOSTILE, HOSTILE))], "--record", "<&\"'>"
        )
        suite = self.suite(self.replayed("--format", "junit", name="<&\"'>"))
        self.assertEqual(suite.get("name"), "<&\"'>")
        self.assertIn("d<e>&f\"g'h\\x0d\\x0ai\\x1b[2J", str(suite[-1].get("name")))

    def test_many_messages(self) -> None:
        talk = [step for n in range(3000) for step in client(request(n, "tools/call", {"name": n}))]
        self.play([*handshake(), *talk], "--record", "log")
        suite = self.suite(self.replayed("--format", "junit"))
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("3003", "3000"))
        self.assertEqual(len(suite), 3003)

    def test_a_report_cannot_be_added_to_another(self) -> None:
        done = self.run_tool("tap", "--format", "junit", "--output", "x", "--append", "--", "true")
        self.assertEqual(done.code, 2)
        self.assertIn("--append adds nothing to a report of --format junit, which is one document", done.err)


if __name__ == "__main__":
    unittest.main()
