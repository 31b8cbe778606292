# SPDX-License-Identifier: MIT
"""mcpwire tap --web: the page of a session that runs, and everybody who must not see it."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Tuple

from tests.examples import chromium
from tests.http.test_client import Scripted, scripted
from tests.tool.support import TIMEOUT, ToolTest, environment, request, result, tool
from tests.web.browser import opened

MANY = 100_000
MORE = 1000  # rows that are not drawn yet
FEW = 100  # rows, more than are seen
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/")
Json = Dict[str, object]


class Live:
    """A tap between this program and a server that answers each line with the result of its id."""

    SERVER = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    text = message.get('params', {}).get('text', '')\n"
        "    answer = {'jsonrpc': '2.0', 'id': message['id'], 'result': {'text': text}}\n"
        "    print(json.dumps(answer), flush=True)\n"
    )

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-S", "-E", "-c", self.SERVER]
        self.process = subprocess.Popen(
            [tool(), "tap", "--output", "/dev/null", *(options or ("--web",)), "--", *command],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        found = ADDRESS.search(self.process.stderr.readline())
        assert found is not None
        self.url, self.port, self.secret = found[0], int(found[1]), found[2]

    def call(self, id_: int, **params: object) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(request(id_, "echo", params)), file=self.process.stdin, flush=True)
        self.process.stdout.readline()

    def end(self) -> str:
        """The rest of standard error."""
        _, said = self.process.communicate(timeout=TIMEOUT)
        return said

    def get(self, path: str, method: str = "GET", **fields: str) -> Tuple[int, Dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        named = {name.replace("_", "-"): value for name, value in fields.items()}
        connection.request(method, path, headers=named)
        got = connection.getresponse()
        body = got.read() if path.endswith("/") or got.status != 200 else b""
        connection.close()
        return got.status, dict(got.getheaders()), body


@contextlib.contextmanager
def live(*options: str) -> Iterator[Live]:
    one = Live(*options)
    try:
        yield one
    finally:
        one.process.kill()
        one.process.communicate()


class Events:
    """The stream of a tap, read event by event."""

    def __init__(self, one: Live, last: Optional[str] = None) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", one.port, timeout=TIMEOUT)
        fields = {} if last is None else {"Last-Event-ID": last}
        self.connection.request("GET", f"/{one.secret}/events", headers=fields)
        self.response = self.connection.getresponse()

    def next(self) -> Tuple[str, Json]:
        """The id and the data of the next event; the name of an event without an id."""
        fields: Dict[str, str] = {}
        while True:
            line = self.response.readline().decode().rstrip("\n")
            if line == "" and fields:
                break
            name, _, value = line.partition(": ")
            fields[name] = value
        return fields.get("id", fields.get("event", "")), json.loads(fields.get("data") or "{}")

    def close(self) -> None:
        self.connection.close()


class DoorTest(ToolTest):
    """Requests that are not those of the page."""

    def test_the_page_is_at_the_address_and_nowhere_else(self) -> None:
        with live() as one:
            self.assertEqual(one.get(f"/{one.secret}/")[0], 200)
            wrong = ("0" if one.secret[0] != "0" else "1") + one.secret[1:]
            for path in (
                "/",
                "/events",
                f"/{wrong}/",
                f"/{wrong}/events",
                f"/{one.secret}",
                f"/{one.secret}/x",
            ):
                self.assertEqual(one.get(path)[0], 404, path)

    def test_each_run_has_its_own_secret(self) -> None:
        with live() as one, live() as other:
            self.assertNotEqual(one.secret, other.secret)

    def test_another_host_is_refused(self) -> None:
        with live() as one:
            for host in (
                "example.com",
                f"example.com:{one.port}",
                f"127.0.0.1.example.com:{one.port}",
                "127.0.0.1",
            ):
                self.assertEqual(one.get(f"/{one.secret}/", Host=host)[0], 403, host)
            self.assertEqual(one.get(f"/{one.secret}/", Host=f"localhost:{one.port}")[0], 200)

    def test_another_origin_is_refused(self) -> None:
        with live() as one:
            for origin in (
                "http://example.com",
                "null",
                f"https://127.0.0.1:{one.port}",
                "http://127.0.0.1:1",
            ):
                self.assertEqual(one.get(f"/{one.secret}/events", Origin=origin)[0], 403, origin)
            self.assertEqual(one.get(f"/{one.secret}/", Origin=f"http://127.0.0.1:{one.port}")[0], 200)
            self.assertEqual(one.get(f"/{one.secret}/", Sec_Fetch_Site="cross-site")[0], 403)

    def test_only_reading_is_possible(self) -> None:
        with live() as one:
            for method in ("POST", "PUT", "DELETE", "OPTIONS"):
                self.assertEqual(one.get(f"/{one.secret}/", method)[0], 405)

    def test_it_listens_on_this_machine_alone(self) -> None:
        with live() as one:
            rows = [line.split() for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]]
            mine = [row[1] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == one.port]
            self.assertEqual([address.split(":")[0] for address in mine], ["0100007F"])

    def test_answers_forbid_what_the_page_does_not_need(self) -> None:
        with live() as one:
            _, fields, body = one.get(f"/{one.secret}/")
            policy = fields["Content-Security-Policy"]
            self.assertIn("default-src 'none'; script-src 'sha256-", policy)
            self.assertTrue(policy.endswith("; frame-ancestors 'none'"))
            self.assertNotIn("unsafe", policy)
            self.assertIn(policy.replace("; frame-ancestors 'none'", "").encode(), body)
            self.assertEqual(fields["Cache-Control"], "no-store")
            self.assertEqual(fields["Referrer-Policy"], "no-referrer")
            self.assertEqual(fields["X-Content-Type-Options"], "nosniff")
            self.assertEqual(fields["Cross-Origin-Resource-Policy"], "same-origin")

    def test_a_port_may_be_named(self) -> None:
        done = self.run_tool("tap", "--web=port", "--", "true")
        self.assert_usage_error(done, "--web=port: a port is expected")
        with live() as one:
            done = self.run_tool("tap", f"--web={one.port}", "--", "true")
            self.assertEqual((done.code, done.out), (2, ""))

    def test_a_log_is_no_running_session(self) -> None:
        done = self.run_tool("tap", "--web", "--replay", "x")
        self.assert_usage_error(done, "--web shows a running session; a log is shown by --format html")


class StreamTest(ToolTest):
    def test_events_come_as_the_session_goes(self) -> None:
        with live() as one:
            events = Events(one)
            self.assertIn("began", events.next()[1])
            one.call(1)
            self.assertEqual(events.next()[1]["kind"], "request")
            self.assertEqual(events.next()[1]["answers"], 1)
            one.call(2)
            self.assertEqual(events.next()[1]["entry"], 3)
            events.close()

    def test_a_stream_goes_on_after_the_last_event(self) -> None:
        with live() as one:
            one.call(1)
            events = Events(one)
            seen = [events.next() for _ in range(3)]
            events.close()
            again = Events(one, seen[1][0])
            self.assertEqual(again.next(), seen[2])
            again.close()
            for nonsense in ("-1", "x", "7", "999999999999999999999999"):
                whole = Events(one, nonsense)
                self.assertEqual(whole.next()[0], "0", nonsense)
                whole.close()

    def test_the_end_is_told(self) -> None:
        with live() as one:
            events = Events(one)
            events.next()
            self.assertEqual(one.end(), "")
            self.assertEqual(events.next()[0], "end")
            events.close()

    def test_a_page_that_does_not_read_does_not_delay_the_session(self) -> None:
        with live() as one:
            events = Events(one)
            for i in range(50):
                one.call(i, text="x" * 100_000)
            events.close()

    def test_more_than_is_kept_is_counted(self) -> None:
        with live("--web", "--max-web", "2K") as one:
            for i in range(20):
                one.call(i, text="x" * 100)
            events = Events(one)
            said = one.end()
            found: List[Json] = []
            while "lost" not in (found[-1] if found else {}):
                found.append(events.next()[1])
            events.close()
            lost = found[-1]["lost"]
            self.assertIsInstance(lost, int)
            self.assertEqual(len(found) - 1 + int(str(lost)), 41)
            self.assertIn(f"--web: {lost} messages are missing on the page (--max-web)", said)

    def test_so_many_pages_are_open_at_once(self) -> None:
        with live() as one:
            pages = [Events(one) for _ in range(32)]
            with self.assertRaises((ConnectionError, http.client.HTTPException)):
                Events(one)
            pages.pop().close()
            for page in pages:
                self.assertEqual(page.next()[0], "0")
                page.close()

    def test_values_are_left_out(self) -> None:
        with live("--web", "--redact") as one:
            one.call(1, text="secret words")
            events = Events(one)
            text = json.dumps([events.next() for _ in range(3)])
            events.close()
            self.assertNotIn("secret words", text)
            self.assertIn("[12 bytes]", text)


class HttpTest(ToolTest):
    TOKEN = "tok-4711.ABC-def-ghi-jkl"

    def test_a_proxy_shows_its_sessions_without_tokens(self) -> None:
        def play(request_: Scripted, body: Dict[str, object]) -> None:
            answer = {**result(body["id"], {}), "result": {"said": f"hello {self.TOKEN}"}}
            request_.answer(200, json.dumps(answer).encode(), Content_Type="application/json")

        with scripted(play) as server:
            process = subprocess.Popen(
                [tool(), "tap", "--listen", "0", "--to", server.url, "--web", "--output", "/dev/null"],
                stderr=subprocess.PIPE,
                text=True,
            )
            try:
                assert process.stderr is not None
                said = process.stderr.readline() + process.stderr.readline()
                web = ADDRESS.search(said)
                proxy = re.search(r"localhost:(\d+)/mcp", said)
                assert web is not None and proxy is not None, said
                client = http.client.HTTPConnection("127.0.0.1", int(proxy[1]), timeout=TIMEOUT)
                fields = {"Content-Type": "application/json", "Authorization": f"Bearer {self.TOKEN}"}
                asked = request(1, "tools/call", {"name": "x", "arguments": {"token": self.TOKEN}})
                client.request("POST", "/mcp", json.dumps(asked), fields)
                self.assertIn(self.TOKEN, client.getresponse().read().decode())
                client.close()
                one = Live.__new__(Live)
                one.port, one.secret = int(web[1]), web[2]
                events = Events(one)
                text = json.dumps([events.next()[1] for _ in range(3)])
                events.close()
                self.assertNotIn(self.TOKEN, text)
                self.assertEqual(text.count("[redacted]"), 2)
            finally:
                process.kill()
                process.communicate()


class ShownTest(ToolTest):
    def setUp(self) -> None:
        super().setUp()
        if chromium.find() is None:
            self.skipTest("there is no Chromium (Debian: chromium)")

    def test_the_page_shows_messages_as_they_come(self) -> None:
        with live() as one, opened(one.url) as page:
            one.call(1, text="first")
            page.wait("model.rows.length", 1)
            page.wait("document.querySelectorAll('.row').length", 1)
            one.call(2, text="second")
            page.wait("document.querySelectorAll('.row').length", 2)
            page.wait(
                "document.querySelectorAll('.row')[1].children[3].textContent.startsWith('result')", True
            )
            one.end()
            page.wait("model.rows.length", 2)
            self.assertEqual(page.seen(), [])

    def test_a_hundred_thousand_messages_do_not_slow_it(self) -> None:
        with live() as one, opened(one.url) as page:
            assert one.process.stdin is not None
            assert one.process.stdout is not None
            for start in range(0, MANY // 2, 100):
                lines = [json.dumps(request(i, "echo", {"text": str(i)})) for i in range(start, start + 100)]
                print("\n".join(lines), file=one.process.stdin, flush=True)
                for _ in lines:
                    one.process.stdout.readline()
            page.wait("model.entries.length - 1", MANY)
            page.wait("document.querySelector('#list').textContent.includes('echo 49999')", True)
            self.assertLess(page.value("document.querySelectorAll('body *').length"), 1000)
            self.assertEqual(page.seen(), [])

    def test_the_end_is_followed_though_messages_come_before_it_is_drawn(self) -> None:
        with live() as one, opened(one.url) as page:
            one.call(1, text="first")
            page.wait("model.rows.length", 1)
            page.wait("document.querySelectorAll('.row').length", 1)
            page.value(f"""(() => {{
                const again = (i) => ({{...model.entries[1], row: null, file: undefined, entry: i + 3}});
                takeAll([...Array({MORE}).keys()].map(again));
                list.box.dispatchEvent(new Event("scroll"));
            }})()""")
            page.wait(
                "document.querySelector('.row:last-child').getAttribute('aria-posinset')", str(MORE + 1)
            )

    def test_who_scrolls_back_stays_there(self) -> None:
        with live() as one, opened(one.url) as page:
            for i in range(FEW):
                one.call(i, text=str(i))
            page.wait("model.rows.length", FEW)
            page.wait("list.box.scrollTop > 0", True)
            page.value("list.box.scrollTop = 0")
            page.wait("list.follows", False)
            one.call(FEW, text="last")
            page.wait("model.rows.length", FEW + 1)
            page.wait("list.pending", False)
            self.assertEqual(page.value("list.box.scrollTop"), 0)


if __name__ == "__main__":
    unittest.main()
