"""Arguments of the command: help, version, and what is refused with exit status 2."""

import json
import unittest

from tests.tool.support import PING, ROOT, ToolTest

_LISTED = json.loads((ROOT / "schema/revisions.json").read_text())
REVISIONS = [row["revision"] for row in _LISTED["revisions"]]
VALIDATE_OPTIONS = (
    "--revision --type --json-schema --ndjson --message --split --all-errors --errors-only --strict --format "
    "--quiet --max-bytes --max-depth --max-open"
)


class Help(ToolTest):
    def test_help_lists_the_commands(self) -> None:
        done = self.run_tool("--help")
        self.assertRegex(done.out, r"(?m)^  validate +\S")
        self.assertEqual((done.code, done.err), (0, ""))

    def test_help_of_validate_explains_each_option(self) -> None:
        done = self.validate("--help")
        for option in VALIDATE_OPTIONS.split():
            self.assertRegex(done.out, rf"(?m)^  {option} .*\S")
        self.assertIn("example", done.out)
        self.assertEqual((done.code, done.err), (0, ""))

    def test_help_fits_a_terminal(self) -> None:
        for text in (self.run_tool("--help").out, self.validate("--help").out):
            self.assertLessEqual(max(len(line) for line in text.splitlines()), 90)

    def test_version_names_the_revisions_held(self) -> None:
        done = self.run_tool("--version")
        self.assertRegex(done.out, r"\Amcpwire \d+\.\d+\.\d+\n")
        self.assertIn("revisions: " + ", ".join(REVISIONS) + "\n", done.out)
        self.assertEqual(done.code, 0)


class Commands(ToolTest):
    def test_a_command_is_needed(self) -> None:
        self.assert_usage_error(self.run_tool(), 'no command given; "mcpwire --help" lists them')

    def test_an_unknown_command_gets_a_suggestion(self) -> None:
        done = self.run_tool("valdate")
        self.assert_usage_error(done, 'there is no command "valdate"; did you mean validate?')

    def test_a_short_name_is_close_to_little(self) -> None:
        self.assertNotIn("did you mean", self.run_tool("val").err)

    def test_a_command_like_no_other(self) -> None:
        done = self.run_tool("embroider")
        self.assert_usage_error(done, 'there is no command "embroider"; "mcpwire --help" lists them')


