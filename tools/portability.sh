#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds and tests mcpwire for other machines, C libraries and compilers, and under tools that see undefined
# behaviour. Usage: tools/portability.sh [-b BUILD_DIR] KIND...|all
#   sanitize  AddressSanitizer and UndefinedBehaviorSanitizer (gcc)
#   msan      MemorySanitizer (clang)             tsan      ThreadSanitizer: tests/unit/test_threads*.c
#   valgrind  memcheck                            aliasing  -O2 -flto with strict aliasing and alignment warnings
#   m32       32-bit x86, x87 arithmetic          s390x     big endian, under QEMU
#   aarch64   NEON, under QEMU                    musl      another C library
#   poll      HTTP by poll() instead of epoll, on this machine: the tests of HTTP
#   mingw     Windows: libraries, HTTP, the command and examples; runs where Wine is installed
#   mingw-clang  Windows: static libraries and the command by clang, compiled and linked
#   macos     arm64 and x86-64: libraries, HTTP, logins and the command, compiled and linked by the compiler of Zig, not run
#   wasm      WebAssembly with WASI, in wasmtime and in Node
# Each prints "ok KIND", "failed KIND" or "skipped KIND: why". Exit status: 1 when one failed, 77 when all were
# skipped. Each builds in BUILD_DIR/KIND (default build/portability) and logs to BUILD_DIR/KIND.log. Zig, wasmtime and the
# libraries for Windows are kept in BUILD_DIR, or in the folder that MCPW_PORTABILITY_TOOLS names.
# `tools/setup.sh portability` installs what they need on Debian.
set -uo pipefail
cd "$(dirname "$0")/.."
. tools/python.sh
all_kinds="sanitize msan tsan valgrind aliasing m32 s390x aarch64 musl poll mingw mingw-clang macos wasm"
base=build/portability

usage() {
    sed -n '3,19s/^# \{0,1\}//p' "$0" >&2
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
kept=${MCPW_PORTABILITY_TOOLS:-$base}

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

# The command is built as well, because tests of the client call it.
kind_poll() {
    configure -DCMAKE_BUILD_TYPE=Release -DMCPW_HTTP_EVENTS=poll -DMCPW_BUILD_TOOLS=ON -DMCPW_TEST_VARIANTS=OFF &&
        ninja -C "$build" http_tests unit_test_os_set || return 1
    [ -n "$(ctest --test-dir "$build" -N -R '^http[.]serve$' | grep 'Total Tests: 1')" ] || skip "no libmicrohttpd (Debian: libmicrohttpd-dev)"
    ctest --test-dir "$build" --output-on-failure -j 2 -R '^(http[.]|unit[.]test_os_set)'
}

# A client and a server of Windows, and a server of Windows with a client here. Pipes, bytes and line ends.
talk_under_wine() {
    local examples=$build/tests/examples/examples
    ninja -C "$build" example_client example_echo || return 1
    timeout 60 wine "$examples/example_client.exe" echo '{"message":"zwei W\u00f6rter"}' -- "$examples/example_echo.exe" >"$build/said" &&
        grep -q 'zwei Wörter' "$build/said" || return 1
    printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}' |
        timeout 60 wine "$examples/example_echo.exe" >"$build/said" &&
        grep -q '"id":1' "$build/said" && ! grep -q "$(printf '\r')" "$build/said"
}

# A program that is linked with the DLLs.
dlls_under_wine() {
    ninja -C "$build" client_of_dlls || return 1
    timeout 60 wine "$build/runtime/client_of_dlls.exe" echo '{"message":"by DLLs"}' -- "$build/tests/examples/examples/example_echo.exe" >"$build/said" &&
        grep -q 'by DLLs' "$build/said"
}

# HTTP needs libraries, which are built once and kept. Without them the rest is tested.
windows_libraries() {
    local status=0
    tools/windows_libraries.sh "$kept/windows-libraries" || status=$?
    [ $status -eq 77 ] && echo "portability: mingw leaves out HTTP: the sources of its libraries cannot be had" >&3
    [ $status -eq 0 ] || [ $status -eq 77 ]
}

http_under_wine() {
    local examples=$build/tests/examples/examples
    ninja -C "$build" -t query mcpwire_http >/dev/null 2>&1 || return 0
    ninja -C "$build" example_http_server example_http_client &&
        "$PYTHON" -m tests.portability.windows_http "$examples"
}

