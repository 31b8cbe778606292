# SPDX-License-Identifier: MIT
"""examples/http_protect.c: the tokens that it lets in, and the scopes that it asks for."""

from __future__ import annotations

import base64
import http.client
import http.server
import json
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any

from tests.examples.peer import ExampleTest, example
from tests.http.test_serve import TIMEOUT, message, text_of

RESOURCE = "http://localhost:8080/mcp"


def encoded(data: bytes) -> str:
    """base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Key:
    """An RSA key of the command openssl."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.path = folder / f"{name}.pem"
        run = ["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out"]
        subprocess.run([*run, str(self.path)], check=True, capture_output=True)

    def public(self) -> dict[str, str]:
        """The JWK."""
        command = ["openssl", "rsa", "-in", str(self.path), "-noout", "-modulus"]
        shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        modulus = bytes.fromhex(shown.strip().partition("=")[2])
        return {"kty": "RSA", "kid": self.name, "alg": "RS256", "n": encoded(modulus), "e": "AQAB"}

    def token(self, claims: dict[str, Any]) -> str:
        """A signed JWT."""
        head = {"alg": "RS256", "typ": "at+jwt", "kid": self.name}
        text = ".".join(encoded(json.dumps(part).encode()) for part in (head, claims))
        command = ["openssl", "dgst", "-sha256", "-sign", str(self.path)]
        signature = subprocess.run(command, check=True, capture_output=True, input=text.encode()).stdout
        return f"{text}.{encoded(signature)}"


class HttpProtectTest(ExampleTest):
    needs = ("http_protect",)

    def setUp(self) -> None:
        super().setUp()
        if shutil.which("openssl") is None:
            self.skipTest("the command openssl is not there")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.key = Key(Path(folder.name), "one")
        self.other = Key(Path(folder.name), "two")
        self.keys = [self.key.public()]
        self.fetches = 0
        self.start_issuer()
        command = [example("http_protect"), self.issuer, RESOURCE, "0"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)
        self.addCleanup(self.end)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().split()[1])

    def end(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=TIMEOUT)

    def start_issuer(self) -> None:
        test = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                is_keys = self.path == "/keys"
                test.fetches += is_keys
                metadata = {"issuer": test.issuer, "jwks_uri": f"{test.issuer}/keys"}
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps({"keys": test.keys} if is_keys else metadata).encode())

            def log_message(self, format: str, *args: Any) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)

    def claims(self, **changed: Any) -> dict[str, Any]:
        """The claims of a good token, but for those that are changed; None leaves one out."""
        now = int(time.time())
        good = {"iss": self.issuer, "sub": "ann", "aud": RESOURCE, "iat": now, "exp": now + 300}
        return {name: value for name, value in {**good, **changed}.items() if value is not None}

    def call(self, token: str | None, tool: str = "whoami") -> http.client.HTTPResponse:
        """The response to a call."""
        body, fields = message("tools/call", name=tool, arguments={})
        if token is not None:
            fields["Authorization"] = f"Bearer {token}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        connection.request("POST", "/mcp", body, fields)
        return connection.getresponse()

    def test_keys_are_fetched_when_the_first_token_comes(self) -> None:
        self.assertEqual(self.call(None).status, 401)
        self.assertEqual(self.fetches, 0)
        for _ in range(3):
            response = self.call(self.key.token(self.claims()))
            self.assertEqual(text_of(response.read()), f"ann of {self.issuer}")
        self.assertEqual(self.fetches, 1)

    def test_tokens_for_others_are_refused(self) -> None:
        now = int(time.time())
        for changed in (
            {"aud": "https://other.example/mcp"},
            {"aud": None},
            {"aud": f"{RESOURCE}/"},
            {"exp": now - 3600},
            {"exp": None},
            {"nbf": now + 3600},
            {"iss": "https://other.example"},
        ):
            with self.subTest(changed):
                response = self.call(self.key.token(self.claims(**changed)))
                self.assertEqual(response.status, 401)
                challenges = " ".join(response.headers.get_all("WWW-Authenticate") or ())
                self.assertIn('error="invalid_token"', challenges)
                self.assertIn("/.well-known/oauth-protected-resource/mcp", challenges)
        self.assertEqual(self.call(self.other.token(self.claims())).status, 401)
        self.assertEqual(self.call(self.key.token(self.claims(cnf={"jkt": "x" * 43}))).status, 401)

    def test_a_tool_needs_its_scope(self) -> None:
        response = self.call(self.key.token(self.claims(scope="notes:read")), "forget")
        self.assertEqual(response.status, 403)
        challenge = (response.headers.get_all("WWW-Authenticate") or [""])[0]
        self.assertIn('error="insufficient_scope", scope="notes:delete"', challenge)
        for scope in ("notes", "other notes:delete"):
            self.assertEqual(self.call(self.key.token(self.claims(scope=scope)), "forget").status, 200)

    def test_no_token_is_written_anywhere(self) -> None:
        tokens = [self.key.token(self.claims()), self.other.token(self.claims())]
        answers = [self.call(token) for token in tokens]
        written = "".join(f"{answer.headers}{answer.read()!r}" for answer in answers)
        self.process.terminate()
        out, err = self.process.communicate(timeout=TIMEOUT)
        for token in tokens:
            self.assertNotIn(token.split(".")[2], f"{written}{out}{err}")


if __name__ == "__main__":
    unittest.main()
