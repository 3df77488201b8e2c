#!/usr/bin/env bats
# Descriptions from C source. They need libclang; without it they are skipped.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    source=$FORECOST_SOURCE
    describer=$FORECOST_BUILD/describer/describer
    [ -x "$describer" ] || skip "no libclang (libclang-19-dev)"
}

# by_hand FILE [SEGMENT...]: a description in which arrays of several dimensions have the order of C,
# without some segments.
by_hand() {
    local file=$1
    shift
    awk -v without=" $* " '
        /^  - segment:/ { name = $3; out = index(without, " " name " ") }
        !out' "$file" |
        sed -E '/order:/!s/^( +[a-z_]+: \{extent: \[[^]]*,[^]]*\])/\1, order: C/'
}

# equal SAMPLE HAND [SEGMENT...]: what is predicted of the source and of the description by hand is
# the same in all digits, on two machines.
equal() {
    local serial=$source/samples/$1-serial.c hand=$source/samples/$2.yaml
    shift 2
    "$describer" "$serial" >described.yaml
    by_hand "$hand" "$@" >hand.yaml
    sed -E 's/t0_us: ([0-9])/t0_us: 1\1/' "$source/machines/sp2-mpl.yaml" >slower.yaml
    for table in "$source/machines/sp2-mpl.yaml" slower.yaml; do
        for file in described hand; do
            estimator rank "$table" $file.yaml -p 1,2,4,16,64 --format csv >$file.csv
        done
        [ "$(wc -l <hand.csv)" -gt 4 ]
        diff described.csv hand.csv
    done
}

@test "sources of the samples are predicted as their descriptions by hand" {
    equal jacobi/jacobi jacobi/jacobi
    equal heat/heat heat/heat
    equal adi/adi adi/adi
    equal lu/lu lu/lu
    equal matvec/matvec matvec/matvec
    equal summa/summa summa/summa panels
    equal cg/cg cg/cg
    equal sweep/sweep sweep/sweep
    equal fft/fft fft/fft transform
}

# What one iteration of P1 has assigned, its second statement does not load again, unlike by hand.
@test "the transpose's joined loops, but for the first way" {
    sed '/segment P1/,/^        }$/d' "$source/samples/transpose/three-ways-serial.c" >serial.c
    "$describer" serial.c >described.yaml
    by_hand "$source/samples/transpose/three-ways.yaml" P1 >hand.yaml
    for file in described hand; do
        estimator rank "$source/machines/sp2-mpl.yaml" $file.yaml -p 1,4,16 --format csv >$file.csv
    done
    diff described.csv hand.csv
}

# Table 5.2 has 2 loads for kernel 2, each iteration of which loads 4 elements that no other one does.
@test "Livermore kernels 1 to 12: the counts of table 5.2, but for the loads of kernel 2" {
    "$describer" --side "$source/samples/livermore/kernels.forecost" "$source/samples/livermore/kernels.c" \
        -- -I "$source" >described.yaml
    awk '/- segment:/ { name = substr($3, 4) + 0; is_first = 1 }
         is_first && /operations:/ {
             is_first = 0
             text = $0; sub(/.*operations: \{/, "", text); sub(/\}.*/, "", text)
             split("", count)
             fields = split(text, each, ", ")
             for (i = 1; i <= fields; i++) { split(each[i], pair, ": "); count[pair[1]] = pair[2] }
             printf "%d,%d,%d,%d,%d,%d\n", name, count["mul"], count["add"], count["madd"], count["store"], count["load"]
         }' described.yaml >counts
    tail -n +2 "$source/test/table-5-2.csv" | cut -d, -f1-6 >printed
    [ "$(wc -l <printed)" -eq 12 ]
    sed 's/^2,0,0,2,1,2$/2,0,0,2,1,4/' printed | diff counts -
}

@test "what cannot be described is refused in one line, with its place and what to write instead" {
    count=0
    for file in "$source"/test/describe/bad/*.c; do
        expected=$(sed -n '1s|^/\* \(.*\) \*/$|\1|p' "$file")
        run --separate-stderr "$describer" "$file"
        echo "$file: $stderr"
        if [[ "$stderr" = *"'mpi.h' file not found"* ]]; then continue; fi
        [ "$status" -eq 2 ]
        [ -z "$output" ]
        [ "$(wc -l <<<"$stderr")" -eq 1 ]
        [[ "$stderr" = "$file:${expected%%: *}: "*"${expected#*: }"* ]]
        count=$((count + 1))
    done
    [ "$count" -ge 28 ]
}

