# SPDX-License-Identifier: MIT
# Writes <mcpw/config.h>, which every header includes: what a program has to know of this build stands there and
# not in compiler options, so that it cannot disagree with the library that was installed with it.

math(EXPR MCPW_VERSION_NUMBER
     "(${PROJECT_VERSION_MAJOR} * 100 + ${PROJECT_VERSION_MINOR}) * 100 + ${PROJECT_VERSION_PATCH}")
set(_lines "")
foreach(_revision IN LISTS _mcpw_known)
  string(REPLACE "-" "" _number "${_revision}")
  if(_revision IN_LIST MCPW_REVISIONS)
    list(APPEND _lines "#define MCPW_WITH_${_number} 1")
  else()
    list(APPEND _lines "#define MCPW_WITHOUT_${_number} 1")
  endif()
endforeach()
list(JOIN _lines "\n" MCPW_CONFIG_REVISIONS)

# Definitions that leave parts out (McpwireSmall.cmake): NAME or NAME=VALUE.
set(MCPW_CONFIG_DEFINITIONS "")
foreach(_definition IN LISTS MCPW_EXTRA_DEFINITIONS)
  string(REGEX MATCH "^([A-Za-z0-9_]+)=?(.*)$" _all "${_definition}")
  set(_name "${CMAKE_MATCH_1}")
  set(_value "${CMAKE_MATCH_2}")
  if(_value STREQUAL "" AND NOT _definition MATCHES "=")
    set(_value 1) # as -D has it
  endif()
  string(APPEND MCPW_CONFIG_DEFINITIONS "\n#ifndef ${_name}\n#define ${_name} ${_value}\n#endif\n")
endforeach()

set(MCPW_CONFIG_DIR "${PROJECT_BINARY_DIR}/config")
configure_file("${PROJECT_SOURCE_DIR}/cmake/config.h.in" "${MCPW_CONFIG_DIR}/mcpw/config.h" @ONLY)
