# SPDX-License-Identifier: MIT
"""Tokens and keys of another implementation, for tests/unit/jose_vectors.h.

PyCryptodome makes them, which shares no code with OpenSSL:

    pip install pycryptodome
    python3 -m tests.jose.vectors > tests/unit/jose_vectors.h

Each run makes new keys, so the file in the tree is made once.
"""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any, Callable, Mapping

from Crypto.Hash import SHA256, SHA384, SHA512  # type: ignore[import-not-found]
from Crypto.PublicKey import ECC, RSA  # type: ignore[import-not-found]
from Crypto.Signature import DSS, eddsa, pkcs1_15, pss  # type: ignore[import-not-found]

ISSUED = 1800000000
CLAIMS = {
    "iss": "https://as.example.com",
    "sub": "user-1",
    "aud": "https://mcp.example.com/mcp",
    "exp": ISSUED + 3600,
    "iat": ISSUED,
    "client_id": "client-1",
    "scope": "notes:read notes:write",
}
TOKEN = "opaque-token-of-the-vectors"


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value: int) -> str:
    return b64(int(value).to_bytes((int(value).bit_length() + 7) // 8, "big"))


def compact(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))


def jws(header: Mapping[str, Any], claims: Mapping[str, Any], sign: Callable[[bytes], bytes]) -> str:
    text = f"{b64(compact(header).encode())}.{b64(compact(claims).encode())}"
    return f"{text}.{b64(sign(text.encode()))}"


def rsa_jwk(key: Any) -> dict[str, str]:
    return {"kty": "RSA", "n": number(key.n), "e": number(key.e)}


def rsa_private(key: Any) -> dict[str, str]:
    d_p, d_q = key.d % (key.p - 1), key.d % (key.q - 1)
    private = {
        "d": key.d,
        "p": key.p,
        "q": key.q,
        "dp": d_p,
        "dq": d_q,
        "qi": pow(int(key.q), -1, int(key.p)),
    }
    return {**rsa_jwk(key), **{name: number(value) for name, value in private.items()}}


def ec_jwk(key: Any, curve: str, size: int) -> dict[str, str]:
    x, y = (b64(int(part).to_bytes(size, "big")) for part in (key.pointQ.x, key.pointQ.y))
    return {"kty": "EC", "crv": curve, "x": x, "y": y}


def okp_jwk(key: Any) -> dict[str, str]:
    return {"kty": "OKP", "crv": "Ed25519", "x": b64(key.public_key().export_key(format="raw"))}


def thumbprint(jwk: Mapping[str, str]) -> str:
    names = {"RSA": ("e", "kty", "n"), "EC": ("crv", "kty", "x", "y"), "OKP": ("crv", "kty", "x")}
    ordered = {name: jwk[name] for name in names[jwk["kty"]]}
    return b64(hashlib.sha256(compact(ordered).encode()).digest())


def define(name: str, text: str) -> None:
    lines = text.split("\n")
    quoted = [json.dumps(line + ("\n" if i + 1 < len(lines) else "")) for i, line in enumerate(lines)]
    print(f"#define {name} " + " ".join(piece for piece in quoted if piece != '""'))


def pem(key: Any) -> str:
    text = (
        key.export_key(format="PEM", pkcs=8) if isinstance(key, RSA.RsaKey) else key.export_key(format="PEM")
    )
    return (text.decode() if isinstance(text, bytes) else text) + "\n"


def main() -> None:
    rsa = RSA.generate(2048)
    p256, p384 = ECC.generate(curve="P-256"), ECC.generate(curve="P-384")
    ed25519 = ECC.generate(curve="Ed25519")
    signers: dict[str, Callable[[bytes], bytes]] = {
        "ES256": lambda text: DSS.new(p256, "fips-186-3").sign(SHA256.new(text)),
        "ES384": lambda text: DSS.new(p384, "fips-186-3").sign(SHA384.new(text)),
        "RS256": lambda text: pkcs1_15.new(rsa).sign(SHA256.new(text)),
        "RS384": lambda text: pkcs1_15.new(rsa).sign(SHA384.new(text)),
        "RS512": lambda text: pkcs1_15.new(rsa).sign(SHA512.new(text)),
        "PS256": lambda text: pss.new(rsa).sign(SHA256.new(text)),
        "PS384": lambda text: pss.new(rsa).sign(SHA384.new(text)),
        "PS512": lambda text: pss.new(rsa).sign(SHA512.new(text)),
        "EdDSA": lambda text: eddsa.new(ed25519, "rfc8032").sign(text),
    }
    public = {
        "RSA": rsa_jwk(rsa),
        "P256": ec_jwk(p256, "P-256", 32),
        "P384": ec_jwk(p384, "P-384", 48),
        "ED25519": okp_jwk(ed25519),
    }
    private = {
        "RSA": rsa_private(rsa),
        "P256": {**public["P256"], "d": b64(int(p256.d).to_bytes(32, "big"))},
        "P384": {**public["P384"], "d": b64(int(p384.d).to_bytes(48, "big"))},
        "ED25519": {**public["ED25519"], "d": b64(ed25519.seed)},
    }
    print("/* SPDX-License-Identifier: MIT */")
    print("/* Keys and tokens that PyCryptodome has made: see tests/jose/vectors.py. */")
    print("/* clang-format off */")
    print("#ifndef MCPW_TESTS_JOSE_VECTORS_H\n#define MCPW_TESTS_JOSE_VECTORS_H\n")
    for name, key in (("RSA", rsa), ("P256", p256), ("P384", p384), ("ED25519", ed25519)):
        define(f"VECTOR_{name}_PEM", pem(key))
        define(f"VECTOR_{name}_PRIVATE", compact(private[name]))
        define(f"VECTOR_{name}_PUBLIC", compact(public[name]))
        define(f"VECTOR_{name}_THUMBPRINT", thumbprint(public[name]))
    keys = [{**jwk, "kid": name.lower()} for name, jwk in public.items()]
    define("VECTOR_JWKS", compact({"keys": keys}))
    kinds = {"E": "p256", "R": "rsa", "P": "rsa"}
    for algorithm, sign in signers.items():
        kid = {"ES384": "p384", "EdDSA": "ed25519"}.get(algorithm, kinds[algorithm[0]])
        define(
            f"VECTOR_{algorithm.upper()}", jws({"alg": algorithm, "typ": "at+jwt", "kid": kid}, CLAIMS, sign)
        )
    proof = {
        "jti": "proof-1",
        "htm": "POST",
        "htu": "https://mcp.example.com/mcp",
        "iat": ISSUED,
        "ath": b64(hashlib.sha256(TOKEN.encode()).digest()),
    }
    header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": public["P256"]}
    define("VECTOR_PROOF", jws(header, proof, signers["ES256"]))
    define("VECTOR_PROOF_TOKEN", TOKEN)
    print("\n#endif")


if __name__ == "__main__":
    main()
