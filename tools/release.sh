#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes a release of the commit that is checked out. docs/releasing.md says what to do before and after.
#   tools/release.sh source OUT              source archive and bill of materials; made twice, and compared
#   tools/release.sh packages OUT [WORK]     Debian packages for this machine, and a zip for Windows
#   tools/release.sh natives OUT WORK        wheels and npm packages of the command, as programs that need no library,
#                                            and the npm package of the module for pages
#   tools/release.sh sign OUT SECRET_KEY     SHA256SUMS of all that is in OUT, signed with minisign
#   tools/release.sh verify OUT PUBLIC_KEY   checks the signature and the sums, as a user does
# WORK keeps the libraries that are built, for the next run.
# Debian: minisign; for Windows gcc-mingw-w64-x86-64. A part whose compiler is missing says "skipped: why".
set -euo pipefail
cd "$(dirname "$0")/.."
usage() { sed -n '4,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
mkdir -p "$2"
out=$(cd "$2" && pwd)
. tools/python.sh
sums=SHA256SUMS

need() { # PROGRAM PACKAGE
    command -v "$1" >/dev/null 2>&1 || { echo "release: $1 is missing (Debian: $2)" >&2; exit 1; }
}

make_source() {
    local again
    again=$(mktemp -d)
    "$PYTHON" -m tools.release source "$out"
    "$PYTHON" -m tools.release source "$again" >/dev/null
    local file
    for file in "$again"/*; do
        cmp "$file" "$out/$(basename "$file")"
    done
    rm -rf "$again"
}

# The packages are built from the archive: what is not in it is not in them.
unpacked() {
    local folder=$1
    tar -xzf "$out"/mcpwire-*.tar.gz -C "$folder"
    echo "$folder"/mcpwire-*
}

make_packages() {
    local kept=$1 work tree
    work=$(mktemp -d)
    tree=$(unpacked "$work")
    cmake -S "$tree" -B "$work/debian" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DMCPW_BUILD_TESTS=OFF >/dev/null
    cmake --build "$work/debian" -j "$(nproc)" >"$work/debian.log" || { tail -n 40 "$work/debian.log"; exit 1; }
    (cd "$work/debian" && cpack >/dev/null)
    cp "$work"/debian/*.deb "$out"
    if command -v x86_64-w64-mingw32-gcc >/dev/null 2>&1; then
        # Without their sources the zip lacks HTTP and the command.
        "$tree/tools/windows_libraries.sh" "${kept:-$work}/windows-libraries" >"$work/libraries.log" 2>&1 || tail -n 1 "$work/libraries.log"
        cmake -S "$tree" -B "$work/windows" -DCMAKE_BUILD_TYPE=MinSizeRel -DMCPW_BUILD_TESTS=OFF -DMCPW_BUILD_TOOLS=ON -DMCPW_WITH_ZLIB=OFF \
            "-DMCPW_MINGW_ROOT=${kept:-$work}/windows-libraries/root" "-DCMAKE_EXE_LINKER_FLAGS=-static -s" \
            "-DCMAKE_TOOLCHAIN_FILE=$tree/cmake/mingw-w64.cmake" >/dev/null
        cmake --build "$work/windows" -j "$(nproc)" >"$work/windows.log" || { tail -n 40 "$work/windows.log"; exit 1; }
        (cd "$work/windows" && cpack >/dev/null)
        cp "$work"/windows/*.zip "$out"
    else
        echo "skipped: the zip for Windows: x86_64-w64-mingw32-gcc is missing (Debian: gcc-mingw-w64-x86-64)"
    fi
    rm -rf "$work"
}

# Programs that run on any system of their kind. Windows's is taken from the zip, where that has been made.
make_natives() {
    local work=$1 tree programs target zip
    mkdir -p "$work"
    work=$(cd "$work" && pwd)
    rm -rf "$work/tree" "$work/programs"
    mkdir -p "$work/tree" "$work/programs"
    tree=$(unpacked "$work/tree")
    for target in x86_64 aarch64; do
        PYTHON=$PYTHON "$tree/tools/release/static.sh" "$target-linux-musl" "$tree" "$work/static" "$work/programs/linux-$target/mcpwire"
        PYTHON=$PYTHON "$tree/tools/release/static.sh" "$target-macos" "$tree" "$work/static" "$work/programs/macos-$target/mcpwire"
    done
    for zip in "$out"/mcpwire-*-windows-x86_64.zip; do
        if [ -f "$zip" ] && unzip -q -j "$zip" '*/bin/mcpwire.exe' -d "$work/programs/windows-x86_64" 2>/dev/null; then
            echo "with the program of $(basename "$zip")"
        else
            echo "skipped: Windows: there is no zip with bin/mcpwire.exe"
        fi
    done
    "$PYTHON" -m tools.release natives "$out" "$work/programs"
    make_page "$work" "$tree"
}

# The module for pages and for Node.
make_page() { # WORK TREE
    local program
    for program in clang wasm-ld ninja npm; do
        command -v "$program" >/dev/null 2>&1 || { echo "skipped: mcpwire-wasm: $program is missing (docs/guide/webassembly.md)"; return; }
    done
    "$2/tools/wasm/build.sh" "$1/wasm" >/dev/null
    (cd "$1/wasm/npm" && npm pack --silent --pack-destination "$out")
}

case "$1" in
    source) make_source ;;
    packages) make_packages "${3:+$(mkdir -p "$3" && cd "$3" && pwd)}" ;;
    natives)
        [ $# -eq 3 ] || usage
        make_natives "$3"
        ;;
    sign)
        [ $# -eq 3 ] || usage
        need minisign minisign
        "$PYTHON" -m tools.release checksums "$out"
        minisign -S -s "$3" -m "$out/$sums"
        ;;
    verify)
        [ $# -eq 3 ] || usage
        need minisign minisign
        minisign -V -p "$3" -m "$out/$sums"
        (cd "$out" && sha256sum --check --strict --quiet "$sums")
        ;;
    *) usage ;;
esac
ls -l "$out"
