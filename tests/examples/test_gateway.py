# SPDX-License-Identifier: MIT
"""examples/gateway.c: old clients of new servers, new clients of old servers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, ContextManager, Iterator, List, Tuple

from tests.examples.peer import (
    ELICITATION,
    META,
    MODERN,
    Client,
    ExampleTest,
    Json,
    RpcError,
    Wire,
    built_revisions,
    example,
    started,
)

SMALL_SERVER = str(Path(__file__).with_name("small_server.py"))
ASKS = "elicitation/create"
ANSWER: Json = {"action": "accept", "content": {"colour": "blue"}}


def gateway(server: str) -> ContextManager[Wire]:
    """A gateway to a server of this revision."""
    return started(example("gateway"), server, sys.executable, SMALL_SERVER, server)


def pairs() -> Iterator[Tuple[str, str]]:
    """Revisions of a client and of a server: the oldest, the newest with a handshake, and that without."""
    revisions = [name for name in ("2024-11-05", "2025-11-25", MODERN) if name in built_revisions()]
    for client in revisions:
        for server in revisions:
            yield client, server


def record(client: Client) -> List[Json]:
    """What the server has received."""
    received: List[Json] = json.loads(client.text("record"))
    return received


class GatewayTest(ExampleTest):
    needs = ("gateway", "files")

    def test_the_server_is_spoken_to_in_its_revision(self) -> None:
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                first = record(Client(wire, ours).open())[0]
                if theirs == MODERN:
                    self.assertEqual(first["params"]["_meta"][META + "protocolVersion"], theirs)
                else:
                    self.assertEqual(first["method"], "initialize")
                    self.assertEqual(first["params"]["protocolVersion"], theirs)

    def test_the_client_is_offered_what_the_server_has(self) -> None:
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                client = Client(wire, ours).open()
                # A server of 2024-11-05 has no way to say whether it completes.
                offered = {"tools", "logging"}
                if theirs == "2024-11-05" < ours:
                    offered.add("completions")
                self.assertEqual(set(client.opened["capabilities"]), offered)
                self.assertEqual(client.opened["instructions"], "Be kind.")
                with self.assertRaises(RpcError) as caught:
                    client.call("prompts/list")
                self.assertEqual(caught.exception.code, -32601)

    def test_requests_and_results_pass(self) -> None:
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                client = Client(wire, ours).open()
                page = client.call("tools/list")
                self.assertEqual([tool["name"] for tool in page["tools"]], ["ask", "change", "echo", "fail"])
                page = client.call("tools/list", {"cursor": page["nextCursor"]})
                self.assertEqual([tool["name"] for tool in page["tools"]], ["log", "record", "slow"])
                self.assertEqual(client.text("echo", {"message": "Grüße"}), "Grüße")

    def test_many_requests_at_once_find_their_answers(self) -> None:
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                client = Client(wire, ours).open()
                sent = {}
                for i in range(50):
                    call = {"name": "echo", "arguments": {"message": f"message {i}"}}
                    sent[client.send("tools/call", call)] = f"message {i}"
                for number, expected in sent.items():
                    self.assertEqual(client.result(number)["content"][0]["text"], expected)

    def test_errors_pass_with_code_and_data(self) -> None:
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                with self.assertRaises(RpcError) as caught:
                    Client(wire, ours).open().tool("fail")
                self.assertEqual(caught.exception.code, -32050)
                self.assertEqual(caught.exception.data, {"why": [1, None]})

    def test_progress_comes_with_the_token_of_the_client(self) -> None:
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                client = Client(wire, ours).open()
                params: Json = {"name": "slow", "arguments": {"ends": True}, "_meta": {"progressToken": "p"}}
                self.assertEqual(client.call("tools/call", params)["content"][0]["text"], "done")
                told = client.notifications("notifications/progress")
                self.assertEqual([(t["progressToken"], t["progress"]) for t in told], [("p", 1), ("p", 2)])

    def test_progress_is_not_told_to_a_client_that_did_not_ask(self) -> None:
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                client = Client(wire, ours).open()
                self.assertEqual(client.text("slow", {"ends": True}), "done")
                self.assertEqual(client.seen, [])

    def test_cancellation_reaches_the_server_by_its_id(self) -> None:
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                client = Client(wire, ours).open()
                number = client.send("tools/call", {"name": "slow", "arguments": {}})
                client.notify("notifications/cancelled", {"requestId": number})
                received = record(client)
                (call,) = [m["id"] for m in received if m.get("params", {}).get("name") == "slow"]
                cancelled = [m["params"] for m in received if m.get("method") == "notifications/cancelled"]
                self.assertEqual([params["requestId"] for params in cancelled], [call])
                self.assertEqual(client.seen, [])

    def test_changes_are_told_to_clients_with_a_handshake(self) -> None:
        for ours, theirs in pairs():
            if ours != MODERN:
                with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                    client = Client(wire, ours).open()
                    self.assertEqual(client.text("change"), "changed")
                    changes = client.notifications("notifications/tools/list_changed")
                    self.assertEqual(len(changes), 1)

    def test_changes_are_told_to_the_subscription_of_a_client_without_one(self) -> None:
        for ours, theirs in pairs():
            if ours == MODERN:
                with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                    client = Client(wire, ours).open()
                    self.assertEqual(client.text("change"), "changed")
                    self.assertEqual(client.seen, [])
                    wanted = {"notifications": {"toolsListChanged": True}}
                    number = client.send("subscriptions/listen", wanted)
                    self.assertEqual(client.text("change"), "changed")
                    told = client.notifications("notifications/tools/list_changed")
                    self.assertEqual(told, [{"_meta": {META + "subscriptionId": number}}])

    def test_log_messages_pass_between_revisions_that_have_a_handshake(self) -> None:
        for ours, theirs in pairs():
            if theirs != MODERN:
                with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                    client = Client(wire, ours).open()
                    self.assertEqual(client.text("log"), "logged")
                    expected: List[Any] = [] if ours == MODERN else [{"level": "info", "data": {"at": 5}}]
                    self.assertEqual(client.notifications("notifications/message"), expected)

    def test_the_log_level_passes(self) -> None:
        for ours, theirs in pairs():
            if MODERN not in (ours, theirs):
                with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                    client = Client(wire, ours).open()
                    client.call("logging/setLevel", {"level": "warning"})
                    levels = [m["params"]["level"] for m in record(client) if "level" in m.get("params", {})]
                    self.assertEqual(levels, ["warning"])

    def test_the_servers_questions_reach_the_user(self) -> None:
        for ours, theirs in pairs():
            if "2025-06-18" <= ours != MODERN and theirs >= "2025-06-18":
                with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                    client = Client(wire, ours, ELICITATION)
                    client.answers[ASKS] = ANSWER
                    told = json.loads(client.open().text("ask"))
                    self.assertEqual(told, [ANSWER, 'a "state"'] if theirs == MODERN else ANSWER)

    def test_a_question_that_cannot_be_asked_is_refused(self) -> None:
        for ours, theirs in pairs():
            if ours < "2025-06-18" and theirs >= "2025-06-18":
                with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                    client = Client(wire, ours).open()
                    if theirs == MODERN:
                        with self.assertRaises(RpcError) as caught:
                            client.text("ask")
                        self.assertEqual(caught.exception.code, -32603)
                    else:
                        self.assertEqual(json.loads(client.text("ask"))["code"], -32601)

    def test_files_of_a_new_server_for_an_old_client(self) -> None:
        folder = str(Path(__file__).parent)
        theirs = built_revisions()[-1]
        for ours in built_revisions():
            command = (example("gateway"), theirs, example("files"), folder)
            with self.subTest(client=ours), started(*command) as wire:
                client = Client(wire, ours).open()
                uri = "file:///CMakeLists.txt"
                read = client.call("resources/read", {"uri": uri})["contents"]
                self.assertEqual(read[0]["text"], Path(folder, "CMakeLists.txt").read_text("utf-8"))
                with self.assertRaises(RpcError) as caught:
                    client.call("resources/read", {"uri": "file:///nope"})
                self.assertEqual(caught.exception.code, -32602 if ours == MODERN else -32002)

    def test_a_server_that_ends_ends_the_gateway(self) -> None:
        server = "import sys; sys.argv = ['', '2025-06-18']; sys.path[0] = sys.path[0] or '.'\n"
        server += "from tests.examples.small_server import SmallServer; import json\n"
        server += "s = SmallServer('2025-06-18')\n"
        server += "[s.handle(json.loads(sys.stdin.readline())) for _ in range(2)]; sys.stdin.readline()"
        command = (example("gateway"), "2025-06-18", sys.executable, "-c", server)
        with started(*command, status=1) as wire:
            client = Client(wire, built_revisions()[-1]).open()
            with self.assertRaises(RpcError):
                client.text("echo", {"message": "anybody there?"})
