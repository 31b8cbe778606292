"""An MCP server that requires a login, and its authorization server, for tests of logins."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.server
import json
import socketserver
import threading
import time
import urllib.parse
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

Json = Dict[str, Any]
SECRETS = ("access-token-", "refresh-token-", "code-of-the-user-", "the-client-secret", "registered-secret")


@dataclass
class Behaviour:
    """Changed by a test, read by the servers."""

    expires_in: Optional[int] = 3600
    later_expires_in: int = 3600
    refreshes: bool = True
    refuses_refresh: bool = False
    issuer: Optional[str] = None  # in the metadata, instead of the right one
    redirect_error: str = ""  # the query of the redirect, instead of a code
    token_error: Json = field(default_factory=dict)
    secret_of: str = ""  # the id of a client that must authenticate by its secret
    refresh_takes: float = 0
    is_open: bool = False  # no login is required
    challenges: str = ""  # more of the challenge
    scope: str = ""  # of the token
    has_registration: bool = True
    revokes: bool = True  # the metadata name an endpoint
    revocation: Tuple[int, Json] = (200, {})
    revocation_takes: float = 0
    moves_revocation: str = ""  # to this URL


class World:
    def __init__(self) -> None:
        self.how = Behaviour()
        self.seen: List[Tuple[str, str, Json]] = []  # path, Authorization, parameters
        self.codes: Dict[str, Json] = {}
        self.tokens: List[str] = []
        self.refresh = ""
        self.lock = threading.Lock()
        self.mcp = ""
        self.issuer = ""
        self.stop_issuer: Callable[[], None] = lambda: None  # so that nobody answers there

    def count(self, path: str, **wanted: str) -> int:
        return sum(
            1
            for seen, _, form in self.seen
            if seen == path and all(form.get(name) == value for name, value in wanted.items())
        )

    def issue(self) -> Json:
        number = len(self.tokens) + 1
        self.tokens.append(f"access-token-{number}")
        answer: Json = {"access_token": self.tokens[-1], "token_type": "Bearer"}
        lifetime = self.how.expires_in if number == 1 else self.how.later_expires_in
        if lifetime is not None:
            answer["expires_in"] = lifetime
        if self.how.refreshes:
            self.refresh = answer["refresh_token"] = f"refresh-token-{number}"
        if self.how.scope:
            answer["scope"] = self.how.scope
        return answer


class Answering(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Listening

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def answer(self, status: int, value: object = None, **fields: str) -> None:
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        for name, text in fields.items():
            self.send_header(name.replace("_", "-"), text)
        if body:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def note(self, form: Json) -> str:
        path = self.path.split("?")[0]
        with self.server.world.lock:
            self.server.world.seen.append((path, self.headers.get("Authorization", ""), form))
        return path

    def read(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))


class Listening(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def __init__(self, handler: type[Answering], world: World) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.world = world

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class McpServer(Answering):
    def do_GET(self) -> None:
        world = self.server.world
        if self.note({}) == "/.well-known/oauth-protected-resource/mcp":
            self.answer(200, {"resource": world.mcp, "authorization_servers": [world.issuer]})
        else:
            self.answer(405)

    def do_DELETE(self) -> None:
        self.answer(200)

    def do_POST(self) -> None:
        world = self.server.world
        message = json.loads(self.read() or b"{}")
        self.note(message)
        token = self.headers.get("Authorization", "")
        if not world.how.is_open and token not in [f"Bearer {one}" for one in world.tokens[-1:]]:
            metadata = f"{self.server.origin}/.well-known/oauth-protected-resource/mcp"
            challenge = f'Bearer resource_metadata="{metadata}"{world.how.challenges}'
            self.answer(401, {"error": "invalid_token"}, WWW_Authenticate=challenge)
        elif "id" not in message:
            self.answer(202)
        elif message["method"] == "server/discover":
            self.answer(400)
        else:
            self.answer(200, {"jsonrpc": "2.0", "id": message["id"], "result": self.result(message)})

    @staticmethod
    def result(message: Json) -> Json:
        if message["method"] == "initialize":
            info = {"name": "fixture", "version": "1"}
            return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
        if message["method"] == "tools/list":
            return {"tools": [{"name": "who", "inputSchema": {"type": "object"}}]}
        return {"content": [{"type": "text", "text": "you are in"}]}


class Issuer(Answering):
    def do_GET(self) -> None:
        world = self.server.world
        path, _, query = self.path.partition("?")
        form = dict(urllib.parse.parse_qsl(query))
        self.note(form)
        if path == "/.well-known/oauth-authorization-server":
            self.answer(200, self.metadata())
        elif path == "/authorize":
            code = f"code-of-the-user-{len(world.codes) + 1}"
            world.codes[code] = form
            found = world.how.redirect_error or f"code={code}"
            back = f"{form['redirect_uri']}?{found}&state={urllib.parse.quote(form['state'])}"
            self.answer(302, Location=f"{back}&iss={urllib.parse.quote(world.issuer, safe='')}")
        else:
            self.answer(404)

    def metadata(self) -> Json:
        world = self.server.world
        found: Json = {
            "issuer": world.how.issuer or world.issuer,
            "authorization_endpoint": f"{world.issuer}/authorize",
            "token_endpoint": f"{world.issuer}/token",
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            "token_endpoint_auth_methods_supported": ["none", "client_secret_basic"],
        }
        if world.how.revokes:
            found["revocation_endpoint"] = f"{world.issuer}/revoke"
        if world.how.has_registration:
            found["registration_endpoint"] = f"{world.issuer}/register"
        return found

    def do_POST(self) -> None:
        body = self.read()
        if self.path == "/register":
            form = json.loads(body)
            self.note(form)
            self.answer(201, {**form, "client_id": "registered", "token_endpoint_auth_method": "none"})
        else:
            form = dict(urllib.parse.parse_qsl(body.decode()))
            self.note(form)
            if self.path == "/revoke":
                self.revoke()
            else:
                self.token(form)

    def revoke(self) -> None:
        how = self.server.world.how
        time.sleep(how.revocation_takes)
        if how.moves_revocation:
            self.answer(307, Location=how.moves_revocation)
        else:
            self.answer(*how.revocation)

    def token(self, form: Json) -> None:
        world = self.server.world
        if world.how.secret_of:
            pair = base64.b64encode(f"{world.how.secret_of}:the-client-secret".encode()).decode()
            if self.headers.get("Authorization") != f"Basic {pair}":
                self.answer(401, {"error": "invalid_client"})
                return
        if world.how.token_error:
            self.answer(400, world.how.token_error)
        elif form["grant_type"] == "client_credentials":
            self.answer(200, world.issue())
        elif form["grant_type"] == "refresh_token":
            self.renew(form)
        else:
            asked = world.codes.pop(form["code"], None)
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            right = asked is not None and (
                (asked["code_challenge"], asked["redirect_uri"], world.mcp)
                == (challenge, form["redirect_uri"], form["resource"])
            )
            self.answer(*((200, world.issue()) if right else (400, {"error": "invalid_grant"})))

    def renew(self, form: Json) -> None:
        """A refresh token that was used before ends everything."""
        world = self.server.world
        time.sleep(world.how.refresh_takes)
        with world.lock:
            if world.how.refuses_refresh or form["refresh_token"] != world.refresh:
                world.tokens.append("nothing")
                world.refresh = ""
                answer: Tuple[int, Json] = (400, {"error": "invalid_grant"})
            else:
                answer = (200, world.issue())
        self.answer(*answer)


@contextlib.contextmanager
def world() -> Iterator[World]:
    one = World()
    with contextlib.ExitStack() as stack:
        for handler in (McpServer, Issuer):
            server = stack.enter_context(Listening(handler, one))
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.shutdown)
            if handler is McpServer:
                one.mcp = f"{server.origin}/mcp"
            else:
                one.issuer = server.origin

                def stop(server: Listening = server) -> None:
                    server.shutdown()
                    server.server_close()

                one.stop_issuer = stop
        yield one
