#!/bin/bash
# Runs the trainer on a simulated multicomputer with a prescribed truth (platform.cpp says which).
#
#   bed.sh PROCESSORS LO:T0_US:RINF_MB_PER_S [LO:T0_US:RINF...] -- TRAINER-ARGUMENT...
#
# BED_PROGRAM runs another program, BED_FLAGS adds to the simulator's. BED_NOISE_US, BED_SPIKE and BED_SEED disturb it. Every send waits for its receive and collectives
# use one known algorithm each, so that their times have closed forms.
set -eu
processors=$1
shift
truth=
while [ "$1" != -- ]; do
    truth=$truth${truth:+,}$1
    shift
done
shift
export BED_HOSTS=$processors BED_TRUTH=$truth
hosts=$(mktemp)
trap 'rm -f "$hosts"' EXIT
seq -f 'n%.0f' 0 $((processors - 1)) >"$hosts"
# shellcheck disable=SC2086 # BED_FLAGS is a list of words
smpirun -wrapper "env LD_PRELOAD=$FORECOST_BUILD/test/bed/libbed.so" -np "$processors" -platform "$FORECOST_BUILD/test/bed/libbed.so" -hostfile "$hosts" \
    --cfg=network/model:SMPI --cfg=network/crosstraffic:no --cfg=network/TCP-gamma:1e18 \
    --cfg=network/weight-S:0 --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:1Gf \
    --cfg=smpi/wtime:1e-9 --cfg=surf/precision:1e-12 --cfg=maxmin/precision:1e-9 \
    --cfg=smpi/test:1e-7 --cfg=smpi/iprobe:1e-7 --cfg=smpi/grow-injected-times:no \
    --cfg=smpi/send-is-detached-thresh:0 --cfg=smpi/async-small-thresh:0 \
    --cfg=smpi/bcast:binomial_tree --cfg=smpi/barrier:ompi_bruck --cfg=smpi/allreduce:rdb \
    --cfg=smpi/reduce:binomial --cfg=smpi/alltoall:ring --cfg=smpi/allgather:ring --log=root.thres:warning \
    ${BED_FLAGS:-} "${BED_PROGRAM:-$FORECOST_BUILD/trainer/trainer-smpi}" "$@"
