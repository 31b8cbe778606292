# SPDX-License-Identifier: MIT
# Runs portfile.cmake with the functions of vcpkg that it calls, each doing what its documentation says, for one build
# type. Usage: cmake -DPORT=folder -DWORK=folder -DVCPKG_LIBRARY_LINKAGE=static -DFEATURES=... -P vcpkg.cmake
cmake_minimum_required(VERSION 3.22)
set(CURRENT_PACKAGES_DIR "${WORK}/packages")

function(vcpkg_check_features)
  cmake_parse_arguments(PARSE_ARGV 0 F "" "OUT_FEATURE_OPTIONS" "FEATURES")
  set(_options "")
  while(F_FEATURES)
    list(POP_FRONT F_FEATURES _feature _variable)
    set(_on OFF)
    if(_feature IN_LIST FEATURES)
      set(_on ON)
    endif()
    list(APPEND _options "-D${_variable}=${_on}")
  endwhile()
  set(${F_OUT_FEATURE_OPTIONS} "${_options}" PARENT_SCOPE)
endfunction()

function(vcpkg_find_acquire_program name)
  find_program(${name} pkg-config REQUIRED)
endfunction()

function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE _code OUTPUT_VARIABLE _out ERROR_VARIABLE _out)
  message(STATUS "${_out}")
  if(NOT _code EQUAL 0)
    message(FATAL_ERROR "${ARGN}")
  endif()
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 C "" "SOURCE_PATH" "OPTIONS;MAYBE_UNUSED_VARIABLES")
  if(C_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "vcpkg_cmake_configure: ${C_UNPARSED_ARGUMENTS}")
  endif()
  must("${CMAKE_COMMAND}" -S "${C_SOURCE_PATH}" -B "${WORK}/build" ${GENERATOR} -DCMAKE_BUILD_TYPE=Debug
       "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" -DCMAKE_INSTALL_LIBDIR=lib ${C_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  must("${CMAKE_COMMAND}" --build "${WORK}/build")
  must("${CMAKE_COMMAND}" --install "${WORK}/build")
endfunction()

function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 X "" "CONFIG_PATH" "")
  if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/${X_CONFIG_PATH}/mcpwireConfig.cmake")
    message(FATAL_ERROR "there is no CMake package in ${X_CONFIG_PATH}")
  endif()
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_copy_tools)
  cmake_parse_arguments(PARSE_ARGV 0 X "AUTO_CLEAN" "" "TOOL_NAMES")
  foreach(_name IN LISTS X_TOOL_NAMES)
    file(COPY "${CURRENT_PACKAGES_DIR}/bin/${_name}" DESTINATION "${CURRENT_PACKAGES_DIR}/tools/mcpwire")
  endforeach()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 X "" "" "FILE_LIST")
  file(COPY ${X_FILE_LIST} DESTINATION "${CURRENT_PACKAGES_DIR}/share/mcpwire")
endfunction()

include("${PORT}/portfile.cmake")
