#!/usr/bin/env bats
# Who sends what to whom, as the describer tells it of MPI programs, beside what a counter between
# the same programs and their MPI library counts (test/messages/count.c, which knows nothing of the
# describer), and what such messages are predicted to take.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    describer=$FORECOST_BUILD/describer/describer
    counter=$FORECOST_BUILD/test/messages/count.so
    [ -x "$describer" ] || skip "no libclang (libclang-19-dev)"
    cat >ab.yaml <<'END'
forecost: 4
machine: {name: ab}
communication:
  - utility: point-to-point
    regions: [{t0_us: 2, rinf_mb_per_s: 1000}]
node: {rate_mflops: 1000}
END
}

# program NAME BODY [OUTSIDE]: an MPI program with these statements between Init and Finalize.
program() {
    cat >"$1.c" <<END
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define WORLD MPI_COMM_WORLD
#define ANY MPI_STATUS_IGNORE
enum { SIZE = 100000 };
double a[SIZE], b[SIZE];
int whole[SIZE];
$3
int main(int argc, char **argv)
{
    int rank, p, n = 1000;
    MPI_Request requests[64];
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &p);
    $2
    MPI_Finalize();
    return 0;
}
END
}

# counted NAME P: every process sends as much, to the same ones, as is told.
counted() {
    rm -f counts.*
    FORECOST_COUNT=$PWD/counts LD_PRELOAD=$counter timeout 60 mpiexec -n "$2" "./$1"
    "$describer" --messages "$2" "$1.c" | tail -n +2 >told
    cat counts.[0-9]* | diff - told
}

# all NAME BODY [OUTSIDE]: the same of 2, 4 and 8 processes.
all() {
    program "$@"
    mpicc -w -o "$1" "$1.c"
    local p
    for p in 2 4 8; do
        echo "$1 $p"
        counted "$1" "$p"
    done
}

needs_mpi() {
    command -v mpicc >/dev/null || skip "no mpicc"
    command -v mpiexec >/dev/null || skip "no mpiexec"
    [ -f "$counter" ] || skip "count.so was not built"
    export MPIR_CVAR_NOLOCAL=0
}

@test "messages: there and back, in turn, in loops, in two ifs, by parity" {
    needs_mpi
    all ping-pong 'for (int i = 0; i < 20; i++)
        if (rank == 0) {
            MPI_Send(a, n, MPI_DOUBLE, 1, 0, WORLD);
            MPI_Recv(a, n, MPI_DOUBLE, 1, 0, WORLD, ANY);
        } else if (rank == 1) {
            MPI_Recv(a, n, MPI_DOUBLE, 0, 0, WORLD, ANY);
            MPI_Send(a, n, MPI_DOUBLE, 0, 0, WORLD);
        }'
    all two-ifs 'if (rank == 0) for (int i = 0; i < 10; i++) MPI_Send(a, n, MPI_DOUBLE, 1, 0, WORLD);
        if (rank == 1) for (int i = 0; i < 10; i++) MPI_Recv(a, n, MPI_DOUBLE, 0, 0, WORLD, ANY);'
    all ordered 'if (rank % 2 == 0) {
            MPI_Send(a, n, MPI_DOUBLE, rank + 1, 0, WORLD);
            MPI_Recv(b, n, MPI_DOUBLE, rank + 1, 0, WORLD, ANY);
        } else {
            MPI_Recv(b, n, MPI_DOUBLE, rank - 1, 0, WORLD, ANY);
            MPI_Send(a, n, MPI_DOUBLE, rank - 1, 0, WORLD);
        }'
    all turns 'int count = 0;
        while (count < 10 && rank < 2)
            if (rank == count % 2) {
                count++;
                MPI_Send(&count, 1, MPI_INT, 1 - rank, 0, WORLD);
            } else
                MPI_Recv(&count, 1, MPI_INT, 1 - rank, 0, WORLD, ANY);'
    all switched 'switch (rank) {
        case 0: MPI_Ssend(a, 3, MPI_FLOAT, 1, 7, WORLD); break;
        case 1: MPI_Recv(a, 3, MPI_FLOAT, 0, MPI_ANY_TAG, WORLD, &status); break;
        default: break;
        }'
}

@test "messages: one to all, all to one, each to each, work handed out and back" {
    needs_mpi
    all each-to-each 'for (int i = 0; i < p; i++)
            if (i != rank) MPI_Isend(a, n, MPI_DOUBLE, i, 0, WORLD, &requests[i]);
            else requests[i] = MPI_REQUEST_NULL;
        for (int i = 0; i < p; i++)
            if (i != rank) MPI_Recv(b, n, MPI_DOUBLE, i, 0, WORLD, ANY);
        MPI_Waitall(p, requests, MPI_STATUSES_IGNORE);'
    all master 'const int each = n / p;
        if (rank == 0) {
            for (int w = 1; w < p; w++) MPI_Send(&a[w * each], each, MPI_DOUBLE, w, 0, WORLD);
            for (int w = 1; w < p; w++) MPI_Recv(&b[w * each], each, MPI_DOUBLE, w, 1, WORLD, ANY);
        } else {
            MPI_Recv(a, each, MPI_DOUBLE, 0, 0, WORLD, ANY);
            for (int i = 0; i < each; i++) b[i] = 2 * a[i];
            MPI_Send(b, each, MPI_DOUBLE, 0, 1, WORLD);
        }'
    all anybody 'if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
        else for (int i = 1; i < p; i++) MPI_Recv(&whole[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &status);'
    all greeting 'char text[100];
        if (rank != 0) {
            sprintf(text, "greetings from %d of %d", rank, p);
            MPI_Send(text, strlen(text) + 1, MPI_CHAR, 0, 0, WORLD);
        } else for (int q = 1; q < p; q++) MPI_Recv(text, 100, MPI_CHAR, q, 0, WORLD, ANY);'
    all number-read 'int m = argc > 1 ? atoi(argv[1]) : 40;
        if (rank == 0) for (int i = 1; i < p; i++) MPI_Send(&m, 1, MPI_INT, i, 0, WORLD);
        else { m = 0; MPI_Recv(&m, 1, MPI_INT, 0, 0, WORLD, ANY); }
        for (int i = 0; i < m; i++) MPI_Sendrecv(a, m, MPI_DOUBLE, (rank + 1) % p, 0, b, m, MPI_DOUBLE, (rank + p - 1) % p, 0, WORLD, ANY);'
    all by-functions 'handed(whole, &n, 5, rank, p); handed(whole + 10, &n, 6, rank, p);' \
        'static void one(int *data, int count, int to) { MPI_Send(data, count, MPI_INT, to, 0, WORLD); }
        static void handed(int *data, const int *count, int factor, int rank, int p)
        {
            if (rank == 0) for (int q = p - 1; q > 0; q--) one(data, *count / p * factor, q);
            if (rank) MPI_Recv(data, *count * factor, MPI_INT, 0, 0, WORLD, ANY);
        }'
}

@test "messages: rings, edges, neighbours, trees, hypercubes, pipelines" {
    needs_mpi
    all ring 'int token = -1;
        if (rank != 0) MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, WORLD, ANY);
        MPI_Send(&token, 1, MPI_INT, (rank + 1) % p, 0, WORLD);
        if (rank == 0) MPI_Recv(&token, 1, MPI_INT, p - 1, 0, WORLD, ANY);'
    all shifted 'for (int i = 1; i < p; i++)
            MPI_Sendrecv_replace(a, n, MPI_FLOAT, (rank + 1) % p, 0, (rank + p - 1) % p, 0, WORLD, &status);'
    all edges 'const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < p - 1 ? rank + 1 : MPI_PROC_NULL;
        for (int i = 0; i < 3; i++) {
            MPI_Sendrecv(a, n, MPI_DOUBLE, up, 0, b, n, MPI_DOUBLE, down, 0, WORLD, ANY);
            MPI_Sendrecv(a, n, MPI_DOUBLE, down, 0, b, n, MPI_DOUBLE, up, 0, WORLD, ANY);
        }'
    all neighbours 'int k = 0;
        if (rank > 0) { MPI_Irecv(a, n, MPI_DOUBLE, rank - 1, 0, WORLD, &requests[k++]); MPI_Isend(b, n, MPI_DOUBLE, rank - 1, 0, WORLD, &requests[k++]); }
        if (rank < p - 1) { MPI_Irecv(a + n, n, MPI_DOUBLE, rank + 1, 0, WORLD, &requests[k++]); MPI_Isend(b, n, MPI_DOUBLE, rank + 1, 0, WORLD, &requests[k++]); }
        MPI_Waitall(k, requests, MPI_STATUSES_IGNORE);'
    all tree 'for (int mask = 1; mask < p; mask <<= 1) {
            if (rank < mask && rank + mask < p) MPI_Send(a, n, MPI_DOUBLE, rank + mask, 0, WORLD);
            else if (rank >= mask && rank < 2 * mask) MPI_Recv(a, n, MPI_DOUBLE, rank - mask, 0, WORLD, ANY);
        }'
    all summed-up 'for (int step = 1; step < p; step *= 2) {
            if (rank % (2 * step) == 0) { if (rank + step < p) MPI_Recv(b, 1, MPI_DOUBLE, rank + step, 0, WORLD, ANY); }
            else { MPI_Send(a, 1, MPI_DOUBLE, rank - step, 0, WORLD); break; }
        }'
    all hypercube 'for (int d = 0; (1 << d) < p; d++) {
            const int partner = rank ^ (1 << d);
            MPI_Sendrecv(a, n << d, MPI_DOUBLE, partner, d, b, n << d, MPI_DOUBLE, partner, d, WORLD, ANY);
        }'
    all sorted 'for (int phase = 0; phase < p; phase++) {
            int partner = (phase + rank) % 2 == 0 ? rank + 1 : rank - 1;
            if (partner < 0 || partner >= p) continue;
            MPI_Sendrecv(whole, n / p, MPI_INT, partner, 0, whole + n, n / p, MPI_INT, partner, 0, WORLD, ANY);
        }'
    all pipeline 'for (int j = 0; j < 50; j++) {
            if (rank > 0) MPI_Recv(&a[j], 1, MPI_DOUBLE, rank - 1, j, WORLD, ANY);
            for (int i = 1; i < 100; i++) a[i] += a[i - 1];
            if (rank < p - 1) MPI_Send(&a[j], 1, MPI_DOUBLE, rank + 1, j, WORLD);
        }'
}

