# SPDX-License-Identifier: MIT
"""examples/sqlite.c: queries on workers."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import Iterator

from tests.examples.peer import (
    ELICITATION,
    TIMEOUT,
    Client,
    ExampleTest,
    RpcError,
    built_revisions,
    example,
    started,
    text_of,
)

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


class SqliteTest(ExampleTest):
    needs = ("sqlite",)

    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = str(Path(folder.name, "test.db"))
        with contextlib.closing(sqlite3.connect(self.path)) as db, db:
            db.execute("CREATE TABLE birds (name TEXT, wings INTEGER, weight REAL, egg BLOB)")
            db.execute("INSERT INTO birds VALUES ('wren', 2, 0.01, x'00'), ('ostrich', 2, 120.5, NULL)")
            db.execute('CREATE TABLE "odd "" name" (a)')
            db.execute("CREATE TABLE many AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
                       "LIMIT 2000) SELECT i FROM n")  # fmt: skip

    @contextlib.contextmanager
    def client(self, revision: str) -> Iterator[Client]:
        with started(example("sqlite"), self.path) as wire:
            yield Client(wire, revision).open()

    def newest(self) -> contextlib.AbstractContextManager[Client]:
        return self.client(built_revisions()[-1])

    def refusal(self, client: Client, **arguments: object) -> str:
        result = client.tool("query", dict(arguments))
        self.assertTrue(result.get("isError"), result)
        return text_of(result)

    def test_rows_are_given_in_every_revision(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), self.client(revision) as client:
                text = client.text("query", {"sql": "SELECT name, wings, weight, egg FROM birds;"})
                rows = [
                    {"name": "wren", "wings": 2, "weight": 0.01, "egg": None},
                    {"name": "ostrich", "wings": 2, "weight": 120.5, "egg": None},
                ]
                self.assertEqual(json.loads(text), {"rows": rows, "more": False})

    def test_what_is_no_query_is_said_by_pointer(self) -> None:
        with self.newest() as client:
            self.assertIn("required member 'sql' is missing", self.refusal(client))
            self.assertIn("/limit", self.refusal(client, sql="SELECT 1", limit=0))
            self.assertIn("/limit: expected integer", self.refusal(client, sql="SELECT 1", limit="many"))
            self.assertIn('/sql: near "SELEC"', self.refusal(client, sql="SELEC 1"))
            self.assertIn("/sql: one statement", self.refusal(client, sql="SELECT 1; SELECT 2"))
            self.assertIn("/sql: one statement", self.refusal(client, sql=" "))

    def test_nothing_but_reading_is_allowed(self) -> None:
        with self.newest() as client:
            for sql in (
                "DELETE FROM birds",
                "CREATE TABLE t (a)",
                "ATTACH 'other.db' AS other",
                "PRAGMA journal_mode = DELETE",
                "VACUUM INTO 'copy.db'",
            ):
                self.assertIn("/sql: ", self.refusal(client, sql=sql))
            text = client.text("query", {"sql": "SELECT count(*) AS n FROM birds"})
            self.assertEqual(json.loads(text)["rows"], [{"n": 2}])

    def test_rows_have_a_limit(self) -> None:
        with self.newest() as client:
            few = json.loads(client.text("query", {"sql": "SELECT i FROM many", "limit": 3}))
            self.assertEqual(few, {"rows": [{"i": 1}, {"i": 2}, {"i": 3}], "more": True})
            most = json.loads(client.text("query", {"sql": "SELECT i FROM many"}))
            self.assertEqual((len(most["rows"]), most["more"]), (1000, True))
            long = "SELECT printf('%2000000d', 1)"
            self.assertIn("longer than", self.refusal(client, sql=long))

    def test_a_long_query_tells_progress_keeps_nobody_waiting_and_is_cancelled(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), self.client(revision) as client:
                call = {"name": "query", "arguments": {"sql": ENDLESS}, "_meta": {"progressToken": "p"}}
                number = client.send("tools/call", call)
                client.text("query", {"sql": "SELECT 1"})
                end = time.monotonic() + TIMEOUT
                while not client.notifications("notifications/progress") and time.monotonic() < end:
                    client.text("query", {"sql": "SELECT 1"})
                self.assertTrue(client.notifications("notifications/progress"))
                client.notify("notifications/cancelled", {"requestId": number})
                for _ in range(8):  # more than there are workers
                    client.text("query", {"sql": "SELECT 1"})
                self.assertFalse([seen for seen in client.seen if seen.get("id") == number])

    def test_tables_are_resources(self) -> None:
        with self.newest() as client:
            (content,) = client.call("resources/read", {"uri": "sqlite://table/birds"})["contents"]
            self.assertEqual(
                [row["name"] for row in json.loads(content["text"])["rows"]], ["wren", "ostrich"]
            )
            (content,) = client.call("resources/read", {"uri": "sqlite://table/odd%20%22%20name"})["contents"]
            self.assertEqual(json.loads(content["text"]), {"rows": [], "more": False})
            for name in ("nothing", "birds%22%3B%20DROP%20TABLE%20birds%3B%20--"):
                with self.assertRaises(RpcError):
                    client.call("resources/read", {"uri": "sqlite://table/" + name})

    def test_names_of_tables_are_completed(self) -> None:
        reference = {"type": "ref/resource", "uri": "sqlite://table/{name}"}
        with self.newest() as client:
            params = {"ref": reference, "argument": {"name": "name", "value": "b"}}
            self.assertEqual(client.call("completion/complete", params)["completion"]["values"], ["birds"])

    def write(self, client: Client, sql: str, action: str) -> str:
        client.answers["elicitation/create"] = {"action": action, "content": {}}
        return text_of(client.tool("write", {"sql": sql}))

    def test_rows_are_changed_where_the_user_agrees(self) -> None:
        for revision in built_revisions():
            if revision < "2025-06-18":
                continue
            with self.subTest(revision), started(example("sqlite"), self.path) as wire:
                client = Client(wire, revision, ELICITATION).open()
                insert = "INSERT INTO birds (name) VALUES ('owl')"
                self.assertEqual(self.write(client, insert, "decline"), "the user does not agree")
                self.assertEqual(self.write(client, insert, "accept"), "1 rows changed")
                self.assertEqual(
                    self.write(client, "DELETE FROM birds WHERE name = 'owl'", "accept"), "1 rows changed"
                )
                self.assertIn("not authorized", self.write(client, "DROP TABLE birds", "accept"))

    def test_rows_are_not_changed_where_nobody_can_be_asked(self) -> None:
        with self.newest() as client, self.assertRaisesRegex(RpcError, "elicitation"):
            client.tool("write", {"sql": "DELETE FROM birds"})

    def test_clients_that_watch_a_table_hear_of_a_change(self) -> None:
        with started(example("sqlite"), self.path) as wire:
            client = Client(wire, "2025-11-25", ELICITATION).open()
            client.call("resources/subscribe", {"uri": "sqlite://table/birds"})
            self.write(client, "UPDATE birds SET wings = 3", "accept")
            client.call("ping")
            (update,) = client.notifications("notifications/resources/updated")
            self.assertEqual(update["uri"], "sqlite://table/birds")
