#!/bin/bash
# Predictions of the communication of programs that nobody here wrote, against simulated machines.
#
#   abroad.sh SOURCES TABLES [PLATFORM...]
#
# SOURCES is a checkout of the Parallel Research Kernels (github.com/ParRes/Kernels). TABLES is a
# folder with PLATFORM.yaml for each of the platforms of platform.sh (default all); those that are
# not there are trained, which takes minutes. Prints platform, program, setting, p, predicted and
# measured us, their ratio, the interval, and whether it contains what was measured. Computation
# takes no time there: all is communication. ABROAD_ESTIMATOR is another estimator.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sources=$1 tables=$2
shift 2
[ $# -gt 0 ] || set -- fat-tree torus nodes
build=${FORECOST_BUILD:-$here/../..}
estimator=${ABROAD_ESTIMATOR:-$build/estimator/estimator}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

suites=point-to-point,exchange,one-to-many,many-to-one,exchange-pairs,exchange-neighbours,halos,EXCH1,EXCH2

train() {
    "$here/simulate.sh" "$1" 64 "$build/trainer/trainer-smpi" --suite "$suites" --processors=2,4,16,64 \
        --budget 300 --max-bytes 20k -o "$tables/$1.yaml" >&2
}

# The kernels take their time from a function of their own, which is given to them here.
compile() {
    printf '#include <mpi.h>\ndouble wtime(void) { return MPI_Wtime(); }\n' >"$work/wtime.c"
    for kernel in Synch_p2p/p2p Stencil/stencil; do
        smpicc -O2 -w -DPRKVERSION='"abroad"' -DVERBOSE=0 -DRADIUS=1 -DSTAR=1 -DDOUBLE=1 \
            -DRESTRICT_KEYWORD=0 -DLOOPGEN=0 -I"$sources/include" "$sources/MPI1/$kernel.c" \
            "$sources/common/MPI_bail_out.c" "$work/wtime.c" -o "$work/${kernel#*/}" -lm
    done
}

# Operations that take no time.
price_nothing() {
    grep -v '^node:' "$tables/$1.yaml" >"$work/table.yaml"
    printf 'node:\n  clock_mhz: 1e9\n  units:\n    all: {add: 1, mul: 1, madd: 1, div: 1, sqrt: 1, load: 1, store: 1}\n' >>"$work/table.yaml"
}

# predicted DESCRIPTION P NAME=VALUE...: time, low, high of one repetition.
predicted() {
    local description=$here/descriptions/$1.yaml p=$2
    shift 2
    "$estimator" predict "$work/table.yaml" "$description" -p "$p" "${@/#/-D}" --format csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "all" { print $at["communicate_us"], $at["low_us"], $at["high_us"] }'
}

# row PLATFORM P PROGRAM DESCRIPTION SETTING -- ARGUMENT...
row() {
    local platform=$1 p=$2 program=$3 description=$4 setting=$5 measured low high time
    shift 6
    measured=$("$here/simulate.sh" "$platform" "$p" "$work/$program" "$@" 2>/dev/null |
        sed -n 's/.*Avg time (s): -\?\([0-9.]*\).*/\1/p')
    # shellcheck disable=SC2086 # settings are words
    read -r time low high <<<"$(predicted "$description" "$p" $setting 2>/dev/null)"
    awk -v row="$platform,$program,$setting,$p" -v t="${time:-nan}" -v l="${low:-0}" -v h="${high:-0}" -v s="$measured" \
        'BEGIN { m = 1e6 * s; ratio = (m > 0) ? t / m : 0; inside = (l <= m && m <= h) ? "yes" : "no"; printf "%s,%.1f,%.1f,%.2f,%.1f,%.1f,%s\n", row, t, m, ratio, l, h, inside }'
}

shorter_side() {
    awk -v p="$1" 'BEGIN { for (i = 1; i * i <= p; i++) if (p % i == 0) side = i; print side }'
}

compile
echo platform,program,setting,p,predicted_us,measured_us,ratio,low_us,high_us,inside
for platform; do
    [ -s "$tables/$platform.yaml" ] || train "$platform"
    price_nothing "$platform"
    for p in ${ABROAD_PROCESSORS:-4 12 16 64}; do
        for group in 1 8 64; do
            row "$platform" "$p" p2p p2p "group=$group" -- 5 1000 200 "$group"
        done
        for n in 192 1536; do
            row "$platform" "$p" stencil stencil "N=$n x=$((p / $(shorter_side "$p")))" -- 10 "$n"
        done
    done
done