@test "messages: datatypes, buffered, synchronous, ready and persistent ones" {
    needs_mpi
    all column 'MPI_Datatype column;
        MPI_Type_vector(n, 2, 10, MPI_DOUBLE, &column);
        MPI_Type_commit(&column);
        MPI_Sendrecv(a, 1, column, (rank + 1) % p, 0, b, 2 * n, MPI_DOUBLE, (rank + p - 1) % p, 0, WORLD, ANY);
        MPI_Type_free(&column);'
    all row 'MPI_Datatype row, rows;
        MPI_Type_contiguous(n / p, MPI_FLOAT, &row);
        MPI_Type_contiguous(3, row, &rows);
        MPI_Type_commit(&rows);
        if (rank == p - 1) MPI_Send(a, 2, rows, 0, 0, WORLD);
        if (rank == 0) MPI_Recv(a, 2, rows, p - 1, 0, WORLD, ANY);'
    all parts 'MPI_Datatype part, parts;
        int lengths[3] = {1, 2, 3}, begins[3] = {0, 10, 20};
        MPI_Type_indexed(3, lengths, begins, MPI_INT, &part);
        MPI_Type_create_indexed_block(3, 4, begins, MPI_INT, &parts);
        MPI_Type_commit(&part);
        MPI_Type_commit(&parts);
        if (rank == 0) { MPI_Send(whole, 1, part, 1, 0, WORLD); MPI_Send(whole, 2, parts, 1, 0, WORLD); }
        if (rank == 1) { MPI_Recv(whole, 6, MPI_INT, 0, 0, WORLD, ANY); MPI_Recv(whole, 24, MPI_INT, 0, 0, WORLD, ANY); }'
    all ways 'char room[4000];
        MPI_Buffer_attach(room, sizeof room);
        if (rank == 0) {
            MPI_Ssend(whole, 1, MPI_INT, 1, 0, WORLD);
            MPI_Bsend(whole, 2, MPI_INT, 1, 0, WORLD);
            MPI_Issend(whole, 3, MPI_INT, 1, 0, WORLD, requests);
            MPI_Wait(requests, ANY);
        } else if (rank == 1)
            for (int i = 1; i <= 3; i++) { int got; MPI_Recv(whole, i, MPI_INT, 0, 0, WORLD, &status); MPI_Get_count(&status, MPI_INT, &got); if (got != i) abort(); }
        int none; MPI_Buffer_detach(&room, &none);'
    all kept 'MPI_Send_init(a, n, MPI_DOUBLE, (rank + 1) % p, 0, WORLD, &requests[0]);
        MPI_Recv_init(b, n, MPI_DOUBLE, (rank + p - 1) % p, 0, WORLD, &requests[1]);
        for (int i = 0; i < 7; i++) { MPI_Startall(2, requests); MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); }'
}

@test "messages: collective operations, of all and of parts" {
    needs_mpi
    all shares 'MPI_Bcast(&n, 1, MPI_INT, 0, WORLD);
        MPI_Scatter(a, n / p, MPI_DOUBLE, b, n / p, MPI_DOUBLE, 0, WORLD);
        for (int i = 0; i < 5; i++) MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, WORLD);
        MPI_Allgather(b, n / p, MPI_DOUBLE, a, n / p, MPI_DOUBLE, WORLD);
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, n / p, MPI_DOUBLE, WORLD);
        MPI_Alltoall(a, n / p, MPI_FLOAT, b, n / p, MPI_FLOAT, WORLD);
        MPI_Reduce(a, b, n, MPI_DOUBLE, MPI_MAX, 0, WORLD);
        MPI_Barrier(WORLD);'
    all uneven 'int counts[64], begins[64];
        for (int i = 0, at = 0; i < p; i++) { counts[i] = (n + 3) / p + (i < (n + 3) % p); begins[i] = at; at += counts[i]; }
        MPI_Scatterv(a, counts, begins, MPI_DOUBLE, b, counts[rank], MPI_DOUBLE, 0, WORLD);
        MPI_Gatherv(b, counts[rank], MPI_DOUBLE, a, counts, begins, MPI_DOUBLE, 0, WORLD);
        MPI_Allgatherv(b, counts[rank], MPI_DOUBLE, a, counts, begins, MPI_DOUBLE, WORLD);
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, counts, begins, MPI_FLOAT, WORLD);
        MPI_Reduce_scatter(a, b, counts, MPI_DOUBLE, MPI_SUM, WORLD);'
    all parts-to-all 'int counts[64], begins[64];
        for (int i = 0; i < p; i++) { counts[i] = n / p; begins[i] = i * (n / p); }
        MPI_Alltoallv(a, counts, begins, MPI_DOUBLE, b, counts, begins, MPI_DOUBLE, WORLD);
        MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, b, counts, begins, MPI_FLOAT, WORLD);
        MPI_Reduce_scatter(a, b, counts, MPI_DOUBLE, MPI_SUM, WORLD);'
    all rows-of-processes 'MPI_Comm row;
        int own, size;
        MPI_Comm_split(WORLD, rank / 2, rank, &row);
        MPI_Comm_rank(row, &own);
        MPI_Comm_size(row, &size);
        MPI_Bcast(a, n, MPI_DOUBLE, 0, row);
        MPI_Sendrecv(a, n, MPI_DOUBLE, (own + 1) % size, 0, b, n, MPI_DOUBLE, (own + size - 1) % size, 0, row, ANY);
        MPI_Comm_free(&row);'
}

