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

# ---- descriptions ----

# recorded FILE P PARAMETERS PROGRAM ARGUMENT...
recorded() {
    local file=$1 p=$2 parameters=() parameter
    for parameter in $3; do parameters+=(-D "$parameter"); done
    shift 3
    timeout 120 mpiexec -n "$p" "$recorder" "${parameters[@]}" -o "$file" "$@" >/dev/null
}

# costs DESCRIPTION P OPTION...: what each segment communicates, in us, and all.
costs() {
    local description=$1 p=$2
    shift 2
    estimator predict ab.yaml "$description" -p "$p" "$@" --format csv | awk -F, 'NR > 1 { print $4 }'
}

ab() {
    cat >ab.yaml <<'YAML'
forecost: 4
machine: {name: ab}
communication:
  - utility: point-to-point
    regions: [{t0_us: 2, rinf_mb_per_s: 1000}]
  - utility: synchronization
    regions: [{t0_us: 5, rinf_mb_per_s: 1000}]
node: {rate_mflops: 1000}
YAML
}

@test "record: a halo on MPI's grid, sums, exchanges by doubling: laws from p <= 8 say what p = 16 and another size do" {
    ab
    mpicc -w -o halo "$source/halo.c"
    for p in 2 4 8; do recorded s$p.rec $p N=32 ./halo 32 5; done
    for p in 4 8; do recorded m$p.rec $p N=64 ./halo 64 5; done
    recorded held.rec 16 N=128 ./halo 128 5
    estimator describe s2.rec s4.rec s8.rec m4.rec m8.rec -o laws.yaml 2>told
    estimator describe held.rec -o held.yaml
    grep -q 'faces: \["8 \* N \* (1 / p1)", "8 \* N \* (1 / p0)"\]' laws.yaml
    grep -q 'stage: \[1, "log2(p)"\]' laws.yaml
    diff <(costs laws.yaml 16 -D N=128 -c recorded) <(costs held.yaml 16 -c recorded)
    # Messages of 8 x 128 / 4 bytes, two along each side; eight pairs at four distances.
    costs laws.yaml 16 -D N=128 -c recorded | awk '{ row[NR] = $1 } END { bad = row[1] - 5 * 4 * 2 * 2.256 > 1e-6; if (bad) print row[1]; exit bad }'
    # Beyond what was recorded it says so, and all grids of the processes are candidates.
    run estimator rank ab.yaml laws.yaml -p 16 -D N=128 --format csv
    [[ $output == *law-beyond* && $output == *"16 x p / 16"* && $output == *"p x 1"* ]]
}

@test "record: a wavefront of a Fortran program on its own grid, from p <= 16 to 32" {
    command -v mpif90 >/dev/null || skip "no mpif90"
    ab
    mpif90 -w -o wave "$source/wave.f90"
    for p in 2 4 8 16; do recorded s$p.rec $p N=32 ./wave 32; done
    for p in 4 8; do recorded m$p.rec $p N=64 ./wave 64; done
    recorded held.rec 32 N=96 ./wave 96
    estimator describe s2.rec s4.rec s8.rec s16.rec m4.rec m8.rec -o laws.yaml
    estimator describe held.rec -o held.yaml
    grep -q 'pipeline: "(N - 2)"' laws.yaml
    diff <(costs laws.yaml 32 -D N=96) <(costs held.yaml 32)
}

