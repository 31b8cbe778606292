"""mcpwire login, logout, whoami, and call at a server that requires a login."""

import base64
import contextlib
import json
import os
import pty
import re
import signal
import stat
import subprocess
import sys
import termios
import threading
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

from tests.tool.logins import SECRETS, World, world
from tests.tool.support import TIMEOUT, Result, ToolTest, tool

BROWSER = f"""#!{sys.executable} -SE
import sys, urllib.request
open({{0!r}}, "a").write(sys.argv[-1] + "\\n")
try:
    urllib.request.urlopen(sys.argv[-1], timeout=20).read()
except OSError:
    pass
"""


def visit(url: str) -> None:
    """Follows the redirect of a login, as a browser does."""
    with contextlib.suppress(urllib.error.HTTPError):
        urllib.request.urlopen(url, timeout=TIMEOUT).read()


class LoginTest(ToolTest):
    store: Tuple[str, ...] = ()  # options of mcpwire login

    def setUp(self) -> None:
        super().setUp()
        self.world: World = self.enter(world())
        self.data = self.folder / "data"
        self.visited = self.folder / "visited"
        browser = self.folder / "browser"
        browser.write_text(BROWSER.format(str(self.visited)))
        browser.chmod(0o700)
        self.environment: Dict[str, str] = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "XDG_DATA_HOME": str(self.data),
            "BROWSER": str(browser),
            "no_proxy": "*",
            **{name: value for name, value in os.environ.items() if name.startswith("DBUS_")},
        }

    def enter(self, context: "contextlib.AbstractContextManager[World]") -> World:
        found = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return found

    def start(
        self,
        *words: str,
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.PIPE,
        stderr: int = subprocess.PIPE,
    ) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [tool(), *words],
            env=self.environment,
            text=True,
            cwd=self.folder,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
        )

    def run_it(self, *words: str) -> Result:
        with self.start(*words) as process:
            out, err = process.communicate(timeout=TIMEOUT)
        self.assert_no_secret(out + err)
        return Result(process.returncode, out, err)

    def login(self, *words: str) -> Result:
        return self.run_it("login", *self.store, *words, self.world.mcp)

    def expire(self) -> None:
        """Waits until a token of one second has expired."""
        time.sleep(1.1)

    def call(self, *words: str) -> Result:
        return self.run_it("call", self.world.mcp, "--tool", "who", *words)

    def whoami(self, *words: str) -> Result:
        return self.run_it("whoami", *words, self.world.mcp)

    def on_terminal(self, *words: str) -> Tuple[int, str]:
        """Runs it with standard error on a terminal; standard output goes there, too."""
        ours, theirs = pty.openpty()
        process = self.start(*words, stdout=theirs, stderr=theirs)
        os.close(theirs)
        said: List[bytes] = []

        def read() -> None:
            with contextlib.suppress(OSError):  # the end of a terminal
                while True:
                    said.append(os.read(ours, 4096))

        reader = threading.Thread(target=read)
        reader.start()
        code = process.wait(TIMEOUT)
        reader.join()
        os.close(ours)
        text = b"".join(said).decode()
        self.assert_no_secret(text)
        return code, text

    def assert_no_secret(self, text: str) -> None:
        for secret in SECRETS:
            self.assertNotIn(secret, text)

    def kept(self) -> List[Path]:
        return sorted((self.data / "mcpwire" / "logins").glob("*.json"))

    def assert_in(self, result: Result) -> None:
        self.assertEqual((result.out, result.err, result.code), ("you are in\n", "", 0))