@test "messages: grids and groups of processes, addresses of elements, whichever comes first" {
    needs_mpi
    local halo='for (int i = 0; i < 3; i++) for (int d = 0; d < 2; d++) {
            int before, next;
            MPI_Cart_shift(grid, d, 1, &before, &next);
            MPI_Sendrecv(a, n / dims[d], MPI_DOUBLE, next, 0, b, n, MPI_DOUBLE, before, 0, grid, ANY);
            MPI_Sendrecv(a, n / dims[d], MPI_DOUBLE, before, 1, b, n, MPI_DOUBLE, next, 1, grid, ANY);
        }'
    all grid "MPI_Comm grid;
        int dims[2] = {0, 0}, ends[2] = {0, 0};
        MPI_Dims_create(p, 2, dims);
        MPI_Cart_create(WORLD, 2, dims, ends, 1, &grid);
        $halo"
    all torus "MPI_Comm grid, row;
        int dims[2] = {p / 2, 2}, ends[2] = {1, 1}, at[2], own, diagonal, keeps[2] = {0, 1};
        MPI_Cart_create(WORLD, 2, dims, ends, 0, &grid);
        MPI_Comm_rank(grid, &own);
        MPI_Cart_coords(grid, own, 2, at);
        at[0]--; at[1]++;
        MPI_Cart_rank(grid, at, &diagonal);
        MPI_Send(a, at[0] + 2, MPI_DOUBLE, diagonal, 0, grid);
        MPI_Recv(a, n, MPI_DOUBLE, MPI_ANY_SOURCE, 0, grid, &status);
        MPI_Cart_sub(grid, keeps, &row);
        MPI_Bcast(a, n, MPI_DOUBLE, 0, row);
        $halo"
    all halves 'MPI_Group world, half;
        MPI_Comm part;
        int first[64], size;
        for (int i = 0; i < p / 2; i++) first[i] = i;
        MPI_Comm_group(WORLD, &world);
        if (rank < p / 2) MPI_Group_incl(world, p / 2, first, &half);
        else MPI_Group_excl(world, p / 2, first, &half);
        MPI_Comm_create(WORLD, half, &part);
        MPI_Comm_size(part, &size);
        MPI_Allreduce(a, b, size, MPI_DOUBLE, MPI_SUM, part);'
    all evens 'MPI_Group group; MPI_Comm part; int numbers[64], place;
        chosen(&group, numbers, p);
        MPI_Comm_create(WORLD, group, &part);
        MPI_Group_rank(group, &place);
        if (place != MPI_UNDEFINED) MPI_Reduce(a, b, numbers[1], MPI_DOUBLE, MPI_SUM, 0, part);' \
        'static void chosen(MPI_Group group[], int numbers[], int p)
        {
            MPI_Group world;
            int count = 0;
            numbers[1] = 3;
            for (int i = 0; i < p; i = i + 2) numbers[count++] = i;
            MPI_Comm_group(WORLD, &world);
            MPI_Group_incl(world, count, numbers, &group[0]);
        }'
    all addressed 'struct { double x; char c; } items[2];
        MPI_Aint at, next;
        MPI_Get_address(&items[0], &at);
        MPI_Get_address(&items[1], &next);
        if (rank == 0) MPI_Send(a, 3 * (int)(next - at), MPI_BYTE, 1, 0, WORLD);
        if (rank == 1) MPI_Recv(a, n, MPI_BYTE, 0, 0, WORLD, ANY);'
    all counted-on 'int first = 0, own = 0, i, j, k;
        for (i = 0, k = 0; i < p; i++) {
            const int each = i < n % p ? n / p + 1 : n / p;
            if (rank == i) { first = k; own = each; for (j = 0; j < each; j++, k++) a[j] = k; }
            else k += each;
        }
        if (first > 0) MPI_Send(a, own, MPI_DOUBLE, rank - 1, 0, WORLD);
        if (first + own < n) MPI_Recv(b, n, MPI_DOUBLE, rank + 1, 0, WORLD, ANY);'
    all written 'char text[100] = "";
        int length = snprintf(text, sizeof text, "%d of %d", rank, p);
        if (rank) MPI_Send(text, length + 1, MPI_CHAR, 0, 0, WORLD);
        else for (int q = 1; q < p; q++) MPI_Recv(text, 100, MPI_CHAR, q, 0, WORLD, ANY);'
    all whichever 'int k = 0, flag = 0;
        if (rank == 0) {
            for (int i = 1; i < p; i++) MPI_Irecv(&whole[i], 1, MPI_INT, i, 0, WORLD, &requests[k++]);
            for (int i = 1; i < p; i++) { int which; MPI_Waitany(k, requests, &which, &status); }
            for (int i = 1; i < p; i++) MPI_Send(&rank, 1, MPI_INTEGER, i, 1, WORLD);
        } else {
            MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
            while (!flag) MPI_Iprobe(0, 1, WORLD, &flag, &status);
            MPI_Recv(&k, 1, MPI_INTEGER, 0, 1, WORLD, ANY);
        }'
}

# takes NAME US P [OPTION...]: what communication is predicted to take.
takes() {
    local name=$1 us=$2 p=$3
    shift 3
    estimator predict ab.yaml "$name.c" -p "$p" --communication-only --format csv "$@" >predicted
    python3 - "$us" <<'END'
import csv, sys
rows = [row for row in csv.DictReader(open("predicted")) if row["segment"] == "all"]
assert abs(float(rows[0]["communicate_us"]) / float(sys.argv[1]) - 1) < 1e-3, rows
END
}

@test "messages: what follows one another takes as long as all of it, and no message counts twice" {
    program pp 'int reps = 100;
        for (int r = 0; r < reps; r++)
            if (rank == 0) {
                MPI_Send(a, n, MPI_CHAR, 1, 0, WORLD);
                MPI_Recv(a, n, MPI_CHAR, 1, 0, WORLD, ANY);
            } else if (rank == 1) {
                MPI_Recv(a, n, MPI_CHAR, 0, 0, WORLD, ANY);
                MPI_Send(a, n, MPI_CHAR, 0, 0, WORLD);
            }'
    takes pp 600 8
    takes pp 1200 8 -D reps=200
    program twice 'if (rank == 0) for (int i = 0; i < 10; i++) MPI_Send(a, n, MPI_DOUBLE, 1, 0, WORLD);
        if (rank == 1) for (int i = 0; i < 10; i++) MPI_Recv(a, n, MPI_DOUBLE, 0, 0, WORLD, ANY);'
    takes twice 100 8
    program ordered 'if (rank % 2 == 0) {
            MPI_Send(a, n, MPI_DOUBLE, rank + 1, 0, WORLD);
            MPI_Recv(b, n, MPI_DOUBLE, rank + 1, 0, WORLD, ANY);
        } else {
            MPI_Recv(b, n, MPI_DOUBLE, rank - 1, 0, WORLD, ANY);
            MPI_Send(a, n, MPI_DOUBLE, rank - 1, 0, WORLD);
        }'
    takes ordered 20 8
    program spread 'for (int i = 0; i < p; i++) if (rank == 0 && i != rank) MPI_Send(a, n, MPI_DOUBLE, i, 0, WORLD);
        if (rank) MPI_Recv(a, n, MPI_DOUBLE, 0, 0, WORLD, ANY);'
    takes spread 70 8
    takes spread 310 32
}

# refused NAME WORDS [OPTION...]: the describer gives up at a place of that program, with these words.
refused() {
    local name=$1 words=$2
    shift 2
    run "$describer" "$name.c" "$@"
    echo "$output"
    [ "$status" -eq 2 ]
    [[ "$output" == "$name.c:"*"$words"* ]]
}

# calls NAME: the calls and loops of its description.
calls() {
    "$describer" "$1.c" | sed -n 's/^ *- \(loop: {[a-z]*: \[[^]]*\]}\|call: {.*}\).*/\1/p' | tr '\n' ' '
}

