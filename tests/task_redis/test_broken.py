# SPDX-License-Identifier: MIT
"""The store of tasks with a server of Valkey or Redis that answers badly, slowly, or not to the end."""

from __future__ import annotations

import unittest
from pathlib import Path

from tests.task_redis.fake import HASH, Answer, Close, Drip, Silence, bulk, fake, word
from tests.task_redis.shells import eventually, shell

CREATE = ("create", "t1", "-", "-", "-", "text")
ENTRY = (b"+alice", b"7", b"99999999999999", b"0", b"", b"text", b"1")
SHOWN = "OK t1 owner=alice version=7 open kept text"


def log(*entries: bytes) -> bytes:
    """The answer to XREAD."""
    return b"*1\r\n*2\r\n" + word(b"mcpw:tasks:log") + b"*%d\r\n" % len(entries) + b"".join(entries)


def entry(number: int, name: bytes, by: bytes = b"another") -> bytes:
    """An entry of the log."""
    fields = bulk(b"n", b"%d" % number, b"id", name, b"by", by)
    return b"*2\r\n" + word(b"%d-1" % (1000 + number)) + fields


def most_memory(process: int) -> int:
    """The most KiB of addresses that a process has had."""
    status = Path("/proc", str(process), "status").read_text()
    return int(status.split("VmPeak:")[1].split()[0])


