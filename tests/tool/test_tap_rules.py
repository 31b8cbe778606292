"""Every rule that mcpwire tap holds messages to: a conversation that breaks it, and one that does not."""

import re
import unittest
from pathlib import Path
from typing import Any, Dict, List

from tests.tool.peer import Step
from tests.tool.support import error, notification, request, result
from tests.tool.tapping import (
    STATELESS,
    TapTest,
    client,
    complete,
    handshake,
    initialize,
    meta,
    server,
    stateless,
)

PING = request(1, "ping")
PONG = result(1, {})
CALL = request(1, "tools/call", {"name": "tide"})
TOOLS: Dict[str, Any] = {"tools": {}}
SLOW = {"name": "tide", "_meta": {"progressToken": "p"}}
PREFIX = "io.modelcontextprotocol/"
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def progress(value: float, token: object = "p") -> Dict[str, Any]:
    return notification("notifications/progress", {"progressToken": token, "progress": value})


def cancelled(id_: object) -> Dict[str, Any]:
    return notification("notifications/cancelled", {"requestId": id_})


def called(id_: object = 1) -> Dict[str, Any]:
    return result(id_, {"content": []})


def ready(**about: Any) -> List[Step]:
    """A session whose server has tools."""
    return handshake(offers=TOOLS, **about)


class Framing(TapTest):
    def test_text_that_is_no_json(self) -> None:
        found = self.breaks("framing-text", server(b"Listening on port 80\n"))
        self.assertEqual(found["severity"], "error")
        self.assertIn("Listening on port 80", found["message"])
        self.assertEqual(found["status"], "MCPW_E_SYNTAX")

    def test_text_that_is_no_utf8(self) -> None:
        text = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"\xff"}}\n'
        found = self.breaks("framing-text", handshake(offers={"logging": {}}) + server(text))
        self.assertEqual(found["status"], "MCPW_E_UTF8")

    def test_text_of_any_script_is_kept(self) -> None:
        text = notification("notifications/message", {"level": "info", "data": "Föhr 潮"})
        self.keeps("framing-text", handshake(offers={"logging": {}}) + server(text))

    def test_a_line_over_the_limit(self) -> None:
        long = notification("notifications/message", {"level": "info", "data": "x" * 300})
        steps = handshake(offers={"logging": {}}) + server(long)
        self.breaks("framing-length", steps, "--max-bytes", "300")
        self.keeps("framing-length", steps, "--max-bytes", "400")

    def test_the_message_after_a_line_over_the_limit_is_checked(self) -> None:
        broken = {"jsonrpc": "2.0", "error": {"code": 1.5, "message": "m"}}
        found = self.breaks("schema", server(b"x" * 500 + b"\n", broken), "--max-bytes", "400")
        self.assertEqual((found["number"], found["pointer"]), (2, "/error/code"))

    def test_blank_lines(self) -> None:
        self.breaks("framing-blank", handshake() + server(b"\n"))
        self.keeps("framing-blank", handshake())

    def test_a_cr_is_noted_once_a_side(self) -> None:
        ping = b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\r\n'
        steps = handshake() + client(ping % 1) + server(PONG) + client(ping % 2) + server(result(2, {}))
        self.assertEqual(self.breaks("framing-cr", steps)["severity"], "note")
        self.keeps("framing-cr", handshake() + client(PING) + server(PONG))

    def test_a_last_line_without_its_end(self) -> None:
        text = b'{"jsonrpc":"2.0","id":1,"result":{}}'
        self.breaks("framing-end", handshake() + client(PING) + server(text))
        self.keeps("framing-end", handshake() + client(PING) + server(text + b"\n"))

    def test_nesting_that_is_too_deep_is_not_checked(self) -> None:
        deep = b'{"jsonrpc":"2.0","id":1,"result":{"a":%s%s}}\n'
        asked = handshake() + client(PING)
        self.breaks("limit", asked + server(deep % (b"[" * 200, b"]" * 200)))
        self.keeps("limit", asked + server(deep % (b"[" * 100, b"]" * 100)))

    def test_as_many_requests_as_the_limit_are_remembered(self) -> None:
        limit = 3
        for count in (limit - 1, limit, limit + 1):
            with self.subTest(count=count):
                asked = [request(i, "tools/list") for i in range(count)]
                bad = [result(i, {"tools": 1}) for i in range(count)]
                found = self.play(ready() + client(*asked) + server(*bad), "--max-open", str(limit)).codes()
                self.assertEqual(found.count("schema"), min(count, limit))
                self.assertEqual(found.count("limit"), 1 if count > limit else 0)

    def test_requests_beyond_the_limit_are_not_remembered(self) -> None:
        steps = handshake() + client(PING, request(2, "ping")) + server(PONG, result(2, {}))
        self.breaks("limit", steps, "--max-open", "1")
        self.keeps("limit", steps)


