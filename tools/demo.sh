#!/bin/sh
# SPDX-License-Identifier: MIT
# From a fresh checkout to a validated message: regenerates the bindings, builds, validates the bundled
# messages of every revision, and shows what an invalid one looks like. Usage: tools/demo.sh [BUILD_DIR]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/demo}
tools/setup.sh build
. tools/python.sh
"$PYTHON" -m codegen generate --all
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMCPW_BUILD_TESTS=OFF >/dev/null
cmake --build "$build"
mcpwire="$build/tools/mcpwire"
for file in examples/messages/20*.ndjson; do
    revision=$(basename "$file" .ndjson)
    printf '%s: ' "$revision"
    "$mcpwire" validate --revision "$revision" --ndjson "$file" | tail -n 1
done
echo "and what invalid messages look like:"
if "$mcpwire" validate --ndjson examples/messages/broken.ndjson; then
    echo "demo: the invalid messages were accepted" >&2
    exit 1
fi