class AnswersTest(unittest.TestCase):
    def test_words_of_the_scripts_are_statuses(self) -> None:
        words = {"OK": "OK", "NONE": "NOT_FOUND", "TWICE": "DUPLICATE", "STATE": "STATE", "FULL": "FULL"}
        with fake() as server, shell(port=server.port) as one:
            for said, status in {**words, "LONG": "SIZE", "BAD": "FORMAT", "ELSE": "IO"}.items():
                server.answers[b"create"] = word(said.encode())
                self.assertEqual(one(*CREATE), status)

    def test_answers_that_a_change_never_has_are_failures(self) -> None:
        answers = (
            b"+OK\r\n",
            b":1\r\n",
            b"$-1\r\n",
            b"*0\r\n",
            b"*-1\r\n",
            bulk(b"OK"),
            b"-ERR no\r\n",
            b"-OOM command not allowed\r\n",
            b"-LOADING\r\n",
            word(b""),
            word(b"OK\0"),
            word(b"ok"),
        )
        with fake() as server, shell(port=server.port) as one:
            for answer in answers:
                server.answers[b"create"] = answer
                self.assertEqual(one(*CREATE), "IO", answer)
            server.answers[b"create"] = word(b"OK")
            self.assertEqual(one(*CREATE), "OK")

    def test_answers_that_are_no_protocol_close_the_connection(self) -> None:
        answers: tuple[Answer, ...] = (
            b"!\r\n", b"OK\r\n", b"$x\r\n", b"$-2\r\n", b"*-2\r\n", b"\0" * 100,
            word(b"OK") + word(b"OK"), word(b"OK") + b"+", Close(), Close(b"$2\r\nO"), Close(b"*1"),
            b"*1\r\n" * 100,
        )  # fmt: skip
        with fake() as server, shell(port=server.port, retry_ms=1) as one:
            for answer in answers:
                server.once[b"create"] = [answer]
                server.answers[b"create"] = word(b"OK")
                self.assertEqual(one(*CREATE), "IO", answer)
                eventually(lambda: one(*CREATE) == "OK")

    def test_arrays_that_are_announced_too_long_are_refused_before_they_take_memory(self) -> None:
        answers = (b"*2147483647\r\n", b"*65537\r\n", b"*1\r\n*1000000000\r\n")
        with fake() as server, shell(port=server.port, retry_ms=1) as one:
            server.answers[b"create"] = word(b"OK")
            eventually(lambda: one(*CREATE) == "OK")
            before = most_memory(one.process.pid)
            for answer in answers:
                server.once[b"create"] = [answer]
                self.assertEqual(one(*CREATE), "IO", answer)
                eventually(lambda: one(*CREATE) == "OK")
                server.once[b"BEAT"] = [answer]
                server.once[b"XREAD"] = [answer]
            eventually(lambda: not server.once[b"BEAT"])
            eventually(one.is_connected)
            self.assertLess(most_memory(one.process.pid) - before, 1 << 20)  # KiB

    def test_a_change_counts_when_as_many_replicas_have_it_as_are_wanted(self) -> None:
        with fake() as server, shell(port=server.port, replicas=2) as one:
            server.answers[b"create"] = word(b"OK")
            for answer, status in {
                b":2\r\n": "OK",
                b":3\r\n": "OK",
                b":1\r\n": "IO",
                b"-ERR\r\n": "IO",
            }.items():
                server.answers[b"WAIT"] = answer
                self.assertEqual(one(*CREATE), status, answer)
            server.answers[b"create"] = word(b"FULL")
            asked = len(server.commands)
            self.assertEqual(one(*CREATE), "FULL")
            self.assertNotIn(b"WAIT", [command[0] for command in server.commands[asked:]])

    def test_a_server_that_does_not_answer_in_time_is_given_up(self) -> None:
        answers: tuple[Answer, ...] = (
            Silence(),
            b"$2\r\nO",
            b"*1000\r\n",
            Drip(b"$100000\r\n" + b"x" * 100000),
        )
        with fake() as server, shell(port=server.port, patience_ms=200, retry_ms=1) as one:
            for answer in answers:
                server.once[b"create"] = [answer]
                server.answers[b"create"] = word(b"OK")
                self.assertEqual(one(*CREATE), "IO", answer)
                eventually(lambda: one(*CREATE) == "OK")

    def test_after_a_failure_nothing_is_asked_for_a_while(self) -> None:
        with fake() as server, shell(port=server.port, retry_ms=3600000) as one:
            server.once[b"create"] = [Close()]
            server.answers[b"create"] = word(b"OK")
            self.assertEqual(one(*CREATE), "IO")
            asked = sum(command[0] == b"EVALSHA" for command in server.commands)
            self.assertEqual(one(*CREATE), "IO")
            self.assertEqual(one("read", "t1", 9), "IO ")
            self.assertEqual(sum(command[0] == b"EVALSHA" for command in server.commands), asked)

    def test_a_list_that_takes_too_long_leaves_the_store_to_others(self) -> None:
        with fake() as server, shell(port=server.port, patience_ms=300, retry_ms=3600000) as one:
            server.answers[b"list"] = bulk(b"t1", b"t2")
            server.answers[b"create"] = word(b"OK")
            server.once[b"read"] = [bulk(*ENTRY), Silence()]
            self.assertEqual(one("list", "alice", "-", 2), SHOWN.replace("OK", "IO"))
            self.assertEqual(one(*CREATE), "OK")

    def test_after_a_list_without_any_answer_nothing_is_asked_for_a_while(self) -> None:
        with fake() as server, shell(port=server.port, patience_ms=300, retry_ms=3600000) as one:
            server.once[b"list"] = [Silence()]
            server.answers[b"create"] = word(b"OK")
            self.assertEqual(one("list", "alice", "-", 2), "IO ")
            self.assertEqual(one(*CREATE), "IO")

    def test_entries_of_another_form_are_damaged(self) -> None:
        with fake() as server, shell(port=server.port) as one:
            server.answers[b"read"] = bulk(*ENTRY)
            self.assertEqual(one("read", "t1", 100), SHOWN)
            wrong = [bulk(*ENTRY[:at], *ENTRY[at + 1 :]) for at in range(len(ENTRY))]
            wrong += [bulk(*ENTRY, b"more"), b"*0\r\n"]
            for at in range(len(ENTRY)):
                parts = [b"$%d\r\n%s\r\n" % (len(text), text) for text in ENTRY]
                for other in (b"$-1\r\n", b":1\r\n", b"*0\r\n", b"+x\r\n"):
                    wrong.append(b"*7\r\n" + b"".join([*parts[:at], other, *parts[at + 1 :]]))
            for answer in wrong:
                server.answers[b"read"] = answer
                self.assertEqual(one("read", "t1", 100), "FORMAT ", answer)

    def test_no_more_is_read_than_was_asked_for(self) -> None:
        with fake() as server, shell(port=server.port, retry_ms=1) as one:
            server.answers[b"read"] = bulk(*ENTRY[:5], b"x" * 1000000, b"1")
            self.assertEqual(one("read", "t1", 1000), "IO ")
            eventually(lambda: one("read", "t1", 1000000).startswith("OK "))

    def test_a_list_of_another_form_is_damaged(self) -> None:
        with fake() as server, shell(port=server.port) as one:
            server.answers[b"read"] = bulk(*ENTRY)
            server.once[b"list"] = [bulk(b"t1"), b"*0\r\n"]
            self.assertEqual(one("list", "alice", "-", 9), SHOWN)
            for answer in (bulk(*[b"t"] * 10), bulk(b"x" * 65), b"*1\r\n:1\r\n", b"*1\r\n*0\r\n"):
                server.answers[b"list"] = answer
                self.assertEqual(one("list", "alice", "-", 9), "FORMAT ", answer)
            server.answers[b"list"] = word(b"OK")
            self.assertEqual(one("list", "alice", "-", 9), "OK ")

    def test_a_list_that_never_ends_has_an_end(self) -> None:
        with fake() as server, shell(port=server.port, patience_ms=300) as one:
            server.answers[b"read"] = bulk(*ENTRY)
            server.answers[b"list"] = bulk(b"t1")
            self.assertEqual(one("list", "alice", "-", 3), " | ".join([SHOWN, SHOWN[3:], SHOWN[3:]]))
            self.assertEqual(one("list", "bob", "-", 3), "IO ")  # no entry is bob's

    def test_a_script_whose_hash_is_not_known_is_sent_as_a_whole(self) -> None:
        for answer in (b"-ERR no\r\n", word(b"short"), b":1\r\n", HASH):
            with fake() as server, shell(port=server.port) as one:
                server.answers[b"SCRIPT"] = answer
                server.answers[b"create"] = word(b"OK")
                if answer == HASH:
                    server.once[b"create"] = [b"-NOSCRIPT No matching script\r\n"]
                self.assertEqual(one(*CREATE), "OK")
                sent = [
                    words
                    for words in server.commands
                    if words[0] == b"EVAL" and words[2:4] == [b"1", b"mcpw:"]
                ]
                self.assertEqual([b"redis.call" in command[1] for command in sent], [True])

    def test_texts_of_others_are_arguments_alone(self) -> None:
        with fake() as server, shell(port=server.port) as one:
            server.answers[b"create"] = word(b"OK")
            one("create", "t1", "$5\\r\\n';return", "-", "-", "*1\\r\\n$8\\r\\nFLUSHALL")
            (command,) = [words for words in server.commands if words[0] == b"EVALSHA"]
            self.assertEqual(command[5:7] + command[13:14],
                             [b"t1", b"+$5\\r\\n';return", b"*1\\r\\n$8\\r\\nFLUSHALL"])  # fmt: skip


