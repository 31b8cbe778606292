"""Logins of mcpwire whose secrets are in a Secret Service: run by tests/secret/in_session.py."""

import json
import os
import unittest
from typing import Tuple

from tests.tool.support import Result
from tests.tool.test_login import LoginTest


@unittest.skipUnless(os.environ.get("DBUS_SESSION_BUS_ADDRESS"), "there is no session")
class InKeyring(LoginTest):
    store: Tuple[str, ...] = ("--store", "secret-service")

    def assert_no_file_has_it(self) -> None:
        for path in (self.data / "mcpwire" / "logins").iterdir():
            self.assert_no_secret(path.read_text())
            self.assertNotIn("registered", path.read_text())

    def test_a_login_is_kept_used_renewed_and_removed(self) -> None:
        self.world.how.expires_in = 1
        self.assertEqual(self.login().code, 0)
        self.assert_no_file_has_it()
        self.expire()
        self.assert_in(self.call())
        self.assertEqual(self.world.count("/token", grant_type="refresh_token"), 1)
        shown = json.loads(self.whoami("--format", "json").out)
        self.assertEqual((shown["store"], shown["client_id"]), ("secret-service", "registered"))
        self.assertEqual(self.run_it("logout", self.world.mcp), Result(0, "", ""))
        self.assertEqual((self.whoami().code, self.call().code), (1, 3))
        self.assertEqual(self.kept(), [])

    def test_the_secret_of_a_client_is_in_the_keyring(self) -> None:
        self.file("secret", "the-client-secret\n")
        self.world.how.secret_of = "mine"
        self.world.how.expires_in = 1
        done = self.login(
            "--client-id", "mine", "--client-secret-file", "secret", "--issuer", self.world.issuer
        )
        self.assertEqual(done.code, 0, done.err)
        self.assert_no_file_has_it()
        self.expire()
        self.assert_in(self.call())

    def test_a_login_that_moves_leaves_no_token_behind(self) -> None:
        self.store = ()
        self.assertEqual(self.login().code, 0)
        self.assertTrue(any("access-token-1" in path.read_text() for path in self.kept()))
        self.store = ("--store", "secret-service")
        self.assertEqual(self.login().code, 0)
        for path in self.kept():
            self.assert_no_secret(path.read_text())
        self.assert_in(self.call())
        self.store = ("--store", "files")
        self.assertEqual(self.login().code, 0)
        self.assert_in(self.call())
        self.assertEqual(json.loads(self.whoami("--format", "json").out)["store"], "files")

    def test_without_a_session_the_login_is_not_reached(self) -> None:
        self.assertEqual(self.login().code, 0)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
        done = self.whoami()
        self.assertEqual(done.code, 2)
        self.assertIn("there is no Secret Service", done.err)


if __name__ == "__main__":
    unittest.main()