@test "messages: loops over powers of two and while loops are laws in p, computation stays in them" {
    program tree 'for (int mask = 1; mask < p; mask <<= 1) {
            if (rank < mask && rank + mask < p) MPI_Send(a, n, MPI_DOUBLE, rank + mask, 0, WORLD);
            else if (rank >= mask && rank < 2 * mask) MPI_Recv(a, n, MPI_DOUBLE, rank - mask, 0, WORLD, ANY);
        }'
    takes tree 30 8
    takes tree 60 64
    program summed 'for (int step = 1; step < p; step *= 2) {
            if (rank % (2 * step) == 0) {
                if (rank + step < p) {
                    MPI_Recv(b, n, MPI_DOUBLE, rank + step, 0, WORLD, ANY);
                    for (int i = 0; i < n; i++)
                        a[i] += b[i];
                }
            } else {
                MPI_Send(a, n, MPI_DOUBLE, rank - step, 0, WORLD);
                break;
            }
        }'
    takes summed 30 8
    "$describer" summed.c | grep -q 'loop: {trip: \[0, levels - 1\]}'
    "$describer" summed.c | grep -q 'writes: "a\[i\]"'
    program worked 'if (rank == 0)
            for (int w = 1; w < p; w++) MPI_Send(a, n, MPI_DOUBLE, w, 0, WORLD);
        else {
            MPI_Recv(a, n, MPI_DOUBLE, 0, 0, WORLD, ANY);
            for (int i = 0; i < n; i++) b[i] = 2 * a[i];
        }'
    [ "$(calls worked)" = "loop: {message: [1, p - 1]} call: {utility: point-to-point, bytes: 8*n} loop: {i: [0, n - 1]} " ]
}

@test "messages: sizes that differ are as the largest, parts of processes meet as such, one p is said" {
    program uneven 'const int rows = 62, each = rows / (p - 1), extra = rows % (p - 1);
        if (rank == 0)
            for (int w = 1; w < p; w++) MPI_Send(a, each + (w <= extra), MPI_DOUBLE, w, 0, WORLD);
        else MPI_Recv(a, 62, MPI_DOUBLE, 0, 0, WORLD, ANY);'
    "$describer" uneven.c | grep -q 'MPI_Send: all as large as the largest'
    [[ "$(calls uneven)" == *"message: [1, p - 1]"* ]]
    program halves 'MPI_Comm half;
        MPI_Comm_split(WORLD, rank % 2, rank, &half);
        MPI_Bcast(a, n, MPI_DOUBLE, 0, half);'
    [[ "$(calls halves)" == *"utility: broadcast, bytes: 8*n, processors:"* ]]
    program pair 'if (p != 2) MPI_Abort(WORLD, 1);
        if (rank == 0) MPI_Send(a, n, MPI_CHAR, 1, 0, WORLD);
        else MPI_Recv(a, n, MPI_CHAR, 0, 0, WORLD, ANY);'
    "$describer" pair.c 2>&1 | grep -q 'the program runs with 2 processes only'
}

@test "messages: sizes that grow from one to the next are as their mean, those of main are described" {
    program doubled 'for (int d = 1, m = n; d < p; d *= 2, m *= 2)
            MPI_Sendrecv(a, m, MPI_CHAR, rank ^ d, 0, b, m, MPI_CHAR, rank ^ d, 0, WORLD, ANY);'
    "$describer" doubled.c | grep -q 'all as large as their mean'
    takes doubled 26 8
    takes doubled 150 64
    local outside='static void worked(double *x) { for (int i = 0; i < SIZE; i++) x[i] = 2 * x[i]; }'
    program own 'MPI_Bcast(a, 10, MPI_DOUBLE, 0, WORLD);
        worked(a);
        if (rank == 0) for (int w = 1; w < p; w++) MPI_Recv(b, 1, MPI_DOUBLE, w, 0, WORLD, ANY);
        else MPI_Send(a, 1, MPI_DOUBLE, 0, 0, WORLD);' "$outside"
    [ "$(calls own)" = "call: {utility: broadcast, bytes: 80} loop: {i: [0, SIZE - 1]} loop: {w: [1, p - 1]} call: {utility: point-to-point, bytes: 8} " ]
    # processes that go different ways do so at the same time
    program apart 'if (rank == 0) { worked(a); for (int w = 1; w < p; w++) MPI_Recv(b, 1, MPI_DOUBLE, w, 0, WORLD, ANY); }
        if (rank > 0) { worked(b); MPI_Send(a, 1, MPI_DOUBLE, 0, 0, WORLD); }' "$outside"
    [ "$(calls apart | grep -o 'loop: {i:' | wc -l)" -eq 1 ]
    program chosen 'switch (rank) {
        case 0: worked(a); MPI_Send(a, n, MPI_DOUBLE, 1, 0, WORLD); break;
        case 1: MPI_Recv(a, n, MPI_DOUBLE, 0, 0, WORLD, ANY); break;
        default: break;
        }' "$outside"
    [ "$(calls chosen)" = "loop: {i: [0, SIZE - 1]} call: {utility: point-to-point, bytes: 8*n} " ]
    program lined 'MPI_Comm grid; int dims[2] = {0, 0}, ends[2] = {0, 0};
        MPI_Dims_create(p, 2, dims);
        MPI_Cart_create(WORLD, 2, dims, ends, 1, &grid);
        MPI_Bcast(a, n, MPI_DOUBLE, 0, grid);'
    "$describer" lined.c 2>&1 | grep -q 'a process inside the grid, with neighbours on both sides'
}

@test "messages: what the number of processes decides is described for the one that is asked" {
    program few 'const int rounds = p < 16 ? p : 16;
        for (int r = 0; r < rounds; r++)
            MPI_Sendrecv(a, n, MPI_CHAR, (rank + 1) % p, 0, b, n, MPI_CHAR, (rank + p - 1) % p, 0, WORLD, ANY);'
    takes few 24 4
    takes few 96 32
    "$describer" few.c 2>&1 | grep -q 'taken as with 16 processes: with 1 to 15 it is otherwise: -p P describes'
    program hand 'if (p <= 8) {
            if (rank == 0) for (int w = 1; w < p; w++) MPI_Send(a, n, MPI_CHAR, w, 0, WORLD);
            else MPI_Recv(a, n, MPI_CHAR, 0, 0, WORLD, ANY);
        } else if (rank == 0) MPI_Send(a, n, MPI_CHAR, 1, 0, WORLD);
        else if (rank == 1) MPI_Recv(a, n, MPI_CHAR, 0, 0, WORLD, ANY);'
    takes hand 21 8
    takes hand 3 9
    takes hand 3 16
    program squares 'if (rank == 0) for (int w = 1; w < p; w++) MPI_Recv(a, SIZE, MPI_CHAR, w, 0, WORLD, ANY);
        else MPI_Send(a, 1000 * rank * rank, MPI_CHAR, 0, 0, WORLD);'
    takes squares 20 4
    run "$describer" squares.c
    [ "$status" -eq 2 ]
    [[ "$output" == *"give one number, -p P, or"* ]]
    program edges 'for (int t = 0; t < 10; t++) {
            if (rank > 0) MPI_Sendrecv(a, n, MPI_CHAR, rank - 1, 0, b, n, MPI_CHAR, rank - 1, 0, WORLD, ANY);
            if (rank < p - 1) MPI_Sendrecv(a, n, MPI_CHAR, rank + 1, 0, b, n, MPI_CHAR, rank + 1, 0, WORLD, ANY);
        }'
    takes edges 60 2
}

