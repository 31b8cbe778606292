# SPDX-License-Identifier: MIT
"""Conan 2 recipe: conan create cmake/packages/conan [-o "mcpwire/*:shared=True"]."""

import re
from pathlib import Path
from typing import ClassVar

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy
from conan.tools.gnu import PkgConfigDeps

_SOURCES = (
    "CMakeLists.txt",
    "LICENSE",
    "cmake/*",
    "codegen/*",
    "generated/*",
    "runtime/*",
    "schema/*",
    "tools/*",
)


class Mcpwire(ConanFile):
    """One kind of library a package: static, or shared."""

    name = "mcpwire"
    license = "MIT"
    description = "C bindings for the Model Context Protocol, generated from its JSON Schema"
    topics = ("mcp", "model-context-protocol", "json", "codec")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options: ClassVar = {
        "shared": [True, False],
        "fPIC": [True, False],
        "session": [True, False],
        "sodium": [True, False],
        "oauth": [True, False],  # needs sodium
        "oauth_jose": [True, False],  # needs oauth
        "oauth_secret": [True, False],  # needs oauth
        "http": [True, False],  # needs session, and Linux; with oauth, clients log in
        "http_redis": [True, False],  # needs session, and Linux
        "skills": [True, False],  # needs sodium, and POSIX
        "json_c": [True, False],
        "pcre2": [True, False],
        "tools": [True, False],
        "revisions": ["all", "ANY"],  # or some, separated by commas: 2025-11-25,2026-07-28
        "pin": ["newest", "ANY"],
    }
    default_options: ClassVar = {
        "shared": False,
        "fPIC": True,
        "session": True,
        "sodium": True,
        "oauth": True,
        "oauth_jose": True,
        "oauth_secret": False,
        "http": False,
        "http_redis": False,
        "skills": False,
        "json_c": False,
        "pcre2": True,
        "pcre2/*:support_jit": True,
        "tools": True,
        "revisions": "all",
        "pin": "newest",
    }

    def _tree(self):
        return Path(self.recipe_folder).parents[2]

    def set_version(self):
        text = (self._tree() / "CMakeLists.txt").read_text("utf-8")
        self.version = re.search(r"project\(mcpwire VERSION (\S+)", text).group(1)

    def export_sources(self):
        for pattern in _SOURCES:
            copy(self, pattern, self._tree(), self.export_sources_folder, excludes="*__pycache__*")

    def config_options(self):
        if self.settings.os == "Windows":
            del self.options.fPIC
            del self.options.oauth_secret
            del self.options.skills
            self.options.tools = False
        if self.settings.os != "Linux":
            del self.options.http
            del self.options.http_redis

    def configure(self):
        if self.options.shared:
            self.options.rm_safe("fPIC")
        if not self.options.session:
            self.options.rm_safe("sodium")
            self.options.rm_safe("http")
            self.options.rm_safe("http_redis")
        if not self.options.get_safe("sodium"):
            self.options.rm_safe("oauth")
            self.options.rm_safe("skills")
        if not self.options.get_safe("oauth"):
            self.options.rm_safe("oauth_jose")
            self.options.rm_safe("oauth_secret")
        self.settings.rm_safe("compiler.libcxx")
        self.settings.rm_safe("compiler.cppstd")

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        if self.options.get_safe("sodium"):
            self.requires("libsodium/[>=1.0.18 <2]")
        if self.options.get_safe("oauth_jose"):
            self.requires("openssl/[>=3 <4]")
        if self.options.get_safe("http"):
            self.requires("libmicrohttpd/[>=0.9.71 <2]")
            self.requires("libcurl/[>=7.85 <9]")
        if self.options.get_safe("http_redis"):
            self.requires("hiredis/[>=0.14 <2]")
        if self.options.get_safe("skills"):
            self.requires("libyaml/[>=0.2 <1]")
        if self.options.get_safe("oauth_secret"):
            self.requires("libsecret/[>=0.19 <1]")
        if self.options.json_c:
            self.requires("json-c/[>=0.15 <1]", transitive_headers=True, transitive_libs=True)
        if self.options.pcre2:
            self.requires("pcre2/[>=10.30 <11]")

    def build_requirements(self):
        if any(self.options.get_safe(name) for name in ("sodium", "http_redis", "json_c", "pcre2")):
            self.tool_requires("pkgconf/[>=2 <3]")

    def generate(self):
        chain = CMakeToolchain(self)
        chain.user_presets_path = False
        chain.cache_variables.update(
            {
                "MCPW_BUILD_STATIC": not self.options.shared,
                "MCPW_BUILD_SHARED": bool(self.options.shared),
                "MCPW_BUILD_SESSION": bool(self.options.session),
                "MCPW_WITH_SODIUM": bool(self.options.get_safe("sodium")),
                "MCPW_WITH_OAUTH": bool(self.options.get_safe("oauth")),
                "MCPW_WITH_OPENSSL": bool(self.options.get_safe("oauth_jose")),
                "MCPW_WITH_JSON_C": bool(self.options.json_c),
                "MCPW_WITH_PCRE2": bool(self.options.pcre2),
                "MCPW_BUILD_TOOLS": bool(self.options.tools),
                "MCPW_BUILD_TESTS": False,
                "MCPW_WITH_HTTP": bool(self.options.get_safe("http")),
                "MCPW_WITH_HTTP_CORE": True,
                "MCPW_WITH_HIREDIS": bool(self.options.get_safe("http_redis")),
                "MCPW_WITH_LIBSECRET": bool(self.options.get_safe("oauth_secret")),
                "MCPW_WITH_YAML": bool(self.options.get_safe("skills")),
                "MCPW_WITH_ZLIB": False,
            }
        )
        if self.options.revisions != "all":
            chain.cache_variables["MCPW_REVISIONS"] = str(self.options.revisions).replace(",", ";")
        if self.options.pin != "newest":
            chain.cache_variables["MCPW_PIN"] = str(self.options.pin)
        chain.generate()
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, str(Path(self.package_folder) / "licenses"))

    def _suffix(self):
        held = str(self.options.revisions)
        return "" if held == "all" else "-" + held.replace(",", "_")

    def _part(self, name, *requires):
        """Adds a library."""
        words = name.replace("_", "-")
        part = self.cpp_info.components[name]
        part.libs = [f"mcpwire-{words}{self._suffix()}"]
        part.requires = list(requires)
        part.set_property("cmake_target_name", f"mcpwire::{name}")
        part.set_property("pkg_config_name", f"mcpwire-{words}")

    def package_info(self):
        suffix = self._suffix()
        self.cpp_info.set_property("cmake_file_name", "mcpwire")
        codec = self.cpp_info.components["mcpwire"]
        codec.libs = [f"mcpwire{suffix}"]
        codec.set_property("cmake_target_name", "mcpwire::mcpwire")
        codec.set_property("pkg_config_name", "mcpwire")
        codec.system_libs = ["m"] if self.settings.os != "Windows" else []
        if self.options.shared:
            codec.defines = ["MCPW_SHARED"]
        pinned = self.cpp_info.components["pinned"]  # the pin stands in <mcpw/config.h>
        pinned.requires = ["mcpwire"]
        pinned.set_property("cmake_target_name", "mcpwire::pinned")
        pinned.includedirs = []
        if self.options.session:
            session = self.cpp_info.components["session"]
            session.libs = [f"mcpwire-session{suffix}"]
            session.requires = ["mcpwire"] + (
                ["libsodium::libsodium"] if self.options.get_safe("sodium") else []
            )
            session.set_property("cmake_target_name", "mcpwire::session")
            session.set_property("pkg_config_name", "mcpwire-session")
            if self.settings.os != "Windows":
                serve = self.cpp_info.components["serve"]
                serve.libs = [f"mcpwire-serve{suffix}"]
                serve.requires = ["session"] + (["http"] if self.options.get_safe("http") else [])
                serve.set_property("cmake_target_name", "mcpwire::serve")
                serve.set_property("pkg_config_name", "mcpwire-serve")
        for name, *requires in (
            ("oauth", "session", "libsodium::libsodium"),
            ("oauth_jose", "oauth", "openssl::crypto"),
            ("oauth_secret", "oauth", "libsecret::libsecret"),
            ("http", "session", "libmicrohttpd::libmicrohttpd"),
            ("http_redis", "session", "hiredis::hiredis"),
            ("skills", "session", "libsodium::libsodium", "libyaml::libyaml"),
        ):
            if self.options.get_safe(name):
                self._part(name, *requires)
        if self.options.get_safe("http"):
            self._part("http_client", "session", "libcurl::libcurl")
            if self.options.get_safe("oauth"):
                self._part("http_login", "http_client", "oauth")
            if self.options.get_safe("oauth_jose"):
                self._part("oauth_issuer", "http_client", "oauth_jose")
        if self.options.json_c:
            bridge = self.cpp_info.components["json_c"]
            bridge.libs = [f"mcpwire-json_c{suffix}"]
            bridge.requires = ["mcpwire", "json-c::json-c"]
            bridge.set_property("cmake_target_name", "mcpwire::json_c")
            bridge.set_property("pkg_config_name", "mcpwire-json_c")
        if self.options.pcre2:
            engine = self.cpp_info.components["pcre2"]
            engine.libs = [f"mcpwire-pcre2{suffix}"]
            engine.requires = ["mcpwire", "pcre2::pcre2-8"]
            engine.set_property("cmake_target_name", "mcpwire::pcre2")
            engine.set_property("pkg_config_name", "mcpwire-pcre2")
