"""The reports of validate that are for machines: JSON with its summary, GitHub's annotations, JUnit's XML."""

import unittest
import xml.etree.ElementTree as ElementTree
from typing import List

from tests.tool.support import PING, Result, ToolTest, notification, request

REVISION = ("--revision", "2025-11-25")
BAD = request(2, "tools/call", {"name": 5})
WORSE = request(3, "tools/call", {"name": 5, "arguments": 6})
# Everything that a format may give a meaning to, and what a terminal obeys.
HOSTILE = "a%b:c,d<e>&f\"g'h\r\ni\033[2J\u009bj\u202ek\ufffel\uffffm]]>\x7f"


class FormatTest(ToolTest):
    def check(self, *messages: object, options: str = "", name: str = "log") -> Result:
        return self.validate(*REVISION, "--ndjson", *options.split(), self.lines(name, *messages))


class ErrorsOnly(FormatTest):
    def test_text_has_no_notes(self) -> None:
        done = self.check(notification("n"), BAD, options="--errors-only")
        self.assertEqual(
            done.out, "log:2: /params/name: expected string, got number\n1 of 2 values invalid\n"
        )

    def test_json_has_no_valid_values_and_no_notes(self) -> None:
        done = self.check(PING, notification("n"), BAD, PING, options="--errors-only --format json")
        self.assertEqual([value["line"] for value in done.values()], [3])
        self.assertEqual((done.summary()["values"], done.summary()["notes"]), (4, 1))

    def test_junit_has_no_valid_values(self) -> None:
        done = self.check(PING, BAD, options="--errors-only --format junit")
        suite = ElementTree.fromstring(done.out).find("testsuite")
        assert suite is not None
        self.assertEqual([case.get("name") for case in suite], ["line 2"])
        self.assertEqual(suite.get("tests"), "1")

    def test_the_exit_status_is_the_same(self) -> None:
        self.assertEqual(self.check(PING, options="--errors-only").code, 0)
        self.assertEqual(self.check(BAD, options="--errors-only").code, 1)


class Summary(FormatTest):
    def test_it_counts_everything(self) -> None:
        self.lines("a", PING, BAD, notification("n"))
        self.file("b", "")
        done = self.validate(*REVISION, "--ndjson", "--format", "json", "a", "b", "nowhere")
        self.assertEqual(
            done.summary(),
            {
                "files": 3,
                "values": 3,
                "invalid": 1,
                "notes": 1,
                "files_not_read": 1,
                "files_empty": 1,
                "revisions": {"2025-11-25": 3},
            },
        )

    def test_it_is_there_without_values(self) -> None:
        self.assertEqual(self.check(options="--format json").summary()["values"], 0)

    def test_it_is_the_last_line(self) -> None:
        last = self.check(PING, options="--format json").out.splitlines()[-1]
        self.assertTrue(last.startswith('{"summary":{'))


class Github(FormatTest):
    def test_an_error_is_an_annotation(self) -> None:
        done = self.check(PING, WORSE, options="--format github --all-errors")
        self.assertEqual(
            done.out.splitlines(),
            [
                "::error file=log,line=2::/params/name: expected string, got number",
                "::error file=log,line=2::/params/arguments: expected object, got number",
                "1 of 2 values invalid",
            ],
        )

    def test_a_note_is_a_notice(self) -> None:
        done = self.check(notification("n"), options="--format github")
        self.assertRegex(done.out, r'\A::notice file=log,line=1::/method: .* no method "n"')
        self.assertNotIn("::", self.check(notification("n"), options="--format github --errors-only").out)

    def test_a_file_that_cannot_be_read(self) -> None:
        done = self.validate("--format", "github", "nowhere")
        self.assertIn("::error file=nowhere::cannot open: No such file or directory\n", done.out)
        self.assertEqual(done.code, 2)

    def test_a_file_without_messages(self) -> None:
        self.assertIn("::error file=log::no messages\n", self.check(options="--format github").out)

    def test_hostile_text_stays_in_its_annotation(self) -> None:
        done = self.check(notification(HOSTILE), options="--format github", name="x,line=9::y\n::z%")
        commands = [line for line in done.out.splitlines() if line.startswith("::")]
        self.assertEqual(len(commands), 1)
        self.assertIn("file=x%2Cline=9%3A%3Ay\\x0a%3A%3Az%25,line=1::", commands[0])
        self.assertIn("a%25b:c,d", commands[0])
        self.assertEqual(len(done.out.splitlines()), 2)


