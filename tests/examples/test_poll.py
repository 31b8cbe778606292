# SPDX-License-Identifier: MIT
"""examples/poll.c: many clients at once, on a Unix socket."""

from __future__ import annotations

import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Dict, Optional

from tests.examples.peer import TIMEOUT, Client, ExampleTest, Wire, built_revisions, example


class PollTest(ExampleTest):
    needs = ("poll",)

    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = str(Path(folder.name, "socket"))
        command = [example("poll"), self.path]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end)

    def end(self) -> None:
        """It must have lived until here, and it ends in order."""
        alive = self.process.poll() is None
        _, complaints = self.process.communicate(timeout=TIMEOUT)
        self.assertTrue(alive, complaints.decode())
        self.assertEqual((self.process.returncode, complaints), (0, b""))

    def connect(self) -> socket.socket:
        end = time.monotonic() + TIMEOUT
        while True:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(self.path)
            except OSError:
                connection.close()
                if time.monotonic() > end:
                    raise
                time.sleep(0.01)
                continue
            self.addCleanup(connection.close)
            return connection

    def client(self, revision: str, connection: Optional[socket.socket] = None) -> Client:
        connection = connection or self.connect()
        return Client(Wire(connection.fileno(), connection.fileno()), revision).open()

    def test_clients_of_all_revisions_are_served_at_once(self) -> None:
        clients = {revision: self.client(revision) for revision in built_revisions()}
        sent: Dict[str, int] = {}
        for ms, (revision, client) in enumerate(reversed(clients.items())):
            call = {"name": "wait", "arguments": {"ms": 20 * ms}}
            sent[revision] = client.send("tools/call", call)
        for revision, client in clients.items():
            self.assertEqual(client.result(sent[revision])["content"], [{"type": "text", "text": "waited"}])

    def test_who_waits_holds_up_nobody(self) -> None:
        newest = built_revisions()[-1]
        slow, quick = self.client(newest), self.client(newest)
        number = slow.send("tools/call", {"name": "wait", "arguments": {"ms": 1000}})
        for _ in range(20):
            self.assertEqual(quick.text("wait", {"ms": 0}), "waited")
        self.assertIsNone(slow.wire.receive(0.0))
        self.assertEqual(slow.result(number)["content"][0]["text"], "waited")

    def test_a_client_that_dies_in_the_middle_of_a_message_leaves_the_others_alone(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision):
                doomed = self.connect()
                other, third = self.client(revision), self.client(revision)
                dying = self.client(revision, doomed)
                number = other.send("tools/call", {"name": "wait", "arguments": {"ms": 100}})
                dying.send("tools/call", {"name": "wait", "arguments": {"ms": 50}})
                dying.wire.send_bytes(b'{"jsonrpc":"2.0","id":9,"method":"tools/li')
                doomed.close()
                self.assertEqual(third.text("wait", {"ms": 80}), "waited")
                self.assertEqual(other.result(number)["content"][0]["text"], "waited")

    def test_a_cancelled_wait_is_not_answered(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision):
                client = self.client(revision)
                number = client.send("tools/call", {"name": "wait", "arguments": {"ms": 300}})
                client.notify("notifications/cancelled", {"requestId": number})
                self.assertEqual(client.text("wait", {"ms": 400}), "waited")
                self.assertEqual(client.seen, [])

    def test_answers_reach_a_client_that_has_said_all_it_has_to_say(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision):
                connection = self.connect()
                client = self.client(revision, connection)
                number = client.send("tools/call", {"name": "wait", "arguments": {"ms": 50}})
                connection.shutdown(socket.SHUT_WR)
                self.assertEqual(client.result(number)["content"][0]["text"], "waited")
                self.assertEqual(connection.recv(1), b"")

    def test_a_message_may_come_in_pieces(self) -> None:
        connection = self.connect()
        client = self.client(built_revisions()[-1], connection)
        whole = client.wire

        class Pieces(Wire):
            def send_bytes(self, data: bytes) -> None:
                for i in range(0, len(data), 40):
                    whole.send_bytes(data[i : i + 40])
                    time.sleep(0.002)

        client.wire = Pieces(whole.read_from, whole.write_to)
        self.assertEqual(client.text("wait", {"ms": 1}), "waited")

    def test_more_clients_than_it_has_room_for_wait_their_turn(self) -> None:
        newest = built_revisions()[-1]
        connections = [self.connect() for _ in range(64)]
        for connection in connections:
            self.client(newest, connection)
        late = self.connect()
        wire = Wire(late.fileno(), late.fileno())
        waiting = Client(wire, newest)
        number = waiting.send("server/discover" if waiting.is_modern else "ping")
        self.assertIsNone(wire.receive(0.1))
        connections[0].close()
        self.assertIn("result", waiting.wait(number))
