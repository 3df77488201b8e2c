#!/bin/bash
# What a table of 64 simulated processors says of more of them, beside what single uses take there
# (test/bed/many.c), on machines of 1024: a flat one, a fat tree, a torus and nodes of 32
# (test/abroad/platform.sh).
#
#   FORECOST_BUILD=BUILD FORECOST_SOURCE=SOURCE test/bench/many.sh [MACHINE [PROCESSORS...]]
#
# MACHINE is flat, fat-tree, torus or nodes (default: all), PROCESSORS default to 64 256. A row each: how many
# questions were answered, of these how many within low..high, the median of high / low and of the error,
# and the worst. many-to-one is left out: the simulator's MPI_Iprobe sees messages that have not arrived.
# Takes a quarter of an hour of one core a machine; 1024 with sizes of at most 4096 bytes three more.
set -euo pipefail
machines=${1:-flat fat-tree torus nodes}
[ $# -eq 0 ] || shift
processors=${*:-64 256}
simulate=$(realpath "$FORECOST_SOURCE/test/abroad/simulate.sh")
build=$(realpath "$FORECOST_BUILD")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
few='synchronization broadcast combine reduce scatter gather one-to-many shift exchange-pairs exchange-neighbours halo-1 halo-2 halo-3'

# truths MACHINE P: "utility,participants,bytes,time".
truths() {
    # shellcheck disable=SC2086 # lists of words
    if [ "$2" -gt 256 ]; then
        "$simulate" "$1-1024" "$2" "$build/test/bed/many" 8,4096 $few
    else
        "$simulate" "$1-1024" "$2" "$build/test/bed/many" 8,512,4096,32768 $few all-gather reduce-scatter
        "$simulate" "$1-1024" "$2" "$build/test/bed/many" 8,512 many-to-many
    fi
}

# says TABLE P: "utility,bytes,time,low,high" of what truth.csv has, or "utility,bytes".
says() {
    local utility bytes time
    while IFS=, read -r utility _ bytes time; do
        [ "$utility" != synchronization ] || bytes=0
        "$build/estimator/estimator" cost "$1" "$utility" -n "$bytes" -p "$2" --format csv |
            awk -F, -v truth="$time" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                NR == 2 { print truth, $at["time_us"], $at["low_us"], $at["high_us"] }'
    done <truth.csv
}

for machine in $machines; do
    "$simulate" "$machine-1024" 64 "$build/trainer/trainer-smpi" --quick --suite patterns,distance,halos,collectives \
        --max-bytes 64k --budget 100000 --patience 0 --no-progress -o "$machine.yaml" --replace >log 2>&1 || { cat log; exit 1; }
    for p in $processors; do
        truths "$machine" "$p" | grep -v 'synchronization,.*,\(512\|4096\|32768\),' >truth.csv
        says "$machine.yaml" "$p" | awk -v machine="$machine" -v p="$p" '
            function median(all, count,   i, k, t) {
                for (i = 2; i <= count; i++)
                    for (k = i; k > 1 && all[k] < all[k - 1]; k--) { t = all[k]; all[k] = all[k - 1]; all[k - 1] = t }
                return all[int((count + 1) / 2)]
            }
            { asked++ }
            $2 == "" { next }
            {
                ratio[++count] = $4 / $3
                off[count] = $2 > $1 ? $2 / $1 - 1 : 1 - $2 / $1
                times = $2 > $1 ? $2 / $1 : $1 / $2
                worst = times > worst ? times : worst
                within += $1 >= $3 && $1 <= $4
            }
            END {
                printf "%s of %d: %d of %d answered, %.0f %% of these within, high / low %.2f, off by %.1f %%, at most %.2f times\n",
                    machine, p, count, asked, 100 * within / count, median(ratio, count), 100 * median(off, count), worst
            }'
    done
done
