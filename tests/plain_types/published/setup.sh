#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs published servers into a folder outside of the source tree, at the versions that package.json and
# requirements.txt name. Does nothing where they are there. Usage: tests/plain_types/published/setup.sh FOLDER
#   The test codegen.published looks in BUILD_DIR/published, or where the environment variable MCPW_PUBLISHED_SERVERS says.
set -eu

folder=${1:?usage: tests/plain_types/published/setup.sh FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
if cat "$here/package.json" "$here/requirements.txt" | cmp -s - "$folder/installed"; then
    exit 0
fi
if ! command -v npm >/dev/null 2>&1; then
    echo "setup: npm is missing (Debian: nodejs npm; Node 20 or newer)" >&2
    exit 2
fi
rm -rf "${folder:?}/installed" "${folder:?}/python"
cp "$here/package.json" "$folder/package.json"
# No package needs its install script.
npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel error
if ! { python3 -m venv "$folder/python" &&
    "$folder/python/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt"; }; then
    rm -rf "${folder:?}/python"
    echo "setup: left out: the servers of Python: venv and pip cannot install them (they need 3.10 or newer)" >&2
fi
cat "$here/package.json" "$here/requirements.txt" >"$folder/installed"
