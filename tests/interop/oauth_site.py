# SPDX-License-Identifier: MIT
"""The parts of a test with logins: an authorization server, its user, clients and servers, each a process."""

from __future__ import annotations

import http.client
import http.cookiejar
import json
import queue
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence
from urllib.parse import urljoin, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.ports import free_port as free_port

PATIENCE = 15.0  # s, for a line of a process
MOST_HOPS = 10  # of the user's browser
BAD = 400  # the first status that refuses


class Failure(Exception):
    """A check has failed."""


class Process:
    """A program that is talked to by lines."""

    def __init__(
        self, command: Sequence[str], folder: Path, name: str, more: Optional[Mapping[str, str]] = None
    ) -> None:
        self.name = name
        self.errors = folder / f"{name}.err"
        self._said: queue.Queue[Optional[str]] = queue.Queue()
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                command,
                cwd=folder,
                env=more,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._said.put(line.rstrip("\n"))
        self._said.put(None)

    def line(self) -> str:
        """The next line that it prints."""
        try:
            said = self._said.get(timeout=PATIENCE)
        except queue.Empty:
            said = f"(nothing in {PATIENCE} s)"
        if said is None or said.startswith("("):
            raise Failure(f"{self.name}: {said or 'has ended'}: {self.errors.read_text()[-2000:]}")
        return said

    def write(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def leave(self) -> None:
        """Ends it in order, by its input."""
        if self.process.poll() is None and self.process.stdin is not None:
            self.process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(PATIENCE)

    def end(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


@contextmanager
def running(process: Process) -> Iterator[Process]:
    try:
        yield process
    finally:
        process.end()


@dataclass(frozen=True)
class Issuer:
    """authorization_server.mjs."""

    process: Process
    url: str

    def command(self, name: str, value: Any = True) -> Any:
        self.process.write(json.dumps({name: value}))
        return json.loads(self.process.line())

    def set(self, **policy: Any) -> None:
        self.command("set", policy)

    def requests(self) -> Dict[str, int]:
        """How often each request came: by its path, that of the token endpoint by its grant."""
        found: Counter[str] = Counter()
        for one in self.command("log"):
            path = str(one["path"])
            if path.startswith("/.well-known/"):
                path = "metadata"
            elif path.startswith(("/login/", "/auth/")):
                continue
            grant = str(one.get("grant", "")) if path == "/token" else ""
            found[grant or path.lstrip("/")] += 1
        return dict(found)

    @property
    def count(self) -> int:
        return len(self.command("log"))

    def report(self) -> str:
        """The requests that it got, a line each."""
        try:
            log = self.command("log")
        except (Failure, OSError) as error:
            return f"no requests known: {error}"
        return "\n".join(" ".join(str(value) for value in one.values()) for one in log)

    def refused(self, grant: str) -> int:
        """How many token requests with that grant were refused."""
        return sum(one.get("grant") == grant and one["status"] >= BAD for one in self.command("log"))


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def browse(url: str, issuer: str) -> str:
    """Opens a page of an issuer as a browser does, until it leaves it: the redirect."""
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),
        urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
        _Stay(),
    )
    for _ in range(MOST_HOPS):
        if not url.startswith(f"{issuer}/"):
            return url
        try:
            with opener.open(url, timeout=PATIENCE) as page:
                raise Failure(f"the page does not send back: {page.read()[:500]!r}")
        except urllib.error.HTTPError as answer:
            location = answer.headers.get("Location")
            if location is None:
                raise Failure(f"{url}: {answer.code}: {answer.read()[:500]!r}") from None
            url = urljoin(url, location)
    raise Failure("too many redirects")


def visit(url: str) -> str:
    """Follows a redirect to the client's own listener: the page that the user sees."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.netloc, timeout=PATIENCE)
    connection.request("GET", f"{place.path}?{place.query}")
    with connection.getresponse() as page:
        return page.read().decode()


@dataclass(frozen=True)
class Answer:
    """The outcome of a step: the text of its result, or the reason of its failure."""

    good: bool
    text: str


@dataclass
class ClientPeer:
    """A client, which says what it does as oauth_peer.mjs describes. Its own listener may get redirects."""

    process: Process
    issuers: List[Issuer]
    listens: bool
    opened: int = 0

    def answer(self) -> Answer:
        """Waits for the end of a step, and is the user meanwhile."""
        while True:
            word, _, text = self.process.line().partition(" ")
            if word in ("said", "failed"):
                return Answer(word == "said", text)
            if word != "open":
                raise Failure(f"{self.process.name}: an unknown line: {word} {text}")
            self.opened += 1
            self.redirect(text)

    def redirect(self, url: str) -> None:
        issuer = next(one.url for one in self.issuers if url.startswith(f"{one.url}/"))
        target = browse(url, issuer)
        if self.listens:
            visit(target)
        else:
            self.process.write(target)

    def call(self, tool: str) -> Answer:
        self.process.write(f"call {tool}")
        return self.answer()

    def log_out(self) -> Answer:
        """Our client alone can do this."""
        self.process.write("log out")
        return self.answer()
