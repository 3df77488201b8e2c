#!/bin/bash
# polybench.sh FOLDER [TABLE]: describes the kernels of PolyBench/C 4.2 that lies in FOLDER, unchanged,
# and asks what bounds them on the machine of TABLE. Prints a line a kernel that fails, then how many
# were described and bounded. DESCRIBER and ESTIMATOR name the programs. With SEARCH=SECONDS it also
# searches for the best partitioning of each kernel on PROCESSORS processors (16), as long as that, and
# prints what the searches left out, and how many left out nothing. DATASET=SMALL has sizes of about 100.
set -u
folder=${1:?usage: polybench.sh FOLDER [TABLE]}
root=$(cd "$(dirname "$0")/../.." && pwd)
table=${2:-$root/machines/sp2-mpl.yaml}
describer=${DESCRIBER:-$root/describer/describer}
estimator=${ESTIMATOR:-$root/estimator/estimator}
description=$(mktemp --suffix .yaml)
trap 'rm -f "$description"' EXIT
all=0 described=0 bounded=0 searched=0

# Whether a search of the description looks at all layouts; says what it did not.
search() {
    said=$("$estimator" rank --search --time-limit "$SEARCH" -p "${PROCESSORS:-16}" "$table" "$description" 2>&1 >/dev/null) ||
        { echo "$name is not searched: ${said%%$'\n'*}"; return 1; }
    left=$(grep -o 'the search looked at.*' <<<"$said") || return 0
    echo "$name: $left"
    return 1
}

while read -r source; do
    all=$((all + 1))
    name=$(basename "$source" .c)
    "$describer" "$folder/$source" -- -I"$folder/utilities" -I"$(dirname "$folder/$source")" \
        -DPOLYBENCH_USE_C99_PROTO -D"${DATASET:-LARGE}"_DATASET >"$description" || { echo "$name is not described"; continue; }
    described=$((described + 1))
    [ -z "${KEEP-}" ] || cp "$description" "$KEEP/$name.yaml"
    "$estimator" bound "$table" "$description" >/dev/null || { echo "$name is not bounded"; continue; }
    bounded=$((bounded + 1))
    if [ -n "${SEARCH-}" ] && search; then searched=$((searched + 1)); fi
done <"$folder/utilities/benchmark_list"
echo "$all kernels, $described described, $bounded bounded${SEARCH:+, $searched searched to the end}"
[ "$all" -gt 0 ] && [ "$bounded" -eq "$all" ]