class Options(ToolTest):
    def setUp(self) -> None:
        super().setUp()
        self.lines("ping.json", PING)

    def test_a_file_is_needed(self) -> None:
        done = self.validate("--ndjson")
        self.assert_usage_error(
            done, 'validate needs a file; - is standard input, "mcpwire validate --help" explains'
        )

    def test_an_unknown_option_gets_a_suggestion(self) -> None:
        done = self.validate("--ndjsn", "ping.json")
        self.assert_usage_error(done, "validate has no option --ndjsn; did you mean --ndjson?")

    def test_an_option_without_its_value(self) -> None:
        self.assert_usage_error(self.validate("--type"), "--type needs a value: --type T")

    def test_a_flag_with_a_value(self) -> None:
        self.assert_usage_error(self.validate("--quiet=1", "ping.json"), "--quiet takes no value")

    def test_an_unknown_format(self) -> None:
        done = self.validate("--format", "xml", "ping.json")
        self.assert_usage_error(done, '--format is "xml"; expected text, json, github, junit or html')

    def test_places_are_json_pointers(self) -> None:
        for option in ("--message", "--split"):
            for text in ("message", "/a~", "/a~2", "/" + "a" * 256):
                with self.subTest(option=option, text=text):
                    done = self.validate("--ndjson", option, text, "ping.json")
                    self.assert_usage_error(
                        done, f'{option} is "{text}"; expected a JSON pointer, such as /message'
                    )

    def test_sessions_are_of_messages_one_a_line(self) -> None:
        for options in ("--split /s", "--split /s --ndjson --type Tool"):
            self.assert_usage_error(
                self.validate(*options.split(), "ping.json"),
                "--split is for messages, one a line: it needs --ndjson, and excludes --type",
            )

    def test_numbers_are_checked(self) -> None:
        for text in ("", "x", "-1", "0", "1.5", "1X", "1KK", "99999999999999999999", "99999999999999999G"):
            with self.subTest(text=text):
                done = self.validate("--max-bytes", text, "ping.json")
                self.assert_usage_error(
                    done,
                    f'--max-bytes is "{text}"; expected a number of at least 1, with an optional K, M or G',
                )

    def test_the_depth_has_a_ceiling(self) -> None:
        done = self.validate("--max-depth", "513", "ping.json")
        self.assert_usage_error(done, '--max-depth is "513"; expected a number from 1 to 512')

    def test_a_value_may_follow_an_equals_sign(self) -> None:
        done = self.validate("--type=PingRequest", "--revision=2024-11-05", "ping.json")
        self.assertEqual((done.code, done.out), (0, "1 value valid\n"))

    def test_options_may_follow_files(self) -> None:
        self.assertEqual(self.validate("ping.json", "--revision", "2024-11-05").code, 0)

    def test_two_hyphens_end_the_options(self) -> None:
        self.lines("--quiet", PING)
        done = self.validate("--revision", "2025-11-25", "--", "--quiet")
        self.assertEqual((done.code, done.out), (0, "1 value valid\n"))

    def test_stdin_can_be_given_once(self) -> None:
        done = self.validate("-", "-")
        self.assert_usage_error(done, "standard input (-) is given 2 times; it can be read once")


class RevisionsAndTypes(ToolTest):
    def setUp(self) -> None:
        super().setUp()
        self.lines("ping.json", PING)

    def test_an_unknown_revision_lists_those_there_are(self) -> None:
        done = self.validate("--revision", "2025-01-01", "ping.json")
        held = ", ".join(REVISIONS)
        self.assert_usage_error(done, f'there is no revision "2025-01-01"; this build has {held}')

    def test_the_default_revision_is_the_pin(self) -> None:
        pin = json.loads((ROOT / "schema/revisions.json").read_text())["default_pin"]
        self.assertIn(f"default: {pin}\n", self.run_tool("--version").out)
        done = self.validate("--type", "NoSuchType", "ping.json")
        self.assertIn(f'revision {pin} has no type "NoSuchType"', done.err)

    def test_auto_is_for_messages(self) -> None:
        done = self.validate("--revision", "auto", "--type", "Tool", "ping.json")
        self.assert_usage_error(
            done, "--revision auto is for messages: a value of a type does not name its revision"
        )

    def test_an_unknown_type_gets_suggestions(self) -> None:
        done = self.validate("--revision", "2025-11-25", "--type", "CallTolResult", "ping.json")
        self.assert_usage_error(
            done, 'revision 2025-11-25 has no type "CallTolResult"; did you mean CallToolResult?'
        )

    def test_names_of_types_differ_by_case(self) -> None:
        done = self.validate("--revision", "2025-11-25", "--type", "toolchoice", "ping.json")
        self.assert_usage_error(
            done, 'revision 2025-11-25 has no type "toolchoice"; did you mean ToolChoice?'
        )

    def test_a_type_of_another_revision_names_that_revision(self) -> None:
        done = self.validate("--revision", "2024-11-05", "--type", "ElicitResult", "ping.json")
        self.assert_usage_error(
            done, f'revision 2024-11-05 has no type "ElicitResult"; revision {REVISIONS[-1]} has it'
        )

    def test_a_type_like_no_other(self) -> None:
        done = self.validate("--revision", "2024-11-05", "--type", "Umbrella", "ping.json")
        self.assert_usage_error(
            done, 'revision 2024-11-05 has no type "Umbrella"; types are the definitions of its schema'
        )


if __name__ == "__main__":
    unittest.main()