@test "messages: square grids, numbers that grow by factors, and a few of all processes are followed" {
    program square 'const int q = (int)(sqrt((double)p) + 0.5), row = rank / q, column = rank % q;
        if (q * q != p) MPI_Abort(WORLD, 1);
        for (int s = 0; s < q; s++)
            MPI_Sendrecv(a, n, MPI_CHAR, row * q + (column + 1) % q, 0, b, n, MPI_CHAR, row * q + (column + q - 1) % q, 0, WORLD, ANY);' \
        'double sqrt(double);'
    takes square 12 4
    takes square 18 9
    program grown 'int q = 1;
        while ((q + 1) * (q + 1) <= p) q++;
        for (int s = 0; s < q; s++)
            MPI_Sendrecv(a, n, MPI_CHAR, (rank + 1) % p, 0, b, n, MPI_CHAR, (rank + p - 1) % p, 0, WORLD, ANY);'
    takes grown 12 8
    takes grown 18 9
    program down 'int top = 1;
        while (top < p) top <<= 1;
        for (int m = top >> 1; m > 0; m >>= 1) {
            if (rank % (2 * m) == 0 && rank + m < p) MPI_Send(a, n, MPI_CHAR, rank + m, 0, WORLD);
            else if (rank % (2 * m) == m) MPI_Recv(a, n, MPI_CHAR, rank - m, 0, WORLD, ANY);
        }'
    takes down 9 8
    program cube 'for (int mask = 1; mask < p; mask <<= 1) {
            const int partner = rank ^ mask;
            if (partner < p) {
                MPI_Sendrecv(a, n, MPI_CHAR, partner, 0, b, n, MPI_CHAR, partner, 0, WORLD, ANY);
                for (int i = 0; i < n; i++) a[i] += b[i];
            }
        }'
    takes cube 18 8
    [[ "$(calls cube)" == *"loop: {i: [0, n - 1]}"* ]]
    program three 'if (rank < 3) for (int i = 0; i < 6; i++) {
            if (rank > 0) MPI_Recv(a, n, MPI_CHAR, rank - 1, 0, WORLD, ANY);
            if (rank < 2) MPI_Send(a, n, MPI_CHAR, rank + 1, 0, WORLD);
        }'
    takes three 21 8
    program cannon 'MPI_Comm grid; int dims[2] = {0, 0}, ends[2] = {1, 1}, at[2], from, to;
        MPI_Dims_create(p, 2, dims);
        MPI_Cart_create(WORLD, 2, dims, ends, 1, &grid);
        MPI_Cart_coords(grid, rank, 2, at);
        MPI_Cart_shift(grid, 1, -at[0], &from, &to);
        MPI_Sendrecv_replace(a, n, MPI_CHAR, to, 1, from, 1, grid, ANY);'
    takes cannon 6 4
}

@test "messages: an exchange has one price, however its calls are written" {
    local to='MPI_DOUBLE, peer, 0, WORLD' loop='for (int t = 0; t < 10; t++) { BODY }' body name=0
    while IFS= read -r body; do
        program "cross$((++name))" "const int peer = rank ^ 1; ${loop/BODY/$body}"
        [[ "$(calls cross$name)" == *"utility: exchange"* ]] || { echo "$body"; return 1; }
        takes cross$name 200 8
    done <<END
MPI_Sendrecv(a, n, MPI_DOUBLE, peer, 0, b, n, $to, ANY);
MPI_Send(a, n, $to); MPI_Recv(b, n, $to, ANY);
MPI_Isend(a, n, $to, requests); MPI_Recv(b, n, $to, ANY); MPI_Wait(requests, ANY);
MPI_Irecv(b, n, $to, requests); MPI_Send(a, n, $to); MPI_Wait(requests, ANY);
if (rank % 2) { MPI_Irecv(b, n, $to, requests); MPI_Isend(a, n, $to, requests + 1); } else { MPI_Irecv(b, n, $to, requests); MPI_Isend(a, n, $to, requests + 1); } MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
END
    # one after the other they are two messages
    program turn "const int peer = rank ^ 1; ${loop/BODY/if (rank % 2) { MPI_Send(a, n, $to); MPI_Recv(b, n, $to, ANY); \} else { MPI_Recv(b, n, $to, ANY); MPI_Send(a, n, $to); \}}"
    [[ "$(calls turn)" != *exchange* ]]
    takes turn 200 8
    # of a grid of 2 rows nobody has neighbours above and below
    program rows 'const int w = p / 2, x = rank % w, up = rank - w, down = rank + w < p ? rank + w : MPI_PROC_NULL;
        const int to[4] = {x > 0 ? rank - 1 : MPI_PROC_NULL, x < w - 1 ? rank + 1 : MPI_PROC_NULL, up >= 0 ? up : MPI_PROC_NULL, down};
        for (int d = 0; d < 4; d++) {
            MPI_Irecv(b, n, MPI_DOUBLE, to[d], 0, WORLD, &requests[2 * d]);
            MPI_Isend(a, n, MPI_DOUBLE, to[d], 0, WORLD, &requests[2 * d + 1]);
        }
        MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);'
    takes rows 60 8
    takes rows 40 4
}

@test "messages: what is not certain is refused with its place" {
    program chance 'if (rand() % 2) { if (rank == 0) MPI_Send(a, n, MPI_CHAR, 1, 0, WORLD); }'
    refused chance 'depends on what rand() gives back'
    program named 'char name[100]; int length; MPI_Get_processor_name(name, &length);
        if (rank == 0) MPI_Send(name, length + 1, MPI_CHAR, 1, 0, WORLD);
        if (rank == 1) MPI_Recv(name, 100, MPI_CHAR, 0, 0, WORLD, ANY);'
    refused named 'depends on the name of a machine: give its value with -D length=1000, or'
    "$describer" --messages 2 -D length=9 named.c | grep -q '^0,1,10,1,0,0$'
    program set 'int m; set_up(&m); for (int i = 0; i < m; i++)
        MPI_Sendrecv(a, n, MPI_CHAR, (rank + 1) % p, 0, b, n, MPI_CHAR, (rank + p - 1) % p, 0, WORLD, ANY);' \
        'void set_up(int *m);'
    run "$describer" --messages 4 set.c
    [[ "$output" == *"what set_up() sets, of which the source is not here"*"-D m=1000"* ]]
    program first 'if (rank == 0)
            for (int i = 1; i < p; i++) {
                MPI_Recv(a, 1, MPI_CHAR, MPI_ANY_SOURCE, 0, WORLD, &status);
                MPI_Send(a, 1, MPI_CHAR, status.MPI_SOURCE, 0, WORLD);
            }
        else {
            MPI_Send(a, 1, MPI_CHAR, 0, 0, WORLD);
            MPI_Recv(a, 1, MPI_CHAR, 0, 0, WORLD, ANY);
        }'
    refused first "which process's message comes first"
    program waits 'if (rank == 1) MPI_Recv(a, 1, MPI_CHAR, 0, 0, WORLD, ANY);'
    refused waits 'waits here for ever'
    program missing 'int m; if (rank == 0) scanf("%d", &m);
        if (rank == 0) MPI_Send(a, m, MPI_CHAR, 1, 0, WORLD);
        if (rank == 1) MPI_Recv(a, SIZE, MPI_CHAR, 0, 0, WORLD, ANY);'
    run "$describer" --messages 4 missing.c
    [ "$status" -eq 2 ]
    [[ "$output" == *"-D m=1000"* ]]
    "$describer" --messages 4 -D m=7 missing.c | grep -q '^0,1,7,1,0,0$'
    estimator describe --messages 4 -D m=7 missing.c | grep -q '^0,1,7,1,0,0$'
}

