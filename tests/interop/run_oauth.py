# SPDX-License-Identifier: MIT
"""Runs a test of logins with a real authorization server, or names them all (--list).

A test is a scenario: some clients log in at oidc-provider and call a server that wants its tokens. `--matrix`
runs all of them and prints peers and scenarios. CTest sets the environment: MCPW_OAUTH_CLIENT and
MCPW_OAUTH_SERVER are ours, MCPW_CLOCK_SHIFT_LIBRARY moves their clocks, MCPW_NODE_MODULES is the folder that
setup.sh filled. Exits 77 where something is missing.
"""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from oauth_site import Answer, ClientPeer, Failure, Issuer, Process, free_port, running
from run import HERE, SKIPPED, Skip, installed, node, program, workplace

READ = "read for ada"
WRITE = "write for ada"
OURS = "ours"
LEGACY = "2025-11-25"
SHORT = 2  # s that a token lives that has to be renewed
SLOWLY = 300  # ms that the authorization server takes for a token
BEYOND = 0.6  # s more, after which it has expired
EXPIRED = SHORT + BEYOND
SHORT_FOR_OTHERS = 4  # s, since the other SDKs may take a second for a call on a machine that is busy
# These count the life of a token from when they got it, so they use it for up to a second after its exp, and
# longer if the request was slow. They log in once more when a server refuses it, where others renew it.
# Servers allow for a minute by default.
COUNT_BY_THEMSELVES = ("python_v1", "python_v2")
LEEWAY = ("--leeway", "2000")
FIVE_MINUTES = 300  # s
KILLED = -9
AT_ONCE = 3  # clients of a scenario
MOST_LOGINS = 3  # of a client that no token helps
SECRET = secrets.token_hex(20)
SIGNS_OF_SECRETS = ("eyJ", "code=", "refresh_token=", SECRET)


