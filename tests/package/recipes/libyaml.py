# SPDX-License-Identifier: MIT
"""Stands in for Conan's own recipe of libyaml, which would be fetched: the library of this machine."""

from conan import ConanFile


class Libyaml(ConanFile):
    """The recipe for its user: its name for pkg-config."""

    name = "libyaml"
    version = "0.2.5"

    def package_info(self):
        self.cpp_info.set_property("pkg_config_name", "yaml-0.1")
        self.cpp_info.includedirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.system_libs = ["yaml"]
