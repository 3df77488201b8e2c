/* The program that fft.yaml and fft-binary.yaml describe: the Fourier transform of n x n complex
   numbers, n a power of two; by transpositions (rows) or by binary exchange (hypercube).

     mpiexec -n P fft CANDIDATE [n=256] [--check]

   The sign is negative; rows and hypercube both leave the result in natural order, in blocks. */
#include "samples/harness.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double complex number;

static const double pi = 3.14159265358979323846;

struct part {
    int n, p, rank, m;      /* n x n numbers in all, m here: m / n rows, or m in sequence */
    number *x, *out, *back; /* m each */
    number *root;           /* exp(-2 pi i k / (n n)) for k < n n */
    int *reversed;          /* of a row: where each number of it belongs first */
};

static number start_value(int k)
{
    return CMPLX((5 * k) % 13, -((3 * k) % 7));
}

static int reversed(int k, int size)
{
    int result = 0;
    for (; size > 1; size /= 2, k /= 2)
        result = 2 * result + k % 2;
    return result;
}

/* Sums and differences of partners `half` apart, in x of `size` numbers. */
static void stage(const struct part *part, number *x, int size, int half)
{
    const int step = part->n * part->n / (2 * half);
    for (int block = 0; block < size; block += 2 * half)
        for (int k = block; k < block + half; k++) {
            const number turned = x[k + half] * part->root[(k - block) * step];
            x[k + half] = x[k] - turned;
            x[k] += turned;
        }
}

/* ---- by transpositions ---- */

static void exchange_all(struct harness *harness, const struct part *part)
{
    const int n = part->n, w = part->m / n;
    for (int q = 0; q < part->p; q++)
        harness_turn((double *)&part->out[q * w * w], w, (const double *)&part->x[q * w], n, w, 2);
    harness_communicate(harness);
    harness_all_to_all((const double *)part->out, (double *)part->back, 2 * w * w, MPI_COMM_WORLD);
    harness_compute(harness);
    for (int q = 0; q < part->p; q++)
        for (int j = 0; j < w; j++)
            memcpy(&part->x[j * n + q * w], &part->back[(q * w + j) * w],
                   (size_t)w * sizeof *part->x);
}

/* One processor sends nothing: the turned matrix is the one that goes on. */
static void turn_all(struct part *part)
{
    number *const turned = part->out;
    harness_turn((double *)turned, part->n, (const double *)part->x, part->n, part->n, 2);
    part->out = part->x;
    part->x = turned;
}

static void transpose(struct harness *harness, struct part *part)
{
    harness_segment(harness, "transpose");
    if (part->p == 1)
        turn_all(part);
    else
        exchange_all(harness, part);
    harness_work(harness, 4.0 * part->m);
}

static void transform_row(const struct part *part, number *row)
{
    for (int k = 0; k < part->n; k++) {
        const int other = part->reversed[k];
        const number swap = row[k];
        if (k < other) {
            row[k] = row[other];
            row[other] = swap;
        }
    }
    for (int half = 1; half < part->n; half *= 2)
        stage(part, row, part->n, half);
}

static void transform_rows(struct harness *harness, const struct part *part)
{
    harness_segment(harness, "transform");
    for (int i = 0; i < part->m / part->n; i++)
        transform_row(part, &part->x[i * part->n]);
    harness_work(harness, 18.0 * part->m / 2 * log2(part->n));
}

/* Between the two: row t, column k by the root of t k. */
static void twiddle(const struct part *part)
{
    const int n = part->n, rows = part->m / n;
    for (int t = 0; t < rows; t++)
        for (int k = 0; k < n; k++)
            part->x[t * n + k] *= part->root[(part->rank * rows + t) * k];
}

static void by_transpositions(struct harness *harness, struct part *part)
{
    harness_start(harness, "transform");
    transpose(harness, part);
    transform_rows(harness, part);
    twiddle(part);
    transpose(harness, part);
    transform_rows(harness, part);
    transpose(harness, part);
    harness_stop(harness);
}

