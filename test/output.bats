#!/usr/bin/env bats
# What the trainer writes, and what it leaves alone: nothing that somebody measured is lost, and nothing
# is replaced that is not its own.

# Why nothing can be trained; empty: it can. A setup_file cannot skip.
missing() {
    if [ ! -x "$FORECOST_BUILD/trainer/trainer" ]; then
        echo "the trainer was not built (--without-mpi)"
    elif ! command -v "${MPIEXEC:-mpiexec}" >/dev/null; then
        echo "no ${MPIEXEC:-mpiexec}"
    elif [[ ${MPIEXEC:-mpiexec} == *smpirun* ]]; then
        echo "configured for the simulated bed"
    elif [ "$(nproc)" -lt 2 ]; then
        echo "fewer than 2 cores"
    fi
}

# One table of two utilities and its points, for all tests.
setup_file() {
    [ -z "$(missing)" ] || return 0
    export ASAN_OPTIONS=detect_leaks=0 # MPICH leaks at exit
    cd "$BATS_FILE_TMPDIR" || exit 1
    train --suite exchange,synchronization -o it.yaml
}

setup() {
    [ -z "$(missing)" ] || skip "$(missing)"
    cd "$BATS_TEST_TMPDIR" || exit 1
    good
}

# train OPTION...
train() {
    timeout 60 "${MPIEXEC:-mpiexec}" -n 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --quick --max-bytes 1k --budget 20 "$@"
}

