# SPDX-License-Identifier: MIT
# Options and compiler settings that all targets share.

option(MCPW_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(MCPW_BUILD_TOOLS "Build the mcpwire command" ${PROJECT_IS_TOP_LEVEL})
option(MCPW_BUILD_SESSION "Build sessions, registries and the stdio transport" ON)
option(MCPW_WITH_SODIUM "Sign requestState with libsodium, where it is found" ON)
option(MCPW_WITH_JSON_C "Build the bridge to json-c" ON)
option(MCPW_WERROR "Treat warnings as errors" OFF)
option(MCPW_NO_SIMD "Use the portable reader even where SIMD is available" OFF)
set(MCPW_SANITIZE "" CACHE STRING "Sanitizers to build with, such as address,undefined")

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
