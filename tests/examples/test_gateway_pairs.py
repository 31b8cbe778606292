# SPDX-License-Identifier: MIT
"""examples/gateway.c: every method, between every two revisions."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any, ContextManager, Iterator, List, Optional, Tuple

from tests.examples.peer import (
    META,
    MODERN,
    TIMEOUT,
    Client,
    ExampleTest,
    Json,
    RpcError,
    Wire,
    built_revisions,
    example,
    started,
)

WIDE_SERVER = str(Path(__file__).with_name("wide_server.py"))
TASKS = "2025-11-25"
ELICITS = "2025-06-18"
FORM: Json = {
    "message": "Which?",
    "requestedSchema": {"type": "object", "properties": {"colour": {"type": "string"}}},
}
SAMPLING: Json = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "Say it."}}],
    "maxTokens": 5,
}
SAMPLED: Json = {"role": "assistant", "content": {"type": "text", "text": "It."}, "model": "m"}
ACCEPTED: Json = {"action": "accept", "content": {"colour": "blue"}}
ROOTS: Json = {"roots": [{"uri": "file:///home"}]}


def gateway(server: str, *more: str, status: int = 0) -> ContextManager[Wire]:
    """A gateway to a server of this revision."""
    command = (example("gateway"), server, sys.executable, "-S", WIDE_SERVER, server, *more)
    return started(*command, status=status)


def pairs(client: str = "", server: str = "") -> Iterator[Tuple[str, str]]:
    """Revisions of a client and of a server, from those on that are named."""
    for ours in built_revisions():
        for theirs in built_revisions():
            if ours >= client and theirs >= server:
                yield ours, theirs


def kinds() -> Iterator[Tuple[str, str]]:
    """The same of the oldest revision, the newest with a handshake and that without: what does not depend on
    the methods of a revision is the same in those between."""
    for ours, theirs in pairs():
        if {ours, theirs} <= {"2024-11-05", "2025-11-25", MODERN}:
            yield ours, theirs


def client_capabilities(revision: str) -> Json:
    """Everything that a client can say."""
    found: Json = {"roots": {} if revision >= MODERN else {"listChanged": True}, "sampling": {}}
    if revision >= TASKS:
        found["sampling"] = {"tools": {}, "context": {}}
        found["elicitation"] = {"form": {}, "url": {}}
    elif revision >= ELICITS:
        found["elicitation"] = {}
    if revision == TASKS:
        found["tasks"] = {"list": {}, "cancel": {}}
    return found


def full_client(wire: Wire, revision: str) -> Client:
    return Client(wire, revision, client_capabilities(revision)).open()


def record(client: Client) -> List[Json]:
    """The messages that the server has received."""
    received: List[Json] = json.loads(client.text("record"))
    return received


def sent(client: Client, method: str) -> List[Json]:
    """The params of what the server has received of one method."""
    return [m.get("params", {}) for m in record(client) if m.get("method") == method]


def asked(client: Client, method: str, params: Json) -> Any:
    """Lets the server ask, and gives what it was answered."""
    answer = json.loads(client.text("question", {"method": method, "params": params}))
    if not isinstance(answer, list):
        return answer
    if answer[1] != 'a "state"':
        raise AssertionError(f"the server's state came back as {answer[1]}")
    return answer[0]


class EveryPairTest(ExampleTest):
    needs = ("gateway",)

    # The identity and the capabilities of each.

    def test_the_client_learns_what_the_server_is_and_can(self) -> None:
        for ours, theirs in kinds():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                told = full_client(wire, ours).opened
                changes = {"listChanged": True}
                expected: Json = {"tools": changes, "prompts": changes, "logging": {}}
                expected["resources"] = {**changes, "subscribe": True}
                if ours > "2024-11-05":
                    expected["completions"] = {}
                if ours == theirs == TASKS:
                    expected["tasks"] = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
                self.assertEqual(told["capabilities"], expected)
                self.assertEqual(told["instructions"], "Be kind.")
                info = told["_meta"][META + "serverInfo"] if ours >= MODERN else told["serverInfo"]
                title = {"title": "Wide"} if min(ours, theirs) >= ELICITS else {}
                self.assertEqual(info, {"name": "wide", "version": "2", **title})

    def test_what_the_server_does_not_declare_is_not_offered(self) -> None:
        for ours, theirs in kinds():
            with self.subTest(client=ours, server=theirs), gateway(theirs, "no") as wire:
                offered = full_client(wire, ours).opened["capabilities"]
                self.assertEqual([offered["tools"], offered["prompts"], offered["resources"]], [{}, {}, {}])

    def test_the_server_learns_what_the_client_is_and_can(self) -> None:
        for ours, theirs in kinds():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                params = record(full_client(wire, ours))[0]["params"]
                if theirs >= MODERN:
                    meta = params["_meta"]
                    params = {
                        "capabilities": meta[META + "clientCapabilities"],
                        "clientInfo": meta[META + "clientInfo"],
                    }
                told, own = params["capabilities"], client_capabilities(ours)
                known = set(client_capabilities(theirs))
                self.assertEqual(set(told), set(own) & known)
                if min(ours, theirs) >= TASKS:
                    for key in ("sampling", "elicitation"):
                        self.assertEqual(told[key], own[key])
                if max(ours, theirs) < MODERN:
                    self.assertEqual(told["roots"], {"listChanged": True})
                name = params["clientInfo"]["name"]
                self.assertEqual(name, "gateway" if ours >= MODERN else "test")

    # Methods of the client's.

    def test_every_method_passes(self) -> None:
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                client = full_client(wire, ours)
                names = [tool["name"] for tool in client.call("tools/list")["tools"]]
                self.assertEqual(names, ["ask", "change", "echo", "error"])
                self.assertEqual(client.text("echo", {"message": "Grüße"}), "Grüße")
                self.assertEqual(client.call("prompts/list")["prompts"], [{"name": "p"}])
                got = client.call("prompts/get", {"name": "p", "arguments": {"who": "you"}})
                self.assertEqual(got["messages"][0]["content"]["text"], "you")
                self.assertEqual(
                    client.call("resources/list")["resources"], [{"uri": "file:///a", "name": "a"}]
                )
                (found,) = client.call("resources/templates/list")["resourceTemplates"]
                self.assertEqual(found["uriTemplate"], "file:///{x}")
                (content,) = client.call("resources/read", {"uri": "file:///a"})["contents"]
                self.assertEqual(content["text"], "content")
                ref = {"type": "ref/prompt", "name": "p"}
                argument = {"name": "who", "value": "ev"}
                completed = client.call("completion/complete", {"ref": ref, "argument": argument})
                self.assertEqual(completed["completion"]["values"], ["ev!"])
                if ours < MODERN:
                    self.assertEqual(client.call("ping"), {})

    def test_methods_that_the_server_does_not_offer_are_unknown(self) -> None:
        for ours, theirs in kinds():
            with self.subTest(client=ours, server=theirs), gateway(theirs, "no") as wire:
                client = full_client(wire, ours)
                for method, params in (("resources/subscribe", {"uri": "file:///a"}), ("tasks/list", {})):
                    if ours < MODERN and not (method == "tasks/list" and ours == theirs == TASKS):
                        with self.assertRaises(RpcError) as caught:
                            client.call(method, params)
                        self.assertEqual(caught.exception.code, -32601, method)

    # Subscriptions.

    def test_a_resource_is_watched_through_the_gateway(self) -> None:
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                client = full_client(wire, ours)
                number: Optional[int] = None
                if ours >= MODERN:
                    wanted = {"notifications": {"resourceSubscriptions": ["file:///a"]}}
                    number = client.send("subscriptions/listen", wanted)
                else:
                    client.call("resources/subscribe", {"uri": "file:///a"})
                self.assertEqual(client.text("touch", {"uri": "file:///a"}), "1")
                self.assertEqual(client.text("touch", {"uri": "file:///b"}), "0")
                told = client.notifications("notifications/resources/updated")
                meta = {"_meta": {META + "subscriptionId": number}} if ours >= MODERN else {}
                self.assertEqual(told, [{"uri": "file:///a", **meta}])
                if ours >= MODERN:
                    client.notify("notifications/cancelled", {"requestId": number})
                else:
                    client.call("resources/unsubscribe", {"uri": "file:///a"})
                self.assertEqual(client.text("touch", {"uri": "file:///a"}), "0")

    def test_a_resource_that_is_watched_twice_is_asked_for_once(self) -> None:
        for theirs in built_revisions():
            with self.subTest(server=theirs), gateway(theirs) as wire:
                client = full_client(wire, MODERN)
                wanted = {"notifications": {"resourceSubscriptions": ["file:///a"]}}
                first, second = (client.send("subscriptions/listen", wanted) for _ in range(2))
                self.assertEqual(client.text("touch", {"uri": "file:///a"}), "1")
                self.assertEqual(len(client.notifications("notifications/resources/updated")), 2)
                client.notify("notifications/cancelled", {"requestId": first})
                self.assertEqual(client.text("touch", {"uri": "file:///a"}), "1")
                client.notify("notifications/cancelled", {"requestId": second})
                self.assertEqual(client.text("touch", {"uri": "file:///a"}), "0")

    def test_changes_of_lists_are_told(self) -> None:
        for ours, theirs in kinds():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                client = full_client(wire, ours)
                if ours >= MODERN:
                    client.send("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
                self.assertEqual(client.text("change"), "changed")
                self.assertEqual(len(client.notifications("notifications/tools/list_changed")), 1)

    # Log messages.

    def test_log_messages_come_from_the_level_on_that_is_asked_for(self) -> None:
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                client = full_client(wire, ours)
                call: Json = {"name": "shout", "arguments": {}}
                client.call("tools/call", call)
                self.assertEqual(client.notifications("notifications/message"), [])
                if ours >= MODERN:
                    call["_meta"] = {META + "logLevel": "critical"}
                else:
                    client.call("logging/setLevel", {"level": "critical"})
                client.call("tools/call", call)
                told = client.notifications("notifications/message")
                self.assertEqual(
                    told,
                    [
                        {"level": level, "logger": "l", "data": [level]}
                        for level in ("critical", "alert", "emergency")
                    ],
                )

    # Questions of the server's.

    def ask(self, method: str, params: Json, answer: Json, ours: str, theirs: str) -> Any:
        with gateway(theirs) as wire:
            client = full_client(wire, ours)
            seen: List[Json] = []

            def told(said: Json) -> Json:
                seen.append(said)
                return answer

            client.answers[method] = told
            found = asked(client, method, params)
            self.assertEqual(len(seen), 1)
            for key in params:
                self.assertIn(key, seen[0])
            return found

    def test_the_server_asks_for_the_roots(self) -> None:
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs):
                self.assertEqual(self.ask("roots/list", {}, ROOTS, ours, theirs), ROOTS)

    def test_the_server_asks_the_model(self) -> None:
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs):
                found = self.ask("sampling/createMessage", SAMPLING, SAMPLED, ours, theirs)
                self.assertEqual(found, SAMPLED)

    def test_the_server_asks_the_user(self) -> None:
        for ours, theirs in pairs(ELICITS, ELICITS):
            with self.subTest(client=ours, server=theirs):
                self.assertEqual(self.ask("elicitation/create", FORM, ACCEPTED, ours, theirs), ACCEPTED)

    def test_the_model_is_given_tools(self) -> None:
        tools = {**SAMPLING, "tools": [{"name": "t", "inputSchema": {"type": "object"}}]}
        for ours, theirs in pairs(TASKS, TASKS):
            with self.subTest(client=ours, server=theirs):
                found = self.ask("sampling/createMessage", tools, SAMPLED, ours, theirs)
                self.assertEqual(found, SAMPLED)

    def test_the_user_is_sent_to_a_page(self) -> None:
        page: Json = {"mode": "url", "message": "Sign in", "url": "https://example.org/"}
        for ours, theirs in pairs(TASKS, TASKS):
            with self.subTest(client=ours, server=theirs):
                identified = {**page, "elicitationId": "e"} if theirs == TASKS else page
                answer = {"action": "accept"}
                if ours >= MODERN > theirs >= TASKS:
                    with gateway(theirs) as wire:  # what identifies the page is not known there
                        client = full_client(wire, ours)
                        client.answers["elicitation/create"] = answer
                        self.assertEqual(asked(client, "elicitation/create", identified), answer)
                else:
                    self.assertEqual(self.ask("elicitation/create", identified, answer, ours, theirs), answer)

    def test_a_input_request_that_the_client_cannot_be_asked_is_refused(self) -> None:
        for ours, theirs in pairs("", ELICITS):
            if ours < ELICITS:
                with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                    client = full_client(wire, ours)
                    question = {"method": "elicitation/create", "params": FORM}
                    if theirs >= MODERN:
                        with self.assertRaises(RpcError) as caught:
                            client.text("question", question)
                        self.assertEqual(caught.exception.code, -32603)
                    else:
                        self.assertEqual(json.loads(client.text("question", question))["code"], -32601)

    def test_the_server_is_answered_to_its_ping(self) -> None:
        for ours, theirs in kinds():
            if theirs < MODERN:
                with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                    self.assertEqual(asked(full_client(wire, ours), "ping", {}), {})

    def test_the_server_may_give_up_its_input_request(self) -> None:
        for ours, theirs in kinds():
            if max(ours, theirs) < MODERN:
                with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                    client = full_client(wire, ours)
                    question = {"method": "sampling/createMessage", "params": SAMPLING}
                    call = client.send("tools/call", {"name": "question", "arguments": question})
                    received = wire.receive()
                    assert received is not None
                    self.assertEqual(received["method"], "sampling/createMessage")
                    client.send("tools/call", {"name": "withdraw", "arguments": {"id": "question 0"}})
                    client.wait(client.last_id)
                    (told,) = client.notifications("notifications/cancelled")
                    self.assertEqual(told["requestId"], received["id"])
                    self.assertNotEqual(call, client.last_id)

    def test_progress_of_a_input_request_comes_with_the_token_of_the_server(self) -> None:
        for ours, theirs in kinds():
            if max(ours, theirs) < MODERN:
                with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                    client = full_client(wire, ours)

                    def answer(params: Json, client: Client = client) -> Json:
                        token = params["_meta"]["progressToken"]
                        client.notify("notifications/progress", {"progressToken": token, "progress": 1})
                        return SAMPLED

                    client.answers["sampling/createMessage"] = answer
                    params = {**SAMPLING, "_meta": {"progressToken": "mine"}}
                    self.assertEqual(asked(client, "sampling/createMessage", params), SAMPLED)
                    (told,) = sent(client, "notifications/progress")
                    self.assertEqual((told["progressToken"], told["progress"]), ("mine", 1))

    # Notifications of the client's.

    def test_changes_of_the_roots_are_told(self) -> None:
        for ours, theirs in kinds():
            if ours < MODERN:
                with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                    client = full_client(wire, ours)
                    client.notify("notifications/roots/list_changed", {})
                    told = sent(client, "notifications/roots/list_changed")
                    self.assertEqual(len(told), 0 if theirs >= MODERN else 1)

    # Errors.

    def test_errors_come_in_the_codes_of_the_client(self) -> None:
        data = {"elicitations": [], "requiredCapabilities": {}, "supported": [], "requested": "x"}
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                client = full_client(wire, ours)
                for code in (-32002, -32042, -32020, -32021, -32022, -32602, -7):
                    if theirs >= MODERN and code in (-32002, -32042):
                        continue  # no server says these there
                    expected = code
                    if ours >= MODERN:
                        expected = {-32002: -32602, -32042: -32603}.get(code, code)
                    else:
                        expected = {-32020: -32600, -32021: -32600, -32022: -32602}.get(code, code)
                        expected = -32603 if code == -32042 and ours != TASKS else expected
                    with self.assertRaises(RpcError) as caught:
                        client.tool("error", {"code": code, "data": data})
                    self.assertEqual((caught.exception.code, caught.exception.data), (expected, data), code)
                with self.assertRaises(RpcError) as caught:
                    client.call("resources/read", {"uri": "file:///missing"})
                missing = (-32602 if ours >= MODERN else -32002, {"uri": "file:///missing"})
                self.assertEqual((caught.exception.code, caught.exception.data), missing)

    # The parts that only 2025-11-25 has.

    def test_tasks_pass_between_ends_that_have_them(self) -> None:
        if TASKS not in built_revisions():
            self.skipTest("2025-11-25 is not built")
        with gateway(TASKS) as wire:
            client = full_client(wire, TASKS)
            created = client.call("tools/call", {"name": "echo", "arguments": {}, "task": {"ttl": 1000}})
            self.assertEqual(created["task"]["taskId"], "1")
            self.assertEqual(client.notifications("notifications/tasks/status")[0]["taskId"], "1")
            self.assertEqual(client.call("tasks/get", {"taskId": "1"})["status"], "working")
            result = client.call("tasks/result", {"taskId": "1"})
            self.assertEqual(result["content"][0]["text"], "the task's result")
            self.assertEqual(len(client.call("tasks/list")["tasks"]), 1)
            self.assertEqual(client.call("tasks/cancel", {"taskId": "1"})["status"], "cancelled")
            client.answers["tasks/list"] = {"tasks": []}
            self.assertEqual(asked(client, "tasks/list", {}), {"tasks": []})

    def test_the_end_of_a_page_is_told_between_ends_that_tell_it(self) -> None:
        for ours, theirs in kinds():
            if theirs < MODERN:
                with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                    client = full_client(wire, ours)
                    ended = {"method": "notifications/elicitation/complete", "params": {"elicitationId": "e"}}
                    self.assertEqual(client.text("tell", ended), "told")
                    told = client.notifications("notifications/elicitation/complete")
                    self.assertEqual(told, [ended["params"]] if ours == theirs == TASKS else [])

    # The end.

    def test_a_client_that_goes_ends_the_gateway_and_what_it_waits_for(self) -> None:
        for ours, theirs in kinds():
            with self.subTest(client=ours, server=theirs):
                before = time.monotonic()
                with gateway(theirs) as wire:
                    client = full_client(wire, ours)
                    client.send("tools/call", {"name": "slow", "arguments": {}})
                    client.text("echo", {"message": "it is there"})
                self.assertLess(time.monotonic() - before, TIMEOUT / 2)

    def test_a_server_that_goes_answers_what_waits_and_ends_the_gateway(self) -> None:
        for ours, theirs in kinds():
            with self.subTest(client=ours, server=theirs), gateway(theirs, status=1) as wire:
                client = full_client(wire, ours)
                slow = client.send("tools/call", {"name": "slow", "arguments": {}})
                client.send("tools/call", {"name": "leave", "arguments": {}})
                with self.assertRaises(RpcError) as caught:
                    client.result(slow)
                self.assertEqual(caught.exception.code, -32603)
                while wire.receive() is not None:  # the other answer, then its end
                    pass
