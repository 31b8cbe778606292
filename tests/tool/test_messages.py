"""Verdicts on messages: by the message rule, and responses by the request that they answer."""

import json
import unittest
from typing import Dict

from tests.tool.support import (
    BAD_TOOLS,
    BAD_TOOLS_ERROR,
    LIST_TOOLS,
    PING,
    ToolTest,
    error,
    notification,
    request,
    result,
)

ROOTS: Dict[str, object] = {"roots": []}
TOOLS: Dict[str, object] = {"tools": []}
TOOL = {"name": "tide", "inputSchema": {"type": "object"}}
UNKNOWN_RESULT = "note: /id: no open request has this id: the result is checked as an object only"


class ExitStatus(ToolTest):
    def test_all_valid_is_0(self) -> None:
        self.assertEqual(self.session(PING, result(1, {})).code, 0)

    def test_something_invalid_is_1(self) -> None:
        self.assertEqual(self.session(PING, {"jsonrpc": "2.0"}, PING).code, 1)

    def test_a_note_is_not_an_error(self) -> None:
        self.assertEqual(self.session(request(1, "tides/list")).code, 0)


class MessageRule(ToolTest):
    def test_params_are_checked_by_the_method(self) -> None:
        done = self.session(request(1, "tools/call", {"name": 5}))
        self.assertEqual(
            done.out.splitlines()[0], "session.ndjson:1: /params/name: expected string, got number"
        )

    def test_an_unknown_method_is_valid_with_a_note(self) -> None:
        done = self.session(request(1, "tides/list", {"any": 1}))
        self.assertEqual(
            done.out,
            'session.ndjson:1: note: /method: revision 2025-11-25 has no method "tides/list": '
            "its params are not checked\n1 value valid, 1 note\n",
        )

    def test_an_unknown_notification_gets_the_note_too(self) -> None:
        self.assertIn("1 value valid, 1 note", self.session(notification("tides/turned")).out)

    def test_a_long_method_name_is_cut_between_characters(self) -> None:
        done = self.session(notification("x" + "é" * 500))
        self.assertIn('has no method "x' + "é" * 49 + '...": its', done.out)

    def test_an_unknown_method_is_an_error_under_strict(self) -> None:
        done = self.session(request(1, "tides/list"), options="--strict")
        self.assertIn("session.ndjson:1: /method: ", done.out)
        self.assertEqual(done.code, 1)

    def test_strict_refuses_what_prose_forbids(self) -> None:
        message = request(1, "resources/read", {"uri": "no uri"})
        self.assertEqual(self.session(message).code, 0)
        self.assertEqual(self.session(message, options="--strict").code, 1)

    def test_the_type_gives_the_verdict_of_the_schema(self) -> None:
        name = self.lines("neither.json", {"jsonrpc": "2.0", "id": 1, "method": "ping", "result": {}})
        self.assertEqual(self.validate("--revision", "2025-11-25", name).code, 1)
        self.assertEqual(self.validate("--revision", "2025-11-25", "--type", "JSONRPCMessage", name).code, 0)

    def test_values_of_a_type_need_no_envelope(self) -> None:
        name = self.lines("tools.ndjson", TOOL, {"name": "moon"}, TOOL)
        done = self.validate("--revision", "2025-11-25", "--type", "Tool", "--ndjson", name)
        self.assertEqual(
            done.out,
            'tools.ndjson:2: /: missing required member "inputSchema"\n1 of 3 values invalid\n',
        )

    def test_an_array_is_a_message_in_one_revision_only(self) -> None:
        self.assertEqual(self.session([PING], revision="2025-03-26").code, 0)
        self.assertEqual(self.session([PING], revision="2025-06-18").code, 1)


