#include "trainer/loops/measure_loops.h"

#include "model/base/allocation.h"
#include "model/base/file_out.h"
#include "model/loops/curve_time.h"
#include "trainer/base/provenance.h"
#include "trainer/base/target.h"
#include "trainer/base/topology.h"
#include "trainer/loops/jumps.h"
#include "trainer/loops/measuring.h"
#include "trainer/loops/plan.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* What a loop gets at most, so that few loops do not take all of a long budget. */
static const double loop_s_most = 5.5;

/* Beyond the last cache, and no more: half as much again as it holds. */
static const double beyond = 1.5, bytes_most_least = 24e6, bytes_most_most = 96e6;

static void say(const char *at, const char *what)
{
    fprintf(stderr, "trainer: loop %s: %s\n", at, what);
}

/* ---- all loops ---- */

static void leave_out(struct measuring *it, const char *at, const char *because)
{
    struct not_measured *missing = list_add(&not_measured_record, &it->curves.not_measured);
    missing->what = memory_format("loop %s", at);
    missing->because = memory_copy_text(because);
    if (it->rank == 0)
        say(at, because);
}

/* Of a loop's time, kept for sizes where times jump. */
static const double jumps_share = 0.25;

/* How often a size is measured at most, and how many sizes are added where times jump. */
enum { VISITS_MOST = 4, SLOW_VISITS_MOST = 12, JUMPS_MOST = 12 };

/* The curve of a loop in the making, and where its points come from. */
struct sizes {
    const struct forecost_loop *loop;
    struct plan *plan;
    struct loop_curve curve;
    size_t planned[PLAN_MOST]; /* of each point: its number in the plan */
    int visits[PLAN_MOST];
    bool is_usual[PLAN_MOST];
    bool is_slow[PLAN_MOST]; /* it was measured while a processor was slower than it can be */
    struct error error;      /* of the last size that could not be measured */
};