@test "the loops of the trainer itself have the operations that their source has" {
    # Complex numbers are not counted; a loop's row: {"NAME", FUNCTION, ITERATIONS, {ADD, MUL, ...}}.
    loops=$source/trainer/node/compiled_loops
    cat "$loops.h" "$loops.c" | sed '/^#include "/d; /^static void butterfly/,/^}/d; /^\/\* Of loops, essential/,$d' >loops.c
    estimator describe -D side=28 -D length=560 -D depth=8 -D breadth=32 loops.c |
        awk '/- segment:/ { name = $3 }
             match($0, /operations: {[^}]*}/) {
                 line = substr($0, RSTART + 13, RLENGTH - 14)
                 count = split("add mul madd div sqrt load store", operations, " ")
                 printf "%s", name
                 for (i = 1; i <= count; i++)
                     printf " %d", match(line, "(^|[ ,])" operations[i] ": [0-9]+") ? substr(line, RSTART + RLENGTH - 1) : 0
                 print ""
             }' | grep -v ^chain_ | sort >counted
    sed -nE 's/^        \{"[a-z0-9-]+", +([a-z_]+), .*\{([0-9, ]+)\}\},$/\1 \2/p' "$loops.c" | tr -d , |
        grep -v ^butterfly | sort >said
    [ "$(wc -l <said)" -ge 11 ]
    diff said counted
}

@test "a loop of zeros is one of its own kind; what is added to a product waits for no product" {
    cat >some.c <<'END'
enum { N = 1000, M = 100 };
double a[N], b[N][M], c[N];
void kinds(double one)
{
#pragma forecost segment zeros
    for (int i = 0; i < N; i++)
        a[i] = 0.0;
#pragma forecost segment ones
    for (int i = 0; i < N; i++)
        a[i] = one;
#pragma forecost segment columns
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++)
            b[i][j] = 0.0;
#pragma forecost segment before
    for (int i = 0; i < N; i++) {
        c[i] = 0.0;
        for (int j = 0; j < M; j++)
            c[i] += b[i][j];
    }
#pragma forecost segment filter
    for (int i = 2; i < N; i++)
        a[i] = 0.1 * c[i] + 0.2 * a[i - 1] + 0.3 * a[i - 2];
}
END
    "$describer" some.c >some.yaml
    kernel() { awk -v name="$1" '/- segment:/ { this = $3 } this == name && /kernel: clear/ { print "clear" }' some.yaml; }
    [ "$(kernel zeros)" = clear ]
    [ -z "$(kernel ones)" ]
    [ -z "$(kernel columns)" ]
    [ -z "$(kernel before)" ]
    grep -q 'recurrence: \[mul, add, add\]' some.yaml
}

@test "an index array with gather, both ways of an if, a condition on indices" {
    cat >some.c <<'END'
enum { N = 1000 };
double v[N], w[N], a[N][8], b[N];
int column[N][8];
void multiply(double limit)
{
#pragma forecost segment gathered
#pragma forecost gather(v: reach(64))
    for (int i = 0; i < N; i++) {
        double row = 0;
        for (int k = 0; k < 8; k++)
            row += a[i][k] * v[column[i][k]];
        w[i] = row;
    }
#pragma forecost segment ways
    for (int i = 0; i < N; i++)
#pragma forecost probability(0.25)
        if (w[i] > limit)
            b[i] = 2 * w[i];
        else
            b[i] = w[i] + 1;
#pragma forecost segment border
    for (int i = 0; i < N; i++) {
        if (i > 0)
            b[i] = w[i - 1];
        if (i == N - 1)
            b[i] = 0;
    }
}
END
    "$describer" some.c >some.yaml
    cat some.yaml
    grep -q 'gathers: \[{array: v, reach: 64, loads: 8}\], operations: {mul: 1, madd: 7, load: 24, store: 1}' some.yaml
    [ "$(grep 'probability:' some.yaml | tr -d ' \n')" = "-probability:0.25-probability:0.75" ]
    grep -q 'home: "w\[i\]", reads: \["w\[i\]"\], operations: {add: 1, load: 1}' some.yaml
    [ "$(sed -n '/segment: border/,$p' some.yaml | grep -c 'loop:')" -eq 2 ]
    sed 's/gathers: [^]]*\], //' some.yaml >plain.yaml
    estimator bound "$source/machines/sp2-mpl.yaml" plain.yaml
}

