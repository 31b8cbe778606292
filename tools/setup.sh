#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what mcpwire needs that is not there yet. Usage: tools/setup.sh build|test|ci|portability
#   build: compiler, CMake, json-c, Python with Jinja2    test: also what the tests use
#   ci: also what .ci/run uses: three other machines, Windows, a fuzzer, documentation, packages, linters, a bare system, proxies, Redis
#   portability: also what the rest of it, and tools/coverage.sh, use
# With apt it installs, saying what; elsewhere it names the packages. Root is asked for only to install.
set -eu

build_packages="gcc libc6-dev cmake ninja-build pkg-config libjson-c-dev python3 python3-jinja2 libsodium-dev zlib1g-dev libpcre2-dev"
test_packages="$build_packages g++ clang python3-jsonschema libmicrohttpd-dev libcurl4-openssl-dev libhiredis-dev libsecret-1-dev gnome-keyring dbus libssl-dev libyaml-dev libevent-dev openssl valgrind libsqlite3-dev man-db locales make dpkg-dev file abigail-tools"
# gcc-multilib would do for 32 bits, but it cannot be installed beside cross compilers.
ci_packages="$test_packages ccache minisign unzip libc6-dev-i386 lib32gcc-$(gcc -dumpversion 2>/dev/null || echo 12)-dev
    gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user-static qemu-system-arm socat libclang-rt-dev
    doxygen clangd meson clang-format clang-tidy python3-venv debootstrap zsh fish gcc-arm-none-eabi libnewlib-arm-none-eabi gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf nginx haproxy caddy apache2 redis-server chromium fonts-dejavu-core
    gcc-mingw-w64-x86-64 wine wine64 musl-tools lld binaryen wasi-libc libclang-rt-dev-wasm32"
portability_packages="$ci_packages gcovr gcc-aarch64-linux-gnu libc6-dev-arm64-cross"

case "${1:-}" in
    build) packages=$build_packages ;;
    test) packages=$test_packages ;;
    ci) packages=$ci_packages ;;
    portability) packages=$portability_packages ;;
    *) echo "usage: tools/setup.sh build|test|ci|portability" >&2; exit 2 ;;
esac

if ! command -v apt-get >/dev/null 2>&1; then
    if [ "${MCPW_SKIP_SETUP:-}" = 1 ]; then
        exit 0
    fi
    cat >&2 <<EOF
setup: this system has no apt-get. Install these by hand, then run again with MCPW_SKIP_SETUP=1:
  Fedora:  gcc gcc-c++ clang cmake ninja-build pkgconf json-c-devel libsodium-devel libyaml-devel openssl-devel zlib-devel pcre2-devel python3-jinja2 python3-jsonschema valgrind make
  Arch:    gcc clang cmake ninja pkgconf json-c libsodium libyaml openssl zlib pcre2 python-jinja python-jsonschema valgrind make
  Alpine:  gcc g++ musl-dev clang cmake samurai pkgconf json-c-dev libsodium-dev yaml-dev openssl-dev zlib-dev pcre2-dev py3-jinja2 py3-jsonschema valgrind make
  macOS:   brew install cmake ninja pkg-config json-c libsodium libyaml openssl@3 pcre2; pip3 install jinja2 jsonschema
EOF
    exit 2
fi

missing=""
for package in $packages; do
    if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed'; then
        missing="$missing $package"
    fi
done
if [ -z "$missing" ]; then
    exit 0
fi
echo "setup: installing with apt-get:$missing"
as_root=""
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "setup: root is needed to install; run as root: apt-get install$missing" >&2
        exit 2
    fi
    echo "setup: asking for root through sudo, for this step alone"
    as_root=sudo
fi
$as_root apt-get update -qq || echo "setup: apt-get update failed; trying with the lists that are there" >&2
# shellcheck disable=SC2086 # a list of words
if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null; then
    echo "setup: apt-get could not install:$missing" >&2
    exit 2
fi
