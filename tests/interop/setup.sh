#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the npm packages of the interop tests into a folder outside of the source tree, at the versions that
# package.json names. Does nothing where they are there. Usage: tests/interop/setup.sh FOLDER
#   The tests look in BUILD_DIR/interop, or where the environment variable MCPW_NODE_MODULES says.
set -eu

folder=${1:?usage: tests/interop/setup.sh FOLDER}
here=$(cd "$(dirname "$0")" && pwd)

if ! command -v npm >/dev/null 2>&1; then
    echo "setup: npm is missing (Debian: nodejs npm; Node 20 or newer)" >&2
    exit 2
fi
mkdir -p "$folder"
if [ -d "$folder/node_modules" ] && cmp -s "$here/package.json" "$folder/package.json.installed"; then
    exit 0
fi
cp "$here/package.json" "$folder/package.json"
# No package needs its install script.
npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel error
cp "$here/package.json" "$folder/package.json.installed"
