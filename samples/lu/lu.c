/* The program that lu.yaml describes: LU decomposition without pivoting, by columns, in blocks
   (block), one by one in turn (cyclic) or b by b in turn (block-cyclic).

     mpiexec -n P lu CANDIDATE [N=256] [b=4] [--check]
 */
#include "samples/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct part {
    int n, p, b, rank; /* columns lie b by b in turn */
    MPI_Comm *rest;    /* of processors q, q + 1, ... */
    double *a;         /* this processor's columns, one after the other */
};

/* Diagonally dominant: no pivots are needed. */
static double a_at(int n, int i, int j)
{
    return i == j ? n : 1.0 / (1 + (3 * i + 5 * j) % 13);
}

static int owner_of(const struct part *part, int j)
{
    return j / part->b % part->p;
}

/* Where column j lies with its owner, which is also how many columns before j it has. */
static int place_of(const struct part *part, int j)
{
    return j / part->b / part->p * part->b + j % part->b;
}

/* How many columns before j processor q has. */
static int columns_before(const struct part *part, int q, int j)
{
    const int rounds = j / part->b / part->p, rest = j - (rounds * part->p + q) * part->b;
    return rounds * part->b + (rest < 0 ? 0 : rest < part->b ? rest : part->b);
}

static void make_part(struct part *part, const struct harness *harness, int n, int b)
{
    const int p = harness->processors;
    *part = (struct part){.n = n,
                          .p = p,
                          .rank = harness->rank,
                          .b = harness_is(harness, "block")    ? (n + p - 1) / p
                               : harness_is(harness, "cyclic") ? 1
                                                               : b};
    const int mine = columns_before(part, part->rank, n);
    part->rest = harness_memory((size_t)p, sizeof *part->rest);
    for (int q = 0; q < p; q++)
        MPI_Comm_split(MPI_COMM_WORLD, part->rank >= q && mine > 0 ? 0 : MPI_UNDEFINED, part->rank,
                       &part->rest[q]);
    part->a =
        harness_memory((size_t)n * (size_t)columns_before(part, part->rank, n), sizeof *part->a);
}

static void fill(const struct part *part)
{
    const int n = part->n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n && owner_of(part, j) == part->rank; i++)
            part->a[place_of(part, j) * n + i] = a_at(n, i, j);
}

/* In the last round only processors to the right still have something to do. */
static void send_column(const struct part *part, int k, double *column)
{
    const int root = owner_of(part, k), count = part->n - 1 - k, round = part->b * part->p;
    const bool is_last = k / round == (part->n - 1) / round;
    if (is_last && root == owner_of(part, part->n - 1))
        return;
    if (is_last && part->rest[root] != MPI_COMM_NULL)
        MPI_Bcast(column + k + 1, count, MPI_DOUBLE, 0, part->rest[root]);
    else if (!is_last)
        MPI_Bcast(column + k + 1, count, MPI_DOUBLE, root, part->rest[0]);
}

static void decompose(struct harness *harness, const struct part *part, double *column)
{
    const int n = part->n, mine = columns_before(part, part->rank, n);
    harness_start(harness, "decompose");
    for (int k = 0; k < n - 1; k++) {
        const bool is_owner = owner_of(part, k) == part->rank;
        double *const pivot = is_owner ? &part->a[place_of(part, k) * n] : column;
        for (int i = k + 1; i < n && is_owner; i++)
            pivot[i] /= pivot[k];
        harness_work(harness, is_owner ? 3.0 * (n - 1 - k) : 0.0);
        harness_communicate(harness);
        send_column(part, k, pivot);
        harness_compute(harness);
        const int first = columns_before(part, part->rank, k + 1);
        for (int j = first; j < mine; j++) {
            double *const restrict changed = &part->a[j * n];
            const double factor = changed[k];
            for (int i = k + 1; i < n; i++)
                changed[i] -= pivot[i] * factor;
        }
        harness_work(harness, 4.0 * (n - 1 - k) * (mine - first));
    }
    harness_stop(harness);
}

static double difference(const struct part *part)
{
    const int n = part->n;
    double *a = harness_memory((size_t)n * (size_t)n, sizeof *a), most = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = a_at(n, i, j);
    for (int k = 0; k < n - 1; k++)
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n && owner_of(part, j) == part->rank; i++)
            most = fmax(most, fabs(part->a[place_of(part, j) * n + i] - a[i * n + j]));
    free(a);
    return most;
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct harness_parameter parameters[] = {
        {"N", 256},
        {"b",   4},
        {0}
    };
    struct part part;
    harness_begin(&harness, argc, argv, "block cyclic block-cyclic", parameters);
    const int n = parameters[0].value;
    harness_require(&harness, n <= 16384, "expected N at most 16384");
    make_part(&part, &harness, n, parameters[1].value);
    double *column = harness_memory((size_t)n, sizeof *column);
    while (harness_again(&harness)) {
        fill(&part);
        decompose(&harness, &part, column);
    }
    const double error = harness.check ? difference(&part) : 0.0;
    for (int q = 0; q < part.p; q++)
        if (part.rest[q] != MPI_COMM_NULL)
            MPI_Comm_free(&part.rest[q]);
    free(part.rest);
    free(part.a);
    free(column);
    return harness_end(&harness, error);
}
