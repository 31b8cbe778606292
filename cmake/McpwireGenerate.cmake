# SPDX-License-Identifier: MIT
# mcpwire_generate(TARGET name SCHEMA file REVISION 2027-01-15 [LIKE 2026-07-28] [FACTS folder] [ONLY tools/call Tool...] [PIN])
# mcpwire_generate(TARGET name OVERLAY file... REVISION 2026-07-28 [FACTS folder] [ONLY tools/call Tool...] [PIN])
#
# Makes a static library `name` of the bindings of a schema of your own: headers <mcp/2027-01-15.h> and so on, tables,
# and the slots of handlers. They are generated in the build folder when it is built, and again whenever the schema or
# the generator changes. The library links mcpwire::mcpwire; whatever links the library gets its headers. With PIN,
# <mcp/pinned.h> and its short names stand for this revision in whatever links the library.
# mcpw_library_add(&library, &mcp_20270115_revision, &error) of <mcpw/library.h> gives it to sessions and servers, which
# speak it as one of mcpwire's own, and to whatever looks up by name.
#
# SCHEMA is a schema.json as it is published, or one like it. Facts that are stated by hand for a revision of
# mcpwire (how its unions are told apart, the needs of its methods) hold for this one too, wherever it has the
# same shape: those of the nearest revision, or of the one that LIKE names. If they are not enough, FACTS
# names a folder with unions.json and the other files of mcpwire's schema/, changed. ONLY names methods and
# types: what they do not reach is left out.
#
# OVERLAY is what is put on a revision that this mcpwire has: files of your own, the schema of an extension as it is
# published, or what lies in mcpwire's schema/overlays, such as 2026-07-28-tasks.json, which needs no folder. The result is
# a revision of its own beside that one, 2026-07-28-tasks with <mcp/2026-07-28-tasks.h>, and shares the types of that one.
#
# It needs Python 3.9 with Jinja2: the interpreter that MCPW_PYTHON names, or else the one that CMake finds.

# Refuses an argument that is not as it has to be: it becomes the name of a file, part of a command, or C code.
function(_mcpwire_check_argument caller keyword value pattern form)
  if(NOT value MATCHES "${pattern}")
    string(SUBSTRING "${value}" 0 60 _shown)
    string(REGEX REPLACE "[^ -~]" "?" _shown "${_shown}")
    message(FATAL_ERROR "${caller}: ${keyword} is ${form}, not \"${_shown}\"")
  endif()
endfunction()

# The absolute path of a file, and where none is found an error. Build systems read lists and expressions in some names.
function(_mcpwire_check_path caller out given)
  get_filename_component(_path "${given}" ABSOLUTE)
  if(_path MATCHES "[;\n\r]" OR _path MATCHES "[$]<")
    string(REGEX REPLACE "[^ -~]" "?" _path "${_path}")
    message(FATAL_ERROR "${caller}: no build system takes a file of this name: ${_path}")
  elseif(NOT EXISTS "${_path}")
    message(FATAL_ERROR "${caller}: there is no ${_path}")
  endif()
  set(${out} "${_path}" PARENT_SCOPE)
endfunction()

function(_mcpwire_find_generator out_python out_root)
  if(mcpwire_CODEGEN_ROOT) # an installed package
    set(_root "${mcpwire_CODEGEN_ROOT}")
  else()
    get_filename_component(_root "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/.." ABSOLUTE)
  endif()
  if(NOT EXISTS "${_root}/codegen/__main__.py")
    message(FATAL_ERROR "mcpwire_generate: the generator is not installed; it would be in ${_root}")
  endif()
  set(_python "${MCPW_PYTHON}")
  if(NOT _python)
    find_package(Python3 3.9 COMPONENTS Interpreter QUIET)
    if(NOT Python3_Interpreter_FOUND)
      message(FATAL_ERROR "mcpwire_generate: there is no Python 3.9 or later, which the generator needs; "
                          "-DMCPW_PYTHON=... names one")
    endif()
    set(_python "${Python3_EXECUTABLE}")
  endif()
  execute_process(COMMAND "${_python}" -c "import sys; import jinja2; sys.exit(sys.version_info < (3, 9))"
                  RESULT_VARIABLE _failed OUTPUT_QUIET ERROR_VARIABLE _why)
  if(NOT _failed EQUAL 0)
    string(STRIP "${_why}" _why)
    message(FATAL_ERROR "mcpwire_generate: ${_python} is not Python 3.9 or later with Jinja2, which the generator needs "
                        "(Debian: python3-jinja2; elsewhere: pip install jinja2); -DMCPW_PYTHON=... names another. ${_why}")
  endif()
  set(${out_python} "${_python}" PARENT_SCOPE)
  set(${out_root} "${_root}" PARENT_SCOPE)
