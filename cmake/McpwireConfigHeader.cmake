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

# mcpw_write_config(FOLDER DEFINITIONS...): <mcpw/config.h> in a folder, for a library with these definitions, which leave
# parts out (McpwireSmall.cmake): NAME or NAME=VALUE.
function(mcpw_write_config folder)
  set(MCPW_CONFIG_DEFINITIONS "")
  foreach(_definition IN LISTS ARGN)
    string(REGEX MATCH "^([A-Za-z0-9_]+)=?(.*)$" _all "${_definition}")
    set(_name "${CMAKE_MATCH_1}")
    set(_value "${CMAKE_MATCH_2}")
    if(_value STREQUAL "" AND NOT _definition MATCHES "=")
      set(_value 1) # as -D has it
    endif()
    string(APPEND MCPW_CONFIG_DEFINITIONS "\n#ifndef ${_name}\n#define ${_name} ${_value}\n#endif\n")
  endforeach()
  if(NOT "${ARGN}" MATCHES "MCPW_SMALL")
    string(APPEND MCPW_CONFIG_DEFINITIONS "
#if defined(MCPW_SMALL)
#error \"This mcpwire was built without MCPW_SMALL: a program cannot define it, only the library's build can\"
#endif
")
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/config.h.in" "${folder}/mcpw/config.h" @ONLY)
endfunction()

set(MCPW_CONFIG_DIR "${PROJECT_BINARY_DIR}/config")
mcpw_write_config("${MCPW_CONFIG_DIR}" ${MCPW_EXTRA_DEFINITIONS})
