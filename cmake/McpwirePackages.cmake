# SPDX-License-Identifier: MIT
# Debian packages: configure with -DCMAKE_INSTALL_PREFIX=/usr (so that libraries go where Debian has them), build, then
# run cpack in the build folder.

set(_shared libmcpwire${PROJECT_VERSION_MAJOR})
set(_components libmcpwire-dev)
if(MCPW_BUILD_SHARED)
  list(APPEND _components ${_shared})
endif()
if(TARGET mcpwire)
  list(APPEND _components mcpwire)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME mcpwire)
set(CPACK_PACKAGE_VENDOR "mcpwire developers")
set(CPACK_PACKAGE_CONTACT "mcpwire developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_COMPONENTS_ALL ${_components})
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
find_program(MCPW_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(MCPW_SHLIBDEPS)
if(MCPW_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()

set(_about "mcpwire reads and writes the messages of the Model Context Protocol by tables generated from its\n"
           "JSON Schema: structs, validators, decoders and encoders for every type of every released revision,\n"
           "and sessions for servers and clients that speak all of them.")
string(CONCAT _about ${_about})
# mcpw_describe(COMPONENT SECTION SUMMARY REST)
function(mcpw_describe component section summary rest)
  string(TOUPPER "${component}" _name)
  foreach(_pair "PACKAGE_NAME=${component}" "PACKAGE_SECTION=${section}"
                "DESCRIPTION=${summary}\n${_about}\n${rest}")
    string(REGEX MATCH "^([A-Z_]+)=(.*)$" _all "${_pair}")
    set(CPACK_DEBIAN_${_name}_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}" PARENT_SCOPE)
  endforeach()
endfunction()
mcpw_describe(${_shared} libs "bindings for the Model Context Protocol (shared libraries)"
              "This package holds the shared libraries.")
mcpw_describe(libmcpwire-dev libdevel "bindings for the Model Context Protocol (development files)"
              "This package holds the headers, the static libraries, the CMake package, the pkg-config files,\nthe generator, mcpwire-codegen, the guide and the examples.")
mcpw_describe(mcpwire utils "tools for the Model Context Protocol"
              "This package holds the command mcpwire: it validates messages, stands between a client and a\nserver to report what breaks the rules, and lists and calls the tools of a server.")

set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(_depends "")
if(MCPW_BUILD_SHARED)
  list(APPEND _depends "${_shared} (= ${PROJECT_VERSION})")
endif()
if(TARGET mcpwire_json_c)
  list(APPEND _depends libjson-c-dev)
endif()
if(TARGET mcpwire_pcre2)
  list(APPEND _depends libpcre2-dev)
endif()
if(TARGET mcpwire_http)
  list(APPEND _depends libmicrohttpd-dev)
endif()
if(TARGET mcpwire_http_client)
  list(APPEND _depends libcurl4-openssl-dev)
endif()
if(TARGET mcpwire_http_redis)
  list(APPEND _depends libhiredis-dev)
endif()
if(MCPW_HAVE_SODIUM)
  list(APPEND _depends libsodium-dev)
endif()
list(JOIN _depends ", " CPACK_DEBIAN_LIBMCPWIRE-DEV_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_LIBMCPWIRE-DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_LIBMCPWIRE-DEV_PACKAGE_RECOMMENDS "pkg-config, python3, python3-jinja2") # pkg-config: the CMake package

include(CPack)