class ThreadTest(unittest.TestCase):
    def test_a_worker_whose_key_cannot_be_set_is_not_connected(self) -> None:
        with fake() as server, shell(port=server.port, retry_ms=1) as one:
            eventually(one.is_connected)
            for answer in (
                b"-READONLY no\r\n",
                b":1\r\n",
                Close(),
                b"$-1\r\n",
                b"*0\r\n",
                bulk(b"1000"),
                bulk(b"x", b"0"),
            ):
                server.answers[b"BEAT"] = answer
                server.once[b"XREAD"] = [Close()]
                eventually(lambda: not one.is_connected())
                server.answers[b"BEAT"] = bulk(b"1000", b"0")
                eventually(one.is_connected)

    def test_answers_about_the_log_that_it_never_has_are_survived(self) -> None:
        good = entry(1, b"t1")
        number = 1
        answers = (
            b":1\r\n", b"*0\r\n", b"*1\r\n*0\r\n", b"*1\r\n*1\r\n" + word(b"x"), b"*1\r\n:1\r\n",
            b"*1\r\n*2\r\n" + word(b"x") + b":1\r\n", log(b":1\r\n"), log(b"*0\r\n"),
            log(b"*2\r\n:1\r\n*0\r\n"), log(b"*2\r\n" + word(b"x" * 100) + b"*0\r\n"),
            log(b"*2\r\n" + word(b"5;1") + b"*0\r\n"), log(b"*2\r\n" + word(b"") + b"*0\r\n"),
            log(good[: good.index(b"*6")] + b"$-1\r\n"), b"-ERR no\r\n", Close(b"*1\r\n"),
            log(*[entry(9, b"x" * 9000)] * 20),
        )  # fmt: skip
        with fake() as server, shell(port=server.port, retry_ms=1) as one:
            one("follow")
            for answer in answers:
                server.once[b"XREAD"] = [answer, log(entry(number, b"t1")), log(entry(number + 1, b"t2"))]
                number += 2
                one.hears_at_last("t2")

    def test_entries_of_the_log_are_heard_by_their_numbers(self) -> None:
        with fake() as server, shell(port=server.port) as one:
            own = one("worker").split()[1].encode()
            one("follow")
            server.once[b"XREAD"] = [log(entry(1, b"t1"), entry(2, b"t2", own), entry(3, b"t3")),
                                     log(entry(5, b"t5"), entry(6, b"t6")), log(entry(6, b"t6")),
                                     log(entry(7, b"a*b"), entry(8, b"t8"))]  # fmt: skip
            self.assertEqual([one.hears() for _ in range(6)], ["t1", "t3", "-", "t6", "-", "t8"])

    def test_the_end_does_not_wait_for_a_server_that_is_silent(self) -> None:
        with fake() as server, shell(port=server.port, patience_ms=100) as one:
            eventually(one.is_connected)
            server.answers[b"XREAD"] = Silence()
            server.answers[b"BEAT"] = Silence()
            self.assertEqual(one.end(), 0)


if __name__ == "__main__":
    unittest.main()
