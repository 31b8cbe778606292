# SPDX-License-Identifier: MIT
# Options and compiler settings that all targets share.

option(MCPW_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(MCPW_BUILD_TOOLS "Build the mcpwire command" ${PROJECT_IS_TOP_LEVEL})
get_property(_mcpw_can_share GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
option(MCPW_BUILD_STATIC "Build the static libraries" ON)
option(MCPW_BUILD_SHARED "Build the shared libraries" ${_mcpw_can_share})
option(MCPW_INSTALL "Install the libraries, headers, package files and the generator" ${PROJECT_IS_TOP_LEVEL})
option(MCPW_BUILD_SESSION "Build sessions, registries and the stdio transport" ON)
option(MCPW_WITH_SODIUM "Sign requestState and make ids of sessions over HTTP with libsodium, where it is found" ON)
option(MCPW_WITH_JSON_C "Build the bridge to json-c" ON)
option(MCPW_WITH_PCRE2 "Build the engine for patterns of JSON Schema, where PCRE2 is found" ON)
set(MCPW_WITH_HTTP AUTO CACHE STRING "Build the server and the client of HTTP: AUTO where libmicrohttpd and libcurl are found, ON or OFF")
set_property(CACHE MCPW_WITH_HTTP PROPERTY STRINGS AUTO ON OFF)
set(MCPW_WITH_HIREDIS AUTO CACHE STRING "Build what servers of HTTP share by Valkey or Redis: AUTO where hiredis is found, ON or OFF")
set_property(CACHE MCPW_WITH_HIREDIS PROPERTY STRINGS AUTO ON OFF)
# http/ needs no library: other servers and clients of HTTP attach to it. It follows the options above, and a
# small library has none.
set(MCPW_WITH_HTTP_CORE AUTO CACHE STRING "Let sessions speak HTTP, without I/O: <mcpw/http.h>; AUTO: unless MCPW_WITH_HTTP is OFF or the library is small")
set_property(CACHE MCPW_WITH_HTTP_CORE PROPERTY STRINGS AUTO ON OFF)
option(MCPW_WITH_ZLIB "Let mcpwire validate read compressed files, where zlib is found" ON)
option(MCPW_WERROR "Treat warnings as errors" OFF)
option(MCPW_NO_SIMD "Use the portable reader even where SIMD is available" OFF)
set(MCPW_SANITIZE "" CACHE STRING "Sanitizers to build with, such as address,undefined")

# The libraries that pkg-config and CMake find by themselves are those of this machine. A build for another one looks for none
# unless it is told where that one's libraries are.
set(_mcpw_told FALSE)
foreach(_name PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR)
  if(NOT "$ENV{${_name}}" STREQUAL "")
    set(_mcpw_told TRUE)
  endif()
endforeach()
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_SYSROOT OR CMAKE_FIND_ROOT_PATH OR PKG_CONFIG_EXECUTABLE OR _mcpw_told)
  set(MCPW_FIND_LIBRARIES ON)
else()
  set(MCPW_FIND_LIBRARIES OFF)
  message(STATUS "Cross-compiling: json-c, libsodium, PCRE2, zlib, libmicrohttpd, libcurl and hiredis are not looked for, as those of "
                 "this machine would be found. PKG_CONFIG_LIBDIR in the environment, CMAKE_SYSROOT or CMAKE_FIND_ROOT_PATH names the others")
endif()

# Looks for a library by pkg-config.
macro(mcpw_find_library prefix module)
  if(MCPW_FIND_LIBRARIES)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
      pkg_check_modules(${prefix} QUIET IMPORTED_TARGET GLOBAL ${module})
    endif()
  endif()
endmacro()

if(MCPW_WITH_ZLIB AND MCPW_BUILD_TOOLS AND MCPW_FIND_LIBRARIES)
  find_package(ZLIB QUIET)
endif()
if(NOT MCPW_BUILD_STATIC AND NOT MCPW_BUILD_SHARED)
  message(FATAL_ERROR "MCPW_BUILD_STATIC and MCPW_BUILD_SHARED are both off: there is nothing to build")
endif()
if(MCPW_BUILD_TESTS AND NOT MCPW_BUILD_STATIC)
  message(FATAL_ERROR "The tests need the static libraries: set MCPW_BUILD_STATIC, or MCPW_BUILD_TESTS=OFF")
endif()

# These hold in this folder and below, not for a project that adds it.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  string(REPLACE "-O2" "-O3" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")
endif()

# Warnings and sanitizers for our own targets; consumers get neither.
function(mcpw_configure target)
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion $<$<BOOL:${MCPW_WERROR}>:-Werror>)
  endif()
  if(MCPW_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${MCPW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${MCPW_SANITIZE})
  endif()
endfunction()