class Messages(TapTest):
    def test_no_message(self) -> None:
        self.breaks("message", server({"jsonrpc": "2.0", "level": "info"}))
        self.breaks("message", handshake() + client(PING) + server({**PONG, "error": error(1)["error"]}))
        self.breaks("message", handshake() + client(PING) + server({**PONG, "id": None}))
        self.keeps("message", handshake() + client(PING) + server(error(1)))

    def test_params_by_the_method(self) -> None:
        found = self.breaks("schema", ready() + client(request(1, "tools/call", {"name": 5})))
        self.assertEqual(found["pointer"], "/params/name")
        self.assertEqual(found["message"], "expected string, got number")
        self.assertEqual(found["direction"], "client->server")
        self.assertEqual((found["id"], found["method"], found["number"]), (1, "tools/call", 3))
        self.keeps("schema", ready() + client(CALL) + server(called()))

    def test_a_result_by_the_method_of_its_request(self) -> None:
        found = self.breaks("schema", ready() + client(CALL) + server(result(1, {"tools": []})))
        self.assertEqual(found["method"], "tools/call")
        self.assertEqual(found["direction"], "server->client")
        self.keeps("schema", ready() + client(request(1, "tools/list")) + server(result(1, {"tools": []})))

    def test_a_result_of_a_request_of_the_server(self) -> None:
        steps = handshake(can={"roots": {}}) + server(request(1, "roots/list"))
        found = self.breaks("schema", steps + client(result(1, {"roots": [{"uri": 5}]})))
        self.assertEqual((found["direction"], found["pointer"]), ("client->server", "/result/roots/0/uri"))
        self.keeps("schema", steps + client(result(1, {"roots": []})))

    def test_both_sides_use_the_same_id(self) -> None:
        steps = ready(can={"roots": {}}) + client(CALL) + server(request(1, "roots/list"))
        self.keeps("schema", steps + client(result(1, {"roots": []})) + server(called()))

    def test_a_result_that_made_a_task(self) -> None:
        offers: Dict[str, Any] = {"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}}
        task = {
            "taskId": "t",
            "status": "working",
            "createdAt": "2026-01-01T00:00:00Z",
            "lastUpdatedAt": "2026-01-01T00:00:00Z",
            "ttl": None,
        }
        asked = client(request(1, "tools/call", {"name": "tide", "task": {}}))
        self.keeps("schema", handshake(offers=offers) + asked + server(result(1, {"task": task})))
        self.breaks("schema", handshake(offers=offers) + asked + server(called()))

    def test_all_errors(self) -> None:
        steps = ready() + client(request(1, "tools/call", {"name": 5, "arguments": []}))
        self.breaks("schema", steps)
        found = self.play(steps, "--all-errors").findings
        self.assertEqual([f["pointer"] for f in found], ["/params/name", "/params/arguments"])

    def test_what_prose_forbids_under_strict_alone(self) -> None:
        steps = handshake(offers={"resources": {}}) + client(request(1, "resources/read", {"uri": "no uri"}))
        self.keeps("schema", steps + server(error(1)))
        self.breaks("schema", steps, "--strict")

    def test_a_batch_where_the_revision_has_none(self) -> None:
        batch = [PING, request(2, "ping")]
        found = self.breaks("batch", handshake() + client(batch) + server(PONG, result(2, {})))
        self.assertIn("2025-11-25", found["message"])
        self.keeps("batch", handshake("2025-03-26") + client(batch) + server([PONG, result(2, {})]))

    def test_messages_of_a_batch_are_checked_by_their_requests(self) -> None:
        steps = handshake("2025-03-26", offers=TOOLS) + client([CALL, request(2, "ping")])
        found = self.breaks("schema", steps + server([result(2, {}), result(1, {"content": 1})]))
        self.assertEqual(found["pointer"], "/1/result/content")

    def test_rules_look_into_batches(self) -> None:
        steps = handshake("2025-03-26", offers=TOOLS) + client([CALL, request(1, "ping")])
        self.assertEqual(self.breaks("id-in-flight", steps)["pointer"], "/1/id")

    def test_a_batch_that_is_empty(self) -> None:
        self.breaks("message", handshake("2025-03-26") + client([]))

    def test_initialize_in_a_batch(self) -> None:
        steps = initialize("2025-03-26")
        asked, answered = ((who, b"[" + data.strip() + b"]\n") for who, data in steps)
        self.breaks("batch-initialize", [asked, answered], "--revision", "2025-03-26")
        self.keeps("batch-initialize", steps)

    def test_a_method_of_no_revision(self) -> None:
        steps = handshake() + client(request(1, "tides/list")) + server(error(1))
        self.assertEqual(self.breaks("method-unknown", steps)["severity"], "warning")
        self.assertEqual(self.breaks("method-unknown", steps, "--strict")["severity"], "error")
        self.keeps("method-unknown", handshake() + client(PING) + server(PONG))

    def test_a_method_of_another_revision(self) -> None:
        steps = client(request(1, "tasks/list")) + server(error(1))
        found = self.breaks("method-revision", handshake("2025-06-18") + steps)
        self.assertIn("2025-11-25", found["message"])
        self.keeps("method-revision", handshake(offers={"tasks": {"list": {}}}) + steps)

    def test_a_request_of_the_wrong_side(self) -> None:
        found = self.breaks("direction", ready() + server(request(1, "tools/list")))
        self.assertIn("not sent by a server", found["message"])
        self.breaks("direction", handshake(can={"roots": {}}) + client(request(1, "roots/list")))
        self.keeps("direction", handshake(can={"roots": {}}) + server(request(1, "roots/list")))

    def test_a_notification_of_the_wrong_side(self) -> None:
        note = notification("notifications/message", {"level": "info", "data": 1})
        self.breaks("direction", handshake(offers={"logging": {}}) + client(note))

    def test_a_server_request_where_servers_make_none(self) -> None:
        asked = client(stateless(1, "tools/list"))
        found = self.breaks("direction", asked + server(request(1, "roots/list")))
        self.assertIn("input_required", found["message"])


class Ids(TapTest):
    def test_an_id_in_flight(self) -> None:
        found = self.breaks("id-in-flight", ready() + client(CALL, request(1, "ping")))
        self.assertEqual(found["pointer"], "/id")
        self.assertIn("message 3", found["message"])
        self.keeps("id-in-flight", ready() + client(CALL, request("1", "ping")) + server(result("1", {})))

    def test_an_id_is_free_once_answered(self) -> None:
        self.keeps("id-in-flight", handshake() + client(PING) + server(PONG) + client(PING) + server(PONG))

    def test_an_id_used_before_under_strict_alone(self) -> None:
        steps = handshake() + client(PING) + server(PONG) + client(PING) + server(PONG)
        self.breaks("id-reused", steps, "--strict")
        self.keeps("id-reused", steps)
        self.keeps("id-reused", handshake() + client(PING) + server(PONG), "--strict")

    def test_an_answer_without_request(self) -> None:
        self.breaks("answer-unknown", handshake() + server(PONG))
        self.breaks("answer-unknown", handshake() + client(error(1)))
        self.keeps("answer-unknown", handshake() + client(PING) + server(PONG))

    def test_an_answer_that_was_given_before(self) -> None:
        self.breaks("answer-again", handshake() + client(PING) + server(PONG, PONG))
        self.keeps("answer-again", handshake() + client(PING) + server(PONG) + client(PING) + server(PONG))

    def test_an_answer_to_an_id_of_the_other_type(self) -> None:
        found = self.breaks("answer-unknown", handshake() + client(PING) + server(result("1", {})))
        self.assertIn("as a number, not as a string", found["message"])
        found = self.breaks("answer-unknown", handshake() + client(request("1", "ping")) + server(PONG))
        self.assertIn("as a string, not as a number", found["message"])

    def test_an_answer_to_a_request_of_the_same_side(self) -> None:
        self.breaks("answer-unknown", ready() + client(CALL, called()))

    def test_an_answer_to_a_notification(self) -> None:
        self.breaks("answer-notification", handshake() + server(error(None, -32601)))
        self.keeps("answer-notification", initialize() + client(notification("notifications/initialized")))

    def test_an_error_without_id_for_a_broken_line(self) -> None:
        broken = handshake() + client(b"{]\n") + server(error(None, -32700))
        self.assertEqual(self.play(broken).codes(), ["framing-text"])
        self.breaks("answer-notification", broken + server(error(None, -32700)))

    def test_an_error_without_id_for_nothing(self) -> None:
        self.breaks("answer-no-id", client(PING) + server(PONG, error(None, -32700)))
        self.keeps("answer-no-id", client(PING) + server(PONG))


class Revisions(TapTest):
    def test_a_revision_that_is_not_known(self) -> None:
        asked = initialize("1999-01-01", "2025-11-25")
        found = self.play(asked).findings
        self.assertEqual([f["code"] for f in found], ["version-unknown", "version-other"])
        self.assertEqual(found[0]["pointer"], "/params/protocolVersion")
        answered = self.breaks("version-unknown", initialize("2025-11-25", "1999-01-01"))
        self.assertEqual(answered["pointer"], "/result/protocolVersion")
        self.breaks("version-unknown", client(stateless(1, "server/discover", revision="2099-01-01")))
        self.keeps("version-unknown", initialize())

    def test_the_server_offers_another(self) -> None:
        found = self.breaks("version-other", handshake("2025-11-25", "2024-11-05"))
        self.assertEqual(found["severity"], "note")
        self.keeps("version-other", handshake("2024-11-05"))

    def test_messages_are_checked_by_what_the_server_offers(self) -> None:
        steps = handshake("2025-11-25", "2025-06-18") + client(request(1, "tasks/list"))
        self.assertEqual(self.breaks("method-revision", steps)["revision"], "2025-06-18")

    def test_each_revision_is_known_by_its_handshake(self) -> None:
        for revision in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"):
            with self.subTest(revision=revision):
                steps = handshake(revision, offers=TOOLS) + client(request(1, "tools/call", {"name": 5}))
                self.assertEqual(self.breaks("schema", steps)["revision"], revision)

    def test_initialize_with_a_revision_that_has_none(self) -> None:
        self.breaks("version-era", initialize(STATELESS, "2025-11-25"))
        self.breaks("version-era", initialize("2025-11-25", STATELESS))
        self.breaks("version-era", client(stateless(1, "tools/list", revision="2025-11-25")))
        self.keeps("version-era", client(stateless(1, "tools/list")))

    def test_to_name_a_revision_that_begins_with_initialize_does_not_stand_for_it(self) -> None:
        early = client(stateless(1, "tools/list", revision="2025-11-25"))
        self.breaks("before-initialize", early)
        codes = self.play(client(stateless(1, "ping", revision="2025-11-25"))).codes()
        self.assertEqual(codes, ["version-era"])  # ping needs no initialize

    def test_a_request_that_names_another(self) -> None:
        self.breaks("version-mixed", ready() + client(stateless(1, "tools/list")))
        self.keeps("version-mixed", ready() + client(stateless(1, "tools/list", revision="2025-11-25")))

    def test_a_client_that_falls_back(self) -> None:
        probe = client(stateless(0, "server/discover")) + server(error(0, -32601))
        self.keeps("version-mixed", probe + ready() + client(CALL) + server(called()))

    @staticmethod
    def refused(supported: str, requested: str) -> List[Step]:
        data = {"supported": [supported], "requested": requested}
        refusal = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32022, "message": "no", "data": data}}
        return client(stateless(1, "tools/list")) + server(refusal)

    def test_a_revision_is_refused_though_supported(self) -> None:
        found = self.breaks("version-refused", self.refused(STATELESS, STATELESS))
        self.assertEqual(found["pointer"], "/error/data/supported")
        found = self.breaks("version-refused", self.refused("2025-11-25", "2025-11-25"))
        self.assertEqual(found["pointer"], "/error/data/requested")
        self.keeps("version-refused", self.refused("2025-11-25", STATELESS))

    def test_a_revision_that_was_forced(self) -> None:
        steps = handshake("2025-11-25") + client(request(1, "tasks/list"))
        self.breaks("version-forced", steps, "--revision", "2025-06-18")
        self.assertEqual(
            self.breaks("method-revision", steps, "--revision", "2025-06-18")["revision"], "2025-06-18"
        )
        self.keeps("version-forced", handshake("2025-06-18"), "--revision", "2025-06-18")

    def test_a_stateless_request_is_checked_by_what_it_names(self) -> None:
        found = self.breaks("schema", client(stateless(1, "tools/call", {"name": 5})))
        self.assertEqual((found["revision"], found["pointer"]), (STATELESS, "/params/name"))

    def test_a_stateless_result_needs_its_type(self) -> None:
        steps = client(stateless(1, "tools/call", {"name": "tide"}))
        self.breaks("schema", steps + server(called()))
        self.keeps("schema", steps + server(complete(1, content=[])))

    def test_a_later_request_without_revision(self) -> None:
        steps = client(stateless(1, "tools/list")) + server(
            complete(1, tools=[], ttlMs=0, cacheScope="public")
        )
        found = self.breaks("schema", steps + client(request(2, "tools/list", {})))
        self.assertEqual(found["revision"], STATELESS)


