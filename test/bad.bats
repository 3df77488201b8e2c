#!/usr/bin/env bats
# Bad input: one line that says where and what, exit status 2, nothing on standard output.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    jacobi=$FORECOST_SOURCE/samples/jacobi/jacobi.yaml
    sp2=$FORECOST_SOURCE/machines/sp2-mpl.yaml
}

# refused "TEXT" COMMAND...: fails as bad input does, with exactly that line.
refused() {
    local expected=$1
    shift
    timeout 10 "$@" >out 2>err && { echo "accepted"; return 1; }
    local status=$?
    [ "$status" -eq 2 ] || { echo "status $status"; cat err; return 1; }
    [ ! -s out ] || { echo "wrote to standard output"; return 1; }
    [ "$(wc -l <err)" -eq 1 ] || { echo "not one line:"; cat err; return 1; }
    [ "$(cat err)" = "estimator: $expected" ] || { echo "got: $(cat err)"; return 1; }
}

# table: standard input, as the only utility of a table in t.yaml.
table() {
    printf 'forecost: 1\nmachine: {name: t}\ncommunication:\n' >t.yaml
    cat >>t.yaml
}

@test "a file that is not there, a directory, an empty file" {
    refused "none.yaml: cannot be read: No such file or directory" estimator check none.yaml
    refused ".: cannot be read: Is a directory" estimator check .
    : >t.yaml
    refused "t.yaml:1:1: empty: expected a map of keys" estimator check t.yaml
}

@test "binary" {
    printf '\xff\xfe\x00\x01\x02' >t.yaml
    timeout 10 estimator check t.yaml 2>err && false
    [ "$(wc -l <err)" -eq 1 ]
    head -c 100000 /dev/urandom >t.yaml
    run timeout 10 estimator check t.yaml
    [ "$status" -eq 2 ]
}

@test "every truncation of a good table is refused or is a good table" {
    size=$(wc -c <"$sp2")
    for cut in $(seq 1 97 "$size"); do
        head -c "$cut" "$sp2" >t.yaml
        run timeout 10 estimator check t.yaml
        [ "$status" -eq 0 ] || [ "$status" -eq 2 ]
    done
}

@test "keys: unknown, twice, missing" {
    table <<<'  - {utility: a, regoins: []}'
    refused "t.yaml:4:18: unknown key 'regoins' in a utility: did you mean 'regions'?" estimator check t.yaml
    table <<<'  - {utility: a, regions: [{t0_us: 1, t0_us: 2}]}'
    refused "t.yaml:4:39: key 't0_us' a second time: first in line 4" estimator check t.yaml
    table <<<'  - {utility: a}'
    refused "t.yaml:4:5: key 'regions' is missing in a utility" estimator check t.yaml
    printf 'machine: {name: t}\n' >t.yaml
    refused "t.yaml:1:1: not a machine table: expected 'forecost: 1' first" estimator check t.yaml
}