# The good table and its points, and nothing else.
good() {
    rm -rf ./*
    cp -p "$BATS_FILE_TMPDIR/it.yaml" "$BATS_FILE_TMPDIR/it.points.csv" .
    sha256sum it.yaml it.points.csv >"$BATS_FILE_TMPDIR/sums"
}

# They are as they were.
kept() {
    sha256sum --quiet -c "$BATS_FILE_TMPDIR/sums"
}

# refused TEXT OPTION...: one line with that text, status 2, and nothing measured or written.
refused() {
    local text=$1 before
    before=$(ls -lAi --time-style=full-iso)
    shift
    run train "$@"
    [ "$status" -eq 2 ] && [ "${#lines[@]}" -eq 1 ] && [[ $output == "trainer: "*"$text"* ]] &&
        [ "$(ls -lAi --time-style=full-iso)" = "$before" ] && return
    printf '%s\n' "$status" "$output" "$before" "$(ls -lAi --time-style=full-iso)"
    return 1
}

# utilities [TABLE]: one a line.
utilities() {
    sed -n 's/^  - utility: //p' "${1:-it.yaml}"
}

# in_points UTILITY: its lines.
in_points() {
    grep "^$1," it.points.csv
}

# no_file KIND AT: something of that kind stands there, and is refused.
no_file() {
    local kind=$1
    rm -rf ./*
    case $kind in
    FIFO) mkfifo "$2" ;;
    folder) mkdir "$2" ;;
    device) mknod "$2" c 1 3 2>/dev/null || return 0 ;; # root alone makes one
    link) mkfifo pipe && ln -s pipe "$2" && kind=FIFO ;;
    *) ln -s nowhere "$2" ;;
    esac
    refused "$2: is a $kind: expected a file, or none yet" --suite exchange -o it.yaml
}

@test "a target that is no file is refused before anything is measured, and stays what it is" {
    for kind in FIFO folder device "symbolic link to nothing" link; do
        no_file "$kind" it.yaml
    done
    no_file device it.points.csv
    no_file folder it.unfinished.yaml
    no_file link it.unfinished.points.csv
    no_file FIFO it.lock
}

@test "a folder that is not there or takes no file, and a name that is another file's" {
    refused "no/it.yaml: cannot be written: No such file or directory" -o no/it.yaml
    refused "it.yaml/this.yaml: cannot be written: Not a directory" -o it.yaml/this.yaml
    refused "it.points.csv: a file beside a table may have that name" -o it.points.csv
    refused "it.unfinished.yaml: a file beside a table may have that name" -o it.unfinished.yaml
    echo "a list of mine" >it.lock
    refused "it.lock: would be the table's lock, and is another file" -o it.yaml
    grep -q mine it.lock
    [ "$(id -u)" -ne 0 ] || skip "root writes everywhere"
    chmod 444 it.yaml
    refused "it.yaml: cannot be written: Permission denied" -o it.yaml
    chmod 644 it.yaml
    chmod 555 .
    refused "it.yaml: cannot be written: Permission denied" -o it.yaml
    chmod 755 .
}

@test "a symbolic link to a table is written through" {
    mkdir there
    mv it.yaml it.points.csv there
    ln -s there/it.yaml it.yaml
    ln -s there/it.points.csv it.points.csv
    train --suite exchange,synchronization --seed 7 -o it.yaml
    [ -L it.yaml ] && [ -L it.points.csv ]
    grep -q 'seed: 7' there/it.yaml
    run sha256sum --quiet -c "$BATS_FILE_TMPDIR/sums"
    [ "$(grep -c FAILED <<<"$output")" -eq 2 ]
    [ "$(ls there)" = $'it.points.csv\nit.yaml' ]
}

@test "a usage error touches no file" {
    refused "--processors: 99: expected whole numbers from 2 to 2" --processors 99 -o it.yaml
    refused "--processors: 2.5: expected whole numbers" --processors 2.5 -o it.yaml
    refused "no suite 'nosuch'" --suite nosuch -o it.yaml
    refused "--budget is 'soon'" --budget soon -o it.yaml
    refused "--min-bytes is above --max-bytes" --min-bytes 2k -o it.yaml
    refused "nothing to measure" --suite '' -o it.yaml
    refused "unexpected argument" -o it.yaml more
    refused "--add: expected neither --replace nor --launches" --add --replace -o it.yaml
    refused "--add and --replace: expected neither" --add --validate it.yaml -o it.yaml
    kept
}

@test "a table loses nothing that is not measured anew, but with --replace" {
    refused "it.yaml: has synchronization, which this run would not measure: expected --add, which keeps that, --replace" --suite exchange -o it.yaml
    sed -i 's/^    processors: \[2, 2\]/    processors: [2, 16]/; s/^  processors: 2/  processors: 16/' it.yaml
    refused "it.yaml: has synchronization up to p = 16, which this run would not measure" --suite exchange,synchronization -o it.yaml
    good
    # nor do several launches
    run "$FORECOST_BUILD/trainer/trainer" --launches 2 --suite exchange -o it.yaml
    [ "$status" -eq 2 ]
    [[ ${lines[*]} == "trainer: it.yaml: has synchronization, which this run would not measure"* ]]
    [ "$(ls)" = $'it.points.csv\nit.yaml' ]
    train --suite exchange --replace -o it.yaml
    [ "$(utilities)" = exchange ]
    run in_points synchronization
    [ "$status" -eq 1 ]
    # and again, as often as one likes
    train --suite exchange -o it.yaml
    [ "$(ls)" = $'it.points.csv\nit.yaml' ]
}

@test "what is not the trainer's own is not replaced" {
    cp "$FORECOST_SOURCE/machines/sp2-mpl.yaml" published.yaml
    refused "published.yaml: is a table that was not measured" --suite patterns -o published.yaml
    refused "published.yaml: is a table that was not measured" --suite patterns --add -o published.yaml
    cp "$FORECOST_SOURCE/samples/jacobi/jacobi.yaml" .
    refused "jacobi.yaml: is no machine table that can be read" -o jacobi.yaml
    rm it.yaml
    refused "it.points.csv: has points, whose table is gone" -o it.yaml
    echo "a table of mine" >new.points.csv
    refused "new.points.csv: has no measured points" -o new.yaml
    : >empty.yaml
    train --suite synchronization -o empty.yaml
    [ "$(utilities empty.yaml)" = synchronization ]
}

@test "--add: what is measured now takes the place of its like, and all else stays" {
    sed -n '/utility: synchronization/,/^  -\|^[a-z]/p' it.yaml >row
    in_points synchronization >points
    train --suite point-to-point,exchange --add --seed 3 -o it.yaml
    estimator check it.yaml
    [ "$(utilities | sort | tr '\n' ' ')" = "exchange point-to-point synchronization " ]
    # kept as it was, points too
    sed -n '/utility: synchronization/,/^  -\|^[a-z]/p' it.yaml | head -n "$(($(wc -l <row) - 1))" >row.now
    head -n -1 row | cmp - row.now
    in_points synchronization | cmp - points
    # of what was replaced no point is left
    grep '^exchange,' "$BATS_FILE_TMPDIR/it.points.csv" >old
    [ "$(in_points exchange | grep -cFx -f old)" -eq 0 ]
    # and it says what was added, when and how
    grep -q 'what: "point-to-point, exchange"' it.yaml
    [ "$(grep -c 'seed: 1' it.yaml)" -eq 1 ]
    [ "$(grep -c 'seed: 3' it.yaml)" -eq 1 ]
    estimator show it.yaml --section machine --format csv >shown
    grep -q '^added,"point-to-point, exchange;' shown
    # added once more: the row of before says what is left of it
    train --suite exchange --add --seed 4 -o it.yaml
    grep -q 'what: point-to-point$' it.yaml
    grep -q 'what: exchange$' it.yaml
    estimator check it.yaml
    [ "$(ls)" = $'it.points.csv\nit.yaml\nold\npoints\nrow\nrow.now\nshown' ]
}

@test "--add: to the table of this machine alone, with whole points" {
    sed -i 's/^    cpu: .*/    cpu: another/' it.yaml
    refused "it.yaml: was measured on 'another': expected the same processor" --suite point-to-point --add -o it.yaml
    good
    sed -i 's/^  processors: 2/  processors: 3/' it.yaml
    refused "it.yaml: was measured with 3 ranks: expected as many" --suite point-to-point --add -o it.yaml
    good
    printf 'exchange,2' >>it.points.csv
    refused "it.points.csv:" --suite point-to-point --add -o it.yaml
    rm it.*
    run train --suite synchronization --add -o it.yaml
    [ "$status" -eq 0 ]
    [[ $output == *"remark: it.yaml: there is no table to add to: it begins now"* ]]
    [ "$(utilities)" = synchronization ]
}

