# SPDX-License-Identifier: MIT
"""Requests that can be read in two ways, through the proxies of others. None runs at the server that the
proxy has not seen as one of its own, and none that the proxy believes answered is unknown to the server.
Each request carries a word of its own in its target, which the proxy logs, and in its body, which the tool
logs. A proxy that guards /mcp is not passed by a path that the server takes for it."""

from __future__ import annotations

import concurrent.futures
import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Sequence, Set, Tuple

from tests.http.wire import TIMEOUT, call, chunked, post
from tests.ports import free_ports

PROGRAM = os.environ.get("MCPW_HTTP_SERVED", "")
PATHS = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
MODULES = "/usr/lib/apache2/modules"
QUIET = 1.0  # s without a byte, after which nobody is expected to answer any more
AT_ONCE = 24  # attacks that are under way

NGINX = """
daemon off;
pid {folder}/pid;
events {{}}
http {{
    log_format target '$request_uri $status';
    access_log {folder}/access.log target;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream server {{ server 127.0.0.1:{behind}; keepalive 4; }}
    proxy_http_version 1.1;
    proxy_request_buffering off;
    proxy_buffering off;
    proxy_set_header Host $http_host;
    proxy_set_header Connection "";
    server {{
        listen 127.0.0.1:{front};
        location / {{ proxy_pass http://server; }}
    }}
    server {{
        listen 127.0.0.1:{guarded};
        location = /mcp {{ return 403; }}
        location / {{ proxy_pass http://server; }}
    }}
}}
"""
HAPROXY = """
global
    log stdout format raw local0
    maxconn 500
defaults
    mode http
    timeout client 5s
    timeout server 5s
    timeout connect 5s
    log global
    log-format "%HU %ST"
frontend open
    bind 127.0.0.1:{front}
    default_backend servers
frontend guarded
    bind 127.0.0.1:{guarded}
    http-request deny if {{ path /mcp }}
    default_backend servers
backend servers
    http-reuse always
    server one 127.0.0.1:{behind}
"""
CADDY = """
{{
    admin off
    auto_https off
}}
http://:{front} {{
    bind 127.0.0.1
    log {{
        output file {folder}/access.log
    }}
    reverse_proxy 127.0.0.1:{behind}
}}
http://:{guarded} {{
    bind 127.0.0.1
    log {{
        output file {folder}/access.log
    }}
    @mcp path_regexp ^/mcp$
    respond @mcp 403
    reverse_proxy 127.0.0.1:{behind}
}}
"""
APACHE = """
ServerName localhost
ServerRoot {folder}
PidFile {folder}/pid
Mutex file:{folder} default
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule proxy_module {modules}/mod_proxy.so
LoadModule proxy_http_module {modules}/mod_proxy_http.so
User {user}
Listen 127.0.0.1:{front}
Listen 127.0.0.1:{guarded}
ErrorLog {folder}/error.log
LogFormat "%r %>s" target
CustomLog {folder}/access.log target
Timeout 5
ProxyPreserveHost On
AllowEncodedSlashes NoDecode
<VirtualHost 127.0.0.1:{front}>
    ProxyPass / http://127.0.0.1:{behind}/ nocanon
</VirtualHost>
<VirtualHost 127.0.0.1:{guarded}>
    <LocationMatch "^/mcp$">
        Require all denied
    </LocationMatch>
    ProxyPass / http://127.0.0.1:{behind}/ nocanon
</VirtualHost>
"""


class Proxy(NamedTuple):
    """A program, its config, and how it is started with that."""

    program: str
    config: str
    start: Sequence[str]
    logs_to_output: bool = False


PROXIES = {
    "nginx": Proxy("nginx", NGINX, ("-e", "stderr", "-c")),
    "haproxy": Proxy("haproxy", HAPROXY, ("-db", "-f"), logs_to_output=True),
    "caddy": Proxy("caddy", CADDY, ("run", "--adapter", "caddyfile", "--config")),
    "apache2": Proxy("apache2", APACHE, ("-D", "FOREGROUND", "-f")),
}


# ---- Requests ------------------------------------------------------------------------------------------

