#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the command mcpwire as one program that needs no library but, on macOS, the system's own.
#   tools/release/static.sh TARGET SOURCE WORK OUT
# TARGET is x86_64-linux-musl, aarch64-linux-musl, x86_64-macos or aarch64-macos. SOURCE is the tree to build, WORK a
# folder that is kept for the next run (the libraries take minutes), OUT the program. The compiler is that of ziglang
# (pip install ziglang), which has the C library of every target. The libraries are Debian's sources, as
# `apt-get source` gives them, with Debian's fixes: an update of Debian is an update here.
set -euo pipefail
. "$(dirname "$0")/../debian_sources.sh"
[ $# -eq 4 ] || { sed -n '4p' "$0" | sed 's/^# *//' >&2; exit 2; }
target=$1
source=$(cd "$2" && pwd)
mkdir -p "$3" "$(dirname "$4")"
work=$(cd "$3" && pwd)
out=$(cd "$(dirname "$4")" && pwd)/$(basename "$4")
processor=${target%%-*}
case "$target" in
    x86_64-linux-musl | aarch64-linux-musl)
        system=Linux
        compiled_for=$target
        host=$processor-linux-musl
        flags=-Os
        link="-static -s"
        of_curl=()
        ;;
    x86_64-macos | aarch64-macos)
        system=Darwin
        compiled_for=$target.11.0 # the first that has both processors
        host=$processor-apple-darwin
        flags="-Os -Dfdopen=fdopen" # zlib 1.2.13 takes every Mac for one of before 2001
        link=-s
        # With IPv6 curl reads the system's proxies by a framework of Apple's SDK, which Zig lacks.
        of_curl=(-DENABLE_IPV6=OFF)
        ;;
    *) echo "static: $target is not built; x86_64-linux-musl, aarch64-linux-musl, x86_64-macos or aarch64-macos" >&2; exit 2 ;;
esac

python=${PYTHON:-python3}
zig=$("$python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))' 2>/dev/null) ||
    { echo "skipped: no compiler for $target (pip install ziglang)"; exit 77; }
for program in dpkg-source cmake ninja make pkg-config autoreconf; do
    command -v "$program" >/dev/null 2>&1 || { echo "skipped: $program is missing (Debian: dpkg-dev, cmake, ninja-build, make, pkg-config, autoconf, automake, libtool)"; exit 77; }
done
libraries="zlib pcre2 libyaml libsodium mbedtls curl libmicrohttpd"
prefix=$work/$target/prefix
jobs=$(nproc)

# Wrappers, because configure scripts want the name of one program.
tools=$work/$target/bin
mkdir -p "$tools" "$prefix"
printf '#!/bin/sh\nexec "%s" cc -target %s "$@"\n' "$zig" "$compiled_for" >"$tools/cc"
printf '#!/bin/sh\nexec "%s" ar "$@"\n' "$zig" >"$tools/ar"
# Options of Apple's ranlib go; the archive is the last argument.
printf '#!/bin/sh\nfor archive; do :; done\nexec "%s" ranlib "$archive"\n' "$zig" >"$tools/ranlib"
chmod +x "$tools"/*

fetch() {
    local library
    # shellcheck disable=SC2086 # a list of words
    debian_sources "$work/sources" $libraries || { echo "skipped: the sources of libraries cannot be had, see $work/sources/fetch.log"; exit 77; }
    for library in $libraries; do
        [ -d "$work/sources/$library" ] || (cd "$work/sources" && dpkg-source -q -x "${library}_"*.dsc "$library")
    done
}

# Some look for ar and ranlib by these names.
by_configure() { # LIBRARY OPTION...
    local name=$1
    shift
    [ ! -f "$prefix/$name.done" ] || return 0
    rm -rf "$work/$target/$name"
    cp -r "$work/sources/$name" "$work/$target/$name"
    (cd "$work/$target/$name" && { [ -x configure ] || autoreconf -fi; } && export PATH="$tools:$PATH" && CC="$tools/cc" AR="$tools/ar" RANLIB="$tools/ranlib" CFLAGS="$flags" \
        ./configure --prefix="$prefix" "$@" && make -j "$jobs" && make install) >"$work/$target/$name.log" 2>&1 ||
        { tail -n 20 "$work/$target/$name.log" >&2; return 1; }
    touch "$prefix/$name.done"
}

cross=(-G Ninja "-DCMAKE_SYSTEM_NAME=$system" "-DCMAKE_SYSTEM_PROCESSOR=$processor" "-DCMAKE_C_COMPILER=$tools/cc"
    "-DCMAKE_AR=$tools/ar" "-DCMAKE_RANLIB=$tools/ranlib" -DCMAKE_BUILD_TYPE=MinSizeRel "-DCMAKE_INSTALL_PREFIX=$prefix"
    -DCMAKE_INSTALL_LIBDIR=lib "-DCMAKE_FIND_ROOT_PATH=$prefix" -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER
    -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DBUILD_SHARED_LIBS=OFF)
by_cmake() { # LIBRARY OPTION...
    local name=$1
    shift
    [ ! -f "$prefix/$name.done" ] || return 0
    (cmake -S "$work/sources/$name" -B "$work/$target/$name" "${cross[@]}" "$@" &&
        cmake --build "$work/$target/$name" --target install) >"$work/$target/$name.log" 2>&1 ||
        { tail -n 20 "$work/$target/$name.log" >&2; return 1; }
    touch "$prefix/$name.done"
}

fetch
export CHOST=$processor-linux-musl # for the configure of zlib, which knows no --host, and takes Apple's libtool for macOS
by_configure zlib --static
unset CHOST
by_cmake pcre2 -DPCRE2_SUPPORT_JIT=ON -DPCRE2_BUILD_TESTS=OFF -DPCRE2_BUILD_PCRE2GREP=OFF
by_cmake libyaml -DBUILD_TESTING=OFF
by_configure libsodium "--host=$host" --disable-shared --disable-ssp
by_cmake mbedtls -DENABLE_TESTING=OFF -DENABLE_PROGRAMS=OFF
by_cmake curl -DHTTP_ONLY=ON -DCURL_USE_MBEDTLS=ON -DCURL_USE_OPENSSL=OFF -DBUILD_CURL_EXE=OFF -DBUILD_TESTING=OFF \
    -DCURL_DISABLE_LDAP=ON -DUSE_LIBIDN2=OFF -DCURL_USE_LIBPSL=OFF -DCURL_USE_LIBSSH2=OFF -DCURL_ZSTD=OFF \
    -DCURL_BROTLI=OFF -DUSE_NGHTTP2=OFF -DCURL_CA_BUNDLE=none -DCURL_CA_PATH=none "${of_curl[@]}"
by_configure libmicrohttpd "--host=$host" --disable-shared --disable-https --disable-doc --disable-examples \
    --disable-curl --disable-postprocessor --disable-dauth --disable-bauth

export PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig
cmake -S "$source" -B "$work/$target/mcpwire" "${cross[@]}" "-DCMAKE_EXE_LINKER_FLAGS=$link" -DPKG_CONFIG_ARGN=--static \
    -DMCPW_BUILD_SHARED=OFF -DMCPW_BUILD_TESTS=OFF -DMCPW_INSTALL=OFF -DMCPW_CA_SEARCH=ON >"$work/$target/mcpwire.log"
cmake --build "$work/$target/mcpwire" --target mcpwire >>"$work/$target/mcpwire.log" || { tail -n 40 "$work/$target/mcpwire.log"; exit 1; }
cp "$work/$target/mcpwire/tools/mcpwire" "$out"
ls -l "$out"
