#!/usr/bin/env bats
# CONTRIBUTING.md's table of "one more", done: a copy of the project gets one more of everything by the steps
# of its row (one_more/perform.sh), is built once, and is asked for each. A row of the table has a
# test here.

# Why nothing is done; empty: it is. A setup_file cannot skip.
missing() {
    if [ -n "${FORECOST_NO_BED:-}" ]; then
        echo "FORECOST_NO_BED is set"
    elif ! command -v automake >/dev/null; then
        echo "automake is not installed"
    fi
}

setup_file() {
    [ -z "$(missing)" ] || return 0
    copy=$BATS_FILE_TMPDIR/copy
    export copy PATH=$copy/estimator:$copy/trainer:$PATH
    copy_project
    (cd "$copy" && test/one_more/perform.sh)
    build >"$BATS_FILE_TMPDIR/build.log" 2>&1 || { tail -30 "$BATS_FILE_TMPDIR/build.log" >&2; false; }
}

# The sources alone: other tests write among what is built meanwhile.
copy_project() {
    mkdir "$copy"
    cd "$FORECOST_SOURCE" || return 1
    if git ls-files -z >"$BATS_FILE_TMPDIR/files" 2>/dev/null; then
        xargs -0 cp -a --parents -t "$copy" <"$BATS_FILE_TMPDIR/files"
    else
        cp -a . "$copy"
    fi
    chmod -R u+w "$copy"
}

# As the tested one is configured. Quickly: what is asked does not depend on it.
build() {
    cd "$copy" || return 1
    if [ ! -f Makefile ]; then
        [ -f configure ] || autoreconf -i || return 1
        eval "./configure $("$FORECOST_BUILD/config.status" --config)" || return 1
    fi
    local wanted=(estimator/estimator doc/man/estimator.1)
    [ ! -x "$FORECOST_BUILD/trainer/trainer" ] || wanted+=(trainer/trainer samples/hello/hello)
    [ ! -x "$FORECOST_BUILD/describer/describer" ] || wanted+=(describer/describer)
    make Makefile && make -j2 CFLAGS='-O0 -Wno-error' "${wanted[@]}"
}

setup() {
    [ -z "$(missing)" ] || skip "$(missing)"
    cd "$BATS_TEST_TMPDIR" || exit 1
    mine=$copy/machines/mine.yaml
}

need_trainer() {
    [ -x "$copy/trainer/trainer" ] || skip "the trainer was not built (--without-mpi)"
    [ "$(nproc)" -ge 2 ] || skip "fewer than 2 cores"
}

launched() { # launched ARGUMENT...: the copy's trainer on two processors
    timeout 300 "${MPIEXEC:-mpiexec}" -n 2 trainer --oversubscribe --accuracy 1 "$@"
}

answers() { # answers PATTERN COMMAND...: succeeds, and says so
    local pattern=$1
    shift
    run "$@"
    echo "$output"
    [ "$status" -eq 0 ]
    grep -qE "$pattern" <<<"$output"
}

@test "every row of the table has a test here" {
    sed -n '/^| one more /,/^$/p' "$FORECOST_SOURCE/CONTRIBUTING.md" |
        sed -nE '3,$s/^\| ([^|]*[^ |]) *\|.*/\1/p' | tr -d '`' >rows
    [ "$(wc -l <rows)" -ge 17 ]
    while read -r row; do
        grep -qF "@test \"$row:" "$FORECOST_SOURCE/test/one_more.bats" || { echo "no test of $row"; false; }
    done <rows
}

@test "communication utility: it is listed, measured and priced" {
    need_trainer
    answers '^ *scan .*MPI_Scan' trainer --list
    launched --quick --suite scan --max-bytes 1k -o scan.yaml
    answers '^scan +512 B +2 ' estimator cost scan.yaml scan -n 512 -p 2
}

@test "communication utility that no trainer measures: a table may have it" {
    answers 'gos' estimator cost "$mine" gossip -n 8 -p 8
}

@test "machine: it is installed with the others" {
    make -s -C "$copy" install-nobase_dist_pkgdataDATA DESTDIR="$PWD/there" >log 2>&1
    find there -name mine.yaml | grep -q machines/mine.yaml
    answers '^machine +mine' estimator show "$mine" -s machine
}

@test "functional unit: it limits the bound" {
    answers 'shuffler' estimator bound "$mine" "$copy/samples/hello/hello.yaml" -u
}

@test "term in p: tables may use it, learning too" {
    [ "$(estimator cost "$mine" gossip -n 8 -p 8 --format csv | sed -n 2p | cut -d, -f4)" = 240 ]
    run estimator learn "$mine" --terms q
    [[ $output == *"p*log2(p), heap(p)"* ]]
}

