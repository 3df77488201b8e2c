/* The program that summa.yaml describes: c = a b on a grid of processors, each of the three in
   blocks; by panels of b columns of a and rows of b, which are broadcast (panels), and with all
   blocks that a processor needs gathered first (gathered).

     mpiexec -n P summa CANDIDATE [N=512] [b=8] [--check]
 */
#include "samples/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Processor (where[0], where[1]) of a grid; w columns of a, h rows of b, h x w of c. */
struct part {
    int n, panel, grid[2], where[2], h, w;
    MPI_Comm across, down; /* processors of its grid row, and of its grid column */
    double *a, *b, *c;     /* h x w each */
    double *all_a, *all_b; /* as many as the grid has columns, or rows: one after the other */
};

static double a_at(int i, int k)
{
    return 1.0 + (2 * i + 3 * k) % 5;
}

static double b_at(int k, int j)
{
    return 1.0 - (4 * k + j) % 7;
}

/* c += a b, with `width` columns of a, whose rows are `stride` apart. */
static void multiply(const struct part *part, const double *a, int stride, const double *b,
                     int width)
{
    for (int i = 0; i < part->h; i++)
        for (int k = 0; k < width; k++) {
            const double factor = a[i * stride + k];
            double *const c = &part->c[i * part->w];
            for (int j = 0; j < part->w; j++)
                c[j] += factor * b[k * part->w + j];
        }
}

/* Panel k0 of a, from who has it, in all_a; rows `panel` long. */
static void send_a(const struct part *part, int k0)
{
    const int root = k0 / part->w;
    if (root == part->where[1])
        for (int i = 0; i < part->h; i++)
            memcpy(&part->all_a[i * part->panel], &part->a[i * part->w + k0 % part->w],
                   (size_t)part->panel * sizeof *part->a);
    MPI_Bcast(part->all_a, part->h * part->panel, MPI_DOUBLE, root, part->across);
}

static const double *send_b(const struct part *part, int k0)
{
    const int root = k0 / part->h;
    double *const rows = root == part->where[0] ? &part->b[k0 % part->h * part->w] : part->all_b;
    MPI_Bcast(rows, part->panel * part->w, MPI_DOUBLE, root, part->down);
    return rows;
}

static void by_panels(struct harness *harness, const struct part *part)
{
    harness_start(harness, "panels");
    for (int k0 = 0; k0 < part->n; k0 += part->panel) {
        harness_communicate(harness);
        send_a(part, k0);
        const double *const b = send_b(part, k0);
        harness_compute(harness);
        multiply(part, part->all_a, part->panel, b, part->panel);
        harness_work(harness, 4.0 * part->h * part->w * part->panel);
    }
    harness_stop(harness);
}

static void gathered(struct harness *harness, const struct part *part)
{
    const int size = part->h * part->w;
    harness_start(harness, "gathered");
    harness_communicate(harness);
    harness_all_gather(part->a, part->all_a, size, part->across);
    harness_all_gather(part->b, part->all_b, size, part->down);
    harness_compute(harness);
    for (int k0 = 0; k0 < part->n; k0 += part->panel)
        multiply(part, &part->all_a[k0 / part->w * size + k0 % part->w], part->w,
                 &part->all_b[k0 * part->w], part->panel);
    harness_work(harness, 4.0 * size * part->n);
    harness_stop(harness);
}

static double difference(const struct part *part)
{
    double most = 0.0;
    for (int i = 0; i < part->h; i++)
        for (int j = 0; j < part->w; j++) {
            double sum = 0.0;
            for (int k = 0; k < part->n; k++)
                sum +=
                    a_at(part->where[0] * part->h + i, k) * b_at(k, part->where[1] * part->w + j);
            most = fmax(most, fabs(part->c[i * part->w + j] - sum));
        }
    return most;
}

static void make_part(struct part *part, const struct harness *harness, int n, int panel)
{
    const int p = harness->processors;
    const int p0 = harness_is(harness, "rows")      ? p
                   : harness_is(harness, "columns") ? 1
                                                    : harness_side(p);
    const int h = n / p0, w = n / (p / p0);
    harness_require(harness, p % p0 == 0 && n % p == 0 && h % panel == 0 && w % panel == 0,
                    "expected N to be a multiple of the processors, and blocks of panels");
    *part = (struct part){
        .n = n,
        .panel = panel,
        .grid = {p0,                       p / p0                  },
        .where = {harness->rank / (p / p0), harness->rank % (p / p0)},
        .h = h,
        .w = w
    };
    const size_t size = (size_t)h * (size_t)w;
    MPI_Comm_split(MPI_COMM_WORLD, part->where[0], part->where[1], &part->across);
    MPI_Comm_split(MPI_COMM_WORLD, part->where[1], part->where[0], &part->down);
    part->a = harness_memory(size, sizeof(double));
    part->b = harness_memory(size, sizeof(double));
    part->c = harness_memory(size, sizeof(double));
    part->all_a = harness_memory(size * (size_t)part->grid[1], sizeof(double));
    part->all_b = harness_memory(size * (size_t)part->grid[0], sizeof(double));
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            const int row = part->where[0] * h + i, column = part->where[1] * w + j;
            part->a[i * w + j] = a_at(row, column);
            part->b[i * w + j] = b_at(row, column);
        }
}

static void clear(const struct part *part)
{
    memset(part->c, 0, (size_t)part->h * (size_t)part->w * sizeof *part->c);
}

static void free_part(struct part *part)
{
    free(part->a);
    free(part->b);
    free(part->c);
    free(part->all_a);
    free(part->all_b);
    MPI_Comm_free(&part->across);
    MPI_Comm_free(&part->down);
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct harness_parameter parameters[] = {
        {"N", 512},
        {"b",   8},
        {0}
    };
    struct part part;
    harness_begin(&harness, argc, argv, "square rows columns", parameters);
    const int n = parameters[0].value;
    harness_require(&harness, n <= 16384, "expected N at most 16384");
    make_part(&part, &harness, n, parameters[1].value);
    double error = 0.0;
    while (harness_again(&harness)) {
        clear(&part);
        by_panels(&harness, &part);
        error = harness.check ? difference(&part) : 0.0;
        clear(&part);
        gathered(&harness, &part);
        error = fmax(error, harness.check ? difference(&part) : 0.0);
    }
    free_part(&part);
    return harness_end(&harness, error);
}
