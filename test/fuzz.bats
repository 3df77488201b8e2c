#!/usr/bin/env bats
# Hostile input. The replays take the project's files, and the inputs that failed once, as they are
# and with seeded changes; what a reader must hold beyond not crashing its target checks
# (test/fuzz/*.c). Every test has its limits of time and memory from outside.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    source=$FORECOST_SOURCE
}

# replay TARGET FILE...: with the found inputs of the target.
replay() {
    local target=$1
    shift
    for file in "$source/test/fuzz/seeds/$target"* "$source/test/fuzz/found/$target"*; do
        [ ! -f "$file" ] || set -- "$@" "$file"
    done
    timeout 300 "$FORECOST_BUILD/test/fuzz/replay-$target" "$@"
}

@test "replay: machine tables" {
    replay machine "$source"/machines/*.yaml "$source"/test/bad/*.yaml
}

@test "replay: segment descriptions" {
    replay segment "$source"/samples/*/*.yaml "$source"/test/bad/redistribute*.yaml
}

@test "replay: expressions" {
    replay expression
}

@test "replay: points" {
    replay points "$source/test/golden.csv"
}

@test "replay: what other benchmarks print" {
    replay import "$source"/test/import/*.txt "$source"/test/import/*.out "$source"/test/import/*.xml
}

@test "replay: C source and side files" {
    [ -x "$FORECOST_BUILD/test/fuzz/replay-describer" ] || skip "the describer was not built"
    for file in "$source"/test/describe/*.c; do
        awk -v to="$(basename "$file" .c)" '{ text = text $0 "\n" }
            /^}/ { if (++count % 5 == 0) printf "%s", text >(to "-" count ".c"); text = "" }' "$file"
    done
    replay describer ./*.c
    for file in "$source"/test/describe/*.c; do
        sed -n 's/^ *#pragma forecost //p' "$file" >"$(basename "$file" .c).side"
    done
    replay side ./*.side
}

# The same inputs in every run, as a test has: other ones are for `make fuzz`.
@test "libFuzzer, a few seconds for every target" {
    [ -x "$FORECOST_BUILD/test/fuzz/fuzz-machine" ] || skip "clang has no libFuzzer here (libclang-rt-14-dev)"
    for target in machine points expression segment import describer side; do
        fuzzer=$FORECOST_BUILD/test/fuzz/fuzz-$target
        [ -x "$fuzzer" ] || [[ $target != describer && $target != side ]] || continue # no libclang
        seconds=3
        [ "$target" != describer ] || seconds=10
        "$source/test/fuzz/fuzz.sh" "$fuzzer" "$source" "$seconds" 1 2>log || { tail -40 log; return 1; }
    done
}


# refused EXPECTED COMMAND...: status 2 and exactly that line.
refused() {
    local expected=$1 status=0
    shift
    timeout 60 "$@" >out 2>err || status=$?
    [ "$status" -eq 2 ] || { echo "status $status"; head -3 err; return 1; }
    [ "$(cat err)" = "estimator: $expected" ] || { echo "got: $(head -c 1000 err)"; return 1; }
}

# The least of three measurements of processor time, in ms.
processor_ms() {
    local TIMEFORMAT='%U %S' least=1000000 took
    for _ in 1 2 3; do
        took=$({ time "$@" >/dev/null 2>&1 || true; } 2>&1 | awk '{ print int(1000 * ($1 + $2)) }')
        [ "$took" -ge "$least" ] || least=$took
    done
    echo "$least"
}

@test "a bomb of aliases: refused within 50 MB and 50 ms of processor time" {
    {
        echo 'a: &a [x, x, x, x, x, x, x, x, x, x]'
        previous=a
        for next in b c d e f g h i; do
            printf '%s: &%s [' "$next" "$next"
            for _ in 1 2 3 4 5 6 7 8 9; do printf '*%s, ' "$previous"; done
            echo "*$previous]"
            previous=$next
        done
    } >bomb.yaml
    refused "bomb.yaml:1:4: an anchor: write the value itself" estimator check bomb.yaml
    if nm "$FORECOST_BUILD/estimator/estimator" | grep -q __asan_init; then
        skip "a sanitizer needs address space and time of its own"
    fi
    ulimit -v 51200
    refused "bomb.yaml:1:4: an anchor: write the value itself" estimator check bomb.yaml
    [ "$(processor_ms estimator check bomb.yaml)" -lt 50 ]
}

@test "long texts, many values" {
    { printf 'forecost: 1\nmachine: {name: "'; head -c 10001 /dev/zero | tr '\0' x; echo '"}'; } >t.yaml
    refused "t.yaml:2:17: a text of more than 10000 bytes" estimator check t.yaml
    { printf 'x: ['; yes '1,' | head -n 1000000 | tr -d '\n'; echo ']'; } >t.yaml
    refused "t.yaml:1:1999995: more than 1000000 values" estimator check t.yaml
    awk 'BEGIN {
        print "forecost: 1\nmachine: {name: t}\ncommunication:"
        for (i = 1; i <= 101; i++) {
            printf "  - utility: u%d\n    regions:\n", i
            for (k = 1; k < 1000; k++)
                printf "      - {bytes_upto: %d, t0_us: %d}\n", k, k
            print "      - {t0_us: 1000}"
        }
    }' >t.yaml
    refused "t.yaml:2:10: more than 100000 regions in all utilities" estimator check t.yaml
}

# description ARRAYS CANDIDATES SEGMENTS STATEMENTS: so many of each.
description() {
    printf 'forecost-segment: 1\narrays:\n  a1: {extent: [64]}\n'
    for ((i = 2; i <= $1; i++)); do echo "  a$i: {extent: [64], align: a$((i - 1))}"; done
    echo "candidates:"
    for ((i = 1; i <= $2; i++)); do echo "  c$i: {grid: [p], distribute: {a1: [BLOCK]}}"; done
    echo "program:"
    for ((i = 1; i <= $3; i++)); do
        printf '  - segment: s%d\n    body:\n' "$i"
        for ((k = 1; k <= $4; k++)); do echo "      - {statement: t$k, writes: 'a1[0]', operations: {add: 1}}"; done
    done
}

@test "many arrays, candidates, segments, statements" {
    table=$source/machines/sp2-mpl.yaml
    description 200 1 1 1 >s.yaml
    estimator predict "$table" s.yaml -p 4
    description 201 1 1 1 >s.yaml
    refused "s.yaml:1:1: more than 200 arrays" estimator check s.yaml
    description 1 10001 1 1 >s.yaml
    refused "s.yaml:1:1: more than 10000 candidates" estimator check s.yaml
    description 1 1 1001 1 >s.yaml
    refused "s.yaml:1:1: more than 1000 segments" estimator check s.yaml
    description 1 1 1 500 >s.yaml
    estimator predict "$table" s.yaml -p 4
    description 1 1 1 501 >s.yaml
    refused "s.yaml:509:9: more than 500 statements and calls in one segment" estimator predict "$table" s.yaml -p 4
}

@test "loops and cycles without end are refused, and not begun" {
    table=$source/machines/sp2-mpl.yaml
    found=$source/test/fuzz/found/segment
    refused "$found-index-that-no-longer-grows.yaml:8:23: '1e300' is 1e+300: expected a loop within 2^53" \
        estimator predict "$table" "$found-index-that-no-longer-grows.yaml" -p 4
    refused "$found-array-of-1e300.yaml:4:16: a has more than 2^53 elements" \
        estimator predict "$table" "$found-array-of-1e300.yaml" -p 4
}

@test "what takes too many steps ends, and says so" {
    table=$source/machines/sp2-mpl.yaml
    found=$source/test/fuzz/found/segment
    nm "$FORECOST_BUILD/estimator/estimator" | grep -q __asan_init || ulimit -v 1000000
    for name in cycles-without-end strided-home loop-around-nothing; do
        status=0
        timeout 200 estimator predict "$table" "$found-$name.yaml" -p 4 >out 2>err || status=$?
        [ "$status" -eq 2 ] || { echo "$name: status $status"; return 1; }
        [ "$(wc -l <err)" -eq 1 ]
        grep -qE "too (large|often)|take more than" err
    done
    cat >bounds.yaml <<'YAML'
forecost-segment: 1
parameters: {N: 3000}
program:
  - segment: s
    body:
      - loop: {k: [0, N - 2]}
        body:
          - loop: {i: [k + 1, N - 1]}
            body:
              - loop: {j: [floor((k + i) / 2), N - 1]}
                body: [{statement: a, operations: {madd: 1}}]
YAML
    timeout 200 estimator bound "$source/machines/power2-thin.yaml" bounds.yaml >out 2>err && false
    grep -q '^estimator: bounds.yaml:10:28: loop bounds that depend on outer indices take more than' err
}

@test "changed sources, for longer than in describe.bats: described or refused, never a crash" {
    [ -x "$FORECOST_BUILD/describer/describer" ] || skip "the describer was not built"
    command -v python3 || skip "no python3"
    python3 "$source/test/describe/fuzz.py" "$FORECOST_BUILD/describer/describer" "${FUZZ_SECONDS:-20}" 8 \
        "$source"/test/describe/*.c "$source"/test/describe/bad/*.c "$source"/samples/*/*-serial.c
}
