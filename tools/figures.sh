#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures every figure of docs/figures.md and prints its tables. Usage: tools/figures.sh [--write | --check] SECTION...
# tools/figures.sh --help lists the sections with what they take; `all` is all of them but fuzzing.
# --write draws the pictures of docs/figures/, too; without measuring, python3 -m tests.figures.plots does it.
# FIGURES_BUILD names the folder to build in (build/figures). For speed the machine should have nothing else to do.
set -eu
cd "$(dirname "$0")/.."
build=${FIGURES_BUILD:-build/figures}
. tools/python.sh
case " $* " in
    *" --help "*) exec "$PYTHON" -m tests.figures --help ;;
esac
tools/setup.sh test
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMCPW_TEST_VARIANTS=ON -DMCPW_PYTHON="$PYTHON" >/dev/null
cmake --build "$build" >"$build/build.log" || { tail -n 40 "$build/build.log"; exit 1; }
exec "$PYTHON" -m tests.figures --build "$build" "$@"
