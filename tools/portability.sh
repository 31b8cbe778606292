#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds and tests mcpwire for other machines, C libraries and compilers, and under tools that see undefined
# behaviour. Usage: tools/portability.sh [-b BUILD_DIR] KIND...|all
#   sanitize  AddressSanitizer and UndefinedBehaviorSanitizer (gcc)
#   msan      MemorySanitizer (clang)             tsan      ThreadSanitizer: tests/unit/test_threads*.c
#   valgrind  memcheck                            aliasing  -O2 -flto with strict aliasing and alignment warnings
#   m32       32-bit x86, x87 arithmetic          s390x     big endian, under QEMU
#   aarch64   NEON, under QEMU                    musl      another C library
#   mingw     Windows: codec and sessions; runs where Wine is installed
# Each prints "ok KIND", "failed KIND" or "skipped KIND: why". Exit status: 1 when one failed, 77 when all were
# skipped. Each builds in BUILD_DIR/KIND (default build/portability) and logs to BUILD_DIR/KIND.log.
# `tools/setup.sh portability` installs what they need on Debian.
set -uo pipefail
cd "$(dirname "$0")/.."
. tools/python.sh
all_kinds="sanitize msan tsan valgrind aliasing m32 s390x aarch64 musl mingw"
base=build/portability

usage() {
    sed -n '3,14s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

while getopts b: option; do
    case $option in
        b) base=$OPTARG ;;
        *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
[ "$*" = all ] && set -- $all_kinds
mkdir -p "$base"
base=$(cd "$base" && pwd)

skip() { # WHY
    echo "$1" >"$base/why"
    exit 77
}

need() { # PROGRAM PACKAGE
    command -v "$1" >/dev/null 2>&1 || skip "no $1 (Debian: $2)"
}

# Whether this compiler and these flags make a program that runs here.
makes_programs() { # COMPILER FLAG...
    printf '#include <errno.h>\n#include <stdio.h>\nint main(void) { return puts("") < 0 ? EINTR : 0; }\n' >"$base/try.c"
    "$@" -o "$base/try" "$base/try.c" >/dev/null 2>&1
}

build=""
configure() { # CMAKE_ARGUMENT...
    cmake -S . -B "$build" -G Ninja -DMCPW_WERROR=ON -DMCPW_PYTHON="$PYTHON" -DMCPW_BENCH_PEERS=OFF \
        -DMCPW_BUILD_TOOLS=OFF -DMCPW_TEST_VARIANTS=ON "$@"
}