CHUNKED = b"Transfer-Encoding: chunked\r\n"
CODINGS = [
    b"Transfer-Encoding : chunked\r\n",
    b"Transfer-Encoding\t: chunked\r\n",
    b"Transfer-Encoding: xchunked\r\n",
    b"Transfer-Encoding: chunked, identity\r\n",
    b"Transfer-Encoding: identity, chunked\r\n",
    b"Transfer-Encoding: gzip, chunked\r\n",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: chunked\r\nTransfer-encoding: x\r\n",
    b"Transfer-Encoding:\x0bchunked\r\n",
    b"Transfer-Encoding:\x0cchunked\r\n",
    b"Transfer-Encoding: \tchunked\r\n",
    b"Transfer-Encoding: chunked \r\n",
    b'Transfer-Encoding: "chunked"\r\n',
    b"Transfer-Encoding: 'chunked'\r\n",
    b"Transfer-Encoding: chunked\0\r\n",
    b"Transfer-Encoding: chunked\0x\r\n",
    b"Transfer-Encoding\0: chunked\r\n",
    b"Transfer-Encoding: chunked;q=1\r\n",
    b"Transfer-Encoding:\r\n chunked\r\n",
    b"Transfer-Encoding: x\r\n chunked\r\n",
    b"X: y\nTransfer-Encoding: chunked\r\n",
    b"X: y\rTransfer-Encoding: chunked\r\n",
    b"X: y\r\n Transfer-Encoding: chunked\r\n",
    b" Transfer-Encoding: chunked\r\n",
    b"Transfer_Encoding: chunked\r\n",
    b"Transfer-Encoding: chunked\nX: y\r\n",
    b"Transfer-Encoding chunked\r\n",
    b"Transfer-Encoding: chunked\r\nConnection: Transfer-Encoding\r\n",
]
LENGTHS = [
    b"Content-Length: +%d\r\n",
    b"Content-Length: 0x%x\r\n",
    b"Content-Length: %d, 0\r\n",
    b"Content-Length: 0, %d\r\n",
    b"Content-Length: %d \r\n",
    b"Content-Length: %d\0\r\n",
    b"Content-Length : %d\r\n",
    b"Content-Length:\r\n %d\r\n",
    b"Content-Length: 0\r\n %d\r\n",
    b"Content-Length: %d\r\nConnection: Content-Length\r\n",
    b"X: y\nContent-Length: %d\r\n",
    b"Content-Length: 00000000000000000000%d\r\n",
    b"Content-Length: 1844674407370955161%d\r\n",
    b"Content-Length: -%d\r\n",
    b"Content_Length: %d\r\n",
]
TARGETS = [
    b"/mcp%20",
    b"/mcp%00",
    b"/mcp%00x",
    b"/mcp%3fx",
    b"/mcp%3Fx",
    b"/%6dcp",
    b"/m%63p",
    b"/mcp%23",
    b"/mcp;x",
    b"/mcp%2f",
    b"//mcp",
    b"/./mcp",
    b"/x/../mcp",
    b"/x/%2e%2e/mcp",
    b"/mcp/",
    b"/MCP",
    b"/mcp%09",
    b"/mcp\\",
    b"/mcp#x",
    b"/mcp%5c..",
    b"/mcp\0",
    b"/mcp\0x",
    b"/mcp\t",
    b"mcp",
    b"http://localhost",
    b"/mcp%c0%bfx",
    b"/mcp%250",
]


class Words:
    """Words that stand for requests."""

    def __init__(self) -> None:
        self.count = 0

    def next(self) -> bytes:
        self.count += 1
        return b"w%dw" % self.count


def target(word: bytes, path: bytes = b"/mcp") -> bytes:
    return b"%s?n=%s" % (path, word)


def line(word: bytes, path: bytes = b"/mcp", version: bytes = b"HTTP/1.1") -> bytes:
    return b"POST %s %s" % (target(word, path), version)


def request(word: bytes, **how: bytes) -> bytes:
    """A request of that word, usual but for what is given."""
    return post(call("say", word.decode()), line=line(word), **how)


