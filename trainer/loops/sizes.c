#include "trainer/loops/sizes.h"

#include "model/loops/curve_time.h"
#include "trainer/base/clock.h"
#include "trainer/loops/jumps.h"

#include <math.h>
#include <mpi.h>

/* Of a loop's time, kept for sizes where times jump. */
static const double jumps_share = 0.25;

/* How many sizes are added where times jump. */
enum { JUMPS_MOST = 12 };

/* A size that takes more than so many times its share of the time left waits until the others are
   measured: four large ones had taken a budget of which forty others would have been measured. */
static const double dear = 4.0;

/* How long a size waits for a quiet core at first, so that all get their turn, and later. */
static const double patience_first_s = 0.01, patience_again_s = 0.04;

/* The curve of a loop in the making, and where its points come from. */
struct sizes {
    struct measuring *it;
    const struct forecost_loop *loop;
    struct plan *plan;
    struct loop_curve curve;
    size_t planned[PLAN_MOST]; /* of each point: its number in the plan */
    int visits[PLAN_MOST];
    bool is_usual[PLAN_MOST];
    bool is_quiet[PLAN_MOST];
    bool is_tried[PLAN_MOST]; /* each of the plan */
    double took_s[PLAN_MOST]; /* 0: not measured */
    struct error error;       /* of the last size that could not be measured */
};

static bool measure_planned(struct sizes *sizes, size_t number, double patience_s,
                            struct measured *measured)
{
    struct plan *plan = sizes->plan;
    const char *const *definitions = plan_definitions(plan, number);
    return definitions && measuring_point(sizes->it, sizes->loop, definitions, plan->parameters,
                                          patience_s, measured, &sizes->error);
}

/* Whether a size was planned twice, as different factors may round to the same. */
static bool is_there(const struct sizes *sizes, const struct loop_shape *shape)
{
    const struct loop_point *points = sizes->curve.points.items;
    for (size_t i = 0; i < sizes->curve.points.count; i++)
        if (points[i].shape.row == shape->row && points[i].shape.nest_bytes == shape->nest_bytes &&
            points[i].shape.plane_bytes == shape->plane_bytes)
            return true;
    return false;
}

static void measure_size(struct sizes *sizes, size_t planned)
{
    struct measured measured;
    const double start_s = clock_s();
    const bool is_measured = measure_planned(sizes, planned, patience_first_s, &measured);
    sizes->is_tried[planned] = true;
    sizes->took_s[planned] = is_measured ? clock_s() - start_s : 0.0;
    if (!is_measured || is_there(sizes, &measured.point.shape))
        return;
    const size_t number = sizes->curve.points.count;
    *(struct loop_point *)list_add(&loop_point_record, &sizes->curve.points) = measured.point;
    sizes->planned[number] = planned;
    sizes->visits[number] = 1;
    sizes->is_quiet[number] = measured.is_quiet;
    sizes->is_usual[number] = plan_is_usual(sizes->plan, planned);
}

/* What the measurement of a size is likely to take: what that of the next larger one took, or else
   as much more than that of the next smaller one as it touches more. 0 where none was measured. */
static double likely_s(const struct sizes *sizes, double bytes)
{
    const struct wanted *wanted = sizes->plan->wanted;
    double below = 0.0, above = INFINITY, below_s = 0.0, above_s = 0.0;
    for (size_t i = 0; i < sizes->plan->count; i++) {
        if (sizes->took_s[i] == 0.0 || wanted[i].bytes == 0.0)
            continue;
        if (wanted[i].bytes >= bytes && wanted[i].bytes < above) {
            above = wanted[i].bytes;
            above_s = sizes->took_s[i];
        }
        if (wanted[i].bytes < bytes && wanted[i].bytes > below) {
            below = wanted[i].bytes;
            below_s = sizes->took_s[i];
        }
    }
    return isinf(above) && below > 0.0 ? below_s * bytes / below : above_s;
}

/* Every size up to one of a number that was not tried yet, what takes long behind the others. It
   ends where the loop ends by a signal, as all ranks know. */
