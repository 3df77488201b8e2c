#!/usr/bin/env bats
# Messages between computations: a table that says how many times as long they take there, with numbers that
# are easy, and segments that touch known amounts of memory.

bats_require_minimum_version 1.5.0 # run -2

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    cat >easy.yaml <<'END'
forecost: 1
machine: {name: easy, measured: {compiler: gcc, mpi: none, options: none, seed: 1}}
communication:
  - {utility: point-to-point, regions: [{t0_us: 10, error: {held_out_p95: 0.02}}]}
  - utility: exchange
    regions: [{t0_us: 100, error: {held_out_p95: 0.02}}]
    in_situ:
      - {bytes: 8, written: 1.5, after_256k: 2, after_1m: 3, after_4m: 4}
  - utility: combine
    regions: [{t0_us: 1000, error: {held_out_p95: 0.02}}]
    in_situ:
      - {bytes: 8, written: 1, after_256k: 1, after_1m: 1, after_4m: 5}
node: {clock_mhz: 1000, units: {all: {add: 1, mul: 1, madd: 1, div: 1, sqrt: 1, load: 1, store: 1}}}
END
}

# Each of two processors goes through n doubles of its own, and needs one element of the other's.
sweep() {
    cat >s.yaml <<'END'
forecost-segment: 1
parameters: {n: 16}
arrays: {u: {extent: [2 * n]}, v: {extent: [2 * n], align: u}}
candidates: {blocks: {grid: [p], distribute: {u: [BLOCK]}}}
program:
  - segment: sweep
    body:
      - loop: {i: [1, 2 * n - 2]}
        body:
          - {statement: relax, writes: "v[i]", reads: ["u[i-1]", "u[i+1]"], operations: {add: 1, load: 2, store: 1}}
END
}

# communication EXPRESSION [OPTION...]: takes that many us.
communication() {
    local got expected
    expected=$(awk "BEGIN { printf \"%.4g\", $1 }")
    shift
    got=$(estimator predict easy.yaml s.yaml -p 2 "$@" --format csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "all" { printf "%.4g\n", $at["communicate_us"] }')
    [ "$got" = "$expected" ] || { echo "got $got, expected $expected"; return 1; }
}

@test "an exchange takes longer by what the segment touches" {
    sweep
    communication 150 -D n=100 # 1600 bytes, hardly more than the buffers
    # two arrays of n doubles: 256 KB, 512 KB, 1 MB and more than was measured
    communication 200 -D n=16384
    communication "100 * (2 + 3) / 2" -D n=32768
    communication 300 -D n=65536
    estimator predict easy.yaml s.yaml -p 2 -D n=262144 --format csv >rows # 4 MB: all that was measured
    run ! grep -q touched-beyond rows
    communication 400 -D n=1000000
    estimator predict easy.yaml s.yaml -p 2 -D n=1000000 --format csv | grep -q '^all,.*touched-beyond'
    estimator predict easy.yaml s.yaml -p 2 -D n=65536 --explain | grep -q "between computations 3 times as repeated"
    # the interval has the amounts on both sides
    estimator predict easy.yaml s.yaml -p 2 -D n=32768 --communication-only --format csv >rows
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $1 == "all" { exit !($at["low_us"] <= 200 && $at["high_us"] >= 300) }' rows
}

@test "a table that goes to 32 MB is asked up to there" {
    sweep
    sed -i 's/after_4m: 4}/after_4m: 4, after_32m: 10}/' easy.yaml
    communication 400 -D n=262144
    communication 800 -D n=1048576 # 16 MB: two of the three doublings
    communication 1000 -D n=2097152
    estimator predict easy.yaml s.yaml -p 2 -D n=2097152 --format csv >rows
    run ! grep -q touched-beyond rows
    estimator predict easy.yaml s.yaml -p 2 -D n=2200000 --format csv | grep -q '^all,.*touched-beyond'
    estimator show easy.yaml --section in_situ | grep -q '^exchange .* 10$'
}

@test "of several uses each has its share of what is touched" {
    sweep
    sed -i 's/i-1/i/; s/i+1/i/' s.yaml # no messages of its own
    printf '      - loop: {k: [1, 4]}\n        body:\n          - call: {utility: exchange, bytes: 8, processors: 2}\n' >>s.yaml
    communication "4 * 200" -D n=65536 # a quarter of 1 MB each
    communication "4 * 300" -D n=262144
}

@test "without rows it is as repeated, and what says nothing of memory is" {
    sweep
    sed -i '/in_situ\|written/d' easy.yaml
    communication 100 -D n=1000000
}

@test "calls between the sweeps have what these touch; calls alone have their buffers" {
    sweep
    printf '  - segment: converge\n    body:\n      - call: {utility: combine, bytes: 8}\n' >>s.yaml
    communication "400 + 5000" -D n=1000000
    cat >s.yaml <<'END'
forecost-segment: 1
program:
  - segment: converge
    body:
      - call: {utility: combine, bytes: 8}
      - call: {utility: exchange, bytes: n, processors: 2}
END
    sed -i 's/^program/parameters: {n: 8}\nprogram/' s.yaml
    communication 1150
    communication 1200 -D n=131072 # and as many of the other's
}

@test "messages between two processors, of whose own rows there are none, are as the exchange" {
    sweep
    sed -i 's/, "u\[i+1\]"//; s/load: 2/load: 1/' s.yaml
    communication 30 -D n=65536
}

@test "rows that are out of order or no ratio are refused at their place" {
    sed -i 's/after_4m: 4}/after_4m: 4}\n      - {bytes: 8, written: 1, after_256k: 1, after_1m: 1, after_4m: 1}/' easy.yaml
    run -2 estimator check easy.yaml
    [[ "$output" == "estimator: easy.yaml:"*"in_situ of exchange: expected more bytes than the 8 before, not 8"* ]]
    sed -i 's/written: 1.5/written: 0/' easy.yaml
    run -2 estimator check easy.yaml
    [[ "$output" == "estimator: easy.yaml:8:"* ]]
    [ "${#lines[@]}" -eq 1 ]
}