class Lifecycle(TapTest):
    def test_a_request_before_initialize(self) -> None:
        self.breaks("before-initialize", client(request(1, "tools/list")))
        self.keeps("before-initialize", client(PING) + server(PONG) + handshake())
        self.keeps("before-initialize", client(stateless(1, "tools/list")))

    def test_a_request_before_the_answer(self) -> None:
        first, second = initialize()
        self.breaks("before-answer", [first, *client(request(1, "tools/list"))])
        self.keeps("before-answer", [first, *client(PING), *server(PONG), second])

    def test_a_server_request_before_initialized(self) -> None:
        asked = server(request(1, "roots/list"))
        self.breaks("server-early", initialize(can={"roots": {}}) + asked)
        self.keeps("server-early", initialize() + server(PING) + client(PONG))
        self.keeps("server-early", handshake(can={"roots": {}}) + asked)

    def test_initialize_twice(self) -> None:
        again = handshake()[:1]
        self.breaks("initialize-twice", handshake() + again)
        self.keeps("initialize-twice", again + server(error("init", -32602)) + handshake())

    def test_initialized_is_missing(self) -> None:
        steps = initialize(offers=TOOLS) + client(CALL) + server(called())
        self.breaks("initialized-missing", steps + client(request(2, "tools/call", {"name": "tide"})))
        self.keeps("initialized-missing", ready() + client(CALL) + server(called()))
        self.keeps("initialized-missing", initialize() + client(PING) + server(PONG))

    def test_initialized_out_of_order(self) -> None:
        done = client(notification("notifications/initialized"))
        self.breaks("initialized-order", initialize()[:1] + done)
        self.breaks("initialized-order", initialize() + done + done)
        self.keeps("initialized-order", initialize() + done)