def ambiguous(words: Words) -> Iterator[bytes]:
    """The bytes on one connection: a request, and after it or in its body another one."""
    for coding in CODINGS:
        for length in (b"", b"Content-Length: %d\r\n"):
            word, hidden = words.next(), request(words.next())
            body = chunked(call("say", word.decode())) + hidden
            size = len(body) - len(hidden) if length else 0
            framing = coding + (length % size if length else b"")
            yield post(body, line=line(word), framing=framing) + request(words.next())
        word, hidden = words.next(), request(words.next())
        body = b"0\r\n\r\n" + hidden
        framing = coding + b"Content-Length: %d\r\n" % len(body)
        yield post(body, line=line(word), framing=framing) + request(words.next())
    for length in LENGTHS:
        word, hidden = words.next(), request(words.next())
        body = call("say", word.decode())
        yield post(body + hidden, line=line(word), framing=length % len(body)) + request(words.next())
        yield post(body + hidden, line=line(words.next()), framing=length % len(body + hidden))
    for first, second in ((0, 1), (1, 0), (1, 1)):
        word, hidden = words.next(), request(words.next())
        body = call("say", word.decode())
        sizes = (len(body), len(body + hidden))
        framing = b"Content-Length: %d\r\nContent-Length: %d\r\n" % (sizes[first], sizes[second])
        yield post(body + hidden, line=line(word), framing=framing) + request(words.next())
    for framing in (CHUNKED + b"Content-Length: %d\r\n", b"Content-Length: %d\r\n" + CHUNKED):
        for size in (0, 5):
            word, hidden = words.next(), request(words.next())
            body = chunked(call("say", word.decode())) + hidden
            yield post(body, line=line(word), framing=framing % (size or len(body))) + request(words.next())
    yield from chunks(words)
    yield from heads(words)


def chunks(words: Words) -> Iterator[bytes]:
    """Chunks that can be cut in two ways."""
    sizes = [
        b"%x;\n",
        b"%x\n",
        b'%x;x="\n"\r\n',
        b"0x%x\r\n",
        b"+%x\r\n",
        b" %x\r\n",
        b"%x \r\n",
        b"%x\t\r\n",
        b"%x\r\r\n",
        b"0000000000000000000%x\r\n",
        b"1000000000000000%x\r\n",
        b"%x;x\0\r\n",
        b"%x\0\r\n",
        b"%x,\r\n",
        b"-%x\r\n",
        b"%xg\r\n",
    ]
    for size in sizes:
        word, hidden = words.next(), request(words.next())
        body = call("say", word.decode())
        sent = size % len(body) + body + b"\r\n0\r\n\r\n" + hidden
        yield post(sent, line=line(word), framing=CHUNKED) + request(words.next())
    ends = [
        b"\n0\n\n",
        b"\r\n0\n\n",
        b"\r\n0\r\n\n",
        b"\r\n0\r\nX: y\n\r\n",
        b"\r\n0\r\nContent-Length: 500\r\n\r\n",
        b"xx0\r\n\r\n",
        b"\r\n00\r\n\r\n",
        b"\r\n0;x\n\r\n",
        b"\r\n0\r\nX\r\n\r\n",
        b"\r\n0\r\n Y: z\r\n\r\n",
        b"0\r\n\r\n",
        b"\r\n\r\n0\r\n\r\n",
    ]
    for end in ends:
        word, hidden = words.next(), request(words.next())
        body = call("say", word.decode())
        yield post(
            b"%x\r\n%s%s%s" % (len(body), body, end, hidden), line=line(word), framing=CHUNKED
        ) + request(words.next())


