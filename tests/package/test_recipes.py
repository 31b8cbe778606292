# SPDX-License-Identifier: MIT
"""The recipes of cmake/packages, each with a program that is built by its means."""

import json
import re
import shutil
import tarfile
import unittest
from pathlib import Path
from typing import List, Optional, Set

from tests.package.support import DEFAULT_PIN, HERE, ROOT, PackageTest, generator, need, run, stage

RECIPES = ROOT / "cmake/packages"
SOURCES = ("CMakeLists.txt", "LICENSE", "cmake", "codegen", "generated", "runtime", "schema", "tools")


def version() -> str:
    """The version of the tree."""
    found = re.search(r"project\(mcpwire VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text("utf-8"))
    assert found is not None
    return found.group(1)


LOGIN_PARTS = "http_login.c;oauth_issuer.c;oauth_secret.c"
LOGIN_MODULES = "libsodium libcrypto libcurl libmicrohttpd libsecret-1 json-c"
LOGIN_PACKAGES = (
    "libsodium-dev, libssl-dev, libcurl4-openssl-dev, libmicrohttpd-dev, libsecret-1-dev, libjson-c-dev"
)
MORE_PARTS = "http_redis.c;skills.c"  # the store of tasks, and skills
MORE_MODULES = "hiredis yaml-0.1"
MORE_PACKAGES = "libhiredis-dev, libyaml-dev"


def need_modules(modules: str, packages: str) -> None:
    """Skips the test if a library is not installed."""
    if run(["pkg-config", "--exists", *modules.split()]).code != 0:
        raise unittest.SkipTest(f"{modules} are not installed (Debian: {packages})")


def functions(archive: Path) -> Set[str]:
    """The functions that a static library has."""
    lines = run(["nm", "--defined-only", "--extern-only", archive]).out.splitlines()
    return {line.split()[2] for line in lines if re.match(r"^[0-9a-f]+ T mcpw_", line)}


class Vcpkg(PackageTest):
    """The overlay port. vcpkg itself needs a network; its functions are stood in for."""

    def test_manifest(self) -> None:
        manifest = json.loads((RECIPES / "vcpkg/mcpwire/vcpkg.json").read_text("utf-8"))
        self.assertEqual((manifest["name"], manifest["version"]), ("mcpwire", version()))
        port = (RECIPES / "vcpkg/mcpwire/portfile.cmake").read_text("utf-8")
        for feature in manifest["features"]:
            self.assertRegex(port, rf"\n    {feature} MCPW_", "each feature is an option of ours")
        for feature in manifest["default-features"]:
            self.assertIn(feature, manifest["features"])

    def test_portfile(self) -> None:
        need("pkg-config", "pkg-config")
        need_modules(LOGIN_MODULES, LOGIN_PACKAGES)
        need_modules(MORE_MODULES, MORE_PACKAGES)
        given = [
            f"-DPORT={RECIPES / 'vcpkg/mcpwire'}",
            f"-DWORK={self.folder / 'vcpkg'}",
            "-DFEATURES=json-c;session;sodium;oauth;oauth-jose;oauth-secret;http;http-redis;skills",
        ]
        given += ["-DVCPKG_LIBRARY_LINKAGE=static", f"-DGENERATOR={';'.join(generator())}"]
        out = self.succeed(run(["cmake", *given, "-P", HERE / "recipes/vcpkg.cmake"]))
        self.assertNotIn("not used by the project", out, "each option is known")
        prefix = self.folder / "vcpkg/packages"
        self.assertFalse((prefix / "bin").exists())
        parts = f"codec.c;json_c.c;oauth.c;oauth_jose.c;{LOGIN_PARTS};{MORE_PARTS}"
        build = self.consumer(parts=parts, prefix=prefix)
        self.check_codec(build / "codec_c")
        self.assertEqual(self.needed(build / "codec_c"), [])
        self.check_login(build / "oauth_c")
        self.check_key(build / "oauth_jose_c")
        self.check_connected(build)
        self.check_more(build)

    def test_nothing_depends_on_the_libraries_that_a_machine_has(self) -> None:
        port = (RECIPES / "vcpkg/mcpwire/portfile.cmake").read_text("utf-8")
        text = (ROOT / "cmake/McpwireOptions.cmake").read_text("utf-8")
        optional = re.findall(r'^\w+\((MCPW_WITH_\w+) .*"[^"]*\bfound\b', text, re.MULTILINE)
        self.assertIn("MCPW_WITH_OAUTH", optional)
        for name in optional:
            self.assertRegex(port, rf"{name}\b")


class Conan(PackageTest):
    """The recipe for Conan 2, without what it would have to fetch."""

    def conan(self, *arguments: object) -> str:
        program = need("conan", "none; pip install conan")
        home = {"CONAN_HOME": str(self.folder / "home")}
        return self.succeed(run([program, *arguments], cwd=self.folder, env=home))

    def test_inspect(self) -> None:
        out = self.conan("inspect", RECIPES / "conan/conanfile.py", "--format=json")
        self.assertEqual(json.loads(out[out.index("{") :])["version"], version())

    def test_what_it_takes_of_the_tree_can_be_installed(self) -> None:
        """That is all but the guide and the examples, which are not installed then."""
        (self.folder / "tree").mkdir()
        for name in SOURCES:
            here = ROOT / name
            (shutil.copytree if here.is_dir() else shutil.copy)(here, self.folder / "tree" / name)
        options = [f"-DMCPW_REVISIONS={DEFAULT_PIN}", "-DCMAKE_BUILD_TYPE=Debug"]
        options += [
            f"-DMCPW_{name}=OFF" for name in ("BUILD_SHARED", "BUILD_TESTS", "BUILD_SESSION", "WITH_JSON_C")
        ]
        self.succeed(self.configure(self.folder / "tree", *options))
        self.succeed(self.build())
        prefix = self.folder / "prefix"
        self.succeed(run(["cmake", "--install", self.folder / "build", "--prefix", prefix]))
        self.assertTrue((prefix / "bin/mcpwire").is_file())
        self.assertFalse((prefix / "share/doc/libmcpwire-dev/docs").exists())

    def use(self, *arguments: str, parts: str) -> Path:
        """Creates a package with these options, and returns where a consumer of it was built."""
        options = [f"-o=mcpwire/*:{each}" for each in ("tools=False", *arguments)]
        given = [*options, "-s=compiler.cppstd=gnu17", "-s=build_type=Debug", "--no-remote"]
        self.conan("create", RECIPES / "conan", *given, "--test-folder=")
        generators = ["-g=CMakeDeps", "-g=CMakeToolchain", f"-of={self.folder / 'deps'}"]
        self.conan("install", f"--requires=mcpwire/{version()}", *given, *generators)
        chain = f"-DCMAKE_TOOLCHAIN_FILE={self.folder / 'deps/conan_toolchain.cmake'}"
        return self.consumer(chain, "-DCMAKE_BUILD_TYPE=Debug", parts=parts)

    def engines(self) -> List[Path]:
        """The engines for patterns in Conan's packages."""
        return list((self.folder / "home").glob("p/**/p/lib/libmcpwire-pcre2*"))

    def test_create_and_use(self) -> None:
        self.conan("profile", "detect")
        build = self.use("shared=True", "sodium=False", "pcre2=False", parts="codec.c;codec.cpp;session.c")
        libraries = {str(path.parent) for path in (self.folder / "home").glob("p/**/libmcpwire.so")}
        path = {"LD_LIBRARY_PATH": ":".join(libraries)}
        self.check_codec(build / "codec_c", env=path)
        self.check_session(build / "session_c", env=path)
        self.assertEqual(self.engines(), [], "the option leaves the engine for patterns out")

    def profile_with(self, modules: str, package: str) -> None:
        """A profile whose pkg-config is that of this machine, which must have some libraries."""
        need("pkg-config", "pkg-config")
        need_modules(modules, package)
        self.conan("profile", "detect")
        with (self.folder / "home/profiles/default").open("a", encoding="utf-8") as profile:
            profile.write("[platform_tool_requires]\npkgconf/2.0.0\n")

    def test_the_other_parts_use_the_libraries_of_conan(self) -> None:
        self.profile_with(LOGIN_MODULES, LOGIN_PACKAGES)
        need_modules(MORE_MODULES, MORE_PACKAGES)
        recipes = ("libsodium", "openssl", "libcurl", "libmicrohttpd", "libsecret", "hiredis", "libyaml")
        for recipe in recipes:
            self.conan("create", HERE / f"recipes/{recipe}.py", "--no-remote", "--test-folder=")
        wanted = ("http=True", "oauth_secret=True", "http_redis=True", "skills=True")
        options = ("pcre2=False", *wanted, f"revisions={DEFAULT_PIN}")
        build = self.use(*options, parts=f"codec.c;oauth.c;oauth_jose.c;{LOGIN_PARTS};{MORE_PARTS}")
        self.check_login(build / "oauth_c")
        self.check_key(build / "oauth_jose_c")
        self.check_connected(build)
        self.check_more(build)

    def test_patterns_are_checked_by_the_pcre2_of_conan(self) -> None:
        self.profile_with("libpcre2-8", "libpcre2-dev")
        jit = "-o=pcre2/*:support_jit=True"  # Conan's own is built without; mcpwire's recipe asks for it
        self.conan("create", HERE / "recipes/pcre2.py", jit, "--no-remote", "--test-folder=")
        build = self.use("session=False", f"revisions={DEFAULT_PIN}", parts="codec.c;pcre2.c")
        self.check_codec(build / "codec_c")
        self.assertIn("pattern '^a' refuses b", self.succeed(run([build / "pcre2_c"])))
        self.assertEqual(len(self.engines()), 1)


class Meson(PackageTest):
    """The wrap: mcpwire as a subproject."""

    def project(self) -> Path:
        """A user's project, with the wrap, its overlay and a source archive in subprojects/."""
        folder = self.folder / "project"
        shutil.copytree(HERE / "consumer", folder)
        shutil.copy(HERE / "recipes/meson.build", folder)
        shutil.copytree(RECIPES / "meson", folder / "subprojects")
        wrap = (folder / "subprojects/mcpwire.wrap").read_text("utf-8")
        self.assertIn(f"directory = mcpwire-{version()}\n", wrap)
        archive = folder / f"subprojects/packagefiles/mcpwire-{version()}.tar.gz"
        with tarfile.open(archive, "w:gz", compresslevel=1) as tar:
            for name in SOURCES:
                tar.add(ROOT / name, f"mcpwire-{version()}/{name}", filter=_without_caches)
        return folder

    def meson(self, *arguments: str, kind: str) -> Path:
        program = need("meson", "meson")
        need("ninja", "ninja-build")
        build = self.folder / kind
        given = [f"-Ddefault_library={kind}", "-Dbuildtype=debug", *arguments]
        self.succeed(run([program, "setup", build, *given], cwd=self.project()))
        self.succeed(run([program, "compile", "-C", build]))
        return build

    def test_static(self) -> None:
        build = self.meson("-Dmcpwire:sodium=disabled", kind="static")
        self.assertFalse((build / "oauth_c").exists(), "logins need libsodium")
        self.check_codec(build / "codec_c")
        self.assertIn("cpp17", self.succeed(run([build / "codec_cpp"])))
        self.check_session(build / "session_c")
        self.check_session(build / "session_cpp")
        self.assertEqual(self.needed(build / "session_c"), [])
        self.assertIn("--http", self.succeed(run([build / "serve_c", "--help"])))
        self.refused(run([build / "serve_c", "--http", "0"]), "was built without its HTTP server")

    def test_the_other_parts(self) -> None:
        need("pkg-config", "pkg-config")
        need_modules(LOGIN_MODULES, LOGIN_PACKAGES)
        need_modules(MORE_MODULES, MORE_PACKAGES)
        build = self.meson(
            "-Dmcpwire:oauth=enabled",
            "-Dmcpwire:oauth_jose=enabled",
            "-Dmcpwire:oauth_secret=enabled",
            "-Dmcpwire:http_client=enabled",
            "-Dmcpwire:http_redis=enabled",
            "-Dmcpwire:skills=enabled",
            f"-Dmcpwire:revisions=2024-11-05,{DEFAULT_PIN}",
            kind="static",
        )
        self.check_login(build / "oauth_c")
        self.check_key(build / "oauth_jose_c")
        self.check_connected(build)
        self.check_more(build)
        self.assert_has_every_function(build)

    def assert_has_every_function(self, build: Path) -> None:
        """Each library has the functions of that of CMake, but mcpwire::serve, which is without HTTP."""
        compared = set()
        for ours in stage().glob("lib/**/libmcpwire*.a"):
            made = list(build.glob(f"**/{ours.stem}-2024-11-05_{DEFAULT_PIN}.a"))
            if made and ours.stem != "libmcpwire-serve":
                compared.add(ours.stem)
                self.assertEqual(functions(ours) - functions(made[0]), set(), ours.stem)
        self.assertLessEqual({"libmcpwire", "libmcpwire-session", "libmcpwire-oauth"}, compared)

    def test_shared_with_some_revisions(self) -> None:
        held = f"2024-11-05,2025-06-18,{DEFAULT_PIN}"
        build = self.meson(
            f"-Dmcpwire:revisions={held}",
            "-Dmcpwire:pin=2025-06-18",
            "-Dmcpwire:session=false",
            kind="shared",
        )
        self.check_codec(build / "codec_c", pin="2025-06-18")
        self.assertEqual(self.needed(build / "codec_c"), [f"libmcpwire-{held.replace(',', '_')}.so.1"])


def _without_caches(member: tarfile.TarInfo) -> Optional[tarfile.TarInfo]:
    return None if Path(member.name).name == "__pycache__" else member


if __name__ == "__main__":
    unittest.main()
