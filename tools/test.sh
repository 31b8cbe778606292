#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs the tests (docs/testing.md lists those that take longer: labels limits, figures, builds and long).
# Usage: tools/test.sh [BUILD_DIR [CTEST_ARGUMENTS...]]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/test}
[ $# -gt 0 ] && shift
tools/setup.sh test
. tools/python.sh
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMCPW_WERROR=ON -DMCPW_PYTHON="$PYTHON" >/dev/null
cmake --build "$build"
ctest --test-dir "$build" --output-on-failure -LE 'long|limits|figures|builds' -j 2 "$@"
