#!/bin/bash
# polybench.sh FOLDER [TABLE]: describes the kernels of PolyBench/C 4.2 that lies in FOLDER, unchanged,
# and asks what bounds them on the machine of TABLE. Prints a line a kernel that fails, then how many
# were described and bounded. DESCRIBER and ESTIMATOR name the programs.
set -u
folder=${1:?usage: polybench.sh FOLDER [TABLE]}
root=$(cd "$(dirname "$0")/../.." && pwd)
table=${2:-$root/machines/sp2-mpl.yaml}
describer=${DESCRIBER:-$root/describer/describer}
estimator=${ESTIMATOR:-$root/estimator/estimator}
description=$(mktemp --suffix .yaml)
trap 'rm -f "$description"' EXIT
all=0 described=0 bounded=0
while read -r source; do
    all=$((all + 1))
    name=$(basename "$source" .c)
    "$describer" "$folder/$source" -- -I"$folder/utilities" -I"$(dirname "$folder/$source")" \
        -DPOLYBENCH_USE_C99_PROTO -D"${DATASET:-LARGE}"_DATASET >"$description" || { echo "$name is not described"; continue; }
    described=$((described + 1))
    [ -z "${KEEP-}" ] || cp "$description" "$KEEP/$name.yaml"
    "$estimator" bound "$table" "$description" >/dev/null || { echo "$name is not bounded"; continue; }
    bounded=$((bounded + 1))
done <"$folder/utilities/benchmark_list"
echo "$all kernels, $described described, $bounded bounded"
[ "$all" -gt 0 ] && [ "$bounded" -eq "$all" ]
