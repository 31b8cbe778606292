# SPDX-License-Identifier: MIT
"""examples/oauth_token.c: tokens that an issuer of the test verifies and exchanges."""

from __future__ import annotations

import http.server
import json
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, Dict, List, Tuple
from urllib.parse import parse_qs

from tests.examples.peer import ExampleTest, example

RESOURCE = "https://mcp.example.com/mcp"
UPSTREAM = "https://up.example.com/mcp"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"


class OauthTokenTest(ExampleTest):
    needs = ("oauth_token",)

    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.secret = Path(folder.name) / "secret"
        self.secret.write_text("client-secret\n")
        self.forms: List[Dict[str, List[str]]] = []
        self.answer: Dict[str, Any] = {}
        test = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send({"issuer": test.issuer, "introspection_endpoint": f"{test.issuer}/introspect"})

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                test.forms.append(parse_qs(body.decode()))
                self.send(test.answer)

            def send(self, value: Dict[str, Any]) -> None:
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps(value).encode())

            def log_message(self, format: str, *args: Any) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)

    def run_it(self, *arguments: str) -> Tuple[int, str, str]:
        command = [example("oauth_token"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_a_token_is_introspected(self) -> None:
        arguments = ("introspect", self.issuer, RESOURCE, "opaque", "server", str(self.secret))
        self.answer = {"active": True, "sub": "ann", "scope": "a b", "aud": RESOURCE}
        self.assertEqual(self.run_it(*arguments), (0, "valid: subject ann, scopes a b\n", ""))
        self.answer = {"active": False}
        self.assertEqual(self.run_it(*arguments), (1, "refused: the token is not active\n", ""))
        self.assertEqual(self.forms[0]["token"], ["opaque"])

    def test_an_issuer_without_keys_is_named(self) -> None:
        code, out, error = self.run_it("verify", self.issuer, RESOURCE, "e30.e30.e30")
        self.assertEqual(
            (code, out), (1, 'refused: the header of the token: missing required member "alg"\n')
        )
        code, out, error = self.run_it("verify", self.issuer, RESOURCE, "eyJhbGciOiJFUzI1NiJ9.e30.e30")
        self.assertEqual(code, 1)
        self.assertIn("they lack jwks_uri", error)

    def test_a_token_is_exchanged(self) -> None:
        endpoint = f"{self.issuer}/token"
        arguments = ("exchange", self.issuer, endpoint, "received", "gateway", str(self.secret), UPSTREAM)
        self.answer = {"access_token": "new", "token_type": "Bearer", "issued_token_type": ACCESS_TOKEN}
        self.assertEqual(
            self.run_it(*arguments), (0, f"exchanged: Authorization of 10 bytes for {UPSTREAM}\n", "")
        )
        self.assertEqual(self.forms[0]["subject_token"], ["received"])
        self.assertEqual(self.forms[0]["resource"], [UPSTREAM])

    def test_a_token_that_comes_back_is_refused(self) -> None:
        arguments = ("exchange", self.issuer, f"{self.issuer}/token", "received", "gateway", str(self.secret))
        self.answer = {"access_token": "received", "token_type": "Bearer", "issued_token_type": ACCESS_TOKEN}
        code, out, error = self.run_it(*arguments, UPSTREAM)
        self.assertEqual((code, out), (1, ""))
        self.assertIn("it returns the received token", error)


if __name__ == "__main__":
    unittest.main()