@test "distribution: it is derived as blocks of its size are" {
    sed 's/BLOCK/PAIRS/' "$copy/samples/hello/hello.yaml" >pairs.yaml
    sed 's/BLOCK/CYCLIC(2)/' "$copy/samples/hello/hello.yaml" >cyclic.yaml
    estimator predict "$mine" pairs.yaml -p 24 --format csv >pairs.csv
    estimator predict "$mine" cyclic.yaml -p 24 --format csv >cyclic.csv
    cmp pairs.csv cyclic.csv
    run cmp -s pairs.csv <(estimator predict "$mine" "$copy/samples/hello/hello.yaml" -p 24 --format csv)
    [ "$status" -eq 1 ]
    sed 's/PAIRS/PARIS/' pairs.yaml >paris.yaml
    run estimator predict "$mine" paris.yaml -p 4
    [[ $output == *"expected BLOCK, BLOCK(b), CYCLIC, CYCLIC(b), PAIRS, PAIRS(b) or *"* ]]
}

@test "way in which a rehearsal looks at messages: it looks at them" {
    need_trainer
    sed 's/utility: combine/utility: scan/' "$copy/samples/hello/hello.yaml" >scan.yaml
    launched --rehearse scan.yaml >times.csv
    grep -q '^add,rows,.*,right,$' times.csv
}

@test "suite measured by other means: it is listed, and measures" {
    need_trainer
    answers 'weather' trainer --list
    launched --quick --suite weather,synchronization -o weather.yaml
    grep -q 'it is for others to say' weather.yaml
}

@test "rule for tables: it refuses" {
    run estimator check "$copy/test/bad/nameless.yaml"
    [ "$status" -eq 2 ]
    [[ $output == *"nameless.yaml:$(sed -n '1s/^# expect: //p' "$copy/test/bad/nameless.yaml")" ]]
}

@test "section of show and report: it is shown, and on the page" {
    answers '^m$' estimator show "$mine" -s initials
    estimator report "$mine" -o page.html
    grep -q 'Initials' page.html
}

@test "picture: it is listed and drawn" {
    answers '^dot +a dot' estimator plot --list
    estimator plot dot "$mine" -o dot.gp
    grep -q 4711 dot.gp
}

@test "comparison: it is made" {
    answers '^initials' estimator compare "$mine" "$copy/machines/sp2-mpl.yaml"
    answers '^m$' estimator compare "$mine" "$copy/machines/sp2-mpl.yaml" -s initials
}

@test "format of other programs that is read: it is known by its content, and fitted" {
    printf '%s\n' '# heard' '8 2.5' '1024 4.5' >heard.txt
    estimator import heard.txt -o heard.yaml
    answers '^point-to-point,1024,2,4.5,' estimator cost heard.yaml point-to-point -n 1024 -f csv
}

@test "format for other programs: it is written" {
    answers '^gossip$' estimator export "$mine" --to names
}

@test "sample: it runs, is priced, and validation knows it" {
    answers '^add,' estimator predict "$mine" "$copy/samples/hello/hello.yaml" -p 4 --format csv
    [ -x "$copy/trainer/trainer" ] || skip "no MPI: the sample's program is not built"
    answers '^add,' timeout 100 "${MPIEXEC:-mpiexec}" -n 2 "$copy/samples/hello/hello" rows --check
    grep -q '^hello ' "$copy/test/validate/samples"
}

@test "directive of C files, or a word of one: it is read and written" {
    [ -x "$copy/describer/describer" ] || skip "the describer was not built"
    describe titled.c '#pragma forecost title(Sums of halves)' ''
    answers '^title: Sums of halves' estimator describe titled.c
}

@test "flag of compilers that C files need: it reaches the describer" {
    [ -x "$copy/describer/describer" ] || skip "the describer was not built"
    mkdir sizes
    echo '#define FACTOR 0.25' >sizes/sizes.h
    describe flagged.c '#include "sizes.h"' FACTOR
    printf '[{"directory": "%s", "file": "flagged.c", "arguments": ["cc", "--include-directory=sizes", "flagged.c"]}]' \
        "$PWD" >compile_commands.json
    answers 'statement' estimator describe flagged.c
}

describe() { # describe FILE LINE FACTOR: a C program with that line at its top
    cat >"$1" <<END
$2
double x[64];
int main(void)
{
#pragma forecost segment halve
    for (int i = 0; i < 64; i++)
        x[i] = ${3:-0.5} * x[i];
    return 0;
}
END
}

@test "command: it answers, and its page agrees" {
    answers '^nobody greets mine$' estimator greet "$mine"
    answers 'a friendly way' estimator --help
    FORECOST_SOURCE=$copy FORECOST_BUILD=$copy run bats -f 'commands of the estimator' "$copy/test/man.bats"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "option: it is taken, and the page has it" {
    answers '^Ann greets mine$' estimator greet "$mine" --you=Ann
    FORECOST_SOURCE=$copy FORECOST_BUILD=$copy run bats -f 'options' "$copy/test/man.bats"
    echo "$output"
    [ "$status" -eq 0 ]
}
