# SPDX-License-Identifier: MIT
"""mcpwire tap and credentials: they pass, no file has them, and a client finds the login of the server."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import unittest
from typing import Any, Dict, List, Tuple

from tests.http.test_client import TOOL, Scripted, run, scripted
from tests.http.test_serve import TIMEOUT, message
from tests.http.test_tap import Tap, tapped

Json = Dict[str, Any]
WELL_KNOWN = "/.well-known/oauth-protected-resource"
TOKEN = "tok-4711.ABC/def+ghi~jkl="
PROOF = "eyJ0eXAiOiJkcG9wK2p3dCJ9.proof-0815.signature"
COOKIE = "c00kie-of-the-client"
NEW_COOKIE = "c00kie-of-the-server"
IN_QUERY = "query%2Dtoken-99"
SECRETS = (TOKEN, PROOF, COOKIE, NEW_COOKIE, IN_QUERY, "query-token-99")


def post(tap: Tap, path: str, body: bytes, fields: Dict[str, str]) -> Tuple[int, Dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", tap.port, timeout=TIMEOUT)
    connection.request("POST", path, body, fields)
    got = connection.getresponse()
    text = got.read()
    connection.close()
    return got.status, dict(got.getheaders()), text


def get(tap: Tap, path: str) -> Tuple[int, Dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", tap.port, timeout=TIMEOUT)
    connection.request("GET", path)
    got = connection.getresponse()
    text = got.read()
    connection.close()
    return got.status, dict(got.getheaders()), text


def kept(tap: Tap) -> str:
    """Everything that a tap has written, as long as it runs."""
    return tap.log.read_text("utf-8") + tap.report.read_text("utf-8")


@unittest.skipUnless(TOOL, "there is no command")
class Hiding(unittest.TestCase):
    def texts_of(self, fields: Dict[str, str], answer: Json, path: str = "/mcp") -> str:
        """The files of a tap after a call with these fields, and this error as its answer."""

        def play(request: Scripted, body: Json) -> None:
            request.answer(
                200,
                json.dumps({"jsonrpc": "2.0", "id": body["id"], **answer}).encode(),
                Content_Type="application/json",
                Set_Cookie=f"sid={NEW_COOKIE}; HttpOnly",
            )

        with scripted(play) as server, tapped(server.url) as tap:
            body, more = message("tools/call", name="say", arguments={"token": TOKEN})
            status, _, text = post(tap, path, body, {**more, **fields})
            self.assertEqual(status, 200)
            self.assertEqual(json.loads(text)["id"], json.loads(body)["id"])
            self.assertIn(TOKEN, json.dumps(server.seen[0][2]))
            return kept(tap)

    def test_no_file_has_a_secret_that_passes(self) -> None:
        said = " ".join(SECRETS)
        answer: Json = {"error": {"code": -32603, "message": f"bad {said}", "data": {"was": [said], "n": 1}}}
        for upper in (str, str.upper, str.lower, str.swapcase):
            fields = {
                upper("Authorization"): upper("Bearer") + f" {TOKEN}",
                upper("DPoP"): PROOF,
                upper("Cookie"): f"a=1; sid={COOKIE}",
            }
            text = self.texts_of(fields, answer, f"/mcp?{upper('access_token')}={IN_QUERY}&x=1")
            for secret in SECRETS:
                self.assertNotIn(secret, text)
            self.assertIn("[redacted]", text)
            lines = [json.loads(line) for line in text.splitlines() if '"message":{' in line]
            self.assertEqual(lines[-1]["message"]["error"]["data"]["n"], 1)

    def test_a_finding_that_quotes_a_secret_does_not_have_it(self) -> None:
        text = self.texts_of(
            {"Authorization": f"bearer {TOKEN}"}, {TOKEN: 1, "result": {"resultType": TOKEN}}
        )
        self.assertIn('"severity"', text)
        self.assertNotIn(TOKEN, text)

    def test_json_that_escapes_a_secret_is_found_too(self) -> None:
        escaped = "".join(f"\\u{ord(c):04x}" if c in "t/" else c for c in TOKEN)

        def play(request: Scripted, body: Json) -> None:
            head = f'{{"jsonrpc":"2.0","id":{json.dumps(body["id"])},"error":'
            text = head + f'{{"code":1,"message":"{escaped}"}}}}'
            request.answer(200, text.replace("+", "\\u002b").encode(), Content_Type="application/json")

        with scripted(play) as server, tapped(server.url) as tap:
            body, more = message("tools/call", name="say", arguments={"slash": TOKEN.replace("/", "\\/")})
            post(tap, "/mcp", body.replace(b"\\\\/", b"\\/"), {**more, "Authorization": f"Bearer {TOKEN}"})
            lines = [line["message"] for line in tap.logged() if "message" in line]
        self.assertEqual(lines[0]["params"]["arguments"]["slash"], "[redacted]")
        self.assertEqual(lines[1]["error"]["message"], "[redacted]")

    def test_tokens_that_only_a_text_has_are_found_by_their_names(self) -> None:
        text = (
            'got "ACCESS_TOKEN": "unseen-one-1", refresh-token=unseen-two-2&x=1 and '
            'Authorization: bEaReR unseen-three-3; {\\"client_secret\\" : \\"unseen-four-4\\"} '
            "DPOP unseen-five-5"
        )
        found = self.texts_of(
            {},
            {"error": {"code": 1, "message": text, "data": {"id_token": "unseen-six-6", "accessToken": 8}}},
        )
        self.assertNotIn("unseen", found)
        self.assertIn("x=1 and", found)

    def test_words_that_are_no_secrets_stay(self) -> None:
        text = "the bearer of news, an access_token: and forbearer something-long; a tokenizer=long-enough"
        found = self.texts_of({}, {"error": {"code": 1, "message": text, "data": {"access_token": None}}})
        for part in ("the bearer of news", "forbearer something-long", "tokenizer=long-enough"):
            self.assertIn(part, found)
        self.assertIn('"access_token": null', found)

    def test_so_many_secrets_are_remembered(self) -> None:
        def play(request: Scripted, body: Json) -> None:
            request.reply(
                {"id": 1, **body},
                {"resultType": "complete", "content": [], "told": body.get("params", {}).get("arguments")},
            )

        secrets = [f"key-{number:03}-{number * 7919:07}" for number in range(513)]
        with scripted(play) as server, tapped(server.url) as tap:
            body, fields = message("tools/call", name="x", arguments={"all": " ".join(secrets)})
            for secret in secrets[:-1]:
                post(tap, "/other", b"{}", {"X-Api-Key": secret})
            post(tap, "/mcp", body, fields)
            one = tap.logged()[-1]["message"]["result"]["told"]["all"]
            post(tap, "/other", b"{}", {"X-Api-Key": secrets[-1]})
            post(tap, "/mcp", body, fields)
            two = tap.logged()[-1]["message"]["result"]["told"]["all"]
        self.assertEqual(one, " ".join(["[redacted]"] * 512 + secrets[-1:]))
        self.assertEqual(two, " ".join(secrets[:1] + ["[redacted]"] * 512))

    def test_a_token_endpoint_of_the_server_is_not_recorded(self) -> None:
        def play(request: Scripted, _: Json) -> None:
            request.answer(200, b'{"access_token":"fresh-token-1"}', Content_Type="application/json")

        with scripted(play) as server, tapped(server.url) as tap:
            status, _, text = post(tap, "/token", b'{"code":"the-code-1"}', {})
            self.assertEqual((status, text), (200, b'{"access_token":"fresh-token-1"}'))
            self.assertEqual([line for line in tap.logged() if "begin" not in line], [])

    def test_what_it_says_at_the_start_has_no_secret_of_the_url(self) -> None:
        done = run(
            "timeout",
            "1",
            TOOL,
            "tap",
            "--listen",
            "0",
            "--to",
            "http://u:pass-word@localhost:1/x?key=s3cr3t-99",
        )
        self.assertIn("stands for http://localhost:1/x\n", done.stderr)

    def test_a_query_passes_and_joins_that_of_the_url(self) -> None:
        paths: List[str] = []

        def play(request: Scripted, _: Json) -> None:
            paths.append(request.path)
            request.answer(202)

        with scripted(play) as server, tapped(f"{server.url}?key=1") as tap:
            post(tap, "/mcp?a=%20b&c", b"{}", {})
            post(tap, "/other%2Fplace/../x?d=1", b"{}", {})
        self.assertEqual(paths, ["/mcp?key=1&a=%20b&c", "/other%2Fplace/../x?d=1"])


CHALLENGE = 'Bearer error="invalid_token", resource_metadata="{}' + WELL_KNOWN + '/deep/mcp", scope="a b"'


@unittest.skipUnless(TOOL, "there is no command")
class Logins(unittest.TestCase):
    """A server that requires a login, at /deep/mcp."""

    def play(self, request: Scripted, _: Json) -> None:
        origin = f"http://{request.headers['Host']}"
        if request.path.startswith("/.well-known"):
            resource = origin + ("/deep/mcp" if request.path.endswith("/deep/mcp") else "")
            document = {"resource": resource, "authorization_servers": ["https://login.example"]}
            request.answer(200, json.dumps(document).encode(), Content_Type="application/json")
        else:
            request.answer(
                403 if "Authorization" in request.headers else 401,
                b'{"error":"invalid_token"}',
                Content_Type="application/json",
                WWW_Authenticate=CHALLENGE.format(origin),
            )

    def test_a_challenge_and_the_metadata_pass_unchanged(self) -> None:
        with scripted(self.play) as server:
            url = server.url.replace("/mcp", "/deep/mcp")
            origin = server.url.replace("/mcp", "")
            with tapped(url) as tap:
                body, fields = message("tools/list")
                for more, status in (({}, 401), ({"Authorization": "Bearer x"}, 403)):
                    got = post(tap, "/mcp", body, {**fields, **more})
                    self.assertEqual((got[0], got[2]), (status, b'{"error":"invalid_token"}'))
                    self.assertEqual(got[1]["WWW-Authenticate"], CHALLENGE.format(origin))
                document = get(tap, WELL_KNOWN + "/deep/mcp")[2]
                self.assertEqual(json.loads(document)["resource"], url)
                document = get(tap, WELL_KNOWN + "/mcp")[2]  # which is how a client of the tap asks for it
                self.assertEqual(json.loads(document)["resource"], url)
        self.assertEqual([f for f in tap.findings if f["severity"] != "note"], [])

    def test_a_client_sees_the_tap_as_the_resource_if_the_user_wants_it(self) -> None:
        with contextlib.ExitStack() as stack:
            server = stack.enter_context(scripted(self.play))
            url = server.url.replace("/mcp", "/deep/mcp")
            tap = stack.enter_context(tapped(url, "--rewrite-resource"))
            own = f"http://127.0.0.1:{tap.port}"
            got = post(tap, "/mcp", message("tools/list")[0], {})
            self.assertEqual(got[1]["WWW-Authenticate"], CHALLENGE.format(own))
            for path, resource in (("/deep/mcp", "/mcp"), ("/mcp", "/mcp"), ("", "")):
                document = json.loads(get(tap, WELL_KNOWN + path)[2])
                self.assertEqual(document["resource"], own + resource)
                self.assertEqual(document["authorization_servers"], ["https://login.example"])

    def test_a_document_of_another_resource_stays_as_it_is(self) -> None:
        texts = [
            b'{"resource":"https://evil.example/mcp"}',
            b'{"resource":7}',
            b'["resource"]',
            b"{",
            b'{"resource":"' + b"x" * 300_000 + b'"}',
        ]

        def play(request: Scripted, _: Json) -> None:
            request.answer(200, texts[0], Content_Type="application/json")

        with scripted(play) as server, tapped(server.url, "--rewrite-resource") as tap:
            while texts:
                self.assertEqual(get(tap, WELL_KNOWN)[2], texts[0])
                texts.pop(0)

    def test_it_is_for_a_tap_that_listens(self) -> None:
        done = run(TOOL, "tap", "--rewrite-resource", "--", "true")
        self.assertEqual((done.returncode, done.stderr), (2, "mcpwire: --rewrite-resource is for --listen\n"))


if __name__ == "__main__":
    os.environ.setdefault("no_proxy", "*")
    unittest.main()
