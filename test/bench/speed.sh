#!/bin/bash
# How long estimator predict takes from start to exit, and a search of more than 10^5 layouts, with the
# memory of each. For people; no test depends on it.
#
#   speed.sh ESTIMATOR SOURCE [TIMES]
set -euo pipefail
estimator=$1 source=$2 times=${3:-50}
table=$source/machines/sp2-mpl.yaml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/product.yaml" <<'END'
forecost-segment: 1
parameters: {N: 256}
search: {kinds: [BLOCK, CYCLIC, CYCLIC(2), CYCLIC(4)], ranks: 2}
arrays:
  a: {extent: [N, N]}
  b: {extent: [N, N]}
  c: {extent: [N, N]}
program:
  - segment: multiply
    body:
      - loop: {i: [0, N - 1]}
        body:
          - loop: {j: [0, N - 1]}
            body:
              - loop: {k: [0, N - 1]}
                body:
                  - {statement: m, writes: "c[i][j]", reads: ["c[i][j]", "a[i][k]", "b[k][j]"], operations: {madd: 1, load: 2}}
END

# median_us COMMAND...: of so many runs, from start to exit.
median_us() {
    local i start
    for ((i = 0; i < times; i++)); do
        start=${EPOCHREALTIME/./}
        "$@" >"$work/out"
        echo $((${EPOCHREALTIME/./} - start))
    done | sort -n | sed -n "$(((times + 1) / 2))p"
}

# peak_kb COMMAND...: memory at most; 0 without GNU time.
peak_kb() {
    [ -x /usr/bin/time ] || { echo 0; return; }
    /usr/bin/time -f %M -o "$work/peak" "$@" >"$work/out"
    cat "$work/peak"
}

report() {
    local what=$1
    shift
    printf '%-28s median %8d us of %d runs, %6d KB\n' "$what" "$(median_us "$@")" "$times" "$(peak_kb "$@")"
}

for sample in jacobi/jacobi matvec/matvec adi/adi lu/lu; do
    report "predict ${sample##*/}" "$estimator" predict "$table" "$source/samples/$sample.yaml" -p 16
done
times=5
report "search" "$estimator" rank --search "$table" "$work/product.yaml" -p 16
sed -n '/looked at/p' "$work/out"
