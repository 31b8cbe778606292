#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the playground, one HTML file that works from a disk. Usage: tools/web/playground.sh [BUILD_DIR]
# It builds the module of WebAssembly in BUILD_DIR (default build/wasm), as tools/wasm/build.sh does, and prints the file.
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build/wasm}
. tools/python.sh
npm=$(tools/wasm/build.sh "$build")
"$PYTHON" tools/web/playground.py "$build/tools/page_head.part" "$build/tools/page_tail.part" "$npm/mcpwire.mjs" "$npm/mcpwire.wasm" \
    "$build/playground.html"
echo "$build/playground.html"
