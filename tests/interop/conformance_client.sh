#!/bin/sh
# SPDX-License-Identifier: MIT
# The official conformance suite against everything_client. Usage: tests/interop/conformance_client.sh CLIENT FOLDER
#   CLIENT is the program, FOLDER where the suite and node 24 are installed by npm, unless they are there.
# Runs every scenario of 2025-11-25 and 2026-07-28 but those of OAuth, which is not done. Exits with 77 where the suite
# cannot be had.
set -eu

client=${1:?usage: tests/interop/conformance_client.sh CLIENT FOLDER}
folder=${2:?usage: tests/interop/conformance_client.sh CLIENT FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/conformance_suite.sh"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0
run() { # REVISION SCENARIO
    if "$node" "$suite" client --command "$client" --scenario "$2" --spec-version "$1" -o "$out/$1" \
        --verbose >"$out/log" 2>&1; then
        echo "ok $1 $2"
    else
        echo "not ok $1 $2"
        keep_output "$folder" "client-$1-$2" "$out/log"
        failed=$((failed + 1))
    fi
}
for scenario in initialize tools_call elicitation-sep1034-client-defaults sse-retry json-schema-2020-12-preservation; do
    run 2025-11-25 "$scenario"
done
for scenario in tools_call request-metadata sep-2322-client-request-state http-standard-headers http-custom-headers \
    http-invalid-tool-headers json-schema-ref-no-deref; do
    run 2026-07-28 "$scenario"
done
echo "$failed failed"
[ "$failed" -eq 0 ]
