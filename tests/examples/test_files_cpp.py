# SPDX-License-Identifier: MIT
"""examples/files.cpp: a directory as resources, with a thread that tells of changes."""

from __future__ import annotations

import base64
import contextlib
import os
import tempfile
import unittest
from pathlib import Path
from typing import Iterator

from tests.examples.peer import Client, ExampleTest, RpcError, built_revisions, example, started


class FilesCppTest(ExampleTest):
    needs = ("files_cpp",)

    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "plain.txt").write_text("text\n")
        (self.folder / "bytes.bin").write_bytes(b"\0\1")
        (self.folder / ".hidden").write_text("hidden")

    @contextlib.contextmanager
    def client(self, revision: str) -> Iterator[Client]:
        with started(example("files_cpp"), str(self.folder)) as wire:
            yield Client(wire, revision).open()

    def test_files_are_text_or_bytes(self) -> None:
        for revision in built_revisions():
            with self.subTest(revision), self.client(revision) as client:
                (text,) = client.call("resources/read", {"uri": "file:///plain.txt"})["contents"]
                self.assertEqual((text["text"], text["mimeType"]), ("text\n", "text/plain"))
                (data,) = client.call("resources/read", {"uri": "file:///bytes.bin"})["contents"]
                self.assertEqual(base64.b64decode(data["blob"]), b"\0\1")
                self.assertEqual(client.text("count"), "2")

    def test_nothing_else_exists(self) -> None:
        with self.client(built_revisions()[-1]) as client:
            for name in (".hidden", "nothing", "..%2F..%2Fetc%2Fpasswd", "..", "%2Fetc%2Fpasswd"):
                with self.subTest(name), self.assertRaises(RpcError):
                    client.call("resources/read", {"uri": "file:///" + name})

    def test_names_are_completed(self) -> None:
        reference = {"type": "ref/resource", "uri": "file:///{name}"}
        with self.client(built_revisions()[-1]) as client:
            params = {"ref": reference, "argument": {"name": "name", "value": "pl"}}
            self.assertEqual(
                client.call("completion/complete", params)["completion"]["values"], ["plain.txt"]
            )

    def test_a_client_that_waits_hears_of_a_change(self) -> None:
        with self.client("2025-11-25") as client:
            client.call("resources/subscribe", {"uri": "file:///plain.txt"})
            os.utime(self.folder / "plain.txt", (1, 1))
            message = client.take()
            assert message is not None
            self.assertEqual(message["method"], "notifications/resources/updated")
            self.assertEqual(message["params"]["uri"], "file:///plain.txt")


if __name__ == "__main__":
    unittest.main()
