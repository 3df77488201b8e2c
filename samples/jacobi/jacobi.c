/* The program that jacobi.yaml describes: 5-point Jacobi relaxation of an N x N grid, partitioned
   by rows, by columns or into blocks; after every sweep the largest change is combined.

     mpiexec -n P jacobi CANDIDATE N SWEEPS        CANDIDATE: rows, columns, blocks

   Prints the measured time per sweep and its parts, after comparing the result with a serial run.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This rank's part of the grid: rows x columns elements from (row, column), with a frame of one. */
struct part {
    MPI_Comm comm; /* a cartesian grid of processors */
    int n, row, column, rows, columns, stride;
    int up, down, left, right;
    double *u, *unew;
    MPI_Datatype column_type;
};

static double *at(const struct part *part, double *u, int i, int j)
{
    return u + (size_t)(i + 1) * (size_t)part->stride + (size_t)(j + 1);
}

static int block_of(int n, int p)
{
    return (n + p - 1) / p;
}

static int length_of(int n, int p, int q)
{
    const int block = block_of(n, p), left = n - q * block;
    return left < 0 ? 0 : left < block ? left : block;
}

/* Boundary 1, inside 0: what is relaxed is how the boundary spreads. */
static double start_value(int n, int i, int j)
{
    return i == 0 || j == 0 || i == n - 1 || j == n - 1 ? 1.0 + 1e-3 * i - 2e-3 * j : 0.0;
}

static int processors_along_rows(const char *candidate, int p)
{
    if (strcmp(candidate, "rows") == 0)
        return p;
    if (strcmp(candidate, "columns") == 0)
        return 1;
    return 1 << (int)ceil(log2(p) / 2.0);
}

static void make_part(struct part *part, const char *candidate, int n)
{
    int p, rank, where[2];
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    int dims[2] = {processors_along_rows(candidate, p), 0}, periods[2] = {0, 0};
    dims[1] = p / dims[0];
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &part->comm);
    MPI_Comm_rank(part->comm, &rank);
    MPI_Cart_coords(part->comm, rank, 2, where);
    MPI_Cart_shift(part->comm, 0, 1, &part->up, &part->down);
    MPI_Cart_shift(part->comm, 1, 1, &part->left, &part->right);
    part->n = n;
    part->row = where[0] * block_of(n, dims[0]);
    part->column = where[1] * block_of(n, dims[1]);
    part->rows = length_of(n, dims[0], where[0]);
    part->columns = length_of(n, dims[1], where[1]);
    part->stride = part->columns + 2;
    const size_t elements = (size_t)(part->rows + 2) * (size_t)part->stride;
    part->u = calloc(elements, sizeof(double));
    part->unew = calloc(elements, sizeof(double));
    if (!part->u || !part->unew)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int i = 0; i < part->rows; i++)
        for (int j = 0; j < part->columns; j++)
            *at(part, part->u, i, j) = *at(part, part->unew, i, j) =
                start_value(n, part->row + i, part->column + j);
    MPI_Type_vector(part->rows, 1, part->stride, MPI_DOUBLE, &part->column_type);
    MPI_Type_commit(&part->column_type);
}

static void free_part(struct part *part)
{
    MPI_Type_free(&part->column_type);
    MPI_Comm_free(&part->comm);
    free(part->u);
    free(part->unew);
}

