# SPDX-License-Identifier: MIT
"""Stands in for Conan's own recipe of libsecret, which would be fetched: the library of this machine."""

import subprocess

from conan import ConanFile


def _words(kind, prefix):
    """The words of pkg-config, without the prefixes of the compiler's options."""
    done = subprocess.run(["pkg-config", kind, "libsecret-1"], capture_output=True, text=True, check=True)
    return [word[len(prefix) :] for word in done.stdout.split()]


class Libsecret(ConanFile):
    """The recipe for its user: its name for pkg-config."""

    name = "libsecret"
    version = "0.20.5"

    def package_info(self):
        self.cpp_info.set_property("pkg_config_name", "libsecret-1")
        self.cpp_info.includedirs = _words("--cflags-only-I", "-I")
        self.cpp_info.libdirs = []
        self.cpp_info.system_libs = _words("--libs-only-l", "-l")
