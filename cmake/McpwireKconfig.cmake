# SPDX-License-Identifier: MIT
# The library inside the build of another system, Zephyr or ESP-IDF: there is no project of CMake's, and Kconfig has the options.

cmake_minimum_required(VERSION 3.22) # its policies: options and cached values give way to what is set here

# The options of cmake/packages/esp_idf/Kconfig that are options of McpwireSmall.cmake.
set(_mcpw_kconfig_parts MALLOC STDIO SCHEMA REFLECTION ERROR_TEXT ERROR_PATH NAMES STRICT LENIENCY ENCODE PROJECT COPY_EQUAL MESSAGES
    JSON_TOOLS)

# mcpw_read_kconfig(FOLDER) writes <mcpw/config.h> to FOLDER, by the CONFIG_MCPWIRE_... variables. It sets MCPWIRE_SOURCES,
# MCPWIRE_INCLUDES (also for programs), MCPWIRE_PRIVATE_INCLUDES, MCPWIRE_DEFINITIONS and MCPWIRE_FLAGS. Everything else that it sets
# stays within the function.
function(mcpw_read_kconfig folder)
  get_filename_component(PROJECT_SOURCE_DIR "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" DIRECTORY)
  include("${PROJECT_SOURCE_DIR}/cmake/McpwireVersion.cmake")
  set(PROJECT_BINARY_DIR "${folder}")

  set(MCPW_REVISIONS "")
  foreach(_revision IN ITEMS 2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28)
    string(REPLACE "-" "_" _name "${_revision}")
    if(CONFIG_MCPWIRE_REVISION_${_name})
      list(APPEND MCPW_REVISIONS "${_revision}")
    endif()
  endforeach()
  if(NOT MCPW_REVISIONS)
    message(FATAL_ERROR "mcpwire: no revision is chosen: CONFIG_MCPWIRE_REVISION_2025_11_25=y chooses one")
  endif()
  list(GET MCPW_REVISIONS -1 MCPW_PIN)
  foreach(_part IN LISTS _mcpw_kconfig_parts)
    set(MCPW_WITH_${_part} OFF)
    if(CONFIG_MCPWIRE_${_part})
      set(MCPW_WITH_${_part} ON)
    endif()
  endforeach()
  set(MCPW_SMALL OFF)
  if(CONFIG_MCPWIRE_SMALL)
    set(MCPW_SMALL ON)
  endif()
  set(MCPW_FREESTANDING OFF)
  set(MCPW_WITH_HTTP_CORE OFF)
  set(MCPW_BUILD_SESSION "${CONFIG_MCPWIRE_SESSION}")
  foreach(_variable IN ITEMS WIN32 UNIX APPLE MCPW_TELLS_SINGLE_THREADED) # there are neither processes nor POSIX threads
    set(${_variable} OFF)
  endforeach()

  set(_cmake "${PROJECT_SOURCE_DIR}/cmake")
  include("${_cmake}/McpwireRevisions.cmake")
  set(CMAKE_SCRIPT_MODE_FILE "${CMAKE_CURRENT_LIST_FILE}") # which ends that file before it looks at targets
  include("${_cmake}/McpwireSmall.cmake")
  include("${_cmake}/McpwireConfigHeader.cmake")
  include("${_cmake}/McpwireSources.cmake")
  if(CONFIG_MCPWIRE_SESSION)
    list(APPEND _sources ${_session})
  endif()
  set(_flags "")
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(_flags ${MCPW_SMALL_FLAGS})
  endif()
  list(GET _includes 0 _config)
  file(MAKE_DIRECTORY "${_config}")
  set(MCPWIRE_SOURCES "${_sources}" PARENT_SCOPE)
  set(MCPWIRE_INCLUDES "${_includes}" PARENT_SCOPE)
  set(MCPWIRE_PRIVATE_INCLUDES "${_private_includes}" PARENT_SCOPE)
  set(MCPWIRE_DEFINITIONS "${MCPW_EXTRA_DEFINITIONS}" PARENT_SCOPE)
  set(MCPWIRE_FLAGS "${_flags}" PARENT_SCOPE)
endfunction()
