# SPDX-License-Identifier: MIT
"""Stands in for Conan's own recipe of PCRE2, which would be fetched: the library of this machine."""

from typing import ClassVar

from conan import ConanFile


class Pcre2(ConanFile):
    """The recipe for its user: its option, its component, its name for pkg-config."""

    name = "pcre2"
    version = "10.42"
    options: ClassVar = {"support_jit": [True, False]}
    default_options: ClassVar = {"support_jit": False}

    def package_info(self):
        self.cpp_info.includedirs = []
        self.cpp_info.libdirs = []
        library = self.cpp_info.components["pcre2-8"]
        library.set_property("pkg_config_name", "libpcre2-8")
        library.includedirs = []
        library.libdirs = []
        library.system_libs = ["pcre2-8"]
