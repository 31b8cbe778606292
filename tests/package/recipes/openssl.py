# SPDX-License-Identifier: MIT
"""Stands in for Conan's own recipe of OpenSSL, which would be fetched: the library of this machine."""

from conan import ConanFile


class Openssl(ConanFile):
    """The recipe for its user: its component, its name for pkg-config."""

    name = "openssl"
    version = "3.0.0"

    def package_info(self):
        self.cpp_info.includedirs = []
        self.cpp_info.libdirs = []
        library = self.cpp_info.components["crypto"]
        library.set_property("pkg_config_name", "libcrypto")
        library.includedirs = []
        library.libdirs = []
        library.system_libs = ["crypto"]
