# SPDX-License-Identifier: MIT
"""examples/files.c: a directory as resources."""

from __future__ import annotations

import base64
import os
import tempfile
import unittest
from pathlib import Path
from typing import ContextManager

from tests.examples.peer import META, Client, ExampleTest, RpcError, Wire, built_revisions, example, started

FORBIDDEN = (
    "file:///../secret.txt",
    "file:///sub/../../secret.txt",
    "file:///sub%2F..%2F..%2Fsecret.txt",
    "file:///%2e%2e/secret.txt",
    "file:////etc/passwd",
    "file:///link.txt",
    "file:///linked/secret.txt",
    "file:///.hidden",
    "file:///./plain.txt",
    "file:///sub//deep.md",
    "file:///sub",
    "file:///sub/",
    "file:///pipe",
    "file:///",
    "file:///plain.txt%00.png",
    "http://plain.txt",
)


class FilesTest(ExampleTest):
    needs = ("files",)

    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        outside = Path(folder.name)
        self.folder = outside / "served"
        (self.folder / "sub").mkdir(parents=True)
        (outside / "secret.txt").write_text("secret")
        (self.folder / "plain.txt").write_text("one\ntwo Grüße\n", "utf-8")
        (self.folder / "picture.png").write_bytes(b"\x89PNG\x00\xff")
        (self.folder / "latin.txt").write_bytes(b"Gr\xfc\xdfe")
        (self.folder / "sub" / "deep.md").write_text("# two")
        (self.folder / "sub" / "a b%20?#ü.md").write_text("odd")
        (self.folder / ".hidden").write_text("hidden")
        (self.folder / "link.txt").symlink_to(outside / "secret.txt")
        (self.folder / "linked").symlink_to(outside)
        os.mkfifo(self.folder / "pipe")

    def server(self) -> ContextManager[Wire]:
        return started(example("files"), str(self.folder))

    def test_each_file_is_listed_with_its_type(self) -> None:
        expected = {
            "file:///plain.txt": "text/plain",
            "file:///picture.png": "image/png",
            "file:///latin.txt": "text/plain",
            "file:///sub/deep.md": "text/markdown",
            "file:///sub/a%20b%2520%3F%23%C3%BC.md": "text/markdown",
        }
        for revision in built_revisions():
            with self.subTest(revision), self.server() as wire:
                listed = Client(wire, revision).open().call("resources/list")["resources"]
                self.assertEqual({item["uri"]: item["mimeType"] for item in listed}, expected)

    def test_text_is_text_and_everything_else_is_base64(self) -> None:
        expected = {
            "file:///plain.txt": {"mimeType": "text/plain", "text": "one\ntwo Grüße\n"},
            "file:///sub/a%20b%2520%3F%23%C3%BC.md": {"mimeType": "text/markdown", "text": "odd"},
            "file:///picture.png": {"mimeType": "image/png", "blob": "iVBORwD/"},
            "file:///latin.txt": {
                "mimeType": "text/plain",
                "blob": base64.b64encode(b"Gr\xfc\xdfe").decode(),
            },
        }
        for revision in built_revisions():
            with self.subTest(revision), self.server() as wire:
                client = Client(wire, revision).open()
                for uri, content in expected.items():
                    read = client.call("resources/read", {"uri": uri})
                    self.assertEqual(read["contents"], [{"uri": uri, **content}])

    def test_what_is_not_there_is_not_found(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), self.server() as wire:
                with self.assertRaises(RpcError) as caught:
                    Client(wire, revision).open().call("resources/read", {"uri": "file:///nope"})
                self.assertEqual(caught.exception.code, -32602 if revision >= "2026" else -32002)
                self.assertEqual(caught.exception.data, {"uri": "file:///nope"})

    def test_nothing_outside_hidden_or_linked_can_be_read(self) -> None:
        with self.server() as wire:
            client = Client(wire, built_revisions()[-1]).open()
            for uri in FORBIDDEN:
                with self.subTest(uri), self.assertRaises(RpcError):
                    client.call("resources/read", {"uri": uri})

    def test_the_template_serves_a_file_that_came_later(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), self.server() as wire:
                client = Client(wire, revision).open()
                templates = client.call("resources/templates/list")["resourceTemplates"]
                self.assertEqual([item["uriTemplate"] for item in templates], ["file:///{+path}"])
                (self.folder / "sub" / "late.txt").write_text("late")
                read = client.call("resources/read", {"uri": "file:///sub/late.txt"})
                self.assertEqual(read["contents"][0]["text"], "late")

    def test_paths_are_completed(self) -> None:
        ref = {"type": "ref/resource", "uri": "file:///{+path}"}
        for revision in built_revisions():
            with self.subTest(revision), self.server() as wire:
                params = {"ref": ref, "argument": {"name": "path", "value": "sub/d"}}
                found = Client(wire, revision).open().call("completion/complete", params)["completion"]
                self.assertEqual(found, {"values": ["sub/deep.md"], "total": 1, "hasMore": False})

    def test_search_answers_with_structure_where_the_revision_has_it(self) -> None:
        matches = [{"path": "plain.txt", "line": 2}, {"path": "sub/deep.md", "line": 1}]
        for revision in built_revisions():
            with self.subTest(revision), self.server() as wire:
                result = Client(wire, revision).open().tool("search", {"text": "two"})
                self.assertEqual("structuredContent" in result, revision >= "2025-06-18")
                if revision >= "2025-06-18":
                    found = result["structuredContent"]
                    self.assertIs(found["complete"], True)
                    self.assertEqual(sorted(found["matches"], key=lambda m: str(m["path"])), matches)

    def test_search_says_when_it_stopped_early(self) -> None:
        (self.folder / "many.txt").write_text("needle\n" * 150)
        with self.server() as wire:
            client = Client(wire, built_revisions()[-1]).open()
            found = client.tool("search", {"text": "needle"})["structuredContent"]
            self.assertEqual((len(found["matches"]), found["complete"]), (100, False))
            self.assertIs(client.tool("search", {"text": ""})["isError"], True)

    def test_refresh_finds_changes_and_clients_with_a_handshake_are_told(self) -> None:
        for revision in built_revisions():
            if revision >= "2026":
                continue
            with self.subTest(revision), self.server() as wire:
                client = Client(wire, revision).open()
                client.call("resources/subscribe", {"uri": "file:///sub/deep.md"})
                (self.folder / "new.txt").write_text("new")
                (self.folder / "sub" / "deep.md").write_text(revision)
                os.utime(self.folder / "sub" / "deep.md", ns=(1, int(revision.replace("-", ""))))
                self.assertEqual(client.text("refresh"), "1 added, 0 removed")
                self.assertEqual(len(client.notifications("notifications/resources/list_changed")), 1)
                updated = client.notifications("notifications/resources/updated")
                self.assertEqual(updated, [{"uri": "file:///sub/deep.md"}])
                (self.folder / "new.txt").unlink()
                self.assertEqual(client.text("refresh"), "0 added, 1 removed")
                listed = client.call("resources/list")["resources"]
                self.assertNotIn("file:///new.txt", [item["uri"] for item in listed])

    def test_refresh_tells_a_subscription_of_changes_with_its_id(self) -> None:
        if built_revisions()[-1] < "2026":
            self.skipTest("2026-07-28 was not built")
        with self.server() as wire:
            client = Client(wire, built_revisions()[-1]).open()
            self.assertEqual(client.text("refresh"), "0 added, 0 removed")
            (self.folder / "early.txt").write_text("before anybody listens")
            self.assertEqual(client.text("refresh"), "1 added, 0 removed")
            self.assertEqual(client.seen, [])
            asked = {"resourcesListChanged": True, "resourceSubscriptions": ["file:///plain.txt"]}
            number = client.send("subscriptions/listen", {"notifications": asked})
            first = client.take()
            assert first is not None
            self.assertEqual(first["method"], "notifications/subscriptions/acknowledged")
            (self.folder / "late.txt").write_text("new")
            os.utime(self.folder / "plain.txt", ns=(1, 1))
            self.assertEqual(client.text("refresh"), "1 added, 0 removed")
            told = {message["method"]: message["params"] for message in client.seen}
            marked = {"_meta": {META + "subscriptionId": number}}
            self.assertEqual(
                told,
                {
                    "notifications/resources/list_changed": marked,
                    "notifications/resources/updated": {**marked, "uri": "file:///plain.txt"},
                },
            )


if __name__ == "__main__":
    unittest.main()
