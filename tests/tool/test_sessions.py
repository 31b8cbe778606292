"""--revision auto: each session in a file is followed from its opening, and checked by its revision."""

import json
import unittest
from typing import Any, Dict, List, Optional

from tests.tool.support import (
    BAD_TOOLS,
    LIST_TOOLS,
    PING,
    ROOT,
    Result,
    ToolTest,
    error,
    notification,
    request,
    result,
)

_LISTED = [r["revision"] for r in json.loads((ROOT / "schema/revisions.json").read_text())["revisions"]]
STATELESS = _LISTED[-1]
HANDSHAKES = [name for name in _LISTED if name < "2026-07-28"]
REVISIONS = [*HANDSHAKES, STATELESS]
SAMPLED = [name for name in _LISTED if (ROOT / "examples/messages" / f"{name}.ndjson").exists()]
GUESS = (
    "note: /: no message before this names the revision: until one does, a message that any revision "
    "accepts is valid"
)
INFO = {"name": "n", "version": "1"}
TOOLS: Dict[str, object] = {"tools": []}


def initialize(id_: object, version: str) -> Dict[str, object]:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": INFO}
    return request(id_, "initialize", params)


def initialized(id_: object, version: str) -> Dict[str, object]:
    return result(id_, {"protocolVersion": version, "capabilities": {}, "serverInfo": INFO})


def stateless(id_: object, method: str, **params: object) -> Dict[str, object]:
    meta = {
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": INFO,
    }
    return request(id_, method, {"_meta": meta, **params})


def opening(version: str) -> List[Dict[str, object]]:
    return [initialize(0, version), initialized(0, version), notification("notifications/initialized")]


