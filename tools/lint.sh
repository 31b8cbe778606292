#!/bin/sh
# SPDX-License-Identifier: MIT
# The linters: clang-format and clang-tidy for C, mypy and ruff for Python. Usage: tools/lint.sh [--changed] [BUILD_DIR]
# BUILD_DIR needs a compile_commands.json (any configured build has one). A missing linter is an error.
#   --changed: clang-tidy reads only the files that changed in the last day before the last commit, or since then
set -eu
cd "$(dirname "$0")/.."
since=""
if [ "${1:-}" = --changed ]; then
    since=$(git rev-list -1 --before="$(git show -s --format=%ct HEAD | awk '{ print $1 - 86400 }')" HEAD)
    shift
fi
build=${1:-build/test}
. tools/python.sh

tidied() { # the files for clang-tidy
    if [ -n "$since" ]; then
        git diff --name-only --diff-filter=d "$since" -- 'runtime/*.c' 'tools/*.c'
    else
        git ls-files 'runtime/*.c' 'tools/*.c'
    fi | grep -Ev '(_win|_macos|os_net_modes)[.]c$|^tools/wasm/' || true
}

c_files=$(git ls-files 'runtime/*.c' 'runtime/*.h' 'runtime/*.inc' 'tools/*.c' 'tools/*.h' 'tests/*.c' 'tests/*.h' 'examples/*.c' 'docs/guide/*.c' '*.cpp' '*.hpp')
echo "lint: clang-format"
# shellcheck disable=SC2086 # a list of files
clang-format --dry-run -Werror $c_files
echo "lint: clang-tidy"
tidied | xargs -r -P 2 -n 4 clang-tidy -p "$build" --quiet --warnings-as-errors='*' 2>/dev/null
echo "lint: mypy"
mypy --strict codegen tools/completion/generate.py tools/completion/generate_codegen.py tools/web/playground.py
mypy --strict --explicit-package-bases tools/release
(cd tools && mypy --strict --config-file ../.mypy.ini amalgamate.py onefile)
echo "lint: ruff"
ruff check codegen tests docs tools
ruff format --check codegen tests docs tools
echo "lint: clean"
