#!/bin/bash
# How much of its bound each of the first twelve Livermore kernels reaches on this machine, by how it
# is compiled: the table 5.3 of Abandah's report for another machine.
#
#     livermore.sh [--csv] TABLE [KERNEL=N...]
#
# TABLE is the machine table of this machine, with node.units and clock_mhz. KERNEL=N, such as
# lfk03=100000, times a kernel at another size: another working set. --csv: as commas separate, for
# `estimator plot bound TABLE`, which reads it beside TABLE as NAME.livermore.csv. In the environment: CC (cc),
# ESTIMATOR (estimator), ROUNDS (3: of each build in turn, of which the fastest counts), BUILDS (what
# is below, separated by semicolons: a build is a compiler, where that is not CC, and options).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
format=(column -t '-s,')
[ "${1-}" != --csv ] || { format=(cat); shift; }
[ $# -ge 1 ] || { echo "usage: livermore.sh [--csv] TABLE [KERNEL=N...]" >&2; exit 2; }
table=$1
shift
command -v "${ESTIMATOR:-estimator}" >/dev/null ||
    { echo "livermore.sh: there is no ${ESTIMATOR:-estimator}: expected the estimator's path in ESTIMATOR" >&2; exit 2; }
# Sums in as many parts as a multiply-add takes cycles, and twice as many where they are not wide.
parts='-funroll-loops -fvariable-expansion-in-unroller --param=max-variable-expansions-in-unroller'
usual="-O0;-O2;-O3;-O3 -march=native;-Ofast -march=native;-Ofast -march=native $parts=4;\
-Ofast -march=native -fno-tree-vectorize $parts=8"
if command -v clang >/dev/null; then
    usual+=';clang -O3;clang -Ofast -march=native;clang -Ofast -march=native -mprefer-vector-width=512'
    usual+=';clang -Ofast -march=native -fno-vectorize -fno-slp-vectorize'
elif [ -z "${BUILDS-}" ]; then
    echo "livermore.sh: there is no clang: its builds are left out" >&2
fi
IFS=';' read -r -a builds <<<"${BUILDS:-$usual}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build NUMBER OPTION...: the program, compiled with the options.
build() {
    local number=$1 compiler=${CC:-cc}
    shift
    case $1 in
        -*) ;;
        *) compiler=$1 && shift ;;
    esac
    "$compiler" -std=c17 -D_GNU_SOURCE "$@" -o "$work/build-$number" "$here/kernels.c" "$here/../core.c" "$here/livermore.c"
}

# size KERNEL: what the command line says, or nothing.
size() {
    local pair
    for pair in "${sizes[@]}"; do
        [ "${pair%%=*}" != "$1" ] || echo "${pair#*=}"
    done
}

# bound KERNEL N REPETITIONS US: limiting units and per cent of the bound, as "LIMIT,PERCENT". The trials of a
# program find its data where the ones before left them: their bound is that of a repetition among very many.
bound() {
    local chain=()
    [ "$1" != lfk05 ] || chain=(-D printed_cycles=0)
    "${ESTIMATOR:-estimator}" bound "$table" "$here/$1.yaml" -D n="$2" -D repetitions="${3}000000" \
        "${chain[@]}" --measured-us "$1=$(awk -v us="$4" 'BEGIN { printf "%.17g", us * 1e6 }')" --format csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                 NR == 2 { print $at["limit"] "," $at["achieved_percent"] }'
}

# fastest KERNEL: sets n, and repetitions[NUMBER] and time_us[NUMBER] of each build. Builds take turns: what
# disturbs lasts a second or so, and would otherwise decide between them.
fastest() {
    local number round count time cycles
    repetitions=() time_us=()
    for ((round = 0; round < ${ROUNDS:-3}; round++)); do
        for number in "${!builds[@]}"; do
            # shellcheck disable=SC2046 # no size is no argument
            IFS=, read -r _ n count time _ cycles < <("$work/build-$number" "$1" $(size "$1"))
            [[ $cycles = *nan* ]] || time=$(awk -v c="$cycles" -v mhz="$clock_mhz" 'BEGIN { printf "%.9g", c / mhz }')
            if [ "$round" -eq 0 ] || awk -v a="$time" -v b="$count" -v c="${time_us[number]}" \
                -v d="${repetitions[number]}" 'BEGIN { exit !(a / b < c / d) }'; then
                repetitions[number]=$count
                time_us[number]=$time
            fi
        done
    done
}

# Times are of cycles as the core's clock was, at the table's clock.
clock_mhz=$("${ESTIMATOR:-estimator}" show "$table" --section node --format csv | awk -F, '$1 == "clock MHz" { print $NF }')
sizes=("$@")
for number in "${!builds[@]}"; do
    # shellcheck disable=SC2086 # a build is several options
    build "$number" ${builds[number]}
done
{
    echo "kernel,n,limit,$(IFS=,; echo "${builds[*]}")"
    for kernel in lfk01 lfk02 lfk03 lfk04 lfk05 lfk06 lfk07 lfk08 lfk09 lfk10 lfk11 lfk12; do
        shares=
        fastest "$kernel"
        for number in "${!builds[@]}"; do
            result=$(bound "$kernel" "$n" "${repetitions[number]}" "${time_us[number]}")
            shares+=,$(printf '%.1f' "${result#*,}")
        done
        echo "$kernel,$n,${result%,*}$shares"
    done
} | awk -F, -v OFS=, '{ print } NR > 1 { for (i = 4; i <= NF; i++) sum[i] += $i }
        END { $1 = "average"; $2 = $3 = ""; for (i = 4; i <= NF; i++) $i = sprintf("%.1f", sum[i] / (NR - 1)); print }' |
    "${format[@]}"
