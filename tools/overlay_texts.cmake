# SPDX-License-Identifier: MIT
# Writes the texts of schema/ that the command holds as a C file, overlay_texts.c in the build tree: the schemas of the
# revisions that are built with their errata, the overlays that lie on them, and the facts about methods.

function(_mcpwire_text file name)
  file(READ "${file}" _hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," _bytes "${_hex}")
  string(REGEX REPLACE "0x0a,(0x20,)*" "" _bytes "${_bytes}") # a string of JSON has no line end, so this is indentation
  string(LENGTH "${_bytes}" _len)
  math(EXPR _len "${_len} / 5") # characters of a byte
  list(LENGTH _mcpwire_arrays _number)
  list(APPEND _mcpwire_arrays "static const unsigned char text_${_number}[] = {${_bytes}}$<SEMICOLON>\n")
  list(APPEND _mcpwire_rows "    {\"${name}\", text_${_number}, ${_len}},\n")
  set(_mcpwire_arrays "${_mcpwire_arrays}" PARENT_SCOPE)
  set(_mcpwire_rows "${_mcpwire_rows}" PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
endfunction()

function(mcpwire_overlay_texts out)
  set(_mcpwire_arrays "")
  set(_schema "${PROJECT_SOURCE_DIR}/schema")
  set(_tables "")
  foreach(_kind schemas errata overlays methods)
    set(_mcpwire_rows "")
    foreach(_revision IN LISTS MCPW_REVISIONS)
      if(_kind STREQUAL "schemas")
        _mcpwire_text("${_schema}/${_revision}/schema.json" "${_revision}")
      elseif(_kind STREQUAL "errata" AND EXISTS "${_schema}/errata/${_revision}.json")
        _mcpwire_text("${_schema}/errata/${_revision}.json" "${_revision}")
      elseif(_kind STREQUAL "overlays")
        file(GLOB _files CONFIGURE_DEPENDS "${_schema}/overlays/${_revision}-*.json")
        foreach(_file IN LISTS _files)
          get_filename_component(_name "${_file}" NAME_WE)
          _mcpwire_text("${_file}" "${_name}")
        endforeach()
      endif()
    endforeach()
    if(_kind STREQUAL "methods")
      _mcpwire_text("${_schema}/methods.json" "methods")
    endif()
    list(JOIN _mcpwire_rows "" _rows)
    string(APPEND _tables "static const overlay_text ${_kind}[] = {\n${_rows}    {NULL, NULL, 0}};\n\n")
  endforeach()
  list(JOIN _mcpwire_arrays "" _arrays)
  string(REPLACE "$<SEMICOLON>" ";" _arrays "${_arrays}")
  file(CONFIGURE OUTPUT "${out}" @ONLY CONTENT [==[/* SPDX-License-Identifier: MIT */
/* Texts of schema/, written when the build was configured. */
#include "@CMAKE_CURRENT_SOURCE_DIR@/overlay_text.h"

@_arrays@
@_tables@
static const struct {
    const overlay_text *texts;
    size_t count;
} kinds[TEXT_KINDS] = {{schemas, sizeof schemas / sizeof *schemas - 1},
                       {errata, sizeof errata / sizeof *errata - 1},
                       {overlays, sizeof overlays / sizeof *overlays - 1},
                       {methods, sizeof methods / sizeof *methods - 1}};

const overlay_text *overlay_texts(overlay_kind kind, size_t *count) {
    *count = kinds[kind].count;
    return kinds[kind].texts;
}
]==])
endfunction()
