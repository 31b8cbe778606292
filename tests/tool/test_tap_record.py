"""Logs of what a tap has seen, and a second look at them."""

import json
import os
import random
import stat
import subprocess
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Dict, List

from tests.tool.peer import Step
from tests.tool.support import TIMEOUT, environment, error, notification, request, result, tool
from tests.tool.tapping import TapTest, client, handshake, server

ECHO = "import os\nfor b in iter(lambda: os.read(0, 65536), b''):\n  while b: b = b[os.write(1, b):]\n"
PING = request(1, "ping")
PONG = result(1, {})
START = datetime(2026, 11, 22, 14, 50, tzinfo=timezone.utc)


def at(seconds: float, from_: str, message: object) -> Dict[str, Any]:
    """A line of a log."""
    moment = (START + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3]
    return {"time": moment + "Z", "from": from_, "message": message}


class RecordTest(TapTest):
    def recorded(self, name: str = "log") -> List[Dict[str, Any]]:
        """The lines of a log but for the first, which says that it begins."""
        rows = [json.loads(row) for row in (self.folder / name).read_bytes().split(b"\n")[:-1]]
        for row in rows:
            moment = datetime.strptime(row.pop("time"), "%Y-%m-%dT%H:%M:%S.%f%z")
            self.assertLess(abs((moment - datetime.now(timezone.utc)).total_seconds()), TIMEOUT)
        self.assertEqual(list(rows[0]), ["begin"])
        return rows[1:]

    def echoed(self, data: bytes, *options: str) -> List[Dict[str, Any]]:
        """The log of a client whose messages come back."""
        done = self.tapped(data, self.script(ECHO), "--record", "log", *options)
        self.assertEqual(done.received, data)
        return [row for row in self.recorded() if row["from"] == "client"]

    def replay(self, *options: str, name: str = "log") -> List[Dict[str, Any]]:
        done = self.run_tool("tap", "--format", "json", "--replay", name, *options)
        self.assertEqual((done.err, done.code), ("", 0))
        return [json.loads(row) for row in done.out.splitlines()]

    def log(self, *lines: Dict[str, Any]) -> str:
        return self.lines("log", *lines)


