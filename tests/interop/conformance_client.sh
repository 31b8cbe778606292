#!/bin/sh
# SPDX-License-Identifier: MIT
# The official conformance suite against everything_client. Usage: tests/interop/conformance_client.sh CLIENT FOLDER [LACKS]
#   CLIENT is the program, FOLDER where the suite and node 24 are installed by npm, unless they are there. LACKS is a
#   pattern of the scenarios that this build cannot pass, such as "auth/".
# conformance_client.txt lists the scenarios that must pass. Exits with 77 where the suite cannot be had.
set -eu

client=${1:?usage: tests/interop/conformance_client.sh CLIENT FOLDER [LACKS]}
folder=${2:?usage: tests/interop/conformance_client.sh CLIENT FOLDER [LACKS]}
lacks=${3:-^$}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/conformance_suite.sh"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0
passed=0
judge() { # REVISION: compares the scenarios of $out/log that passed or failed with those of the list
    sed -n 's/^✓ \([^:]*\): .*/\1/p' "$out/log" | sort -u >"$out/good"
    sed -n 's/^✗ \([^:]*\): .*/\1/p' "$out/log" | sort -u >"$out/bad"
    sed -n "s|^$1 ||p" "$here/conformance_client.txt" | sort -u >"$out/wanted"
    count=0
    while read -r scenario; do
        if printf '%s\n' "$scenario" | grep -q "$lacks"; then
            echo "skipped $1 $scenario: this build lacks it"
        elif grep -qxF "$scenario" "$out/good"; then
            count=$((count + 1))
        elif grep -qxF "$scenario" "$out/bad"; then
            echo "not ok $1 $scenario"
            failed=$((failed + 1))
        else
            echo "not ok $1 $scenario: it was not run"
            failed=$((failed + 1))
        fi
    done <"$out/wanted"
    comm -23 "$out/bad" "$out/wanted" | grep -v "$lacks" >"$out/more" || true
    while read -r scenario; do
        echo "not ok $1 $scenario, which stands in no list"
        failed=$((failed + 1))
    done <"$out/more"
    echo "$1: $count passed"
    passed=$((passed + count))
}
for revision in 2025-11-25 2026-07-28; do
    "$node" "$suite" client --command "$client" --requirements "$revision" -o "$out/$revision" >"$out/log" 2>&1 || true
    before=$failed
    judge "$revision"
    [ "$failed" -eq "$before" ] || keep_output "$folder" "client-$revision" "$out/log"
done
for scenario in $(sed -n 's/^2025-03-26 //p' "$here/conformance_client.txt"); do # the suite has no list for it
    printf '%s\n' "$scenario" | grep -q "$lacks" && continue
    if "$node" "$suite" client --command "$client" --scenario "$scenario" --spec-version 2025-03-26 -o "$out/2025-03-26" \
        --verbose >"$out/log" 2>&1 && grep -q '^Passed: [1-9]' "$out/log"; then
        echo "ok 2025-03-26 $scenario"
        passed=$((passed + 1))
    else
        echo "not ok 2025-03-26 $scenario"
        keep_output "$folder" "client-2025-03-26" "$out/log"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
