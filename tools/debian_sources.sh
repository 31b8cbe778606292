# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# To be sourced: fetches source packages of Debian, by lists of their own, so that those of the system stay as they are.

debian_sources() { # FOLDER LIBRARY...   1: they cannot be had, and the reason is in FOLDER/fetch.log
    local folder=$1 apt=$1/apt file library options
    shift
    mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/cache/archives/partial"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
        [ -f "$file" ] || continue
        sed -e 's/^Types:.*/Types: deb-src/' -e 's/^deb /deb-src /' "$file" >"$apt/parts/$(basename "$file" | sed 's/^sources[.]list$/one.list/')"
    done
    options=(-qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$apt/parts" -o "Dir::State::lists=$apt/lists"
        -o "Dir::Cache=$apt/cache" -o "APT::Sandbox::User=$(id -un)")
    : >"$folder/fetch.log"
    command -v apt-get >>"$folder/fetch.log" 2>&1 && apt-get "${options[@]}" update >>"$folder/fetch.log" 2>&1 || return 1
    for library in "$@"; do
        ! ls "$folder/${library}_"*.dsc >/dev/null 2>&1 || continue
        # If the newest fix is not mirrored yet, the release itself has the one before.
        (cd "$folder" && { apt-get "${options[@]}" source --download-only "$library" ||
            apt-get "${options[@]}" source --download-only "$library/$(. /etc/os-release && echo "$VERSION_CODENAME")"; }) >>"$folder/fetch.log" 2>&1 ||
            { rm -f "$folder/${library}_"*; return 1; }
    done
}
