# SPDX-License-Identifier: MIT
# mcpwire_page(TARGET app FILE page.html)
#
# Makes <page.html.h> of a file when TARGET is built, and again whenever the file changes: the bytes of the file, with a NUL
# after them, are the array page_html. It is for the pages of <mcpw/apps.h>: .html = MCPW_STR(page_html).
# The target finds the header, because its folder becomes one of the target's include folders.

# As a script: cmake -DIN=page.html -DOUT=page.html.h -DNAME=page_html -P McpwirePage.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${IN}" _bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," _bytes "${_bytes}")
  string(REGEX REPLACE "(('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',))" "    \\1\n" _bytes "${_bytes}")
  file(WRITE "${OUT}" "/* The bytes of a file, made by mcpwire_page. */\nstatic const char ${NAME}[] = {\n${_bytes}'\\0'};\n")
  return()
endif()

set(_mcpwire_page_script "${CMAKE_CURRENT_LIST_FILE}" CACHE INTERNAL "The script that writes the headers of pages")

function(mcpwire_page)
  cmake_parse_arguments(PARSE_ARGV 0 P "" "TARGET;FILE" "")
  if(P_UNPARSED_ARGUMENTS OR NOT P_TARGET OR NOT P_FILE)
    message(FATAL_ERROR "mcpwire_page(TARGET app FILE page.html); given: ${ARGN}")
  endif()
  if(NOT TARGET "${P_TARGET}")
    message(FATAL_ERROR "mcpwire_page: there is no target ${P_TARGET}")
  endif()
  get_filename_component(_file "${P_FILE}" ABSOLUTE)
  if(NOT EXISTS "${_file}" OR IS_DIRECTORY "${_file}")
    message(FATAL_ERROR "mcpwire_page: there is no file ${_file}")
  endif()
  get_filename_component(_base "${_file}" NAME)
  string(MAKE_C_IDENTIFIER "${_base}" _name)
  set(_folder "${CMAKE_CURRENT_BINARY_DIR}/mcpwire/${P_TARGET}")
  set(_header "${_folder}/${_base}.h")
  file(MAKE_DIRECTORY "${_folder}")
  add_custom_command(
    OUTPUT "${_header}"
    COMMAND "${CMAKE_COMMAND}" "-DIN=${_file}" "-DOUT=${_header}" "-DNAME=${_name}" -P "${_mcpwire_page_script}"
    DEPENDS "${_file}" "${_mcpwire_page_script}" VERBATIM COMMENT "Writing ${_base}.h")
  target_sources(${P_TARGET} PRIVATE "${_header}")
  target_include_directories(${P_TARGET} PRIVATE "${_folder}")
endfunction()