@test "numbers: rubbish behind, nan, infinity, hexadecimal, words, out of range" {
    for number in 4x7 nan inf -inf 0x10 '"1 2"' '""' 1e999 one; do
        table <<<"  - {utility: a, regions: [{t0_us: $number}]}"
        plain=${number//\"/}
        refused "t.yaml:4:36: '$plain' is not a number" estimator check t.yaml
    done
    table <<<'  - {utility: a, regions: [{t0_us: 1, rinf_mb_per_s: 0}]}'
    refused "t.yaml:4:54: rinf_mb_per_s is '0': expected above 0" estimator check t.yaml
    table <<<'  - {utility: a, regions: [{bytes_upto: 1.5, t0_us: 1}, {t0_us: 1}]}'
    refused "t.yaml:4:41: bytes_upto is '1.5': expected a whole number" estimator check t.yaml
    table <<<'  - {utility: a, regions: [{setup_us: {p: 1/0}}]}'
    refused "t.yaml:4:43: '1/0' is not a coefficient: expected a number or a quotient of two" estimator check t.yaml
}

@test "kinds and choices" {
    table <<<'  - {utility: a, regions: {}}'
    refused "t.yaml:4:27: a map: expected a list" estimator check t.yaml
    table <<<'  - {utility: [a], regions: []}'
    refused "t.yaml:4:15: a list: expected a single value" estimator check t.yaml
    table <<<'  - {utility: a, statistic: best, regions: [{t0_us: 1}]}'
    refused "t.yaml:4:29: statistic is 'best': expected one of unknown, minimum, mean, median" estimator check t.yaml
    table <<<'  - {utility: a, regions: [{setup_us: {q: 1}}]}'
    refused "t.yaml:4:40: 'q' is not a term: expected 1, p, p-1, p-2, p^2, p^3, sqrt(p), log2(p), D, D^2, sqrt(D) or ceil(log2(p))" estimator check t.yaml
    printf 'forecost: 2\nmachine: {name: t}\n' >t.yaml
    refused "t.yaml:1:11: version '2' of the format: this program reads version 1" estimator check t.yaml
}

@test "rules: regions missing, without a cost, out of order, bounded at the end, twice" {
    table <<<'  - {utility: a, regions: []}'
    refused "t.yaml:4:5: a has no region" estimator check t.yaml
    table <<<'  - {utility: a, regions: [{bytes_upto: 5}]}'
    refused "t.yaml:4:28: a region without a cost: expected t0_us, rinf_mb_per_s, setup_us, per_byte_us or unscalable" estimator check t.yaml
    table <<<'  - {utility: a, regions: [{bytes_upto: 5, t0_us: 1}, {bytes_upto: 4, t0_us: 1}, {t0_us: 2}]}'
    refused "t.yaml:4:55: region 2 of a is never reached: those before it take all its messages; expected bytes_upto to ascend" estimator check t.yaml
    table <<<'  - {utility: a, regions: [{bytes_upto: 5, t0_us: 1}]}'
    refused "t.yaml:4:28: the last region of a has a bound: expected one that holds for all that is left (unscalable: true, if there is no model)" estimator check t.yaml
    table <<<$'  - {utility: a, regions: [{t0_us: 1}]}\n  - {utility: a, regions: [{t0_us: 1}]}'
    refused "t.yaml:5:5: utility 'a' a second time" estimator check t.yaml
    table <<<'  - {utility: a, regions: [{t0_us: 1, setup_us: {p: 1}}]}'
    refused "t.yaml:4:49: the same cost as t0_us: expected one of the two" estimator check t.yaml
}

@test "nesting, aliases, anchors, a second document" {
    { printf 'forecost: '; head -c 100000 /dev/zero | tr '\0' '['; } >t.yaml
    refused "t.yaml:1:74: nested deeper than 64 levels" estimator check t.yaml
    printf 'a: &x [1]\nb: *x\n' >t.yaml
    refused "t.yaml:1:4: an anchor: write the value itself" estimator check t.yaml
    printf 'forecost: 1\n---\nforecost: 1\n' >t.yaml
    refused "t.yaml:2:1: a second document: expected one in a file" estimator check t.yaml
}

@test "usage: unknown command, utility, format, list; too few arguments" {
    refused "unknown command 'cots': did you mean 'cost'?; see estimator --help" estimator cots
    refused "no command; see estimator --help" estimator
    refused "$sp2: no utility 'exchagne': did you mean 'exchange'?; there are: point-to-point, exchange, one-to-many, many-to-one, many-to-many, broadcast, combine, synchronization" estimator cost "$sp2" exchagne
    refused "--format is 'xml': expected text, csv or json" estimator cost "$sp2" exchange --format xml
    refused "--bytes is '1:2': a range is FIRST:LAST:xFACTOR or FIRST:LAST:+STEP" estimator cost "$sp2" exchange -n 1:2
    refused "too few arguments: expected TABLE UTILITY" estimator cost "$sp2"
    refused "n = -1, p = 2: expected n at least 0 and p a whole number from 1" estimator cost "$sp2" exchange -n -1
    refused "many-to-many does not scale: there is no model for 8 bytes and p = 5" estimator cost "$FORECOST_SOURCE/machines/spp1000-convexpvm.yaml" many-to-many -n 8 -p 5
}

# segment SED-EXPRESSION: the Jacobi description, changed, in s.yaml.
segment() {
    sed "$1" "$jacobi" >s.yaml
}

@test "descriptions: arrays, subscripts, bounds, grids, expressions" {
    at() { grep -nF "$1" s.yaml | head -1 | cut -d: -f1; }
    segment 's/"u\[i-1\]\[j\]"/"v[i-1][j]"/'
    refused "s.yaml:$(at reads):25: unknown array 'v'" estimator predict "$sp2" s.yaml -p 4
    segment 's/"u\[i-1\]\[j\]"/"u[i*i][j]"/'
    refused "s.yaml:$(at reads):25: subscript 'i*i' is not affine in i" estimator predict "$sp2" s.yaml -p 4
    segment 's/"u\[i-1\]\[j\]"/"u[i-2][j]"/'
    refused "s.yaml:$(at reads):25: subscript 'i-2' reaches -1: u has 0 to 1023 there" estimator predict "$sp2" s.yaml -p 4
    segment 's/"u\[i-1\]\[j\]"/"u[i-1]"/'
    refused "s.yaml:$(at reads):25: 'u[i-1]' does not have the 2 subscripts of u" estimator predict "$sp2" s.yaml -p 4
    segment 's/N: 1024/N: 1024 \/ 0/'
    refused "s.yaml:$(at parameters):17: '1024 / 0' is not a finite number (a division by zero?)" estimator predict "$sp2" s.yaml -p 4
    segment 's/\[1, N - 2\]/[1, M - 2]/'
    refused "s.yaml:$(at 'loop: {i'):23: unknown name 'M' in 'M - 2'" estimator predict "$sp2" s.yaml -p 4
    segment 's/\[BLOCK, "\*"\]/[BLOKC, "*"]/'
    refused "s.yaml:$(at BLOKC):38: 'BLOKC' is not a distribution: expected BLOCK, BLOCK(b), CYCLIC, CYCLIC(b) or *" estimator predict "$sp2" s.yaml -p 4
    segment 's/rows: {grid: \[p\]/rows: {grid: [3]/'
    refused "s.yaml:$(at 'rows:'):9: the grid of rows has 3 processors, the run has 4" estimator predict "$sp2" s.yaml -p 4
    segment 's/align: u/align: unew/'
    refused "s.yaml:$(at 'unew: {'):9: the alignment of unew goes round in a circle" estimator check s.yaml
    refused "-D M=1: $jacobi has no parameter of that name" estimator predict "$sp2" "$jacobi" -p 4 -D M=1
}