/* ---- by binary exchange ---- */

/* One bit of processors' numbers: everyone gets the partner's numbers and makes its own new. */
static void exchange(struct harness *harness, const struct part *part, int bit)
{
    const int m = part->m, step = part->p / (2 * bit), partner = part->rank ^ bit;
    const bool is_upper = part->rank & bit;
    harness_communicate(harness);
    MPI_Sendrecv(part->x, 2 * m, MPI_DOUBLE, partner, 1, part->back, 2 * m, MPI_DOUBLE, partner, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    harness_compute(harness);
    for (int k = 0; k < m; k++) {
        const number root = part->root[(part->rank % bit * m + k) * step];
        part->x[k] =
            is_upper ? part->back[k] - part->x[k] * root : part->x[k] + part->back[k] * root;
    }
    harness_work(harness, 9.0 * m);
}

static void by_exchanges(struct harness *harness, const struct part *part)
{
    harness_start(harness, "local");
    for (int half = 1; half < part->m; half *= 2)
        stage(part, part->x, part->m, half);
    harness_work(harness, 18.0 * part->m / 2 * log2(part->m));
    harness_segment(harness, "exchange");
    for (int bit = 1; bit < part->p; bit *= 2)
        exchange(harness, part, bit);
    harness_stop(harness);
}

/* Some of this processor's results by the sum that defines them. */
static double difference(const struct part *part)
{
    const int all = part->n * part->n;
    double most = 0.0;
    for (int at = 0; at < part->m; at += part->m / 8 + 1) {
        const int frequency = part->rank * part->m + at;
        number sum = 0.0;
        for (int k = 0; k < all; k++)
            sum += start_value(k) * part->root[(long)frequency * k % all];
        most = fmax(most, cabs(part->x[at] - sum) / all);
    }
    return most;
}

static void make_part(struct part *part, const struct harness *harness, int n)
{
    const int p = harness->processors, rank = harness->rank, all = n * n, m = all / p;
    *part = (struct part){.n = n, .p = p, .rank = rank, .m = m};
    part->x = harness_memory((size_t)m, sizeof *part->x);
    part->out = harness_memory((size_t)m, sizeof *part->out);
    part->back = harness_memory((size_t)m, sizeof *part->back);
    part->root = harness_memory((size_t)all, sizeof *part->root);
    for (int k = 0; k < all; k++)
        part->root[k] = cexp(-2.0 * pi * I * k / all);
    part->reversed = harness_memory((size_t)n, sizeof *part->reversed);
    for (int k = 0; k < n; k++)
        part->reversed[k] = reversed(k, n);
}

static void fill(const struct part *part, bool in_order)
{
    const int all = part->n * part->n, first = part->rank * part->m;
    for (int k = 0; k < part->m; k++)
        part->x[k] = start_value(in_order ? first + k : reversed(first + k, all));
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct harness_parameter parameters[] = {
        {"n", 256},
        {0  }
    };
    struct part part;
    harness_begin(&harness, argc, argv, "rows hypercube", parameters);
    const int n = parameters[0].value, p = harness.processors;
    harness_require(&harness, (n & (n - 1)) == 0 && (p & (p - 1)) == 0 && p <= n && n <= 4096,
                    "expected powers of two, n at most 4096 and no more processors than n");
    make_part(&part, &harness, n);
    const bool in_rows = harness_is(&harness, "rows");
    while (harness_again(&harness)) {
        fill(&part, in_rows);
        if (in_rows)
            by_transpositions(&harness, &part);
        else
            by_exchanges(&harness, &part);
    }
    const double error = harness.check ? difference(&part) : 0.0;
    free(part.x);
    free(part.out);
    free(part.back);
    free(part.root);
    free(part.reversed);
    return harness_end(&harness, error);
}
