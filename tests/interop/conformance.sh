#!/bin/sh
# SPDX-License-Identifier: MIT
# The official conformance suite against everything_server. Usage: tests/interop/conformance.sh SERVER FOLDER [REVISION...]
#   SERVER is the program, or the http:// URL of one that runs. FOLDER is where the suite and node 24 are
#   installed by npm, unless they are there.
# Revisions: 2025-11-25 and 2026-07-28. Beside those scenarios that count, it runs those that the suite holds back as
# pending or has got since. The expected failures are in conformance.yml; the suite says when
# that is out of date. Exits with 77 where the suite cannot be had.
set -eu

server=${1:?usage: tests/interop/conformance.sh SERVER FOLDER [REVISION...]}
folder=${2:?usage: tests/interop/conformance.sh SERVER FOLDER [REVISION...]}
shift 2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/conformance_suite.sh"

out=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || true; rm -rf "$out"' EXIT
case $server in
http://*) url=$server ;;
*)
    "$server" 0 >"$out/port" &
    pid=$!
    tries=0
    while [ ! -s "$out/port" ] && [ "$tries" -lt 50 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    url=http://localhost:$(cat "$out/port")/mcp
    ;;
esac

status=0
pending() { # REVISION: the names of scenarios that do not count for it
    case $1 in
    2025-11-25) echo json-schema-2020-12 server-sse-polling server-session-lifecycle ;;
    2026-07-28) echo json-schema-2020-12 http-header-validation http-custom-header-server-validation ;;
    esac
}
[ "$#" -gt 0 ] || set -- 2025-11-25 2026-07-28
for revision in "$@"; do
    echo "== $revision"
    "$node" "$suite" server --url "$url" --requirements "$revision" -o "$out/$revision" \
        --expected-failures "$here/conformance.yml" >"$out/log" 2>&1 || {
        status=1
        keep_output "$folder" "server-$revision" "$out/log"
    }
    sed -n '/=== SUMMARY ===/,$p' "$out/log"
    for scenario in $(pending "$revision"); do
        # A scenario that checks nothing has passed by its exit status.
        if "$node" "$suite" server --url "$url" --scenario "$scenario" --spec-version "$revision" \
            -o "$out/$revision" >"$out/log" 2>&1 && grep -q '^Passed: [1-9]' "$out/log"; then
            echo "ok $scenario: $(grep '^Passed: ' "$out/log")"
        else
            echo "not ok $scenario"
            keep_output "$folder" "server-$revision-$scenario" "$out/log"
            status=1
        fi
    done
done
exit "$status"