@test "a run that measured nothing writes no table, and says so" {
    run train --suite point-to-point-far --replace -o it.yaml
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "trainer: nothing was measured (point-to-point-far: no processor is clearly farther than the near one): no table is written"* ]]
    kept
    [ "$(ls)" = $'it.points.csv\nit.yaml' ]
    run train --suite point-to-point-far --add -o it.yaml
    [ "$status" -eq 1 ]
    [[ $output == *"no table is written, the one that is there stays" ]]
    kept
    run train --suite point-to-point-far -o new.yaml
    [ "$status" -eq 1 ]
    [ "$(ls)" = $'it.points.csv\nit.yaml' ]
}

@test "what a run did not come to stays in the table, and what it measured can still be put there" {
    # as if the far ones had been measured
    sed -i 's/utility: synchronization/utility: exchange-far/' it.yaml
    cp it.yaml it.before
    run train --suite exchange,exchange-far -o it.yaml
    [ "$status" -eq 1 ]
    [[ $output == *"trainer: it.yaml stays: it has exchange-far, which was not measured now; what was is in it.unfinished.yaml"* ]]
    cmp it.yaml it.before
    cmp it.points.csv "$BATS_FILE_TMPDIR/it.points.csv"
    estimator check it.unfinished.yaml
    train --suite exchange,exchange-far -o it.yaml --resume --add
    [ "$(utilities | tr '\n' ' ')" = "exchange exchange-far " ]
    grep -q 'what: exchange$' it.yaml
    [ ! -e it.unfinished.yaml ] && [ ! -e it.unfinished.points.csv ]
}

@test "--resume with nothing to resume says so, and goes on" {
    run train --suite exchange,synchronization --seed 9 -o it.yaml --resume
    [ "$status" -eq 0 ]
    [[ $output == *"trainer: remark: it.yaml: nothing to resume: a calibration begins"* ]]
    grep -q 'seed: 9' it.yaml
}

# Kills the process that is about to give a file the name that ends so.
make_killer() {
    command -v cc >/dev/null || skip "no cc"
    cat >killer.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
int rename(const char *from, const char *to)
{
    const char *at = getenv("KILLED_AT");
    int (*next)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    const char *name = strrchr(to, '/') ? strrchr(to, '/') + 1 : to;
    if (at && strcmp(name, at) == 0)
        raise(SIGKILL);
    return next(from, to);
}
END
    cc -shared -fPIC -o "$BATS_FILE_TMPDIR/killer.so" killer.c -ldl
    rm killer.c
}

@test "killed while table and points are replaced: both are the old ones, or both the new ones" {
    make_killer
    for at in it.yaml.trained it.points.csv it.yaml; do
        good
        export KILLED_AT=$at ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
        run env LD_PRELOAD="$BATS_FILE_TMPDIR/killer.so" timeout 60 "${MPIEXEC:-mpiexec}" -n 2 "$FORECOST_BUILD/trainer/trainer" \
            --no-progress --quick --max-bytes 1k --budget 20 --suite exchange,synchronization --seed 5 -o it.yaml
        unset KILLED_AT
        [ "$status" -ne 0 ]
        [ -e it.lock ] # which nobody holds
        # any run that comes as far as to look at the table brings it to its end
        run train --suite exchange -o it.yaml
        [ "$status" -eq 2 ]
        [[ $output == *"has synchronization, which this run would not measure"* ]]
        [ ! -e it.lock ]
        if [ "$at" = it.yaml.trained ]; then
            kept
            # and what was measured is not lost
            train --suite exchange,synchronization --seed 5 -o it.yaml --resume
        fi
        grep -q 'seed: 5' it.yaml
        ! cmp -s it.points.csv "$BATS_FILE_TMPDIR/it.points.csv"
        [ ! -e it.yaml.trained ]
        estimator check it.yaml
        [ "$(($(awk '/^    points:/ { sum += $2 } END { print sum }' it.yaml)))" -le "$(wc -l <it.points.csv)" ]
    done
}

@test "what the estimator writes goes through a FIFO, and leaves it one" {
    mkfifo pipe.html pipe.gp
    timeout 20 cat pipe.html >page 3>&- &
    estimator report it.yaml -o pipe.html
    wait
    grep -q '<html' page
    timeout 20 cat pipe.gp >script 3>&- &
    estimator plot exchange it.yaml -o pipe.gp
    wait
    [ -s script ]
    estimator report it.yaml -o /dev/stdout | grep -q '<html'
    [ -p pipe.html ] && [ -p pipe.gp ]
    kept
}

@test "what a suite makes of its rows is no loss where it is measured anew" {
    train --suite swap --max-bytes 8k --budget 1 -o swap.yaml
    printf 'communication:\n  - {utility: exchange-best, regions: [{t0_us: 1}]}\n' >>swap.yaml
    estimator check swap.yaml
    # One volume makes no exchange-best: the old table stays, but it is not refused before.
    run train --suite swap --max-bytes 8k --budget 1 -o swap.yaml
    [ "$status" -eq 1 ]
    [[ "$output" == *"swap             "*" protocols and ways"* ]]
}
