# SPDX-License-Identifier: MIT
"""mcpwire convert: the messages of one revision, said in another."""

import json
import unittest
from typing import Any, Dict, List

from tests.tool.support import PING, Result, ToolTest, error, notification, request, result

OLD = "2024-11-05"
BATCHED = "2025-03-26"
TASKS = "2025-11-25"
STATELESS = "2026-07-28"
INFO = {"name": "n", "version": "1"}
META = "io.modelcontextprotocol/"
CALL = request(3, "tools/call", {"name": "t"})
AUDIO = {"content": [{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]}


def initialize(version: str) -> Dict[str, object]:
    capabilities = {"roots": {}, "tasks": {"list": {}}}
    params = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": INFO}
    return request("i", "initialize", params)


class ConvertTest(ToolTest):
    def convert(self, source: str, target: str, *messages: object, options: str = "") -> Result:
        name = self.lines("in.ndjson", *messages)
        return self.run_tool("convert", "--from", source, "--to", target, *options.split(), name)

    def said(self, source: str, target: str, *messages: object) -> List[Any]:
        """The written messages alone."""
        return [json.loads(line) for line in self.convert(source, target, *messages).out.splitlines()]

    def notes(self, source: str, target: str, *messages: object) -> List[Any]:
        """The reports: line, event, and place."""
        told = self.convert(source, target, *messages, options="--report=json").err.splitlines()
        notes = [json.loads(line) for line in told[:-1]]
        return [(note["line"], note["what"], note["pointer"]) for note in notes]

    def test_what_both_revisions_say_stays(self) -> None:
        done = self.convert(TASKS, OLD, CALL, result(3, {"content": []}))
        self.assertEqual(
            [json.loads(line) for line in done.out.splitlines()], [CALL, result(3, {"content": []})]
        )
        self.assertEqual((done.code, done.err), (0, ""))

    def test_a_result_is_read_by_the_request_that_it_answers(self) -> None:
        said = self.said(TASKS, OLD, CALL, result(3, {**AUDIO, "structuredContent": {"a": 1}}))
        self.assertEqual(
            said[1]["result"], {"content": [{"type": "text", "text": "[audio: audio/wav, 3 bytes]"}]}
        )

    def test_requests_of_both_sides_may_have_one_id(self) -> None:
        roots = {"roots": []}
        messages = [CALL, request(3, "roots/list"), result(3, roots), result(3, AUDIO)]
        said = self.said(TASKS, OLD, *messages)
        self.assertEqual([said[2]["result"], said[3]["result"]["content"][0]["type"]], [roots, "text"])

    def test_a_result_of_no_known_request_is_left_out(self) -> None:
        done = self.convert(TASKS, OLD, PING, result(9, {}))
        self.assertEqual(done.code, 1)
        self.assertEqual(json.loads(done.out), PING)
        self.assertIn(":2: unsayable /id: no open request has this id", done.err)

    def test_another_session_forgets_the_requests_of_the_one_before(self) -> None:
        answer = {"protocolVersion": TASKS, "capabilities": {}, "serverInfo": INFO}
        opening = [initialize(TASKS), result("i", answer), notification("notifications/initialized")]
        again = [request(5, "ping"), result(5, {}), result(5, {"tools": []})]
        messages = [*opening, request(5, "tools/list"), *opening, *again]
        self.assertEqual(self.notes(TASKS, OLD, *messages)[-1], (10, "unsayable", "/id"))
        for options in ("", f"--revision {TASKS}"):
            name = self.lines("in.ndjson", *messages)
            done = self.validate("--ndjson", *options.split(), name)
            self.assertIn(":10: note: /id: no open request has this id", done.out)

    def test_an_answer_is_that_of_the_newer_request_of_its_id(self) -> None:
        page = {"mode": "url", "message": "m", "url": "a:b", "elicitationId": "e"}
        form = {"message": "m", "requestedSchema": {"type": "object", "properties": {}}}
        asked = [request(5, "elicitation/create", params) for params in (page, form)]
        answers = [result(5, {"action": "accept"}), result(5, {"action": "decline"})]
        said = self.said(TASKS, "2025-06-18", *asked, *answers)
        self.assertEqual(said, [asked[1], answers[0]])
        said = self.said(TASKS, "2025-06-18", *reversed(asked), *answers)
        self.assertEqual(said, [asked[1], answers[1]])

    def test_what_is_dropped_substituted_and_defaulted_is_told_by_its_place(self) -> None:
        call = request(3, "tools/call", {"name": "t", "task": {}})
        self.assertEqual(self.notes(TASKS, OLD, call), [(1, "dropped", "/params/task")])
        answer = result(3, {**AUDIO, "isError": True})
        self.assertEqual(self.notes(TASKS, OLD, CALL, answer), [(2, "substituted", "/result/content/0")])
        wanted = [(2, "defaulted", "/result/resultType")]
        self.assertEqual(self.notes(TASKS, STATELESS, CALL, answer)[-1:], wanted)

    def test_a_stateless_request_says_what_initialize_said(self) -> None:
        said = self.said(TASKS, STATELESS, initialize(TASKS), CALL)
        meta = {
            META + "protocolVersion": STATELESS,
            META + "clientCapabilities": {"roots": {}},
            META + "clientInfo": INFO,
        }
        self.assertEqual(said, [request(3, "tools/call", {"_meta": meta, "name": "t"})])

    def test_initialize_names_the_revision_that_it_is_said_in(self) -> None:
        self.assertEqual(self.said(TASKS, OLD, initialize(TASKS))[0]["params"]["protocolVersion"], OLD)

    def test_what_answers_a_message_that_was_left_out_is_left_out(self) -> None:
        server = {"protocolVersion": TASKS, "capabilities": {}, "serverInfo": INFO}
        done = self.convert(TASKS, STATELESS, initialize(TASKS), result("i", server), CALL, error(3))
        self.assertEqual(len(done.out.splitlines()), 2)
        self.assertIn(f':1: unsayable /method: revision {STATELESS} has no request "initialize"', done.err)
        self.assertIn(":2: unsayable /: it answers a request that was left out", done.err)

    def test_codes_of_errors_are_those_of_the_target(self) -> None:
        read = request(1, "resources/read", {"uri": "a:b"})
        self.assertEqual(self.said(TASKS, STATELESS, read, error(1, -32002))[1]["error"]["code"], -32602)
        self.assertEqual(self.said(TASKS, OLD, read, error(1, -32002))[1]["error"]["code"], -32002)

    def test_an_error_without_id_is_said_where_the_schema_allows_it(self) -> None:
        lost = {"jsonrpc": "2.0", "error": {"code": -32700, "message": "?"}}
        self.assertEqual(self.said(TASKS, STATELESS, lost), [lost])
        self.assertEqual(self.notes(TASKS, OLD, lost), [(1, "unsayable", "")])

    def test_a_batch_becomes_its_messages(self) -> None:
        done = self.convert(BATCHED, TASKS, [PING, request(2, "roots/list")], options="--report=json")
        self.assertEqual([json.loads(line)["id"] for line in done.out.splitlines()], [1, 2])
        wanted = [(1, "unsayable", "/1/method")]
        self.assertEqual(self.notes(BATCHED, STATELESS, [CALL, request(2, "roots/list")])[-1:], wanted)

    def test_invalid_messages_are_left_out_and_told(self) -> None:
        done = self.convert(TASKS, OLD, "nonsense", request(1, "tools/call", {"name": 1}), PING)
        self.assertEqual((done.code, json.loads(done.out)), (1, PING))
        self.assertIn(":2: invalid /params/name: expected string, got number", done.err)

    def test_what_cannot_be_said_is_told_by_its_place(self) -> None:
        ask = {"messages": [{"role": "user", "content": {"type": "text", "text": "?"}}] * 2, "maxTokens": 1}
        ask["messages"][1] = {
            "role": "assistant",
            "content": {"type": "tool_use", "id": "1", "name": "t", "input": {}},
        }
        notes = self.notes(TASKS, OLD, request(1, "sampling/createMessage", ask))
        self.assertEqual(notes, [(1, "unsayable", "/params/messages/1/content")])

    def test_methods_that_no_revision_knows_pass(self) -> None:
        messages = [request(1, "x/y", {"a": 1}), result(1, {"b": 2}), notification("notifications/z")]
        self.assertEqual(self.said(TASKS, OLD, *messages), messages)
        self.assertEqual(self.said(TASKS, STATELESS, *messages)[1]["result"]["resultType"], "complete")

    def test_records_of_tap_stay_records_and_tell_the_sides(self) -> None:
        record = {"time": "2026-11-22T14:50:00.123Z", "from": "client", "message": CALL}
        answer = {"time": "2026-11-22T14:50:00.124Z", "from": "server", "message": result(3, AUDIO)}
        begin = {"time": "2026-11-22T14:50:00.122Z", "begin": 1}
        refused = {"time": "2026-11-22T14:50:00.123Z", "from": "server", "refused": 3, "status": 401}
        said = self.said(TASKS, OLD, begin, record, refused, record, answer)
        self.assertEqual(said[:4], [begin, record, refused, record])
        said = said[2:]
        self.assertEqual(said[2]["message"]["result"]["content"][0]["type"], "text")
        self.assertEqual((said[2]["time"], said[2]["from"]), (answer["time"], "server"))

    def test_standard_input_is_read_where_no_file_is_named(self) -> None:
        line = (json.dumps(PING) + "\n").encode()
        done = self.run_tool("convert", "--from", TASKS, "--to", OLD, stdin=line)
        self.assertEqual((done.code, json.loads(done.out)), (0, PING))

    def test_the_summary_counts(self) -> None:
        done = self.convert(TASKS, OLD, PING, result(9, {}), options="--report")
        last = "2 messages, 1 written, 0 dropped, 0 defaulted, 0 substituted, 1 unsayable, 0 invalid"
        self.assertEqual(done.err.splitlines()[-1], last)

    def test_an_empty_file_is_no_stream(self) -> None:
        done = self.convert(TASKS, OLD)
        self.assertEqual((done.code, done.err), (1, "mcpwire: in.ndjson: no messages\n"))


class ConvertAutoTest(ToolTest):
    """The revision of each message, where --from does not name it."""

    def session(self, asked: str, offered: str) -> List[Dict[str, object]]:
        server = {"protocolVersion": offered, "capabilities": {}, "serverInfo": INFO}
        return [initialize(asked), result("i", server), notification("notifications/initialized")]

    def said(self, *messages: object, options: str = "", target: str = OLD) -> List[Any]:
        name = self.lines("in.ndjson", *messages)
        done = self.run_tool("convert", *options.split(), "--to", target, name)
        self.assertEqual((done.code, done.err), (0, ""))
        return [json.loads(line) for line in done.out.splitlines()]

    def test_each_session_says_its_revision(self) -> None:
        meta = {META + "protocolVersion": STATELESS, META + "clientCapabilities": {}}
        modern = request(7, "tools/call", {"_meta": meta, "name": "t"})
        told = result(7, {"resultType": "complete", **AUDIO})
        for options in ("", "--from auto"):
            said = self.said(
                *self.session(TASKS, TASKS), CALL, result(3, AUDIO), modern, told, options=options
            )
            self.assertEqual(said[0]["params"]["protocolVersion"], OLD)
            self.assertEqual(said[1]["result"]["protocolVersion"], OLD)
            self.assertEqual([said[i]["result"]["content"][0]["type"] for i in (4, 6)], ["text", "text"])
            self.assertNotIn("resultType", said[6]["result"])

    def test_the_revision_is_the_one_that_the_server_offers(self) -> None:
        said = self.said(*self.session(STATELESS.replace("28", "01"), BATCHED), [PING, CALL])
        self.assertEqual(said[1]["result"]["protocolVersion"], OLD)
        self.assertEqual(said[3:], [PING, CALL])

    def test_a_message_of_the_target_stays(self) -> None:
        messages = [*self.session(OLD, OLD), CALL, result(3, {"content": []})]
        self.assertEqual(self.said(*messages), messages)

    def test_conversations_of_a_log_are_kept_apart(self) -> None:
        def record(number: int, from_: str, message: object) -> Dict[str, object]:
            head = {"time": "2026-11-22T14:50:00.123Z", "from": from_, "conversation": number}
            return {**head, "message": message}

        first = [record(1, side, m) for side, m in zip(("client", "server"), self.session(TASKS, TASKS))]
        second = [record(2, side, m) for side, m in zip(("client", "server"), self.session(OLD, OLD))]
        batch = request(9, "tools/call", {"name": "t", "task": {}})
        said = self.said(*first, *second, record(1, "client", batch))
        self.assertEqual(said[-1]["message"]["params"], {"name": "t"})


class ConvertLimitsTest(ToolTest):
    def convert(self, *arguments: str) -> Result:
        return self.run_tool("convert", "--from", TASKS, "--to", OLD, *arguments)

    def test_a_line_beyond_the_limit_is_left_out_and_the_next_is_read(self) -> None:
        name = self.lines("in.ndjson", request(1, "x", {"a": "b" * 500}), PING)
        done = self.convert("--max-bytes", "200", name)
        self.assertEqual((done.code, json.loads(done.out)), (1, PING))
        self.assertIn(":1: invalid /: line is longer than 200 bytes (--max-bytes)", done.err)

    def test_requests_beyond_the_limit_are_not_remembered(self) -> None:
        name = self.lines("in.ndjson", PING, request(2, "ping"), result(2, {}), result(1, {}))
        done = self.convert("--max-open", "1", name)
        self.assertEqual([json.loads(line)["id"] for line in done.out.splitlines()], [1, 2, 1])
        self.assertIn(":2: 1 open requests are the limit (--max-open)", done.err)

    def test_nesting_beyond_the_limit_is_left_out(self) -> None:
        name = self.file(
            "in.ndjson", '{"jsonrpc":"2.0","method":"x","params":{"a":' + "[" * 200 + "]" * 200 + "}}\n"
        )
        done = self.convert(name)
        self.assertEqual((done.code, done.out), (1, ""))
        self.assertIn("invalid", done.err)

    def test_a_pointer_shows_no_control_characters(self) -> None:
        name = self.lines("in.ndjson", request(1, "tools/list", {"cursor": 1, "\x1b[31m": {}}))
        self.assertNotIn("\x1b", self.convert("--report", name).err)


class ConvertArgumentsTest(ToolTest):
    def test_the_target_is_needed(self) -> None:
        hint = 'a revision of the protocol; "mcpwire convert --help" explains'
        done = self.run_tool("convert", "--from", OLD)
        self.assert_usage_error(done, f"convert needs --to, {hint}")

    def test_a_revision_that_is_not_there_is_refused(self) -> None:
        done = self.run_tool("convert", "--from", "2020-01-01", "--to", OLD)
        self.assertIn('there is no revision "2020-01-01"', done.err)
        self.assertEqual(done.code, 2)

    def test_a_report_is_text_or_json(self) -> None:
        done = self.run_tool("convert", "--report=xml", "--from", OLD, "--to", TASKS)
        self.assert_usage_error(done, '--report is "xml"; expected text or json')

    def test_a_file_that_is_not_there_is_an_input_error(self) -> None:
        done = self.run_tool("convert", "--from", OLD, "--to", TASKS, "none.ndjson")
        self.assertEqual(done.code, 2)
        self.assertIn("none.ndjson: cannot open", done.err)

    def test_standard_input_is_read_once(self) -> None:
        done = self.run_tool("convert", "--from", OLD, "--to", TASKS, "-", "-")
        self.assert_usage_error(done, "standard input (-) is given 2 times; it can be read once")


if __name__ == "__main__":
    unittest.main()
