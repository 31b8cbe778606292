# SPDX-License-Identifier: MIT
"""add_subdirectory and FetchContent."""

import unittest

from tests.package.support import HERE, REVISIONS, ROOT, PackageTest, run


class InTree(PackageTest):
    """A project that holds the sources of mcpwire. Its CMakeLists.txt checks that nothing leaks into it."""

    def targets(self) -> str:
        return self.succeed(self.build("--target", "help"))

    def test_add_subdirectory(self) -> None:
        build = self.consumer(parts="codec.c;session.cpp", source="subdirectory")
        self.check_codec(build / "codec_c")
        self.check_session(build / "session_cpp")
        self.assertFalse(list(build.glob("**/*.so*")), "the kind that is not linked need not be built")
        for name in ("unit_", "example_", "fuzz_", "guide_", "uninstall"):
            self.assertNotIn(name, self.targets())
        cache = (build / "CMakeCache.txt").read_text("utf-8")
        self.assertIn("MCPW_BUILD_TESTS:BOOL=OFF\n", cache)

    def test_on_its_own_it_says_that_it_builds_the_tests(self) -> None:
        told = "The tests are built too, which takes most of the time: -DMCPW_BUILD_TESTS=OFF leaves them out"
        self.assertIn(told, self.succeed(self.configure(ROOT, build="with")))
        self.assertNotIn(told, self.succeed(self.configure(ROOT, "-DMCPW_BUILD_TESTS=OFF", build="without")))

    def test_sessions_link_the_library_of_threads_where_that_is_one(self) -> None:
        given = ("-DMCPW_BUILD_TESTS=OFF", "-DCMAKE_HAVE_LIBC_PTHREAD=OFF")
        self.succeed(self.configure(ROOT, *given, build="with"))
        told = (self.folder / "with/package/mcpwire-session.pc").read_text("utf-8")
        self.assertIn("\nLibs.private: -lpthread\n", told)
        found = ("PTHREADS_CREATE", "PTHREAD_CREATE")
        lacking = (*(f"-DCMAKE_HAVE_{name}=OFF" for name in found), "-DTHREADS_HAVE_PTHREAD_ARG=OFF")
        done = self.configure(ROOT, *given, *lacking, build="without")
        self.refused(done, "Sessions need POSIX threads", "-DMCPW_BUILD_SESSION=OFF builds the codec alone")
        self.succeed(self.configure(ROOT, *given, *lacking, "-DMCPW_BUILD_SESSION=OFF", build="codec"))

    def test_fetch_content_with_another_pin(self) -> None:
        given = (
            "-DBUILD_SHARED_LIBS=ON",
            "-DCMAKE_UNITY_BUILD=ON",
            "-DMCPW_PIN=2025-06-18",
            "-DMCPW_REVISIONS=2024-11-05;2025-06-18;2026-07-28",
        )
        build = self.consumer(*given, parts="codec.c;codec.cpp", source="fetch")
        self.check_codec(build / "codec_c", pin="2025-06-18")
        self.assertIn("cpp17", self.succeed(run([build / "codec_cpp"])))
        self.assertEqual(self.needed(build / "codec_c"), ["libmcpwire-2024-11-05_2025-06-18_2026-07-28.so.1"])
        installed = run(["cmake", "--install", build, "--prefix", self.folder / "prefix"])
        self.succeed(installed)
        self.assertFalse((self.folder / "prefix").exists(), "it installs nothing unless it is asked to")

    def test_sources_alone(self) -> None:
        rooms = [ROOT / "runtime" / name for name in ("base", "json", "codec")]
        found = [path for room in rooms for path in room.glob("*.c")]
        others = ("_small", "_win", "_none")  # variants: of the small library, of other systems
        found = [path for path in found if path.stem != "json_c" and not path.stem.endswith(others)]
        found = [path for path in found if not path.stem.startswith("lock_")]  # sessions alone take locks
        found += [ROOT / "generated" / revision / "tables.c" for revision in REVISIONS]
        folders = [
            "runtime/include",
            "generated/common",
            *(f"generated/{revision}" for revision in REVISIONS),
        ]
        flags = [f"-I{ROOT / folder}" for folder in folders]
        made = self.folder / "alone"
        sources = [HERE / "consumer/codec.c", ROOT / "generated/common/registry.c", *found]
        self.succeed(run(["cc", "-std=c11", *flags, "-o", made, *sources, "-lm"]))
        out = self.check_codec(made)
        self.assertEqual(
            [line.split()[1] for line in out.splitlines() if line.startswith("holds")], REVISIONS
        )


if __name__ == "__main__":
    unittest.main()
