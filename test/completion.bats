#!/usr/bin/env bats
# Completion in bash: what it offers is what the programs take.

setup() {
    # shellcheck source=/dev/null
    source "$FORECOST_SOURCE/completion/forecost.bash"
    cd "$BATS_TEST_TMPDIR" || exit 1
    cp "$FORECOST_SOURCE"/machines/sp[12]-mpl.yaml "$FORECOST_SOURCE/samples/jacobi/jacobi.yaml" .
    cp "$FORECOST_SOURCE/samples/livermore/lfk01.yaml" .
    mkdir folder
    echo 'nothing: 1' >other.yaml
    export ASAN_OPTIONS=detect_leaks=0 # MPICH leaks at exit
}

need_trainer() {
    [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "the trainer was not built (--without-mpi)"
}

# offered LINE: what the completion offers at its end, as readline calls it: cut at blanks, = and :.
offered() {
    COMP_LINE=$1
    COMP_POINT=${#1}
    read -r -a COMP_WORDS <<<"${1//[=:]/ & }"
    [[ $1 != *' ' ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _forecost "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    echo "${COMPREPLY[*]}"
}

# offers LINE WORD...: these and no others.
offers() {
    local line=$1
    shift
    local seen
    seen=$(offered "$line")
    [ "$seen" = "$*" ] || { echo "$line: $seen"; false; }
}

commands() {
    estimator --help | sed -nE 's/^  ([a-z-]+) +.*/\1/p'
}

@test "commands are those of --help" {
    offers "estimator " "$({ commands; printf '%s\n' help --help --usage --version; } | sort | paste -sd' ')"
    offers "estimator best" best-broadcast
    offers "estimator --v" --version
    offers "estimator help " "$(commands | sort | paste -sd' ')"
    offers "estimator help ra" rank
    offers "estimator help rank "
}

@test "options of every command are those of --help" {
    for command in $(commands); do
        estimator "$command" --help >help
        for option in $(offered "estimator $command --"); do
            grep -qE -- "^ .*$option" help || { echo "$command: $option"; false; }
        done
        [ "$(wc -w <<<"$(offered "estimator $command --")")" -eq "$(grep -cE '^ .*--[a-z-]+[ =]' help)" ]
    done
    offers "estimator rank sp1-mpl.yaml jacobi.yaml --sea" --search
    offers "estimator cost --by" --bytes=
}

@test "options of the trainer are those of --help" {
    need_trainer
    trainer --help >help
    [ "$(wc -w <<<"$(offered "trainer --")")" -eq "$(grep -cE '^ +(-., )?--' help)" ]
    offers "trainer --swap-m" --swap-messages=
    offers "trainer --quick --th" --thorough
}

@test "tables where tables stand, descriptions where descriptions stand, and folders" {
    offers "estimator show " folder sp1-mpl.yaml sp2-mpl.yaml
    offers "estimator cost sp2" sp2-mpl.yaml
    offers "estimator bound sp2-mpl.yaml " folder jacobi.yaml lfk01.yaml
    offers "estimator rank sp1-mpl.yaml " folder jacobi.yaml lfk01.yaml sp1-mpl.yaml sp2-mpl.yaml
    offers "estimator rank sp1-mpl.yaml sp2-mpl.yaml j" jacobi.yaml
    offers "estimator show sp1-mpl.yaml "
    mv sp1-mpl.yaml folder
    offers "estimator show folder/" folder/sp1-mpl.yaml
}

@test "C files where descriptions stand, and more of them behind one; their candidates and parameters" {
    touch folder/solver.c main.c other.c main.h
    touch heat.rec
    offers "estimator describe " folder heat.rec main.c other.c
    rm heat.rec
    offers "estimator predict sp2-mpl.yaml m" main.c
    offers "estimator predict sp2-mpl.yaml main.c " folder main.c other.c
    offers "estimator score sp2-mpl.yaml main.c other.c --side=main." main.c main.h
    touch times.csv
    offers "estimator score sp2-mpl.yaml main.c other.c t" times.csv
    offers "estimator cost main"
    printf '#!/bin/sh\ncat <<Y\nforecost-segment: 1\nparameters: {n: 1, m: 2}\ncandidates:\n  a: {grid: [p], distribute: {}}\nprogram: [{segment: s, body: []}]\nY\n' >describer
    chmod +x describer
    export FORECOST_DESCRIBER=$PWD/describer
    offers "estimator predict sp2-mpl.yaml main.c -c " a
    offers "estimator predict sp2-mpl.yaml main.c -D " m= n=
}

@test "options and their values are no arguments" {
    offers "estimator bound -D n=10 --format csv sp2-mpl.yaml l" lfk01.yaml
    offers "estimator bound --define=n=10 -u l"
    offers "estimator bound --define=n=10 -u s" sp1-mpl.yaml sp2-mpl.yaml
}

@test "utilities are those of the table" {
    for table in sp1-mpl sp2-mpl; do
        [ "$(offered "estimator cost $table.yaml " | tr ' ' '\n')" = \
            "$(sed -nE 's/^ *- utility: ([A-Za-z-]+).*/\1/p' $table.yaml | sort)" ]
    done
    offers "estimator cost sp2-mpl.yaml ex" exchange
    rm sp2-mpl.yaml # of all tables here, where none is told
    offers "estimator plot over" overhead overlap overlap-loop
    offers "estimator plot comb" combine
    offers "estimator plot rate:comb" combine
    offers "estimator plot distance:" rate
    offers "estimator plot rate:combine sp" sp1-mpl.yaml
}

# rows FILE TABLE: the first texts in the rows of a table of the source.
rows() {
    awk -v table="$2" 'index($0, table "[] = {") || $0 ~ "} " table "\\[\\] = {" { on = 1 } /^};/ { on = 0 }
        on && match($0, /^ *\{"[a-z_]+"/) { sub(/^ *\{"/, ""); sub(/".*/, ""); print }' "$FORECOST_SOURCE/estimator/$1"
}

# offers_all LINE WORD...: at least these.
offers_all() {
    local line=$1 word
    offered "$line" | tr ' ' '\n' >seen
    shift
    [ $# -ge 5 ]
    for word; do
        grep -qxE "$word(:.*)?" seen || { echo "$line: $word is not offered"; false; }
    done
}

@test "every section and every kind of picture is offered, and what is offered can be had" {
    mapfile -t sections < <(rows sections/sections.c sections)
    offers_all "estimator show sp2-mpl.yaml --section=" "${sections[@]}" exchange
    while read -r section; do
        estimator show sp2-mpl.yaml --section="$section" >/dev/null
    done <seen
    mapfile -t sections < <(rows comparison/comparison.c comparison_sections)
    offers_all "estimator compare sp1-mpl.yaml sp2-mpl.yaml -s " "${sections[@]}" broadcast
    while read -r section; do
        estimator compare sp2-mpl.yaml sp2-mpl.yaml --section="$section" >/dev/null 2>err ||
            grep -q 'in common' err
    done <seen
    mapfile -t kinds < <(rows pictures/pictures.c kinds)
    offers_all "estimator plot " "${kinds[@]}" exchange
    while read -r kind; do
        [[ $kind != *: ]] || kind+=1024
        estimator plot "$kind" sp2-mpl.yaml >/dev/null 2>err || grep -qE 'the table has no|no points' err ||
            { echo "plot $kind: $(<err)"; false; }
    done <seen
}

@test "values: formats, conventions, candidates, parameters" {
    for format in $(offered "estimator cost --format "); do
        estimator cost sp2-mpl.yaml exchange -n 8 --format "$format" >/dev/null
    done
    for convention in $(offered "estimator bound -C "); do
        estimator bound sp2-mpl.yaml lfk01.yaml --convention "$convention" >/dev/null
    done
    for format in $(offered "estimator export -T "); do
        estimator export sp2-mpl.yaml --to "$format" >/dev/null || [ "$format" != csv ]
    done
    offers "estimator cost --format=c" csv
    offers "estimator predict sp2-mpl.yaml jacobi.yaml -c " blocks columns rows
    offers "estimator predict sp2-mpl.yaml jacobi.yaml --candidate=b" blocks
    offers "estimator predict sp2-mpl.yaml jacobi.yaml -D " N= sweeps=
    offers "estimator predict sp2-mpl.yaml jacobi.yaml -D N="
    printf 'forecost-segment: 1\ncandidates: {a: {grid: [p], distribute: {u: [BLOCK]}}, b: {grid: [p]}}\n' >flow.yaml
    offers "estimator predict sp2-mpl.yaml flow.yaml -c " a b
}

@test "every utility of the trainer is that of its row in the catalogue" {
    need_trainer
    [ "$(trainer --list | sed -nE 's/^  ([^ ]+) .*/\1/p' | sort)" = \
        "$(sed -nE 's/^MEASURED\([^ ]+ "([^"]+)".*/\1/p; s/^HALO_BY\(([0-9]+)\)/halo-1-by-\1/p' "$FORECOST_SOURCE/model/cost/patterns.h" | sort)" ]
}

@test "suites and utilities of the trainer are those of --list" {
    need_trainer
    offers "trainer --suite=" "$(trainer --list | sed -E 's/^suite ([^:]*):.*/\1/; s/^  ([^ ]+) .*/\1/' | sort -u | paste -sd' ')"
    offers "trainer --suite=patterns,vSRSR-" patterns,vSRSR-packed patterns,vSRSR-vector
    offers "trainer --validate=sp1" sp1-mpl.yaml
}

@test "a rehearsal: its description, and the candidates and parameters of that; a score: its times" {
    need_trainer
    offers "trainer --rehearse=j" jacobi.yaml
    offers "trainer --rehearse=jacobi.yaml --candidate=b" blocks
    offers "trainer --rehearse jacobi.yaml -D " N= sweeps=
    touch times.csv
    offers "estimator score sp2-mpl.yaml jacobi.yaml " folder times.csv
    offers "estimator score sp2-mpl.yaml jacobi.yaml times.csv --section=" ranking times
}

@test "nothing is offered, and nothing said, where there is nothing to complete" {
    offers "estimator nonsense "
    offers "estimator nonsense --f"
    offers "estimator cost nowhere.yaml "
    offers "estimator cost sp2-mpl.yaml exchange -n "
    offers "./no-program "
}

@test "a program of another name is asked itself" {
    ln -s "$(command -v estimator)" my-estimator
    offers "./my-estimator sho" show
    offers "./my-estimator cost sp2-mpl.yaml comb" combine
}
