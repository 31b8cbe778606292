# SPDX-License-Identifier: MIT
"""MCPW_WITH_HTTP, _HIREDIS: AUTO builds what has a library, ON is an error without it, OFF looks for none."""

import re
import unittest
from typing import List
from unittest import mock

from tests.package.support import ROOT, PackageTest, Result, need

PARTS = ("mcpwire_http", "mcpwire_http_client", "mcpwire_http_redis")


class HttpOption(PackageTest):
    def with_http(self, value: str, *more: str) -> Result:
        options = (f"-DMCPW_WITH_{library}={value}" for library in ("HTTP", "HIREDIS"))
        return self.configure(ROOT, "-DMCPW_BUILD_TESTS=OFF", *options, *more)

    def without_libraries(self, value: str, *more: str) -> Result:
        """A folder in which pkg-config finds nothing."""
        with mock.patch.dict("os.environ", PKG_CONFIG_LIBDIR=str(self.folder)):
            return self.with_http(value, *more)

    def parts(self) -> List[str]:
        """Those parts that are built."""
        targets = self.succeed(self.build("--target", "help"))
        return [part for part in PARTS if re.search(rf"\b{part}\b", targets)]

    def test_auto_leaves_out_what_has_no_library(self) -> None:
        told = self.succeed(self.without_libraries("AUTO"))
        self.assertIn("libmicrohttpd not found: the server of HTTP is left out", told)
        self.assertIn("libcurl not found: the client of HTTP is left out", told)
        self.assertIn("hiredis not found: the shared store of HTTP is left out", told)
        self.assertEqual(self.parts(), [])

    def test_on_is_an_error_without_a_library(self) -> None:
        self.refused(self.without_libraries("ON"), "MCPW_WITH_HTTP is ON, and libmicrohttpd is not found")
        alone = self.without_libraries("OFF", "-DMCPW_WITH_HIREDIS=ON")
        self.refused(alone, "MCPW_WITH_HIREDIS is ON, and hiredis is not found")

    def test_on_is_an_error_in_a_small_library(self) -> None:
        self.refused(self.with_http("ON", "-DMCPW_SMALL=ON"), "a library that is not small")

    def test_off_looks_for_no_library(self) -> None:
        told = self.succeed(self.with_http("OFF"))
        self.assertNotIn("of HTTP is left out", told)
        self.assertEqual(self.parts(), [])

    def test_off_leaves_it_out_of_sessions(self) -> None:
        told = self.succeed(self.with_http("OFF"))
        self.assertIn("HTTP is left out of the sessions, and <mcpw/http.h> is not installed", told)
        kept = self.succeed(self.with_http("OFF", "-DMCPW_WITH_HTTP_CORE=ON"))
        self.assertNotIn("HTTP is left out of the sessions", kept)
        self.refused(self.with_http("ON", "-DMCPW_WITH_HTTP_CORE=OFF"), "MCPW_WITH_HTTP_CORE is OFF")

    def test_on_builds_all_parts(self) -> None:
        need("pkg-config", "pkg-config")
        done = self.with_http("ON")
        if done.code != 0 and "is not found (Debian:" in done.out:
            self.skipTest("libmicrohttpd, libcurl or hiredis is not installed")
        self.succeed(done)
        self.assertEqual(self.parts(), list(PARTS))


if __name__ == "__main__":
    unittest.main()