class Logins(LoginTest):
    def test_a_browser_logs_in_and_later_calls_are_in(self) -> None:
        done = self.login()
        self.assertEqual(done.code, 0, done.err)
        self.assertIn(f"logged in at {self.world.issuer}\n", done.err)
        self.assertIn(self.visited.read_text().strip(), done.err)
        self.assert_in(self.call())
        self.assert_in(self.call())
        self.assertEqual((self.world.count("/authorize"), self.world.count("/token")), (1, 1))

    def test_what_is_kept_is_for_the_user_alone(self) -> None:
        self.login()
        logins = self.data / "mcpwire" / "logins"
        self.assertEqual(stat.S_IMODE(logins.stat().st_mode), 0o700)
        self.assertTrue(self.kept())
        for path in logins.iterdir():
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600, path)

    def test_without_a_data_folder_it_is_that_of_the_home(self) -> None:
        del self.environment["XDG_DATA_HOME"]
        self.assertEqual(self.login().code, 0)
        self.assertTrue((self.folder / ".local/share/mcpwire/logins").is_dir())
        self.environment["HOME"] = ""
        self.assertEqual(
            self.login(),
            Result(2, "", "mcpwire: there is no directory for logins: HOME or XDG_DATA_HOME must name one\n"),
        )

    def test_a_user_who_opens_the_page_without_help(self) -> None:
        with self.start("login", *self.store, "--no-browser", self.world.mcp) as process:
            assert process.stderr is not None
            line = process.stderr.readline()
            found = re.fullmatch(r"mcpwire: to log in, open (\S+)\n", line)
            assert found is not None, line
            visit(found[1])
            self.assertEqual(process.wait(TIMEOUT), 0)
            self.assertIn("logged in", process.stderr.read())
        self.assertFalse(self.visited.exists())

    def test_a_user_whose_browser_is_elsewhere(self) -> None:
        with self.start(
            "login", *self.store, "--paste", "--redirect-port", "9", self.world.mcp, stdin=subprocess.PIPE
        ) as process:
            assert process.stderr is not None and process.stdin is not None
            found = re.search(r"open (\S+)", process.stderr.readline())
            assert found is not None
            self.assertIn("paste", process.stderr.readline())
            with self.assertRaises(urllib.error.URLError) as caught:  # nobody listens there
                urllib.request.build_opener(KeepRedirect).open(found[1])
            back = str(getattr(caught.exception, "url", ""))
            self.assertTrue(back.startswith("http://127.0.0.1:9/callback?"), back)
            process.stdin.write("nonsense\n")
            process.stdin.flush()
            self.assertIn("ignored", process.stderr.readline())
            process.stdin.write(back + "\n")
            process.stdin.flush()
            self.assertEqual(process.wait(TIMEOUT), 0, process.stderr.read())

    @contextlib.contextmanager
    def pasting(self) -> Iterator[Tuple["subprocess.Popen[str]", int, str]]:
        """A login that reads from a terminal, which has its modes afterwards; the URL to be opened."""
        ours, theirs = pty.openpty()
        modes = termios.tcgetattr(theirs)
        options = (*self.store, "--paste", "--redirect-port", "9")
        with self.start("login", *options, self.world.mcp, stdin=theirs) as process:
            assert process.stderr is not None
            found = re.search(r"open (\S+)", process.stderr.readline())
            assert found is not None
            end = time.monotonic() + TIMEOUT
            while termios.tcgetattr(theirs)[3] & termios.ICANON and time.monotonic() < end:
                time.sleep(0.01)
            yield process, ours, found[1]
            process.wait(TIMEOUT)
        self.assertEqual(termios.tcgetattr(theirs), modes)
        os.close(theirs)
        os.close(ours)

    def test_a_redirect_longer_than_a_line_of_a_terminal_can_be_pasted(self) -> None:
        with self.pasting() as (process, terminal, url):
            with self.assertRaises(urllib.error.URLError) as caught:
                urllib.request.build_opener(KeepRedirect).open(url)
            back = str(getattr(caught.exception, "url", "")).replace("?", f"?more={'x' * 6000}&")
            os.write(terminal, b"wrong\x15wrong\x7f\x7f\x7f\x7f\x7f")  # erased again
            for begin in range(0, len(back), 1000):
                os.write(terminal, back[begin : begin + 1000].encode())
            os.write(terminal, b"\n")
            self.assertEqual(process.wait(TIMEOUT), 0)
            os.set_blocking(terminal, False)
            with self.assertRaises(BlockingIOError):  # nothing is shown
                os.read(terminal, 1)

    def test_a_signal_gives_the_terminal_its_modes_back(self) -> None:
        with self.pasting() as (process, _, _):
            process.terminate()
        self.assertEqual(process.returncode, -signal.SIGTERM)

    def test_the_end_of_the_input_ends_a_login_by_pasting(self) -> None:
        with self.pasting() as (process, terminal, _):
            os.write(terminal, b"\x04")
        self.assertEqual(process.returncode, 3)

    def test_a_call_on_a_terminal_logs_in_and_goes_on(self) -> None:
        code, said = self.on_terminal("call", self.world.mcp, "--tool", "who")
        self.assertEqual(code, 0, said)
        self.assertIn("mcpwire: log in in your browser; if none opens, open http", said)
        self.assertTrue(said.endswith("you are in\r\n"), said)
        self.assert_in(self.call())

    def test_a_call_without_a_terminal_says_what_to_do(self) -> None:
        done = self.call()
        self.assertEqual((done.code, done.out), (3, ""))
        self.assertIn(f'"mcpwire login {self.world.mcp}" gets one, and keeps it\n', done.err)
        self.assertEqual(self.world.count("/authorize"), 0)
        self.assertFalse(self.data.exists())

    def test_a_token_of_the_user_goes_before_the_login(self) -> None:
        self.login()
        self.environment["MCPWIRE_TOKEN"] = "mine"
        done = self.call()
        self.assertEqual(done.code, 2)
        self.assertIn("refuses the token", done.err)
        self.assertIn(("/mcp", "Bearer mine"), [seen[:2] for seen in self.world.seen])

    def test_a_server_without_a_login_is_called_without_one(self) -> None:
        self.world.how.is_open = True
        self.assert_in(self.call())

    def test_options_hold_for_later_runs(self) -> None:
        self.file("secret", "the-client-secret\n")
        self.world.how.secret_of = "mine"
        self.world.how.expires_in = 1
        self.world.how.scope = "a b"
        options = ("--client-id", "mine", "--client-secret-file", "secret", "--issuer", self.world.issuer)
        done = self.login(*options, "--scope", "a b")
        self.assertEqual(done.code, 0, done.err)
        self.expire()
        self.assert_in(self.call())
        self.assertEqual(self.login().code, 0)
        self.assertEqual(self.world.count("/authorize", client_id="mine", scope="a b"), 2)
        self.assertEqual(self.world.count("/token", grant_type="refresh_token"), 1)
        self.assertEqual(self.world.count("/register"), 0)


