/* The program that adi.yaml describes: a sweep along the rows and one along the columns of a matrix
   that lies by rows, which is redistributed for the second, or swept through in strips; and so on,
   step after step.

     mpiexec -n P adi CANDIDATE [N=512] [strip=16] [steps=1] [--check]
 */
#include "samples/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* This processor's w rows of the n x n matrix; w = n / p. */
struct part {
    int n, p, w, rank;
    double *u, *out, *back; /* w x n; out and back are what is sent and what comes */
};

static double u_at(int i, int j)
{
    return 1.0 + (3 * i + 7 * j) % 11;
}

static void fill(const struct part *part)
{
    for (int k = 0; k < part->w * part->n; k++)
        part->u[k] = u_at(part->rank * part->w + k / part->n, k % part->n);
}

/* Every element along a line takes a part of the one before. */
static double eliminated(double here, double before)
{
    return here - 0.3 * before;
}

static void horizontal(struct harness *harness, const struct part *part)
{
    for (int i = 0; i < part->w; i++)
        for (int j = 1; j < part->n; j++)
            part->u[i * part->n + j] =
                eliminated(part->u[i * part->n + j], part->u[i * part->n + j - 1]);
    harness_work(harness, 3.0 * part->w * (part->n - 1));
}

/* From w rows of n to as many columns, or back: a transposition makes rows of columns, so that both
   are the same. */
static void redistribute(struct harness *harness, const struct part *part, const char *segment)
{
    const int n = part->n, w = part->w;
    harness_segment(harness, segment);
    for (int q = 0; q < part->p; q++)
        harness_turn(&part->out[q * w * w], w, &part->u[q * w], n, w, 1);
    harness_communicate(harness);
    harness_all_to_all(part->out, part->back, w * w, MPI_COMM_WORLD);
    harness_compute(harness);
    for (int q = 0; q < part->p; q++)
        for (int j = 0; j < w; j++)
            memcpy(&part->u[j * n + q * w], &part->back[(q * w + j) * w],
                   (size_t)w * sizeof *part->u);
}

static void sweep_whole_columns(struct harness *harness, const struct part *part)
{
    redistribute(harness, part, "redistribute before vertical");
    harness_segment(harness, "vertical");
    for (int j = 0; j < part->w; j++)
        for (int i = 1; i < part->n; i++)
            part->u[j * part->n + i] =
                eliminated(part->u[j * part->n + i], part->u[j * part->n + i - 1]);
    harness_work(harness, 3.0 * part->w * (part->n - 1));
    redistribute(harness, part, "redistribute after vertical");
}

/* A strip of columns through this processor's rows, one column after the other as the description
   says: `above` is the row before the first. */
static void sweep_strip(const struct part *part, int first, int end, const double *above)
{
    for (int j = first; j < end; j++) {
        double before = above ? above[j] : part->u[j];
        for (int i = above ? 0 : 1; i < part->w; i++)
            before = part->u[i * part->n + j] = eliminated(part->u[i * part->n + j], before);
    }
}

static int strip_end(const struct part *part, int first, int strip)
{
    return first + strip < part->n ? first + strip : part->n;
}

/* In every stage a processor sends on the strip that it has swept through and gets the next one. */
static void sweep_in_strips(struct harness *harness, const struct part *part, int strip)
{
    const int before = part->rank > 0 ? part->rank - 1 : MPI_PROC_NULL;
    const int behind = part->rank < part->p - 1 ? part->rank + 1 : MPI_PROC_NULL;
    double *const above = part->back, *const last_row = &part->u[(part->w - 1) * part->n];
    harness_segment(harness, "vertical");
    harness_communicate(harness);
    MPI_Recv(above, strip_end(part, 0, strip), MPI_DOUBLE, before, 1, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    for (int first = 0; first < part->n; first += strip) {
        const int end = strip_end(part, first, strip), next = strip_end(part, end, strip);
        harness_compute(harness);
        sweep_strip(part, first, end, part->rank > 0 ? above : NULL);
        harness_work(harness, 3.0 * (part->w - (part->rank == 0)) * (end - first));
        harness_communicate(harness);
        MPI_Sendrecv(&last_row[first], end - first, MPI_DOUBLE, behind, 1, &above[end], next - end,
                     MPI_DOUBLE, end < part->n ? before : MPI_PROC_NULL, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

static void step(struct harness *harness, const struct part *part, int strip)
{
    horizontal(harness, part);
    if (harness_is(harness, "pipelined"))
        sweep_in_strips(harness, part, strip);
    else if (part->p == 1) /* columns are whole where they are */
        sweep_in_strips(harness, part, part->n);
    else
        sweep_whole_columns(harness, part);
}

static void step_alone(double *u, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++)
            u[i * n + j] = eliminated(u[i * n + j], u[i * n + j - 1]);
    for (int j = 0; j < n; j++)
        for (int i = 1; i < n; i++)
            u[i * n + j] = eliminated(u[i * n + j], u[(i - 1) * n + j]);
}

static double difference(const struct part *part, int steps)
{
    const int n = part->n;
    double *u = harness_memory((size_t)n * (size_t)n, sizeof *u), most = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i * n + j] = u_at(i, j);
    for (int k = 0; k < steps; k++)
        step_alone(u, n);
    for (int k = 0; k < part->w * n; k++)
        most = fmax(most, fabs(part->u[k] - u[part->rank * part->w * n + k]));
    free(u);
    return most;
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct harness_parameter parameters[] = {
        {"N",     512},
        {"strip",       16},
        {"steps",1},
        {0}
    };
    harness_begin(&harness, argc, argv, "redistributed pipelined", parameters);
    const int n = parameters[0].value, p = harness.processors, w = n / p;
    const int steps = parameters[2].value;
    harness_require(&harness, n % p == 0 && n <= 16384,
                    "expected N to be a multiple of the processors, and at most 16384");
    const size_t elements = (size_t)n * (size_t)w;
    const struct part part = {.n = n,
                              .p = p,
                              .w = w,
                              .rank = harness.rank,
                              .u = harness_memory(elements, sizeof(double)),
                              .out = harness_memory(elements, sizeof(double)),
                              .back = harness_memory(elements, sizeof(double))};
    while (harness_again(&harness)) {
        fill(&part);
        harness_start(&harness, "horizontal");
        for (int k = 0; k < steps; k++) {
            harness_segment(&harness, "horizontal");
            step(&harness, &part, parameters[1].value);
        }
        harness_stop(&harness);
    }
    const double error = harness.check ? difference(&part, steps) : 0.0;
    free(part.u);
    free(part.out);
    free(part.back);
    return harness_end(&harness, error);
}
