#!/bin/sh
# SPDX-License-Identifier: MIT
# Line and branch coverage of runtime/ by the tests, fuzzing apart. Usage: tools/coverage.sh BUILD_DIR
# Exit status 1 when lines are below 95 % or branches below 90 %. Uncovered lines are listed, with the reasons
# that tests/coverage/reasons.txt gives. Needs gcovr (Debian: gcovr).
#
# By gcov without optimisation, and with the engine's always_inline taken away: inlined copies would count each
# branch once a caller. Headers and walk.inc, which several files include, are merged line by line. A child process
# writes down what it has counted before it becomes another program: gcov's own execve does that.
set -eu
cd "$(dirname "$0")/.."
[ $# -eq 1 ] || { echo "usage: tools/coverage.sh BUILD_DIR" >&2; exit 2; }
build=$1
. tools/python.sh
command -v gcovr >/dev/null 2>&1 || { echo "skipped: no gcovr (Debian: gcovr)" >&2; exit 77; }
cmake -S . -B "$build" -G Ninja -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Debug -DMCPW_PYTHON="$PYTHON" \
    -DMCPW_BENCH_PEERS=OFF -DMCPW_TEST_VARIANTS=ON \
    -DCMAKE_C_FLAGS="--coverage -O0 -fprofile-abs-path -Dalways_inline=unused -Dexecve=__gcov_execve" >/dev/null
cmake --build "$build" >"$build/build.log" 2>&1 || { tail -n 40 "$build/build.log"; exit 2; }
find "$build" -name '*.gcda' -delete
status=0
ctest --test-dir "$build" --output-on-failure -j 2 -L 'unit|json|tool|examples|http|interop|schema|serve|tasks' -LE long -E '^json[.]cases_' \
    >"$build/tests.log" 2>&1 || { status=1; tail -n 40 "$build/tests.log"; }
grep -E '^ *[0-9]+ - .*\(Skipped\)' "$build/tests.log" | sed 's/^ *[0-9]* - /coverage: skipped: /' || true
printf '%s\n' schema/20*-*-* | sed 's,.*/,,' | xargs -P 2 -I REVISION "$PYTHON" -m tests.oracle.oracle \
    --driver "$build/tests/oracle/oracle_driver" --count 100 --revision REVISION \
    >"$build/oracle.log" 2>&1 || { status=1; tail "$build/oracle.log"; }
ctest --test-dir "$build" --output-on-failure -j 2 -R '^oracle[.](verdict_notes|examples|projection)$' \
    >>"$build/tests.log" 2>&1 || { status=1; tail -n 40 "$build/tests.log"; }
[ "$status" -eq 0 ] || echo "coverage: some tests failed; the figures are those of what ran"
# The bench, the oracle and the JSON suite compile the library once more, in other ways: those copies do not count.
# The command compiles parts of it as they are.
gcovr --root . --filter 'runtime/' --gcov-ignore-parse-errors --exclude-unreachable-branches \
    --json "$build/coverage.json" "$build/runtime" "$build/tools" \
    >"$build/gcovr.log" 2>&1 || { tail "$build/gcovr.log"; exit 2; }
"$PYTHON" tests/coverage/report.py "$build/coverage.json" --minimum-lines 95 --minimum-branches 90 || status=1
exit "$status"
