# SPDX-License-Identifier: MIT
# Builds for WebAssembly with WASI: -DCMAKE_TOOLCHAIN_FILE=cmake/wasm32-wasi.cmake, or the preset wasm. clang and lld do
# it with the C library of Debian's wasi-libc (and libclang-rt-dev-wasm32); -DMCPW_WASI_SYSROOT=DIR names another, such as
# that of wasi-sdk.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
set(MCPW_WASI_SYSROOT /usr CACHE PATH "Where include/wasm32-wasi and lib/wasm32-wasi are")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MCPW_WASI_SYSROOT)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_FIND_ROOT_PATH "${MCPW_WASI_SYSROOT}/lib/wasm32-wasi") # the libraries of the system that builds do not fit
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} "${MCPW_WASI_SYSROOT}/lib/wasm32-wasi/pkgconfig")
set(CMAKE_C_FLAGS_INIT "--sysroot=${MCPW_WASI_SYSROOT}")
# A check of deep nesting takes more than the 64 KiB that a stack has otherwise. It stands first, so that what runs over its end
# traps.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-z,stack-size=1048576 -Wl,--stack-first")
