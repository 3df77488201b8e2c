#!/bin/bash
# How much of what sixteen simulated processors take lies within the bounds of a table of two
# (model/machine/structure.c), on clusters with switches, with a backbone and with a fat tree, with
# the collective algorithms that three libraries choose.
#
#   certainty.sh TRAINER-SMPI ESTIMATOR
#
# A row a cluster and choice: how many times were answered, within, and not known, and the median of
# high / low. Takes three minutes.
set -euo pipefail
trainer=$1 estimator=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
seq -f 'n%.0f' 0 15 >hosts

# platform NAME ATTRIBUTES: a cluster of sixteen.
platform() {
    cat >"$1.xml" <<END
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="$1" prefix="n" suffix="" radical="0-15" speed="1Gf" $2/>
</platform>
END
}
platform switched 'bw="1.25GBps" lat="5us"'
platform distant 'bw="1.25GBps" lat="30us"'
platform backbone 'bw="125MBps" lat="20us" bb_bw="2GBps" bb_lat="20us"'
platform tree 'bw="500MBps" lat="20us" topology="FAT_TREE" topo_parameters="2;4,4;1,2;1,1"'

# train PLATFORM CHOICE P
train() {
    smpirun -np "$3" -platform "$1.xml" -hostfile hosts --cfg=network/model:SMPI --cfg=smpi/simulate-computation:no \
        --cfg=smpi/host-speed:1Gf --cfg=smpi/wtime:1e-9 --cfg=surf/precision:1e-12 --cfg=maxmin/precision:1e-9 \
        --cfg=smpi/test:1e-7 --cfg=smpi/iprobe:1e-7 --cfg=smpi/grow-injected-times:no --cfg=smpi/coll-selector:"$2" \
        --log=root.thres:warning "$trainer" -o "$3.yaml" --replace --suite patterns,express,broadcast,distance --max-bytes 256k \
        --processors "$3" >log 2>&1 || { cat log; exit 1; }
}

# answers TABLE: "utility,bytes,time,low,high" of sixteen, of what it answers.
answers() {
    local utility bytes sizes
    for utility in $(sed -n 's/^  - utility: //p' 2.yaml 16.yaml | sort | uniq -d | grep -vx -e point-to-point -e exchange -e exchange-best); do
        sizes="0 8 64 256 1k 2k 4k 8k 16k 32k 64k 128k 256k"
        [ "$utility" != synchronization ] || sizes=0
        for bytes in $sizes; do
            "$estimator" cost "$1" "$utility" -n "$bytes" -p 16 --format csv 2>/dev/null |
                awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                         NR == 2 { print $1 "," $2 "," $at["time_us"] "," $at["low_us"] "," $at["high_us"] }' || true
        done
    done
}

for setting in "switched mpich" "switched ompi" "switched mvapich2" "distant mpich" "distant ompi" \
    "backbone mpich" "backbone ompi" "tree mpich" "tree ompi"; do
    read -r cluster choice <<<"$setting"
    train "$cluster" "$choice" 2
    train "$cluster" "$choice" 16
    answers 2.yaml >two
    answers 16.yaml >sixteen
    awk -F, 'NR == FNR { low[$1, $2] = $4; high[$1, $2] = $5; next }
        !(($1, $2) in low) { unknown++; next }
        low[$1, $2] > 0 { rows++; within += $3 >= low[$1, $2] && $3 <= high[$1, $2]; print high[$1, $2] / low[$1, $2] }
        END { printf "%d answered, %d within, %d not known", rows, within, unknown >"counts" }' two sixteen | sort -g >ratios
    echo "$cluster, $choice: $(cat counts), high / low $(awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }' ratios)"
done
