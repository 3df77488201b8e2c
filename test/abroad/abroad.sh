#!/bin/bash
# Predictions of the communication of programs that nobody here wrote, against simulated machines.
#
#   abroad.sh SOURCES TABLES [PROGRAM...]
#
# SOURCES is a folder of GitHub checkouts, each under its name (ParRes/Kernels); programs/ has a file for
# each program (default all); ABROAD_SET=held takes those of held/ instead, whose times nobody had looked at
# when they were described. TABLES is a folder with a table and the measured times of every machine:
# what is not there is trained or simulated, which takes minutes, and kept. Prints a row for each program,
# machine, processor count and size; summary.awk reads them. Computation takes no time: all is communication.
#
# ABROAD_PLATFORMS (of platform.sh), ABROAD_SELECTORS (of the library's collectives: ompi, mpich) and
# ABROAD_PROCESSORS (4 12 16) say where; tables are trained on ABROAD_RANKS (16), at powers of two.
# ABROAD_ESTIMATOR is another estimator.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
set=$here
[ -z "${ABROAD_SET-}" ] || set=$here/$ABROAD_SET
# programs/*.sh assign these.
kind="" source="" sizes="" repetitions=1
sources=$(cd "$1" && pwd) tables=$2
shift 2
build=${FORECOST_BUILD:-$here/../..}
estimator=${ABROAD_ESTIMATOR:-$build/estimator/estimator}
mkdir -p "$tables"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What the descriptions need. Reductions one behind another are under way by the hundred: to simulate
# longer ones than those of the programs takes many minutes.
suites=patterns,distance,halos,EXCH1,EXCH2,EXCH3,reduce,all-gather-in-place,shift,many-to-many-staged
shorter=reduce-repeated

# train_suites MACHINE SUITES OPTION...
train_suites() {
    local ranks=${ABROAD_RANKS:-16} p counts=2
    for ((p = 4; p <= ranks; p *= 2)); do counts+=,$p; done
    ABROAD_SELECTOR=${1##*-} "$here/simulate.sh" "${1%-*}" "$ranks" "$build/trainer/trainer-smpi" --quick \
        --suite "$2" --processors="$counts" --budget 300 -o "$tables/$1.yaml" "${@:3}" >&2
}

# train MACHINE: a machine is PLATFORM-SELECTOR.
train() {
    train_suites "$1" "$suites" --max-bytes 64k
    train_suites "$1" "$shorter" --max-bytes 16k --add
}

# Operations that take no time.
price_nothing() {
    grep -v '^node:' "$tables/$1.yaml"
    printf 'node:\n  clock_mhz: 1e9\n  units:\n    all: {add: 1, mul: 1, madd: 1, div: 1, sqrt: 1, load: 1, store: 1}\n'
}

compile() { # ARGUMENT...: to $work/$program, with what times it
    smpicc -O2 -w "$@" "$here/split.c" -o "$work/$program" -lm
}

bundle() { # FILE... [FLAG...], of the Parallel Research Kernels
    printf '#include <mpi.h>\ndouble wtime(void) { return MPI_Wtime(); }\n' >"$work/wtime.c"
    compile -DPRKVERSION='"abroad"' -DVERBOSE=0 -DRESTRICT_KEYWORD=0 -I"$folder/include" "$@" \
        "$folder/common/MPI_bail_out.c" "$work/wtime.c"
}

side() { # P: the shorter side of the squarest grid
    awk -v p="$1" 'BEGIN { for (i = 1; i * i <= p; i++) if (p % i == 0) side = i; print side }'
}

box() { # P: the squarest box, its sides in order
    awk -v p="$1" 'BEGIN {
        for (i = 1; i * i * i <= p; i++) if (p % i == 0)
            for (j = i; i * j * j <= p; j++) if (p % (i * j) == 0) box = i " " j " " p / (i * j)
        print box }'
}

box_settings() {
    local i j k
    read -r i j k <<<"$(box "$1")"
    echo "x=$i y=$j z=$k"
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
    local less=0 more each=""
    [ -z "${for_each-}" ] || each="$2 $3"
    [ "$(cat "$work/built" 2>/dev/null)" = "$program $each" ] || build "$folder" "$3" "$2" >&2
    echo "$program $each" >"$work/built"
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

# predicted P SIZE: microseconds, low, high and flags.
predicted() {
    local setting defines=()
    for setting in $(settings "$2" "$1"); do defines+=("-D$setting"); done
    "$estimator" predict "$work/table.yaml" "$set/descriptions/$program.yaml" -p "$1" "${defines[@]}" --format csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
            $at["segment"] == "all" || NR == 2 { answer = $at["communicate_us"] "," $at["low_us"] "," $at["high_us"] "," $at["flags"] }
            END { print answer }'
}

row() { # MACHINE P SIZE
    local time answer
    time=$(measured "$@")
    answer=$(predicted "$2" "$3") || answer=nan,nan,nan,refused
    echo "$program,$kind,$1,$2,$3,$time,$answer" | awk -F, -v OFS=, '{ printf "%s,%.2f\n", $0, ($6 > 0) ? $7 / $6 : 0 }'
}

# rows PROGRAM MACHINE
rows() {
    local p size
    program=$1
    unset -f again build
    unset for_each
    # shellcheck source=/dev/null # of programs/
    . "$set/programs/$program.sh"
    folder=$sources/$source
    [ -d "$folder" ] || { echo "abroad.sh: $folder is not there: $program is left out" >&2; return; }
    if [ -z "$(declare -F build)" ]; then
        [ -f "$sources/$program.build" ] || { echo "abroad.sh: $program.build does not say how to compile it: $program is left out" >&2; return; }
        # shellcheck source=/dev/null # its user's
        . "$sources/$program.build"
    fi
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
        price_nothing "$machine" >"$work/table.yaml"
        if [ $# -gt 0 ]; then programs=("$@"); else programs=("$set"/programs/*.sh); fi
        for program in "${programs[@]}"; do
            rows "$(basename "$program" .sh)" "$machine"
        done
    done
done
