# SPDX-License-Identifier: MIT
"""The recipes of cmake/packages, each with a program that is built by its means."""

import json
import re
import shutil
import tarfile
import unittest
from pathlib import Path
from typing import List, Optional

from tests.package.support import DEFAULT_PIN, HERE, ROOT, PackageTest, generator, need, run

RECIPES = ROOT / "cmake/packages"
SOURCES = ("CMakeLists.txt", "LICENSE", "cmake", "codegen", "generated", "runtime", "schema", "tools")


def version() -> str:
    """The version of the tree."""
    found = re.search(r"project\(mcpwire VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text("utf-8"))
    assert found is not None
    return found.group(1)


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
        given = [
            f"-DPORT={RECIPES / 'vcpkg/mcpwire'}",
            f"-DWORK={self.folder / 'vcpkg'}",
            "-DFEATURES=json-c",
        ]
        given += ["-DVCPKG_LIBRARY_LINKAGE=static", f"-DGENERATOR={';'.join(generator())}"]
        out = self.succeed(run(["cmake", *given, "-P", HERE / "recipes/vcpkg.cmake"]))
        self.assertNotIn("not used by the project", out, "each option is known")
        prefix = self.folder / "vcpkg/packages"
        self.assertFalse((prefix / "bin").exists())
        build = self.consumer(parts="codec.c;json_c.c", prefix=prefix)
        self.check_codec(build / "codec_c")
        self.assertEqual(self.needed(build / "codec_c"), [])


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
        options = [f"-o=mcpwire/*:{each}" for each in ("sodium=False", "tools=False", *arguments)]
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
        build = self.use("shared=True", "pcre2=False", parts="codec.c;codec.cpp;session.c")
        libraries = {str(path.parent) for path in (self.folder / "home").glob("p/**/libmcpwire.so")}
        path = {"LD_LIBRARY_PATH": ":".join(libraries)}
        self.check_codec(build / "codec_c", env=path)
        self.check_session(build / "session_c", env=path)
        self.assertEqual(self.engines(), [], "the option leaves the engine for patterns out")

    def test_patterns_are_checked_by_the_pcre2_of_conan(self) -> None:
        need("pkg-config", "pkg-config")
        if run(["pkg-config", "--exists", "libpcre2-8"]).code != 0:
            self.skipTest("PCRE2 is not installed (Debian: libpcre2-dev)")
        self.conan("profile", "detect")
        with (self.folder / "home/profiles/default").open("a", encoding="utf-8") as profile:
            profile.write("[platform_tool_requires]\npkgconf/2.0.0\n")  # pkg-config of this machine
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
        self.check_codec(build / "codec_c")
        self.assertIn("cpp17", self.succeed(run([build / "codec_cpp"])))
        self.check_session(build / "session_c")
        self.check_session(build / "session_cpp")
        self.assertEqual(self.needed(build / "session_c"), [])
        self.assertIn("--http", self.succeed(run([build / "serve_c", "--help"])))
        self.refused(run([build / "serve_c", "--http", "0"]), "was built without its HTTP server")

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
