# SPDX-License-Identifier: MIT
"""--format html of validate, tap and convert: what the page holds. tests/web/ opens it in a browser."""

import base64
import hashlib
import json
import re
from typing import Any, Dict, List

from tests.tool.support import ToolTest, notification, request, result
from tests.tool.tapping import complete, stateless

Json = Dict[str, Any]


def policy(html: str) -> str:
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert found is not None
    return found[1]


def data(html: str) -> List[Json]:
    found = re.search(r'<script type="application/json" id="report">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    read: List[Json] = json.loads(found[1])
    return read


def entries(html: str) -> List[Json]:
    return [each for each in data(html) if "entry" in each]


def digest(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


class PageTest(ToolTest):
    def log(self, *lines: object) -> str:
        """A log; each line is the sender and its message, or an object as it is."""
        rows = []
        for i, line in enumerate(lines):
            time = f"2026-11-22T14:{i // 60000:02}:{i // 1000 % 60:02}.{i % 1000:03}Z"
            if isinstance(line, tuple):
                sender, message, *more = line
                rows.append({"time": time, "from": sender, **(more[0] if more else {}), "message": message})
            else:
                assert isinstance(line, dict)
                rows.append({"time": time, **line})
        return self.lines("log.ndjson", *rows)

    def replay(self, *lines: object, options: str = "") -> str:
        return self.run_tool("tap", "--replay", self.log(*lines), "--format", "html", *options.split()).out


class DocumentTest(PageTest):
    def test_only_the_script_and_the_style_of_the_page_are_allowed(self) -> None:
        html = self.replay(("client", request(1, "ping")))
        style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
        script = re.search(r"<script>(.*?)</script>", html, re.DOTALL)
        assert style is not None
        assert script is not None
        want = (
            f"default-src 'none'; script-src {digest(script[1])}; style-src {digest(style[1])}; "
            "connect-src 'self'; base-uri 'none'; form-action 'none'"
        )
        self.assertEqual(policy(html), want)
        self.assertNotIn("http://", html)
        self.assertNotIn("https://", html)

    def test_no_text_of_a_peer_ends_the_element_of_the_data(self) -> None:
        hostile = "</script><!--<script>&\u2028\u2029\u202e"
        html = self.replay(
            ("client", request(1, hostile, {"x": hostile})), {"from": "server", "line": hostile}
        )
        inner = html.split('id="report">')[1].split("</script>")[0]
        for unsafe in "<>&\u2028\u2029\u202e":
            self.assertNotIn(unsafe, inner)
        first, second = entries(html)
        self.assertEqual(json.loads(first["text"])["method"], hostile)
        self.assertEqual(second["text"], hostile)

    def test_a_text_is_in_the_page_as_it_was_sent(self) -> None:
        raw = '{"jsonrpc":"2.0", "id":1e0,"method":"ping","a":1.10,"a":2}'
        name = self.file(
            "log.ndjson", '{"time":"2026-11-22T14:50:00.000Z","from":"client","message":' + raw + "}\n"
        )
        html = self.run_tool("tap", "--replay", name, "--format", "html").out
        self.assertEqual(entries(html)[0]["text"], raw)

    def test_a_report_is_not_appended(self) -> None:
        done = self.run_tool("tap", "--format", "html", "--append", "--output", "page.html", "--", "true")
        self.assert_usage_error(
            done, "--append adds nothing to a report of --format html, which is one document"
        )


class TraceTest(PageTest):
    def test_answers_name_their_requests(self) -> None:
        html = self.replay(
            ("client", request(1, "ping")),
            ("server", request(1, "ping")),
            ("client", result(1, {})),
            ("server", result(1, {})),
            ("server", result(1, {})),
        )
        self.assertEqual([each.get("answers") for each in entries(html)], [None, None, 2, 1, None])
        self.assertEqual([each["t"] for each in entries(html)], [0, 1, 2, 3, 4])

    def test_conversations_have_their_own_ids(self) -> None:
        html = self.replay(
            ("client", request(1, "ping"), {"conversation": 1}),
            ("client", request(1, "ping"), {"conversation": 2}),
            ("server", result(1, {}), {"conversation": 1}),
        )
        self.assertEqual(entries(html)[2]["answers"], 1)

    def test_notifications_belong_to_the_stream_of_a_request(self) -> None:
        progress = {"progressToken": "t", "progress": 1}
        listen = stateless("s", "subscriptions/listen", {"notifications": {"toolsListChanged": True}})
        about = {"_meta": {"io.modelcontextprotocol/subscriptionId": "s"}}
        html = self.replay(
            ("client", stateless(1, "tools/call", {"name": "x", "_meta": {"progressToken": "t"}})),
            ("client", listen),
            ("server", notification("notifications/progress", progress)),
            ("server", notification("notifications/tools/list_changed", about)),
            ("client", notification("notifications/cancelled", {"requestId": 1})),
        )
        self.assertEqual([each.get("of") for each in entries(html)], [None, None, 1, 2, 1])

    def test_a_round_follows_the_one_that_asked(self) -> None:
        asks = {"resultType": "input_required", "requestState": "state", "inputRequests": {}}
        html = self.replay(
            ("client", stateless(1, "tools/call", {"name": "x"}), {"conversation": 1}),
            ("server", result(1, asks), {"conversation": 1}),
            (
                "client",
                stateless(2, "tools/call", {"name": "x", "requestState": "state"}),
                {"conversation": 2},
            ),
            ("server", result(2, {**asks, "requestState": "other"}), {"conversation": 2}),
            (
                "client",
                stateless(3, "tools/call", {"name": "x", "requestState": "other"}),
                {"conversation": 3},
            ),
        )
        found = entries(html)
        self.assertEqual([each.get("asks") for each in found], [None, 1, None, 2, None])
        self.assertEqual([each.get("after") for each in found], [None, None, 1, None, 3])
        self.assertEqual([each.get("round") for each in found], [None, None, 2, None, 3])

    def test_messages_about_a_task_name_the_request_that_began_it(self) -> None:
        html = self.replay(
            ("client", stateless(1, "tools/call", {"name": "x"})),
            ("server", complete(1, resultType="task", taskId="abc", status="working")),
            ("client", stateless(2, "tasks/get", {"taskId": "abc"})),
            ("server", complete(2, taskId="abc", status="completed")),
            ("server", notification("notifications/tasks", {"taskId": "abc"})),
        )
        self.assertEqual([each.get("task") for each in entries(html)], [None, 1, 1, 1, 1])

    def test_findings_have_their_place(self) -> None:
        html = self.replay(
            ("client", request(1, "initialize", {})), {"from": "server", "line": "Listening on 8080"}
        )
        request_, line = entries(html)
        self.assertEqual(request_["findings"][0]["code"], "schema")
        self.assertEqual(request_["findings"][0]["pointer"], "/params")
        self.assertEqual(line["kind"], "line")
        late = [each for each in data(html) if "late" in each]
        self.assertEqual([each["late"] for each in late], [2])
        self.assertEqual(late[0]["findings"][0]["code"], "framing-text")

    def test_an_old_link_is_forgotten_for_a_new_one(self) -> None:
        count = 65536 + 2  # one more than are remembered, and the last
        rows: List[object] = [("client", request(i, "ping")) for i in range(count)]
        found = entries(self.replay(*rows, ("server", result(0, {})), ("server", result(count - 1, {}))))
        self.assertEqual([each.get("answers") for each in found[-2:]], [None, count])


class RedactTest(PageTest):
    secret = "correct horse battery"

    def lines_with_values(self) -> List[object]:
        return [
            (
                "client",
                request(1, "tools/call", {"name": "find", "arguments": {"text": self.secret, "n": 4711}}),
            ),
            ("server", result(1, {"content": [{"type": "text", "text": f"{self.secret} 4711"}]})),
            {"from": "server", "line": f"debug: {self.secret}"},
        ]

    def test_values_are_left_out(self) -> None:
        html = self.replay(*self.lines_with_values(), options="--redact")
        self.assertNotIn(self.secret, html)
        self.assertNotIn("4711", html)
        self.assertEqual(
            json.loads(entries(html)[0]["text"])["params"],
            {"name": "find", "arguments": {"text": "[21 bytes]", "n": 0}},
        )
        self.assertEqual(entries(html)[1]["answers"], 1)

    def test_the_other_commands_leave_them_out_too(self) -> None:
        name = self.log(*self.lines_with_values())
        for command in (["validate", "--ndjson"], ["convert", "--to", "2025-06-18"]):
            html = self.run_tool(*command, "--format", "html", "--redact", name).out
            self.assertEqual(len(entries(html)), 3)
            self.assertNotIn(self.secret, html)

    def test_tokens_are_never_shown(self) -> None:
        token = "abcdefghijklmnopqrst"
        html = self.replay(("client", request(1, "x", {"h": f"Bearer {token}", "access_token": token})))
        self.assertNotIn(token, html)
        self.assertIn("[redacted]", html)

    def test_only_a_page_is_redacted(self) -> None:
        for command in (["validate"], ["convert", "--to", "2025-06-18"], ["tap", "--replay"]):
            more = " and --web" if command[0] == "tap" else ""
            self.assert_usage_error(
                self.run_tool(*command, "x", "--redact"), f"--redact is for --format html{more}"
            )


class CommandTest(PageTest):
    def test_validate_shows_its_values(self) -> None:
        name = self.lines("x.ndjson", request(1, "ping"), result(1, {}), request(2, 5))
        done = self.validate("--ndjson", "--format", "html", name)
        self.assertEqual(done.code, 1)
        self.assertEqual(data(done.out)[0], {"file": "x.ndjson"})
        found = entries(done.out)
        self.assertEqual([each["line"] for each in found], [1, 2, 3])
        self.assertEqual(found[1]["answers"], 1)
        self.assertEqual([each.get("t") for each in found], [None, None, None])
        self.assertEqual(found[2]["findings"][0]["pointer"], "/method")

    def test_values_of_a_type_are_shown_too(self) -> None:
        name = self.file("x.json", '{"content":5}')
        done = self.validate("--type", "CallToolResult", "--format", "html", name)
        self.assertEqual(entries(done.out)[0]["kind"], "value")
        self.assertEqual(entries(done.out)[0]["findings"][0]["pointer"], "/content")

    def test_convert_shows_both_revisions(self) -> None:
        name = self.lines(
            "x.ndjson",
            stateless(1, "tools/list"),
            stateless(2, "subscriptions/listen", {"notifications": {}}),
        )
        done = self.run_tool("convert", "--to", "2025-11-25", "--format", "html", name)
        self.assertEqual((done.code, done.err), (1, ""))
        listed, left_out = (each["converted"][0] for each in entries(done.out))
        self.assertEqual(json.loads(listed["text"])["method"], "tools/list")
        self.assertEqual({each["what"] for each in listed["changes"]}, {"dropped"})
        self.assertNotIn("text", left_out)
        self.assertEqual(left_out["changes"][0]["what"], "unsayable")

    def test_a_running_tap_writes_a_page(self) -> None:
        ping = json.dumps(request(1, "ping")).encode() + b"\n"
        done = self.run_tool("tap", "--format", "html", "--output", "page.html", "--", "cat", stdin=ping)
        self.assertEqual(done.code, 0)
        html = (self.folder / "page.html").read_text()
        self.assertEqual([each["from"] for each in entries(html)], ["client", "server"])
        self.assertTrue(html.endswith("</html>\n"))