endfunction()

# The absolute paths of overlays, and the name of the revision that they make of the one below.
function(_mcpwire_find_overlays revision root out_files out_name)
  set(_files "")
  set(_name "${revision}")
  foreach(_given IN LISTS ARGN)
    get_filename_component(_file "${_given}" ABSOLUTE)
    if(NOT EXISTS "${_file}" AND EXISTS "${root}/schema/overlays/${_given}")
      set(_file "${root}/schema/overlays/${_given}")
    endif()
    if(NOT EXISTS "${_file}")
      message(FATAL_ERROR "mcpwire_generate: there is no ${_file}, and no ${_given} in ${root}/schema/overlays")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_file}") # which may be renamed inside
    file(READ "${_file}" _text)
    string(JSON _part ERROR_VARIABLE _why GET "${_text}" overlay)
    if(_why) # a published schema has the name of its folder
      get_filename_component(_part "${_file}" DIRECTORY)
      get_filename_component(_part "${_part}" NAME)
      string(TOLOWER "${_part}" _part)
    endif()
    _mcpwire_check_argument(mcpwire_generate "the name of the overlay ${_given}" "${_part}" "^[a-z0-9]+(-[a-z0-9]+)*$"
                            "of a-z, 0-9 and -")
    _mcpwire_check_path(mcpwire_generate _file "${_file}")
    list(APPEND _files "${_file}")
    string(APPEND _name "-${_part}")
  endforeach()
  set(${out_files} "${_files}" PARENT_SCOPE)
  set(${out_name} "${_name}" PARENT_SCOPE)
endfunction()

# A schema brings a revision that mcpwire does not have, an overlay is put on one that it has.
function(_mcpwire_check_revision revision overlays)
  if(NOT revision MATCHES "^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]$")
    message(FATAL_ERROR "mcpwire_generate: REVISION is a date such as 2027-01-15, not ${revision}")
  endif()
  set(_held ${mcpwire_REVISIONS})
  if(NOT _held)
    set(_held ${MCPW_REVISIONS})
  endif()
  if(revision IN_LIST _held AND NOT overlays)
    message(FATAL_ERROR "mcpwire_generate: mcpwire itself has ${revision}, and two sets of bindings with one name cannot "
                        "be told apart; take another date, or an mcpwire without that revision (MCPW_REVISIONS)")
  elseif(NOT revision IN_LIST _held AND overlays)
    list(JOIN _held ", " _held)
    message(FATAL_ERROR "mcpwire_generate: an overlay shares the types of the revision below it, and this mcpwire has no "
                        "${revision}: it has ${_held} (MCPW_REVISIONS)")
  endif()
endfunction()

# Only a schema with patterns needs their engine; the archive gives nothing to the others.
function(_mcpwire_link_patterns target)
  foreach(_file IN LISTS ARGN)
    file(STRINGS "${_file}" _patterns REGEX "\"pattern(Properties)?\"[ \t]*:")
    if(_patterns AND TARGET mcpwire::pcre2)
      target_link_libraries(${target} PUBLIC mcpwire::pcre2)
    elseif(_patterns)
      message(WARNING "mcpwire_generate: ${_file} has patterns, which mcpwire::pcre2 checks, and there is no such target: "
                      "ask find_package(mcpwire) for the component pcre2, or ${target} will not link")
    endif()
  endforeach()
endfunction()

