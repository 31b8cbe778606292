# SPDX-License-Identifier: MIT
"""The client over HTTP logs in by itself: an MCP server, its authorization server, a browser and a user."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.server
import json
import os
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

CLIENT = os.environ.get("MCPW_LOGGING_IN", "")
EXAMPLE = os.environ.get("MCPW_HTTP_LOGIN", "")
BROWSER = Path(__file__).with_name("browser.py")
LONGEST = 60
Json = Dict[str, Any]


@dataclass
class Rules:
    """How the site behaves."""

    revision: str = "2026-07-28"
    metadata: Optional[str] = None  # named in a 401; None: the well-known place
    scope: str = "mcp:basic"
    needs: str = ""  # a scope that a list of tools needs
    lifetime: int = 3600
    refuses_page: bool = False
    refuses_later: bool = False  # every page but the first
    breaks: str = ""  # the path whose connection is closed without an answer
    silent: str = ""  # the path that is never answered
    long: str = ""  # the path whose answer is too long
    moved: str = ""  # where the MCP server redirects to
    token_moved: str = ""  # where the token endpoint redirects to
    endless: bool = False  # tokens are refused, whatever they are


@dataclass
class Seen:
    """The requests that came, and the secrets that were issued."""

    requests: List[Tuple[str, str, Dict[str, str]]] = field(default_factory=list)
    tokens: Dict[str, str] = field(default_factory=dict)  # with their scopes
    issued: int = 0
    cut: List[str] = field(default_factory=list)  # paths whose answer was not read to its end
    secrets: List[str] = field(default_factory=list)
    codes: Dict[str, Tuple[str, str, str]] = field(default_factory=dict)
    refresh: Dict[str, str] = field(default_factory=dict)
    replies: List[Json] = field(default_factory=list)

    def count(self, method: str, path: str) -> int:
        return sum(1 for one in self.requests if one[0] == method and one[1] == path)


class Site(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, rules: Rules) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.rules = rules
        self.seen = Seen()
        self.lock = threading.Lock()
        self.streams: List[Handler] = []

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def url(self) -> str:
        return self.origin + "/mcp"

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Site

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def any(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path, _, query = self.path.partition("?")
        rules, seen = self.server.rules, self.server.seen
        with self.server.lock:
            seen.requests.append((self.command, path, dict(self.headers.items())))
        if path == rules.breaks:
            self.close_connection = True
        elif path == rules.silent:
            time.sleep(5)
            self.close_connection = True
        elif path == rules.long:
            try:
                self.answer(200, b" " * (1 << 26), Content_Type="application/json")
            except OSError:
                seen.cut.append(path)
        elif path == "/mcp":
            self.mcp(body)
        elif path.startswith("/.well-known/oauth-protected-resource"):
            self.json({"resource": self.server.url, "authorization_servers": [self.server.origin]})
        elif path == "/.well-known/oauth-authorization-server":
            self.json(self.metadata())
        elif path == "/register":
            self.json({**json.loads(body), "client_id": "client-1"}, 201)
        elif path == "/authorize":
            self.authorize(dict(urllib.parse.parse_qsl(query)))
        elif path == "/token" and rules.token_moved:
            self.answer(307, Location=rules.token_moved)
        elif path == "/token":
            self.token(dict(urllib.parse.parse_qsl(body.decode())))
        else:
            self.answer(404)

    do_GET = do_POST = do_DELETE = any  # noqa: N815 (the names of http.server)

    def answer(self, status: int, body: bytes = b"", **fields: str) -> None:
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def json(self, value: Json, status: int = 200, **fields: str) -> None:
        self.answer(status, json.dumps(value).encode(), Content_Type="application/json", **fields)

    # The authorization server.

    def metadata(self) -> Json:
        origin = self.server.origin
        return {
            "issuer": origin,
            "authorization_endpoint": origin + "/authorize",
            "token_endpoint": origin + "/token",
            "registration_endpoint": origin + "/register",
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "authorization_response_iss_parameter_supported": True,
        }

    def authorize(self, asked: Dict[str, str]) -> None:
        with self.server.lock:
            code = f"code-{len(self.server.seen.codes)}-which-is-secret"
            self.server.seen.codes[code] = (asked["code_challenge"], asked.get("scope", ""), asked["state"])
            self.server.seen.secrets += [code, asked["state"]]
        back = {"code": code, "state": asked["state"], "iss": self.server.origin}
        if self.server.rules.refuses_page or (
            self.server.rules.refuses_later and len(self.server.seen.codes) > 1
        ):
            back = {"error": "access_denied", "state": asked["state"], "iss": self.server.origin}
        self.answer(302, Location=asked["redirect_uri"] + "?" + urllib.parse.urlencode(back))

    def token(self, asked: Dict[str, str]) -> None:
        seen = self.server.seen
        with self.server.lock:
            if asked["grant_type"] == "refresh_token":
                scope = seen.refresh.pop(asked["refresh_token"])
            else:
                challenge, scope, _ = seen.codes[asked["code"]]
                digest = hashlib.sha256(asked["code_verifier"].encode()).digest()
                assert challenge == base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
                seen.secrets.append(asked["code_verifier"])
            seen.issued += 1
            token, refresh = f"token-{seen.issued}-is-secret", f"refresh-{seen.issued}-is-secret"
            seen.tokens[token] = scope
            seen.refresh[refresh] = scope
            seen.secrets += [token, refresh]
        self.json(
            {
                "access_token": token,
                "token_type": "Bearer",
                "expires_in": self.server.rules.lifetime,
                "refresh_token": refresh,
                "scope": scope,
            }
        )

    # The MCP server.

    def challenge(self, status: int, **parameters: str) -> None:
        if self.server.rules.metadata is not None:
            parameters["resource_metadata"] = self.server.rules.metadata
        words = ", ".join(f'{name}="{value}"' for name, value in parameters.items())
        self.answer(status, b"{}", WWW_Authenticate="Bearer " + words, Content_Type="application/json")

    def mcp(self, body: bytes) -> None:
        rules, seen = self.server.rules, self.server.seen
        token = (self.headers.get("Authorization") or "")[len("Bearer ") :]
        if rules.moved:
            self.answer(307, Location=rules.moved)
        elif token not in seen.tokens or rules.endless:
            self.challenge(401, scope=rules.scope)
        elif self.command == "GET":
            self.stream()
        elif self.command == "DELETE":
            self.answer(200)
        else:
            self.message(json.loads(body), seen.tokens[token].split())

    def stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.server.streams.append(self)
        self.close_connection = True
        with contextlib.suppress(OSError):
            while self.connection.recv(1):
                pass

    def message(self, message: Json, scopes: List[str]) -> None:
        rules = self.server.rules
        method = message.get("method")
        info = {"name": "site", "version": "1"}
        if method == "tools/list" and rules.needs and rules.needs not in scopes:
            self.challenge(403, error="insufficient_scope", scope=rules.needs)
        elif method is None:
            self.server.seen.replies.append(message)
            self.answer(202)
        elif method.startswith("notifications/"):
            self.answer(202)
        elif method == "server/discover" and rules.revision == "2026-07-28":
            more = {"supportedVersions": [rules.revision], "capabilities": {"tools": {}}}
            self.reply(message, {**more, "_meta": {"io.modelcontextprotocol/serverInfo": info}})
        elif method == "server/discover":
            self.answer(400, b"no")
        elif method == "initialize":
            result = {"protocolVersion": rules.revision, "capabilities": {"tools": {}}, "serverInfo": info}
            self.reply(message, result, Mcp_Session_Id="s1")
        else:
            self.reply(message, {"tools": []})

    def reply(self, message: Json, result: Json, **fields: str) -> None:
        cached = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
        result = {**result, **(cached if self.server.rules.revision == "2026-07-28" else {})}
        self.json({"jsonrpc": "2.0", "id": message["id"], "result": result}, 200, **fields)


@contextlib.contextmanager
def site(**rules: Any) -> Iterator[Site]:
    with Site(Rules(**rules)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class LoginTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)

    def environment(self, how: str = "", **more: str) -> Dict[str, str]:
        browser = f"{sys.executable} {BROWSER} {self.home / 'visits'} {how or 'plain'} %s"
        base = {"PATH": os.environ["PATH"], "no_proxy": "*", "HOME": str(self.home), "BROWSER": browser}
        return {**base, **more}

    def start(self, server: Site, *commands: str, how: str = "", **more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [CLIENT, server.url, *commands],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self.environment(how, **more),
        )

    def run_client(self, server: Site, *commands: str, how: str = "", **more: str) -> List[str]:
        with self.start(server, *commands, how=how, **more) as process:
            out, _ = process.communicate(timeout=LONGEST)
        return self.clean(server, out)

    def clean(self, server: Site, out: str) -> List[str]:
        """The lines of the output but those of the page; none of them has a secret in it."""
        lines = out.splitlines()
        kept = [line for line in lines if "Open this URL" not in line and "/authorize?" not in line]
        for secret in server.seen.secrets:
            self.assertNotIn(secret, "\n".join(kept))
        return [line.strip() for line in kept]

    def visits(self) -> List[Json]:
        return [json.loads(line) for line in (self.home / "visits").read_text().splitlines()]


class Logins(LoginTest):
    def test_a_refused_request_is_sent_again_after_the_login(self) -> None:
        with site() as server:
            self.assertEqual(self.run_client(server, "1"), ["MCPW_OK"])
            self.assertEqual(server.seen.count("GET", "/authorize"), 1)

    def test_tokens_serve_the_next_run(self) -> None:
        with site() as server:
            self.run_client(server, "1")
            asked = len(server.seen.requests)
            self.assertEqual(self.run_client(server, "1"), ["MCPW_OK"])
            paths = {path for _, path, _ in server.seen.requests[asked:]}
            self.assertEqual(paths, {"/mcp"})
        folder = self.home / ".local/share/mcpwire/logins"
        self.assertEqual(folder.stat().st_mode & 0o777, 0o700)
        for path in folder.iterdir():
            self.assertEqual(path.stat().st_mode & 0o777, 0o600, path)

    def test_requests_at_once_share_one_login(self) -> None:
        with site() as server, self.start(server, "1", "wait", "5") as process:
            assert process.stdout is not None
            while "MCPW_OK" not in process.stdout.readline():
                pass
            server.seen.tokens.clear()
            out, _ = process.communicate(timeout=LONGEST)
            self.assertEqual(self.clean(server, out), ["MCPW_OK"] * 6)
            self.assertEqual(server.seen.count("POST", "/token"), 2)

    def test_a_stream_stays_open_during_a_login(self) -> None:
        with site(revision="2025-11-25") as server, self.start(server, "1", "wait", "1", "wait") as process:
            assert process.stdout is not None
            while "MCPW_OK" not in process.stdout.readline():
                pass
            self.assertEqual(len(server.streams), 1)
            server.seen.tokens.clear()
            while server.seen.count("POST", "/token") < 2:
                time.sleep(0.01)
            ping = {"jsonrpc": "2.0", "id": 77, "method": "ping"}
            server.streams[0].wfile.write(b"data: " + json.dumps(ping).encode() + b"\n\n")
            out, _ = process.communicate(timeout=LONGEST)
            self.assertEqual(self.clean(server, out), ["MCPW_OK"] * 3)
            self.assertEqual(server.seen.count("GET", "/mcp"), 1)
            self.assertIn(77, [reply["id"] for reply in server.seen.replies])

    def test_a_missing_scope_is_asked_for(self) -> None:
        with site(needs="mcp:write") as server:
            self.assertEqual(self.run_client(server, "1"), ["MCPW_OK"])
            self.assertEqual(server.seen.count("GET", "/authorize"), 2)
            scopes = [set(scope.split()) for _, scope, _ in server.seen.codes.values()]
            self.assertEqual(scopes, [{"mcp:basic"}, {"mcp:basic", "mcp:write"}])

    def test_an_expired_token_is_renewed_before_the_request(self) -> None:
        with site(lifetime=1) as server:
            self.run_client(server, "1")
            time.sleep(1.1)
            asked = len(server.seen.requests)
            self.assertEqual(self.run_client(server), [])
            first = [path for _, path, _ in server.seen.requests[asked:]]
            self.assertNotEqual(first[0], "/mcp")
            self.assertEqual(server.seen.count("GET", "/authorize"), 1)

    def test_time_limits_stand_still_while_the_user_logs_in(self) -> None:
        with site(needs="mcp:write") as server:
            self.assertEqual(self.run_client(server, "1", how="slow", LOGIN_TIMEOUT="700"), ["MCPW_OK"])

    def test_a_user_elsewhere_has_more_time_than_a_server(self) -> None:
        user = f"{sys.executable} {BROWSER} {self.home / 'visits'} elsewhere"
        with site() as server:
            lines = self.run_client(server, "1", BROWSER="", LOGIN_USER_AT=user, LOGIN_DEADLINE="1000")
        self.assertEqual(lines[-1], "MCPW_OK")

    def test_fields_of_the_program_stay_at_the_server(self) -> None:
        with site() as server:
            self.run_client(server, "1")
            for _, path, fields in server.seen.requests:
                self.assertEqual("X-Api-Key" in fields, path == "/mcp", path)
                if path not in ("/mcp", "/authorize"):
                    self.assertNotIn("Cookie", fields)
                    self.assertNotIn("Authorization", fields)


class Descriptors(LoginTest):
    def test_no_child_of_the_program_inherits_a_connection(self) -> None:
        with site(revision="2025-11-25") as server, self.start(server, "1", "wait", "wait") as process:
            assert process.stdout is not None
            while (line := process.stdout.readline()) and "MCPW_OK" not in line:
                pass
            folder = Path(f"/proc/{process.pid}")
            connections = {line.split()[9] for line in (folder / "net/tcp").read_text().splitlines()[1:]}
            flags = {}
            for path in (folder / "fd").iterdir():
                inode = str(path.readlink()).partition("socket:[")[2].rstrip("]")
                if inode in connections:
                    words = (folder / "fdinfo" / path.name).read_text().split()
                    flags[path.name] = int(words[words.index("flags:") + 1], 8)
            process.communicate(timeout=LONGEST)
        self.assertNotEqual(flags, {})
        self.assertEqual([name for name, flag in flags.items() if not flag & os.O_CLOEXEC], [])


class Failures(LoginTest):
    def fails(self, *words: str, more: Optional[Dict[str, str]] = None, how: str = "", **rules: Any) -> Site:
        with site(**rules) as server:
            lines = self.run_client(server, "1", how=how, **(more or {}))
            self.assertEqual(len(lines), 1, lines)
            for word in ("MCPW_E_UNAUTHORIZED", *words):
                self.assertIn(word, lines[0])
            return server

    def test_a_user_who_refuses(self) -> None:
        self.fails("refused: access_denied", refuses_page=True)

    def test_a_user_who_is_away(self) -> None:
        self.fails("user: no response in time", how="away", more={"LOGIN_USER": "300"})

    def test_an_authorization_server_that_never_answers(self) -> None:
        self.fails("token endpoint: no response in time", silent="/token", more={"LOGIN_DEADLINE": "700"})

    def test_requests_that_wait_for_a_failed_renewal_fail_with_its_reason(self) -> None:
        with site(lifetime=1) as server, self.start(server, "1", "wait", "wait", "wait", "5") as process:
            assert process.stdout is not None
            while "MCPW_OK" not in process.stdout.readline():
                pass
            server.rules.breaks = "/token"
            out, _ = process.communicate(timeout=LONGEST)
            lines = self.clean(server, out)[3:]
            self.assertEqual(len(lines), 5, lines)
            for line in lines:
                self.assertIn("MCPW_E_UNAUTHORIZED token endpoint: no response", line)

    def test_an_authorization_server_that_dies(self) -> None:
        self.fails("token endpoint: no response", "try again", breaks="/token")

    def test_a_document_that_is_too_long(self) -> None:
        path = "/.well-known/oauth-authorization-server"
        server = self.fails("metadata of the authorization server", "longer than 262144 bytes", long=path)
        self.assertEqual(server.seen.cut, [path])

    def test_a_server_that_takes_no_token(self) -> None:
        server = self.fails("refuses the tokens", endless=True)
        self.assertLessEqual(server.seen.count("GET", "/authorize"), 3)

    def test_metadata_on_another_origin(self) -> None:
        with site() as other:
            self.fails("origin", metadata=other.origin + "/.well-known/oauth-protected-resource")
            self.assertEqual(other.seen.requests, [])

    def test_a_redirect_of_the_server_is_not_followed(self) -> None:
        with site(moved="/elsewhere") as server:
            self.assertIn("a redirect to", self.run_client(server, "1")[0])
            self.assertEqual({path for _, path, _ in server.seen.requests}, {"/mcp"})

    def test_a_redirect_of_the_token_endpoint_is_not_followed(self) -> None:
        with site() as other:
            self.fails("token endpoint: HTTP status 307", token_moved=other.url)
            self.assertEqual(other.seen.requests, [])

    def test_without_a_browser_the_page_is_still_shown(self) -> None:
        with site() as server:
            lines = self.run_client(server, "1", LOGIN_USER="300", BROWSER="/no/browser", PATH="/none")
            self.assertIn("warning: no browser can be started", lines[0])


class Listener(LoginTest):
    def test_only_the_redirect_of_this_login_is_taken(self) -> None:
        with site() as server:
            self.assertEqual(self.run_client(server, "1", how="hostile"), ["MCPW_OK"])
        seen = {visit["name"]: visit for visit in self.visits()}
        for name, status in (
            ("another path", 404),
            ("a longer path", 404),
            ("post", 404),
            ("no query", 404),
            ("wrong state", 400),
            ("no state", 400),
            ("too long", 431),
            ("the redirect", 200),
        ):
            self.assertEqual(seen[name]["status"], status, name)
            self.assertNotIn("<script>", seen[name]["body"])
        self.assertIn("You may close this window", seen["the redirect"]["body"])
        self.assertNotEqual(seen["the redirect again"]["status"], 200)

    def test_it_listens_on_this_machine_alone(self) -> None:
        with site() as server:
            self.run_client(server, "1", how="hostile")
        self.assertEqual({visit["host"] for visit in self.visits()}, {"127.0.0.1"})

    def is_closed_after(self, line: str, *commands: str, how: str = "", more: Optional[Json] = None) -> None:
        """After a line of the output nobody listens any more, though the program goes on. The user was asked
        twice: after connecting, and for another scope."""
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
        redirect = {"LOGIN_REDIRECT": f"http://localhost:{port}/callback", **(more or {})}
        behaviour = site(needs="mcp:write", refuses_later="UNAUTHORIZED" in line)
        with behaviour as server, self.start(server, *commands, how=how, **redirect) as process:
            assert process.stdout is not None
            while (one := process.stdout.readline()) and line not in one:
                pass
            self.assertIn(line, one)
            with self.assertRaises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port), 1)
            self.assertIsNone(process.poll())
            process.communicate(timeout=LONGEST)
        self.assertEqual(server.seen.count("GET", "/authorize"), 1 if how == "plain-once" else 2)

    def test_it_is_closed_after_a_login(self) -> None:
        self.is_closed_after("MCPW_OK", "1", "wait", "wait")

    def test_it_is_closed_after_a_login_that_failed(self) -> None:
        self.is_closed_after("MCPW_E_UNAUTHORIZED", "1", "wait", "wait")

    def test_it_is_closed_after_a_login_that_the_user_gave_up(self) -> None:
        user = f"{sys.executable} {BROWSER} {self.home / 'visits'} elsewhere-once"
        self.is_closed_after(
            "did not grant",
            "1",
            "wait",
            "wait",
            how="plain-once",
            more={"BROWSER": "", "LOGIN_USER_AT": user},
        )

    def test_it_is_closed_after_a_user_who_stayed_away(self) -> None:
        more = {"LOGIN_USER": "8000"}
        self.is_closed_after("no response in time", "1", "wait", "wait", how="plain-once", more=more)

    def test_it_is_closed_when_the_client_is(self) -> None:
        self.is_closed_after("left", "leave", how="plain-once")

    def test_a_second_login_listens_again(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as other:
            uri = f"http://127.0.0.1:{other.getsockname()[1]}/callback"
        with site(needs="mcp:write") as server:
            self.assertEqual(self.run_client(server, "1", LOGIN_REDIRECT=uri), ["MCPW_OK"])
            self.assertEqual(server.seen.count("GET", "/authorize"), 2)

    def test_a_port_that_is_taken(self) -> None:
        with site() as server:
            lines = self.run_client(server, "1", LOGIN_REDIRECT=server.origin + "/callback")
            self.assertIn("redirect_uri: its port cannot be listened at", lines[0])


class Browser(LoginTest):
    def test_the_page_is_one_argument_that_no_shell_reads(self) -> None:
        with site(scope="$(touch${IFS}" + f"{self.home}/oops);&`x`'") as server:
            self.run_client(server, "1", LOGIN_USER="2000")
        self.assertFalse((self.home / "oops").exists())

    def test_it_inherits_no_file_and_no_connection_of_the_program(self) -> None:
        script = self.home / "browser.py"
        held = self.home / "held"
        script.write_text(
            "import os, runpy, sys\n"
            "from pathlib import Path\n"
            "with os.scandir('/proc/self/fd') as entries:\n"
            "    paths = [entry.path for entry in entries]\n"
            "links = [os.readlink(path) for path in paths if os.path.lexists(path)]\n"
            f"Path({str(held)!r}).write_text('\\n'.join(links))\n"
            f"sys.argv = sys.argv[1:]\nrunpy.run_path({str(BROWSER)!r}, run_name='__main__')\n"
        )
        browser = f"{sys.executable} {script} browser {self.home / 'visits'} plain %s"
        kept = os.open(self.home, os.O_RDONLY)  # the program has it from its parent
        os.set_inheritable(kept, True)
        try:
            with site() as server:
                done = subprocess.run(
                    [CLIENT, server.url, "1"],
                    capture_output=True,
                    text=True,
                    timeout=LONGEST,
                    check=True,
                    pass_fds=[kept],
                    env=self.environment(BROWSER=browser),
                )
        finally:
            os.close(kept)
        self.assertIn("MCPW_OK", done.stdout)
        self.assertEqual(set(held.read_text().splitlines()), {"/dev/null"})

    def test_browsers_that_stay_open_leave_no_zombies(self) -> None:
        commands = ["1", *["wait"] * 6, "1", "wait"]
        with site(needs="mcp:write") as server, self.start(server, *commands, how="stays") as process:
            assert process.stdout is not None
            done = 0
            while done < len(commands) - 1 and (line := process.stdout.readline()):
                done += "MCPW_OK" in line
            zombies = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            process.communicate(timeout=LONGEST)
        self.assertEqual(zombies, [])
        self.assertEqual(len(self.visits()), 2)


class Example(LoginTest):
    def test_it_logs_in_and_says_what_was_granted(self) -> None:
        with site() as server:
            done = subprocess.run(
                [EXAMPLE, server.url, "--again"],
                capture_output=True,
                text=True,
                timeout=LONGEST,
                check=True,
                env=self.environment(),
            )
            self.assertIn(f"{server.origin} has granted: ", done.stdout)


if __name__ == "__main__":
    unittest.main()
