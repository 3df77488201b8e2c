#!/usr/bin/env bats
# How far processors are apart, and who waits for whom, on a table whose numbers are easy: halos on
# lines and boxes, shifts, calls of groups, and pipelines that leave a node of two.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    cat >easy.yaml <<'END'
forecost: 1
machine: {name: easy, measured: {compiler: gcc, mpi: none, options: none, seed: 1}}
communication:
  - {utility: point-to-point, regions: [{t0_us: 10, rinf_mb_per_s: 10, error: {held_out_p95: 0.02}}]}
  - {utility: exchange, regions: [{t0_us: 100, rinf_mb_per_s: 1, error: {held_out_p95: 0.02}}]}
  - {utility: point-to-point-far, regions: [{t0_us: 30, rinf_mb_per_s: 10, error: {held_out_p95: 0.02}}]}
  - {utility: exchange-far, regions: [{t0_us: 300, error: {held_out_p95: 0.02}}]}
  - {utility: exchange-pairs, processors: [2, 4], regions: [{t0_us: 400, error: {held_out_p95: 0.02}}]}
  - {utility: exchange-neighbours, processors: [4, 4], regions: [{t0_us: 150, error: {held_out_p95: 0.02}}]}
  - {utility: halo-1, processors: [2, 4], processors_near: 2, regions: [{setup_us: {p: 50}, error: {held_out_p95: 0.02}}]}
  - {utility: shift, processors: [2, 4], regions: [{setup_us: {p: 10}, error: {held_out_p95: 0.02}}]}
node: {rate_mflops: 1}
END
}

describe() {
    { echo "forecost-segment: 1"; cat; } >s.yaml
}

# takes EXPRESSION [OPTION...]: that many us with 4 processors, or as the options say.
takes() {
    local got expected
    expected=$(awk "BEGIN { printf \"%.6g\", $1 }")
    shift
    got=$(estimator predict easy.yaml s.yaml -p 4 "$@" --format csv | awk -F, '$1 == "all" { printf "%.6g\n", $4 }')
    [ "$got" = "$expected" ] || { echo "got $got, expected $expected"; return 1; }
}

@test "a read across a corner of a box asks for the faces and edges that it lies beyond, too" {
    sed -i '/measured/s/, measured.*/}/; /-far\|pairs\|neighbours\|halo\|shift/d' easy.yaml
    describe <<'END'
parameters: {n: 16, side: 4}
arrays: {u: {extent: [n, n, n], periodic: true}}
candidates: {boxes: {grid: [side, side, side], distribute: {u: [BLOCK, BLOCK, BLOCK]}}}
program:
  - segment: s
    corners: direct
    body:
      - loop: {i: [0, n - 1]}
        body:
          - loop: {j: [0, n - 1]}
            body:
              - loop: {k: [0, n - 1]}
                body:
                  - {statement: t, home: "u[i][j][k]", reads: ["u[i-1][j-1][k-1]", "u[i-1][j-1][k+1]", "u[i-1][j+1][k-1]", "u[i-1][j+1][k+1]", "u[i+1][j-1][k-1]", "u[i+1][j-1][k+1]", "u[i+1][j+1][k-1]", "u[i+1][j+1][k+1]"]}
END
    # 6 faces of 4 x 4, 12 edges of 4, 8 corners of an element
    takes "6 * (100 + 128) + 12 * (100 + 32) + 8 * (100 + 8)" -p 64
    # An open box of two a side has half of them along each direction.
    sed -i 's/, periodic: true//; s/\[0, n - 1\]/[1, n - 2]/' s.yaml
    takes "3 * (100 + 7 * 7 * 8) + 3 * (100 + 7 * 8) + (100 + 8)" -p 8 -D side=2
}

@test "groups that are told how far apart their processors are" {
    describe <<'END'
program:
  - segment: s
    body:
      - call: {utility: exchange, bytes: 8, processors: 2, groups: 2}
END
    takes 400
    estimator predict easy.yaml s.yaml -p 4 --format csv | grep -q '^all,.*other-distance$'
    sed -i 's/groups: 2/groups: 2, apart: 1/' s.yaml
    takes 150
    estimator predict easy.yaml s.yaml -p 4 --format csv | grep -q '^all,.*other-distance' && return 1
    sed -i 's/apart: 1/apart: 2/' s.yaml
    takes 400
    sed -i 's/apart: 2/apart: 4/' s.yaml
    run estimator predict easy.yaml s.yaml -p 4
    [ "$status" -eq 2 ]
    [[ $output == *"2 processors that are 4 apart: the run has 4" ]]
}

