#!/usr/bin/env bats
# Descriptions with a mistake in them: check and rank say the same of every one.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    # shellcheck source=/dev/null
    source "$FORECOST_SOURCE/test/keys.bash"
    source=$FORECOST_SOURCE
    # Whatever is derived has a price: the table is no reason to refuse anything.
    cat >all.yaml <<'EOF'
forecost: 1
machine: {name: all}
communication:
  - {utility: point-to-point, regions: [{t0_us: 10, rinf_mb_per_s: 10}]}
  - {utility: exchange, regions: [{t0_us: 20, rinf_mb_per_s: 10}]}
  - {utility: broadcast, regions: [{setup_us: {p: 10}, per_byte_us: {1: 1}}]}
  - {utility: one-to-many, regions: [{setup_us: {p: 10}, per_byte_us: {1: 1}}]}
  - {utility: many-to-one, regions: [{setup_us: {p: 10}, per_byte_us: {1: 1}}]}
  - {utility: many-to-many, regions: [{setup_us: {p: 10}, per_byte_us: {1: 1}}]}
  - {utility: all-gather, regions: [{setup_us: {p: 10}, per_byte_us: {1: 1}}]}
  - {utility: combine, regions: [{setup_us: {p: 10}, per_byte_us: {1: 1}}]}
node: {clock_mhz: 100, units: {all: {add: 1, mul: 1, madd: 1, div: 9, sqrt: 9, load: 1, store: 1}}}
memory:
  levels:
    - {level: 1, capacity_bytes: 32768, line_bytes: 64, ways: 8, replacement: lru}
    - {level: memory, load_line_cycles: 10, store_line_cycles: 20}
EOF
}

