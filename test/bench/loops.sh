#!/bin/bash
# loops.sh FOLDER [FLAGS...]: how near the curves of measured loops are, for the kernels of PolyBench/C
# 4.2.1 that lies in FOLDER, unchanged: the loops of each are measured at sizes of the trainer's choice
# (BUDGET=8 seconds a kernel), then timed at the sizes of SMALL, MEDIUM and LARGE, which were not.
# Prints a row a loop and size, then the median error and the share within 5 and 20 %; unmeasured.py
# tells of the same rows what the model alone says. CC and FLAGS
# (-O2) are the compiler's. KERNELS: only these. KEEP: a folder for what is made.
set -u
folder=${1:?usage: loops.sh FOLDER [FLAGS...]}
shift
[ $# -gt 0 ] || set -- -O2
root=$(cd "$(dirname "$0")/../.." && pwd)
work=${KEEP:-$(mktemp -d)}
mkdir -p "$work"
[ -n "${KEEP-}" ] || trap 'rm -rf "$work"' EXIT

# object SOURCE DATASET TO FLAGS...
object() {
    local source=$1 dataset=$2 to=$3
    shift 3
    "$root/estimator/estimator" loops "$folder/$source" -o "$to" -- -I"$folder/utilities" \
        -I"$(dirname "$folder/$source")" -DPOLYBENCH_USE_C99_PROTO "-D${dataset}_DATASET" "$@"
}

while read -r source <&3; do
    name=$(basename "$source" .c)
    [[ -z ${KERNELS-} || " $KERNELS " == *" $name "* ]] || continue
    object "$source" LARGE "$work/$name.so" "$@" || continue
    mpiexec -n 1 "$root/trainer/trainer" --loops "$work/$name.so" -o "$work/$name.yaml" \
        --budget "${BUDGET:-8}" </dev/null 2>>"$work/said" || { echo "$name is not measured" >&2; continue; }
    for dataset in SMALL MEDIUM LARGE; do
        object "$source" $dataset "$work/$name.$dataset.so" "$@" &&
            mpiexec -n 1 "$root/trainer/trainer" --loops "$work/$name.$dataset.so" \
                --validate "$work/$name.yaml" </dev/null 2>>"$work/said" | sed "1d; s/^/$dataset,/"
    done
done 3<"$folder/utilities/benchmark_list" | tee "$work/rows.csv"

awk -F, '{ print ($8 > 1 ? $8 - 1 : 1 - $8) }' "$work/rows.csv" | sort -g |
    awk '{ all[NR] = $1; five += $1 <= 0.05; twenty += $1 <= 0.2 }
        END { if (!NR) exit 1
            printf "%d loops and sizes: median error %.1f %%, within 5 %% %.0f %%, within 20 %% %.0f %%\n",
                NR, 100 * all[int((NR + 1) / 2)], 100 * five / NR, 100 * twenty / NR }'
