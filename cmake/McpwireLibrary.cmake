# SPDX-License-Identifier: MIT
# How the libraries are made: each static and shared, the shared ones with a soname and versioned symbols.

include(CheckLinkerFlag)
if(UNIX AND NOT APPLE)
  check_linker_flag(C "-Wl,--version-script=${PROJECT_SOURCE_DIR}/runtime/mcpwire.map" MCPW_HAVE_VERSION_SCRIPT)
  check_linker_flag(C "-Wl,-z,defs" MCPW_HAVE_Z_DEFS)
  check_linker_flag(C "-Wl,-Bsymbolic-functions" MCPW_HAVE_BSYMBOLIC)
  check_linker_flag(C "-Wl,--undefined-version" MCPW_HAVE_UNDEFINED_VERSION)
endif()

# A library that holds less than all has its own name, so that no program loads it in the place of the whole one.
set(MCPW_NAME_SUFFIX "")
list(LENGTH MCPW_REVISIONS _mcpw_built)
if(NOT _mcpw_built EQUAL _mcpw_count)
  string(REPLACE ";" "_" MCPW_NAME_SUFFIX "-${MCPW_REVISIONS}")
endif()
if(_mcpw_left_out) # of McpwireSmall.cmake
  string(APPEND MCPW_NAME_SUFFIX "-part")
  if(MCPW_BUILD_STATIC AND MCPW_BUILD_SHARED)
    message(STATUS "Only static libraries are built, as parts are left out (MCPW_BUILD_STATIC=OFF makes shared ones)")
    set(MCPW_BUILD_SHARED OFF)
  endif()
endif()

# mcpw_add_library(TARGET KIND ALIAS NAME MAP SOURCES...): KIND is STATIC or SHARED, ALIAS the name after mcpwire::.
# A project that adds this one builds only the kind that it links.
function(mcpw_add_library target kind alias name map)
  set(_all "")
  if(NOT PROJECT_IS_TOP_LEVEL AND NOT MCPW_INSTALL)
    set(_all EXCLUDE_FROM_ALL)
  endif()
  add_library(${target} ${kind} ${_all} ${ARGN})
  add_library(mcpwire::${alias} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${alias} OUTPUT_NAME "${name}${MCPW_NAME_SUFFIX}"
                                             POSITION_INDEPENDENT_CODE ON LINKER_LANGUAGE C)
  target_compile_features(${target} PUBLIC c_std_11)
  mcpw_configure(${target})
  if(NOT kind STREQUAL "SHARED")
    return()
  endif()
  set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                                             C_VISIBILITY_PRESET hidden)
  if(APPLE)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "@loader_path")
  elseif(NOT target STREQUAL "mcpwire_shared") # what needs another library finds it beside itself, wherever that is
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
  endif()
  target_compile_definitions(${target} PUBLIC MCPW_SHARED)
  if(MCPW_HAVE_VERSION_SCRIPT)
    target_link_options(${target} PRIVATE "-Wl,--version-script=${map}"
                        $<$<BOOL:${MCPW_HAVE_UNDEFINED_VERSION}>:-Wl,--undefined-version>)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${map}")
  endif()
  target_link_options(${target} PRIVATE $<$<BOOL:${MCPW_HAVE_BSYMBOLIC}>:-Wl,-Bsymbolic-functions>)
  if(NOT MCPW_SANITIZE) # whose functions are the program's
    target_link_options(${target} PRIVATE $<$<BOOL:${MCPW_HAVE_Z_DEFS}>:-Wl,-z,defs>)
  endif()
endfunction()

# mcpw_share_objects(LIST TARGET): where a static and a shared library are made of the sources in LIST, TARGET compiles
# them once for both, and LIST becomes its objects. Windows marks exported functions in the objects themselves, so
# there each kind compiles its own.
function(mcpw_share_objects list target)
  if(WIN32 OR NOT (MCPW_BUILD_STATIC AND MCPW_BUILD_SHARED))
    return()
  endif()
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${${list}})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
  target_compile_features(${target} PUBLIC c_std_11)
  mcpw_configure(${target})
  set(${list} "$<TARGET_OBJECTS:${target}>" PARENT_SCOPE)
endfunction()

# mcpw_choose(ALIAS STATIC SHARED): mcpwire::ALIAS is the kind that BUILD_SHARED_LIBS asks for, where it is built.
function(mcpw_choose alias static shared)
  if(TARGET ${shared} AND (BUILD_SHARED_LIBS OR NOT TARGET ${static}))
    add_library(mcpwire::${alias} ALIAS ${shared})
  else()
    add_library(mcpwire::${alias} ALIAS ${static})
  endif()
endfunction()
