# SPDX-License-Identifier: MIT
"""examples/gateway.c: what passes through it. Each method: test_gateway_pairs.py."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import ContextManager, Iterator, List, Tuple

from tests.examples.peer import (
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
    """The messages that the server has received."""
    received: List[Json] = json.loads(client.text("record"))
    return received


class GatewayTest(ExampleTest):
    needs = ("gateway", "files")

    def test_the_server_is_spoken_to_in_its_revision(self) -> None:
        for ours, theirs in pairs():
            with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                first = record(Client(wire, ours).open())[0]
                if theirs >= MODERN:
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

    def test_changes_are_told_to_the_subscription_of_a_client_without_one(self) -> None:
        for ours, theirs in pairs():
            if ours >= MODERN:
                with self.subTest(client=ours, server=theirs), gateway(theirs) as wire:
                    client = Client(wire, ours).open()
                    self.assertEqual(client.text("change"), "changed")
                    self.assertEqual(client.seen, [])
                    wanted = {"notifications": {"toolsListChanged": True}}
                    number = client.send("subscriptions/listen", wanted)
                    self.assertEqual(client.text("change"), "changed")
                    told = client.notifications("notifications/tools/list_changed")
                    self.assertEqual(told, [{"_meta": {META + "subscriptionId": number}}])

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
                self.assertEqual(caught.exception.code, -32602 if ours >= MODERN else -32002)
