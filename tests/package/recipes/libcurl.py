# SPDX-License-Identifier: MIT
"""Stands in for Conan's own recipe of libcurl, which would be fetched: the library of this machine."""

from conan import ConanFile


class Libcurl(ConanFile):
    """The recipe for its user: its name for pkg-config."""

    name = "libcurl"
    version = "7.88.1"

    def package_info(self):
        self.cpp_info.set_property("pkg_config_name", "libcurl")
        self.cpp_info.includedirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.system_libs = ["curl"]
