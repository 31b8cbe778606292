# SPDX-License-Identifier: MIT
# mcpwire_tool(TARGET app TOOL get_weather INPUT weather.json [OUTPUT forecast.json] [PREFIX app] [UNIONS unions.json])
# mcpwire_types(TARGET app PREFIX app SCHEMAS settings.json ... [UNIONS unions.json])
# mcpwire_client(TARGET app PREFIX github TOOLS tools.json [UNIONS unions.json])
#
# C types from JSON Schemas of your own, made when TARGET is built, and again whenever a schema or the generator changes.
# The generated source becomes one of the target's, its folder one of the target's include folders.
#
# mcpwire_tool makes <get_weather.h> of the schema of a tool's arguments, and that of its structured content: the types
# get_weather_input and get_weather_output, the texts of both schemas, and the tool itself, get_weather_tool, which
# get_weather_add(server, user, &error) gives to a server. You write
#   mcpw_status get_weather(mcpw_request *request, const get_weather_input *input, void *user);
# which answers by get_weather_reply(request, &output). PREFIX app makes that <app_get_weather.h>, and so on. INPUT is the schema
# of the arguments, whose title and description are those of the tool; or it describes the whole tool, as tools/list does. The target links mcpwire::session.
#
# mcpwire_types makes <app.h>: types of any JSON that a program reads or writes. The target links mcpwire::mcpwire.
#
# mcpwire_client makes <github.h> of what a server lists (mcpwire call --json -- SERVER >tools.json): github_create_issue_call, and
# so on, with the types of arguments and results. The target links mcpwire::session; it pins a revision from 2025-06-18 on.
#
# UNIONS decides which alternative of a union is tried first where its schema does not: the file of mcpwire-codegen types --unions.
#
# All need what mcpwire_generate needs: Python 3.9 with Jinja2.

# _mcpwire_c_name(OUT NAME): a tool's name as the generator writes it in C.
function(_mcpwire_c_name out name)
  string(REGEX REPLACE "([A-Z]+)([A-Z][a-z])" "\\1_\\2" _c_name "${name}")
  string(REGEX REPLACE "([a-z0-9])([A-Z])" "\\1_\\2" _c_name "${_c_name}")
  string(REGEX REPLACE "[^A-Za-z0-9]+" "_" _c_name "${_c_name}")
  string(REGEX REPLACE "^_+|_+$" "" _c_name "${_c_name}")
  string(TOLOWER "${_c_name}" _c_name)
  set(${out} "${_c_name}" PARENT_SCOPE)
endfunction()