class Responses(ToolTest):
    def assert_error(self, text: str, *messages: object) -> None:
        done = self.session(*messages)
        plural = "s" if len(messages) > 1 else ""
        self.assertEqual(
            done.out,
            f"session.ndjson:{len(messages)}: {text}\n1 of {len(messages)} value{plural} invalid\n",
        )

    def test_a_result_is_checked_by_its_request(self) -> None:
        self.assert_error(BAD_TOOLS_ERROR, request(1, LIST_TOOLS), result(1, BAD_TOOLS))

    def test_the_order_of_members_does_not_matter(self) -> None:
        response = {"result": BAD_TOOLS, "id": 1, "jsonrpc": "2.0"}
        self.assert_error(BAD_TOOLS_ERROR, request(1, LIST_TOOLS), response)

    def test_other_messages_may_stand_between(self) -> None:
        pings = [request(n, "ping") for n in range(2, 500)]
        self.assert_error(BAD_TOOLS_ERROR, request(1, LIST_TOOLS), *pings, result(1, BAD_TOOLS))

    def test_every_response_finds_its_own_request(self) -> None:
        requests = [request(n if n % 2 else f"id{n}", LIST_TOOLS) for n in range(300)]
        good = [result(n if n % 2 else f"id{n}", {"tools": []}) for n in range(0, 300, 3)]
        bad = [result(n if n % 2 else f"id{n}", BAD_TOOLS) for n in range(300) if n % 3]
        done = self.session(*requests, *good, *bad)
        self.assertEqual(done.out.splitlines()[-1], f"{len(bad)} of 600 values invalid")

    def test_a_result_before_its_request_is_an_envelope(self) -> None:
        done = self.session(result(1, BAD_TOOLS), request(1, LIST_TOOLS))
        self.assertEqual(done.out, f"session.ndjson:1: {UNKNOWN_RESULT}\n2 values valid, 1 note\n")

    def test_an_envelope_holds_an_object(self) -> None:
        self.assert_error("/result: expected object, got array", result(1, []))

    def test_the_string_1_is_not_the_number_1(self) -> None:
        done = self.session(request(1, LIST_TOOLS), result("1", BAD_TOOLS))
        self.assertEqual(done.out, f"session.ndjson:2: {UNKNOWN_RESULT}\n2 values valid, 1 note\n")

    def test_both_ids_may_be_open(self) -> None:
        done = self.session(
            request("1", "ping"), request(1, LIST_TOOLS), result("1", {}), result(1, BAD_TOOLS)
        )
        self.assertIn(f"session.ndjson:4: {BAD_TOOLS_ERROR}", done.out)

    def test_ids_are_compared_by_character(self) -> None:
        done = self.session(request("é", LIST_TOOLS), '{"jsonrpc":"2.0","id":"\\u00e9","result":{"tools":5}}')
        self.assertIn("session.ndjson:2: /result/tools: expected array", done.out)

    def test_an_id_with_a_nul_character(self) -> None:
        done = self.session(
            request("a\0b", LIST_TOOLS),
            request("a\0c", "ping"),
            result("a\0c", {}),
            result("a\0b", BAD_TOOLS),
        )
        self.assertEqual(done.out.splitlines()[0], f"session.ndjson:4: {BAD_TOOLS_ERROR}")

    def test_an_answered_request_is_closed(self) -> None:
        done = self.session(request(1, LIST_TOOLS), result(1, {"tools": []}), result(1, BAD_TOOLS))
        self.assertEqual(done.out, f"session.ndjson:3: {UNKNOWN_RESULT}\n3 values valid, 1 note\n")

    def test_an_error_closes_a_request(self) -> None:
        done = self.session(request(1, LIST_TOOLS), error(1), result(1, BAD_TOOLS))
        self.assertEqual(done.out, f"session.ndjson:3: {UNKNOWN_RESULT}\n3 values valid, 1 note\n")

    def test_an_invalid_result_closes_a_request(self) -> None:
        done = self.session(request(1, LIST_TOOLS), result(1, BAD_TOOLS), result(1, BAD_TOOLS))
        self.assertEqual(done.out.splitlines()[1], f"session.ndjson:3: {UNKNOWN_RESULT}")

    def test_an_invalid_request_gives_its_response_a_type(self) -> None:
        done = self.session(request(1, LIST_TOOLS, {"cursor": 5}), result(1, BAD_TOOLS))
        self.assertIn(f"session.ndjson:2: {BAD_TOOLS_ERROR}", done.out)

    def test_an_invalid_error_closes_a_request(self) -> None:
        broken = {"jsonrpc": "2.0", "id": 1, "error": {"code": "none"}}
        done = self.session(request(1, LIST_TOOLS), broken, result(1, BAD_TOOLS))
        self.assertEqual(done.out.splitlines()[1], f"session.ndjson:3: {UNKNOWN_RESULT}")

    def test_a_notification_with_an_id_is_no_request(self) -> None:
        done = self.session(request(1, "notifications/initialized"), result(1, {}))
        self.assertEqual(done.out.splitlines()[1], f"session.ndjson:2: {UNKNOWN_RESULT}")

    def test_an_id_may_be_used_again(self) -> None:
        done = self.session(PING, result(1, {}), request(1, LIST_TOOLS), result(1, BAD_TOOLS))
        self.assertIn(f"session.ndjson:4: {BAD_TOOLS_ERROR}", done.out)

    def test_the_result_of_an_unknown_method_is_an_object(self) -> None:
        done = self.session(request(1, "tides/list"), result(1, BAD_TOOLS))
        self.assertEqual(done.out.splitlines()[-1], "2 values valid, 1 note")

    def test_a_task_gives_another_result(self) -> None:
        task = {
            "taskId": "t",
            "status": "working",
            "createdAt": "2025-12-01T08:00:00Z",
            "lastUpdatedAt": "2025-12-01T08:00:00Z",
            "ttl": None,
        }
        with_task = request(1, "tools/call", {"name": "tide", "task": {}})
        self.assertEqual(self.session(with_task, result(1, {"task": task})).out, "2 values valid\n")
        self.assertEqual(self.session(with_task, result(1, {"content": []})).code, 1)
        invalid = request(1, "tools/call", {"name": 5, "task": {}})
        done = self.session(invalid, result(1, {"task": task}))
        self.assertEqual(done.out.splitlines()[-1], "1 of 2 values invalid")
        without = request(1, "tools/call", {"name": "tide"})
        self.assertEqual(self.session(without, result(1, {"task": task})).code, 1)

    def test_requests_of_another_file_do_not_count(self) -> None:
        self.lines("a.ndjson", request(1, LIST_TOOLS))
        self.lines("b.ndjson", result(1, BAD_TOOLS))
        done = self.validate("--revision", "2025-11-25", "--ndjson", "a.ndjson", "b.ndjson")
        self.assertEqual(done.out, f"b.ndjson:1: {UNKNOWN_RESULT}\n2 values valid, 1 note\n")