# A loop's iterations are described as so many times one of them only where they are alike.
@test "messages: iterations that differ are not priced as the first ones" {
    local cases='SEND(n) if (r == 9) break;|30
if (r == 10) break; SEND(n)|30
SEND(n) if (r >= 9) return;|30
SHIFT(n) if (r == 49) break;|300
MPI_Bcast(b, n, MPI_CHAR, 0, W); if (r == 49) break;|450
if (rank == 0 && r < 50) MPI_Send(b, n, MPI_CHAR, 1, 0, W); if (rank == 1 && r < 50) MPI_Recv(b, n, MPI_CHAR, 0, 0, W, ANY);|150
if (r < 50) { SEND(n) } else { SEND(2 * n) }|350
if (r >= 20) continue; SHIFT(n)|120
int m = r < 50 ? n : 2 * n; SEND(m)|350
SEND(n) if (rank == 0 && r == 9) MPI_Send(b, 9 * n, MPI_CHAR, 2, 0, W); if (rank == 2 && r == 9) MPI_Recv(b, 9 * n, MPI_CHAR, 0, 0, W, ANY);|311
SHIFT(len) if (r == 49) len = 3 * n;|800
switch (r) { case 49: len = 3 * n; break; default: break; } SHIFT(len)|804
if (k >= 50) len = 3 * n; SHIFT(len) k++;|800
SHIFT(n)|600
SHIFT(n) char *t = b; b = c; c = t;|600'
    # loop(BOUND, BODY): a function with that loop of messages
    loop() {
        cat >loop.c <<END
#include <mpi.h>
#define W MPI_COMM_WORLD
#define ANY MPI_STATUS_IGNORE
#define SEND(m) if (rank == 0) MPI_Send(b, m, MPI_CHAR, 1, 0, W); \
    else if (rank == 1) MPI_Recv(b, m, MPI_CHAR, 0, 0, W, ANY);
#define SHIFT(m) MPI_Sendrecv(b, m, MPI_CHAR, (rank + 1) % size, 0, c, m, MPI_CHAR, (rank + size - 1) % size, 0, W, ANY);
void f(int n, char *b, char *c, int reps)
{
    int rank, size, len = n, k = 0, counts[4] = {1000, 2000, 3000, 4000};
    MPI_Comm_rank(W, &rank);
    MPI_Comm_size(W, &size);
    for (int r = 0; r < $1; r++) { $2 }
}
END
    }
    while IFS='|' read -r body us; do
        echo "$body: $us"
        loop reps "$body"
        takes loop "$us" 8 -D n=1000 -D reps=100
        [[ "$us" == 600 ]] && continue
        "$describer" -D n=1000 -D reps=100 loop.c 2>&1 | grep -q 'described for reps = 100 only'
        refused loop '-D reps=1000' -D n=1000
    done <<<"$cases"
    while IFS='|' read -r body us; do
        echo "$body: $us"
        loop 4 "$body"
        takes loop "$us" 8 -D n=1000
    done <<'END'
SEND(n << r)|23
SEND(len) len *= 2;|23
SEND(len) len = len / 2;|9.875
if (rank == 0) MPI_Send(b, n / (r + 1), MPI_CHAR, 1, 0, W); else if (rank == 1) MPI_Recv(b, n, MPI_CHAR, 0, 0, W, ANY);|10.083
SEND(counts[r])|18
END
    loop 'reps && k < 10' 'SHIFT(n) k++;'
    takes loop 60 8 -D n=1000 -D reps=100
    program some 'for (int i = 0; i < n; i++) {
            if (rank == 0 && i == 10) MPI_Send(a, n, MPI_CHAR, 1, 0, WORLD);
            if (rank == 1 && i == 10) MPI_Recv(a, n, MPI_CHAR, 0, 0, WORLD, ANY);
        }'
    takes some 3 8
}

@test "messages: one side's loop of another kind than the other's" {
    cat >kinds.c <<'END'
#include <mpi.h>
void f(int n, char *b, int reps)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int r = 0; r < reps; r++)
            MPI_Send(b, n, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        int r = 0;
        while (r < reps) {
            MPI_Recv(b, n, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            r++;
        }
    }
}
END
    takes kinds 300 8 -D n=1000 -D reps=100
    takes kinds 90 8 -D n=1000 -D reps=30
    refused kinds 'give its number: -D reps=1000' -D n=1000
}

@test "messages: parts whose sizes stand in a table" {
    program parts 'int counts[64], begins[64];
        for (int i = 0; i < p; i++) { counts[i] = 50; begins[i] = 50 * i; }
        MPI_Alltoallv(a, counts, begins, MPI_DOUBLE, b, counts, begins, MPI_DOUBLE, WORLD);'
    [ "$(calls parts)" = 'loop: {i: [0, p - 1]} call: {utility: many-to-many, bytes: 400} ' ]
    takes parts 33.6 8
    program growing 'int counts[64], begins[64], at = 0;
        for (int i = 0; i < p; i++) { counts[i] = 10 * (i + 1); begins[i] = at; at += counts[i]; }
        MPI_Alltoallv(a, counts, begins, MPI_DOUBLE, b, counts, begins, MPI_DOUBLE, WORLD);'
    run "$describer" growing.c
    [[ "$output" == *"growing.c:"*"MPI_Alltoallv: the parts are not all of one size, and are described as their mean"* ]]
    takes growing 33.04 8
    program read 'int counts[64], begins[64];
        for (int i = 0; i < p; i++) { if (scanf("%d", &counts[i]) != 1) return 1; begins[i] = 0; }
        MPI_Alltoallv(a, counts, begins, MPI_DOUBLE, b, counts, begins, MPI_DOUBLE, WORLD);'
    refused read 'MPI_Alltoallv: how many elements it moves depends on'
    program placed 'int counts[64], begins[64];
        for (int i = 0; i < p; i++) { counts[i] = n / p; begins[i] = i * (n / p); }
        MPI_Gatherv(rank ? b : MPI_IN_PLACE, rank ? n : 0, MPI_DOUBLE, a, counts, begins, MPI_DOUBLE, 0, WORLD);'
    calls placed
    [ "$(calls placed)" = 'loop: {i: [0, p - 1]} call: {utility: gather, bytes: 8*n} ' ]
}

@test "messages: sizes that grow with a loop around them are their mean, or refused" {
    program shrinking 'for (int k = 0; k < 63; k++) MPI_Bcast(a + k, 64 - k, MPI_DOUBLE, k % p, WORLD);'
    [ "$(calls shrinking)" = 'loop: {k: [0, 62]} call: {utility: broadcast, bytes: 264} ' ]
    takes shrinking 427.896 8
    program handed 'if (rank == 0) for (int i = 1; i < p; i++) MPI_Send(a, 10 * i, MPI_DOUBLE, i, 0, WORLD);
        else MPI_Recv(b, 10 * rank, MPI_DOUBLE, 0, 0, WORLD, ANY);'
    takes handed 16.24 8
    takes handed 6.48 4
    program grown 'for (int k = 1; k <= 4; k++) around(100 * k, rank, p);' \
        'static void around(int n, int rank, int p) { MPI_Sendrecv(a, n, MPI_DOUBLE, (rank + 1) % p, 0, b, n, MPI_DOUBLE, (rank + p - 1) % p, 0, WORLD, ANY); }'
    takes grown 32 8
    program triangle 'for (int k = 0; k < 60; k++) for (int j = k; j < 60; j++) MPI_Bcast(a, 10 * j + k, MPI_DOUBLE, 0, WORLD);'
    refused triangle 'a way that is not followed'
}

