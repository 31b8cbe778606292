#!/bin/bash
# SPDX-License-Identifier: MIT
# Fuzzing with libFuzzer (clang, AddressSanitizer, UndefinedBehaviorSanitizer).
#   tools/fuzz.sh short BUILD_DIR            two minutes over all targets, for CI
#   tools/fuzz.sh long BUILD_DIR HOURS       that many hours of processor time over all targets
#   tools/fuzz.sh coverage BUILD_DIR         lines of runtime/ that the corpora reach, by llvm-cov
#   tools/fuzz.sh minimise BUILD_DIR TARGET FILE   makes an input smaller and keeps it in tests/fuzz/found
# Corpora grow in BUILD_DIR/corpus and are used again. Inputs that break something are minimised and kept in
# tests/fuzz/found/TARGET, where CTest (label fuzz) replays them in every build; then the exit status is 1.
# FUZZ_JOBS processes run at once (default 2), at the lowest priority.
set -euo pipefail
cd "$(dirname "$0")/.."
usage() { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
mode=$1
build=$2
source=$PWD
CLANG=${CLANG:-clang}
JOBS=${FUZZ_JOBS:-2}
SHORT_SECONDS=120
SLICE_SECONDS=300 # of a target at once in a long run
MINIMISE_SECONDS=30

have_fuzzer() {
    local try
    try=$(mktemp -d)
    echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n); int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { (void)d; (void)n; return 0; }' >"$try/t.c"
    local status=0
    "$CLANG" -fsanitize=fuzzer,address "$try/t.c" -o "$try/t" >/dev/null 2>&1 || status=1
    rm -rf "$try"
    return $status
}

if ! have_fuzzer; then
    echo "skipped: $CLANG with its fuzzer runtime is missing (Debian: clang, libclang-rt-dev)"
    exit 77
fi

. tools/python.sh
configure() { # FOLDER CMAKE_ARGUMENTS...
    local folder=$1
    shift
    cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER="$CLANG" \
        -DMCPW_BENCH_PEERS=OFF -DMCPW_TEST_VARIANTS=ON -DMCPW_PYTHON="$PYTHON" "$@" >/dev/null
}

prepare() {
    configure "$build" -DMCPW_BUILD_FUZZ=ON
    cmake --build "$build" --target fuzz_targets >"$build/fuzz-build.log" || { tail -n 40 "$build/fuzz-build.log"; exit 1; }
    "$PYTHON" tests/fuzz/seeds.py "$build/tests/fuzz/fuzz_types" "$build/seeds" >"$build/seeds.log"
    mkdir -p "$build/logs" "$build/corpus" "$build/crashes"
    targets=$(cd "$build/tests/fuzz" && find . -maxdepth 1 -type f -name 'fuzz_*' -perm -u+x ! -name fuzz_types  | sed 's|^\./fuzz_||' | sort)
}

