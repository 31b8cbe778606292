# SPDX-License-Identifier: MIT
"""A protected server whose tokens an issuer verifies, over sockets. The openssl command has the keys."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import http.server
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple
from urllib.parse import parse_qs

PROGRAM = os.environ.get("MCPW_HTTP_VERIFIED", "")
RESOURCE = "https://mcp.example.com/mcp"
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {
        "name": "whoami",
        "arguments": {},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    },
}


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


Answer = Tuple[int, bytes]
GOES_ON = (0, b"")  # the issuer answers as it does by itself


def after(seconds: float) -> Callable[[str], Answer]:
    """The issuer is slow."""

    def wait(_path: str) -> Answer:
        time.sleep(seconds)
        return GOES_ON

    return wait


def always(answer: Answer) -> Callable[[str], Answer]:
    """The issuer has one answer."""
    return lambda _path: answer


class Key:
    """A key of P-256, which the openssl command holds."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / f"{name}.pem"
        self.name = name
        self._openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", str(self.path))
        point = self._openssl("ec", "-in", str(self.path), "-pubout", "-outform", "DER")[-64:]
        self.jwk = {"kty": "EC", "crv": "P-256", "x": b64(point[:32]), "y": b64(point[32:])}
        text = json.dumps({k: self.jwk[k] for k in ("crv", "kty", "x", "y")}, separators=(",", ":"))
        self.thumbprint = b64(hashlib.sha256(text.encode()).digest())

    @staticmethod
    def _openssl(*arguments: str, given: bytes = b"") -> bytes:
        done = subprocess.run(
            ["openssl", *arguments], input=given, capture_output=True, timeout=60, check=True
        )
        return done.stdout

    def sign(self, header: Dict[str, Any], claims: Dict[str, Any]) -> str:
        text = f"{b64(json.dumps(header).encode())}.{b64(json.dumps(claims).encode())}"
        der = self._openssl("dgst", "-sha256", "-sign", str(self.path), given=text.encode())
        parts = (der[4 : 4 + der[3]], der[6 + der[3] :])
        return f"{text}.{b64(b''.join(part.lstrip(bytes(1)).rjust(32, bytes(1)) for part in parts))}"


class Issuer:
    """An authorization server that a test plays. `answer` decides; it returns None to hang up."""

    def __init__(self) -> None:
        self.asked: List[str] = []
        self.forms: List[Dict[str, List[str]]] = []
        self.keys: List[Dict[str, Any]] = []
        self.introspected: Dict[str, Dict[str, Any]] = {}
        self.before: Optional[Callable[[str], Optional[Tuple[int, bytes]]]] = None
        issuer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._send(issuer.answer(self.path, b""))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self._send(issuer.answer(self.path, body))

            def _send(self, answer: Optional[Tuple[int, bytes]]) -> None:
                if answer is None:
                    self.close_connection = True
                    return
                self.send_response(answer[0])
                self.send_header("Content-Length", str(len(answer[1])))
                self.end_headers()
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it has given up
                    self.wfile.write(answer[1])

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, path: str, body: bytes) -> Optional[Tuple[int, bytes]]:
        self.asked.append(path)
        if self.before is not None:
            answer = self.before(path)
            if answer is None or answer[0] != 0:
                return answer
        if path.startswith("/.well-known/"):
            places = {"jwks_uri": f"{self.url}/jwks", "introspection_endpoint": f"{self.url}/introspect"}
            return 200, json.dumps({"issuer": self.url, **places}).encode()
        if path == "/jwks":
            return 200, json.dumps({"keys": self.keys}).encode()
        if path == "/introspect":
            form = parse_qs(body.decode())
            self.forms.append(form)
            return 200, json.dumps(self.introspected.get(form["token"][0], {"active": False})).encode()
        return 404, b""

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@unittest.skipUnless(shutil.which("openssl"), "no openssl command")
class IssuerTest(unittest.TestCase):
    """Each test has an issuer and a server."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.issuer = Issuer()
        self.addCleanup(self.issuer.close)
        self.key = self.new_key("one")

    def new_key(self, name: str) -> Key:
        key = Key(self.folder, name)
        self.issuer.keys = [{**key.jwk, "kid": name}]
        return key

    def start(self, *how: str) -> None:
        with (self.folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [PROGRAM, self.issuer.url, *how], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
            )
        assert server.stdin is not None and server.stdout is not None
        self.addCleanup(server.stdout.close)
        self.addCleanup(self.end, server)
        self.port = int(server.stdout.readline())

    def end(self, server: subprocess.Popen[bytes]) -> None:
        assert server.stdin is not None
        server.stdin.close()
        self.assertEqual(server.wait(20), 0, self.warnings())

    def warnings(self) -> str:
        return (self.folder / "log").read_text()

    def token(self, key: Optional[Key] = None, **more: Any) -> str:
        own = key if key is not None else self.key
        claims = {
            "iss": self.issuer.url,
            "aud": RESOURCE,
            "sub": "ann",
            "exp": int(time.time()) + 600,
            **more,
        }
        return own.sign({"alg": "ES256", "kid": own.name}, claims)

    def call(self, authorization: str, **fields: str) -> Tuple[int, str, Dict[str, str]]:
        """The status, the caller's name or the body, and the headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": "tools/call",
            "Mcp-Name": "whoami",
            "Authorization": authorization,
            **fields,
        }
        connection.request("POST", "/mcp", json.dumps(CALL), headers)
        response = connection.getresponse()
        body = response.read().decode()
        connection.close()
        if response.status == 200:
            body = json.loads(body)["result"]["content"][0]["text"]
        headers_of = {name: ", ".join(response.headers.get_all(name, [])) for name in response.headers}
        return response.status, body, headers_of

    def status(self, token: str) -> int:
        return self.call(f"Bearer {token}")[0]


