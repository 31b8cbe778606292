# SPDX-License-Identifier: MIT
# An overlay port of the tree that it stands in:
#   vcpkg install mcpwire --overlay-ports=path/to/mcpwire/cmake/packages/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    http MCPW_WITH_HTTP
    http-redis MCPW_WITH_HIREDIS
    json-c MCPW_WITH_JSON_C
    oauth MCPW_WITH_OAUTH
    oauth-jose MCPW_WITH_OPENSSL
    oauth-secret MCPW_WITH_LIBSECRET
    pcre2 MCPW_WITH_PCRE2
    session MCPW_BUILD_SESSION
    skills MCPW_WITH_YAML
    sodium MCPW_WITH_SODIUM
    tools MCPW_BUILD_TOOLS
)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "static" BUILD_STATIC)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "dynamic" BUILD_SHARED)
vcpkg_find_acquire_program(PKGCONFIG)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${FEATURE_OPTIONS}
    -DMCPW_BUILD_STATIC=${BUILD_STATIC}
    -DMCPW_BUILD_SHARED=${BUILD_SHARED}
    -DMCPW_BUILD_TESTS=OFF
    -DMCPW_WITH_ZLIB=OFF
    -DMCPW_WITH_HTTP_CORE=ON
    "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}"
  MAYBE_UNUSED_VARIABLES
    PKG_CONFIG_EXECUTABLE
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/mcpwire)
vcpkg_fixup_pkgconfig()

# The generator is called through mcpwire_generate; its command would need Python in the place of a program.
file(REMOVE "${CURRENT_PACKAGES_DIR}/bin/mcpwire-codegen" "${CURRENT_PACKAGES_DIR}/debug/bin/mcpwire-codegen")
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES mcpwire AUTO_CLEAN)
endif()
if(BUILD_STATIC)
  file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/bin" "${CURRENT_PACKAGES_DIR}/debug/bin")
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