@test "a size is a parameter, however the source says it" {
    for how in '#define N 500' 'enum { N = 500 };' 'static const int N = 500;' \
        '#define N (SIZE)
#define SIZE 500'; do
        printf '%s\nvoid f(double *x)\n{\n    for (int i = 0; i < N; i++)\n        x[i] = 1;\n}\n' "$how" >size.c
        "$describer" size.c >size.yaml
        grep -qE '^parameters: \{(N|SIZE): 500\}$' size.yaml
    done
    printf 'void f(int N, double *x)\n{\n    for (int i = 0; i < N; i++)\n        x[i] = 1;\n}\n' >size.c
    "$describer" -D N=500 size.c | grep -q '^parameters: {N: 500}$'
    run "$describer" size.c -- -DN=500
    [ "$status" -eq 2 ]
    run "$describer" -D N=500 -D M=7 size.c
    [ "$status" -eq 2 ]
    [[ "$output" = *"no parameter of that name" ]]
    printf 'void f(double *x)\n{\n    for (int i = 0; i < N; i++)\n        x[i] = 1;\n}\n' >size.c
    "$describer" size.c -- -DN=500 | grep -q '^parameters: {N: 500}$'
}

@test "a number that is told by its address is a parameter, unless its function does more with it" {
    cat >by_address.c <<'C'
void scale_(const int *first, int *last, double *x)
{
    int from = *first;
    for (int i = from; i <= *last; i++)
        x[i] = 2.0 * x[i];
}
C
    run estimator describe by_address.c
    [ "$status" -eq 2 ]
    [ "$output" = "by_address.c:1:24: first has no value; last has no value (by_address.c:1): give them with -D first=1000 -D last=1000, or #pragma forecost parameters(first = 1000, last = 1000)" ]
    run estimator describe by_address.c -D first=0 -D last=99,9
    [ "$status" -eq 2 ]
    [ "$output" = "estimator: -D last=99,9: not a number" ]
    estimator describe by_address.c -D first=1 -D last=99 >described.yaml
    grep -q 'loop: {i: \[first, last\]}' described.yaml
    for also in '*last = 7;' 'last++;' '(*last)++;' 'last[1] = 7;'; do
        # Before the number is read, and behind.
        for where in 's/int from/ALSO &/' 's/^}/    ALSO }/'; do
            sed "${where/ALSO/$also}" by_address.c >more.c
            run estimator describe more.c -D first=1 -D last=99
            [ "$status" -eq 2 ]
            [[ "$output" == "more.c:"*"cannot determine the end of the loop"* ]]
        done
    done
}

@test "places of statements, and of reads that stand elsewhere, if they are asked for" {
    printf '%s\n' 'double f(const double *x, int i)' '{' '    return x[i] + x[i + 1];' '}' \
        'void g(double *x, double *y)' '{' '    for (int i = 0; i < 100; i++)' '        y[i] = f(x, i);' '}' >places.c
    "$describer" places.c >without.yaml
    run grep -c 'at:' without.yaml
    [ "$output" -eq 0 ]
    "$describer" --places places.c |
        grep -q 'at: places.c:8, places: {"x\[i\]": places.c:3, "x\[i+1\]": places.c:3}'
}

# An element is read for several of its members, and its place is written once.
@test "the place of a record's element whose members are read elsewhere stands once" {
    printf '%s\n' 'struct body { double x, y; };' 'double f(int n, struct body *q)' '{' '    double s = 0;' \
        '    for (int i = 0; i < n; i++)' '        for (int j = 0; j < n; j++) {' \
        '            double dx = q[j].x - q[i].x, dy = q[j].y - q[i].y;' \
        '            s += dx * dx + dy * dy;' '        }' '    return s;' '}' >bodies.c
    "$describer" --places -D n=1000 bodies.c >bodies.yaml
    grep -q 'places: {"q\[j\]": bodies.c:7, "q\[i\]": bodies.c:7}' bodies.yaml
}

@test "several files are one program" {
    printf 'double helped(double a);\nvoid f(double *x)\n{\n    for (int i = 0; i < 100; i++)\n        x[i] = helped(x[i]);\n}\n' >one.c
    printf 'double helped(double a)\n{\n    return 2 * a + 1;\n}\n' >two.c
    "$describer" one.c two.c | grep -q 'operations: {madd: 1, load: 1, store: 1}'
}