class OneIdOnBothSides(ToolTest):
    """Client and server number their requests each for themselves."""

    def test_a_result_may_answer_either(self) -> None:
        both = [request(1, LIST_TOOLS), request(1, "roots/list")]
        for first, second in ((ROOTS, TOOLS), (TOOLS, ROOTS)):
            done = self.session(*both, result(1, first), result(1, second))
            self.assertEqual(done.out, "4 values valid\n")

    def test_a_result_that_answers_neither_is_invalid(self) -> None:
        done = self.session(request(1, LIST_TOOLS), request(1, "roots/list"), result(1, {}))
        self.assertIn('session.ndjson:3: /result: missing required member "roots"', done.out)

    def test_one_answer_leaves_the_other_open(self) -> None:
        done = self.session(
            request(1, LIST_TOOLS), request(1, "roots/list"), result(1, ROOTS), result(1, ROOTS)
        )
        self.assertIn('session.ndjson:4: /result: missing required member "tools"', done.out)

    def test_an_error_does_not_show_which_it_answers(self) -> None:
        both = [request(1, LIST_TOOLS), request(1, "roots/list"), error(1)]
        for answer in (ROOTS, TOOLS):
            done = self.session(*both, result(1, answer), result(1, {}))
            self.assertEqual(done.out.splitlines()[-1], "5 values valid, 1 note")


class Batches(ToolTest):
    REVISION = "2025-03-26"

    def batch(self, *messages: object) -> str:
        return self.session(*messages, revision=self.REVISION).out

    def test_requests_of_a_batch_are_remembered(self) -> None:
        out = self.batch([PING, request("b", LIST_TOOLS)], result("b", BAD_TOOLS))
        self.assertEqual(out.splitlines()[0], f"session.ndjson:2: {BAD_TOOLS_ERROR}")

    def test_results_of_a_batch_are_checked(self) -> None:
        out = self.batch(PING, request("b", LIST_TOOLS), [result(1, {}), result("b", BAD_TOOLS)])
        self.assertEqual(out.splitlines()[0], f"session.ndjson:3: /1{BAD_TOOLS_ERROR}")

    def test_results_of_a_batch_close_their_requests(self) -> None:
        out = self.batch(
            [PING, request(2, LIST_TOOLS)],
            [error(1), result(2, {"tools": []})],
            [result(1, BAD_TOOLS), result(2, BAD_TOOLS)],
        )
        self.assertEqual(out.splitlines()[-1], "3 values valid, 2 notes")

    def test_notes_point_into_the_batch(self) -> None:
        out = self.batch([PING, notification("tides/turned")])
        self.assertIn("session.ndjson:1: note: /1/method: ", out)

    def test_requests_of_an_invalid_batch_are_remembered(self) -> None:
        out = self.batch([request(2, LIST_TOOLS), 5], result(2, BAD_TOOLS))
        self.assertEqual(out.splitlines()[1], f"session.ndjson:2: {BAD_TOOLS_ERROR}")

    def test_an_invalid_batch_has_no_notes(self) -> None:
        out = self.batch([notification("tides/turned"), 5])
        self.assertNotIn("note", out)

    def test_ids_that_both_sides_use(self) -> None:
        out = self.batch(
            [request(1, LIST_TOOLS), request(2, LIST_TOOLS)],
            [request(1, "roots/list"), request(2, "roots/list")],
            [result(2, {"tools": []}), result(1, {"roots": []})],
            [result(1, {"tools": []}), result(2, {"roots": []})],
            [result(1, {}), result(2, {})],
        )
        self.assertEqual(out.splitlines()[-1], "5 values valid, 2 notes")