@test "check and rank agree on every one of hundreds of broken descriptions" {
    mkdir broken
    awk -v TO=broken -v EVERY=18 -v RANDOM=1 -f "$source/test/broken/mutate.awk" "$source"/samples/*/*.yaml \
        "$source"/test/fuzz/seeds/segment-*.yaml >list
    "$source/test/broken/agree.sh" all.yaml <list >said || { cat said; false; }
    tail -1 said | sed 's/^/# /' >&3
    read -r refused _ accepted _ disagreed _ < <(tail -1 said)
    [ "$disagreed" -eq 0 ] || { cat said; false; }
    [ "$((refused + accepted))" -ge 200 ]
    [ "$refused" -ge 100 ]
}

# describe: standard input as all but the first line of s.yaml.
describe() {
    { echo "forecost-segment: 1"; cat; } >s.yaml
}

# Both refuse s.yaml with that line: refused "LINE:COLUMN: TEXT" [OPTION...].
refused() {
    local expected="estimator: s.yaml:$1" command status
    shift
    for command in "check" "rank all.yaml"; do
        status=0
        # shellcheck disable=SC2086 # words
        timeout 10 estimator $command s.yaml "$@" >out 2>err || status=$?
        if [ "$status" -ne 2 ] || [ -s out ] || [ "$(cat err)" != "$expected" ]; then
            echo "$command: status $status: $(cat err)"
            return 1
        fi
    done
}

good() {
    describe <<'EOF'
parameters: {N: 64}
arrays: {u: {extent: [N, N]}}
candidates:
  rows: {grid: [p], distribute: {u: [BLOCK, "*"]}}
  blocks: {grid: [4, p / 4], distribute: {u: [BLOCK, BLOCK]}}
program:
  - segment: s
    repeat: 10
    body:
      - loop: {i: [1, N - 2]}
        body:
          - loop: {j: [1, N - 2]}
            body: [{statement: t, writes: "u[i][j]", reads: ["u[i-1][j]"], operations: {add: 1}}]
      - call: {utility: combine, bytes: 8}
EOF
}

# Of the description that is right, with one text instead of another.
spoilt() {
    good
    sed -i "s|$1|$2|" s.yaml
}

@test "check refuses what rank refuses, at its place, whichever candidate has it" {
    spoilt '\[BLOCK, BLOCK\]' '[BLOCK, BLOK]'
    refused "6:54: 'BLOK' is not a distribution: expected $(distribution_kinds) or *" -p 2,4
    spoilt '\[BLOCK, BLOCK\]' '[BLOCK, BLOCK(2.5)]'
    refused "6:54: '2.5' is 2.5: expected a whole number" -p 2,4
    spoilt '\[BLOCK, BLOCK\]' '[BLOCK, CYCLIC(K)]'
    refused "6:54: unknown name 'K' in 'K'" -p 2 # though blocks do not fit 2
    spoilt '\[BLOCK, BLOCK\]' '[BLOCK, BLOCK@2]'
    refused "6:54: grid dimension 2: the grid has 2" -p 4
    spoilt 'reads: \["u' 'reads: ["v'
    refused "14:62: unknown array 'v'" -p 4
    spoilt 'u\[i-1\]\[j\]' 'u[i-1][k]'
    refused "14:62: unknown name 'k' in 'k'" -p 4
    spoilt 'u\[i-1\]\[j\]' 'u[i*i][j]'
    refused "14:62: subscript 'i*i' is not affine in i: expected a sum of numbers times indices, or gathers for reads of other elements" -p 4
    spoilt 'u\[i-1\]\[j\]' 'u[i-2][j]'
    refused "14:62: subscript 'i-2' reaches -1: u has 0 to 63 there" -p 4
    spoilt '{i: \[1' '{i: [1 / 0'
    refused "11:20: '1 / 0' is not a finite number (a division by zero?)" -p 4
    spoilt 'add: 1}' 'add: 1}, kernel: stensil'
    refused "14:106: 'stensil' is no kind of loop: expected stencil-5, stencil-7, triad, axpy, scale, divide, add-three, hydro, difference, dot, transpose, butterfly or clear" -p 4
    spoilt 'bytes: 8' 'bytes: 4 - 12'
    refused "15:41: '4 - 12' is -8: expected 0 to 2^53" -p 4
    spoilt 'bytes: 8' 'bytes: 8, processors: 8'
    refused "15:56: '8' is 8: the run has 4 processors" -p 4
    estimator check s.yaml -p 4,8
    spoilt 'bytes: 8' 'bytes: 8, processors: 2, groups: p'
    refused "15:67: 4 groups of 2 processors: the run has 4" -p 4,16
    spoilt '- call: .*' '- branch: [{probability: 2, body: []}]'
    refused "15:32: '2' is 2: expected a probability, 0 to 1" -p 4
    spoilt 'repeat: 10' 'repeat: -1'
    refused "9:13: repeated -1 times: expected at least 0" -p 4
    spoilt 'add: 1}' 'add: 1}, strip: -2'
    refused "14:105: a strip of -2: expected at least 1, or 0 for the best" -p 4
}

@test "the same without -p, by predict and by bound" {
    spoilt '\[BLOCK, BLOCK\]' '[BLOCK, BLOK]'
    local blok="estimator: s.yaml:6:54: 'BLOK' is not a distribution: expected $(distribution_kinds) or *" command
    for command in "check" "predict all.yaml" "bound all.yaml"; do
        # shellcheck disable=SC2086 # words
        run estimator $command s.yaml
        [ "$status" -eq 2 ]
        [ "$output" = "$blok" ]
    done
}

@test "candidates that do not fit are no mistake as long as one fits" {
    good
    run estimator check s.yaml -p 2,4
    [ "$status" -eq 0 ]
    [[ "$output" != *remark:* ]]
    run estimator check s.yaml -p 6
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "estimator: remark: s.yaml:6:11: candidate blocks fits none of the processor counts: s.yaml:6:22: 'p / 4' is 1.5: expected a whole number" ]]
    sed -i '/rows:/d' s.yaml
    run estimator check s.yaml -p 6
    [ "$status" -eq 1 ]
    run estimator rank all.yaml s.yaml -p 6
    [ "$status" -eq 1 ]
    # Nobody says at how many: at some that it may be for.
    sed -i 's|\[4, p / 4\]|[5, p / 5]|' s.yaml
    estimator check s.yaml
    # Of a size that is not whole for some p alone, those p are left out.
    spoilt 'extent: \[N, N\]' 'extent: [64 * (12 / p), N]'
    estimator check s.yaml -p 2,8
    run estimator check s.yaml -p 512
    [ "$status" -eq 1 ]
}

@test "-D and the description's own sweep are tried, too" {
    good
    estimator check s.yaml -p 4 -D N=32,128
    run estimator check s.yaml -p 4 -D N=-5
    [ "$status" -eq 2 ]
    [ "$output" = "estimator: s.yaml:3:23: 'N' is -5: expected at least 1 element" ]
    run estimator check s.yaml -D M=5
    [ "$status" -eq 2 ]
    sed -i '2i sweep: {N: [64, -5]}' s.yaml
    refused "4:23: 'N' is -5: expected at least 1 element" -p 4
}

@test "p and the sizes of the grid are no names for anything else" {
    local p="'p' is the number of processors, which -p sets: expected another name"
    spoilt 'N: 64' 'N: 64, p: 4'
    refused "2:21: $p" -p 4
    spoilt 'N: 64}' 'N: 64}\nlet: {p: 4}'
    refused "3:7: $p" -p 4
    spoilt 'N: 64' 'N: 64, p1: 4'
    refused "2:21: 'p1' is the size of a grid along dimension 1: expected another name" -p 4
    spoilt 'arrays: {' 'arrays: {p: {extent: [4]}, '
    refused "3:10: $p" -p 4
    spoilt 'loop: {i:' 'loop: {p:'
    refused "11:16: $p" -p 4
    good
    for command in "check" "rank all.yaml"; do
        # shellcheck disable=SC2086 # words
        run estimator $command s.yaml -D p=8
        [ "$status" -eq 2 ]
        [ "$output" = "estimator: -D p=8: p is the number of processors: expected -p" ]
    done
}

# remarks EXPECTED: of s.yaml, whose count is in the table.
remarks() {
    estimator check s.yaml -p 4 --format csv >out 2>err
    [ "$(tail -1 out | sed 's/.*,//')" = "$(wc -l <err)" ]
    [ "$(sed 's/^estimator: remark: s.yaml://' err)" = "$1" ] || { cat err; return 1; }
}

@test "what is right and odd is remarked" {
    good
    remarks ""
    spoilt ', operations: {add: 1}' ''
    remarks "14:20: statement t has no operations: its computation costs nothing"
    spoilt 'repeat: 10' 'repeat: N / 64'
    remarks "9:13: repeat is 1: a first time is predicted, with cold caches; programs are mostly timed over several"
    spoilt 'combine, bytes' 'combin, bytes'
    remarks "15:15: utility 'combin' is none that trainer measures: did you mean 'combine'?"
    spoilt 'N: 64' 'N: 64, M: 5'
    remarks "2:24: M is never used"
    spoilt 'arrays: {' 'arrays: {v: {extent: [N]}, '
    remarks "3:13: array v is in no statement"
    spoilt '  blocks:' '  lines: {grid: [p], distribute: {u: [BLOCK, "*"]}}\n  blocks:'
    remarks "6:10: candidate lines is the same as rows"
    spoilt '  - segment: s$' '  - {segment: nothing, body: []}\n  - segment: s'
    remarks "8:5: segment nothing has neither statements nor calls: it takes no time"
}
