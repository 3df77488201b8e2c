/* The program that matvec.yaml describes: y = a x, with a by rows, by columns or in blocks.

     mpiexec -n P matvec CANDIDATE [N=2048] [repeats=1] [--check]
 */
#include "samples/harness.h"

#include <math.h>
#include <stdlib.h>

/* Processor `row`, `column` of a grid has these rows and columns of a; lines are the processors of
   its grid column, and of its grid row. */
struct part {
    struct share rows, columns;
    MPI_Comm down, across;
};

static double a_at(int i, int j)
{
    return 1.0 / (1 + (i + 2 * j) % 17);
}

static double x_at(int j)
{
    return 1.0 + j % 5;
}

static struct part make_part(const struct harness *harness, int n)
{
    const int p = harness->processors;
    const int p0 = harness_is(harness, "rows")      ? p
                   : harness_is(harness, "columns") ? 1
                                                    : harness_side(p);
    harness_require(harness, p % p0 == 0, "blocks: expected a power of two of processors");
    harness_require(harness, n % p == 0, "expected N to be a multiple of the processors");
    const int row = harness->rank / (p / p0), column = harness->rank % (p / p0);
    struct part part = {share_of(n, p0, row), share_of(n, p / p0, column), 0, 0};
    MPI_Comm_split(MPI_COMM_WORLD, column, row, &part.down);
    MPI_Comm_split(MPI_COMM_WORLD, row, column, &part.across);
    return part;
}

/* x lies by rows where a does, and is gathered; otherwise it lies beside the columns of a. */
static void multiply(struct harness *harness, const struct part *part, const double *a,
                     const double *x, double *whole, double *mine, double *y)
{
    const bool gathers = harness_is(harness, "rows");
    const int columns = part->columns.count;
    harness_communicate(harness);
    if (gathers)
        harness_all_gather(x, whole, part->rows.count, part->down);
    harness_compute(harness);
    const double *const operand = gathers ? whole : x;
    double *const result = gathers ? y : mine;
    for (int i = 0; i < part->rows.count; i++) {
        double sum = 0.0;
        for (int j = 0; j < columns; j++)
            sum += a[(size_t)i * (size_t)columns + (size_t)j] * operand[j];
        result[i] = sum;
    }
    harness_work(harness, 3.0 * part->rows.count * columns);
    harness_communicate(harness);
    if (!gathers)
        MPI_Allreduce(mine, y, part->rows.count, MPI_DOUBLE, MPI_SUM, part->across);
    harness_compute(harness);
}

static double difference(const struct part *part, int n, const double *y)
{
    double most = 0.0;
    for (int i = 0; i < part->rows.count; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += a_at(part->rows.first + i, j) * x_at(j);
        most = fmax(most, fabs(y[i] / sum - 1.0));
    }
    return most;
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct harness_parameter parameters[] = {
        {"N", 2048},
        {"repeats",   1},
        {0}
    };
    harness_begin(&harness, argc, argv, "rows columns blocks", parameters);
    const int n = parameters[0].value;
    struct part part = make_part(&harness, n);
    const struct share rows = part.rows, columns = part.columns;
    const struct share beside = harness_is(&harness, "rows") ? rows : columns;
    double *a = harness_memory((size_t)rows.count * (size_t)columns.count, sizeof *a);
    double *x = harness_memory((size_t)beside.count, sizeof *x);
    double *whole = harness_memory((size_t)n, sizeof *whole);
    double *mine = harness_memory((size_t)rows.count, sizeof *mine);
    double *y = harness_memory((size_t)rows.count, sizeof *y);
    for (int i = 0; i < rows.count; i++)
        for (int j = 0; j < columns.count; j++)
            a[(size_t)i * (size_t)columns.count + (size_t)j] =
                a_at(rows.first + i, columns.first + j);
    for (int j = 0; j < beside.count; j++)
        x[j] = x_at(beside.first + j);
    while (harness_again(&harness)) {
        harness_start(&harness, "multiply");
        for (int repeat = 0; repeat < parameters[1].value; repeat++)
            multiply(&harness, &part, a, x, whole, mine, y);
        harness_stop(&harness);
    }
    const double error = harness.check ? difference(&part, n, y) : 0.0;
    free(a);
    free(x);
    free(whole);
    free(mine);
    free(y);
    MPI_Comm_free(&part.down);
    MPI_Comm_free(&part.across);
    return harness_end(&harness, error);
}