tool_under_wine() {
    ninja -C "$build" example_echo console_event terminal_pipe interop_fixture || return 1
    [ ! -e "$build/tests/examples/examples/example_http_server.exe" ] ||
        { "$PYTHON" -m tests.portability.windows_tool "$build/tools/mcpwire.exe" "$build/tests/examples/examples" &&
            "$PYTHON" -m tests.portability.windows_login "$build/tools/mcpwire.exe" &&
            "$PYTHON" -m tests.portability.windows_https "$build/tools/mcpwire.exe" "$build/tests/examples/examples" &&
            "$PYTHON" -m tests.portability.windows_sdks "$build/tools/mcpwire.exe" "$build/tests/examples/examples"; }
}

has_wine() { # KIND
    command -v wine >/dev/null 2>&1 || { echo "portability: $1 is built and linked, not run: no wine" >&3; return 1; }
}

begin_wine() {
    export WINEPREFIX="$build/wine" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
    wineboot -i >/dev/null 2>&1
    wineserver -p # it stays, so that each program begins at once
}

kind_mingw() {
    local status=0
    need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
    windows_libraries || return 1
    configure -DMCPW_BUILD_TOOLS=ON -DMCPW_WITH_ZLIB=OFF -DMCPW_MINGW_ROOT="$kept/windows-libraries/root" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG -pedantic-errors" -DMCPW_TEST_VARIANTS=OFF \
        -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/mingw-w64.cmake" -DCMAKE_CROSSCOMPILING_EMULATOR="$(command -v wine)" &&
        ninja -C "$build" mcpwire_static mcpwire_shared mcpwire_session mcpwire_session_shared mcpwire_serve mcpwire unit_tests || return 1
    echo "portability: mingw leaves out, as they need POSIX or libraries that are not built for Windows: $(
        sed -n 's/^-- test_\([a-z_]*\) is left out.*/\1/p' "$log" | tr '\n' ' ')" >&3
    has_wine mingw || return 0
    begin_wine
    { unit_tests && talk_under_wine && dlls_under_wine && http_under_wine && tool_under_wine; } || status=1
    wineserver -k
    return $status
}

# No GNU extension is allowed, so that other compilers take the code as well.
kind_mingw-clang() {
    local status=0
    need clang clang
    need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
    windows_libraries || return 1
    configure -DMCPW_BUILD_TOOLS=ON -DMCPW_WITH_ZLIB=OFF -DMCPW_MINGW=clang -DMCPW_TEST_VARIANTS=OFF -DMCPW_MINGW_ROOT="$kept/windows-libraries/root" \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG -pedantic-errors" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/mingw-w64.cmake" \
        -DCMAKE_CROSSCOMPILING_EMULATOR="$(command -v wine)" &&
        ninja -C "$build" mcpwire_static mcpwire_shared mcpwire_session mcpwire_session_shared mcpwire_serve mcpwire example_echo client_of_dlls || return 1
    has_wine mingw-clang || return 0
    begin_wine
    dlls_under_wine || status=1
    wineserver -k
    return $status
}

# The compiler of Zig brings the headers and the stubs of macOS's libraries. It comes from PyPI.
zig_version=0.17.1
make_zig_tools() { # ARCHITECTURE
    local tool target=""
    for tool in cc ar ranlib; do
        [ "$tool" = cc ] && target="-target $1-macos" || target=""
        printf '#!/bin/sh\nexec "%s" -m ziglang %s %s "$@"\n' "$kept/zig/bin/python" "$tool" "$target" >"$build/$tool"
        chmod +x "$build/$tool"
    done
}

# Stands in for a library of macOS: the headers of this machine's, which are the same everywhere, and a list of its
# symbols, which is all that a linker wants.
make_stub() { # MODULE LIBRARY SYMBOLS HEADER...
    local module=$1 library=$2 symbols=$3 stubs=$base/macos/stubs header shared
    shift 3
    for header in "$@"; do
        cp -r "$header" "$stubs/include/" || return 1
    done
    shared=$(gcc -print-file-name="$library.so")
    nm -D --defined-only "$shared" | sed -n "s/^.* \\($symbols[A-Za-z0-9_]*\\).*/_\\1/p" | sort -u >"$stubs/$library.symbols"
    [ -s "$stubs/$library.symbols" ] || return 1
    {
        printf -- '--- !tapi-tbd\ntbd-version: 4\ntargets: [ arm64-macos, x86_64-macos ]\ninstall-name: /usr/local/lib/%s.dylib\n' "$library"
        printf 'exports:\n  - targets: [ arm64-macos, x86_64-macos ]\n    symbols: [ %s ]\n...\n' "$(paste -sd, "$stubs/$library.symbols")"
    } >"$stubs/lib/$library.tbd"
    printf 'Name: %s\nDescription: symbols\nVersion: %s\nCflags: -I%s\nLibs: -L%s -l%s\n' "$module" \
        "$(pkg-config --modversion "$module")" "$stubs/include" "$stubs/lib" "${library#lib}" >"$stubs/pkgconfig/$module.pc"
}

