# SPDX-License-Identifier: MIT
"""examples/oauth_keys.c: keys, and tokens that the openssl command has signed with them."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Dict, Tuple

from tests.examples.peer import ExampleTest, example

ISSUER = "https://as.example.com"
AUDIENCE = "https://mcp.example.com/mcp"


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def raw_signature(der: bytes) -> bytes:
    """R and S of an ECDSA signature in DER, 32 bytes each."""
    first = der[4 : 4 + der[3]]
    second = der[6 + der[3] :]
    return b"".join(part.lstrip(b"\0").rjust(32, b"\0") for part in (first, second))


def run(*arguments: str, given: str = "") -> Tuple[int, str, str]:
    command = [example("oauth_keys"), *arguments]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


@unittest.skipUnless(shutil.which("openssl"), "no openssl command")
class OauthKeysTest(ExampleTest):
    needs = ("oauth_keys",)

    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        code, pem, _ = run("new")
        self.assertEqual(code, 0)
        (self.folder / "key.pem").write_text(pem)
        code, shown, _ = run("show", given=pem)
        self.assertEqual(code, 0)
        self.lines = shown.splitlines()
        self.jwk: Dict[str, Any] = json.loads(self.lines[2])
        self.jwks = self.folder / "jwks.json"
        self.jwks.write_text(json.dumps({"keys": [self.jwk]}))

    def sign(self, header: Dict[str, Any], claims: Dict[str, Any]) -> str:
        text = f"{b64(json.dumps(header).encode())}.{b64(json.dumps(claims).encode())}"
        command = ["openssl", "dgst", "-sha256", "-sign", str(self.folder / "key.pem")]
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=60, check=True)
        return f"{text}.{b64(raw_signature(done.stdout))}"

    def token(self, **more: Any) -> str:
        claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ann", "scope": "a b", "exp": int(time.time()) + 60}
        return self.sign({"alg": "ES256", "kid": self.jwk["kid"]}, {**claims, **more})

    def test_a_public_key_is_shown(self) -> None:
        self.assertEqual(self.lines[0], "algorithm ES256")
        required = {name: self.jwk[name] for name in ("crv", "kty", "x", "y")}
        digest = hashlib.sha256(json.dumps(required, separators=(",", ":")).encode()).digest()
        self.assertEqual(self.lines[1], f"thumbprint {b64(digest)}")
        self.assertNotIn("d", self.jwk)

    def test_a_token_is_checked(self) -> None:
        code, out, _ = run("check", ISSUER, AUDIENCE, str(self.jwks), self.token())
        self.assertEqual((code, out), (0, "1 keys, subject ann, scopes a b\n"))
        code, _, error = run("check", ISSUER, "https://other.example.com", str(self.jwks), self.token())
        self.assertEqual(code, 1)
        self.assertIn("not for this server (aud)", error)

    def test_a_proof_is_checked(self) -> None:
        token = self.token(cnf={"jkt": self.lines[1].split()[1]})
        header = {
            "typ": "dpop+jwt",
            "alg": "ES256",
            "jwk": {k: self.jwk[k] for k in ("kty", "crv", "x", "y")},
        }
        ath = b64(hashlib.sha256(token.encode()).digest())
        claims = {"jti": "1", "htm": "POST", "htu": AUDIENCE, "iat": int(time.time()), "ath": ath}
        proof = self.sign(header, claims)
        code, out, error = run("check", ISSUER, AUDIENCE, str(self.jwks), token, proof, "POST", AUDIENCE)
        self.assertEqual((code, error), (0, ""))
        self.assertIn(f"key {self.lines[1].split()[1]}", out)
        code, _, error = run("check", ISSUER, AUDIENCE, str(self.jwks), token, proof, "GET", AUDIENCE)
        self.assertEqual(code, 1)
        self.assertIn("for another method (htm)", error)


if __name__ == "__main__":
    unittest.main()