class KeepRedirect(urllib.request.HTTPRedirectHandler):
    """Makes the target of a redirect the error."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
        error = urllib.error.URLError("redirect")
        error.url = newurl  # type: ignore[attr-defined]
        raise error


class Renewing(LoginTest):
    def setUp(self) -> None:
        super().setUp()
        self.world.how.expires_in = 1

    def test_a_token_that_has_expired_is_renewed_without_the_user(self) -> None:
        self.login()
        self.expire()
        self.assert_in(self.call())
        self.assertEqual(self.world.count("/token", grant_type="refresh_token"), 1)
        self.assert_in(self.call())
        self.assertEqual(self.world.count("/token", grant_type="refresh_token"), 1)
        self.assertEqual(self.world.count("/authorize"), 1)

    def test_processes_that_renew_at_once_do_not_lose_the_token(self) -> None:
        self.world.how.refresh_takes = 0.5
        self.login()
        self.expire()
        running = [self.start("call", self.world.mcp, "--tool", "who") for _ in range(4)]
        for process in running:
            with process:
                out, err = process.communicate(timeout=TIMEOUT)
            self.assertEqual((out, err, process.returncode), ("you are in\n", "", 0))
        self.assertEqual(self.world.count("/token", grant_type="refresh_token"), 1)
        self.assert_in(self.call())

    def test_a_login_that_has_ended_is_said(self) -> None:
        self.login()
        self.expire()
        self.world.how.refuses_refresh = True
        done = self.call()
        self.assertEqual((done.code, done.out), (3, ""))
        self.assertIn(f'the login has ended; "mcpwire login {self.world.mcp}" makes another\n', done.err)

    def test_a_login_that_has_ended_begins_again_on_a_terminal(self) -> None:
        self.login()
        self.expire()
        self.world.how.refuses_refresh = True
        code, said = self.on_terminal("call", self.world.mcp, "--tool", "who")
        self.assertEqual((code, self.world.count("/authorize")), (0, 2), said)


class Showing(LoginTest):
    def test_a_login_is_shown_without_secrets(self) -> None:
        self.world.how.scope = "read write"
        self.login()
        text = self.whoami()
        self.assertEqual((text.code, text.err), (0, ""))
        self.assertRegex(
            text.out, rf"issuer +{self.world.issuer}\nresource +{self.world.mcp}\nclient id +registered\n"
        )
        self.assertRegex(
            text.out, r"scopes +read write\ntoken +valid\nexpires +20\d\d-\d\d-\d\dT[\d:]+Z\nrenewable +yes\n"
        )
        value = json.loads(self.whoami("--format", "json").out)
        self.assertRegex(value.pop("expires_at"), r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ")
        self.assertEqual(
            value,
            {
                "server": self.world.mcp,
                "issuer": self.world.issuer,
                "resource": self.world.mcp,
                "client_id": "registered",
                "scopes": ["read", "write"],
                "valid": True,
                "renewable": True,
                "bound": False,
                "store": "files",
            },
        )

    def test_a_login_that_has_expired_is_no_login(self) -> None:
        self.world.how.expires_in = 1
        self.login()
        self.expire()
        renewable = self.whoami()
        self.assertEqual(renewable.code, 0)
        self.assertIn("token      expired; it is renewed when it is used\n", renewable.out)
        self.world.how.refreshes = False
        self.world.tokens.clear()
        self.login()
        self.expire()
        ended = self.whoami()
        self.assertEqual(ended.code, 1)
        self.assertIn("token      expired\n", ended.out)
        self.world.how.expires_in = None
        self.world.tokens.clear()
        self.login()
        self.assertIsNone(json.loads(self.whoami("--format", "json").out)["expires_at"])

    def test_no_login_is_said(self) -> None:
        done = self.whoami()
        self.assertEqual((done.code, done.out), (1, ""))
        self.assertIn(f"there is no login at {self.world.mcp}", done.err)

    def test_logout_removes_everything_but_the_registration(self) -> None:
        self.login()
        self.assertEqual(self.run_it("logout", self.world.mcp), Result(0, "", ""))
        self.assertEqual(self.whoami().code, 1)
        self.assertEqual(self.call().code, 3)
        left = [json.loads(path.read_text()) for path in self.kept()]
        self.assertEqual([one.get("client_id") for one in left], ["registered"])
        self.assertEqual([one for one in left if "access_token" in one or "refresh_token" in one], [])
        asked = len(self.world.seen)
        again = self.run_it("logout", self.world.mcp)
        self.assertEqual(again, Result(1, "", f"mcpwire: there was no login at {self.world.mcp}\n"))
        self.assertEqual(len(self.world.seen), asked)


class Revoking(LoginTest):
    def log_out(self) -> str:
        """Logs in and out again, which succeeds whatever the issuer does; what it says."""
        self.login()
        done = self.run_it("logout", self.world.mcp)
        self.assertEqual((done.code, done.out), (0, ""), done.err)
        self.assertEqual(self.whoami().code, 1)
        return done.err

    def warns(self) -> str:
        said = self.log_out()
        self.assertTrue(
            said.startswith("mcpwire: warning: the login is removed here, but not revoked: "), said
        )
        self.assertIn("; the token stays valid until it expires\n", said)
        return said

    def test_a_logout_revokes_the_tokens(self) -> None:
        self.assertEqual(self.log_out(), "")
        revoked = [form for path, _, form in self.world.seen if path == "/revoke"]
        refresh, access = (
            {"token": f"{kind.replace('_', '-')}-1", "token_type_hint": kind, "client_id": "registered"}
            for kind in ("refresh_token", "access_token")
        )
        self.assertEqual(revoked, [refresh, access])

    def test_a_client_with_a_secret_authenticates(self) -> None:
        self.file("secret", "the-client-secret\n")
        self.world.how.secret_of = "mine"
        self.login("--client-id", "mine", "--client-secret-file", "secret", "--issuer", self.world.issuer)
        self.assertEqual(self.log_out(), "")
        pair = base64.b64encode(b"mine:the-client-secret").decode()
        self.assertEqual({how for path, how, _ in self.world.seen if path == "/revoke"}, {f"Basic {pair}"})

    def test_an_issuer_that_revokes_nothing(self) -> None:
        self.world.how.revokes = False
        self.assertIn("revocation_endpoint: is missing", self.warns())

    def test_an_issuer_that_refuses(self) -> None:
        self.world.how.revocation = (400, {"error": "invalid_client", "error_description": "\x1b[2J\u202e"})
        said = self.warns()
        self.assertIn("revocation endpoint: invalid_client", said)
        self.assertEqual([one for one in said if one in "\x1b\u202e"], [])

    def test_an_issuer_that_is_slow(self) -> None:
        self.world.how.revocation_takes = 20
        self.assertIn("revocation endpoint: no response in time", self.warns())

    def test_an_issuer_that_redirects(self) -> None:
        self.world.how.moves_revocation = f"{self.world.mcp}/elsewhere"
        self.assertIn("HTTP status 307", self.warns())
        self.assertEqual(self.world.count("/mcp/elsewhere"), 0)

    def test_an_issuer_that_is_gone(self) -> None:
        self.login()
        self.world.stop_issuer()
        done = self.run_it("logout", self.world.mcp)
        self.assertEqual(done.code, 0, done.err)
        self.assertIn("but not revoked: metadata of the authorization server: no response", done.err)
        self.assertEqual(self.whoami().code, 1)


@unittest.skipUnless("MCPW_REMAINS" in os.environ, "the program cannot be watched here")
class Wiping(LoginTest):
    """The secret of a client is in the memory of no program that ends."""

    def setUp(self) -> None:
        super().setUp()
        self.file("secret", "the-client-secret\n")
        self.environment["LD_PRELOAD"] = os.environ["MCPW_REMAINS"]
        self.environment["LD_BIND_NOW"] = "1"  # else the loader may save registers that copied the secret
        self.environment["MCPW_REMAINS_OF"] = b"the-client-secret".hex()
        self.environment["MCPW_REMAINS_IN"] = str(self.folder / "remains")
        self.options = (
            "--client-id", "mine", "--client-secret-file", "secret", "--issuer", self.world.issuer
        )  # fmt: skip
        self.world.how.secret_of = "mine"

    def run_it(self, *words: str) -> Result:
        done = super().run_it(*words)
        self.assertEqual((self.folder / "remains").read_text(), "0\n", words)
        return done

    def test_logins_calls_and_logouts_leave_no_secret(self) -> None:
        del self.environment["BROWSER"]  # which would be watched, too
        with self.start("login", *self.store, *self.options, "--no-browser", self.world.mcp) as process:
            assert process.stderr is not None
            visit(process.stderr.readline().split()[-1])
            self.assertEqual(process.wait(TIMEOUT), 0)
        self.assertEqual((self.folder / "remains").read_text(), "0\n")
        self.assertEqual(self.whoami().code, 0)
        self.assertEqual(self.run_it("logout", self.world.mcp).code, 0)

    def test_a_failed_login_leaves_no_secret(self) -> None:
        self.file("secret", "-" * 2000 + "the-client-secret\n")  # whose end is not overwritten by chance
        self.world.stop_issuer()
        self.assertEqual(self.login(*self.options, "--no-browser").code, 3)
        del self.environment["XDG_DATA_HOME"]
        self.environment["HOME"] = ""
        self.assertIn("there is no directory for logins", self.login(*self.options).err)


class Failing(LoginTest):
    def fails(self, *words: str) -> str:
        done = self.login(*words)
        self.assertEqual((done.code, done.out), (3, ""), done.err)
        self.assertEqual(self.whoami().code, 1)
        return done.err

    def test_an_issuer_that_is_not_the_expected_one(self) -> None:
        said = self.fails("--issuer", "http://127.0.0.1:1")
        self.assertIn("authorization_servers: expected http://127.0.0.1:1;", said)
        self.assertEqual((self.world.count("/authorize"), self.world.count("/register")), (0, 0))

    def test_metadata_of_another_issuer(self) -> None:
        self.world.how.issuer = "http://127.0.0.1:1"
        said = self.fails()
        self.assertIn("issuer", said)
        self.assertEqual((self.world.count("/authorize"), self.world.count("/register")), (0, 0))

    def test_a_user_who_refuses(self) -> None:
        self.world.how.redirect_error = "error=access_denied"
        self.assertIn("access_denied", self.fails())

    def test_texts_of_others_command_no_terminal(self) -> None:
        evil = "\x1b[31m\x07\u202e"
        self.world.how.token_error = {"error": "invalid_request", "error_description": f"bad {evil} thing"}
        self.world.how.challenges = ', error_description="\x1b[31m"'
        code, said = self.on_terminal("login", *self.store, self.world.mcp)
        self.assertEqual(code, 3, said)
        self.assertIn("invalid_request", said)
        for shown in (said, self.call().err):
            for one in "\x1b\x07\u202e":
                self.assertNotIn(one, shown)

    def test_a_server_that_registers_nobody(self) -> None:
        self.world.how.has_registration = False
        self.fails()

    def test_a_failed_login_leaves_the_last_one(self) -> None:
        self.login()
        self.world.how.redirect_error = "error=access_denied"
        self.assertEqual(self.login().code, 3)
        self.assert_in(self.call())

    def test_arguments(self) -> None:
        url = "http://127.0.0.1:1/mcp"
        for words, said in (
            (["login"], "login needs the URL of a server: mcpwire login https://example.com/mcp"),
            (["whoami", "x"], "x: the URL of a server is expected"),
            (["logout", url, url], f"{url}: only one server at once"),
            (
                ["login", "--paste", "--no-browser", url],
                "--no-browser and --paste: only one of them can be done at once",
            ),
            (
                ["login", "--client-secret-file", "x", url],
                "--client-secret-file needs --client-id and --issuer, so that the secret goes nowhere else",
            ),
            (
                ["login", "--client-id", "a", "--client-metadata-url", "https://a/b", url],
                "--client-id and --client-metadata-url: a client has one id",
            ),
            (
                ["login", "--client-id", "a", "--issuer", "https://a", "--client-secret-file", "none", url],
                "--client-secret-file none: it cannot be read, or is empty",
            ),
            (["login", "--store", "x", url], '--store is "x"; expected files or secret-service'),
            (["whoami", "--format", "x", url], '--format is "x"; expected text or json'),
        ):
            self.assertEqual(self.run_it(*words), Result(2, "", f"mcpwire: {said}\n"))

    def test_a_folder_of_logins_that_others_can_read(self) -> None:
        logins = self.data / "mcpwire" / "logins"
        logins.mkdir(parents=True)
        logins.chmod(0o755)
        done = self.login()
        self.assertEqual(done.code, 2)
        self.assertIn("0700", done.err)


class Help(ToolTest):
    def test_each_says_how_it_exits(self) -> None:
        for name in ("login", "logout", "whoami"):
            for words in ((name, "--help"), ("help", name)):
                done = self.run_tool(*words)
                self.assertEqual((done.code, done.err), (0, ""))
                self.assertIn("exit status:", done.out)


if __name__ == "__main__":
    unittest.main()