@test "messages: a function that is called with several sizes sends in each call what that one says" {
    cat >sizes.c <<'C'
#include <mpi.h>
static void say(int me, int n)
{
    static double b[4096];
    if (me == 0)
        MPI_Send(b, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    if (me == 1)
        MPI_Recv(b, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    say(me, 10);
    for (int k = 0; k < 5; k++)
        say(me, 4000);
    MPI_Finalize();
    return 0;
}
C
    takes sizes 172.08 2
    program between 'if (rank < 2) between(rank, 10 * n);' \
        'static void between(int rank, int n) { MPI_Sendrecv_replace(a, n, MPI_DOUBLE, 1 - rank, 0, 1 - rank, 0, WORLD, ANY); }'
    takes between 164 2
    program either 'if (rank == 0) one(1, n); else if (rank == 1) one(0, n);' \
        'static void one(int to, int n) { MPI_Sendrecv_replace(a, n, MPI_DOUBLE, to, 0, to, 0, WORLD, ANY); }'
    takes either 20 4
    program halved 'for (int l = 0; l < 3; l++) { around(rank, p); size /= 2; }' \
        'static int size = 1000;
        static void around(int rank, int p) { MPI_Sendrecv_replace(a, size, MPI_DOUBLE, (rank + 1) % p, 0, (rank + p - 1) % p, 0, WORLD, ANY); }'
    refused halved 'around does not send the same each time that it is called: put #pragma forecost segment NAME before the loop'
    sed -i 's/for (int l = 0/\n#pragma forecost segment levels\n&/' halved.c
    takes halved 40 4
    program apart 'if (rank == 0) one(1, n); if (rank == 1) one(0, n);' \
        'static void one(int to, int n) { MPI_Sendrecv_replace(a, n, MPI_DOUBLE, to, 0, to, 0, WORLD, ANY); }'
    refused apart 'not all processes call one here'
}

@test "messages: a number that is told for two that differ is said to stand for both" {
    local step='static void step(int n) { for (int i = 0; i < n; i++) a[i] = a[i] * 3; MPI_Bcast(a, n, MPI_DOUBLE, 0, WORLD); }'
    program two-sizes 'step(10); step(20);' "$step"
    "$describer" -D n=50 two-sizes.c 2>&1 | grep -q 'n is 10 at one place and 20 here: 50, which is told, stands for both'
    program one-size 'step(10); step(10);' "$step"
    run ! grep -q 'stands for both' <("$describer" -D n=50 one-size.c 2>&1)
}

@test "messages: functions that are called several times, directly and through pointers, send what is counted" {
    needs_mpi
    python3 -c 'import yaml' 2>/dev/null || skip "no python3-yaml"
    python3 "$FORECOST_SOURCE/test/messages/calls.py" "$describer" "$counter" --count 16 --refused-most 0.2
}

@test "messages: a call through a pointer that is not known is refused at its place" {
    program unknown 'double t = MPI_Wtime(); sender f = t > 1 ? one : two;
        f(rank, p);' \
        'typedef void (*sender)(int, int);
        static void one(int rank, int p) { MPI_Bcast(a, 1, MPI_DOUBLE, 0, WORLD); }
        static void two(int rank, int p) { MPI_Bcast(a, 2, MPI_DOUBLE, 0, WORLD); }'
    refused unknown 'which function'
    run "$describer" unknown.c --messages 4
    [ "$status" -eq 2 ]
    [[ "$output" == "unknown.c:"*"which function is called here depends on"* ]]
}

# computes NAME US P: what the processes compute one after the other takes that long.
computes() {
    estimator predict ab.yaml "$1.c" -p "$3" --format csv >predicted 2>remarks
    python3 - "$2" <<'END'
import csv, sys
rows = [row for row in csv.DictReader(open("predicted")) if row["segment"] == "all"]
assert abs(float(rows[0]["compute_us"]) - float(sys.argv[1])) < 2e-3, (rows, sys.argv)
END
}

@test "messages: turns are one after the other where the others wait, at the same time where nobody does" {
    local work='for (int i = 0; i < 1000; i++) a[i] = a[i] * 3;' p
    local fun='static void work(void) { for (int i = 0; i < 1000; i++) a[i] = a[i] * 3; }'
    program barrier "for (int r = 0; r < p; r++) { if (rank == r) $work MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, WORLD); }"
    program called 'for (int r = p - 1; r >= 0; r--) { if (r != rank) { } else { work(); } MPI_Bcast(a, 1, MPI_DOUBLE, r, WORLD); }' "$fun"
    program passed "for (int r = 0; r < p; r++) {
            if (rank == r) $work
            if (rank == r && r < p - 1) MPI_Send(a, 10, MPI_DOUBLE, r + 1, 0, WORLD);
            if (rank == r + 1) MPI_Recv(a, 10, MPI_DOUBLE, r, 0, WORLD, ANY);
        }"
    program gathered "for (int r = 0; r < p; r++) { if (rank == r) $work MPI_Gather(a, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE, 0, WORLD); }"
    program alone "for (int r = 0; r < p; r++) if (rank == r) $work MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, WORLD);"
    program skipped "for (int r = 0; r < p; r++) {
            if (rank != r) { MPI_Bcast(b, 1, MPI_DOUBLE, r, WORLD); continue; }
            $work
            MPI_Bcast(b, 1, MPI_DOUBLE, r, WORLD);
        }"
    program others "for (int r = 0; r < p; r++) { if (rank != r) $work MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, WORLD); }"
    program parity "for (int r = 0; r < 10; r++) { if (rank % 2 == r % 2) $work MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, WORLD); }"
    program unused "for (int r = 0; r < p; r++) { if (rank == r) $work MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, WORLD); }" "$fun"
    for p in 2 8; do
        computes others "$p" "$p"
        computes parity 10 "$p"
    done
    for p in 1 2 8; do
        computes unused "$p" "$p"
        computes barrier "$p" "$p"
        computes called "$p" "$p"
        computes passed "$p" "$p"
        computes skipped "$p" "$p"
        computes gathered 1 "$p"
        computes alone 1 "$p"
    done
}