# ends FILE: of the item of its prediction, and whether anything is flagged.
ends() {
    estimator predict easy.yaml "$1" -p 4 --format json | sed -n 's/.*"item".*"low_us": \([^,]*\), "high_us": \([^,]*\),.*"flags": \("[^"]*"\).*/\1 \2 \3/p'
}

@test "a message that is called for may leave a node: it is in the middle, and the interval holds both" {
    describe <<'END'
program:
  - segment: s
    body:
      - call: {utility: point-to-point, bytes: 10}
END
    takes "(11 + 31) / 2"
    [ "$(ends s.yaml)" = '11 31 ""' ]
    takes 11 -p 2
    sed 's/point-to-point, bytes: 10/exchange, bytes: 0/' s.yaml >exchange.yaml
    [ "$(ends exchange.yaml)" = '100 300 ""' ]
    # Where neighbours beyond a node take no longer there is none: far is far on a torus.
    sed -i '/halo-1/s/setup_us: {p: 50}/t0_us: 200/' easy.yaml
    takes 11
}

@test "one way, and to and fro one after the other, are shifts" {
    describe <<'END'
arrays: {u: {extent: [64], periodic: true}}
candidates: {ring: {grid: [p], distribute: {u: [BLOCK]}}}
program:
  - segment: s
    body:
      - loop: {i: [0, 63]}
        body:
          - {statement: t, home: "u[i]", reads: ["u[i-1]"]}
END
    takes 40
    sed -i 's/"u\[i-1\]"/&, "u[i+1]"/' s.yaml
    takes 200
    sed -i 's/- segment: s/&\n    exchange: by-shift/' s.yaml
    takes "2 * 40"
    # Two processors of an open line have a message each way.
    sed -i 's/, periodic: true//; s/\[0, 63\]/[1, 62]/' s.yaml
    takes "2 * (10 + 0.8)" -p 2
}

@test "shifts one behind another wait for a slow link once around the ring" {
    describe <<'END'
program:
  - segment: s
    body:
      - loop: {hop: [1, 4]}
        body:
          - call: {utility: shift, bytes: 8}
END
    # Two of four links are within pairs, which take 20 us.
    takes "40 + 3 * (2 * 20 + 2 * 40) / 4"
    sed -i 's/bytes: 8}/&\n          - call: {utility: exchange, bytes: 0}/' s.yaml
    takes "4 * 40 + 4 * (100 + 300) / 2"
}

@test "a pipeline passes the edge of a node once a filling, and repetitions may follow one another" {
    describe <<'END'
parameters: {sweeps: 1}
arrays: {u: {extent: [8, 8]}}
candidates: {columns: {grid: [p], distribute: {u: ["*", BLOCK]}}}
program:
  - segment: s
    repeat: sweeps
    body:
      - loop: {j: [0, 7]}
        body:
          - loop: {i: [1, 7]}
            body:
              - {statement: t, writes: "u[j][i]", reads: ["u[j][i-1]"], strip: 1}
END
    # 8 tiles through 4 processors: 10 messages, and one edge of nodes of two on the way
    takes "10 * 10.8 + 20"
    takes "2 * (10 * 10.8 + 20)" -D sweeps=2
    sed -i 's/repeat: sweeps/&\n    drain: 0/' s.yaml
    takes "10 * 10.8 + 20"
    # The second sweep follows at once: it is filled once in two.
    takes "(3 + 2 * 7) * 10.8 + 20" -D sweeps=2
    # A wire that is busy for longer than the processors are is what a stage takes.
    sed -i 's/utility: point-to-point-far.*/utility: point-to-point-far, regions: [{t0_us: 30, rinf_mb_per_s: 0.1}]}/; s/setup_us: {p: 50}/&, per_byte_us: {1: 10}/' easy.yaml
    takes "3 * 10.8 + 7 * 80 + (110 - 10.8)"
    sed -i 's/drain: 0/drain: 0 - 1/' s.yaml
    run estimator predict easy.yaml s.yaml -p 4
    [ "$status" -eq 2 ]
    [[ $output == *"'0 - 1' is -1: expected at least 0"* ]]
}