def listed() -> Dict[str, object]:
    return {"resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "public"}


def session_of(revision: str) -> List[Dict[str, object]]:
    """The possible messages of a session of a revision, with the ids that every session has."""
    if revision == STATELESS:
        return [
            stateless(0, LIST_TOOLS),
            result(0, listed()),
            stateless(1, "tools/call", name="t"),
            result(1, {"resultType": "complete", "content": []}),
            stateless(2, "tools/call", name="t"),
            notification("notifications/cancelled", {"requestId": 2}),
        ]
    return [
        *opening(revision),
        request(1, LIST_TOOLS),
        result(1, TOOLS),
        request(2, "tools/call", {"name": "t"}),
        request(2, "roots/list"),
        result(2, {"roots": []}),
        result(2, {"content": []}),
        PING,
        result(1, {}),
    ]


class AutoTest(ToolTest):
    def auto(self, *messages: object, options: str = "") -> Result:
        return self.validate("--ndjson", *options.split(), self.lines("log", *messages))

    def revisions(self, *messages: object, options: str = "") -> List[Optional[str]]:
        """The revision by which each message was checked."""
        done = self.auto(*messages, options=f"--format json {options}")
        return [value["revision"] for value in done.values()]

    def assert_error(self, done: Result, text: str) -> None:
        self.assertIn(f"{text}\n", done.out)
        self.assertEqual(done.code, 1)


class Openings(AutoTest):
    def test_initialize_and_its_result(self) -> None:
        for revision in HANDSHAKES:
            messages = session_of(revision)
            self.assertEqual(self.revisions(*messages), [revision] * len(messages))

    def test_the_result_decides(self) -> None:
        messages = [initialize(0, "2025-11-25"), initialized(0, "2024-11-05"), request(1, LIST_TOOLS)]
        self.assertEqual(self.revisions(*messages), ["2025-11-25", "2025-11-25", "2024-11-05"])

    def test_a_request_without_a_handshake_names_it(self) -> None:
        messages = session_of(STATELESS)
        self.assertEqual(self.revisions(*messages), [STATELESS] * len(messages))

    def test_what_the_revision_forbids_is_an_error(self) -> None:
        audio = {"content": [{"type": "audio", "data": "", "mimeType": "audio/wav"}]}
        call = [request(1, "tools/call", {"name": "t"}), result(1, audio)]
        self.assertEqual(self.auto(*opening("2025-03-26"), *call).code, 0)
        done = self.auto(*opening("2024-11-05"), *call)
        self.assertIn("log:5: /result/content/0", done.out)
        self.assertEqual(done.code, 1)

    def test_a_probe_that_is_refused_leads_to_initialize(self) -> None:
        messages = [
            stateless(1, "server/discover"),
            error(1, -32601),
            initialize(2, "2025-06-18"),
            initialized(2, "2025-06-18"),
            request(3, LIST_TOOLS),
        ]
        wanted = [STATELESS, STATELESS, "2025-06-18", "2025-06-18", "2025-06-18"]
        self.assertEqual(self.revisions(*messages), wanted)

    def test_a_late_answer_to_the_probe_is_in_its_revision(self) -> None:
        messages = [stateless(1, "server/discover"), *opening("2025-06-18"), result(1, {"resultType": 1})]
        self.assertEqual(self.revisions(*messages)[-1], STATELESS)
        self.assertEqual(self.auto(*messages).code, 1)

    def test_initialize_that_is_refused_settles_nothing(self) -> None:
        refused = [initialize(0, "2025-11-25"), error(0, -32602)]
        messages = [*refused, *opening("2024-11-05"), request(1, LIST_TOOLS)]
        self.assertEqual(self.revisions(*messages)[-1], "2024-11-05")

    def test_a_revision_that_nobody_knows(self) -> None:
        done = self.auto(initialize(0, "2031-01-01"), initialized(0, "2031-01-01"), request(1, LIST_TOOLS))
        self.assertEqual(
            done.out,
            'log:2: note: /result/protocolVersion: there is no revision "2031-01-01" with initialize: the '
            "session is checked by 2025-11-25\n3 values valid, 1 note\n",
        )

    def test_a_result_of_initialize_whose_request_is_elsewhere(self) -> None:
        """As in the output of a server alone."""
        messages = [initialized(0, "2024-11-05"), request(0, "roots/list"), notification("n")]
        self.assertEqual(self.revisions(*messages), ["2024-11-05"] * 3)

    def test_a_batch_is_in_the_revision_of_its_session(self) -> None:
        batch = [request(1, LIST_TOOLS), request(2, "ping")]
        answers = [result(2, {}), result(1, BAD_TOOLS)]
        self.assertEqual(self.auto(*opening("2025-03-26"), batch).code, 0)
        self.assertEqual(self.auto(*opening("2025-06-18"), batch).code, 1)
        done = self.auto(*opening("2025-03-26"), batch, answers)
        self.assert_error(done, "log:5: /1/result/tools: expected array, got string")

    def test_names_of_members_may_be_escaped(self) -> None:
        rows = [json.dumps(m).replace('"method"', '"m\\u0065thod"') for m in session_of("2024-11-05")]
        self.assertEqual(self.revisions(*rows), ["2024-11-05"] * len(rows))
        row = json.dumps(stateless(0, LIST_TOOLS)).replace("protocolVersion", "protocol\\u0056ersion")
        self.assertEqual(self.revisions(row), [STATELESS])

    def test_a_given_revision_is_that_of_all(self) -> None:
        done = self.auto(*session_of("2024-11-05"), options="--revision 2024-11-05")
        self.assertEqual(done.code, 0)
        done = self.auto(*session_of("2024-11-05"), options=f"--revision {STATELESS}")
        self.assertEqual(done.code, 1)


class OneAfterTheOther(AutoTest):
    def test_sessions_of_every_revision_in_every_order(self) -> None:
        for order in (REVISIONS, REVISIONS[::-1], REVISIONS * 3):
            messages = [m for revision in order for m in session_of(revision)]
            done = self.auto(*messages, options="--format json")
            summary = done.summary()
            self.assertEqual((summary["invalid"], summary["notes"]), (0, 0))
            self.assertEqual(summary["sessions"], len(order))
            wanted = {r: order.count(r) * len(session_of(r)) for r in REVISIONS}
            self.assertEqual(summary["revisions"], wanted)

    def test_a_large_mixed_log_has_no_invalid_message(self) -> None:
        order = [REVISIONS[(n * n + n // 3) % len(REVISIONS)] for n in range(1600)]
        messages = [m for revision in order for m in session_of(revision)]
        self.assertGreater(len(messages), 15000)
        self.assertEqual(self.auto(*messages).out, f"{len(messages)} values valid\n")

    def test_sample_messages_of_all_revisions_in_one_file(self) -> None:
        rows = [
            line
            for revision in SAMPLED
            for line in (ROOT / "examples/messages" / f"{revision}.ndjson").read_text().splitlines()
        ]
        self.assertEqual(self.auto(*rows, options="--strict").out, f"{len(rows)} values valid\n")

    def test_requests_of_an_earlier_session_are_forgotten(self) -> None:
        left_open = [*opening("2025-06-18"), request(7, LIST_TOOLS)]
        done = self.auto(*left_open, *opening("2025-11-25"), result(7, BAD_TOOLS))
        self.assertIn("log:8: note: /id: no open request has this id", done.out)

    def test_a_session_without_a_handshake_ends_one_with_it(self) -> None:
        messages = [*opening("2025-06-18"), *session_of(STATELESS)]
        self.assertEqual(self.revisions(*messages)[3:], [STATELESS] * 6)


class Unopened(AutoTest):
    """A file that begins in the middle of a session."""

    def test_any_revision_will_do(self) -> None:
        old = request(1, "tools/call", {"name": "t"})
        done = self.auto(old, result(1, {"content": []}))
        self.assertEqual(done.out, f"log:1: {GUESS}\n2 values valid, 1 note\n")

    def test_it_is_said_once_for_a_session(self) -> None:
        done = self.auto(PING, result(1, {}), *opening("2025-06-18"), PING)
        self.assertEqual(done.out.count("no message before this"), 1)

    def test_each_message_is_taken_by_the_revision_that_has_it(self) -> None:
        task = request(1, "tasks/get", {"taskId": "t"})
        acknowledged = notification(
            "notifications/subscriptions/acknowledged",
            {"notifications": {}, "_meta": {"io.modelcontextprotocol/subscriptionId": 1}},
        )
        self.assertEqual(self.revisions(task, acknowledged, [PING]), ["2025-11-25", STATELESS, "2025-03-26"])
        self.assertEqual(self.auto(task, acknowledged, [PING]).code, 0)

    def test_what_no_revision_takes_is_invalid(self) -> None:
        done = self.auto(request(1, "tools/call", {"name": 5}))
        self.assert_error(done, "log:1: /params/name: expected string, got number")

    def test_a_result_by_any_revision_that_has_the_request(self) -> None:
        text = {"type": "text", "text": "t"}
        one = {"role": "user", "content": text, "model": "m"}
        many = {"role": "user", "content": [text], "model": "m"}
        asked = request(1, "sampling/createMessage", {"messages": [], "maxTokens": 1})
        for answer in (one, many):
            self.assertEqual(self.auto(asked, result(1, answer)).code, 0)
        self.assertEqual(self.auto(asked, result(1, {})).code, 1)

    def test_an_unknown_method_gets_its_note_too(self) -> None:
        done = self.auto(request(1, "tides/list"))
        self.assertIn('has no method "tides/list"', done.out)
        self.assertEqual(done.code, 0)

    def test_broken_text_gets_no_note(self) -> None:
        self.assertNotIn("note", self.auto('{"jsonrpc":', "5").out)

    def test_errors_point_at_their_place(self) -> None:
        done = self.auto(request(1, "tools/call", {"name": 5, "arguments": 6}), options="--all-errors")
        self.assertEqual(len([line for line in done.out.splitlines() if "expected" in line]), 2)


class Split(AutoTest):
    """Several sessions in one file, told apart by a member of the line."""

    def split(self, *rows: object, options: str = "") -> Result:
        return self.auto(*rows, options=f"--split /session --message /message {options}")

    def test_interleaved_sessions_of_every_revision(self) -> None:
        sessions = {revision: session_of(revision) for revision in REVISIONS}
        longest = max(len(messages) for messages in sessions.values())
        rows = [
            {"session": name, "message": messages[place]}
            for place in range(longest)
            for name, messages in sessions.items()
            if place < len(messages)
        ]
        summary = self.split(*rows, options="--format json").summary()
        self.assertEqual((summary["invalid"], summary["notes"]), (0, 0))
        self.assertEqual(summary["sessions"], len(REVISIONS))

    def test_names_are_of_any_kind(self) -> None:
        names: List[Any] = ["1", 1, 1.5, None, {"a": 1}, "é", "", True]
        rows = [
            {"session": name, "message": messages[place]}
            for place in range(len(session_of("2024-11-05")))
            for n, name in enumerate(names)
            for messages in [session_of(REVISIONS[n % 4])]
        ]
        summary = self.split(*rows, options="--format json").summary()
        self.assertEqual((summary["invalid"], summary["sessions"]), (0, len(names)))

    def test_names_are_compared_by_character(self) -> None:
        first = json.dumps({"session": "é", "message": initialize(0, "2024-11-05")}, ensure_ascii=False)
        second = json.dumps({"session": "é", "message": request(1, "elicitation/create")})
        self.assertIn("revision 2024-11-05 has no method", self.split(first, second).out)

    def test_the_name_may_stand_in_the_message(self) -> None:
        rows = [{**m, "x": {"s/s": ["-", name]}} for m in opening("2025-06-18") for name in ("a", "b")]
        done = self.auto(*rows, options="--split /x/s~1s/1 --format json")
        self.assertEqual((done.summary()["invalid"], done.summary()["sessions"]), (0, 2))

    def test_lines_without_a_name_are_one_session(self) -> None:
        rows = [{"message": m} for m in opening("2025-06-18")]
        self.assertEqual(self.split(*rows, options="--format json").summary()["sessions"], 1)

    def test_a_name_that_is_too_long(self) -> None:
        done = self.split({"session": "s" * 4097, "message": PING})
        self.assert_error(done, "log:1: /session: the name of the session is too long")
        self.assertEqual(self.split({"session": "s" * 4096, "message": PING}).code, 0)

    def test_more_sessions_than_are_kept_lose_the_oldest(self) -> None:
        count = 4097
        rows: List[object] = [{"session": n, "message": initialize(0, "2024-11-05")} for n in range(count)]
        rows.append({"session": 1, "message": result(0, {})})
        rows.append({"session": 0, "message": result(0, {})})
        done = self.split(*rows)
        self.assertIn(f"log:{count + 1}: /result: missing required member", done.out)
        self.assertIn(f"log:{count + 2}: note: /id: no open request has this id", done.out)

    def test_many_long_names(self) -> None:
        rows = [{"session": f"{n:05d}" * 800, "message": initialize(0, "2024-11-05")} for n in range(200)]
        self.assertEqual(self.split(*rows).code, 0)

    def test_open_requests_are_limited_in_all_sessions_together(self) -> None:
        rows = [{"session": n, "message": request(1, LIST_TOOLS)} for n in range(5)]
        done = self.split(*rows, options="--max-open 4")
        self.assertIn("mcpwire: log:5: 4 open requests are the limit", done.err)


class Wrapped(AutoTest):
    """A message that stands inside of a line."""

    def test_errors_point_into_the_message(self) -> None:
        row = {"n": 1, "rpc": [request(1, "tools/call", {"name": 5})]}
        done = self.auto(row, options="--message /rpc/0 --format json")
        found = done.values()[0]["errors"][0]
        self.assertEqual(found["pointer"], "/params/name")
        self.assertEqual(json.dumps(row)[found["offset"]], "5")

    def test_a_file_that_is_one_value(self) -> None:
        self.file(
            "one", '{"rpc":\n{"jsonrpc": "2.0",\n"id": 1, "method": "tools/call",\n"params": {"name": 5}}}'
        )
        done = self.validate("--message", "/rpc", "one")
        self.assertIn("one:4: /params/name: expected string", done.out)

    def test_a_value_of_a_type(self) -> None:
        row = {"tool": {"name": "t", "inputSchema": {"type": "object"}}}
        done = self.validate("--type", "Tool", "--message", "/tool", self.lines("a", row))
        self.assertEqual(done.out, "1 value valid\n")

    def test_a_line_without_one_is_invalid(self) -> None:
        for row in ({"other": 1}, [1], 5):
            self.assert_error(
                self.auto(row, options="--message /m/1"),
                "log:1: /m/1: there is nothing at the place of --message",
            )

    def test_an_index_has_no_leading_zero(self) -> None:
        for pointer, code in (("/0", 0), ("/00", 1), ("/1", 1), ("/-", 1), ("", 1)):
            self.assertEqual(
                self.auto([PING], options=f"--message={pointer} --revision 2025-11-25").code, code
            )

    def test_a_line_that_is_no_json(self) -> None:
        self.assert_error(self.auto('{"m":[}', options="--message /m"), "log:1: /: text is not valid JSON")


class Records(AutoTest):
    """Records of mcpwire tap are recognised."""

    @staticmethod
    def record(side: str, message: object) -> Dict[str, object]:
        return {"time": "2026-11-22T14:50:00.123Z", "from": side, "message": message}

    def test_sides_have_ids_of_their_own(self) -> None:
        rows = [
            *(self.record(side, m) for side, m in zip(("client", "server", "client"), opening("2025-11-25"))),
            self.record("client", request(1, LIST_TOOLS)),
            self.record("server", request(1, "roots/list")),
        ]
        good = [self.record("client", result(1, {"roots": []})), self.record("server", result(1, TOOLS))]
        self.assertEqual(self.auto(*rows, *good).out, "7 values valid\n")
        swapped = [self.record("client", result(1, TOOLS)), self.record("server", result(1, {"roots": []}))]
        done = self.auto(*rows, *swapped)
        self.assertIn('log:6: /result: missing required member "roots"', done.out)
        self.assertIn('log:7: /result: missing required member "tools"', done.out)

    def test_a_line_that_was_no_json(self) -> None:
        row = {"time": "2026-11-22T14:50:00.123Z", "from": "server", "line": "Listening"}
        self.assertIn("log:1: /: ", self.auto(row).out)
        self.assertEqual(self.auto(row).code, 1)

    def test_a_line_that_was_left_out(self) -> None:
        row = {"time": "2026-11-22T14:50:00.123Z", "from": "server", "skipped": 700}
        self.assert_error(self.auto(row), "log:1: /: a line of 700 bytes was too long to be recorded")

    def test_a_refused_request_is_no_value(self) -> None:
        row = {"time": "2026-11-22T14:50:00.123Z", "from": "server", "refused": 1, "status": 401}
        ping = self.record("client", request(1, "ping"))
        done = self.auto(row, ping, row, ping, self.record("server", result(1, {})))
        self.assertIn("3 values valid", done.out)
        self.assertEqual(done.code, 0)

    def test_the_beginning_of_a_recording_begins_a_session(self) -> None:
        begin = {"time": "2026-11-22T14:50:00.123Z", "begin": 4711}
        rows = [
            begin,
            self.record("client", initialize(0, "2024-11-05")),
            begin,
            self.record("server", result(0, {})),
        ]
        done = self.auto(*rows)
        self.assertIn("log:4: note: /id: no open request has this id", done.out)
        self.assertEqual(done.out.splitlines()[-1], "2 values valid, 2 notes")

    def test_sessions_in_one_recording(self) -> None:
        rows = [
            {**self.record("client", m), "session": name}
            for m in opening("2025-06-18")
            for name in ("a", "b")
        ]
        summary = self.auto(*rows, options="--split /session --format json").summary()
        self.assertEqual((summary["invalid"], summary["sessions"]), (0, 2))


if __name__ == "__main__":
    unittest.main()
