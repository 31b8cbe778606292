# SPDX-License-Identifier: MIT
"""The store of tasks in a server of Valkey or Redis, used by several processes at once."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Iterator, Tuple

from tests.http.test_shared import REDIS, number, redis, told
from tests.ports import free_port
from tests.task_redis.shells import TIMEOUT, Shell, eventually, shell

CONFORMS = os.environ.get("MCPW_TASK_CONFORMS", "")
ALWAYS = ("--appendonly", "yes", "--appendfsync", "always")


@contextlib.contextmanager
def two(**options: object) -> Iterator[Tuple[int, Shell, Shell]]:
    """The port of a server, and two processes that use it."""
    port = free_port()
    with redis(port), shell(port=port, **options) as one, shell(port=port, **options) as other:
        yield port, one, other


@unittest.skipUnless(Path(REDIS).is_file(), "neither valkey-server nor redis-server is installed")
class StoreTest(unittest.TestCase):
    def test_it_does_what_every_store_of_tasks_does(self) -> None:
        port = free_port()
        with redis(port):
            done = subprocess.run([CONFORMS, str(port)], stderr=subprocess.PIPE, text=True, timeout=240)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_any_process_finds_an_entry_also_when_the_one_that_made_it_is_killed(self) -> None:
        with two() as (_port, one, other):
            self.assertEqual(one("create", "t1", "alice", "-", "-", "text"), "OK")
            one.process.kill()
            self.assertEqual(other("read", "t1", 100), "OK t1 owner=alice version=1 open kept text")

    def test_of_two_processes_that_replace_an_entry_exactly_one_wins(self) -> None:
        with two() as (_port, one, other):
            one("create", "t1", "-", "-", "-", "text")
            for process in (one, other):
                process.tell("race", "t1", 1000)
            wins = [process.answer().split() for process in (one, other)]
            self.assertEqual([word for word, _ in wins], ["OK", "OK"])
            self.assertEqual(sum(int(count) for _, count in wins), 1000)
            self.assertIn("version=1001", one("read", "t1", 100))

    def test_the_number_of_entries_has_a_limit_for_all_processes_together(self) -> None:
        with two() as (_port, one, other):
            for process in (one, other):
                process("limits", 100, 100000)
                process.tell("fill", "alice", 300)
            kept = [process.answer().split() for process in (one, other)]
            self.assertEqual(sum(int(count) for _, count in kept), 100)

    def test_the_entries_of_all_owners_have_a_limit_for_all_processes_together(self) -> None:
        with two(max_tasks=100) as (_port, one, other):
            one.tell("fill", "alice", 300)
            other.tell("fill", "bob", 300)
            kept = [process.answer().split() for process in (one, other)]
            self.assertEqual(sum(int(count) for _, count in kept), 100)

    def test_the_bytes_of_all_owners_have_a_limit(self) -> None:
        with two(max_bytes=10) as (_port, one, other):
            self.assertEqual(one("create", "t1", "alice", "-", "-", "1234567"), "OK")
            self.assertEqual(other("create", "t2", "bob", "-", "-", "1234"), "SIZE")
            self.assertEqual(other("create", "t2", "bob", "-", "-", "123"), "OK")
            self.assertEqual(other("replace", "t2", 2, "-", 0, "-", "1234"), "SIZE")

    def test_entries_that_have_gone_leave_nothing_behind(self) -> None:
        with two() as (port, one, _other):
            for i in range(20):
                self.assertEqual(one("create", f"t{i}", "alice", 50, "-", "text"), "OK")
            one("create", "r", "bob", "-", "-", "text")
            one("remove", "r")
            eventually(lambda: told(port, "KEYS mcpw:task:*") == b"*0\r\n")
            time.sleep(0.01)
            one("create", "t", "carol", "-", "-", "text")
            one("remove", "t")
            eventually(one.is_connected)
            worker = one("worker").split()[1]
            left = told(port, "KEYS mcpw:*").split(b"\r\n")[2::2]
            self.assertEqual([key for key in left if not key.startswith(b"mcpw:worker")], [])
            self.assertIn(f"mcpw:worker:{worker}".encode(), left)

    def test_an_entry_that_redis_has_dropped_is_out_of_lists(self) -> None:
        with two() as (port, one, other):
            for i in range(3):
                one("create", f"t{i}", "alice", "-", "-", "text")
            told(port, "DEL mcpw:task:t1")
            self.assertEqual(other("list", "alice", "-", 10).count("text"), 2)
            self.assertEqual(number(port, "HGET mcpw:tasks:bytes +alice"), 8)

    def test_ids_have_no_other_characters(self) -> None:
        with two() as (_port, one, _other):
            for name in ("a*b", "a:b", "ü", "a.b", "x" * 65):
                self.assertEqual(one("create", name, "-", "-", "-", "text"), "ARGUMENT")
                self.assertEqual(one("read", name, 100), "NOT_FOUND ")
                self.assertEqual(one("remove", name), "OK")
                self.assertEqual(one("list", "-", name, 5), "NOT_FOUND ")
            self.assertEqual(one("create", "x", "-", "-", "a*b", "text"), "ARGUMENT")

    def test_an_owner_may_not_be_too_long(self) -> None:
        with two() as (_port, one, _other):
            self.assertEqual(one("create", "t", "x" * 8192, "-", "-", "text"), "OK")
            self.assertIn("version=1", one("read", "t", 10))
            self.assertEqual(one("create", "u", "x" * 8193, "-", "-", "text"), "ARGUMENT")

    def test_a_script_that_is_forgotten_is_sent_again(self) -> None:
        with two() as (port, one, _other):
            one("create", "t1", "-", "-", "-", "text")
            told(port, "SCRIPT FLUSH")
            self.assertEqual(one("create", "t2", "-", "-", "-", "text"), "OK")
            told(port, "SCRIPT FLUSH")
            self.assertIn("version=1", one("read", "t2", 10))


@unittest.skipUnless(Path(REDIS).is_file(), "neither valkey-server nor redis-server is installed")
class ConnectionTest(unittest.TestCase):
    def test_an_entry_is_kept_although_the_server_is_killed(self) -> None:
        port = free_port()
        with tempfile.TemporaryDirectory() as folder, shell(port=port, retry_ms=10) as one:
            with redis(port, *ALWAYS, "--dir", folder):
                eventually(lambda: one("create", "t1", "alice", "-", "-", "text") == "OK")
                self.assertEqual(one("replace", "t1", 2, "-", 1, "-", "done"), "OK")
            with redis(port, *ALWAYS, "--dir", folder):
                eventually(lambda: one("read", "t1", 10).endswith("version=2 final kept done"))
                self.assertEqual(one("replace", "t1", 3, "-", 1, "-", "again"), "STATE")

    def test_without_a_server_calls_fail_until_there_is_one(self) -> None:
        port = free_port()
        with shell(port=port, retry_ms=10) as one:
            self.assertEqual(one("create", "t1", "-", "-", "-", "text"), "IO")
            self.assertEqual(one("read", "t1", 10), "IO ")
            self.assertEqual(one("list", "-", "-", 10), "IO ")
            self.assertEqual(one("remove", "t1"), "IO")
            self.assertFalse(one.is_connected())
            with redis(port):
                eventually(lambda: one("create", "t1", "-", "-", "-", "text") == "OK")
                eventually(one.is_connected)
            eventually(lambda: not one.is_connected())

    def test_a_connection_that_was_closed_meanwhile_is_made_again(self) -> None:
        with two() as (port, one, _other):
            self.assertEqual(one("create", "t1", "-", "-", "-", "text"), "OK")
            told(port, "CLIENT KILL TYPE normal")
            self.assertEqual(one("create", "t2", "-", "-", "-", "text"), "OK")

    def test_it_logs_in_by_a_password(self) -> None:
        port = free_port()
        with redis(port, "--requirepass", "secret"), shell(port=port, password="secret") as one:
            self.assertEqual(one("create", "t1", "-", "-", "-", "text"), "OK")
            eventually(one.is_connected)
            with shell(port=port, password="wrong") as stranger, shell(port=port) as nobody:
                self.assertEqual(stranger("read", "t1", 10), "IO ")
                self.assertEqual(nobody("read", "t1", 10), "IO ")
                self.assertFalse(stranger.is_connected() or nobody.is_connected())

    def test_it_logs_in_as_a_user(self) -> None:
        port = free_port()
        with redis(port):
            told(port, "ACL SETUSER worker on >secret ~* +@all")
            told(port, "ACL SETUSER default off")
            with shell(port=port, user="worker", password="secret") as one:
                self.assertEqual(one("create", "t1", "-", "-", "-", "text"), "OK")
            with shell(port=port, user="stranger", password="secret") as stranger:
                self.assertEqual(stranger("read", "t1", 10), "IO ")

    def test_it_connects_by_a_unix_socket(self) -> None:
        port = free_port()
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/socket"
            with redis(port, "--unixsocket", path), shell(address=path) as one:
                self.assertEqual(one("create", "t1", "-", "-", "-", "text"), "OK")
                eventually(one.is_connected)

    def test_a_wrong_config_is_refused(self) -> None:
        for option in ("address=localhost", "user=alice", "worker_ttl_ms=299", "retry_ms=86400001"):
            name, _, value = option.partition("=")
            with shell(**{name: value}) as one:
                self.assertIn("store of tasks", one.answer())
                self.assertEqual(one.process.wait(TIMEOUT), 1)

    def test_replicas_that_are_asked_for_must_have_a_change(self) -> None:
        port, copy = free_port(), free_port()
        with contextlib.ExitStack() as stack:
            stack.enter_context(redis(port))
            replica = stack.enter_context(redis(copy, "--replicaof", f"127.0.0.1 {port}"))
            one = stack.enter_context(shell(port=port, replicas=1, patience_ms=2000, retry_ms=10))
            eventually(lambda: b"connected_slaves:1" in told(port, "INFO replication"))
            eventually(lambda: one("create", f"t{time.monotonic_ns()}", "-", "-", "-", "text") == "OK")
            replica.send_signal(signal.SIGSTOP)
            self.assertEqual(one("create", "late", "-", "-", "-", "text"), "IO")
            replica.send_signal(signal.SIGCONT)


@unittest.skipUnless(Path(REDIS).is_file(), "neither valkey-server nor redis-server is installed")
class WorkerTest(unittest.TestCase):
    def test_a_worker_is_known_as_soon_as_it_has_a_task(self) -> None:
        with two() as (_port, one, other):
            one("create", "t1", "-", "-", "me", "text")
            self.assertIn("kept", other("read", "t1", 10))

    def test_a_task_of_nobody_is_no_orphan(self) -> None:
        with two() as (_port, one, other):
            one("create", "t1", "-", "-", "-", "text")
            self.assertIn("kept", other("read", "t1", 10))

    def test_a_worker_is_kept_alive_whatever_its_main_thread_does(self) -> None:
        with two(worker_ttl_ms=3000) as (port, one, _other):
            eventually(one.is_connected)
            key = "mcpw:worker:" + one("worker").split()[1]
            for _beat in range(3):
                eventually(lambda: 0 < number(port, f"PTTL {key}") < 2400)
                eventually(lambda: number(port, f"PTTL {key}") > 2400)

    def test_tasks_of_a_killed_process_are_orphans_also_for_the_one_that_follows_it(self) -> None:
        with two(worker_ttl_ms=1000) as (port, one, other):
            one("create", "t1", "-", "-", "me", "text")
            one.process.kill()
            eventually(lambda: "orphan" in other("read", "t1", 10))
            self.assertIn("orphan", other("list", "-", "-", 10))
            with shell(port=port) as again:
                self.assertIn("orphan", again("read", "t1", 10))
                self.assertNotEqual(again("worker"), other("worker"))

    def test_tasks_of_a_process_that_ends_by_itself_are_orphans_at_once(self) -> None:
        with two(worker_ttl_ms=3600000) as (_port, one, other):
            one("create", "t1", "-", "-", "me", "text")
            self.assertIn("kept", other("read", "t1", 10))
            self.assertEqual(one.end(), 0)
            self.assertIn("orphan", other("read", "t1", 10))

    def test_a_stopped_process_learns_what_has_become_of_its_task(self) -> None:
        with two(worker_ttl_ms=1000) as (_port, one, other):
            one("follow")
            one("create", "t1", "-", "-", "me", "text")
            one("create", "t2", "-", "-", "me", "text")
            eventually(one.is_connected)
            one.process.send_signal(signal.SIGSTOP)
            eventually(lambda: "orphan" in other("read", "t1", 10))
            self.assertEqual(other("replace", "t1", 2, "-", 1, "-", "failed"), "OK")
            one.process.send_signal(signal.SIGCONT)
            self.assertEqual(one.hears(), "t1")
            self.assertEqual(one("replace", "t1", 2, "-", 1, "me", "done"), "STATE")
            eventually(lambda: "kept" in other("read", "t2", 10))  # nobody has failed that one

    def test_the_end_of_a_worker_is_heard(self) -> None:
        with two(worker_ttl_ms=600) as (port, one, other), shell(port=port, worker_ttl_ms=600) as third:
            one("follow")
            third("follow")
            for process in (one, other, third):
                eventually(process.is_connected)
            other("create", "t1", "-", "-", "me", "text")
            other.process.kill()
            one.hears_at_last("-")
            self.assertIn("orphan", one("read", "t1", 10))
            third.hears_at_last("-")
            third.end()
            one.hears_at_last("-")

    def test_workers_that_ended_long_ago_are_forgotten(self) -> None:
        with two(worker_ttl_ms=300) as (port, one, other):
            eventually(lambda: told(port, "ZCARD mcpw:workers") == b":2\r\n")
            other.process.kill()
            eventually(lambda: told(port, "ZCARD mcpw:workers") == b":1\r\n")
            told(port, "DEL mcpw:workers")
            told(port, "SET mcpw:workers x")
            eventually(lambda: told(port, "ZCARD mcpw:workers") == b":1\r\n")
            eventually(one.is_connected)

    def test_own_tasks_are_no_orphans(self) -> None:
        with two() as (port, one, _other):
            one("create", "t1", "-", "-", "me", "text")
            told(port, "DEL mcpw:worker:" + one("worker").split()[1])
            self.assertIn("kept", one("read", "t1", 10))


@unittest.skipUnless(Path(REDIS).is_file(), "neither valkey-server nor redis-server is installed")
class FollowTest(unittest.TestCase):
    def test_replacements_by_others_are_heard_once_each_and_own_ones_not(self) -> None:
        with two() as (_port, one, other):
            one("follow")
            eventually(one.is_connected)
            one("create", "t1", "-", "-", "-", "text")
            other("create", "t2", "-", "-", "-", "text")
            for version in range(2, 12):
                one("replace", "t1", version, "-", 0, "-", "own")
                other("replace", "t2", version, "-", 0, "-", "other")
            other("create", "end", "-", "-", "-", "text")
            other("replace", "end", 2, "-", 0, "-", "text")
            self.assertEqual([one.hears() for _ in range(11)], ["t2"] * 10 + ["end"])

    def test_nothing_is_heard_after_the_end_of_following(self) -> None:
        with two() as (_port, one, other):
            one("follow")
            eventually(one.is_connected)
            other("create", "t1", "-", "-", "-", "text")
            other("replace", "t1", 2, "-", 0, "-", "text")
            self.assertEqual(one.hears(), "t1")
            one("unfollow")
            other("replace", "t1", 3, "-", 0, "-", "text")
            other("create", "t2", "-", "-", "-", "text")
            time.sleep(0.1)
            one("follow")
            other("replace", "t2", 2, "-", 0, "-", "text")
            self.assertEqual(one.hears(), "t2")

    def test_replacements_while_the_connection_is_broken_are_heard_later(self) -> None:
        with two(retry_ms=300) as (port, one, other):
            one("follow")
            eventually(one.is_connected)
            for i in range(5):
                other("create", f"t{i}", "-", "-", "-", "text")
            told(port, "CLIENT KILL TYPE normal")
            for i in range(5):
                self.assertEqual(other("replace", f"t{i}", 2, "-", 0, "-", "text"), "OK")
            self.assertEqual([one.hears() for _ in range(5)], [f"t{i}" for i in range(5)])

    def test_who_was_away_for_longer_than_the_log_looks_at_all(self) -> None:
        with two(max_log=1) as (_port, one, other):
            one("follow")
            eventually(one.is_connected)
            other("create", "t1", "-", "-", "-", "text")
            other("replace", "t1", 2, "-", 0, "-", "text")
            self.assertEqual(one.hears(), "t1")
            one.process.send_signal(signal.SIGSTOP)
            for version in range(3, 1003):
                other("replace", "t1", version, "-", 0, "-", "text")
            one.process.send_signal(signal.SIGCONT)
            one.hears_at_last("-")
            other("create", "t2", "-", "-", "-", "text")
            other("replace", "t2", 2, "-", 0, "-", "text")
            one.hears_at_last("t2")

    def test_a_log_that_was_deleted_begins_again(self) -> None:
        with two() as (port, one, other):
            one("follow")
            eventually(one.is_connected)
            other("create", "t1", "-", "-", "-", "text")
            for version in range(2, 5):
                other("replace", "t1", version, "-", 0, "-", "text")
                self.assertEqual(one.hears(), "t1")
            time.sleep(0.01)  # ids of entries are times in ms
            told(port, "DEL mcpw:tasks:log")
            other("replace", "t1", 5, "-", 0, "-", "text")
            self.assertEqual(one.hears(), "-")
            other("replace", "t1", 6, "-", 0, "-", "text")
            self.assertEqual(one.hears(), "t1")


@unittest.skipUnless(Path(REDIS).is_file(), "neither valkey-server nor redis-server is installed")
class DamageTest(unittest.TestCase):
    DAMAGES = (
        "HDEL {} owner",
        "HDEL {} version",
        "HDEL {} expires",
        "HDEL {} final",
        "HDEL {} worker",
        "HDEL {} text",
        "HSET {} owner alice",
        "HSET {} owner -alice",
        'HSET {} owner ""',
        'HSET {} owner "+\\xff"',
        "HSET {} owner +" + "x" * 8193,
        "HSET {} version 0",
        "HSET {} version 01",
        "HSET {} version -1",
        "HSET {} version 1x",
        'HSET {} version ""',
        "HSET {} version 18446744073709551616",
        "HSET {} version 118446744073709551616",
        "HSET {} expires never",
        "HSET {} expires 18446744073709551616",
        "HSET {} final 2",
        "HSET {} final 11",
        'HSET {} final ""',
        "HSET {} worker ../../x",
        "HSET {} worker " + "a" * 65,
        'HSET {} text "\\xff"',
        'HSET {} text "\\xed\\xa0\\x80"',
        'HSET {} text "cut \\xc3"',
    )

    def test_damaged_entries_are_no_entries_and_the_others_are_served(self) -> None:
        with two() as (port, one, other):
            one("create", "good", "alice", "-", "-", "text")
            for i, damage in enumerate(self.DAMAGES):
                self.assertEqual(one("create", f"t{i}", "alice", "-", "-", "text"), "OK")
                self.assertTrue(told(port, damage.format(f"mcpw:task:t{i}")).startswith(b":"), damage)
                self.assertEqual(other("read", f"t{i}", 100), "FORMAT ", damage)
            self.assertEqual(other("list", "alice", "-", 100), "OK good owner=alice version=1 open kept text")
            self.assertEqual(other("replace", "good", 2, "-", 1, "-", "done"), "OK")

    def test_an_entry_of_another_owner_is_not_in_a_list(self) -> None:
        with two() as (port, one, other):
            one("create", "t1", "alice", "-", "-", "text")
            one("create", "t2", "bobby", "-", "-", "text")
            told(port, "ZADD mcpw:tasks:order:+bobby 1 t1")
            self.assertEqual(other("list", "bobby", "-", 9), "OK t2 owner=bobby version=1 open kept text")

    def test_keys_of_another_type_are_told_apart(self) -> None:
        with two() as (port, one, _other):
            one("create", "t1", "alice", "-", "-", "text")
            told(port, "SET mcpw:task:t2 x")
            self.assertEqual(one("read", "t2", 100), "FORMAT ")
            self.assertEqual(one("replace", "t2", 2, "-", 0, "-", "text"), "FORMAT")
            self.assertEqual(one("create", "t2", "alice", "-", "-", "text"), "DUPLICATE")
            self.assertEqual(one("remove", "t2"), "OK")
            self.assertEqual(one("create", "t2", "alice", "-", "-", "text"), "OK")
            told(port, "DEL mcpw:tasks:order:+alice")
            told(port, "SET mcpw:tasks:order:+alice x")
            self.assertEqual(one("create", "t3", "alice", "-", "-", "text"), "FORMAT")
            self.assertEqual(one("list", "alice", "-", 9), "FORMAT ")
            self.assertEqual(one("create", "t3", "bob", "-", "-", "text"), "OK")
            for key in ("expiry", "kept", "bytes"):
                told(port, f"DEL mcpw:tasks:{key}")
                told(port, f"SET mcpw:tasks:{key} x")
                self.assertEqual(one("create", "t4", "bob", "-", "-", "text"), "FORMAT")
                self.assertEqual(one("replace", "t3", 2, "-", 0, "-", "text"), "FORMAT")
                self.assertIn("version=1", one("read", "t3", 100))
                self.assertIn("t3", one("list", "bob", "-", 9))
                told(port, f"DEL mcpw:tasks:{key}")
            self.assertEqual(one("create", "t4", "bob", "-", "-", "text"), "OK")

    def test_an_entry_that_is_too_long_is_not_read(self) -> None:
        with two() as (port, one, _other):
            one("create", "t1", "-", "-", "-", "text")
            told(port, "SETRANGE x 100000000 y")
            told(port, "EVAL \"redis.call('HSET','mcpw:task:t1','text',redis.call('GET','x'))\" 0")
            self.assertEqual(one("read", "t1", 1000), "SIZE ")
            self.assertEqual(one("create", "t2", "-", "-", "-", "text"), "OK")

    def test_numbers_that_are_none_do_no_harm(self) -> None:
        with two() as (port, one, _other):
            one("create", "t1", "alice", "-", "-", "text")
            for value in ("x", "-5", "nan", '""'):
                told(port, f"HSET mcpw:tasks:bytes * {value} +alice {value}")
                told(port, f"HSET mcpw:tasks:kept t1 {value}")
                self.assertEqual(one("create", "t2", "alice", "-", "-", "text"), "OK")
                self.assertEqual(one("remove", "t2"), "OK")

    def test_a_log_of_another_making_stops_nothing(self) -> None:
        with two() as (port, one, other):
            one("follow")
            eventually(one.is_connected)
            other("create", "t1", "-", "-", "-", "text")
            told(port, "SET mcpw:tasks:log x")
            self.assertEqual(other("replace", "t1", 2, "-", 0, "-", "text"), "OK")
            self.assertEqual(one.hears(), "t1")
            for entry in ("a b", "n x id t1 by x", "n 4 id a*b by x", "n 4 id t1", 'n "" id "" by ""'):
                told(port, f"XADD mcpw:tasks:log * {entry}")
            self.assertEqual(other("replace", "t1", 3, "-", 0, "-", "text"), "OK")
            one.hears_at_last("-")
            other("replace", "t1", 4, "-", 0, "-", "text")
            one.hears_at_last("t1")

    def test_a_log_with_huge_entries_is_passed_over(self) -> None:
        with two(retry_ms=10) as (port, one, other):
            one("follow")
            eventually(one.is_connected)
            other("create", "t1", "-", "-", "-", "text")
            told(port, "SETRANGE x 1000000 y")
            told(port, "EVAL \"redis.call('XADD','mcpw:tasks:log','*','n',redis.call('GET','x'))\" 0")
            self.assertEqual(one.hears(), "-")
            eventually(one.is_connected)
            other("replace", "t1", 2, "-", 0, "-", "text")
            self.assertIn(one.hears(), ("-", "t1"))
            other("replace", "t1", 3, "-", 0, "-", "text")
            one.hears_at_last("t1")


if __name__ == "__main__":
    unittest.main()
