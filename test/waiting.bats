#!/usr/bin/env bats
# Waiting on simulated machines whose computations take longer by known distributions (BED_WORK of
# test/bed/platform.cpp): trained among 4 processors, predicted for 4, 16 and 64, beside a program
# that computes and communicates there.

setup() {
    [ -z "${FORECOST_NO_BED:-}" ] || skip "FORECOST_NO_BED is set"
    cd "$BATS_TEST_TMPDIR" || exit 1
    bed=$FORECOST_SOURCE/test/bed/bed.sh
    cat >all.yaml <<'EOF'
forecost-segment: 1
arrays: {u: {extent: [p]}}
candidates: {blocks: {grid: [p], distribute: {u: [BLOCK]}}}
program:
  - segment: s
    body:
      - {loop: {i: [0, p - 1]}, body: [{loop: {k: [1, 160]}, body: [{statement: s, writes: "u[i]", operations: {add: 1}}]}]}
      - {call: {utility: combine, bytes: 8}}
EOF
    cat >grid.yaml <<'EOF'
forecost-segment: 1
parameters: {q: 2}
arrays: {u: {extent: [4 * q, 4 * q]}, v: {extent: [4 * q, 4 * q], align: u}}
candidates: {blocks: {grid: [q, q], distribute: {u: [BLOCK, BLOCK]}}}
program:
  - segment: s
    body:
      - {loop: {i: [1, 4 * q - 2]}, body: [{loop: {j: [1, 4 * q - 2]}, body: [{loop: {k: [1, 10]}, body: [{statement: s, writes: "v[i][j]", reads: ["u[i-1][j]", "u[i+1][j]", "u[i][j-1]", "u[i][j+1]"], operations: {add: 1}}]}]}]}
EOF
}

# train [OPTION...]: table.yaml, among 4; a processor computes 1 us an operation.
train() {
    timeout 100 "$bed" 4 0:5:200 -- -o table.yaml --suite patterns,waiting --max-bytes 64 --processors 4 "$@"
    echo 'node: {rate_mflops: 1}' >>table.yaml
}

# predicted DESCRIPTION P [OPTION...]: us of waiting, 0 where there is none, and its interval.
predicted() {
    estimator predict table.yaml "$1" -p "$2" "${@:3}" --breakdown --format csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = NF - i } /,waiting,/ { us = $(NF - at["time_us"]); low = $(NF - at["low_us"]); high = $(NF - at["high_us"]) } END { print us + 0, low + 0, high + 0 }'
}

# holds LAW: within 10 %, for all and for neighbours on a grid.
holds() {
    local p q dimensions measured
    export BED_WORK=$1
    train
    for p in 4 16 64; do
        q=$(awk "BEGIN { print sqrt($p) }")
        for dimensions in 0 2; do
            measured=$(BED_SEED=7 BED_PROGRAM=$FORECOST_BUILD/test/bed/waits timeout 100 "$bed" "$p" 0:5:200 -- 160 $((6000 / q)) "$dimensions")
            if [ "$dimensions" = 0 ]; then predicted all.yaml "$p"; else predicted grid.yaml "$p" -D q="$q"; fi |
                awk -v measured="$measured" -v what="$1, p = $p, $dimensions dimensions" '
                    { off = $1 / measured - 1; if (off ^ 2 > 0.01 || $2 > measured * 1.1 || $3 < measured * 0.9) { print what ": predicted " $0 ", measured " measured; exit 1 } }'
        done
    done
}

@test "exponential noise: waiting within 10 % for all and for neighbours, p = 4, 16, 64" {
    holds exponential:8
}

@test "uniform noise: waiting within 10 % for all and for neighbours, p = 4, 16, 64" {
    holds uniform:20
}

@test "rare noise: waiting within 10 % for all and for neighbours, p = 4, 16, 64" {
    holds spike:100:0.03
}

@test "without noise nobody waits, and a table that was trained without the suite says that waiting was not measured" {
    train
    [ "$(predicted all.yaml 16)" = "0 0 0" ]
    estimator show table.yaml --section waiting --format csv | awk -F, 'NR > 1 { rows++; if ($4 != 0 || $6 != 0) exit 1 } END { exit rows < 3 }'
    estimator predict table.yaml all.yaml -p 4 >out
    [ "$(grep -c "waiting not measured" out)" -eq 0 ]
    sed '/^waiting/,$d' table.yaml >without.yaml
    echo 'node: {rate_mflops: 1}' >>without.yaml
    estimator predict without.yaml all.yaml -p 4 >out
    grep -q "^waiting not measured" out
    estimator predict without.yaml all.yaml -p 1 >out
    [ "$(grep -c "waiting not measured" out)" -eq 0 ]
}
