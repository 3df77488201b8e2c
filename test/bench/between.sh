#!/bin/bash
# How many times among processor counts between the measured ones lie in the intervals of a table: one
# of 2, 4, 8 and 16 simulated processors (test/abroad/platform.sh) is asked for 10 and 12.
#
#   between.sh TRAINER-SMPI ESTIMATOR PLATFORM SELECTOR [TABLE]
#
# PLATFORM is fat-tree, torus or nodes, SELECTOR ompi or mpich; TABLE is one that is there already.
# Prints a row for each pattern, then one of all: points, share inside in per cent, median of
# high / low. Takes two minutes of one core.
set -euo pipefail
trainer=$(realpath "$1") estimator=$(realpath "$2") platform=$3 selector=$4
table=${5:+$(realpath "$5")}
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
suites=patterns,distance,halos,EXCH1,EXCH2,EXCH3,reduce,all-gather-in-place,shift,many-to-many-staged

train() { # COUNTS TABLE
    ABROAD_SELECTOR=$selector "$here/../abroad/simulate.sh" "$platform" 16 "$trainer" --quick --suite "$suites" \
        --processors="$1" --budget 300 --max-bytes 64k -o "$2" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
}

# Lines of utility, p, bytes and time, of the counts that were asked for.
points() {
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["processors"] >= 9 { print $1, $at["processors"], $at["bytes"], $at["median_us"] }' "$work/asked.points.csv"
}

list() { # COLUMN of a pattern's points
    cut -d, -f"$1" "$work/own" | sort -un | paste -sd,
}

[ -n "$table" ] || { table=$work/table.yaml && train 2,4,8,16 "$table"; }
train 10,12 "$work/asked.yaml"
points >"$work/points"
cut -d, -f1 "$work/points" | sort -u | while read -r utility; do
    grep "^$utility," "$work/points" >"$work/own"
    "$estimator" cost "$table" "$utility" --formula-p -n "$(list 3)" -p "$(list 2)" --format csv >"$work/said"
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        FILENAME == ARGV[1] { p = $at["formula_p"] == "" ? $at["processors"] : $at["formula_p"]
            low[p, $at["bytes"]] = $at["low_us"]; high[p, $at["bytes"]] = $at["high_us"]; next }
        ($2, $3) in low && low[$2, $3] > 0 { print $1, low[$2, $3] <= $4 && $4 <= high[$2, $3], high[$2, $3] / low[$2, $3] }
    ' "$work/said" "$work/own" >>"$work/rows"
done
summary() { # NAME
    sort -t, -gk3 | awk -F, -v name="$1" '{ inside += $2; width[NR] = $3 }
        END { printf "%s,%d,%.1f,%.2f\n", name, NR, 100 * inside / NR, width[int((NR + 1) / 2)] }'
}
echo pattern,points,inside_percent,high_over_low
cut -d, -f1 "$work/rows" | sort -u | while read -r utility; do
    grep "^$utility," "$work/rows" | summary "$utility"
done
summary all <"$work/rows"
