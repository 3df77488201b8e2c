#!/bin/bash
# newcomer.sh in a bare Debian 12, which debootstrap makes for it in a folder of its own and which is removed at the end.
# Root, debootstrap and a mirror of Debian are needed. Ends with the page of the tutorial's C file.
#
#     newcomer-root.sh [--check | --library] [REPOSITORY]        MIRROR=http://deb.debian.org/debian
#     ROOT=FOLDER newcomer-root.sh ...               in that bare Debian, which stays
#
# --check: all that newcomer.sh does, the tests too; --library: as newcomer.sh.
set -u
with=--page
case ${1:-} in --check) with= && shift ;; --library) with=--library && shift ;; esac
source=$(cd "$(dirname "$0")/.." && pwd)
repository=$(cd "${1:-$source}" && pwd) || exit 2
mirror=${MIRROR:-http://deb.debian.org/debian}
root=${ROOT:-}
work=$(mktemp -d) || exit 2

leave() {
    local mounted
    for mounted in dev/pts dev/shm sys proc; do
        ! mountpoint -q "$root/$mounted" || umount "$root/$mounted"
    done
    rm -rf --one-file-system "$work"
}
trap leave EXIT
trap 'exit 130' INT TERM

# timed TITLE COMMAND...: with the time, as newcomer.sh prints it.
timed() {
    local title=$1 from=$EPOCHREALTIME
    shift
    "$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; echo "failed: $title"; return 1; }
    awk -v from="$from" -v upto="$EPOCHREALTIME" -v title="$title" 'BEGIN { printf "%8.1f s  %s\n", upto - from, title }'
}

inside() {
    chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        ${http_proxy:+http_proxy="$http_proxy"} "$@"
}

if [ -z "$root" ]; then
    root=$work/debian
    timed "debootstrap, which is not the newcomer's" debootstrap --variant=minbase bookworm "$root" "$mirror" || exit 1
fi
# What every machine has: terminals, and what hwloc reads of the processors.
mount -t proc proc "$root/proc" && mount -t sysfs -o ro sysfs "$root/sys" && mount -t tmpfs tmpfs "$root/dev/shm" &&
    mkdir -p "$root/dev/pts" && mount -t devpts -o ptmxmode=0666,newinstance devpts "$root/dev/pts" &&
    ln -sf pts/ptmx "$root/dev/ptmx" || exit 1
rm -rf "$root/forecost" && git clone -q --bare "$repository" "$root/forecost" || exit 1
timed "apt-get install git" inside sh -c 'apt-get update && apt-get install -y --no-install-recommends git' || exit 1
cp "$source/test/newcomer.sh" "$root/newcomer.sh" || exit 1
inside bash /newcomer.sh ${with:+"$with"} /forecost