static bool measure_planned(struct measuring *it, struct sizes *sizes, size_t number,
                            struct loop_point *point, bool *is_slow)
{
    struct plan *plan = sizes->plan;
    const char *const *definitions = plan_definitions(plan, number);
    *is_slow = measuring_is_slow(it);
    const bool is_there = definitions && measuring_point(it, sizes->loop, definitions,
                                                         plan->parameters, point, &sizes->error);
    *is_slow |= measuring_is_slow(it);
    return is_there;
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

static void measure_size(struct measuring *it, struct sizes *sizes, size_t planned)
{
    struct loop_point point;
    bool is_slow;
    if (!measure_planned(it, sizes, planned, &point, &is_slow) || is_there(sizes, &point.shape))
        return;
    const size_t number = sizes->curve.points.count;
    *(struct loop_point *)list_add(&loop_point_record, &sizes->curve.points) = point;
    sizes->planned[number] = planned;
    sizes->visits[number] = 1;
    sizes->is_slow[number] = is_slow;
    sizes->is_usual[number] = plan_is_usual(sizes->plan, planned);
}

/* Every size once, from the one of a number up to another. Returns how many there was time for. */
static size_t measure_each(struct measuring *it, struct sizes *sizes, size_t from, size_t upto,
                           double end_s)
{
    size_t done = from;
    for (; done < upto && measuring_goes_on(end_s); done++)
        measure_size(it, sizes, done);
    return done;
}

/* Between sizes where the time jumps, the largest jump first. All ranks have the same times. */
static void measure_jumps(struct measuring *it, struct sizes *sizes, double end_s)
{
    bool is_settled[PLAN_MOST] = {false};
    size_t pair[2];
    for (int i = 0; i < JUMPS_MOST && measuring_goes_on(end_s); i++) {
        if (!jumps_largest(&sizes->curve, sizes->is_usual, is_settled, pair))
            return;
        const size_t before = sizes->curve.points.count;
        if (plan_add_between(sizes->plan, sizes->planned[pair[0]], sizes->planned[pair[1]]))
            measure_size(it, sizes, sizes->plan->count - 1);
        is_settled[pair[0]] = sizes->curve.points.count == before;
    }
}

/* A point that was measured while a processor was slow, as long as there are any; then the one that
   lies the furthest above what its neighbours say. */
static size_t oddest(const struct sizes *sizes)
{
    const struct loop_point *points = sizes->curve.points.items;
    size_t worst = sizes->curve.points.count;
    double most = 0.0;
    for (size_t i = 0; i < sizes->curve.points.count; i++) {
        const double above = points[i].alone_ns / loop_curve_time_without(&sizes->curve, i);
        if (sizes->is_slow[i] && sizes->visits[i] < SLOW_VISITS_MOST)
            return i;
        if (sizes->visits[i] < VISITS_MOST && above > most) {
            most = above;
            worst = i;
        }
    }
    return worst;
}

/* Again where a time is odd, as long as there is time; the shorter one stands: what disturbs only
   makes it longer. All ranks have the same times, and choose alike. */
static void measure_odd(struct measuring *it, struct sizes *sizes, double end_s)
{
    struct loop_point again, *points = sizes->curve.points.items;
    bool is_slow;
    while (sizes->curve.points.count > 1 && measuring_goes_on(end_s)) {
        const size_t worst = oddest(sizes);
        if (worst == sizes->curve.points.count)
            return;
        sizes->visits[worst]++;
        if (!measure_planned(it, sizes, sizes->planned[worst], &again, &is_slow))
            continue;
        sizes->is_slow[worst] &= is_slow;
        points[worst].alone_ns = fmin(points[worst].alone_ns, again.alone_ns);
        points[worst].together_ns = fmin(points[worst].together_ns, again.together_ns);
    }
}

static void measure_sizes(struct measuring *it, const struct forecost_loop *loop, struct plan *plan,
                          double end_s)
{
    struct sizes sizes = {.loop = loop, .plan = plan};
    struct loop_curve *curve = &sizes.curve;
    const size_t planned = plan->count;
    const double left_s = end_s - MPI_Wtime();
    size_t done = measure_each(it, &sizes, 0, plan->sparse, end_s - jumps_share * left_s);
    measure_jumps(it, &sizes, end_s);
    done = measure_each(it, &sizes, done, planned, end_s);
    if (curve->points.count == 0) {
        leave_out(it, loop->at,
                  *sizes.error.text ? sizes.error.text : "the budget left no time for it");
        return;
    }
    measure_odd(it, &sizes, end_s);
    curve->nest = (double)loop->nest;
    curve->at = memory_copy_text(loop->at);
    curve->hash = memory_copy_text(loop->hash);
    loop_curve_judge(curve);
    *(struct loop_curve *)list_add(&loop_curve_record, &it->curves.loops) = *curve;
    if (done < planned && it->rank == 0)
        fprintf(stderr, "trainer: loop %s: %zu of %zu sizes, as the budget left no time for more\n",
                loop->at, done, planned);
}

static void measure_loop(struct measuring *it, const struct forecost_loop *loop, int left)
{
    struct plan plan;
    const double now_s = MPI_Wtime();
    const double share_s = fmin((it->end_s - now_s) / left, loop_s_most);
    plan_make(&plan, &it->program, loop, it->bytes_most);
    measure_sizes(it, loop, &plan, now_s + share_s);
    plan_free(&plan);
}

static int save(const struct measuring *it, struct error *error)
{
    struct file_out out = {0};
    if (!it->options->output_given)
        return loop_curves_write(&it->curves, stdout) ? 0 : error_set(error, "cannot be written");
    if (file_out_begin(&out, it->options->output_given, error) != 0)
        return -1;
    if (loop_curves_write(&it->curves, out.stream) && file_out_keep(&out, error) == 0)
        return 0;
    file_out_drop(&out);
    return *error->text ? -1 : error_set(error, "%s cannot be written", it->options->output_given);
}

static int measure_all(struct measuring *it, int argc, char **argv, struct error *error)
{
    const struct loops_object *object = it->program.object;
    int count = 0;
    while (object->items[count].at)
        count++;
    it->curves = loop_curves_begin();
    it->curves.source = memory_copy_text(object->source);
    it->curves.compiler = memory_copy_text(object->compiler);
    it->curves.flags = memory_copy_text(object->flags);
    it->curves.processors = it->processors;
    it->curves.measured = provenance_new(argc, argv, it->options->seed);
    for (int i = 0; i < count; i++)
        measure_loop(it, &object->items[i], count - i);
    if (it->rank != 0)
        return 0;
    if (it->curves.loops.count == 0) {
        fprintf(stderr, "trainer: nothing was measured: no file is written\n");
        return 1;
    }
    error->text[0] = '\0';
    return save(it, error);
}

/* ---- a file against the machine ---- */

static void print_comparison(const struct loop_curve *curve, const struct loop_point *point,
                             double predicted_ns)
{
    printf("%s,%.6g,%.6g,%.6g,%.5g,%.5g,%.4f\n", curve->at, point->shape.row,
           point->shape.plane_bytes, point->shape.nest_bytes, point->alone_ns, predicted_ns,
           predicted_ns / point->alone_ns);
}

/* The shortest of some measurements, as those of the file are. */
static bool measure_again(const struct measuring *it, const struct forecost_loop *loop,
                          struct loop_point *point, struct error *error)
{
    const struct options *options = it->options;
    struct loop_point again;
    bool is_there = true;
    for (int i = 0; i < VISITS_MOST && is_there; i++) {
        is_there = measuring_point(it, loop, options->definitions, options->definition_count,
                                   &again, error);
        if (i > 0 && is_there)
            again.alone_ns = fmin(again.alone_ns, point->alone_ns);
        *point = again;
    }
    return is_there;
}

/* At the values of the description and -D; errors[i]: relative. Returns how many. */
static size_t compare_all(struct measuring *it, double *errors)
{
    struct loop_point point;
    struct error error;
    size_t count = 0;
    if (it->rank == 0)
        puts("loop,row,plane_bytes,nest_bytes,measured_ns,predicted_ns,ratio");
    for (const struct forecost_loop *loop = it->program.object->items; loop->at; loop++) {
        const struct loop_curve *curve = loop_curves_find(&it->curves, loop->hash);
        if (!measuring_goes_on(it->end_s))
            break;
        if (!curve || !measure_again(it, loop, &point, &error)) {
            if (it->rank == 0)
                say(loop->at, curve ? error.text : "its text is not in the file");
            continue;
        }
        const double predicted_ns = loop_curve_time(curve, &point.shape, false).each_ns;
        errors[count++] = fabs(predicted_ns / point.alone_ns - 1.0);
        if (it->rank == 0)
            print_comparison(curve, &point, predicted_ns);
    }
    return count;
}

static int compare(struct measuring *it, struct error *error)
{
    size_t count = 0;
    while (it->program.object->items[count].at)
        count++;
    if (loop_curves_read(&it->curves, it->options->validate, error) != 0)
        return -1;
    double *errors = memory_new(count + 1, sizeof *errors);
    count = compare_all(it, errors);
    gsl_sort(errors, 1, count);
    const double median =
        count ? gsl_stats_quantile_from_sorted_data(errors, 1, count, 0.5) : INFINITY;
    free(errors);
    if (it->rank == 0)
        fprintf(stderr, "trainer: %zu loops, median error %.1f %%\n", count, 100.0 * median);
    return median <= it->options->tolerance ? 0 : 1;
}

/* ---- the whole ---- */

static int begin(struct measuring *it, struct error *error)
{
    const struct options *options = it->options;
    int status = 0;
    if (it->rank == 0 && options->output_given && !options->validate)
        status = target_check(options->output_given, "forecost-loops:", "a file of loops", error);
    it->program.processors = it->processors;
    if (status == 0) {
        it->program.object = object_load(options->loops, error);
        status = it->program.object ? 0 : -1;
    }
    if (status == 0) {
        const char *text = it->program.object->description;
        status = program_read_text(&it->program.program, options->loops, text, strlen(text), error);
    }
    if (!measuring_agrees(status == 0) && status == 0) {
        program_free(&it->program.program);
        status = error_set(error, "another rank cannot load the loops");
    }
    return status;
}

int measure_loops(const struct options *options, int argc, char **argv, struct error *error)
{
    struct measuring it = {.options = options, .end_s = MPI_Wtime() + options->budget_s};
    const double cache_bytes = topology_cache(3).capacity_bytes;
    MPI_Comm_rank(MPI_COMM_WORLD, &it.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &it.processors);
    it.bytes_most = isnan(cache_bytes) ? bytes_most_least : beyond * cache_bytes;
    it.bytes_most = fmin(fmax(it.bytes_most, bytes_most_least), bytes_most_most);
    if (begin(&it, error) != 0)
        return -1;
    int status = options->validate ? compare(&it, error) : measure_all(&it, argc, argv, error);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    loop_curves_free(&it.curves);
    program_free(&it.program.program);
    return status;
}
