#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what package.json names, at the versions of package-lock.json, into a folder outside of the source tree, and
# fetches the specification's TypeScript into its folder spec, where the repository can be reached. Does nothing where
# both are there. Usage: tests/codegen/typescript/setup.sh FOLDER
#   The tests look in BUILD_DIR/typescript, or where the environment variable MCPW_TYPESCRIPT says.
set -eu

folder=${1:?usage: tests/codegen/typescript/setup.sh FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
repository=${MCP_SPEC_REPOSITORY:-https://github.com/modelcontextprotocol/modelcontextprotocol}

if ! command -v npm >/dev/null 2>&1; then
    echo "setup: npm is missing (Debian: nodejs npm; Node 20 or newer)" >&2
    exit 2
fi
if ! cmp -s "$here/package-lock.json" "$folder/package-lock.json.installed"; then
    cp "$here/package.json" "$here/package-lock.json" "$folder"
    # No package needs its install script, and the tests need no peer of a package.
    npm ci --prefix "$folder" --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel error
    cp "$here/package-lock.json" "$folder/package-lock.json.installed"
fi
if [ ! -d "$folder/spec" ] && command -v git >/dev/null 2>&1; then
    rm -rf "$folder/spec.git"
    if GIT_TERMINAL_PROMPT=0 timeout 60 git clone -q --depth 1 --bare "$repository" "$folder/spec.git" 2>/dev/null; then
        mkdir "$folder/spec.part"
        git --git-dir "$folder/spec.git" archive HEAD schema | tar -x -C "$folder/spec.part" --strip-components 1
        mv "$folder/spec.part" "$folder/spec"
    else
        echo "setup: left out: the specification's TypeScript: $repository cannot be reached" >&2
    fi
    rm -rf "$folder/spec.git"
fi
