# SPDX-License-Identifier: MIT
"""Stands in for Conan's own recipe of libmicrohttpd, which would be fetched: the library of this machine."""

from conan import ConanFile


class Libmicrohttpd(ConanFile):
    """The recipe for its user: its name for pkg-config."""

    name = "libmicrohttpd"
    version = "0.9.75"

    def package_info(self):
        self.cpp_info.set_property("pkg_config_name", "libmicrohttpd")
        self.cpp_info.includedirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.system_libs = ["microhttpd"]
