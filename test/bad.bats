#!/usr/bin/env bats
# Bad input: one line that says where and what, exit status 2, nothing on standard output.

setup() {
    # shellcheck source=/dev/null
    source "$FORECOST_SOURCE/test/keys.bash"
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
    mapfile -t said <err
    [ "${#said[@]}" -eq 1 ] || { echo "not one line:"; cat err; return 1; }
    [ "${said[0]}" = "estimator: $expected" ] || { echo "got: ${said[0]}"; return 1; }
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

@test "every bad table in bad/ is refused at its place, with its text" {
    count=0
    terms=$(terms)
    for file in "$FORECOST_SOURCE"/test/bad/*.yaml; do
        read -r expected <"$file"
        expected=${expected#\# expect: }
        refused "$file:${expected/@terms@/"$terms"}" estimator check "$file"
        count=$((count + 1))
    done
    [ "$count" -ge 70 ]
}

@test "deep nesting, a bomb of aliases, a huge file" {
    { printf 'forecost: '; head -c 100000 /dev/zero | tr '\0' '['; } >t.yaml
    refused "t.yaml:1:74: nested deeper than 64 levels" estimator check t.yaml
    {
        echo 'a: &a [x, x, x, x, x, x, x, x, x, x]'
        for i in b c d e f g h i; do echo "$i: &$i [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]"; done
    } >t.yaml
    refused "t.yaml:1:4: an anchor: write the value itself" estimator check t.yaml
    truncate -s 65M t.yaml
    refused "t.yaml: is larger than 67108864 bytes" estimator check t.yaml
}

@test "a thousand regions of a utility are enough, and many processor counts; a range without end is looked through at once" {
    {
        printf 'forecost: 1\nmachine: {name: t}\ncommunication:\n  - utility: a\n    regions:\n'
        for i in $(seq 1001); do echo "      - {bytes_upto: $i, t0_us: $i}"; done
    } >t.yaml
    refused "t.yaml:4:5: a has more than 1000 regions" estimator check t.yaml
    {
        printf 'forecost: 1\nmachine: {name: t}\ncommunication:\n'
        for i in $(seq 1001); do echo "  - {utility: u$i, regions: [{t0_us: 1}]}"; done
    } >t.yaml
    refused "t.yaml:2:10: more than 1000 utilities" estimator check t.yaml
    # What a calibration of many processor counts writes is read: 64 of them, 40 utilities, 4 regions each.
    awk 'BEGIN { print "forecost: 1\nmachine: {name: t}\ncommunication:"
        for (u = 1; u <= 40; u++) {
            printf "  - utility: u%d\n    regions: [{t0_us: 1}]\n    by_processors:\n", u
            for (p = 2; p <= 65; p++)
                printf "      - {processors: %d, regions: [{bytes_upto: 10, t0_us: 1}, {bytes_upto: 100, t0_us: 2}, {bytes_upto: 1000, t0_us: 3}, {t0_us: 4}]}\n", p
        } }' >t.yaml
    estimator check t.yaml
    printf 'forecost: 1\nmachine: {name: t}\ncommunication:\n' >t.yaml
    echo '  - {utility: a, bytes: [0, 1e300], processors: [1, 1e300], regions: [{t0_us: 1}]}' >>t.yaml
    timeout 10 estimator check t.yaml
}

# says "TEXT" SED-EXPRESSION: the description, changed, is refused with a line that ends so, whatever
# libyaml calls it.
says() {
    sed "$2" plain.yaml >s.yaml
    timeout 10 estimator check s.yaml >out 2>err && { echo "accepted: $2"; return 1; }
    [ "$(cat out err | wc -l)" -eq 1 ] || { cat out err; return 1; }
    grep -qE '^estimator: s.yaml:[0-9]+:[0-9]+: ' err
    [[ $(<err) == *": $1" ]] || { echo "$2: $(<err)"; return 1; }
}

@test "what is not YAML, and what YAML takes for something else, says what to write" {
    cat >plain.yaml <<'END'
forecost-segment: 1
title: plain
parameters: {N: 64}
arrays:
  u: {extent: [N, N]}
candidates:
  rows: {grid: [p], distribute: {u: [BLOCK, "*"]}}
program:
  - segment: s
    body:
      - loop: {i: [1, N - 2]}
        body:
          - {statement: a, writes: "u[i][0]", reads: ["u[i-1][0]"], operations: {add: 1}}
END
    estimator check plain.yaml
    says 'quote references: "u[i-1][0]"' 's/"u\[i-1\]\[0\]"/u[i-1][0]/'
    says 'quote references: "u[i-1][0]"' 's/\["u\[i-1\]\[0\]"/["u[i][0]", u[i-1][0]/'
    says 'quote references: "u[i][0]"' 's/"u\[i\]\[0\]"/u[i][0]/'
    says 'quote references: "u[i]"' 's/plain/{"äöü", y: [u[i]]}/'
    says 'quote a * that stands for itself: "*"' 's/"\*"/*/'
    says 'quote a * that stands for itself: "*"' 's/BLOCK, "\*"/*, BLOCK/'
    says 'quote a text that has a colon and a blank in it' 's/plain/Jacobi: a study/'
    says 'quote a text that begins with @' 's/plain/@home/'
    says 'quote a text that begins with %' 's/plain/%home/'
    says 'quote a text that begins with > or |' 's/plain/> 5/'
    says 'quote what has one: "min(N, ...)"' 's/N - 2/min(N, 5)/'
    says 'quote what has one: "min(1, ...)"' 's/add: 1/add: min(1, 2)/'
    says 'text behind a closing quote: quote all of it, and a quote in it as \" in "..." or '"'' in '...'" \
        "s/plain/'it's plain'/"
    says "write \\\\ for a backslash in \"...\", or quote with '...'" 's/plain/"a\\c"/'
    says 'a quote before this one is not closed' 's/plain/"plain/'
    says 'the quote of line 13, column 55 is not closed' 's/\[0\]"\]/[0]]/'
    says 'expected a blank behind the colon, N: 64' 's/N: 64/N:64/'
    says 'expected a blank behind the colon' 's/^parameters: /parameters:/'
    says 'line 2 has no colon with a blank behind it' 's/title: /title:/'
    says 'line 6 has no colon with a blank behind it' 's/candidates:/candidates/'
    says 'the keys of a map begin in one column, and each has its colon' 's/^title/ title/'
    says 'the keys of the map that begins in line 11 begin in column 9' 's/^        body/         body/'
    says 'the hyphens of the list that begins in line 9 stand in column 3' 's/^    body/   body/'
    says 'indent with blanks, not with tabs' 's/^  u:/\tu:/'
    says 'a colon is missing before a { or [, or one of them' 's/rows:/rows/'
    says 'a comma, a colon or a quote is missing, or the ] of what begins in line 11, column 19' 's/- 2\]/- 2/'
    says 'a comma, a colon or a quote is missing, or the } of what begins in line 3, column 13' 's/64}/64/'
}

@test "what looks like a mistake in quoting and is none is taken" {
    printf 'forecost: 1\nmachine: {name: "a:b", title: f(x), source: "u[i], f(x, y"}\n' >t.yaml
    estimator check t.yaml
    printf 'forecost: 1\nmachine:\n  name: a:b\n  title: of f(x, as x[i][j] in http://x (1995\n' >t.yaml
    estimator check t.yaml
}

@test "what there is is told whole, or how much of it is left" {
    refused "--terms: 'q' is no term: expected some of $(terms)" \
        estimator learn "$sp2" --terms q
    {
        printf 'forecost: 1\nmachine: {name: t}\ncommunication:\n'
        for i in $(seq -w 100); do echo "  - {utility: utility-$i, regions: [{t0_us: 1}]}"; done
    } >t.yaml
    timeout 10 estimator cost t.yaml xyzzy 2>err && false
    [[ $(<err) =~ ^'estimator: t.yaml: no utility '\''xyzzy'\''; there are: utility-001, '.*'utility-0'(..)' ... and '([0-9]+)' more'$ ]]
    [ $((10#${BASH_REMATCH[1]} + BASH_REMATCH[2])) -eq 100 ]
}

@test "usage: unknown command, utility, format, list; too few arguments" {
    refused "unknown command 'cots': did you mean 'cost'?; see estimator --help" estimator cots
    refused "no command; see estimator --help" estimator
    refused "$sp2: no utility 'exchagne': did you mean 'exchange'?; there are: point-to-point, exchange, one-to-many, many-to-one, many-to-many, broadcast, broadcast-bc, combine, synchronization" estimator cost "$sp2" exchagne
    refused "--format is 'xml': expected text, csv or json" estimator cost "$sp2" exchange --format xml
    refused "--bytes is '1:2': a range is FIRST:LAST:xFACTOR or FIRST:LAST:+STEP" estimator cost "$sp2" exchange -n 1:2
    refused "too few arguments: expected TABLE UTILITY" estimator cost "$sp2"
    refused "n = -1, p = 2: expected n at least 0 and p a whole number from 1" estimator cost "$sp2" exchange -n -1
    refused "100000 sizes at 100000 processor counts: expected at most 2000000 together" estimator cost "$sp2" exchange -n 1:100000:+1 -p 1:100000:+1
    refused "--processors 0: expected whole numbers from 1" estimator rank "$sp2" "$jacobi" -p 0
    refused "--processors 2.5: expected whole numbers from 1" estimator cost "$sp2" exchange -n 8 -p 4,2.5
    refused "many-to-many has no finite time for 1e+308 bytes and p = 1000" estimator cost "$sp2" many-to-many -n 1e308 -p 1000
    refused "many-to-many does not scale: there is no model for 8 bytes and p = 5" estimator cost "$FORECOST_SOURCE/machines/spp1000-convexpvm.yaml" many-to-many -n 8 -p 5
}

# segment SED-EXPRESSION: the Jacobi description, changed, in s.yaml.
segment() {
    sed "$1" "$jacobi" >s.yaml
}

@test "descriptions: recurrences and misses" {
    kernel() { sed "$1" "$FORECOST_SOURCE/samples/livermore/lfk05.yaml" >s.yaml; }
    line() { grep -n recurrence s.yaml | cut -d: -f1; }
    power2=$FORECOST_SOURCE/machines/power2-thin.yaml
    kernel 's/\[add, mul\]/[add, mull]/'
    refused "s.yaml:$(line):39: 'mull' is not an operation: expected add, mul, madd, div, sqrt, load or store" estimator bound "$power2" s.yaml
    kernel 's/cycles: printed_cycles/distance: 0/'
    refused "s.yaml:$(line):55: distance is '0': expected at least 1" estimator bound "$power2" s.yaml
    kernel 's/cycles: printed_cycles/cycles: 0 - 1/'
    refused "s.yaml:$(line):53: a recurrence of -1 cycles: expected at least 0" estimator bound "$power2" s.yaml
    kernel 's/repeat: .*/misses: few/'
    refused "s.yaml:$(grep -n misses s.yaml | cut -d: -f1):13: misses is 'few': expected auto, none or {load: LINES, store: LINES}" estimator bound "$power2" s.yaml
    kernel 's/repeat: .*/repeat: 0 - 1/'
    refused "s.yaml:$(grep -n repeat: s.yaml | cut -d: -f1):13: repeated -1 times: expected at least 0" estimator bound "$power2" s.yaml
}

@test "descriptions: all segments are repeated a whole number of times, 1 to 2^53" {
    all() { # REPEAT
        printf 'forecost-segment: 1\nparameters: {T: 0.5}\nrepeat: %s\nprogram:\n' "$1" >s.yaml
        printf -- '- {segment: a, body: [call: {utility: combine, bytes: 8}]}\n' >>s.yaml
    }
    for command in predict rank bound; do
        set -- "$sp2" s.yaml -p 4
        [ $command = bound ] && set -- "$FORECOST_SOURCE/machines/power2-thin.yaml" s.yaml
        all 0
        refused "s.yaml:3:9: the segments repeated 0 times: expected 1 to 2^53" estimator $command "$@"
        all -2
        refused "s.yaml:3:9: the segments repeated -2 times: expected 1 to 2^53" estimator $command "$@"
        all 1e300
        refused "s.yaml:3:9: the segments repeated 1e+300 times: expected 1 to 2^53" estimator $command "$@"
        all '3*T'
        refused "s.yaml:3:9: '3*T' is 1.5: expected a whole number" estimator $command "$@"
        all 1/0
        refused "s.yaml:3:9: '1/0' is not a finite number (a division by zero?)" estimator $command "$@"
        all nan
        refused "s.yaml:3:9: unknown name 'nan' in 'nan'" estimator $command "$@"
        all '[1]'
        refused "s.yaml:3:9: a list: expected a single value" estimator $command "$@"
    done
    all 9007199254740992
    estimator predict "$sp2" s.yaml -p 4
}

@test "descriptions: a time beyond all numbers is refused, of a segment and of all together" {
    long() { # REPEAT: two segments
        printf 'forecost-segment: 1\nprogram:\n'
        printf -- '- {segment: %s, repeat: '"$1"', body: [call: {utility: combine, bytes: 1024}]}\n' a b
    }
    no_time="it has no finite time: repeated too often, or of too much"
    printf '%s\n' "forecost: 1" "machine: {name: slow}" communication: "  - {utility: combine, regions: [{t0_us: 1e294}]}" >slow.yaml
    for command in predict rank; do
        long 1e15 >s.yaml
        refused "s.yaml:3:3: $no_time" estimator $command slow.yaml s.yaml -p 4
        long 1e14 >s.yaml # one is below 1.8e308, two are not
        refused "s.yaml: $no_time" estimator $command slow.yaml s.yaml -p 4
    done
    long 1e308 >s.yaml
    refused "s.yaml:3:24: repeated 1e+308 times: expected at most 2^53" estimator rank "$sp2" s.yaml -p 4
}

@test "descriptions: segments are told apart by their names" {
    for second in s all; do
        printf '%s\n' "forecost-segment: 1" program: "  - segment: s" "    body: [{call: {utility: broadcast, bytes: 8}}]" \
            "  - segment: $second" "    body: [{call: {utility: broadcast, bytes: 8}}]" >two.yaml
        case $second in
        s) refused "two.yaml:5:5: a second segment 's': expected another name" estimator check two.yaml ;;
        all) refused "two.yaml:5:5: a segment 'all': all segments together are called so" estimator check two.yaml ;;
        esac
    done
}

@test "descriptions: arrays, subscripts, bounds, grids, expressions" {
    at() { grep -nF "$1" s.yaml | head -1 | cut -d: -f1; }
    segment 's/"u\[i-1\]\[j\]"/"v[i-1][j]"/'
    refused "s.yaml:$(at reads):25: unknown array 'v'" estimator predict "$sp2" s.yaml -p 4
    segment 's/"u\[i-1\]\[j\]"/"u[i*i][j]"/'
    refused "s.yaml:$(at reads):25: subscript 'i*i' is not affine in i: expected a sum of numbers times indices, or gathers for reads of other elements" estimator predict "$sp2" s.yaml -p 4
    segment 's/"u\[i-1\]\[j\]"/"u[i-2][j]"/'
    refused "s.yaml:$(at reads):25: subscript 'i-2' reaches -1: u has 0 to 1023 there" estimator predict "$sp2" s.yaml -p 4
    segment 's/"u\[i-1\]\[j\]"/"u[i-1]"/'
    refused "s.yaml:$(at reads):25: 'u[i-1]' does not have the 2 subscripts of u" estimator predict "$sp2" s.yaml -p 4
    segment 's/N: 1024/N: 1024 \/ 0/'
    refused "s.yaml:$(at parameters):17: '1024 / 0' is not a finite number (a division by zero?)" estimator predict "$sp2" s.yaml -p 4
    segment 's/\[1, N - 2\]/[1, M - 2]/'
    refused "s.yaml:$(at 'loop: {i'):23: unknown name 'M' in 'M - 2'" estimator predict "$sp2" s.yaml -p 4
    segment 's/\[1, N - 2\]/[1, cel(N \/ 2)]/'
    refused "s.yaml:$(at 'loop: {i'):23: unknown name 'cel' in 'cel(N / 2)': did you mean 'ceil'?" estimator predict "$sp2" s.yaml -p 4
    segment 's/\[1, N - 2\]/[1, min()]/'
    refused "s.yaml:$(at 'loop: {i'):23: 'min()' is not an expression: min has other arguments, at least 1" estimator predict "$sp2" s.yaml -p 4
    segment 's/\[BLOCK, "\*"\]/[BLOKC, "*"]/'
    refused "s.yaml:$(at BLOKC):38: 'BLOKC' is not a distribution: expected $(distribution_kinds) or *" estimator predict "$sp2" s.yaml -p 4
    segment 's/rows: {grid: \[p\]/rows: {grid: [3]/'
    refused "s.yaml:$(at 'rows:'):9: the grid of rows has 3 processors, the run has 4" estimator predict "$sp2" s.yaml -p 4
    segment 's/align: u/align: unew/'
    refused "s.yaml:$(at 'unew: {'):9: the alignment of unew goes round in a circle" estimator check s.yaml
    refused "-D M=1: $jacobi has no parameter of that name" estimator predict "$sp2" "$jacobi" -p 4 -D M=1
}