def heads(words: Words) -> Iterator[bytes]:
    """Heads whose lines, host or version can be read in two ways."""
    hidden = [
        b"X: y\n\n",
        b"\n",
        b"X: y\r\r\n",
        b"X: y\r\n\n",
        b"X: \0\r\n",
        b"X\0: y\r\n",
        b"X: a\0\n",
        b": y\r\n",
        b"X\r\n",
        b"X y: z\r\n",
        b"X: y\r\n\x0b: z\r\n",
        b"Expect: 100-continue\r\n",
        b"Upgrade: h2c\r\nConnection: Upgrade\r\n",
        b"Connection: Host\r\n",
        b"Connection: close, Mcp-Method\r\n",
        b"Trailer: Content-Length\r\n",
    ]
    for more in hidden:
        yield request(words.next(), more=more) + request(words.next())
    hosts = [
        b"Host: localhost\r\nHost: a.example\r\n",
        b"Host: a.example\r\nHost: localhost\r\n",
        b"Host : localhost\r\n",
        b"Host: localhost\0.a.example\r\n",
        b"Host: a.example\nHost: localhost\r\n",
        b"Host:\r\n localhost\r\n",
        b" Host: localhost\r\n",
        b"Host: localhost\r\n .a.example\r\n",
        b"Host: a.example@localhost\r\n",
        b"Host: localhost:80:80\r\n",
        b"Host: localhost, a.example\r\n",
        b"",
    ]
    for host in hosts:
        yield request(words.next(), host=host) + request(words.next())
    for url in (
        b"http://localhost/mcp",
        b"http://a.example/mcp",
        b"http://localhost@a.example/mcp",
        b"http://localhost:1/mcp",
    ):
        for host in (b"Host: localhost\r\n", b"Host: a.example\r\n"):
            word = words.next()
            yield post(call("say", word.decode()), line=line(word, url), host=host) + request(words.next())
    for begin in (
        b"POST  %s HTTP/1.1",
        b"POST %s  HTTP/1.1",
        b"POST\t%s HTTP/1.1",
        b"POST %s HTTP/1.1 ",
        b" POST %s HTTP/1.1",
        b"POST %s HTTP/1.1\nX: y",
        b"POST %s HTTP/1.0",
        b"POST %s HTTP/0.9",
        b"POST %s HTTP/1.2",
        b"POST %s",
        b"POST %s http/1.1",
        b"GET %s HTTP/1.1",
        b"HEAD %s HTTP/1.1",
        b"post %s HTTP/1.1",
        b"CONNECT %s HTTP/1.1",
        b"POST %s\0 HTTP/1.1",
    ):
        word = words.next()
        yield post(call("say", word.decode()), line=begin % target(word)) + request(words.next())
    for version in (b"HTTP/1.0", b"HTTP/1.1"):
        word, inner = words.next(), request(words.next())
        body = chunked(call("say", word.decode())) + inner
        keep = b"Connection: keep-alive\r\n"
        yield post(body, line=line(word, version=version), framing=CHUNKED, more=keep) + request(words.next())
    yield b"GET %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (
        target(words.next()),
        500,
    ) + request(words.next())


def paths(words: Words) -> Iterator[bytes]:
    """Requests for what a guard that compares with /mcp lets through, if a server is to read that as /mcp."""
    for path in TARGETS:
        word = words.next()
        yield post(call("say", word.decode()), line=line(word, path))
    for path in (b"/mcp%3fx", b"/mcp%3f", b"/mcp%00"):
        word = words.next()
        yield post(call("say", word.decode()), line=b"POST %sn=%s HTTP/1.1" % (path, word))


# ---- A proxy and the server ----------------------------------------------------------------------------


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), TIMEOUT).close()
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(0.02)


def exchange(port: int, sent: bytes) -> bytes:
    """All that comes back, until the connection ends or is quiet."""
    got = b""
    with socket.create_connection(("127.0.0.1", port), TIMEOUT) as wire, contextlib.suppress(OSError):
        wire.settimeout(QUIET)
        wire.sendall(sent)
        while more := wire.recv(65536):
            got += more
    return got


def seen_by(log: str) -> Dict[str, Set[int]]:
    """The words of a proxy's log, each with the statuses of its requests."""
    seen: Dict[str, Set[int]] = {}
    for entry in log.splitlines():
        text = entry
        with contextlib.suppress(ValueError, KeyError, TypeError):
            fields = json.loads(entry)
            text = f"{fields['request']['uri']} {fields['status']}"
        word = re.search(r"n=(w\d+w)", text)
        status = re.search(r" (-?\d+)$", text)
        if word is not None and status is not None:
            seen.setdefault(word.group(1), set()).add(int(status.group(1)))
    return seen


