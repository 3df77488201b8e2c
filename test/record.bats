#!/usr/bin/env bats
# MPI programs as they are, recorded (recorder/): beside what a counter between the same programs and
# their MPI library counts (test/messages/count.c).

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    recorder=$FORECOST_BUILD/recorder/forecost-record
    counter=$FORECOST_BUILD/test/messages/count.so
    [ -f "$FORECOST_BUILD/libforecost-record.so" ] || skip "the recorder was not built"
    [ -f "$counter" ] || skip "count.so was not built"
    command -v mpicc >/dev/null || skip "no mpicc"
    command -v mpiexec >/dev/null || skip "no mpiexec"
    source=$FORECOST_SOURCE/test/record
}

# same P PROGRAM ARGUMENT...: every process sends as much, to the same ones, as is counted.
same() {
    local p=$1
    shift
    rm -f counts.* recorded.rec
    FORECOST_COUNT=$PWD/counts LD_PRELOAD=$counter timeout 120 mpiexec -n "$p" "$@"
    timeout 120 mpiexec -n "$p" "$recorder" "$@"
    estimator describe --messages "$p" recorded.rec | tail -n +2 >told
    cat counts.[0-9]* | diff - told
}

@test "record: messages of all kinds, persistent ones, communicators, derived types, collectives, as counted" {
    mpicc -w -o kinds "$source/kinds.c"
    same 2 ./kinds
    same 5 ./kinds
    # Somebody sends something, and the answers are those of the program without a recorder.
    awk -F, '$2 >= 30 && $3 > 1000 && $5 > 20 { rows++ } END { exit rows != 5 }' told
    mpiexec -n 5 ./kinds >plain
    mpiexec -n 5 "$recorder" ./kinds >recorded
    diff plain recorded
}

@test "record: a Fortran program" {
    command -v mpif90 >/dev/null || skip "no mpif90"
    mpif90 -w -o ring "$source/ring.f90"
    same 3 ./ring
    grep -q "^parameters: N=64 steps=3$" <(mpiexec -n 3 "$recorder" -D N=64 -D steps=3 ./ring >&2 && cat recorded.rec)
}

@test "record: a loop of 200000 calls takes as much memory and as large a file as one of a thousand" {
    mpicc -w -o kinds "$source/kinds.c"
    mpiexec -n 2 "$recorder" -o short.rec ./kinds 1000 >short
    mpiexec -n 2 "$recorder" -o long.rec ./kinds 200000 >long
    [ "$(wc -c <long.rec)" -lt $(($(wc -c <short.rec) + 200)) ]
    # In KiB, as the program prints it of itself.
    awk 'NR == FNR { short = $2; next } { bad = $2 > short + 5000; if (bad) print short, $2; exit bad }' \
        <(grep memory short) <(grep memory long)
}

@test "record: what is not recorded is named and counted" {
    cat >window.c <<'CODE'
#include <mpi.h>
int main(int c, char **v)
{
    double a[4] = {0};
    MPI_Win w;
    MPI_Request r;
    MPI_Init(&c, &v);
    MPI_Win_create(a, sizeof a, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    for (int i = 0; i < 3; i++) {
        MPI_Win_fence(0, w);
        MPI_Put(a, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, w);
        MPI_Win_fence(0, w);
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Win_free(&w);
    return MPI_Finalize();
}
CODE
    mpicc -o window window.c
    mpiexec -n 2 "$recorder" ./window
    [ "$(grep -c '^counted 3 MPI_Put$' recorded.rec)" -eq 2 ]
    [ "$(grep -c '^counted 6 MPI_Win_fence$' recorded.rec)" -eq 2 ]
    [ "$(grep -c '^counted 1 MPI_Ibarrier$' recorded.rec)" -eq 2 ]
}

@test "record: mistakes are told, and a damaged file is refused with its line" {
    run -2 "$recorder"
    [[ $output == *"expected a program"* ]]
    run -2 "$recorder" -D p=4 true
    [[ $output == *"'p' is no name of a parameter"* ]]
    run -2 "$recorder" -D N true
    run -2 "$recorder" ./nowhere
    [[ $output == *"there is no such program"* ]]
    mpicc -w -o kinds "$source/kinds.c"
    mpiexec -n 2 "$recorder" ./kinds
    run -2 estimator describe --messages 3 recorded.rec
    [[ $output == *"no recording is of so many processes"* ]]
    # Cut off at any line, or with a line spoilt, it is refused; the last line is "end".
    lines=$(wc -l <recorded.rec)
    for at in 2 5 9 $((lines / 2)) $((lines - 1)); do
        head -n "$at" recorded.rec >cut.rec
        run -2 estimator describe --messages 2 cut.rec
        [[ $output == *"cut.rec:$at: expected "*"the recording is damaged"* ]]
        sed "${at}s/[0-9]/x/g;${at}s/^\([a-z]*\)$/\1z/" recorded.rec >spoilt.rec
        cmp -s recorded.rec spoilt.rec || run -2 estimator describe --messages 2 spoilt.rec
    done
}