# One target for some seconds. Executed by xargs, hence exported.
run_target() { # BUILD SECONDS TARGET
    local build=$1 seconds=$2 target=$3
    local kept=${target#small_} # of the small library: its inputs are those of the other one
    local seeds=$build/seeds/$kept corpus=$build/corpus/$target crashes=$build/crashes/$target
    mkdir -p "$seeds" "$corpus" "$crashes"
    TIMEFORMAT='cpu %U %S'
    { time nice -n 19 "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2000 \
        -max_len=6000 -dict="$build/seeds/dictionary.txt" -artifact_prefix="$crashes/" -print_final_stats=1 \
        "$corpus" "$seeds" "tests/fuzz/seeds/$kept" "tests/fuzz/found/$kept" \
        >"$build/logs/$target.log" 2>&1 || true; } 2>>"$build/logs/$target.log"
    cat "$build/logs/$target.log" >>"$build/logs/all.$target.log"
}
export -f run_target

run_round() { # SECONDS
    local target
    for target in $targets; do
        mkdir -p "tests/fuzz/seeds/${target#small_}" "tests/fuzz/found/${target#small_}"
    done
    # shellcheck disable=SC2086 # a list of words
    printf '%s\n' $targets | xargs -P "$JOBS" -I{} bash -c 'run_target "$@"' run_target "$build" "$1" {}
    find tests/fuzz/seeds tests/fuzz/found -type d -empty -delete 2>/dev/null || true
}

minimise() { # TARGET FILE
    local kept=tests/fuzz/found/${1#small_}
    local out
    out=$kept/$(sha256sum "$2" | cut -c1-16)
    mkdir -p "$kept"
    nice -n 19 "$build/tests/fuzz/fuzz_$1" -minimize_crash=1 -max_total_time="$MINIMISE_SECONDS" \
        -exact_artifact_path="$out" "$2" >"$build/logs/minimise.log" 2>&1 || true
    [ -s "$out" ] || cp "$2" "$out"
    echo "kept: $out ($(wc -c <"$out") bytes)"
    base64 -w 0 "$out" # so that a log alone is enough to see it again
    echo
}

# Keeps what was found; whether nothing was.
keep_findings() {
    local target file found=0
    for target in $targets; do
        for file in "$build/crashes/$target"/*; do
            [ -f "$file" ] || continue
            if nice -n 19 "$build/tests/fuzz/fuzz_$target" -timeout=30 "$file" >/dev/null 2>&1; then
                echo "fuzz_$target: $file does not fail again (a timeout while the machine stood still?)"
                mv "$file" "$build/crashes/"
                continue
            fi
            found=1
            echo "found by fuzz_$target: $file"
            grep -aE -B 2 'broken:|runtime error|ERROR: (Address|Leak)|timeout|out-of-memory' "$build/logs/$target.log" | cut -c 1-500 | head -n 9 || true
            minimise "$target" "$file"
            mv "$file" "$build/crashes/"
        done
    done
    return $found
}

summary() {
    printf '%-13s %12s %9s %8s %9s %8s\n' target executions 'CPU s' edges features corpus
    local target
    for target in $targets; do
        awk -v target="$target" -v corpus="$(find "$build/corpus/$target" -type f | wc -l)" '
            /^stat::number_of_executed_units/ { runs += $2 }
            /^cpu / { cpu += $2 + $3 }
            / cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") cov = $(i + 1); if ($i == "ft:") ft = $(i + 1) } }
            END { printf "%-13s %12d %9.0f %8d %9d %8d\n", target, runs, cpu, cov, ft, corpus }' "$build/logs/all.$target.log"
    done | tee "$build/logs/summary"
    awk '{ runs += $2; cpu += $3 } END { printf "%-13s %12d %9.0f (%.2f hours)\n", "all", runs, cpu, cpu / 3600 }' "$build/logs/summary"
}

# A program of LLVM, under its plain name or with clang's version after it.
llvm_program() { # NAME
    local version
    version=$("$CLANG" -dumpversion | cut -d. -f1)
    command -v "$1" || command -v "$1-$version" || { echo "skipped: $1 is missing (Debian: llvm)" >&2; exit 77; }
}

coverage() {
    local target merge report first="" profiles=() objects=()
    merge=$(llvm_program llvm-profdata)
    report=$(llvm_program llvm-cov)
    configure "$build/cov" "-DCMAKE_C_FLAGS=-fprofile-instr-generate -fcoverage-mapping"
    # shellcheck disable=SC2086 # a list of words
    cmake --build "$build/cov" --target $(printf 'replay_%s ' $targets) >"$build/cov-build.log" || { tail -n 40 "$build/cov-build.log"; exit 1; }
    for target in $targets; do
        mkdir -p "$build/corpus/$target"
        LLVM_PROFILE_FILE="$build/cov/$target.profraw" nice -n 19 "$build/cov/tests/fuzz/replay_$target" \
            "$build/corpus/$target" "$build/seeds/${target#small_}" >/dev/null
        profiles+=("$build/cov/$target.profraw")
        if [ -z "$first" ]; then
            first=$build/cov/tests/fuzz/replay_$target
        else
            objects+=(-object "$build/cov/tests/fuzz/replay_$target")
        fi
    done
    "$merge" merge -sparse "${profiles[@]}" -o "$build/cov/all.profdata"
    "$report" report "$first" "${objects[@]}" -instr-profile "$build/cov/all.profdata" "$source/runtime" >"$build/cov/report.txt" 2>/dev/null
    printf '%-30s %7s %7s %8s %9s\n' file lines missed lines% branches%
    awk 'NF >= 13 && $1 != "Filename" { printf "%-30s %7s %7s %8s %9s\n", $1, $(NF - 5), $(NF - 4), $(NF - 3), $NF }' "$build/cov/report.txt"
}

case $mode in
short)
    prepare
    rm -f "$build"/logs/all.*.log
    count=$(wc -w <<<"$targets")
    run_round $((SHORT_SECONDS / ((count + JOBS - 1) / JOBS)))
    summary
    keep_findings
    ;;
long)
    [ $# -eq 3 ] || usage
    prepare
    rm -f "$build"/logs/all.*.log
    count=$(wc -w <<<"$targets")
    wanted=$(awk -v hours="$3" 'BEGIN { printf "%d", hours * 3600 }')
    used=0
    status=0
    while [ "$used" -lt "$wanted" ]; do
        left=$(((wanted - used + count - 1) / count))
        run_round $((left < SLICE_SECONDS ? left : SLICE_SECONDS))
        keep_findings || status=1
        summary
        now=$(awk '{ cpu += $3 } END { printf "%d", cpu }' "$build/logs/summary")
        [ "$now" -gt "$used" ] || { echo "fuzz: the targets do not run; see $build/logs" >&2; exit 1; }
        used=$now
    done
    exit $status
    ;;
coverage)
    prepare
    coverage
    ;;
minimise)
    [ $# -eq 4 ] || usage
    prepare
    minimise "$3" "$4"
    ;;
*)
    usage
    ;;
esac
