#!/bin/bash
# Predictions of the communication of programs that nobody here wrote, against simulated machines.
#
#   abroad.sh SOURCES TABLES [PROGRAM...]
#
# SOURCES is a folder of GitHub checkouts, each under its name (ParRes/Kernels); programs/ has a file for
# each program (default all); ABROAD_SET=held, or third, takes those of that folder instead, whose times nobody had looked at
# when they were described. TABLES is a folder with a table and the measured times of every machine:
# what is not there is trained or simulated, which takes minutes, and kept. Prints a row for each program,
# machine, processor count and size; summary.awk reads them. Computation takes no time: all is communication.
#
# ABROAD_PLATFORMS (of platform.sh), ABROAD_SELECTORS (of the library's collectives: ompi, mpich) and
# ABROAD_PROCESSORS (4 12 16) say where; tables are trained on ABROAD_RANKS (16), at powers of two.
# ABROAD_ESTIMATOR is another estimator.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sources=$(cd "$1" && pwd) tables=$2
shift 2
build=${FORECOST_BUILD:-$here/../..}
estimator=${ABROAD_ESTIMATOR:-$build/estimator/estimator} compiler=smpicc
# shellcheck source=test/abroad/common.sh
. "$here/common.sh"
mkdir -p "$tables"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What the descriptions need. Reductions one behind another, and broadcasts, are under way by the
# hundred: to simulate longer ones than those of the programs takes many minutes.
suites=patterns,distance,halos,EXCH1,EXCH2,EXCH3,reduce,scatter,gather,all-gather-in-place,shift,many-to-many-staged
shorter=reduce-repeated,broadcast-repeated

# train_suites MACHINE SUITES OPTION...
train_suites() {
    local ranks=${ABROAD_RANKS:-16} p counts=2
    for ((p = 4; p <= ranks; p *= 2)); do counts+=,$p; done
    ABROAD_SELECTOR=${1##*-} "$here/simulate.sh" "${1%-*}" "$ranks" "$build/trainer/trainer-smpi" --quick \
        --suite "$2" --processors="$counts" --budget 300 -o "$tables/$1.yaml" "${@:3}" >&2
}

# train MACHINE: a machine is PLATFORM-SELECTOR.
train() {
    train_suites "$1" "$suites" --max-bytes 256k
    train_suites "$1" "$shorter" --max-bytes 16k --add
}

# split MACHINE P ARGUMENT...: seconds of the program's window.
split() {
    local machine=$1 p=$2
    shift 2
    (cd "$work" && ABROAD_SELECTOR=${machine##*-} "$here/simulate.sh" "${machine%-*}" "$p" "./$program" "$@" 2>/dev/null) |
        awk '$1 == "split:" { print $2 }'
}

# simulated MACHINE P SIZE: microseconds of one repetition.
simulated() {
    local less=0 more
    build_once "$2" "$3"
    # shellcheck disable=SC2046 # arguments are words
    if [ -n "$(declare -F again)" ]; then
        export SPLIT_WINDOW=0
        less=$(split "$1" "$2" $(arguments "$3" "$2"))
        more=$(split "$1" "$2" $(again "$3" "$2"))
        unset SPLIT_WINDOW
    else
        more=$(split "$1" "$2" $(arguments "$3" "$2"))
    fi
    awk -v a="${less:-0}" -v b="${more:-0}" -v n="$repetitions" 'BEGIN { printf "%.3f\n", 1e6 * (b - a) / n }'
}

# measured MACHINE P SIZE: from the file where times are kept, if they are there.
measured() {
    local key="$program,$1,$2,$3" found
    touch "$tables/measured.csv"
    found=$(awk -F, -v key="$key" '$1 "," $2 "," $3 "," $4 == key { print $5 }' "$tables/measured.csv")
    [ -n "$found" ] || { found=$(simulated "$@") && echo "$key,$found" >>"$tables/measured.csv"; }
    echo "$found"
}

row() { # MACHINE P SIZE
    local time answer
    time=$(measured "$@")
    answer=$(communication "$2" "$3") || answer=nan,nan,nan,refused
    echo "$program,$kind,$1,$2,$3,$time,$answer" | awk -F, -v OFS=, '{ printf "%s,%.2f\n", $0, ($6 > 0) ? $7 / $6 : 0 }'
}

# rows PROGRAM MACHINE
rows() {
    local p size
    choose "$1" || return 0
    for p in ${ABROAD_PROCESSORS:-4 12 16}; do
        for size in $sizes; do
            ! fits "$size" "$p" || row "$2" "$p" "$size"
        done
    done
}

echo program,kind,machine,p,size,measured_us,predicted_us,low_us,high_us,flags,ratio
for platform in ${ABROAD_PLATFORMS:-fat-tree torus nodes}; do
    for selector in ${ABROAD_SELECTORS:-ompi mpich}; do
        machine=$platform-$selector
        [ -s "$tables/$machine.yaml" ] || train "$machine"
        price_nothing "$tables/$machine.yaml" >"$work/table.yaml"
        if [ $# -gt 0 ]; then programs=("$@"); else programs=("$set"/programs/*.sh); fi
        for program in "${programs[@]}"; do
            rows "$(basename "$program" .sh)" "$machine"
        done
    done
done