class Recording(RecordTest):
    def test_messages_with_their_direction(self) -> None:
        self.play(handshake() + client(PING) + server(PONG), "--record", "log")
        rows = self.recorded()
        sides = ["client", "server", "client", "client", "server"]
        self.assertEqual([row["from"] for row in rows], sides)
        self.assertEqual(rows[3:], [{"from": "client", "message": PING}, {"from": "server", "message": PONG}])

    def test_the_text_of_a_message_stays_as_it_is(self) -> None:
        text = b'{"b" : 1.50, "a":"\\u00e9\\u001b"}'
        self.echoed(text + b"\n")
        self.assertIn(b'"from":"client","message":' + text + b"}\n", (self.folder / "log").read_bytes())

    def test_lines_that_are_no_messages(self) -> None:
        rows = self.echoed(
            b'Hello "you"\x1b\n\xff\x00\n\n[1]\r\n' + b"x" * 50 + b"\nend", "--max-bytes", "20"
        )
        for row in rows:
            row.pop("from")
        expected = [
            {"line": 'Hello "you"\x1b'},
            {"bytes": "ff00"},
            {"line": ""},
            {"message": [1], "end": "crlf"},
            {"skipped": 50},
            {"line": "end", "end": "none"},
        ]
        self.assertEqual(rows, expected)

    def test_others_cannot_read_it(self) -> None:
        self.echoed(b"{}\n")
        self.assertEqual(stat.S_IMODE((self.folder / "log").stat().st_mode), 0o600)

    def mode(self, name: str) -> int:
        return stat.S_IMODE((self.folder / name).stat().st_mode)

    def test_only_the_owner_can_read_the_report(self) -> None:
        self.echoed(b"{}\n")
        self.assertEqual(self.mode("findings"), 0o600)

    def test_the_mode_of_an_existing_file_is_tightened(self) -> None:
        for name in ("log", "findings"):
            (self.folder / self.file(name, "old\n")).chmod(0o664)
        self.echoed(b"{}\n")
        self.assertEqual((self.mode("log"), self.mode("findings")), (0o600, 0o600))
        self.assertNotIn(b"old", (self.folder / "log").read_bytes())

    def refused(self, name: str, why: str) -> None:
        for option in ("--record", "--output"):
            for more in ((), ("--append",)):
                done = self.run_tool("tap", option, name, *more, "--", "true")
                self.assertEqual((done.err, done.code), (f"mcpwire: {name}: cannot open: {why}\n", 2))

    def test_a_symbolic_link_is_not_followed(self) -> None:
        self.file("precious", "kept")
        (self.folder / "link").symlink_to("precious")
        self.refused("link", "it is a symbolic link, which is not followed")
        self.assertEqual((self.folder / "precious").read_bytes(), b"kept")
        (self.folder / "hanging").symlink_to("none")
        self.refused("hanging", "it is a symbolic link, which is not followed")
        self.assertFalse((self.folder / "none").exists())

    def test_a_file_with_two_names_is_not_emptied(self) -> None:
        os.link(self.folder / self.file("precious", "kept"), self.folder / "other")
        self.refused("other", "the file has another name, too (a hard link)")
        self.assertEqual((self.folder / "precious").read_bytes(), b"kept")

    @unittest.skipUnless(os.geteuid() == 0, "skipped: only root can give files away")
    def test_a_file_of_another_user_is_not_emptied(self) -> None:
        os.chown(self.folder / self.file("precious", "kept"), 12345, -1)
        self.refused("precious", "the file belongs to another user")
        self.assertEqual((self.folder / "precious").read_bytes(), b"kept")

    def test_a_pipe_that_has_a_name(self) -> None:
        os.mkfifo(self.folder / "pipe")
        child = self.start(self.script(ECHO), "--record", "pipe")
        with (self.folder / "pipe").open("rb") as pipe:
            child.communicate(b"{}\n", timeout=TIMEOUT)
            self.assertIn(b'"begin"', pipe.read())

    def test_open_descriptors_by_their_names(self) -> None:
        done = self.run_tool("tap", "--record", "/dev/stderr", "--", "echo", "{}")
        self.assertIn('"from":"server","message":{}', done.err)
        for form in ("/dev/fd/{}", "/proc/self/fd/{}"):
            with (self.folder / self.file("log", "old\n")).open("ab") as log:
                command = [tool(), "tap", "--record", form.format(log.fileno()), "--", "echo", "{}"]
                subprocess.run(
                    command, pass_fds=[log.fileno()], capture_output=True, timeout=TIMEOUT, check=True
                )
            rows = (self.folder / "log").read_bytes().split(b"\n")
            self.assertEqual((rows[0], len(rows)), (b"old", 4))

    def test_what_is_added_begins_a_line(self) -> None:
        self.file("log", '{"time":"2026-11-22T14:5')
        self.tapped(b"{}\n", self.script(ECHO), "--record", "log", "--append")
        rows = (self.folder / "log").read_bytes().split(b"\n")
        self.assertEqual(rows[0], b'{"time":"2026-11-22T14:5')
        self.assertIn("begin", json.loads(rows[1]))

    def test_names_hold_the_process_id(self) -> None:
        child = self.start(self.script(ECHO), "--record", "log-%p-%%", "--output", "findings-%p")
        child.communicate(b"{}\n", timeout=TIMEOUT)
        self.assertTrue((self.folder / f"log-{child.pid}-%").exists())
        self.assertTrue((self.folder / f"findings-{child.pid}").exists())

    def test_a_file_is_emptied_or_added_to(self) -> None:
        for options, sessions in (((), 1), (("--append",), 2), ((), 1)):
            self.tapped(b"{}\n", self.script(ECHO), "--record", "log", *options)
            begun = [row for row in (self.folder / "log").read_bytes().split(b"\n") if b'"begin"' in row]
            self.assertEqual(len(begun), sessions)
            self.assertEqual(len(self.findings()), 2 * sessions)

    def test_a_log_that_cannot_be_written(self) -> None:
        done = self.run_tool("tap", "--record", "none/log", "--", "true")
        self.assertEqual(done.err, "mcpwire: none/log: cannot open: No such file or directory\n")
        self.assertEqual(done.code, 2)

    @unittest.skipUnless(Path("/dev/full").exists(), "skipped: there is no /dev/full")
    def test_a_log_that_is_full_is_told(self) -> None:
        for options, code in (((), 5), (("--check",), 2)):
            done = self.run_tool(
                "tap", "--record", "/dev/full", *options, "--", "sh", "-c", "echo {}; exit 5"
            )
            self.assertIn("/dev/full: cannot write: No space left on device", done.err)
            self.assertEqual((done.out, done.code), ("{}\n", code))

    def test_validate_reads_it(self) -> None:
        self.play(handshake(offers={"tools": {}}) + client(request(1, "tools/list")), "--record", "log")
        done = self.validate("--ndjson", "log")
        self.assertEqual(done.code, 0, done.out + done.err)


