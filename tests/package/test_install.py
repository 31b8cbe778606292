# SPDX-License-Identifier: MIT
"""cmake --install and find_package."""

import re
import unittest
from pathlib import Path

from tests.package.support import (
    INITIALIZE,
    REVISIONS,
    ROOT,
    PackageTest,
    Result,
    library_folder,
    need,
    python,
    run,
    stage,
    work,
)

PARTS = "codec.c;codec.cpp;session.c;session.cpp;json_c.c;pcre2.c;http.c;http_client.c;http_redis.c;serve.c"
PARTS += ";oauth.c;oauth_jose.c;oauth_issuer.c;http_login.c;skills.c"


def has_secret() -> bool:
    """Whether there is the part that needs libsecret."""
    return any(stage().rglob("oauth_secret.h"))


class Found(PackageTest):
    """find_package(mcpwire) gives libraries of the kind that is asked for."""

    def test_static(self) -> None:
        build = self.consumer("-DBUILD_SHARED_LIBS=OFF", parts=PARTS)
        self.check_codec(build / "codec_c")
        self.assertIn("mcpwire from cpp17", self.succeed(run([build / "codec_cpp"])))
        self.check_session(build / "session_c")
        self.check_session(build / "session_cpp")
        self.assertIn("answer 42", self.succeed(run([build / "json_c_c"])))
        self.assertIn("pattern '^a' refuses b", self.succeed(run([build / "pcre2_c"])))
        self.assertIn("it listens", self.succeed(run([build / "http_c"])))
        self.assertIn("nobody is there", self.succeed(run([build / "http_client_c"])))
        self.assertIn("not connected", self.succeed(run([build / "http_redis_c"])))
        self.assertIn("--http", self.succeed(run([build / "serve_c", "--help"])))
        self.check_login(build / "oauth_c")
        self.check_key(build / "oauth_jose_c")
        self.assertIn("a verifier", self.succeed(run([build / "oauth_issuer_c"])))
        self.assertIn("resource metadata: no response", self.succeed(run([build / "http_login_c"])))
        self.assertIn("a skill", self.succeed(run([build / "skills_c"])))
        self.assertEqual(self.needed(build / "session_c"), [])

    def test_store_in_a_keyring(self) -> None:
        if not has_secret():
            self.skipTest("libsecret is not installed")
        build = self.consumer("-DBUILD_SHARED_LIBS=OFF", parts="oauth_secret.c")
        self.assertIn("the directory of the store", self.succeed(run([build / "oauth_secret_c"])))

    def test_shared(self) -> None:
        build = self.consumer("-DBUILD_SHARED_LIBS=ON", parts=PARTS)
        self.check_codec(build / "codec_c")
        self.assertIn("mcpwire from cpp17", self.succeed(run([build / "codec_cpp"])))
        self.check_session(build / "session_c")
        self.check_session(build / "session_cpp")
        self.assertIn("answer 42", self.succeed(run([build / "json_c_c"])))
        self.assertEqual(self.needed(build / "codec_c"), ["libmcpwire.so.1"])
        self.assertIn("libmcpwire-session.so.1", self.needed(build / "session_cpp"))

    def test_components(self) -> None:
        given = (
            f"-DCONSUMER_COMPONENTS={';'.join(REVISIONS)};session;json_c;pcre2;http;http_client;http_redis;serve;"
            "oauth;oauth_jose;oauth_issuer;http_login;skills;tool;codegen"
        )
        build = self.consumer(
            given, "-DCONSUMER_VERSION=1.0", "-DCONSUMER_OPTIONAL=2010-01-01", parts="codec.c"
        )
        self.assertEqual(self.needed(build / "codec_c"), [], "what the package was built for is static")
        self.assertIn("mcpwire 1.", self.succeed(self.build("--target", "ask_tool")))

    def test_optional_component_that_is_missing(self) -> None:
        out = self.configured("-DCONSUMER_OPTIONAL=2010-01-01")
        self.assertIn("found 2010-01-01: FALSE", out)

    def test_required_component_that_is_missing(self) -> None:
        there = f"it has the revisions {', '.join(REVISIONS)}"
        there += " and the parts session, json_c, pcre2, http, http_client, http_redis, serve, oauth"
        there += ", oauth_jose, oauth_issuer, http_login"
        there += f"{', oauth_secret' if has_secret() else ''}, skills, tool, codegen"
        self.refused(self.attempt("-DCONSUMER_COMPONENTS=2025-11-25;2010-01-01"), "has no 2010-01-01:", there)

    def test_pin_that_is_missing(self) -> None:
        there = f"it has {', '.join(REVISIONS)}"
        self.refused(self.attempt("-DMCPW_PIN=2010-01-01"), "MCPW_PIN is 2010-01-01, a revision that", there)

    def test_next_major_version(self) -> None:
        self.refused(
            self.attempt("-DCONSUMER_VERSION=2"), 'compatible with requested version "2"', "version: 1."
        )

    def attempt(self, *arguments: str) -> Result:
        given = ("-DCONSUMER_FROM=package", "-DCONSUMER_PARTS=codec.c", f"-DCMAKE_PREFIX_PATH={stage()}")
        return self.configure(ROOT / "tests/package/consumer", *given, *arguments)

    def configured(self, *arguments: str) -> str:
        return self.succeed(self.attempt(*arguments))