class ByKeys(IssuerTest):
    """Tokens by the issuer's keys."""

    def test_a_token_is_verified_by_keys_that_are_fetched_once(self) -> None:
        self.start()
        token = self.token()
        self.assertEqual(self.issuer.asked, [])
        self.assertEqual(self.call(f"Bearer {token}")[:2], (200, "ann"))
        self.assertEqual(self.status(token), 200)
        self.assertEqual(self.issuer.asked, ["/.well-known/oauth-authorization-server", "/jwks"])

    def test_many_requests_wait_for_one_fetch(self) -> None:
        self.issuer.before = after(0.3)
        self.start()
        token = self.token()
        got: List[int] = []
        threads = [threading.Thread(target=lambda: got.append(self.status(token))) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(got, [200] * 20)
        self.assertEqual(len(self.issuer.asked), 2)

    def test_wrong_tokens_are_refused(self) -> None:
        self.start()
        stranger = Key(self.folder, "one-too")
        stranger.name = "one"
        for token, word in (
            (self.token(aud="https://other.example.com"), "aud"),
            (self.token(iss="https://evil.example.com"), "iss"),
            (self.token(exp=int(time.time()) - 100), "exp"),
            (self.token(nbf=int(time.time()) + 300), "clocks"),
            (self.token(stranger), "signature"),
            ("opaque", "JWS"),
        ):
            status, _, headers = self.call(f"Bearer {token}")
            self.assertEqual(status, 401, word)
            self.assertIn('error="invalid_token"', headers["WWW-Authenticate"])
            self.assertIn(word, headers["WWW-Authenticate"])

    def test_a_rotated_key_is_found(self) -> None:
        self.start()
        self.assertEqual(self.status(self.token()), 200)
        time.sleep(0.4)
        rotated = self.new_key("two")
        self.assertEqual(self.status(self.token(rotated)), 200)
        self.assertEqual(self.status(self.token()), 401)
        self.assertEqual(self.issuer.asked.count("/jwks"), 2)

    def test_an_issuer_that_is_down_is_a_503_until_it_is_back(self) -> None:
        self.issuer.before = lambda path: None
        self.start()
        token = self.token()
        self.assertEqual(self.status(token), 503)
        self.assertIn(f"the metadata of the issuer {self.issuer.url} cannot be used", self.warnings())
        self.assertNotIn(token, self.warnings())
        self.issuer.before = None
        time.sleep(0.1)
        self.assertEqual(self.status(token), 200)
        self.issuer.close()  # kept keys go on
        self.assertEqual(self.status(token), 200)

    def test_a_slow_issuer_is_given_up(self) -> None:
        self.issuer.before = after(3)
        self.start()
        began = time.monotonic()
        self.assertEqual(self.status(self.token()), 503)
        self.assertLess(time.monotonic() - began, 2.5)

    def test_an_issuer_that_hangs_up_in_the_middle_is_a_503(self) -> None:
        self.issuer.before = lambda path: None if path == "/jwks" else (0, b"")
        self.start()
        self.assertEqual(self.status(self.token()), 503)
        self.assertIn("the keys of the issuer", self.warnings())

    def test_a_long_answer_and_a_redirect_are_refused(self) -> None:
        for answer in ((200, b" " * 300 * 1024), (302, b"")):
            self.issuer.before = always(answer)
            self.start()
            self.assertEqual(self.status(self.token()), 503)
            self.assertIn("longer than the limit" if answer[0] == 200 else "302", self.warnings())


class ByProof(IssuerTest):
    """Tokens that are bound to a key."""

    def proof(self, holder: Key, token: str, number: int, **more: Any) -> str:
        ath = b64(hashlib.sha256(token.encode()).digest())
        claims = {
            "jti": str(number),
            "htm": "POST",
            "htu": RESOURCE,
            "iat": int(time.time()),
            "ath": ath,
            **more,
        }
        return holder.sign({"typ": "dpop+jwt", "alg": "ES256", "jwk": holder.jwk}, claims)

    def test_a_bound_token_needs_a_proof_each_time(self) -> None:
        self.start("dpop")
        holder = Key(self.folder, "holder")
        token = self.token(cnf={"jkt": holder.thumbprint})
        proof = self.proof(holder, token, 1)
        self.assertEqual(self.call(f"DPoP {token}", DPoP=proof)[:2], (200, "ann"))
        status, _, headers = self.call(f"DPoP {token}", DPoP=proof)
        self.assertEqual(status, 401)
        self.assertIn("DPoP ", headers["WWW-Authenticate"])
        self.assertIn('error="invalid_dpop_proof"', headers["WWW-Authenticate"])
        self.assertIn('algs="ES256', headers["WWW-Authenticate"])
        self.assertEqual(self.status(token), 401)
        thief = Key(self.folder, "thief")
        self.assertEqual(self.call(f"DPoP {token}", DPoP=self.proof(thief, token, 2))[0], 401)
        self.assertEqual(self.call(f"DPoP {token}", DPoP=self.proof(holder, token, 3, htm="GET"))[0], 401)

    def test_a_nonce_is_given_and_used(self) -> None:
        self.start("nonce")
        holder = Key(self.folder, "holder")
        token = self.token(cnf={"jkt": holder.thumbprint})
        status, _, headers = self.call(f"DPoP {token}", DPoP=self.proof(holder, token, 1))
        self.assertEqual(status, 401)
        self.assertIn('error="use_dpop_nonce"', headers["WWW-Authenticate"])
        nonce = headers["DPoP-Nonce"]
        self.assertEqual(self.call(f"DPoP {token}", DPoP=self.proof(holder, token, 2, nonce=nonce))[0], 200)


class ByIntrospection(IssuerTest):
    """Tokens that the issuer is asked about."""

    def test_a_token_is_asked_about_once(self) -> None:
        self.issuer.introspected["opaque-1"] = {"active": True, "sub": "ann", "aud": RESOURCE}
        self.start("introspect")
        self.assertEqual(self.call("Bearer opaque-1")[:2], (200, "ann"))
        self.assertEqual(self.status("opaque-1"), 200)
        self.assertEqual(self.status("opaque-2"), 401)
        self.assertEqual([form["token"] for form in self.issuer.forms], [["opaque-1"], ["opaque-2"]])

    def test_an_issuer_that_dies_is_a_503(self) -> None:
        self.issuer.before = lambda path: None if path == "/introspect" else (0, b"")
        self.start("introspect")
        self.assertEqual(self.status("opaque-1"), 503)
        self.assertNotIn("opaque-1", self.warnings())
        self.assertNotIn("secret", self.warnings())


if __name__ == "__main__":
    unittest.main()