# Sets PKG_CONFIG_LIBDIR to the libraries that HTTP and logins need; without them the rest is built.
stand_ins_of_macos() {
    local include=/usr/include stubs=$base/macos/stubs
    local multiarch=$include/$(gcc -print-multiarch)
    rm -rf "$stubs" && mkdir -p "$stubs/include" "$stubs/lib" "$stubs/pkgconfig" || return 1
    { make_stub libcurl libcurl curl_ "$multiarch/curl" && make_stub libmicrohttpd libmicrohttpd MHD_ "$include/microhttpd.h" &&
        make_stub libsodium libsodium "\\(sodium\\|crypto\\|randombytes\\)_" "$include/sodium.h" "$include/sodium"; } ||
        echo "portability: macos leaves out HTTP or logins: no headers of libcurl, libmicrohttpd and libsodium (Debian: libcurl4-openssl-dev libmicrohttpd-dev libsodium-dev)" >&3
    export PKG_CONFIG_LIBDIR="$stubs/pkgconfig"
}

kind_macos() {
    local arch
    if ! "$kept/zig/bin/python" -m ziglang version >/dev/null 2>&1; then
        "$PYTHON" -m venv "$kept/zig" && "$kept/zig/bin/pip" install -q "ziglang==$zig_version" || skip "no ziglang $zig_version (PyPI)"
    fi
    export ZIG_GLOBAL_CACHE_DIR="$kept/zig-cache" ZIG_LOCAL_CACHE_DIR="$kept/zig-cache"
    stand_ins_of_macos || return 1
    for arch in aarch64 x86_64; do
        build=$base/macos/$arch
        mkdir -p "$build" && make_zig_tools "$arch" &&
            configure -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" -DCMAKE_SYSTEM_NAME=Darwin \
                -DCMAKE_SYSTEM_PROCESSOR="$arch" -DCMAKE_C_COMPILER="$build/cc" -DCMAKE_AR="$build/ar" -DCMAKE_RANLIB="$build/ranlib" \
                -DCMAKE_INSTALL_NAME_TOOL="$(command -v true)" -DMCPW_BUILD_TESTS=OFF -DMCPW_BUILD_SHARED=OFF -DMCPW_BUILD_TOOLS=ON \
                -DMCPW_WITH_JSON_C=OFF -DMCPW_WITH_PCRE2=OFF -DMCPW_WITH_ZLIB=OFF &&
            ninja -C "$build" mcpwire mcpwire_serve || return 1
    done
}

# The C library of WebAssembly without an operating system; wasmtime comes from PyPI.
wasmtime_version=50.0.1
kind_wasm() {
    local status=0 runner
    need wasm-ld lld
    need clang clang
    [ -e /usr/lib/wasm32-wasi/libc.a ] || skip "no C library for WASI (Debian: wasi-libc libclang-rt-dev-wasm32)"
    if ! "$kept/wasmtime/bin/python" -c "import wasmtime" 2>/dev/null; then
        "$PYTHON" -m venv "$kept/wasmtime" && "$kept/wasmtime/bin/pip" install -q "wasmtime==$wasmtime_version" || skip "no wasmtime $wasmtime_version (PyPI)"
    fi
    for runner in "$kept/wasmtime/bin/python;$PWD/tests/wasm/run_wasmtime.py" "node;--no-warnings;$PWD/tests/wasm/run_node.mjs"; do
        case $runner in
            node*) command -v node >/dev/null 2>&1 || { echo "portability: wasm is run by wasmtime, not by node, which is not here" >&3; continue; } ;;
        esac
        configure -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" -DMCPW_TEST_VARIANTS=OFF \
            -DCMAKE_EXE_LINKER_FLAGS_RELEASE=-O0 -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/wasm32-wasi.cmake" -DCMAKE_CROSSCOMPILING_EMULATOR="$runner" && unit_tests || return 1
    done
    echo "portability: wasm leaves out, as they need POSIX, threads or libraries that are not built for it: $(
        sed -n 's/^-- test_\([a-z_]*\) is left out.*/\1/p' "$log" | sort -u | tr '\n' ' ')" >&3
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