class Site:
    """The programs of one scenario, and its checks."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = workplace(folder)
        self.stack = stack
        self.checks = 0
        self.issuers: List[Issuer] = []
        self.mine: List[Process] = []  # ours, in whose output no secret may stand
        self.started = 0
        self.lines: List[str] = []
        self.peer = ""
        self.asked = 0

    def passed(self, what: str) -> None:
        self.checks += 1
        self.lines.append(f"ok {self.peer}: {what}")

    def check(self, what: str, found: object, wanted: object) -> None:
        if found != wanted:
            raise Failure(f"{what}: {found!r:.600}, not {wanted!r:.600}")
        self.passed(what)

    def good(self, what: str, answer: Answer, text: str = READ) -> None:
        self.check(what, answer, Answer(True, text))

    def bad(self, what: str, answer: Answer, *parts: str) -> None:
        """A step fails, and its message holds these parts."""
        missing = [part for part in parts if part not in answer.text]
        if answer.good or missing:
            raise Failure(f"{what}: {answer!r}, not a failure with {missing or parts}")
        self.passed(f"{what}: {answer.text}")

    def bounded(self, most: int) -> None:
        """The authorization server got at most so many requests since the last time."""
        count = self.issuer.count
        if count - self.asked > most:
            raise Failure(f"the authorization server got {count - self.asked} requests, not {most} at most")
        self.passed(f"{count - self.asked} requests at the authorization server, at most {most}")
        self.asked = count

    # ---- Programs ----------------------------------------------------------------------------------------

    def start(self, command: Sequence[str], name: str, shift: int = 0) -> Process:
        self.started += 1
        environment = {**os.environ, "HOME": str(self.folder), "no_proxy": "*"}
        if shift != 0:
            environment["LD_PRELOAD"] = program("MCPW_CLOCK_SHIFT_LIBRARY")
            environment["MCPW_CLOCK_SHIFT"] = str(shift)
        process = Process(command, self.folder, f"{name}-{self.started}", environment)
        self.stack.enter_context(running(process))
        return process

    def add_issuer(self, *options: str) -> Issuer:
        process = self.start([node(), "authorization_server.mjs", *options], "issuer")
        issuer = Issuer(process, process.line().rstrip("/"))
        self.issuers.append(issuer)
        issuer.command("client", RESOURCE_SERVER)
        return issuer

    @property
    def issuer(self) -> Issuer:
        return self.issuers[0]

    def serve(self, kind: str, *options: str, shift: int = 0, port: int = 0) -> str:
        """Starts a server that wants tokens; its URL."""
        port = port or free_port()
        command = [*SERVERS[kind](), str(port), self.issuer.url, *options]
        process = self.start(command, f"server-{kind}", shift)
        if process.line() != str(port):
            raise Failure(f"server-{kind} does not say its port")
        if kind == OURS:
            self.mine.append(process)
        return f"http://127.0.0.1:{port}/mcp"

    def client(self, url: str, *options: str, shift: int = 0) -> ClientPeer:
        process = self.start([*CLIENTS[self.peer](), url, *options], f"client-{self.peer}", shift)
        if self.peer == OURS:
            self.mine.append(process)
        return ClientPeer(process, self.issuers, self.peer == OURS)

    def connect(self, url: str, *options: str, shift: int = 0) -> ClientPeer:
        """Starts a client, which connects."""
        client = self.client(url, *options, shift=shift)
        self.good("connect", client.answer(), "connected")
        return client

    def check_ends(self) -> None:
        """Our programs end in order, and tell no secret. A client that has not connected ends with 1."""
        for process in self.mine:
            is_client = process.name.startswith("client")
            if is_client:
                process.leave()
            process.end()
            status = process.process.returncode
            if status not in ((0, 1, KILLED) if is_client else (0,)):
                raise Failure(f"{process.name} has ended with {status}")
            said = process.errors.read_text()
            self.check(
                f"{process.name} tells no secret", [sign for sign in SIGNS_OF_SECRETS if sign in said], []
            )


RESOURCE_SERVER = {
    "client_id": "resource-server",
    "client_secret": SECRET,
    "grant_types": [],
    "redirect_uris": [],
    "response_types": [],
    "token_endpoint_auth_method": "client_secret_basic",
}


def python(version: str, mode: str) -> Callable[[], List[str]]:
    peer = str(HERE / "oauth_python.py")
    return lambda: [installed(f"python-{version}/bin/python"), peer, mode]


CLIENTS: Dict[str, Callable[[], List[str]]] = {
    OURS: lambda: [program("MCPW_OAUTH_CLIENT")],
    "typescript_v1": lambda: [node(), "oauth_v1.mjs", "client"],
    "typescript_v2": lambda: [node(), "oauth_v2.mjs", "client"],
    "python_v1": python("v1", "client"),
    "python_v2": python("v2", "client"),
    "go": lambda: [installed("bin/peer_go"), "login"],
}
SERVERS: Dict[str, Callable[[], List[str]]] = {
    OURS: lambda: [program("MCPW_OAUTH_SERVER")],
    "typescript_v1": lambda: [node(), "oauth_v1.mjs", "server"],
    "typescript_v2": lambda: [node(), "oauth_v2.mjs", "server"],
    "python_v1": python("v1", "server"),
    "python_v2": python("v2", "server"),
}
DPOP = ("--dpop", "yes")
INTROSPECT = ("--introspect", SECRET)


# ---- Scenarios of every client ---------------------------------------------------------------------------


def log_in(site: Site) -> None:
    """A client registers, its user grants access, and it calls a tool."""
    client = site.connect(site.serve(OURS))
    site.good("call", client.call("read"))
    site.good("call once more", client.call("read"))
    site.check("the user was asked once", client.opened, 1)
    requests = site.issuer.requests()
    site.check("one registration", requests.get("reg"), 1)
    site.check("one token", requests.get("authorization_code"), 1)
    site.bounded(9)


def renew(site: Site) -> None:
    """Tokens expire, and are renewed with refresh tokens that are replaced each time."""
    life = SHORT if site.peer == OURS else SHORT_FOR_OTHERS
    leeway = LEEWAY if site.peer in COUNT_BY_THEMSELVES else ()
    site.issuer.set(ttl=life)
    client = site.connect(site.serve(OURS, *leeway))
    for round_ in ("once", "twice"):
        time.sleep(life + BEYOND)
        site.good(f"call, with a token that was renewed {round_}", client.call("read"))
    if site.peer != "typescript_v1":  # it may renew for a call and its stream at once, as thieves do
        site.check("the user was asked once", client.opened, 1)
    if site.issuer.requests().get("refresh_token", 0) < 2:
        raise Failure("the token was not renewed twice")
    site.bounded(20)


def step_up(site: Site) -> None:
    """A tool needs a scope that the token lacks."""
    if site.peer == "typescript_v1":  # with a refresh token it renews its token, and then gives up
        site.issuer.set(refresh=False)
    client = site.connect(site.serve(OURS))
    site.good("call", client.call("read"))
    site.good("call what needs another scope", client.call("write"), WRITE)
    site.check("the user was asked twice", client.opened, 2)
    site.good("call with the first scope", client.call("read"))
    site.check("the user was not asked again", client.opened, 2)
    site.bounded(20)


def rotate_keys(site: Site) -> None:
    """The authorization server signs with new keys, the old ones stay published."""
    url = site.serve(OURS)
    client = site.connect(url)
    site.good("call", client.call("read"))
    fetched = site.issuer.requests()["jwks"]
    site.issuer.command("rotate")
    site.good("call with a token of the old key", client.call("read"))
    site.check("the keys were not fetched for it", site.issuer.requests()["jwks"], fetched)
    other = site.connect(url)
    site.good("call with a token of the new key", other.call("read"))
    site.check("the keys were fetched once more", site.issuer.requests()["jwks"], fetched + 1)
    site.good("call with a token of the old key again", client.call("read"))
    site.bounded(20)


# ---- Scenarios of our client -----------------------------------------------------------------------------


def keep_session(site: Site) -> None:
    """A session of 2025-11-25 outlives its first token and a step-up."""
    site.issuer.set(ttl=SHORT)
    client = site.connect(site.serve(OURS), "--revisions", LEGACY)
    site.good("call", client.call("read"))
    time.sleep(EXPIRED)
    site.good("call with a token that was renewed", client.call("read"))
    site.good("call what needs another scope", client.call("write"), WRITE)
    site.check("the user was asked twice", client.opened, 2)
    site.bounded(20)


def share_store(site: Site) -> None:
    """Two processes share a store of files, and renew its token at the same time."""
    site.issuer.set(ttl=SHORT, delay=SLOWLY)
    url = site.serve(OURS)
    store = str(site.folder / "store")
    first = site.connect(url, "--store", store)
    second = site.connect(url, "--store", store)
    site.check("the second process asks no user", (first.opened, second.opened), (1, 0))
    for round_ in ("first", "second", "third"):
        time.sleep(EXPIRED)
        with ThreadPoolExecutor(2) as pool:
            answers = [pool.submit(one.call, "read") for one in (first, second)]
        for answer in answers:
            site.good(f"call of both at once, {round_} time", answer.result())
    site.check("the user was asked once", first.opened + second.opened, 1)
    site.check("no token was used twice", site.issuer.refused("refresh_token"), 0)
    site.bounded(24)


def crash(site: Site) -> None:
    """A process is killed while it renews the token of a shared store, so that the new one is lost."""
    site.issuer.set(ttl=SHORT)
    url = site.serve(OURS)
    store = str(site.folder / "store")
    first = site.connect(url, "--store", store)
    second = site.connect(url, "--store", store)
    time.sleep(EXPIRED)
    site.issuer.set(delay=SLOWLY)
    first.process.write("call read")
    time.sleep(SLOWLY / 1000 / 2)
    first.process.process.kill()
    site.good("call of the other process", second.call("read"))
    site.check("the user was asked again", (first.opened, second.opened), (1, 1))
    site.bounded(20)


def deny(site: Site) -> None:
    """The user says no."""
    site.issuer.set(deny=True)
    client = site.client(site.serve(OURS))
    site.bad("connect", client.answer(), "access_denied", "the user said no")
    site.check("the user was asked once", client.opened, 1)
    site.check("no token was requested", site.issuer.requests().get("authorization_code", 0), 0)
    site.bounded(8)


def grant_less(site: Site) -> None:
    """The user grants fewer scopes than were asked for."""
    site.issuer.set(granted=["mcp:read"])
    client = site.connect(site.serve(OURS))
    site.good("call", client.call("read"))
    site.bad("call what needs the other scope", client.call("write"), "mcp:write")
    if client.opened > MOST_LOGINS:
        raise Failure(f"the user was asked {client.opened} times")
    site.good("call with the first scope", client.call("read"))
    site.bounded(24)


def die_before_token(site: Site) -> None:
    """The authorization server dies when the client comes with its code, and lives again."""
    site.issuer.set(die="/token")
    url = site.serve(OURS)
    client = site.client(url)
    site.bad("connect", client.answer(), "token")
    site.check("the user was asked once", client.opened, 1)
    site.issuer.command("up")
    site.good("call of another client", site.connect(url).call("read"))
    site.bounded(18)


def die_during_refresh(site: Site) -> None:
    """The authorization server dies when the token is renewed, and lives again."""
    site.issuer.set(ttl=SHORT)
    client = site.connect(site.serve(OURS))
    site.issuer.set(die="/token")
    time.sleep(EXPIRED)
    site.bad("call", client.call("read"), "token")
    site.bad("call while it is dead", client.call("read"), "connect")
    site.issuer.command("up")
    site.good("call when it lives again", client.call("read"))
    site.check("the user was asked once", client.opened, 1)
    site.bounded(20)


def die_before_keys(site: Site) -> None:
    """The authorization server dies when our server fetches its keys, and lives again."""
    site.issuer.set(die="/jwks")
    url = site.serve(OURS)
    client = site.client(url)
    site.bad("connect", client.answer(), "the token cannot be verified now")
    site.issuer.command("up")
    site.good("call when it lives again", site.connect(url).call("read"))
    site.bounded(24)


def shift_clocks(site: Site) -> None:
    """A clock is five minutes off."""
    site.issuer.set(ttl=60)
    for shift in (FIVE_MINUTES, -FIVE_MINUTES):
        site.good(f"the client's clock, {shift} s", site.connect(site.serve(OURS), shift=shift).call("read"))
        site.bounded(12)
    late = site.client(site.serve(OURS, shift=FIVE_MINUTES))
    site.bad("the server's clock is ahead: tokens have expired", late.answer(), "expired")
    site.bounded(8 * MOST_LOGINS)
    site.issuer.set(skew=-FIVE_MINUTES)
    late = site.client(site.serve(OURS))
    site.bad("tokens come from the past", late.answer(), "expired")
    site.bounded(8 * MOST_LOGINS)


def prove(site: Site) -> None:
    """Tokens are bound to a key, and proofs of it need nonces of both servers."""
    site.issuer.set(nonces=True, ttl=SHORT)
    client = site.connect(site.serve(OURS, *DPOP), *DPOP)
    site.good("call", client.call("read"))
    time.sleep(EXPIRED)
    site.good("call with a token that was renewed", client.call("read"))
    site.check("the user was asked once", client.opened, 1)
    site.bounded(16)


def revoke(site: Site) -> None:
    """Tokens are revoked, of which our server asks at the authorization server."""
    site.issuer.set(format="opaque")
    client = site.connect(site.serve(OURS, *INTROSPECT))
    site.good("call", client.call("read"))
    site.issuer.command("revoke")
    site.good("call, with a token that was renewed", client.call("read"))
    site.check("the user was asked once", client.opened, 1)
    site.issuer.command("revoke", "all")
    site.good("call, with a new login", client.call("read"))
    site.check("the user was asked twice", client.opened, 2)
    site.bounded(40)


def log_out(site: Site) -> None:
    """A logout revokes the tokens, so a copy that another process has is of no use."""
    site.issuer.set(format="opaque")
    url = site.serve(OURS, *INTROSPECT)
    store = str(site.folder / "store")
    first = site.connect(url, "--store", store)
    second = site.connect(url, "--store", store)
    site.good("call of both", first.call("read"))
    site.good("call of both", second.call("read"))
    site.good("the logout", first.log_out(), "logged out")
    site.check("both tokens were revoked", site.issuer.requests().get("token/revocation", 0), 2)
    site.check("no user was needed", (first.opened, second.opened), (1, 0))
    site.good("call of the other process, with a new login", second.call("read"))
    site.check("its user was asked", (first.opened, second.opened), (1, 1))
    site.issuer.command("down")
    site.bad("the logout while the issuer is down", second.log_out(), "no response", "stays valid")
    site.bounded(30)


def migrate(site: Site) -> None:
    """The server changes its authorization server."""
    port = free_port()
    url = site.serve(OURS, port=port)
    client = site.connect(url)
    site.good("call", client.call("read"))
    old = site.issuer
    site.mine[0].end()
    site.add_issuer()
    site.issuers.reverse()
    site.serve(OURS, port=port)
    before = old.count
    site.good("call", client.call("read"))
    site.check("the user was asked by each", client.opened, 2)
    site.check("the old one was not asked again", old.count, before)
    site.asked = 0
    site.bounded(9)


def use_document(site: Site) -> None:
    """The client has a client id metadata document."""
    client = site.connect(site.serve(OURS), "--client-metadata", "https://client.example/ours.json")
    site.good("call", client.call("read"))
    site.check("nothing was registered", site.issuer.requests().get("reg", 0), 0)
    site.bounded(8)


def use_key(site: Site) -> None:
    """The client has a private key of its own, and no user."""
    key = site.issuer.command("key")
    path = site.folder / "key.pem"
    path.write_text(key["pem"])
    method = {"token_endpoint_auth_method": "private_key_jwt", "jwks": {"keys": [key["jwk"]]}}
    site.issuer.command("client", {**MACHINE, **method})
    options = ("--client", "machine", "--key", str(path), "--issuer", site.issuer.url)
    client = site.connect(site.serve(OURS), *options)
    site.good("call", client.call("read"), "read for machine")
    site.check("no user was asked", client.opened, 0)
    site.bounded(6)


def use_secret(site: Site) -> None:
    """The client has credentials of its own, and no user."""
    site.issuer.command("client", {**MACHINE, "client_secret": SECRET})
    url = site.serve(OURS)
    client = site.connect(url, "--client", "machine", "--secret", SECRET, "--issuer", site.issuer.url)
    site.good("call", client.call("read"), "read for machine")
    site.check("no user was asked", client.opened, 0)
    site.bounded(6)


MACHINE = {
    "client_id": "machine",
    "grant_types": ["client_credentials"],
    "redirect_uris": [],
    "response_types": [],
    "token_endpoint_auth_method": "client_secret_basic",
}


# ---- Servers of others -----------------------------------------------------------------------------------


def visit_server(kind: str, *options: str, format_: str = "jwt") -> Callable[[Site], None]:
    def scenario(site: Site) -> None:
        site.issuer.set(format=format_, ttl=SHORT)
        client = site.connect(site.serve(kind, *options))
        site.good("call", client.call("read"))
        time.sleep(EXPIRED)
        site.good("call with a token that was renewed", client.call("read"))
        site.check("the user was asked once", client.opened, 1)
        site.bounded(24)

    scenario.__doc__ = f"Our client calls a server of {kind}."
    return scenario


def visit_python_v1(site: Site) -> None:
    """Our client calls a server of python_v1, which puts a slash after the name of an issuer."""
    client = site.client(site.serve("python_v1", SECRET))
    site.bad("connect, if the issuer has no slash", client.answer(), "issuer: expected", "byte for byte")
    site.bounded(3)
    site.add_issuer("--slash")
    site.issuers.reverse()
    site.asked = site.issuer.count
    visit_server("python_v1", SECRET, format_="opaque")(site)


@dataclass(frozen=True)
class Scenario:
    run: Callable[[Site], None]
    peers: Tuple[str, ...] = (OURS,)


EVERYONE = tuple(CLIENTS)
SCENARIOS: Dict[str, Scenario] = {
    "log_in": Scenario(log_in, EVERYONE),
    "renew": Scenario(renew, EVERYONE),
    "step_up": Scenario(step_up, EVERYONE),
    "rotate_keys": Scenario(rotate_keys, EVERYONE),
    "prove": Scenario(prove, (OURS, "typescript_v2")),
    **{
        one.__name__: Scenario(one)
        for one in (
            keep_session,
            share_store,
            crash,
            deny,
            grant_less,
            die_before_token,
            die_during_refresh,
            die_before_keys,
            shift_clocks,
            revoke,
            log_out,
            migrate,
            use_document,
            use_secret,
            use_key,
        )
    },
    "server_typescript_v1": Scenario(visit_server("typescript_v1")),
    "server_typescript_v2": Scenario(visit_server("typescript_v2")),
    "server_python_v1": Scenario(visit_python_v1),
    "server_python_v2": Scenario(visit_server("python_v2", SECRET, format_="opaque")),
}


# ---- Running ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """A scenario with a client: its cell of the matrix, and what is to be printed."""

    cell: str
    checks: int
    text: str


def run(scenario: Scenario, peer: str) -> Run:
    with tempfile.TemporaryDirectory(prefix="oauth") as folder, ExitStack() as stack:
        try:
            node()
            site = Site(Path(folder), stack)
            site.peer = peer
            site.add_issuer()
            scenario.run(site)
            site.check_ends()
        except Skip as skip:
            return Run("skipped", 0, f"skipped: {peer}: {skip}")
        except Failure as failure:
            errors = [
                f"standard error of {one.stem}:\n{one.read_text()[-3000:] or '(empty)'}"
                for one in sorted(Path(folder).glob("*.err"))
            ]
            asked = [f"requests at {one.url}:\n{one.report()}" for one in site.issuers]
            return Run("FAILED", 0, "\n".join([*site.lines, *errors, *asked, f"not ok {peer}: {failure}"]))
        return Run(str(site.checks), site.checks, "\n".join(site.lines))


def report(names: Sequence[str], only: Optional[str] = None) -> int:
    """Runs scenarios, each with its clients at once."""
    runs: Dict[Tuple[str, str], Run] = {}
    for name in names:
        scenario = SCENARIOS[name]
        print(f"# {name}: {scenario.run.__doc__}")
        peers = [peer for peer in scenario.peers if only in (None, peer)]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for peer, done in zip(peers, pool.map(partial(run, scenario), peers)):
                runs[name, peer] = done
                print(done.text, flush=True)
    if len(names) > 1:
        nothing = Run("-", 0, "")
        print(f"\n{'checks':22}" + "".join(f"{peer:>15}" for peer in EVERYONE))
        for name in names:
            row = [runs.get((name, peer), nothing).cell for peer in EVERYONE]
            print(f"{name:22}" + "".join(f"{cell:>15}" for cell in row))
    cells = [one.cell for one in runs.values()]
    failed, skipped = cells.count("FAILED"), cells.count("skipped")
    total = sum(one.checks for one in runs.values())
    print(f"{total} checks, {len(runs)} runs, {failed} failed, {skipped} skipped")
    if failed:
        return 1
    return SKIPPED if skipped == len(runs) else 0


def main(arguments: Sequence[str]) -> int:
    if list(arguments) == ["--list"]:
        print(";".join(SCENARIOS), end="")
        return 0
    if list(arguments) == ["--matrix"]:
        return report(list(SCENARIOS))
    if 1 <= len(arguments) <= 2 and arguments[0] in SCENARIOS:
        return report(arguments[:1], *arguments[1:])
    print("usage: run_oauth.py --list | --matrix | SCENARIO [CLIENT]", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
