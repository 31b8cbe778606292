# SPDX-License-Identifier: MIT
# Builds for Windows (x86-64) on another system: -DCMAKE_TOOLCHAIN_FILE=cmake/mingw-w64.cmake. Programs need no DLL of
# the compiler. -DMCPW_MINGW=clang takes clang with the headers and libraries of mingw-w64. -DMCPW_MINGW_ROOT=FOLDER/root has
# what tools/windows_libraries.sh has built.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(_mingw x86_64-w64-mingw32)
if(MCPW_MINGW STREQUAL "clang")
  set(CMAKE_C_COMPILER clang)
  set(CMAKE_C_COMPILER_TARGET ${_mingw})
  execute_process(COMMAND ${_mingw}-gcc -print-libgcc-file-name OUTPUT_VARIABLE _libgcc OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(_libgcc "${_libgcc}" DIRECTORY)
else()
  set(CMAKE_C_COMPILER ${_mingw}-gcc)
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MCPW_MINGW MCPW_MINGW_ROOT)
set(CMAKE_RC_COMPILER ${_mingw}-windres)
set(CMAKE_FIND_ROOT_PATH /usr/${_mingw})
if(MCPW_MINGW_ROOT)
  list(APPEND CMAKE_FIND_ROOT_PATH "${MCPW_MINGW_ROOT}")
endif()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# The libraries of the system that builds do not fit.
set(ENV{PKG_CONFIG_LIBDIR} "/usr/${_mingw}/lib/pkgconfig:${MCPW_MINGW_ROOT}/lib/pkgconfig")
set(CMAKE_C_FLAGS_INIT "-Wno-float-conversion") # isfinite() of the headers converts, in branches that are not taken
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static-libgcc)
if(_libgcc)
  string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -L${_libgcc}")
  string(APPEND CMAKE_SHARED_LINKER_FLAGS_INIT " -L${_libgcc}")
endif()
