#!/bin/bash
# A simulated multicomputer with a prescribed truth, on SimGrid's SMPI.
#
#   bed.sh PROCESSORS LO:T0_US:RINF_MB_PER_S [LO:T0_US:RINF...] -- TRAINER-ARGUMENT...
#
# A star of 10 us and 1000 MB/s links on which a message of n bytes takes t0 + n / rinf in the region
# that begins at LO bytes. SMPI adds an envelope of 16 bytes to every message and looks for its factors
# with "size > key", so a region beginning at LO has the key LO + 15; the route's latency is 20 us; no
# rinf may exceed the links' 1000 MB/s. Runs in the current directory, which gets the platform files.
# BED_TRAINER names the trainer built for SMPI.
set -eu
processors=$1
shift
awk -v processors="$processors" 'BEGIN {
    print "<?xml version=\"1.0\"?>"
    print "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
    print "<platform version=\"4.1\">"
    printf "<cluster id=\"star\" prefix=\"n\" suffix=\"\" radical=\"0-%d\" speed=\"1Gf\" ", processors - 1
    print "bw=\"1000MBps\" lat=\"10us\" sharing_policy=\"SPLITDUPLEX\"/>"
    print "</platform>" }' >platform.xml
seq -f 'n%.0f' 0 $((processors - 1)) >hosts
bw= lat=
while [ "$1" != -- ]; do
    IFS=: read -r lo t0 rinf <<<"$1"
    key=$((lo == 0 ? 0 : lo + 15))
    bw="$bw${bw:+;}$key:$(awk -v r="$rinf" 'BEGIN { printf "%.15g", r / 1000 }')"
    lat="$lat${lat:+;}$key:$(awk -v t="$t0" -v r="$rinf" 'BEGIN { printf "%.15g", (t - 16 / r) / 20 }')"
    shift
done
shift
exec smpirun -np "$processors" -platform platform.xml -hostfile hosts \
    --cfg=network/model:SMPI --cfg=network/crosstraffic:no --cfg=network/TCP-gamma:1e18 \
    --cfg=network/weight-S:0 --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:1Gf \
    --cfg=smpi/wtime:1e-9 --cfg=surf/precision:1e-12 --cfg=maxmin/precision:1e-9 \
    --cfg=smpi/test:1e-7 --cfg=smpi/iprobe:1e-7 --cfg=smpi/grow-injected-times:no \
    --cfg=smpi/send-is-detached-thresh:0 --cfg=smpi/async-small-thresh:0 \
    --cfg=smpi/bcast:binomial_tree --cfg=smpi/barrier:ompi_bruck --cfg=smpi/allreduce:rdb \
    --cfg=smpi/reduce:binomial --cfg=smpi/alltoall:ring \
    --cfg="smpi/bw-factor:$bw" --cfg="smpi/lat-factor:$lat" --log=root.thres:warning \
    "$BED_TRAINER" "$@"
