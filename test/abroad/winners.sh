#!/bin/bash
# winners.sh [FOLDER [TABLE...]]: whether the search finds the winner that full enumeration finds, on 4
# processors at sizes of 16: for the kernels of PolyBench/C 4.2 that lies in FOLDER, unchanged, and for the
# samples. Without a TABLE: on the SP2, where replication is hard to beat at that size, and on a machine
# whose processors are so slow that it seldom wins. Prints a line a program, then how many agree; status 1
# where one does not. SIZE and PROCESSORS are other ones; DESCRIBER and WINNERS name the programs (make
# test/winners).
set -u
folder=${1-}
root=$(cd "$(dirname "$0")/../.." && pwd)
describer=${DESCRIBER:-$root/describer/describer}
winners=${WINNERS:-$root/test/winners}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
all=0 agreed=0

cat >"$work/slow.yaml" <<'END'
forecost: 1
machine: {name: slow}
communication:
  - {utility: point-to-point, regions: [{t0_us: 10, rinf_mb_per_s: 10}]}
  - {utility: exchange, regions: [{t0_us: 12, rinf_mb_per_s: 8}]}
  - {utility: broadcast, regions: [{setup_us: {p: 10}, per_byte_us: {1: 0.1}}]}
  - {utility: many-to-many, regions: [{setup_us: {p: 9}, per_byte_us: {1: 0.2}}]}
  - {utility: many-to-one, regions: [{setup_us: {p: 10}, per_byte_us: {1: 0.1}}]}
  - {utility: one-to-many, regions: [{setup_us: {p: 10}, per_byte_us: {1: 0.1}}]}
  - {utility: combine, regions: [{setup_us: {p: 15}, per_byte_us: {1: 0.1}}]}
node: {rate_mflops: 0.05}
END
tables=("${@:2}")
[ $# -gt 1 ] || tables=("$root/machines/sp2-mpl.yaml" "$work/slow.yaml")

# compare TABLE DESCRIPTION: with all its parameters of that size.
compare() {
    local name values=()
    all=$((all + 1))
    while read -r name; do
        values+=("$name=${SIZE:-16}")
    done < <(sed -n '/^parameters: {/{s///;s/}.*//;s/:[^,]*//g;s/, */\n/g;p;q}' "$2")
    printf '%s, ' "$(basename "$1" .yaml)"
    "$winners" "$1" "$2" "${PROCESSORS:-4}" "${values[@]}" && agreed=$((agreed + 1))
}

[ -x "$winners" ] || { echo "$winners is not built: make test/winners" >&2; exit 2; }
mkdir "$work/described"
while [ -n "$folder" ] && read -r source; do
    "$describer" "$folder/$source" -- -I"$folder/utilities" -I"$(dirname "$folder/$source")" \
        -DPOLYBENCH_USE_C99_PROTO -DMINI_DATASET >"$work/described/$(basename "$source" .c).yaml" ||
        echo "$source is not described"
done < <(cat ${folder:+"$folder/utilities/benchmark_list"} /dev/null)
for table in "${tables[@]}"; do
    for description in "$work"/described/* "$root"/samples/*/*.yaml; do
        [ ! -e "$description" ] || compare "$table" "$description"
    done
done
echo "$all comparisons, $agreed winners are those of full enumeration"
[ "$agreed" -eq "$all" ]