# Every unit test, and the JSON suite, but those that are named here with a reason.
unit_tests() { # [TEST WHY]...
    local left_out="^$"
    while [ $# -gt 1 ]; do
        echo "portability: $kind leaves out $1: $2" >&3
        left_out="$left_out|^unit\.$1\$"
        shift 2
    done
    ninja -C "$build" unit_tests json_suite &&
        ctest --test-dir "$build" --output-on-failure -j 2 -R '^(unit[.]|json[.]cases$)' -E "$left_out"
}

# A few thousand values of one revision, and the cases that show each rule of the verdict.
short_oracle() { # [EMULATOR...]
    local driver=$build/tests/oracle/oracle_driver
    ninja -C "$build" oracle_driver || return 1
    if [ $# -gt 0 ]; then
        printf '#!/bin/sh\nexec %s %s "$@"\n' "$*" "$driver" >"$build/driver"
        chmod +x "$build/driver"
        driver=$build/driver
    fi
    "$PYTHON" -m tests.oracle.oracle --driver "$driver" --revision 2024-11-05 --count 200 &&
        "$PYTHON" -m tests.oracle.verdict_notes --driver "$driver"
}

without_libraries="-DMCPW_WITH_SODIUM=OFF -DMCPW_WITH_JSON_C=OFF -DMCPW_WITH_PCRE2=OFF" # those of this machine do not fit

# shellcheck disable=SC2086 # $without_libraries is a list of words
cross() { # SYSTEM PROCESSOR COMPILER EMULATOR [CMAKE_ARGUMENT...]
    local system=$1 processor=$2 compiler=$3 emulator=$4
    shift 4
    configure -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME="$system" -DCMAKE_SYSTEM_PROCESSOR="$processor" \
        -DCMAKE_C_COMPILER="$compiler" -DCMAKE_CROSSCOMPILING_EMULATOR="$emulator" $without_libraries "$@"
}

kind_sanitize() {
    makes_programs gcc -fsanitize=address,undefined || skip "gcc without sanitizers (Debian: libgcc-12-dev)"
    configure -DCMAKE_BUILD_TYPE=Debug -DMCPW_SANITIZE=address,undefined && unit_tests && short_oracle
}

# Neither json-c nor libsodium is instrumented: every byte that they write would count as not initialised.
kind_msan() {
    need clang clang
    makes_programs clang -fsanitize=memory || skip "clang without MemorySanitizer"
    # shellcheck disable=SC2086
    configure -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=clang -DMCPW_SANITIZE=memory $without_libraries \
        -DCMAKE_C_FLAGS="-O1 -fsanitize-memory-track-origins" &&
        unit_tests test_stack "instrumented functions take more stack" \
            test_session_relay "it looks through memory that was never written, to break it" && short_oracle
}

# The tests that have threads, again and again. Address space randomisation is off, as the sanitizer asks on some
# kernels.
kind_tsan() {
    local test tests="unit_test_threads unit_test_threads_detached unit_test_threads_workers unit_test_threads_client"
    tests="$tests unit_test_threads_loop unit_test_threads_misuse unit_test_threads_serve unit_test_threads_functions unit_test_threads_changes"
    makes_programs gcc -fsanitize=thread || skip "gcc without ThreadSanitizer"
    # shellcheck disable=SC2086 # a list of words
    configure -DCMAKE_BUILD_TYPE=Debug -DMCPW_SANITIZE=thread -DCMAKE_C_FLAGS=-O1 && ninja -C "$build" $tests || return 1
    for _ in 1 2 3 4 5; do
        for test in $tests; do
            setarch -R "$build/tests/unit/$test" || return 1
        done
    done
}

kind_valgrind() {
    need valgrind valgrind
    configure -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1 \
        "-DCMAKE_CROSSCOMPILING_EMULATOR=valgrind;--quiet;--error-exitcode=9;--leak-check=full;--child-silent-after-fork=yes" &&
        unit_tests test_stack "frames are larger with less optimisation" \
            test_session_relay "it looks through memory that was never written, to break it"
}

kind_aliasing() {
    need gcc gcc
    configure -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON \
        -DCMAKE_C_FLAGS="-fstrict-aliasing -Wcast-align=strict" &&
        unit_tests && short_oracle
}

# Debian's gcc-multilib cannot be installed beside cross compilers; all it adds is the path of asm/.
kind_m32() {
    local flags="-m32 -idirafter /usr/include/$(gcc -print-multiarch 2>/dev/null)"
    # shellcheck disable=SC2086
    { makes_programs gcc $flags && "$base/try"; } || skip "gcc makes no 32-bit programs (Debian: libc6-dev-i386 lib32gcc-12-dev)"
    cross Linux i686 gcc "" -DCMAKE_C_FLAGS="$flags" && unit_tests && short_oracle
}

under_qemu() { # PROCESSOR COMPILER LIBRARY_PACKAGE
    local qemu=qemu-$1-static
    command -v "$qemu" >/dev/null 2>&1 || qemu=qemu-$1
    need "$2" "gcc-${2%-gcc}"
    need "$qemu" qemu-user-static
    makes_programs "$2" -static || skip "$2 without a C library (Debian: $3)"
    export MCPW_TEST_EMULATOR="$qemu" # for the test that starts itself
    cross Linux "$1" "$2" "$qemu" -DCMAKE_EXE_LINKER_FLAGS=-static && unit_tests && short_oracle "$qemu"
}

kind_s390x() { under_qemu s390x s390x-linux-gnu-gcc libc6-dev-s390x-cross; }

kind_aarch64() { under_qemu aarch64 aarch64-linux-gnu-gcc libc6-dev-arm64-cross; }

kind_musl() {
    need musl-gcc musl-tools
    # shellcheck disable=SC2086
    configure -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=musl-gcc -DMCPW_TEST_CXX=OFF $without_libraries && unit_tests && short_oracle
}

kind_mingw() {
    need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
    # isfinite() of its <math.h> converts to float, in branches that are not taken.
    cross Windows AMD64 x86_64-w64-mingw32-gcc "$(command -v wine)" -DCMAKE_EXE_LINKER_FLAGS=-static \
        -DCMAKE_C_FLAGS=-Wno-float-conversion &&
        ninja -C "$build" mcpwire_static mcpwire_shared mcpwire_session mcpwire_session_shared unit_tests || return 1
    if command -v wine >/dev/null 2>&1; then
        unit_tests
    else
        echo "portability: mingw is built and linked, not run: no wine" >&3
    fi
}

ran=0
failed=0
for kind in "$@"; do
    case " $all_kinds " in
        *" $kind "*) ;;
        *) echo "portability: no kind '$kind'" >&2; usage ;;
    esac
    build=$base/$kind
    log=$base/$kind.log
    ("kind_$kind") 3>&1 >"$log" 2>&1
    case $? in
        0) ran=1; echo "ok $kind" ;;
        77) echo "skipped $kind: $(cat "$base/why")" ;;
        *) ran=1; failed=1; tail -n 60 "$log"; echo "failed $kind (see $log)" ;;
    esac
done
[ "$failed" -eq 0 ] || exit 1
[ "$ran" -eq 1 ] || exit 77
