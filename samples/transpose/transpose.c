/* The program that three-ways.yaml describes: a lies by columns, b = a by rows; element by element
   (P1), column by column (P2), and all at once (P3).

     mpiexec -n P transpose crossed [N=512] [--check]
 */
#include "samples/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* This processor's w columns of a and w rows of b; w = n / p. */
struct part {
    int n, p, w, first;
    double *a, *b;      /* a[j][i]: column after column; b[i][j]: row after row */
    double *out, *back; /* w x n, packed for those who get it */
};

static double a_at(int i, int j)
{
    return i + 1e-4 * j;
}

static void write_column(const struct harness *harness, const struct part *part, int j)
{
    for (int i = 0; i < part->n; i++)
        part->a[j * part->n + i] = a_at(i, part->first + j);
    harness_work(harness, 3.0 * part->n);
}

/* In every turn each processor sends to another one, the next but q, and hears of the last but q.
 */
static void element_by_element(struct harness *harness, const struct part *part)
{
    const int n = part->n, w = part->w, p = part->p;
    harness_start(harness, "P1");
    harness_communicate(harness);
    for (int j = 0; j < w; j++) {
        harness_work(harness, 5.0 * n);
        for (int q = 0; q < p; q++) {
            const int to = (harness->rank + q) % p, from = (harness->rank - q + p) % p;
            for (int i = 0; i < w; i++) {
                double *const goes = &part->a[j * n + to * w + i];
                double *const comes = &part->b[i * n + from * w + j];
                *goes = a_at(to * w + i, part->first + j);
                if (q == 0)
                    *comes = *goes;
                else
                    MPI_Sendrecv(goes, 1, MPI_DOUBLE, to, 1, comes, 1, MPI_DOUBLE, from, 1,
                                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
        }
    }
    harness_stop(harness);
}

/* What the processors have of the j-th of their columns, for the rows here; one processor has them
   where they are. */
static const double *gathered(struct harness *harness, const struct part *part, int j)
{
    const int w = part->w;
    double *const column = &part->a[j * part->n];
    if (part->p == 1)
        return column;
    harness_communicate(harness);
    harness_all_to_all(column, part->back, w, MPI_COMM_WORLD);
    harness_compute(harness);
    return part->back;
}

static void column_by_column(struct harness *harness, const struct part *part)
{
    const int n = part->n, w = part->w;
    harness_start(harness, "P2");
    for (int j = 0; j < w; j++) {
        write_column(harness, part, j);
        const double *const columns = gathered(harness, part, j);
        for (int q = 0; q < part->p; q++)
            for (int i = 0; i < w; i++)
                part->b[i * n + q * w + j] = columns[q * w + i];
        harness_work(harness, 2.0 * n);
    }
    harness_stop(harness);
}

static void exchange_all(struct harness *harness, const struct part *part)
{
    const int n = part->n, w = part->w;
    for (int q = 0; q < part->p; q++)
        harness_turn(&part->out[q * w * w], w, &part->a[q * w], n, w, 1);
    harness_communicate(harness);
    harness_all_to_all(part->out, part->back, w * w, MPI_COMM_WORLD);
    harness_compute(harness);
    for (int q = 0; q < part->p; q++)
        for (int i = 0; i < w; i++)
            memcpy(&part->b[i * n + q * w], &part->back[(q * w + i) * w],
                   (size_t)w * sizeof *part->b);
}

static void all_at_once(struct harness *harness, const struct part *part)
{
    const int n = part->n, w = part->w;
    harness_start(harness, "P3");
    for (int j = 0; j < w; j++)
        write_column(harness, part, j);
    if (part->p == 1)
        harness_turn(part->b, n, part->a, n, n, 1);
    else
        exchange_all(harness, part);
    harness_work(harness, 2.0 * n * w);
    harness_stop(harness);
}

/* What b has is forgotten: the next way finds it anew. */
static double difference(const struct part *part)
{
    double most = 0.0;
    for (int i = 0; i < part->w; i++)
        for (int j = 0; j < part->n; j++) {
            most = fmax(most, fabs(part->b[i * part->n + j] - a_at(part->first + i, j)));
            part->b[i * part->n + j] = -1.0;
        }
    return most;
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct harness_parameter parameters[] = {
        {"N", 512},
        {0  }
    };
    harness_begin(&harness, argc, argv, "crossed", parameters);
    const int n = parameters[0].value, p = harness.processors, w = n / p;
    harness_require(&harness, n % p == 0 && n <= 16384,
                    "expected N to be a multiple of the processors, and at most 16384");
    const size_t elements = (size_t)n * (size_t)w;
    const struct part part = {n,
                              p,
                              w,
                              w * harness.rank,
                              harness_memory(elements, sizeof(double)),
                              harness_memory(elements, sizeof(double)),
                              harness_memory(elements, sizeof(double)),
                              harness_memory(elements, sizeof(double))};
    double error = 0.0;
    while (harness_again(&harness)) {
        element_by_element(&harness, &part);
        error = fmax(error, difference(&part));
        column_by_column(&harness, &part);
        error = fmax(error, difference(&part));
        all_at_once(&harness, &part);
        error = fmax(error, difference(&part));
    }
    free(part.a);
    free(part.b);
    free(part.out);
    free(part.back);
    return harness_end(&harness, error);
}
