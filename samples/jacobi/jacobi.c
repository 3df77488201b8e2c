/* The program that jacobi.yaml describes: 5-point Jacobi relaxation of an N x N grid, partitioned
   by rows, by columns or into blocks; after every sweep the largest change is combined.

     mpiexec -n P jacobi CANDIDATE [N=1024] [sweeps=100] [--check]
 */
#include "samples/frame.h"

#include <math.h>
#include <stdlib.h>

/* What is relaxed is how the boundary spreads. */
static double start_value(int n, int i, int j)
{
    return i == 0 || j == 0 || i == n - 1 || j == n - 1 ? 1.0 + 1e-3 * i - 2e-3 * j : 0.0;
}

static void fill(const struct frame *frame, double *u)
{
    const struct share rows = frame->share[1], columns = frame->share[2];
    for (int i = 0; i < rows.count; i++)
        for (int j = 0; j < columns.count; j++)
            u[frame_at(frame, 0, i, j)] =
                start_value(frame->extent[1], rows.first + i, columns.first + j);
}

static void relax(const struct harness *harness, const struct frame *frame, const double *u,
                  double *unew)
{
    const struct share rows = frame_inside(frame, 1), columns = frame_inside(frame, 2);
    for (int i = rows.first; i < rows.first + rows.count; i++) {
        const double *above = &u[frame_at(frame, 0, i - 1, 0)];
        const double *here = &u[frame_at(frame, 0, i, 0)];
        const double *below = &u[frame_at(frame, 0, i + 1, 0)];
        double *result = &unew[frame_at(frame, 0, i, 0)];
        for (int j = columns.first; j < columns.first + columns.count; j++)
            result[j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
    }
    harness_work(harness, 8.0 * rows.count * columns.count);
}

static void swap(double **u, double **unew)
{
    double *const old = *u;
    *u = *unew;
    *unew = old;
}

static void run(struct harness *harness, const struct frame *frame, double **u, double **unew,
                int sweeps)
{
    const int first = frame_at(frame, 0, 0, 0);
    harness_start(harness, "sweep");
    for (int sweep = 0; sweep < sweeps; sweep++) {
        harness_segment(harness, "sweep");
        harness_communicate(harness);
        frame_exchange(frame, *u);
        harness_compute(harness);
        relax(harness, frame, *u, *unew);
        harness_segment(harness, "converge");
        harness_communicate(harness);
        double change = fabs((*unew)[first] - (*u)[first]), largest;
        MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, frame->comm);
        swap(u, unew);
    }
    harness_stop(harness);
}

/* The same sweeps on one processor. */
static double difference(const struct frame *frame, const double *u, int sweeps)
{
    const int n = frame->extent[1];
    const struct share rows = frame->share[1], columns = frame->share[2];
    double *v = harness_memory((size_t)n * (size_t)n, sizeof *v), most = 0.0;
    double *vnew = harness_memory((size_t)n * (size_t)n, sizeof *v);
    for (int k = 0; k < n * n; k++)
        v[k] = vnew[k] = start_value(n, k / n, k % n);
    for (int sweep = 0; sweep < sweeps; sweep++, swap(&v, &vnew))
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                vnew[i * n + j] = 0.25 * (v[(i - 1) * n + j] + v[(i + 1) * n + j] +
                                          v[i * n + j - 1] + v[i * n + j + 1]);
    for (int i = 0; i < rows.count; i++)
        for (int j = 0; j < columns.count; j++)
            most = fmax(most, fabs(u[frame_at(frame, 0, i, j)] -
                                   v[(rows.first + i) * n + columns.first + j]));
    free(v);
    free(vnew);
    return most;
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct harness_parameter parameters[] = {
        {"N",  1024},
        {"sweeps",    100},
        {0}
    };
    struct frame frame;
    harness_begin(&harness, argc, argv, "rows columns blocks", parameters);
    const int n = parameters[0].value, sweeps = parameters[1].value, p = harness.processors;
    const int p0 = harness_is(&harness, "rows")      ? p
                   : harness_is(&harness, "columns") ? 1
                                                     : harness_side(p);
    harness_require(&harness, n <= 16384, "expected N at most 16384");
    frame_make(&frame, &harness, (int[]){1, n, n}, (int[]){1, p0, p / p0});
    double *u = frame_memory(&frame), *unew = frame_memory(&frame);
    while (harness_again(&harness)) {
        fill(&frame, u);
        fill(&frame, unew);
        run(&harness, &frame, &u, &unew, sweeps);
    }
    const double error = harness.check ? difference(&frame, u, sweeps) : 0.0;
    free(u);
    free(unew);
    frame_free(&frame);
    return harness_end(&harness, error);
}
