# SPDX-License-Identifier: MIT
"""mcpw_serve over HTTP: where it listens, who is let in, TLS, a given socket, signals."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path
from typing import List, Mapping, Tuple

from tests.serve.serving import HAS_HTTP, HAS_SCHEMA, Json, ServeTest, Serving, post

TOKEN = "0123456789abcdefTOKEN=="
OTHER = "fedcba9876543210-._~+/"
LISTENING = re.compile(r"serving: notice: listening on (https?)://(\S+):(\d+)(/\S*)$")


class HttpTest(ServeTest):
    def setUp(self) -> None:
        if not HAS_HTTP:
            self.skipTest("this build has no HTTP")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def port(self, s: Serving) -> int:
        return self.listening(s)[2]

    def listening(self, s: Serving) -> Tuple[str, str, int, str]:
        line = s.diagnostic()
        found = LISTENING.match(line)
        assert found is not None, line
        return found.group(1), found.group(2), int(found.group(3)), found.group(4)

    def file(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text, "utf-8")
        return str(self.folder / name)


class Where(HttpTest):
    def test_a_free_port_is_taken_and_written(self) -> None:
        with Serving("--http", "0") as s:
            scheme, host, port, path = self.listening(s)
            self.assertEqual((scheme, host, path), ("http", "127.0.0.1", "/mcp"))
            status, _, body = post(port, "echo", {"message": "by HTTP"})
            self.assertEqual(status, 200)
            self.assertEqual(body["result"]["content"][0]["text"], "by HTTP")

    def test_it_is_written_whatever_else_is(self) -> None:
        for more in (["--log-format", "off"], ["--log-level", "emergency"]):
            with self.subTest(more), Serving("--http=localhost:0", *more) as s:
                self.assertEqual(self.listening(s)[1], "127.0.0.1")
        with Serving("--http", "0", "--log-format", "json") as s:
            line = json.loads(s.diagnostic())
            self.assertRegex(line["message"], r"^listening on http://127\.0\.0\.1:\d+/mcp$")

    def test_an_address_a_path_and_workers(self) -> None:
        with Serving("--http", "[::1]:0", "--path", "/x/y", "--workers", "2") as s:
            line = s.diagnostic()
            if "listening" not in line:
                self.skipTest("this machine has no IPv6")
            found = LISTENING.match(line)
            assert found is not None
            self.assertEqual((found.group(2), found.group(4)), ("[::1]", "/x/y"))
            port = int(found.group(3))
            fields = {"Host": f"[::1]:{port}"}
            self.assertEqual(
                post(port, "echo", {"message": "6"}, host="::1", path="/x/y", fields=fields)[0], 200
            )
            self.assertEqual(post(port, "echo", {"message": "6"}, host="::1", fields=fields)[0], 404)

    def test_an_address_that_is_taken_is_an_error(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self.refused(["--http", str(taken.getsockname()[1])], "MCPW_E_IO", "Address already in use")
        self.refused(["--http", "example.invalid:80"], "MCPW_E_", "example.invalid")

    def test_others_are_told_that_they_need_a_name(self) -> None:
        with Serving("--http", "0.0.0.0:0") as s:
            self.port(s)
            self.assertIn("--allow-host names more", s.diagnostic())
        with Serving("--http", "0.0.0.0:0", "--allow-host", "example.com") as s:
            self.port(s)
            s.signal()
            self.assertEqual(s.wait(), 0)
            self.assertEqual(s.remaining(), "ended: MCPW_OK; signals are back")

    def test_a_given_socket_is_served(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as given:

            def take_its_place() -> None:
                os.dup2(given.fileno(), 3)

            env = {"LISTEN_FDS": "1"}
            command = ["sh", "-c", 'LISTEN_PID=$$ exec "$@"', "sh", os.environ["MCPW_SERVING"]]
            with Serving(
                env=env, command=command, close_fds=False, preexec_fn=take_its_place, pass_fds=()
            ) as s:
                port = given.getsockname()[1]
                self.assertEqual(
                    s.diagnostic(), f"serving: notice: listening on the given socket, port {port}, /mcp"
                )
                self.assertEqual(post(port, "echo", {"message": "given"})[0], 200)
                s.signal()
                self.assertEqual(s.wait(), 0)


class Who(HttpTest):
    def test_hosts(self) -> None:
        with Serving("--http", "0", "--allow-host", "one.example", "--allow-host", "two.example:8443") as s:
            port = self.port(s)
            for host, status in (
                ("localhost", 200),
                ("one.example", 200),
                ("two.example:8443", 200),
                ("two.example", 403),
                ("three.example", 403),
            ):
                with self.subTest(host):
                    self.assertEqual(post(port, "echo", {"message": "x"}, fields={"Host": host})[0], status)
        with Serving("--http", "0", "--allow-host", "*") as s:
            self.assertEqual(post(self.port(s), "who", fields={"Host": "any.example"})[0], 200)

    def test_origins_may_read_the_answers(self) -> None:
        with Serving("--http", "0", "--allow-origin", "https://app.example") as s:
            port = self.port(s)
            status, fields, _ = post(port, "who", fields={"Origin": "https://app.example"})
            self.assertEqual((status, fields["access-control-allow-origin"]), (200, "https://app.example"))
            self.assertEqual(post(port, "who", fields={"Origin": "https://evil.example"})[0], 403)

    def test_tokens(self) -> None:
        tokens = self.file("tokens", f"# for two\n\nada {TOKEN}\r\n  {OTHER}  \n")
        with Serving("--http", "0", "--bearer-file", tokens) as s:
            port = self.port(s)
            for token, status, who in ((TOKEN, 200, "ada"), (OTHER, 200, "nobody")):
                got, _, body = post(port, "who", fields={"Authorization": f"Bearer {token}"})
                self.assertEqual((got, body["result"]["content"][0]["text"]), (status, who))
            status, fields, _ = post(port, "who")
            self.assertEqual(status, 401)
            self.assertNotIn("invalid_token", fields["www-authenticate"])
            for wrong in (TOKEN[:-1], TOKEN + "=", "ada", "x" * 23):
                status, fields, _ = post(port, "who", fields={"Authorization": f"Bearer {wrong}"})
                self.assertEqual(status, 401)
                self.assertIn("invalid_token", fields["www-authenticate"])

    def test_a_file_of_tokens_that_cannot_be_used_is_refused_without_its_text(self) -> None:
        many = "".join(f"{i:016}\n" for i in range(1001))
        for text, words in (
            ("", "holds no token"),
            ("# none\n", "holds no token"),
            (f"{TOKEN}\nshort-secret\n", "line 2: a line is a token of 16 to 512"),
            ("a b cdefghijklmnopqrst\n", "line 1: a line is a token"),
            ("spaced\x00out-0123456789\n", "it holds a NUL byte"),
            (f"ada {TOKEN}!\n", "line 1: a line is a token"),
            (many, "line 1001: more than 1000 tokens"),
            ("x" * (1 << 20) + "\n", "it is longer than 1 MiB"),
        ):
            with self.subTest(words):
                name = self.file("tokens", text)
                code, _, told = self.run_to_end("--http", "0", "--bearer-file", name)
                self.assertEqual(code, 1)
                self.assertIn(words, told)
                self.assertNotIn("secret", told)
                self.assertNotIn(TOKEN, told)
        self.refused(["--http", "0", "--bearer-file", str(self.folder / "none")], "No such file")

    def test_tls(self) -> None:
        key, certificate = str(self.folder / "key.pem"), str(self.folder / "certificate.pem")
        command = [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
        ]
        try:
            subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
        except FileNotFoundError:
            self.skipTest("openssl is not installed (Debian: openssl)")
        with Serving("--http", "0", "--tls-cert", certificate, "--tls-key", key) as s:
            scheme, _, port, _ = self.listening(s)
            self.assertEqual(scheme, "https")
            context = ssl.create_default_context(cafile=certificate)
            context.check_hostname = False
            self.assertEqual(post(port, "who", tls=context)[0], 200)
        self.refused(["--http", "0", "--tls-cert", key, "--tls-key", certificate], "cannot be used")
        self.refused(["--http", "0", "--tls-cert", str(self.folder), "--tls-key", key], "cannot read")


class Diagnostics(HttpTest):
    def test_what_goes_wrong_is_told(self) -> None:
        if not HAS_SCHEMA:
            self.skipTest("this build has no JSON Schema")
        with Serving("--http", "0") as s:
            port = self.port(s)
            _, _, body = post(port, "break")
            self.assertEqual(body["error"]["code"], -32603)
            self.assertEqual(
                s.diagnostic(),
                'serving: error: tools/call "break" (id 1): CallToolResult: /structuredContent/temp: '
                "expected number, got string",
            )

    def test_handlers_run_on_the_workers_of_the_program(self) -> None:
        with Serving("--http", "0", env={"SERVING_WORKERS": "1"}) as s:
            port = self.port(s)
            self.assertEqual(post(port, "meddle")[2]["result"]["content"][0]["text"], "done")
            self.assertIn("was called on another thread", s.diagnostic())


class End(HttpTest):
    def test_a_signal_ends_what_is_open_in_order(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number), Serving("--http", "0") as s:
                port = self.port(s)
                got: List[Tuple[int, Mapping[str, str], Json]] = []
                waiting = threading.Thread(target=lambda port=port, got=got: got.append(post(port, "keep")))
                waiting.start()
                self.assertEqual(post(port, "echo", {"message": "x"})[0], 200)
                deadline = threading.Event()
                while not got and waiting.is_alive():
                    deadline.wait(0.2)
                    s.signal(number)
                    break
                waiting.join(20)
                self.assertEqual(s.wait(), 0)
                self.assertEqual(len(got), 1)
                self.assertIn("error", got[0][2])
                self.assertTrue(s.remaining().endswith("ended: MCPW_OK; signals are back"))

    def test_after_the_end_nobody_is_let_in(self) -> None:
        with Serving("--http", "0") as s:
            port = self.port(s)
            s.signal()
            self.assertEqual(s.wait(), 0)
            with self.assertRaises((ConnectionRefusedError, http.client.HTTPException)):
                post(port, "who")


if __name__ == "__main__":
    unittest.main()
