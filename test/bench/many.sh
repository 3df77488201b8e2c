#!/bin/bash
# What a table of 64 simulated processors says of more of them, beside what single uses take there
# (test/bed/many.c), on machines of 1024: a flat one, a fat tree, a torus and nodes of 32
# (test/abroad/platform.sh).
#
#   FORECOST_BUILD=BUILD FORECOST_SOURCE=SOURCE test/bench/many.sh [MACHINE [PROCESSORS...]]
#
# MACHINE is flat, fat-tree, torus, nodes (default: these four) or dragonfly, PROCESSORS default to 64 256;
# ABROAD_SELECTOR says whose collectives (ompi, mpich). A row each: how many questions were answered, of these
# how many within low..high, the median of high / low and of the error, and the worst. many-to-one is left out:
# the simulator's MPI_Iprobe sees messages that have not arrived. KEEP: a folder for tables, truths and what
# is said of them (MACHINE-P.said: utility, bytes, time, answer, low, high); tables and truths that are there
# are not made again. Takes five minutes of one core a machine; 1024 with sizes of at most 4096 bytes three more.
set -euo pipefail
machines=${1:-flat fat-tree torus nodes}
[ $# -eq 0 ] || shift
processors=${*:-64 256}
simulate=$(realpath "$FORECOST_SOURCE/test/abroad/simulate.sh")
build=$(realpath "$FORECOST_BUILD")
work=${KEEP:-$(mktemp -d)}
mkdir -p "$work"
[ -n "${KEEP-}" ] || trap 'rm -rf "$work"' EXIT
cd "$work"
few='synchronization broadcast combine reduce scatter gather one-to-many shift exchange-pairs exchange-neighbours halo-1 halo-2 halo-3'

# train MACHINE OPTION...: at powers of two, which are what is asked for.
train() {
    "$simulate" "$1-1024" 64 "$build/trainer/trainer-smpi" --quick --processors 2,4,8,16,32,64 --budget 100000 \
        --patience 0 --no-progress -o "$PWD/$1.making" "${@:2}" >>"$1.log" 2>&1 || { cat "$1.log"; return 1; }
}

# table MACHINE: all to all of long messages would take most of the time, and is not asked for.
table() {
    train "$1" --suite "point-to-point,exchange,all-gather,reduce-scatter,${few// /,},distance" --max-bytes 32k --replace
    train "$1" --suite many-to-many --max-bytes 1k --add
    mv "$1.making" "$1.yaml"
}

# truths MACHINE P: "utility,participants,bytes,time".
truths() {
    simulate_uses "$1" "$2" | grep '^[a-z0-9-]*,' # without a terminal smpirun prints its command, too
}

simulate_uses() {
    # shellcheck disable=SC2086 # lists of words
    if [ "$2" -gt 256 ]; then
        "$simulate" "$1-1024" "$2" "$build/test/bed/many" 8,4096 $few
    else
        "$simulate" "$1-1024" "$2" "$build/test/bed/many" 8,512,4096,32768 $few all-gather reduce-scatter
        "$simulate" "$1-1024" "$2" "$build/test/bed/many" 8,512 many-to-many
    fi
}

# says MACHINE P: "utility,bytes,time,answer,low,high" of what truths are there; the last three are empty where
# it is not known.
says() {
    local utility bytes time
    while IFS=, read -r utility _ bytes time; do
        [ "$utility" != synchronization ] || bytes=0
        "$build/estimator/estimator" cost "$1.yaml" "$utility" -n "$bytes" -p "$2" --format csv |
            awk -F, -v OFS=, -v utility="$utility" -v bytes="$bytes" -v truth="$time" \
                'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                NR == 2 { time = $at["time_us"]; low = $at["low_us"]; high = $at["high_us"] }
                END { print utility, bytes, truth, time, low, high }'
    done < <(grep -v 'synchronization,.*,\(512\|4096\|32768\),' "$1-$2.truth")
}

for machine in $machines; do
    [ -f "$machine.yaml" ] || table "$machine"
    for p in $processors; do
        [ -f "$machine-$p.truth" ] || { truths "$machine" "$p" >making && mv making "$machine-$p.truth"; }
        says "$machine" "$p" | tee "$machine-$p.said" | awk -F, -v machine="$machine" -v p="$p" '
            function median(all, count,   i, k, t) {
                for (i = 2; i <= count; i++)
                    for (k = i; k > 1 && all[k] < all[k - 1]; k--) { t = all[k]; all[k] = all[k - 1]; all[k - 1] = t }
                return all[int((count + 1) / 2)]
            }
            { asked++ }
            $4 == "" { next }
            {
                ratio[++count] = $6 / $5
                off[count] = $4 > $3 ? $4 / $3 - 1 : 1 - $4 / $3
                times = $4 > $3 ? $4 / $3 : $3 / $4
                worst = times > worst ? times : worst
                within += $3 >= $5 && $3 <= $6
            }
            END {
                printf "%s of %d: %d of %d answered, %.0f %% of these within, high / low %.2f, off by %.1f %%, at most %.2f times\n",
                    machine, p, count, asked, 100 * within / count, median(ratio, count), 100 * median(off, count), worst
            }'
    done
done
