#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs the tests. Usage: tools/test.sh [--all] [BUILD_DIR [CTEST_ARGUMENTS...]]
#   --all: also the label slow, and the library built small, with the portable reader and without errata
# docs/testing.md lists the tests that take longer: the labels limits, figures, builds and long.
set -eu
cd "$(dirname "$0")/.."
variants=OFF
without='long|limits|figures|builds|slow'
if [ "${1:-}" = --all ]; then
    variants=ON
    without='long|limits|figures|builds'
    shift
fi
build=${1:-build/test}
[ $# -gt 0 ] && shift
tools/setup.sh test
. tools/python.sh
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMCPW_WERROR=ON -DMCPW_PYTHON="$PYTHON" \
    -DMCPW_TEST_VARIANTS="$variants" >/dev/null
cmake --build "$build"
ctest --test-dir "$build" --output-on-failure -LE "$without" -j 2 "$@"