@test "an MPI program: messages, one processor's part, and what is reduced" {
    cat >ring.c <<'END'
#include <mpi.h>
#define N 4096
double u[N], v[N];
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int rows = N / size;
    for (int step = 0; step < 50; step++) {
        MPI_Request request[2];
        double mine = 0, all;
#pragma forecost segment step
        {
            MPI_Irecv(&u[0], 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request[0]);
            MPI_Isend(&u[rows], 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &request[1]);
            MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
            for (int i = 1; i <= rows; i++) {
                v[i] = 0.5 * (u[i] + u[i - 1]);
                mine += v[i];
            }
            MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            if (rank == 0)
                MPI_Send(v, N, MPI_FLOAT, 1, 1, MPI_COMM_WORLD);
            else if (rank == 1)
                MPI_Recv(v, N, MPI_FLOAT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
END
    "$describer" ring.c >ring.yaml || { grep -q mpi.h <(echo "$output") && skip "no mpi.h"; }
    cat ring.yaml
    grep -q 'repeat: 50' ring.yaml
    grep -q 'rows: floor(N / p)' ring.yaml
    grep -q 'loop: {i: \[1, rows\]}' ring.yaml
    [ "$(grep -o 'utility: .*}' ring.yaml | tr '\n' ' ')" = \
        "utility: exchange, bytes: 8} utility: combine, bytes: 8} utility: point-to-point, bytes: 4*N} utility: synchronization, bytes: 0} " ]
    estimator predict "$source/machines/sp2-mpl.yaml" ring.yaml -p 16
    # Each message with its line.
    estimator predict "$source/machines/sp2-mpl.yaml" ring.c -p 16 --communication-only >lines
    line=$(grep -n MPI_Allreduce ring.c | cut -d: -f1)
    grep -q "combine(8 bytes, p = 16) .* at ring.c:$line\$" lines
    [ "$(grep -c ' us: call: .* at ring.c:[0-9]*$' lines)" -eq "$(grep -c ' us: call: ' lines)" ]
}

@test "MPI: a datatype that is handed on is its bytes, and a root that sends to each is the busier way" {
    cat >sender.c <<'EOF'
#include <mpi.h>
static void spread(void *data, int count, MPI_Datatype type, int root, MPI_Comm all)
{
    int rank, size;
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    if (rank == root) {
        for (int i = 0; i < size; i++)
            if (i != rank)
                MPI_Send(data, count, type, i, 0, all);
    } else {
        MPI_Recv(data, count, type, root, 0, all, MPI_STATUS_IGNORE);
    }
}
int main(void)
{
    double v[100];
    MPI_Datatype of = MPI_FLOAT;
    MPI_Init(0, 0);
#pragma forecost segment main
    {
        spread(v, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(v, 100, of, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
EOF
    run --separate-stderr "$describer" sender.c
    [[ "$stderr" != *"mpi.h"* ]] || skip "no mpi.h"
    [ "$status" -eq 0 ]
    grep -v '#' <<<"$output" | sed -n '/program:/,$p' >calls
    diff calls - <<'EOF'
program:
  - segment: main
    body:
      - loop: {message: [1, p - 1]}
        body:
          - call: {utility: point-to-point, bytes: 800}
      - call: {utility: broadcast, bytes: 400}
EOF
}

# relayed BODY: the calls and loops of an MPI program whose segment has that body.
relayed() {
    cat >relayed.c <<EOF
#include <mpi.h>
#define N 1000
#define RECEIVE(from) MPI_Recv(u, 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#define SEND(to) MPI_Send(u, 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD)
double u[N], v[N];
int main(void)
{
    int rank, size, left, right;
    MPI_Comm grid;
    MPI_Request requests[4];
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int before = (rank + size - 1) % size, next = (rank + 1) % size;
#pragma forecost segment main
    {
        $1
    }
    MPI_Finalize();
}
EOF
    run --separate-stderr "$describer" relayed.c
    [[ "$stderr" != *"mpi.h"* ]] || skip "no mpi.h"
    [ "$status" -eq 0 ] || return 0
    echo "$output" >relayed.yaml
    estimator predict "$source/machines/sp2-mpl.yaml" relayed.yaml -p 16 >/dev/null
    output=$(sed -n 's/^ *- \(loop\|call\|{statement\): *\({[a-z]*: \[[^]]*\]}\|{utility: [a-z-]*\|line[0-9]*\).*/\2/p' relayed.yaml | tr -d '{}\n' |
        sed 's/utility: / /g; s/line[0-9]*/ line/g')
}

@test "MPI: a message that each sends on when it has received it goes through all processors in turn" {
    relayed 'if (rank != 0) RECEIVE(rank - 1); else u[0] = -1;
        SEND(next);
        if (rank == 0) RECEIVE(size - 1);'
    [ "$output" = "hop: [2, p - 1] point-to-point point-to-point point-to-point" ]
    for lap in 'if (rank == 0) { SEND(next); RECEIVE(before); } else { RECEIVE(before); SEND(next); }' \
        'if (rank != 0) { RECEIVE(before); SEND(next); } else { SEND(next); RECEIVE(before); }'; do
        relayed "for (int lap = 0; lap < N; lap++) { $lap }"
        [ "$output" = "lap: [0, N - 1]hop: [2, p] point-to-point point-to-point" ]
    done
    relayed 'if (rank > 0) RECEIVE(rank - 1);
        if (rank < size - 1) SEND(rank + 1);
        if (rank < size - 1) RECEIVE(rank + 1);
        if (rank > 0) SEND(rank - 1);'
    [ "$output" = "hop: [2, p - 1] point-to-point point-to-pointhop: [2, p - 1] point-to-point point-to-point" ]
    relayed 'MPI_Irecv(u, 1, MPI_DOUBLE, rank - 2, 0, MPI_COMM_WORLD, requests);
        MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);
        SEND(rank + 2);'
    [ "$output" = "hop: [2, whole] point-to-point point-to-point" ]
    grep -q 'whole: floor((p - 1) / 2)' relayed.yaml
}

@test "MPI: a wavefront is filled once, and again where all have met" {
    local wave='for (int j = 0; j < N; j++) {
            if (rank > 0) RECEIVE(rank - 1);
            for (int i = 0; i < N; i++) v[i] += u[j];
            if (rank < size - 1) SEND(rank + 1);
        }'
    local steady='j: [0, N - 1] point-to-pointi: [0, N - 1] line'
    relayed "$wave"
    [ "$output" = "hop: [2, p - 1]j: [0, 0] point-to-pointhop: [2, p]j: [0, 0]i: [0, N - 1] line$steady" ]
    relayed "for (int k = 0; k < 50; k++) { $wave }"
    [ "$output" = "hop: [2, p - 1]k: [0, 0]j: [0, 0] point-to-pointhop: [2, p]k: [0, 0]j: [0, 0]i: [0, N - 1] linek: [0, 49]$steady" ]
    relayed "for (int k = 0; k < 50; k++) { $wave MPI_Barrier(MPI_COMM_WORLD); }"
    [ "$output" = "k: [0, 49]hop: [2, p - 1]j: [0, 0] point-to-pointhop: [2, p]j: [0, 0]i: [0, N - 1] line$steady synchronization" ]
}

@test "MPI: neighbours that exchange wait for no chain of processors" {
    local way
    for way in 'SEND(next); RECEIVE(before);' \
        'MPI_Isend(u, 1, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &requests[0]);
         MPI_Isend(u, 1, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, &requests[1]);
         RECEIVE(before); RECEIVE(next); MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);' \
        'MPI_Irecv(u, 1, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &requests[0]);
         SEND(next); MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);' \
        'if (rank > 0) SEND(rank - 1); if (rank < size - 1) RECEIVE(rank + 1);
         if (rank < size - 1) SEND(rank + 1); if (rank > 0) RECEIVE(rank - 1);' \
        'if (rank % 2 == 0) { SEND(next); RECEIVE(next); SEND(before); RECEIVE(before); }
         else { RECEIVE(before); SEND(before); RECEIVE(next); SEND(next); }' \
        'if (rank % 2) { RECEIVE(before); SEND(next); } else { SEND(next); RECEIVE(before); }' \
        'MPI_Cart_shift(grid, 0, 1, &left, &right);
         if (left != MPI_PROC_NULL) SEND(left);
         if (right != MPI_PROC_NULL) { RECEIVE(right); SEND(right); }
         if (left != MPI_PROC_NULL) RECEIVE(left);' \
        'if (rank == 0) { SEND(1); RECEIVE(1); } else { RECEIVE(0); SEND(0); }'; do
        relayed "for (int step = 0; step < N; step++) { $way }"
        echo "$way: $output $stderr"
        [ "$status" -eq 0 ]
        [[ "$output" != *hop* ]]
    done
}

@test "MPI: a chain of processors whose length is not known is refused, one of a few processes is followed" {
    relayed 'MPI_Cart_shift(grid, 0, 1, &left, &right); RECEIVE(left); SEND(right);'
    [ "$status" -eq 2 ]
    [ "$(wc -l <<<"$stderr")" -eq 1 ]
    [[ "$stderr" == relayed.c:17:*": MPI_Recv: what it receives is sent on"*"call point-to-point bytes(E) repeat(p - 1)" ]]
    relayed 'if (rank > 0) RECEIVE((rank - 1) / 2); SEND(2 * rank + 1); SEND(2 * rank + 2);'
    [ "$status" -eq 2 ]
    [[ "$stderr" == relayed.c:17:*": with 2 processes, process 0 names process 2 here, which does not exist" ]]
    relayed 'if (rank % 4 != 0) RECEIVE(rank - 1); if (rank % 4 != 3) SEND(rank + 1);'
    [ "$status" -eq 0 ]
    [[ "$output" == *"message: [1, 3]"*point-to-point* ]]
}

@test "MPI's collectives are what they do: one root or all, in place or not, one partner or a ring" {
    cat >calls.c <<'END'
#include <mpi.h>
#define N 1024
double u[N], v[N], w[64 * N];
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma forecost segment calls
    {
        int next = (rank + 1) % size, before = (rank + size - 1) % size, other = rank ^ 1;
        MPI_Reduce(u, v, N, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Scatter(w, 1, MPI_DOUBLE, u, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Gather(u, 2, MPI_DOUBLE, w, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Reduce_scatter_block(w, u, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, w, 4, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Allgather(u, 5, MPI_DOUBLE, w, 5, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Sendrecv(u, 6, MPI_DOUBLE, next, 0, v, 6, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u, 7, MPI_DOUBLE, other, 0, v, 7, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv_replace(u, 8, MPI_DOUBLE, next, 0, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int step = 1; step < size; step++)
            MPI_Sendrecv(u, 9, MPI_DOUBLE, (rank + step) % size, 0, v, 9, MPI_DOUBLE, (rank - step + size) % size, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int step = 1; step < size; step++)
            MPI_Sendrecv(u, 10, MPI_DOUBLE, rank ^ step, 0, v, 10, MPI_DOUBLE, rank ^ step, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
END
    "$describer" calls.c >calls.yaml || { grep -q mpi.h <(echo "$output") && skip "no mpi.h"; }
    cat calls.yaml
    [ "$(grep -o 'utility: .*}' calls.yaml | tr '\n' ' ')" = \
        "utility: reduce, bytes: 8*N} utility: scatter, bytes: 8} utility: gather, bytes: 16} utility: reduce-scatter, bytes: 24} utility: all-gather-in-place, bytes: 32} utility: all-gather, bytes: 40} utility: shift, bytes: 48} utility: exchange, bytes: 56} utility: shift, bytes: 64} utility: shift, bytes: 72} utility: exchange, bytes: 80} " ]
    [ "$(grep -c 'loop: {step: \[1, p - 1\]}' calls.yaml)" -eq 2 ]
    estimator predict "$source/machines/sp2-mpl.yaml" calls.yaml -p 16
}

@test "a function of messages alone is described beside one of loops alone" {
    cat >halo.c <<'END'
#include <mpi.h>
void exchange(int n, double u[n], int up, int down)
{
    MPI_Sendrecv(u, n, MPI_DOUBLE, up, 0, u, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
void evolve(int n, double u[n])
{
    for (int i = 0; i < n; i++)
        u[i] = 2 * u[i];
}
int main(int argc, char **argv)
{
    double u[100];
    exchange(100, u, 1, 2);
    evolve(100, u);
    return 0;
}
END
    "$describer" -D n=100 halo.c >halo.yaml || { grep -q mpi.h <(echo "$output") && skip "no mpi.h"; }
    cat halo.yaml
    [ "$(grep -o -- '- segment: .*' halo.yaml | tr '\n' ' ')" = "- segment: exchange - segment: evolve " ]
    grep -q 'utility: shift, bytes: 8\*n' halo.yaml
}

@test "a program goes on where a number that nobody told decides whether it gives up" {
    cat >usage.c <<'END'
#include <stdlib.h>
static int next_of(int x, int n)
{
    if (x >= n) {
        return -1;
    } else {
        return x;
    }
}
int main(int argc, char **argv)
{
    double u[100];
    if (argc != 2 || atoi(argv[1]) < 4)
        return 1;
    if (next_of(argc, 2 * argc) > -1)
        for (int i = 0; i < 100; i++)
            u[i] = 2 * u[i];
    return 0;
}
END
    "$describer" usage.c | grep -q 'loop: {i: \[0, 99\]}'
    # Where it is told it decides.
    { echo '#pragma forecost parameters(argc = 3)'; cat usage.c; } >told.c
    run "$describer" told.c
    [[ $output == *"nothing to describe"* ]]
}

@test "XcalableMP's directives are a candidate, with parentheses and with brackets" {
    for dialect in '(0:N-1,0:N-1) (block,cyclic(4)) (j,i)' '[N][N] [cyclic(4)][block] [i][j]'; do
        read -r sizes kinds letters <<<"$dialect"
        cat >xmp.c <<END
#define N 1024
double u[N][N], v[N][N];
#pragma xmp nodes p(*,4)
#pragma xmp template t$sizes
#pragma xmp distribute t$kinds onto p
#pragma xmp align u[i][j] with t$letters
#pragma xmp align v[i][j] with t$letters
#pragma xmp shadow u[1:1][1:1]
void step(void)
{
#pragma xmp reflect (u)
#pragma xmp loop (j,i) on t$letters
    for (int i = 1; i < N - 1; i++)
#pragma xmp loop (j) on t$letters
        for (int j = 1; j < N - 1; j++)
            v[i][j] = u[i - 1][j] + u[i + 1][j];
}
END
        "$describer" xmp.c >xmp.yaml
        cat xmp.yaml
        grep -qE 'distribute: \{u: \[CYCLIC\(4\)@[01], BLOCK@[01]\], v:' xmp.yaml
        estimator predict "$source/machines/sp2-mpl.yaml" xmp.yaml -p 16
    done
}

@test "asserts are no part of what is timed, unless the flags take that back" {
    cat >plain.c <<'EOF'
double u[1000];
void step(int n)
{
    for (int i = 1; i < 999; i++)
        u[i] = u[i] + u[i - 1];
}
EOF
    sed -e 's/^    for .*/    assert(n > 0);\n&/' -e '1i #include <assert.h>' plain.c >asserting.c
    counted() { "$describer" "$1" | sed '/#/d; /^title:/d; /^source:/d; s/line[0-9]*/line/'; }
    [ -n "$(counted plain.c)" ]
    diff <(counted plain.c) <(counted asserting.c)
    run "$describer" asserting.c -- -UNDEBUG
    [ "$status" -eq 2 ]
}

@test "memory that a function of the program takes is another array for every call" {
    cat >rooms.c <<'EOF'
#include <stdlib.h>
static double pool[1000];
static void *aligned(size_t bytes)
{
    void *room = NULL;
    int wrong = posix_memalign(&room, 64, bytes);
    if (wrong)
        room = NULL;
    return room;
}
static double *plain(size_t bytes)
{
    double *room = malloc(bytes);
    return room;
}
static double *pooled(void)
{
    return pool;
}
int main(void)
{
    const int n = 1000;
    double *a = (double *)aligned(n * sizeof(double)), *b, *c, *d, *e, *f;
    b = (double *)aligned(n * sizeof(double));
    c = plain(n * sizeof(double));
    d = plain(n * sizeof(double));
    e = pooled();
    f = pooled();
#pragma forecost segment step
    for (int i = 0; i < n; i++)
        b[i] = a[i] + c[i] + d[i] + e[i] + f[i];
    return 0;
}
EOF
    run "$describer" rooms.c
    [ "$status" -eq 0 ]
    [[ "$output" == *'writes: "b[i]", reads: ["a[i]", "c[i]", "d[i]", "pool[i]"]'* ]]
}

@test "changed sources: described or refused, never a crash" {
    command -v python3 || skip "no python3"
    python3 "$source/test/describe/fuzz.py" "$describer" "${FUZZ_SECONDS:-2}" 7 "$source"/test/describe/*.c "$source"/test/describe/bad/*.c \
        "$source"/samples/*/*-serial.c
}
