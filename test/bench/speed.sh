#!/bin/bash
# How long estimator predict takes from start to exit, and a search of more than 10^5 layouts, with the
# memory of each: with a published table, and with a calibrated one, which is many times as long and whose
# misses are derived. For people; no test depends on it.
#
#   speed.sh ESTIMATOR SOURCE [TIMES [TABLE]]
#
# TABLE: one that trainer made. Left out: one of such a shape is written, whose numbers mean nothing.
set -euo pipefail
estimator=$1 source=$2 times=${3:-50}
published=$source/machines/sp2-mpl.yaml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

calibrated() {
    local order protocol way bytes
    sed '/^not_measured:/,$d; /^node:/,$d' "$published"
    cat <<'END'
node:
  clock_mhz: 3001.6509079994
  units:
    load: {load: 0.3333333333333333}
    store: {store: 0.5}
    add+mul+madd: {add: 0.44509232307005386, mul: 0.44509232307005386, madd: 0.44509232307005386}
    div+sqrt: {div: 4, sqrt: 6}
  latency_cycles: {add: 2, mul: 5, madd: 5, div: 15, sqrt: 19}
  compiled_share: 0.707548084380332
  compiled_share_low: 0.3625599223677826
  compiled_share_high: 1.005016051629985
memory:
  levels:
    - {level: 1, capacity_bytes: 49152, line_bytes: 64, ways: 12, load_cycles: 4.991927914398348, load_line_cycles: 1.0001336809284802, store_line_cycles: 1.0029161239357}
    - {level: 2, capacity_bytes_low: 1048576, capacity_bytes_high: 2965504, line_bytes: 64, load_cycles: 16.06515237627626, load_line_cycles: 1.2130446656654847, store_line_cycles: 3.994198779097986}
    - {level: 3, capacity_bytes_low: 16777216, capacity_bytes_high: 39903232, line_bytes: 64, load_cycles: 58.32835291123578, load_line_cycles: 6.758893946788803, store_line_cycles: 7.3268112362164155}
    - {level: memory, load_cycles: 209.9180018976742, load_line_cycles: 12.655363920687558, store_line_cycles: 19.7860822480178}
swap:
END
    for order in 0 1; do for protocol in {0..9}; do for way in cold warm iterated; do
        for bytes in 1024 8192 131072 524288 2097152 8388608; do
            printf '  - {order: %d, protocol: %d, set: basic, way: %s, volume_bytes: %d, pair: 0-1, ' \
                "$order" "$protocol" "$way" "$bytes"
            printf '%s: 0.%d, ' a_us 5682908203125001 b_us_per_byte 18879847526550293 \
                latency_us 5682908203125001 swap_mb_per_s 59330588971889830 \
                model_error_max 2406975019456360 model_error_mean 11622679244178676
            echo "best_messages: 1, single_us: 395.9391, first_messages: 512, last_messages: 1024}"
        done
    done; done; done
}
calibrated=${4:-$work/calibrated.yaml}
[ $# -ge 4 ] || calibrated >"$calibrated"

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
    printf '%-32s median %8d us of %d runs, %6d KB\n' "$what" "$(median_us "$@")" "$times" "$(peak_kb "$@")"
}

for table in "$published" "$calibrated"; do
    echo "${table##*/}, $(wc -c <"$table") bytes"
    for sample in jacobi/jacobi matvec/matvec adi/adi lu/lu; do
        report "predict ${sample##*/}" "$estimator" predict "$table" "$source/samples/$sample.yaml" -p 16
    done
done
times=5
for table in "$published" "$calibrated"; do
    report "search, ${table##*/}" "$estimator" rank --search "$table" "$work/product.yaml" -p 16
    sed -n '/looked at/p' "$work/out"
done
