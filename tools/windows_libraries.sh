#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds libmicrohttpd, libcurl with Schannel, and libsodium for Windows (x86-64) as static libraries, from Debian's sources.
# Usage: tools/windows_libraries.sh FOLDER
# They are installed in FOLDER/root, which cmake/mingw-w64.cmake takes as MCPW_MINGW_ROOT. A library that is there is left as it
# is. Exit status: 77 if the sources cannot be had, 1 if a build fails.
set -euo pipefail
. "$(dirname "$0")/debian_sources.sh"
[ $# -eq 1 ] || { sed -n '3,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
cd "$1"
folder=$PWD
host=x86_64-w64-mingw32
root=$folder/root
libraries="libmicrohttpd curl libsodium"

skip() { # WHY
    echo "windows_libraries: $1" >&2
    exit 77
}

# Unpacks the release of its authors, without Debian's changes, and sets source, build and version. 1: the library is there.
unpack() { # LIBRARY
    [ ! -e "root/$1.version" ] || return 1
    local archive
    archive=$(ls "src/$1"_*.orig.tar.?z | sort -V | tail -n 1)
    version=${archive##*_}
    version=${version%.orig.tar.?z}
    source=$folder/$1
    build=$folder/$1-build
    rm -rf "$source" "$build"
    mkdir -p "$source" "$build"
    tar xf "$archive" -C "$source" --strip-components 1
}

finish() { # LIBRARY
    rm -rf "$source" "$build"
    echo "$version" >"root/$1.version"
    echo "windows_libraries: $1 $version"
}

make_by_configure() { # LIBRARY ARGUMENT...
    local library=$1
    shift
    (cd "$build" && "$source/configure" --host="$host" --prefix="$root" --disable-shared --enable-static \
        --disable-dependency-tracking "$@" CC="$host-gcc" CFLAGS=-O2 && make -j 2 && make install) >"$library.log" 2>&1 ||
        { tail -n 40 "$library.log" >&2; exit 1; }
}

command -v "$host-gcc" >/dev/null 2>&1 || skip "no $host-gcc (Debian: gcc-mingw-w64-x86-64)"
missing=""
for library in $libraries; do
    [ -e "root/$library.version" ] || missing="$missing $library"
done
[ -n "$missing" ] || exit 0
# shellcheck disable=SC2086 # a list of words
debian_sources "$folder/src" $missing || skip "no sources, see $folder/src/fetch.log"
if unpack libmicrohttpd; then
    make_by_configure libmicrohttpd --disable-https --disable-doc --disable-examples --disable-curl --disable-bauth \
        --disable-dauth --disable-postprocessor
    finish libmicrohttpd
fi
# Its sources have no configure. It is plain C, and its headers say what each file needs.
if unpack libsodium; then
    include=$source/src/libsodium/include
    version_header=$include/sodium/version.h
    sed -e "s/@VERSION@/$version/" -e 's/@SODIUM_LIBRARY_VERSION_MAJOR@/10/' -e 's/@SODIUM_LIBRARY_VERSION_MINOR@/3/' \
        -e 's/@SODIUM_LIBRARY_MINIMAL_DEF@//' "$version_header.in" >"$version_header"
    (cd "$build" && find "$source/src/libsodium" -name '*.c' -print0 | xargs -0 -P 2 -n 8 "$host-gcc" -O2 -w -c -DCONFIGURED=1 -DSODIUM_STATIC=1 \
        -DNATIVE_LITTLE_ENDIAN=1 -I"$include" -I"$include/sodium" && "$host-ar" rcs "$root/lib/libsodium.a" ./*.o) >libsodium.log 2>&1 ||
        { tail -n 40 libsodium.log >&2; exit 1; }
    cp -r "$include/." "$root/include/"
    printf 'Name: libsodium\nDescription: %s\nVersion: %s\nCflags: -I%s -DSODIUM_STATIC\nLibs: -L%s -lsodium\n' \
        "cryptography" "$version" "$root/include" "$root/lib" >"$root/lib/pkgconfig/libsodium.pc"
    finish libsodium
fi
if unpack curl; then
    (cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER="$host-gcc" \
        -DCMAKE_RC_COMPILER="$host-windres" -DCMAKE_FIND_ROOT_PATH="/usr/$host" -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY \
        -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DCMAKE_INSTALL_PREFIX="$root" -DBUILD_SHARED_LIBS=OFF -DBUILD_CURL_EXE=OFF \
        -DBUILD_TESTING=OFF -DHTTP_ONLY=ON -DCURL_USE_SCHANNEL=ON -DENABLE_MANUAL=OFF -DCURL_USE_LIBSSH2=OFF -DUSE_LIBIDN2=OFF \
        -DCURL_ZLIB=OFF -DCURL_USE_LIBPSL=OFF &&
        cmake --build "$build" && cmake --install "$build") >curl.log 2>&1 || { tail -n 40 curl.log >&2; exit 1; }
    sed -i 's/^Cflags:.*/& -DCURL_STATICLIB/' "$root/lib/pkgconfig/libcurl.pc"
    finish curl
fi