class Junit(FormatTest):
    def suites(self, done: Result) -> List[ElementTree.Element]:
        root = ElementTree.fromstring(done.out)
        self.assertEqual(root.tag, "testsuites")
        return list(root)

    def test_a_suite_a_file_and_a_case_a_value(self) -> None:
        self.lines("a", PING, BAD)
        self.lines("b", PING)
        done = self.validate(*REVISION, "--ndjson", "--format", "junit", "a", "b")
        first, second = self.suites(done)
        self.assertEqual(first.attrib, {"name": "a", "tests": "2", "failures": "1", "errors": "0"})
        self.assertEqual(
            [case.attrib for case in first],
            [
                {"classname": "a", "name": "line 1"},
                {"classname": "a", "name": "line 2"},
            ],
        )
        self.assertEqual(second.get("tests"), "1")
        self.assertEqual(done.code, 1)

    def test_a_failure_has_its_errors(self) -> None:
        (suite,) = self.suites(self.check(WORSE, options="--format junit --all-errors"))
        (failure,) = suite[0]
        self.assertEqual(failure.tag, "failure")
        self.assertEqual(failure.attrib, {"type": "MCPW_E_TYPE", "message": "expected string, got number"})
        self.assertEqual(
            failure.text,
            "log:1: /params/name: expected string, got number\n"
            "log:1: /params/arguments: expected object, got number",
        )

    def test_a_file_that_cannot_be_read_is_an_error(self) -> None:
        done = self.validate("--format", "junit", "nowhere")
        (suite,) = self.suites(done)
        self.assertEqual((suite.get("tests"), suite.get("errors")), ("1", "1"))
        (problem,) = suite[0]
        self.assertEqual(
            (problem.tag, problem.get("message")), ("error", "cannot open: No such file or directory")
        )

    def test_hostile_text_is_well_formed(self) -> None:
        name = self.lines(HOSTILE, {"action": "accept", "content": {HOSTILE: {}}})
        done = self.validate("--revision", "2025-11-25", "--type", "ElicitResult", "--format", "junit", name)
        (suite,) = self.suites(done)
        (failure,) = suite[0]
        assert failure.text is not None
        self.assertIn("d<e>&f\"g'h\\x0d\\x0ai\\x1b[2J", failure.text)
        self.assertIn("\\xef\\xbf\\xbe", failure.text)
        self.assertIn("]]>", failure.text)

    def test_quiet_writes_nothing(self) -> None:
        self.assertEqual(self.check(BAD, options="--format junit --quiet").out, "")

    def test_many_values(self) -> None:
        (suite,) = self.suites(self.check(*[PING, BAD] * 5000, options="--format junit"))
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("10000", "5000"))
        self.assertEqual(len(suite), 10000)


class Terminal(FormatTest):
    def test_no_format_lets_a_command_through(self) -> None:
        for form in ("text", "json", "github", "junit"):
            for message in (notification(HOSTILE), request(1, "tools/call", {HOSTILE: 1, "name": 5})):
                with self.subTest(format=form):
                    out = self.check(message, options=f"--format {form}", name=HOSTILE).out
                    for odd in "\033\u009b\u202e\x7f\r":
                        self.assertNotIn(odd, out)

    def test_complaints_are_clean_too(self) -> None:
        done = self.validate("--ndjson", HOSTILE)
        for odd in "\033\u009b\u202e\x7f\r":
            self.assertNotIn(odd, done.err)


if __name__ == "__main__":
    unittest.main()
