# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# To be sourced. keep_output FOLDER NAME LOG keeps the output of a run that failed as FOLDER/failures/NAME.log, and
# prints what says why: at most 20 lines that name a failure, then the last 20, of 400 characters each.
keep_output() {
    mkdir -p "$1/failures"
    cp "$3" "$1/failures/$2.log"
    grep -aE 'FAILURE|errorMessage|rror:|imed out' "$3" | head -n 20 | cut -c 1-400 || true
    echo "  ..."
    tail -n 20 "$3" | cut -c 1-400
    echo "  all of it: $1/failures/$2.log"
}
