# SPDX-License-Identifier: MIT
# The small library beside the one that is built: mcpwire_small_codec, for tests that hold for both. Its
# omissions and definitions come from cmake/McpwireSmall.cmake.
execute_process(COMMAND "${CMAKE_COMMAND}" -DMCPW_SMALL=ON -P "${CMAKE_CURRENT_LIST_DIR}/options.cmake"
                ERROR_VARIABLE _told RESULT_VARIABLE _failed)
if(_failed)
  message(FATAL_ERROR "tests/small/options.cmake says:\n${_told}")
endif()
string(REPLACE ";" "," _told "${_told}") # a line is a list
string(REPLACE "\n" ";" _told "${_told}")
list(POP_FRONT _told _definitions _excluded)
foreach(_list _definitions _excluded)
  string(REPLACE "," ";" ${_list} "${${_list}}")
endforeach()

set(_small_sources "")
foreach(_room base json codec)
  file(GLOB _found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/runtime/${_room}/*.c")
  list(APPEND _small_sources ${_found})
endforeach()
list(APPEND _excluded json/json_c.c base/lock_none.c base/lock_posix.c base/lock_win.c base/time_none.c base/time_posix.c base/time_win.c)
list(TRANSFORM _excluded PREPEND "${PROJECT_SOURCE_DIR}/runtime/")
list(REMOVE_ITEM _small_sources ${_excluded})
set(_tables ${MCPW_RUNTIME_SOURCES})
list(FILTER _tables INCLUDE REGEX "/generated/")

add_library(mcpwire_small_codec STATIC ${_small_sources} ${_tables})
set(_config "${CMAKE_CURRENT_BINARY_DIR}/small_config")
mcpw_write_config("${_config}" ${_definitions})
target_include_directories(mcpwire_small_codec PUBLIC "${_config}" ${MCPW_RUNTIME_INCLUDES})
target_compile_definitions(mcpwire_small_codec PUBLIC ${MCPW_RUNTIME_DEFINITIONS} ${_definitions})
mcpw_configure(mcpwire_small_codec)
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang") # what else the option compiles with, clang-tidy does not know
  target_compile_options(mcpwire_small_codec PRIVATE -Os)
endif()
target_link_libraries(mcpwire_small_codec PUBLIC $<$<BOOL:${UNIX}>:m>)
