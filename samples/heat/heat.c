/* The program that heat.yaml describes: steps of heat in three dimensions, 7-point stencil; the
   grid of N x N x N in slabs, pencils or blocks.

     mpiexec -n P heat CANDIDATE [N=128] [steps=10] [--check]
 */
#include "samples/frame.h"

#include <math.h>
#include <stdlib.h>

static double start_value(int i, int j, int k)
{
    return (i * 7 + j * 11 + k * 13) % 17;
}

static void fill(const struct frame *frame, double *u)
{
    const struct share *const share = frame->share;
    for (int i = 0; i < share[0].count; i++)
        for (int j = 0; j < share[1].count; j++)
            for (int k = 0; k < share[2].count; k++)
                u[frame_at(frame, i, j, k)] =
                    start_value(share[0].first + i, share[1].first + j, share[2].first + k);
}

static double diffused(const double *here, int plane, int row)
{
    return 0.4 * *here +
           0.1 * (here[-plane] + here[plane] + here[-row] + here[row] + here[-1] + here[1]);
}

static void diffuse(const struct harness *harness, const struct frame *frame, const double *u,
                    double *unew)
{
    const struct share x = frame_inside(frame, 0), y = frame_inside(frame, 1);
    const struct share z = frame_inside(frame, 2);
    const int row = frame->share[2].count + 2, plane = row * (frame->share[1].count + 2);
    for (int i = x.first; i < x.first + x.count; i++)
        for (int j = y.first; j < y.first + y.count; j++) {
            const int at = frame_at(frame, i, j, 0);
            for (int k = z.first; k < z.first + z.count; k++)
                unew[at + k] = diffused(&u[at + k], plane, row);
        }
    harness_work(harness, 13.0 * x.count * y.count * z.count);
}

static void swap(double **u, double **unew)
{
    double *const old = *u;
    *u = *unew;
    *unew = old;
}

static void run(struct harness *harness, const struct frame *frame, double **u, double **unew,
                int steps)
{
    harness_start(harness, "step");
    for (int step = 0; step < steps; step++, swap(u, unew)) {
        harness_communicate(harness);
        frame_exchange(frame, *u);
        harness_compute(harness);
        diffuse(harness, frame, *u, *unew);
    }
    harness_stop(harness);
}

/* The same steps on one processor. */
static double difference(const struct frame *frame, const double *u, int steps)
{
    const int n = frame->extent[0];
    const struct share *const share = frame->share;
    const size_t elements = (size_t)n * (size_t)n * (size_t)n;
    double *v = harness_memory(elements, sizeof *v), most = 0.0;
    double *vnew = harness_memory(elements, sizeof *v);
    for (int m = 0; m < n * n * n; m++)
        v[m] = vnew[m] = start_value(m / n / n, m / n % n, m % n);
    for (int step = 0; step < steps; step++, swap(&v, &vnew))
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    vnew[(i * n + j) * n + k] = diffused(&v[(i * n + j) * n + k], n * n, n);
    for (int i = 0; i < share[0].count; i++)
        for (int j = 0; j < share[1].count; j++)
            for (int k = 0; k < share[2].count; k++) {
                const int row = (share[0].first + i) * n + share[1].first + j;
                most =
                    fmax(most, fabs(u[frame_at(frame, i, j, k)] - v[row * n + share[2].first + k]));
            }
    free(v);
    free(vnew);
    return most;
}

static void choose_grid(const struct harness *harness, int grid[3])
{
    const int p = harness->processors;
    grid[0] = harness_is(harness, "slabs")     ? p
              : harness_is(harness, "pencils") ? harness_side(p)
                                               : 1 << (int)ceil(log2(p) / 3.0);
    grid[1] = harness_is(harness, "blocks") ? harness_side(p / grid[0]) : p / grid[0];
    grid[2] = p / (grid[0] * grid[1]);
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct harness_parameter parameters[] = {
        {"N", 128},
        {"steps",   10},
        {0}
    };
    struct frame frame;
    int grid[3];
    harness_begin(&harness, argc, argv, "slabs pencils blocks", parameters);
    const int n = parameters[0].value, steps = parameters[1].value;
    harness_require(&harness, n <= 1024, "expected N at most 1024");
    choose_grid(&harness, grid);
    frame_make(&frame, &harness, (int[]){n, n, n}, grid);
    double *u = frame_memory(&frame), *unew = frame_memory(&frame);
    while (harness_again(&harness)) {
        fill(&frame, u);
        fill(&frame, unew);
        run(&harness, &frame, &u, &unew, steps);
    }
    const double error = harness.check ? difference(&frame, u, steps) : 0.0;
    free(u);
    free(unew);
    frame_free(&frame);
    return harness_end(&harness, error);
}