class OpenRequests(ToolTest):
    def test_the_cap_is_said_once_and_forgotten_requests_have_no_type(self) -> None:
        requests = [request(n, LIST_TOOLS) for n in range(4)]
        responses = [result(n, BAD_TOOLS) for n in range(4)]
        done = self.session(*requests, *responses, options="--max-open 2")
        self.assertEqual(
            done.err,
            "mcpwire: session.ndjson:3: 2 open requests are the limit (--max-open): further ones are not "
            "remembered, and results that answer them are checked as objects only\n",
        )
        self.assertEqual(done.out.splitlines()[-1], "2 of 8 values invalid, 2 notes")

    def test_as_many_as_the_cap_are_remembered(self) -> None:
        cap = 3
        for count in (cap - 1, cap, cap + 1):
            with self.subTest(count=count):
                requests = [request(n, LIST_TOOLS) for n in range(count)]
                responses = [result(n, BAD_TOOLS) for n in range(count)]
                done = self.session(*requests, *responses, options=f"--max-open {cap}")
                self.assertEqual("open requests are the limit" in done.err, count > cap)
                self.assertIn(f"{min(count, cap)} of {2 * count} values invalid", done.out)

    def test_quiet_does_not_hide_that_the_cap_was_met(self) -> None:
        done = self.session(PING, options="--max-open 0 --quiet")
        self.assertIn("0 open requests are the limit", done.err)

    def test_answered_requests_do_not_count(self) -> None:
        messages = [m for n in range(50) for m in (request(n, LIST_TOOLS), result(n, {"tools": []}))]
        done = self.session(*messages, options="--max-open 1")
        self.assertEqual((done.out, done.err), ("100 values valid\n", ""))

    def test_long_ids_meet_the_cap_earlier(self) -> None:
        done = self.session(*[request(f"{n}" * 100, "ping") for n in range(8)], options="--max-open 8")
        self.assertIn("mcpwire: session.ndjson:6: 8 open requests are the limit", done.err)

    def test_long_ids_count_until_they_are_answered(self) -> None:
        ids = [f"{n}" * 400 for n in range(9)]
        messages = [m for i in ids for m in (request(i, "ping"), result(i, {}))]
        self.assertEqual(self.session(*messages, options="--max-open 8").err, "")

    def test_many_open_requests(self) -> None:
        count = 20000
        requests = [request(n, LIST_TOOLS) for n in range(count)]
        responses = [result((n * 7919) % count, {"tools": [TOOL]}) for n in range(count)]
        done = self.session(*requests, *responses, result(5, BAD_TOOLS))
        self.assertEqual(done.out.splitlines()[-1], f"{2 * count + 1} values valid, 1 note")


class AllErrors(ToolTest):
    def test_all_errors_of_a_message(self) -> None:
        message = request(1, "tools/call", {"name": 1, "arguments": 2})
        first, *rest = self.session(message).out.splitlines()
        self.assertEqual(first, "session.ndjson:1: /params/name: expected string, got number")
        self.assertEqual(rest, ["1 of 1 value invalid"])
        every = self.session(message, options="--all-errors").out.splitlines()
        self.assertEqual(
            every,
            [first, "session.ndjson:1: /params/arguments: expected object, got number", *rest],
        )

    def test_all_errors_of_a_value(self) -> None:
        name = self.lines("tool.json", {"name": 1, "inputSchema": 2})
        done = self.validate("--all-errors", "--type", "Tool", "--format", "json", name)
        pointers = [e["pointer"] for e in done.values()[0]["errors"]]
        self.assertEqual(pointers, ["/name", "/inputSchema"])

    def test_a_syntax_error_ends_the_list(self) -> None:
        broken = json.dumps(request(1, "tools/call", {"name": 1}))[:-1] + ","
        out = self.session(broken, options="--all-errors").out
        self.assertIn("session.ndjson:1: /params/name: ", out)
        self.assertEqual(len(out.splitlines()), 3)


if __name__ == "__main__":
    unittest.main()
