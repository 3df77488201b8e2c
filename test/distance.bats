#!/usr/bin/env bats
# Halos on every grid of eight simulated processors, four a node, against what they take there.

setup() {
    [ -z "${FORECOST_NO_BED:-}" ] || skip "FORECOST_NO_BED is set"
    command -v smpirun >/dev/null || skip "SimGrid's smpirun is not installed (libsimgrid-dev)"
    [ -x "$FORECOST_BUILD/trainer/trainer-smpi" ] || skip "trainer-smpi was not built"
    [ -x "$FORECOST_BUILD/test/bed/distances" ] || skip "distances was not built"
    bed=$FORECOST_SOURCE/test/bed/bed.sh
    export BED_GROUP=4 BED_TRUTH_FAR=0:20:100
    cd "$BATS_TEST_TMPDIR" || exit 1
}

# train SUITE: into table.yaml, on which operations take no time.
train() {
    timeout 100 "$bed" 8 0:5:200 -- --suite "$1" -o trained.yaml --max-bytes 16k
    grep -v '^node:' trained.yaml >table.yaml
    printf 'node:\n  clock_mhz: 1e9\n  units:\n    all: {add: 1, mul: 1, madd: 1, div: 1, sqrt: 1, load: 1, store: 1}\n' >>table.yaml
}

# describe ROWS COLUMNS ELEMENT-BYTES: reads along the rows, the columns and both; 64 elements a side of
# every processor's part, so that its faces have 64.
describe() {
    cat <<YAML
forecost-segment: 1
title: halos
arrays:
  u: {extent: [$((64 * $1)), $((64 * $2))], element_bytes: $3}
  v: {extent: [$((64 * $1)), $((64 * $2))], element_bytes: $3, align: u}
candidates:
  grid: {grid: [$1, $2], distribute: {u: [BLOCK, BLOCK]}}
program:
YAML
    segment both '"u[i-1][j]", "u[i+1][j]", "u[i][j-1]", "u[i][j+1]"' "$1" "$2"
    segment first '"u[i-1][j]", "u[i+1][j]"' "$1" "$2"
    segment last '"u[i][j-1]", "u[i][j+1]"' "$1" "$2"
}

segment() {
    cat <<YAML
  - segment: $1
    body:
      - loop: {i: [1, $((64 * $3 - 2))]}
        body:
          - loop: {j: [1, $((64 * $4 - 2))]}
            body:
              - {statement: relax, writes: "v[i][j]", reads: [$2]}
YAML
}

# predicted ROWS COLUMNS BYTES: "ROWSxCOLUMNS,stride,side,BYTES,time,low,high,flags", as distances prints.
predicted() {
    describe "$1" "$2" $(($3 / 64)) >halo.yaml
    estimator predict table.yaml halo.yaml -p 8 --format csv >predicted.csv
    awk -F, -v grid="$1x$2" -v rows="$1" -v columns="$2" -v bytes="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 == "both" { line = "0,0" }
        $1 == "first" { line = columns "," rows }
        $1 == "last" { line = "1," columns }
        $1 != "all" { print grid "," line "," bytes "," $at["communicate_us"] "," $at["low_us"] "," $at["high_us"] "," $at["flags"] }' predicted.csv
}

@test "halos on 2 x 4 and 4 x 2 are priced by how far apart neighbours are: within a tenth, and in the interval" {
    train exchange,exchange-pairs,exchange-neighbours,halos
    BED_PROGRAM=$FORECOST_BUILD/test/bed/distances "$bed" 8 0:5:200 -- 1024,8192 2x4 4x2 >truth
    for bytes in 1024 8192; do
        predicted 2 4 $bytes
        predicted 4 2 $bytes
    done >rows
    [ "$(wc -l <rows)" -eq 12 ]
    # The trainer's halos and those of the program keep step otherwise, by up to 3 %.
    awk -F, 'FNR == NR { truth[$1 FS $2 FS $3 FS $4] = $5; next }
        { t = truth[$1 FS $2 FS $3 FS $4] }
        !(t > 0) || $5 > 1.1 * t || $5 < 0.9 * t || 1.03 * t < $6 || 0.97 * t > $7 || $8 != "" { print $0, t; bad = 1 }
        END { exit bad }' truth rows
    # Neighbours in a node are three times as near as the halves of the machine.
    awk -F, '$1 == "4x2" && $2 == 1 && $4 == 1024 { near = $5 } $1 == "2x4" && $2 == 4 && $4 == 1024 { far = $5 }
        END { exit !(near > 0 && far > 2.5 * near) }' rows
}

@test "a table without distances flags halos that are not on its own grid" {
    train exchange,exchange-pairs,halo-1,halo-2
    predicted 4 2 1024 >rows
    predicted 2 4 1024 >>rows
    # Lines of 4 two apart were not measured, alone or as what 4 x 2 tells of 2 x 4.
    [ "$(grep other-distance rows | cut -d, -f1-4)" = "$(printf '4x2,2,4,1024\n2x4,0,0,1024')" ]
    estimator predict table.yaml halo.yaml -p 8 | grep -q other-distance
}

@test "distances that a run does not have are neither measured nor missing" {
    timeout 100 "$bed" 4 0:5:200 -- --suite exchange,exchange-neighbours,halos -o four.yaml --max-bytes 4k
    grep -q 'utility: exchange-neighbours' four.yaml
    [ "$(grep -c 'utility: halo-1-by' four.yaml)" -eq 0 ]
    timeout 100 "$bed" 2 0:5:200 -- --suite exchange,exchange-neighbours,halo-1,halo-1-by-2 -o two.yaml --max-bytes 4k
    [ "$(grep -c 'utility: exchange-neighbours\|utility: halo-1-by' two.yaml)" -eq 0 ]
}

@test "far processors are known where they are farther by more than their own errors, and no others" {
    far() { # far TRUTH [NOISE]
        BED_TRUTH_FAR=$1 BED_NOISE_US=${2:-0} BED_SEED=5 timeout 100 "$bed" 8 0:5:200 -- --suite distance -o far.yaml --replace --max-bytes 64
        grep -c 'utility: .*-far' far.yaml || true
    }
    # the sources' own differ by 2 to 6 %
    [ "$(far 0:5.1:200 | tail -n 1)" -eq 2 ]
    grep -q 'note: "processors 0 and 4: an empty message takes 5.1 us, to the near one 5 us"' far.yaml
    [ "$(far 0:5.23:200 0.05 | tail -n 1)" -eq 2 ]
    [ "$(far 0:5:200 | tail -n 1)" -eq 0 ]
    [ "$(far 0:5:200 0.5 | tail -n 1)" -eq 0 ]
}
