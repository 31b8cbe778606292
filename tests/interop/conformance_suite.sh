# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034
# To be sourced: the official conformance suite in $folder, installed by npm unless it is there. Sets node and suite, has keep_output; here is the folder of this file.
# Exits with 77 where it cannot be had.
# shellcheck source=tests/interop/keep_output.sh
. "$here/keep_output.sh"
node=$folder/node_modules/node/bin/node
suite=$folder/node_modules/@modelcontextprotocol/conformance/dist/index.js

if [ ! -x "$node" ] || [ ! -f "$suite" ]; then
    if ! command -v npm >/dev/null 2>&1; then
        echo "skipped: npm is not installed"
        exit 77
    fi
    mkdir -p "$folder"
    # The package of node brings its binary by an install script.
    if ! npm install --prefix "$folder" --no-audit --no-fund --no-save --loglevel error \
        node@24 @modelcontextprotocol/conformance@0.2.0-alpha.12 || [ ! -x "$node" ]; then
        echo "skipped: npm cannot install the suite"
        exit 77
    fi
fi