class Installed(PackageTest):
    """The installed files, and their folders."""

    def test_destdir_has_the_same_files_under_the_prefix(self) -> None:
        self.succeed(run(["cmake", "--install", work() / "build"], env={"DESTDIR": str(self.folder)}))
        self.succeed(run(["cmake", "--install", work() / "build", "--prefix", self.folder / "prefix"]))
        there, moved = (
            {path.relative_to(self.folder / name) for path in (self.folder / name).rglob("*")}
            for name in ("usr", "prefix")
        )
        self.assertEqual(there, moved)

    def test_no_file_names_a_folder_of_the_build(self) -> None:
        for path in stage().rglob("*"):
            if path.is_file() and path.suffix not in (".a", ".0"):  # debug information may
                data = path.read_bytes()
                for folder in (str(ROOT), str(work())):
                    self.assertNotIn(folder.encode(), data, path)

    def test_command_and_its_pages(self) -> None:
        out = self.succeed(run([stage() / "bin/mcpwire", "--version"]))
        self.assertIn(", ".join(REVISIONS), out)
        pages = {path.name for path in (stage() / "share/man/man1").iterdir()}
        for name in (
            "mcpwire",
            "mcpwire-validate",
            "mcpwire-tap",
            "mcpwire-call",
            "mcpwire-convert",
            "mcpwire-login",
            "mcpwire-logout",
            "mcpwire-whoami",
            "mcpwire-codegen",
        ):
            self.assertIn(f"{name}.1", pages)

    def test_completion_of_shells(self) -> None:
        share = stage() / "share"
        debian = Path("/etc/debian_version").exists()
        for name in ("mcpwire", "mcpwire-codegen"):
            self.assertTrue((share / "bash-completion/completions" / name).is_file())
            self.assertTrue((share / f"fish/vendor_completions.d/{name}.fish").is_file())
            zsh = [path.parent.name for path in (share / "zsh").rglob(f"_{name}")]
            self.assertEqual(zsh, ["vendor-completions" if debian else "site-functions"])

    def test_generator_as_a_command(self) -> None:
        command = [python(), stage() / "bin/mcpwire-codegen"]
        self.assertIn(REVISIONS[-1], self.succeed(run([*command, "list"], cwd=self.folder)))
        self.succeed(run([*command, "generate", "--revision", REVISIONS[0]], cwd=self.folder))
        for name in ("tables.c", f"mcp/{REVISIONS[0]}.h"):
            made = (self.folder / "generated" / REVISIONS[0] / name).read_text("utf-8")
            self.assertEqual(made, (ROOT / "generated" / REVISIONS[0] / name).read_text("utf-8"))
        self.assertFalse(list(stage().rglob("__pycache__")), "a command must not write into its own folder")

    def test_guide_and_examples(self) -> None:
        """Their links hold, or have become text."""
        docs = stage() / "share/doc/libmcpwire-dev"
        for name in ("docs/README.md", "docs/guide/write-a-server.md", "docs/migration/FORMAT.md"):
            self.assertTrue((docs / name).is_file(), name)
        for page in docs.rglob("*.md"):
            prose = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
            for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", prose):
                self.assertTrue((page.parent / link).exists(), f"{page}: {link}")
        installed = {path.name for path in (docs / "examples").glob("*.c")}
        self.assertEqual(installed, {path.name for path in (ROOT / "examples").glob("*.c")})
        self.assertTrue((docs / "examples/messages" / f"{REVISIONS[0]}.ndjson").is_file())

    def test_an_installed_example_is_built_with_what_is_installed(self) -> None:
        source = stage() / "share/doc/libmcpwire-dev/examples/echo.c"
        folder = library_folder(stage())
        env = {"PKG_CONFIG_PATH": str(folder / "pkgconfig"), "LD_LIBRARY_PATH": str(folder)}
        need("pkg-config", "pkg-config")
        flags = self.succeed(run(["pkg-config", "--cflags", "--libs", "mcpwire-serve"], env=env)).split()
        self.succeed(run(["cc", "-o", self.folder / "echo", source, *flags]))
        out = self.succeed(run([self.folder / "echo"], stdin=INITIALIZE, env=env))
        self.assertIn('"protocolVersion":"2025-11-25"', out)

    def test_uninstall_removes_what_was_installed(self) -> None:
        for env in ({}, {"DESTDIR": str(self.folder / "destdir")}):
            prefix = self.folder / "prefix"
            base = Path(f"{env.get('DESTDIR', '')}{prefix}")
            theirs = base / "share/man/man1/theirs.1"
            theirs.parent.mkdir(parents=True)
            theirs.touch()
            self.succeed(run(["cmake", "--install", work() / "build", "--prefix", prefix], env=env))
            self.assertTrue((base / "bin/mcpwire").is_file())
            out = self.succeed(run(["cmake", "--build", work() / "build", "--target", "uninstall"], env=env))
            self.assertIn(f"Removing {base}/bin/mcpwire", out)
            self.assertEqual([path for path in base.rglob("*") if not path.is_dir()], [theirs])
            ours = [path for path in base.rglob("*") if re.match(r"(lib)?mcp", path.name)]
            self.assertEqual(ours, [], "folders of ours that are empty go too")

    def test_uninstall_twice(self) -> None:
        prefix = ["--prefix", self.folder / "prefix"]
        self.succeed(run(["cmake", "--install", work() / "build", *prefix]))
        for said in ("Removing", "Not there:"):
            out = self.succeed(run(["cmake", "--build", work() / "build", "--target", "uninstall"]))
            self.assertIn(f"{said} {self.folder}/prefix/bin/mcpwire", out)

    def test_sonames(self) -> None:
        folder = library_folder(stage())
        for name in ("libmcpwire", "libmcpwire-session"):
            out = self.succeed(run(["readelf", "-d", folder / f"{name}.so"]))
            self.assertRegex(out, rf"\(SONAME\).*\[{name}\.so\.1\]")
            self.assertNotIn("(RPATH)", out)
            folders = [line.split("[")[1] for line in out.splitlines() if "(RUNPATH)" in line]
            self.assertEqual(folders, ["$ORIGIN]"] if name == "libmcpwire-session" else [])

    def test_version_without_cmake_is_the_same(self) -> None:
        installed = (stage() / "include/mcpw/config.h").read_text("utf-8")
        plain = (ROOT / "runtime/include/mcpw/config.h").read_text("utf-8")
        for name in ("MCPW_VERSION", "MCPW_VERSION_NUMBER"):
            found = re.search(rf"#define {name} (\S+)", installed)
            assert found is not None
            self.assertIn(found.group(), plain)