class Outcome(NamedTuple):
    """The attempt, the proxy's verdict on it, and the response."""

    ran: Set[str]
    seen: Dict[str, Set[int]]
    answers: List[bytes]


def outcome(proxy: Proxy, sent: Sequence[bytes], is_guarded: bool) -> Outcome:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o777)
        log = folder / "ran"
        log.touch()
        command = [PROGRAM, f"log={log}", "idle=5"]
        server = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE))
        stack.callback(server.kill)
        assert server.stdout is not None
        front, guarded = free_ports(2)
        places = {"folder": folder, "behind": int(server.stdout.readline()), "modules": MODULES}
        user = "www-data" if os.geteuid() == 0 else f"#{os.geteuid()}"
        config = proxy.config.format(**places, front=front, guarded=guarded, user=user)
        (folder / "config").write_text(config, "utf-8")
        with (folder / "output").open("wb") as output:
            program = shutil.which(proxy.program, path=PATHS)
            assert program is not None
            start = [program, *proxy.start, str(folder / "config")]
            how = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
            running = subprocess.Popen(start, stdout=output, stderr=output, env={**os.environ, **how})
        stack.callback(running.wait, TIMEOUT)
        stack.callback(running.kill)
        port = guarded if is_guarded else front
        try:
            wait_for(port, running)
        except OSError as error:
            raise AssertionError((folder / "output").read_text("utf-8")) from error
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as threads:
            answers = list(threads.map(lambda one: exchange(port, one), sent))
        settle(server, running)
        source = folder / ("output" if proxy.logs_to_output else "access.log")
        seen = seen_by(source.read_text("utf-8", "replace") if source.exists() else "")
        return Outcome(set(log.read_text("utf-8").split()), seen, answers)


def settle(server: subprocess.Popen[bytes], proxy: subprocess.Popen[bytes]) -> None:
    """Ends the server, which answers what is under way, and then the proxy, which logs the rest."""
    server.terminate()
    server.wait(TIMEOUT)
    time.sleep(0.2)
    proxy.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        proxy.wait(5)


class SmugglingTest(unittest.TestCase):
    def proxy(self, name: str) -> Proxy:
        proxy = PROXIES[name]
        if shutil.which(proxy.program, path=PATHS) is None:
            self.skipTest(f"{proxy.program} is not installed (Debian: {name})")
        return proxy

    def check(self, name: str) -> None:
        words = Words()
        sent = list(ambiguous(words))
        ran, seen, answers = outcome(self.proxy(name), sent, False)
        hidden = sorted(ran - set(seen))
        unknown = sorted(word for word, statuses in seen.items() if 200 in statuses and word not in ran)
        self.assertEqual(hidden, [], self.told(hidden, sent, answers))
        self.assertEqual(unknown, [], self.told(unknown, sent, answers))
        self.assertGreater(len(ran), len(CODINGS))  # it serves what there is no doubt about
        self.check_guard(name)

    def check_guard(self, name: str) -> None:
        words = Words()
        sent = list(paths(words))
        ran, _, answers = outcome(self.proxy(name), sent, True)
        self.assertEqual(sorted(ran), [], self.told(sorted(ran), sent, answers))

    @staticmethod
    def told(words: Sequence[str], sent: Sequence[bytes], answers: Sequence[bytes]) -> str:
        pairs: List[Tuple[bytes, bytes]] = [
            (one, got) for one, got in zip(sent, answers) if any(word.encode() in one for word in words)
        ]
        return "\n".join(f"{one!r}\n-> {got[:600]!r}" for one, got in pairs[:3])

    def test_nginx_and_the_server_see_the_same_requests(self) -> None:
        self.check("nginx")

    def test_haproxy_and_the_server_see_the_same_requests(self) -> None:
        self.check("haproxy")

    def test_caddy_and_the_server_see_the_same_requests(self) -> None:
        self.check("caddy")

    def test_apache_and_the_server_see_the_same_requests(self) -> None:
        self.check("apache2")


if __name__ == "__main__":
    unittest.main()