class Replay(RecordTest):
    def test_reports_what_the_tap_reported(self) -> None:
        tools = handshake(offers={"tools": {}})
        call = request(1, "tools/call", {"name": 5})
        steps: List[Step] = tools + client(call, b"\n", b"no JSON\n", b"\xff\n", b'{"id":1}\r\n')
        steps += server(
            result(1, {"content": 1}), error(None, -32700), b"x" * 300 + b"\n", b'{"jsonrpc":"2.0"}'
        )
        for options in ((), ("--strict", "--all-errors", "--summary"), ("--max-bytes", "200")):
            with self.subTest(options=options):
                live = self.play(steps, "--record", "log", *options).findings
                self.assertGreater(len(live), 5)
                self.assertEqual(self.replay(*options), live)

    def test_whatever_was_said(self) -> None:
        source = random.Random(5)
        data = bytes(source.choice(b'{}[]":,1e\\ntru \xc3\xa9\n\r\n') for _ in range(20_000))
        live = self.tapped(data, self.script("import sys; sys.stdin.read()"), "--record", "log").findings
        self.assertGreater(len(live), 100)
        self.assertEqual(self.replay(), live)

    def test_the_status_tells_of_errors_with_check(self) -> None:
        self.log(at(0, "client", {**PING, "params": 5}))
        self.assertEqual(self.run_tool("tap", "--replay", "log").code, 0)
        self.assertEqual(self.run_tool("tap", "--replay", "log", "--check").code, 1)
        self.log(at(0, "client", PING), at(0, "server", PONG))
        self.assertEqual(self.run_tool("tap", "--replay", "log", "--check").code, 0)

    def test_the_report_can_go_to_a_file(self) -> None:
        self.log(at(0, "client", {**PING, "params": 5}))
        done = self.run_tool("tap", "--replay", "log", "--output", "findings")
        self.assertEqual(done.out, "")
        self.assertIn("expected object", (self.folder / "findings").read_text(encoding="utf-8"))

    def test_times_are_those_of_the_log(self) -> None:
        self.log(at(0, "client", PING), at(61.5, "server", result(1, 5)))
        self.assertEqual([f["time"] for f in self.replay("--times")], [61.5])

    def refused(self, refused: object, status: object = 401) -> Dict[str, Any]:
        row = at(0.5, "server", None)
        row.pop("message")
        return {**row, "refused": refused, "status": status}

    def test_a_refused_request_leaves_its_id(self) -> None:
        for id_, expected in ((1, []), ("1", ["id-in-flight"]), (2, ["id-in-flight"])):
            self.log(at(0, "client", PING), self.refused(id_), at(1, "client", PING), at(2, "server", PONG))
            self.assertEqual([f["code"] for f in self.replay("--strict")], expected)

    def test_a_refused_initialize_may_be_repeated(self) -> None:
        about = {"name": "test", "version": "1"}
        asked = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
        again = at(1, "client", request(PING["id"], "initialize", asked))
        for refused, count in ([], 2), ([self.refused(PING["id"])], 0):
            self.log({**again, "time": at(0, "client", None)["time"]}, *refused, again)
            codes = [f["code"] for f in self.replay()]
            self.assertEqual(codes, ["id-in-flight", "initialize-twice"][:count])

    def test_a_refusal_has_a_status(self) -> None:
        self.log(self.refused(1, "401"))
        done = self.run_tool("tap", "--replay", "log")
        self.assertEqual(done.code, 2)
        self.assertIn("log:1: not a line of a log", done.err)

    def test_rules_know_them(self) -> None:
        cancelled = notification("notifications/cancelled", {"requestId": 1})
        for late, severity in ((0.999, "note"), (1.0, "warning")):
            self.log(at(0, "client", PING), at(5, "client", cancelled), at(5 + late, "server", PONG))
            found = [f for f in self.replay() if f["code"] == "answer-cancelled"]
            self.assertEqual([f["severity"] for f in found], [severity])

    def test_facts_about_open_requests_have_a_limit_in_bytes(self) -> None:
        mib = 1 << 20
        for size, count in ((mib, 63), (mib, 65)):  # 64 MiB in all
            with self.subTest(count=count):
                calls = [request(i, "tools/call", {"name": "x" * size}) for i in range(count)]
                self.log(*[at(0, "client", call) for call in calls])
                codes = [f["code"] for f in self.replay("--max-bytes", str(2 * mib))]
                self.assertEqual(codes.count("limit"), 1 if count == 65 else 0)

    def test_so_many_conversations_are_remembered(self) -> None:
        most = 4096
        for count in (most, most + 1):
            with self.subTest(count=count):
                begun = [{**at(0, "client", PING), "conversation": i + 1} for i in range(count)]
                late = {**at(1, "server", PONG), "conversation": 1}
                self.log(*begun, late)
                codes = [f["code"] for f in self.replay()]
                self.assertEqual("answer-unknown" in codes, count > most)

    def test_so_many_tools_are_remembered(self) -> None:
        most = 1 << 16
        schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
        tools = [{"name": str(i), "inputSchema": schema} for i in range(most + 1)]
        lines = [at(0, "client", request(1, "tools/list", {})), at(0, "server", result(1, {"tools": tools}))]
        for number in (most - 1, most):
            called = {"name": str(number), "arguments": {"n": "x"}}
            lines.append(at(0, "client", request(number, "tools/call", called)))
        self.log(*lines)
        found = [f for f in self.replay() if f["code"] == "tool-arguments"]
        self.assertEqual([f["message"].split(":")[0] for f in found], [f"tool {most - 1}"])

    def test_time_does_not_go_back(self) -> None:
        self.log(at(9, "client", PING), at(0, "server", result(1, 5)))
        self.assertEqual([f["time"] for f in self.replay("--times")], [0])

    def test_sessions_that_were_added(self) -> None:
        for _ in range(2):
            self.play(handshake() + client(PING) + server(PONG), "--record", "log", "--append")
        self.assertEqual(self.replay(), [])

    def test_from_standard_input(self) -> None:
        row = json.dumps(at(0, "client", {**PING, "params": 5})).encode() + b"\n"
        done = self.run_tool("tap", "--replay", "-", stdin=row)
        self.assertIn("client->server 1: error: /params: expected object", done.out)

    def test_a_line_that_was_skipped_is_not_made_up(self) -> None:
        skipped = at(0, "client", None)
        skipped.pop("message")
        self.log({**skipped, "skipped": 1 << 60})
        found = self.replay("--summary")
        self.assertEqual(found[0]["code"], "framing-length")
        self.assertEqual(found[1]["summary"]["client->server"]["bytes"], (1 << 60) + 1)

    def test_a_line_that_is_none_of_a_log(self) -> None:
        bad = at(0, "client", {**PING, "params": 5})
        for line in ("{}", "Hello", {**bad, "time": "now"}, {**bad, "from": "me"}, {**bad, "end": "lf?"}):
            with self.subTest(line=line):
                self.lines("log", line, bad)
                done = self.run_tool("tap", "--replay", "log")
                self.assertIn("mcpwire: log:1: not a line of a log", done.err)
                self.assertIn("expected object", done.out)
                self.assertEqual(done.code, 2)

    def test_every_line_that_is_none_of_a_log_is_named(self) -> None:
        bad = at(0, "client", {**PING, "params": 5})
        self.lines("log", bad, "one", bad, "two", bad)
        done = self.run_tool("tap", "--replay", "log")
        self.assertEqual([row.split(":")[2] for row in done.err.splitlines()], ["2", "4"])
        self.assertEqual(done.out.count("expected object"), 3)
        self.assertEqual(done.code, 2)
        self.lines("log", *["wrong"] * 1000, bad)
        done = self.run_tool("tap", "--replay", "log")
        self.assertLess(len(done.err.splitlines()), 30)
        self.assertIn("1000 lines in all", done.err)
        self.assertIn("expected object", done.out)

    def test_a_record_after_an_unfinished_one_counts(self) -> None:
        begin = {"time": "2026-11-22T14:50:00.122Z", "begin": 1}
        half = json.dumps(at(0, "client", PING), separators=(",", ":"))[:50]
        first = [at(0, "client", PING), half + json.dumps(begin, separators=(",", ":"))]
        self.lines("log", *first, at(0, "client", PING), at(0, "server", PONG))
        done = self.run_tool("tap", "--replay", "log")
        self.assertEqual((done.out, done.code), ("", 2))
        self.assertIn("log:2: not a line of a log", done.err)

    def test_a_log_that_there_is_not(self) -> None:
        done = self.run_tool("tap", "--replay", "none")
        self.assertIn("mcpwire: none: cannot open: No such file", done.err)
        self.assertEqual(done.code, 2)

    def test_more_findings_than_anybody_reads_at_once(self) -> None:
        count = 20_000
        self.log(*[at(0, "client", {**PING, "params": 5})] * count)
        child = subprocess.Popen(
            [tool(), "tap", "--replay", "log"], cwd=self.folder, env=environment(), stdout=subprocess.PIPE
        )
        out, _ = child.communicate(timeout=TIMEOUT)
        self.assertEqual(out.count(b"expected object"), count)
        self.assertEqual(child.returncode, 0)


class Arguments(RecordTest):
    def refused(self, message: str, *args: str) -> None:
        self.assert_usage_error(self.run_tool("tap", *args), message)

    def test_what_does_not_go_together(self) -> None:
        self.refused("--replay starts no command: it reads a log", "--replay", "f", "true")
        both = "--record and --replay: only one of them can be done at once"
        self.refused(both, "--replay", "f", "--record", "g")
        self.refused("--append is for --output and --record", "--append", "true")


if __name__ == "__main__":
    unittest.main()