class Trimmed(PackageTest):
    """A package with two revisions and without the optional parts."""

    def test_holds_what_it_was_built_with(self) -> None:
        held = ["2025-03-26", "2025-11-25"]
        prefix = self.folder / "prefix"
        named = ";".join([*reversed(held), held[0]])  # in any order, and twice
        options = [f"-DMCPW_REVISIONS={named}", "-DCMAKE_BUILD_TYPE=Debug", "-DMCPW_BUILD_TESTS=OFF"]
        left_out = ("BUILD_STATIC", "BUILD_SESSION", "BUILD_TOOLS", "WITH_JSON_C", "WITH_PCRE2")
        options += [f"-DMCPW_{name}=OFF" for name in left_out]
        self.succeed(self.configure(ROOT, *options, build="library"))
        self.succeed(self.build(build="library"))
        self.succeed(run(["cmake", "--install", self.folder / "library", "--prefix", prefix]))

        build = self.consumer(parts="codec.c", prefix=prefix)
        out = self.check_codec(build / "codec_c", pin="2025-11-25")
        self.assertEqual(re.findall(r"holds (\S+)", out), held)
        self.assertEqual(self.needed(build / "codec_c"), ["libmcpwire-2025-03-26_2025-11-25.so.1"])
        self.assertEqual(
            sorted(path.name for path in (prefix / "include/mcp").iterdir() if path.is_dir()), held
        )
        self.assertFalse((prefix / "include/mcpw/json_c.h").exists())

        for component in ("2026-07-28", "session", "json_c"):
            with self.subTest(component=component):
                given = ["-DCONSUMER_FROM=package", f"-DCMAKE_PREFIX_PATH={prefix}"]
                again = self.configure(
                    ROOT / "tests/package/consumer",
                    *given,
                    f"-DCONSUMER_COMPONENTS={component}",
                    build=component,
                )
                self.refused(
                    again, f"has no {component}:", "revisions 2025-03-26, 2025-11-25 and the parts codegen"
                )
        plain = [
            "cc",
            "-fsyntax-only",
            f"-I{prefix}/include",
            "-DMCPW_PIN=20260728",
            ROOT / "tests/package/consumer/codec.c",
        ]
        self.refused(
            run(plain), "MCPW_PIN names 2026-07-28, but this build of mcpwire was made without that revision"
        )

    def test_without_a_part_of_the_codec_it_says_so(self) -> None:
        options = ["-DMCPW_REVISIONS=2025-11-25", "-DMCPW_WITH_STRICT=OFF", "-DCMAKE_BUILD_TYPE=Debug"]
        self.succeed(self.configure(ROOT, *options, build="library"))
        self.succeed(self.build(build="library"))
        self.succeed(run(["cmake", "--install", self.folder / "library", "--prefix", self.folder / "prefix"]))
        config = (self.folder / "prefix/include/mcpw/config.h").read_text("utf-8")
        self.assertIn("#define MCPW_NO_STRICT 1", config)
        names = sorted(path.name for path in (self.folder / "prefix").glob("lib*/**/libmcpwire*"))
        self.assertIn("libmcpwire-2025-11-25-part.a", names)
        build = self.consumer(parts="codec.c", prefix=self.folder / "prefix")
        self.check_codec(build / "codec_c", pin="2025-11-25")


if __name__ == "__main__":
    unittest.main()
