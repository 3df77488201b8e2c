#include "trainer/loops/measuring.h"

#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"

#include <math.h>
#include <mpi.h>

static const double alone_s = 0.01;

/* Nobody waits for a quiet core, as the others would have done meanwhile. */
static const struct bench_limits together = {.point_s = 0.015};

/* What ran once in time may end a little late. */
static const double grace_s = 0.5;

/* No processor does an iteration in less, however many at once. */
static const double each_ns_least = 1e-3;

/* ---- agreement: rank 0 decides when it is enough ---- */

bool measuring_agrees(bool is_right)
{
    int all = is_right;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all != 0;
}

bool measuring_says(bool is_so)
{
    int said = is_so;
    MPI_Bcast(&said, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return said != 0;
}

bool measuring_goes_on(double end_s)
{
    return measuring_says(clock_s() < end_s && interruption_signal() == 0);
}

/* ---- one point ---- */

/* One rank while the others wait, then all at once: the slowest counts. */
static struct measured time_point(struct measuring *it, double patience_s,
                                  const struct bench *bench)
{
    struct measured measured = {
        .point = {.shape = bench->shape, .together_ns = NAN}
    };
    const struct bench_limits alone = {alone_s, patience_s};
    struct bench_time time = {0};
    if (it->rank == 0)
        time = bench_time(bench, &alone, &it->alone, it->loop_end_s + grace_s);
    MPI_Bcast(&time, sizeof time, MPI_BYTE, 0, MPI_COMM_WORLD);
    measured.point.alone_ns = time.each_ns;
    measured.is_quiet = time.is_quiet;
    if (it->processors == 1)
        return measured;
    double *together_ns = &measured.point.together_ns;
    *together_ns = bench_time(bench, &together, &it->together, it->loop_end_s + grace_s).each_ns;
    MPI_Allreduce(MPI_IN_PLACE, together_ns, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return measured;
}

static int check_time(const struct loop_point *point, struct error *error)
{
    if (isinf(point->alone_ns) || isinf(point->together_ns))
        return error_set(error, "it does not end within its time, or a signal came");
    return point->alone_ns > each_ns_least && isfinite(point->alone_ns)
               ? 0
               : error_set(error, "the compiler has left nothing of it");
}

bool measuring_point(struct measuring *it, const struct forecost_loop *loop,
                     const char *const *definitions, size_t count, double patience_s,
                     struct measured *measured, struct error *error)
{
    struct bench bench = {0};
    const bool is_made = bench_make(&bench, &it->program, loop, definitions, count, error) == 0 &&
                         bench_fill(&bench, it->loop_end_s, error) == 0;
    int wrong[] = {!is_made, bench.ended_by};
    MPI_Allreduce(MPI_IN_PLACE, wrong, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    const bool is_there = wrong[0] == 0;
    it->ended_by = it->ended_by ? it->ended_by : wrong[1];
    if (is_there)
        *measured = time_point(it, patience_s, &bench);
    bench_free(&bench);
    return is_there && check_time(&measured->point, error) == 0;
}

struct measured measuring_better(const struct measured *one, const struct measured *other)
{
    struct measured better = *one;
    if (other->is_quiet > one->is_quiet ||
        (other->is_quiet == one->is_quiet && other->point.alone_ns < one->point.alone_ns))
        better = *other;
    better.point.together_ns = fmin(one->point.together_ns, other->point.together_ns);
    return better;
}