@test "record: who receives from anybody is not understood: the rest is priced, and the total is at least that" {
    ab
    mpicc -w -o farm "$source/farm.c"
    for p in 2 4; do recorded f$p.rec $p jobs=20 ./farm 20; done
    estimator describe f2.rec f4.rec -o farm.yaml 2>told
    grep -q "it receives from anybody" told
    grep -q "it receives from anybody" farm.yaml
    run estimator predict ab.yaml farm.yaml -p 4 --format csv
    [[ ${lines[${#lines[@]} - 1]} == all,4,*at-least* ]]
    # Nothing was recorded of another number of jobs: no part of it is priced.
    [ "$(costs farm.yaml 4 -D jobs=40 | tail -n 1)" = 0 ]
}

@test "record: laws that others are as near as hold no further, and what would decide is named" {
    ab
    mpicc -w -o halo "$source/halo.c"
    for p in 2 4; do recorded s$p.rec $p N=32 ./halo 32 5; done
    estimator describe s2.rec s4.rec -o tie.yaml 2>told
    grep -q "too few recordings" told
    grep -q 'only: "p <= 4' tie.yaml
    run estimator predict ab.yaml tie.yaml -p 16 -c recorded --format csv
    [[ $output == *at-least* ]]
}

@test "record: recordings that do not belong together, and too much that was not recorded, are refused" {
    mpicc -w -o halo "$source/halo.c"
    recorded a.rec 2 N=32 ./halo 32 5
    recorded b.rec 2 M=32 ./halo 32 5
    run -2 estimator describe a.rec b.rec
    [[ $output == *"expected the same parameters"* ]]
    sed 's/^counted.*//;s/^\(process 0.*\)$/\1\ncounted 900 MPI_Put/' a.rec >puts.rec
    run -2 estimator describe puts.rec
    [[ $output == *"were not recorded (MPI_Put"* ]]
}

@test "calls: along a grid as the halo of a distributed array, with indices of loops, pipelines as derived ones" {
    ab
    cat >derived.yaml <<'YAML'
forecost-segment: 1
parameters: {N: 256}
arrays: {u: {extent: [N, N]}, v: {extent: [N, N], align: u}}
candidates: {c: {grid: [4, p / 4], distribute: {u: [BLOCK, BLOCK]}}}
program:
  - segment: s
    repeat: 3
    body:
      - loop: {i: [1, N - 2]}
        body:
          - loop: {j: [1, N - 2]}
            body:
              - {statement: s, writes: "v[i][j]", reads: ["u[i-1][j]", "u[i+1][j]", "u[i][j-1]", "u[i][j+1]"]}
YAML
    cat >called.yaml <<'YAML'
forecost-segment: 1
parameters: {N: 256}
candidates: {c: {grid: [4, p / 4]}}
program:
  - segment: s
    repeat: 3
    body:
      - call: {grid: [p0, p1], faces: [8 * N / p1, 8 * N / p0]}
YAML
    for p in 16 64; do
        awk -v a="$(costs derived.yaml $p | tail -n 1)" -v b="$(costs called.yaml $p | tail -n 1)" \
            'BEGIN { bad = a <= 0 || (a - b) ^ 2 > 1e-18 * a * a; if (bad) print a, b; exit bad }'
    done
    # A triangle of calls: 3 x (2 us + bytes / 1000 a us), bytes 1000, 2000, 2000, 3000, 3000, 3000.
    cat >loops.yaml <<'YAML'
forecost-segment: 1
program:
  - segment: s
    body:
      - loop: {i: [1, 3]}
        body:
          - loop: {k: [1, i]}
            body:
              - call: {utility: point-to-point, bytes: 1000 * i, processors: 2}
YAML
    [ "$(costs loops.yaml 2 | tail -n 1)" = 26 ]
    for wrong in "{grid: [2, 2], faces: [8]}" "{utility: shift, bytes: 8, grid: [2], faces: [8]}" "{pipeline: 3, bytes: 8, utility: shift}" "{bytes: 8}"; do
        printf 'forecost-segment: 1\nprogram:\n  - segment: s\n    body:\n      - call: %s\n' "$wrong" >wrong.yaml
        run -2 estimator check wrong.yaml
        echo "$wrong: $output"
    done
}

@test "segments: a measured time on its machine, on another, and only where it is known" {
    ab
    cat >timed.yaml <<'YAML'
forecost-segment: 1
parameters: {N: 10}
program:
  - segment: own
    repeat: 2
    known: {p: [2, 8], N: [10, 20]}
    time: {us: 100 * N / p, machine: ab}
    body: []
  - segment: other
    only: p <= 4
    time: {us: 7, machine: elsewhere, mflops: 2000}
    body: []
YAML
    run estimator predict ab.yaml timed.yaml -p 4 --format csv
    [[ $output == *"own,4,500,0,500,"* && $output == *"other,4,14,0,14,"* && $output != *at-least* && $output != *law-beyond* ]]
    run estimator predict ab.yaml timed.yaml -p 16 --format csv
    [[ $output == *"own,16,125,0,125,"*law-beyond* && $output == *"other,16,0,0,0,"*at-least* ]]
    sed -i 's/, mflops: 2000//' timed.yaml
    run estimator predict ab.yaml timed.yaml -p 4 --format csv
    [[ $output == *"other,4,7,0,7,"*other-node* ]]
    run estimator predict ab.yaml timed.yaml -p 4 --format csv --communication-only
    [[ $output == *"own,4,0,0,0,"*communication-only* ]]
}