function(mcpwire_generate)
  cmake_parse_arguments(PARSE_ARGV 0 G "PIN" "TARGET;SCHEMA;REVISION;LIKE;FACTS" "ONLY;OVERLAY")
  set(_both FALSE)
  if(G_OVERLAY AND (G_SCHEMA OR G_LIKE))
    set(_both TRUE)
  endif()
  if(G_UNPARSED_ARGUMENTS OR _both OR NOT G_TARGET OR NOT (G_SCHEMA OR G_OVERLAY) OR NOT G_REVISION)
    message(FATAL_ERROR "mcpwire_generate(TARGET name SCHEMA file REVISION 2027-01-15 [LIKE 2026-07-28] [FACTS folder] "
                        "[ONLY tools/call Tool...] [PIN]), or OVERLAY file... in place of SCHEMA and LIKE; "
                        "given: ${ARGN}")
  endif()
  _mcpwire_check_argument(mcpwire_generate TARGET "${G_TARGET}" "^[A-Za-z0-9_.+-]+$" "of letters, digits, _ . + and -")
  _mcpwire_check_revision("${G_REVISION}" "${G_OVERLAY}")
  _mcpwire_find_generator(_python _root)
  set(_options "")
  set(_facts "")
  if(G_OVERLAY)
    _mcpwire_find_overlays("${G_REVISION}" "${_root}" _read _name ${G_OVERLAY})
    foreach(_file IN LISTS _read)
      list(APPEND _options --overlay "${_file}")
    endforeach()
  else()
    _mcpwire_check_path(mcpwire_generate _read "${G_SCHEMA}")
    set(_name "${G_REVISION}")
    set(_options --schema "${_read}")
  endif()
  if(G_LIKE)
    _mcpwire_check_argument(mcpwire_generate LIKE "${G_LIKE}" "^([0-9-]+|none)$" "a date such as 2026-07-28, or none")
    list(APPEND _options --like "${G_LIKE}")
  endif()
  if(G_ONLY)
    foreach(_part IN LISTS G_ONLY)
      _mcpwire_check_argument(mcpwire_generate ONLY "${_part}" "^[A-Za-z0-9_/.,-]+$" "methods and types")
    endforeach()
    list(JOIN G_ONLY "," _only)
    list(APPEND _options --only "${_only}")
  endif()
  if(G_FACTS)
    _mcpwire_check_path(mcpwire_generate _folder "${G_FACTS}")
    list(APPEND _options --facts "${_folder}")
    file(GLOB _facts CONFIGURE_DEPENDS "${_folder}/*.json")
  endif()

  if(TARGET mcpwire::pcre2)
    list(APPEND _options --patterns-linked)
  endif()

  set(_out "${CMAKE_CURRENT_BINARY_DIR}/mcpwire/${G_TARGET}")
  set(_folder "${_out}/${_name}")
  set(_files "${_folder}/tables.c" "${_folder}/handlers.c" "${_folder}/protocol_table.c" "${_folder}/mcp/${_name}.h")
  foreach(_part types codec methods handlers client names)
    list(APPEND _files "${_folder}/mcp/${_name}/${_part}.h")
  endforeach()
  file(GLOB_RECURSE _generator CONFIGURE_DEPENDS "${_root}/codegen/*.py" "${_root}/codegen/*.j2" "${_root}/schema/*.json")
  # The generator leaves alone what is up to date; it is touched so that make sees that it is.
  add_custom_command(
    OUTPUT ${_files}
    COMMAND "${CMAKE_COMMAND}" -E env PYTHONDONTWRITEBYTECODE=1 "${_python}" -m codegen generate ${_options}
            --revision "${G_REVISION}" --out "${_out}"
    COMMAND "${CMAKE_COMMAND}" -E touch ${_files}
    WORKING_DIRECTORY "${_root}" DEPENDS ${_read} ${_facts} ${_generator} VERBATIM
    COMMENT "Generating the bindings of ${_name} for ${G_TARGET}")

  add_library(${G_TARGET} STATIC ${_files})
  # Sessions find what the revision says beyond its types by its tables.
  set_property(SOURCE "${_folder}/tables.c" APPEND PROPERTY COMPILE_DEFINITIONS MCPW_WITH_PROTOCOL)
  set_target_properties(${G_TARGET} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
  target_include_directories(${G_TARGET} PUBLIC "${_folder}")
  target_link_libraries(${G_TARGET} PUBLIC mcpwire::mcpwire)
  _mcpwire_link_patterns(${G_TARGET} ${_read})
  if(G_PIN)
    _mcpwire_write_pin("${_out}/pinned" "${_name}")
    target_include_directories(${G_TARGET} BEFORE PUBLIC "${_out}/pinned")
    string(REPLACE "-" "" _number "${G_REVISION}")
    target_compile_definitions(${G_TARGET} PUBLIC MCPW_PIN=${_number})
  endif()
endfunction()

# <mcp/pinned.h> and <mcp/client.h> for a revision that those of the library cannot know. Their guards are the same, so
# that whichever comes first is the only one.
function(_mcpwire_write_pin folder revision)
  file(CONFIGURE OUTPUT "${folder}/mcp/pinned.h" @ONLY CONTENT
"/* Short names of revision @revision@. Written by mcpwire_generate. */
#ifndef MCP_PINNED_H
#define MCP_PINNED_H

#include <mcp/@revision@/names.h>

#endif
")
  file(CONFIGURE OUTPUT "${folder}/mcp/client.h" @ONLY CONTENT
"/* Calls of revision @revision@ that wait, and its short names. Written by mcpwire_generate. */
#ifndef MCP_CLIENT_H
#define MCP_CLIENT_H

#include <mcp/pinned.h>

#include <mcp/@revision@/client.h>

#endif
")
endfunction()