static void exchange_boundaries(const struct part *part)
{
    double *u = part->u;
    const int rows = part->rows, columns = part->columns;
    MPI_Sendrecv(at(part, u, rows - 1, 0), columns, MPI_DOUBLE, part->down, 1, at(part, u, -1, 0),
                 columns, MPI_DOUBLE, part->up, 1, part->comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(at(part, u, 0, 0), columns, MPI_DOUBLE, part->up, 2, at(part, u, rows, 0), columns,
                 MPI_DOUBLE, part->down, 2, part->comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(at(part, u, 0, columns - 1), 1, part->column_type, part->right, 3,
                 at(part, u, 0, -1), 1, part->column_type, part->left, 3, part->comm,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(at(part, u, 0, 0), 1, part->column_type, part->left, 4, at(part, u, 0, columns), 1,
                 part->column_type, part->right, 4, part->comm, MPI_STATUS_IGNORE);
}

static void relax(const struct part *part)
{
    const int first_i = part->row == 0, first_j = part->column == 0;
    const int last_i = part->row + part->rows == part->n ? part->rows - 2 : part->rows - 1;
    const int last_j =
        part->column + part->columns == part->n ? part->columns - 2 : part->columns - 1;
    for (int i = first_i; i <= last_i; i++) {
        const double *above = at(part, part->u, i - 1, 0), *here = at(part, part->u, i, 0);
        const double *below = at(part, part->u, i + 1, 0);
        double *result = at(part, part->unew, i, 0);
        for (int j = first_j; j <= last_j; j++)
            result[j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
    }
}

static double sum_of(const struct part *part)
{
    double mine = 0.0, all = 0.0;
    for (int i = 0; i < part->rows; i++)
        for (int j = 0; j < part->columns; j++)
            mine += *at(part, part->u, i, j);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, part->comm);
    return all;
}

/* The same sweeps on one processor, for comparison. */
static double serial_sum(int n, int sweeps)
{
    double *u = calloc((size_t)n * (size_t)n, sizeof *u),
           *v = calloc((size_t)n * (size_t)n, sizeof *v);
    double sum = 0.0;
    if (!u || !v)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int k = 0; k < n * n; k++)
        u[k] = v[k] = start_value(n, k / n, k % n);
    for (int sweep = 0; sweep < sweeps; sweep++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] +
                                       u[i * n + j + 1]);
        double *swap = u;
        u = v;
        v = swap;
    }
    for (int k = 0; k < n * n; k++)
        sum += u[k];
    free(u);
    free(v);
    return sum;
}

/* Runs; the times of the largest processor's parts, per sweep. */
static void run(struct part *part, int sweeps, double *communicate_us, double *total_us)
{
    double times_s[2] = {0.0, 0.0}, most_s[2];
    MPI_Barrier(part->comm);
    const double start_s = MPI_Wtime();
    for (int sweep = 0; sweep < sweeps; sweep++) {
        const double exchange_s = MPI_Wtime();
        exchange_boundaries(part);
        const double relax_s = MPI_Wtime();
        relax(part);
        const double combine_s = MPI_Wtime();
        double change = fabs(*at(part, part->unew, 0, 0) - *at(part, part->u, 0, 0)), largest;
        MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, part->comm);
        times_s[0] += relax_s - exchange_s + MPI_Wtime() - combine_s;
        double *swap = part->u;
        part->u = part->unew;
        part->unew = swap;
    }
    times_s[1] = MPI_Wtime() - start_s;
    MPI_Reduce(times_s, most_s, 2, MPI_DOUBLE, MPI_MAX, 0, part->comm);
    *communicate_us = 1e6 * most_s[0] / sweeps;
    *total_us = 1e6 * most_s[1] / sweeps;
}

static int usage(int rank)
{
    if (rank == 0)
        fprintf(stderr, "jacobi: expected CANDIDATE (rows, columns or blocks), N and SWEEPS\n");
    MPI_Finalize();
    return 2;
}

int main(int argc, char **argv)
{
    int rank, p, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const int n = argc == 4 ? atoi(argv[2]) : 0, sweeps = argc == 4 ? atoi(argv[3]) : 0;
    if (n < 2 * p || n > 16384 || sweeps < 1 ||
        (strcmp(argv[1], "rows") != 0 && strcmp(argv[1], "columns") != 0 &&
         strcmp(argv[1], "blocks") != 0) ||
        p % processors_along_rows(argv[1], p) != 0)
        return usage(rank);
    struct part part;
    double communicate_us, total_us;
    make_part(&part, argv[1], n);
    run(&part, sweeps, &communicate_us, &total_us);
    const double sum = sum_of(&part);
    if (rank == 0) {
        const double expected = serial_sum(n, sweeps);
        status = fabs(sum - expected) <= 1e-9 * fabs(expected) ? 0 : 1;
        printf("candidate,processors,N,compute_us,communicate_us,total_us,check\n");
        printf("%s,%d,%d,%.3f,%.3f,%.3f,%s\n", argv[1], p, n, total_us - communicate_us,
               communicate_us, total_us, status ? "wrong" : "right");
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free_part(&part);
    MPI_Finalize();
    return status;
}
