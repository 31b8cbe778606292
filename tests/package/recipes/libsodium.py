# SPDX-License-Identifier: MIT
"""Stands in for Conan's own recipe of libsodium, which would be fetched: the library of this machine."""

from conan import ConanFile


class Libsodium(ConanFile):
    """The recipe for its user: its name for pkg-config."""

    name = "libsodium"
    version = "1.0.18"

    def package_info(self):
        self.cpp_info.set_property("pkg_config_name", "libsodium")
        self.cpp_info.includedirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.system_libs = ["sodium"]
