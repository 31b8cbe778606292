# SPDX-License-Identifier: MIT
"""Stands in for Conan's own recipe of hiredis, which would be fetched: the library of this machine."""

from conan import ConanFile


class Hiredis(ConanFile):
    """The recipe for its user: its name for pkg-config."""

    name = "hiredis"
    version = "0.14.1"

    def package_info(self):
        self.cpp_info.set_property("pkg_config_name", "hiredis")
        self.cpp_info.includedirs = ["/usr/include/hiredis"]
        self.cpp_info.libdirs = []
        self.cpp_info.system_libs = ["hiredis"]
