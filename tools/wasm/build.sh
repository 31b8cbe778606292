#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the package for npm: a folder for `npm pack`. Usage: tools/wasm/build.sh [BUILD_DIR]
# BUILD_DIR (default build/wasm) gets the package in npm/. Debian has what it takes in clang, lld, wasi-libc and
# libclang-rt-dev-wasm32, and cmake and ninja-build. clang runs wasm-opt (Debian: binaryen) where it is found.
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build/wasm}
cmake --preset wasm -B "$build" >"$build.log" 2>&1 && cmake --build "$build" --target npm >>"$build.log" 2>&1 || {
    tail -n 40 "$build.log" >&2
    exit 1
}
echo "$build/npm"
