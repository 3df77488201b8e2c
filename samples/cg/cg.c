/* The program that cg.yaml describes: iterations of conjugate gradients for the 5-point Laplacian
   on N x N points, those on the rim being 0; by rows, by columns or in blocks.

     mpiexec -n P cg CANDIDATE [N=512] [iterations=10] [--check]
 */
#include "samples/frame.h"

#include <math.h>
#include <stdlib.h>

struct system {
    struct frame frame;
    struct share rows, columns; /* inside */
    double *d, *q, *r, *x;
};

static double right_side(int i, int j)
{
    return 1.0 + (5 * i + 3 * j) % 7;
}

static void make_system(struct system *system, const struct harness *harness, int n,
                        const int grid[3])
{
    struct frame *const frame = &system->frame;
    frame_make(frame, harness, (int[]){1, n, n}, grid);
    system->rows = frame_inside(frame, 1);
    system->columns = frame_inside(frame, 2);
    system->d = frame_memory(frame);
    system->q = frame_memory(frame);
    system->r = frame_memory(frame);
    system->x = frame_memory(frame);
}

/* Begins at x = 0. */
static void fill(const struct system *system)
{
    const struct frame *const frame = &system->frame;
    const struct share rows = system->rows, columns = system->columns;
    for (int i = rows.first; i < rows.first + rows.count; i++)
        for (int j = columns.first; j < columns.first + columns.count; j++) {
            const int at = frame_at(frame, 0, i, j);
            system->x[at] = 0.0;
            system->d[at] = system->r[at] =
                right_side(frame->share[1].first + i, frame->share[2].first + j);
        }
}

static void free_system(struct system *system)
{
    free(system->d);
    free(system->q);
    free(system->r);
    free(system->x);
    frame_free(&system->frame);
}

static void multiply(const struct system *system)
{
    const struct share rows = system->rows, columns = system->columns;
    const int row = system->frame.share[2].count + 2;
    for (int i = rows.first; i < rows.first + rows.count; i++) {
        const double *const d = &system->d[frame_at(&system->frame, 0, i, 0)];
        double *const q = &system->q[frame_at(&system->frame, 0, i, 0)];
        for (int j = columns.first; j < columns.first + columns.count; j++)
            q[j] = 4.0 * d[j] - (d[j - row] + d[j + row] + d[j - 1] + d[j + 1]);
    }
}

static double product(const struct system *system, const double *a, const double *b)
{
    const struct share rows = system->rows, columns = system->columns;
    double sum = 0.0;
    for (int i = rows.first; i < rows.first + rows.count; i++) {
        const int first = frame_at(&system->frame, 0, i, 0);
        for (int j = columns.first; j < columns.first + columns.count; j++)
            sum += a[first + j] * b[first + j];
    }
    return sum;
}

/* y = y_factor y + a_factor a */
static void add(const struct system *system, double *y, double y_factor, const double *a,
                double a_factor)
{
    const struct share rows = system->rows, columns = system->columns;
    for (int i = rows.first; i < rows.first + rows.count; i++) {
        const int first = frame_at(&system->frame, 0, i, 0);
        for (int j = columns.first; j < columns.first + columns.count; j++)
            y[first + j] = y_factor * y[first + j] + a_factor * a[first + j];
    }
}

static double combined(struct harness *harness, const struct system *system, double mine)
{
    double sum;
    harness_communicate(harness);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, system->frame.comm);
    harness_compute(harness);
    return sum;
}

/* Returns the new square of the residual. */
static double iterate(struct harness *harness, const struct system *system, double rr)
{
    const double points = (double)system->rows.count * system->columns.count;
    harness_segment(harness, "multiply");
    harness_communicate(harness);
    frame_exchange(&system->frame, system->d);
    harness_compute(harness);
    multiply(system);
    harness_work(harness, 8.0 * points);

    harness_segment(harness, "step");
    const double mine = product(system, system->d, system->q);
    harness_work(harness, 3.0 * points);
    const double length = rr / combined(harness, system, mine);
    add(system, system->x, 1.0, system->d, length);
    add(system, system->r, 1.0, system->q, -length);
    harness_work(harness, 10.0 * points);

    harness_segment(harness, "turn");
    const double square = product(system, system->r, system->r);
    harness_work(harness, 2.0 * points);
    const double next = combined(harness, system, square);
    add(system, system->d, next / rr, system->r, 1.0);
    harness_work(harness, 5.0 * points);
    return next;
}

static double solve(struct harness *harness, const struct system *system, int iterations)
{
    double mine = product(system, system->r, system->r), rr;
    MPI_Allreduce(&mine, &rr, 1, MPI_DOUBLE, MPI_SUM, system->frame.comm);
    harness_start(harness, "multiply");
    for (int i = 0; i < iterations; i++)
        rr = iterate(harness, system, rr);
    harness_stop(harness);
    return rr;
}

/* The same iterations on one processor: another system, on this one alone. */
static double difference(const struct system *system, double rr, int iterations)
{
    struct harness alone = {.comm = MPI_COMM_SELF, .processors = 1};
    struct system serial;
    double most = 0.0, largest = 1.0;
    make_system(&serial, &alone, system->frame.extent[1], (int[]){1, 1, 1});
    fill(&serial);
    const double serial_rr = solve(&alone, &serial, iterations);
    const struct share *const share = system->frame.share;
    for (int i = 0; i < share[1].count; i++)
        for (int j = 0; j < share[2].count; j++) {
            const double right =
                serial.x[frame_at(&serial.frame, 0, share[1].first + i, share[2].first + j)];
            most = fmax(most, fabs(system->x[frame_at(&system->frame, 0, i, j)] - right));
            largest = fmax(largest, fabs(right));
        }
    free_system(&serial);
    return fmax(most / largest, fabs(serial_rr / rr - 1.0));
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct harness_parameter parameters[] = {
        {"N", 512},
        {"iterations",   10},
        {0}
    };
    struct system system;
    harness_begin(&harness, argc, argv, "rows columns blocks", parameters);
    const int n = parameters[0].value, p = harness.processors;
    const int p0 = harness_is(&harness, "rows")      ? p
                   : harness_is(&harness, "columns") ? 1
                                                     : harness_side(p);
    harness_require(&harness, n <= 16384, "expected N at most 16384");
    make_system(&system, &harness, n, (int[]){1, p0, p / p0});
    double rr = 0.0;
    while (harness_again(&harness)) {
        fill(&system);
        rr = solve(&harness, &system, parameters[1].value);
    }
    const double error = harness.check ? difference(&system, rr, parameters[1].value) : 0.0;
    free_system(&system);
    return harness_end(&harness, error);
}
