#include "trainer/loops/measuring.h"

#include <math.h>
#include <mpi.h>

/* A batch is short enough to lie between two interruptions; a point takes so long at most. */
static const double batch_s = 0.0005, point_s = 0.03;

/* No processor does an iteration in less, however many at once. */
static const double each_ns_least = 1e-3;

/* ---- agreement: rank 0 decides when it is enough ---- */

bool measuring_agrees(bool is_right)
{
    int all = is_right;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all != 0;
}

bool measuring_goes_on(double end_s)
{
    int on = MPI_Wtime() < end_s;
    MPI_Bcast(&on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return on != 0;
}

/* ---- one point ---- */

/* One rank while the others wait, then all at once: the slowest counts. */
static struct loop_point time_point(const struct measuring *it, const struct bench *bench)
{
    struct loop_point point = {.shape = bench->shape, .together_ns = NAN};
    if (it->rank == 0)
        point.alone_ns = bench_time_ns(bench, batch_s, point_s);
    MPI_Bcast(&point.alone_ns, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (it->processors == 1)
        return point;
    double together_ns = bench_time_ns(bench, batch_s, 0.5 * point_s);
    MPI_Allreduce(MPI_IN_PLACE, &together_ns, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    point.together_ns = together_ns;
    return point;
}

static int check_time(const struct loop_point *point, struct error *error)
{
    return point->alone_ns > each_ns_least && isfinite(point->alone_ns)
               ? 0
               : error_set(error, "the compiler has left nothing of it");
}

/* Whether there is a point: the loop runs at these values, on all ranks. */
bool measuring_point(const struct measuring *it, const struct forecost_loop *loop,
                     const char *const *definitions, size_t count, struct loop_point *point,
                     struct error *error)
{
    struct bench bench = {0};
    const bool is_made = bench_make(&bench, &it->program, loop, definitions, count, error) == 0 &&
                         bench_fill(&bench, error) == 0;
    const bool is_there = measuring_agrees(is_made);
    if (is_there)
        *point = time_point(it, &bench);
    bench_free(&bench);
    return is_there && check_time(point, error) == 0;
}

/* Whether any processor is slower than it was at its best. */
bool measuring_is_slow(struct measuring *it)
{
    int slow = gauge_is_slow(&it->gauge, gauge_time_ns(MPI_Wtime));
    MPI_Allreduce(MPI_IN_PLACE, &slow, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return slow != 0;
}
