#!/bin/bash
# Runs a program of SimGrid's MPI on one of the platforms of platform.sh.
#
#   simulate.sh PLATFORM PROCESSORS PROGRAM ARGUMENT...
#
# Of more than 64 processors, what happens within 1 ns is one event: messages from all to all take 18 times
# less real time, and as long within 1 ns.
#
# A message costs its sender 0.8 us and its receiver 0.6 us of their own time (dragonfly: 0.3 us and
# 0.5 us), and a tenth of a nanosecond a byte; up to 16 KB (8 KB) it is sent whether or not it is awaited.
# ABROAD_FLAGS adds to the simulator's.
set -euo pipefail
here=$(dirname "$0")
platform=$1 processors=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/platform.sh" "$platform" >"$work/platform.xml"
each=1
[ "$platform" != nodes ] || each=8
[ "$platform" != nodes-1024 ] || each=32
for ((rank = 0; rank < processors; rank++)); do
    echo "n$((rank / each))"
done >"$work/hosts"
precision=1e-12
[ "$processors" -le 64 ] || precision=1e-9
sends=0:0.8e-6:1e-10 receives=0:0.6e-6:1e-10 eager=16384
[ "$platform" != dragonfly ] || { sends=0:0.3e-6:1e-10 receives=0:0.5e-6:1e-10 eager=8192; }
# shellcheck disable=SC2086 # ABROAD_FLAGS is a list of words
smpirun -np "$processors" -platform "$work/platform.xml" -hostfile "$work/hosts" \
    --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:1Gf --cfg=smpi/wtime:1e-9 \
    --cfg=smpi/test:1e-7 --cfg=smpi/iprobe:1e-7 --cfg=smpi/grow-injected-times:no \
    --cfg=surf/precision:$precision --cfg=maxmin/precision:1e-7 --cfg=network/TCP-gamma:1e18 \
    --cfg=network/weight-S:0 --cfg=network/crosstraffic:no \
    --cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1 \
    --cfg=smpi/os:$sends --cfg=smpi/ois:$sends --cfg=smpi/or:$receives \
    --cfg=smpi/send-is-detached-thresh:$eager --cfg=smpi/async-small-thresh:$eager \
    --cfg=smpi/coll-selector:"${ABROAD_SELECTOR:-ompi}" --log=root.thres:critical \
    ${ABROAD_FLAGS:-} "$@"
