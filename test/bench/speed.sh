#!/bin/bash
# How long estimator predict takes from start to exit, and a search of more than 10^5 layouts, with the
# memory of each: with a published table, and with a calibrated one, which is many times as long and whose
# misses are derived; then how both grow with the processors, up to 10^6, with the columns of LU, with the
# counts of a table, up to 64 of 40 utilities, and with the segments of a program, up to 1000. For people;
# no test depends on it.
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

# ---- what grows ----

# A table of so many utilities at so many processor counts, with as many digits as the trainer writes;
# numbers mean nothing.
counted() { # COUNTS UTILITIES
    "$estimator" show "$published" --format csv | awk -F, 'NR > 1 { print $1 }' | sort -u >"$work/known"
    awk -v counts="$1" -v utilities="$2" '
        { known[++names] = $1 }
        function regions(indent, p,   k, from, upto, n) {
            print indent "regions:"
            for (k = 0; k < 4; k++) {
                printf "%s  - {", indent
                if (k < 3) printf "bytes_upto: %d, ", 1024 * 8 ^ k
                printf "t0_us: %.16g, rinf_mb_per_s: %.16g, measured_us: \"", 1.5 * 9 ^ k * log(p + 2), 512.3456789 * (k + log(p))
                for (n = 1; n <= 8; n++) printf "%s%d: %.5g", (n > 1 ? ", " : ""), 100 * 8 ^ k / 8 * n, p + n / 7
                print "\", error: \"fitted_median: 0.01123, fitted_p95: 0.04123, points: 8, held_out_points: 2\"}"
            }
        }
        END {
            print "forecost: 3\nmachine: {name: counted, processors: 1024}\nnode: {rate_mflops: 100}\ncommunication:"
            for (u = 1; u <= utilities; u++) {
                printf "  - utility: %s\n    bytes: [0, 1048576]\n    processors: [2, 1024]\n", (u <= names ? known[u] : "other-" u)
                regions("    ", 1024)
                print "    by_processors:"
                for (i = 1; i <= counts; i++) {
                    p = i == counts ? 1024 : 1 + i
                    printf "      - processors: %d\n", p
                    regions("        ", p)
                }
            }
        }' "$work/known"
}

# A program of so many segments, each a loop over a part of an array of its own.
many_segments() { # SEGMENTS
    awk -v segments="$1" 'BEGIN {
        print "forecost-segment: 1\nparameters: {N: 1024}\narrays:"
        print "  a: {extent: [N, N]}\n  b: {extent: [N, N]}"
        print "candidates:\n  rows: {grid: [p], distribute: {a: [BLOCK, \"*\"], b: [BLOCK, \"*\"]}}\nprogram:"
        for (s = 1; s <= segments; s++) {
            from = s % 2 ? "a" : "b"; to = s % 2 ? "b" : "a"
            printf "  - segment: s%d\n    body:\n      - loop: {i: [1, N - 2]}\n        body:\n", s
            printf "          - loop: {j: [1, N - 2]}\n            body:\n"
            printf "              - {statement: t%d, writes: \"%s[i][j]\", reads: [\"%s[i-1][j]\", \"%s[i+1][j]\"], operations: {add: 1, load: 2, store: 1}}\n", s, to, from, from
        }
    }'
}

# What is asked at x: sets `command`.
ask_of_processors() { command=("$estimator" predict "$published" "$source/samples/$sample.yaml" -p "$1"); }
ask_of_columns() {
    command=("$estimator" predict "$table" "$source/samples/lu/lu.yaml" -p "$processors" -c "$candidate" -D "N=$1")
}
ask_of_counts() {
    counted "$1" 40 >"$work/counted.yaml"
    command=("$estimator" predict "$work/counted.yaml" "$source/samples/jacobi/jacobi.yaml" -p 16)
}
ask_of_segments() {
    many_segments "$1" >"$work/segments.yaml"
    command=("$estimator" predict "$published" "$work/segments.yaml" -p 16)
}

# What takes longer is shown as taking that long.
within_a_minute() { timeout 60 "${command[@]}" || [ $? -eq 124 ]; }

# grows WHAT LIMIT_US LIMIT_KB ASK X...: a row each, and by which power of x the time grows from the first to
# the last, which has the limits.
grows() {
    local what=$1 limit_us=$2 limit_kb=$3 ask=$4 x us kb
    shift 4
    for x; do
        "$ask" "$x"
        us=$(median_us within_a_minute) kb=$(peak_kb timeout 60 "${command[@]}") || kb=0
        printf '%-32s median %8d us of %d runs, %6d KB\n' "$x $what" "$us" "$times" "$kb"
        echo "$x $us $kb" >>"$work/growth"
    done
    awk -v what="$what" -v limit_us="$limit_us" -v limit_kb="$limit_kb" '
        NR == 1 { x = $1; us = $2 }
        END { printf "%-32s as the power %.2f; limits of %d us and %d KB %s\n", "  grow the time", log($2 / us) / log($1 / x),
            limit_us, limit_kb, $2 <= limit_us && $3 <= limit_kb ? "kept" : "NOT KEPT" }' "$work/growth"
    rm "$work/growth"
}

times=3
for sample in jacobi/jacobi matvec/matvec adi/adi lu/lu; do
    grows "processors, ${sample##*/}" 1000000 204800 ask_of_processors 1000 10000 100000 1000000
done
# The steps of an elimination: as many as columns, of which processors have more and more each, priced by a law
# and by measured times.
counted 8 12 >"$work/measured.yaml"
for table in "$published" "$work/measured.yaml"; do
    echo "${table##*/}, $(wc -c <"$table") bytes"
    for candidate in block cyclic; do
        for processors in 16 256; do
            grows "columns, lu $candidate on $processors" 30000 204800 ask_of_columns 4096 65536 1048576
        done
    done
done
grows 'counts of 40 utilities' 50000 204800 ask_of_counts 8 16 32 64
grows 'segments' 2000000 204800 ask_of_segments 125 250 500 1000
