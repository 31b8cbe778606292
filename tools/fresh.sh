#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs commands of the README in a bare Debian 12 of their own, to which nothing was installed by hand: what an
# installation step forgets, fails there. Usage: tools/fresh.sh FOLDER COMMAND...
# Committed files are copied; FOLDER holds the system, and is used again. Needs root and debootstrap (Debian),
# else it
# says skipped and exits with 77. Mounts are in a name space of their own, and go with it.
set -eu
[ $# -ge 2 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/.."
[ "$(id -u)" -eq 0 ] || { echo "skipped: a system of its own needs root"; exit 77; }
for program in debootstrap unshare chroot; do
    command -v "$program" >/dev/null 2>&1 || { echo "skipped: no $program (Debian: debootstrap, util-linux)"; exit 77; }
done
unshare --mount true 2>/dev/null || { echo "skipped: no mounts can be made here"; exit 77; }
folder=$1
shift
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
root=$folder/root
if [ ! -e "$folder/bare.tar" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase --include=ca-certificates bookworm "$root" >"$folder/debootstrap.log" ||
        { tail -n 20 "$folder/debootstrap.log"; exit 1; }
    tar -C "$root" -cf "$folder/bare.tar.part" .
    mv "$folder/bare.tar.part" "$folder/bare.tar"
fi
rm -rf --one-file-system "$root"
mkdir "$root"
tar -C "$root" -xf "$folder/bare.tar"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
git archive --prefix=mcpwire/ HEAD | tar -C "$root/root" -x
for command in "$@"; do
    echo "fresh: $command"
    began=$(date +%s)
    # shellcheck disable=SC2016 # the inner shell expands
    if ! unshare --mount sh -c 'mount --bind /proc "$1/proc" && mount --rbind /dev "$1/dev" &&
        exec chroot "$1" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 sh -c "cd /root/mcpwire && $2"' \
        sh "$root" "$command" </dev/null >"$folder/log" 2>&1; then
        tail -n 60 "$folder/log"
        echo "fresh: $command fails on a bare system"
        exit 1
    fi
    tail -n 4 "$folder/log"
    echo "fresh: ok in $(($(date +%s) - began)) s"
done