# _mcpwire_add_types(CALLER TARGET NAME OPTIONS UNIONS SCHEMAS...): NAME.h and NAME.c of the schemas, as sources of the target.
function(_mcpwire_add_types caller target name options unions)
  _mcpwire_check_argument(${caller} TARGET "${target}" "^[A-Za-z0-9_.+:-]+$" "of letters, digits, _ . + and -")
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "${caller}: there is no target ${target}")
  endif()
  set(_schemas "")
  set(_patterns "")
  foreach(_given IN LISTS ARGN)
    _mcpwire_check_path(${caller} _schema "${_given}")
    list(APPEND _schemas "${_schema}")
    file(STRINGS "${_schema}" _found REGEX "\"pattern(Properties)?\"[ \t]*:")
    list(APPEND _patterns ${_found})
  endforeach()
  if(unions)
    _mcpwire_check_path(${caller} unions "${unions}")
    list(APPEND options --unions "${unions}")
  endif()
  if(TARGET mcpwire::pcre2)
    list(APPEND options --patterns-linked)
  endif()
  _mcpwire_find_generator(_python _root)
  set(_out "${CMAKE_CURRENT_BINARY_DIR}/mcpwire/${target}")
  set(_files "${_out}/${name}.c" "${_out}/${name}.h")
  file(GLOB_RECURSE _generator CONFIGURE_DEPENDS "${_root}/codegen/*.py" "${_root}/codegen/*.j2")
  # The generator leaves alone what is up to date; it is touched so that make sees that it is.
  add_custom_command(
    OUTPUT ${_files}
    COMMAND "${CMAKE_COMMAND}" -E env PYTHONDONTWRITEBYTECODE=1 "${_python}" -m codegen types ${options} --out "${_out}" ${_schemas}
    COMMAND "${CMAKE_COMMAND}" -E touch ${_files}
    WORKING_DIRECTORY "${_root}" DEPENDS ${_schemas} ${unions} ${_generator} VERBATIM
    COMMENT "Generating the types of ${name} for ${target}")
  target_sources(${target} PRIVATE ${_files})
  set_property(SOURCE ${_files} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(${target} PRIVATE "${_out}")
  if(_patterns AND TARGET mcpwire::pcre2)
    target_link_libraries(${target} PRIVATE mcpwire::pcre2)
  elseif(_patterns)
    message(WARNING "${caller}: the schemas of ${name} have patterns, which mcpwire::pcre2 checks, and there is no such target: "
                    "ask find_package(mcpwire) for the component pcre2, or ${target} will not link")
  endif()
endfunction()

function(_mcpwire_check_prefix caller prefix)
  _mcpwire_check_argument(${caller} PREFIX "${prefix}" "^[a-z][a-z0-9_]*$" "of a-z, 0-9 and _, and begins with a letter")
endfunction()

function(mcpwire_tool)
  cmake_parse_arguments(PARSE_ARGV 0 T "" "TARGET;TOOL;INPUT;OUTPUT;PREFIX;UNIONS" "")
  if(T_UNPARSED_ARGUMENTS OR NOT T_TARGET OR NOT T_TOOL OR NOT T_INPUT)
    message(FATAL_ERROR "mcpwire_tool(TARGET app TOOL get_weather INPUT weather.json [OUTPUT forecast.json] [PREFIX app] [UNIONS file]); given: ${ARGN}")
  endif()
  _mcpwire_check_argument(mcpwire_tool TOOL "${T_TOOL}" "^[A-Za-z0-9_.-]*[A-Za-z][A-Za-z0-9_.-]*$" "of A-Z a-z 0-9 _ - and .")
  _mcpwire_c_name(_name "${T_TOOL}")
  set(_options --tool "${T_TOOL}")
  if(DEFINED T_PREFIX)
    _mcpwire_check_prefix(mcpwire_tool "${T_PREFIX}")
    set(_name "${T_PREFIX}_${_name}")
    list(APPEND _options --prefix "${T_PREFIX}")
  endif()
  _mcpwire_add_types(mcpwire_tool "${T_TARGET}" "${_name}" "${_options}" "${T_UNIONS}" "${T_INPUT}" ${T_OUTPUT})
  target_link_libraries(${T_TARGET} PRIVATE mcpwire::session)
endfunction()

function(mcpwire_types)
  cmake_parse_arguments(PARSE_ARGV 0 T "" "TARGET;PREFIX;UNIONS" "SCHEMAS")
  if(T_UNPARSED_ARGUMENTS OR NOT T_TARGET OR NOT T_PREFIX OR NOT T_SCHEMAS)
    message(FATAL_ERROR "mcpwire_types(TARGET app PREFIX app SCHEMAS settings.json ... [UNIONS file]); given: ${ARGN}")
  endif()
  _mcpwire_check_prefix(mcpwire_types "${T_PREFIX}")
  _mcpwire_add_types(mcpwire_types "${T_TARGET}" "${T_PREFIX}" "--prefix;${T_PREFIX}" "${T_UNIONS}" ${T_SCHEMAS})
  target_link_libraries(${T_TARGET} PRIVATE mcpwire::mcpwire)
endfunction()

function(mcpwire_client)
  cmake_parse_arguments(PARSE_ARGV 0 T "" "TARGET;PREFIX;TOOLS;UNIONS" "")
  if(T_UNPARSED_ARGUMENTS OR NOT T_TARGET OR NOT T_PREFIX OR NOT T_TOOLS)
    message(FATAL_ERROR "mcpwire_client(TARGET app PREFIX github TOOLS tools.json [UNIONS file]); given: ${ARGN}")
  endif()
  _mcpwire_check_prefix(mcpwire_client "${T_PREFIX}")
  _mcpwire_add_types(mcpwire_client "${T_TARGET}" "${T_PREFIX}" "--client;${T_PREFIX}" "${T_UNIONS}" "${T_TOOLS}")
  target_link_libraries(${T_TARGET} PRIVATE mcpwire::session)
endfunction()