class Cancelling(TapTest):
    def test_an_unknown_request(self) -> None:
        found = self.breaks(
            "cancelled-unknown", ready() + client(CALL) + server(called()) + client(cancelled(1))
        )
        self.assertEqual(found["severity"], "note")
        self.keeps("cancelled-unknown", ready() + client(CALL, cancelled(1)))

    def test_a_request_of_the_other_side(self) -> None:
        self.breaks("cancelled-unknown", ready() + client(CALL) + server(cancelled(1)))

    def test_an_answer_may_cross_it(self) -> None:
        for answer in (called(), error(1)):
            found = self.breaks("answer-cancelled", ready() + client(CALL, cancelled(1)) + server(answer))
            self.assertEqual(found["severity"], "note")
            self.assertIn("may have crossed", found["message"])

    def test_a_late_answer_was_made_in_spite_of_it(self) -> None:
        steps = ready() + client(CALL, cancelled(1))
        found = self.breaks("answer-cancelled", [*steps, ("pause", b"1.1"), *server(called())])
        self.assertEqual(found["severity"], "warning")

    def test_a_cancelled_request_without_an_answer(self) -> None:
        self.keeps("answer-cancelled", ready() + client(CALL, cancelled(1)))
        self.keeps("answer-cancelled", ready() + client(CALL) + server(called()))

    def test_a_request_that_comes_after_it(self) -> None:
        early = ready() + client(cancelled(1), CALL)
        found = self.play(early).findings
        self.assertEqual([f["code"] for f in found], ["cancelled-unknown", "cancelled-early"])
        self.breaks("cancelled-early", early)
        self.keeps("cancelled-early", ready() + client(CALL, cancelled(1)))

    def test_an_id_that_is_used_again_after_it(self) -> None:
        again = client(CALL) + server(called()) + client(cancelled(1), CALL)
        self.assertEqual(self.play(ready() + again).codes(), ["cancelled-unknown"])

    def test_initialize(self) -> None:
        self.breaks("cancelled-initialize", initialize()[:1] + client(cancelled("init")))

    def test_a_task(self) -> None:
        offers: Dict[str, Any] = {"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}}
        asked = client(request(1, "tools/call", {"name": "tide", "task": {}}))
        self.breaks("cancelled-task", handshake(offers=offers) + asked + client(cancelled(1)))
        self.keeps("cancelled-task", ready() + client(CALL, cancelled(1)))

    def test_cancelled_initialize_is_the_only_request_that_may_not(self) -> None:
        self.keeps("cancelled-initialize", ready() + client(CALL, cancelled(1)))


class Progress(TapTest):
    def test_an_unknown_token(self) -> None:
        self.breaks("progress-unknown", ready() + client(CALL) + server(progress(1)))
        asked = ready() + client(request(1, "tools/call", SLOW))
        self.keeps("progress-unknown", asked + server(progress(1), called()))
        self.breaks("progress-unknown", asked + server(called(), progress(1)))

    def test_a_token_is_of_its_type(self) -> None:
        params = {"name": "tide", "_meta": {"progressToken": 7}}
        asked = ready() + client(request(1, "tools/call", params))
        self.keeps("progress-unknown", asked + server(progress(1, 7)))
        self.breaks("progress-unknown", asked + server(progress(1, "7")))

    def test_the_client_tells_progress_too(self) -> None:
        asked = server(request(1, "roots/list", {"_meta": {"progressToken": "p"}}))
        self.keeps("progress-unknown", handshake(can={"roots": {}}) + asked + client(progress(1)))

    def test_progress_that_does_not_grow(self) -> None:
        asked = ready() + client(request(1, "tools/call", SLOW))
        found = self.breaks("progress-order", asked + server(progress(0.5), progress(0.5)))
        self.assertEqual(found["pointer"], "/params/progress")
        self.keeps("progress-order", asked + server(progress(0.5), progress(0.75)))

    def test_a_token_in_use(self) -> None:
        first = ready() + client(request(1, "tools/call", SLOW))
        second = client(request(2, "tools/call", SLOW))
        self.breaks("progress-token", first + second)
        self.keeps("progress-token", first + server(called()) + second)


class Capabilities(TapTest):
    def test_of_the_server(self) -> None:
        found = self.breaks("capability", handshake() + client(CALL))
        self.assertEqual(found["severity"], "warning")
        self.assertIn('the server has not declared the capability "tools"', found["message"])
        self.keeps("capability", ready() + client(CALL))

    def test_of_the_client(self) -> None:
        asked = server(request(1, "roots/list"))
        self.breaks("capability", handshake() + asked)
        self.keeps("capability", handshake(can={"roots": {}}) + asked)

    def test_of_the_sender(self) -> None:
        changed = server(notification("notifications/tools/list_changed"))
        self.breaks("capability", handshake(offers={"tools": {"listChanged": False}}) + changed)
        self.keeps("capability", handshake(offers={"tools": {"listChanged": True}}) + changed)

    def test_that_params_need(self) -> None:
        params = {"mode": "url", "message": "m", "url": "http://h/", "elicitationId": "e"}
        asked = server(request(1, "elicitation/create", params))
        found = self.breaks("capability", handshake(can={"elicitation": {"form": {}}}) + asked)
        self.assertIn("elicitation.url", found["message"])
        self.keeps("capability", handshake(can={"elicitation": {"url": {}}}) + asked)

    def test_that_each_request_declares(self) -> None:
        params = {"mode": "form", "message": "m", "requestedSchema": {"type": "object", "properties": {}}}
        inputs = {"q": {"method": "elicitation/create", "params": params}}
        answer = server(result(1, {"resultType": "input_required", "inputRequests": inputs}))
        call = {"name": "tide"}
        found = self.breaks("capability", client(stateless(1, "tools/call", call)) + answer)
        self.assertEqual(found["pointer"], "/result/inputRequests")
        able = stateless(1, "tools/call", call, can={"elicitation": {}})
        self.keeps("capability", client(able) + answer)

    def test_that_discover_tells(self) -> None:
        told = complete(1, supportedVersions=[STATELESS], capabilities=TOOLS, ttlMs=0, cacheScope="public")
        steps = client(stateless(1, "server/discover")) + server(told)
        self.breaks("capability", steps + client(stateless(2, "prompts/list")))
        self.keeps("capability", steps + client(stateless(2, "tools/list")))


class Subscriptions(TapTest):
    LISTEN = stateless(7, "subscriptions/listen", {"notifications": {"toolsListChanged": True}})

    @staticmethod
    def note(method: str, id_: object, **params: object) -> Dict[str, Any]:
        return notification(method, {"_meta": {PREFIX + "subscriptionId": id_}, **params})

    def acknowledged(self, id_: object) -> Dict[str, Any]:
        wanted = {"toolsListChanged": True}
        return self.note("notifications/subscriptions/acknowledged", id_, notifications=wanted)

    def changed(self, id_: object) -> Dict[str, Any]:
        return self.note("notifications/tools/list_changed", id_)

    def test_a_change_without_subscription(self) -> None:
        begun = client(self.LISTEN) + server(self.acknowledged(7))
        self.breaks("subscription-id", begun + server(self.changed("7")))
        self.breaks("subscription-id", begun + server(notification("notifications/tools/list_changed")))
        self.breaks("subscription-id", client(self.LISTEN) + server(self.acknowledged(8)))
        self.keeps("subscription-id", begun + server(self.changed(7)))

    def test_a_change_before_it_is_acknowledged(self) -> None:
        self.breaks("subscription-order", client(self.LISTEN) + server(self.changed(7)))
        begun = client(self.LISTEN) + server(self.acknowledged(7))
        self.keeps("subscription-order", begun + server(self.changed(7)))

    def test_the_server_ends_it(self) -> None:
        begun = client(self.LISTEN) + server(self.acknowledged(7), self.changed(7))
        self.keeps("cancelled-unknown", begun + server(cancelled(7)))
        self.keeps(
            "answer-cancelled",
            begun + server(cancelled(7), complete(7, _meta={PREFIX + "subscriptionId": 7})),
        )
        found = self.breaks("subscription-id", begun + server(cancelled(7), self.changed(7)))
        self.assertIn("has ended", found["message"])

    def test_the_server_ends_no_other_request(self) -> None:
        asked = client(stateless(7, "tools/list"))
        self.breaks("cancelled-unknown", asked + server(cancelled(7)))

    def test_a_log_message_that_nobody_asked_for(self) -> None:
        note = server(notification("notifications/message", {"level": "info", "data": 1}))
        self.breaks("log-unasked", client(stateless(1, "tools/list")) + note)
        about = meta(**{PREFIX + "logLevel": "info"})
        self.keeps("log-unasked", client(request(1, "tools/list", {"_meta": about})) + note)


class Tools(TapTest):
    """Calls of tools, and their results, by the schemas that the server has listed."""

    def listed(self, *tools: Dict[str, Any], first: int = 10, **more: Any) -> List[Step]:
        asked = client(request(first, "tools/list", {}))
        return asked + server(result(first, {"tools": list(tools), **more}))

    def tide(self, **schemas: Any) -> Dict[str, Any]:
        return {"name": "tide", "inputSchema": {"type": "object"}, **schemas}

    def returned(self, tool: Dict[str, Any], **content: Any) -> List[Step]:
        return ready() + self.listed(tool) + client(CALL) + server(result(1, {"content": [], **content}))

    def test_a_schema_that_cannot_be_used(self) -> None:
        for more in ({"$ref": "https://example.com/far"}, {"minProperties": -1}):
            listed = self.listed(self.tide(outputSchema={"type": "object", **more}))
            found = self.breaks("tool-schema", ready() + listed)
            self.assertEqual(found["severity"], "warning")
        bad = self.tide(name="ebb", outputSchema={"type": "object", "minProperties": -1})
        found = self.breaks("tool-schema", ready() + self.listed(self.tide(), bad))
        self.assertEqual(found["pointer"], "/result/tools/1/outputSchema/minProperties")
        self.assertIn("tool ebb: ", found["message"])
        self.keeps("tool-schema", ready() + self.listed(self.tide(outputSchema=NUMBER)))

    def test_arguments(self) -> None:
        begun = ready() + self.listed(self.tide(inputSchema=NUMBER))
        for arguments, pointer in (({"n": "x"}, "/params/arguments/n"), ({}, "/params/arguments")):
            call = request(1, "tools/call", {"name": "tide", "arguments": arguments})
            found = self.breaks("tool-arguments", begun + client(call) + server(called()))
            self.assertEqual((found["pointer"], found["severity"]), (pointer, "warning"))
            self.assertTrue(found["message"].startswith("tool tide: "))
        self.breaks("tool-arguments", begun + client(CALL) + server(called()))
        good = request(1, "tools/call", {"name": "tide", "arguments": {"n": 1}})
        self.keeps("tool-arguments", begun + client(good) + server(called()))
        other = request(1, "tools/call", {"name": "ebb", "arguments": {"n": "x"}})
        self.keeps("tool-arguments", begun + client(other) + server(called()))

    def test_a_result(self) -> None:
        tool = self.tide(outputSchema=NUMBER)
        found = self.breaks("tool-result", self.returned(tool, structuredContent={"n": "x"}))
        self.assertEqual(found["pointer"], "/result/structuredContent/n")
        self.assertEqual((found["severity"], found["status"]), ("error", "MCPW_E_TYPE"))
        self.assertTrue(found["message"].startswith("tool tide: "))
        self.assertEqual(self.breaks("tool-result", self.returned(tool))["pointer"], "/result")
        self.keeps("tool-result", self.returned(tool, structuredContent={"n": 1}))
        self.keeps("tool-result", self.returned(tool, isError=True))
        self.keeps("tool-result", self.returned(self.tide(), structuredContent={"n": "x"}))

    def test_all_errors_of_a_result(self) -> None:
        tool = self.tide(outputSchema={"type": "object", "additionalProperties": {"type": "integer"}})
        steps = self.returned(tool, structuredContent={"a": "x", "b": "y"})
        self.assertEqual(self.play(steps, "--all-errors").codes().count("tool-result"), 2)
        self.assertEqual(self.play(steps).codes().count("tool-result"), 1)

    def test_the_list_that_came_last_counts(self) -> None:
        wants = self.tide(outputSchema=NUMBER)
        result_of = client(CALL) + server(called())
        self.keeps(
            "tool-result", ready() + self.listed(wants) + self.listed(self.tide(), first=11) + result_of
        )
        page = self.listed(self.tide(), first=11, nextCursor="2")
        more = client(request(12, "tools/list", {"cursor": "2"})) + server(result(12, {"tools": [wants]}))
        self.keeps("tool-result", ready() + page + more + result_of)
        ebb = self.tide(name="ebb")
        page = self.listed(ebb, first=11, nextCursor="2")
        self.breaks("tool-result", ready() + page + more + result_of)
        self.breaks("tool-result", ready() + self.listed(wants) + page + result_of)

    def test_without_a_handshake(self) -> None:
        told = complete(10, tools=[self.tide(outputSchema=NUMBER)], ttlMs=0, cacheScope="public")
        begun = client(stateless(10, "tools/list")) + server(told)
        call = client(stateless(1, "tools/call", {"name": "tide"}))
        self.breaks("tool-result", begun + call + server(complete(1, content=[])))
        asks = {"k": {"method": "roots/list", "params": {}}}
        asked = result(1, {"resultType": "input_required", "inputRequests": asks})
        self.assertNotIn("tool-result", self.play(begun + call + server(asked)).codes())


class Results(TapTest):
    READ = request(1, "resources/read", {"uri": "tide://wyk"})

    def read(self, params: Dict[str, Any], code: int) -> List[Step]:
        asked = client(request(1, "resources/read", params))
        return handshake(offers={"resources": {}}) + asked + server(error(1, code))

    def test_a_resource_that_is_not_there(self) -> None:
        found = self.breaks("resource-code", self.read({"uri": "tide://wyk"}, -32602))
        self.assertEqual((found["severity"], found["pointer"]), ("warning", "/error/code"))
        self.assertIn("-32002", found["message"])
        for code in (-32002, -32603):
            self.keeps("resource-code", self.read({"uri": "tide://wyk"}, code))

    def test_params_that_are_wrong(self) -> None:
        self.assertEqual(self.play(self.read({"uri": 5}, -32602)).codes(), ["schema"])

    def test_a_missing_resource_has_no_code_of_its_own_from_2026_07_28_on(self) -> None:
        asked = client(stateless(1, "resources/read", {"uri": "tide://wyk"}))
        self.keeps("resource-code", asked + server(error(1, -32602)))

    def test_a_result_that_does_not_say_whose_it_is(self) -> None:
        steps: List[Step] = []
        for i in (1, 2):
            steps += client(stateless(i, "tools/call", {"name": "tide"})) + server(complete(i, content=[]))
        found = self.breaks("server-info", steps, "--strict")
        self.assertEqual((found["severity"], found["number"]), ("note", 1))
        self.keeps("server-info", steps)
        about = {PREFIX + "serverInfo": {"name": "test", "version": "1"}}
        said = server(complete(1, content=[], _meta=about))
        self.keeps("server-info", client(stateless(1, "tools/call", {"name": "tide"})) + said, "--strict")
        self.keeps("server-info", ready() + client(CALL) + server(called()), "--strict")


class TheList(TapTest):
    def listed(self) -> List[str]:
        return [row.split()[0] for row in self.run_tool("tap", "--rules").out.splitlines()]

    def test_every_rule_has_both_tests(self) -> None:
        text = Path(__file__).read_text(encoding="utf-8")
        for code in self.listed():
            if code == "extension":
                continue  # the library as it is built holds none: test_policy_agrees has one
            with self.subTest(code=code):
                self.assertRegex(text, rf'self\.breaks\(\s*"{code}"')
                self.assertRegex(text, rf'self\.keeps\(\s*"{code}"')

    def test_the_manual_explains_every_rule(self) -> None:
        manual = (Path(__file__).resolve().parents[2] / "tools/man/mcpwire-tap.1").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"^\.It Cm (\S+)$", manual, re.M), self.listed())


if __name__ == "__main__":
    unittest.main()
