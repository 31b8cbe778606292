# SPDX-License-Identifier: MIT
"""Scope challenges of everything_server, as the scenario sep-2350-server-scope-challenge asks for them.

Published versions of the official suite lack it. A token without scopes is answered 403 with all scopes of
the operation at once, a token with all scopes as usual, and so is a request without a token.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import unittest
from dataclasses import dataclass
from typing import Any, ClassVar

from tests.http.test_serve import META, TIMEOUT

PROGRAM = os.environ.get("MCPW_EVERYTHING", "")
SCOPE = "mcp:conformance:"
LOW = "mcp-conformance-scope-low"
FULL = "mcp-conformance-scope-full"
PARAMETER = re.compile(r'(\w+)="([^"]*)"')
OPERATIONS: tuple[tuple[str, dict[str, str], set[str]], ...] = (
    ("tools/call", {"name": "test_simple_text"}, {"tools:call", "tools:test_simple_text"}),
    ("resources/read", {"uri": "test://static-text"}, {"resources:read", "resources:static"}),
    (
        "resources/read",
        {"uri": "test://template/123/data"},
        {"resources:read", "resources:template:123"},
    ),
    ("prompts/get", {"name": "test_simple_prompt"}, {"prompts:get", "prompts:test_simple_prompt"}),
)


@dataclass(frozen=True)
class Answer:
    """A response."""

    status: int
    challenges: tuple[str, ...]
    session: str
    body: Any


def body_of(response: http.client.HTTPResponse) -> Any:
    """The message of a response, whether it is JSON or an event."""
    text = response.read().decode()
    events = [line[6:] for line in text.splitlines() if line.startswith("data: {")]
    whole = events[-1] if events else text
    return json.loads(whole) if whole else None


class ScopesTest(unittest.TestCase):
    process: ClassVar[subprocess.Popen[str]]
    port: ClassVar[int]

    @classmethod
    def setUpClass(cls) -> None:
        cls.process = subprocess.Popen([PROGRAM, "0"], stdout=subprocess.PIPE, text=True)
        assert cls.process.stdout is not None
        cls.port = int(cls.process.stdout.readline())

    @classmethod
    def tearDownClass(cls) -> None:
        cls.process.terminate()
        cls.process.communicate(timeout=TIMEOUT)

    def post(self, message: dict[str, Any] | list[Any], fields: dict[str, str], token: str | None) -> Answer:
        """The answer to a body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        all_fields = {
            "Host": f"localhost:{self.port}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **fields,
            **({"Authorization": f"Bearer {token}"} if token is not None else {}),
        }
        connection.request("POST", "/mcp", json.dumps(message), all_fields)
        response = connection.getresponse()
        session = response.headers.get("Mcp-Session-Id", "")
        challenges = tuple(response.headers.get_all("WWW-Authenticate") or ())
        answer = Answer(response.status, challenges, session, body_of(response))
        connection.close()
        return answer

    def ask(self, method: str, params: dict[str, str], token: str | None) -> Answer:
        """The answer to an independent request."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
        named = params.get("name", params.get("uri", ""))
        fields = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": named}
        return self.post(message, fields, token)

    def open(self, version: str, token: str) -> dict[str, str]:
        """The fields of a session."""
        info = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        message = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": info}
        fields = {"Mcp-Session-Id": self.post(message, {}, token).session}
        done = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        self.assertEqual(self.post(done, fields, token).status, 202)
        return fields

    def assert_challenged(self, answer: Answer, scopes: set[str]) -> None:
        self.assertEqual(answer.status, 403)
        self.assertEqual(len(answer.challenges), 1)
        scheme, _, rest = answer.challenges[0].partition(" ")
        parameters = dict(PARAMETER.findall(rest))
        self.assertEqual(scheme, "Bearer")
        self.assertEqual(parameters["error"], "insufficient_scope")
        self.assertEqual(
            parameters["resource_metadata"],
            f"http://localhost:{self.port}/.well-known/oauth-protected-resource/mcp",
        )
        self.assertEqual(set(parameters["scope"].split()), {SCOPE + scope for scope in scopes})

    def test_a_token_without_scopes_is_challenged(self) -> None:
        for method, params, scopes in OPERATIONS:
            self.assert_challenged(self.ask(method, params, LOW), scopes)

    def test_a_token_with_all_scopes_and_none_at_all_are_served(self) -> None:
        for method, params, _ in OPERATIONS:
            for token in (FULL, None):
                answer = self.ask(method, params, token)
                self.assertEqual(answer.status, 200)
                self.assertIn("result", answer.body)

    def test_another_token_is_not_valid(self) -> None:
        self.assertEqual(self.ask(*OPERATIONS[0][:2], "other").status, 401)

    def test_sessions_are_challenged_too(self) -> None:
        for version in ("2025-03-26", "2025-11-25"):
            fields = self.open(version, LOW)
            for method, params, scopes in OPERATIONS:
                message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
                self.assert_challenged(self.post(message, fields, LOW), scopes)
                answer = self.post(message, fields, FULL)  # of the same principal
                self.assertEqual(answer.status, 200)
                self.assertIn("result", answer.body)

    def test_a_batch_is_challenged_for_all_of_it(self) -> None:
        fields = self.open("2025-03-26", LOW)
        batch = [
            {"jsonrpc": "2.0", "id": i, "method": method, "params": params}
            for i, (method, params, _) in enumerate(OPERATIONS)
        ]
        self.assert_challenged(
            self.post(batch, fields, LOW), {scope for _, _, scopes in OPERATIONS for scope in scopes}
        )
        self.assertEqual(self.post(batch, fields, FULL).status, 200)

    def test_the_metadata_name_the_server(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        connection.request("GET", "/.well-known/oauth-protected-resource/mcp")
        metadata = json.loads(connection.getresponse().read())
        connection.close()
        self.assertEqual(metadata["resource"], f"http://localhost:{self.port}/mcp")
        self.assertEqual(metadata["bearer_methods_supported"], ["header"])
        self.assertNotIn("offline_access", metadata.get("scopes_supported", []))


if __name__ == "__main__":
    unittest.main()