@test "messages: what is dealt out by a remainder or in blocks is counted as often as a process has it" {
    local work='for (int i = 0; i < 1000; i++) a[i] = a[i] * 3;' p
    program dealt "for (int k = 0; k < 31; k++) { MPI_Bcast(b, 32 - k, MPI_DOUBLE, 0, WORLD); if (k % p == rank) $work }"
    program shifted "for (int k = 0; k < 31; k++) { MPI_Bcast(b, 8, MPI_DOUBLE, 0, WORLD); if ((k - rank + p) % p == 0) $work }"
    program blocks "const int rows = 64 / p; for (int k = 0; k < 64; k++) if (k / rows == rank) $work MPI_Bcast(b, 8, MPI_DOUBLE, 0, WORLD);"
    program stretch "const int from = rank * n / p, to = (rank + 1) * n / p; for (int k = 0; k < n; k++) if (k >= from && k < to) $work MPI_Bcast(b, 8, MPI_DOUBLE, 0, WORLD);"
    program waited "const int from = rank * 64 / p, to = (rank + 1) * 64 / p; for (int k = 0; k < 64; k++) { if (from <= k && k < to) $work MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, WORLD); }"
    program pivots "for (int k = 0; k < 30; k++) { int owner = k % p; if (owner == rank) $work MPI_Bcast(a, 8, MPI_DOUBLE, owner, WORLD); }"
    program columns "for (int k = 0; k < 31; k++) {
            MPI_Bcast(b, 32 - k, MPI_DOUBLE, k % p, WORLD);
            for (int j = k + 1; j < 32; j++) if (j % p == rank) $work
        }"
    for p in 1 2 8; do
        computes dealt "$(((31 + p - 1) / p))" "$p"
        computes shifted "$(((31 + p - 1) / p))" "$p"
        computes blocks "$((64 / p))" "$p"
        computes stretch "$((1000 / p))" "$p"
        computes waited 64 "$p"
        computes pivots 30 "$p"
        computes columns "$(python3 -c "print(sum(-(-x // $p) for x in range(1, 32)))")" "$p"
    done
    takes dealt "$(python3 -c 'print(3 * sum(2 + 8 * (32 - k) / 1000 for k in range(31)))')" 8
}

@test "messages: what a number that depends on the process bounds is counted as the busiest does it" {
    local fun='static void work(void) { for (int i = 0; i < 1000; i++) a[i] = a[i] * 3; }
        static void often(int times) { for (int k = 0; k < times; k++) work(); }' p
    program root "int times = rank == 0 ? 4 : 1; for (int k = 0; k < times; k++) work(); MPI_Barrier(WORLD);" "$fun"
    program odd "int half = rank % 2 ? 3 : 1, times = 2 * half; for (int k = 0; k < times; k++) work(); MPI_Barrier(WORLD);" "$fun"
    program told "often(rank == p - 1 ? 3 : 1); MPI_Barrier(WORLD);" "$fun"
    program begun "int first = rank == 0 ? 1 : 0; for (int k = first; k < 3; k++) work(); MPI_Barrier(WORLD);" "$fun"
    program partner "int to = rank == 0 ? 1 : 0; if (rank < 2) MPI_Sendrecv(a, n, MPI_CHAR, to, 0, b, n, MPI_CHAR, to, 0, WORLD, ANY); work();" "$fun"
    for p in 2 4 8; do
        computes root 4 "$p"
        computes odd 6 "$p"
        computes told 3 "$p"
        computes begun 3 "$p"
        computes partner 1 "$p"
    done
}

@test "messages: functions that different processes call at the same time are not added up" {
    local fun='static void work(void) { for (int i = 0; i < 1000; i++) a[i] = a[i] * 3; }
        static void some(int m) { for (int i = 0; i < m; i++) b[i] = b[i] * 3; }' p
    program apart "if (rank == 0) work(); if (rank == 1) { work(); work(); } MPI_Barrier(WORLD);" "$fun"
    program chosen "if (rank == 0) work(); else if (rank == 1) work(); else { work(); work(); } MPI_Barrier(WORLD);" "$fun"
    program synchronised "if (rank == 0) work(); MPI_Barrier(WORLD); if (rank == 1) work(); MPI_Barrier(WORLD);" "$fun"
    program unlike "if (rank == 0) some(10); else some(1000); MPI_Barrier(WORLD);" "$fun"
    for p in 2 8; do
        computes apart 2 "$p"
        computes chosen 2 "$p"
        computes synchronised 2 "$p"
        computes unlike 1.01 "$p"
        grep -q 'counted as if one process did both' remarks
    done
}

@test "messages: a number that is told and stands for two that the source sets has a remark" {
    local fun='static void some(int m) { for (int i = 0; i < m; i++) b[i] = b[i] * 3; }'
    program calls "int m = 10; some(m); m = 100; some(m); MPI_Barrier(WORLD);" "$fun"
    program whole "int k = 10; MPI_Bcast(a, k, MPI_DOUBLE, 0, WORLD); k = 100; MPI_Bcast(a, k, MPI_DOUBLE, 0, WORLD);"
    program once "int k = 0; k = 100; MPI_Bcast(a, k, MPI_DOUBLE, 0, WORLD); MPI_Bcast(b, k, MPI_DOUBLE, 0, WORLD);"
    "$describer" -D m=50 --processes 2 calls.c 2>&1 | grep -q 'm is 10 at one place and 100 here: 50, which is told, stands for both'
    "$describer" -D k=50 --processes 2 whole.c 2>&1 | grep -q 'k is 10 at one place and 100 here: 50, which is told, stands for both'
    run ! grep -q 'stands for both' <("$describer" -D k=50 --processes 2 once.c 2>&1)
}

@test "messages: a quotient of the rank and a share of the processes is rounded down" {
    local fun='static void work(void) { for (int i = 0; i < 1000; i++) a[i] = a[i] * 3; }' p
    local grid='const int wide = p / 2, row = rank / wide, column = rank % wide;'
    program dealt "$grid for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) if (i % 2 == row && j % wide == column) work(); MPI_Barrier(WORLD);" "$fun"
    program rows "$grid for (int i = 0; i < 16; i++) if (i % 2 == row) work(); MPI_Barrier(WORLD);" "$fun"
    program up "$grid for (int i = 0; i <= row; i++) work(); MPI_Barrier(WORLD);" "$fun"
    program along "$grid for (int i = 0; i <= column; i++) work(); MPI_Barrier(WORLD);" "$fun"
    for p in 4 8; do
        computes dealt "$((8 * 16 * 2 / p))" "$p"
        computes rows 8 "$p"
        computes up 2 "$p"
        computes along "$((p / 2))" "$p"
    done
}

@test "messages: who receives after others have computed computes after them" {
    local work='for (int i = 0; i < 1000; i++) a[i] = a[i] * 3;' p
    program first "if (rank == 0) { $work for (int r = 1; r < p; r++) MPI_Send(a, 10, MPI_DOUBLE, r, 0, WORLD); }
        else { MPI_Recv(a, 10, MPI_DOUBLE, 0, 0, WORLD, ANY); $work }"
    program last "if (rank != 0) { $work MPI_Send(a, 10, MPI_DOUBLE, 0, 0, WORLD); }
        else for (int r = 1; r < p; r++) { MPI_Recv(a, 10, MPI_DOUBLE, r, 0, WORLD, ANY); $work }"
    program both "if (rank == 0) { $work for (int r = 1; r < p; r++) MPI_Send(a, 10, MPI_DOUBLE, r, 0, WORLD); }
        else { $work MPI_Recv(a, 10, MPI_DOUBLE, 0, 0, WORLD, ANY); }"
    program handed "if (rank == 0) { $work MPI_Send(a, 10, MPI_DOUBLE, 1, 0, WORLD); }
        else { MPI_Recv(a, 10, MPI_DOUBLE, rank - 1, 0, WORLD, ANY); $work if (rank < p - 1) MPI_Send(a, 10, MPI_DOUBLE, rank + 1, 0, WORLD); }"
    for p in 2 4 8; do
        computes first 2 "$p"
        computes last "$p" "$p"
        computes both 1 "$p"
        computes handed "$p" "$p"
    done
}

@test "messages: parts of different sizes have their mean, and a remark" {
    program grown 'int parts = 100 * (1 + rank), *counts = whole, *at = whole + 100;
        MPI_Gather(&parts, 1, MPI_INT, counts, 1, MPI_INT, 0, WORLD);
        for (int i = 1; i < p; i++) at[i] = at[i - 1] + counts[i - 1];
        MPI_Gatherv(a, parts, MPI_DOUBLE, b, counts, at, MPI_DOUBLE, 0, WORLD);'
    takes grown "$(python3 -c 'print(7 * 2.004 + sum(2 + 0.8 * (1 + r) for r in range(1, 8)))')" 8
    "$describer" --processes 8 grown.c 2>&1 | grep -q 'MPI_Gatherv: the parts are not all of one size'
    program even 'int parts = 100, *counts = whole, *at = whole + 100;
        for (int i = 0; i < p; i++) { counts[i] = 100; at[i] = 100 * i; }
        MPI_Allgatherv(a, parts, MPI_DOUBLE, b, counts, at, MPI_DOUBLE, WORLD);'
    run ! grep -q 'not all of one size' <("$describer" --processes 8 even.c 2>&1)
}

@test "messages: what is described is what is sent, with the number that is asked for" {
    program own 'MPI_Sendrecv(a, n, MPI_CHAR, (rank + 1) % p, 0, b, n, MPI_CHAR, (rank + p - 1) % p, 0, WORLD, ANY);
        for (int i = 0; i < n; i++) a[i] = b[i];'
    "$describer" --processes 1 own.c 2>&1 | grep -q 'sends 1 messages of 1000 bytes in all to itself'
    run ! grep -q itself <("$describer" --processes 2 own.c 2>&1)
    program halves 'MPI_Comm half;
        MPI_Comm_split(WORLD, rank % 2, rank, &half);
        MPI_Allreduce(a, b, 2, MPI_DOUBLE, MPI_SUM, WORLD);
        MPI_Allreduce(a, b, 2, MPI_DOUBLE, MPI_SUM, half);'
    [ "$("$describer" --processes 8 halves.c | grep -c 'utility: combine')" = 2 ]
    program four 'if (p != 4) { MPI_Finalize(); return 0; }
        MPI_Bcast(a, n, MPI_CHAR, 0, WORLD);'
    run ! "$describer" --processes 8 four.c
    "$describer" --processes 4 four.c | grep -q broadcast
}

@test "messages: of random programs whose processes compute in turn none is answered wrongly without a word" {
    sed -i 's/  - utility: point-to-point/  - utility: synchronization\n    regions: [{t0_us: 5, rinf_mb_per_s: 1000}]\n&/' ab.yaml
    python3 "$FORECOST_SOURCE/test/messages/turns.py" "$(command -v estimator)" ab.yaml --count 15
}