static void measure_each(struct sizes *sizes, size_t upto, double end_s)
{
    const struct plan *plan = sizes->plan;
    size_t left = 0;
    for (size_t i = 0; i < upto; i++)
        left += !sizes->is_tried[i];
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < upto; i++) {
            if (sizes->is_tried[i])
                continue;
            if (sizes->it->ended_by != 0 || !measuring_goes_on(end_s))
                return;
            const double share_s = (end_s - clock_s()) / (double)left;
            if (pass == 0 && i >= plan->coarse &&
                measuring_says(likely_s(sizes, plan->wanted[i].bytes) > dear * share_s))
                continue;
            measure_size(sizes, i);
            left--;
        }
}

/* Between sizes where the time jumps, the largest jump first. All ranks have the same times. */
static void measure_jumps(struct sizes *sizes, double end_s)
{
    bool is_settled[PLAN_MOST] = {false};
    size_t pair[2];
    for (int i = 0; i < JUMPS_MOST && measuring_goes_on(end_s); i++) {
        if (!jumps_largest(&sizes->curve, sizes->is_usual, is_settled, pair))
            return;
        const size_t before = sizes->curve.points.count;
        if (plan_add_between(sizes->plan, sizes->planned[pair[0]], sizes->planned[pair[1]]))
            measure_size(sizes, sizes->plan->count - 1);
        is_settled[pair[0]] = sizes->curve.points.count == before;
    }
}

/* The point that was measured the fewest times, while others always used the core; their count:
   there is none. */
static size_t most_crowded(const struct sizes *sizes)
{
    size_t found = sizes->curve.points.count;
    int fewest = CROWDED_VISITS_MOST;
    for (size_t i = 0; i < sizes->curve.points.count; i++)
        if (!sizes->is_quiet[i] && sizes->visits[i] < fewest) {
            fewest = sizes->visits[i];
            found = i;
        }
    return found;
}

/* The point that lies the furthest above what its neighbours say; their count: there is none. */
static size_t oddest(const struct sizes *sizes)
{
    const struct loop_point *points = sizes->curve.points.items;
    size_t worst = sizes->curve.points.count;
    double most = 0.0;
    for (size_t i = 0; i < sizes->curve.points.count; i++) {
        const double above = points[i].alone_ns / loop_curve_time_without(&sizes->curve, i);
        if (sizes->visits[i] < VISITS_MOST && above > most) {
            most = above;
            worst = i;
        }
    }
    return worst;
}

/* Again where others had the core, then where a time is odd, as long as there is time. All ranks
   have the same times, and choose alike. */
static void measure_again(struct sizes *sizes, double end_s)
{
    struct loop_point *points = sizes->curve.points.items;
    struct measured again;
    while (sizes->curve.points.count > 1 && measuring_goes_on(end_s)) {
        size_t next = most_crowded(sizes);
        if (next == sizes->curve.points.count)
            next = oddest(sizes);
        if (next == sizes->curve.points.count)
            return;
        sizes->visits[next]++;
        if (!measure_planned(sizes, sizes->planned[next], patience_again_s, &again))
            continue;
        const struct measured before = {points[next], sizes->is_quiet[next]};
        const struct measured better = measuring_better(&before, &again);
        points[next] = better.point;
        sizes->is_quiet[next] = better.is_quiet;
    }
}

static size_t crowded_count(const struct sizes *sizes)
{
    size_t crowded = 0;
    for (size_t i = 0; i < sizes->curve.points.count; i++)
        crowded += !sizes->is_quiet[i];
    return crowded;
}

struct sizes_done sizes_measure(struct measuring *it, const struct forecost_loop *loop,
                                struct plan *plan, double end_s, struct loop_curve *curve,
                                struct error *error)
{
    struct sizes sizes = {.it = it, .loop = loop, .plan = plan};
    const size_t planned = plan->count; /* others are added where times jump */
    const double left_s = end_s - clock_s();
    size_t done = 0;
    measure_each(&sizes, plan->sparse, end_s - jumps_share * left_s);
    measure_jumps(&sizes, end_s);
    measure_each(&sizes, planned, end_s);
    for (size_t i = 0; i < planned; i++)
        done += sizes.is_tried[i];
    measure_again(&sizes, end_s);
    *curve = sizes.curve;
    *error = sizes.error;
    return (struct sizes_done){done, planned, crowded_count(&sizes)};
}
